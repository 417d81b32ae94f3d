"""Differences in words: "longer by 1.8 ± 0.3 rounds", or that none was seen."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houserule.simulate.statistics.intervals import Estimate
    from houserule.simulate.statistics.measures import Wording


def verdict(found: Estimate, wording: Wording, *, beyond_sum: bool = False) -> str:
    """Return what a difference with its interval says.

    With `beyond_sum` it is what two changes do together beyond the sum of both.
    """
    missing = "no interaction seen" if beyond_sum else "no difference seen"
    if not found.seen:
        most = max(-found.low, found.high) * wording.scale
        if not most:
            return f"{missing}: the same in every game"
        return f"{missing}: less than {wording.little.format(_up(most))} either way"
    amount = with_margin(abs(found.value) * wording.scale, found.margin * wording.scale)
    words = (wording.more if found.value > 0 else wording.less).format(amount)
    return f"beyond the sum of both, {words}" if beyond_sum else words


def with_margin(value: float, margin: float, sign: str = "") -> str:
    """Return a value with its margin, to the digits that the margin leaves.

    The margin has one digit, two where the first is 1: `1.8 ± 0.3`, `24.0 ± 1.2`.
    """
    if margin <= 0:
        return f"{value:{sign}g} ± 0"
    digits = _decimals(margin)
    return f"{_at(value, digits, sign)} ± {_at(margin, digits)}"


def _decimals(margin: float) -> int:
    """Return how many decimals a margin leaves; ones are kept in any case."""
    place = floor(log10(margin))
    leading = round(margin / 10**place, 6)
    return max(0, -place + (1 if leading < 1.95 else 0))


def _at(value: float, digits: int, sign: str = "") -> str:
    return f"{round(value, digits) + 0.0:{sign}.{digits}f}"


def _up(value: float) -> str:
    """Return a bound rounded up to two digits: it stays a bound."""
    place = floor(log10(value)) - 1
    if place >= 0:
        return f"{ceil(value):d}"
    scaled = ceil(round(value * 10**-place, 6))
    return f"{scaled / 10**-place:.{-place}f}"
