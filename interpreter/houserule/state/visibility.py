"""Visibility: which cells, faces and things of a state a seat sees or knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

from houserule.ir.types import Data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule import ir
    from houserule.state.store import Store

Shown: TypeAlias = tuple[tuple[str, Data], ...]


class Evaluates(Protocol):
    """What visibility needs of an evaluator."""

    def closed(self, node: ir.Expr, store: Store, slots: Sequence[Data] = ()) -> Data:
        """Return an expression's value outside of play, `slots` in slots 1…."""


@dataclass(frozen=True, slots=True)
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
    """What one seat sees of one state, as declared by `seen by` and `showing`."""

    def __init__(
        self, program: ir.Program, evaluator: Evaluates, store: Store, seat: int
    ) -> None:
        self.program, self.store, self.seat = program, store, seat
        self._evaluator = evaluator

    def _among(self, seen: ir.Expr | None, slots: Sequence[Data]) -> bool:
        if seen is None:
            return True
        seats = self._evaluator.closed(seen, self.store, slots)
        return isinstance(seats, tuple) and self.seat in seats

    def zone(self, name: str, index: int) -> bool:
        """Say whether the seat sees what lies in a zone."""
        keys = self.store.layout.families[name].keys(index)
        return self._among(self.program.zones[name].seen, keys)

    def cell(self, state: str, index: int) -> bool:
        """Say whether the seat sees a cell."""
        seen = self.program.states[state].seen
        if seen is None:
            return True
        return self._among(seen, self.store.layout.families[state].keys(index))

    def face(self, kind: str, die: int) -> bool:
        """Say whether the seat sees the face of a die."""
        if self.was_shown(kind, die):
            return True
        return self._among(self.program.components[kind].seen, (die,))

    def was_shown(self, kind: str, item: int) -> bool:
        """Say whether the seat was shown a thing, and it did not move since."""
        return bool(self.store.known[kind][item] >> self.seat & 1)

    def thing(self, kind: str, item: int) -> bool:
        """Say whether the seat knows which thing it is; out of zones all is seen."""
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
        """Return the fields that all see of a thing in a zone, also where it hides."""
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
