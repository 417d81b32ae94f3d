"""The position as a seat sees it: areas, the current choice's areas first.

This module knows no particular game. `layout` plans the areas and `saying` writes the
texts; this module fills the areas and omits empty ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from math import dist
from typing import TypeAlias, TypeVar, cast

from houserule.base.diagnostics.wording import sentence
from houserule.base.inflection import SHORT, inflected
from houserule.base.resources import Phrases
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.layout import all_keys
from houserule.ir.types import Kind, Set, is_seat
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import (
    BoardLook,
    GroundLook,
    NumberLook,
    PieceLook,
    SeedsLook,
    Side,
    TileLook,
    in_language,
)
from houserule.play.narration.boards.drawing import meanings
from houserule.play.narration.boards.grid import OpenGrids, Piece
from houserule.play.narration.boards.reading import BoardReading
from houserule.play.narration.boards.usual import boards_of
from houserule.play.narration.visibility import Viewer, ViewerVisibility
from houserule.play.narration.wording import Wording
from houserule.play.seat.drawings import drawings
from houserule.play.seat.layout import (
    FACTS,
    PLAYERS,
    AreaPlan,
    PositionPlans,
    Saying,
    about,
    changing,
    place_key,
)
from houserule.play.seat.looks import LookPlans
from houserule.play.seat.news import LastLook, News
from houserule.play.seat.rules import TableRules
from houserule.play.seat.saying import NOTHING, Describer, DisplayValue
from houserule.play.seat.seat_model import (
    BoardEdge,
    BoardPiece,
    BoardSpot,
    Chart,
    ChartRow,
    ComponentLook,
    LegendEntry,
    Phrase,
    PlaceLook,
    SeatName,
    SeenArea,
    SeenBoard,
    SeenFact,
    SeenFacts,
    SeenPiece,
    SeenPieces,
    SeenPosition,
)

MOST_ALIKE = 4  # arrows of pieces that look alike and moved at once
Spot: TypeAlias = tuple[int, int]
"""Row and column of a cell."""
SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")
T = TypeVar("T")


def position(
    rules: TableRules,
    game: ReferenceGame,
    words: Wording,
    viewer: Viewer,
    last: LastLook | None = None,
) -> SeenPosition:
    """Return what a viewer sees of a game in its current state.

    Args:
        game: the game, at a decision or over.
        words: the language, and the players' names.
        viewer: the seat; None is what everyone may see; or a viewer who sees all.
        last: what the viewer saw at the last look; anything else is new.
    """
    return seen(rules, game, words, viewer, last)[0]


def look(
    rules: TableRules, game: ReferenceGame, words: Wording, viewer: Viewer
) -> LastLook:
    """Return what a viewer sees now, so that the next look can mark what is new."""
    return seen(rules, game, words, viewer)[1]


def seen(
    rules: TableRules,
    game: ReferenceGame,
    words: Wording,
    viewer: Viewer,
    last: LastLook | None = None,
    grids: OpenGrids | None = None,
) -> tuple[SeenPosition, LastLook]:
    """Return the position and the look together, as both functions would.

    `grids` is a cache of the boards in the current state.
    """
    news, grids = News(last), OpenGrids() if grids is None else grids
    seeing = _Seeing(rules.ruleset, game, words, viewer, news, grids)
    return seeing.position(), news.look()


class _Seeing:
    """One look of one viewer at one state."""

    def __init__(
        self,
        ruleset: LoadedRuleset,
        game: ReferenceGame,
        words: Wording,
        viewer: Viewer,
        news: News,
        grids: OpenGrids,
    ) -> None:
        self._game, self._words, self._viewer = game, words, viewer
        self._program, self._store = game.program, game.machine.store
        self._layout = game.engine.layout
        self._boards, self._news = boards_of(ruleset), news
        self._drawings = ruleset.derived(drawings)
        self._grids = grids
        self._plan = ruleset.derived(PositionPlans).of(game.program)
        self._knowledge = ViewerVisibility(game, viewer)
        self._describer = Describer(game, words, self._knowledge, self._plan)
        self._phrases = Phrases("seat", words.language)
        self._looks = ruleset.derived(LookPlans).of(game.program)

    def position(self) -> SeenPosition:
        decision = self._game.decision
        first = about(self._plan, self._program, decision) if decision else frozenset()
        areas = sorted(self._plan.areas, key=lambda area: area.key not in first)
        return SeenPosition(
            viewer=self._viewer if isinstance(self._viewer, int) else None,
            seats=tuple(
                SeatName(
                    seat=seat,
                    name=self._words.seat(seat),
                    short=inflected(self._words.seat(seat)).form(SHORT),
                    colour=self._words.seat_colour(seat),
                )
                for seat in range(self._program.seats)
            ),
            areas=tuple(each for area in areas for each in self._area(area)),
        )

    def _area(self, area: AreaPlan) -> Iterator[SeenArea]:
        key, name = area.key, area.name
        match area.shape:
            case "players":
                seats = range(self._program.seats)
                columns = [
                    (each, [self._describer.of_player(each, seat) for seat in seats])
                    for each in self._plan.players
                ]
                kept = []
                for saying, cells in columns:
                    none = "0" if saying.sort in ("zone", "tokens") else ""
                    if any(each.text not in ("", none) for each in cells):
                        kept.append((saying, cells))
                heads = [Phrase(text=self._words.seat(s), seat=s) for s in seats]
                labels = self._program.labels[self._words.seats.name]
                if kept:
                    title = self._phrases.say("the players")
                    yield self._chart(PLAYERS, title, labels, heads, kept)
            case "board":
                yield self._board(area)
            case "zone":
                yield from self._zones(name)
            case "dice":
                dice = range(self._program.components[name].kind.size)
                pieces = tuple(self._piece(key, name, die, None) for die in dice)
                title = self._titled(name, len(dice))
                yield SeenPieces(key=key, title=title, pieces=pieces, count=len(dice))
            case "things":  # components of a kind that are in no zone
                # All of a table whose columns are shown, else those that have changed.
                component = self._program.components[name]
                printed = component.kind.sort == "component" and any(
                    each.sort == "field" and each.name not in component.each
                    for each in self._plan.of_things("", name)
                )
                things = [
                    thing
                    for thing in range(component.kind.size)
                    if printed
                    or changing([e for e, _ in self._describer.facts(name, thing, "")])
                ]
                if things:
                    yield self._chart_of(key, name, things)
            case "keyed":  # a text for each member of a range or an enumeration
                saying = Saying(name, area.sort, (), 0)
                keyed = self._describer.keyed(saying)
                yield from self._facts(
                    key,
                    self._titled(name),
                    [(place_key(key), k, said) for key, k, said in keyed],
                    self._looks.heap(name),
                )
            case _:
                facts = [
                    (each.name, self._titled(each.name), self._describer.of_game(each))
                    for each in self._plan.facts
                ]
                yield from self._facts(FACTS, self._phrases.say("facts"), facts)

    def _facts(
        self,
        key: str,
        title: str,
        said: Sequence[tuple[str, str, DisplayValue]],
        heap: str = "",
    ) -> Iterator[SeenFacts]:
        """Yield texts with their names, each by its key; nothing if all are empty."""
        facts = tuple(
            SeenFact(
                name=label,
                value=self._news.phrase(f"{key}/{name}", each.text, each.seat),
                key=name if heap else "",
                heap=heap if each.text.isdecimal() else "",
            )
            for name, label, each in said
            if each.text
        )
        if facts:
            yield SeenFacts(key=key, title=title, facts=facts)

    def _titled(self, name: str, number: int = 1) -> str:
        return sentence(self._describer.title(name, number))

    # ---- charts

    def _chart_of(
        self, key: str, kind: str, things: Sequence[int], zone: str = ""
    ) -> Chart:
        """Return a chart: a row for each component, a column for each text."""
        columns = [
            (saying, [self._describer.of(saying, kind, thing) for thing in things])
            for saying in self._plan.of_things(zone, kind)
        ]
        kept = [each for each in columns if any(said.text for said in each[1])]
        names = [self._program.labels[kind][thing] for thing in things]
        heads = [
            self._news.phrase(
                f"{key}/{name}",
                self._words.thing(kind, thing),
                self._words.owner(kind, thing),
            )
            for name, thing in zip(names, things, strict=True)
        ]
        title = self._titled(zone or kind)
        return self._chart(key, title, names, heads, kept, kind, things if zone else ())

    def _chart(
        self,
        key: str,
        title: str,
        names: Sequence[str],
        heads: Sequence[Phrase],
        columns: Sequence[tuple[Saying, Sequence[DisplayValue]]],
        kind: str = "",
        things: Sequence[int] = (),
    ) -> Chart:
        looks = [self._look_of(kind, thing) for thing in things]
        rows = [
            ChartRow(
                key=name,
                head=heads[place],
                look=looks[place] if looks else None,
                cells=tuple(
                    self._news.phrase(
                        f"{key}/{name}/{saying.name}",
                        cells[place].text,
                        cells[place].seat,
                    )
                    for saying, cells in columns
                ),
            )
            for place, name in enumerate(names)
        ]
        titles = tuple(self._called(saying, kind) for saying, _ in columns)
        return Chart(key=key, title=title, columns=titles, rows=tuple(rows))

    def _called(self, saying: Saying, kind: str) -> str:
        if saying.sort == "field":
            return sentence(self._describer.field_title(kind, saying.name))
        return self._titled(saying.name)

    # ---- pieces

    def _zones(self, zone: str) -> Iterator[SeenArea]:
        plan = self._program.zones[zone]
        if not plan.keys:
            yield from self._zone(zone, 0, None)
            return
        kind, mine = self._layout.members[zone], self._viewer
        at = next((at for at, each in enumerate(plan.keys) if is_seat(each.type)), -1)
        places = [
            (cast("int", keys[at]) if at >= 0 else None, keys)
            for keys in all_keys(plan.keys)
        ]
        lying = {
            keys: self._store.zones[zone][self._layout.index(zone, keys)]
            for _, keys in places
        }
        if self._looks.arrangement(zone) == "around":
            # What lies before each seat, as one area in the order of the seats.
            pieces = [
                self._seen_piece(zone, kind, thing, None, zone).model_copy(
                    update={"seat": seat}
                )
                for seat, keys in places
                for thing in lying[keys]
            ]
            if pieces:
                yield SeenPieces(
                    key=zone,
                    title=self._titled(zone),
                    pieces=tuple(pieces),
                    count=len(pieces),
                    arrangement="around",
                )
            return
        for seat, keys in sorted(places, key=lambda each: each[0] != mine):
            shows = any(self._shows(zone, kind, each) for each in lying[keys])
            if seat == mine or shows:
                others = self._describer.others(plan.keys, keys, at)
                yield from self._zone(
                    zone, self._layout.index(zone, keys), seat, others
                )

    def _zone(
        self, zone: str, index: int, seat: int | None, others: str = ""
    ) -> Iterator[SeenArea]:
        lying = self._store.zones[zone][index]
        if not lying:
            return
        plan, kind = self._program.zones[zone], self._layout.members[zone]
        title, key = self._titled(zone), zone
        of, who = [str(index)] * bool(others), [others] * bool(others)
        if seat is not None and seat != self._viewer:
            of.insert(0, self._program.labels[self._words.seats.name][seat])
            who.insert(0, str(self._words.seat(seat)))
        if who:
            title = self._phrases.say("of_seat", what=title, who=", ".join(who))
            key = f"{zone}({', '.join(of)})"
        listed = zone not in self._plan.counted
        chart = seat is None and plan.kind == "set" and listed
        alike = chart and bool(self._program.components[kind].alike)
        changes = changing(self._plan.of_things(zone, kind))
        if chart and not alike and plan.seen is None and changes:
            yield self._chart_of(key, kind, lying, zone)
            return
        yield SeenPieces(
            key=key,
            title=title,
            pieces=tuple(
                self._seen_piece(key, kind, thing, seat, zone)
                for thing in self._listed(zone, lying, seat)
            ),
            count=len(lying),
            supply=alike,
            seat=seat,
            pile=plan.kind == "pile",
            arrangement=self._looks.arrangement(zone),
        )

    def _listed(
        self, zone: str, lying: Sequence[int], seat: int | None
    ) -> Sequence[int]:
        """Return the listed components of a zone, in order.

        For a pile, these are the top one and those the viewer was shown; for the
        viewer's own pile or an open one, all. Hidden components come last, sorted by
        their visible side, so that the order reveals nothing.
        """
        if zone in self._plan.counted:
            return ()
        kind = self._layout.members[zone]
        if self._program.zones[zone].kind == "pile":
            own = seat == self._viewer is not None
            open_ = self._program.zones[zone].seen is None
            top_down = list(reversed(lying))
            return [
                each
                for each in top_down
                if own
                or open_
                or each == lying[-1]
                or self._knowledge.thing(kind, each)
                if self._shows(zone, kind, each)
            ]
        known = [each for each in lying if self._knowledge.thing(kind, each)]
        hidden = [
            each
            for each in lying
            if each not in known and self._knowledge.shown(zone, each)
        ]
        hidden.sort(key=lambda each: str(self._knowledge.shown(zone, each)))
        return [*known, *hidden]

    def _shows(self, zone: str, kind: str, thing: int) -> bool:
        """Return whether a viewer sees more of a component than its place."""
        if self._program.components[kind].faces:
            return self._knowledge.face(kind, thing)
        known = self._knowledge.thing(kind, thing)
        return known or bool(self._knowledge.shown(zone, thing))

    def _piece(
        self, key: str, kind: str, thing: int, seat: int | None, zone: str = ""
    ) -> SeenPiece:
        name, place = self._program.labels[kind][thing], f"{key}/"
        place += name
        new = self._news.is_new(place, name)
        face = None
        if self._program.components[kind].faces and self._knowledge.face(kind, thing):
            face = self._store.faces[kind][thing]
            new = self._news.is_new(f"{place}/face", str(face)) or new
        facts = tuple(
            SeenFact(
                name=self._called(saying, kind),
                value=self._news.phrase(f"{place}/{saying.name}", said.text, said.seat),
            )
            for saying, said in self._describer.facts(kind, thing, zone)
        )
        return SeenPiece(
            key=name,
            name=str(self._words.thing(kind, thing, seat)),
            facts=facts,
            face=face,
            seat=self._words.owner(kind, thing),
            look=self._look_of(kind, thing),
            new=new,
        )

    def _look_of(self, kind: str, thing: int) -> ComponentLook | None:
        found = self._looks.of(kind, thing, self._words)
        fields = self._looks.fields(kind)
        if found is None or not fields:
            return found
        shows = (self._called(Saying(name, "field", (), 0), kind) for name in fields)
        return found.model_copy(update={"shows": tuple(shows)})

    def _seen_piece(
        self, key: str, kind: str, thing: int, seat: int | None, zone: str
    ) -> SeenPiece:
        """Return a component in a zone; a hidden one by what the viewer sees of it."""
        if self._knowledge.thing(kind, thing):
            return self._piece(key, kind, thing, seat, zone)
        fields = self._program.components[kind].fields
        facts = tuple(
            SeenFact(
                name=sentence(self._describer.field_title(kind, name)),
                value=Phrase(text=str(self._words.value(value, fields[name][0]))),
            )
            for name, value in self._knowledge.shown(zone, thing)
        )
        return SeenPiece(name=str(self._words.kind(kind)), facts=facts, hidden=True)

    # ---- boards

    def _board(self, area: AreaPlan) -> SeenBoard:
        board, key = self._boards[area.number], area.key
        seat = self._viewer if isinstance(self._viewer, int) else None
        grid = self._grids.of(
            area.number, board, self._game, self._words, self._knowledge
        )
        # Each part of the board is rows of cells: pieces, names, grounds, what is gone.
        cells: list[list[tuple[BoardPiece, ...]]] = []
        for i, row in enumerate(grid.cells):
            cells.append([])
            for j, cell in enumerate(row):
                pieces = []
                for n, piece in enumerate(cell):
                    new = self._news.is_new(f"{key}/{i}/{j}/{n}", piece.text)
                    look = None if piece.look is None else self._place_look(piece)
                    ground = look is not None and look.kind in ("ground", "hidden")
                    pieces.append(
                        BoardPiece(
                            text=piece.text,
                            seat=piece.seat,
                            new=new and not ground,
                            key="" if ground else piece.thing,
                            look=look,
                        )
                    )
                cells[-1].append(tuple(pieces))
        keys = [
            [
                # The numbers are those that the viewer's actions use for the place.
                (
                    *things,
                    *(
                        place_key(by_seat[seat])
                        for by_seat in places
                        if seat is not None and by_seat[seat] is not None
                    ),
                )
                for things, places in zip(*rows, strict=True)
            ]
            for rows in zip(grid.things, grid.places, strict=True)
        ]
        left = [
            [
                not any(each.key for each in cell)
                and self._news.left(f"{key}/{i}/{j}/0", cell[0].text if cell else "")
                for j, cell in enumerate(row)
            ]
            for i, row in enumerate(cells)
        ]
        # The quarter turns, clockwise, that bring the viewer's side down.
        turns, seats, where = 0, self._program.seats, board.look.seen_from
        if seat is not None and where != "one side":
            if where == "own side":
                side = seat * 4 // seats if seats in (2, 4) else 0
            else:
                reading = BoardReading(self._game, self._knowledge)
                found = reading.reader(self._words.seats, where).of(seat)
                side = found % 4 if isinstance(found, int) else 0
            turns = (4 - side) % 4
            turns = turns // 2 * 2 if board.look.shape == "hexes" else turns
        at = [[(i, j) for j, _ in enumerate(row)] for i, row in enumerate(cells)]
        now = {
            old: (i, j)
            for i, row in enumerate(turned(at, turns))
            for j, old in enumerate(row)
        }
        # The header above the columns: a text for each.
        over_title, over = "", tuple[Phrase, ...]()
        if area.over is not None and not turns:
            keyed = self._describer.keyed(area.over, SHORT)
            said = {number: each for number, _, each in keyed}
            found_at = [(column, said.get(column, NOTHING)) for column in grid.columns]
            over_title = self._titled(area.over.name)
            over = tuple(
                self._news.phrase(f"{key}/over/{column}", each.text, each.seat)
                for column, each in found_at
            )
        drawing, name, spots = self._drawings.get(area.number), "", list[BoardSpot]()
        if drawing is not None:
            turns, name = (
                0,
                f"{self._words.program.game}/{area.number}/{drawing.digest}",
            )
            kind = board.draw[0].each
            labels = self._program.labels.get(kind, ())
            for i, rows in enumerate(keys):
                for j, things in enumerate(rows):
                    for thing in dict.fromkeys(things):
                        if thing in labels and thing in drawing.boxes:
                            x, y, w, h = drawing.boxes[thing]
                            called = self._words.thing(kind, labels.index(thing))
                            spot = BoardSpot(
                                row=i,
                                column=j,
                                name=sentence(called),
                                left=x,
                                top=y,
                                width=w,
                                height=h,
                            )
                            spots.append(spot)
        keys = turned(keys, turns)
        grounds = [
            [None if each is None else self._place_look(each, turns) for each in row]
            for row in grid.grounds
        ]
        heads = grid.column_heads, grid.row_heads
        for _ in range(turns):
            heads = heads[1][::-1], heads[0]
        entries = []
        for mark, means, of in meanings(board, grid, self._words):
            if isinstance(of, int):
                owner, look = of, None
            else:
                layer = None if of.look is None else Piece(mark, look=of.look)
                owner, look = None, None if layer is None else self._place_look(layer)
            text = self._words.say("stands_for", mark=mark, what=means)
            entries.append(
                LegendEntry(text=text, mark=mark, means=means, seat=owner, look=look)
            )
        return SeenBoard(
            key=key,
            title=in_language(board.title, self._words.language),
            row_heads=tuple(heads[1]),
            column_heads=tuple(heads[0]),
            cells=tuple(map(tuple, turned(cells, turns))),
            grounds=tuple(map(tuple, turned(grounds, turns))),
            left=tuple(
                (i, j)
                for i, row in enumerate(turned(left, turns))
                for j, gone in enumerate(row)
                if gone
            ),
            arrows=tuple((*now[a], *now[b]) for a, b in self._arrows(key, cells)),
            over_title=over_title,
            over=over,
            keys=tuple(map(tuple, keys)),
            shape="squares"
            if board.look.shape == "drawing" and drawing is None
            else board.look.shape,
            drawing=name,
            spots=tuple(spots),
            lines=self._lines(board.look, keys),
            chequered=board.look.chequered,
            dice=board.look.dice,
            slant=board.look.slant,
            edges=tuple(
                BoardEdge(side=SIDES[(SIDES.index(side) + turns) % 4], seat=number - 1)
                for side, number in board.look.edges.items()
                if 0 < number <= self._program.seats
            ),
            empty=board.empty or "",
            beside=tuple(
                self._news.phrase(f"{key}/beside/{piece.text}", piece.text, piece.seat)
                for piece in grid.beside
            ),
            legend=tuple(entries),
        )

    def _arrows(
        self, key: str, cells: Sequence[Sequence[Sequence[BoardPiece]]]
    ) -> Iterator[tuple[Spot, Spot]]:
        """Yield where each piece was at the last look, and where it is now.

        Pieces without a name that look alike are matched so that they go least far;
        if some of them appeared or are gone, or they are many, there is no arrow.
        """
        came: dict[str, list[Spot]] = {}
        went: dict[str, list[Spot]] = {}
        for i, row in enumerate(cells):
            for j, cell in enumerate(row):
                texts = [each.text for each in cell]
                for piece in cell:
                    place = f"{key}/where/{piece.key}"
                    before = self._news.before(place)
                    moved = self._news.is_new(place, f"{i} {j}") and piece.key
                    if moved and before:
                        old_row, old_column = map(int, before.split())
                        yield (old_row, old_column), (i, j)
                    elif (
                        piece.new  # and a piece, not a number or the ground
                        and (piece.key or piece.seat is not None)
                        and (piece.look is None or piece.look.kind == "piece")
                        and not piece.text.isdigit()
                    ):
                        came.setdefault(piece.text, []).append((i, j))
                for n in range(len(cell) + 2):
                    gone = self._news.before(f"{key}/{i}/{j}/{n}")
                    if gone and gone not in texts:
                        went.setdefault(gone, []).append((i, j))
        for text, targets in came.items():
            origins = went.get(text, [])
            if len(origins) == len(targets) <= MOST_ALIKE:
                ways = (
                    list(zip(origins, o, strict=True)) for o in permutations(targets)
                )
                yield from min(ways, key=lambda way: sum(dist(*pair) for pair in way))

    def _place_look(self, piece: Piece, turns: int = 0) -> PlaceLook:
        """Return how a thing on a board is drawn, after quarter turns."""
        seat = self._viewer if isinstance(self._viewer, int) else 0
        match piece.look:
            case PieceLook(shape=shape):
                return PlaceLook(
                    kind="piece", shape=shape, seat=piece.of, text=piece.name
                )
            case GroundLook(icon=icon):
                ways = piece.ways
                for _ in range(turns):
                    ways = tuple((-down, right) for right, down in ways)
                return PlaceLook(
                    kind="ground",
                    icon=icon or "",
                    seat=piece.of,
                    colour=piece.colour,
                    text=piece.name,
                    ways=ways,
                )
            case TileLook() if piece.tile is not None:
                tile = self._looks.of(*piece.tile, self._words)
                return PlaceLook(kind="tile", tile=tile, text=piece.name)
            case NumberLook() if piece.of in (None, seat):
                return PlaceLook(kind="number", text=piece.text)
            case SeedsLook():
                return PlaceLook(kind="seeds", seat=piece.of, text=piece.text)
            case _:
                return PlaceLook(kind="hidden")

    def _lines(
        self, look: BoardLook, things: Sequence[Sequence[Sequence[str]]]
    ) -> tuple[tuple[int, int, int, int], ...]:
        """Return the lines of a board between neighbouring points of each line.

        Without a kind of lines, each row and each column of points is one.
        """
        places = {
            name: (i, j)
            for i, row in enumerate(things)
            for j, cell in enumerate(row)
            for name in cell
        }
        if look.shape == "graph" and look.lines is None:
            rows: dict[int, list[int]] = {}
            columns: dict[int, list[int]] = {}
            for i, j in places.values():
                rows.setdefault(i, []).append(j)
                columns.setdefault(j, []).append(i)
            return (
                *((i, min(row), i, max(row)) for i, row in rows.items()),
                *((min(column), j, max(column), j) for j, column in columns.items()),
            )
        if look.lines is None or look.lines not in self._program.components:
            return ()
        component = self._program.components[look.lines]
        found: dict[tuple[int, int, int, int], None] = {}
        for thing in range(component.kind.size):
            points: list[tuple[int, int]] = []
            for type_, column in component.fields.values():
                of = type_.member if isinstance(type_, Set) else type_
                value = column[thing]
                if isinstance(of, Kind):
                    labels = self._program.labels[of.name]
                    each = value if isinstance(value, tuple) else (value,)
                    named = (labels[item] for item in each if isinstance(item, int))
                    points += [places[name] for name in named if name in places]
            for (i, j), (k, n) in pairwise(sorted(points)):
                found[i, j, k, n] = None
        return tuple(found)


def turned(rows: Sequence[Sequence[T]], turns: int) -> list[list[T]]:
    """Return the rows of a board after some quarter turns, clockwise."""
    for _ in range(turns):
        rows = list(zip(*rows[::-1], strict=True))
    return [list(row) for row in rows]


def _tells(saying: Saying, cells: Sequence[DisplayValue]) -> bool:
    """Return whether a column of the players' chart has any text."""
    physical = saying.sort in ("zone", "tokens")
    return any(said.text and not (physical and said.text == "0") for said in cells)
