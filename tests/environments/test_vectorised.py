"""Many games as Gymnasium wants them: what is seen, told, refused and begun anew."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import houserule
from houserule.engine.compiled.machine import Faulted
from houserule.engine.compiled.machines import every_machine
from houserule.environments.actions import Numbering
from houserule.environments.vectorised import SeatVectorEnv

from .many_games import Expected


def test_it_tells_what_the_reference_engine_says() -> None:
    envs = SeatVectorEnv("liars_dice", 3, bots="greedy", seat=1)
    program = envs.games.program
    seen, infos = envs.reset(seed=9)
    expected = Expected(program, 3, outside=[1], bots=["greedy"], seed=9)
    ended = 0
    for _ in range(25):
        assert seen.tolist() == [place.row for place in expected.places]
        assert infos["seat"].tolist() == [1, 1, 1]
        assert infos["game"].tolist() == [place.number for place in expected.places]
        actions = envs.sample()
        assert (actions < infos["options"]).all()
        assert infos["action_mask"].sum(axis=1).tolist() == infos["options"].tolist()
        for at, action in enumerate(actions):
            expected.step(at, int(action))
        seen, rewards, over, cut_off, infos = envs.step(actions)
        places = expected.places
        assert over.tolist() == [place.terminated for place in places]
        assert not cut_off.any()
        assert rewards.tolist() == pytest.approx([place.rewards[1] for place in places])
        for at, place in enumerate(places):
            if place.last is not None:
                ended += 1
                assert infos["_final_obs"][at]
                assert infos["final_obs"][at].tolist() == place.last
                assert infos["returns"][at].tolist() == pytest.approx(place.rewards)
    assert ended > 2
    assert envs.observation_space.contains(seen)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP


def play(envs: SeatVectorEnv, seed: int, steps: int) -> list[Any]:
    seen, infos = envs.reset(seed=seed)
    rows = [seen.tolist(), infos["action_mask"].tolist()]
    for _ in range(steps):
        seen, rewards, over, _, infos = envs.step(envs.sample())
        rows += [seen.tolist(), rewards.tolist(), over.tolist(), infos["game"].tolist()]
    return rows


@pytest.mark.parametrize("actions", ["listed", "stable"])
def test_the_same_seed_plays_the_same_games(actions: Numbering) -> None:
    envs = SeatVectorEnv("pasha", 5, seat="all", actions=actions)
    first = play(envs, 4, 40)
    assert play(envs, 4, 40) == first
    other = SeatVectorEnv("pasha", 5, seat="all", actions=actions)
    assert play(other, 4, 40) == first
    assert play(other, 5, 40) != first


def test_a_game_can_be_played_again_by_its_number() -> None:
    envs = SeatVectorEnv("hex_board", 4, seat="all")
    envs.reset(seed=11)
    moves: list[list[int]] = [[] for _ in range(4)]
    while True:
        actions = envs.sample()
        for at, action in enumerate(actions):
            moves[at].append(int(action))
        _, _, over, _, infos = envs.step(actions)
        if over.any():
            break
    at = int(np.argmax(over))
    game = houserule.load("hex_board").table().start(seed=11, number=at)
    for move in moves[at]:
        game.choose(game.options[move])
    assert game.outcome is not None
    wins = [1.0 if seat in game.outcome.winners else -1.0 for seat in range(2)]
    assert infos["returns"][at].tolist() == wins
    assert infos["game"][at] == at + 4


@pytest.mark.parametrize("actions", ["listed", "stable"])
def test_what_the_mask_forbids_is_not_done(actions: Numbering) -> None:
    envs = SeatVectorEnv("hex_board", 3, actions=actions, refused=-0.5)
    seen, infos = envs.reset(seed=2)
    legal = envs.sample()
    illegal = int(np.argmin(infos["action_mask"][1]))
    assert not infos["action_mask"][1][illegal]
    for wrong in (illegal, -1, 10_000):
        wanted = np.array([legal[0], wrong, legal[2]])
        after, rewards, _, _, infos = envs.step(wanted)
        assert infos["refused"].tolist() == [False, True, False]
        assert rewards.tolist() == [0.0, -0.5, 0.0]
        assert after[1].tolist() == seen[1].tolist()
        assert after[0].tolist() != seen[0].tolist()
        seen, legal = after, envs.sample()
    _, _, _, _, infos = envs.step(envs.sample())
    assert not infos["refused"].any()


def test_without_a_seat_the_learner_goes_round() -> None:
    envs = SeatVectorEnv("pig", 4)
    _, infos = envs.reset(seed=1)
    assert infos["seat"].tolist() == [0, 1, 0, 1]


def test_a_game_is_cut_off_after_so_many_decisions() -> None:
    envs = SeatVectorEnv("hex_board", 2, max_decisions=6)
    envs.reset(seed=1)
    found = [envs.step(envs.sample())[3].tolist() for _ in range(6)]
    assert found == [[False, False], [False, False], [True, True]] * 2


def test_what_is_not_copied_changes_with_the_next_step() -> None:
    envs = SeatVectorEnv("pig", 2, copy=False)
    seen, _ = envs.reset(seed=1)
    again, *_ = envs.step(envs.sample())
    assert np.shares_memory(seen, again)
    envs = SeatVectorEnv("pig", 2)
    seen, _ = envs.reset(seed=1)
    again, *_ = envs.step(envs.sample())
    assert not np.shares_memory(seen, again)


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"table": "pig", "num_envs": 0}, "at least 1 game"),
        ({"table": "pig", "seat": 2}, 'no seat 2: 0 to 1, or "all"'),
        ({"table": "pig", "seat": "some"}, "no seat 'some'"),
        ({"table": "pig", "bots": "clever"}, "no bot `clever`"),
        ({"table": "pig", "bots": "search:0.5s"}, "thinks by the clock"),
        ({"table": "pig", "reward": "money"}, "no reward `money`"),
        ({"table": "x_pasch"}, "Set `cut`"),
        ({"table": "x_pasch", "cut": 9, "num_envs": 90_000}, "do not fit into one"),
    ],
)
def test_what_cannot_be_is_said(terms: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SeatVectorEnv(**{"num_envs": 2} | terms)


def test_gymnasium_makes_it_by_name() -> None:
    made = gymnasium.make_vec(
        "houserule.environments.gymnasium:Houserule-v0", num_envs=3, table="pig", seat=1
    )
    assert isinstance(made.unwrapped, SeatVectorEnv)
    _, infos = made.reset(seed=1)
    assert infos["seat"].tolist() == [1, 1, 1]


def test_who_stops_it_is_heard() -> None:
    envs = SeatVectorEnv("pig", 2)
    envs.reset(seed=1)
    for machine in every_machine():
        machine.stop()
    try:
        with pytest.raises(Faulted):
            envs.step(envs.sample())
    finally:
        for machine in every_machine():
            machine.go_on()


def test_steps_want_games_and_numbers() -> None:
    envs = SeatVectorEnv("pig", 2)
    with pytest.raises(RuntimeError, match="Call `reset`"):
        envs.step(np.zeros(2, dtype=int))
    envs.reset(seed=1)
    for wrong in ([0], [0.5, 0.5], [[0, 0]]):
        with pytest.raises(ValueError, match="2 whole numbers, one for each game"):
            envs.step(np.array(wrong))
    with pytest.raises(ValueError, match="omit `reset_mask`"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    envs.close()
    with pytest.raises(RuntimeError, match="Call `reset`"):
        envs.step(np.zeros(2, dtype=int))
