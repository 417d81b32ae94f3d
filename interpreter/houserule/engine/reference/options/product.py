"""Options as a lazy product of factors: counted, indexed and walked, never listed.

A product has levels, one a variable. Each level has a domain, which may read earlier
variables, and tests that are made as soon as all they read is bound. If the remaining
levels read none of the earlier ones, they are counted once. Members and subsets that
nothing tests, and that nothing else reads, are counted and numbered by formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.reference.evaluate.context import (
    Frame,
    GameContext,
    Items,
    Members,
    Truth,
    as_set,
)
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.reference.options.domains import (
    AlikeSubsetDomain,
    MemberDomain,
    Membership,
    Once,
    SubsetDomain,
    membership,
    once_of,
    subsets_of,
)
from houserule.ir.types import Data, Kind, kind_of
from houserule.ir.walk import slots_read


@frozen
class Guard:
    """A test and the slots it reads."""

    test: Truth
    reads: frozenset[int]


@frozen
class Level:
    """One variable: slot, name, domain, and the tests that run once it is bound.

    `reads` are the slots that the domain and the test read. If the domain is
    all subsets of some members, `subsets` has them; `members` are these, or the domain.
    `once` says of which things it has alike ones once; `kind`, which things it has.
    """

    slot: int
    name: str
    domain: Items
    has: Membership
    test: Truth | None
    reads: frozenset[int]
    members: Members
    subsets: SubsetDomain | AlikeSubsetDomain | None = None
    once: Once | None = None
    kind: Kind | None = None

    def passes(self, ctx: GameContext, frame: Frame) -> bool:
        """Return whether the bound value passes the test."""
        return self.test is None or self.test(ctx, frame)


class Product:
    """A product of levels over one frame.

    `first` is a test that reads no variable of the product.
    """

    def __init__(self, levels: Sequence[Level], first: Truth | None) -> None:
        self.levels = tuple(levels)
        self.first = first
        self.has_alike = any(level.once for level in levels)
        self.separate = tuple(
            not any(
                level.reads & {each.slot for each in levels[:start]}
                for level in levels[start:]
            )
            for start in range(len(levels) + 1)
        )
        """By level, whether it and those behind it read nothing bound before it."""
        self.by_formula = tuple(
            level.subsets or MemberDomain(level.members)
            if self.separate[k + 1] and level.test is None
            else None
            for k, level in enumerate(levels)
        )
        """By level, what is counted and numbered by formula, or None."""

    def open(self, ctx: GameContext, frame: Frame) -> bool:
        """Return whether the tests that need no variable hold."""
        return self.first is None or self.first(ctx, frame)

    def walk(self, ctx: GameContext, frame: Frame, level: int = 0) -> Iterator[None]:
        """Yield once for each member of the product, its values in the frame."""
        if level == 0 and not self.open(ctx, frame):
            return
        if level == len(self.levels):
            yield None
            return
        this = self.levels[level]
        slot, test = this.slot, this.test
        for value in this.domain(ctx, frame):
            frame[slot] = value
            if test is None or test(ctx, frame):
                yield from self.walk(ctx, frame, level + 1)

    def any(self, ctx: GameContext, frame: Frame) -> bool:
        """Return whether the product has a member."""
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
            slot, test, last = this.slot, this.test, level + 1 == len(self.levels)
            for value in this.domain(ctx, frame):
                frame[slot] = value
                if test is None or test(ctx, frame):
                    total += 1 if last else self._count(ctx, frame, level + 1, known)
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
                if not this.passes(ctx, frame):
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

    def number(self, ctx: GameContext, frame: Frame, values: Sequence[Data]) -> int:
        """Return the number of the member that has these values, from 0.

        Raises:
            ValueError: it has no such member.
        """
        known: dict[int, int] = {}
        total = 0
        for at, (this, wanted) in enumerate(zip(self.levels, values, strict=True)):
            formula = self.by_formula[at]
            if formula is not None:
                inner = self._count(ctx, frame, at + 1, known)
                total += inner * formula.number(ctx, frame, wanted)
                frame[this.slot] = wanted
                continue
            for value in this.domain(ctx, frame):
                frame[this.slot] = value
                if value == wanted:
                    break
                if this.passes(ctx, frame):
                    total += self._count(ctx, frame, at + 1, known)
            else:
                raise ValueError(values)
        return total

    def holds(self, ctx: GameContext, frame: Frame, values: Sequence[Data]) -> bool:
        """Return whether these values are a member; they are left in the frame."""
        if len(values) != len(self.levels) or not self.open(ctx, frame):
            return False
        for level, value in zip(self.levels, values, strict=True):
            frame[level.slot] = value
            if not level.has(ctx, frame, value) or not level.passes(ctx, frame):
                return False
        return True

    def offered(
        self, ctx: GameContext, frame: Frame, values: Sequence[Data]
    ) -> tuple[Data, ...]:
        """Return the member that differs from these values only by alike things.

        If there is none, the values stay unchanged.
        """
        if not self.has_alike or not self.holds(ctx, frame, values):
            return tuple(values)
        found = list(values)
        for number, level in enumerate(self.levels):
            if level.once is not None and level.once.after is None:
                # Chosen members of a class swap with the first members of the class,
                # here and in the variables behind. A pair is a set of two, whichever
                # comes first.
                behind = self.levels[number + 1 : number + 2]
                seconds = [each.once.after for each in behind if each.once]
                pair = level.slot in seconds
                chosen = as_set(found[number])
                if pair:
                    chosen = (*chosen, *as_set(found[number + 1]))
                other: dict[int, int] = {}
                for each in level.once.classes(ctx, frame):
                    inside = [member for member in each if member in chosen]
                    outside = [member for member in each if member not in chosen]
                    other |= zip((*inside, *outside), each, strict=True)
                for place in range(number, len(found)):
                    value = found[place]
                    if self.levels[place].kind != level.kind or value is None:
                        continue
                    if isinstance(value, tuple):
                        found[place] = tuple(sorted(other.get(v, v) for v in value))
                    else:
                        found[place] = other.get(value, value)
                if pair:
                    both = as_set(found[number]) + as_set(found[number + 1])
                    found[number : number + 2] = sorted(both)
            frame[level.slot] = found[number]
        return tuple(found) if self.holds(ctx, frame, found) else tuple(values)

    def values(self, frame: Frame) -> tuple[Data, ...]:
        return tuple(frame[level.slot] for level in self.levels)


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
            evaluator.items(bind),
            membership(bind, evaluator),
            all_of([guard.test for guard in at[number]]),
            slots_read(bind.source).union(*(guard.reads for guard in at[number]))
            - {slot},
            evaluator.members(bind.source),
            subsets_of(bind, evaluator),
            once_of(bind, evaluator),
            kind_of(bind.type),
        )
        for number, (slot, name, bind) in enumerate(plain)
    ]
    return Product(levels, all_of(first))


def all_of(tests: Sequence[Truth]) -> Truth | None:
    """Return the conjunction of tests; None for no test."""
    match tests:
        case []:
            return None
        case [only]:
            return only
        case [first, second]:
            return lambda ctx, frame: first(ctx, frame) and second(ctx, frame)
        case _:  # not one call in the other: there may be thousands
            return lambda ctx, frame: all(test(ctx, frame) for test in tests)
