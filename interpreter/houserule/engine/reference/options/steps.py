"""Options built step by step: a variable's values once others are fixed.

Nothing is listed but the values of the variable that is asked for. How many options a
value leads to is counted up to a bound, so that a step is quick in a large product.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TypeAlias

from houserule.base.algebra.subsets import AlikeShares, count_shares
from houserule.base.frozen import frozen
from houserule.engine.reference.evaluate.context import Frame, GameContext
from houserule.engine.reference.options.domains import MemberDomain
from houserule.engine.reference.options.product import Product
from houserule.ir.types import Data

PREFIXES = 200  # values of open variables that are tried for those behind them


@frozen
class Exactly:
    """A variable has this value."""

    value: Data


@frozen
class Holding:
    """The value of a variable is a set that has at least these members, by id."""

    members: tuple[int, ...]


Wanted: TypeAlias = Mapping[int, Exactly | Holding]
"""What was said of variables, by their number in the order of options."""


@frozen
class Way:
    """A value, or a member to add to a set, and how many options it leads to.

    `count` is at most the bound that was asked for, and at least 1.
    """

    value: Data
    count: int


class Steps(ABC):
    """The variables of some options, to be settled one after another in any order."""

    @abstractmethod
    def count(self, wanted: Wanted, most: int) -> int:
        """Count the options with the wanted values; `most` means that or more."""

    @abstractmethod
    def first(self, wanted: Wanted) -> tuple[Data, ...] | None:
        """Return the values of the first option that is as wanted, if there is one."""

    @abstractmethod
    def ways(
        self, wanted: Wanted, number: int, most: int, listed: int | None = None
    ) -> list[Way]:
        """Return the values that a variable may have, in order.

        Args:
            wanted: the values so far, this variable's included.
            number: a variable's; every variable that its domain reads must be fixed.
            listed: maximal number of values; None for all.
        """

    def within(self, wanted: Wanted, number: int, most: int) -> list[Way]:
        """Return the values, or members to add, that a variable has in some option.

        Unlike for `ways`, variables that its domain reads may be open: then only
        `PREFIXES` of their values are tried.
        """
        return []

    def is_set(self, number: int) -> bool:
        """Return whether the value of a variable is built of members."""
        return False

    def more(self, wanted: Wanted, number: int, most: int) -> list[Way]:
        """Return the members that a set may have beside those it holds, by id."""
        return []

    def has_alike(self, number: int) -> bool:
        """Return whether only one of several alike things is offered for a variable."""
        return False

    def alike(self, wanted: Wanted, number: int, thing: int) -> tuple[int, ...]:
        """Return the things that may be named instead of an offered one."""
        return ()


class ProductSteps(Steps):
    """The variables of a product, over one frame.

    `doing` is the id of the action that is considered, or None.
    """

    def __init__(
        self, product: Product, ctx: GameContext, frame: Frame, doing: int | None = None
    ) -> None:
        self._product, self._ctx, self._frame = product, ctx, frame
        self._doing = ctx.doing if doing is None else doing

    @contextmanager
    def _considering(self) -> Iterator[None]:
        self._ctx.begin_work()
        before, self._ctx.doing = self._ctx.doing, self._doing
        try:
            yield
        finally:
            self._ctx.doing = before

    def count(self, wanted: Wanted, most: int) -> int:
        """Count the options with the wanted values; `most` means that or more."""
        with self._considering():
            if not self._product.open(self._ctx, self._frame):
                return 0
            return self._count(wanted, 0, most, {})

    def first(self, wanted: Wanted) -> tuple[Data, ...] | None:
        with self._considering():
            if not self._product.open(self._ctx, self._frame):
                return None
            for _ in self._walk(wanted, 0):
                return self._product.values(self._frame)
        return None

    def ways(
        self, wanted: Wanted, number: int, most: int, listed: int | None = None
    ) -> list[Way]:
        """Return the values that a variable may have, in order."""
        with self._considering():
            start = self._bind(wanted, number)
            if start is None:
                return []
            every = self._domain(wanted, number)
            ways = self._counted(
                ((each, Exactly(each)) for each in every), wanted, (start, number), most
            )
            return list(islice(ways, listed))

    def within(self, wanted: Wanted, number: int, most: int) -> list[Way]:
        """Return the values, or members to add, that a variable has in some option."""
        level, held = self._product.levels[number], _held(wanted, number)
        found: dict[Data, int] = {}
        with self._considering():
            start = self._bind(wanted, number)
            if start is None:
                return []
            for _ in islice(self._walk(wanted, start, number), PREFIXES):
                wants: list[tuple[Data, Exactly | Holding]]
                if level.subsets is None:
                    every = self._domain(wanted, number)
                    wants = [(each, Exactly(each)) for each in every]
                else:
                    more = level.subsets.further(self._ctx, self._frame, held)
                    wants = [(m, Holding(tuple(sorted((*held, m))))) for m in more]
                for value, want in wants:
                    known = found.get(value, 0)
                    if known < most:
                        count = self._count({**wanted, number: want}, number, most, {})
                        if count:
                            found[value] = min(most, known + count)
        return [Way(value, count) for value, count in found.items()]

    def is_set(self, number: int) -> bool:
        """Return whether the value of a variable is built of members."""
        return self._product.levels[number].subsets is not None

    def more(self, wanted: Wanted, number: int, most: int) -> list[Way]:
        """Return the members that a set may have beside those it holds, by id."""
        subsets, held = self._product.levels[number].subsets, _held(wanted, number)
        with self._considering():
            start = self._bind(wanted, number)
            if subsets is None or start is None:
                return []
            others = [
                (each, Holding(tuple(sorted((*held, each)))))
                for each in subsets.further(self._ctx, self._frame, held)
            ]
            return list(self._counted(others, wanted, (start, number), most))

    def has_alike(self, number: int) -> bool:
        """Return whether only one of several alike things is offered for a variable."""
        return self._product.levels[number].once is not None

    def alike(self, wanted: Wanted, number: int, thing: int) -> tuple[int, ...]:
        """Return the things that may be named instead of an offered one."""
        once, held = self._product.levels[number].once, _held(wanted, number)
        with self._considering():
            if once is None or self._bind(wanted, number) is None:
                return ()
            for each in once.classes(self._ctx, self._frame):
                if thing in each:
                    return tuple(m for m in each if m != thing and m not in held)
        return ()

    # ---- walking what is as wanted; the context considers the action already

    def _bind(self, wanted: Wanted, number: int) -> int | None:
        """Bind the settled variables, and return how many of the first ones are.

        The count stops at the variable `number`. None if they are not an option.
        """
        levels, frame = self._product.levels, self._frame
        if not self._product.open(self._ctx, frame):
            return None
        for other, want in wanted.items():
            if isinstance(want, Exactly):
                frame[levels[other].slot] = want.value
        start = 0
        while start < number and isinstance(wanted.get(start), Exactly):
            level = levels[start]
            value = frame[level.slot]
            if not level.has(self._ctx, frame, value) or not level.passes(
                self._ctx, self._frame
            ):
                return None
            start += 1
        return start

    def _counted(
        self,
        values: Iterable[tuple[Data, Exactly | Holding]],
        wanted: Wanted,
        span: tuple[int, int],
        most: int,
    ) -> Iterator[Way]:
        """Yield the values that lead to an option with the wanted values.

        `span` is from the first variable that is not bound to the one asked for. What
        lies behind it is counted once where it reads nothing bound before.
        """
        start, number = span
        behind: dict[int, int] = {}
        for value, want in values:
            known = {level: n for level, n in behind.items() if level > number}
            count = self._count({**wanted, number: want}, start, most, known)
            behind = known
            if count:
                yield Way(value, count)

    def _domain(self, wanted: Wanted, number: int) -> Iterable[Data]:
        """Yield the values in the domain of a variable that are as wanted."""
        level, want = self._product.levels[number], wanted.get(number)
        ctx, frame = self._ctx, self._frame
        if want is None:
            return level.domain(ctx, frame)
        if isinstance(want, Exactly):
            return (want.value,) if level.has(ctx, frame, want.value) else ()
        if level.subsets is None:
            return ()
        return level.subsets.holding(ctx, frame, want.members)

    def _walk(
        self, wanted: Wanted, number: int, end: int | None = None
    ) -> Iterator[None]:
        """Yield once for each option as wanted, its values in the frame.

        With an `end`, the variables from there on stay open.
        """
        if number == (len(self._product.levels) if end is None else end):
            yield None
            return
        level = self._product.levels[number]
        for value in self._domain(wanted, number):
            self._frame[level.slot] = value
            if level.passes(self._ctx, self._frame):
                yield from self._walk(wanted, number + 1, end)

    def _count(
        self, wanted: Wanted, number: int, most: int, known: dict[int, int]
    ) -> int:
        if number == len(self._product.levels):
            return 1
        if number in known:
            return known[number]
        formula, want = (self._product.by_formula[number], wanted.get(number))
        if formula is None or isinstance(want, Exactly):
            total = None
        elif isinstance(formula, MemberDomain):
            total = None if want else formula.count(self._ctx, self._frame)
        else:
            total = formula.count_holding(self._ctx, self._frame, _held(wanted, number))
        if total is not None:
            total *= self._count(wanted, number + 1, most, known) if total else 0
        else:
            total, level = 0, self._product.levels[number]
            for value in self._domain(wanted, number):
                self._frame[level.slot] = value
                if level.passes(self._ctx, self._frame):
                    total += self._count(wanted, number + 1, most, known)
                    if total >= most:
                        break
        total = min(total, most)
        if self._product.separate[number]:
            known[number] = total
        return total


def _held(wanted: Wanted, number: int) -> tuple[int, ...]:
    want = wanted.get(number)
    return want.members if isinstance(want, Holding) else ()


class ShareSteps(Steps):
    """How many of some pieces each member gets: a variable a member, in order."""

    def __init__(
        self, amount: int, members: int, alike: AlikeShares | None = None
    ) -> None:
        self._amount, self._members, self._alike = amount, members, alike

    def _left(self, wanted: Wanted) -> tuple[int, int]:
        """Return how many pieces and how many members are left; -1 where too many."""
        given = [
            want.value
            for want in wanted.values()
            if isinstance(want, Exactly) and isinstance(want.value, int)
        ]
        if any(each < 0 for each in given):
            return -1, 0
        return self._amount - sum(given), self._members - len(given)

    def count(self, wanted: Wanted, most: int) -> int:
        """Count the shares with the wanted values; `most` means that or more."""
        if self._alike is None:
            return min(most, count_shares(*self._left(wanted)))
        given = {
            number: want.value
            for number, want in wanted.items()
            if isinstance(want, Exactly) and isinstance(want.value, int)
        }
        return min(most, self._alike.count(given))

    def first(self, wanted: Wanted) -> tuple[Data, ...] | None:
        """Return the first share that is as wanted: the first open member gets most."""
        left, _ = self._left(wanted)
        if not self.count(wanted, 1):
            return None
        if self._alike is not None:
            # Interchangeable members: not all shares are listed.
            settled = dict(wanted)
            for number in range(self._members):
                if number not in settled:
                    ways = self.ways(settled, number, 1, 1)
                    settled[number] = Exactly(ways[0].value)
            each_gets = (settled[number] for number in range(self._members))
            return tuple(one.value for one in each_gets if isinstance(one, Exactly))
        amounts: list[Data] = []
        for number in range(self._members):
            want = wanted.get(number)
            amounts.append(want.value if isinstance(want, Exactly) else left)
            left = left if isinstance(want, Exactly) else 0
        return tuple(amounts)

    def ways(
        self, wanted: Wanted, number: int, most: int, listed: int | None = None
    ) -> list[Way]:
        """Return how many a member may get, the most first."""
        left, _ = self._left({k: w for k, w in wanted.items() if k != number})
        want = wanted.get(number)
        every = range(left, -1, -1) if want is None else [want.value]  # type: ignore[union-attr]  # never held
        counts = (
            Way(each, self.count({**wanted, number: Exactly(each)}, most))
            for each in every
        )
        return list(islice((way for way in counts if way.count), listed))
