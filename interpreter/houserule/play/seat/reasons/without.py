"""What would be legal without some house rules: the table is composed without them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from houserule.compiler.prepare import Programs, TableChoice
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.play.setup import fresh
from houserule.engine.state.domains import plain
from houserule.engine.state.faults import RuleFault
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
    from houserule.compiler.choices.feature_model import features_of

    gone = {name for unit in units for name in unit.split("+")}
    if not gone or game.decision is None:
        return None
    chosen, programs = rules.chosen, rules.ruleset.derived(Programs)
    kept = set(chosen.variants) - gone
    for each in features_of(rules.ruleset).relations:
        if each.kind in {"requires", "implies"} and not each.wanted <= kept:
            kept -= each.user & kept if each.user <= kept else set()
    at = TableChoice(
        with_=tuple(sorted(kept)),
        without=tuple(sorted(set(chosen.variants) - kept)),
        players=chosen.players,
    )
    program = programs.prepare(at).program
    if program is not None:
        settings = {n: v for n, v in chosen.options.items() if n in program.options}
        program = programs.prepare(replace(at, settings=settings)).program
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
        here, there = machine.engine.program, program
        old, new = machine.store, other.store
        for name, cells in old.cells.items():
            if name not in there.states:
                continue
            types = here.states[name].type, there.states[name].type
            for before, after in _families(machine, other, name):
                new.set_cell(name, after, _value(cells[before], *types, here, there))
        places = {
            zone: dict(_families(machine, other, zone))
            for zone in here.zones
            if zone in there.zones
        }
        for kind, lying in old.where.items():
            if kind not in new.where:
                continue
            number = {name: n for n, name in enumerate(there.labels[kind])}
            for thing in number.values():
                if new.where[kind][thing] is not None:
                    new.remove(kind, thing)
            # Each zone's components go into the same zone, in order.
            for zone, heaps in old.zones.items():
                if machine.engine.layout.members[zone] != kind:
                    continue
                for index, things in enumerate(heaps):
                    known = [
                        n for each in things if (n := here.labels[kind][each]) in number
                    ]
                    if known and index not in places.get(zone, {}):
                        raise NoSuchPosition(f"{known[0]} lies in {zone}")
                    for name in known:
                        other.move(kind, number[name], (zone, places[zone][index], 0))
            for thing, mask in enumerate(old.known[kind]):
                name = here.labels[kind][thing]
                if lying[thing] is not None and name in number:
                    new.known[kind][number[name]] = mask
        for slot, counts in old.tokens.items():
            if slot in new.tokens:
                for before, after in _families(machine, other, slot):
                    new.tokens[slot][after] = counts[before]
            elif any(counts):
                raise NoSuchPosition(f"there is no {slot}")
        new.touch()
        for kind, faces in old.faces.items():
            labels = there.labels[kind] if kind in there.components else ()
            for die, face in enumerate(faces):
                name = here.labels[kind][die]
                if name in labels:
                    other.store.set_face(kind, labels.index(name), face)
        # Set the same running phases, with the same steps completed.
        if any(act.phase and act.phase not in there.phases for act in machine.stack):
            raise NoSuchPosition("a phase that is under way is none there")
        other.stack = [act.copy() for act in machine.stack]
        for act in other.stack:
            act.over = {
                name for name in act.over if name in {*there.steps, *there.phases}
            }
        other.phase_items = {
            name: item
            for name, item in machine.phase_items.items()
            if name in there.phases
        }
        other.taken = dict(machine.taken)
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


def _families(machine: Machine, other: Machine, name: str) -> Iterator[tuple[int, int]]:
    here, there = machine.engine, other.engine
    # The numbers of each member in both families, by the names of its keys.
    old = here.layout.families[name]
    new = there.layout.families[name]
    if len(old.axes) != len(new.axes):
        raise NoSuchPosition(old.name)
    for index in range(old.count):
        try:
            keys = [
                _value(key, before.type, after.type, here.program, there.program)
                for key, before, after in zip(
                    old.keys(index), old.axes, new.axes, strict=True
                )
            ]
        except NoSuchPosition:
            continue
        yield index, new.index(keys)
