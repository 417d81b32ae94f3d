"""What the rules warn of and assert, worked out before play."""

from __future__ import annotations

import pytest
from tests.support.rules_cases import program_of

from houserule.engine.reference.play.warnings import before_play, table_warnings

GAME = """\
game t
players 3..3
type Colour = amber | jade | onyx
component Card for each c: Colour
state pot: 0..9 starts as 4
value limit_of_it: 0..9 = 3
winners: players
phase turn for me in players
  step resting: pot becomes 4
"""

# What a warning says, and what is told of it; None where it does not hold.
WARNINGS = [
    ("yes", ""),
    ("no", None),
    ("size(players) is 3", ""),
    ("size(players) is 4", None),
    ("{limit_of_it}", "3"),
    ("{4, 1, 2}", "1, 2, 4"),
    ("{4, 2, 3}", "2..4"),
    ("{0, 1, 2, 5, 7, 8, 9}", "0..2, 5, 7..9"),
    ("those n in 0..8 where n mod 2 is 0", "0, 2, 4, 6, 8 (5 of 9)"),
    (
        "those n in 0..30 where n mod 2 is 0",
        "0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 4 more (16 of 31)",
    ),
    ("those n in 0..9 where n at least limit_of_it", "3..9 (7 of 10)"),
    ("those n in 0..9 where n more than 9", None),
    ("those c in Colour where c is not jade", "amber, onyx (2 of 3)"),
    ("those p in players but first_of(players)", "p2, p3"),
    ("Card", "amber, jade, onyx"),
]


@pytest.mark.parametrize(("said", "told"), WARNINGS)
def test_a_warning_names_what_it_warns_of(said: str, told: str | None) -> None:
    program = program_of(f'{GAME}warn some "Take care": {said}\n')
    found = [(each.address, each.members) for each in table_warnings(program)]
    assert found == ([] if told is None else [("some", told)])


def test_what_cannot_be_worked_out_is_a_fault_of_the_rules() -> None:
    far = "value far(n: 0..5): 0..9 = n\nwarn w: far(limit_of_it * 3) is 9\n"
    program = program_of(f"{GAME}{far}")
    assert [each.code for each in before_play(program)] == ["F01"]


@pytest.mark.parametrize(("said", "codes"), [("pot is 4", []), ("pot is 5", ["F05"])])
def test_an_assertion_is_read_before_play(said: str, codes: list[str]) -> None:
    program = program_of(f'{GAME}assert "Four": {said}\n')
    assert [each.code for each in before_play(program)] == codes
