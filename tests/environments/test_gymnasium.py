"""One seat against bots, as an environment of Gymnasium: its checker, and more."""

from __future__ import annotations

from pathlib import Path

import gymnasium as library
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.environments.learners import a_legal, cut_of, shipped, table_of

import houserule
from houserule.engine.bots.greedy import GreedyBot
from houserule.engine.compiled.available import module_of
from houserule.environments import gymnasium

# What can never be anything else has an entry all the same.
pytestmark = pytest.mark.filterwarnings("ignore:.*minimum values are equal")
MADE = "houserule.environments.gymnasium:Houserule-v0"


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_game_passes_their_checker(name: str) -> None:
    made = library.make(MADE, table=table_of(name), cut=cut_of(name))
    check_env(made.unwrapped)


def test_it_can_be_drawn_as_text() -> None:
    made = library.make(MADE, table="pig", bots="greedy", render_mode="ansi")
    check_env(made.unwrapped)
    made.reset(seed=1)
    assert '"game": "pig"' in str(made.render())


def test_bots_are_those_that_have_a_name() -> None:
    won = {}
    for bots in ("random", "search:200"):
        made = gymnasium.SeatEnv("nim", bots, seat=0)
        luck, won[bots] = np.random.default_rng(2), 0
        _, info = made.reset(seed=2)
        for _ in range(12):
            over, reward = False, 0.0
            while not over:
                action = a_legal(info["action_mask"], luck)
                _, reward, over, _, info = made.step(action)
            won[bots] += reward > 0
            _, info = made.reset()
    assert won["random"] > won["search:200"]
    with pytest.raises(ValueError, match="There is no bot `gredy`"):
        gymnasium.SeatEnv("nim", "gredy")


def test_bots_follow_what_the_seat_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within effects that it began they think on the compiled engine, too."""

    def never(*_: object) -> None:
        raise AssertionError("it is thought out on the reference engine")

    made = gymnasium.SeatEnv("takeover", "greedy", seat=0, cut=64)
    module_of(made.episode.program)
    monkeypatch.setattr(GreedyBot, "choose", never)
    luck, over = np.random.default_rng(2), False
    _, info = made.reset(seed=2)
    while not over:
        action = a_legal(info["action_mask"], luck)
        _, _, over, _, info = made.step(action)


def test_the_seat_has_its_own_reward_in_every_chair() -> None:
    seats = set()
    made = gymnasium.SeatEnv("nim", "random")
    luck = np.random.default_rng(3)
    for seed in range(12):
        _, info = made.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            assert made.episode.game.decision is not None
            assert made.episode.game.decision.seat == info["seat"] == made.seat
            action = a_legal(info["action_mask"], luck)
            _, reward, over, _, info = made.step(action)
        outcome = made.episode.game.outcome
        assert outcome is not None
        assert reward == (1 if outcome.winners == (made.seat,) else -1)
        seats.add((made.seat, reward))
    assert len(seats) == 4


def test_a_forbidden_action_changes_nothing_and_costs() -> None:
    made = gymnasium.SeatEnv("pig", refused=-0.25, max_steps=3)
    seen, info = made.reset(seed=1)
    assert list(np.flatnonzero(info["action_mask"])) == [0]
    before = made.episode.game.save()
    again, reward, over, cut_off, info = made.step(1)
    assert (reward, over, cut_off, info["refused"]) == (-0.25, False, False, True)
    assert (seen == again).all()
    assert made.episode.game.save() == before
    made.step(1)
    assert made.step(1)[2:4] == (False, True)  # those count as well


def test_the_same_seed_and_actions_are_the_same_games() -> None:
    def way(seed: int) -> list[object]:
        made = gymnasium.SeatEnv("liars_dice", "greedy")
        luck, found = np.random.default_rng(1), list[object]()
        seen, info = made.reset(seed=seed)
        for _ in range(3):
            over = False
            while not over:
                found.append(seen.tolist())
                action = a_legal(info["action_mask"], luck)
                seen, _, over, _, info = made.step(action)
            seen, info = made.reset()
        return found

    assert way(1) == way(1)
    assert way(1) != way(2)


def test_a_table_file_names_what_is_played(tmp_path: Path) -> None:
    path = tmp_path / "friday.yaml"
    path.write_text("game: pig\nplayers: 4\nset: {target: 30}\n", encoding="utf-8")
    made = gymnasium.SeatEnv(path)
    assert made.episode.table.players == 4


def test_what_is_asked_for_and_is_not_there_is_said() -> None:
    with pytest.raises(ValueError, match="There is no seat 2: 2 play"):
        gymnasium.SeatEnv("pig", seat=2)
    with pytest.raises(houserule.RulesetError):
        gymnasium.SeatEnv("pik")
    made = gymnasium.SeatEnv("nim")
    _, info = made.reset(seed=1)
    over = False
    while not over:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, over, _, info = made.step(action)
    with pytest.raises(RuntimeError, match="call `reset`"):
        made.step(0)
