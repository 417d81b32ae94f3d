"""Gymnasium: one seat learns, and bots play the others.

Importing this module registers the environment `Houserule-v0`. `gymnasium.make` imports
it for the id `houserule.environments.gymnasium:Houserule-v0`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from houserule.base.limits import limit
from houserule.engine.bots.bot import Bot, bot_names
from houserule.engine.compiled.bots.compiled_bots import TrackedBot, quick_bots
from houserule.engine.compiled.bots.route import Track
from houserule.engine.reference.play.game import endless
from houserule.environments.actions import Numbering
from houserule.environments.episode import (
    REFUSED,
    SEEDS,
    Episode,
    LearningTerms,
    at_least_one,
    observations,
)
from houserule.environments.payoff import RewardName

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"Gymnasium's environments need {error.name}, which is not installed. "
        "Install it with: pip install 'houserule[gymnasium]'",
        name=error.name,
    ) from None

from houserule.api.table import Table

ID = "Houserule-v0"
TRIES = 1_000  # consecutive games that may end before the seat decides


class SeatEnv(gymnasium.Env[np.ndarray[Any, np.dtype[np.int32]], np.int64]):
    """One seat of a table as an environment; bots play the other seats.

    An observation is the seat's view, entry by entry (`encoding`). The mask of legal
    actions is in `info["action_mask"]`. An illegal action leaves the game unchanged,
    the reward is `refused`, and `info["refused"]` is true. The seat decides again.

    Args:
        table: a table, the name of a built-in game, or the path of a ruleset's folder
            or of a table file.
        bots: the names of the bots in the other seats, repeated in turn if fewer.
        seat: the seat that learns, from 0; by default, a random one in each game.
        actions: "listed": number n is option n of a decision; "stable": a number always
            has the same meaning.
        cut: the number of listed options that are available.
        reward: at the end, "win": a share of the win, or "goal": the bots' objective.
        shaping: the factor by which changes of the bots' objective are added at once.
        refused: the reward for an action that the mask forbids.
        max_steps: the number of actions after which a game is truncated; by default,
            the limit of games of bots.
        render_mode: "ansi" or None.

    Attributes:
        episode: the game in progress; internal, may change.
        seat: the seat that learns in this game.

    Example:
        >>> from houserule.environments import gymnasium
        >>> env = gymnasium.SeatEnv("pig", bots="greedy")
        >>> seen, info = env.reset(seed=1)
        >>> info["action_mask"]
        array([1, 0, 0], dtype=int8)
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # of all objects
        "render_modes": ["ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        table: Table | str | Path,
        bots: str | Sequence[str] = "random",
        *,
        seat: int | None = None,
        actions: Numbering = "listed",
        cut: int | None = None,
        reward: RewardName = "win",
        shaping: float = 0.0,
        refused: float = REFUSED,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Make the environment of a table.

        Raises:
            ValueError: an unknown bot, seat or reward, or too many actions.
            RulesetError: an unknown game.
            TableError: an unknown table.
        """
        if render_mode not in {None, "ansi"}:
            raise ValueError(f'render_mode is "ansi" or None, not {render_mode!r}.')
        terms = LearningTerms(table, actions, cut, reward, shaping, refused)
        self.episode = Episode(terms, at_least_one(max_steps, "max_steps"))
        seats = self.episode.program.seats
        if seat is not None and seat not in range(seats):
            raise ValueError(f"There is no seat {seat}: {seats} play, from 0.")
        self._bots = bot_names(bots)
        self._fixed, self.seat = seat, seat or 0
        self._players: list[Bot] = []
        self.render_mode = render_mode
        self.observation_space = observations(self.episode.encoding)
        self.action_space = spaces.Discrete(self.episode.space.size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, np.dtype[np.int32]], dict[str, Any]]:
        """Begin a game, and let bots decide until the seat does.

        If a game ends before the seat decides, the next one begins.

        Args:
            seed: the seed of this game and of those after it.
            options: ignored.

        Raises:
            RuleFault: the rules failed.
            ValueError: the seat never decides.
        """
        super().reset(seed=seed)
        for _ in range(TRIES):
            luck = int(self.np_random.integers(SEEDS))
            seats = self.episode.program.seats
            fixed = self._fixed
            self.seat = int(self.np_random.integers(seats)) if fixed is None else fixed
            names = [self._bots[each % len(self._bots)] for each in range(seats)]
            track = Track()
            self._players = quick_bots(names, self.episode.program, luck, 0, track)
            tracked = any(isinstance(each, TrackedBot) for each in self._players)
            self.episode.track = track if tracked else None
            self.episode.begin(luck)
            self._others()
            if not self.episode.over:
                self.episode.rewards()
                return self._seen(), self._info(refused=False)
        raise ValueError(
            f"In {TRIES} games seat {self.seat} of {self.episode.program.game} had "
            "nothing to decide: let another seat learn."
        )

    def step(
        self, action: np.int64 | int
    ) -> tuple[np.ndarray[Any, np.dtype[np.int32]], float, bool, bool, dict[str, Any]]:
        """Take an action, and let bots decide until the seat does again.

        Args:
            action: its number.

        Raises:
            RuntimeError: the game is over, or no game was begun.
            RuleFault: the rules failed.
        """
        if self.episode.over:
            raise RuntimeError("The game is over: call `reset`.")
        taken = self.episode.take(action)
        if taken:
            self._others()
        gained = self.episode.rewards()[self.seat]
        if not taken:
            gained += self.episode.terms.refused
        over, cut_off = self.episode.over, self.episode.cut_off
        return self._seen(), gained, over, cut_off, self._info(refused=not taken)

    def words(self, action: int) -> str:
        """Return the current meaning of an action, as text.

        Args:
            action: its number.

        Raises:
            ValueError: an illegal action.
        """
        return self.episode.words(action)

    def render(self) -> str | None:
        """Return the seat's view, as text; None without a mode."""
        return None if self.render_mode is None else self.episode.text(self.seat)

    def _others(self) -> None:
        """Let the bots decide until the seat does, or the game is over."""
        game = self.episode.game
        for _ in range(limit("decisions")):
            decision = game.decision
            if decision is None or decision.seat == self.seat:
                return
            game.carry_out(self._players[decision.seat].choose(game))
        raise endless(game)

    def _seen(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        return self.episode.observation(self.seat)

    def _info(self, *, refused: bool) -> dict[str, Any]:
        mask = self.episode.mask(self.episode.game.decision, self.seat)
        return {"action_mask": mask, "refused": refused, "seat": self.seat}


gymnasium.register(
    ID,
    entry_point=f"{__name__}:{SeatEnv.__name__}",
    vector_entry_point="houserule.environments.vectorised:SeatVectorEnv",
    order_enforce=True,
)
