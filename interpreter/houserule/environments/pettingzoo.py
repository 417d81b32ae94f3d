"""PettingZoo: a table as an environment in which each seat is an agent.

Only this module imports pettingzoo, which is in the extra `pettingzoo`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from houserule.environments.actions import Numbering
from houserule.environments.episode import (
    REFUSED,
    SEEDS,
    Episode,
    LearningTerms,
    at_least_one,
    decisions_at_once,
    number_of,
    observations,
)
from houserule.environments.payoff import RewardName

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"PettingZoo's environments need {error.name}, which is not installed. "
        "Install it with: pip install 'houserule[pettingzoo]'",
        name=error.name,
    ) from None

from houserule.api.table import Table


def env(
    table: Table | str | Path,
    *,
    actions: Numbering = "listed",
    cut: int | None = None,
    reward: RewardName = "win",
    shaping: float = 0.0,
    refused: float = REFUSED,
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> TurnsEnv:
    """Return an environment in which one seat after the other decides (AEC).

    Args:
        table: a table, the name of a built-in game, or the path of a ruleset's folder
            or of a table file.
        actions: "listed": number n is option n of a decision; "stable": a number always
            has the same meaning.
        cut: the number of listed options that are available.
        reward: at the end, "win": a share of the win, or "goal": the bots' objective.
        shaping: the factor by which changes of the bots' objective are added at once.
        refused: the reward for an action that the mask forbids. The game ignores it,
            and the same seat decides again.
        max_cycles: the number of decisions of one seat after which it is truncated; by
            default, the limit of games of bots.
        render_mode: "ansi" or None.

    Raises:
        ValueError: too many actions, or an unknown reward.
        RulesetError: an unknown game.
        TableError: an unknown table.

    Example:
        >>> from houserule.environments import pettingzoo
        >>> env = pettingzoo.env("pig")
        >>> env.reset(seed=1)
        >>> env.agent_selection, env.observe("player_0")["action_mask"]
        ('player_0', array([1, 0, 0], dtype=int8))
    """
    terms = LearningTerms(table, actions, cut, reward, shaping, refused)
    return TurnsEnv(terms, max_cycles, render_mode)


def parallel_env(
    table: Table | str | Path,
    *,
    actions: Numbering = "listed",
    cut: int | None = None,
    reward: RewardName = "win",
    shaping: float = 0.0,
    refused: float = REFUSED,
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> TogetherEnv:
    """Return an environment in which all seats act in each step (parallel).

    In a phase that is played `together`, all deciding seats act in one step, without
    knowing of the others. Otherwise one seat decides, and the others have one action,
    the last number: wait. Any action of theirs counts as that.

    Args:
        table: as in `env`, like the following.
        actions: the kind of numbers.
        cut: the number of listed options that are available.
        reward: the reward at the end.
        shaping: the factor of rewards before the end.
        refused: the reward for an action that the mask forbids. Then the game ignores
            all actions of this step.
        max_cycles: the number of steps after which it is truncated.
        render_mode: "ansi" or None.

    Raises:
        ValueError: too many actions, or an unknown reward.
        RulesetError: an unknown game.
        TableError: an unknown table.

    Example:
        >>> from houserule.environments import pettingzoo
        >>> env = pettingzoo.parallel_env("pig")
        >>> seen, infos = env.reset(seed=1)
        >>> seen["player_0"]["action_mask"], seen["player_1"]["action_mask"]
        (array([1, 0, 0, 0], dtype=int8), array([0, 0, 0, 1], dtype=int8))
    """
    terms = LearningTerms(table, actions, cut, reward, shaping, refused)
    return TogetherEnv(terms, max_cycles, render_mode)


class _Agents:
    """The base of both environments: agents, their spaces, seeds."""

    def __init__(
        self, terms: LearningTerms, render_mode: str | None, more: int
    ) -> None:
        if render_mode not in {None, "ansi"}:
            raise ValueError(f'render_mode is "ansi" or None, not {render_mode!r}.')
        self.episode, self.render_mode = Episode(terms), render_mode
        seats = range(self.episode.program.seats)
        self.possible_agents = [f"player_{seat}" for seat in seats]
        self.agents: list[str] = []
        seen = observations(self.episode.encoding)
        many = self.episode.space.size + more
        self._random = seeding.np_random(None)[0]
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": seen,
                    "action_mask": spaces.Box(0, 1, (many,), dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(many) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of what an agent sees: always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions: always the same object."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        self.episode.begin(int(self._random.integers(SEEDS)))
        self.agents = list(self.possible_agents)

    def words(self, action: int) -> str:
        """Return the current meaning of an action for the deciding seat, as text.

        Raises:
            ValueError: an illegal action.
        """
        return self.episode.words(action)

    def render(self) -> str | None:
        """Return the deciding seat's view, as text; None without a mode."""
        if self.render_mode is None:
            return None
        decision = self.episode.game.decision
        return self.episode.text(0 if decision is None else decision.seat)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class TurnsEnv(_Agents, AECEnv):  # type: ignore[misc]  # the library has no types
    """One seat after the other decides; `env` makes it."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "houserule_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, terms: LearningTerms, max_cycles: int | None, render_mode: str | None
    ) -> None:
        _Agents.__init__(self, terms, render_mode, 0)
        self.max_cycles = at_least_one(max_cycles, "max_cycles")
        self._asked: dict[str, int] = {}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Begin a game with a seed, or the next one of the last seed.

        Args:
            seed: the seed of this game and of those after it.
            options: ignored.

        Raises:
            RuleFault: the rules failed.
        """
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"refused": False} for agent in self.agents}
        self._asked = dict.fromkeys(self.agents, 0)
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's view and legal actions; none if another agent decides."""
        seat = self.possible_agents.index(agent)
        return {
            "observation": self.episode.observation(seat),
            "action_mask": self.episode.mask(self.episode.game.decision, seat),
        }

    def step(self, action: Any) -> None:  # noqa: ANN401
        """Let the selected agent act: None if it is done, else a number.

        Raises:
            ValueError: not a number.
            RuleFault: the rules failed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        taken = self.episode.take(action, agent)
        self._asked[agent] += 1
        gained = self.episode.rewards()
        self.rewards = dict(zip(self.possible_agents, gained, strict=True))
        if not taken:
            self.rewards[agent] += self.episode.terms.refused
        self.infos[agent] = {"refused": not taken}
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Select the next deciding agent, or end."""
        decision = self.episode.game.decision
        if decision is None:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.episode.cut_off or self.max_cycles in self._asked.values():
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[decision.seat]


class TogetherEnv(_Agents, ParallelEnv):  # type: ignore[misc]  # it has no types
    """All seats act in each step; `parallel_env` makes it."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "houserule_parallel_v0",
        "render_modes": ["ansi"],
    }

    def __init__(
        self, terms: LearningTerms, max_cycles: int | None, render_mode: str | None
    ) -> None:
        _Agents.__init__(self, terms, render_mode, 1)
        self.max_cycles = at_least_one(max_cycles, "max_cycles")
        self._steps = 0

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game with a seed, or the next one of the last seed.

        Args:
            seed: the seed of this game and of those after it.
            options: ignored.

        Raises:
            RuleFault: the rules failed.
        """
        self._begin(seed)
        self._steps = 0
        return self._seen(), {agent: {"refused": False} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Let all agents act; return their observations, rewards and end flags.

        Raises:
            ValueError: a deciding agent has no action, or it is not a number.
            RuntimeError: no game was begun.
            RuleFault: the rules failed.
        """
        asked = decisions_at_once(self.episode.game)
        agents, self._steps = list(self.agents), self._steps + 1
        if not agents:
            return {}, {}, {}, {}, {}
        refused = dict.fromkeys(agents, False)
        for seat, decision in asked.items():
            agent = self.possible_agents[seat]
            number = number_of(actions.get(agent), agent)
            refused[agent] = number not in self.episode.space.legal(decision)
        if not any(refused.values()):
            for seat in asked:
                self.episode.take(actions[self.possible_agents[seat]])
        rewards = dict(zip(self.possible_agents, self.episode.rewards(), strict=True))
        for agent, is_refused in refused.items():
            rewards[agent] += self.episode.terms.refused * is_refused
        over = self.episode.over
        cut_off = not over and self._steps >= self.max_cycles
        seen = self._seen()
        if over or cut_off:
            self.agents = []
        return (
            seen,
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut_off),
            {agent: {"refused": refused[agent]} for agent in agents},
        )

    def _seen(self) -> dict[str, Any]:
        """Return each agent's observation and mask."""
        asked = decisions_at_once(self.episode.game)
        found = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = self.episode.mask(asked.get(seat), seat, 1)
            mask[-1] = seat not in asked
            seen = self.episode.observation(seat, asked.get(seat))
            found[agent] = {"observation": seen, "action_mask": mask}
        return found
