"""Differences in words."""

from __future__ import annotations

import pytest

from houserule.study.simulate.statistics.intervals import Estimate
from houserule.study.simulate.statistics.measures import (
    BALANCE,
    LEADS,
    OFTEN,
    ROUNDS,
    DifferenceWording,
    verdict,
    with_margin,
)

L = ROUNDS.wording


@pytest.mark.parametrize(
    ("found", "wording", "said"),
    [
        (Estimate(1.8, 1.5, 2.1), L, "longer by 1.8 ± 0.3 rounds"),
        (Estimate(-1.8, -2.1, -1.5), L, "shorter by 1.8 ± 0.3 rounds"),
        (
            Estimate(0.05, -0.1, 0.2),
            L,
            "no difference seen: less than 0.20 rounds either way",
        ),
        (
            Estimate(-0.1, -0.31, 0.11),
            L,
            "no difference seen: less than 0.31 rounds either way",
        ),
        (Estimate(0, 0, 0), L, "no difference seen: the same in every game"),
        (Estimate(2, 2, 2), L, "longer by 2 ± 0 rounds"),
        (Estimate(0.4, 0.3, 0.5), LEADS.wording, "0.40 ± 0.10 more lead changes"),
        (Estimate(0.031, 0.022, 0.04), OFTEN, "in 3.1 ± 0.9 more of 100 games"),
        (
            Estimate(-0.2, -0.29, -0.11),
            BALANCE,
            "seats more alike by 20 ± 9 of 100 games",
        ),
    ],
)
def test_a_verdict(found: Estimate, wording: DifferenceWording, said: str) -> None:
    assert verdict(found, wording) == said


def test_an_interaction_says_what_it_goes_beyond() -> None:
    said = verdict(Estimate(0.5, 0.3, 0.7), L, beyond_sum=True)
    assert said == "beyond the sum of both, longer by 0.5 ± 0.2 rounds"
    said = verdict(Estimate(0.1, -0.1, 0.3), L, beyond_sum=True)
    assert said.startswith("no interaction seen")


@pytest.mark.parametrize(
    ("value", "margin", "said"),
    [
        (1.7777, 0.3333, "+1.8 ± 0.3"),
        (1.7777, 0.1444, "+1.78 ± 0.14"),
        (1.7777, 0.1951, "+1.8 ± 0.2"),
        (-24.04, 1.2, "-24.0 ± 1.2"),
        (-24.04, 3, "-24 ± 3"),
        (262, 48, "+262 ± 48"),
        (-0.001, 0.3, "+0.0 ± 0.3"),
    ],
)
def test_a_margin_leaves_digits(value: float, margin: float, said: str) -> None:
    assert with_margin(value, margin, "+") == said
