"""One game of a learner: observations, masks, rewards, refused actions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import index
from pathlib import Path
from typing import Any, SupportsIndex, cast

from houserule.api.ruleset import load, open_table
from houserule.api.table import Table
from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.engine.reference.play import turns
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import view
from houserule.environments.actions import ActionSpace, Numbering, action_space
from houserule.environments.encoding import Encoding, encoding_of
from houserule.environments.payoff import Payoff, RewardName
from houserule.play.records.choice_words import words_of

try:
    import numpy as np
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"Environments need {error.name}, which is not installed. Install it with: "
        "pip install 'houserule[gymnasium]' (or 'houserule[pettingzoo]')",
        name=error.name,
    ) from None

from houserule import ir
from houserule.engine.compiled.bots.route import Track
from houserule.engine.reference.options.options import Decision

REFUSED = -0.1
"""The default reward for an action that the mask forbids."""
SEEDS = 1 << 62


@frozen
class LearningTerms:
    """The options that all environments share.

    Attributes:
        table: a table, the name of a built-in game, or the path of a ruleset's folder
            or of a table file. A game means its first table.
        actions: "listed": number n is option n of a decision; "stable": a number always
            has the same meaning.
        cut: the number of listed options that are available, for games with very many.
        reward: at the end, "win": a share of the win, or "goal": the bots' objective.
        shaping: the factor by which changes of the bots' objective are added at once.
        refused: the reward for an action that the mask forbids. The game ignores it.
    """

    table: Table | str | Path
    actions: Numbering = "listed"
    cut: int | None = None
    reward: RewardName = "win"
    shaping: float = 0.0
    refused: float = REFUSED


@lru_cache(maxsize=32)
def _named_table(name: str) -> Table:
    if Path(name).suffix in {".yaml", ".yml"}:
        return open_table(name)
    return load(name).table()


def number_of(action: object, who: str) -> int:
    """Return an action as a number.

    Raises:
        ValueError: not a number.
    """
    try:
        return index(cast("SupportsIndex", action))
    except TypeError:
        raise ValueError(
            f"{who} is to act: an action is a whole number, not {action!r}."
        ) from None


def at_least_one(number: int | None, name: str) -> int:
    """Return the limit of decisions; None means the limit of games of bots.

    Raises:
        ValueError: less than one.
    """
    if number is not None and number < 1:
        raise ValueError(f"{name} is at least 1, not {number}.")
    return limit("decisions") if number is None else number


def table_of(table: Table | str | Path) -> Table:
    """Return the table of an argument.

    Raises:
        RulesetError: an unknown game.
        TableError: an unknown table.
    """
    return table if isinstance(table, Table) else _named_table(str(table))


@dataclass
class Episode:
    """A game in progress, as learners see it.

    Attributes:
        most: the number of decisions after which it is truncated.
        made: the number of decisions, including refused ones.
        track: a log of the actions taken, for bots that need it.
    """

    terms: LearningTerms
    most: int = field(default_factory=lambda: limit("decisions"))
    made: int = 0

    def __post_init__(self) -> None:
        """Prepare everything that all games share.

        Raises:
            ValueError: an unknown option.
        """
        self.table = table_of(self.terms.table)
        self.program: ir.Program = self.table.program
        self.encoding: Encoding = encoding_of(self.program)
        self.space: ActionSpace = action_space(
            self.program, self.terms.actions, self.terms.cut
        )
        self.payoff = Payoff(self.program, self.terms.reward)
        self.track: Track | None = None
        self._game: ReferenceGame | None = None
        self._goals = [0.0] * self.program.seats

    @property
    def game(self) -> ReferenceGame:
        """The game in progress.

        Raises:
            RuntimeError: no game was begun.
        """
        if self._game is None:
            raise RuntimeError("Call `reset` before anything else: no game was begun.")
        return self._game

    def begin(self, seed: int) -> None:
        """Begin a game.

        Raises:
            ValueError: the rewards would reveal hidden information.
            RuleFault: the rules failed.
        """
        self._game = ReferenceGame.start(self.program, seed)
        self.made = 0
        if self.terms.shaping:
            self.payoff.check_open(self._game)
            self._goals = self.payoff.goals(self._game)

    @property
    def over(self) -> bool:
        """Whether the game has ended by its rules."""
        return self.game.decision is None

    @property
    def cut_off(self) -> bool:
        """Whether the game was truncated."""
        return not self.over and self.made >= self.most

    # ---- observations

    def observation(
        self, seat: int, decision: Decision | None = None
    ) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return a seat's observation, entry by entry.

        `decision` is the seat's own one, if several seats decide simultaneously.
        """
        game = self.game
        if decision is not None and decision is not game.decision:
            game = ReferenceGame(game.machine, decision)
        return np.array(self.encoding.observe(game, seat), dtype=np.int32)

    def mask(
        self, decision: Decision | None, seat: int, more: int = 0
    ) -> np.ndarray[Any, np.dtype[np.int8]]:
        """Return a mask with 1 for each legal action of a seat, and `more` zeros."""
        mask = np.zeros(self.space.size + more, dtype=np.int8)
        if decision is not None and decision.seat == seat:
            mask[list(self.space.legal(decision))] = 1
        return mask

    def text(self, seat: int) -> str:
        """Return a seat's view, as text."""
        machine = self.game.machine
        seen = view(self.program, machine.engine.evaluator, machine.store, seat)
        return json.dumps(seen, ensure_ascii=False, indent=1)

    def words(self, action: int) -> str:
        """Return the current meaning of an action, as text.

        Raises:
            ValueError: an illegal action.
        """
        decision = self.game.decision
        if decision is None:
            raise ValueError("The game is over: there is nothing to choose.")
        choice = self.space.choice(decision, action)
        words = words_of(choice, decision.site, self.program)
        return words if isinstance(words, str) else json.dumps(words)

    # ---- actions

    def take(self, action: object, who: str = "The seat") -> bool:
        """Take an action and play on; return whether it was legal.

        An illegal action changes nothing.

        Raises:
            ValueError: not a number; the message names `who`.
            RuleFault: the rules failed.
        """
        decision, number = self.game.decision, number_of(action, who)
        self.made += 1
        assert decision is not None, "the game is over"
        legal = self.space.legal(decision)
        if number not in legal:
            return False
        choice = decision.options[legal.index(number)]
        if self.track is not None:
            self.track.keep(self.game, choice)
        self.game.carry_out(choice)
        return True

    def rewards(self) -> list[float]:
        """Return the reward of each seat since the last call."""
        found = self.payoff.of(self.game)
        if self.terms.shaping:
            goals = self.payoff.goals(self.game)
            for seat, (old, new) in enumerate(zip(self._goals, goals, strict=True)):
                found[seat] += self.terms.shaping * (new - old)
            self._goals = goals
        return found


def observations(encoding: Encoding) -> Any:  # noqa: ANN401
    """Return the observation space: a `Box` with bounds by entry."""
    low = np.array(encoding.low, dtype=np.int32)
    high = np.array(encoding.high, dtype=np.int32)
    return spaces.Box(low, high, dtype=np.int32)


def decisions_at_once(game: ReferenceGame) -> Mapping[int, Decision]:
    """Return the current decisions by seat, each independent of the others.

    There are several in a simultaneous phase; each is in a copy of the game.
    """
    decision = game.decision
    if decision is None:
        return {}
    act = game.machine.stack[-1]
    phase = game.engine.flow.phases[act.phase]
    if not phase.together or decision.kind != "act" or act.resolved >= 0:
        return {decision.seat: decision}
    found = {}
    for number in range(len(act.chosen), len(act.items or ())):
        machine = game.machine.clone()
        machine.stack[-1].index = number
        asked = turns.ask_seat(machine, phase, cast("int", machine.stack[-1].item))
        if asked is not None:
            found[asked.seat] = asked
    return found
