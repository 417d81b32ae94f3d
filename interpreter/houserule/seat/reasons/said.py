"""What is said of a move: a whole choice, or an action of which some is still open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from houserule.engine.choices import Act, Choice, Done
from houserule.frozen import frozen
from houserule.ir.types import Data
from houserule.record.names import factors, words_of
from houserule.seat.choosing.keys import SIMPLE, NoSuchChoice, Variable, read, value_in
from houserule.state.domains import plain

if TYPE_CHECKING:
    from houserule.ir import Program
    from houserule.narrate.wording import Wording
    from houserule.seat.reasons.reading_words import ReadingWords
    from houserule.state.domains import Json


@frozen
class SaidTaking:
    """An action with the values that are said of it, by the names of its variables."""

    action: str
    values: Mapping[str, Data]


SaidMove: TypeAlias = Choice | SaidTaking


def as_said(choice: SaidMove, program: Program) -> SaidMove:
    """Return a taking by the names of its variables; other choices as they are."""
    if not isinstance(choice, Act):
        return choice
    names = [name for name, _ in factors(program.actions[choice.action])]
    values = dict(zip(names, choice.args, strict=False))
    return SaidTaking(choice.action, values)


def as_choice(said: SaidMove, program: Program) -> Choice | None:
    """Return the choice that is meant; None as long as something is open."""
    if not isinstance(said, SaidTaking):
        return said
    names = [name for name, _ in factors(program.actions[said.action])]
    if any(name not in said.values for name in names):
        return None
    return Act(said.action, tuple(said.values[name] for name in names))


def recorded(said: SaidMove, site: str, program: Program) -> Json:
    """Return a move as in a record, as far as it is said."""
    if not isinstance(said, SaidTaking):
        return words_of(said, site, program)
    values: dict[str, Json] = {
        name: plain(said.values[name], type_, program.labels)
        for name, type_ in factors(program.actions[said.action])
        if name in said.values
    }
    return {said.action: values} if values else said.action


def said_of(path: Sequence[str], program: Program) -> SaidMove | None:
    """Return what the keys of a path say of a move, possible or not.

    None where they say what a clause asks to be chosen or shared out.

    Raises:
        NoSuchChoice: a key is none of the action that the path begins with.
    """
    head, *rest = read(path)
    if head.name in SIMPLE and not rest:
        return SIMPLE[head.name]
    action = program.actions.get(head.name)
    if action is None:
        return None
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


def label(said: SaidMove, words: Wording, own: ReadingWords) -> str:
    """Return a move in words."""
    match said:
        case SaidTaking(action, values):
            types = factors(words.program.actions[action])
            how = [words.value(values[n], type_) for n, type_ in types if n in values]
            name = words.action(action)
            if not how:
                return name
            return own.say("move_with", action=name, how=", ".join(how))
        case Done():
            return own.say("stop")
        case _:
            return own.say("answer")
