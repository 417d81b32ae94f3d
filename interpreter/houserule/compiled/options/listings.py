"""Listings: the first members of a walk, laid down while they are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houserule import ir
from houserule.compiled.context import Data
from houserule.compiled.expressions.expressions import Expressions
from houserule.compiled.memory.shapes import is_set, words_of
from houserule.compiled.memory.slots import InLocals, Slot
from houserule.compiled.writer.functions import (
    Code,
    Function,
    i32,
    i64,
)

LISTED_AT_MOST = 64


class Listing:
    """A row of members of one segment: for each its values, a word after the other.

    `each` is the address of how many members of the rest follow on each; `last` says
    that there is no rest.
    """

    def __init__(
        self, data: Data, binds: Sequence[tuple[int, ir.Bind]], *, last: bool
    ) -> None:
        self.room, self.last = LISTED_AT_MOST, last
        self._places: dict[int, tuple[int, ir.Bind]] = {}
        width = 0
        for slot, bind in binds:
            self._places[slot] = (width, bind)
            width += 8 * words_of(bind.type)
        self._width = width
        self.at = data.room(max(width, 8) * self.room)
        self.each = data.room(8)

    def add(self, e: Expressions, number: str) -> None:
        """Write what lists what is bound as the member of a number, while counting."""
        if not self._places:
            return
        inside = f"(i64.lt_u (local.get {number}) {i64(self.room)})"
        counting = "(i64.lt_s (local.get $limit) (i64.const 0))"
        with e.f.when(f"(i32.and {inside} {counting})"):
            at = e.f.keep(self._row(f"(i32.wrap_i64 (local.get {number}))"))
            for slot, (offset, bind) in self._places.items():
                place = e.slots[slot]
                names = place.names if isinstance(place, InLocals) else ()
                kind = "i64" if is_set(bind.type) else "i32"
                for word, name in enumerate(names):
                    to = self.at + offset + 8 * word
                    e.f.add(f"({kind}.store offset={to} {at} (local.get {name}))")

    def _row(self, number: Code) -> Code:
        return f"(i32.mul {number} {i32(self._width)})"

    def bind(self, f: Function, number: Code, slots: Mapping[int, int]) -> None:
        """Write what copies the values of a member into a frame."""
        if not self._places:
            return
        at = f.keep(self._row(number))
        for slot, (offset, bind) in self._places.items():
            kind = "i64" if is_set(bind.type) else "i32"
            for word in range(words_of(bind.type)):
                found = f"({kind}.load offset={self.at + offset + 8 * word} {at})"
                f.add(f"({kind}.store {i32(slots[slot] + 8 * word)} {found})")

    def read(self, f: Function, number: Code) -> dict[int, Slot]:
        """Write what takes up the values of a member; return its slots."""
        at, slots = f.keep(self._row(number)), dict[int, Slot]()
        for slot, (offset, bind) in self._places.items():
            kind = "i64" if is_set(bind.type) else "i32"
            names = []
            for word in range(words_of(bind.type)):
                name = f.local(kind, f"v{slot}_")
                f.set(name, f"({kind}.load offset={self.at + offset + 8 * word} {at})")
                names.append(name)
            slots[slot] = InLocals(tuple(names))
        return slots
