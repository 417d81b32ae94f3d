"""Subsets and shares in the order of options: iterated, counted, unranked.

Subsets are sorted by size, then lexicographically by members. A share spreads n pieces
over m members. Shares are sorted lexicographically as heaps of members, so the first
share gives all to the first member, and its amounts fall: (2, 0), (1, 1), (0, 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from types import MappingProxyType
from typing import TypeAlias

NONE_GIVEN: Mapping[int, int] = MappingProxyType({})


def subsets(
    members: Sequence[int], low: int, high: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield the subsets of sorted members with `low` to `high` of them, in order.

    With `high` None there is no upper limit.
    """
    most = len(members) if high is None else min(high, len(members))
    for size in range(max(low, 0), most + 1):
        yield from combinations(members, size)


def supersets(
    members: Sequence[int], held: Sequence[int], low: int, high: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield the `subsets` that contain all `held` members, smaller ones first."""
    if not set(held) <= set(members):
        return
    rest = [member for member in members if member not in held]
    most = None if high is None else high - len(held)
    for more in subsets(rest, low - len(held), most):
        yield tuple(sorted((*held, *more)))


@lru_cache(maxsize=4096)
def count_subsets(n: int, low: int, high: int | None = None) -> int:
    """Return the number of subsets of n members that have `low` to `high` of them."""
    first, most = max(low, 0), n if high is None else min(high, n)
    if first > most:
        return 0
    of_size, count = comb(n, first), 0
    for size in range(first, most + 1):
        count += of_size
        of_size = _one_more(of_size, n, size)
    return count


def _one_more(of_size: int, n: int, size: int) -> int:
    """Return the number of subsets with one member more than `size`.

    This takes a thousandth of the time of computing a large binomial coefficient.
    """
    return of_size * (n - size) // (size + 1)


def unrank_subset(
    members: Sequence[int], low: int, high: int | None, index: int
) -> tuple[int, ...]:
    """Return subset number `index`, from 0, without iterating.

    Raises:
        IndexError: out of range.
    """
    if not 0 <= index < count_subsets(len(members), low, high):
        raise IndexError(index)
    n, size = len(members), max(low, 0)
    left = comb(n, size)  # subsets that begin with the chosen members
    while index >= left:
        index -= left
        left = _one_more(left, n, size)
        size += 1
    chosen: list[int] = []
    for place, member in enumerate(members):
        if len(chosen) == size:
            break
        with_it = left * (size - len(chosen)) // (n - place)
        if index < with_it:
            chosen.append(member)
            left = with_it
        else:
            index -= with_it
            left -= with_it
    return tuple(chosen)


def shares(n: int, m: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to spread n pieces over m members, as amounts, in order."""
    if m == 0:
        if n == 0:
            yield ()
        return
    if m == 1:
        yield (n,)
        return
    for first in range(n, -1, -1):
        for rest in shares(n - first, m - 1):
            yield (first, *rest)


def count_shares(n: int, m: int) -> int:
    """Return the number of ways to spread n pieces over m members."""
    if n < 0:
        return 0
    return comb(n + m - 1, m - 1) if m else int(n == 0)


def unrank_share(n: int, m: int, index: int) -> tuple[int, ...]:
    """Return share number `index`, from 0.

    Raises:
        IndexError: out of range.
    """
    if not 0 <= index < count_shares(n, m):
        raise IndexError(index)
    amounts: list[int] = []
    while len(amounts) < m - 1:
        first = n
        while index >= (here := count_shares(n - first, m - len(amounts) - 1)):
            index -= here
            first -= 1
        amounts.append(first)
        n -= first
    return (*amounts, n) if m else ()


class AlikeShares:
    """Canonical shares: interchangeable members never get more than earlier ones.

    Args:
        classes: the class of each member, in order; interchangeable members share one.
    """

    def __init__(self, n: int, classes: Sequence[int]) -> None:
        self._n, self._classes = n, tuple(classes)

    def count(self, given: Mapping[int, int] = NONE_GIVEN) -> int:
        """Return the number of shares in which some members get given amounts."""
        amounts: dict[int, list[int | None]] = {}
        for place, number in enumerate(self._classes):
            amounts.setdefault(number, []).append(given.get(place))
        ways = [1] + [0] * self._n  # the number of shares for each sum
        for each in amounts.values():
            others = _falling(self._n, tuple(each))
            sums = [0] * len(ways)
            for one, count in enumerate(ways):
                for other in range(len(ways) - one) if count else ():
                    sums[one + other] += count * others[other]
            ways = sums
        return ways[self._n]

    def walk(self) -> Iterator[tuple[int, ...]]:
        yield from self._walk(self._n, (), {})

    def _walk(
        self, left: int, begun: tuple[int, ...], last: Mapping[int, int]
    ) -> Iterator[tuple[int, ...]]:
        if len(begun) == len(self._classes):
            if not left:
                yield begun
            return
        number = self._classes[len(begun)]
        for amount in range(min(left, last.get(number, left)), -1, -1):
            more = {**last, number: amount}
            yield from self._walk(left - amount, (*begun, amount), more)

    def at(self, index: int) -> tuple[int, ...]:
        """Return the share of a number, from 0, without iterating.

        Raises:
            IndexError: out of range.
        """
        if not 0 <= index < self.count():
            raise IndexError(index)
        given: dict[int, int] = {}
        for place in range(len(self._classes)):
            given[place] = self._n - sum(given.values())
            while index >= (here := self.count(given)):
                index -= here
                given[place] -= 1
        return tuple(given.values())

    def alike(self, amounts: Sequence[int]) -> tuple[int, ...]:
        """Return the canonical share equivalent to a share."""
        heaps: dict[int, list[int]] = {}
        for number, amount in zip(self._classes, amounts, strict=True):
            heaps.setdefault(number, []).append(amount)
        for each in heaps.values():
            each.sort()
        return tuple(heaps[number].pop() for number in self._classes)


@lru_cache(maxsize=4096)
def _falling(n: int, amounts: tuple[int | None, ...]) -> tuple[int, ...]:
    """Return the number of non-increasing rows for each sum up to n.

    Each element of `amounts` is fixed, or None for any number.
    """
    ways: dict[int, list[int]] = {n: [1] + [0] * n}  # by the last number
    for amount in amounts:
        longer: dict[int, list[int]] = {}
        for last, sums in ways.items():
            for number in range(last + 1) if amount is None else (amount,):
                if 0 <= number <= last:
                    so_far = longer.setdefault(number, [0] * (n + 1))
                    for total in range(n + 1 - number):
                        so_far[total + number] += sums[total]
        ways = longer
    return tuple(map(sum, zip(*ways.values(), strict=True))) or (0,) * (n + 1)


# ---- parts up to interchangeable members


Classes: TypeAlias = "Sequence[Sequence[int]]"
"""Members by class, each class ascending."""


def alike_parts(
    classes: Classes, low: int, high: int | None = None, held: Sequence[int] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield the canonical parts with `low` to `high` members, in order.

    A part has the lowest ids of each class. With `held`, it has the same number of each
    class as these.
    """
    found = _AlikeParts(classes, held)
    for size in found.sizes(low, high):
        yield from found.walk(size)


def count_alike_parts(
    classes: Classes, low: int, high: int | None = None, held: Sequence[int] = ()
) -> int:
    """Return the number of `alike_parts`, without iterating."""
    found = _AlikeParts(classes, held)
    ways = found.ways()
    return sum(ways[size] for size in found.sizes(low, high))


def unrank_alike_part(
    classes: Classes, low: int, high: int | None, index: int
) -> tuple[int, ...]:
    """Return part number `index` of `alike_parts`, from 0, without iterating.

    Raises:
        IndexError: out of range.
    """
    found = _AlikeParts(classes, ())
    ways = found.ways()
    for size in found.sizes(low, high):
        if 0 <= index < ways[size]:
            return found.at(size, index)
        index -= ways[size]
    raise IndexError(index)


class _AlikeParts:
    """Parts by class: the free members of each class, and the minimum to take.

    All members are decided in order. After one member of a class is left out, no other
    member of this class is taken.
    """

    def __init__(self, classes: Classes, held: Sequence[int]) -> None:
        self._order = sorted(
            (member, number) for number, each in enumerate(classes) for member in each
        )
        self._free = [len(each) for each in classes]
        self._must = [len(set(held).intersection(each)) for each in classes]
        self._lost = len(set(held)) - sum(self._must)

    def sizes(self, low: int, high: int | None) -> range:
        """Return the possible sizes of parts, from `low` to `high`."""
        most = sum(self._free)
        top = most if high is None else min(high, most)
        return range(max(low, 0), top + 1) if not self._lost else range(0)

    def ways(self) -> list[int]:
        """Count the parts of each size that the free members allow."""
        ways = [1]
        for free, must in zip(self._free, self._must, strict=True):
            longer = [0] * (len(ways) + free)
            for size, count in enumerate(ways):
                for taken in range(must, free + 1):
                    longer[size + taken] += count
            ways = longer
        return ways

    def walk(self, size: int, place: int = 0) -> Iterator[tuple[int, ...]]:
        """Yield the parts of a size, from a position in the order on."""
        if not sum(self._must) <= size <= sum(self._free):
            return
        if size == 0:
            yield ()
            return
        member, number = self._order[place]
        free, must = self._free[number], self._must[number]
        if free:
            self._take(number)
            for rest in self.walk(size - 1, place + 1):
                yield (member, *rest)
            self._free[number], self._must[number] = 0, must
        if not must:
            yield from self.walk(size, place + 1)
        self._free[number] = free

    def _take(self, number: int) -> None:
        self._free[number] -= 1
        self._must[number] = max(0, self._must[number] - 1)

    def at(self, size: int, index: int) -> tuple[int, ...]:
        """Return part number `index` of a size, which must exist."""
        chosen: list[int] = []
        for member, number in self._order:
            if len(chosen) == size:
                break
            if not self._free[number]:
                continue
            must = self._must[number]
            self._take(number)
            left = size - len(chosen) - 1
            ways = self.ways()
            with_it = ways[left] if 0 <= left < len(ways) else 0
            if index < with_it:
                chosen.append(member)
                continue
            index -= with_it
            self._free[number], self._must[number] = 0, must
            if must:
                break
        return tuple(chosen)
