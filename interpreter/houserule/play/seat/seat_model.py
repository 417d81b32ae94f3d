"""What a face draws of one seat at one moment, as plain values with a JSON Schema.

Every text is in the language of who looks, and no name of the rules stands in one. A
`key` is no text: a face hands it back to say what was meant. What a seat may not see is
in none of these values.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue

from houserule.base.plain import Plain

# ---- what a seat sees


class Phrase(Plain):
    """A short text, with whose it is and whether it changed since the last look."""

    text: str
    seat: int | None = None
    """The seat it belongs to, or that it names; a face adds the seat's sign."""
    new: bool = False


class SeenFact(Plain):
    """A name and what it is: "Income: 9"."""

    name: str
    value: Phrase


class SeenPiece(Plain):
    """One card, tile, die or pawn; of a hidden one only what shows."""

    key: str | None = None
    """What the rules call it, as in a record; None where it is hidden."""
    name: str
    """What people call it; of a hidden one what its kind is called."""
    facts: tuple[SeenFact, ...] = ()
    """Its fields, and what of the state belongs to it."""
    face: int | None = None
    """What a die shows."""
    seat: int | None = None
    """Whose it is."""
    hidden: bool = False
    new: bool = False
    """It was not here, or not seen here, at the last look."""


class SeenPieces(Plain):
    """An area of pieces: a hand, a row of cards, a pile."""

    kind: Literal["pieces"] = "pieces"
    key: str
    title: str
    pieces: tuple[SeenPiece, ...]
    """In order; of a pile from the top down."""
    count: int
    """How many lie there, those included of which nothing is listed."""
    seat: int | None = None
    pile: bool = False


class ChartRow(Plain):
    """One row of a table of things or of seats."""

    key: str
    head: Phrase
    cells: tuple[Phrase, ...]
    """One for each column; an empty text where there is nothing to say."""


class Chart(Plain):
    """An area with a row for each thing or seat: companies in play, the players."""

    kind: Literal["chart"] = "chart"
    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]


class SeenBoard(Plain):
    """An area laid out in cells, as `ruleset.yaml` has it."""

    kind: Literal["board"] = "board"
    key: str
    title: str
    row_heads: tuple[str, ...]
    column_heads: tuple[str, ...]
    cells: tuple[tuple[tuple[Phrase, ...], ...], ...]
    """By row and column, what lies in each cell."""
    over_title: str = ""
    over: tuple[Phrase, ...] = ()
    """What stands over each column, and what that is; nothing if it is not so."""
    keys: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """By row and column, the keys of all things there, what lies lowest first."""
    empty: str
    """What stands for an empty cell."""
    beside: tuple[Phrase, ...] = ()
    legend: tuple[str, ...] = ()
    """What the signs mean, a sentence each."""


class SeenFacts(Plain):
    """An area of names and values that belong to no seat and no thing."""

    kind: Literal["facts"] = "facts"
    key: str
    title: str
    facts: tuple[SeenFact, ...]


SeenArea: TypeAlias = Annotated[
    SeenPieces | Chart | SeenBoard | SeenFacts, Field(discriminator="kind")
]
"""An area. Its key is the name of what it shows: a zone, a kind of dice or of things, a
family with a key. A zone of another seat has that seat behind its name, `tiles(p2)`;
the chart of players is `players`, facts are `facts`, boards `board 0` and so on."""


class SeatName(Plain):
    """Who sits where."""

    seat: int
    name: str
    """A person's name, else what the rules call the seat."""
    colour: str | None = None
    """The seat's colour where the game names colours, as the rules call it."""
    bot: bool = False
    """A bot plays it; a position that is of no sitting does not say."""


class SeenPosition(Plain):
    """Everything a seat sees: what the present choice is about stands first."""

    viewer: int | None
    """The seat that looks; None is everybody: what all may see."""
    seats: tuple[SeatName, ...]
    areas: tuple[SeenArea, ...]


# ---- what a seat may do

COUNTED = 99
"""So many complete choices are counted, at most."""
SHOWN = 200
"""So many options of a step are listed at once, at most."""


class PieceMark(Plain):
    """A thing that an option is about: a face may let it be pointed at."""

    area: str
    piece: str


class StepOption(Plain):
    """One way to go on with a choice."""

    key: str
    """Names it among those of its step; a path of keys names a whole choice."""
    number: int
    """What it is chosen by where options are numbered, from 1; 0 is to be done. An
    action has the same number as long as the same part of a turn lasts, so numbers may
    be left out."""
    label: str
    """What happens, in words: "Found 8 with red and blue"."""
    count: int
    """How many complete choices it leads to, at most `COUNTED`."""
    more: bool = False
    """There are more of them than `count`."""
    complete: bool = False
    """With it the choice is made."""
    advice: tuple[str, ...] = ()
    """Why it is better not done, in sentences; mostly nothing, and nothing twice: what
    speaks against all that a step offers was said of what led to it."""
    marks: tuple[PieceMark, ...] = ()
    also: tuple[str, ...] = ()
    """Names of things that are alike to the one that it names: any of them means it."""


class ChoiceStep(Plain):
    """What is asked next, with all that has been answered before."""

    asks: str
    """The question: "What do you do?", "Which company?"."""
    path: tuple[str, ...]
    """The keys of what was chosen so far."""
    said: tuple[str, ...]
    """The labels of what was chosen so far."""
    options: tuple[StepOption, ...]
    """At most `SHOWN` of them, from the one on that was asked for."""
    total: int
    """How many options this step has, listed or not."""
    closed: tuple[StepOption, ...] = ()
    """At the first step: actions of this part of the turn that are not possible now;
    `count` is 0."""
    about: tuple[str, ...] = ()
    """The keys of areas that it is about."""


# ---- why not, and why


class ReasonReading(Plain):
    """A quantity that a condition reads, as it is now: "Beta pays: 9"."""

    what: str
    value: str
    hidden: bool = False
    """The seat may not see it; `value` is then empty."""


class MoveReason(Plain):
    """One clause that refuses or allows a move, or that ended the game."""

    address: str
    """The clause, by its address in the rules."""
    holds: bool
    says: str
    """The need in words, with the values of the moment: a whole sentence or two."""
    readings: tuple[ReasonReading, ...] = ()
    printed: tuple[str, ...] = ()
    """Where it is printed, or which ruling it rests on and what that says."""
    changed_by: tuple[str, ...] = ()
    """Titles of the house rules that made or changed it."""
    without: bool | None = None
    """Whether the move would be legal without these; None where there are none."""
    hidden: bool = False
    """Something that the seat may not see decides."""


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
    """What is still to be chosen of a move that can be completed."""
    record: JsonValue = None
    """The move as in a record, as far as it was said."""


class QuantityLayer(Plain):
    """One step on the way to a quantity: "tripled: 27"."""

    says: str
    by: str
    """The title of the house rule it is from; empty for the game itself."""
    value: str


class Quantity(Plain):
    """How a declared value comes to be what it is now."""

    what: str
    value: str
    layers: tuple[QuantityLayer, ...]
    printed: tuple[str, ...] = ()


# ---- one moment


class SeatScore(Plain):
    """What a seat has, by part where the rules name parts."""

    seat: int
    points: str
    parts: tuple[SeenFact, ...] = ()


class GameEnded(Plain):
    """How the game ended, in sentences: why, who won, what each part was worth."""

    kind: Literal["won", "drawn", "stalled"]
    why: str
    result: str
    clauses: tuple[MoveReason, ...] = ()
    """What ended it: each reason of a draw; else the phase that came to its end, and
    what says who wins."""


class Moment(Plain):
    """All that a face shows to one seat."""

    game: str
    """The game's title, with the table's as a sentence."""
    heading: str
    """Whose turn it is and what is asked: "Round 7: your turn"."""
    acting: tuple[int, ...]
    """The seats that have to decide now."""
    position: SeenPosition
    choice: ChoiceStep | None = None
    """What the viewer may choose now; None if it is not asked."""
    scores: tuple[SeatScore, ...] = ()
    log: tuple[str, ...] = ()
    """What is new in the tale since the viewer's last look."""
    undo: str = ""
    """What would be taken back, in words; empty where nothing can be."""
    ended: GameEnded | None = None
