"""Labels of moves: a whole choice, or an action that is still incomplete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.frozen import frozen
from houserule.engine.reference.choices import Act, Choice, Done, Picked, Shared
from houserule.engine.reference.options.options import PickOptions
from houserule.engine.state.domains import Json, plain
from houserule.ir import Program
from houserule.ir.types import Data
from houserule.ir.walk import asking_statements, factors, option_binds
from houserule.play.narration.wording import Wording
from houserule.play.records.choice_words import words_of
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.choosing.keys import (
    SIMPLE,
    NoSuchChoice,
    Variable,
    member_key,
    read,
    value_in,
    value_key,
)
from houserule.play.seat.choosing.parts import pick_part

if TYPE_CHECKING:
    from houserule.play.seat.reasons.reading_words import ReadingWords


@frozen
class SaidTaking:
    """An action with the values given so far, by the names of its variables."""

    action: str
    values: Mapping[str, Data]


SaidMove: TypeAlias = Choice | SaidTaking


def as_said(choice: SaidMove, program: Program) -> SaidMove:
    """Return a taking by the names of its variables; other choices unchanged."""
    if not isinstance(choice, Act):
        return choice
    names = [name for name, _ in factors(program.actions[choice.action])]
    values = dict(zip(names, choice.args, strict=False))
    return SaidTaking(choice.action, values)


def as_choice(said: SaidMove, program: Program) -> Choice | None:
    """Return the choice that is meant; None if it is incomplete."""
    if not isinstance(said, SaidTaking):
        return said
    names = [name for name, _ in factors(program.actions[said.action])]
    if any(name not in said.values for name in names):
        return None
    return Act(said.action, tuple(said.values[name] for name in names))


def recorded(said: SaidMove, site: str, program: Program) -> Json:
    """Return a move as in a record, possibly incomplete."""
    if not isinstance(said, SaidTaking):
        return words_of(said, site, program)
    values: dict[str, Json] = {
        name: plain(said.values[name], type_, program.labels)
        for name, type_ in factors(program.actions[said.action])
        if name in said.values
    }
    return {said.action: values} if values else said.action


def said_of(path: Sequence[str], program: Program) -> SaidMove | None:
    """Return the move that the keys of a path describe, possible or not.

    None if they answer a choice or a share that a clause asks for.

    Raises:
        NoSuchChoice: there is no key, or a key does not belong to the path's action.
    """
    keys = list(read(path))
    if not keys:
        raise NoSuchChoice("no action is named")
    head, *rest = keys
    action = program.actions.get(head.name)
    if action is None:
        return None if rest else SIMPLE.get(head.name)
    types = dict(factors(action))
    values: dict[str, Data] = {}
    for key in rest:
        if key.name not in types or not key.sign:
            raise NoSuchChoice(f"`{key.name}` is not asked here")
        value = value_in(key, Variable(key.name, key.name, types[key.name]), program)
        if key.sign == "+" and isinstance(value, int):
            held = values.get(key.name)
            value = tuple(sorted({*(held if isinstance(held, tuple) else ()), value}))
        values[key.name] = value
    return SaidTaking(head.name, values)


def begun_path(said: SaidMove, chooser: Chooser, program: Program) -> tuple[str, ...]:
    """Return the path of an incomplete move, to which more can be added.

    Values or shares are missing, or a set has too few members.

    Raises:
        NoSuchChoice: nothing is missing, or the move answers a different question.
    """
    decision, missing, path = chooser.decision, False, list[str]()
    if isinstance(said, SaidTaking):
        path, values = [said.action], said.values
        binds = tuple(option_binds(program.actions[said.action]))
        variables = {n: Variable(n, n, each.type) for each in binds for n in each.names}
    elif isinstance(said, Picked) and isinstance(decision.options, PickOptions):
        part = pick_part(program, decision.options, decision)
        binds = (asking_statements(program)[decision.site].bind,)
        variables = {each.name: each for each in part.variables}
        values = dict(zip(variables, said.values or (), strict=False))
    else:
        path = list(chooser.path(said))
        if isinstance(said, Shared) and len(path) == len(said.amounts):
            return tuple(path)
        raise NoSuchChoice("nothing is missing")
    for bind in binds:
        for name in bind.names:
            value = values.get(name)
            if name not in values:
                missing = True
            elif isinstance(value, tuple) and len(value) < bind.low:
                missing = True
                path += [member_key(variables[name], each, program) for each in value]
            else:
                path.append(value_key(variables[name], value, program))
    if not missing:
        raise NoSuchChoice("nothing is missing")
    return tuple(path)


def label(said: SaidMove, words: Wording, own: ReadingWords) -> str:
    match said:
        case SaidTaking(action, values):
            types = factors(words.program.actions[action])
            how = [words.value(values[n], type_) for n, type_ in types if n in values]
            name = words.action(action)
            if not how:
                return name
            return own.say("takes", action=name, how=", ".join(how))
        case Done():
            return own.say("stop")
        case _:
            return own.say("answer")
