"""The way to a decision within an effect: from one of the flow, by what came since.

A game cannot be entered within an effect (`memory.entering`). So a compiled
game begins before, and the same options are taken in it.
"""

from __future__ import annotations

from functools import lru_cache
from weakref import ref

from houserule.base.frozen import frozen
from houserule.engine.compiled.memory.entering import can_enter
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Program
from houserule.ir.walk import asking_statements


@frozen
class Route:
    """How a game came to a decision within an effect, where nothing can be entered.

    Attributes:
        start: the game at a decision of the flow.
        numbers: the options that were taken since, by number.
    """

    start: ReferenceGame
    numbers: tuple[int, ...] = ()


class Track:
    """Notes the choices that lead a game to decisions within effects."""

    def __init__(self) -> None:
        self._taken: list[tuple[ReferenceGame, Choice]] = []
        self._numbers: list[int] = []  # of the first of them
        self._followed: ref[ReferenceGame] | None = None

    def note(self, before: ReferenceGame, choice: Choice) -> None:
        """Note a choice, with the game before it, which is not played on."""
        self._followed = None
        if _is_bare(before):
            self.forget()
        elif not self._taken:
            return
        self._taken.append((before, choice))

    def keep(self, game: ReferenceGame, choice: Choice) -> None:
        """Note a choice that a game goes on by: a copy of it is kept, if need be.

        It is followed as long as this is the same game.
        """
        if self._followed is None or self._followed() is not game:
            self.forget()
        if asks_within(game.program) and (self._taken or _is_bare(game)):
            self.note(game.clone(), choice)
        self._followed = ref(game)

    def way(self, game: ReferenceGame) -> Route | None:
        """Return the way to where a game is now: it is what came of all that was noted.

        None if none is needed, or none is known. An effect that begins before any
        decision has none.
        """
        if not self._taken or game.decision is None or _is_bare(game):
            return None
        if self._followed is not None and self._followed() is not game:
            return None
        for before, choice in self._taken[len(self._numbers) :]:
            assert before.decision is not None, "a choice is made at a decision"
            options = before.decision.options
            self._numbers.append(options.number(options.offered(choice)))
        return Route(self._taken[0][0], tuple(self._numbers))

    def back_to(self, game: ReferenceGame) -> None:
        """Forget what was chosen from a game on that was noted; else everything.

        A game that is followed is where the way leads already.
        """
        if self._followed is not None and self._followed() is game:
            return
        games = [before for before, _ in self._taken]
        stand = next((at for at, before in enumerate(games) if before is game), 0)
        del self._taken[stand:], self._numbers[stand:]

    def forget(self) -> None:
        self._taken.clear()
        self._numbers.clear()

    def apart(self, game: ReferenceGame) -> Track:
        """Return a copy that leads to the position of a game.

        So one thread may use it while others play on.
        """
        other = Track()
        if self.way(game) is not None:
            other._taken = [(before.clone(), choice) for before, choice in self._taken]
            other._numbers = list(self._numbers)
        return other

    def copy(self) -> Track:
        """Return another that has noted the same."""
        other = Track()
        other._taken, other._numbers = list(self._taken), list(self._numbers)
        other._followed = self._followed
        return other


def _is_bare(game: ReferenceGame) -> bool:
    """Return whether a game can be entered with its whole state.

    Simultaneous choices of others would be lost.
    """
    return can_enter(game.machine) and not any(act.chosen for act in game.machine.stack)


@lru_cache(maxsize=32)
def asks_within(program: Program) -> bool:
    """Return whether anything is decided within effects."""
    actions, reactions = program.actions.values(), program.reactions.values()
    asks = any(each.asks for each in actions) or any(each.asks for each in reactions)
    return asks or bool(asking_statements(program))
