"""Many games at once are what the reference engine plays, place by place."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from tests.support.engines import first_of, last_of
from tests.support.rules_cases import CASES, COMPILED, FLOW, cases_in, program_of
from tests.support.sampling import spread
from tests.support.shipped import NAMES, program_at

from houserule.engine.compiled.functions import Unsupported
from houserule.engine.compiled.machine import code_of
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.environments.actions import (
    ActionSpace,
    ListedActions,
    StableActions,
    most_options,
)
from houserule.environments.payoff import RewardName
from houserule.environments.stepping.games import ManyGames
from houserule.ir import Program

from .many_games import Expected, Memory, play_beside

TABLES = [(name, which) for name in NAMES for which in ("first", "last")]


def program_of_game(name: str, which: str) -> Program:
    """Return the program of a game with nothing on, or with much."""
    return program_at(first_of(name) if which == "first" else last_of(name))


GUESSES, SIGHT = (
    (CASES / name).read_text(encoding="utf-8")
    for name in ("bots/guesses.rules", "environments/sight.rules")
)


def listed(program: Program) -> ListedActions:
    cut = 10_000 if most_options(program) > 4000 else None
    return ListedActions(program, cut)


def beside(
    program: Program,
    *,
    games: int = 3,
    steps: int = 40,
    outside: tuple[int, ...] = (0,),
    bots: tuple[str, ...] = ("random",),
    rotate: bool = False,
    reward: RewardName = "win",
    space: ActionSpace | None = None,
    seed: int = 3,
) -> int:
    """Hold a module to the reference engine; return how many games ended."""
    space = space or listed(program)
    many = ManyGames(
        program,
        games,
        outside=outside,
        bots=bots,
        space=space,
        rotate=rotate,
        reward=reward,
    )
    many.begin(seed)
    expected = Expected(
        program,
        games,
        outside=outside,
        bots=bots,
        seed=seed,
        rotate=rotate,
        reward=reward,
    )
    return play_beside(many, expected, space, steps, Random(seed))


@pytest.mark.parametrize(("name", "which"), spread(TABLES, 17, name="-".join))
def test_many_games_are_what_the_reference_engine_plays(name: str, which: str) -> None:
    program = program_of_game(name, which)
    beside(program, outside=(program.seats - 1,), games=2, steps=30)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "which"), TABLES)
def test_long_games_are_too(name: str, which: str) -> None:
    program = program_of_game(name, which)
    beside(program, games=4, steps=300, seed=7, rotate=True)


@pytest.mark.parametrize("rules", [GUESSES, SIGHT], ids=["guesses", "sight"])
def test_everything_that_can_be_hidden_is_hidden_there(rules: str) -> None:
    program = program_of(rules)
    assert beside(program, outside=tuple(range(program.seats)), steps=200) > 10
    assert beside(program, outside=(1,), steps=100) > 10


def test_what_is_kept_of_a_module_has_no_room_of_games() -> None:
    program = program_at(first_of("liars_dice"))
    many = ManyGames(program, 2, outside=(0,), bots=("random",), space=listed(program))
    code = code_of(many.made.module).serialize()
    assert len(code) < many.made.module.pages << 13


@pytest.mark.parametrize("bots", [("greedy",), ("search:20",)])
def test_other_bots_play_the_other_seats(bots: tuple[str, ...]) -> None:
    program = program_at(first_of("liars_dice"))
    assert beside(program, bots=bots, steps=12, games=2)


def test_seats_go_round_with_the_games() -> None:
    program = program_at(last_of("pig"))
    assert beside(program, rotate=True, games=4, steps=80, outside=(0, 2))


@pytest.mark.parametrize(("name", "steps"), [("yacht", 60), ("hearts", 200)])
def test_what_bots_strive_for_is_a_reward(name: str, steps: int) -> None:
    assert beside(program_at(first_of(name)), reward="goal", steps=steps, games=1)


@pytest.mark.parametrize(
    "name", ["cribbage", "morris", "yacht", "pachisi", "pasha", "nim"]
)
def test_stable_numbers_are_those_of_python(name: str) -> None:
    program = program_at(first_of(name))
    outside = tuple(range(program.seats))
    beside(program, space=StableActions(program), outside=outside, games=2, steps=60)


# ---- rules that fail


FAILING = """\
game failing "Failing"
players 2..2
state points(p: Player): 0..3 starts as 0
winners "Most": those p in players with most points(p)
phase round for n in 1..9
  phase turn for me in players
    step adding: must act once, if possible
action add(k in 0..1) during adding
  does it: points(me) gains k
"""


def test_a_fault_in_one_game_leaves_the_others_alone() -> None:
    program = program_of(FAILING)
    games = ManyGames(
        program, 3, outside=[0, 1], bots=["random"], space=ListedActions(program)
    )
    games.begin(1)
    memory, expected = (
        Memory(games),
        Expected(program, 3, outside=[0, 1], bots=["random"], seed=1),
    )
    for step in range(30):
        for at in range(3):  # the game in the middle gains whenever it can
            memory.numbers("chosen_numbers")[at] = int(at == 1)
            expected.step(at, int(at == 1))
        games.step()
        truncated = memory.numbers("truncated").tolist()
        assert truncated == [int(place.truncated) for place in expected.places]
        assert set(games.faults) == {at for at in range(3) if truncated[at]}
        assert all("F01" in each for each in games.faults.values())
        for at, place in enumerate(expected.places):
            assert memory.row("observations", at) == place.row, step
            if place.last is not None:
                assert memory.row("last_rows", at) == place.last
    assert expected.places[1].number > 3
    assert expected.places[0].number == 3


def test_what_bots_imagine_may_fail() -> None:
    program = program_of(FAILING)
    assert beside(program, bots=("greedy",), games=2, steps=40)
    assert beside(program, bots=("search:10",), games=2, steps=20)


# ---- small games that once told the engines apart


def small(case: dict[str, Any]) -> Program:
    return program_of(case["rules"], case.get("variants"), case.get("tables"))


def is_asked(program: Program) -> bool:
    """Say whether something is decided in each of the first games of the seed."""
    try:
        games = [ReferenceGame.start(program, 3, number) for number in range(6)]
    except RuleFault:
        return False
    return all(game.decision is not None for game in games)


CASES_OF_RULES = [
    case.values[0]
    for folder in (FLOW, COMPILED)
    for case in cases_in(folder)
    if "rules" in case.values[0]
]


@pytest.mark.parametrize(
    "case", spread(CASES_OF_RULES, 9, name=lambda case: case["name"])
)
def test_small_games(case: dict[str, Any]) -> None:
    program = small(case)
    if not is_asked(program):
        return
    outside = tuple(range(program.seats))
    beside(program, outside=outside, games=2, steps=16)
    with suppress(ValueError, Unsupported):  # too many, or none for shares
        space = StableActions(program)
        beside(program, outside=outside, games=2, steps=10, space=space, seed=5)


QUIET = """\
game quiet "Quiet"
players 2..2
state points(p: Player): 0..3 starts as 0
winners "Most": those p in players with most points(p)
phase round for n in 1..2
  phase turn for me in players
    step adding: must act once, if possible
action add(k in 0..1) during adding
  needs last: seat(me) is 1
  does it: points(me) becomes k
"""


SHARING = """\
game sharing "Sharing"
players 2..2
component Pot for each nr: 1..3
state pot(c: Pot): 0..9 starts as 0
winners "Nobody": {}
phase turn for me in players
  step sharing: share 2 over c in Pot as k: pot(c) becomes k
"""
MOMENT = """\
game moment "Moment"
players 2..2
state secret: 0..3 starts as 1 seen only by (those q in players where doing is none)
winners "Nobody": {}
phase turn for me in players
  step acting: must act once, if possible
action wait(k in 0..1) during acting
  does it: secret becomes k
"""


def test_what_cannot_be_stepped_is_refused() -> None:
    sharing, moment = program_of(SHARING), program_of(MOMENT)
    assert beside(sharing, outside=(0, 1), steps=10)
    with pytest.raises(ValueError, match="shares something out, and its answers"):
        beside(sharing, space=StableActions(sharing))
    with pytest.raises(Unsupported, match="visibility or an invariant"):
        beside(moment)


def test_a_seat_that_never_decides_is_told() -> None:
    program = program_of(QUIET)
    games = ManyGames(
        program, 2, outside=[0], bots=["random"], space=ListedActions(program)
    )
    with pytest.raises(ValueError, match="before anything was decided outside"):
        games.begin(1)
    assert beside(program, outside=(1,), steps=10)
