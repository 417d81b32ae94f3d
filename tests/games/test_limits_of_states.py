"""All seats press toward each limit, at any pair of variants.

No game leaves a range, and at no table do all games stall.
"""

from __future__ import annotations

import pytest
from tests.support.pressing import aims_of, playable, pressed, tables_at_ends
from tests.support.rules_cases import program_of
from tests.support.sampling import Later, spread
from tests.support.shipped import NAMES, ShippedTable

STYLES = 4
"""One game in each style of play (`support.pressing`)."""

SAVING = """
game saving "Saving"
players 2..2
type Box = b1 | b2 | b3 | b4 | b5
state left: 0..2 each turn starts as 2
state saved(p: Player): 0..{most} starts as 0
winners: those p in players with most saved(p)
phase round for nr in 1..5
  phase turn for me in players
    step spending: any number
    step writing: must act once, if possible
    order spending then writing
action spend(n in 1..50) during spending
  cost one: left loses 1
action write during writing
  does save: saved(me) gains left
"""


def at_ends() -> list[object]:
    """Return the tables of each game; the usual run does a spread of all of them."""
    return spread([each for game in NAMES for each in tables_at_ends(game)], 50)


@pytest.mark.parametrize("table", Later(at_ends))
def test_no_game_leaves_a_range(table: ShippedTable) -> None:
    program = playable(table)
    if program is None:
        pytest.skip("its rules say that this table cannot be played")
    assert list(pressed(program, STYLES)) == []


def test_a_range_that_only_thrift_leaves_is_found() -> None:
    assert not list(pressed(program_of(SAVING.format(most=10)), STYLES))
    found = list(pressed(program_of(SAVING.format(most=9)), STYLES))
    assert any(each.startswith("most saved, ") for each in found)
    assert all("F01" in each for each in found)


def test_a_table_at_which_all_games_stall_is_found() -> None:
    rules = SAVING.format(most=10).replace(
        "for nr in 1..5", "until {}, at most 5 times"
    )
    ending = "some p in players has saved(p) at least 2"
    assert not list(pressed(program_of(rules.format(ending)), STYLES))
    found = list(pressed(program_of(rules.format("left is 0 and left is 1")), STYLES))
    assert found == ["every game stalls"]


def test_each_limit_of_a_state_is_an_aim() -> None:
    aims = [aim.words for aim in aims_of(program_of(SAVING.format(most=10)))]
    assert aims == ["most left", "least left", "most saved", "least saved"]
