"""The lines of a record as models: a head, choices, what was taken back, an end.

A record is only ever appended to. What was taken back stays in it, behind a line that
says so; `reading` gives what stood.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, RootModel

from houserule.manifest.model import FileName

Hash = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]

FILES_AT_MOST = 1000
SIZE_AT_MOST = 8_000_000  # characters of all files of a ruleset together


class LineModel(BaseModel):
    """A line of a record."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RecordTable(LineModel):
    """The table, as it was composed: nothing is left to be chosen."""

    players: Annotated[int, Field(ge=1)]
    variants: list[str]
    options: dict[str, JsonValue]


def _small(files: dict[str, str]) -> dict[str, str]:
    size = sum(map(len, files.values()))
    if len(files) > FILES_AT_MOST or size > SIZE_AT_MOST:
        raise ValueError(
            f"a ruleset has at most {FILES_AT_MOST} files of {SIZE_AT_MOST} characters"
        )
    return files


class OwnRules(LineModel):
    """A ruleset that is not shipped: where it lay, and its files as they were."""

    folder: str
    """Its folder, seen from the record's if it lies inside of that, else its name."""
    files: Annotated[dict[FileName, str], AfterValidator(_small)]
    """The text of each file that was read, by its path inside the folder."""


class Head(LineModel):
    """The first line: what was played, at which table, with which luck."""

    format: Literal["houserule record"] = "houserule record"
    version: Literal[1, 2] = 1
    """2 where `bots`, `languages` or `own` may stand, or lines besides choices."""
    game: str
    table: RecordTable
    rules: str
    """The fingerprint of the composed rules."""
    seed: int
    number: Annotated[int, Field(ge=0)] = 0
    """The number of the game among those of this seed."""
    players: list[str] = []
    """Who played, by seat: names of people or of bots."""
    bots: list[str] = []
    """The seats that bots play."""
    languages: list[str] = []
    """The language of each seat, fewer go round."""
    own: OwnRules | None = None
    """The rules themselves, where they are not shipped."""


class Taken(LineModel):
    """One choice, in the words of a scenario's `do`."""

    n: Annotated[int, Field(ge=1)]
    seat: str
    at: str
    """Where in the rules the decision stood."""
    do: JsonValue
    state: Hash | None = None
    """The hash of the state after it; now and then, and after the last."""


class Undone(LineModel):
    """Choices were taken back."""

    undo: Annotated[int, Field(ge=0)]
    """How many choices still stand."""
    by: str
    """The seat that took them back."""
    agreed: list[str] = []
    """The seats that were asked and agreed."""


class RulesChanged(LineModel):
    """From here on other rules hold: the game went on after they were changed."""

    rules: str
    """The fingerprint of the rules that hold now."""
    stand: Annotated[int, Field(ge=0)]
    """How many choices still stand: those that fit the new rules."""
    own: OwnRules | None = None
    """These rules themselves, where they are not shipped."""


class RecordEnd(LineModel):
    """The last line of a game that was played to its end."""

    end: Literal["won", "stalled"]
    winners: list[str] = []
    stalled_in: str = ""
    choices: Annotated[int, Field(ge=0)]
    state: Hash


LaterLine: TypeAlias = Taken | Undone | RulesChanged | RecordEnd


class RecordLine(RootModel[Head | LaterLine]):
    """Any line of a record."""


_LATER: dict[str, type[LaterLine]] = {
    "undo": Undone,
    "rules": RulesChanged,
    "end": RecordEnd,
}


def read_later(text: str) -> LaterLine:
    """Return a line behind the head; its first key says of which sort it is.

    Raises:
        pydantic.ValidationError: it is no line of a record.
    """
    first = text.lstrip("{ ").partition(":")[0].strip().strip('"')
    return _LATER.get(first, Taken).model_validate_json(text)


def written(line: LineModel) -> str:
    """Return a line as it stands in a file, without its end; what is empty is left out.

    Every line of a record of version 1 is written as it always was.
    """
    empty = {
        name
        for name, field in type(line).model_fields.items()
        if name in _LEFT_OUT and getattr(line, name) == field.get_default()
    }
    return json.dumps(line.model_dump(exclude=empty), ensure_ascii=False)


_LEFT_OUT = frozenset({"bots", "languages", "own", "state", "agreed"})
