"""Seats as agents of PettingZoo: its own tests, and what these do not look at."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)
from pettingzoo.utils.conversions import parallel_to_aec
from tests.environments.learners import (
    KUHN,
    a_legal,
    check_mask,
    check_rewards,
    check_seed,
    check_sight,
    cut_of,
    played,
    shipped,
    table_of,
    turns,
)

import houserule
from houserule.engine.reference.choices import Act, Done, Outcome
from houserule.environments import pettingzoo
from houserule.environments.actions import StableActions
from houserule.environments.episode import Episode
from houserule.environments.payoff import Payoff, shares

# It warns of each observation that is a dictionary, as a mask needs it.
pytestmark = pytest.mark.filterwarnings("ignore:Observation")


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_game_passes_their_tests(name: str) -> None:
    api_test(turns(name), num_cycles=60)
    seed_test(partial(turns, name), num_cycles=20)


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_game_passes_their_tests_in_parallel(name: str) -> None:
    make = partial(pettingzoo.parallel_env, table_of(name), cut=cut_of(name))
    parallel_api_test(make(), num_cycles=40)
    parallel_seed_test(make, num_cycles=20)


@pytest.mark.parametrize("name", shipped())
def test_a_game_is_cut_off_after_so_many_cycles(name: str) -> None:
    def make(max_cycles: int) -> pettingzoo.TogetherEnv:
        return pettingzoo.parallel_env(
            table_of(name), cut=cut_of(name), max_cycles=max_cycles
        )

    def make_turns(max_cycles: int) -> Any:  # noqa: ANN401
        return parallel_to_aec(make(max_cycles))

    max_cycles_test(SimpleNamespace(parallel_env=make, env=make_turns))


def test_a_game_of_turns_is_cut_off_when_a_seat_has_decided_so_often() -> None:
    made = turns("pig", max_cycles=3)
    assert len(list(played(made, 1))) <= 5
    assert all(made.truncations.values())
    api_test(turns("pig", max_cycles=3), num_cycles=30)
    assert 3 in made._asked.values()


@pytest.mark.parametrize("name", shipped())
def test_the_mask_does_not_lie(name: str) -> None:
    check_mask(turns(name))


@pytest.mark.parametrize("name", ["nim", "pig", "liars_dice"])
def test_a_stable_number_that_the_mask_forbids_means_something_illegal(
    name: str,
) -> None:
    made = pettingzoo.env(table_of(name), actions="stable")
    space = made.episode.space
    assert isinstance(space, StableActions)
    for seen in played(made, 2, 12):
        for number in np.flatnonzero(seen["action_mask"] == 0):
            name, values = space.meanings[number]
            choice = Act(name, values or ()) if name else Done()
            assert made.episode.game.refusals(choice)


@pytest.mark.parametrize("name", ["liars_dice", "guild_street", "cribbage", KUHN])
def test_a_seat_sees_nothing_that_is_hidden_from_it(name: str) -> None:
    check_sight(turns(name))


def test_a_seed_brings_the_same_game_again() -> None:
    check_seed(partial(turns, "pig"))


def test_without_a_seed_another_game_follows_and_it_is_the_same_one_each_time() -> None:
    seen = []
    for _ in range(2):
        made = turns("pig")
        made.reset(seed=1)
        for _ in range(2):
            made.reset()
            seen.append(made.episode.game.machine.seed)
    assert seen[0] != seen[1]
    assert seen[:2] == seen[2:]


def test_who_wins_gets_what_the_others_lose() -> None:
    check_rewards(turns("nim"))


def test_winners_share_and_nobody_gets_anything_for_a_draw() -> None:
    payoff = Payoff(table_of("pig").change(players=3).program)
    assert shares(Outcome("won", (1,)), 3) == pytest.approx([-0.5, 1, -0.5])
    assert shares(Outcome("won", (0, 1)), 3) == pytest.approx([0.25, 0.25, -0.5])
    for nobody in (Outcome("drawn"), Outcome("stalled"), Outcome("won", (0, 1, 2))):
        assert shares(nobody, 3) == [0, 0, 0]
    assert (payoff.least, payoff.most) == (-1, 1)
    assert max(shares(Outcome("won", (3,)), 7)) == 1  # and nothing above it
    assert shares(Outcome("won", (0,)), 1) == [1]
    assert shares(Outcome("won", ()), 1) == [0]


def test_what_bots_strive_for_is_added_where_that_is_asked_for() -> None:
    made = turns("pig", shaping=0.01)
    sums = [0.0, 0.0]
    for _ in played(made, 4, 10_000):
        for seat, agent in enumerate(made.possible_agents):
            sums[seat] += made.rewards[agent]
    for seat, agent in enumerate(made.possible_agents):
        sums[seat] += made.rewards[agent]
    game = made.episode.game
    assert game.outcome is not None
    lead = game.cell("score", 0) - game.cell("score", 1)  # type: ignore[operator]
    won = 1 if game.outcome.winners == (0,) else -1
    assert sums == pytest.approx([won + 0.005 * lead, -won - 0.005 * lead])


def test_hidden_things_are_no_reward_on_the_way(tmp_path: Path) -> None:
    pettingzoo.env("liars_dice", shaping=0.1).reset(seed=1)  # all see how many dice
    rules = shutil.copytree(KUHN, tmp_path / "kuhn") / "game.rules"
    line = "bots strive for: those p in players with most strength(p)\n"
    rules.write_text(rules.read_text("utf-8") + line, encoding="utf-8")
    made = pettingzoo.env(rules.parent, shaping=0.1)
    with pytest.raises(ValueError, match="depends on what seats do not see"):
        made.reset(seed=1)


def test_what_bots_strive_for_can_be_what_a_game_is_worth() -> None:
    made = turns("pig", reward="goal")
    for _ in played(made, 4, 10_000):
        assert not any(made.rewards.values())
    first, second = (made.episode.game.cell("score", seat) for seat in range(2))
    lead = (first - second) / 2  # type: ignore[operator]
    assert list(made.rewards.values()) == [lead, -lead]
    payoff = made.episode.payoff
    assert payoff.least <= -abs(lead) <= abs(lead) <= payoff.most
    with pytest.raises(ValueError, match="nothing to strive for but the win"):
        turns("nim", reward="goal")


AT_ONCE = [("cribbage", ""), ("mau_mau", "jump_in")]  # choices, and claims


@pytest.mark.parametrize(("game", "variant"), AT_ONCE)
def test_all_who_play_at_once_act_in_one_step_and_know_nothing_of_the_others(
    game: str, variant: str
) -> None:
    table = houserule.load(game).table(with_=variant, players=3)
    made = pettingzoo.parallel_env(table)
    luck = np.random.default_rng(1)
    seen, _ = made.reset(seed=1)
    together, where = 0, made.episode.encoding.names.index("decides")
    for _ in range(200):
        if not made.agents:
            break
        deciding = [each for each in made.agents if not seen[each]["action_mask"][-1]]
        together += len(deciding) > 1
        for agent in deciding:  # each sees that it is to decide, and not who else
            seat = made.possible_agents.index(agent)
            assert seen[agent]["observation"][where] == seat
        actions = {
            each: a_legal(seen[each]["action_mask"], luck) for each in made.agents
        }
        seen, _, _, _, infos = made.step(actions)
        assert not any(info["refused"] for info in infos.values())
    assert together


@pytest.mark.parametrize(("name", "variant"), AT_ONCE)
def test_in_parallel_the_masks_are_those_of_one_decision_after_the_other(
    name: str, variant: str
) -> None:
    table = houserule.load(name).table(with_=variant, players=3)
    made = pettingzoo.parallel_env(table)
    luck, seen = np.random.default_rng(2), made.reset(seed=2)[0]
    together = 0
    for _ in range(30):
        game = made.episode.game.clone()
        masks = {agent: each["action_mask"] for agent, each in seen.items()}
        waiting = [mask for mask in masks.values() if mask[-1]]
        assert all(mask.sum() == 1 for mask in waiting)
        deciding = len(masks) - len(waiting)
        for _ in range(deciding):  # in the order of the phase
            decision = game.decision
            assert decision is not None
            mask = masks.pop(made.possible_agents[decision.seat])
            assert not mask[-1]
            assert mask.sum() == decision.options.count()
            game.carry_out(decision.options[0])
        together += deciding > 1
        seen = made.step({a: a_legal(seen[a]["action_mask"], luck) for a in seen})[0]
    assert together


def test_in_parallel_the_same_seed_and_actions_are_the_same_game() -> None:
    def way(seed: int) -> list[object]:
        made = pettingzoo.parallel_env(table_of("cribbage"))
        luck, seen = np.random.default_rng(1), made.reset(seed=seed)[0]
        found: list[object] = []
        for _ in range(25):
            found.append([each["observation"].tolist() for each in seen.values()])
            taken = {a: a_legal(seen[a]["action_mask"], luck) for a in seen}
            seen, *_ = made.step(taken)
        return found

    assert way(1) == way(1)
    assert way(1) != way(2)


def test_in_parallel_a_forbidden_action_stops_the_step() -> None:
    made = pettingzoo.parallel_env(table_of("pig"))
    made.reset(seed=1)
    before = made.episode.game.save()
    _, rewards, _, _, infos = made.step({"player_0": 2, "player_1": 3})
    assert infos == {"player_0": {"refused": True}, "player_1": {"refused": False}}
    assert rewards == {"player_0": -0.1, "player_1": 0}
    assert made.episode.game.save() == before


def test_what_is_asked_for_and_is_not_there_is_said() -> None:
    with pytest.raises(ValueError, match="Set `cut`"):
        pettingzoo.env(table_of("takeover"))
    with pytest.raises(ValueError, match=r"no reward `wins`.*`win`"):
        pettingzoo.env("pig", reward="wins")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="render_mode"):
        pettingzoo.env("pig", render_mode="human")
    with pytest.raises(houserule.RulesetError, match="Did you mean `pig`"):
        pettingzoo.env("pik")
    with pytest.raises(RuntimeError, match="Call `reset`"):
        pettingzoo.env("pig").observe("player_0")
    with pytest.raises(RuntimeError, match="Call `reset`"):
        pettingzoo.parallel_env("pig").step({})
    with pytest.raises(ValueError, match="max_cycles is at least 1, not 0"):
        pettingzoo.env("pig", max_cycles=0)
    made = pettingzoo.env("pig")
    made.reset(seed=1)
    for wrong in (None, 0.0, "roll"):
        with pytest.raises(ValueError, match="player_0 is to act"):
            made.step(wrong)
    together = pettingzoo.parallel_env("pig")
    together.reset(seed=1)
    with pytest.raises(ValueError, match=r"player_0 is to act.*not None"):
        together.step({"player_1": 3})


# ---- mutants: each breaks the environments, and a check sees it


def _all_allowed(self: Episode, *_: object) -> object:
    return np.ones(self.space.size, dtype=np.int8)


def _one_hidden(self: Episode, decision: Any, seat: int, more: int = 0) -> object:  # noqa: ANN401
    mask = _mask(self, decision, seat, more)
    mask[np.flatnonzero(mask)[1:2]] = 0
    return mask


def _all_seen(self: Episode, seat: int) -> object:
    seen = [_observation(self, each) for each in range(self.program.seats)]
    return np.maximum.reduce([seen[seat], *seen])


def _always_one(self: Episode, _: int) -> None:
    _begin(self, 1)


def _never_the_same(self: Episode, _: int) -> None:
    _begin(self, int(np.random.default_rng().integers(1 << 60)))


def _turned_round(self: Payoff, game: Any) -> list[float]:  # noqa: ANN401
    return [-each for each in _of(self, game)]


_mask, _observation = Episode.mask, Episode.observation
_begin, _of = Episode.begin, Payoff.of
_check_mask = partial(test_the_mask_does_not_lie, "nim")
_check_seed = test_a_seed_brings_the_same_game_again
_check_rewards = test_who_wins_gets_what_the_others_lose
_check_sight = partial(test_a_seat_sees_nothing_that_is_hidden_from_it, "liars_dice")
MUTANTS: dict[str, tuple[Any, str, Any, Callable[[], None]]] = {
    "the mask allows everything": (Episode, "mask", _all_allowed, _check_mask),
    "the mask leaves out an option": (Episode, "mask", _one_hidden, _check_mask),
    "what others see is seen": (Episode, "observation", _all_seen, _check_sight),
    "the seed is of no account": (
        Episode,
        "begin",
        _never_the_same,
        test_a_seed_brings_the_same_game_again,
    ),
    "all seeds are one": (
        Episode,
        "begin",
        _always_one,
        test_a_seed_brings_the_same_game_again,
    ),
    "who loses is rewarded": (
        Payoff,
        "of",
        _turned_round,
        test_who_wins_gets_what_the_others_lose,
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_check_sees(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, instead, check = MUTANTS[mutant]
    monkeypatch.setattr(owner, name, instead)
    with pytest.raises((AssertionError, ValueError)):
        check()
