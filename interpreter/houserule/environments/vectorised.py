"""Gymnasium: batched games, stepped inside the compiled engine.

A step of thousands of games is one call, without Python code per game. Observations,
masks and rewards are those of the environment of one seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from houserule.environments.actions import ListedActions, Numbering, action_space
from houserule.environments.encoding import encoding_of
from houserule.environments.episode import REFUSED, SEEDS, observations, table_of
from houserule.environments.payoff import RewardName
from houserule.environments.stepping.games import ManyGames

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"Gymnasium's environments need {error.name}, which is not installed. "
        "Install it with: pip install 'houserule[gymnasium]'",
        name=error.name,
    ) from None

from houserule.api.table import Table

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Flags: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]


class SeatVectorEnv(gymnasium.vector.VectorEnv[Numbers, Numbers, Any]):
    """Batched games of a table; one seat of each game learns, or every seat.

    A step takes every game to the next decision of a learning seat; bots play the
    others. A game that ends restarts within the step (`AutoresetMode.SAME_STEP`); its
    last observation is in `infos["final_obs"]`. For n games, index i plays the games
    number i, i + n, i + 2n … of the seed, so you can replay any of them.

    `infos` has these arrays by index:

    - `action_mask`: 1 for each legal action
    - `options`: the number of options, including those beyond a cut
    - `seat`: the deciding seat
    - `game`: the number of the game
    - `refused`: whether the mask forbade the action; then the game is unchanged, and
      the reward is `refused`
    - `final_obs` and `returns` if games ended: the last observations and the rewards of
      each seat, with the masks `_final_obs` and `_returns`
    - `fault`, with `_fault`, if the rules failed, which truncates a game

    Args:
        table: a table, the name of a built-in game, or the path of a ruleset's folder
            or of a table file.
        num_envs: the number of games.
        bots: the names of the bots in the other seats, repeated in turn if fewer.
        seat: the seat that learns, from 0; "all": each does, and the reward is that of
            the seat that acted; by default, all seats rotate by one from game to game.
        actions: "listed": number n is option n of a decision; "stable": a number always
            has the same meaning.
        cut: the number of listed options that are available.
        reward: at the end, "win": a share of the win, or "goal": the bots' objective.
        refused: the reward for an action that the mask forbids.
        max_decisions: the number of decisions of all seats after which a game is
            truncated; by default, the limit of games of bots.
        copy: whether to return copies; otherwise the arrays are memory of the module
            and change with the next step.

    Attributes:
        games: the batched games; internal, may change.

    Example:
        >>> from houserule.environments import vectorised
        >>> envs = vectorised.SeatVectorEnv("pig", num_envs=1000, bots="greedy")
        >>> seen, infos = envs.reset(seed=1)
        >>> seen, rewards, over, cut_off, infos = envs.step(envs.sample())
        >>> seen.shape
        (1000, 13)
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # of all objects
        "render_modes": [],
        "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        table: Table | str | Path,
        num_envs: int,
        bots: str | Sequence[str] = "random",
        *,
        seat: int | Literal["all"] | None = None,
        actions: Numbering = "listed",
        cut: int | None = None,
        reward: RewardName = "win",
        refused: float = REFUSED,
        max_decisions: int | None = None,
        copy: bool = True,
    ) -> None:
        """Make the environment of a table.

        Raises:
            ValueError: an unknown bot, seat or reward; too many actions or too many
                games.
            Unsupported: the compiled engine cannot play or batch this table.
            RulesetError: an unknown game.
            TableError: an unknown table.
        """
        super().__init__()
        if num_envs < 1:
            raise ValueError(f"There is at least 1 game, not {num_envs}.")
        program = table_of(table).program
        outside: Sequence[int] = (0,)  # the seats that learn in the first game
        if seat == "all":
            outside = range(program.seats)
        elif seat is not None:
            if not isinstance(seat, int) or seat not in range(program.seats):
                last = program.seats - 1
                raise ValueError(f'There is no seat {seat!r}: 0 to {last}, or "all".')
            outside = (seat,)
        space, encoding = action_space(program, actions, cut), encoding_of(program)
        self.games = ManyGames(
            program,
            num_envs,
            outside=outside,
            bots=[bots] if isinstance(bots, str) else bots,
            space=space,
            rotate=seat is None,
            most=max_decisions,
            reward=reward,
        )
        self.num_envs, self._copy, self._refused = num_envs, copy, refused
        self._actions = space.size
        self.single_observation_space = observations(encoding)
        self.single_action_space = spaces.Discrete(space.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False
        # Arrays that view the memory of the module.
        self._seen = self._array("observations", np.int32)
        self._last = self._array("last_rows", np.int32)
        self._returns = self._array("rewards", np.float64)
        self._options = self._array("option_counts", np.int64)[:, 0]
        self._numbers = self._array("game_numbers", np.int64)[:, 0]
        self._seats = self._array("seats_asked", np.int32)[:, 0]
        self._chosen = self._array("chosen_numbers", np.int32)[:, 0]
        self._over = self._array("terminated", np.int32)[:, 0]
        self._cut_off = self._array("truncated", np.int32)[:, 0]
        self._places = np.arange(num_envs)
        self._all_actions = np.arange(space.size)
        listed = isinstance(space, ListedActions)
        self._legal = None if listed else self._array("legal", np.int8)

    def _array(self, name: str, type_: Any) -> Any:  # noqa: ANN401
        flat = np.frombuffer(memoryview(self.games.row_bytes(name)), dtype=type_)
        return flat.reshape(self.num_envs, -1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Restart all games.

        Args:
            seed: the seed: game number k is that of `Table.start(seed, number=k)`. By
                default, a random one.
            options: ignored; a `reset_mask` is an error, since games restart
                automatically.

        Raises:
            ValueError: no learning seat ever decides, or a `reset_mask`.
            Faulted: the rules fail in every game.
        """
        if options and "reset_mask" in options:
            raise ValueError(
                "Games that end start again automatically: omit `reset_mask`."
            )
        super().reset(seed=seed)
        self.games.begin(int(self.np_random.integers(SEEDS)) if seed is None else seed)
        self._begun = True
        return self._kept(self._seen), self._infos()

    def step(
        self,
        actions: Any,  # noqa: ANN401
    ) -> tuple[Numbers, Floats, Flags, Flags, dict[str, Any]]:
        """Take an action in every game, and let bots decide until a learner does.

        Args:
            actions: their numbers, one for each game.

        Raises:
            RuntimeError: no games were begun.
            ValueError: not one number for each game.
            Faulted: the rules fail in every game.
        """
        if not self._begun:
            raise RuntimeError("Call `reset` before anything else: no game was begun.")
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise ValueError(
                f"Actions are {self.num_envs} whole numbers, one for each game, not"
                f" {numbers.dtype} of shape {numbers.shape}."
            )
        inside: Flags = (numbers >= 0) & (numbers < self._actions)
        if self._legal is None:
            inside &= numbers < self._options
        else:
            inside &= self._legal[self._places, np.where(inside, numbers, 0)] != 0
        refused, seats = ~inside, self._seats.copy()
        self._chosen[:] = numbers
        self._chosen[refused] = -1
        self.games.step()
        rewards = self._returns[self._places, seats]
        rewards[refused] = self._refused
        over, cut_off = self._over != 0, self._cut_off != 0
        infos, ended = self._infos(refused), over | cut_off
        if ended.any():
            infos |= {"final_obs": self._kept(self._last), "_final_obs": ended}
            infos |= {"returns": self._kept(self._returns), "_returns": ended}
            if self.games.faults:
                infos["fault"] = np.full(self.num_envs, "", dtype=object)
                for at, fault in self.games.faults.items():
                    infos["fault"][at] = fault
                infos["_fault"] = infos["fault"] != ""
        return self._kept(self._seen), rewards, over, cut_off, infos

    def sample(self) -> Numbers:
        """Return a random legal action for every game, uniformly."""
        most = np.minimum(self._options, self._actions)
        wanted = self.np_random.integers(most)
        if self._legal is not None:
            every = np.flatnonzero(self._legal)  # game by game
            firsts = np.cumsum(self._options) - self._options
            wanted = every[firsts + wanted] % self._actions
        found: Numbers = wanted.astype(np.int32)
        return found

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ANN401
        """Release the games; uncopied arrays keep their last values."""
        self._begun = False

    # ---- results

    def _infos(self, refused: Flags | None = None) -> dict[str, Any]:
        none = np.zeros(self.num_envs, dtype=np.bool_)
        mask = (
            (self._all_actions < self._options[:, None]).view(np.int8)
            if self._legal is None
            else self._kept(self._legal)
        )
        return {
            "action_mask": mask,
            "options": self._options.copy(),
            "seat": self._seats.copy(),
            "game": self._numbers.copy(),
            "refused": none if refused is None else refused,
        }

    def _kept(self, array: Any) -> Any:  # noqa: ANN401
        return array.copy() if self._copy else array
