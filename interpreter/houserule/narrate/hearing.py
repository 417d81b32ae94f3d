"""Being told each event at the moment it happens, while the state is still that one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.engine.choices import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from houserule.engine.play.game import ReferenceGame


class Heard(list[Event]):
    """The events of a game; whoever hears them is called with each new one."""

    def __init__(self, events: Iterable[Event], hear: Callable[[Event], None]) -> None:
        super().__init__(events)
        self._hear = hear

    def append(self, event: Event, /) -> None:
        """Keep an event and pass it on."""
        super().append(event)
        self._hear(event)


def attend(game: ReferenceGame, hear: Callable[[Event], None]) -> None:
    """Hear every event of a game from now on.

    The game must have been started to listen. What has happened before is not told
    again. Copies of the game are not heard.
    """
    game.machine.events = Heard(game.events, hear)
