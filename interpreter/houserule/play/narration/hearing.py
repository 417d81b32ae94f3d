"""Hearing the events of a game when they happen, from the very first one on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from houserule.engine.reference.choices import Event
from houserule.engine.reference.play.game import ReferenceGame, fresh
from houserule.engine.state.faults import RuleFault


class HeardEvents(list[Event]):
    """The events of a game; each new one is passed on when it happens.

    The state is then still that of the event. Copies of the game are not heard.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        super().__init__(events)
        self._hearers: list[Callable[[Event], None]] = []

    def tell(self, hear: Callable[[Event], None]) -> None:
        """Pass new events on to one more hearer."""
        self._hearers.append(hear)

    def append(self, event: Event, /) -> None:
        """Keep an event and pass it on."""
        super().append(event)
        for hear in self._hearers:
            hear(event)


def listen(game: ReferenceGame, hear: Callable[[Event], None]) -> None:
    """Hear every event of a game from now on; several may hear one game."""
    events = game.machine.events
    if not isinstance(events, HeardEvents):
        events = game.machine.events = HeardEvents(events or ())
    events.tell(hear)


class _Differs(Exception):
    """The opening cannot be played again: its chance was forced."""


def hear_again(
    game: ReferenceGame,
    attend: Callable[[ReferenceGame], None],
    hear: Callable[[Event], None],
) -> int:
    """Play the opening of a game again, up to its first decision, and hear it.

    The states of the opening are over when a game is handed over. Its seed brings them
    back.

    Args:
        game: the game; its events are those to hear.
        attend: is given the game that plays the opening, before its first event.
        hear: hears each event, in the state of that event.

    Returns:
        How many of the events were heard; none or some, if chance was forced.
    """
    told, heard = list(game.events), 0

    def compare(event: Event) -> None:
        nonlocal heard
        if heard >= len(told) or told[heard] != event:
            raise _Differs
        heard += 1
        hear(event)

    old = game.machine
    machine = fresh(game.program, old.seed, old.game_number)
    events = machine.events = HeardEvents()
    events.tell(compare)
    opening = ReferenceGame(machine)
    attend(opening)
    with suppress(_Differs, RuleFault):
        opening.advance()
    return heard
