"""A bot's choice is a function of what its seat sees and of the bot's random numbers.

At decisions of random games everything that the seat does not see is dealt, thrown and
drawn again, and the game gets another seed. Each bot then chooses the same as before,
on both engines, also amid effects that hold what the seat does not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from random import Random

import pytest
from tests.seat.test_nothing_leaks import SECRETIVE, few, rules_of
from tests.seat.twins import (
    as_renamed,
    asks,
    drawn,
    reseeded,
    seen_by,
    twins_of,
)
from tests.support.mutants import mutated
from tests.support.shipped import ShippedTable, program_at, tables

from houserule.engine.bots.bot import GREEDY, effort_of, kind_of
from houserule.engine.compiled.bots.compiled_bots import CompiledThinker
from houserule.engine.compiled.bots.route import Track
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.entering import can_enter
from houserule.engine.compiled.module import Module, emit
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program

BOTS = ("random", GREEDY, "easy")
SMALL = ("bids", "fog", "guesses", "hoards", "opens", "pennies", "rows", "teams")
SEEDS = range(3)  # of a bot: one draw may be the same by chance


@dataclass(frozen=True)
class Pair:
    """Two games that look the same to the seat that is to choose, and how they came."""

    games: tuple[ReferenceGame, ReferenceGame]
    tracks: tuple[Track, Track]

    @property
    def seat(self) -> int:
        """Who chooses."""
        assert self.games[0].decision is not None
        return self.games[0].decision.seat


def pairs(program: Program, games: int, part: float = 0.2) -> Iterator[Pair]:
    """Yield pairs at about such a part of the decisions of random games."""
    for seed in range(games):
        game, luck = ReferenceGame.start(program, seed), Random(seed)
        way: list[tuple[ReferenceGame, Choice]] = []
        for _ in range(200):
            if game.decision is None:
                break
            if can_enter(game.machine):
                way.clear()
            if game.decision.options.count() > 1 and luck.random() < part:
                start = way[0][0] if way else game
                found = pair_from(start, [choice for _, choice in way], game, seed)
                if found is not None:
                    yield found
            choice = drawn(game, luck)
            way.append((game.clone(), choice))
            game.choose(choice)


def pair_from(
    start: ReferenceGame, choices: Sequence[Choice], now: ReferenceGame, seed: int
) -> Pair | None:
    """Return a pair: at a decision of the flow all is dealt again, then both go on."""
    assert now.decision is not None
    twins = twins_of(start, now.decision.seat, Stream.seeded(len(choices), seed, "two"))
    if twins is None or not twins.differ:
        return None
    twins = reseeded(twins)
    one, other, tracks = twins.true.clone(), twins.other.clone(), (Track(), Track())
    try:
        for choice in choices:
            assert one.decision is not None
            same = as_renamed(choice, one.program, one.decision.site, twins.renamed)
            if asks(one) != asks(other) or other.refusals(same):
                return None
            for track, game, made in zip(
                tracks, (one, other), (choice, same), strict=True
            ):
                track.note(game.clone(), made)
                game.choose(made)
    except RuleFault:
        return None
    seat = now.decision.seat
    if asks(one) != asks(other) or seen_by(one, seat) != seen_by(other, seat):
        return None
    return Pair((one, other), tracks)


def of_reference(bot: str, pair: Pair, seed: int) -> list[Choice | None]:
    return [
        kind_of(bot)(pair.seat, Stream.seeded(seed, 0, "bot")).choose(game)
        for game in pair.games
    ]


def of_compiled(
    bot: str, pair: Pair, seed: int, thinker: CompiledThinker
) -> list[Choice | None]:
    found = []
    for game, track in zip(pair.games, pair.tracks, strict=True):
        assert game.decision is not None
        stream = Stream.seeded(seed, 0, "bot")
        effort = effort_of(bot)
        found.append(thinker.choose(game, game.decision, stream, effort, track))
    return found


def thinker_of(module: Module) -> CompiledThinker:
    thinker = CompiledThinker(module.program)
    thinker._machine, thinker._known = CompiledMachine(module), True
    return thinker


def differing(
    some: Sequence[Pair], bots: Sequence[str], thinker: CompiledThinker | None = None
) -> Iterator[str]:
    """Yield where a bot chooses something else in the other game."""
    for number, pair in enumerate(some):
        for bot in bots:
            for seed in SEEDS:
                if thinker is None:
                    one, other = of_reference(bot, pair, seed)
                else:
                    one, other = of_compiled(bot, pair, seed, thinker)
                    assert one is not None
                if one != other:
                    yield f"{bot} {number} {asks(pair.games[0])}: {one}, {other}"


@cache
def module_of(game: str) -> Module:
    return emit(rules_of(game).program)


@cache
def pairs_of(game: str) -> list[Pair]:
    return list(islice(pairs(rules_of(game).program, 9, 0.5), 60))


@pytest.mark.parametrize("game", SMALL)
def test_what_may_be_hidden_changes_no_choice(game: str) -> None:
    some = pairs_of(game)
    assert len(some) >= 6
    assert [*differing(some[::3], BOTS)] == []
    assert [*differing(some, BOTS[1:], thinker_of(module_of(game)))] == []


@pytest.mark.parametrize("table", tables(few, first=False))
def test_what_is_hidden_changes_no_choice(table: ShippedTable) -> None:
    if table.game in SECRETIVE:
        program = program_at(table)
        some = list(islice(pairs(program, 4), 12))
        assert len(some) == 12
        assert [*differing(some[::4], BOTS[:2])] == []
        bots = (*BOTS[1:], "search:300")
        assert [*differing(some, bots, thinker_of(emit(program)))] == []


# ---- bots that know more are seen: each mutant lets a choice depend on what is hidden

MUTANTS = {
    "things in the order in which they lie": (
        "engine.state.determinize",
        "things = sorted(lying.values())",
        "things = list(lying.values())",
        "guesses",
    ),
    "places by the numbers of what lies there": (
        "engine.state.determinize",
        "for place in sorted(lying, key=look)}",
        "for place in lying}",
        "rows",
    ),
    "what an effect holds by its number": (
        "engine.state.determinize",
        "held.get(lying[place], 0)",
        "lying[place]",
        "rows",
    ),
    "chance to come by the seed of the game": (
        "engine.bots.imagined",
        "machine.seed = machine.game_number = 0",
        "pass",
        "guesses",
    ),
    "what others have chosen unseen": (
        "engine.bots.imagined",
        "if other != seat",
        "if False",
        "pennies",
    ),
}
MARKING = "(param $n i32) (param $slot i32) (param $bit i64)"
EXCHANGE = "(func $exchange (param $at i32) (param $size i32)\n"
COMPILED_MUTANTS = {
    "cards and dice": ("(call $deal_all)\n", "", "guesses"),
    "cells": ("(call $draw_cells)\n", "", "guesses"),
    "chance to come": ("(call $refresh_streams)\n", "", "guesses"),
    "cards that are offered": (EXCHANGE, f"{EXCHANGE}(return)", "guesses"),
    "things and places by number": (
        "(local $i i32) (local $p i32) (local $left i32)\n",
        "(local $i i32) (local $p i32) (local $left i32) (return)\n",
        "guesses",
    ),
    "places by the numbers of what lies there": (
        "(br_if $found (i32.eqz (call $comes_before",
        "(br_if $found (i32.const 1)) (br_if $found (i32.eqz (call $comes_before",
        "rows",
    ),
    "what an effect holds by its number": (
        f"(func $mark_held {MARKING} (local $at i32)\n",
        f"(func $mark_held {MARKING} (local $at i32) (return)\n",
        "rows",
    ),
    "several things that an effect holds by their numbers": (
        f"(func $mark_held_set {MARKING} (local $at i32) (local $thing i32)\n",
        f"(func $mark_held_set {MARKING} (local $at i32) (local $thing i32) (return)\n",
        "rows",
    ),
    "chance to come by the seed of the game": (
        "(i64.store offset=8 (local.get $at) (i64.load offset=",
        "(drop (i64.load offset=",
        "guesses",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_bot_that_knows_more_is_seen(name: str) -> None:
    module, right, instead, game = MUTANTS[name]
    some = pairs_of(game)
    with mutated(module, right, instead):
        assert any(differing(some, BOTS[1:]))


@pytest.mark.parametrize("name", COMPILED_MUTANTS)
def test_a_compiled_bot_that_knows_more_is_seen(name: str) -> None:
    right, instead, game = COMPILED_MUTANTS[name]
    module = module_of(game)
    assert right in module.text
    wrong = replace(module, text=module.text.replace(right, instead))
    assert any(differing(pairs_of(game), BOTS[1:], thinker_of(wrong)))
