"""Throws: whose each is, and which other dice lie with those that were rolled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, cast

from houserule import ir
from houserule.ir.types import Data, Kind
from houserule.ir.walk import beneath, bodies

if TYPE_CHECKING:
    from houserule.engine.choices import Event
    from houserule.engine.play.game import ReferenceGame


class Throws:
    """The throws of one game, heard one after another."""

    def __init__(self, program: ir.Program) -> None:
        self._slots = _throwers(program)
        self._rolled: frozenset[tuple[str, int]] = frozenset()

    def fork(self) -> Throws:
        """Return throws of which the same was heard."""
        return copy(self)

    def thrower(self, event: Event) -> Data:
        """Return whose a throw is: the seat of the loop around it, or who acts."""
        frame = cast("Sequence[Data]", event.data[3])
        return frame[self._slots.get(event.address, 0)]

    def lying(
        self, event: Event, game: ReferenceGame | None
    ) -> Sequence[tuple[int, int]]:
        """Return the dice that lie with those rolled, and what they show now.

        Nothing, while one of them was never rolled: what it shows means nothing; and
        nothing without the game as it is at the throw.
        """
        kind, rolled = cast("tuple[str, tuple[int, ...]]", event.data[:2])
        self._rolled |= {(kind, die) for die in rolled}
        if game is None:
            return ()
        store = game.machine.store
        where = store.where[kind]
        here = {where[die] for die in rolled}
        shown = zip(store.faces[kind], where, strict=True)
        lying = [(n, face) for n, (face, lies) in enumerate(shown) if lies in here]
        return lying if self._rolled >= {(kind, die) for die, _ in lying} else ()


def _throwers(program: ir.Program) -> Mapping[str, int]:
    """Return, for throws in a loop over seats, the slot of the seat, by the clause.

    Of loops in each other the innermost counts.
    """
    found: dict[str, int] = {}
    for node in beneath(*bodies(program)):
        if isinstance(node, ir.ForEach) and (seats := _over_seats(node)):
            for inner in beneath(*node.body):
                if isinstance(inner, ir.RollDice):
                    found[inner.stream] = seats[-1]
    return found


def _over_seats(loop: ir.ForEach) -> tuple[int, ...]:
    """Return the slots of a loop that hold seats."""
    return tuple(
        slot
        for bind in loop.binds
        if isinstance(bind.type, Kind) and bind.type.sort == "seat"
        for slot in bind.slots
    )
