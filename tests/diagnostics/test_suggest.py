"""Near names: what is offered for a misspelt one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houserule.base.diagnostics.wording import (
    did_you_mean,
    edit_distance,
    nearest,
    nearest_few,
)

NAMES = [
    *("score", "hand", "deck", "slide.downhill", "slide.invited", "trading"),
    "slide.count",
]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("scoer", "score"),
        ("Score", "score"),
        ("hnad", "hand"),
        ("slide-downhill", "slide.downhill"),
        ("downhill", "slide.downhill"),
        ("tradng", "trading"),
        ("slide.down", "slide.downhill"),
        ("marketing", None),
        ("x", None),
    ],
)
def test_the_nearest_name_is_found(word: str, meant: str | None) -> None:
    assert nearest(word, NAMES) == meant


def test_a_name_is_never_offered_for_itself() -> None:
    assert nearest("score", ["score"]) is None


def test_several_come_nearest_first() -> None:
    assert nearest_few("scor", ["store", "score", "scores"]) == [
        "score",
        "scores",
        "store",
    ]


def test_the_label_is_empty_where_nothing_is_near() -> None:
    assert did_you_mean("scoer", NAMES) == "did you mean `score`?"
    assert did_you_mean("zzz", NAMES) == ""


@given(st.text(max_size=8), st.text(max_size=8))
def test_edits_are_a_distance(left: str, right: str) -> None:
    assert edit_distance(left, right) == edit_distance(right, left)
    assert (edit_distance(left, right) == 0) == (left == right)
    assert edit_distance(left, right) <= max(len(left), len(right))
