"""Variants that have nothing to do with each other leave each other's moves alone.

What tells whether a taking of an action is legal is followed through all values to the
states and zones that are read. If another variant has a hand in none of it, the same
takings are legal with it as without, at any position. That is more than what holds of
variants whose reads and writes are disjoint: on one and the same position it does not
matter what the other one would write.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from tests.support.sampling import spread
from tests.support.shipped import (
    NAMES,
    prepared_at,
    program_of,
    ruleset_of,
    sampled,
    telling,
)

from houserule import ir
from houserule.compiler.prepare import TableChoice
from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir.access import Access

from .positions import comparable, legal, moved, positions
from .took_part import Clauses, members

POSITIONS_AT_MOST = 8
CHOICES_AT_MOST = 120
BUSY = {"guild_street", "pachisi", "pasha", "x_pasch"}  # games with many kinds of moves
TELLING = {*BUSY, "gin_rummy"}  # each alone tells of some place left out
EVERY = 160  # so many pairs of a game share one that is tried


def alone(name: str) -> dict[str, Choice]:
    """Return for each variant the smallest table that has it."""
    found: dict[str, Choice] = {}
    for unit in ruleset_of(name).units_of("variant"):
        for choice in sampled(name):
            if unit.id in choice.variants:
                found[unit.id] = min(
                    (found.get(unit.id, choice), choice), key=lambda c: len(c.variants)
                )
    return found


def joined(name: str, choice: Choice, other: str) -> ir.Program | None:
    """Return the program of a table with one variant more, if there is that table."""
    wanted = choice.variants | {other}
    table = TableChoice(
        with_=tuple(sorted(wanted)), settings=choice.settings, players=choice.players
    )
    prepared = prepared_at(name, table)
    if prepared.table is None or prepared.table.variants != wanted:
        return None
    return prepared.program


def has_a_hand(program: ir.Program, names: frozenset[str], variant: str) -> bool:
    """Say whether a variant, or a bridge of it, wrote or changed some clauses."""
    hands = Clauses.of(program).hands(names)
    return any(variant in members(unit) for unit in hands)


def own_actions(program: ir.Program, variant: str) -> list[ir.ActionDef]:
    """Return the actions whose legality a variant has a hand in."""
    clauses = Clauses.of(program)
    return [
        action
        for action in program.actions.values()
        if has_a_hand(program, clauses.judging(action) | {action.name}, variant)
    ]


def undisturbed(
    without: ir.Program, program: ir.Program, action: str, other: str
) -> bool:
    """Say whether another variant has no hand in what tells an action legal.

    What it removed is nowhere to be seen: there are fewer conditions then.
    """
    judging = Clauses.of(program).judging(program.actions[action])
    return not (
        has_a_hand(program, judging | {action}, other)
        or conditions(without, action) - conditions(program, action)
    )


def conditions(program: ir.Program, action: str) -> set[str]:
    return {each.address for each in program.actions[action].conditions}


def cases(stride: int) -> list[object]:
    """Return pairs of variants, every so many of each ruleset, as parameters."""
    found = []
    for name in NAMES:
        variants = [unit.id for unit in ruleset_of(name).units_of("variant")]
        both = [(one, other) for one in variants for other in variants if one != other]
        for one, other in both[::stride]:
            found.append(pytest.param(name, one, other, id=f"{name}: {one}, {other}"))
    return list(found)


@cache
def games(
    name: str, variant: str
) -> tuple[Choice, ir.Program, tuple[ReferenceGame, ...]]:
    """Return the smallest table with a variant, and positions of a game there."""
    choice = alone(name)[variant]
    program = program_of(name, choice)
    found = (game.clone() for game in positions(program, 1, POSITIONS_AT_MOST))
    return choice, program, tuple(found)


def compare(name: str, variant: str, other: str) -> Iterator[bool]:
    """Yield, for each undisturbed action, whether all its takings stayed the same."""
    choice, program, found = games(name, variant)
    if other in choice.variants:
        return
    more = joined(name, choice, other)
    if more is None or not comparable(program, more):
        return
    for action in own_actions(program, variant):
        if undisturbed(program, more, action.name, other):
            yield all(alike(game, more, action.name) for game in found)


def alike(game: ReferenceGame, more: ir.Program, action: str) -> bool:
    assert game.decision is not None
    seat = game.decision.seat
    return legal(game.machine, seat, action) == legal(moved(game, more), seat, action)


@pytest.mark.parametrize(("name", "variant", "other"), cases(EVERY))
def test_a_stranger_changes_no_legal_move(name: str, variant: str, other: str) -> None:
    assert all(compare(name, variant, other))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant", "other"), cases(1))
def test_no_stranger_changes_a_legal_move(name: str, variant: str, other: str) -> None:
    assert all(compare(name, variant, other))


def test_strangers_and_neighbours_are_told_apart() -> None:
    assert list(compare("x_pasch", "harder_sliding", "colour_fields"))
    assert list(compare("x_pasch", "eighteens", "founding_by_dice"))
    assert not list(compare("x_pasch", "harder_sliding", "eighteens"))


def test_a_move_that_becomes_legal_is_seen() -> None:
    choice, _, found = games("pig", "no_early_hold")
    less = program_of("pig", replace(choice, variants=frozenset(), settings={}))
    assert not all(alike(game, less, "hold") for game in found)


# ---- what clauses read and write, as the checker infers it


def transitions(
    program: ir.Program,
) -> Iterator[tuple[ReferenceGame, ReferenceGame, frozenset[str]]]:
    """Yield a random game before and after choices, with the clauses that ran.

    Only where the same phases are under way afterwards as before, and no clause is
    interrupted by a decision.
    """
    game, luck = ReferenceGame.start(program, 1, listen=True), Random(1)
    for _ in range(CHOICES_AT_MOST):
        decision = game.decision
        if decision is None:
            return
        before, heard = game.clone(), len(game.events)
        game.choose(decision.options[luck.randrange(decision.options.count())])
        if at_rest(before) and at_rest(game) and under_way(before) == under_way(game):
            events = game.events[heard:]
            ran = frozenset(each.address for each in events if each.kind == "clause")
            yield before, game, ran


def at_rest(game: ReferenceGame) -> bool:
    return game.decision is not None and game.decision.kind == "act"


def under_way(game: ReferenceGame) -> list[object]:
    """Return the phases under way and where they are."""
    return [(act.phase, act.index, act.passes) for act in game.machine.stack]


def all_bodies(program: ir.Program) -> dict[str, ir.Body]:
    """Return everything that can run, by address."""
    bodies = [
        *(body for each in program.actions.values() for body in each.does),
        *(cost.body for each in program.actions.values() for cost in each.costs),
        *(body for each in program.effects.values() for body in each.does),
        *(body for each in program.reactions.values() for body in each.does),
        *(step.body for step in program.steps.values() if step.body is not None),
    ]
    return {body.address: body for body in bodies}


def written_alike(name: str, choice: Choice) -> int:
    """Hold that what is not written changes no legal move; return how often it was so.

    A choice whose clauses write nothing that an action's legality reads leaves its
    legal takings as they were.
    """
    program = program_of(name, choice)
    access, bodies, compared = Access(program), all_bodies(program), 0
    reads = {
        action.name: access.judging(action)
        for action in program.actions.values()
        if not action.limits
    }
    for before, after, ran in transitions(program):
        written = access.places_written(*(bodies[address] for address in ran))
        assert before.decision is not None
        seat = before.decision.seat
        here, there = before.machine.store.zones, after.machine.store.zones
        moved = {("zone", zone) for zone in here if here[zone] != there[zone]}
        assert moved <= written, (moved - written, ran)
        for action, places in reads.items():
            if places.isdisjoint(written):
                same = legal(before.machine, seat, action)
                assert legal(after.machine, seat, action) == same, (action, ran)
                compared += 1
    return compared


@pytest.mark.parametrize("name", spread(NAMES, 9, needed=TELLING.__contains__))
def test_what_is_not_written_changes_no_legal_move(name: str) -> None:
    most = max(telling(name), key=lambda choice: len(choice.variants))
    found = [written_alike(name, choice) for choice in (telling(name)[0], most)]
    assert sum(found) > 50 or name not in BUSY
