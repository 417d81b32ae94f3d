"""The same position under two programs: what may be done there, and what values are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from houserule import ir
from houserule.engine.reference.play.engine import engine_of
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.play.setup import fresh
from houserule.engine.state.layout import CellFamily, all_keys
from houserule.engine.state.store import Store
from houserule.ir.types import Data

PARTS = ("cells", "zones", "tokens", "faces", "known")
OPTIONS_AT_MOST = 5_000


def positions(program: ir.Program, seed: int, most: int) -> Iterator[ReferenceGame]:
    """Yield a random game at some of the decisions where somebody is to act.

    They lie further and further apart, so that all of a game is seen.
    """
    return islice(decisions(program, seed), most)


def decisions(program: ir.Program, seed: int) -> Iterator[ReferenceGame]:
    game, luck = ReferenceGame.start(program, seed), Random(seed)
    number, following = 0, 2
    while (decision := game.decision) is not None:
        if decision.kind == "act":
            number += 1
            if number == following:
                following += 2 + number // 8
                yield game
        game.choose(decision.options[luck.randrange(decision.options.count())])


def comparable(one: ir.Program, other: ir.Program) -> bool:
    """Say whether what both programs have lies alike in their states."""
    layouts = engine_of(one).layout, engine_of(other).layout
    families = [layout.families for layout in layouts]
    return (
        one.seats == other.seats
        and all(one.labels[k] == other.labels[k] for k in shared(one, other))
        and all(
            same_keys(families[0][name], families[1][name])
            for name in families[0].keys() & families[1].keys()
        )
        and all(
            one.states[name].type == other.states[name].type
            for name in one.states.keys() & other.states.keys()
        )
    )


def shared(one: ir.Program, other: ir.Program) -> set[str]:
    """Return the kinds of both programs; actions are known by their names."""
    kinds = one.labels.keys() & other.labels.keys()
    return {kind for kind in kinds if kind != "Action"}


def same_keys(one: CellFamily, other: CellFamily) -> bool:
    return one.count == other.count and len(one.axes) == len(other.axes)


def moved(game: ReferenceGame, program: ir.Program) -> Machine:
    """Return the position of a game under another program that is comparable.

    What only the other program has is as before the first move; of what it does not
    have nothing is said.
    """
    machine = fresh(program, 0)
    before, data = machine.store.to_data(), game.machine.store.to_data()
    for part in PARTS:
        old, new = data[part], before[part]
        assert isinstance(old, dict)
        assert isinstance(new, dict)
        before[part] = {name: old.get(name, new[name]) for name in new}
    store = Store.from_data(machine.engine.layout, before)
    machine.store = store
    machine.phase_items = {
        phase: item
        for phase, item in game.machine.phase_items.items()
        if phase in program.phases
    }
    machine.taken = dict(game.machine.taken)
    machine.stack = [
        act.copy() for act in game.machine.stack if known(act.phase, program)
    ]
    return machine


def known(phase: str, program: ir.Program) -> bool:
    return not phase or phase in program.phases


def legal(machine: Machine, seat: int, action: str) -> frozenset[tuple[Data, ...]]:
    """Return all legal takings of an action by a seat, were it open."""
    plan = machine.engine.plans[action]
    frame = plan.frame(seat)
    before, machine.doing = machine.doing, plan.number
    try:
        walk = plan.product.walk(machine, frame)
        found = frozenset(
            plan.product.values(frame) for _ in islice(walk, OPTIONS_AT_MOST)
        )
    finally:
        machine.doing = before
    assert len(found) < OPTIONS_AT_MOST, f"too many takings of {action} to compare"
    return found


def values(machine: Machine, name: str) -> dict[tuple[Data, ...], Data]:
    """Return a declared value at all its arguments."""
    evaluator = machine.engine.evaluator
    params = machine.engine.program.values[name].params
    return {keys: evaluator.value(name, machine, keys) for keys in all_keys(params)}


def factors(program: ir.Program, action: str) -> list[tuple[str, ...]]:
    """Return the names that an action binds when a player takes it, in order."""
    costs = (bind for cost in program.actions[action].costs for bind in cost.binds)
    return [bind.names for bind in (*program.actions[action].params, *costs)]
