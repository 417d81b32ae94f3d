"""Versions of the state: a counter for the reads of a memoised result.

A write is to a family: the cells of a state, the heaps of a place for tokens, the faces
or the places of all things of a kind. Values that read the same families share a
counter, which every write to one of these moves on.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from houserule import ir
from houserule.engine.compiled.functions import Code, Function, i32
from houserule.engine.reference.evaluate.values import parts
from houserule.ir.access import Access
from houserule.ir.walk import beneath

NEXT = "(global.set $clock (i32.add (global.get $clock) (i32.const 1)))"
OLDEST = 1 << 30  # number of distinct versions; then all results are discarded
_WROTE = re.compile(r"\(;wrote ([^;]*);\)")


def cells(state: str) -> str:
    """Return the family of a state's cells."""
    return f"cells {state}"


def tokens(slot: str) -> str:
    """Return the family of the heaps of a place for tokens."""
    return f"tokens {slot}"


def faces(kind: str) -> str:
    """Return the family of the faces of a kind of dice."""
    return f"faces {kind}"


def places(kind: str) -> str:
    """Return the family of where all things of a kind lie, and who was shown them."""
    return f"places {kind}"


def wrote(*families: str) -> str:
    """Return the statement that notes a write; counters are put in at the end."""
    return f"(;wrote {','.join(families)};)"


class Versions:
    """The counters of one program, each for a set of families."""

    def __init__(self, program: ir.Program, access: Access) -> None:
        self._program, self._access = program, access
        self._read: dict[str, frozenset[str]] = {}
        self._counters: dict[frozenset[str], str] = {}

    def counter(self, *nodes: ir.CoreNode) -> Code:
        """Return the counter of what expressions read, as it is now."""
        read = self.read_beneath(*nodes)
        if read not in self._counters:
            self._counters[read] = f"$version.{len(self._counters)}"
        return f"(global.get {self._counters[read]})"

    def read_by(self, value: str) -> frozenset[str]:
        """Return the families that a value reads, through those it calls too."""
        if value not in self._read:
            named = parts(self._program.values[value])
            self._read[value] = self.read_beneath(*named)
        return self._read[value]

    def read_beneath(self, *nodes: ir.CoreNode) -> frozenset[str]:
        """Return the families that expressions read, through values they call too."""
        found: set[str] = set()
        for node in beneath(*nodes):
            match node:
                case ir.ReadCell(state=state) | ir.PayCell(state=state):
                    found.add(cells(state))
                case ir.TokenCount(slot=slot) | ir.PayTokens(slot=slot):
                    found.add(tokens(slot))
                case ir.ReadFace(kind=kind):
                    found.add(faces(kind.name))
                case (
                    ir.Contents(zone=zone)
                    | ir.ZoneSize(zone=zone)
                    | ir.PileTop(zone=zone)
                    | ir.PayTop(zone=zone)
                ):
                    found.add(places(self._program.zones[zone].member.name))
                case ir.Alike(kind=kind):
                    found.add(places(kind.name))
                case ir.CallValue(value=value):
                    found |= self.read_by(value)
                case ir.PositionAfter(action=action):
                    found |= self.read_beneath(*self._access.imagined(action))
                    found |= self.families_written(action)
                case _:
                    pass
        return frozenset(found)

    def families_written(self, action: str) -> frozenset[str]:
        """Return the families that an action may write, with all that follows."""
        found: set[str] = set()
        bodies = self._access.imagined_bodies(action)
        for sort, name in self._access.places_written(*bodies):
            match sort:
                case "state":
                    found.add(cells(name))
                case "tokens":
                    found.add(tokens(name))
                case "face":
                    found.add(faces(name))
                case _:
                    found.add(places(self._program.zones[name].member.name))
        return frozenset(found)

    def moved_by(self, families: Collection[str]) -> list[str]:
        """Return the counters that writes to some families move on."""
        return [
            name
            for read, name in self._counters.items()
            if not read.isdisjoint(families)
        ]

    # ---- at the end, when all counters are known

    def put_in(self, text: str) -> str:
        """Return a text with the counters moved on where something is written.

        No number comes twice: undoing an imagined action restores its counters, and
        results stored meanwhile must not be valid after the next write.
        """

        def moved(match: re.Match[str]) -> str:
            counters = self.moved_by(match[1].split(","))
            new = [f"(global.set {name} (global.get $clock))" for name in counters]
            return " ".join((NEXT, *new)) if new else ""

        return _WROTE.sub(moved, text)

    def declared(self) -> str:
        """Return the counters as they begin."""
        return "(global $clock (mut i32) (i32.const 1))\n" + "".join(
            f"(global {name} (mut i32) (i32.const 1))\n"
            for name in self._counters.values()
        )

    def renewing(self) -> Function:
        """Return what makes all results old; no counter ever runs over."""
        f = Function("$renew")
        old = f.local("i32", "old")
        f.add(NEXT)
        f.set(old, f"(i32.gt_u (global.get $clock) {i32(OLDEST)})")
        with f.when(f"(local.get {old})"):
            f.add("(call $forget_values)")
            f.add("(global.set $clock (i32.const 1))")
        for name in self._counters.values():
            f.add(f"(global.set {name} (global.get $clock))")
        return f
