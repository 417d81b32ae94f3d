"""Accuracy of searches at positions with a known best move.

Usage: `python -m tools.bench.solved [NAME …] [--most N] [--json] [--write PAGE]`, from
the root of the checkout; everything takes about six minutes.

`nim`: every reachable position; a move is right if the next seat then loses. `hex`:
whole games of the search against itself; the first seat can win. `kalah` and
`minichess`: positions of random games in which the seat to move can force a win in two
moves; a move is right if it keeps this win. Exhaustive search finds the right moves.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from tools.bench.contestants import SEED
from tools.bench.pages import tell
from tools.bench.tables import table_of

# Inside: positions are loaded into a machine, and its searches start there.
from houserule.engine.bots.effort import Effort
from houserule.engine.compiled.available import module_of
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.codec import StateBlock, read_store
from houserule.engine.reference.numbers import state_number
from houserule.study.simulate.play import play_games
from houserule.study.simulate.statistics.intervals import deviations, share

HEAD = ("game", "what", "decisions looked at", "asked", "right", "%", "from", "to")
FORCED = 2  # own moves of a forced win to look for
STILL = {"kalah": 5, "minichess": 2}
"""The additional moves that a win may take after the choice: a search does not hurry,
and in Kalah a game is often won some moves before it is over."""
LATE = 12  # the number of last decisions of a random game to use
GAMES = 3_000  # random games at most


@dataclass(frozen=True, slots=True)
class Row:
    """The share of right choices of a search with some budget.

    Attributes:
        share: of right choices: the value, and its 95 % confidence interval.
    """

    game: str
    what: str
    effort: int
    asked: int
    right: int
    share: tuple[float, float, float]


class Board:
    """A game on the compiled engine with positions that can be restored.

    A position is the state right after a choice, before its effects.
    """

    def __init__(self, game: str) -> None:
        self._machine = CompiledMachine(module_of(table_of(game).program))
        self._asked = 0

    def begin(self, number: int) -> StateBlock:
        """Return the initial position of the game with a number."""
        return self._machine.reset(SEED, number)

    def stand(self, position: StateBlock) -> int | None:
        """Restore the decision after a position; return its seat, if any."""
        machine = self._machine
        machine.reset(SEED, self._asked)
        machine.enter(position)
        machine.call("advance")
        return machine.header("seat") if machine.header("decision") else None

    def won_by(self, seat: int) -> bool:
        """Return whether a seat alone won the finished game."""
        machine = self._machine
        won = machine.wide(machine.module.memory.header["winners"])
        return machine.header("outcome") == 1 and won == 1 << seat

    def next(self, position: StateBlock) -> Iterator[StateBlock]:
        """Yield the position after each option of the decision after a position."""
        self.stand(position)
        for number in range(self._machine.call("options")):
            self.stand(position)
            self._machine.call("choose", number)
            yield self._machine.block()

    def at_random(self, position: StateBlock) -> StateBlock:
        """Return the position after a random option; the stream advances."""
        self._machine.decide(0)
        return self._machine.block()

    def searched(self, position: StateBlock, effort: int) -> StateBlock:
        """Return the position after the choice of a search."""
        self._asked += 1
        self.stand(position)
        self._machine.search(Effort(effort))
        self._machine.call("take_best")
        return self._machine.block()

    def key(self, position: StateBlock) -> tuple[int, int]:
        """Return a key that identifies the decision after a position, or the end."""
        seat = self.stand(position)
        store = read_store(self._machine.block(), self._machine.module.memory)
        return state_number(store), -1 if seat is None else seat

    def random_game(self, number: int) -> list[StateBlock]:
        """Return the positions of a random game before its decisions, in order."""
        machine, found = self._machine, list[StateBlock]()
        position = machine.reset(SEED, number)
        machine.seat_searches([])
        machine.call("advance")
        while machine.header("decision"):
            found.append(position)
            machine.decide(0)
            position = machine.block()
            machine.call("advance")
        return found

    def forced(self, position: StateBlock, seat: int, moves: int) -> bool:
        """Return whether a seat can force a win within a number of its own moves."""
        decides = self.stand(position)
        if decides is None:
            return self.won_by(seat)
        if decides != seat:
            return all(self.forced(each, seat, moves) for each in self.next(position))
        return moves > 0 and any(
            self.forced(each, seat, moves - 1) for each in self.next(position)
        )


class Solver:
    """Solves a small game of two seats, for every position."""

    def __init__(self, board: Board) -> None:
        self._board, self._winner = board, dict[tuple[int, int], int]()
        self.positions: dict[tuple[int, int], StateBlock] = {}

    def winner(self, position: StateBlock) -> int:
        """Return the seat that wins with best play."""
        key = self._board.key(position)
        if key not in self._winner:
            seat = key[1]
            if seat < 0:
                self._winner[key] = 0 if self._board.won_by(0) else 1
            else:
                self.positions[key] = position
                every = list(self._board.next(position))
                found = [self.winner(each) for each in every]
                self._winner[key] = seat if seat in found else 1 - seat
        return self._winner[key]


def nim(efforts: Sequence[int], most: int) -> Iterator[Row]:
    """Ask for a move at every won position of Nim."""
    board = Board("nim")
    solver = Solver(board)
    solver.winner(board.begin(0))
    won = [
        (seat, position)
        for (_, seat), position in solver.positions.items()
        if solver.winner(position) == seat
    ][:most]
    for effort in efforts:
        right = sum(
            solver.winner(board.searched(position, effort)) == seat
            for seat, position in won
        )
        yield row("nim", "a won position stays won", effort, len(won), right)


def hex_board(efforts: Sequence[int], most: int) -> Iterator[Row]:
    """Let searches play whole games of Hex against themselves."""
    program = table_of("hex_board").program
    for effort in efforts:
        bots = [f"search:{effort}"] * 2
        games = play_games(program, SEED, range(most), bots, "compiled")
        right = sum(0 in each.winners for each in games)
        yield row("hex_board", "who moves first wins", effort, len(games), right)


def wins_in_two(game: str) -> Callable[[Sequence[int], int], Iterator[Row]]:
    """Return a test at positions where the seat to move can force a win."""

    def asked(efforts: Sequence[int], most: int) -> Iterator[Row]:
        board = Board(game)
        found = list(forced_wins(board, most, STILL[game]))
        for effort in efforts:
            right = sum(
                board.forced(board.searched(position, effort), seat, STILL[game])
                for seat, position in found
            )
            yield row(game, "a win in two is not missed", effort, len(found), right)

    return asked


def forced_wins(
    board: Board, most: int, still: int
) -> Iterator[tuple[int, StateBlock]]:
    """Yield random positions, with the seat that can force a win in two moves.

    Not every option keeps the win. Each game yields at most one position.
    """
    made = 0
    for number in range(GAMES):
        for position in board.random_game(number)[: -LATE - 1 : -1]:
            seat = board.stand(position)
            if seat is None or made >= most:
                return
            in_one = board.forced(position, seat, 1)
            if in_one or not board.forced(position, seat, FORCED):
                continue
            after = board.next(position)
            if all(board.forced(each, seat, still) for each in after):
                continue
            made += 1
            yield seat, position
            break


def row(game: str, what: str, effort: int, asked: int, right: int) -> Row:
    """Return a row with its interval."""
    found = share(right, asked, deviations())
    told = (found.value, found.low, found.high)
    return Row(game, what, effort, asked, right, told)


Ask: TypeAlias = "Callable[[Sequence[int], int], Iterator[Row]]"
ASKED: Mapping[str, tuple[Ask, tuple[int, ...], int]] = {
    "nim": (nim, (1_000, 10_000, 100_000), 1_000),
    "hex_board": (hex_board, (1_000, 10_000, 100_000), 200),
    "kalah": (wins_in_two("kalah"), (100, 1_000, 10_000), 60),
    "minichess": (wins_in_two("minichess"), (1_000, 10_000), 20),
}
"""The tests, the budgets of their searches, and their maximum counts."""


def lines(rows: Sequence[Row]) -> list[list[str]]:
    """Return the lines to print."""
    return [
        [
            each.game,
            each.what,
            f"{each.effort:,}",
            str(each.asked),
            str(each.right),
            *(f"{part:.1%}".rstrip("%") for part in each.share),
        ]
        for each in rows
    ]


def main(words: list[str]) -> None:
    """Ask, and print a table or JSON, or renew a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ASKED))
    parser.add_argument("--most", type=int, help="ask so often at most")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="renew its table")
    chosen = parser.parse_args(words)
    for name in chosen.names:
        if name not in ASKED:
            raise SystemExit(
                f"nothing is known of {name}; of these: {', '.join(ASKED)}"
            )
    rows: list[Row] = []
    for name in chosen.names or ASKED:
        ask, efforts, most = ASKED[name]
        rows += ask(efforts, chosen.most or most)
    tell("solved", HEAD, lines(rows), [asdict(each) for each in rows], chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
