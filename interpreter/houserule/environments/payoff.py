"""Payoffs of a game: a share of the win, or the bots' objective."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from houserule import ir
from houserule.base.diagnostics.wording import nearest
from houserule.engine.bots.greedy import key_value
from houserule.engine.reference.choices import Outcome
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.domains import size_of
from houserule.ir.types import Maybe, Whole
from houserule.play.narration.visibility import EVERYBODY, ViewerVisibility

RewardName: TypeAlias = Literal["win", "goal"]


class Payoff:
    """The zero-sum payoff of each seat.

    With "win", a sole winner gets 1 and each other seat -1 / (seats - 1). Winners
    share. If all or none win (the game is drawn, stalls, or its rules name no winner),
    each seat gets 0. A solo player gets 1 for a win, else 0.

    With "goal", a seat gets the bots' objective (its first key, or the criterion for
    winning if the rules give bots no objective), minus the mean over all seats. A solo
    player gets the objective itself. An objective to minimise is negated.

    Attributes:
        least, most: bounds of a seat's payoff.
    """

    def __init__(self, program: ir.Program, reward: RewardName = "win") -> None:
        """Make the payoff of a program.

        Raises:
            ValueError: an unknown reward, or the rules have no goal.
        """
        if reward not in get_args(RewardName):
            near = nearest(reward, get_args(RewardName))
            hint = f" Did you mean `{near}`?" if near else ""
            raise ValueError(
                f"There is no reward `{reward}`.{hint} Rewards: win, goal."
            )
        self._program, self._reward = program, reward
        if reward == "goal":
            self.check_goal()
            ranking = program.bot_ranking
            type_ = ranking.keys[0].type
            if isinstance(type_, Maybe):
                type_ = type_.inner
            if isinstance(type_, Whole):
                low, high = min(type_.low, 0), max(type_.high, 0)
            else:  # the size of a set
                low, high = 0, size_of(getattr(type_, "member", type_)) or 0
            if ranking.direction != "most":
                low, high = -high, -low
            wide = (high - low) * (program.seats - 1) / program.seats
            if program.seats == 1:
                self.least, self.most = float(low), float(high)
            else:
                self.least, self.most = -wide, wide
        else:
            self.least = 0.0 if program.seats == 1 else -1.0
            self.most = 1.0

    def check_goal(self) -> None:
        """Check that the bots have an objective.

        Raises:
            ValueError: no objective; the message explains how to add one.
        """
        if not self._program.bot_ranking.keys:
            raise ValueError(
                f"The rules of {self._program.game} give bots nothing to strive for "
                "but the win. Add a line `bots strive for: those p in players with "
                "most …`, or leave the reward at `win`."
            )

    def of(self, game: ReferenceGame) -> list[float]:
        """Return each seat's payoff; 0 while the game goes on."""
        if game.outcome is None:
            return [0.0] * self._program.seats
        if self._reward == "goal":
            return self.goals(game)
        return shares(game.outcome, self._program.seats)

    def goals(self, game: ReferenceGame) -> list[float]:
        """Return each seat's lead in the bots' objective."""
        ranking, seats = self._program.bot_ranking, range(self._program.seats)
        sign = 1 if ranking.direction == "most" else -1
        found = [sign * key_value(game, ranking, 0, seat) for seat in seats]
        mean = sum(found) / len(found) if len(found) > 1 else 0
        return [each - mean for each in found]

    def check_open(self, game: ReferenceGame) -> None:
        """Check that the bots' objective is public during a game.

        Raises:
            ValueError: the objective depends on hidden information, or there is none.
        """
        self.check_goal()
        if not ViewerVisibility(game, EVERYBODY).expression(
            self._program.bot_ranking.keys[0]
        ):
            raise ValueError(
                f"What bots strive for in {self._program.game} depends on what seats "
                "do not see, so it cannot be a reward while the game goes on: omit "
                "`shaping`."
            )


def shares(outcome: Outcome, seats: int) -> list[float]:
    """Return the payoff "win" of an outcome for each seat, as in `Payoff`."""
    if seats == 1:
        return [1.0 if outcome.winners else 0.0]
    if not outcome.winners:
        return [0.0] * seats
    won = (seats / len(outcome.winners) - 1) / (seats - 1)
    lost = -1 / (seats - 1)
    return [won if seat in outcome.winners else lost for seat in range(seats)]
