"""Subsets and shares, in the order of options: walked, counted, numbered.

Subsets go by size, then lexicographically by members. A share spreads n pieces over m
members; shares go lexicographically as heaps of members, so the first share gives all
to the first member, and the amounts of the first member fall: (2, 0), (1, 1), (0, 2).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def subsets(
    members: Sequence[int], low: int, high: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield the subsets of sorted members with `low` to `high` of them, in order.

    `high` None means as many as there are.
    """
    most = len(members) if high is None else min(high, len(members))
    for size in range(max(low, 0), most + 1):
        yield from combinations(members, size)


def supersets(
    members: Sequence[int], held: Sequence[int], low: int, high: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield those of `subsets` that have all members held, the smaller ones first."""
    if not set(held) <= set(members):
        return
    rest = [member for member in members if member not in held]
    most = None if high is None else high - len(held)
    for more in subsets(rest, low - len(held), most):
        yield tuple(sorted((*held, *more)))


@lru_cache(maxsize=4096)
def count_subsets(n: int, low: int, high: int | None = None) -> int:
    """Return how many subsets of n members have `low` to `high` of them."""
    first, most = max(low, 0), n if high is None else min(high, n)
    if first > most:
        return 0
    of_size, count = comb(n, first), 0
    for size in range(first, most + 1):
        count += of_size
        of_size = _one_more(of_size, n, size)
    return count


def _one_more(of_size: int, n: int, size: int) -> int:
    """Return how many subsets have one member more, from how many have `size`.

    A step from one to the next takes a thousandth of working out a large one anew.
    """
    return of_size * (n - size) // (size + 1)


def unrank_subset(
    members: Sequence[int], low: int, high: int | None, index: int
) -> tuple[int, ...]:
    """Return the subset number `index`, from 0, without walking to it.

    Raises:
        IndexError: there are not so many.
    """
    if not 0 <= index < count_subsets(len(members), low, high):
        raise IndexError(index)
    n, size = len(members), max(low, 0)
    left = comb(n, size)  # subsets that begin with what is chosen
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
    """Return how many ways there are to spread n pieces over m members."""
    if n < 0:
        return 0
    return comb(n + m - 1, m - 1) if m else int(n == 0)


def unrank_share(n: int, m: int, index: int) -> tuple[int, ...]:
    """Return the share number `index`, from 0.

    Raises:
        IndexError: there are not so many.
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
