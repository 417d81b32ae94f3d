"""Whole games inside the module, by its own bots: the same as those played outside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.support.engines import (
    WholeGame,
    first_of,
    machine_at,
    play_whole,
)
from tests.support.sampling import spread
from tests.support.shipped import (
    NAMES,
    program_at,
    program_of,
    telling,
)

from houserule.engine.bots.bot import seat_bots
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.module import Module, emit
from houserule.engine.compiled.optimize.versions import OLDEST
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Program
from houserule.play.records.hashes import outcome_words


def same_games(
    program: Program,
    machine: CompiledMachine,
    seed: int,
    games: range,
    play: Callable[[Program, int, int], WholeGame] = play_whole,
) -> None:
    """Hold games of the module to those that are played on the reference engine."""
    before = Counter(machine.counts())
    rows = machine.batch(seed, games.start, len(games))
    counts = Counter(machine.counts())
    counts.subtract(before)
    ran: Counter[str] = Counter()
    for number, row in zip(games, rows, strict=True):
        game = play(program, seed, number)
        wanted = game.row
        if row.lead_changes is None:  # the module may not read scores under way
            wanted = wanted._replace(lead_changes=None)
        assert row == wanted, f"game {number} of seed {seed}"
        ran.update(game.ran)
    assert +counts == +ran


@pytest.mark.parametrize("name", spread(NAMES, 6))
def test_several_games_end_alike(name: str) -> None:
    table = first_of(name)
    same_games(program_at(table), machine_at(table), -7, range(40, 42))


def test_changes_of_the_lead_are_told() -> None:
    machine = machine_at(first_of("pig"))
    assert [row.lead_changes for row in machine.batch(5, 0, 3)] != [None] * 3


def test_an_outcome_is_told_in_words_from_what_is_laid_down() -> None:
    program = program_at(first_of("pig"))
    (row,) = machine_at(first_of("pig")).batch(3, 0, 1)
    game = ReferenceGame.start(program, 3)
    bots = seat_bots(("random",), program.seats, 3, 0)
    while game.decision is not None:
        game.choose(bots[game.decision.seat].choose(game))
    seats = [seat for seat in range(program.seats) if row.winners >> seat & 1]
    assert outcome_words(game.outcome) == f"won:{','.join(map(str, seats))}"


# ---- what does not matter


def module() -> Module:
    return machine_at(first_of("pig")).module


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
