"""Both engines on the small games of other tests, and on those that once told apart."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.compare import Pair, check, machine_of, numbers
from tests.support.rules_cases import FAULTS, cases_in, program_of
from tests.support.small_games import PLAY
from tests.support.small_games import program as small_game

from houserule.base.limits import limited
from houserule.engine.compiled.clauses import reactions
from houserule.engine.compiled.machine import Faulted
from houserule.engine.compiled.module import emit
from houserule.engine.reference.choices import Act
from houserule.engine.reference.play import machine as reference

from .test_greedy import thinks_alike
from .test_search import searches_alike

TOO_MUCH = [c for c in cases_in(FAULTS) if "work" in c.values[0].get("limits", {})]


@pytest.mark.parametrize("case", TOO_MUCH)
def test_too_much_work(case: dict[str, Any]) -> None:
    """What counts as work is not the same in both engines, so neither is the place."""
    with limited(**case["limits"]):
        machine = machine_of(program_of(case["rules"], tables=case.get("tables")))
        machine.call("reset", 1, 0)
        with pytest.raises(Faulted) as caught:
            machine.call("advance")
    assert caught.value.fault is not None
    assert caught.value.fault.code == case["fault"]["code"]


@pytest.mark.parametrize("case", [c for c in cases_in(FAULTS) if c not in TOO_MUCH])
def test_fault(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    if "bound" in case:
        monkeypatch.setattr(reference, "FIRINGS_AT_MOST", case["bound"])
    program = program_of(case["rules"], tables=case.get("tables"))
    with limited(**case.get("limits", {})):
        machine = machine_of(program)
        pair = Pair(program, machine, 1)
        for action in case.get("play", []):
            decision = pair.decision
            assert decision is not None
            pair.choose([*decision.options].index(Act(action)))
    assert pair.ended == f"fault:{case['fault']['code']}"
    if not case.keys() & {"bound", "limits"}:
        thinks_alike(program, machine, range(1), 14)
        searches_alike(program, machine, range(1), 12)


@pytest.mark.parametrize(
    "name", [path.parent.name for path in sorted(PLAY.glob("*/ruleset.yaml"))]
)
def test_small_game(name: str) -> None:
    if name == "broken":
        pytest.skip("its rules do not pass")
    program = small_game(name)
    machine = machine_of(program)
    for seed in range(8):
        check(program, machine, seed, numbers(seed, 200))
    thinks_alike(program, machine, range(6), 40)


def test_hundreds_of_else_if() -> None:
    rows = "".join(
        f"    else if n is {i}: may choose p in players: n gains 1\n"
        for i in range(1, 400)
    )
    program = program_of(ROWS.replace("    ...\n", rows))
    check(program, machine_of(program), 1, [0] * 700)


def test_reactions_share_one_bound() -> None:
    assert vars(reactions)["machine"] is reference


def test_programs_are_compiled_alike() -> None:
    """The text hangs on the program alone."""
    first, again = (emit(small_game("market")) for _ in range(2))
    assert first.text == again.text


def test_an_argument_of_an_effect_keeps_its_range() -> None:
    """Semantics, "Ranges": F01 where a value leaves the range of a parameter."""
    program = program_of(ARGUMENT)
    machine = machine_of(program)
    machine.call("reset", 1, 0)
    with pytest.raises(Faulted) as caught:
        machine.call("advance")
    assert caught.value.fault is not None
    assert (caught.value.fault.code, caught.value.fault.span.line) == ("F01", 6)


def test_fields_that_may_be_no_set() -> None:
    rows: list[dict[str, Any]] = [
        {"id": "a", "likes": ["amber"]},
        {"id": "b", "likes": None},
        {"id": "c", "likes": ["jade", "onyx"]},
        {"id": "d", "likes": []},
    ]
    program = program_of(FIELDS, tables={"cards.yaml": rows})
    likes = program.components["Card"].fields["likes"][1]
    assert likes == ((0,), None, (1, 2), ())
    machine = machine_of(program)
    for seed in range(20):
        check(program, machine, seed, numbers(seed, 60))


FIELDS = """\
game t
players 2..2
type Colour = amber | jade | onyx
component Card from "cards.yaml"
  likes: set of Colour or none
state score(p: Player): 0..99 starts as 0
state now: Card or none starts as none
state old: set of Colour or none starts as none
value fond(c: Card): set of Colour or none = c.likes
winners: players
phase round until (some p in players has score(p) at least 9), at most 9 times
  phase turn for me in players
    step telling: must act once, if possible
action tell(c in Card) during telling
  does it:
    if c.likes is not none and jade is in c.likes: score(me) gains 1
    if now.likes is none: score(me) gains 1
    if now is none: score(me) gains 1
    if fond(now) is {amber}: score(me) gains 2
    if fond(c) is old: score(me) gains 2
    old becomes now.likes
    now becomes c
action drop during telling
  does it: now becomes none; old becomes {}
"""

ROWS = """
game t
players 2..2
state n: 0..999 starts as 0
winners: players
phase round until n at least 450, at most 600 times
  phase turn for me in players
    step go: must act once, if possible
action a during go
  does it:
    if n is 0: n becomes 390
    ...
    else: n gains 50
"""

ARGUMENT = """\
game t
players 2..2
state score: 0..9 starts as 5
winners: players
phase setup
  step start: mark(score)
effect mark(n: 0..3)
  does it: score gains n
"""
