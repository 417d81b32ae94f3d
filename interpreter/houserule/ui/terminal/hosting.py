"""A session for the keyboard: it answers the UI's queries in one language."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from houserule.engine.reference.choices import Choice
from houserule.ir import Program
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.choosing.keys import NoSuchChoice
from houserule.play.seat.reasons.why import why
from houserule.play.seat.seat_model import ChoiceStep, Moment, WhyMove
from houserule.play.seat.session import Sitting
from houserule.play.seat.undoing import NotNow


class SittingHost:
    """One session, for people at one keyboard.

    Args:
        another: returns a file for another game at the same table; None stores nothing.
    """

    def __init__(
        self,
        sitting: Sitting,
        language: str,
        another: Callable[[], Path | None] = lambda: None,
    ) -> None:
        self.sitting, self._language, self._another = sitting, language, another
        rules = sitting.rules
        self._words = rules.wording(language, sitting.seated.names)
        self._chooser: Chooser | None = None
        self._again: SittingHost | None = None

    @property
    def latest(self) -> SittingHost:
        """The last rematch, or this game if there was none."""
        return self._again.latest if self._again else self

    # ---- players

    @property
    def people(self) -> tuple[int, ...]:
        """The seats where people sit."""
        return self.sitting.seated.people

    @cached_property
    def secret(self) -> bool:
        """Whether the table has hidden information."""
        return has_secrets(self.sitting.rules.program)

    @property
    def asked(self) -> int | None:
        """The seat that must decide, also where its name is not shown to others."""
        decision = self.sitting.decision
        return None if decision is None else decision.seat

    @property
    def bots_turn(self) -> bool:
        return self.sitting.asks_bot()

    def name(self, seat: int) -> str:
        return self._words.seat(seat)

    # ---- views

    def moment(self, viewer: int | None) -> Moment:
        """Return a seat's view, with the news since its last decision."""
        self._chooser = None
        return self.sitting.moment(viewer, self._language)

    def log(self, viewer: int | None) -> tuple[str, ...]:
        """Return the whole log, as far as the viewer saw it."""
        return self.sitting.log(viewer, self._language)

    # ---- choosing

    def _chooser_of(self, seat: int | None) -> Chooser:
        assert seat is not None, "who chooses looks"
        if self._chooser is None:
            sitting = self.sitting
            self._chooser = Chooser(sitting.rules, sitting.game, self._words, seat)
        return self._chooser

    def step(self, seat: int, path: tuple[str, ...], first: int = 0) -> ChoiceStep:
        """Return the next step of a choice; long lists start at `first`."""
        return self._chooser_of(seat).step(path, first)

    def narrow(self, seat: int, text: str, path: tuple[str, ...]) -> ChoiceStep:
        """Return the options that match a text, best first."""
        return self._chooser_of(seat).narrow(text, path)

    def completions(
        self, seat: int, text: str, path: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return completions of a text: next words, or ends of its last word."""
        return self._chooser_of(seat).completions(text, path)

    def choose(self, seat: int, path: tuple[str, ...]) -> None:
        """Make a choice and store it on disk."""
        choice = self._chooser_of(seat).choice(path)
        assert choice is not None, "the path is complete"
        self._chooser = None
        self.sitting.choose(seat, choice, bots_at_most=0)

    def advance(self) -> None:
        """Let one bot decide once."""
        self._chooser = None
        self.sitting.advance(1)

    def hint(self, seat: int) -> str:
        """Return a bot's suggestion, in words."""
        return self.sitting.advise(seat).told(self._chooser_of(seat))

    def values(self, seat: int) -> list[str]:
        """Return what a bot thinks of each option, the best first, in words."""
        return self.sitting.advise(seat).values(self._chooser_of(seat))

    def why(self, seat: int, path: tuple[str, ...]) -> WhyMove:
        """Explain why a choice is legal or illegal."""
        said: Choice | None = None
        with suppress(NoSuchChoice):
            said = self._chooser_of(seat).choice(path)
        sitting = self.sitting
        asked = path if said is None else said
        return why(sitting.rules, sitting.game, self._words, seat, asked)

    # ---- undo

    def undo(self, seat: int) -> bool:
        """Undo the seat's last decision; False if that is not allowed."""
        return self._done(lambda: self.sitting.undo(seat))

    def restart_turn(self, seat: int) -> bool:
        """Go back to the start of the seat's turn; False if that is not allowed."""
        return self._done(lambda: self.sitting.restart_turn(seat))

    def can_ask_undo(self, seat: int) -> bool:
        """Return whether there is anything to ask the others to undo."""
        return self.sitting.can_ask_undo(seat)

    def undo_agreed(self, seat: int) -> bool:
        """Undo what needs everyone's consent, given at the keyboard."""

        def agree() -> None:
            if not self.sitting.ask_undo(seat):
                for other in self.people:
                    if other != seat:
                        self.sitting.agree_undo(other)

        return self._done(agree)

    def _done(self, take_back: Callable[[], None]) -> bool:
        self._chooser = None
        try:
            take_back()
        except NotNow:
            return False
        return True

    def rematch(self) -> SittingHost:
        """Return a new session at the same table."""
        self.sitting.close()
        sitting = self.sitting.rematch(self._another())
        self._again = SittingHost(sitting, self._language, self._another)
        return self._again


def has_secrets(program: Program) -> bool:
    """Return whether a table has hidden information.

    It does if something is `seen only by` some players, or if several decide together.
    """
    return (
        any(zone.seen is not None for zone in program.zones.values())
        or any(state.seen is not None for state in program.states.values())
        or any(kind.seen is not None for kind in program.components.values())
        or any(phase.together for phase in program.phases.values())
    )
