"""Event listeners: they get each event when it happens, from the very first one on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from houserule.engine.reference.choices import Event
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.setup import opening
from houserule.engine.state.faults import RuleFault


class HeardEvents(list[Event]):
    """The events of a game; each new one is passed on when it happens.

    At that time, the state is still that of the event. Copies of the game have no
    listeners.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        super().__init__(events)
        self._hearers: list[Callable[[Event], None]] = []

    def tell(self, hear: Callable[[Event], None]) -> None:
        """Add a listener for new events."""
        self._hearers.append(hear)

    def append(self, event: Event, /) -> None:
        """Store an event and pass it on."""
        super().append(event)
        for hear in self._hearers:
            hear(event)


def listen(game: ReferenceGame, hear: Callable[[Event], None]) -> None:
    """Add a listener to a game from now on; a game may have several."""
    events = game.machine.events
    if not isinstance(events, HeardEvents):
        events = game.machine.events = HeardEvents(events or ())
    events.tell(hear)


class _Differs(Exception):
    """The opening cannot be replayed: its random numbers were forced."""


def hear_again(
    game: ReferenceGame,
    attend: Callable[[ReferenceGame], None],
    hear: Callable[[Event], None],
) -> int:
    """Replay the opening of a game up to its first decision, for a listener.

    When a game is handed over, the states of its opening are past. Its seed reproduces
    them.

    Args:
        game: the game with the events to pass on.
        attend: called with the replaying game, before its first event.
        hear: called with each event, in the state of that event.

    Returns:
        How many events were passed on; not all, if random numbers were forced.
    """
    told, heard = list(game.events), 0

    def compare(event: Event) -> None:
        nonlocal heard
        if heard >= len(told) or told[heard] != event:
            raise _Differs
        heard += 1
        hear(event)

    old = game.machine
    machine = opening(game.program, old.seed, old.game_number)
    events = machine.events = HeardEvents()
    events.tell(compare)
    begun = ReferenceGame(machine)
    attend(begun)
    with suppress(_Differs, RuleFault):
        begun.advance()
    return heard
