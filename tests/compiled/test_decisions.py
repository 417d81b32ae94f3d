"""Both engines, decision by decision, under every shipped ruleset."""

from __future__ import annotations

from zlib import crc32

import pytest
from tests.support.compare import check, numbers
from tests.support.engines import first_of, machine_at
from tests.support.shipped import (
    NAMES,
    ShippedTable,
    at_every_count,
    everything,
    program_at,
    tables,
    telling,
)

DECISIONS = 30  # that are compared in a short test
FEW = 27  # so many tables share one: they differ from others in the number of seats


def seed_of(table: ShippedTable) -> int:
    """Return a seed that hardly any other table has: hundreds in all."""
    return crc32(f"{table.game} {table.name}".encode()) % 100_000


def check_at(table: ShippedTable, seed: int, decisions: int) -> None:
    """Play one game at a table on both engines, for so many decisions."""
    check(program_at(table), machine_at(table), seed, numbers(seed, decisions))


@pytest.mark.parametrize("table", tables(at_every_count, but=telling, stride=FEW))
def test_a_game_begins_alike(table: ShippedTable) -> None:
    check_at(table, seed_of(table), 10)


@pytest.mark.parametrize("table", tables(telling, first=False))
def test_games_are_alike(table: ShippedTable) -> None:
    check_at(table, 1 + seed_of(table), DECISIONS)


@pytest.mark.parametrize("name", NAMES)
def test_many_decisions_are_alike(name: str) -> None:
    """Of the base games; `test_batches` compares the ends of whole games."""
    check_at(first_of(name), 11, 120)


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(everything))
def test_many_games_are_alike(table: ShippedTable) -> None:
    for seed in range(8):
        check_at(table, 100 + seed, 2000)


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(telling))
def test_hundreds_of_games_are_alike(table: ShippedTable) -> None:
    for seed in range(200):
        check_at(table, 1000 + seed, 300)
