"""Whole games inside the module, by its own bots: the same as those played outside."""

from __future__ import annotations

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest
from tests.conformance.tables import NAMES, named, program_of, telling
from tests.engine.test_flow_cases import program_of as rules_of

from houserule.bots.bot import seat_bots
from houserule.compiled.machine import CompiledMachine, PlayedGame
from houserule.compiled.memory.codec import read_store, write_store
from houserule.compiled.module import Module, emit
from houserule.compiled.optimize.versions import OLDEST
from houserule.engine.play.game import ReferenceGame
from houserule.ir import Program
from houserule.record.hashes import outcome_words, state_number
from houserule.simulate.engines import play_compiled
from houserule.simulate.play import play_games, scores
from houserule.simulate.statistics.rounds import LeadCounter, RoundCounter

from .compare import machine_of, numbers, places, play_both
from .engines import engines_of, tables
from .test_small_games import every_case


def played(
    program: Program, seed: int, number: int
) -> tuple[PlayedGame, dict[str, int]]:
    """Play a game on the reference engine; return it as the module tells it."""
    bots = seat_bots(("random",), program.seats, seed, number)
    game, rounds, decisions = (
        ReferenceGame.start(program, seed, number, count=True),
        0,
        0,
    )
    counter, leads = RoundCounter(program), LeadCounter(program)
    while game.decision is not None:
        if counter.look(game):
            leads.look(scores(game))
        game.choose(bots[game.decision.seat].choose(game))
        decisions += 1
    rounds = counter.begun
    assert game.outcome is not None
    kind = {"won": 1, "stalled": 2}[game.outcome.kind]
    stalled = ["", *program.phases].index(game.outcome.stalled_in)
    winners = sum(1 << seat for seat in game.outcome.winners)
    state = state_number(game.machine.store)
    standings = scores(game)
    leads.look(standings)
    changes = leads.changes if standings else None
    row = PlayedGame(
        kind, stalled, winners, decisions, rounds, state, changes, standings
    )
    return row, game.ran


def same_games(
    program: Program, machine: CompiledMachine, seed: int, games: range
) -> None:
    before = Counter(machine.counts())
    rows = machine.batch(seed, games.start, len(games))
    counts = Counter(machine.counts())
    counts.subtract(before)
    ran: Counter[str] = Counter()
    for number, row in zip(games, rows, strict=True):
        wanted, ran_here = played(program, seed, number)
        if row.lead_changes is None:  # the module may not read scores under way
            wanted = wanted._replace(lead_changes=None)
        assert row == wanted, f"game {number} of seed {seed}"
        ran.update(ran_here)
    assert +counts == +ran


@pytest.mark.parametrize(("name", "table"), tables(telling))
def test_games_end_alike(name: str, table: str) -> None:
    program, machine = engines_of(name, table)
    same_games(program, machine, 5, range(1))


@pytest.mark.parametrize("name", NAMES)
def test_several_games_end_alike(name: str) -> None:
    program, machine = engines_of(name, named(telling(name)[0]))
    same_games(program, machine, -7, range(40, 44))


@pytest.mark.parametrize("case", every_case())
def test_small_games_end_alike(case: dict[str, Any]) -> None:
    program = rules_of(case["rules"])
    assert program is not None
    if any(end.startswith("fault") for end in case["ends"]):
        some = range(12)
        found = play_compiled(program, 2, some)
        assert places(found) == places(play_games(program, 2, some, ("random",)))
    else:
        same_games(program, machine_of(program), 2, range(12))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "table"), tables(telling))
def test_many_games_end_alike(name: str, table: str) -> None:
    program, machine = engines_of(name, table)
    same_games(program, machine, 1 << 63, range(100))


def test_changes_of_the_lead_are_told() -> None:
    _, machine = engines_of("pig", named(telling("pig")[0]))
    assert [row.lead_changes for row in machine.batch(5, 0, 3)] != [None] * 3


def test_an_outcome_is_told_in_words_from_what_is_laid_down() -> None:
    program, machine = engines_of("pig", named(telling("pig")[0]))
    (row,) = machine.batch(3, 0, 1)
    game = ReferenceGame.start(program, 3)
    bots = seat_bots(("random",), program.seats, 3, 0)
    while game.decision is not None:
        game.choose(bots[game.decision.seat].choose(game))
    seats = [seat for seat in range(program.seats) if row.winners >> seat & 1]
    assert outcome_words(game.outcome) == f"won:{','.join(map(str, seats))}"


# ---- what does not matter


@lru_cache(maxsize=1)
def module() -> Module:
    return emit(program_of("pig", telling("pig")[0]))


@lru_cache(maxsize=1)
def thirty() -> list[PlayedGame]:
    return CompiledMachine(module()).batch(9, 0, 30)


@pytest.mark.parametrize("size", [1, 7, 29])
def test_how_batches_are_cut_does_not_matter(size: int) -> None:
    machine = CompiledMachine(module())
    rows = []
    for first in range(0, 30, size):
        rows += machine.batch(9, first, min(size, 30 - first))
    assert rows == thirty()


def test_threads_do_not_matter() -> None:
    def half(first: int) -> list[PlayedGame]:
        return CompiledMachine(module()).batch(9, first, 15)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(half, (0, 15))
    assert first + second == thirty()


def test_what_was_played_before_does_not_matter() -> None:
    machine = CompiledMachine(module())
    machine.batch(77, 0, 3)
    play_both(module().program, machine, 1, numbers(1, 20))
    assert machine.batch(9, 0, 30) == thirty()
    assert len(set(thirty())) == 30


def test_versions_are_counted_anew_before_they_run_out() -> None:
    early = emit(program_of("pachisi", telling("pachisi")[-1]))
    start = re.compile(r"(\(global \$version\.\d+ \(mut i32\) \(i32\.const )1\)")
    text, many = start.subn(rf"\g<1>{OLDEST - 1000})", early.text)
    assert many
    machine = CompiledMachine(replace(early, text=text))
    assert machine.batch(9, 0, 4) == CompiledMachine(early).batch(9, 0, 4)


def test_memory_never_grows() -> None:
    machine = CompiledMachine(module())
    size = machine.size
    machine.batch(1, 0, 200)
    assert machine.size == size == module().pages << 16


def test_too_many_games_at_once() -> None:
    with pytest.raises(ValueError, match="1025"):
        CompiledMachine(module()).batch(1, 0, 1025)


# ---- between block and store


@pytest.mark.parametrize("name", NAMES)
def test_a_state_comes_back_as_it_was(name: str) -> None:
    program, machine = engines_of(name, named(telling(name)[-1]))
    memory = machine.module.memory
    for seed in range(3):
        play_both(program, machine, seed, numbers(seed, 15))
        block = machine.block()
        store = read_store(block, memory)
        kept = bytes(block.content)
        write_store(block, memory, store)
        assert bytes(block.content) == kept
