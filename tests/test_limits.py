"""Limits: read, set for a while, and listed in the docs as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from houserule.base.limits import (
    ENVIRONMENT,
    LIMITS,
    changed,
    limit,
    limited,
    read_limits,
)

TRUST = Path(__file__).parents[1] / "docs" / "trust.md"


def test_the_page_lists_every_limit() -> None:
    rows = "".join(
        f"| `{name}` | {each.number:,} | {each.of} |\n" for name, each in LIMITS.items()
    )
    assert f"| limit | number | of what |\n|---|---|---|\n{rows}" in TRUST.read_text(
        "utf-8"
    )


def test_a_limit_is_set_for_a_while_here_and_in_what_is_started() -> None:
    ask = "from houserule.base.limits import limit; print(limit('players'))"
    with limited(players=7), limited(members=8):
        assert (limit("players"), limit("members")) == (7, 8)
        assert changed() == "players=7,members=8"
        started = subprocess.run(
            [sys.executable, "-c", ask], capture_output=True, text=True, check=True
        )
        assert started.stdout == "7\n"
    assert limit("players") == LIMITS["players"].number
    assert changed() == ""


def test_the_last_number_holds() -> None:
    assert read_limits("players=7, players=1_000") == {"players": 1000}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("player=7", "There is no limit `player`"),
        ("players", "`players` is not of the form `players=NUMBER`"),
        ("players=many", "is not of the form"),
        ("players=0", "can be 1 to"),
        ("levels=151", "can be 1 to 150"),
        ("work=1073741824", "can be 1 to 1,073,741,823"),
        ("players=9999999999999999999", "can be 1 to"),
    ],
)
def test_what_is_no_limit_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_limits(text)


def test_an_environment_that_cannot_be_read_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(os.environ, ENVIRONMENT, "players=0")
    assert limit("players") == LIMITS["players"].number
