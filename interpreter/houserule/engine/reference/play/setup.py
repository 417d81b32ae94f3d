"""Set-up: the first values of everything, and positions to start from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from houserule import ir
from houserule.engine.reference.choices import BadPosition, NotInSet
from houserule.engine.reference.evaluate.expressions import Answers
from houserule.engine.reference.play import turns
from houserule.engine.reference.play.engine import Engine, engine_of
from houserule.engine.reference.play.flow import Activation
from houserule.engine.reference.play.machine import Forced, Machine
from houserule.engine.state.faults import F05, RuleFault
from houserule.engine.state.layout import TOP, all_keys
from houserule.ir.types import Data


def fresh(
    program: ir.Program, seed: int, game_number: int = 0, answers: Answers | None = None
) -> Machine:
    """Return a machine before its first move: everything has its first value.

    Raises:
        RuleFault: a first value is outside its range.
    """
    engine = engine_of(program) if answers is None else Engine(program, answers)
    machine = Machine(engine, seed, game_number)
    # Zones get their first things by id, the first at the bottom of a pile.
    for zone in machine.engine.program.zones.values():
        if zone.starts is None:
            continue
        for index, keys in enumerate(all_keys(zone.keys)):
            things = machine.engine.pure(zone.starts)(machine, None, keys)
            for thing in cast("tuple[int, ...]", things):
                machine.move(zone.member.name, thing, (zone.name, index, TOP))
    lasting = [state for state in program.states.values() if not state.life]
    turns.first_values(machine, [state for state in lasting if not state.computed])
    turns.first_values(machine, [state for state in lasting if state.computed])
    machine.remember_watched()
    for condition in program.asserts:
        if not machine.engine.pure(condition.test)(machine, None, ()):
            raise RuleFault(
                F05,
                f"{condition.address} does not hold in these rules.",
                condition.span,
                condition.address,
            )
    return machine


def opening(
    program: ir.Program,
    seed: int,
    game_number: int = 0,
    answers: Answers | None = None,
    *,
    forced: Forced | None = None,
    position: ir.GamePosition | None = None,
) -> Machine:
    """Return a machine before its first move, at the position where games begin.

    That is `position`, else the program's own one, if any. `forced` are outcomes that
    are laid down, instead of the position's.

    Raises:
        BadPosition: the position cannot be laid out.
        RuleFault: a first value is outside its range.
    """
    machine = fresh(program, seed, game_number, answers)
    position = position or program.start
    if forced is None and position is not None and (position.rolls or position.draws):
        forced = Forced([*position.rolls], [*position.draws])
    if forced is not None:
        machine.forced = forced
    if position is not None:
        _arrange(machine, position)
    return machine


def _arrange(machine: Machine, position: ir.GamePosition) -> None:
    """Lay out a position.

    A given value holds from the beginning: phases and first values that depend on it
    follow from it, and no draw replaces it. A state with a life has it from the moment
    at which its phase is entered. Counts of earlier items of phases begin with the
    current items.
    """
    engine, store, stack = machine.engine, machine.store, machine.stack
    program, layout = engine.program, engine.layout
    laid = [
        (name, program.zones[name].member.name, layout.index(name, keys), things)
        for name, places in position.zones.items()
        for keys, things in places.items()
    ]
    for name, kind, index, _ in laid:
        for thing in store.zones[name][index]:
            store.remove(kind, thing)
    for name, kind, index, things in laid:
        for thing in things:
            machine.move(kind, thing, (name, index, TOP))
    for family in program.tokens.values():
        first, *others = family.slots
        for name in others:
            for keys, count in position.tokens.get(name, {}).items():
                owner = tuple(keys[place] for place in family.family_keys[name])
                here = layout.index(first, owner)
                have = store.tokens[first][here]
                if not 0 <= count <= have:
                    message = f"`{name}` needs {count}, but `{first}` has only {have}"
                    raise BadPosition(message, name)
                machine.move_tokens(first, here, name, layout.index(name, keys), count)
        for keys, count in position.tokens.get(first, {}).items():
            have = store.tokens[first][layout.index(first, keys)]
            if have != count:
                message = f"`{first}` has {have} left, not {count}"
                raise BadPosition(message, first)
    for kind, faces in position.faces.items():
        for die, face in faces.items():
            store.set_face(kind, die, face)
    given = [program.states[name] for name in position.cells]
    drawn = any((s.among or s.follows) and not s.life for s in given)
    _give(machine, position, "", draw=drawn or bool(position.at))
    if position.at:
        # Enter the phases around the step or phase; those before it are over.
        for depth, name in enumerate(_path(program, position.at)):
            act = stack[depth]
            act.over.update(engine.flow.phases[act.phase].before.get(name, ()))
            if name in program.steps or name == position.at:
                break
            phase, entered = program.phases[name], Activation(name, "open")
            if phase.source is not None:
                items = _items(machine, phase, phase.source)
                wanted = position.items.get(name, position.seat if phase.acts else None)
                if wanted is None and items:
                    wanted = items[0]
                if wanted not in items:
                    raise NotInSet(name, wanted, items)
                entered.items, entered.index = items, items.index(wanted)
                machine.phase_items[name] = wanted
            stack.append(entered)
            turns.restart(machine, name)
            machine.rounds += name in engine.flow.main_loop
            _give(machine, position, name)
    for state in given:
        if not any(act.phase == state.life for act in stack):
            path = zip(_path(program, state.life), stack, strict=False)
            if not any(name in act.over for name, act in path):
                message = f"`{state.name}` starts again with each `{state.life}`"
                message += ", which is still to come here"
                raise BadPosition(message, state.name)
            _write(machine, state, position.cells[state.name])
    machine.remember_watched()
    # The items under way began with this position.
    for depth, act in enumerate(stack):
        for name in engine.flow.phases[act.phase].items:
            if ir.is_kept(name) and name in act.over and not program.steps[name].silent:
                machine.stack = stack[: depth + 1]
                machine.call(f"step {name}", machine.acting(), ())
                machine.execute()
    machine.stack = stack
    machine.remember_watched()


def _items(machine: Machine, phase: ir.PhaseDef, source: ir.Expr) -> tuple[int, ...]:
    try:
        items = machine.engine.pure(source)(machine, machine.acting(), ())
    except RuleFault:  # such as clockwise from a player that is not given
        if not phase.acts:
            raise
        return tuple(range(machine.engine.program.seats))
    return cast("tuple[int, ...]", items)


def _give(
    machine: Machine, position: ir.GamePosition, life: str, *, draw: bool = True
) -> None:
    """Set the states of a phase just entered: as given, else to their first values."""
    machine.begin_work()
    program, act = machine.engine.program, machine.stack[-1]
    states = [state for state in program.states.values() if state.life == life]
    given = [state for state in states if state.name in position.cells]
    for state in given:
        _write(machine, state, position.cells[state.name])
    states = sorted(states, key=lambda state: state.stage)
    for state in states:
        if state.computed:
            turns.first_values(machine, [state])
            _write(machine, state, position.cells.get(state.name, {}))
    if draw:
        act.stage = "open"
        for state in states:
            cells, name = position.cells.get(state.name, {}), state.name
            free = [
                (index, keys)
                for index, keys in enumerate(all_keys(state.keys))
                if keys not in cells
            ]
            if state.follows is not None:
                follows = machine.engine.pure(state.follows)
                for index, keys in free:
                    value = follows(machine, machine.acting(), keys)
                    machine.write(name, index, value, state.span)
            if state.among is not None:
                among = machine.engine.pure(state.among)
                for index, keys in free:
                    found = among(machine, machine.acting(), keys)
                    if isinstance(found, tuple) and found:
                        number = machine.draw(state.stream, len(found))
                        machine.write(name, index, found[number], state.span)
        items = machine.engine.flow.phases[act.phase].items
        steps = {name: program.steps[name] for name in items if name in program.steps}
        act.over.update(name for name, step in steps.items() if step.silent)


def _write(
    machine: Machine, state: ir.StateDef, cells: Mapping[tuple[Data, ...], Data]
) -> None:
    for keys, value in cells.items():
        index = machine.engine.layout.index(state.name, keys)
        machine.write(state.name, index, value, state.span)


def _path(program: ir.Program, name: str) -> list[str]:
    """Return the names from the game's child down to a step or phase."""
    if name in program.steps:
        path, phase = [name], program.steps[name].phase
    elif name in program.phases:
        path, phase = [name], program.phases[name].parent
    else:
        raise BadPosition(f"{name} is neither a step nor a phase")
    while phase:
        path.append(phase)
        phase = program.phases[phase].parent
    return path[::-1]
