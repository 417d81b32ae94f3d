"""What would be legal without some house rules: the table is composed without them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from houserule.compiler.prepare import Programs, TableChoice
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.play.setup import fresh
from houserule.engine.state.domains import plain
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.layout import CellFamily
from houserule.ir import Program
from houserule.ir.types import Data, Type
from houserule.play.records.choice_words import choice_of, value_of, words_of

if TYPE_CHECKING:
    from houserule.play.seat.rules import TableRules


def legal_without(
    units: Iterable[str], rules: TableRules, game: ReferenceGame, choice: Choice
) -> bool | None:
    """Return whether a choice would be legal without some house rules.

    House rules that depend on them are removed too. None if that is not a valid table,
    or the position is not possible at it.
    """
    gone = {name for unit in units for name in unit.split("+")}
    if not gone or game.decision is None:
        return None
    program = _program_without(rules, gone)
    other = carried_over(game, program) if program is not None else None
    if other is None or other.decision is None:
        return None
    site = game.decision.site
    if (other.decision.seat, other.decision.kind) != (
        game.decision.seat,
        game.decision.kind,
    ):
        return None
    try:
        same = choice_of(words_of(choice, site, game.program), site, other.program)
        return not other.refusals(same)
    except (ValueError, RuleFault):
        return None


def _program_without(rules: TableRules, gone: set[str]) -> Program | None:
    """Return the table's program without some variants; None if there is none."""
    from houserule.compiler.choices.feature_model import features_of

    chosen, features = rules.chosen, features_of(rules.ruleset)
    kept = set(chosen.variants) - gone
    for each in features.relations:
        if each.kind in {"requires", "implies"} and not each.wanted <= kept:
            kept -= each.user & kept if each.user <= kept else set()
    choice = TableChoice(
        with_=tuple(sorted(kept)),
        without=tuple(sorted(set(chosen.variants) - kept)),
        players=chosen.players,
    )
    programs = rules.ruleset.derived(Programs)
    program = programs.prepare(choice).program
    if program is None:
        return None
    settings = {
        name: value for name, value in chosen.options.items() if name in program.options
    }
    return programs.prepare(replace(choice, settings=settings)).program


# ---- a position at another table of the same game, matched by names


class NoSuchPosition(ValueError):
    """The position is not possible at the other table."""


def carried_over(game: ReferenceGame, program: Program) -> ReferenceGame | None:
    """Return the same position under other rules; None if it is not possible there.

    What only these rules know is dropped, unless it is a zone with a component that
    both know. Between two decisions of an action, the result is None, because running
    rules cannot be converted.
    """
    machine = game.machine
    if machine.frames or machine.firings or game.outcome is not None:
        return None
    try:
        other = fresh(program, machine.seed, machine.game_number)
        _carry_cells(machine, other)
        _carry_things(machine, other)
        _carry_tokens(machine, other)
        _carry_dice(machine, other)
        _carry_flow(machine, other)
        other.remember_watched()
        other.events = []
        found = ReferenceGame(other)
        found.advance()
    except (NoSuchPosition, RuleFault):
        return None
    moved = any(event.kind not in {"phase", "item"} for event in found.events)
    return None if moved else found


def _value(value: Data, old: Type, new: Type, here: Program, there: Program) -> Data:
    """Convert a value to the other rules, by its name.

    Raises:
        NoSuchPosition: the other rules have no such value.
    """
    try:
        return value_of(plain(value, old, here.labels), new, there)
    except ValueError as error:
        raise NoSuchPosition(str(error)) from None


def _members(
    old: CellFamily, new: CellFamily, here: Program, there: Program
) -> Iterator[tuple[int, int]]:
    """Yield the numbers of each member in both families, by the names of its keys."""
    if len(old.axes) != len(new.axes):
        raise NoSuchPosition(old.name)
    for index in range(old.count):
        try:
            keys = [
                _value(key, before.type, after.type, here, there)
                for key, before, after in zip(
                    old.keys(index), old.axes, new.axes, strict=True
                )
            ]
        except NoSuchPosition:
            continue
        yield index, new.index(keys)


def _families(machine: Machine, other: Machine, name: str) -> Iterator[tuple[int, int]]:
    here, there = machine.engine, other.engine
    return _members(
        here.layout.families[name],
        there.layout.families[name],
        here.program,
        there.program,
    )


def _carry_cells(machine: Machine, other: Machine) -> None:
    here, there = machine.engine.program, other.engine.program
    for name, cells in machine.store.cells.items():
        if name not in there.states:
            continue
        old, new = here.states[name].type, there.states[name].type
        for before, after in _families(machine, other, name):
            value = _value(cells[before], old, new, here, there)
            other.store.set_cell(name, after, value)


def _carry_things(machine: Machine, other: Machine) -> None:
    here, there = machine.engine.program, other.engine.program
    places = {
        zone: dict(_families(machine, other, zone))
        for zone in here.zones
        if zone in there.zones
    }
    for kind, lying in machine.store.where.items():
        if kind not in other.store.where:
            continue
        for name in there.labels[kind]:
            thing = there.labels[kind].index(name)
            if other.store.where[kind][thing] is not None:
                other.store.remove(kind, thing)
        for zone, heaps in machine.store.zones.items():
            if machine.engine.layout.members[zone] == kind:
                _lay(machine, other, kind, zone, heaps, places.get(zone, {}))
        for thing, mask in enumerate(machine.store.known[kind]):
            name = here.labels[kind][thing]
            if lying[thing] is not None and name in there.labels[kind]:
                other.store.known[kind][there.labels[kind].index(name)] = mask


def _lay(
    machine: Machine,
    other: Machine,
    kind: str,
    zone: str,
    heaps: list[tuple[int, ...]],
    places: Mapping[int, int],
) -> None:
    """Move a zone's components into the same zone of the other table, in order."""
    here = machine.engine.program.labels[kind]
    there = other.engine.program.labels[kind]
    for index, things in enumerate(heaps):
        for thing in things:
            if here[thing] not in there:
                continue
            if index not in places:
                raise NoSuchPosition(f"{here[thing]} lies in {zone}")
            found = there.index(here[thing])
            other.move(kind, found, (zone, places[index], 0))


def _carry_tokens(machine: Machine, other: Machine) -> None:
    for slot, heaps in machine.store.tokens.items():
        known = slot in other.store.tokens
        if not known and any(heaps):
            raise NoSuchPosition(f"there is no {slot}")
        for before, after in _families(machine, other, slot) if known else ():
            other.store.tokens[slot][after] = heaps[before]
    other.store.touch()


def _carry_dice(machine: Machine, other: Machine) -> None:
    here, there = machine.engine.program, other.engine.program
    for kind, faces in machine.store.faces.items():
        if kind not in there.components:
            continue
        for die, face in enumerate(faces):
            name = here.labels[kind][die]
            if name in there.labels[kind]:
                other.store.set_face(kind, there.labels[kind].index(name), face)


def _carry_flow(machine: Machine, other: Machine) -> None:
    """Set the same running phases, with the same steps completed."""
    there = other.engine.program
    if any(act.phase and act.phase not in there.phases for act in machine.stack):
        raise NoSuchPosition("a phase that is under way is none there")
    other.stack = [act.copy() for act in machine.stack]
    for act in other.stack:
        act.over = {name for name in act.over if name in _flow_names(there)}
    other.phase_items = {
        name: item for name, item in machine.phase_items.items() if name in there.phases
    }
    other.taken = dict(machine.taken)


def _flow_names(program: Program) -> set[str]:
    return {*program.steps, *program.phases}
