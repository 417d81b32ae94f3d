"""The form of a record: a text of JSON lines, a head, one line a choice, an end."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, RootModel

Hash = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class LineModel(BaseModel):
    """A line of a record."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True
    )


class RecordTable(LineModel):
    """The table, as it was composed: nothing is left to be chosen."""

    players: Annotated[int, Field(ge=1)]
    variants: list[str]
    options: dict[str, JsonValue]


class Head(LineModel):
    """The first line: what was played, at which table, with which luck."""

    format: Literal["houserule record"] = "houserule record"
    version: Literal[1] = 1
    game: str
    table: RecordTable
    rules: str
    """The fingerprint of the composed rules."""
    seed: int
    number: Annotated[int, Field(ge=0)] = 0
    """The number of the game among those of this seed."""
    players: list[str] = []
    """Who played, by seat: names of people or of bots."""


class Taken(LineModel):
    """One choice, in the words of a scenario's `do`."""

    n: Annotated[int, Field(ge=1)]
    seat: str
    at: str
    """Where in the rules the decision stood."""
    do: JsonValue
    state: Hash | None = None
    """The hash of the state after it; now and then, and after the last."""


class RecordEnd(LineModel):
    """The last line of a game that was played to its end."""

    end: Literal["won", "stalled"]
    winners: list[str] = []
    stalled_in: str = ""
    choices: Annotated[int, Field(ge=0)]
    state: Hash


class RecordLine(RootModel[Head | Taken | RecordEnd]):
    """Any line of a record."""
