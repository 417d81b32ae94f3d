"""Pydantic models of the YAML files of a ruleset.

Models are strict and reject unknown keys; `schemas` makes JSON Schemas of them. A text
is given once, or once for each language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
)
from pydantic_core import CoreSchema, core_schema

from houserule.base.limits import LIMITS, limit
from houserule.base.plain import Strict

IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9_]*([.+][A-Za-z][A-Za-z0-9_]*)*")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
FILE = re.compile(r"(?!.*(^|/)\.\.?(/|$))[^/\\:]+(/[^/\\:]+)*")
FORM = re.compile(r"[a-z][a-z_]*")
NAMES = (IDENTIFIER, FORM)
HASH = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Like:
    """Requires a text to match a pattern, in validation and in schemas.

    Attributes:
        pattern: of the whole text. Names have at most as many letters as the limit
            `name`.
        wanted: the expected text, in words that follow "it must be".
    """

    pattern: re.Pattern[str]
    wanted: str

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Check a value that is read as this type."""
        read = handler(source)
        return core_schema.no_info_after_validator_function(self._checked, read)

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Add the pattern to a JSON Schema, with an error message for editors."""
        most = {"maxLength": LIMITS["name"].number} if self.pattern in NAMES else {}
        return {
            **handler(core),
            **most,
            "pattern": f"^(?:{self.pattern.pattern})$",
            "patternErrorMessage": f"This must be {self.wanted}.",
        }

    def _checked(self, text: str) -> str:
        if not self.pattern.fullmatch(text):
            raise ValueError(self.wanted)
        if self.pattern in NAMES and len(text) > limit("name"):
            most = f"of at most {limit('name')} letters (the limit `name`)"
            raise ValueError(f"a name {most}")
        return text


Identifier: TypeAlias = Annotated[
    str, Like(IDENTIFIER, "a name: small letters, figures and `_`, a letter first")
]
Address: TypeAlias = Annotated[
    str, Like(ADDRESS, "a name or an address such as `draw.room`")
]
Language: TypeAlias = Annotated[str, Like(LANGUAGE, "a language such as `en` or `de`")]
FileName: TypeAlias = Annotated[
    str, Like(FILE, "a path inside the folder, with `/` between its parts")
]
Hash: TypeAlias = Annotated[str, Like(HASH, "sixteen of 0-9 and a-f, in quotes")]
FormName: TypeAlias = Annotated[
    str, Like(FORM, "the name of a form: small letters and `_`")
]
Text: TypeAlias = Annotated[str, Field(min_length=1)]
Texts: TypeAlias = Text | dict[Language, Text]
Reading: TypeAlias = Text | dict[Text, Text]
Entry: TypeAlias = int | bool | str | list[int | bool | str | None] | None
Status: TypeAlias = Literal["attested", "reconstructed"]


def in_language(texts: str | Mapping[str, str], language: str) -> str:
    """Return a text in a language, or in its first one."""
    if isinstance(texts, str):
        return texts
    return texts.get(language) or next(iter(texts.values()), "")


# ---- ruleset.yaml


class SourceEntry(Strict):
    """A rulebook or other text that the rules cite."""

    title: Text
    """Author, edition and date: enough to find it."""
    language: Language
    """The language of the source."""
    register_file: FileName | None = Field(default=None, alias="register")
    """The register of its sentences; `sources/<name>.yaml` by default."""


Icon: TypeAlias = Literal[
    "club", "diamond", "heart", "spade", "sun", "moon", "star", "crown",
    "shield", "house", "coin", "flame", "cup", "hammer", "thread", "bread", "castle",
    "flag", "cross",
]  # fmt: skip
Colour: TypeAlias = Literal[
    "red",
    "orange",
    "yellow",
    "green",
    "blue",
    "purple",
    "pink",
    "black",
    "grey",
    "white",
]
COLOURS = frozenset(get_args(Colour))


class HiddenLook(Strict):
    """Nothing is drawn."""

    kind: Literal["hidden"] = Field(alias="as")


class GroundLook(Strict):
    """The ground of a place, under everything that lies there."""

    kind: Literal["ground"] = Field(alias="as")
    colour: Identifier | None = None
    """A colour, or a field, state or value of the thing: the colour of its player."""
    icon: Icon | None = None
    ways: Identifier | None = None
    """A field, state or value of the thing: a set of directions, each a member with the
    numbers of rows down and columns right as its first two number fields. A line is
    drawn from the middle of the place to each of these sides."""


class PieceLook(Strict):
    """A piece in the colour of its player."""

    kind: Literal["piece"] = Field(alias="as")
    shape: Literal["man", "pawn", "cube"] = "man"
    player: int | None = None
    """Its player, 1 for the first; by default its owner, or the player it shows."""


class SeedsLook(Strict):
    """A number as a heap of seeds in a pit, with the number."""

    kind: Literal["seeds"] = Field(alias="as")


class TileLook(Strict):
    """The thing that `shows` names first, as it is drawn elsewhere; others below it.

    Without `shows`, the thing itself.
    """

    kind: Literal["tile"] = Field(alias="as")


class NumberLook(Strict):
    """A number of a place in small print."""

    kind: Literal["number"] = Field(alias="as")
    player: int | None = None
    """The only player who sees it, 1 for the first; watchers see those of player 1."""


LayerLook: TypeAlias = Annotated[
    GroundLook | PieceLook | SeedsLook | TileLook | NumberLook | HiddenLook,
    Field(discriminator="kind"),
]


class BoardLayer(Strict):
    """Things drawn on a board, each in its cell; later layers are on top."""

    each: Text
    """The kind of thing: a component, dice, or `Player`."""
    row: Identifier
    """The row of a thing: a field, state or value with the thing as its key."""
    column: Identifier
    """The column of a thing, likewise."""
    shows: list[Identifier] = []
    """The output for a thing: fields, states, values, sizes of zones; by default its
    mark."""
    mark: Text | None = None
    """A text printed instead."""
    means: Texts | None = None
    """The meaning of the mark, for the legend."""
    when: Identifier | None = None
    """A yes/no field, state or value: draw only things for which it is true."""
    unseen: Identifier | None = None
    """A state or value: draw only things of which the viewer does not see it."""
    order: Identifier | None = None
    """A number of each thing: if several share a cell, the highest comes first."""
    place: Identifier | None = None
    """The number that an action uses for a thing's place; `none` if it uses none. With
    a player as its second key, each player has a different number for a place."""
    look: LayerLook | None = None
    """The drawing of the layer in a picture; otherwise by its marks."""


class BoardHeads(Strict):
    """Names of things along the edge of a board, each at its row or column."""

    each: Text
    """The kind of thing."""
    at: Identifier
    """The number of its row or column: a field, state or value."""


Heads: TypeAlias = Literal["numbers"] | BoardHeads
Line: TypeAlias = Annotated[list[int | Identifier], Field(min_length=2, max_length=2)]


Side: TypeAlias = Literal["top", "right", "bottom", "left"]


class BoardLook(Strict):
    """The picture of a board."""

    shape: Literal["squares", "hexes", "graph", "points", "drawing"] = "squares"
    """Squares or hexagons, points on lines, long triangles from the upper and the lower
    edge, or a drawing of your own."""
    file: Text | None = None
    """For a drawing: an SVG in the folder `looks`. The things of the first layer lie at
    the elements whose `id` is their name in the rules."""
    lines: Text | None = None
    """The kind of thing whose fields name the points on a line. Without it, each row
    and each column of points is a line."""
    chequered: bool = False
    """Squares are light and dark in turn."""
    dice: bool = False
    """Numbers along the edges are faces of dice."""
    slant: Literal["right", "left"] = "right"
    """Where each row of hexagons begins: half a place further right, or left."""
    edges: dict[Side, int] = {}
    """Whose edge each side of the board is: 1 is the first player."""
    seen_from: Literal["one side", "own side"] | Identifier = "one side"
    """The side at the bottom: for players opposite or around the board, their own.
    Or a value of each player: 0 for one who sits below, 1 at the left, 2 above, 3 at
    the right."""


class Board(Strict):
    """A grid drawn from the state, for players at a terminal."""

    title: Texts
    """The text above the board."""
    rows: Line | None = None
    """The topmost row and the lowest, as numbers or options; by default from the
    smallest to the largest drawn."""
    columns: Line | None = None
    """The leftmost column and the rightmost, likewise."""
    row_heads: Heads | None = None
    """The labels to the left of rows."""
    column_heads: Heads | None = None
    """The labels above columns."""
    empty: Text | None = None
    """The text in empty cells."""
    after: list[Identifier] = []
    """Phases and steps after which it is drawn; by default after rounds and at the
    end."""
    draw: list[BoardLayer] = Field(min_length=1)
    """The layers; each covers those before it."""
    look: BoardLook = BoardLook()
    """How the browser draws it."""


class PositionLayout(Strict):
    """The layout of a position for a player; takes precedence over the general rules.

    Names are those of zones, states, values, tokens and kinds, including those of
    variants.
    """

    players: list[Identifier] = []
    """The first columns of the chart of players, in this order."""
    things: dict[Text, list[Identifier]] = {}
    """The details shown first for things, by kind or by the zone that contains them.

    Fields that are not listed are omitted.
    """
    facts: list[Identifier] = []
    """The details of the whole game that are shown first."""
    areas: list[Text] = []
    """The order of areas: zones, kinds of dice, `players`, `board 0`, `facts`."""
    over_columns: dict[Text, Identifier] = {}
    """By board: the zone or family, keyed by columns, that is shown above them."""
    score: Identifier | None = None
    """Each player's score, if the rules do not rank by anything."""
    colour: Identifier | None = None
    """The value with the seat as its only key that names the seat's colour."""
    count: list[Identifier] = []
    """Zones for which only the number of things is shown."""
    hide: list[Address] = []
    """Names that are not shown."""


class PlayingCardLook(Strict):
    """A card of a usual pack: its rank in the corners, its suit as signs."""

    kind: Literal["playing card"] = Field(alias="as")
    suit: Identifier
    """The field with the suit, whose values are called like icons, or have `signs`."""
    rank: Identifier
    """The field with the rank; the `short` form of a card's name says it in letters."""


class CardLook(Strict):
    """A card that the game designed: numbers, colours and words from its fields."""

    kind: Literal["card"] = Field(alias="as")
    corner: list[Identifier] = []
    """Fields that stand large in the corner; the first one that has a value."""
    pair: Identifier | None = None
    """A field with a number that is drawn as two dice with that face."""
    squares: Identifier | None = None
    """A field with colours, or with things that are called like colours."""
    coin: Identifier | None = None
    """A field with a number that is drawn in a coin."""
    icon: Identifier | None = None
    """A field whose values are icons, or have one in `signs`."""
    ways: Identifier | None = None
    """A field with a set of directions, drawn as on the ground of a board."""


class DieLook(Strict):
    """Dice: pips up to six, numbers beyond."""

    kind: Literal["die"] = Field(alias="as")
    colour: Colour | Literal["name"] = "name"
    """Their colour; normally the one in a die's own name, else ivory."""
    faces: Literal["pips", "numbers"] = "pips"


class FanLook(Strict):
    """A hand: cards overlap, and each corner is seen."""

    kind: Literal["fan"] = Field(alias="as")


class RowLook(Strict):
    """Things beside each other."""

    kind: Literal["row"] = Field(alias="as")


class AroundLook(Strict):
    """The middle of the table: a place for each player, such as a trick."""

    kind: Literal["around"] = Field(alias="as")


class HeapLook(Strict):
    """A number for each member of a range or an enumeration: as many tokens each.

    If an action takes some of a heap, players touch the first of those that they take.
    """

    kind: Literal["heap"] = Field(alias="as")
    shape: Literal["stick", "coin", "stone"] = "stone"


ThingLook: TypeAlias = Annotated[
    PlayingCardLook
    | CardLook
    | DieLook
    | HiddenLook
    | FanLook
    | RowLook
    | AroundLook
    | HeapLook,
    Field(discriminator="kind"),
]


class MoveLook(Strict):
    """The places from which and to which an action moves something."""

    origin: Identifier | None = Field(default=None, alias="from")
    """A parameter of the action: a component, or the number of a place."""
    target: Identifier | None = Field(default=None, alias="to")
    """A parameter, or a value whose keys are called like parameters."""


class Looks(Strict):
    """How things and places are drawn. Others have a usual look."""

    things: dict[Text, ThingLook] = {}
    """By what the rules declare: a component, dice, a zone, a number of each heap."""
    signs: dict[Identifier, Icon] = {}
    """The icon of a member of an enumeration, such as a suit of the game's own."""
    moves: dict[Identifier, MoveLook] = {}
    """By action: its places on a board."""
    picture: list[Text] = Field(default=[], max_length=3)
    """Up to three cards or dice for the picture in a list of games; normally the
    board."""


class Manifest(Strict):
    """The manifest of a game's folder."""

    id: Identifier
    """The game's name, as in its rules file after `game`."""
    version: Text
    """The version of these rules files, in quotes."""
    title: Texts
    """The game's title."""
    summary: Texts
    """One or two sentences for a list of games."""
    languages: list[Language] = Field(min_length=1)
    """Languages of the texts; captions in rules files are in the first one."""
    credits: list[Text] = []
    """The authors of the game and of these rules files."""
    usual_players: int | None = Field(default=None, ge=1)
    """The number of players of a rulebook that is printed for no other number."""
    rules: list[FileName] = [
        "game.rules",
        "presets.rules",
        "variants/*.rules",
        "bridges/*.rules",
    ]
    """The rules files; `*` matches any name."""
    sources: dict[Identifier, SourceEntry] = {}
    """The cited sources, by the name that rules files use."""
    boards: list[Board] = []
    """Boards drawn from the state when a game is narrated."""
    position: PositionLayout = PositionLayout()
    """The layout of a position for a player."""
    looks: Looks = Looks()
    """How things and places are drawn."""

    def register_of(self, source: str) -> str:
        """Return the path of a source's register."""
        return self.sources[source].register_file or f"sources/{source}.yaml"


# ---- components/*.yaml


class ComponentRow(BaseModel):
    """One card, tile or coin; every further key is a column of the table."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)
    __pydantic_extra__: dict[str, Entry] = Field(init=False)

    id: Identifier
    """The name of the row in rules files."""
    status: Status | None = None
    """How certain the row is; by default as the table says."""
    source: Text | None = None
    """The origin of the row; by default that of the table."""
    attested: list[Identifier] | None = None
    """The fields that the source attests, if it does not attest all."""
    note: Text | None = None
    """Comment for readers."""

    @property
    def columns(self) -> Mapping[str, Entry]:
        return self.__pydantic_extra__


class ComponentTable(Strict):
    """The rows of a component: the texts printed on each piece."""

    about: Text | None = None
    """The origin of the rows, in a sentence or two."""
    sources: dict[Identifier, Text] = {}
    """The sources of rows, by the short names that rows use."""
    status: Status | None = None
    """The status of every row without one."""
    rows: list[ComponentRow] = Field(min_length=1)
    """The rows. The keys `id`, `status`, `source`, `attested` and `note` are not
    columns."""


# ---- rulings.yaml


class RulingEntry(Strict):
    """The rules' decision where the rulebook is silent or contradictory."""

    asks: Texts | None = None
    """The question of a player that it answers, for the rulebook."""
    book: bool = True
    """Whether the rulebook prints it. A remark on sources interests editors only."""
    says: Texts
    """The decision in one sentence."""
    register_rows: list[Text] = Field(default=[], alias="register")
    """The rows of a register of doubts that it settles."""
    opt: Identifier | None = None
    """The option or variant for the other decision."""


class RulingsFile(Strict):
    """The rulings of a game, by the name that `[ruling …]` uses."""

    rulings: dict[Identifier, RulingEntry]
    """The rulings, by name."""


# ---- text/<language>.yaml


class Forms(BaseModel):
    """A name in the forms that the sentences of a language need."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)
    __pydantic_extra__: dict[FormName, str] = {}

    words: Text = Field(alias="is")
    """The name by itself, and for forms that are not given."""


class LanguageTexts(Strict):
    """Words in one language: names, sentences for the log, captions."""

    titles: dict[Address, Text | Forms] = {}
    """Titles of the game, its variants, bridges (`a+b`), options and presets."""
    things: dict[Address, Text | Forms] = {}
    """Names of components and their rows, dice, zones, tokens, states, values,
    members."""
    members: dict[Address, Text | Forms] = {}
    """Names of all members of a component or an enumeration, with their fields in
    braces: "{rank} of {suit}"."""
    flow: dict[Address, Text] = {}
    """Names of phases and steps."""
    actions: dict[Address, Text] = {}
    """Names of actions, as choices: "Found a company"."""
    also: dict[Address, Text] = {}
    """Other words that players may type for an action, separated by spaces."""
    choices: dict[Address, Text] = {}
    """A complete choice, by action, clause, or step to end: "Found {c}"."""
    questions: dict[Address, Text] = {}
    """The question for a variable, by action or clause and variable."""
    answers: dict[Address, Text] = {}
    """The wording of a value among the answers: "{n} {n:stick|sticks}"."""
    messages: dict[Address, str] = {}
    """The log entry of an action or clause, with parameters in braces: "{me} draws".

    `{c:dative}` inserts a form, `{n:card|cards}` a word that depends on a number. An
    empty message omits the entry.
    """
    readings: dict[Address, Reading] = {}
    """The current value of a quantity, with its keys and `{value}`: "{c} pays {value}".

    For values, states, tokens and fields; for a zone, the number of things in it, or
    the `{things}`; for the address of a clause, the `{left}` and `{right}` sides that
    it compares. Either one text, or one for each special value: `yes`, `no`, `none`, a
    number or a name, and `other`.
    """
    names: dict[Address, Text | Forms] = {}
    """The rulebook's names of variables, by clause or owner and variable: "old
    company".

    Also for things that have no other name, or another name in the rulebook.
    """
    captions: dict[Address, Text] = {}
    """Captions of clauses, for languages other than that of the rules files."""
    changed: dict[Address, dict[Address, Text]] = {}
    """Captions for clauses that a variant or bridge changes, by its name."""
    prose: dict[Address, str] = {}
    """Complete sentences for the rulebook, by clause: "Slide one director {…}".

    `{hand_limit}` inserts an option; `{n1}` and `{n2}` insert the numbers of the clause
    in order. An empty text means that another clause's sentence covers it.
    """
    changed_prose: dict[Address, dict[Address, str]] = {}
    """Sentences for clauses that a variant or bridge changes, by its name."""
    notes: dict[Text, Text] = {}
    """Notes, by their text in the rules files."""


class TextFile(LanguageTexts):
    """The words of one language: names, sentences for the log, captions."""

    language: Language
    """The language, as the file is called."""


# ---- appendices: below the line `---` of a rules file


class Appendix(Strict):
    """Additions to one rules file: rulings, texts, tables, examples."""

    rulings: dict[Identifier, RulingEntry] = {}
    """The rulings that these rules cite."""
    texts: dict[Language, LanguageTexts] = {}
    """Words for the declarations of these rules, by language."""
    components: dict[FileName, ComponentTable] = {}
    """Rows of components, by the name that these rules give after `from`."""
    table: Any = None
    """The default table of the examples; `scenarios` reads it."""
    luck: Any = None
    """The default `luck` of the examples, likewise."""
    scenarios: Any = None
    """Worked examples, likewise; they use the variant of the file."""


# ---- sources/<name>.yaml

SentenceStatus: TypeAlias = Literal[
    "rule",
    "example",
    "component",
    "flavour",
    "advice",
    "duplicate",
    "contradicts",
    "not_modelled",
]


class Sentence(Strict):
    """One sentence of a source: its hash, never its text."""

    hash: Hash
    """The hash of its normalised text."""
    status: SentenceStatus | None = None
    """Clauses cite rules, scenarios cite examples; other sentences need no citation."""
    of: Text | None = None
    """The sentence that it duplicates or contradicts."""
    reason: Text | None = None
    """The reason why it is not modelled."""


class Heading(Strict):
    """The sentences of a source under one heading."""

    heading: Text
    """The heading, as citations quote it."""
    sentences: list[Sentence] = Field(min_length=1)
    """The sentences, in order."""
    cited: dict[Text, Annotated[int, Field(ge=1)]] = {}
    """The words that citations quote, each with the number of its sentence."""


class Register(Strict):
    """The sentences of a source, so that citations can be checked without it."""

    title: Text
    """The title of the source."""
    splitter: Annotated[int, Field(ge=1, le=1)]
    """The version of the algorithm that splits sentences."""
    headings: list[Heading] = Field(min_length=1)
    """The headings, in order."""


# ---- table files


class TableFile(Strict):
    """The agreed choices of a table."""

    game: Text
    """A game's name, or the path of its folder."""
    rules: list[Text] = []
    """Additional files and folders with rules, relative to this file."""
    preset: Identifier | None = None
    """A preset to begin with."""
    with_: list[Identifier] = Field(default=[], alias="with")
    """Variants to turn on."""
    without: list[Identifier] = []
    """Variants of the preset to turn off."""
    settings: dict[Identifier, Entry | dict[Text, None]] = Field(
        default={}, alias="set"
    )
    """Options and their values; a set is a list, or written in braces."""
    players: Annotated[int, Field(ge=1, le=99)] | None = None
    """The number of players."""
