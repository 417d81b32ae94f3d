"""Intervals against values from books, and against games whose truth is known."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from houserule.engine.reference.random_numbers import Stream
from houserule.study.simulate.statistics import intervals
from houserule.study.simulate.statistics.intervals import deviations


def test_deviations_are_those_of_the_normal_distribution() -> None:
    assert deviations() == pytest.approx(1.959964, abs=1e-6)
    assert deviations(0.99) == pytest.approx(2.575829, abs=1e-6)
    assert deviations(0.95, together=5) == pytest.approx(2.575829, abs=1e-6)


# Newcombe (1998), table I: the score interval without continuity correction.
@pytest.mark.parametrize(
    ("hits", "number", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0000),
    ],
)
def test_a_share_has_wilsons_interval(
    hits: int, number: int, low: float, high: float
) -> None:
    found = intervals.share(hits, number, deviations())
    assert found.low == pytest.approx(low, abs=6e-5)
    assert found.high == pytest.approx(high, abs=6e-5)


def test_of_no_games_anything_is_possible() -> None:
    assert (intervals.share(0, 0, 2).low, intervals.share(0, 0, 2).high) == (0, 1)
    assert intervals.paired_share(0, 0, 0, 2).margin == 1
    assert intervals.Moments().mean(2).margin == 0


def test_a_mean_has_the_normal_interval() -> None:
    moments = intervals.Moments.from_counts({1: 1, 2: 1, 3: 1, 4: 1, 5: 1})
    found = moments.mean(2)
    assert found.value == 3
    assert found.margin == pytest.approx(2 * 2.5**0.5 / 5**0.5)
    halves = moments.mean(2, parts=2)
    assert halves.value == 1.5
    assert halves.margin == pytest.approx(found.margin / 2)


def test_numbers_far_from_nought_keep_their_deviation() -> None:
    """Sums of squares are exact: nothing is lost where numbers are large."""
    far = intervals.Moments.from_counts({10**12 + each: 1 for each in range(1, 6)})
    assert far.deviation == 2.5**0.5


def test_a_paired_share_has_the_adjusted_interval() -> None:
    found = intervals.paired_share(10, 20, 98, deviations())
    more, fewer = 11 / 100, 21 / 100
    half = 1.959964 * ((more + fewer - 0.01) / 100) ** 0.5
    assert found.value == pytest.approx(-10 / 98)
    assert found.low == pytest.approx(-0.1 - half, abs=1e-6)
    assert found.high == pytest.approx(-0.1 + half, abs=1e-6)


def test_no_difference_in_few_games_is_no_proof_that_there_is_none() -> None:
    found = intervals.paired_share(0, 0, 20, deviations())
    assert not found.seen
    assert found.margin > 0.08
    assert intervals.paired_share(0, 0, 20_000, deviations()).margin < 0.0002


def test_quantiles_lie_between_numbers() -> None:
    assert intervals.quantile([1, 2, 3, 4], 0.5) == 2.5
    assert intervals.quantile([1, 2, 3, 4], 0.0) == 1
    assert intervals.quantile([1, 2, 3, 4], 1.0) == 4
    assert intervals.quantile([10], 0.95) == 10


@pytest.mark.parametrize(("size", "part"), list(product((40, 200), (1, 3))))
def test_intervals_hold_the_truth_as_often_as_they_say(size: int, part: int) -> None:
    """Draw samples whose share is known; nine tenths of the intervals are to hold."""
    luck = Stream.seeded(5, size, f"share/{part}")
    held, means = 0, 0
    for _ in range(400):
        draws = [luck.below(8) for _ in range(size)]
        hits = sum(each < part for each in draws)
        found = intervals.share(hits, size, deviations(0.9))
        held += found.low <= part / 8 <= found.high
        mean = intervals.Moments.from_counts(Counter(draws)).mean(deviations(0.9))
        means += mean.low <= 3.5 <= mean.high
    assert 0.86 <= held / 400 <= 0.94
    assert 0.86 <= means / 400 <= 0.94
