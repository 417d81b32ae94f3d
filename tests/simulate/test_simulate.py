"""Many games: the same result for any number of processes, and honest counts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.play import prepared, ruleset

from houserule.prepare import TableChoice
from houserule.record.hashes import digest
from houserule.simulate.batch import Order, simulate
from houserule.simulate.play import play_game
from houserule.simulate.statistics import Simulation, spread


def simulation(name: str, games: int, *, jobs: int = 1, seed: int = 3) -> Simulation:
    table, program = prepared(name)
    folder = ruleset(name).folder
    return simulate(Order(folder, table, seed, games, ("random",), jobs), program)


def without_time(result: Simulation) -> dict[str, object]:
    return {**result.model_dump(), "seconds": 0}


def test_the_number_of_processes_changes_nothing() -> None:
    results = [without_time(simulation("market", 13, jobs=n)) for n in (1, 2, 3)]
    assert all(one == other for one, other in pairwise(results))


def test_the_digest_is_that_of_the_games() -> None:
    _, program = prepared("market")
    lines = [play_game(program, 3, number, ["random"]).line for number in range(5)]
    assert simulation("market", 5).digest == digest(lines)
    assert simulation("market", 5, seed=4).digest != digest(lines)


def test_every_game_is_counted_once() -> None:
    result = simulation("market", 40)
    alone = sum(result.wins)
    assert alone + result.ties + result.nobody + result.stalled == 40
    assert result.length.mean * 40 == pytest.approx(result.decisions)
    assert result.rounds.min >= 1
    assert result.faults == 0
    assert result.never == []


def test_faults_of_the_rules_are_told_with_their_place() -> None:
    result = simulation("overflow", 3)
    assert result.faults == 3
    assert len(result.messages) == 1
    assert "F01" in result.messages[0]
    assert "game.rules:12" in result.messages[0]


def test_clauses_that_never_run_are_named() -> None:
    table, program = prepared("market", TableChoice(settings={"goal": 6}))
    order = Order(ruleset("market").folder, table, 1, 1, ("random",), 1)
    result = simulate(order, program)
    ran = play_game(program, 1, 0, ["random"]).ran
    assert result.never
    assert not set(result.never) & {address for address, n in ran.items() if n}


def test_progress_is_told_for_every_game() -> None:
    table, program = prepared("market")
    order = Order(ruleset("market").folder, table, 1, 9, ("random",), 2)
    done: list[int] = []
    simulate(order, program, done.append)
    assert sum(done) == 9


def test_a_spread_is_of_the_sample() -> None:
    found = spread([2, 4, 4, 4, 5, 5, 7, 9])
    assert (found.mean, found.sd) == (5.0, 2.1381)
    assert (found.min, found.max) == (2, 9)
    assert spread([]).mean == 0
    assert spread([7]).sd == 0
