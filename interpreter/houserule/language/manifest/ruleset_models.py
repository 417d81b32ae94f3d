"""Pydantic models of the YAML files of a ruleset.

Models are strict and reject unknown keys; `schemas` makes JSON Schemas of them. A text
is given once, or once for each language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

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
    """Notes of a text that it has to match a pattern: when it is read, and in schemas.

    Attributes:
        pattern: of the whole text. Names have no more letters than the limit `name`.
        wanted: what is wanted, in words that follow "it must be".
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
        """Add the pattern to a JSON Schema, with the words for editors."""
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
    """Return a text in a language, else in its first one."""
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
    """The register of its sentences; `sources/<name>.yaml` if this is not given."""


class BoardLayer(Strict):
    """Things that are drawn on a board, each in its cell; later layers lie on top."""

    each: Text
    """The kind of thing: a component, dice, or `Player`."""
    row: Identifier
    """What gives the row of a thing: a field, state or value that it is the key of."""
    column: Identifier
    """What gives its column."""
    shows: list[Identifier] = []
    """What is printed there: fields, states, values, sizes of zones; else its mark."""
    mark: Text | None = None
    """What is printed instead."""
    means: Texts | None = None
    """What the mark stands for, for the legend."""
    when: Identifier | None = None
    """A yes/no field, state or value: only things for which it holds are drawn."""
    order: Identifier | None = None
    """A number of each thing: of several in one cell, the highest comes first."""


class BoardHeads(Strict):
    """Names of things at the edge of a board, each at its row or column."""

    each: Text
    """The kind of thing."""
    at: Identifier
    """What gives the number of its row or column."""


Heads: TypeAlias = Literal["numbers"] | BoardHeads
Line: TypeAlias = Annotated[list[int], Field(min_length=2, max_length=2)]


class Board(Strict):
    """A grid that is drawn from the state, for people at a terminal."""

    title: Texts
    rows: Line | None = None
    """The topmost row and the lowest; else from the least to the greatest drawn."""
    columns: Line | None = None
    """The leftmost column and the rightmost; else from the least to the greatest."""
    row_heads: Heads | None = None
    """What stands at the left of each row."""
    column_heads: Heads | None = None
    """What stands above each column."""
    empty: Text | None = None
    """What is printed where nothing lies."""
    after: list[Identifier] = []
    """Phases and steps after which it is drawn; else after rounds and at the end."""
    draw: list[BoardLayer] = Field(min_length=1)


class PositionLayout(Strict):
    """How a position is laid out for one who plays: what goes before the general rule.

    Names are of zones, states, values, tokens and kinds, those of variants included.
    """

    players: list[Identifier] = []
    """Columns of the chart of players, these first, in this order."""
    things: dict[Text, list[Identifier]] = {}
    """What is said of things, by kind, or by the zone where they lie: these first.

    Of what is not listed fields are left out.
    """
    facts: list[Identifier] = []
    """What is said of the game as a whole, these first."""
    areas: list[Text] = []
    """The order of areas: zones, kinds of dice, `players`, `board 0`, `facts`."""
    over_columns: dict[Text, Identifier] = {}
    """By board: the zone or family, keyed by columns, that is shown over them."""
    score: Identifier | None = None
    """What is told of each player as a score where the rules rank by nothing."""
    colour: Identifier | None = None
    """The value that names the colour of a seat, of which alone it has a key."""
    count: list[Identifier] = []
    """Zones of which only is said how many things lie there."""
    hide: list[Address] = []
    """What is not said at all."""


class Manifest(Strict):
    """What a game's folder holds."""

    id: Identifier
    """The game's name, as after `game` in its rules file."""
    version: Text
    """The version of these rules files, in quotes."""
    title: Texts
    """What people call the game."""
    summary: Texts
    """One or two sentences for a list of games."""
    languages: list[Language] = Field(min_length=1)
    """Languages of the texts; captions in rules files are in the first one."""
    credits: list[Text] = []
    """Who made the game, and who wrote it down here."""
    rules: list[FileName] = [
        "game.rules",
        "presets.rules",
        "variants/*.rules",
        "bridges/*.rules",
    ]
    """The rules files; `*` stands for any name."""
    sources: dict[Identifier, SourceEntry] = {}
    """The cited sources, by the name that rules files use."""
    boards: list[Board] = []
    """What is drawn of the state when a game is narrated."""
    position: PositionLayout = PositionLayout()
    """How a position is laid out for one who plays."""

    def register_of(self, source: str) -> str:
        """Return the path of a source's register."""
        return self.sources[source].register_file or f"sources/{source}.yaml"


# ---- components/*.yaml


class ComponentRow(BaseModel):
    """One card, tile or coin; every further key is a column of the table."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)
    __pydantic_extra__: dict[str, Entry] = Field(init=False)

    id: Identifier
    status: Status | None = None
    source: Text | None = None
    attested: list[Identifier] | None = None
    note: Text | None = None

    @property
    def columns(self) -> Mapping[str, Entry]:
        """The cells of the row, by column."""
        return self.__pydantic_extra__


class ComponentTable(Strict):
    """The rows of a component: what is printed on each piece."""

    about: Text | None = None
    """Where the rows come from, in a sentence or two."""
    sources: dict[Identifier, Text] = {}
    """What attests rows, by the short names that rows use."""
    status: Status | None = None
    """The status of every row that does not give its own."""
    rows: list[ComponentRow] = Field(min_length=1)
    """The rows. `id`, `status`, `source`, `attested` and `note` are no columns."""


# ---- rulings.yaml


class RulingEntry(Strict):
    """What these rules decide where the rulebook is silent or contradicts itself."""

    says: Texts
    """The decision as one sentence."""
    register_rows: list[Text] = Field(default=[], alias="register")
    """The rows of a register of doubts that it settles."""
    opt: Identifier | None = None
    """The option or variant that decides otherwise."""


class RulingsFile(Strict):
    """The rulings of a game, by the name that `[ruling …]` uses."""

    rulings: dict[Identifier, RulingEntry]


# ---- text/<language>.yaml


class Forms(BaseModel):
    """A name in the forms that the sentences of a language need."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)
    __pydantic_extra__: dict[FormName, str] = {}

    words: Text = Field(alias="is")
    """The name as it stands alone, and where a form is wanted that is not here."""


class LanguageTexts(Strict):
    """Words in one language: names, sentences for the log, captions."""

    titles: dict[Address, Text | Forms] = {}
    """Of the game, its variants, bridges (`a+b`), options and presets."""
    things: dict[Address, Text | Forms] = {}
    """Of components and their rows, dice, zones, tokens, states, values, members."""
    flow: dict[Address, Text] = {}
    """Of phases and steps."""
    actions: dict[Address, Text] = {}
    """What a player does, as a choice: "Found a company"."""
    also: dict[Address, Text] = {}
    """More words by which a player may call an action, with spaces between."""
    choices: dict[Address, Text] = {}
    """A whole choice, by action, clause, or step to be done with: "Found {c}"."""
    questions: dict[Address, Text] = {}
    """What is asked of a variable, behind its action or the clause that asks."""
    answers: dict[Address, Text] = {}
    """What a value is called among the answers: "{n} {n:stick|sticks}"."""
    messages: dict[Address, str] = {}
    """What was done, by action or clause, with its parameters in braces: "{me} draws".

    `{c:dative}` asks for a form, `{n:card|cards}` for words by number. An empty
    message says that nothing is said.
    """
    readings: dict[Address, Reading] = {}
    """What a quantity is now, with its keys and `{value}`: "{c} pays {value}".

    Of a value, state, tokens or field; of a zone, how many lie there, and `{things}`;
    or, at the address of a clause, what that compares, as `{left}` and `{right}`. One
    text, or one for each value that differs:
    `yes`, `no`, `none`, a number or a name, and `other`.
    """
    names: dict[Address, Text | Forms] = {}
    """What the rulebook calls a variable, behind its clause or owner: "old company".

    So are things named that are named nowhere else, or that it names in another way.
    """
    captions: dict[Address, Text] = {}
    """Captions of clauses, for languages other than that of the rules files."""
    changed: dict[Address, dict[Address, Text]] = {}
    """Captions that a variant or bridge gives to clauses it changes, by its name."""
    prose: dict[Address, str] = {}
    """Whole sentences of a printed book of rules, by clause: "Slide one director {…}".

    Options are put in by name, `{hand_limit}`, the numbers of the clause by place:
    `{n1}`, `{n2}`. An empty text says that another clause's sentence says it too.
    """
    changed_prose: dict[Address, dict[Address, str]] = {}
    """Such sentences for clauses that a variant or bridge changes, by its name."""
    notes: dict[Text, Text] = {}
    """Notes, by their words in the rules files."""


class TextFile(LanguageTexts):
    """The words of one language: names, sentences for the log, captions."""

    language: Language


# ---- appendices: below the line `---` of a rules file


class Appendix(Strict):
    """What belongs to the rules of one file: rulings, texts, tables, examples."""

    rulings: dict[Identifier, RulingEntry] = {}
    """The rulings to which these rules point."""
    texts: dict[Language, LanguageTexts] = {}
    """Words for what these rules declare, by language."""
    components: dict[FileName, ComponentTable] = {}
    """Rows of components, by the name that these rules give behind `from`."""
    table: Any = None
    """The table of every example that names none; `scenarios` reads it."""
    luck: Any = None
    """Of every example, likewise."""
    scenarios: Any = None
    """Worked examples, likewise; the variant of the file is on in them."""


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
    """One sentence of a source: its hash, never its words."""

    hash: Hash
    status: SentenceStatus | None = None
    """Rules are cited by clauses, examples by scenarios; the rest needs neither."""
    of: Text | None = None
    """What it duplicates or contradicts."""
    reason: Text | None = None
    """Why it is not modelled."""


class Heading(Strict):
    """A part of a source under one heading."""

    heading: Text
    sentences: list[Sentence] = Field(min_length=1)
    cited: dict[Text, Annotated[int, Field(ge=1)]] = {}
    """The words that margins quote, each with the number of its sentence."""


class Register(Strict):
    """The sentences of a source, so that citations can be checked without it."""

    title: Text
    splitter: Annotated[int, Field(ge=1, le=1)]
    """The version of the rules by which sentences are split."""
    headings: list[Heading] = Field(min_length=1)


# ---- table files


class TableFile(Strict):
    """What a table has agreed to play."""

    game: Text
    """A game's name, or the path of its folder."""
    rules: list[Text] = []
    """Files and folders with rules beside the game, seen from this file."""
    preset: Identifier | None = None
    """A preset to begin with."""
    with_: list[Identifier] = Field(default=[], alias="with")
    """Variants that are on."""
    without: list[Identifier] = []
    """Variants of the preset that are off."""
    settings: dict[Identifier, Entry | dict[Text, None]] = Field(
        default={}, alias="set"
    )
    """Options and their values; a set is a list or stands in braces."""
    players: Annotated[int, Field(ge=1, le=99)] | None = None
    """How many sit at the table."""
