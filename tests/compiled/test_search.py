"""The search bot inside the module: the same choices and draws as the plain one."""

from __future__ import annotations

import sys
import time
from collections import Counter
from functools import cache
from threading import Timer
from types import ModuleType
from unittest.mock import patch

import pytest
from tests.support.bots import SOME_SEARCH
from tests.support.compare import Differs, machine_of
from tests.support.engines import first_of, machine_at
from tests.support.sampling import spread
from tests.support.shipped import program_at
from tests.support.small_games import program as small_game

from houserule.engine.bots import search, tree
from houserule.engine.bots.effort import Effort
from houserule.engine.bots.objective import WHOLE
from houserule.engine.bots.random_choice import sensible
from houserule.engine.bots.search import Search, Worth
from houserule.engine.compiled.bots import search as compiled_search
from houserule.engine.compiled.bots.compiled_bots import (
    CompiledThinker,
    end_searches,
    quick_bots,
)
from houserule.engine.compiled.bots.greedy import greedy_text
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.codec import read_store
from houserule.engine.compiled.module import emit
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.ir import Program
from houserule.study.simulate.play import play_games

from .test_greedy import case_of, same_rows
from .thinking import think_through

SEATINGS = ((SOME_SEARCH,), (SOME_SEARCH, "greedy"), ("random", "search:90"))


def searches_alike(
    program: Program, machine: CompiledMachine, seeds: range, most: int
) -> None:
    """Hold choices and draws of some decisions of games to the reference engine."""
    for seed in seeds:
        think_through(program, machine, SEATINGS[seed % len(SEATINGS)], seed, most)


def test_a_common_goal_counts_alike() -> None:
    program = case_of("all strive for one number, so all win or nobody does")
    searches_alike(program, machine_of(program), range(len(SEATINGS)), 8)


@pytest.mark.parametrize(
    ("name", "stage"),
    [
        ("an imagined throw breaks the rules", 2),
        ("an invariant that breaks down over a hidden cell does not hold", 1),
        ("what others choose unseen is drawn, also where their options fail", 3),
        ("a watched value and a standing that fail in what is imagined", 4),
    ],
)
def test_a_fault_in_a_pass_ends_that_pass_alone(
    name: str, stage: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, stages = case_of(name), Counter[int]()
    machine, call = machine_of(program), CompiledMachine.call

    def watched(self: CompiledMachine, title: str, *args: int) -> int:
        if title in ("recover", "resume"):
            stages[self.number(self.module.stage)] += 1
        return call(self, title, *args)

    monkeypatch.setattr(CompiledMachine, "call", watched)
    searches_alike(program, machine, range(3), 20)
    assert stages[stage]
    told = stages.total()
    same_rows(program, range(6), (SOME_SEARCH, "random"))
    assert stages.total() > told


# ---- whole games


@pytest.mark.parametrize("bots", SEATINGS)
def test_whole_games_by_any_seating(bots: tuple[str, ...]) -> None:
    same_rows(small_game("market"), range(5, 7), bots)


def test_both_engines_name_the_same_games() -> None:
    program = program_at(first_of("nim"))
    bots = ("search:80", "random")
    found = [
        play_games(program, 7, range(4), bots, engine, rotate=True)
        for engine in ("compiled", "reference")
    ]
    assert [row.state for row in found[0]] == [row.state for row in found[1]]


def test_a_whole_game_with_much_in_the_tree() -> None:
    """Positions that nearly look alike are told apart; proofs are the same."""
    table = first_of("hex_board")
    machine = machine_at(table)
    think_through(program_at(table), machine, ["search:400"], 1, 40)


def test_what_was_played_before_does_not_matter() -> None:
    machine = machine_at(first_of("nim"))
    efforts = (Effort(100), Effort(100))
    first = machine.batch(3, 0, 12, searches=efforts)
    machine.batch(9, 0, 5, searches=(Effort(500),))
    assert machine.batch(3, 0, 12) != first
    assert machine.batch(3, 4, 8, searches=efforts) == first[4:]


# ---- a tree that is full, many options


@pytest.mark.parametrize(
    ("name", "value", "game"),
    [
        ("EDGES", 4, "guild_street"),
        ("EDGES", 9, "nim"),
        ("DEEPEST", 1, "kalah"),
        ("DEEPEST", 3, "nim"),
        ("FLAT", 2, "guild_street"),
        ("AHEAD", 1, "guild_street"),
    ],
)
def test_small_bounds(
    name: str, value: int, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What seldom happens in small games does here: both engines do it alike."""
    program = program_at(first_of(game))
    usual = usual_choice(program)
    for module in (search, tree, compiled_search):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, value)
    assert first_choice(program) != usual
    searches_alike(program, CompiledMachine(emit(program)), range(1), 8)


@pytest.mark.parametrize("game", ["nim", "hex_board"])
def test_a_tree_grows_while_it_is_searched(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_search, "FIRST", 256)
    program = program_at(first_of(game))
    at = ReferenceGame.start(program, 5)
    assert at.decision is not None
    machine, stream = CompiledMachine(emit(program)), Stream.seeded(1, 0, "bot")
    machine.reset(5, 0)
    machine.call("advance")
    machine.seed_bot(at.decision.seat, stream)
    machine.search(Effort(900))
    found = search.rated(sensible(at.decision.options), machine.tried)
    plain = Search(at, at.decision.seat, stream)
    plain.look_at(900)
    assert found == plain.rated()


def test_few_options_and_many_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a node of another seat there are few options in one game, many in another."""
    for module in (search, tree, compiled_search):
        monkeypatch.setattr(module, "FLAT", 6)
    program = program_at(first_of("guild_street"))
    think_through(program, CompiledMachine(emit(program)), ["search:150"], 2, 4)


def first_choice(program: Program) -> object:
    """Return what a search at the first decision of a game thinks of it."""
    game = ReferenceGame.start(program, 0)
    assert game.decision is not None
    looking = Search(game, game.decision.seat, Stream.seeded(0, 0, "bot"))
    looking.look_at(400)
    return looking.rated(), looking.best()


@cache
def usual_choice(program: Program) -> object:
    """Return the same with the usual bounds."""
    return first_choice(program)


# ---- one decision


def test_what_a_search_thinks_of_each_option_is_the_same_on_both_engines() -> None:
    program = program_at(first_of("hearts"))
    game = ReferenceGame.start(program, 5)
    assert game.decision is not None
    streams = [Stream.seeded(1, 0, "bot") for _ in range(2)]
    found = CompiledThinker(program).rate(game, streams[0], Effort(2000))
    plain = Search(game, game.decision.seat, streams[1])
    Effort(2000).spend(plain.look_at)
    assert found == plain.rated()
    assert len(found) > 10
    assert streams[0].state == streams[1].state


def test_quick_bots_choose_as_the_plain_ones() -> None:
    program = program_at(first_of("takeover"))
    game = ReferenceGame.start(program, 1)
    quick = quick_bots(["search:120"], program, 1, 0)
    plain = [
        search.SearchBot(seat, Stream.seeded(1, 0, f"bot/{seat}"), Effort(120))
        for seat in range(program.seats)
    ]
    kinds = set[str]()
    for _ in range(26):
        assert game.decision is not None
        kinds.add(game.decision.kind)
        choice = quick[game.decision.seat].choose(game)
        assert choice == plain[game.decision.seat].choose(game)
        game.choose(choice)
    assert "act" in kinds


def test_pieces_of_a_search_are_the_search() -> None:
    machine, found = machine_at(first_of("pasha")), []
    memory = machine.module.memory
    for pieces in ((400,), (1, 17, 200, 400)):
        machine.reset(4, 0)
        machine.call("advance")
        machine.call("begin_search")
        for decisions in pieces:
            machine.call("search_on", decisions)
        seat = machine.header("seat")
        machine.call("take_best")
        machine.call("advance")
        found.append((read_store(machine.block(), memory), machine.drawn(seat)))
    (store, drawn), (other, drawn_too) = found
    assert store.to_data() == other.to_data()
    assert drawn == drawn_too


# ---- time, and being stopped


def test_a_search_by_time_ends_in_time() -> None:
    machine = machine_at(first_of("pasha"))
    machine.reset(1, 0)
    machine.call("advance")
    began = time.monotonic()
    machine.search(Effort(seconds=0.2))
    assert time.monotonic() - began < 5
    looked_at = machine.number(machine.module.looked_at)
    machine.call("take_best")
    assert looked_at > 1000


def test_a_search_ends_when_all_is_proved() -> None:
    """Ten minutes would be given to it; of three heaps it proves all in no time."""
    machine = machine_at(first_of("nim"))
    machine.reset(1, 0)
    machine.call("advance")
    machine.search(Effort(seconds=600))
    proofs = [machine.tried(number, number + 1)[0] for number in range(12)]
    assert machine.number(machine.module.looked_at) < 20_000
    machine.call("take_best")
    assert proofs.count(1) == 1
    assert proofs.count(-1) > 5


def test_games_by_bots_that_think_by_time() -> None:
    machine = machine_at(first_of("nim"))
    rows = machine.batch(1, 0, 2, searches=(Effort(seconds=0.05), None))
    assert len(rows) == 2
    assert machine.batch(1, 0, 2) == machine.batch(1, 0, 2)


def test_a_search_that_is_stopped_takes_what_it_has() -> None:
    machine = machine_at(first_of("pasha"))
    machine.reset(1, 0)
    machine.call("advance")
    Timer(0.1, end_searches).start()
    machine.search(Effort(seconds=600))
    machine.call("take_best")
    machine.call("advance")


def test_searches_end_while_the_engine_is_being_imported() -> None:
    half = ModuleType("houserule.engine.compiled.machine")
    with patch.dict(sys.modules, {half.__name__: half}):
        end_searches()


def test_games_that_are_stopped_amid_a_search_end() -> None:
    machine = machine_at(first_of("pasha"))
    Timer(0.1, machine.stop).start()
    assert machine.batch(1, 0, 1, searches=[Effort(1 << 29)] * 2) == []
    machine.go_on()


# ---- what a pass is worth


def test_who_wins_gets_more_than_who_leads() -> None:
    program = program_at(first_of("kalah"))
    worth, game = Worth(program), ReferenceGame.start(program, 1)
    worth.begin(game)
    assert worth.of(game) == [WHOLE // 2] * 2
    while game.decision is not None:
        game.choose(game.decision.options[0])
    assert game.outcome is not None
    got = worth.of(game)
    for seat in range(2):
        share = 1 / len(game.outcome.winners) if seat in game.outcome.winners else 0
        assert abs(got[seat] / WHOLE - share) <= 0.25


MUTANTS = {
    "a win that is not noted": (
        "(call $prove (i32.wrap_i64 (i64.ctz (local.get $winners))))",
        "(nop)",
        "nim",
    ),
    "one reply that loses is enough": (
        "(br_if $back (call $all_lost",
        "(br_if $back (i32.const 1)) (drop (call $all_lost",
        "nim",
    ),
    "a pass that goes on where it is certain who wins": (
        "(i32.store (i32.const {certain}) (i32.shl",
        "(i32.store (i32.const {sought}) (i32.shl",
        "nim",
    ),
    "a search that goes on when all is proved": (
        "(i32.store (i32.const {decided}) (i32.const 1))",
        "(nop)",
        "nim",
    ),
    "a short game that is not turned back": (
        "(i32.le_s (i32.sub (i32.load (i32.const {depth_in_tree}))",
        "(i32.lt_s (i32.sub (i32.load (i32.const {depth_in_tree}))",
        "nim",
    ),
    "what is quick to prove is not looked at first": (
        "(i32.load16_u offset={edge.to_win} (local.get $edge)) (local.get $least))",
        "(i32.const 0) (local.get $least))",
        "nim",
    ),
    "proofs that are always those of one seat": (
        "(select (local.get $lose) (local.get $win) (local.get $swap))",
        "(select (local.get $lose) (local.get $win) (i32.const 0))",
        "nim",
    ),
    "a long game that is to be proved": (
        "(i32.sub (i32.load (i32.const {longest})) (i32.const 1))",
        "(i32.const 0)",
        "hex_board",
    ),
    "credit at all nodes of a game": (
        "(i32.lt_s (local.get $i) (i32.load (i32.const {known_length})))",
        "(i32.const 1)",
        "hex_board",
    ),
    "credit that never fades": (
        "(f64.mul (f64.const 3) (local.get $times))",
        "(f64.const 0)",
        "hex_board",
    ),
    "none and 0 are one": (
        "(i64.mul (i64.xor (local.get $h) (local.get $x)) (i64.const",
        "(i64.mul (i64.xor (local.get $h) (i64.and (local.get $x)"
        " (i64.const 0x7fffffff7fffffff))) (i64.const",
        "hex_board",
    ),
    "chance of the pass before": (
        "(call $enter (call $world_at (i32.const 0)))\n    (call $refresh_streams)",
        "(call $enter (call $world_at (i32.const 0)))",
        "pig",
    ),
    "an imagined game that serves all passes": (
        "(i32.lt_s (i32.load (i32.const {served})) (i32.const {serves}))",
        "(i32.const 1)",
        "liars_dice",
    ),
    "cells that are told apart though they are not seen": (
        "(i64.mul (local.get $both) (i64.const 0xffffffff))",
        "(i64.const -1)",
        "x_pasch",
    ),
    "an edge that was not met when it was made": (
        "(i32.store offset={edge.met} (local.get $at) (i32.const {met_once}))",
        "(i32.store offset={edge.met} (local.get $at) (i32.const 3))",
        "kalah",
    ),
    "what came of it goes to who thinks": (
        "(i32.store offset={visit.seat} (local.get $at) (i32.load (i32.const {seat})))",
        "(i32.store offset={visit.seat} (local.get $at)"
        " (i32.load (i32.const {thinker})))",
        "nim",
    ),
    "edges of the search before": (
        "(i32.ne (i32.load offset={edge.search} (local.get $at))"
        " (i32.load (i32.const {search_number})))",
        "(i32.eqz (i32.load offset={edge.search} (local.get $at)))",
        "nim",
    ),
    "who is asked at once knows what was chosen": (
        "(i32.and (local.get $drawn) (i32.ne (local.get $depth) (i32.const 0)))",
        "(i32.const 0)",
        "guild_street",
    ),
    "a seat that is asked again before the others": (
        "(br_if $out (i32.and (i32.and (local.get $others) (local.get $mine))",
        "(br_if $out (i32.and (local.get $mine)",
        "pasha",
    ),
    "a lead that is not measured from the beginning": (
        "(local.set $gain (i64.sub (i64.load offset={gained} (local.get $at))"
        " (i64.load offset={first_leads} (local.get $at))))",
        "(local.set $gain (i64.load offset={gained} (local.get $at)))",
        "pasha",
    ),
    "options of others by their number": (
        "(if (result i64) (i32.or (i32.const {all_open}) (i32.eq",
        "(if (result i64) (i32.or (i32.const 1) (i32.eq",
        "liars_dice",
    ),
    "a number at random that never says done": (
        "(if (call $lucky (i32.const 2)) (then (return (i64.sub",
        "(if (i32.const 0) (then (return (i64.sub",
        "pasha",
    ),
    "who wins alone gets what those get who share": (
        "(i64.popcnt (local.get $winners)) (i32.const",
        "(i64.const 2) (i32.const",
        "hex_board",
    ),
}


@pytest.mark.parametrize("name", spread(list(MUTANTS), 3))
def test_a_search_that_thinks_wrongly_is_seen(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, instead, game = MUTANTS[name]
    assert right in greedy_text()
    text = greedy_text().replace(right, instead)
    monkeypatch.setattr("houserule.engine.compiled.module.greedy_text", lambda: text)
    program = program_at(first_of(game))
    machine = CompiledMachine(emit(program))
    assert differs(program, machine, ["search:150"])


def differs(program: Program, machine: CompiledMachine, bots: list[str]) -> bool:
    try:
        for seed in range(4):
            think_through(program, machine, bots, seed, 30)
    except Differs:
        return True
    return False


def test_engines_that_differ_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_at(first_of("kalah"))
    monkeypatch.setattr(compiled_search, "exploration_of", lambda _: 0.1)
    assert differs(program, CompiledMachine(emit(program)), ["search:300"])
