"""The greedy bot inside the module: what it imagines, draws and chooses, and faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import Timer

import pytest
from tests.support.compare import machine_of, places
from tests.support.engines import first_of, machine_at
from tests.support.rules_cases import COMPILED, cases_in
from tests.support.rules_cases import program_of as rules_of
from tests.support.sampling import spread
from tests.support.shipped import (
    NAMES,
    program_of,
    telling,
)
from tests.support.small_games import program as small_game

from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.module import Module, emit
from houserule.engine.compiled.results import PlayedGame
from houserule.ir import Program
from houserule.study.simulate.engines import Seating, play_compiled, serving
from houserule.study.simulate.play import play_games, seated
from houserule.study.simulate.results import Finished

from .thinking import SEATINGS, mask_of, think_through

SEES_NOT_ALL = ("guild_street", "liars_dice", "pasha", "takeover", "x_pasch")


def thinks_alike(
    program: Program, machine: CompiledMachine, seeds: Sequence[int], most: int
) -> int:
    """Return how many games were imagined, all alike on both engines."""
    imagined = 0
    for seed in seeds:
        names = SEATINGS[seed % len(SEATINGS)]
        imagined += think_through(program, machine, names, seed, most)[1]
    return imagined


@pytest.mark.parametrize("name", SEES_NOT_ALL)
def test_something_is_hidden(name: str) -> None:
    """The rulesets that hold what a seat may not see do draw it anew."""
    text = machine_at(first_of(name)).module.text
    deals = "(call $gather_hidden" in text.split("(func $deal_all")[1].split("(func")[0]
    throws = "(call $throw_hidden (i32.const" in text
    assert deals or throws


# ---- faults in what is imagined


def case_of(name: str) -> Program:
    (case,) = (
        each.values[0] for each in cases_in(COMPILED) if each.values[0]["name"] == name
    )
    program = rules_of(case["rules"])
    return program


@pytest.mark.parametrize(
    ("name", "stage"),
    [
        ("an imagined throw breaks the rules", 2),
        ("an invariant that breaks down over a hidden cell does not hold", 1),
        ("what others choose unseen is drawn, also where their options fail", 3),
        ("a watched value and a standing that fail in what is imagined", 4),
        ("where the rules fail as it is asked what is barred, nothing is", 5),
    ],
)
def test_a_fault_in_an_imagined_game_ends_that_game_alone(
    name: str, stage: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, stages = case_of(name), Counter[int]()
    machine, call = machine_of(program), CompiledMachine.call

    def watched(self: CompiledMachine, title: str, *args: int) -> int:
        if title in ("recover", "resume"):
            stages[self.number(self.module.stage)] += 1
        return call(self, title, *args)

    monkeypatch.setattr(CompiledMachine, "call", watched)
    thinks_alike(program, machine, range(6), 40)
    assert stages[stage]
    told = stages.total()
    same_rows(program, range(20), ("greedy", "random"))
    assert stages.total() > told


def test_a_deal_that_shows_another_zone_is_dealt_again_by_both_engines() -> None:
    name = "the contents of zones decide who sees them, also those of neighbours"
    program = case_of(name)
    assert thinks_alike(program, machine_of(program), range(6), 12)


# ---- whole games


def same_rows(program: Program, games: range, bots: Sequence[str]) -> None:
    """Hold whole games to the reference engine; messages of faults may differ."""
    seating = Seating.of(seated(bots, program.seats), rotate=True)
    found = play_compiled(program, 3, games, seating=seating)
    wanted = play_games(program, 3, games, bots, rotate=True)
    assert places(found) == places(wanted)
    if not any(row.failed for row in found):
        assert counts(found) == counts(wanted)


def counts(rows: Sequence[Finished]) -> Counter[str]:
    ran: Counter[str] = Counter()
    for row in rows:
        ran.update(row.ran)
    return +ran


@pytest.mark.parametrize("name", spread(NAMES, 12, first=False))
def test_whole_games(name: str) -> None:
    program = program_of(name, telling(name)[0])
    same_rows(program, range(6, 7), ("random", "greedy"))


@pytest.mark.parametrize("bots", SEATINGS)
def test_whole_games_by_any_seating(bots: tuple[str, ...]) -> None:
    same_rows(small_game("market"), range(5, 12), bots)


@lru_cache(maxsize=1)
def module() -> Module:
    return emit(program_of("liars_dice", telling("liars_dice")[-1]))


@lru_cache(maxsize=1)
def thirty() -> list[PlayedGame]:
    return CompiledMachine(module()).batch(9, 0, 30, 0b001, rotate=True)


@pytest.mark.parametrize("size", [1, 7, 29])
def test_how_batches_are_cut_does_not_matter(size: int) -> None:
    machine, rows = CompiledMachine(module()), list[PlayedGame]()
    for first in range(0, 30, size):
        some = min(size, 30 - first)
        rows += machine.batch(9, first, some, 0b001, rotate=True)
    assert rows == thirty()


def test_threads_do_not_matter() -> None:
    def half(first: int) -> list[PlayedGame]:
        return CompiledMachine(module()).batch(9, first, 15, 0b001, rotate=True)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(half, (0, 15))
    assert first + second == thirty()


def test_what_was_played_before_does_not_matter() -> None:
    machine = CompiledMachine(module())
    random = machine.batch(9, 0, 30)
    assert random != thirty()
    assert machine.batch(9, 0, 30, 0b001, rotate=True) == thirty()
    assert machine.batch(9, 0, 30) == random


def test_bots_sit_one_seat_further_in_each_game() -> None:
    machine = CompiledMachine(module())
    seats = module().program.seats
    rows = [machine.batch(9, number, 1, 1 << number % seats)[0] for number in range(30)]
    assert rows == thirty()


def test_fewer_names_than_seats_go_round() -> None:
    assert mask_of(("greedy", "random"), 5) == 0b10101


def test_a_stop_amid_thinking_leaves_nothing_behind() -> None:
    slow = emit(program_of("pachisi", telling("pachisi")[0]))
    machine, fresh = CompiledMachine(slow), CompiledMachine(slow)
    timer = Timer(0.3, machine.stop)
    timer.start()
    rows = machine.batch(9, 0, 1024, 0b11)
    timer.join()
    assert len(rows) < 1024
    machine.go_on()
    assert machine.batch(9, 0, len(rows) + 3, 0b11)[: len(rows)] == rows
    before = Counter(machine.counts())
    assert machine.batch(9, 0, 2, 0b11) == fresh.batch(9, 0, 2, 0b11)
    assert Counter(machine.counts()) - before == +Counter(fresh.counts())


# ---- which engine plays


def test_greedy_bots_play_on_the_compiled_engine() -> None:
    program = small_game("market")
    assert serving(None, [program], ["greedy", "random"]) == ("compiled", "")


UNDER_WAY = """\
game t
players 2..2
state secret: 0..9 starts as 0 seen only by (those q in players where doing is none)
state score(p: Player): 0..9 starts as 0
winners: those p in players with most score(p)
phase turn for me in players
  step acting: must act once, if possible
action go(n in 1..2) during acting
  does it: score(me) gains n
"""


def test_where_sight_hangs_on_what_is_under_way_random_bots_alone_are_compiled() -> (
    None
):
    program = rules_of(UNDER_WAY)
    engine, why = serving(None, [program], ["random", "greedy"])
    assert engine == "reference"
    assert "bots that imagine games" in why
    assert serving(None, [program], ["random"]) == ("compiled", "")
    machine = machine_of(program)
    assert len(machine.batch(1, 0, 3)) == 3
    with pytest.raises(ValueError, match="current action"):
        machine.batch(1, 0, 3, 1)


def test_whole_games_in_which_bots_may_draw() -> None:
    name = "a draw is worth less than to be ahead, and more than to be behind; bots "
    same_rows(case_of(f"{name}strive for what winners do not count"), range(12), BOTS)


BOTS = ("greedy", "random")
