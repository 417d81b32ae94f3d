"""The takings of an action nearest to a partial one, legal or not."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import combinations, islice

from houserule.base.frozen import frozen
from houserule.engine.reference.choices import Act
from houserule.engine.reference.evaluate.context import Frame
from houserule.engine.reference.options.considered import Considered, consider
from houserule.ir.types import Data

WIDTH = 400
WORK = 6000
"""Maximal number of values tried, of one variable and in all."""
TRIED = 60
"""Maximal number of values of one variable that are judged if none is legal."""


@frozen
class NearMiss:
    """The taking that the fewest clauses refuse, if no legal one keeps the values.

    Its values end at the first variable at which clauses refuse it. `nothing` is the
    name of a variable that can have no value at all, else empty.
    """

    considered: Considered
    nothing: str = ""


def near_miss(considered: Considered) -> NearMiss | None:
    """Return the nearest taking; None if a legal one keeps the given values.

    Values are tried variable by variable, at most `TRIED` of each. Also None if a legal
    one was not found with bounded work: there may be one.
    """
    plan, context = considered.plan, considered.context
    before, context.doing = context.doing, plan.number
    try:
        slots = {level.slot for level in plan.product.levels}
        free = {slot for slot in slots if considered.frame[slot] is None}
        work = [WORK]
        legal = next(_takings(considered, list(considered.frame), free, work), None)
        if legal is not None or work[0] <= 0:
            return None
        frame = considered.frame
        said = {
            level.name: frame[level.slot]
            for level in plan.product.levels
            if frame[level.slot] is not None
        }
        for level in plan.product.levels:
            if level.name in said:
                continue
            every = islice(level.domain(context, list(considered.frame)), TRIED)
            tried = [
                consider(plan, context, frame[0], {**said, level.name: value})  # type: ignore[arg-type]  # a seat
                for value in every
            ]
            if not tried:
                return NearMiss(considered, level.name)
            considered = min(tried, key=_refusing)
            said[level.name] = considered.frame[level.slot]
            if _refusing(considered):
                break
        return NearMiss(considered)
    finally:
        context.doing = before


def _refusing(considered: Considered) -> int:
    return sum(each.holds is False for each in considered.judgements)


def nearest_takings(considered: Considered, most: int = 3) -> list[Act]:
    """Return up to `most` legal takings, those that keep the most given values first.

    Of several that keep as much, those stand first whose other values are nearest:
    numbers by their difference, sets by the members that differ. The work is bounded,
    so in a huge action some may not be found.
    """
    plan, context = considered.plan, considered.context
    before, context.doing = context.doing, plan.number
    try:
        return list(islice(_found(considered), most))
    finally:
        context.doing = before


def _found(considered: Considered) -> Iterator[Act]:
    plan, said = considered.plan, list(considered.frame)
    levels = plan.product.levels
    spoken = [level.slot for level in levels if said[level.slot] is not None]
    work = [WORK]
    seen: set[tuple[Data, ...]] = set()
    for given_up in range(len(spoken) + 1):
        for loose in combinations(spoken, given_up):
            free = {level.slot for level in levels} - (set(spoken) - set(loose))
            for values in _takings(considered, said, free, work):
                if values not in seen:
                    seen.add(values)
                    yield Act(plan.action.name, values)


def _takings(
    considered: Considered, said: Frame, free: AbstractSet[int], work: list[int]
) -> Iterator[tuple[Data, ...]]:
    """Yield the legal takings that keep the said values, except for free variables.

    The possible values of a variable are tried from the nearest to the said one on.
    """
    product, context, frame = considered.plan.product, considered.context, list(said)

    def walk(number: int) -> Iterator[tuple[Data, ...]]:
        if number == len(product.levels):
            yield product.values(frame)
            return
        level = product.levels[number]
        wanted = said[level.slot]

        def distance(value: Data) -> int:
            if isinstance(value, tuple) and isinstance(wanted, tuple):
                return len(set(value) ^ set(wanted))
            if isinstance(value, int) and isinstance(wanted, int):
                return abs(value - wanted)
            return 0

        if level.slot not in free:
            values = [wanted] if level.has(context, frame, wanted) else []
        else:
            values = list(islice(level.domain(context, frame), WIDTH))
            if wanted is not None:
                values.sort(key=distance)
        for value in values:
            if work[0] <= 0:
                return
            work[0] -= 1
            frame[level.slot] = value
            if level.passes(context, frame):
                yield from walk(number + 1)

    if product.open(context, frame):
        yield from walk(0)
