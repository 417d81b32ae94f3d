"""Visibility: which cells, faces and things a seat sees, and its view as data.

In a view, sizes of zones and heaps of tokens are always seen. A hidden thing is
`{"hidden": {...}}` with its visible fields. In a set, known things come first, in
their order; hidden ones follow, ordered by what shows, so that the order gives nothing
away.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Protocol, TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.state.domains import Json, plain, printed
from houserule.engine.state.store import Store
from houserule.ir.types import Data

Shown: TypeAlias = tuple[tuple[str, Data], ...]


class Evaluates(Protocol):
    """What visibility needs of an evaluator."""

    def closed(self, node: ir.Expr, store: Store, slots: Sequence[Data] = ()) -> Data:
        """Return an expression's value outside of play, `slots` in slots 1…."""


@frozen
class HiddenPlace:
    """A place of a hidden thing: where, what shows of it, and who was shown it.

    `nth` counts from the bottom of a pile; `known` is a bit mask of seats.
    """

    zone: str
    index: int
    nth: int
    shown: Shown
    known: int


class Visibility:
    """The visibility of a state for one seat, as declared by `seen by`, `showing`."""

    def __init__(
        self, program: ir.Program, evaluator: Evaluates, store: Store, seat: int
    ) -> None:
        self.program, self.store, self.seat = program, store, seat
        self._evaluator = evaluator
        self._seers: dict[tuple[str, tuple[Data, ...]], Data] | None = None

    @classmethod
    def of_all(
        cls, program: ir.Program, evaluator: Evaluates, store: Store
    ) -> tuple[Visibility, ...]:
        """Return what each seat sees of a state that stays as it is.

        Declarations are evaluated once for all of them.
        """
        seers: dict[tuple[str, tuple[Data, ...]], Data] = {}
        every = tuple(
            cls(program, evaluator, store, seat) for seat in range(program.seats)
        )
        for each in every:
            each._seers = seers
        return every

    def _among(self, name: str, seen: ir.Expr | None, slots: tuple[Data, ...]) -> bool:
        if seen is None:
            return True
        known = self._seers
        if known is None:
            seats = self._evaluator.closed(seen, self.store, slots)
        elif (name, slots) in known:
            seats = known[name, slots]
        else:
            seats = self._evaluator.closed(seen, self.store, slots)
            known[name, slots] = seats
        return isinstance(seats, tuple) and self.seat in seats

    def zone(self, name: str, index: int) -> bool:
        """Say whether the seat sees what lies in a zone."""
        keys = self.store.layout.families[name].keys(index)
        return self._among(name, self.program.zones[name].seen, keys)

    def cell(self, state: str, index: int) -> bool:
        """Say whether the seat sees a cell."""
        seen = self.program.states[state].seen
        if seen is None:
            return True
        keys = self.store.layout.families[state].keys(index)
        return self._among(state, seen, keys)

    def face(self, kind: str, die: int) -> bool:
        """Say whether the seat sees the face of a die."""
        if self.was_shown(kind, die):
            return True
        return self._among(kind, self.program.components[kind].seen, (die,))

    def was_shown(self, kind: str, item: int) -> bool:
        """Say whether the seat was shown a thing, and it did not move since."""
        return bool(self.store.known[kind][item] >> self.seat & 1)

    def thing(self, kind: str, item: int) -> bool:
        """Say whether the seat knows which thing it is; out of zones all is seen."""
        if kind not in self.store.where:  # a member of an enumeration
            return True
        lying = self.store.where[kind][item]
        return lying is None or self.was_shown(kind, item) or lying in self.seen_zones

    @cached_property
    def seen_zones(self) -> frozenset[tuple[str, int]]:
        """The zones into which the seat sees."""
        return frozenset(
            (name, index)
            for name in self.program.zones
            for index in range(len(self.store.zones[name]))
            if self.zone(name, index)
        )

    def shown(self, zone: str, item: int) -> Shown:
        """Return the public fields of a thing in a zone, even a hidden one."""
        plan = self.program.zones[zone]
        fields = self.program.components[plan.member.name].fields
        return tuple((name, fields[name][1][item]) for name in plan.showing)


def hidden_places(visibility: Visibility, kind: str) -> dict[HiddenPlace, int]:
    """Return each place of a hidden thing of a kind, with the thing."""
    store, found = visibility.store, {}
    for zone, member in store.layout.members.items():
        if member != kind:
            continue
        for index, things in enumerate(store.zones[zone]):
            for nth, thing in enumerate(things):
                if not visibility.thing(kind, thing):
                    mask = store.known[kind][thing]
                    place = HiddenPlace(
                        zone, index, nth, visibility.shown(zone, thing), mask
                    )
                    found[place] = thing
    return found


# ---- the view of a seat, as data


def view(
    program: ir.Program, evaluator: Evaluates, store: Store, seat: int
) -> dict[str, Json]:
    """Return what one seat may see.

    Families with keys are dictionaries, one level a key, by the names of the keys.
    """
    visibility = Visibility(program, evaluator, store, seat)
    return {
        "game": program.game,
        "seat": program.labels["Player"][seat] if "Player" in program.labels else seat,
        "states": {
            name: _tree(visibility, name, _cell)
            for name in program.states
            if not ir.is_kept(name)
        },
        "zones": {name: _tree(visibility, name, _zone) for name in program.zones},
        "tokens": {name: _tree(visibility, name, _heap) for name in store.tokens},
        "dice": {kind: _faces(visibility, kind) for kind in store.faces},
    }


def _tree(
    visibility: Visibility, name: str, leaf: Callable[[Visibility, str, int], Json]
) -> Json:
    family, labels = visibility.store.layout.families[name], visibility.program.labels
    if not family.axes:
        return leaf(visibility, name, 0)
    tree: dict[str, Json] = {}
    for index in range(family.count):
        inner = tree
        *path, last = [
            printed(key, axis.type, labels)
            for key, axis in zip(family.keys(index), family.axes, strict=True)
        ]
        for word in path:
            below = inner.setdefault(word, {})
            assert isinstance(below, dict)
            inner = below
        inner[last] = leaf(visibility, name, index)
    return tree


def _heap(visibility: Visibility, slot: str, index: int) -> Json:
    return visibility.store.tokens[slot][index]


def _cell(visibility: Visibility, state: str, index: int) -> Json:
    if not visibility.cell(state, index):
        return {"hidden": {}}
    value = visibility.store.cells[state][index]
    return plain(
        value, visibility.program.states[state].type, visibility.program.labels
    )


def _zone(visibility: Visibility, zone: str, index: int) -> Json:
    plan = visibility.program.zones[zone]
    things = visibility.store.zones[zone][index]
    shown = [_thing(visibility, zone, thing) for thing in things]
    if plan.kind != "pile":
        names = [each for each in shown if isinstance(each, str)]
        rest = [each for each in shown if not isinstance(each, str)]
        shown = [*names, *sorted(rest, key=_in_order)]
    return {"size": len(things), "things": shown}


def _in_order(thing: Json) -> str:
    return json.dumps(thing, sort_keys=True)


def _thing(visibility: Visibility, zone: str, thing: int) -> Json:
    kind = visibility.store.layout.members[zone]
    component = visibility.program.components[kind]
    if visibility.thing(kind, thing):
        return component.labels[thing]
    fields: dict[str, Json] = {
        name: plain(value, component.fields[name][0], visibility.program.labels)
        for name, value in visibility.shown(zone, thing)
    }
    return {"hidden": fields}


def _faces(visibility: Visibility, kind: str) -> Json:
    labels = visibility.program.components[kind].labels
    return {
        labels[die]: face if visibility.face(kind, die) else {"hidden": {}}
        for die, face in enumerate(visibility.store.faces[kind])
    }
