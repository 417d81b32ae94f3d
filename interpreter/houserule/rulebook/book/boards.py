"""The table after the set-up, for a book: piles, hands and boards."""

from __future__ import annotations

from collections.abc import Iterator

from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.play.narration.boards.drawing import drawn
from houserule.play.narration.boards.grid import grid_of
from houserule.play.narration.boards.usual import boards_of
from houserule.play.narration.visibility import (
    EVERYBODY,
    Viewer,
    ViewerVisibility,
    foggy,
)
from houserule.play.seat.drawings import drawings
from houserule.play.seat.position import position
from houserule.play.seat.rules import TableRules
from houserule.play.seat.seat_model import SeatName, SeenBoard, SeenPieces, SeenPosition
from houserule.rulebook.book.book_model import (
    BookBlock,
    BookDrawing,
    BookParagraph,
    BookSentence,
)
from houserule.rulebook.book.chapters import Chapters
from houserule.rulebook.book.pictures import (
    HIGH,
    QUIET,
    Figure,
    back,
    board_picture,
    component,
    dye_of,
    fan,
    moved,
    row,
    seat_sign,
    text,
)

SEED = 1  # random set-ups are only an example
SCALE = 0.62  # of cards on the picture of a table
FAN = 13  # cards of a hand that are drawn


def start_of(rules: TableRules, chapters: Chapters) -> Iterator[BookBlock]:
    """Yield the table after the set-up: how many things lie where, and the boards.

    It is the position at the first decision of a game, as all players see it. If what
    is on a board decides who sees it, it is drawn as the player sees it who begins.
    """
    try:
        game = ReferenceGame.start(rules.program, SEED)
    except RuleFault:
        return  # rules of a game that cannot start still have a book
    program, wording, piles = chapters.program, chapters.wording, list[str]()
    for zone in program.zones.values():  # how many cards the piles and players have
        noun = chapters.view.thing(zone.name)
        per_seat = (
            len(zone.keys) == 1 and getattr(zone.keys[0].type, "sort", "") == "seat"
        )
        dice = program.components[zone.member.name].faces
        if not noun or dice or zone.kind == "slot" or (zone.keys and not per_seat):
            continue
        numbers = {*map(len, game.machine.store.zones[zone.name])}
        if len(numbers) == 1 and not numbers <= {0}:
            things = str(wording.counted(zone.member.name, *numbers))
            place = chapters.titled("", noun)
            how = "each lies" if zone.keys else "lies"
            piles.append(chapters.say(how, things=things, place=place))
    if piles:
        said = chapters.say("then there are", rows=", ".join(piles))
        yield BookParagraph(sentences=(BookSentence(text=said),))
    language, boards = chapters.view.language, boards_of(rules.ruleset)
    seats = range(1, rules.chosen.players + 1)
    # A printed page refers to players by number.
    named = [chapters.say("player", number=each) for each in seats]
    words = rules.wording(language, named)
    viewer: Viewer = EVERYBODY
    if foggy(program) and game.decision is not None:
        viewer = game.decision.seat
    seen, knowledge = (
        position(rules, game, words, viewer),
        ViewerVisibility(game, viewer),
    )
    drawings_of_game = rules.ruleset.derived(drawings)
    shown = [each for each in seen.areas if isinstance(each, SeenBoard)]
    for area in shown:
        if sum(map(len, area.cells)) == 0:
            continue
        number = int(area.key.split()[-1])
        board, drawing = boards[number], drawings_of_game.get(number)
        if drawing is None:
            said = drawn(board, grid_of(board, game, words, knowledge), words)
        else:
            cells = [
                (each.name, area.cells[each.row][each.column]) for each in area.spots
            ]
            kinds = {
                layer.each: program.components.get(layer.each) for layer in board.draw
            }
            order = {  # that of the table of places, not of the drawing
                str(wording.thing(kind, item)).casefold(): item
                for kind, component in kinds.items()
                if component is not None
                for item in range(len(component.labels))
            }
            cells.sort(key=lambda each: order.get(each[0].casefold(), len(order)))
            each_place = (f"{name}: {' '.join(p.text for p in c)}" for name, c in cells)
            said = "\n".join(each_place)
        yield BookDrawing(
            title=area.title,
            svg=board_picture(area, seen.seats, drawing).svg(area.title),
            text=said,
        )
    if not shown and (scene := _scene(game, seen)) is not None:
        title = chapters.say("after set-up")
        yield BookDrawing(title=title, svg=scene.svg(title), text="")


def _scene(game: ReferenceGame, seen: SeenPosition) -> Figure | None:
    """Return the table: piles and open things in the middle, hands around them."""
    middle = [each for area in seen.areas for each in _middle(area)]
    hands = [_hand(game, seat) for seat in seen.seats]
    if not any(each.width for each in hands):
        return None if len(middle) < 2 else row(middle)
    half = len(hands) // 2
    rows = (row(hands[half:], 28), row(middle, 20), row(hands[:half][::-1], 28))
    wide = max(each.width for each in rows) + 24
    inside, y = "", 10.0
    for each in rows:
        if each.height:
            inside += moved(each, (wide - each.width) / 2, y)
            y += each.height + 10
    frame = (
        f'<rect width="{wide:g}" height="{y:g}" rx="14" fill="#eef0e6" '
        'stroke="#c9c5b2"/>'
    )
    return Figure(frame + inside, wide, y)


def _middle(area: object) -> Iterator[Figure]:
    """Yield what lies in the middle of the table: a pile, open cards, dice."""
    if not isinstance(area, SeenPieces) or area.seat is not None or not area.count:
        return
    looks = [component(each.look, each.face) for each in area.pieces[:6] if each.look]
    if looks:
        shown = row([each.scaled(each.height * SCALE) for each in looks], 6)
    elif area.pile:
        few = min(area.count, 3)
        under = "".join(moved(back(), -2.5 * n, -2.5 * n) for n in range(few))
        shown = Figure(under, back().width, HIGH).scaled(HIGH * SCALE)
    else:
        return
    said = f"{area.title} · {area.count}" if area.pile else area.title
    wide = max(shown.width, 6.2 * len(said))
    inside = moved(shown, (wide - shown.width) / 2, 4)
    inside += text(said, wide / 2, shown.height + 17, 10, ink=QUIET)
    yield Figure(inside, wide, shown.height + 20)


def _hand(game: ReferenceGame, seat: SeatName) -> Figure:
    """Return a seat with its cards, face down."""
    store, program = game.machine.store, game.program
    cards = 0
    for zone in program.zones.values():
        own = len(zone.keys) == 1 and getattr(zone.keys[0].type, "sort", "") == "seat"
        if own and not program.components[zone.member.name].faces:
            cards = max(cards, len(store.zones[zone.name][seat.seat]))
    body, ink = dye_of(seat)
    sign = f'<circle cx="9" cy="26" r="9" fill="{body}"/>' + seat_sign(
        seat.seat, 9, 26, 11, ink
    )
    held = fan(min(cards, FAN)).scaled(HIGH * SCALE)
    if not cards:
        return Figure("", 0, 0)
    count = text(str(cards), 9, 48, 10, ink=QUIET)
    return Figure(sign + count + moved(held, 24, 0), 24 + held.width, held.height)
