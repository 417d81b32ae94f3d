"""Tables as games of OpenSpiel: its own tests, its bots, and what is known exactly."""

# ruff: noqa: E402 - what is skipped without a library is imported after it
from __future__ import annotations

import os
import pickle
import unittest
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip(
    "pyspiel", reason="the extra `openspiel` is not installed, or has no wheel here"
)

from absl import flags
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    cfr,
    evaluate_bots,
    expected_game_score,
    exploitability,
    get_all_states,
    ismcts,
    mcts,
    minimax,
    random_agent,
)
from tests.environments.learners import CUT, KUHN, cut_of, shipped
from tests.support.engines import last_of

import houserule
from houserule.compiler.options.scales import shown as written
from houserule.engine.bots.greedy import played_at_once
from houserule.environments import openspiel, tree
from houserule.environments.openspiel import HouseruleState, game_string, tree_of
from houserule.environments.payoff import Payoff

PLAYTHROUGHS = Path(__file__).parents[1] / "cases" / "environments" / "playthroughs"


def load(name: str, **more: str | int) -> Any:  # noqa: ANN401
    return pyspiel.load_game(game_string(name, **more))


def shipped_game(name: str, **more: str | int) -> Any:  # noqa: ANN401
    return load(name, cut=cut_of(name) or 0, **more)


# ---- their tests


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_game_passes_their_simulation(name: str) -> None:
    pyspiel.random_sim_test(
        shipped_game(name), num_sims=1, serialize=True, verbose=False
    )


@pytest.mark.parametrize("name", shipped({"pachisi"}))
def test_a_table_with_much_on_passes_their_simulation(name: str) -> None:
    choice = last_of(name).choice
    settings = {
        key: written(value).replace(", ", "/") for key, value in choice.settings.items()
    }
    game = load(
        name,
        with_="+".join(sorted(choice.variants)),
        set="+".join(f"{key}:{value}" for key, value in settings.items()),
        players=choice.players,
        cut=CUT,
        chance="sampled",
    )
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["pig", "liars_dice", KUHN])
def test_sampled_chance_passes_their_simulation(name: str) -> None:
    game = load(name, chance="sampled", actions="stable", recall=60)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def their_cases(base: str, **attributes: object) -> unittest.TestResult:
    """Run their test cases of the interface on one game."""
    from open_spiel.integration_tests import api_test

    case = type(base, (getattr(api_test, base),), attributes)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert not result.failures, result.failures[0][1]
    assert not result.errors, result.errors[0][1]
    return result


def test_their_cases_pass_on_the_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    from open_spiel.integration_tests import api_test

    # As their own game, but that six orders are a draw where they deal card by card.
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, "kuhn", (1, 24, 30))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, "kuhn", 12)
    game = load(KUHN, reward="goal", recall=3)
    their_cases("EnforceAPIOnFullTreeBase", game=game, game_name="kuhn")


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("liars_dice", {"recall": 80}),
        ("nim", {}),
        pytest.param("pasha", {}, marks=pytest.mark.slow),
    ],
)
def test_their_cases_pass_on_a_part_of_the_tree(
    name: str, more: dict[str, str | int]
) -> None:
    game = shipped_game(name, **more)
    their_cases("EnforceAPIOnPartialTreeBase", game=game, game_name=name)


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("nim", game_string("nim", with_="misere", set="heaps:2")),
        ("pig", game_string("pig", set="target:20", players=3)),
        ("liars_dice", game_string("liars_dice", set="dice_each:1", actions="stable")),
        ("sampled", game_string("liars_dice", set="dice_each:1", chance="sampled")),
    ],
)
def test_a_playthrough_is_played_again_line_by_line(name: str, game: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # brings SciPy along

    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()
    path = PLAYTHROUGHS / f"{name}.txt"
    if os.environ.get("HOUSERULE_BLESS"):
        path.parent.mkdir(exist_ok=True)
        text = generate_playthrough.playthrough(game, action_sequence=[], seed=1)
        path.write_text(text, encoding="utf-8")
    original, again = generate_playthrough.replay(path)
    assert original == again
    assert f"game: {game}\n" in original


# ---- what is known exactly


def test_the_smallest_poker_has_its_value() -> None:
    game = load(KUHN, reward="goal")
    theirs = pyspiel.load_game("kuhn_poker")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    assert exploitability.exploitability(game, found) < 0.003
    value = expected_game_score.policy_value(game.new_initial_state(), [found] * 2)
    assert value == pytest.approx([-1 / 18, 1 / 18], abs=0.001)
    blind, blind_there = (
        exploitability.nash_conv(each, policy.UniformRandomPolicy(each))
        for each in (game, theirs)
    )
    assert blind == pytest.approx(blind_there)


def test_their_solver_in_another_language_walks_through_it() -> None:
    game = load(KUHN, reward="goal")
    solver = pyspiel.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, solver.average_policy()) < 0.1


@pytest.mark.parametrize(("sticks", "value"), [("1:2", -1), ("2:2", -1), ("1:3", 1)])
def test_nim_is_solved(sticks: str, value: int) -> None:
    """Equal heaps are lost for who begins, three of 1, 2, 3 sticks too; others won."""
    first, many = sticks.split(":")
    alike = load("nim", set=f"heaps:{many}+first_heap:{first}+growth:0")
    found, _ = minimax.alpha_beta_search(alike)
    assert found == value
    rising = load("nim", set="heaps:3+first_heap:1+growth:1")
    assert minimax.alpha_beta_search(rising)[0] == -1


def test_nothing_hidden_tells_decisions_apart() -> None:
    states = all_decisions(load(KUHN))
    for player in range(2):
        known = {
            state.information_state_string(player): state.legal_actions()
            for state in states
            if state.current_player() == player
        }
        assert len(known) == 6


def test_a_seat_knows_its_own_die_and_who_begins() -> None:
    seen: dict[int, set[str]] = {0: set(), 1: set()}
    states = [load("liars_dice", set="dice_each:1").new_initial_state()]
    while states:
        state = states.pop()
        if state.is_chance_node():
            states += [state.child(outcome) for outcome, _ in state.chance_outcomes()]
        else:
            for seat, known in seen.items():
                known.add(state.information_state_string(seat))
    assert {seat: len(known) for seat, known in seen.items()} == {0: 12, 1: 12}


def all_decisions(game: Any) -> list[Any]:  # noqa: ANN401
    found = get_all_states.get_all_states(
        game,
        depth_limit=-1,
        include_terminals=False,
        include_chance_states=False,
        to_string=lambda state: state.history_str(),
    )
    return list(found.values())


def test_every_earlier_decision_is_remembered() -> None:
    from open_spiel.integration_tests import api_test

    for game in (load(KUHN), load("nim", set="heaps:2+first_heap:2+growth:0")):
        assert api_test._assert_is_perfect_recall(game)


def test_of_those_who_decide_at_once_nobody_knows_that_they_do() -> None:
    state = somewhere("cribbage", 0)
    while not decided_at_once(state.node):
        apply_any(state)
    first = state.current_player()
    before = state.information_state_string(first)
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() != first
    known, seen = (
        getattr(state, look)(first)
        for look in ("information_state_string", "observation_string")
    )
    (line,) = known.removeprefix(before).splitlines()
    assert line.startswith("> ")
    assert seen.startswith("at once at ")


def decided_at_once(node: tree.TreeNode) -> bool:
    game = node.game
    decision = None if game is None else game.decision
    return bool(game and decision and played_at_once(game, decision))


# ---- their bots


@pytest.mark.parametrize("name", ["nim", "pig"])
def test_their_tree_search_plays(name: str) -> None:
    game = load(name, set="target:20" if name == "pig" else "heaps:2")
    luck = np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, luck)
    bot = mcts.MCTSBot(game, 1.4, 30, rollouts, random_state=luck)
    assert ended(game, bot, luck)


@pytest.mark.parametrize("name", [KUHN, "liars_dice", "guild_street"])
def test_their_search_under_hidden_information_plays(name: str) -> None:
    game = shipped_game(name)
    luck = np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, luck)
    bot = ismcts.ISMCTSBot(game, rollouts, 1.4, 6, random_state=luck)
    bot.set_resampler(openspiel.resampler(1))
    assert ended(game, bot, luck)


def test_their_environment_for_learners_goes_through_a_game() -> None:
    made = rl_environment.Environment(load("nim", actions="stable"))
    agents = [
        random_agent.RandomAgent(seat, made.game.num_distinct_actions())
        for seat in range(2)
    ]
    time = made.reset()
    assert len(time.observations["info_state"][0]) == made.game.encoding.size
    while not time.last():
        seat = time.observations["current_player"]
        time = made.step([agents[seat].step(time).action])
    assert sorted(time.rewards) == [-1, 1]


@pytest.mark.parametrize("name", ["pig", "liars_dice"])
def test_bots_by_name_play_in_their_evaluation(name: str) -> None:
    game, luck, sums = load(name), np.random.RandomState(1), np.zeros(2)
    for seed in range(10):
        greedy, blind = seed % 2, 1 - seed % 2
        seats = {
            greedy: openspiel.NamedBot(game, "greedy", greedy, seed),
            blind: openspiel.NamedBot(game, "random", blind, seed),
        }
        state = game.new_initial_state()
        got = evaluate_bots.evaluate_bots(state, [seats[0], seats[1]], luck)
        sums += got[greedy], got[blind]
    assert sums[0] > sums[1]
    with pytest.raises(ValueError, match="There is no bot `gredy`"):
        openspiel.NamedBot(game, "gredy", 0)


def ended(game: Any, bot: Any, luck: np.random.RandomState) -> list[float]:  # noqa: ANN401
    """Let a bot play the first seat, and chance all others; return what each gets."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = luck.choice(outcomes, p=chances)
        elif state.current_player() == 0:
            action = bot.step(state)
        else:
            action = luck.choice(state.legal_actions())
        state.apply_action(action)
    returns: list[float] = state.returns()
    return returns


# ---- copies, worlds, pickles


def somewhere(name: str, decisions: int, **more: str | int) -> HouseruleState:
    """Return a state after some decisions, all of them and all draws by chance."""
    state = shipped_game(name, **more).new_initial_state()
    luck = np.random.default_rng(1)
    made = 0
    while made < decisions or state.is_chance_node():
        made += not state.is_chance_node()
        apply_any(state, luck)
    found: HouseruleState = state
    return found


def apply_any(state: Any, luck: np.random.Generator | None = None) -> None:  # noqa: ANN401
    """Apply an action or an outcome: by chance, or the last one."""
    every = state.legal_actions()  # outcomes too
    state.apply_action(every[-1] if luck is None else int(luck.choice(every)))


def test_a_copy_goes_its_own_way() -> None:
    state = somewhere("liars_dice", 3)
    copy = state.clone()
    assert copy.node is state.node  # so it costs next to nothing
    assert deepcopy(state.node) is state.node
    before = str(state)
    copy.apply_action(copy.legal_actions()[0])
    assert (str(state), state.node is copy.node) == (before, False)


@pytest.mark.parametrize("name", ["liars_dice", "guild_street", "cribbage"])
def test_an_imagined_state_looks_the_same_and_is_another_one(name: str) -> None:
    state = somewhere(name, 9)
    player, resample = state.current_player(), openspiel.resampler(2)
    others = set()
    for _ in range(6):
        world = resample(state, player)
        for look in ("information_state_string", "observation_string"):
            assert getattr(world, look)(player) == getattr(state, look)(player)
        assert world.observation_tensor(player) == state.observation_tensor(player)
        assert world.legal_actions() == state.legal_actions()
        others.add(str(world))
        while not world.is_terminal():
            actions = world.legal_actions()
            world.apply_action(actions[len(actions) // 2])
    assert len(others) > 1


def test_all_cards_that_another_may_hold_are_imagined() -> None:
    state = load(KUHN).new_initial_state()
    state.apply_action(0)
    resample = openspiel.resampler(3)
    counts: dict[str, int] = {}
    for _ in range(200):
        seen = resample(state, 0).observation_string(1)
        counts[seen] = counts.get(seen, 0) + 1
    assert len(counts) == 2
    assert min(counts.values()) > 70


def test_a_state_comes_back_from_plain_data() -> None:
    for name, decisions in (("liars_dice", 4), (KUHN, 1), ("guild_street", 12)):
        state = somewhere(name, decisions)
        world = openspiel.resampler(1)(state, state.current_player())
        for each in (state, world):
            node = pickle.loads(pickle.dumps(each.node))
            for seat in range(node.tree.program.seats):
                assert node.remembers(seat) == each.node.remembers(seat)
                assert node.sees(seat) == each.node.sees(seat)
            assert node.depth == each.node.depth
            assert node.game is not None
            assert each.node.game is not None
            assert node.game.save() == each.node.game.save()


def test_a_tensor_of_what_is_remembered_says_when_it_is_too_short() -> None:
    state = somewhere("liars_dice", 6, recall=2)
    with pytest.raises(ValueError, match="`recall` is 2: use a larger one"):
        state.information_state_tensor(state.current_player())


def test_a_game_that_goes_on_too_long_is_worth_nothing() -> None:
    state = load("pig", decisions=2).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    assert state.returns() == [0, 0]


@pytest.mark.parametrize(
    ("string", "message"),
    [
        ("python_houserule()", "Name a ruleset"),
        ("python_houserule(ruleset=pig,set=target)", "NAME:VALUE"),
        ("python_houserule(ruleset=pig,chance=explict)", "Did you mean `explicit`"),
        ("python_houserule(ruleset=pig,reward=wim)", "Did you mean `win`"),
        ("python_houserule(ruleset=takeover)", "Set `cut`"),
        ("python_houserule(ruleset=pik)", "Did you mean `pig`"),
        ("python_houserule(ruleset=pig,players=9)", "E3"),
        ("python_houserule(ruleset=pig,recall=-1)", "a number from 0"),
        ("python_houserule(ruleset=pig,table=friday.yaml)", "or a table file"),
        ("python_houserule(table=friday.yaml,rules=a)", "omit `rules`"),
    ],
)
def test_a_wrong_parameter_is_said(string: str, message: str) -> None:
    with pytest.raises((ValueError, houserule.DiagnosticsError), match=message):
        pyspiel.load_game(string)


def test_a_table_file_can_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "friday.yaml"
    path.write_text("game: pig\nplayers: 4\n", encoding="utf-8")
    game = pyspiel.load_game(f"python_houserule(table={path},set=target:30)")
    assert game.num_players() == 4
    assert game.program.options["target"] == 30


def test_what_is_no_outcome_or_action_is_said() -> None:
    state = load("pig").new_initial_state()
    with pytest.raises(ValueError, match="99 is not a legal action here"):
        state.apply_action(99)
    state.apply_action(0)
    with pytest.raises(ValueError, match="7 is not an outcome here: there are 6"):
        state.apply_action(7)


def test_a_game_string_is_made_of_its_parameters() -> None:
    with pytest.raises(ValueError, match="no parameter `colour`"):
        game_string("pig", colour="red")
    with pytest.raises(ValueError, match="cannot hold"):
        game_string("a,b")


# ---- mutants: each breaks the adapter, and a check above sees it


def _luck_of_its_own(self: tree.GivenLuck, tag: str, n: int) -> int:
    return int(np.random.default_rng().integers(n))


def _another_seat(self: tree.TreeNode, seat: int) -> str:
    return _remembers(self, 1 - seat)


def _no_other_world(self: tree.TreeNode, *_: object) -> tree.TreeNode:
    return self


def _turned_round(self: Payoff, game: Any) -> list[float]:  # noqa: ANN401
    return [-each for each in _of(self, game)]


def _forgets(self: tree.TreeNode, seat: int) -> str:
    return "" if self.game is None else self.sees(seat)


_remembers, _of = tree.TreeNode.remembers, Payoff.of
MUTANTS: dict[str, tuple[Any, str, Any, Callable[[], None]]] = {
    "chance that no node shows": (
        tree.GivenLuck,
        "below",
        _luck_of_its_own,
        lambda: test_a_playthrough_is_played_again_line_by_line(
            "pig", game_string("pig", set="target:20", players=3)
        ),
    ),
    "what another seat knows": (
        tree.TreeNode,
        "remembers",
        _another_seat,
        lambda: test_an_imagined_state_looks_the_same_and_is_another_one("liars_dice"),
    ),
    "the true state for an imagined one": (
        tree.TreeNode,
        "imagined",
        _no_other_world,
        test_all_cards_that_another_may_hold_are_imagined,
    ),
    "who loses is rewarded": (
        Payoff,
        "of",
        _turned_round,
        test_the_smallest_poker_has_its_value,
    ),
    "who else decides at once": (
        tree.TreeNode,
        "_is_unseen",
        lambda *_: False,
        test_of_those_who_decide_at_once_nobody_knows_that_they_do,
    ),
    "nothing is remembered": (
        tree.TreeNode,
        "remembers",
        _forgets,
        lambda: test_every_earlier_decision_is_remembered(),
    ),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_check_sees(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, instead, check = MUTANTS[mutant]
    monkeypatch.delenv("HOUSERULE_BLESS", raising=False)
    monkeypatch.setattr(owner, name, instead)
    tree_of.cache_clear()
    with pytest.raises((AssertionError, pyspiel.SpielError, ValueError)):
        check()
    tree_of.cache_clear()
