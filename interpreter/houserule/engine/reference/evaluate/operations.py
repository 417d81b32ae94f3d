"""Operations: the functions that the source of an expression calls.

An operation is here, and not in the source, if it raises a fault, if it needs several
statements, or if it counts work. `CALLED` has each of them by its name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import Any, Final, NoReturn

from houserule.base.algebra.subsets import alike_parts, subsets
from houserule.base.source import Span
from houserule.engine.reference.evaluate.context import (
    Args,
    Call,
    Code,
    Frame,
    GameContext,
    Truth,
    absent,
    as_set,
)
from houserule.engine.reference.evaluate.work import (
    MANY,
    STATEMENT,
    counted,
    counted_parts,
    spend,
)
from houserule.engine.state.faults import (
    BEYOND,
    DIFFER,
    F01,
    F02,
    F03,
    F06,
    F08,
    F12,
    F13,
    RuleFault,
)
from houserule.engine.state.layout import Axis, CellFamily
from houserule.ir.types import Data, Type

# ---- faults


def missing(span: Span) -> NoReturn:
    """Raise F03: a value that must be present is `none`."""
    raise absent(span)


def nobody(span: Span) -> NoReturn:
    """Raise F06: `me` is read, and no seat acts."""
    raise RuleFault(F06, "Nobody acts here, so `me` is nobody.", span)


def beyond(span: Span) -> NoReturn:
    """Raise F12: a value asks itself too deeply."""
    raise RuleFault(F12, BEYOND, span)


def any_of(
    ctx: GameContext,
    f: Frame,
    members: tuple[int, ...],
    count: int,
    up_to: bool,
    same: Truth,
    span: Span,
) -> tuple[int, ...]:
    """Return the first members of a set, if all are alike."""
    if count > len(members) and not up_to:
        said = f"{count} are to be moved, but only {len(members)} lie there."
        raise RuleFault(F02, said, span)
    if 0 < count < len(members) and not same(ctx, f):
        raise RuleFault(F13, DIFFER, span)
    return members[: max(count, 0)]


def outside(value: Data, name: str, type_: Type, span: Span) -> NoReturn:
    """Raise F01: a key or an argument is not in its type."""
    raise RuleFault(F01, f"`{name}` is {value}, outside {type_}.", span)


def ranged(
    value: Data, inside: Callable[[Data], bool], name: str, type_: Type, span: Span
) -> Data:
    """Return an argument; F01 if it is present and not in its parameter's type."""
    if value is not None and not inside(value):
        outside(value, name, type_, span)
    return value


def entry(rows: Sequence[Mapping[Data, Data]], subject: int | None, key: Data) -> Data:
    """Return a field with a key at that key; none for none."""
    return None if subject is None else rows[subject][key]


def divided(a: int, b: int, divide: Callable[[int, int], int], span: Span) -> int:
    """Return a quotient or remainder; F08 for a division by 0."""
    if b == 0:
        raise RuleFault(F08, f"The rules divide {a} by 0.", span)
    return divide(a, b)


def layered(found: Data, name: str, span: Span) -> int:
    """Return a number to which layers apply; F03 for none."""
    if not isinstance(found, int):
        raise RuleFault(F03, f"`{name}` is none: no layer applies.", span)
    return found


def applied(number: int, op: str, by: int) -> int:
    """Return a number after one step of a layer."""
    match op:
        case "times":
            return number * by
        case "plus":
            return number + by
        case "at least":
            return max(number, by)
        case _:
            return min(number, by)


# ---- places, calls, comparison with none


def number_of(family: CellFamily, keys: Sequence[Data], span: Span) -> int:
    """Return the number of a family's member; F03 and F01 have the span."""
    try:
        return family.index(keys)
    except RuleFault as fault:
        raise fault.located(span) from None


def off(place: int, axis: Axis, span: Span) -> NoReturn:
    """Raise F01: a key has no such place on its axis."""
    outside(place + axis.low, axis.name, axis.type, span)


def end_of(pile: Sequence[int], end: int) -> Data:
    """Return the first (0) or the last (-1) thing of a pile, or none."""
    return pile[end] if pile else None


def deep_in(pile: Sequence[int], deep: int, from_top: bool) -> Data:
    """Return the thing of a pile with `deep` things between it and an end, or none."""
    if not 0 <= deep < len(pile):
        return None
    return pile[-1 - deep] if from_top else pile[deep]


def call_present(
    call: Call, ctx: GameContext, args: Args, wanted: Sequence[bool]
) -> Data:
    """Return the result of a call; `none` if an argument is `none` that is `wanted`."""
    for value, present in zip(args, wanted, strict=True):
        if value is None and present:
            return None
    return call(ctx, args)


def imagined(
    ctx: GameContext, frame: Frame, taken: tuple[str, int, Args], body: Code, span: Span
) -> Data:
    """Return what an expression is after an action: its name, its seat, its values."""
    spend(ctx, STATEMENT, span)
    there = ctx.imagine(*taken)
    found = body(there, frame)
    ctx.left = there.left
    return found


def ordered(test: Callable[[int, int], bool], a: int | None, b: int | None) -> bool:
    """Compare two numbers; with none it is false."""
    return a is not None and b is not None and test(a, b)


def between(n: int | None, low: int, high: int) -> bool:
    """Test if a number is in a range; none is not."""
    return n is not None and low <= n <= high


def among(ctx: GameContext, value: Data, members: Data, span: Span) -> bool:
    """Test if a value is in a set; a large set counts as work."""
    if not isinstance(members, tuple):
        return False
    if len(members) > MANY:
        spend(ctx, len(members), span)
    return value in members


# ---- sets


def set_of(values: Sequence[int | None]) -> tuple[int, ...]:
    """Return the set of some values, without none."""
    return tuple(sorted({each for each in values if each is not None}))


def range_set(ctx: GameContext, low: int, high: int, span: Span) -> tuple[int, ...]:
    """Return the numbers from `low` to `high`, which count."""
    found = range(low, high + 1)
    spend(ctx, len(found), span)
    return tuple(found)


def combined(
    ctx: GameContext, op: str, members: tuple[int, ...], right: Data, span: Span
) -> tuple[int, ...]:
    """Return a set after `but`, `plus`, `within` or `beyond`; large ones count."""
    others = as_set(right)
    if len(members) + len(others) > MANY:
        spend(ctx, len(members) + len(others), span)
    match op:
        case "but":
            gone: Collection[int] = set(others) if len(others) > 1 else others
            return tuple([each for each in members if each not in gone])
        case "plus":
            return tuple(sorted({*members, *others}))
        case "within":
            kept = set(others)
            return tuple([each for each in members if each in kept])
        case _:
            return members[bisect_right(members, others[0]) :]


def reached(
    ctx: GameContext,
    frame: Frame,
    start: Data,
    slot: int,
    steps: tuple[Code, Truth | None],
    span: Span,
) -> tuple[int, ...]:
    """Return all members that steps lead to, through members that fulfil a test."""
    waiting = list(as_set(start))
    seen, found = set(waiting), []
    by, where = steps
    while waiting:
        member = waiting.pop()
        spend(ctx, 1, span)
        frame[slot] = member
        if where is not None and not where(ctx, frame):
            continue
        found.append(member)
        further = as_set(by(ctx, frame))
        waiting += [each for each in further if each not in seen]
        seen.update(further)
    return tuple(sorted(found))


def readings(
    ctx: GameContext, frame: Frame, dice: Sequence[int], slot: int, read: Code
) -> list[Data]:
    found: list[Data] = []
    for die in dice:
        frame[slot] = die
        found.append(read(ctx, frame))
    return found


def all_equal(shown: Sequence[Data]) -> bool:
    """Test if all readings are the same one, and not none."""
    same = not shown or shown.count(shown[0]) == len(shown)
    return len(shown) < 2 or (same and shown[0] is not None)


def all_different(shown: Sequence[Data]) -> bool:
    """Test if no two readings are equal; none equals none of them."""
    present = [each for each in shown if each is not None]
    return len(set(present)) == len(present)


# ---- queries


def best(ranks: Sequence[Any], things: Sequence[Data]) -> Sequence[Data]:
    """Return the things with the highest rank; a rank is a number or a tuple."""
    top = max(ranks, default=None)
    return [thing for rank, thing in zip(ranks, things, strict=True) if rank == top]


def only(things: Sequence[Data]) -> Data:
    """Return the single thing; `none` unless there is exactly one."""
    return things[0] if len(things) == 1 else None


# ---- interchangeable components


def are_alike(
    ctx: GameContext,
    pair: tuple[int, int],
    kind: str,
    rows: Sequence[object],
    known: bool,
    sets: Collection[str] | None,
) -> bool:
    """Test if two things are alike, as far as `ir.Alike` goes.

    Args:
        rows: what makes each thing of the kind what it is, by id.
        known: whether they must be known to the same seats.
        sets: the zones in whose sets both may lie; None if the place does not matter.
    """
    one, other = pair
    if rows[one] != rows[other]:
        return False
    store = ctx.store
    if known and store.known[kind][one] != store.known[kind][other]:
        return False
    if sets is None:
        return True
    lying = store.where[kind][one]
    inside = lying is None or lying[0] in sets
    return inside and lying == store.where[kind][other]


def classes(
    ctx: GameContext,
    frame: Frame,
    things: Sequence[int],
    slots: tuple[int, int],
    test: Truth,
    span: Span,
) -> list[list[int]]:
    """Return the classes of alike things, each sorted, by their least ids."""
    one, other = slots
    spend(ctx, len(things), span)
    found: list[list[int]] = []
    for thing in things:
        frame[other] = thing
        for each in found:
            frame[one] = each[0]
            if test(ctx, frame):
                each.append(thing)
                break
        else:
            found.append([thing])
    return found


def firsts(found: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple([each[0] for each in found])


def parts_of(
    ctx: GameContext,
    found: Sequence[Sequence[int]],
    low: int,
    high: int | None,
    span: Span,
) -> Iterator[Data]:
    """Yield the parts of a set, one of those that are alike; each counts."""
    for part in alike_parts(found, low, high):
        spend(ctx, 1, span)
        yield part


CALLED: Final[Mapping[str, object]] = {
    each.__name__: each
    for each in (
        *(
            missing,
            nobody,
            outside,
            beyond,
            ranged,
            entry,
            divided,
            layered,
            applied,
            any_of,
        ),
        *(number_of, off, end_of, deep_in, call_present, imagined),
        *(ordered, ge, le, gt, lt, between, among),
        *(set_of, range_set, combined, reached, readings, all_equal, all_different),
        *(best, only, are_alike, classes, firsts, parts_of),
        *(counted, counted_parts, subsets),
        *(abs, len, max, min, range, sorted, tuple),
    )
}
"""All that the source of an expression can call by name."""
