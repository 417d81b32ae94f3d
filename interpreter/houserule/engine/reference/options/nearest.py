"""The takings of an action nearest to a partial one, legal or not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

from houserule.base.frozen import frozen
from houserule.engine.reference.choices import Act
from houserule.engine.reference.evaluate.context import Frame
from houserule.engine.reference.options.considered import Considered, consider
from houserule.engine.reference.options.product import Level
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
        free = frozenset(slot for slot in slots if considered.frame[slot] is None)
        work = [WORK]
        walk = _Walk(considered, list(considered.frame), free, work)
        legal = next(walk.takings(), None) is not None
        if legal or work[0] <= 0:
            return None
        return _missed(considered)
    finally:
        context.doing = before


def _missed(considered: Considered) -> NearMiss:
    plan, context, frame = considered.plan, considered.context, considered.frame
    said = {
        level.name: frame[level.slot]
        for level in plan.product.levels
        if frame[level.slot] is not None
    }
    for level in plan.product.levels:
        if level.name in said:
            continue
        tried = [
            consider(plan, context, frame[0], {**said, level.name: value})  # type: ignore[arg-type]  # a seat
            for value in islice(level.domain(context, list(considered.frame)), TRIED)
        ]
        if not tried:
            return NearMiss(considered, level.name)
        considered = min(tried, key=_refusing)
        said[level.name] = considered.frame[level.slot]
        if _refusing(considered):
            break
    return NearMiss(considered)


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
            walk = _Walk(considered, said, frozenset(free), work)
            for values in walk.takings():
                if values not in seen:
                    seen.add(values)
                    yield Act(plan.action.name, values)


class _Walk:
    """Iterates over takings that keep the given values except for some variables."""

    def __init__(
        self,
        considered: Considered,
        said: Frame,
        free: frozenset[int],
        work: list[int],
    ) -> None:
        self._product, self._context = considered.plan.product, considered.context
        self._said, self._free, self._work = said, free, work
        self._frame = list(said)

    def takings(self) -> Iterator[tuple[Data, ...]]:
        """Yield the values of each legal taking."""
        if self._product.open(self._context, self._frame):
            yield from self._from(0)

    def _from(self, number: int) -> Iterator[tuple[Data, ...]]:
        if number == len(self._product.levels):
            yield self._product.values(self._frame)
            return
        level = self._product.levels[number]
        for value in self._values(level):
            if self._work[0] <= 0:
                return
            self._work[0] -= 1
            self._frame[level.slot] = value
            if level.passes(self._context, self._frame):
                yield from self._from(number + 1)

    def _values(self, level: Level) -> list[Data]:
        """Return a variable's possible values, the nearest to the given one first."""
        said = self._said[level.slot]
        if level.slot not in self._free:
            return [said] if level.has(self._context, self._frame, said) else []
        found = list(islice(level.domain(self._context, self._frame), WIDTH))
        return found if said is None else sorted(found, key=lambda v: _apart(v, said))


def _apart(one: Data, other: Data) -> int:
    """Return how far two values of a variable are from each other."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(set(one) ^ set(other))
    if isinstance(one, int) and isinstance(other, int):
        return abs(one - other)
    return 0
