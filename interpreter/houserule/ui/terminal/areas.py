"""Draw the areas of a position: charts, boards, pieces, facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import assert_never

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from houserule.base.resources import Phrases
from houserule.play.narration.boards.reading import lined
from houserule.play.seat.faces import marks
from houserule.play.seat.seat_model import (
    Chart,
    PieceMark,
    SeenArea,
    SeenBoard,
    SeenFact,
    SeenFacts,
    SeenPiece,
    SeenPieces,
)
from houserule.ui.terminal.look import Look, style, together, wrapped

DICE = "⚀⚁⚂⚃⚄⚅"
BETWEEN = "  ·  "
EVEN = 40  # up to this total width, all columns are equally wide
WRAPPED = 8  # a wider column header is wrapped
SHORT = 6  # a number's label up to this length fits below it


class Areas:
    """Draws areas, with clickable components.

    Args:
        look: signs and colours of the seats.
        words: the general phrases, in the viewer's language.
    """

    def __init__(
        self,
        look: Look,
        words: Phrases,
        open_to: Collection[PieceMark] = (),
        lit: Collection[PieceMark] = (),
    ) -> None:
        self._look, self._words = look, words
        self._open, self._lit = open_to, lit

    def draw(self, area: SeenArea) -> RenderableType:
        match area:
            case Chart():
                table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
                quiet = style("quiet")
                used = [
                    at
                    for at in range(len(area.columns))
                    if any(row.cells[at].text for row in area.rows)
                ]
                table.add_column("", header_style=quiet, overflow="fold")
                for at in used:
                    table.add_column(
                        Text(area.columns[at]), header_style=quiet, overflow="fold"
                    )
                for row in area.rows:
                    head = self._marked(
                        self._look.phrase(row.head), area.key, (row.key,)
                    )
                    cells = (self._look.phrase(row.cells[at]) for at in used)
                    table.add_row(head, *cells)
                return Group(_title(area.title), table)
            case SeenBoard():
                return Group(_title(area.title), *self._board(area))
            case SeenPieces():
                said = Text(area.title)
                if area.seat is not None:
                    said = Text.assemble(self._look.sign(area.seat), " ", said)
                if not area.count:
                    return _row(said, [Text(self._words.say("empty"))])
                shown = [
                    self._several(same[0], len(same), area)
                    for same in (
                        [*each] for _, each in groupby(area.pieces, area.face_of)
                    )
                ]
                rest = area.count - len(area.pieces)
                if rest > 0 and area.pieces:
                    shown.append(Text(self._words.say("more_pieces", count=rest)))
                if not shown:
                    return _row(said, [Text(str(area.count))])
                return _row(Text.assemble(said, f" ({area.count})"), shown)
            case SeenFacts():
                short = all(len(fact.value.text) <= SHORT for fact in area.facts)
                if not short or not all(fact.name.isdecimal() for fact in area.facts):
                    return _row(area.title, [self._fact(each) for each in area.facts])
                table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
                table.add_column(area.title, header_style=style("title"))
                for fact in area.facts:
                    table.add_column(
                        fact.name, header_style=style("quiet"), justify="right"
                    )
                table.add_row(
                    "", *(self._look.phrase(fact.value) for fact in area.facts)
                )
                return table
            case _:
                assert_never(area)

    def _board(self, board: SeenBoard) -> Iterable[RenderableType]:
        """Yield the rows of a board; a rich table with that many columns is slow.

        Of a drawing, these are its places by name, in as many columns as fit.
        """
        quiet = style("quiet")
        empty = Text(board.empty, style=quiet)
        if board.spots:
            places = []
            for spot in board.spots:
                cell = board.cells[spot.row][spot.column]
                lying = Text(" ").join(map(self._look.phrase, cell)) if cell else empty
                named = Text.assemble(f"{spot.name}: ", lying)
                touched = board.keys[spot.row][spot.column]
                places.append(self._marked(named, board.key, touched, room=True))
            yield Columns(places, padding=(0, 2, 0, 0), equal=True)
            yield from self._below(board)
            return
        rows = []
        for at, row in enumerate(board.cells):
            keys = board.keys[at] if board.keys else ((),) * len(row)
            grounds = board.grounds[at] if board.grounds else (None,) * len(row)
            cells = []
            for cell, key, ground in zip(row, keys, grounds, strict=True):
                said = Text(" ").join(map(self._look.phrase, cell)) if cell else empty
                own = cell and (cell[0].look is None or cell[0].look.kind != "ground")
                if own and ground is not None and ground.ways:
                    said = Text.assemble(lined(ground.ways)[:2], said)
                cells.append(self._marked(said, board.key, key, room=True))
            rows.append(cells)
        heads = [Text(f" {head} ", style=quiet) for head in board.column_heads]
        columns = list(zip(*([heads] if heads else []), *rows, strict=True))
        over = [self._look.phrase(each) for each in board.over]
        over = over or [Text() for _ in columns]
        widths = []
        for above, column in zip(over, columns, strict=True):
            # The text above a column wraps, but no word of it breaks.
            longest_word = max(map(cell_len, above.plain.split()), default=0)
            least = max(longest_word, min(above.cell_len, WRAPPED)) + 2
            widths.append(max(least, *(cell.cell_len for cell in column)))
        lead = max(map(cell_len, (*board.row_heads, board.over_title)))
        widest = max(widths, default=0)
        if board.over or widest * len(widths) <= EVEN:
            widths = [widest] * len(widths)
        if board.over:
            title = Text(board.over_title.rjust(lead), quiet)
            pairs = zip(over, widths, strict=True)
            folded = [wrapped(text, width - 2) for text, width in pairs]
            for left in range(max(map(len, folded)), 0, -1):
                texts = [own[-left] if left <= len(own) else Text() for own in folded]
                first = title if left == 1 else Text(" " * title.cell_len)
                yield Text.assemble(first, *_centred(texts, widths), no_wrap=True)
        if heads:
            yield Text.assemble(" " * lead, *_centred(heads, widths), no_wrap=True)
        for at, cells in enumerate(rows):
            head = board.row_heads[at] if board.row_heads else ""
            before = Text(" " * (lead - cell_len(head)) + head, style=quiet)
            yield Text.assemble(before, *_centred(cells, widths), no_wrap=True)
        yield from self._below(board)

    def _below(self, board: SeenBoard) -> Iterable[RenderableType]:
        """Yield the pieces beside a board, and the meanings of its signs."""
        if board.beside:
            yield Text(BETWEEN).join(map(self._look.phrase, board.beside))
        if board.legend:
            said = BETWEEN.join(each.text for each in board.legend)
            yield Text(said, style=style("quiet"))

    def _several(self, piece: SeenPiece, count: int, area: SeenPieces) -> Text:
        name = Text(piece.name, style=style("new") if piece.new else "")
        if piece.seat is not None and piece.seat != area.seat:
            name = Text.assemble(self._look.sign(piece.seat), " ", name)
        if piece.face is not None:
            face = piece.face
            sign = f"{DICE[face - 1]} " if 1 <= face <= len(DICE) else ""
            name.append(f": {sign}{face}")
        if count > 1:
            name = Text.assemble(f"{count} × ", name)
        if piece.facts:
            facts = Text(", ").join(map(self._fact, piece.facts))
            name = Text.assemble(name, " (", facts, ")")
        return self._marked(name, area.key, (piece.key,) if piece.key else ())

    def _fact(self, fact: SeenFact) -> Text:
        return Text.assemble(f"{fact.name}: ", self._look.phrase(fact.value))

    def _marked(
        self, text: Text, area: str, pieces: Iterable[str], *, room: bool = False
    ) -> Text:
        """Return components as clickable text; `room` reserves space for the marks."""
        own = tuple(pieces)
        open_to = next((key for key in own if _among(self._open, area, key)), None)
        if any(_among(self._lit, area, key) for key in own):
            text = Text.assemble("»", text, "«")
            text.stylize(style("chosen"))
        elif room:
            text = Text.assemble(" ", text, " ")
        if open_to is not None:
            text.stylize(Style(meta={"piece": (area, open_to)}))
        return text


def _centred(cells: list[Text], widths: list[int]) -> Iterable[Text | str]:
    for cell, width in zip(cells, widths, strict=True):
        rest = width - cell.cell_len
        yield " " * (rest // 2)
        yield cell
        yield " " * (rest - rest // 2)


def drawn_apart(areas: Areas, shown: Iterable[SeenArea]) -> list[RenderableType]:
    """Draw areas; charts and boards are surrounded by empty rows."""
    drawn: list[RenderableType] = []
    before = False
    for area in shown:
        large = isinstance(area, Chart | SeenBoard)
        if drawn and (large or before):
            drawn.append(Text())
        drawn.append(areas.draw(area))
        before = large
    return drawn


def _among(found: Iterable[PieceMark], area: str, piece: str) -> bool:
    return any(marks(mark, area, piece) for mark in found)


def _title(title: str) -> Text:
    return Text(title, style=style("title"))


def _row(title: Text | str, shown: list[Text]) -> Text:
    head = Text(title, style=style("title")) if isinstance(title, str) else title
    head.stylize(style("title"))
    return Text.assemble(head, ": ", Text(BETWEEN).join(map(together, shown)))
