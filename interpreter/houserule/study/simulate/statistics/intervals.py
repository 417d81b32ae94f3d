"""Confidence intervals of shares, means and differences.

All are two-sided; `deviations` gives the number of standard errors `z` for a
confidence. A *share* has Wilson's interval. A *mean* has the normal interval of the
sample; the mean of a *paired difference* likewise, from the differences game by game. A
paired difference of *shares* has the adjusted interval of Bonett and Price, which stays
valid even if hardly any game, or none, differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist

from houserule.base.frozen import frozen, slotted

CONFIDENCE = 0.95


@frozen
class Estimate:
    """A value, and its interval with the wanted confidence."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def seen(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0


def deviations(confidence: float = CONFIDENCE, together: int = 1) -> float:
    """Return how many standard errors an interval reaches to either side.

    With `together`, that many intervals hold simultaneously with this confidence
    (Bonferroni): each one gets a higher confidence.
    """
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * together))


def share(hits: int, number: int, z: float) -> Estimate:
    """Return a share with Wilson's interval; 0 to 1 if there are no samples."""
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
    """Sums of whole numbers: count, sum, and sum of squares."""

    number: int = 0
    total: int = 0
    squares: int = 0

    @classmethod
    def from_counts(cls, counts: Mapping[int, int]) -> Moments:
        """Return the moments of numbers, given how often each occurs."""
        found = cls()
        for value, times in counts.items():
            found.add(value, times)
        return found

    def add(self, value: int, times: int = 1) -> None:
        """Add a number, `times` times."""
        self.number += times
        self.total += value * times
        self.squares += value * value * times

    def mean(self, z: float, parts: int = 1) -> Estimate:
        """Return the mean with its normal interval; fewer than two give width 0.

        The numbers are divided by `parts`.
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
    """Return how much a share grew, from the pairs that differ.

    Args:
        gained: pairs with only the second.
        lost: pairs with only the first.
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
    """Return a quantile of sorted numbers, interpolated linearly."""
    if not ordered:
        return 0.0
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
