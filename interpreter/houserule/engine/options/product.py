"""Options as a lazy product of factors: counted, indexed and walked, never listed.

A product has levels, one a variable. Each level has a domain, which may read earlier
variables, and tests that are made as soon as all they read is bound. Where the rest of
the levels reads nothing of the earlier ones, its count is worked out once. Members and
subsets that nothing tests, and that nothing else reads, are counted and numbered by
formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from houserule import ir
from houserule.engine.evaluate.context import Frame, GameContext, Items, Members, Truth
from houserule.engine.evaluate.expressions import Evaluator
from houserule.engine.evaluate.queries import items
from houserule.ir.subsets import count_subsets, unrank_subset
from houserule.ir.types import Data
from houserule.ir.walk import slots_read

Membership: TypeAlias = Callable[[GameContext, Frame, Data], bool]


@dataclass(frozen=True, slots=True)
class Guard:
    """A test and the slots it reads."""

    test: Truth
    reads: frozenset[int]


@dataclass(frozen=True, slots=True)
class Level:
    """One variable: its slot, its name, its domain and what is tested once it is bound.

    `reads` are the slots that the domain and the tests read. `subsets` says of which
    members the domain is the subsets, if it is; `members` are these, or the domain.
    """

    slot: int
    name: str
    domain: Items
    has: Membership
    tests: tuple[Truth, ...]
    reads: frozenset[int]
    members: Members
    subsets: SubsetDomain | None = None


@dataclass(frozen=True, slots=True)
class SubsetDomain:
    """The subsets of some members, of a least and a greatest size."""

    members: Members
    low: int
    high: int | None

    def count(self, ctx: GameContext, frame: Frame) -> int:
        """Return how many there are."""
        return count_subsets(len(self.members(ctx, frame)), self.low, self.high)

    def at(self, ctx: GameContext, frame: Frame, index: int) -> tuple[int, ...]:
        """Return the one with a number, from 0; IndexError if there is none."""
        return unrank_subset(self.members(ctx, frame), self.low, self.high, index)


@dataclass(frozen=True, slots=True)
class MemberDomain:
    """The members of a set, in its order."""

    members: Members

    def count(self, ctx: GameContext, frame: Frame) -> int:
        """Return how many there are."""
        return len(self.members(ctx, frame))

    def at(self, ctx: GameContext, frame: Frame, index: int) -> int:
        """Return the one with a number, from 0; IndexError if there is none."""
        return self.members(ctx, frame)[index]


class Product:
    """A product of levels over one frame.

    `first` are tests that read no variable of the product.
    """

    def __init__(self, levels: Sequence[Level], first: Sequence[Truth]) -> None:
        self.levels = tuple(levels)
        self.first = tuple(first)
        self.separate = tuple(self._stands_alone(k) for k in range(len(levels) + 1))
        """By level, whether it and those behind it read nothing bound before it."""
        self.by_formula = tuple(
            level.subsets or MemberDomain(level.members)
            if self.separate[k + 1] and not level.tests
            else None
            for k, level in enumerate(levels)
        )
        """By level, what is counted and numbered by formula, or None."""

    def _stands_alone(self, start: int) -> bool:
        """Say whether the levels from `start` on read no variable bound before."""
        before = {level.slot for level in self.levels[:start]}
        return not any(level.reads & before for level in self.levels[start:])

    def open(self, ctx: GameContext, frame: Frame) -> bool:
        """Say whether the tests hold that need no variable."""
        return all(test(ctx, frame) for test in self.first)

    def walk(self, ctx: GameContext, frame: Frame, level: int = 0) -> Iterator[None]:
        """Yield once for each member of the product, its values in the frame."""
        if level == 0 and not self.open(ctx, frame):
            return
        if level == len(self.levels):
            yield None
            return
        this = self.levels[level]
        for value in this.domain(ctx, frame):
            frame[this.slot] = value
            if all(test(ctx, frame) for test in this.tests):
                yield from self.walk(ctx, frame, level + 1)

    def any(self, ctx: GameContext, frame: Frame) -> bool:
        """Say whether the product has a member."""
        return next(self.walk(ctx, frame), self) is None

    def count(self, ctx: GameContext, frame: Frame) -> int:
        """Return how many members the product has."""
        return self._count(ctx, frame, 0, {}) if self.open(ctx, frame) else 0

    def _count(
        self, ctx: GameContext, frame: Frame, level: int, known: dict[int, int]
    ) -> int:
        if level == len(self.levels):
            return 1
        if level in known:
            return known[level]
        this, formula, total = self.levels[level], self.by_formula[level], 0
        if formula is not None:
            total = formula.count(ctx, frame)
            total *= self._count(ctx, frame, level + 1, known) if total else 0
        else:
            for value in this.domain(ctx, frame):
                frame[this.slot] = value
                if all(test(ctx, frame) for test in this.tests):
                    total += self._count(ctx, frame, level + 1, known)
        if self.separate[level]:
            known[level] = total
        return total

    def seek(self, ctx: GameContext, frame: Frame, index: int) -> None:
        """Leave the values of the member number `index` (from 0) in the frame.

        Raises:
            IndexError: the product has no such member.
        """
        known: dict[int, int] = {}
        if not self.open(ctx, frame):
            raise IndexError(index)
        for number, this in enumerate(self.levels):
            formula = self.by_formula[number]
            if formula is not None:
                inner = max(1, self._count(ctx, frame, number + 1, known))
                frame[this.slot] = formula.at(ctx, frame, index // inner)
                index %= inner
                continue
            for value in this.domain(ctx, frame):
                frame[this.slot] = value
                if not all(test(ctx, frame) for test in this.tests):
                    continue
                inner = self._count(ctx, frame, number + 1, known)
                if index < inner:
                    frame[this.slot] = value
                    break
                index -= inner
            else:
                raise IndexError(index)
        if index:
            raise IndexError(index)

    def holds(self, ctx: GameContext, frame: Frame, values: Sequence[Data]) -> bool:
        """Say whether these values are a member; they are left in the frame."""
        if len(values) != len(self.levels) or not self.open(ctx, frame):
            return False
        for level, value in zip(self.levels, values, strict=True):
            frame[level.slot] = value
            inside = level.has(ctx, frame, value)
            if not inside or not all(test(ctx, frame) for test in level.tests):
                return False
        return True

    def values(self, frame: Frame) -> tuple[Data, ...]:
        """Return the values of the variables that stand in the frame."""
        return tuple(frame[level.slot] for level in self.levels)


def membership(bind: ir.Bind, evaluator: Evaluator) -> Membership:
    """Return the test whether a value is in the domain of a binder's variable."""
    members = evaluator.members(bind.source)
    if bind.how == "member":
        return lambda ctx, frame, value: value in members(ctx, frame)
    return _is_subset(members, bind.low, bind.high)


def _is_subset(members: Members, low: int, high: int | None) -> Membership:
    def has(ctx: GameContext, frame: Frame, value: Data) -> bool:
        if not isinstance(value, tuple) or tuple(sorted(set(value))) != value:
            return False
        fits = low <= len(value) and (high is None or len(value) <= high)
        return fits and set(value) <= set(members(ctx, frame))

    return has


def build(
    binds: Sequence[ir.Bind], guards: Sequence[Guard], evaluator: Evaluator
) -> Product:
    """Return the product of some binders; each guard is tested as early as it can.

    That is with the last of the variables it reads. A guard that reads no variable of
    the product is tested once, before the first.
    """
    plain = [
        (slot, name, bind)
        for bind in binds
        for slot, name in zip(bind.slots, bind.names, strict=True)
    ]
    own = {slot for slot, _, _ in plain}
    place = {slot: number for number, (slot, _, _) in enumerate(plain)}
    at: list[list[Guard]] = [[] for _ in plain]
    first: list[Truth] = []
    for guard in guards:
        needed = guard.reads & own
        if needed:
            at[max(place[slot] for slot in needed)].append(guard)
        else:
            first.append(guard.test)
    levels = [
        Level(
            slot,
            name,
            items(evaluator, bind),
            membership(bind, evaluator),
            tuple(guard.test for guard in at[number]),
            slots_read(bind.source).union(*(guard.reads for guard in at[number]))
            - {slot},
            evaluator.members(bind.source),
            _subsets(bind, evaluator),
        )
        for number, (slot, name, bind) in enumerate(plain)
    ]
    return Product(levels, first)


def _subsets(bind: ir.Bind, evaluator: Evaluator) -> SubsetDomain | None:
    if bind.how != "subset":
        return None
    return SubsetDomain(evaluator.members(bind.source), bind.low, bind.high)
