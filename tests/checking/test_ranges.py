"""`check --ranges`: what is proved of a range is not listed, and what is not, is."""

from __future__ import annotations

import pytest
from tests.support.rules_cases import program_of

from houserule.compiler.lower.analysis.ranges import unproved_ranges

GAME = """\
game dash "Dash"
players 3..3
type Box = one(1) | two(2) | three(4)
  pips: 0..9
state picked: set of Box starts as {{}}
{declared}
state used: yes or no each turn starts as no
winners: players
phase round for nr in 1..5
  phase turn for me in players
    step taking: {rule}
action take during taking
  needs fresh: not used
  {clause}
{more}
"""
ONCE, OFTEN = "must act once, if possible", "any number"


@pytest.mark.parametrize(
    ("declared", "rule", "clause", "more", "notes"),
    [
        pytest.param(
            "value total: 0..7 = sum of b.pips for b in picked",
            ONCE, "does it: used becomes yes", "", [],
            id="a field is summed up over its things",
        ),
        pytest.param(
            "value total: 0..6 = sum of b.pips for b in picked",
            ONCE, "does it: used becomes yes", "",
            ["`total` is 0..6. From its parts it could be 0..7."],
            id="a field is summed up over more",
        ),
        pytest.param(
            "value total: 0..14 = sum of b.pips for b in picked\n"
            "  then times doubled, if any",
            ONCE, "does it: used becomes yes",
            "multiply total.doubled called two: 2", [],
            id="a layer that fits",
        ),
        pytest.param(
            "value total: 0..9 = sum of b.pips for b in picked\n"
            "  then times doubled, if any\n  then plus extra, if any\n"
            "  then at most cap, if any",
            ONCE, "does it: used becomes yes",
            "multiply total.doubled called two: 2\nadd to total.extra called one: 1\n"
            "keep total.cap called ten: at most 10",
            ["`total` is 0..9. From its parts it could be 1..10."],
            id="layers that do not fit",
        ),
        pytest.param(
            "state pot: 0..15 starts as 0",
            ONCE, "does it: pot gains 1", "", [],
            id="once in each turn of each player",
        ),
        pytest.param(
            "state pot: 0..14 starts as 0",
            ONCE, "does it: pot gains 1", "",
            ["`pot` is 0..14. This adds up to 1, 15 times."],
            id="more often than the range allows",
        ),
        pytest.param(
            "state pot(p: Player): 0..10 starts as 5",
            ONCE, "does it: pot(me) gains 1", "", [],
            id="once in each turn of one player",
        ),
        pytest.param(
            "state pot(p: Player): 0..9 starts as 5",
            ONCE, "does it: pot(me) gains 1", "",
            ["`pot` is 0..9. This adds up to 1, 5 times."],
            id="the first value counts",
        ),
        pytest.param(
            "state pot: 0..3 each turn starts as 0",
            ONCE, "does it: for b in Box: pot gains 1", "", [],
            id="a loop within a turn that starts from the first value",
        ),
        pytest.param(
            "state pot: 0..2 each turn starts as 0",
            ONCE, "does it: for b in Box: pot gains 1", "",
            ["`pot` is 0..2. This adds up to 1, 3 times."],
            id="a loop that runs too often",
        ),
        pytest.param(
            "state pot(b: Box): 0..15 starts as 0",
            ONCE, "does it: for b in Box: pot(b) gains 1", "", [],
            id="a loop over the cells of a state",
        ),
        pytest.param(
            "state pot: 0..30 starts as 0",
            OFTEN, "does it: pot gains 1", "  limit two: at most 2 times each turn", [],
            id="a limit",
        ),
        pytest.param(
            "state pot: 0..99 starts as 0",
            ONCE, "does it: pot gains 1; again taking", "",
            ["`pot` is 0..99. This adds up to 1, any number of times."],
            id="any number of times",
        ),
        pytest.param(
            "state pot: 0..99 starts as 0",
            ONCE, "does it: pot gains 1; again turn", "",
            ["`pot` is 0..99. This adds up to 1, any number of times."],
            id="a turn that is played again",
        ),
        pytest.param(
            "state pot: 0..9 starts as 9",
            OFTEN, "cost it: pot loses 1", "", [],
            id="a cost",
        ),
        pytest.param(
            "state pot: 0..9 starts as 9",
            ONCE, "does it: pot loses 1", "",
            ["`pot` is 0..9. This takes up to 1, 15 times."],
            id="more is taken than there is",
        ),
        pytest.param(
            "state pot: 0..30 starts as 0",
            ONCE, "does it: fill; fill", "effect fill\n  does it: pot gains 1", [],
            id="an effect that is called twice",
        ),
        pytest.param(
            "state pot: 0..29 starts as 0",
            ONCE, "does it: fill; fill", "effect fill\n  does it: pot gains 1",
            ["`pot` is 0..29. This adds up to 1, 30 times."],
            id="an effect that is called too often",
        ),
        pytest.param(
            "state pot: 0..99 starts as 0",
            ONCE, "does it: used becomes yes",
            "value spent: yes or no = used\nreaction more when spent changes\n"
            "  does it: pot gains 1",
            ["`pot` is 0..99. This adds up to 1, any number of times."],
            id="a reaction",
        ),
        pytest.param(
            "state pot: 0..8 starts as 0\nvalue v: 1..9 =\n 9 when used\n 1 otherwise",
            ONCE, "does it: pot becomes v", "",
            ["`pot` is 0..8. This could set it to 1..9."],
            id="a value that does not fit",
        ),
    ],
)  # fmt: skip
def test_what_is_not_proved(
    declared: str, rule: str, clause: str, more: str, notes: list[str]
) -> None:
    rules = GAME.format(declared=declared, rule=rule, clause=clause, more=more)
    program = program_of(rules)
    assert [each.message for each, _ in unproved_ranges(program)] == notes
