"""The form of a scenario file: what pydantic can see without knowing the game."""

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
    """A table: what is left out is as in the base game."""

    preset: Text | None = None
    """A preset to begin with."""
    with_: list[Text] = Field(default=[], alias="with")
    """Variants that are on."""
    without: list[Text] = []
    """Variants that are off after all."""
    settings: Words = Field(default={}, alias="set")
    """Options and their values."""
    players: Seats | Names | None = None
    """How many play, or their names in the order of the seats."""


class Example(Strict):
    """A sentence of a rulebook that gives this example."""

    source: Text | None = None
    heading: Text
    sentence: Annotated[int, Field(ge=1)] | None = None
    last: Annotated[int, Field(ge=1)] | None = None
    """The last one of several sentences; `sentence` is then the first."""
    words: Text | None = None
    """Some words of the sentence, instead of its number."""


class Case(Strict):
    """The same example at another table; what is left out stays as it was."""

    preset: Text | None = None
    with_: list[Text] = Field(default=[], alias="with")
    without: list[Text] = []
    settings: Words = Field(default={}, alias="set")
    players: Seats | Names | None = None
    given: Words = {}
    """Joined to the position, word by word."""
    leave_out: list[Text] = []
    """What is not taken over: `do`, `try`, `given.pot`, `expect.refused`."""
    do: list[JsonValue] | None = None
    """Instead of what was done."""
    try_: JsonValue = Field(default=None, alias="try")
    """Instead of what was tried."""
    expect: Words | None = None
    """Instead of what was expected."""


class Scenario(Strict):
    """One worked example."""

    name: Text
    """A sentence that says what is shown."""
    about: Text | None = None
    """Anything a reader should know besides."""
    covers: list[Text] = []
    """Addresses of the clauses that are shown."""
    cites: list[Example] = []
    """Sentences of a rulebook that give this example."""
    table: TableWords | None = None
    """The table; else the file's, else the base game."""
    luck: Luck | None = None
    """`any`: it holds whatever falls, so dice and draws need not be laid down."""
    given: Words | None = None
    """The position; without it a game is begun, with its setup."""
    do: list[JsonValue] = []
    """What is done, one after another."""
    try_: JsonValue = Field(default=None, alias="try")
    """What is tried but not done."""
    expect: Words = {}
    """What must then hold."""
    under: list[Case] = []
    """The same at other tables."""


class ScenarioFile(Strict):
    """Worked examples of one game."""

    game: Text
    """The game's name."""
    rules: list[Text] = []
    """Files and folders with rules beside the game, seen from this file."""
    table: TableWords = TableWords()
    """The table of every example that says nothing else."""
    luck: Luck | None = None
    """Of every example in the file."""
    scenarios: list[Scenario] = Field(min_length=1)


class WholeAppendix(Appendix):
    """What stands below the line `---` of a rules file, examples included."""

    table: TableWords = TableWords()
    """The table of every example that says nothing else."""
    luck: Luck | None = None
    """Of every example in the file."""
    scenarios: list[Scenario] = Field(default=[])
    """Worked examples; the variant of the file is on in them unless one says else."""
