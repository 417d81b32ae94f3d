"""Keys of a path: `found`, `c=eight_plain`, `use=red+blue`, `share:a=3`, `done`, `yes`.

Keys use the names of the rules, as records do. `use=red+blue` gives a whole set,
`use+red` adds one member. Consecutive keys may be one string, separated by spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from houserule.base.frozen import frozen
from houserule.engine.reference.choices import Answered, Choice, Done, Picked
from houserule.engine.state.domains import Json, plain
from houserule.ir import Program
from houserule.ir.types import Data, Flag, Maybe, Position, Set, Type, Whole
from houserule.play.records.choice_words import value_of

DONE, DECLINE, YES, NO = "done", "decline", "yes", "no"
NOTHING = "none"  # the key of a variable without a value
SIMPLE: Mapping[str, Choice] = {
    DONE: Done(),
    DECLINE: Picked(None),
    YES: Answered(True),
    NO: Answered(False),
}
_KEY = re.compile(r"([^=+ ]+)(?:([=+])(\S*))?")


class NoSuchChoice(ValueError):
    """The path leads to no legal option, or a key is invalid."""


@frozen
class PathKey:
    """A parsed key: a bare word, a value (`=`) or a member of a set (`+`)."""

    name: str
    sign: str = ""
    text: str = ""


@frozen
class Variable:
    """A variable of a choice: its name in the rules, its name in keys, its type."""

    name: str
    key: str
    type: Type


def single(path: Iterable[str]) -> tuple[str, ...]:
    """Split a path into single keys."""
    return tuple(key for keys in path for key in keys.split())


def read(path: Iterable[str]) -> Iterator[PathKey]:
    """Yield the parsed keys of a path.

    Raises:
        NoSuchChoice: a key has a syntax error.
    """
    for key in single(path):
        found = _KEY.fullmatch(key)
        if found is None:
            raise NoSuchChoice(f"`{key}` is not a key of a choice")
        yield PathKey(found[1], found[2] or "", found[3] or "")


def value_key(variable: Variable, value: Data, program: Program) -> str:
    said = plain(value, variable.type, program.labels)
    if said is None:
        text = NOTHING
    elif isinstance(said, bool):
        text = YES if said else NO
    elif isinstance(said, list):
        text = "+".join(str(each) for each in said)
    else:
        text = str(said)
    return f"{variable.key}={text}"


def member_key(variable: Variable, member: Data, program: Program) -> str:
    """Return the key that adds a member to a variable's set."""
    return f"{variable.key}+{plain(member, member_type(variable.type), program.labels)}"


def member_type(type_: Type) -> Type:
    """Return the member type of a set type; any other type is returned as it is."""
    return type_.member if isinstance(type_, Set) else type_


def value_in(key: PathKey, variable: Variable, program: Program) -> Data:
    """Return the value or member that a key gives.

    Raises:
        NoSuchChoice: the variable has no such value.
    """
    type_ = member_type(variable.type) if key.sign == "+" else variable.type
    try:
        return value_of(_said(key.text, type_), type_, program)
    except ValueError as error:
        raise NoSuchChoice(f"`{key.name}{key.sign}{key.text}`: {error}") from error


def _said(text: str, type_: Type) -> Json:
    """Return the text of a key as plain data, as in a record."""
    match type_:
        case Maybe(inner):
            return None if text == NOTHING else _said(text, inner)
        case Set(member):
            return [_said(each, member) for each in text.split("+") if each]
        case Flag():
            return {YES: True, NO: False}.get(text, text)
        case Whole() if re.fullmatch(r"-?\d+", text):
            return int(text)
        case Position() if re.fullmatch(r"\d+\+\d+", text):
            return [int(each) for each in text.split("+")]
        case _:
            return text
