"""The table after the set-up, for a book: piles, hands and boards."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.language.manifest.ruleset_models import Board, in_language
from houserule.play.narration.boards.drawing import drawn, legend
from houserule.play.narration.boards.grid import Grid, Piece, grid_of
from houserule.play.narration.visibility import EVERYBODY, ViewerVisibility
from houserule.play.narration.wording import Wording
from houserule.play.seat.rules import TableRules
from houserule.rulebook.book.book_model import (
    BookBlock,
    BookDrawing,
    BookParagraph,
    BookSentence,
)
from houserule.rulebook.book.chapters import Chapters

SEED = 1  # random set-ups are only an example
CELL, ROW, LETTER, EDGE = 34.0, 30.0, 8.0, 26.0
INKS = ("#b34a00", "#0072b2", "#007a55", "#9a3f76", "#8a6d00", "#2a78b8", "#555555")


def start_of(rules: TableRules, chapters: Chapters) -> Iterator[BookBlock]:
    """Yield the table after the set-up: how many things lie where, and the boards.

    It is the position at the first decision of a game, as all players see it.
    """
    try:
        game = ReferenceGame.start(rules.program, SEED)
    except RuleFault:
        return  # rules of a game that cannot start still have a book
    if (sentence := _piles(game, chapters)) is not None:
        yield BookParagraph(sentences=(sentence,))
    boards, language = rules.ruleset.manifest.boards, chapters.view.language
    seats = range(1, rules.chosen.players + 1)
    # A printed page refers to players by number.
    named = [chapters.say("player", number=each) for each in seats]
    words = rules.wording(language, named)
    knowledge = ViewerVisibility(game, EVERYBODY)
    for board in boards:
        grid = grid_of(board, game, words, knowledge)
        yield BookDrawing(
            title=in_language(board.title, language),
            svg=_svg(board, grid, words),
            text=drawn(board, grid, words),
        )


def _piles(game: ReferenceGame, chapters: Chapters) -> BookSentence | None:
    """Return how many cards the piles have, and each player."""
    program, wording = chapters.program, chapters.wording
    found = []
    for zone in program.zones.values():
        noun = chapters.view.thing(zone.name)
        per_seat = (
            len(zone.keys) == 1 and getattr(zone.keys[0].type, "sort", "") == "seat"
        )
        dice = program.components[zone.member.name].faces
        if not noun or dice or zone.kind == "slot" or (zone.keys and not per_seat):
            continue
        numbers = {*map(len, game.machine.store.zones[zone.name])}
        if len(numbers) != 1 or numbers <= {0}:
            continue
        things = str(wording.counted(zone.member.name, *numbers))
        how = "each lies" if zone.keys else "lies"
        found.append(chapters.say(how, things=things, place=chapters.titled("", noun)))
    if not found:
        return None
    return BookSentence(text=chapters.say("then there are", rows=", ".join(found)))


def _svg(board: Board, grid: Grid, words: Wording) -> str:
    """Return a board as SVG, with a cell for each place of the board."""
    wide = max(
        CELL, LETTER * max([len(_text(c)) for r in grid.cells for c in r] or [0])
    )
    left = max([len(head) for head in grid.row_heads] or [0]) * LETTER
    left += 8 if left else 0
    top = EDGE if grid.column_heads else 4.0
    entries = legend(board, grid, words)
    width = left + wide * len(grid.columns) + 4
    height = top + ROW * len(grid.rows) + 4 + 20 * len(entries)
    width = max(width, LETTER * max([len(each) for each in entries] or [0]))
    title = escape(in_language(board.title, words.language))
    size = f'width="{width:.0f}" height="{height:.0f}"'
    view = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} role="img">',
            f"<title>{title}</title>",
            *_heads(grid, left, top, wide),
            *_cells(grid, left, top, wide),
            *_legend(entries, top + ROW * len(grid.rows) + 20),
            "</svg>",
        ]
    )


def _text(cell: list[Piece]) -> str:
    return "/".join(piece.text for piece in cell)


def _heads(grid: Grid, left: float, top: float, wide: float) -> Iterator[str]:
    for place, head in enumerate(grid.column_heads):
        yield _words(head, left + wide * (place + 0.5), top - 8, "middle")
    for place, head in enumerate(grid.row_heads):
        yield _words(head, left - 6, top + ROW * (place + 0.65), "end")


def _cells(grid: Grid, left: float, top: float, wide: float) -> Iterator[str]:
    for i, row in enumerate(grid.cells):
        for j, cell in enumerate(row):
            if not cell and not (grid.things and grid.things[i][j]):
                continue  # no such place on this board
            x, y = left + wide * j, top + ROW * i
            yield (
                f'<rect x="{x:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{ROW:.0f}" '
                'fill="none" stroke="currentColor" stroke-opacity="0.45"/>'
            )
            if cell:
                seat = cell[0].seat
                ink = "" if seat is None else INKS[seat % len(INKS)]
                middle = x + wide / 2, y + ROW * 0.65
                yield _words(_text(cell), *middle, "middle", ink)


def _legend(entries: list[str], top: float) -> Iterator[str]:
    for place, entry in enumerate(entries):
        yield _words(entry, 0, top + 20 * place, "start")


def _words(text: str, x: float, y: float, anchor: str, ink: str = "") -> str:
    colour = ink or "currentColor"
    weight = ' font-weight="700"' if ink else ""
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}"{weight} '
        f'font-family="system-ui, sans-serif" font-size="13">{escape(text)}</text>'
    )
