"""Data model of scenario files, as far as pydantic validates it without the game."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue

from houserule.base.plain import Strict
from houserule.language.manifest.ruleset_models import Appendix

Text = Annotated[str, Field(min_length=1)]
Seats = Annotated[int, Field(ge=1, le=99)]


def _apart(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("names that differ")
    return names


Names = Annotated[
    list[Text], AfterValidator(_apart), Field(json_schema_extra={"uniqueItems": True})
]
Words = dict[str, JsonValue]
Luck = Literal["any"]


class TableWords(Strict):
    """A table; missing entries are as in the base game."""

    preset: Text | None = None
    """The preset to begin with."""
    with_: list[Text] = Field(default=[], alias="with")
    """Variants to turn on."""
    without: list[Text] = []
    """Variants to turn off."""
    settings: Words = Field(default={}, alias="set")
    """Options and their values."""
    players: Seats | Names | None = None
    """The number of players, or their names in the order of the seats."""


class Example(Strict):
    """A citation of a rulebook's sentence."""

    source: Text | None = None
    """The source, if the game has several."""
    heading: Text
    """The heading above the sentence."""
    sentence: Annotated[int, Field(ge=1)] | None = None
    """The number of the sentence below the heading, from 1."""
    last: Annotated[int, Field(ge=1)] | None = None
    """The last of several sentences; `sentence` is then the first."""
    words: Text | None = None
    """Words of the sentence, instead of its number."""


class Case(Strict):
    """The same example at another table; everything else stays the same."""

    preset: Text | None = None
    """The preset."""
    with_: list[Text] = Field(default=[], alias="with")
    """Variants to turn on."""
    without: list[Text] = []
    """Variants of the preset to turn off."""
    settings: Words = Field(default={}, alias="set")
    """Options and their values."""
    players: Seats | Names | None = None
    """The number of players, or their names."""
    given: Words = {}
    """Merged into the position, key by key."""
    leave_out: list[Text] = []
    """Parts to leave out: `do`, `try`, `given.pot`, `expect.refused`."""
    do: list[JsonValue] | None = None
    """Replaces the moves."""
    try_: JsonValue = Field(default=None, alias="try")
    """Replaces the tried move."""
    expect: Words | None = None
    """Replaces the expectations."""


class Scenario(Strict):
    """One worked example."""

    name: Text
    """A sentence that describes the example."""
    about: Text | None = None
    """Comment for readers."""
    covers: list[Text] = []
    """Addresses of the clauses that the example shows."""
    cites: list[Example] = []
    """Sentences of a rulebook that contain this example."""
    table: TableWords | None = None
    """The table; by default the file's, else the base game."""
    luck: Luck | None = None
    """`any`: it holds for all random outcomes, so dice and draws need not be
    prescribed."""
    given: Words | None = None
    """The position; by default, a new game after its setup."""
    do: list[JsonValue] = []
    """The moves, in order."""
    try_: JsonValue = Field(default=None, alias="try")
    """A move that is tried but not made."""
    expect: Words = {}
    """The expectations."""
    under: list[Case] = []
    """The same at other tables."""


class ScenarioFile(Strict):
    """Worked examples of one game."""

    game: Text
    """The game's name."""
    rules: list[Text] = []
    """Files and folders with external rules, relative to this file."""
    table: TableWords = TableWords()
    """The default table of the examples."""
    luck: Luck | None = None
    """`any`: every example holds for all random outcomes, unless it states its own."""
    scenarios: list[Scenario] = Field(min_length=1)
    """The examples."""


class WholeAppendix(Appendix):
    """The appendix below the line `---` of a rules file, including examples."""

    table: TableWords = TableWords()
    """The default table of the examples."""
    luck: Luck | None = None
    """`any`: every example holds for all random outcomes, unless it states its own."""
    scenarios: list[Scenario] = Field(default=[])
    """Worked examples; the variant of the file is on in them by default."""
