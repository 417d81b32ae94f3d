"""Interference: does an undeclared order of execution matter?

Additions of several units at one place must commute (E203), or never meet (E207). If an
order is released, the later step must not need the earlier one (E206).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from houserule import ir
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.frozen import frozen
from houserule.ir.access import Access
from houserule.ir.facts import Place
from houserule.ir.types import Data, Kind, Maybe
from houserule.ir.walk import bodies, conjuncts


@frozen
class Participant:
    """Something that runs at a place: its address, bodies, conditions and origin."""

    address: str
    bodies: tuple[ir.Body, ...]
    needs: tuple[ir.Condition, ...]
    origin: str
    node: ir.CoreNode
    guard: ir.Expr | None = None


def interference(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E203 and E207 for every pair that does not commute."""
    watchers: dict[str, list[Participant]] = {}  # of the changes of each value
    for reaction in program.reactions.values():
        if reaction.moment == "when":
            participant = _participant(program, reaction)
            watchers.setdefault(reaction.event, []).append(participant)
    meeting: list[tuple[str, Participant, Participant]] = []
    for place, participants in _meeting_places(program, watchers):
        for one, other in combinations(participants, 2):
            # Not if both begin with conditions that exclude each other, and that play
            # cannot change. Both run at one place, so their parameters are the same.
            starts, against = (
                [_expanded(conjuncts(each), program) for each in _guards(side)]
                for side in (one, other)
            )
            apart = all(
                any(_opposed(a, b) and not access.reads(a, b) for a, b in product(x, y))
                for x, y in product(starts, against)
            )
            if not (starts and against and apart):
                meeting.append((place, one, other))
    # Reactions to changes of different values that one body may change.
    written = [access.places_written(body) for body in bodies(program)]
    for value, another in combinations(watchers, 2):
        reads, others = access.value_reads(value), access.value_reads(another)
        if any(places & reads and places & others for places in written):
            place = f"when {value} and {another} change at once"
            pairs = product(watchers[value], watchers[another])
            meeting += [(place, *pair) for pair in pairs]
    for place, one, other in meeting:
        if one.origin == other.origin:
            continue
        shared = clash(one, other, access)
        if shared and not exclusive(one.needs, other.needs, program):
            own = next((each for each in (other, one) if not each.origin), None)
            if own is not None:
                body = own.bodies[-1].address
                ways = [f"hook the other one on it:  reaction … after {body}"]
            else:
                ways = [
                    f"forbid the pair:  excludes {other.origin}",
                    "write a bridge for both: `remove` one of them there, and hook a "
                    "copy of it after the other",
                ]
            yield fault(
                E203,
                f"{one.address} and {other.address} both run {place}, and it matters "
                f"which comes first: they meet on {_listed(shared)}.",
                one.node.span,
                others=(Label(other.node.span),),
                details=(
                    "Neither file is later: order never decides in this language.",
                ),
                fixes=(
                    *ways,
                    "let their needs exclude each other",
                    "begin both with `if`, with conditions that exclude each other and "
                    "that play cannot change",
                ),
            )
    for phase in (*program.phases.values(), program.root):
        # Automatic steps and phases without an order must commute.
        starting = sorted(
            (
                Participant(name, access.child_bodies(name), (), "", item, item.guard)
                for name in phase.items
                if (item := program.phases.get(name) or program.steps[name])
                and (isinstance(item, ir.PhaseDef) or item.body is not None)
            ),
            key=lambda each: each.node.span,
        )
        for one, other in combinations(starting, 2):
            pair = (one.address, other.address)
            ordered = any(a in phase.before.get(b, ()) for a, b in (pair, pair[::-1]))
            if ordered or {pair, pair[::-1]} & {*phase.released}:
                continue
            shared = clash(one, other, access)
            guards = [
                _expanded(conjuncts(each.guard), program) for each in (one, other)
            ]
            if shared and not any(_opposed(a, b) for a, b in product(*guards)):
                yield fault(
                    E203,
                    f"{one.address} and {other.address} have no order, and it matters "
                    f"which comes first: they meet on {_listed(shared)}.",
                    one.node.span,
                    others=(Label(other.node.span),),
                    details=(
                        "Lines and files decide no order: without one, steps and "
                        "phases run alphabetically.",
                    ),
                    fixes=(
                        f"put them in an order:  order {one.address} then "
                        f"{other.address}",
                        "forbid the pair:  excludes …",
                    ),
                )
    for effect in program.effects.values():
        replacements = sorted(
            (program.reactions[name] for name in effect.instead),
            key=lambda each: each.span,
        )
        for first, second in combinations(replacements, 2):
            if not exclusive(first.needs, second.needs, program):
                yield fault(
                    E207,
                    f"{first.name} and {second.name} may both want to happen instead "
                    f"of {effect.name}.",
                    first.span,
                    others=(Label(second.span),),
                    details=(
                        "Only one replacement can take place; their needs must "
                        "exclude each other.",
                    ),
                    fixes=(
                        f"needs {second.name}.…: a condition that fails where "
                        f"{first.name} holds",
                    ),
                )


def clash(one: Participant, other: Participant, access: Access) -> frozenset[Place]:
    """Return the places on which two participants do not commute."""
    found: set[Place] = set()
    first, second = access.writes(*one.bodies), access.writes(*other.bodies)
    reads = {one.address: _reads(one, access), other.address: _reads(other, access)}
    for write in first:
        for against in second:
            alike = (write.adds and against.adds) or ir.is_kept(write.place[1])
            if write.place == against.place and not alike:
                found.add(write.place)
        if write.place in reads[other.address]:
            found.add(write.place)
    found |= {
        against.place for against in second if against.place in reads[one.address]
    }
    return frozenset(found)


def _guards(participant: Participant) -> list[ir.Expr]:
    """Return the conditions without which a participant does nothing.

    Empty if a body is more than an `if` without `else`.
    """
    found: list[ir.Expr] = []
    for body in participant.bodies:
        match body.block:
            case (ir.When(rows, otherwise=()),):
                found += [test for test, _ in rows]
            case _:
                return []
    return found


def _reads(participant: Participant, access: Access) -> frozenset[Place]:
    bodies_inside = access.all_bodies(*participant.bodies)
    asked = [*participant.needs, *([participant.guard] if participant.guard else [])]
    found = access.reads(*asked) | access.body_reads(*bodies_inside)
    if isinstance(participant.node, ir.PhaseDef):
        found |= _wanted(access.program, participant.node.name, access)
    return found


def _meeting_places(
    program: ir.Program, watchers: Mapping[str, Sequence[Participant]]
) -> Iterator[tuple[str, Sequence[Participant]]]:
    """Yield every place where bodies of several units meet, with those bodies.

    There are three kinds: hooks around one body or phase, clauses that units add to
    one effect or action, and reactions to changes of one value.
    """
    for body in bodies(program):
        yield from _around(program, body.address, body.before, body.after)
    for phase in program.phases.values():
        yield from _around(program, phase.name, phase.before_hooks, phase.after_hooks)
    # The base game's clauses come first, in order; only added ones can swap.
    owners: list[ir.EffectDef | ir.ActionDef] = [*program.effects.values()]
    owners += program.actions.values()
    for owner in owners:
        yield (
            f"in {owner.name}",
            [
                Participant(body.address, (body,), (), origin, body)
                for body in owner.does
                if (origin := _origin(program, body.address))
            ],
        )
    for value, participants in watchers.items():
        yield f"when {value} changes", participants


def _around(
    program: ir.Program, what: str, before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[str, Sequence[Participant]]]:
    for when, names in (("before", before), ("after", after)):
        if len(names) > 1:
            hooks = (program.reactions[name] for name in names)
            yield f"{when} {what}", [_participant(program, each) for each in hooks]


def _participant(program: ir.Program, reaction: ir.ReactionDef) -> Participant:
    origin = _origin(program, reaction.name)
    return Participant(reaction.name, reaction.does, reaction.needs, origin, reaction)


def _origin(program: ir.Program, address: str) -> str:
    clause = program.clauses.get(address)
    return clause.origin if clause else ""


E203 = MessageCode("E203", "order of clauses matters")
"""Two clauses run at the same place, or two automatic steps or phases of one phase have
no order, and it matters which comes first.

**Why.** Variants have no order. If one writes what the other reads, the result would
depend on an order. Lines do not decide it either: automatic steps and phases without an
order run alphabetically, so a new name would change the game.

**For example**

```text
reaction double after throw.keep      # in one variant
  does more: pot gains pot
reaction bonus after throw.keep       # in another
  does more: pot gains 5
```

**Fix.** Of two variants, let one exclude the other (`excludes OTHER`), or write a
bridge: `remove` one clause there, and hook a copy of it on the other
(`after OTHER.clause`). Or combine both as layers of a value. Conditions that cannot
hold at once also help, such as `needs low: die.face is 1` and `needs high: die.face is
6`. If each is for one case, such as one card, begin both with `if`: `does
special.witch: if k is witch: …` and `does special.chapel: if k is chapel: …`. Play
cannot change what these conditions read. Put steps in an order: `order ONE then OTHER`.
"""


def _listed(places: frozenset[Place]) -> str:
    """Return the names of places as a list in words."""
    names = {
        f"what is counted of {ir.kept_of(name)}" if ir.is_kept(name) else name
        for _, name in places
    }
    return ", ".join(sorted(names))


E207 = MessageCode("E207", "overlapping replacements")
"""Two replacements of one effect may both apply.

**Why.** `instead of` replaces the original; two reactions cannot both do so. Their
conditions must exclude each other.

**For example**

```rules
reaction veto instead of destroy(c)
  needs low: c.income is 1
reaction rescue instead of destroy(c)
  needs big: c.big_number is 6
```

**Fix.** Make the conditions exclude each other, or write a bridge.
"""


# ---- conditions that cannot hold at once


def exclusive(
    one: Iterable[ir.Condition], other: Iterable[ir.Condition], program: ir.Program
) -> bool:
    """Return whether two sets of conditions are provably exclusive.

    True is a proof: two tests contradict each other literally, or no action satisfies
    all tests on `doing`. False only means that no proof was found.
    """
    first = _expanded(_tests(one), program)
    second = _expanded(_tests(other), program)
    if any(_opposed(a, b) for a, b in product(first, second)):
        return True
    doing = [each for each in map(_about_doing, (*first, *second)) if each is not None]
    return len(doing) > 1 and not frozenset.intersection(*doing)


def _tests(conditions: Iterable[ir.Condition]) -> list[ir.Expr]:
    return [
        test
        for condition in conditions
        if not condition.lifts
        for test in conjuncts(condition.test)
    ]


_OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", "<": ">=", "<=": ">", ">": "<="}


def _opposed(one: ir.Expr, other: ir.Expr) -> bool:
    match one, other:
        case ir.Unary("not", inner), _ if inner == other:
            return True
        case _, ir.Unary("not", inner) if inner == one:
            return True
        case ir.CompareValues(op, a, b), ir.CompareValues(op2, c, d) if (a, b) == (
            c,
            d,
        ):
            return _OPPOSITE[op] == op2
        case _:
            first, second = _one_of(one), _one_of(other)
            return (
                first is not None
                and second is not None
                and first[0] == second[0]
                and first[1].isdisjoint(second[1])
            )


def _one_of(expr: ir.Expr) -> tuple[ir.Expr, frozenset[Data]] | None:
    """Return what a test compares with constants, and those for which it holds."""
    match expr:
        case ir.CompareValues("==", subject, ir.Const(value)):
            return subject, frozenset([value])
        case ir.In(subject, ir.Const(tuple() as values)):
            return subject, frozenset(values)
        case ir.In(subject, ir.MakeSet(items)):
            known = [each.value for each in items if isinstance(each, ir.Const)]
            return (subject, frozenset(known)) if len(known) == len(items) else None
        case _:
            return None


def _about_doing(expr: ir.Expr) -> frozenset[int] | None:
    """Return the actions for which a test on `doing` holds, None for other tests.

    -1 means none: `doing` is none in automatic steps, and `is not` holds there.
    """
    match expr:
        case ir.CompareValues("!=", ir.Doing(type_), ir.Const(value)):
            return _actions(type_) - {value}
        case _:
            found = _one_of(expr)
            if found is None or not isinstance(found[0], ir.Doing):
                return None
            return _actions(found[0].type) & found[1]


def _actions(type_: object) -> frozenset[int]:
    kind = type_.inner if isinstance(type_, Maybe) else type_
    assert isinstance(kind, Kind)
    return frozenset(range(-1, kind.size))


def _expanded(tests: list[ir.Expr], program: ir.Program) -> list[ir.Expr]:
    """Return the tests, with definitions for yes/no values that take no arguments."""
    found: list[ir.Expr] = []
    for test in tests:
        if isinstance(test, ir.CallValue) and not test.args:
            value = program.values[test.value]
            found += conjuncts(value.whole)
            continue
        found.append(test)
    return found


# ---- released order


def released_order(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E206 for every released pair whose later step reads what the first sets."""
    for phase in (*program.phases.values(), program.root):
        for first, second in phase.released:
            if first in phase.before.get(second, ()) or not _certain(program, first):
                continue
            bodies = access.child_bodies(first)
            written = frozenset(
                (sort, name)
                for sort, name in access.places_written(*bodies)
                if sort in {"zone", "face"}
                or (sort == "state" and program.states[name].life)
            )
            lost = written & _wanted(program, second, access)
            if lost:
                names = ", ".join(sorted(name for _, name in lost))
                yield fault(
                    E206,
                    f"{second} reads {names}, which {first} sets. With that order "
                    f"released, {second} could come first.",
                    phase.span,
                    fixes=(
                        f"keep that order:  order {first} then {second}",
                        f"give {second} its own condition:  needs {second}.…: …",
                    ),
                )


def _certain(program: ir.Program, name: str) -> bool:
    """Return whether a child certainly runs: it or a child of it is automatic."""
    if name in program.steps:
        return program.steps[name].mode is None
    return any(_certain(program, item) for item in program.phases[name].items)


def _wanted(program: ir.Program, name: str, access: Access) -> frozenset[Place]:
    if name in program.steps:
        step = program.steps[name]
        found = frozenset().union(
            *(access.judging(program.actions[each]) for each in step.actions)
        )
        if step.body is not None:
            found |= access.body_reads(step.body)
        return found
    phase = program.phases[name]
    judged = (access.judging(program.actions[each]) for each in phase.actions)
    inside = (_wanted(program, each, access) for each in phase.items)
    return access.reads(phase).union(*judged, *inside)


E206 = MessageCode("E206", "released order is needed")
"""A variant released an order, and a clause relied on it.

**Why.** A clause reads what another one writes in the same turn. Without the order, it
may read too early.

**For example**

```text
release rolling then founding      # founding reads the dice
```

**Fix.** Keep that order, or give the clause its own condition.
"""
