"""Steps per second of batched games, compared with other libraries' environments.

Usage: `python -m tools.bench.vectorised [GAME …] [--rounds N] [--seconds S] [--json]
[--write PAGE]`, from the root of the checkout. It compares with PettingZoo's classic
games (`pip install pettingzoo pygame-ce`) and OpenSpiel, if installed.

Both sides play the same game at random, with outside decisions for every seat. A step
takes a random legal action from the mask, and returns the next observation with its
mask. The sides take turns, round by round; each ratio is of one round.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from tools.bench.compare import number_words
from tools.bench.pages import tell

from houserule.environments.vectorised import SeatVectorEnv

GAMES = 2000  # batched, on our side
ENVS = 64  # of OpenSpiel's vector environment
YARDSTICKS = Path(__file__).parent / "yardsticks"
HEAD = ("game", "beside", "its steps a second", "ours", "times", "from", "to")
SEED = 1

Run = Callable[[float], float]
"""Plays for some seconds of CPU time; returns the steps per second."""


@dataclass(frozen=True, slots=True)
class Row:
    """The ratio of our steps per second to another library's, over the rounds."""

    game: str
    beside: str
    theirs: float
    ours: float
    times: float
    least: float
    most: float


# ---- contestants


def ours(game: str) -> Run:
    """Return our environment: thousands of games, all seats decided outside."""
    folder = YARDSTICKS / game
    table = folder if folder.is_dir() else game
    envs = SeatVectorEnv(table, num_envs=GAMES, seat="all")
    envs.reset(seed=SEED)

    def run(seconds: float) -> float:
        begun, steps = process_time(), 0
        while (now := process_time() - begun) < seconds:
            envs.step(envs.sample())
            steps += GAMES
        return steps / now

    return run


def pettingzoo(name: str) -> Run:
    """Return a classic game of PettingZoo, used as on its pages."""
    import numpy as np

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        module = __import__(f"pettingzoo.classic.{name}", fromlist=["env"])
        env = module.env()
    luck = Random(SEED)

    def game() -> int:
        env.reset(seed=luck.randrange(1 << 30))
        steps = 0
        for _ in env.agent_iter():
            seen, _, over, cut_off, _ = env.last()
            if over or cut_off:
                env.step(None)
                continue
            legal = np.flatnonzero(seen["action_mask"])
            env.step(legal[luck.randrange(len(legal))])
            steps += 1
        return steps

    def run(seconds: float) -> float:
        begun, steps = process_time(), 0
        while (now := process_time() - begun) < seconds:
            steps += game()
        return steps / now

    return run


def openspiel(name: str, **terms: int | str | bool) -> Run:
    """Return a game of OpenSpiel, batched in its vector environment."""
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.rl_environment import Environment
    from open_spiel.python.vector_env import SyncVectorEnv

    envs = SyncVectorEnv([Environment(name, **terms) for _ in range(ENVS)])
    luck, seen = Random(SEED), envs.reset()

    def chosen(step: Any) -> Any:  # noqa: ANN401
        legal = step.observations["legal_actions"][step.current_player()]
        return StepOutput(legal[luck.randrange(len(legal))], None)

    def run(seconds: float) -> float:
        nonlocal seen
        begun, steps = process_time(), 0
        while (now := process_time() - begun) < seconds:
            seen, *_ = envs.step([chosen(each) for each in seen], reset_if_done=True)
            steps += ENVS
        return steps / now

    return run


PETTINGZOO, OPENSPIEL = "PettingZoo", "OpenSpiel"
MODULES = {PETTINGZOO: "pygame", OPENSPIEL: "open_spiel"}  # required by each
BESIDE: dict[str, dict[str, Callable[[], Run]]] = {
    "tic_tac_toe": {
        PETTINGZOO: lambda: pettingzoo("tictactoe_v3"),
        OPENSPIEL: lambda: openspiel("tic_tac_toe"),
    },
    "connect_four": {
        PETTINGZOO: lambda: pettingzoo("connect_four_v3"),
        OPENSPIEL: lambda: openspiel("connect_four"),
    },
    "hex_board": {OPENSPIEL: lambda: openspiel("hex", board_size=5)},
    "nim": {
        OPENSPIEL: lambda: openspiel("nim", pile_sizes="3;4;5", is_misere=False),
    },
    "pig": {OPENSPIEL: lambda: openspiel("pig")},
}
"""The libraries with an identical game, by our game, with their name for it."""


# ---- measuring


def measure(game: str, beside: str, rounds: int, seconds: float) -> Row:
    """Measure both sides in turns."""
    here, there = ours(game), BESIDE[game][beside]()
    for run in (here, there):
        run(seconds / 10)  # excludes one-time set-up
    found = [(here(seconds), there(seconds)) for _ in range(rounds)]
    times = [mine / theirs for mine, theirs in found]
    return Row(
        game,
        beside,
        median(theirs for _, theirs in found),
        median(mine for mine, _ in found),
        median(times),
        min(times),
        max(times),
    )


def pairs(games: Sequence[str]) -> list[tuple[str, str]]:
    """Return each game with each installed library that has it."""
    return [
        (game, beside)
        for game in games or BESIDE
        for beside in BESIDE[game]
        if find_spec(MODULES[beside]) is not None
    ]


def lines(rows: Sequence[Row]) -> list[list[str]]:
    """Return the lines to print."""
    return [
        [
            *(row.game, row.beside),
            *map(number_words, (row.theirs, row.ours, row.times, row.least, row.most)),
        ]
        for row in rows
    ]


def main(words: list[str]) -> None:
    """Measure, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(BESIDE))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="time of one part")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    unknown = [game for game in chosen.games if game not in BESIDE]
    if unknown:
        parser.error(f"nobody else has {unknown[0]}: games are {', '.join(BESIDE)}")
    rows = [
        measure(game, beside, chosen.rounds, chosen.seconds)
        for game, beside in pairs(chosen.games)
    ]
    tell("vectorised", HEAD, lines(rows), [asdict(row) for row in rows], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
