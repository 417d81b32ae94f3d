"""Intervals: how far a share, a mean or a difference may be from what was counted.

All are two-sided, at a number of standard errors `z` that `deviations` gives for a
confidence. An interval of a *share* is Wilson's. One of a *mean* is the normal one of
the sample, and so is one of a mean *paired difference*, from the differences game by
game. A paired difference of *shares* has the adjusted interval of Bonett and Price,
which is honest also where hardly any game, or none, came out differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist

from houserule.base.frozen import frozen, slotted

CONFIDENCE = 0.95


@frozen
class Estimate:
    """A value, and the interval it is in with the confidence that was asked for."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2

    @property
    def seen(self) -> bool:
        """Whether nothing, 0, lies outside the interval."""
        return self.low > 0 or self.high < 0


def deviations(confidence: float = CONFIDENCE, together: int = 1) -> float:
    """Return how many standard errors an interval reaches to either side.

    With `together`, so many intervals hold all at once with this confidence
    (Bonferroni): each is as wide as one of a higher confidence.
    """
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * together))


def share(hits: int, number: int, z: float) -> Estimate:
    """Return a share with Wilson's interval; of none, anything is possible."""
    if not number:
        return Estimate(0.0, 0.0, 1.0)
    found = hits / number
    scale = 1 + z * z / number
    middle = (found + z * z / (2 * number)) / scale
    half = z * sqrt(found * (1 - found) / number + (z / (2 * number)) ** 2) / scale
    return Estimate(
        found,
        0.0 if hits == 0 else middle - half,
        1.0 if hits == number else middle + half,
    )


@slotted
class Moments:
    """Whole numbers, summed up: how many, their sum, the sum of their squares."""

    number: int = 0
    total: int = 0
    squares: int = 0

    @classmethod
    def from_counts(cls, counts: Mapping[int, int]) -> Moments:
        """Return the moments of numbers, of which it is known how often each came."""
        found = cls()
        for value, times in counts.items():
            found.add(value, times)
        return found

    def add(self, value: int, times: int = 1) -> None:
        """Add a number, so many times."""
        self.number += times
        self.total += value * times
        self.squares += value * value * times

    def mean(self, z: float, parts: int = 1) -> Estimate:
        """Return the mean with its normal interval; of less than two it has no width.

        The numbers are taken for so many parts each.
        """
        if not self.number:
            return Estimate(0.0, 0.0, 0.0)
        found = self.total / (self.number * parts)
        half = z * self.deviation / (parts * sqrt(self.number))
        return Estimate(found, found - half, found + half)

    @property
    def deviation(self) -> float:
        """The standard deviation of the sample; 0 for fewer than two numbers."""
        if self.number < 2:
            return 0.0
        apart = self.number * self.squares - self.total**2
        return sqrt(apart / (self.number * (self.number - 1)))


def paired_share(gained: int, lost: int, number: int, z: float) -> Estimate:
    """Return how much a share grew, from the pairs in which it came out differently.

    Args:
        gained: pairs with the second only.
        lost: pairs with the first only.
        number: all pairs.
        z: standard errors to either side.
    """
    if not number:
        return Estimate(0.0, -1.0, 1.0)
    more, fewer = (gained + 1) / (number + 2), (lost + 1) / (number + 2)
    half = z * sqrt((more + fewer - (more - fewer) ** 2) / (number + 2))
    middle = more - fewer
    return Estimate(
        (gained - lost) / number, max(-1.0, middle - half), min(1.0, middle + half)
    )


def quantile(ordered: Sequence[int], part: float) -> float:
    """Return a quantile of numbers in order, between two of them in proportion."""
    if not ordered:
        return 0.0
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
