"""The store of a game's state: plain lists, changed in place by a few operations.

Every write makes a new version and drops what was remembered of the old one. A fault
says what went wrong; the engine adds where in the rules.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from houserule.engine.state.domains import Json, printed
from houserule.engine.state.faults import F01, F02, F04, F09, RuleFault
from houserule.engine.state.layout import BOTTOM, Layout
from houserule.ir.types import Data

Lying: TypeAlias = tuple[str, int]
Memo: TypeAlias = dict[tuple[str, tuple[Data, ...]], Data]
PARTS = ("cells", "zones", "tokens", "faces", "known", "streams")


class Store:
    """The state of one game.

    Attributes:
        layout: the plan it follows.
        cells: the values of each state, one a member of its family.
        zones: the ids in each zone, ascending; those of a pile from bottom to top.
        tokens: how many lie in each slot.
        faces: the face of each die.
        known: for each component the seats that were shown it, as a bit mask.
        streams: the position of each stream of random numbers that was used.
        where: for each component the zone where it lies, None for nowhere; derived.
        version: a number that grows with each write.
        memo: an evaluator's results for this version. Stores with equal contents may
            share it; a write takes a new one.
    """

    __slots__ = (
        "cells",
        "faces",
        "known",
        "layout",
        "memo",
        "streams",
        "tokens",
        "version",
        "where",
        "zones",
    )

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.cells: dict[str, list[Data]] = {}
        self.zones: dict[str, list[tuple[int, ...]]] = {}
        self.tokens: dict[str, list[int]] = {}
        self.faces: dict[str, list[int]] = {}
        self.known: dict[str, list[int]] = {}
        self.streams: dict[str, int] = {}
        self.where: dict[str, list[Lying | None]] = {}
        self.version = 0
        self.memo: Memo = {}

    @classmethod
    def fresh(cls, layout: Layout) -> Store:
        """Return the state before setup.

        Cells have their constant first values, tokens lie in their first place, dice
        show their first face; all zones are empty and no seat was shown anything.
        """
        store = cls(layout)
        store.cells = {name: list(values) for name, values in layout.first.items()}
        store.zones = {
            name: [()] * layout.families[name].count for name in layout.members
        }
        store.tokens = {slot: list(heaps) for slot, heaps in layout.starts.items()}
        sizes = layout.components
        store.faces = {
            kind: [faces[0]] * sizes[kind] for kind, faces in layout.faces.items()
        }
        store.known = {kind: [0] * size for kind, size in sizes.items()}
        store.where = {kind: [None] * size for kind, size in sizes.items()}
        return store

    # ---- copies

    def clone(self) -> Store:
        """Return a copy that shares nothing that changes."""
        copy = Store(self.layout)
        copy.cells = {name: each[:] for name, each in self.cells.items()}
        copy.zones = {name: each[:] for name, each in self.zones.items()}
        copy.tokens = {name: each[:] for name, each in self.tokens.items()}
        copy.faces = {name: each[:] for name, each in self.faces.items()}
        copy.known = {name: each[:] for name, each in self.known.items()}
        copy.where = {name: each[:] for name, each in self.where.items()}
        copy.streams = self.streams.copy()
        copy.version, copy.memo = self.version, self.memo
        return copy

    def to_data(self) -> dict[str, Json]:
        """Return the state as plain data: equal states give equal data.

        Names are in the order of the program, used streams in alphabetical order.
        """
        return {
            "cells": {name: _plain(each) for name, each in self.cells.items()},
            "zones": {name: _plain(each) for name, each in self.zones.items()},
            "tokens": {name: _plain(each) for name, each in self.tokens.items()},
            "faces": {name: _plain(each) for name, each in self.faces.items()},
            "known": {name: _plain(each) for name, each in self.known.items()},
            "streams": {tag: self.streams[tag] for tag in sorted(self.streams)},
        }

    @classmethod
    def from_data(cls, layout: Layout, data: Mapping[str, Json]) -> Store:
        """Return the store of some data that fits the layout.

        Data from outside goes through `state.model.load_store`, which tests it.
        """
        store = cls(layout)
        for part in PARTS[:-1]:
            families = cast("dict[str, list[Json]]", data[part])
            values = {
                name: [
                    tuple(each) if isinstance(each, list) else each for each in every
                ]
                for name, every in families.items()
            }
            setattr(store, part, values)
        store.streams = dict(cast("dict[str, int]", data["streams"]))
        store.locate()
        return store

    def locate(self) -> None:
        """Compute where each component lies from the zones."""
        self.where = {
            kind: [None] * size for kind, size in self.layout.components.items()
        }
        for zone, kind in self.layout.members.items():
            lying = self.where[kind]
            for index, things in enumerate(self.zones[zone]):
                for thing in things:
                    lying[thing] = (zone, index)

    def touch(self) -> None:
        """Note a write; to be called after writing into a list directly."""
        self.version += 1
        self.memo = {}

    # ---- cells, dice, tokens

    def set_cell(self, state: str, index: int, value: Data) -> None:
        """Write a cell.

        Raises:
            RuleFault: F01, the value is outside the state's type.
        """
        layout = self.layout
        if not layout.fits(state, value):
            type_ = layout.program.states[state].type
            shown = printed(value, type_, layout.program.labels)
            title = layout.title(state, index)
            raise RuleFault(F01, f"`{title}` would be {shown}, outside {type_}.")
        self.cells[state][index] = value
        self.touch()

    def reset(self, state: str) -> bool:
        """Give a state's cells their constant first values; say whether any changed."""
        first = list(self.layout.first[state])
        if self.cells[state] == first:
            return False
        self.cells[state] = first
        self.touch()
        return True

    def set_face(self, kind: str, die: int, face: int) -> None:
        """Turn a die to a face; seats that were shown the die still know it.

        Raises:
            RuleFault: F09, the die has no such face.
        """
        if face not in self.layout.faces[kind]:
            name = self.layout.thing(kind, die)
            raise RuleFault(F09, f"The die `{name}` has no face {face}.")
        self.faces[kind][die] = face
        self.touch()

    def roll(self, kind: str, die: int, face: int) -> None:
        """Turn a die that was rolled: no seat knows it any more.

        Raises:
            RuleFault: F09, the die has no such face.
        """
        self.set_face(kind, die, face)
        self.known[kind][die] = 0

    def move_tokens(
        self, source: str, index: int, to: str, to_index: int, count: int
    ) -> None:
        """Move tokens between two slots of their family.

        Raises:
            RuleFault: F02, too few lie there, or the count is negative.
        """
        lying = self.tokens[source][index]
        if not 0 <= count <= lying:
            title = self.layout.title(source, index)
            raise RuleFault(
                F02, f"{count} are to be moved from `{title}`, but {lying} lie there."
            )
        self.tokens[source][index] = lying - count
        self.tokens[to][to_index] += count
        self.touch()

    # ---- things in zones

    def show(self, kind: str, things: Sequence[int], seats: int) -> None:
        """Let the seats of a bit mask know things until they move or are rolled."""
        known = self.known[kind]
        for thing in things:
            known[thing] |= seats
        self.touch()

    def remove(self, kind: str, item: int) -> None:
        """Take a thing out of its zone: it lies nowhere, and no seat knows it."""
        self._lift(kind, item)
        self.known[kind][item] = 0
        self.touch()

    def place(self, kind: str, item: int, zone: str, index: int, end: int) -> None:
        """Move a thing to an end of a zone: `TOP` or `BOTTOM`; piles alone have two.

        Within its own zone a thing of a pile goes to that end. No seat knows a thing
        any more that moved.

        Raises:
            RuleFault: F04, the zone is full; the thing stays where it was.
        """
        before = self.where[kind][item]
        plan, family = self.layout.program.zones[zone], self.zones[zone]
        if before != (zone, index):
            most = 1 if plan.kind == "slot" else plan.at_most
            if most is not None and len(family[index]) >= most:
                title = self.layout.title(zone, index)
                said = f"`{title}` is full: at most {most} may lie there."
                raise RuleFault(F04, said)
        self._lift(kind, item)
        lying = family[index]
        if plan.kind == "pile":
            family[index] = (item, *lying) if end == BOTTOM else (*lying, item)
        elif lying:
            things = list(lying)
            insort(things, item)
            family[index] = tuple(things)
        else:
            family[index] = (item,)
        self.where[kind][item] = (zone, index)
        self.known[kind][item] = 0
        self.touch()

    def set_order(self, zone: str, index: int, things: Sequence[int]) -> None:
        """Put a pile into another order, as a shuffle does; no seat knows it then."""
        self.zones[zone][index] = tuple(things)
        known = self.known[self.layout.members[zone]]
        for thing in things:
            known[thing] = 0
        self.touch()

    def _lift(self, kind: str, item: int) -> None:
        lying = self.where[kind][item]
        if lying is None:
            return
        zone, index = lying
        family = self.zones[zone]
        family[index] = tuple(each for each in family[index] if each != item)
        self.where[kind][item] = None


def _plain(values: Sequence[Data]) -> list[Json]:
    return [list(each) if isinstance(each, tuple) else each for each in values]
