"""The lines of a record as models: a head, choices, what was taken back, an end.

A record is only ever appended to. What was taken back stays in it, behind a line that
says so; `reading` gives what stood.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field, JsonValue, RootModel

from houserule.base.limits import LIMITS, limit
from houserule.base.plain import Strict
from houserule.base.source import UNSEEN
from houserule.language.manifest.ruleset_models import FileName

Hash = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class RecordTable(Strict):
    """The table, as it was composed: nothing is left to be chosen."""

    players: Annotated[int, Field(ge=1)]
    variants: list[str]
    options: dict[str, JsonValue]


def _small(files: dict[str, str]) -> dict[str, str]:
    for name, size in (("files", len(files)), ("rules", letters(files))):
        if size > limit(name):
            of = LIMITS[name].of
            raise ValueError(f"{size:,} {of}, more than the limit `{name}` allows")
    return files


def _seen(name: str) -> str:
    if UNSEEN.search(name) or "\n" in name or "\t" in name:
        raise ValueError("a name is one line of characters that are seen")
    return name


def letters(files: Mapping[str, str]) -> int:
    """Return how long files are together."""
    return sum(map(len, files.values()))


class OwnRules(Strict):
    """Rules that are not shipped: where they lay, and their files as they were."""

    folder: str = ""
    """The folder of a ruleset, seen from the record's if it lies inside of that, else
    its name; empty for a shipped game."""
    files: Annotated[dict[FileName, str], AfterValidator(_small)] = {}
    """The text of each file of the ruleset, by its path inside the folder; none for a
    shipped game."""
    rules: Annotated[dict[FileName, str], AfterValidator(_small)] = {}
    """The text of each rules file from beside the game, by its name."""


class Head(Strict):
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
    players: list[Annotated[str, AfterValidator(_seen)]] = []
    """Who played, by seat: names of people or of bots."""
    bots: list[str] = []
    """The seats that bots play."""
    languages: list[str] = []
    """The language of each seat, fewer go round."""
    own: OwnRules | None = None
    """The rules themselves, where they are not shipped."""


class Taken(Strict):
    """One choice, in the words of a scenario's `do`."""

    n: Annotated[int, Field(ge=1)]
    seat: str
    at: str
    """Where in the rules the decision stood."""
    do: JsonValue
    state: Hash | None = None
    """The hash of the state after it; now and then, and after the last."""


class Undone(Strict):
    """Choices were taken back."""

    undo: Annotated[int, Field(ge=0)]
    """How many choices still stand."""
    by: str
    """The seat that took them back."""
    agreed: list[str] = []
    """The seats that were asked and agreed."""


class RulesChanged(Strict):
    """From here on other rules hold: the game went on after they were changed."""

    rules: str
    """The fingerprint of the rules that hold now."""
    stand: Annotated[int, Field(ge=0)]
    """How many choices still stand: those that fit the new rules."""
    own: OwnRules | None = None
    """These rules themselves, where they are not shipped."""


class ActedFor(Strict):
    """From here on somebody decides in the place of a seat's own person; or no more."""

    acting: str
    """The seat."""
    by: Annotated[str, AfterValidator(_seen)] = ""
    """Who decides there; empty: its own person again."""


class UndoAnswered(Strict):
    """Somebody was asked to let choices be taken back, and this was the answer."""

    answered: str
    """The seat that was asked."""
    agreed: bool
    by: Annotated[str, AfterValidator(_seen)] = ""
    """Who answered in the place of its own person; empty: that person."""


class SatDown(Strict):
    """From here on somebody else plays a seat, or for now nobody."""

    sits: str
    """The seat."""
    name: Annotated[str, AfterValidator(_seen)] = ""
    """A person's name, or of a bot its kind; empty: nobody."""
    bot: bool = False


class RecordEnd(Strict):
    """The last line of a game that was played to its end."""

    end: Literal["won", "drawn", "stalled"]
    winners: list[str] = []
    stalled_in: str = ""
    drawn_by: list[str] = []
    """Of a drawn game the names of all reasons, in the order of the rules."""
    choices: Annotated[int, Field(ge=0)]
    state: Hash


PeopleLine: TypeAlias = ActedFor | SatDown | UndoAnswered
"""What is about those who play, and changes nothing of the game."""
LaterLine: TypeAlias = Taken | Undone | RulesChanged | RecordEnd | PeopleLine


class RecordLine(RootModel[Head | LaterLine]):
    """Any line of a record."""


_LATER: dict[str, type[LaterLine]] = {
    "undo": Undone,
    "rules": RulesChanged,
    "end": RecordEnd,
    "acting": ActedFor,
    "sits": SatDown,
    "answered": UndoAnswered,
}


def read_later(text: str) -> LaterLine:
    """Return a line behind the head; its first key says of which sort it is.

    Raises:
        pydantic.ValidationError: it is no line of a record.
    """
    first = text.lstrip("{ ").partition(":")[0].strip().strip('"')
    return _LATER.get(first, Taken).model_validate_json(text)


def written(line: Strict) -> str:
    """Return a line as it stands in a file, without its end; what is empty is left out.

    Every line of a record of version 1 is written as it always was.
    """
    empty = {
        name
        for name, field in type(line).model_fields.items()
        if name in _LEFT_OUT and getattr(line, name) == field.get_default()
    }
    return json.dumps(line.model_dump(exclude=empty), ensure_ascii=False)


_LEFT_OUT = frozenset(
    {
        *("bots", "languages", "own", "state", "agreed", "by", "name", "bot"),
        "drawn_by",
    }
)
