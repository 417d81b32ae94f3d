"""Both engines, decision by decision, under every shipped ruleset."""

from __future__ import annotations

from zlib import crc32

import pytest
from tests.conformance.tables import NAMES, at_every_count, named, telling

from .compare import check, numbers
from .engines import engines_of, everything, tables

DECISIONS = 60  # that are compared in a short test


def seed_of(name: str, table: str) -> int:
    """Return a seed that hardly any other table has: hundreds in all."""
    return crc32(f"{name} {table}".encode()) % 100_000


@pytest.mark.parametrize(("name", "table"), tables(at_every_count))
def test_a_game_begins_alike(name: str, table: str) -> None:
    program, machine = engines_of(name, table)
    seed = seed_of(name, table)
    check(program, machine, seed, numbers(seed, 12))


@pytest.mark.parametrize(("name", "table"), tables(telling))
def test_games_are_alike(name: str, table: str) -> None:
    program, machine = engines_of(name, table)
    first = seed_of(name, table)
    for seed in (first, first + 1):
        check(program, machine, seed, numbers(seed, DECISIONS))


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_is_alike(name: str) -> None:
    program, machine = engines_of(name, named(telling(name)[0]))
    check(program, machine, 11, numbers(11, 1500))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("name", "table"), tables(everything))
def test_many_games_are_alike(name: str, table: str, seed: int) -> None:
    program, machine = engines_of(name, table)
    check(program, machine, 100 + seed, numbers(100 + seed, 2000))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "table"), tables(telling))
def test_hundreds_of_games_are_alike(name: str, table: str) -> None:
    program, machine = engines_of(name, table)
    for seed in range(200):
        check(program, machine, 1000 + seed, numbers(seed, 300))
