"""Parts of a choice: the actions of a phase, and the variables of each.

A choice and a share have variables just as actions do. `settled` returns the next open
variable after some values are chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import TypeAlias

from houserule.base.algebra.graph import in_order
from houserule.base.frozen import frozen
from houserule.engine.reference.choices import Act, Choice, Picked, Shared
from houserule.engine.reference.options.options import (
    ActOptions,
    Decision,
    PickOptions,
    ShareOptions,
)
from houserule.engine.reference.options.steps import Exactly, Holding, Steps, Way
from houserule.engine.state.domains import plain
from houserule.ir import Program
from houserule.ir.types import Data, Type, Whole
from houserule.ir.walk import asking_statements, factors, site_name
from houserule.play.seat.choosing.keys import NoSuchChoice, PathKey, Variable, value_in
from houserule.play.seat.seat_model import COUNTED

FEW_SETS = 12  # up to this many sets are listed; beyond, members are added singly

MOST_IN_GRID = 200  # choices of two numbers that are listed as a grid
MOST_SETS = 31  # different sets that are offered
MOST_GROUPS = 6  # groups of alike members that are offered if sets are more

DisplayValue: TypeAlias = dict[int, Exactly | Holding]


@frozen
class ChoicePart:
    """Variables with their steps, and conversions between values and choices.

    Attributes:
        head: the keys before the variables' keys: an action, or nothing.
        subject: the key of its texts: an action, or the clause that asks.
        make, values: convert values to a choice, and back.
        members: for a share, the members by id, one for each variable; else empty.
        over: for a share, the type of the members.
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

    def said(self, keys: Iterable[PathKey]) -> DisplayValue:
        """Return the values of the variables that the keys give.

        Raises:
            NoSuchChoice: a key names none of these variables, or an impossible value.
        """
        numbers = {variable.key: n for n, variable in enumerate(self.variables)}
        found: DisplayValue = {}
        for key in keys:
            number = numbers.get(key.name)
            if number is None or not key.sign:
                raise NoSuchChoice(f"`{key.name}` is not asked here")
            before = found.get(number)
            value = value_in(key, self.variables[number], self.program)
            held = before.members if isinstance(before, Holding) else ()
            if isinstance(before, Exactly):
                raise NoSuchChoice(f"`{key.name}` is given twice")
            if key.sign == "+":
                if not isinstance(value, int) or not self.steps.is_set(number):
                    raise NoSuchChoice(f"`{key.name}` is not a set")
                found[number] = Holding(tuple(sorted({*held, value})))
                continue
            if held and not (isinstance(value, tuple) and set(held) <= set(value)):
                raise NoSuchChoice(f"`{key.name}` leaves out what was put into it")
            found[number] = Exactly(value)
        return found


# ---- positions of a path


@frozen
class Place:
    """The settled values of a choice, and its next variable.

    Attributes:
        said: the chosen and the forced values.
        asked: the index of the next open variable; None if all are settled.
        ways: its possible values, or the members that may be added to it.
        adding: whether `ways` are members.
        enough: how many options need no more members, if `adding`.
    """

    part: ChoicePart
    said: DisplayValue
    asked: int | None = None
    ways: tuple[Way, ...] = ()
    adding: bool = False
    enough: int = 0

    @property
    def only(self) -> Exactly | Holding:
        """Return the forced value of the open variable if only one is left."""
        assert self.asked is not None
        held = self.said.get(self.asked)
        members = held.members if isinstance(held, Holding) else ()
        if self.enough:
            return Exactly(members)
        value = self.ways[0].value
        if self.adding and isinstance(value, int):
            return Holding(tuple(sorted((*members, value))))
        return Exactly(value)


def settled(part: ChoicePart, said: DisplayValue) -> Place:
    """Return the next open variable; forced values are filled in."""
    found = next_place(part, said)
    while found.asked is not None and len(found.ways) + bool(found.enough) == 1:
        said = {**said, found.asked: found.only}
        found = next_place(part, said)
    return found


def next_place(part: ChoicePart, said: DisplayValue) -> Place:
    """Return the first variable that is not settled."""
    every = range(len(part.variables))
    asked = next((n for n in every if not isinstance(said.get(n), Exactly)), None)
    if asked is None:
        return Place(part, said)
    steps, most, held = part.steps, COUNTED + 1, said.get(asked)
    # Interchangeable components are listed one by one: a player may mean any of them.
    few = 1 if isinstance(held, Holding) or steps.has_alike(asked) else FEW_SETS
    listed = few + 1 if steps.is_set(asked) else None
    ways = steps.ways(said, asked, most, listed)
    if listed is None or len(ways) < listed:
        return Place(part, said, asked, tuple(ways))
    members = held.members if isinstance(held, Holding) else ()
    enough = steps.count({**said, asked: Exactly(members)}, most)
    more = steps.more(said, asked, most)
    return Place(part, said, asked, tuple(more), adding=True, enough=enough)


# ---- the parts


@lru_cache(maxsize=128)
def actions_of(program: Program, phase: str) -> tuple[str, ...]:
    """Return all actions of a phase in their order of appearance.

    The order is by step: first the base game's actions as written, then others by name.
    A released ordering counts, so releasing one moves no action.
    """
    node = program.phases.get(phase, program.root)
    waits = {name: set(node.before.get(name, ())) for name in node.items}
    for before, after in node.released:
        waits[after].add(before)
    steps = [
        program.steps[name]
        for name in in_order(_as_written(program, node.items), waits)
        if name in program.steps
    ]
    return tuple(
        action
        for actions in (*(step.actions for step in steps), node.actions)
        for action in _as_written(program, actions)
    )


def _as_written(program: Program, names: Iterable[str]) -> list[str]:
    """Return names of the base game in textual order, then others by name."""
    nodes = {**program.phases, **program.steps, **program.actions}

    def place(name: str) -> tuple[bool, int, str]:
        clause = program.clauses.get(name)  # None for clauses that remember a history
        added = clause is not None and bool(clause.origin)
        return added, 0 if added else nodes[name].span.line, name

    return sorted(names, key=place)


def act_part(program: Program, options: ActOptions, action: str) -> ChoicePart:
    """Return the choice that an open action asks for.

    Raises:
        NoSuchChoice: the action is not open.
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
    """Return the choice that `choose` asks for."""
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
    """Return the choice that a share asks for: an amount for each member."""
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
        options.steps(),
        make,
        values,
        options.over,
        bind.type,
    )


# ---- whole choices side by side: each is one click instead of several


def whole_choices(
    part: ChoicePart, said: DisplayValue, most: int
) -> list[tuple[Data, ...]] | None:
    """Return the values of all choices with the chosen values, in order.

    None if there are more than `most`, or a set is chosen member by member.
    """
    if part.steps.count(said, most + 1) > most:
        return None
    place = next_place(part, said)
    if place.asked is None:
        only = part.steps.first(said)
        return [] if only is None else [only]
    found: list[tuple[Data, ...]] = []
    for way in () if place.adding else place.ways:
        known = {**said, place.asked: Exactly(way.value)}
        found += whole_choices(part, known, most) or []
    return found or None


def open_variables(part: ChoicePart, said: DisplayValue) -> list[int]:
    every = range(len(part.variables))
    return [n for n in every if not isinstance(said.get(n), Exactly)]


def rows_of(
    part: ChoicePart, said: DisplayValue
) -> Mapping[Data, list[tuple[Data, ...]]]:
    """Return all choices of two open variables by the value of the first.

    Empty if others are open, if one is a set, or if they are too many.
    """
    asked = open_variables(part, said)
    if len(asked) != 2 or any(part.steps.is_set(n) for n in asked) or part.members:
        return {}
    rows: dict[Data, list[tuple[Data, ...]]] = {}
    for values in whole_choices(part, said, MOST_IN_GRID) or ():
        rows.setdefault(values[asked[0]], []).append(values)
    return rows if len(rows) > 1 else {}


def common_sets(
    members: Sequence[int], word: Callable[[int], str]
) -> Iterator[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """Yield sets that people name easily: how, with which words, and the members.

    Members with the same word are alike. If there are few different sets, all are
    yielded; else those of whole groups: "all", "all but suns", "only moons".
    """
    groups: dict[str, list[int]] = {}
    for each in members:
        groups.setdefault(word(each), []).append(each)
    amounts = [range(len(some) + 1) for some in groups.values()]
    if prod(map(len, amounts)) <= MOST_SETS + 1:
        for taken in sorted(product(*amounts), key=sum, reverse=True):
            rows = list(zip(groups.items(), taken, strict=True))
            chosen = tuple(sorted(e for (_, some), n in rows for e in some[:n]))
            within = tuple(name for (name, _), n in rows for _ in range(n))
            without = tuple(name for (name, some), n in rows for _ in some[n:])
            if not without:
                yield "all", (), chosen
            elif within:
                most = len(without) < len(within)
                yield ("all_but", without, chosen) if most else ("only", within, chosen)
        return
    yield "all", (), tuple(sorted(members))
    if 1 < len(groups) <= MOST_GROUPS:
        for name, some in groups.items():
            rest = tuple(sorted({*members} - {*some}))
            yield "all_but", (name,), rest
            yield "only", (name,), tuple(some)
