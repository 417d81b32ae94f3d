"""The lines of a record as models: a head, choices, undos, an end.

A record is append-only. Undone choices stay in it, followed by a line that undoes them;
`reading` returns the choices that stood.
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
    """The table, fully composed: nothing is left to choose."""

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
    """Return the total length of files."""
    return sum(map(len, files.values()))


class OwnRules(Strict):
    """The sources of rules that are not built in: their folder and their files."""

    folder: str = ""
    """The folder of the ruleset: relative to the record if the record is inside it,
    otherwise its name; empty for a built-in game."""
    files: Annotated[dict[FileName, str], AfterValidator(_small)] = {}
    """The text of each file of the ruleset, by its path inside the folder; empty for a
    built-in game."""
    rules: Annotated[dict[FileName, str], AfterValidator(_small)] = {}
    """The text of each rules file beside the game, by its name."""


class Head(Strict):
    """The first line: the game, the table and the seed."""

    format: Literal["houserule record"] = "houserule record"
    version: Literal[1, 2] = 1
    """2 if it has `bots`, `languages`, `own` or `given`, or lines besides choices."""
    game: str
    table: RecordTable
    rules: str
    """The fingerprint of the composed rules."""
    seed: int
    number: Annotated[int, Field(ge=0)] = 0
    """The number of the game within this seed."""
    players: list[Annotated[str, AfterValidator(_seen)]] = []
    """The players by seat: names of people or of bots."""
    bots: list[str] = []
    """The seats that bots play."""
    languages: list[str] = []
    """The language of each seat; if there are fewer than seats, they repeat."""
    own: OwnRules | None = None
    """The rules themselves, if they are not built in."""
    given: dict[str, JsonValue] = {}
    """The position where the game began, in the words of scenarios; else it began with
    the set-up."""


class Taken(Strict):
    """One choice, in the words of a scenario's `do`."""

    n: Annotated[int, Field(ge=1)]
    seat: str
    at: str
    """The phase of an action, or the clause that asks; `a.b.2` is its second choice."""
    do: JsonValue
    state: Hash | None = None
    """The hash of the state after it; only sometimes, and after the last choice."""


class Undone(Strict):
    """An undo."""

    undo: Annotated[int, Field(ge=0)]
    """How many choices still stand."""
    by: str
    """The seat that undid them."""
    agreed: list[str] = []
    """The seats that were asked and agreed."""


class RulesChanged(Strict):
    """The rules change from here on: the game continued after an edit."""

    rules: str
    """The fingerprint of the new rules."""
    stand: Annotated[int, Field(ge=0)]
    """How many choices still stand: those that fit the new rules."""
    own: OwnRules | None = None
    """The new rules themselves, if they are not built in."""


class ActedFor(Strict):
    """From here on, a deputy decides for a seat, or its own person again."""

    acting: str
    """The seat."""
    by: Annotated[str, AfterValidator(_seen)] = ""
    """The deputy; empty: the seat's own person again."""


class UndoAnswered(Strict):
    """The answer to an undo request."""

    answered: str
    """The seat that was asked."""
    agreed: bool
    by: Annotated[str, AfterValidator(_seen)] = ""
    """Who answered for the seat's own person; empty: that person."""


class SatDown(Strict):
    """From here on, a different player has a seat, or it is vacant."""

    sits: str
    """The seat."""
    name: Annotated[str, AfterValidator(_seen)] = ""
    """A person's name, or a bot's kind; empty: vacant."""
    bot: bool = False


class RecordEnd(Strict):
    """The last line of a finished game."""

    end: Literal["won", "drawn", "stalled"]
    winners: list[str] = []
    stalled_in: str = ""
    drawn_by: list[str] = []
    """For a draw, the names of all reasons, in the order of the rules."""
    choices: Annotated[int, Field(ge=0)]
    state: Hash


PeopleLine: TypeAlias = ActedFor | SatDown | UndoAnswered
"""Lines about players, which change nothing in the game."""
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
    """Return a line after the head; its first key determines its kind.

    Raises:
        pydantic.ValidationError: it is not a line of a record.
    """
    first = text.lstrip("{ ").partition(":")[0].strip().strip('"')
    return _LATER.get(first, Taken).model_validate_json(text)


def written(line: Strict) -> str:
    """Return a line as written to the file, without its line end or empty fields.

    The format of lines of version 1 never changes.
    """
    empty = {
        name
        for name, field in type(line).model_fields.items()
        if name in _LEFT_OUT and getattr(line, name) == field.get_default()
    }
    return json.dumps(line.model_dump(exclude=empty), ensure_ascii=False)


_LEFT_OUT = frozenset(
    {
        *("bots", "languages", "own", "given", "state", "agreed", "by", "name", "bot"),
        "drawn_by",
    }
)
