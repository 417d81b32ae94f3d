"""Order and size of a position's areas: which are large, and which fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from unicodedata import category

from houserule.base.frozen import frozen
from houserule.play.seat.layout import PLAYERS
from houserule.play.seat.seat_model import (
    Chart,
    ChartRow,
    ChoiceStep,
    LegendEntry,
    Phrase,
    SeenArea,
    SeenBoard,
    SeenPiece,
    SeenPieces,
    SeenPosition,
)
from houserule.ui.palette import NAMED

LARGE = 3  # this many areas are always open on a small screen
NARROW = 34  # characters per line on a small screen
FINE = 12  # boards with more columns have small cells
WORD = 3  # longer text in a cell is a word, not a sign
TALL = 2  # with this ratio of rows to columns, it is a list with low cells
SIZES = ((5, "few-columns"), (8, "some-columns"), (FINE, "many-columns"))


def seat_style(seat: int, colour: str | None) -> str:
    """Return the CSS classes of a seat: its colour, by the game or by its number."""
    return f"colour-{colour}" if colour in NAMED else f"seat-{seat % 8}"


class SeatLook:
    """The CSS classes and names of the seats.

    Attributes:
        key: all its inputs; two looks with the same key are equal.
    """

    def __init__(self, position: SeenPosition) -> None:
        self.names = {each.seat: each.name for each in position.seats}
        self._short = {each.seat: each.short for each in position.seats}
        self._colours = {each.seat: each.colour for each in position.seats}
        self.key = tuple(
            (each.seat, each.name, each.short, each.colour) for each in position.seats
        )

    def style(self, seat: int) -> str:
        """Return a seat's CSS classes: its colour, by the game or by its number."""
        return seat_style(seat, self._colours.get(seat))

    def name(self, seat: int) -> str:
        """Return the name of a seat's player."""
        return self.names.get(seat, "")

    def quiet(self, text: str) -> bool:
        """Return whether a text on a board is only a sign of the ground."""
        return len(text) == 1 and not text.isalnum() and not self.figure(text)

    def figure(self, text: str) -> bool:
        """Return whether a text on a board is a picture of a piece, such as a rook."""
        return len(text) == 1 and category(text) == "So"

    def drawn_figure(self, text: str) -> tuple[str, str]:
        """Return the solid sign of a figure, and the CSS classes of its colour.

        White figures are outlines in Unicode, and would be as dark as black ones. Flat
        pieces have no good sign: the sign is empty, and they are drawn.
        """
        at = ord(text)
        if at in range(0x2654, 0x2660):
            dark = at >= 0x265A
            return chr(at if dark else at + 6), "dark" if dark else "light"
        if at in range(0x26C0, 0x26C4):
            dark, tall = at >= 0x26C2, (at - 0x26C0) % 2
            return "", f"{'dark' if dark else 'light'}{' tall' if tall else ''}"
        return text, ""

    def on_stone(self, phrase: Phrase) -> str:
        """Return the text on a stone: empty if it only names the owner."""
        if phrase.seat is None:
            return phrase.text
        named = (self.name(phrase.seat), self._short.get(phrase.seat))
        return "" if phrase.text in named else phrase.text


@frozen
class AlikePieces:
    """Pieces that look the same and lie side by side."""

    piece: SeenPiece
    count: int


@dataclass(frozen=True)
class ShownArea:
    """An area with everything that its drawing needs.

    Attributes:
        opened: whether it is unfolded on small screens.
        near: whether it is beside the question: the viewer's hand, or dice.
    """

    area: SeenArea
    look: SeatLook
    opened: bool
    near: bool = False

    # ---- pieces

    @property
    def dice(self) -> bool:
        area = self.area
        return isinstance(area, SeenPieces) and any(
            piece.face is not None for piece in area.pieces
        )

    @property
    def supply(self) -> bool:
        """Whether only the number of pieces is shown."""
        return isinstance(self.area, SeenPieces) and not self.area.pieces

    @property
    def alike(self) -> list[AlikePieces]:
        """The pieces, with equal pieces grouped."""
        assert isinstance(self.area, SeenPieces)
        groups = [[*same] for _, same in groupby(self.area.pieces, self.area.face_of)]
        return [AlikePieces(same[0], len(same)) for same in groups]

    @property
    def under(self) -> list[str]:
        """The keys of the open pieces below the top of a pile."""
        assert isinstance(self.area, SeenPieces)
        pieces = self.area.pieces
        is_open = self.area.pile and not any(each.hidden for each in pieces)
        return [each.key or "" for each in pieces[1:]] if is_open else []

    @property
    def unlisted(self) -> int:
        """How many pieces are not listed."""
        assert isinstance(self.area, SeenPieces)
        return max(0, self.area.count - len(self.area.pieces))

    # ---- charts

    @property
    def cards(self) -> bool:
        """Whether the rows of a chart are cards on the table."""
        return isinstance(self.area, Chart) and any(
            row.look is not None for row in self.area.rows
        )

    @cached_property
    def columns(self) -> list[int]:
        """The columns of a chart that are not empty."""
        assert isinstance(self.area, Chart)
        rows = self.area.rows
        return [
            at
            for at in range(len(self.area.columns))
            if any(row.cells[at].text or row.cells[at].seat is not None for row in rows)
        ]

    @property
    def folds(self) -> bool:
        """Whether rows become cards on a small screen."""
        assert isinstance(self.area, Chart)
        chart, used = self.area, self.columns
        widths = [max((len(row.head.text) for row in chart.rows), default=0)]
        for at in used:
            texts = (row.cells[at].text for row in chart.rows)
            widths.append(max(len(chart.columns[at]), *map(len, texts), 3) + 2)
        return sum(widths) > NARROW

    # ---- boards

    @property
    def size(self) -> str:
        """The CSS classes of a board: number of columns, length of words, shape."""
        assert isinstance(self.area, SeenBoard)
        board = self.area
        wide = max(map(len, board.cells), default=0)
        size = next((name for most, name in SIZES if wide <= most), "fine")
        phrases = [phrase for row in board.cells for cell in row for phrase in cell]
        shown = [self.look.on_stone(each) for each in phrases if each.look is None]
        long = any(len(word) > WORD for text in shown for word in text.split())
        words = "wordy" if long else "signs"
        heads = max(map(len, (*board.row_heads, board.over_title)), default=0)
        said = [size, words]
        said += ["long-heads"] if heads > WORD else []
        said += ["tall"] if len(board.cells) > TALL * max(1, wide) else []
        return " ".join(said)

    @property
    def legend(self) -> list[LegendEntry]:
        """The signs to explain: letters only where pieces are texts."""
        assert isinstance(self.area, SeenBoard)
        pieces = [each for row in self.area.cells for cell in row for each in cell]
        drawn = any(
            each.look is not None and each.look.kind == "piece" for each in pieces
        )
        return [
            each
            for each in self.area.legend
            if not (
                drawn
                and (each.seat is not None or (each.look and each.look.kind == "piece"))
            )
        ]


def shown_areas(
    position: SeenPosition, look: SeatLook, step: ChoiceStep | None
) -> list[ShownArea]:
    """Return the areas by weight, without the players' chart."""
    about = set(step.about if step else ())
    areas = [area for area in position.areas if area.key != PLAYERS]
    # In order: asked about, in the middle, of one seat, told, only counted.
    weight = {}
    for area in areas:
        mine = not isinstance(area, SeenPieces) or area.seat in (None, position.viewer)
        if area.key in about or (mine and area.key.partition("(")[0] in about):
            weight[area.key] = 0
        elif isinstance(area, SeenPieces) and not area.pieces:
            weight[area.key] = 4
        elif isinstance(area, SeenPieces) and area.seat is not None:
            weight[area.key] = 2
        else:
            weight[area.key] = 3 if area.kind == "facts" else 1
    areas.sort(key=lambda area: weight[area.key])
    shown = []
    for at, area in enumerate(areas):
        mine = isinstance(area, SeenPieces) and area.seat == position.viewer
        large = isinstance(area, SeenBoard) or mine or area.key in about
        near = (
            isinstance(area, SeenPieces)
            and bool(area.pieces)
            and (mine or any(piece.face is not None for piece in area.pieces))
        )
        shown.append(ShownArea(area, look, large or at < LARGE, near))
    return shown


def player_rows(position: SeenPosition) -> Iterator[tuple[Chart, ChartRow]]:
    for area in position.areas:
        if area.key == PLAYERS and isinstance(area, Chart):
            yield from ((area, row) for row in area.rows)
