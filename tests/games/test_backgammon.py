"""Backgammon on both engines, held against plain Python: what whole turns lead to."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.support.engines import machine_at
from tests.support.shipped import ShippedTable, program_at

from houserule.compiler.tables.sample import Choice
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.codec import StateBlock, read_store, write_store
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.store import Store
from houserule.ir import GamePosition
from houserule.ir.types import Data

from .plain_backgammon import START, Board, boards, turns

TABLE = ShippedTable.of("backgammon", Choice(frozenset(), 2, {}, "chosen"))
POSITIONS, MORE_POSITIONS = 25, 600
"""So many on the reference engine, and on the compiled one."""
FORBIDDEN = 30
"""In so many of them at least the rules on both numbers forbid something."""

Throw = tuple[int, int]


def played_numbers(throw: Throw) -> list[int]:
    """Return how often each number is to be played."""
    times = 2 if throw[0] == throw[1] else 1
    return [throw.count(number) * times for number in range(1, 7)]


def men(store: Store, seat: int) -> Board:
    numbers = [int(str(each)) for each in store.cells["men"]]
    sides = tuple(numbers[:26]), tuple(numbers[26:])
    return Board(sides[seat], sides[1 - seat])


def left(store: Store) -> int:
    return sum(int(str(each)) for each in store.cells["unplayed"])


# ---- the reference engine


def laid_out(board: Board, throw: Throw, seat: int) -> ReferenceGame:
    cells: dict[str, dict[tuple[Data, ...], Data]] = {
        "men": {
            (each, point): side[point]
            for each, side in ((seat, board.mine), (1 - seat, board.theirs))
            for point in range(26)
        },
        "unplayed": {(nr,): often for nr, often in enumerate(played_numbers(throw), 1)},
        "first": {(): 0},
        "opened": {(): True},
    }
    position = GamePosition(cells, at="moving", seat=seat)
    return ReferenceGame.start(program_at(TABLE), position=position)


def ends(game: ReferenceGame, seat: int) -> set[Board]:
    """Return what the rest of a turn may lead to."""
    before, decision = left(game.machine.store), game.decision
    assert decision is not None
    found: set[Board] = set()
    for option in decision.options:
        after = game.clone()
        after.choose(option)
        store, then = after.machine.store, after.decision
        if then is not None and then.seat == seat and left(store) == before - 1:
            found |= ends(after, seat)
        else:
            found.add(men(store, seat))
    return found


def test_whole_turns_of_many_positions() -> None:
    """The same positions can be reached, by either seat."""
    for nr, (board, throw) in enumerate(boards(3, POSITIONS)):
        wanted, _ = turns(board, throw)
        if wanted != {board}:
            seat = nr % 2
            assert ends(laid_out(board, throw, seat), seat) == wanted, (board, throw)


# ---- the compiled engine


class Stepping:
    """Single moves on a compiled machine, from states that are kept as blocks."""

    def __init__(self) -> None:
        self.machine: CompiledMachine = machine_at(TABLE)
        self.seat = -1

    def store(self, block: StateBlock) -> Store:
        return read_store(block, self.machine.module.memory)

    def begin(self, board: Board, throw: Throw) -> StateBlock:
        """Return the game in which who begins is to play a throw at a position."""
        self.machine.reset(1, 0)
        self.machine.call("advance")
        self.seat, block = self.machine.header("seat"), self.machine.block()
        store = self.store(block)
        sides = (board.mine, board.theirs)
        store.cells["men"][:] = [*sides[self.seat], *sides[1 - self.seat]]
        store.cells["unplayed"][:] = played_numbers(throw)
        write_store(block, self.machine.module.memory, store)
        self.machine.call("reset", 1, 0)
        self.machine.enter(block)
        self.machine.call("advance")
        return self.machine.block()

    def ends(self, block: StateBlock) -> set[Board]:
        before, seen = left(self.store(block)), 0
        found: set[Board] = set()
        while True:
            self.machine.call("reset", 1, 0)
            self.machine.enter(block)
            if seen >= self.machine.call("options"):
                return found
            self.machine.call("choose", seen)
            self.machine.call("advance")
            over, then = self.machine.header("outcome"), self.machine.header("seat")
            after, seen = self.machine.block(), seen + 1
            store = self.store(after)
            if not over and then == self.seat and left(store) == before - 1:
                found |= self.ends(after)
            else:
                found.add(men(store, self.seat))


def test_whole_turns_of_more_positions_compiled() -> None:
    """The compiled engine does the same; often the two numbers forbid something."""
    stepping, forbade = Stepping(), Counter[bool]()
    for board, throw in boards(4, MORE_POSITIONS):
        wanted, forbidden = turns(board, throw)
        if wanted != {board}:
            forbade[forbidden] += 1
            assert stepping.ends(stepping.begin(board, throw)) == wanted, (board, throw)
    assert forbade[True] >= FORBIDDEN


@pytest.mark.parametrize("throw", [(6, 5), (3, 1), (2, 2)], ids=str)
def test_as_many_openings(throw: Throw) -> None:
    """From the start position there are as many ways to play a throw."""
    stepping, start = Stepping(), Board(START, START)
    assert stepping.ends(stepping.begin(start, throw)) == turns(start, throw)[0]
