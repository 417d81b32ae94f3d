"""The strength of bots: duels of pairs over whole games, on the compiled engine.

Usage: `python -m tools.bench.strength [GAME …] [--duel STRONGER WEAKER] [--games N]
[--json] [--write PAGE]`, from the root of the checkout. The duels of one quick game
take seconds, all of all games about half an hour of one core; the time is printed.

One bot plays one seat and the other bot all others. They rotate by a seat from game to
game, so that each bot plays every seat. Only games that one kind of bot wins alone
count. With n seats, a bot as good as the others wins one game in n. So the share
compares wins per seat: a half means equal strength with any number of seats.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from tools.bench.contestants import SEED
from tools.bench.pages import tell
from tools.bench.tables import table_of

# Inside: intervals are those of `simulate`, and games are played in batches.
from houserule.engine.bots.bot import is_bot
from houserule.study.simulate.play import play_games
from houserule.study.simulate.statistics.intervals import Estimate, deviations, share

LADDER = ("search:100", "search:1000", "search:10000")
LEVELS = ("random", "easy", "greedy", "fair", "strong")


CONTESTS: Mapping[str, int] = {
    "hearts": 240,
    "cribbage": 120,
    "liars_dice": 100,
    "x_pasch": 450,
    "pasha": 100,
    "takeover": 30,
    "backgammon": 120,
}
"""The games with a verified ladder of bots, and the number of games of each that
separates two neighbouring bots. They include cards and dice, open and hidden
information."""
OTHERS = 200

Pair: TypeAlias = tuple[str, str]
PAIRS: Sequence[Pair] = tuple(
    (high, low) for row in (LADDER, LEVELS) for low, high in pairwise(row)
)


@dataclass(frozen=True, slots=True)
class Duel:
    """The result of a duel.

    Attributes:
        games: the number of games; `counted`: of those that one kind of bot won alone.
        share: the share of wins per seat of the first bot: the value, and its 95 %
            confidence interval.
        seconds: of processor time.
    """

    game: str
    players: int
    one: str
    other: str
    games: int
    counted: int
    share: tuple[float, float, float]
    seconds: float


def duel(game: str, pair: Pair, games: int) -> Duel:
    """Let a bot play against another in all other seats, at least one."""
    program, (one, other) = table_of(game).program, pair
    if program.seats == 1:
        program = table_of(game, 2).program
    seats, begun = program.seats, time.process_time()
    bots = [one, *[other] * (seats - 1)]
    won = lost = 0
    for each in play_games(program, SEED, range(games), bots, "compiled", rotate=True):
        ours = each.number % seats in each.winners
        won += ours and len(each.winners) == 1
        lost += bool(each.winners) and not ours
    found = per_seat(share(won, won + lost, deviations()), seats)
    told = (found.value, found.low, found.high)
    spent = time.process_time() - begun
    return Duel(game, seats, one, other, games, won + lost, told, spent)


def per_seat(won: Estimate, seats: int) -> Estimate:
    """Return the share of wins per seat of a bot, against a seat of the others.

    `won` is the share of games that its only seat wins.
    """

    def of_both(part: float) -> float:
        return part / (part + (1 - part) / (seats - 1))

    return Estimate(of_both(won.value), of_both(won.low), of_both(won.high))


def lines(found: Sequence[Duel]) -> tuple[list[str], list[list[str]]]:
    """Return a table with a row for each game, and a column for each pair of bots."""
    pairs = list(dict.fromkeys((each.one, each.other) for each in found))
    head = ["game", "players", *(f"{one} against {other}" for one, other in pairs)]
    rows: dict[str, list[str]] = {}
    for each in found:
        row = rows.setdefault(each.game, [each.game, str(each.players)])
        row.append("{:.2f} ({:.2f} to {:.2f})".format(*each.share))
    return head, list(rows.values())


def main(words: list[str]) -> None:
    """Let bots play, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names of rulesets", metavar="GAME")
    parser.add_argument("--duel", nargs=2, action="append", metavar=("ONE", "OTHER"))
    parser.add_argument("--games", type=int, dest="number", help="of each duel")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    pairs = [(one, other) for one, other in chosen.duel or PAIRS]
    for name in {name for pair in pairs for name in pair if not is_bot(name)}:
        raise SystemExit(f"there is no bot `{name}`")
    found: list[Duel] = []
    for game in chosen.games or CONTESTS:
        for pair in pairs:
            games = chosen.number or CONTESTS.get(game, OTHERS)
            found.append(duel(game, pair, games))
            told = "{}: {} against {}: {:.2f}, {:.0f} s".format(
                game, *pair, found[-1].share[0], found[-1].seconds
            )
            print(told, file=sys.stderr, flush=True)
    tell("strength", *lines(found), [asdict(each) for each in found], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
