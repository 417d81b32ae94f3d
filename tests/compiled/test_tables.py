"""Shipped tables: one module of each, and all who use it, beside the reference engine.

`tests/play` compares both engines at the largest table of each game, and without house
rules.
"""

from __future__ import annotations

from zlib import crc32

import pytest
from tests.support.compare import check, numbers
from tests.support.engines import (
    DECISIONS_AT_MOST,
    SEED,
    WholeGame,
    first_of,
    game_at,
    last_of,
    machine_at,
)
from tests.support.sampling import spread
from tests.support.shipped import (
    NAMES,
    ShippedTable,
    at_every_count,
    everything,
    program_at,
    tables,
    telling,
)

from houserule.ir import Program

from .test_batches import same_games
from .test_greedy import same_rows, thinks_alike
from .test_quick import choose_alike
from .test_search import searches_alike
from .thinking import SEATINGS


def check_at(table: ShippedTable, seed: int, decisions: int) -> None:
    """Play one game at a table on both engines, for so many decisions."""
    check(program_at(table), machine_at(table), seed, numbers(seed, decisions))


def seed_of(table: ShippedTable) -> int:
    """Return a seed that hardly any other table has: hundreds in all."""
    return crc32(f"{table.game} {table.name}".encode()) % 100_000


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(at_every_count, stride=27))
def test_games_begin_alike_and_end(table: ShippedTable) -> None:
    check_at(table, seed_of(table), 10)
    rows = machine_at(table).batch(SEED, 100, 4)
    assert len(rows) == 4
    assert all(row.outcome for row in rows), "a game is open"
    assert all(row.decisions < DECISIONS_AT_MOST for row in rows)


@pytest.mark.parametrize("table", spread([last_of(game) for game in NAMES], 3))
def test_all_is_alike(table: ShippedTable) -> None:
    """A game that is chosen by number, one by greedy bots, and a whole random game."""
    program, machine = program_at(table), machine_at(table)
    check_at(table, 1 + seed_of(table), 30)
    assert not machine.module.no_greedy
    # A race begins with moves that are the only ones: then more has to be played.
    assert any(thinks_alike(program, machine, [0], most) for most in (6, 30))
    answered = choose_alike(program, ("greedy",), 1, 4, machine)
    assert answered["act", True]
    assert not answered["act", False]

    def play(_: Program, seed: int, number: int) -> WholeGame:
        assert (seed, number) == (SEED, 0)
        return game_at(table)

    same_games(program, machine, SEED, range(1), play)


@pytest.mark.parametrize("name", spread(NAMES, 5))
def test_bots_think_alike(name: str) -> None:
    program, machine = program_at(first_of(name)), machine_at(first_of(name))
    assert thinks_alike(program, machine, [1, 2], 12)
    searches_alike(program, machine, range(1), 5)


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(everything))
def test_many_games_are_alike(table: ShippedTable) -> None:
    for seed in range(8):
        check_at(table, 100 + seed, 2000)


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(telling))
def test_hundreds_of_games_are_alike(table: ShippedTable) -> None:
    program, machine = program_at(table), machine_at(table)
    for seed in range(200):
        check_at(table, 1000 + seed, 300)
    same_games(program, machine, 1 << 63, range(100))


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(at_every_count))
def test_bots_often_think_alike(table: ShippedTable) -> None:
    program, machine = program_at(table), machine_at(table)
    assert thinks_alike(program, machine, range(10), 60)
    searches_alike(program, machine, range(3), 30)
    for names in SEATINGS:
        same_rows(program, range(5), names)
        for seed in range(3):
            assert not choose_alike(program, names, seed, 60)["act", False]
