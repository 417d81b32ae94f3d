"""Subsets and shares: order and counts agree with plain listing."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houserule.base.algebra.subsets import (
    AlikeShares,
    count_shares,
    count_subsets,
    shares,
    subsets,
    unrank_share,
    unrank_subset,
)

MEMBERS = st.lists(st.integers(0, 30), unique=True, max_size=7).map(sorted)
SIZES = st.tuples(st.integers(0, 4), st.none() | st.integers(0, 8))


def test_subsets_go_by_size_then_by_members() -> None:
    assert list(subsets((2, 5, 9), 0)) == [
        (),
        (2,),
        (5,),
        (9,),
        (2, 5),
        (2, 9),
        (5, 9),
        (2, 5, 9),
    ]
    assert list(subsets((2, 5, 9), 2, 2)) == [(2, 5), (2, 9), (5, 9)]
    assert list(subsets((2,), 2, 3)) == []


def test_shares_give_to_the_first_member_first() -> None:
    assert list(shares(2, 3)) == [
        (2, 0, 0),
        (1, 1, 0),
        (1, 0, 1),
        (0, 2, 0),
        (0, 1, 1),
        (0, 0, 2),
    ]
    assert list(shares(0, 0)) == [()]
    assert list(shares(1, 0)) == []
    assert list(shares(0, 2)) == [(0, 0)]


@given(MEMBERS, SIZES)
def test_subsets_are_counted_and_numbered(
    members: list[int], sizes: tuple[int, int | None]
) -> None:
    low, high = sizes
    every = list(subsets(members, low, high))
    assert count_subsets(len(members), low, high) == len(every)
    for number, each in enumerate(every):
        assert unrank_subset(members, low, high, number) == each
    with pytest.raises(IndexError):
        unrank_subset(members, low, high, len(every))


def test_a_large_subset_is_numbered_without_a_list() -> None:
    many = count_subsets(40, 1)
    assert unrank_subset(range(40), 1, None, many - 1) == tuple(range(40))
    assert unrank_subset(range(40), 1, None, many - 2) == tuple(range(1, 40))


@given(st.integers(0, 6), st.integers(0, 5))
def test_shares_are_counted_and_numbered(n: int, m: int) -> None:
    every = list(shares(n, m))
    assert count_shares(n, m) == len(every)
    for number, share in enumerate(every):
        assert unrank_share(n, m, number) == share
    with pytest.raises(IndexError):
        unrank_share(n, m, len(every))


@given(st.integers(0, 5), st.integers(1, 5))
def test_shares_go_as_heaps_of_members(n: int, m: int) -> None:
    heaps = combinations_with_replacement(range(m), n)
    assert list(shares(n, m)) == [
        tuple(heap.count(member) for member in range(m)) for heap in heaps
    ]


@given(st.integers(0, 6), st.lists(st.integers(0, 2), max_size=5), st.data())
def test_of_alike_members_none_gets_more_than_one_before_it(
    n: int, classes: list[int], data: st.DataObject
) -> None:
    def falls(share: tuple[int, ...]) -> bool:
        pairs = combinations(zip(classes, share, strict=True), 2)
        return all(a >= b for (one, a), (other, b) in pairs if one == other)

    every = [each for each in shares(n, len(classes)) if falls(each)]
    alike = AlikeShares(n, classes)
    assert list(alike.walk()) == every
    assert alike.count() == len(every)
    assert [alike.at(number) for number in range(len(every))] == every
    with pytest.raises(IndexError):
        alike.at(len(every))
    for share in shares(n, len(classes)):
        assert alike.alike(share) in every
        heaps = [
            sorted(zip(classes, e, strict=True)) for e in (share, alike.alike(share))
        ]
        assert heaps[0] == heaps[1]
    some = data.draw(
        st.dictionaries(st.sampled_from(range(len(classes))), st.integers(0, 4))
        if classes
        else st.just({})
    )
    fit = [e for e in every if all(e[at] == k for at, k in some.items())]
    assert alike.count(some) == len(fit)


def test_a_large_share_among_alike_members_is_numbered_without_a_list() -> None:
    alike = AlikeShares(30, [0] * 12 + [1] * 12)
    assert alike.at(alike.count() - 1) == (*[0] * 12, *[3] * 6, *[2] * 6)


def test_a_large_share_is_numbered_without_a_list() -> None:
    assert count_shares(5, 15) == 11628
    assert unrank_share(5, 15, 11627) == (*[0] * 14, 5)


@given(st.integers(0, 400), st.integers(-1, 30), st.none() | st.integers(0, 400))
def test_many_subsets_are_counted_as_by_their_formula(
    n: int, low: int, high: int | None
) -> None:
    most = n if high is None else min(n, high)
    each = [comb(n, size) for size in range(max(low, 0), most + 1)]
    assert count_subsets(n, low, high) == sum(each)
    members = range(n)
    for index in {0, sum(each) // 3, sum(each) - 1} if sum(each) else ():
        found = unrank_subset(members, low, high, index)
        assert _number_of(found, n, low) == index


def _number_of(subset: tuple[int, ...], n: int, low: int) -> int:
    """Return the number of a subset, by the subsets that come before it."""
    size = len(subset)
    before = sum(comb(n, smaller) for smaller in range(max(low, 0), size))
    last = -1
    for at, member in enumerate(subset):
        for skipped in range(last + 1, member):
            before += comb(n - skipped - 1, size - at - 1)
        last = member
    return before
