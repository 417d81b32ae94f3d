"""Conversions between choices and plain data with the names of the rules.

`done`, `{"found": {"c": "six_green", "use": ["red"]}}`, `{"choose": ["p2"]}`,
`{"share": {"a": 3, "b": 2}}`, `{"answer": true}`: the words of a scenario's `do`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from houserule import ir
from houserule.engine.reference.choices import (
    Act,
    Answered,
    Choice,
    Done,
    Picked,
    Shared,
)
from houserule.engine.reference.options.options import Decision
from houserule.engine.state.domains import Json, plain
from houserule.ir.types import Data, Flag, Kind, Maybe, Position, Set, Type, Whole
from houserule.ir.walk import asking_statements, factors


def words_of(choice: Choice, site: str, program: ir.Program) -> Json:
    """Return a choice as plain data, in the names of the rules.

    `site` is the decision's address, which a choice or a share refers to.
    """
    labels = program.labels
    match choice:
        case Done():
            return "done"
        case Answered(yes):
            return {"answer": yes}
        case Act(action, args):
            named = factors(program.actions[action])
            values: dict[str, Json] = {
                name: plain(value, type_, labels)
                for (name, type_), value in zip(named, args, strict=True)
            }
            return {action: values} if values else action
        case Picked(None):
            return {"choose": None}
        case Picked(values_) if values_ is not None:
            type_ = asking_statements(program)[site].bind.type
            return {"choose": [plain(each, type_, labels) for each in values_]}
        case Shared(amounts):
            type_ = asking_statements(program)[site].bind.type
            return {"share": {str(plain(who, type_, labels)): n for who, n in amounts}}
        case _:
            raise AssertionError(choice)


SaidChoice: TypeAlias = Choice | int | str | Mapping[str, Json]
"""An option, its number, or its words."""


def choice_meant(said: SaidChoice, decision: Decision, program: ir.Program) -> Choice:
    """Return the choice that a caller means at a decision.

    Raises:
        IndexError: no option has this number.
        ValueError: the words describe no choice of this program.
    """
    if isinstance(said, int):
        return decision.options[said]
    if isinstance(said, str | Mapping):
        words = said if isinstance(said, str) else dict(said)
        return choice_of(words, decision.site, program)
    return said


def choice_of(said: Json, site: str, program: ir.Program) -> Choice:
    """Return the choice that plain data describes: the inverse of `words_of`.

    Raises:
        ValueError: the data describes no choice of this program.
    """
    if said == "done":
        return Done()
    if isinstance(said, str):
        said = {said: {}}
    if not isinstance(said, dict) or len(said) != 1:
        raise ValueError(f"{said!r} is no choice")
    ((word, inner),) = said.items()
    match word:
        case "answer":
            return Answered(bool(inner))
        case "choose":
            if inner is None:
                return Picked(None)
            bind = _bind(site, program)
            if not isinstance(inner, list) or len(inner) != len(bind.slots):
                raise ValueError(f"{inner!r} is no choice at {site}")
            return Picked(tuple(value_of(each, bind.type, program) for each in inner))
        case "share":
            bind = _bind(site, program)
            if not isinstance(inner, dict):
                raise ValueError(f"{inner!r} is no share")
            amounts: list[tuple[int, int]] = []
            for name, count in inner.items():
                who = value_of(
                    int(name)
                    if isinstance(bind.type, Whole) and name.lstrip("-").isdigit()
                    else name,
                    bind.type,
                    program,
                )
                if not isinstance(who, int) or not isinstance(count, int):
                    raise ValueError(f"{inner!r} is no share")
                amounts.append((who, count))
            return Shared(tuple(sorted(amounts)))
        case _:
            if word not in program.actions:
                raise ValueError(f"there is no action `{word}`")
            named = dict(factors(program.actions[word]))
            if len(named) == 1 and not isinstance(inner, dict):
                inner = dict.fromkeys(named, inner)  # `sell: silk`, as in scenarios
            if not isinstance(inner, dict) or set(named) != set(inner):
                has = f"the parameters {', '.join(named)}" if named else "no parameters"
                raise ValueError(f"`{word}` has {has}")
            values = (
                value_of(inner[name], type_, program) for name, type_ in named.items()
            )
            return Act(word, tuple(values))


def _bind(site: str, program: ir.Program) -> ir.Bind:
    found = asking_statements(program).get(site)
    if found is None:
        raise ValueError(f"nothing is chosen at {site}")
    return found.bind


def value_of(said: Json, type_: Type, program: ir.Program) -> Data:
    """Return plain data as a value of a type.

    Raises:
        ValueError: it is not a value of the type.
    """
    match type_:
        case Maybe(inner):
            return None if said is None else value_of(said, inner, program)
        case Set(member):
            if not isinstance(said, list):
                raise ValueError(f"{said!r} is no list")
            values = {value_of(each, member, program) for each in said}
            return tuple(sorted(each for each in values if isinstance(each, int)))
        case Kind(name):
            labels = program.labels[name]
            if str(said) not in labels:
                raise ValueError(f"there is no {name} `{said}`")
            return labels.index(str(said))
        case Flag() if isinstance(said, bool):
            return said
        case Whole(low, high) if type(said) is int and low <= said <= high:
            return said
        case Position() if isinstance(said, list):
            return tuple(each for each in said if isinstance(each, int))
        case Whole() | Flag() | Position():
            raise ValueError(f"{said!r} is not {type_}")
        case _:
            assert_never(type_)
