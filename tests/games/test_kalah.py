"""Kalah on both engines, held against a Kalah in plain Python: every move of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from tests.support.engines import machine_at
from tests.support.shipped import ShippedTable, program_at

from houserule.compiler.tables.sample import Choice
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.codec import StateBlock, read_store, write_store
from houserule.engine.reference.choices import Act
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.store import Store
from houserule.ir import GamePosition
from houserule.ir.types import Data

from .plain_kalah import HouseRules, Kalah, leaves

TABLES = {
    "base": HouseRules(),
    "no_capture": HouseRules(capturing=False),
    "empty_capture": HouseRules(empty_capture=True),
    "seed_stays": HouseRules(seed_stays=True),
    "single_turns": HouseRules(single_turns=True),
    "leftovers_across": HouseRules(leftovers_across=True),
    "single_turns empty_capture leftovers_across": HouseRules(
        single_turns=True, empty_capture=True, leftovers_across=True
    ),
}
POSITIONS, MORE_POSITIONS = 80, 250
"""So many of each table on the reference engine, and on the compiled one."""


def table(names: str, seeds_each: int = 4) -> ShippedTable:
    variants = frozenset(names.split()) - {"base"}
    choice = Choice(variants, 2, {"seeds_each": seeds_each}, "chosen")
    return ShippedTable.of("kalah", choice)


def positions(seed: int, many: int) -> Iterator[Kalah]:
    """Yield positions that random play seldom sees: few seeds, and heaps of them."""
    luck = Random(seed)
    while many:
        pits = [0] * 14
        crowded = luck.choices(range(14), k=luck.randint(1, 14))
        for _ in range(48):
            pits[luck.choice(crowded)] += 1
        if sum(pits[0:6]) and sum(pits[7:13]):
            many -= 1
            yield Kalah(tuple(pits), luck.randrange(2))


# ---- the reference engine


def laid_out(names: str, kalah: Kalah) -> ReferenceGame:
    houses = [n for n in range(14) if n not in (6, 13)]
    cells: dict[str, dict[tuple[Data, ...], Data]] = {
        "seeds": {(nr,): kalah.pits[pit] for nr, pit in enumerate(houses)},
        "store": {(seat,): kalah.pits[7 * seat + 6] for seat in (0, 1)},
    }
    position = GamePosition(cells, at="sowing", seat=kalah.mover)
    return ReferenceGame.start(program_at(table(names)), position=position)


def seen(store: Store) -> tuple[int, ...]:
    seeds, stores = store.cells["seeds"], store.cells["store"]
    numbers = (*seeds[0:6], stores[0], *seeds[6:12], stores[1])
    return tuple(int(str(each)) for each in numbers)


@pytest.mark.parametrize("names", TABLES)
def test_every_move_of_many_positions(names: str) -> None:
    """Both know the same legal moves, and the same comes of each."""
    for kalah in positions(len(names), POSITIONS):
        game = laid_out(names, kalah)
        decision = game.decision
        assert decision is not None
        options = list(decision.options)
        pits = [option.args[0] for option in options if isinstance(option, Act)]
        assert [pit + pit // 6 for pit in map(int, map(str, pits))] == kalah.moves()
        for option, pit in zip(options, kalah.moves(), strict=True):
            after, wanted = game.clone(), kalah.sow(pit, TABLES[names])
            after.choose(option)
            assert seen(after.machine.store) == wanted.pits, (kalah, pit)
            if wanted.over:
                assert after.outcome is not None
                assert after.outcome.winners == wanted.winners()
            else:
                assert after.decision is not None
                assert after.decision.seat == wanted.mover, (kalah, pit)


# ---- the compiled engine


class Stepping:
    """Single moves on a compiled machine, from states that are kept as blocks."""

    def __init__(self, names: str, seeds_each: int = 4) -> None:
        self.machine: CompiledMachine = machine_at(table(names, seeds_each))

    def begin(self, kalah: Kalah) -> StateBlock:
        """Return the game in which the first player is to move at a position."""
        memory, block = self.machine.module.memory, self.machine.reset(1, 0)
        store = read_store(block, memory)
        store.cells["seeds"][:] = [*kalah.pits[0:6], *kalah.pits[7:13]]
        store.cells["store"][:] = [kalah.pits[6], kalah.pits[13]]
        write_store(block, memory, store)
        self.machine.enter(block)
        self.machine.call("advance")
        return self.machine.block()

    def options(self, block: StateBlock) -> int:
        self.machine.call("reset", 1, 0)
        self.machine.enter(block)
        return 0 if self.machine.header("outcome") else self.machine.call("options")

    def go(self, block: StateBlock, number: int) -> StateBlock:
        """Return what comes of an option."""
        assert number < self.options(block)
        self.machine.call("choose", number)
        self.machine.call("advance")
        return self.machine.block()

    def leaves(self, block: StateBlock, depth: int) -> int:
        options = self.options(block) if depth else 0
        if depth < 2 or not options:
            return max(options, 1)
        after = (self.go(block, number) for number in range(options))
        return sum(self.leaves(each, depth - 1) for each in after)


@pytest.mark.parametrize("names", TABLES)
def test_moves_of_more_positions_compiled(names: str) -> None:
    """The compiled engine does the same, and offers as many moves."""
    stepping, luck = Stepping(names), Random(7)
    for drawn in positions(len(names) + 50, MORE_POSITIONS):
        kalah = replace(drawn, mover=0)
        moves, block = kalah.moves(), stepping.begin(kalah)
        assert stepping.options(block) == len(moves)
        number = luck.randrange(len(moves))
        after = stepping.go(block, number)
        wanted = kalah.sow(moves[number], TABLES[names])
        store = read_store(after, stepping.machine.module.memory)
        assert seen(store) == wanted.pits, (kalah, number)
        assert bool(stepping.machine.header("outcome")) is wanted.over
        if not wanted.over:
            assert stepping.machine.header("seat") == wanted.mover


@pytest.mark.parametrize(
    ("names", "seeds_each", "depth"),
    [
        ("base", 4, 5),
        ("base", 3, 4),
        ("single_turns", 6, 4),
        pytest.param("base", 4, 7, marks=pytest.mark.slow),
    ],
)
def test_as_many_sequences_of_moves(names: str, seeds_each: int, depth: int) -> None:
    stepping, first = Stepping(names, seeds_each), Kalah((*[seeds_each] * 6, 0) * 2)
    found = stepping.leaves(stepping.begin(first), depth)
    assert found == leaves(first, TABLES[names], depth)


# ---- the sides


def test_changing_sides() -> None:
    """After a first turn, however long, both players' seeds change places."""
    program = program_at(table("swap_sides"))
    for seed in range(20):
        luck, game = Random(seed), ReferenceGame.start(program, seed)
        kalah = Kalah((4, 4, 4, 4, 4, 4, 0) * 2)
        while (decision := game.decision) is not None and decision.seat == 0:
            number = luck.randrange(decision.options.count())
            game.choose(decision.options[number])
            kalah = kalah.sow(kalah.moves()[number], HouseRules())
        assert decision is not None
        swap = [
            each for each in decision.options if getattr(each, "action", "") == "swap"
        ]
        game.choose(swap[0])
        assert seen(game.machine.store) == kalah.swapped().pits
        assert game.decision is not None
        assert game.decision.seat == kalah.swapped().mover
