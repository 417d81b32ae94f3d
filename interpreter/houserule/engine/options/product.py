"""Options as a lazy product of factors: counted, indexed and walked, never listed.

A product has levels, one a variable. Each level has a domain, which may read earlier
variables, and tests that are made as soon as all they read is bound. Where the rest of
the levels reads nothing of the earlier ones, its count is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from houserule import ir
from houserule.engine.evaluate.expressions import Evaluator
from houserule.engine.evaluate.scene import Scene
from houserule.engine.options.subsets import subsets
from houserule.ir.types import Data
from houserule.ir.walk import slots_read

Frame = list[Data]
Test = Callable[[Scene, Frame], bool]
Domain = Callable[[Scene, Frame], Iterable[Data]]
Source = Callable[[Scene, Frame], Data]
Has = Callable[[Scene, Frame, Data], bool]


@dataclass(frozen=True, slots=True)
class Guard:
    """A test and the slots it reads."""

    test: Test
    reads: frozenset[int]


@dataclass(frozen=True, slots=True)
class Level:
    """One variable: its slot, its name, its domain and what is tested once it is bound.

    `reads` are the slots that the domain and the tests read.
    """

    slot: int
    name: str
    domain: Domain
    has: Has
    tests: tuple[Test, ...]
    reads: frozenset[int]


class Product:
    """A product of levels over one frame.

    `first` are tests that read no variable of the product.
    """

    def __init__(self, levels: Sequence[Level], first: Sequence[Test]) -> None:
        self.levels = tuple(levels)
        self.first = tuple(first)
        self._separate = tuple(self._stands_alone(k) for k in range(len(levels) + 1))

    def _stands_alone(self, start: int) -> bool:
        """Say whether the levels from `start` on read no variable bound before."""
        before = {level.slot for level in self.levels[:start]}
        return not any(level.reads & before for level in self.levels[start:])

    def open(self, ctx: Scene, frame: Frame) -> bool:
        """Say whether the tests hold that need no variable."""
        return all(test(ctx, frame) for test in self.first)

    def walk(self, ctx: Scene, frame: Frame, level: int = 0) -> Iterator[None]:
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

    def any(self, ctx: Scene, frame: Frame) -> bool:
        """Say whether the product has a member."""
        return next(self.walk(ctx, frame), self) is None

    def count(self, ctx: Scene, frame: Frame) -> int:
        """Return how many members the product has."""
        return self._count(ctx, frame, 0, {}) if self.open(ctx, frame) else 0

    def _count(
        self, ctx: Scene, frame: Frame, level: int, known: dict[int, int]
    ) -> int:
        if level == len(self.levels):
            return 1
        if level in known:
            return known[level]
        this = self.levels[level]
        total = 0
        for value in this.domain(ctx, frame):
            frame[this.slot] = value
            if all(test(ctx, frame) for test in this.tests):
                total += self._count(ctx, frame, level + 1, known)
        if self._separate[level]:
            known[level] = total
        return total

    def seek(self, ctx: Scene, frame: Frame, index: int) -> None:
        """Leave the values of the member number `index` (from 0) in the frame.

        Raises:
            IndexError: the product has no such member.
        """
        known: dict[int, int] = {}
        if not self.open(ctx, frame):
            raise IndexError(index)
        for number, this in enumerate(self.levels):
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

    def holds(self, ctx: Scene, frame: Frame, values: Sequence[Data]) -> bool:
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


def domain_of(bind: ir.Bind, evaluator: Evaluator) -> tuple[Domain, Has]:
    """Return the domain of one variable of a binder, and the test of belonging."""
    source = evaluator.expr(bind.source)
    if bind.how == "member":
        return _members(source), _has_member(source)
    return _subsets(source, bind.low, bind.high), _has_subset(source, bind)


def _members(source: Source) -> Domain:
    return lambda ctx, frame: as_set(source(ctx, frame))


def _has_member(source: Source) -> Has:
    return lambda ctx, frame, value: value in as_set(source(ctx, frame))


def _subsets(source: Source, low: int, high: int | None) -> Domain:
    return lambda ctx, frame: subsets(as_set(source(ctx, frame)), low, high)


def _has_subset(source: Source, bind: ir.Bind) -> Has:
    def has(ctx: Scene, frame: Frame, value: Data) -> bool:
        if not isinstance(value, tuple) or tuple(sorted(set(value))) != value:
            return False
        most = len(value) if bind.high is None else bind.high
        fits = bind.low <= len(value) <= most
        return fits and set(value) <= set(as_set(source(ctx, frame)))

    return has


def as_set(value: Data) -> tuple[int, ...]:
    """Return a set's members; the check sees to it that it is one."""
    assert isinstance(value, tuple)
    return value


def build(
    binds: Sequence[ir.Bind], guards: Sequence[Guard], evaluator: Evaluator
) -> Product:
    """Return the product of some binders; each guard is tested as early as it can."""
    plain = [
        (slot, name, bind)
        for bind in binds
        for slot, name in zip(bind.slots, bind.names, strict=True)
    ]
    own = {slot for slot, _, _ in plain}
    place = {slot: number for number, (slot, _, _) in enumerate(plain)}
    at: list[list[Guard]] = [[] for _ in plain]
    first: list[Test] = []
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
            *domain_of(bind, evaluator),
            tuple(guard.test for guard in at[number]),
            slots_read(bind.source).union(*(guard.reads for guard in at[number]))
            - {slot},
        )
        for number, (slot, name, bind) in enumerate(plain)
    ]
    return Product(levels, first)
