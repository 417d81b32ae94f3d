"""One shared keyboard: a session, its current viewer, and the progress of a choice.

Full screen and line mode both use it; it draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from pathlib import Path

from houserule.engine.reference.choices import Choice
from houserule.ir import Program
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.choosing.keys import NoSuchChoice
from houserule.play.seat.reasons.why import why
from houserule.play.seat.seat_model import ChoiceStep, StepOption, WhyMove
from houserule.play.seat.session import Sitting
from houserule.play.seat.undoing import NotNow


class Stage(Enum):
    """The state that the keyboard waits in."""

    CHOICE = "choice"
    """The viewer chooses."""
    BOTS = "bots"
    """A bot thinks; `advance` continues."""
    OVER = "over"
    """The viewer has seen the result of a choice; the screen is cleared next."""
    HAND_OVER = "hand over"
    """The screen is clear until the next player confirms being alone in front of it."""
    END = "end"
    """The game has ended."""


class SharedKeyboard:
    """Controls a game at one keyboard.

    Args:
        another: returns a file for another game at the same table; None stores nothing.

    Attributes:
        viewer: the current viewer's seat; None at first.
        coming: the next viewer's seat, if the keyboard changes hands.
        step: the next step of the viewer's choice; None if there is none.
        news: events since the viewer's last choice.
    """

    def __init__(
        self,
        sitting: Sitting,
        language: str,
        another: Callable[[], Path | None] = lambda: None,
    ) -> None:
        self.sitting, self._language, self._another = sitting, language, another
        self._words = sitting.rules.wording(language, sitting.seated.names)
        self._again: SharedKeyboard | None = None
        people = sitting.seated.people
        self._secret = has_secrets(sitting.rules.program) and len(people) > 1
        self.viewer: int | None = people[0] if len(people) == 1 else None
        self.coming: int | None = None
        self.stage = Stage.CHOICE
        self.step: ChoiceStep | None = None
        self._see()
        self._settle()

    @property
    def latest(self) -> SharedKeyboard:
        """The last rematch, or this game if there was none."""
        return self._again.latest if self._again else self

    @property
    def path(self) -> tuple[str, ...]:
        """The keys chosen so far."""
        return self.step.path if self.step else ()

    def name(self, seat: int) -> str:
        return self._words.seat(seat)

    def log(self) -> tuple[str, ...]:
        """Return the whole log, as far as the viewer saw it."""
        return self.sitting.log(self.viewer, self._language)

    # ---- current player

    def _settle(self) -> None:
        """Find the next stage."""
        self.step = None
        decision = self.sitting.decision
        if self.moment.ended is not None:
            self.stage = Stage.END
        elif self.sitting.asks_bot():
            self.stage = Stage.BOTS
        else:
            # The seat that must decide, also where its name is not shown to others.
            deciding = None if decision is None else decision.seat
            if self.viewer == deciding or not self._secret:
                self._look(deciding)
            else:
                self.coming = deciding
                self.stage = Stage.HAND_OVER if self.viewer is None else Stage.OVER

    def _look(self, seat: int | None) -> None:
        if seat != self.viewer:
            self.viewer = seat
            self._see()
        self.stage = Stage.CHOICE
        step = self.moment.choice
        self.step = self._beyond(step) if step else None

    def _see(self) -> None:
        self._kept: Chooser | None = None
        self.moment = self.sitting.moment(self.viewer, self._language)
        self.news = self.moment.log

    def go_on(self) -> None:
        """Clear the screen or show it to the next viewer, depending on the stage."""
        if self.stage is Stage.OVER:
            self.stage, self.viewer = Stage.HAND_OVER, None
        elif self.stage is Stage.HAND_OVER:
            coming, self.coming = self.coming, None
            self._look(coming)

    def advance(self) -> None:
        """Let a bot decide while the stage is `BOTS`."""
        self.sitting.advance(1)
        self._see()
        self._settle()

    # ---- choosing

    @property
    def _seat(self) -> int:
        assert self.viewer is not None, "who chooses looks"
        return self.viewer

    @property
    def _chooser(self) -> Chooser:
        if self._kept is None:
            sitting = self.sitting
            self._kept = Chooser(sitting.rules, sitting.game, self._words, self._seat)
        return self._kept

    def take(self, path: tuple[str, ...], complete: bool) -> None:
        """Follow a path; make a complete choice and store it on disk."""
        if not complete:
            self.step = self._beyond(self._chooser.step(path))
            return
        choice = self._chooser.choice(path)
        assert choice is not None, "the path is complete"
        self.sitting.choose(self._seat, choice, bots_at_most=0)
        self._see()
        self._settle()

    def _beyond(self, step: ChoiceStep) -> ChoiceStep:
        """Return the first step from here with more than one option."""
        while _leaves_no_choice(step):
            step = self._chooser.step((*step.path, step.options[0].key))
        return step

    def further(self, first: int) -> ChoiceStep:
        """Return this step with its options starting at `first`."""
        return self._chooser.step(self.path, first)

    def back(self) -> bool:
        """Undo the last step of a choice; False if there is none."""
        path = self.path
        while path:
            path = path[:-1]
            step = self._chooser.step(path)
            if not _leaves_no_choice(step):
                self.step = step
                return True
        return False

    def narrow(self, text: str) -> ChoiceStep:
        """Return the options of this step that match a text, best first."""
        return self._chooser.narrow(text, self.path)

    def completions(self, text: str) -> tuple[str, ...]:
        """Return completions of a text: next words, or ends of its last word."""
        return self._chooser.completions(text, self.path)

    def hint(self) -> str:
        """Return a bot's suggestion, in words."""
        return self.sitting.advise(self._seat).told(self._chooser)

    def values(self) -> list[str]:
        """Return what a bot thinks of each option, the best first, in words."""
        return self.sitting.advise(self._seat).values(self._chooser)

    def why(self, option: StepOption | None) -> WhyMove:
        """Explain why an option, or else the choice so far, is legal or illegal."""
        path = (*self.path, *((option.key,) if option else ()))
        asked: Choice | tuple[str, ...] | None = None
        with suppress(NoSuchChoice):
            asked = self._chooser.choice(path)
        asked = path if asked is None else asked
        sitting = self.sitting
        return why(sitting.rules, sitting.game, self._words, self._seat, asked)

    # ---- undo

    def undo(self, *, whole_turn: bool = False) -> bool:
        """Undo the viewer's decision or turn; False if that is not allowed."""
        sitting = self.sitting
        return self._done(sitting.restart_turn if whole_turn else sitting.undo)

    def can_ask_undo(self) -> bool:
        """Return whether the viewer made a decision that could be undone."""
        return self.viewer is not None and self.sitting.can_ask_undo(self.viewer)

    def undo_agreed(self) -> bool:
        """Undo what needs everyone's consent, given at the keyboard."""

        def agree(seat: int) -> None:
            if not self.sitting.ask_undo(seat):
                for other in self.sitting.seated.people:
                    if other != seat:
                        self.sitting.agree_undo(other)

        return self._done(agree)

    def _done(self, take_back: Callable[[int], object]) -> bool:
        if self.viewer is None:
            return False
        try:
            take_back(self.viewer)
        except NotNow:
            return False
        self._see()
        self._settle()
        return True

    def rematch(self) -> SharedKeyboard:
        """Return a keyboard for another game at the same table."""
        self.sitting.close()
        sitting = self.sitting.rematch(self._another())
        self._again = SharedKeyboard(sitting, self._language, self._another)
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


def _leaves_no_choice(step: ChoiceStep) -> bool:
    """Return whether a step has only one option, which chooses nothing."""
    return step.total == 1 and not step.closed and not step.options[0].complete
