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
        self.evaluator = evaluator
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
            seats = self.evaluator.closed(seen, self.store, slots)
        elif (name, slots) in known:
            seats = known[name, slots]
        else:
            seats = self.evaluator.closed(seen, self.store, slots)
            known[name, slots] = seats
        return isinstance(seats, tuple) and self.seat in seats

    def zone(self, name: str, index: int) -> bool:
        """Return whether the seat sees what lies in a zone."""
        keys = self.store.layout.families[name].keys(index)
        return self._among(name, self.program.zones[name].seen, keys)

    def cell(self, state: str, index: int) -> bool:
        """Return whether the seat sees a cell."""
        seen = self.program.states[state].seen
        if seen is None:
            return True
        keys = self.store.layout.families[state].keys(index)
        return self._among(state, seen, keys)

    def face(self, kind: str, die: int) -> bool:
        """Return whether the seat sees the face of a die."""
        if self.was_shown(kind, die):
            return True
        return self._among(kind, self.program.components[kind].seen, (die,))

    def was_shown(self, kind: str, item: int) -> bool:
        """Return whether the seat was shown a thing, and it did not move since."""
        return bool(self.store.known[kind][item] >> self.seat & 1)

    def thing(self, kind: str, item: int) -> bool:
        """Return whether the seat knows a thing; outside of zones, all are visible."""
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
    labels = program.labels

    def cell(state: str, index: int) -> Json:
        if not visibility.cell(state, index):
            return {"hidden": {}}
        value = store.cells[state][index]
        return plain(value, program.states[state].type, labels)

    def zone(name: str, index: int) -> Json:
        kind, things = store.layout.members[name], store.zones[name][index]
        component, known, rest = program.components[kind], list[Json](), list[Json]()
        piled = program.zones[name].kind == "pile"
        for thing in things:
            if visibility.thing(kind, thing):
                known.append(component.labels[thing])
                continue
            fields: dict[str, Json] = {
                field: plain(value, component.fields[field][0], labels)
                for field, value in visibility.shown(name, thing)
            }
            (known if piled else rest).append({"hidden": fields})
        rest.sort(key=lambda thing: json.dumps(thing, sort_keys=True))
        return {"size": len(things), "things": [*known, *rest]}

    def tree(name: str, leaf: Callable[[str, int], Json]) -> Json:
        family = store.layout.families[name]
        if not family.axes:
            return leaf(name, 0)
        found: dict[str, Json] = {}
        for index in range(family.count):
            inner = found
            *path, last = [
                printed(key, axis.type, labels)
                for key, axis in zip(family.keys(index), family.axes, strict=True)
            ]
            for word in path:
                below = inner.setdefault(word, {})
                assert isinstance(below, dict)
                inner = below
            inner[last] = leaf(name, index)
        return found

    return {
        "game": program.game,
        "seat": labels["Player"][seat] if "Player" in labels else seat,
        "states": {
            name: tree(name, cell) for name in program.states if not ir.is_kept(name)
        },
        "zones": {name: tree(name, zone) for name in program.zones},
        "tokens": {
            name: tree(name, lambda slot, index: store.tokens[slot][index])
            for name in store.tokens
        },
        "dice": {
            kind: {
                program.components[kind].labels[die]: (
                    face if visibility.face(kind, die) else {"hidden": {}}
                )
                for die, face in enumerate(faces)
            }
            for kind, faces in store.faces.items()
        },
    }
