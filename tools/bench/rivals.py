"""Our search against the searches of OpenSpiel, on our rules: strength and speed.

Usage: `python -m tools.bench.rivals [GAME …] [--games N] [--passes N] [--json] [--write
PAGE]`, from the root of the checkout, with the extra `openspiel`; this takes about half
an hour.

Both have the same number of simulations per decision. Our budget counts decisions, so
before each choice we look for the budget with the same number of simulations of the
same search. `MCTSBot` plays games with perfect information, `ISMCTSBot` the others.
Both use random rollouts to the end of the game, and their usual exploration constant.
They play on our reference engine, through the adapter, the only way from OpenSpiel to
our rules.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from tools.bench.compare import number_words
from tools.bench.pages import tell

# Inside: simulations are counted as OpenSpiel's bots count them.
from houserule.engine.bots.effort import Effort
from houserule.engine.compiled.bots.compiled_bots import CompiledThinker
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.environments import openspiel
from houserule.study.simulate.statistics.intervals import deviations, share

GAMES = {
    "hex_board": "",
    "kalah": "",
    "nim": "",
    "liars_dice": "dice_each:3",
    "pig": "target:40",
}
"""The games, with options that shorten them."""
EXPLORED = 1.4  # their constant: about the square root of two
LONGEST = 400  # decisions of a simulation, at most
HEAD = ("game", "theirs", "games", "we win", "from", "to", "times as quick")


@dataclass(frozen=True, slots=True)
class Row:
    """Our results against theirs.

    Attributes:
        won: our share of the games with one winner: the value, and its 95 % confidence
            interval.
        times: the ratio of our moves per second to theirs: the median of the games.
    """

    game: str
    theirs: str
    games: int
    won: tuple[float, float, float]
    times: float


@dataclass(slots=True)
class Ours:
    """Our search, limited by simulations instead of decisions."""

    thinker: CompiledThinker
    stream: Stream
    passes: int
    spent: list[float] = field(default_factory=list)

    def step(self, state: Any) -> int:  # noqa: ANN401
        """Choose, and record the time to think, without the time to find the budget."""
        game = state.node.apart()
        effort = self._effort(game)
        begun = time.process_time()
        choice = self.thinker.choose(game, game.decision, self.stream, effort)
        self.spent.append(time.process_time() - begun)
        return int(state.node.number(choice))

    def _effort(self, game: ReferenceGame) -> Effort:
        """Return the largest budget of decisions within the number of simulations."""
        low, high = 1, LONGEST * self.passes
        while low < high:
            middle = (low + high + 1) // 2
            if self._passes(game, middle) <= self.passes:
                low = middle
            else:
                high = middle - 1
        return Effort(low)

    def _passes(self, game: ReferenceGame, decisions: int) -> int:
        stream = Stream(self.stream.state, self.stream.inc)
        rated = self.thinker.rate(game, stream, Effort(decisions))
        return sum(each.tried for each in rated)


@dataclass(slots=True)
class Theirs:
    """A bot of OpenSpiel."""

    bot: Any
    spent: list[float] = field(default_factory=list)

    def step(self, state: Any) -> int:  # noqa: ANN401
        """Choose, and record the time."""
        begun = time.process_time()
        action = self.bot.step(state)
        self.spent.append(time.process_time() - begun)
        return int(action)


def theirs(game: Any, passes: int, seed: int) -> tuple[str, Theirs]:  # noqa: ANN401
    """Return OpenSpiel's bot for a game, with its name."""
    luck = np.random.RandomState(seed)
    rollouts = mcts.RandomRolloutEvaluator(1, luck)
    information = game.get_type().information
    if information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        bot = mcts.MCTSBot(game, EXPLORED, passes, rollouts, random_state=luck)
        return "MCTSBot", Theirs(bot)
    bot = ismcts.ISMCTSBot(game, rollouts, EXPLORED, passes, random_state=luck)
    bot.set_resampler(openspiel.resampler(seed))
    return "ISMCTSBot", Theirs(bot)


def play(game: Any, bots: Sequence[Ours | Theirs], seed: int) -> list[float]:  # noqa: ANN401
    """Play a game; return each seat's payoff."""
    luck, state = np.random.RandomState(seed), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(luck.choice(outcomes, p=shares)))
        elif len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return [float(each) for each in state.returns()]


def measure(name: str, games: int, passes: int) -> Row:
    """Let both play each other; the seats change from game to game."""
    string = openspiel.game_string(name, set=GAMES.get(name, ""), players=2)
    game = pyspiel.load_game(string)
    thinker, times, won, lost, kind = CompiledThinker(game.program), [], 0, 0, ""
    for number in range(games):
        ours = Ours(thinker, Stream.seeded(number, 0, "ours"), passes)
        kind, other = theirs(game, passes, number)
        seat = number % 2
        found = play(game, [ours, other] if seat == 0 else [other, ours], number)
        won += found[seat] > found[1 - seat]
        lost += found[seat] < found[1 - seat]
        if ours.spent and other.spent:
            mean = sum(ours.spent) / len(ours.spent)
            times.append(sum(other.spent) / len(other.spent) / mean)
    estimate = share(won, won + lost, deviations())
    told = (estimate.value, estimate.low, estimate.high)
    return Row(name, kind, games, told, median(times))


def lines(rows: Sequence[Row]) -> list[list[str]]:
    """Return the lines to print."""
    return [
        [
            each.game,
            each.theirs,
            str(each.games),
            *(f"{part:.2f}" for part in each.won),
            number_words(each.times),
        ]
        for each in rows
    ]


def main(words: list[str]) -> None:
    """Play, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(GAMES))
    parser.add_argument("--games", type=int, default=40, dest="number")
    parser.add_argument("--passes", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    rows = [measure(game, chosen.number, chosen.passes) for game in chosen.games]
    tell("rivals", HEAD, lines(rows), [asdict(each) for each in rows], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
