"""Our engine and search against those of OpenSpiel: speed and strength.

Usage: `python -m tools.bench.rivals [GAME …] [--games N] [--rounds N] [--random]
[--json] [--write PAGE]`, from the root of the checkout, with the extra `openspiel`; the
searches take about half an hour.

With `--random`, OpenSpiel plays its own game at random within C++: one simulation of
its `MCTSBot` evaluates the first position by many random games. Our compiled engine
plays the same game by our rules. The sides take turns; each ratio is of one round.

Otherwise searches play against each other, both seats in turn. In `SAME`, the rules are
so equal that the options have the same order. There OpenSpiel's `MCTSBot` in C++ plays
its own game with a number of simulations, and our search gets as much CPU time. In
`ADAPTED`, OpenSpiel's rules differ, or they hide nothing. There its bots in Python play
our rules on our reference engine, through the adapter, with as many iterations as ours.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any, TypeAlias

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts
from tools.bench.compare import number_words
from tools.bench.contestants import SEED
from tools.bench.pages import aligned, markdown, rewrite
from tools.bench.tables import table_of

# Inside: simulations are counted as OpenSpiel's bots count them.
from houserule.engine.bots.effort import Effort
from houserule.engine.compiled.bots.compiled_bots import CompiledThinker
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.environments import openspiel
from houserule.study.simulate.statistics.intervals import deviations, share

Cells: TypeAlias = tuple[Sequence[str], list[list[str]]]

THEIRS = {
    "backgammon": "backgammon",
    "chess": "chess",
    "draughts": "checkers",
    "four_in_a_row": "connect_four",
    "gin_rummy": "gin_rummy",
    "go": "go(board_size=9)",
    "hearts": "hearts",
    "hex_board": "hex(board_size=5)",
    "kalah": "mancala",
    "liars_dice": "liars_dice",
    "morris": "nine_mens_morris",
    "nim": "nim(pile_sizes=3;4;5,is_misere=false)",
    "pig": "pig",
    "reversi": "othello",
    "yacht": "yacht",
}
"""OpenSpiel's name of each game that both have."""
SAME: Mapping[str, tuple[int, Callable[[int], tuple[int, ...]]]] = {
    "four_in_a_row": (1_000, lambda action: (action,)),
    "hex_board": (1_000, lambda action: (action,)),
    "kalah": (1_000, lambda action: (action,)),
}
"""Games with the same rules: the simulations of a move, and the order of actions.
Nim has them too, but both prove it in less time than a call takes."""
ADAPTED = {"liars_dice": "dice_each:3"}
"""Other games, with options that shorten them."""
EXPLORED = 1.4  # their constant: about the square root of two
LONGEST = 400  # decisions of a simulation, at most
PASSES = 30  # iterations of a move on our reference engine
OPENING = 2  # random moves before a game, so that games differ
ROLLOUTS = 20  # random games of a call
COUNTED = 100  # random games whose choices are counted


# ---- random games


@dataclass(frozen=True, slots=True)
class Speed:
    """Random games per second of CPU time, and choices in a game.

    Attributes:
        ratio: of our choices per second to theirs: the median, least and greatest.
    """

    game: str
    theirs: float
    their_choices: float
    ours: float
    our_choices: float
    ratio: tuple[float, float, float]


def opened(game: Any, luck: Random) -> Any:  # noqa: ANN401
    """Return a state of a game after its first draws."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(luck.choice(state.legal_actions()))
    return state


def counted(game: Any) -> float:  # noqa: ANN401
    """Return the mean number of choices in OpenSpiel's random games."""
    luck, made = Random(SEED), 0
    for _ in range(COUNTED):
        state = opened(game, luck)
        while not state.is_terminal():
            made += not state.is_chance_node()
            state.apply_action(luck.choice(state.legal_actions()))
    return made / COUNTED


def at_random(name: str, rounds: int, seconds: float) -> Speed:
    """Measure random games of both in turns."""
    table, game = table_of(name), pyspiel.load_game(THEIRS[name])
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, SEED)
    bot = their_bot(game, 1, evaluator)
    state, played = opened(game, Random(SEED)), 0

    def ours(games: int) -> list[int]:
        nonlocal played
        played += games
        numbers = range(played - games, played)
        return [each.decisions for each in table.games(numbers, engine="compiled")]

    def rate(play: Callable[[], object], games: int) -> float:
        begun, times = time.process_time(), 0
        while (spent := time.process_time() - begun) < seconds:
            play()
            times += games
        return times / spent

    our_choices, their_choices = mean(ours(COUNTED)), counted(game)
    fill = max(1, round(rate(lambda: ours(ROLLOUTS), ROLLOUTS) * seconds / 4))
    found = [
        (rate(lambda: bot.mcts_search(state), ROLLOUTS), rate(lambda: ours(fill), fill))
        for _ in range(rounds)
    ]
    ratios = [here * our_choices / (there * their_choices) for there, here in found]
    return Speed(
        name,
        median(there for there, _ in found),
        their_choices,
        median(here for _, here in found),
        our_choices,
        (median(ratios), min(ratios), max(ratios)),
    )


def speed_table(rows: Sequence[Speed]) -> Cells:
    """Return the table of random games."""
    theirs = ("OpenSpiel, games a second", "choices a game")
    ours = ("ours, games a second", "choices a game", "choices, ours of theirs")
    return ("game", *theirs, *ours, "from", "to"), [
        [
            each.game,
            *map(number_words, (each.theirs, each.their_choices)),
            *map(number_words, (each.ours, each.our_choices)),
            *(f"{part:.2f}" for part in each.ratio),
        ]
        for each in rows
    ]


# ---- searches


@dataclass(frozen=True, slots=True)
class Duel:
    """Our results against theirs.

    Attributes:
        won: our share of the games with one winner: the value, and its 95 % confidence
            interval.
        times: the mean CPU time of a move in milliseconds, theirs and ours.
    """

    game: str
    theirs: str
    effort: int
    games: int
    won: tuple[float, float, float]
    times: tuple[float, float]


@dataclass(slots=True)
class Ours:
    """Our search: as many iterations as theirs, or as much time."""

    thinker: CompiledThinker
    stream: Stream
    spent: list[float] = field(default_factory=list)
    looked_at: int = 0

    def as_long(self, game: ReferenceGame, other: Theirs) -> Any:  # noqa: ANN401
        """Choose in as much time as the other took on average, by our speed so far."""
        decisions = 1_000
        if self.spent and other.spent:
            speed = self.looked_at / sum(self.spent)
            ahead = sum(other.spent) / len(other.spent) * (len(self.spent) + 1)
            decisions = max(1, round(speed * (ahead - sum(self.spent))))
        self.looked_at += decisions
        return self._choose(game, Effort(decisions))

    def step(self, state: Any) -> int:  # noqa: ANN401
        """Choose with as many iterations; the time to find the budget is left out."""
        game, low, high = state.node.apart(), 1, LONGEST * PASSES
        while low < high:
            middle = (low + high + 1) // 2
            stream = Stream(self.stream.state, self.stream.inc)
            rated = self.thinker.rate(game, stream, Effort(middle))
            if sum(each.tried for each in rated) <= PASSES:
                low = middle
            else:
                high = middle - 1
        return int(state.node.number(self._choose(game, Effort(low))))

    def _choose(self, game: ReferenceGame, effort: Effort) -> Any:  # noqa: ANN401
        begun = time.process_time()
        assert game.decision is not None
        choice = self.thinker.choose(game, game.decision, self.stream, effort)
        self.spent.append(time.process_time() - begun)
        return choice


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


def their_bot(game: Any, simulations: int, evaluator: Any) -> Any:  # noqa: ANN401
    """Return OpenSpiel's bot in C++, which proves what it can."""
    policy = pyspiel.ChildSelectionPolicy.UCT
    rules = (EXPLORED, simulations, 1_000, True, SEED, False, policy)
    return pyspiel.MCTSBot(game, evaluator, *rules)


def play_same(
    name: str, ours: Ours, other: Theirs, seat: int, number: int
) -> tuple[bool, bool]:
    """Play a game on both engines at once; return who won it alone, ours or theirs.

    Raises:
        SystemExit: the games of both differ.
    """
    luck, game = Random(number), ReferenceGame.start(table_of(name).program, number)
    state, order = pyspiel.load_game(THEIRS[name]).new_initial_state(), SAME[name][1]
    made = 0
    while (decision := game.decision) is not None:
        actions = sorted(state.legal_actions(), key=order)
        if len(actions) != decision.options.count():
            raise SystemExit(f"{name}, game {number}: options differ")
        if len(actions) == 1 or made < OPENING:
            chosen = decision.options[luck.randrange(len(actions))]
        elif decision.seat == seat:
            chosen = ours.as_long(game, other)
        else:
            chosen = decision.options[actions.index(other.step(state))]
        found = next(n for n, each in enumerate(decision.options) if each == chosen)
        game.choose(chosen)
        state.apply_action(actions[found])
        made += 1
    won = [n for n, each in enumerate(state.returns()) if each > 0]
    winners = game.outcome.winners if game.outcome else ()
    if not state.is_terminal() or won != [*winners][: len(won)]:
        raise SystemExit(f"{name}, game {number}: results differ")
    return won == [seat], won == [1 - seat]


def equal_time(name: str, games: int) -> Duel:
    """Let both search the same game for as long."""
    simulations, _ = SAME[name]
    theirs = pyspiel.load_game(THEIRS[name])
    thinker = CompiledThinker(table_of(name).program)
    assert thinker.is_compiled  # before the first move
    bot = their_bot(theirs, simulations, pyspiel.RandomRolloutEvaluator(1, SEED))
    ours, other = Ours(thinker, Stream.seeded(SEED, 0, "ours")), Theirs(bot)
    found = [play_same(name, ours, other, n % 2, n) for n in range(games)]
    return duel(name, "MCTSBot (C++)", simulations, (ours, other), found)


def on_ours(name: str, games: int) -> Duel:
    """Let both search our rules with equally many iterations."""
    string = openspiel.game_string(name, set=ADAPTED[name], players=2)
    game = pyspiel.load_game(string)
    ours = Ours(CompiledThinker(game.program), Stream.seeded(SEED, 0, "ours"))
    rollouts = pyspiel_rollouts(SEED)
    bot = ismcts.ISMCTSBot(game, rollouts, EXPLORED, PASSES)
    bot.set_resampler(openspiel.resampler(SEED))
    other, found = Theirs(bot), []
    for number in range(games):
        luck, state, seat = Random(number), game.new_initial_state(), number % 2
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choices(outcomes, shares)[0])
            elif len(state.legal_actions()) == 1:
                state.apply_action(state.legal_actions()[0])
            else:
                side = ours if state.current_player() == seat else other
                state.apply_action(side.step(state))
        result = state.returns()
        found.append((result[seat] > result[1 - seat], result[seat] < result[1 - seat]))
    return duel(name, "ISMCTSBot (Python)", PASSES, (ours, other), found)


def pyspiel_rollouts(seed: int) -> Any:  # noqa: ANN401
    """Return what values a position by a random game, in Python."""
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    return RandomRolloutEvaluator(1, np.random.RandomState(seed))


def duel(
    name: str,
    theirs: str,
    effort: int,
    sides: tuple[Ours, Theirs],
    found: Sequence[tuple[bool, bool]],
) -> Duel:
    """Return the results of some games: whether we won each, and whether they did."""
    ours, other = sides
    won, lost = (sum(each) for each in zip(*found, strict=True))
    estimate = share(won, won + lost, deviations())
    told = (estimate.value, estimate.low, estimate.high)
    times = (1_000 * mean(other.spent), 1_000 * mean(ours.spent))
    return Duel(name, theirs, effort, len(found), told, times)


def duel_table(rows: Sequence[Duel]) -> Cells:
    """Return the table of searches."""
    head = ("game", "theirs", "simulations a move", "ms", "our ms", "games", "we win")
    return (*head, "from", "to"), [
        [
            *(each.game, each.theirs, f"{each.effort:,}"),
            *(f"{part:.1f}" for part in each.times),
            *(str(each.games), *(f"{part:.2f}" for part in each.won)),
        ]
        for each in rows
    ]


def main(words: list[str]) -> None:
    """Play, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=40, dest="number")
    parser.add_argument("--random", action="store_true", help="measure random games")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="time of one part")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    rows: list[Any]
    if chosen.random:
        names = chosen.games or THEIRS
        rows = [at_random(name, chosen.rounds, chosen.seconds) for name in names]
        cells = speed_table(rows)
    else:
        names = chosen.games or (*SAME, *ADAPTED)
        rows = [
            (equal_time if name in SAME else on_ours)(name, chosen.number)
            for name in names
        ]
        cells = duel_table(rows)
    if chosen.write:
        rewrite(chosen.write, "rivals", markdown(*cells))
    if chosen.json:
        print(json.dumps([asdict(each) for each in rows], indent=1))
    else:
        print(aligned(*cells))


if __name__ == "__main__":
    main(sys.argv[1:])
