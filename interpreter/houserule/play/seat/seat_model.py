"""One seat at one moment for front ends: plain values with a JSON Schema.

Every text is in the viewer's language and contains no name of the rules. A `key` is not
a text: a front end returns it to identify what the player means. Nothing here is hidden
from the seat.
"""

from __future__ import annotations

from itertools import groupby
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue

from houserule.base.plain import Plain

# ---- what a seat sees


class Phrase(Plain):
    """A short text, with its seat and whether it changed since the last look."""

    text: str
    seat: int | None = None
    """The seat it belongs to or names; a front end adds the seat's sign."""
    new: bool = False


class SeenFact(Plain):
    """A name and its value: "Income: 9"."""

    name: str
    value: Phrase
    key: str = ""
    """For a heap: what options call it."""
    heap: str = ""
    """For a heap: the shape of its tokens, as many as the value: `stick`, `coin`."""


class Swatch(Plain):
    """A colour on a card, with its name."""

    colour: str
    text: str


class ComponentLook(Plain):
    """How a component is drawn. A front end leaves out an empty part."""

    kind: Literal["playing card", "card", "die"]
    colour: str = ""
    """A colour by its name in looks: `red`, `ivory` if it is empty."""
    icon: str = ""
    """A sign by its name in looks: `heart`, `sun`."""
    corner: str = ""
    """The text in the corner: a rank, a number."""
    pips: int = 0
    """The number of signs on a playing card; 0 if it has a large letter instead."""
    pair: int = 0
    """A face of two equal dice."""
    coin: str = ""
    squares: tuple[Swatch, ...] = ()
    ways: tuple[tuple[int, int], ...] = ()
    """The ends of lines from the middle: right and down, in hundredths of its width."""
    numbers: bool = False
    """A die shows a number and no pips."""
    shows: tuple[str, ...] = ()
    """The names of facts that the drawing shows already."""


class PlaceLook(Plain):
    """How a thing on a board, or the ground of its place, is drawn."""

    kind: Literal["ground", "piece", "seeds", "tile", "number", "hidden"]
    shape: str = ""
    """The shape of a piece: `man`, `pawn`."""
    seat: int | None = None
    """The seat in whose colour it is drawn."""
    colour: str = ""
    """Another colour, by its name in looks."""
    icon: str = ""
    text: str = ""
    """The words on it: the number of a pawn. Of the ground of a place, its meaning."""
    tile: ComponentLook | None = None
    ways: tuple[tuple[int, int], ...] = ()
    """The ends of lines on the ground, as on a card."""


class BoardPiece(Phrase):
    """A text on a board; with a look, a thing in a picture instead."""

    key: str = ""
    """The name of its component in the rules; empty for the ground of a place."""
    look: PlaceLook | None = None


class SeenPiece(Plain):
    """One card, tile, die or pawn; if hidden, only its visible side."""

    key: str | None = None
    """Its name in the rules, as in a record; None if it is hidden."""
    name: str
    """Its name for people; if hidden, the name of its kind."""
    facts: tuple[SeenFact, ...] = ()
    """Its fields and the states that belong to it."""
    face: int | None = None
    """The side a die shows."""
    seat: int | None = None
    """The seat it belongs to."""
    look: ComponentLook | None = None
    """How it is drawn; None for a hidden one, and for one without a look."""
    hidden: bool = False
    new: bool = False
    """It was not here, or not visible here, at the last look."""


Arrangement: TypeAlias = Literal["", "fan", "row", "around"]


class SeenPieces(Plain):
    """An area of pieces: a hand, a row of cards, a pile."""

    kind: Literal["pieces"] = "pieces"
    key: str
    title: str
    pieces: tuple[SeenPiece, ...]
    """In order; a pile from the top down."""
    count: int
    """How many pieces there are, including pieces that are not listed."""
    seat: int | None = None
    pile: bool = False
    arrangement: Arrangement = ""
    """How they lie: a hand, side by side, or one before each seat."""
    supply: bool = False
    """Pieces that look the same are drawn once, with their number: the first counts."""

    def face_of(self, piece: SeenPiece) -> SeenPiece:
        """Return what a piece and those drawn together with it have in common."""
        alone = piece.look is not None and piece.look.kind == "playing card"
        together = self.supply and not alone and piece.face is None
        return piece.model_copy(update={"key": None}) if together else piece


class ChartRow(Plain):
    """One row of a table of components or seats."""

    key: str
    head: Phrase
    look: ComponentLook | None = None
    """How the component of the row is drawn, if it lies on the table as a card."""
    cells: tuple[Phrase, ...]
    """One for each column; an empty text is an empty cell."""


class Chart(Plain):
    """An area with a row for each component or seat: companies in play, the players."""

    kind: Literal["chart"] = "chart"
    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]


class BoardEdge(Plain):
    """A side of a board that belongs to a seat."""

    side: Literal["top", "right", "bottom", "left"]
    seat: int


class LegendEntry(Plain):
    """The meaning of a sign on a board, as a sentence and in its parts."""

    text: str
    mark: str
    means: str
    seat: int | None = None
    """The seat that a letter is for."""
    look: PlaceLook | None = None
    """How a picture draws it."""


class BoardSpot(Plain):
    """The box of a place in the drawing of a board, in hundredths of the picture."""

    row: int
    column: int
    name: str
    """Its name for people."""
    left: int
    top: int
    width: int
    height: int


class SeenBoard(Plain):
    """An area laid out in cells, as in `ruleset.yaml`."""

    kind: Literal["board"] = "board"
    key: str
    title: str
    row_heads: tuple[str, ...]
    column_heads: tuple[str, ...]
    cells: tuple[tuple[tuple[BoardPiece, ...], ...], ...]
    """By row and column, the contents of each cell."""
    grounds: tuple[tuple[PlaceLook | None, ...], ...] = ()
    """By row and column, the ground of each cell; empty without any ground."""
    left: tuple[tuple[int, int], ...] = ()
    """Row and column of each cell that something left since the last look."""
    arrows: tuple[tuple[int, int, int, int], ...] = ()
    """Row and column where a piece was at the last look, and where it is now."""
    over_title: str = ""
    over: tuple[Phrase, ...] = ()
    """The header of each column, and the header's label; empty if there is none."""
    keys: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """By row and column, the keys of all components there, the lowest first, and the
    number that the seat's actions use for the place."""
    shape: Literal["squares", "hexes", "graph", "points", "drawing"] = "squares"
    drawing: str = ""
    """The name of its drawing: the game, the number of the board, a digest."""
    spots: tuple[BoardSpot, ...] = ()
    """The places in the drawing."""
    lines: tuple[tuple[int, int, int, int], ...] = ()
    """Row and column of both ends of each line between points, counted from 0."""
    chequered: bool = False
    """Squares are light and dark in turn."""
    dice: bool = False
    """Numbers along the edges are faces of dice."""
    slant: Literal["right", "left"] = "right"
    """Where each row of hexagons begins: half a place further right, or left."""
    edges: tuple[BoardEdge, ...] = ()
    empty: str
    """The text of an empty cell."""
    beside: tuple[Phrase, ...] = ()
    legend: tuple[LegendEntry, ...] = ()

    def drawn_rows(self) -> list[int]:
        """Return the rows that a picture draws: without empty ones at its edges."""
        drawn = [
            at
            for at, cells in enumerate(self.cells)
            if self.shape != "points"
            or any(self.grounds[at])
            or any(
                each.look is None or each.look.kind != "hidden"
                for cell in cells
                for each in cell
            )
        ]
        return list(range(drawn[0], drawn[-1] + 1)) if drawn else []

    def gaps(self) -> list[int]:
        """Return the columns that have no places."""
        columns = zip(*self.grounds, strict=True)
        return [at for at, column in enumerate(columns) if not any(column)]

    def triangles(self) -> list[tuple[int, int, int]]:
        """Return the column of each long triangle, the row of its base, and of its top.

        Rows count from the first one that is drawn.
        """
        grounds = [self.grounds[at] for at in self.drawn_rows()]
        found = []
        for column in range(max(map(len, grounds), default=0)):
            row = 0
            rows = [line[column] is not None for line in grounds]
            for here, run in groupby(rows):
                end = row + len(list(run))
                if here:
                    upper = row + end <= len(rows)
                    found.append((column, row, end) if upper else (column, end, row))
                row = end
        return found


class SeenFacts(Plain):
    """An area of names and values that belong to no seat and no component."""

    kind: Literal["facts"] = "facts"
    key: str
    title: str
    facts: tuple[SeenFact, ...]


SeenArea: TypeAlias = Annotated[
    SeenPieces | Chart | SeenBoard | SeenFacts, Field(discriminator="kind")
]
"""An area. Its key is the name of what it shows: a zone, a kind of dice or of
components, or a family with a key. For another seat's zone, the seat follows:
`tiles(p2)`. The chart of players is `players`, facts are `facts`, boards are `board 0`
and so on."""


class SeatName(Plain):
    """The player in a seat."""

    seat: int
    name: str
    """A person's name, else the name of the seat in the rules."""
    short: str = ""
    """The name if there is little room, as in a cell of a board."""
    colour: str | None = None
    """The seat's colour, by its name in the rules, if the game names colours."""
    bot: bool = False
    """A bot plays the seat; always false for a position outside a session."""


class SeenPosition(Plain):
    """Everything a seat sees, the areas of the current choice first."""

    viewer: int | None
    """The viewing seat; None is what everyone may see."""
    seats: tuple[SeatName, ...]
    areas: tuple[SeenArea, ...]


# ---- what a seat may do

COUNTED = 99
"""Complete choices are counted up to this number."""
SHOWN = 200
"""At most this many options of a step are listed at once."""


class PieceMark(Plain):
    """A component that an option is about; a front end may make it clickable."""

    area: str
    piece: str


class StepOption(Plain):
    """One way to continue a choice."""

    key: str
    """Identifies it within its step; a path of keys identifies a whole choice."""
    number: int
    """The number to type if options are numbered, from 1; 0 is `done`. An action keeps
    its number during the same part of a turn, so numbers may be missing."""
    label: str
    """What happens, in words: "Found 8 with red and blue"."""
    count: int
    """How many complete choices it leads to, at most `COUNTED`."""
    more: bool = False
    """There are more of them than `count`."""
    complete: bool = False
    """It completes the choice."""
    advice: tuple[str, ...] = ()
    """Reasons not to do it, in sentences; mostly empty. Nothing is repeated: advice
    against all options of a step is part of the option that leads there."""
    marks: tuple[PieceMark, ...] = ()
    also: tuple[str, ...] = ()
    """Interchangeable components: naming any of them means this option."""
    short: str = ""
    """What tells it apart from others beside it: a number, a way to pay."""
    ways: tuple[StepOption, ...] = ()
    """The few complete choices that it leads to; empty if there are more."""


class OptionGroup(Plain):
    """Complete choices side by side: a row of numbers, or common sets."""

    title: str
    options: tuple[StepOption, ...]


class AmountRange(Plain):
    """Every number from one to another, each of which completes the choice."""

    key: str
    """What precedes `=` and the number in the key of an option."""
    low: int
    high: int


class ChoiceStep(Plain):
    """The next question, with all previous answers."""

    asks: str
    """The question: "What do you do?", "Which company?"."""
    path: tuple[str, ...]
    """The keys chosen so far."""
    said: tuple[str, ...]
    """The labels chosen so far."""
    options: tuple[StepOption, ...]
    """At most `SHOWN` of them, from the requested one on."""
    total: int
    """How many options this step has, listed or not."""
    closed: tuple[StepOption, ...] = ()
    """At the first step: actions of this part of the turn that are not possible now;
    `count` is 0."""
    shortcuts: tuple[StepOption, ...] = ()
    """All ways to go on by touching one component, whichever option they belong to. A
    front end does not list them, but offers them on the components."""
    groups: tuple[OptionGroup, ...] = ()
    """Complete choices that a front end shows side by side, by their short labels."""
    held: tuple[StepOption, ...] = ()
    """The components and other values chosen so far; the keys are in `path`. Without
    its key, a path no longer has the value."""
    refused: tuple[PieceMark, ...] = ()
    """Components that are no way to go on now, though an action asks for such ones. A
    front end may explain why."""
    usual: str = ""
    """The key of the option that a front end shows as the large button; often empty."""
    about: tuple[str, ...] = ()
    """The keys of the areas it is about."""
    amount: AmountRange | None = None
    """The options are the numbers of this range; a front end may offer a slider."""


# ---- explanations


class ReasonReading(Plain):
    """A quantity that a condition reads, with its current value: "Beta pays: 9"."""

    what: str
    value: str
    hidden: bool = False
    """The seat may not see it; `value` is then empty."""


class MoveReason(Plain):
    """One clause that forbids or allows a move, or that ended the game."""

    address: str
    """The clause's address in the rules."""
    holds: bool
    says: str
    """The requirement in words, with current values, in one or two sentences."""
    readings: tuple[ReasonReading, ...] = ()
    printed: tuple[str, ...] = ()
    """Its citation, or the ruling it depends on with that ruling's text."""
    changed_by: tuple[str, ...] = ()
    """Titles of the house rules that made or changed it."""
    without: bool | None = None
    """Whether the move would be legal without these; None if there are none."""
    hidden: bool = False
    """Something hidden from the seat decides."""


class WhyMove(Plain):
    """Why a move is legal or not, for one seat."""

    seat: int
    move: str
    legal: bool
    sentence: str
    """The answer in one sentence."""
    reasons: tuple[MoveReason, ...]
    nearest: tuple[str, ...] = ()
    """The nearest legal moves, as labels."""
    asks: str = ""
    """The next question, if the move can be completed."""
    record: JsonValue = None
    """The move as in a record, possibly incomplete."""


class QuantityLayer(Plain):
    """One step of a quantity's computation: "tripled: 27"."""

    says: str
    by: str
    """The title of its house rule; empty for the base game."""
    value: str


class Quantity(Plain):
    """How a declared value gets its current value."""

    what: str
    value: str
    layers: tuple[QuantityLayer, ...]
    printed: tuple[str, ...] = ()


# ---- one moment


class SeatScore(Plain):
    """A seat's score, by part if the rules name parts."""

    seat: int
    points: str
    parts: tuple[SeenFact, ...] = ()


class GameEnded(Plain):
    """How the game ended, in sentences: why, who won, the value of each part."""

    kind: Literal["won", "drawn", "stalled"]
    why: str
    result: str
    winners: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    """The place of each seat, 1 for the winners; empty if the rules rank nobody."""
    clauses: tuple[MoveReason, ...] = ()
    """What ended it: each reason of a draw; otherwise the phase that ended, and the
    clause that decides who wins."""


class Moment(Plain):
    """Everything that a front end shows to one seat."""

    game: str
    """The game's title, with the table as a sentence."""
    heading: str
    """The turn and the question: "Round 7: your turn"."""
    acting: tuple[int, ...]
    """The seats that must decide now."""
    position: SeenPosition
    choice: ChoiceStep | None = None
    """The viewer's current choice; None if the viewer need not decide."""
    scores: tuple[SeatScore, ...] = ()
    log: tuple[str, ...] = ()
    """New log lines since the viewer's last look."""
    undo: str = ""
    """What an undo would take back, in words; empty if nothing can be undone."""
    ended: GameEnded | None = None
