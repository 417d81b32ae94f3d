"""A compiler that is wrong is seen: each of these faults makes some game differ."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest
from tests.support.compare import Differs, numbers, play_both
from tests.support.rules_cases import COMPILED, cases_in, program_of
from tests.support.sampling import spread

from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.module import Module, emit

from .thinking import think_through

MUTANTS = {
    "division towards nought": (
        "(then (i32.sub (local.get $q) (i32.const 1)))",
        "(then (local.get $q))",
        "arithmetic on both sides of zero",
    ),
    "a pile's other end": (
        "(if (i32.and (local.get $target) (i32.const 1))",
        "(if (i32.eqz (i32.and (local.get $target) (i32.const 1)))",
        "places that show different fields, so that deals want exchanges",
    ),
    "a shuffle that leaves the top": (
        "(call $draw (local.get $stream) (i32.add (local.get $last) (i32.const 1)))",
        "(call $draw (local.get $stream) (local.get $last))",
        "who sees what changes, and a choice stands in the midst of an effect",
    ),
    "shares one off": (
        "(br_if $found (i64.lt_u (local.get $index) (local.get $here)))",
        "(br_if $found (i64.le_u (local.get $index) (local.get $here)))",
        "who sees what changes, and a choice stands in the midst of an effect",
    ),
    "an inner phase that wins": (
        "(if (i32.lt_s (local.get $d) (local.get $best))",
        "(if (i32.or (i32.eq (local.get $best) (i32.const 1000000))"
        " (i32.gt_s (local.get $d) (local.get $best)))",
        "again and end of several phases at once",
    ),
    "results that are never old": (
        "(global.set $clock (i32.add (global.get $clock) (i32.const 1)))",
        "",
        "options that cannot be counted, where nobody asks how many there are",
    ),
    "positions that stay": (
        "(call $undo)\n",
        "",
        "both numbers must be used where they can, by what would be after the one",
    ),
    "reactions to what is imagined": (
        "(global.set $quiet (i32.const 0))\n  (global.set $counting",
        "(global.set $quiet (i32.const 1))\n  (global.set $counting",
        "reactions to what is imagined, and to what is done while something waits",
    ),
    "parts in another order": (
        "(local.set $p (i32.add (local.get $p) (i32.const 1)))",
        "(local.set $p (i32.add (local.get $p) (i32.const 2)))",
        "the one part that is best, and the only one",
    ),
    "parts by another number": (
        "(br_if $sized_1 (i64.lt_u (local.get $number) (local.get $here)))",
        "(br_if $sized_1 (i64.le_u (local.get $number) (local.get $here)))",
        "hidden sets that may be none, imagined",
    ),
    "parts that leave a member out": (
        "(br_if $taken_6 (i64.lt_u (local.get $number) (local.get $here)))",
        "(br_if $taken_6 (i64.le_u (local.get $number) (local.get $here)))",
        "hidden sets that may be none, imagined",
    ),
    "a hand that is never full": (
        "(if (i32.ge_s (call $lie_count (local.get $zone))",
        "(if (i32.gt_s (call $lie_count (local.get $zone))",
        "piles from both ends",
    ),
}
"""A text of every module, what stands there instead, and a case that tells them
apart."""

IN_GENERATED = {
    "results of what was imagined that hold behind it": (
        r"(\(global\.set \$version\.\d+ \(i32\.load offset)",
        r"(drop (i32.load offset",
        "reactions to what is imagined, and to what is done while something waits",
    ),
    "a query that answers for others": (
        r"(\(i32\.store offset=\d+ )\(local\.get \$t\d+\)( \(local\.get \$total0\)\))",
        r"\1(i32.const 0)\2",
        "sums that many are compared with, of dice that are rolled and taken",
    ),
    "everybody at once, one after the other": (
        r"(\(func \$chosen_one [^\n]*\n[^\n]*\n  )\(if \(call \$is_together [^\n]*",
        r"\1(if (i32.const 0) (then",
        "everybody decides at once, and nobody asks how many options there are",
    ),
    "steps that stay open": (
        r"(\(then \(return \(i32\.const 1\)\)\)\)\n  )\(i64\.store [^\n]*",
        r"\1(nop)",
        "a bot that has played on for long enough looks no further",
    ),
    "items of a phase that come to an end early": (
        r"(\(i32\.add \(i32\.load \(i32\.const \d+\)\) )\(i32\.const 1\)"
        r"(\)\)\n  \(if \(i32\.lt_s)",
        r"\1(i32.const 2)\2",
        "a bot that has played on for long enough looks no further",
    ),
    "none that is kept as the empty set": (
        r"\(i64\.extend_i32_u \(local\.get \$there\d+\)\)",
        "(i64.const 1)",
        "first values of sets that may be none, and their ranges",
    ),
    "another option than the listed one": (
        r"(\(i32\.mul )\(i32\.wrap_i64 \(local\.get \$here\d+\)\)",
        r"\1(i32.const 0)",
        "a bot that has played on for long enough looks no further",
    ),
    "masks that are left out": (
        r"\(i64\.and (\(local\.get \$t\d+\)) \(local\.get \$t\d+\)\)",
        r"\1",
        "conditions of one variable, of fields, of what is fixed and of what may fail",
    ),
    "a key that stays in the set of its old value": (
        r"\(i64\.xor (\(i64\.load \(local\.get \$t\d+\)\)) \(local\.get \$t\d+\)\)",
        r"\1",
        "the keys at which a state has some value",
    ),
    "inverse sets of the turn before": (
        r"\(call \$restart\.[^\s()]*\)",
        "(nop)",
        "the keys at which a state has some value",
    ),
}
"""Patterns of what is written for each program, what stands there instead, and a case
that tells them apart."""


USUAL = "quiet play and every bot take a usual amount, among few and among many"
UNSEEN = "what others choose unseen is drawn, also where their options fail"
FACE_DOWN = "cards that are offered face down, and a watched value of what is hidden"
MUTANTS_OF_GREEDY = {
    "a stream of chance that is left as it was": (
        "(i64.store (local.get $at) (i64.or (local.get $high)"
        " (call $luck (i64.const 0x100000000))))",
        "(local.set $high (i64.or (local.get $high)"
        " (call $luck (i64.const 0x100000000))))\n    (if (local.get $i)"
        " (then (i64.store (local.get $at) (local.get $high))))",
        "options that cannot be counted, where nobody asks how many there are",
    ),
    "who was shown a thing goes with the thing": (
        "(i32.store (i32.add (local.get $known) (local.get $thing))"
        " (i32.load offset=12 (local.get $at)))",
        "(nop)",
        "who sees what changes, and a choice stands in the midst of an effect",
    ),
    "deals without an exchange": (
        "(if (result i32) (i32.lt_s (local.get $owner) (i32.const 0))"
        " (then (i32.const 1))",
        "(if (result i32) (i32.lt_s (local.get $owner) (i32.const 0))"
        " (then (i32.const 0))",
        "places that show different fields, so that deals want exchanges",
    ),
    "places in the order in which they come": (
        "(br_if $found (i32.le_s (i32.load offset=20",
        "(br_if $found (i32.ge_s (i32.load offset=20",
        "places that show different fields, so that deals want exchanges",
    ),
    "a thing that stays where it was": (
        "(i32.store (i32.add (local.get $where) (local.get $thing))"
        " (i32.load offset=4 (local.get $at)))",
        "(nop)",
        "who sees what changes, and a choice stands in the midst of an effect",
    ),
    "results of one world that hold in the next": (
        "(call $renew))\n(func $world_at",
        ")\n(func $world_at",
        "whether every two of some have the same reading",
    ),
    "hidden cells that need not fit the invariants": (
        "(call $invariants)) (then",
        "(i32.const 1)) (then",
        "hidden sets that may be none, imagined",
    ),
    "things that are barred from nowhere": (
        "(i32.load8_u (i32.add (local.get $bars) (i32.load (local.get $thing))))",
        "(i32.const 0)",
        "who did not follow has none of the suit, and a world that is dealt knows it",
    ),
    "places that exchange nothing": (
        "(if (local.get $barred) (then (call $exchange_places",
        "(if (i32.const 0) (then (call $exchange_places",
        "who did not follow has none of the suit, and a world that is dealt knows it",
    ),
    "things that are dealt once, whatever an invariant asks": (
        "(call $deal_again)",
        "",
        "an invariant that is no bar is asked of worlds, of cells and dice too",
    ),
    "a hidden set that is never there": (
        "(i64.store offset=8 (local.get $at) (i64.const 1))",
        "(i64.store offset=8 (local.get $at) (i64.const 0))",
        "hidden sets that may be none, imagined",
    ),
    "watched values of another world": (
        "(then (call $look))",
        "(then (nop))",
        "a reaction to what is hidden does not fire because it was imagined anew",
    ),
    "an imagined fault that does no harm": (
        "(i64.const -1))\n      (i32.store",
        "(i64.const 0))\n      (i32.store",
        "an imagined throw breaks the rules",
    ),
    "a lead over the worst": (
        "(if (i64.gt_s (local.get $one) (local.get $best))",
        "(if (i64.ne (local.get $one) (local.get $best))",
        "who sees what changes, and a choice stands in the midst of an effect",
    ),
    "the first of several that are best": (
        "(if (i32.eq (local.get $ties) (i32.const 1)) (then",
        "(if (i32.const 1) (then",
        "a bot that has played on for long enough looks no further",
    ),
    "others who need not move before the seat is asked again": (
        "(if (i32.and (local.get $others) (local.get $mine)) (then (return)))",
        "(if (local.get $mine) (then (return)))",
        "a bot that has played on for long enough looks no further",
    ),
    "quiet play that takes what is unwise": (
        "(call $bind_wise (local.get $which) (local.get $me) (i64.const 0))",
        "(call $bind (local.get $which) (local.get $me) (i64.const 0))",
        "quiet play takes what is unwise where there is nothing else,"
        " and counts no further",
    ),
    "walked options of which none counts as usual": (
        "(call $usual.many (local.get $me) (i64.const -1))",
        "(i64.const 0)",
        USUAL,
    ),
    "options that are counted where nobody asks how many there are": (
        "(global.set $counting (i32.const 0))",
        "(nop)",
        "a bot that has played on for long enough looks no further",
    ),
    "quiet play that counts all actions before it takes one": (
        "(else (call $seek_first",
        "(else (drop (call $count_offered (i32.const 0))) (call $seek_first",
        "quiet play takes what is unwise where there is nothing else,"
        " and counts no further",
    ),
    "a seat that is asked whether another has options": (
        "(return (call $any_offered (local.get $seat)))",
        "(return (call $any_offered (i32.const 0)))",
        "everybody at once, and it cannot be told whether one has options",
    ),
    "what others have chosen unseen, left as it is": (
        "(call $draw_pending)\n",
        "(nop)\n",
        UNSEEN,
    ),
    "what others are still to choose, not drawn": (
        "(if (i32.and (call $at_once)",
        "(if (i32.and (i32.const 0)",
        UNSEEN,
    ),
    "draws of one imagined game that go on in the next": (
        "(call $luck_of (local.get $world)) (i32.const 24)",
        "(call $luck_of (local.get $world)) (i32.const 0)",
        UNSEEN,
    ),
    "others who never choose at once with the seat": (
        "(local.set $others (i32.load offset=20",
        "(local.set $others (i32.load offset=16",
        UNSEEN,
    ),
    "choices drawn in the frames of what is under way": (
        "(call $enter (call $world_at (i32.load",
        "(drop (call $world_at (i32.load",
        "a choice amid what comes of choices made at once, while others wait",
    ),
    "a card that is offered face down, and known": (
        "(func $exchange (param $at i32) (param $size i32)\n",
        "(func $exchange (param $at i32) (param $size i32) (return)\n",
        FACE_DOWN,
    ),
    "cards that are offered face down, and known": (
        "(local $thing i32) (local $to i32)\n",
        "(local $thing i32) (local $to i32) (return)\n",
        FACE_DOWN,
    ),
    "what is hidden, watched as it is in the real game": (
        "(call $look_hidden)",
        "(nop)",
        FACE_DOWN,
    ),
    "options that are drawn twice": (
        "(br_if $again (i64.eq (i64.load offset=",
        "(drop (i64.eq (i64.load offset=",
        "hidden sets that may be none, imagined",
    ),
}


@cache
def module(name: str) -> Module:
    """Return the module of a case."""
    (rules,) = (
        case.values[0]["rules"]
        for case in cases_in(COMPILED)
        if case.values[0]["name"] == name
    )
    return emit(program_of(rules))


def differs(module: Module) -> bool:
    machine = CompiledMachine(module)
    try:
        for seed in range(10):
            play_both(module.program, machine, seed, numbers(seed, 60))
    except Differs:
        return True
    return False


def thinks_differently(module: Module) -> bool:
    machine = CompiledMachine(module)
    try:
        for seed in range(12):
            names = (("greedy",), ("greedy", "random"))[seed % 2]
            think_through(module.program, machine, names, seed, 40)
    except Differs:
        return True
    return False


def wrong(name: str, pattern: str, instead: str) -> Module:
    """Return the module of a case with a fault in each place that fits a pattern."""
    right = module(name)
    text = re.sub(pattern, instead, right.text)
    assert text != right.text, f"there is no such place in {name}"
    return replace(right, text=text)


def exactly(right: str, instead: str) -> tuple[str, str]:
    """Return a pattern for a text and its replacement."""
    return re.escape(right), instead.replace("\\", r"\\")


@pytest.mark.parametrize("name", MUTANTS_OF_GREEDY)
def test_a_bot_that_thinks_wrongly_is_seen(name: str) -> None:
    right, instead, case = MUTANTS_OF_GREEDY[name]
    assert thinks_differently(wrong(case, *exactly(right, instead)))


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_compiler_is_seen(name: str) -> None:
    right, instead, case = MUTANTS[name]
    assert differs(wrong(case, *exactly(right, instead)))


@pytest.mark.parametrize("name", IN_GENERATED)
def test_a_wrong_writer_is_seen(name: str) -> None:
    pattern, instead, case = IN_GENERATED[name]
    assert differs(wrong(case, pattern, instead))


TELL = {row[2] for row in (*MUTANTS.values(), *IN_GENERATED.values())}
TELL_OF_BOTS = {row[2] for row in MUTANTS_OF_GREEDY.values()}


@pytest.mark.parametrize("name", spread(sorted(TELL), len(TELL)))
def test_the_right_one_passes(name: str) -> None:
    assert not differs(module(name))


@pytest.mark.parametrize("name", spread(sorted(TELL_OF_BOTS), len(TELL_OF_BOTS)))
def test_the_right_bot_passes(name: str) -> None:
    assert not thinks_differently(module(name))
