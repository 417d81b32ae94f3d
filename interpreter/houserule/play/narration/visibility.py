"""Visibility of a game's current state for one seat, or for everyone.

A declared value may be known if everything that it reads is visible. This is derived
from the rules alone, as for E601, so it may hide too much.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, TypeAlias

from houserule import ir
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import Shown, Visibility
from houserule.ir.access import Access
from houserule.ir.hidden_reads import HiddenReads, StaticViewer, self_revealing
from houserule.ir.types import Data, Kind


class AllKnowing(Enum):
    """A viewer who sees everything: for records and for authors of rules."""

    VIEWER = "all-knowing"


ALL_KNOWING: Final = AllKnowing.VIEWER
EVERYBODY: Final = None  # what all seats saw
EVERYBODYS_NAME = "everybody"
Viewer: TypeAlias = int | AllKnowing | None
AskedValue: TypeAlias = tuple[str, tuple[Data, ...], Viewer]  # name, keys, viewer


@lru_cache(maxsize=256)
def access_of(program: ir.Program) -> Access:
    """Return what the parts of a program read and write; cached."""
    return Access(program)


@lru_cache(maxsize=256)
def hidden_reads(program: ir.Program) -> HiddenReads:
    """Return the finder of hidden reads in a program; cached."""
    return HiddenReads(program, access_of(program))


@lru_cache(maxsize=256)
def foggy(program: ir.Program) -> frozenset[str]:
    """Return the states whose contents decide who sees them; cached."""
    return self_revealing(program, access_of(program)).intersection(program.states)


@lru_cache(maxsize=256)
def secretly_seen(program: ir.Program) -> frozenset[str]:
    """Return the places of which it is hidden from some seats who sees them; cached.

    What a seat sees of them is nothing that all see, even if each seat sees it.
    """
    nobody, reads = StaticViewer(lambda _: False), hidden_reads(program)
    declared = (program.states, program.zones, program.components)
    return frozenset(
        name
        for kind in declared
        for name, each in kind.items()
        if each.seen is not None and reads.found(each.seen, nobody)
    )


class ViewerVisibility:
    """A viewer's knowledge of one state; build it again after every choice.

    Args:
        game: the game, at a decision or over.
        viewer: a seat; `EVERYBODY` for what all seats see; or `ALL_KNOWING`.
    """

    def __init__(self, game: ReferenceGame, viewer: Viewer) -> None:
        self.viewer = viewer
        self.program = game.program
        seats: Sequence[int] = range(game.program.seats)
        if viewer is not EVERYBODY:
            seats = () if isinstance(viewer, AllKnowing) else (viewer,)
        engine, store = game.engine, game.machine.store
        self._eyes = tuple(
            Visibility(game.program, engine.evaluator, store, seat) for seat in seats
        )
        self._store, self._reads = store, hidden_reads(game.program)

    @property
    def open(self) -> bool:
        """Whether the rules hide nothing, so that all seats see the same."""
        return not self._reads.any

    def zone(self, name: str, index: int) -> bool:
        """Return whether the viewer sees the contents of a zone."""
        if self.program.zones[name].seen is None:
            return True
        if self.viewer is EVERYBODY and name in secretly_seen(self.program):
            return False
        return all((name, index) in each.seen_zones for each in self._eyes)

    def cell(self, state: str, index: int) -> bool:
        if self.program.states[state].seen is None:
            return True
        if self.viewer is EVERYBODY and state in secretly_seen(self.program):
            return False
        return all(each.cell(state, index) for each in self._eyes)

    def face(self, kind: str, die: int) -> bool:
        if self.program.components[kind].seen is None:
            return True
        if self.viewer is EVERYBODY and kind in secretly_seen(self.program):
            return False
        return all(each.face(kind, die) for each in self._eyes)

    def thing(self, kind: str, item: int) -> bool:
        """Return whether the viewer knows which component it is."""
        where = self._store.where.get(kind)
        lying = where and where[item]
        if (
            self.viewer is EVERYBODY
            and lying
            and lying[0] in secretly_seen(self.program)
        ):
            return all(each.was_shown(kind, item) for each in self._eyes)
        return all(each.thing(kind, item) for each in self._eyes)

    def shown(self, zone: str, item: int) -> Shown:
        """Return a component's fields that all see in a zone, even in a hidden one."""
        return self._eyes[0].shown(zone, item)

    def value(self, name: str, args: Sequence[Data] = ()) -> bool:
        """Return whether a declared value certainly shows nothing hidden."""
        if not self._eyes or not self._reads.any:
            return True
        known, asked = _known_values(self.program), (name, tuple(args), self.viewer)
        if asked not in known:
            value = self.program.values[name]
            given = tuple(
                ir.Const(arg, param.type)
                for arg, param in zip(args, value.params, strict=True)
            )
            call = ir.CallValue(name, given, value.type)
            known[asked] = self.expression(call)
        return known[asked]

    def expression(self, node: ir.CoreNode) -> bool:
        """Return whether an expression without slots certainly shows nothing hidden."""

        def is_viewer(node: ir.Expr) -> bool:
            return (
                isinstance(node, ir.Const)
                and isinstance(node.type, Kind)
                and node.type.sort == "seat"
                and self.viewer is not None
                and node.value == self.viewer
            )

        return not self._eyes or not self._reads.found(node, StaticViewer(is_viewer))


@lru_cache(maxsize=256)
def _known_values(_: ir.Program) -> dict[AskedValue, bool]:
    """Return the cached results for the values of a program, valid in any state."""
    return {}
