"""Shipped games as learners meet them, and what must hold of each environment.

A check raises an AssertionError where an environment does not keep what it says: tests
hold the environments to it, and mutants of the environments the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from tests.support.sampling import spread
from tests.support.shipped import NAMES

import houserule
from houserule.engine.bots.imagined import imagine
from houserule.engine.reference.random_numbers import Stream
from houserule.environments.actions import ACTIONS_IN_SPACE, most_options
from houserule.environments.pettingzoo import TurnsEnv, env

KUHN = str(Path(__file__).parents[1] / "cases" / "environments" / "kuhn")
CUT = 256
STEPS = 40


@cache
def table_of(name: str) -> houserule.Table:
    return houserule.load(name).table()


@cache
def cut_of(name: str) -> int | None:
    """Return a cut for a game with very many options; None where none is needed."""
    most = most_options(table_of(name).program)
    return CUT if most > ACTIONS_IN_SPACE else None


USUAL = {"cribbage", "guild_street", "pig"}
"""Games of short turns: seats that decide at once, hidden hands, dice."""


def shipped(usual: Collection[str] = USUAL) -> list[object]:
    """Return the names of shipped games; all but some, and the last, are slow."""
    return spread(NAMES, len(NAMES), first=False, needed=lambda name: name in usual)


def turns(name: str, **more: Any) -> TurnsEnv:  # noqa: ANN401
    return env(table_of(name), cut=cut_of(name), **more)


def a_legal(mask: np.ndarray[Any, Any], luck: np.random.Generator) -> int:
    return int(luck.choice(np.flatnonzero(mask)))


def played(
    made: TurnsEnv, seed: int, steps: int = STEPS, choosing: int = 1
) -> Iterator[dict[str, Any]]:
    """Play by chance, and yield what the agent in turn sees before it acts.

    The seed is the luck of the game, `choosing` that of what is chosen.
    """
    luck = np.random.default_rng(choosing)
    made.reset(seed=seed)
    for _ in range(steps):
        if {True} & {*made.terminations.values(), *made.truncations.values()}:
            return
        seen = made.observe(made.agent_selection)
        yield seen
        made.step(a_legal(seen["action_mask"], luck))


# ---- the checks


def check_seed(make: Callable[[], TurnsEnv]) -> None:
    """A seed brings the same game again, and another seed another one."""
    ways = [
        [each["observation"].tolist() for each in played(make(), seed)]
        for seed in (3, 3, 4)
    ]
    assert ways[0] == ways[1], "the same seed is another game"
    assert ways[0] != ways[2], "another seed is the same game"


def check_mask(made: TurnsEnv, seed: int = 5) -> None:
    """What the mask allows is legal, what it forbids is not; nothing is left out."""
    space, game = made.episode.space, made.episode
    for seen in played(made, seed):
        mask, decision = seen["action_mask"], game.game.decision
        assert decision is not None
        legal = np.flatnonzero(mask)
        assert len(legal) == min(decision.options.count(), space.size)
        choices = []
        for number in legal:
            choice = space.choice(decision, int(number))
            assert not game.game.refusals(choice), f"{number} is not legal"
            choices.append(choice)
        assert len({repr(each) for each in choices}) == len(choices)
        forbidden = np.flatnonzero(mask == 0)
        if len(forbidden):
            _is_refused(made, int(forbidden[0]))


def _is_refused(made: TurnsEnv, action: int) -> None:
    before, agent = made.episode.game.save(), made.agent_selection
    made.step(action)
    assert made.infos[agent]["refused"], f"{action} is forbidden and was taken"
    assert made.rewards[agent] == made.episode.terms.refused
    assert made.agent_selection == agent
    assert made.episode.game.save() == before


def check_sight(made: TurnsEnv, seed: int = 6) -> None:
    """What a seat sees hangs on nothing that it does not see."""
    luck = Stream.seeded(seed, 0, "sight")
    for number, _ in enumerate(played(made, seed)):
        if number % 4:
            continue
        game = made.episode.game
        for seat, agent in enumerate(made.possible_agents):
            seen = made.observe(agent)
            for _ in range(3):
                made.episode._game = imagine(game, seat, luck).game
                again = made.observe(agent)
                assert (seen["observation"] == again["observation"]).all()
                assert (seen["action_mask"] == again["action_mask"]).all()
            made.episode._game = game


def check_rewards(made: TurnsEnv, seeds: range = range(8)) -> None:
    """Who wins gets 1 in a game for two, the other -1; nobody gets anything before."""
    won = set()
    for seed in seeds:
        for _ in played(made, seed, 10_000, choosing=seed):
            assert not any(made.rewards.values())
        outcome = made.episode.game.outcome
        assert outcome is not None
        (winner,) = outcome.winners
        won.add(winner)
        gained = [made.rewards[each] for each in made.possible_agents]
        assert gained == [1.0 if seat == winner else -1.0 for seat in range(2)]
    assert len(won) == 2, "one seat won all games: nothing is seen of the other"
