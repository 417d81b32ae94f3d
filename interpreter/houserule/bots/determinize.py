"""A game as one seat may imagine it: what it does not see is dealt anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.engine.play import turns
from houserule.engine.play.game import ReferenceGame
from houserule.state.determinize import determinise

if TYPE_CHECKING:
    from houserule.engine.random_numbers import Stream


def imagine(game: ReferenceGame, seat: int, luck: Stream) -> ReferenceGame:
    """Return a copy of a game that looks the same to a seat.

    Hidden things, hidden cells and all chance to come are drawn from `luck`. The copy
    stands at the same decision, and may be played on. It is not held to invariants:
    they may speak of what the seat does not see.
    """
    machine = game.machine.clone()
    machine.store = determinise(
        game.program, game.engine.evaluator, machine.store, seat, luck
    )
    machine.context.store = machine.store
    machine.events = machine.ran = None
    if not machine.frames:
        machine.look()
    return ReferenceGame(machine, turns.advance(machine), checked=False)
