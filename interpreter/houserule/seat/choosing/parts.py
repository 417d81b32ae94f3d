"""What is built step by step: the variables of an action, a choice or a share."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from houserule.engine.choices import Act, Choice, Picked, Shared
from houserule.engine.options.options import ActOptions, PickOptions, ShareOptions
from houserule.engine.options.steps import Exactly, Holding
from houserule.ir.types import Data, Type, Whole
from houserule.ir.walk import asking_statements
from houserule.record.names import factors
from houserule.seat.choosing.keys import NoSuchChoice, Variable, value_in
from houserule.state.domains import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from houserule.engine.options.options import Decision
    from houserule.engine.options.steps import Steps
    from houserule.ir import Program
    from houserule.seat.choosing.keys import PathKey

Said: TypeAlias = dict[int, Exactly | Holding]


@dataclass(frozen=True, slots=True)
class ChoicePart:
    """Variables with their steps, and the choice that their values make.

    Attributes:
        head: the keys before those of the variables: an action, or nothing.
        subject: what texts about it go by: an action, or the clause that asks.
        make, values: from values of the variables to the choice, and back.
        members: of a share, the members by id, one a variable; else nothing.
        over: of a share, the type of the members.
    """

    program: Program
    head: tuple[str, ...]
    subject: str
    variables: tuple[Variable, ...]
    steps: Steps
    make: Callable[[Sequence[Data]], Choice]
    values: Callable[[Choice], tuple[Data, ...]]
    members: tuple[int, ...] = ()
    over: Type | None = None

    def said(self, keys: Iterable[PathKey]) -> Said:
        """Return what keys say of the variables.

        Raises:
            NoSuchChoice: a key is none of these variables, or says what cannot be.
        """
        numbers = {variable.key: n for n, variable in enumerate(self.variables)}
        found: Said = {}
        for key in keys:
            number = numbers.get(key.name)
            if number is None or not key.sign:
                raise NoSuchChoice(f"`{key.name}` is not asked here")
            self._say(found, number, key)
        return found

    def _say(self, found: Said, number: int, key: PathKey) -> None:
        before = found.get(number)
        value = value_in(key, self.variables[number], self.program)
        held = before.members if isinstance(before, Holding) else ()
        if isinstance(before, Exactly):
            raise NoSuchChoice(f"`{key.name}` is said twice")
        if key.sign == "+":
            if not isinstance(value, int) or not self.steps.is_set(number):
                raise NoSuchChoice(f"`{key.name}` is no set")
            found[number] = Holding(tuple(sorted({*held, value})))
            return
        if held and not (isinstance(value, tuple) and set(held) <= set(value)):
            raise NoSuchChoice(f"`{key.name}` leaves out what was put into it")
        found[number] = Exactly(value)


def site_name(site: str) -> str:
    """Return the clause of a site: without the number that tells its choices apart."""
    return re.sub(r"\.\d+$", "", site)


def act_part(program: Program, options: ActOptions, action: str) -> ChoicePart:
    """Return what is built of an action that is open.

    Raises:
        NoSuchChoice: it is not open.
    """
    if action not in options.actions:
        raise NoSuchChoice(f"`{action}` is not open here")
    variables = [Variable(n, n, type_) for n, type_ in factors(program.actions[action])]

    def values(choice: Choice) -> tuple[Data, ...]:
        assert isinstance(choice, Act)
        return choice.args

    return ChoicePart(
        program,
        (action,),
        action,
        tuple(variables),
        options.steps(action),
        lambda values: Act(action, tuple(values)),
        values,
    )


def pick_part(program: Program, options: PickOptions, decision: Decision) -> ChoicePart:
    """Return what is built of an answer to `choose`."""
    bind = asking_statements(program)[decision.site].bind
    several = len(bind.names) > 1
    variables = [
        Variable(name, f"choose:{name}" if several else "choose", bind.type)
        for name in bind.names
    ]

    def values(choice: Choice) -> tuple[Data, ...]:
        assert isinstance(choice, Picked)
        return choice.values or ()

    return ChoicePart(
        program,
        (),
        site_name(decision.site),
        tuple(variables),
        options.steps(),
        lambda values: Picked(tuple(values)),
        values,
    )


def share_part(
    program: Program, options: ShareOptions, decision: Decision
) -> ChoicePart:
    """Return what is built of a share: how much each member gets."""
    bind = asking_statements(program)[decision.site].bind
    names = [str(plain(each, bind.type, program.labels)) for each in options.over]
    amount = Whole(0, options.amount)
    variables = [Variable(bind.names[0], f"share:{name}", amount) for name in names]

    def make(values: Sequence[Data]) -> Choice:
        amounts = zip(options.over, values, strict=True)
        return Shared(tuple((who, n) for who, n in amounts if isinstance(n, int) and n))

    def values(choice: Choice) -> tuple[Data, ...]:
        assert isinstance(choice, Shared)
        given = dict(choice.amounts)
        return tuple(given.get(who, 0) for who in options.over)

    return ChoicePart(
        program,
        (),
        site_name(decision.site),
        tuple(variables),
        options.steps(names),
        make,
        values,
        options.over,
        bind.type,
    )
