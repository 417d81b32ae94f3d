"""One shared keyboard: the current viewer, and the progress of a choice.

Full screen and line mode both use it; it draws nothing.
"""

from __future__ import annotations

from enum import Enum

from houserule.play.seat.seat_model import ChoiceStep, StepOption, WhyMove
from houserule.ui.terminal.hosting import SittingHost


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

    Attributes:
        host: the session; a rematch is a different one.
        viewer: the current viewer's seat; None at first.
        coming: the next viewer's seat, if the keyboard changes hands.
        step: the next step of the viewer's choice; None if there is none.
        news: events since the viewer's last choice.
    """

    def __init__(self, host: SittingHost) -> None:
        self.host = host
        self.viewer: int | None = None
        self.coming: int | None = None
        self.stage = Stage.CHOICE
        self.step: ChoiceStep | None = None
        self.news: tuple[str, ...] = ()
        people = host.people
        if len(people) == 1 or not (people and host.secret):
            self.viewer = people[0] if len(people) == 1 else None
        self.moment = host.moment(self.viewer)
        self.news = self.moment.log
        self._settle()

    @property
    def path(self) -> tuple[str, ...]:
        """The keys chosen so far."""
        return self.step.path if self.step else ()

    # ---- current player

    def _settle(self) -> None:
        self.step = None
        if self.moment.ended is not None:
            self.stage = Stage.END
        elif self.host.bots_turn:
            self.stage = Stage.BOTS
        else:
            deciding = self.host.asked
            if self.viewer == deciding:
                self._look(self.viewer)
            elif not self.host.secret or len(self.host.people) < 2:
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
        self.moment = self.host.moment(self.viewer)
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
        self.host.advance()
        self._see()
        self._settle()

    # ---- choosing

    def take(self, path: tuple[str, ...], complete: bool) -> None:
        """Follow a path; make a complete choice and store it on disk."""
        assert self.viewer is not None
        if not complete:
            self.step = self._beyond(self.host.step(self.viewer, path))
            return
        self.host.choose(self.viewer, path)
        self._after()

    def _after(self) -> None:
        self._see()
        self._settle()

    def _beyond(self, step: ChoiceStep) -> ChoiceStep:
        """Return the first step from here with more than one option."""
        assert self.viewer is not None
        while _leaves_no_choice(step):
            path = (*step.path, step.options[0].key)
            step = self.host.step(self.viewer, path)
        return step

    def further(self, first: int) -> ChoiceStep:
        """Return this step with its options starting at `first`."""
        assert self.viewer is not None
        return self.host.step(self.viewer, self.path, first)

    def back(self) -> bool:
        """Undo the last step of a choice; False if there is none."""
        path = self.path
        while path:
            assert self.viewer is not None
            path = path[:-1]
            step = self.host.step(self.viewer, path)
            if not _leaves_no_choice(step):
                self.step = step
                return True
        return False

    def narrow(self, text: str) -> ChoiceStep:
        """Return the options of this step that match a text."""
        assert self.viewer is not None
        return self.host.narrow(self.viewer, text, self.path)

    def completions(self, text: str) -> tuple[str, ...]:
        """Return completions of a text: next words, or ends of its last word."""
        assert self.viewer is not None
        return self.host.completions(self.viewer, text, self.path)

    def why(self, option: StepOption | None) -> WhyMove:
        """Explain why an option, or else the choice so far, is legal or illegal."""
        assert self.viewer is not None
        more = (option.key,) if option else ()
        return self.host.why(self.viewer, (*self.path, *more))

    # ---- undo

    def undo(self, *, whole_turn: bool = False) -> bool:
        """Undo the viewer's decision or turn; False if that is not allowed."""
        if self.viewer is None:
            return False
        way = self.host.restart_turn if whole_turn else self.host.undo
        if not way(self.viewer):
            return False
        self._after()
        return True

    def can_ask_undo(self) -> bool:
        """Return whether the viewer made a decision that could be undone."""
        return self.viewer is not None and self.host.can_ask_undo(self.viewer)

    def undo_agreed(self) -> bool:
        if self.viewer is None or not self.host.undo_agreed(self.viewer):
            return False
        self._after()
        return True

    def rematch(self) -> SharedKeyboard:
        """Return a keyboard for another game at the same table."""
        return SharedKeyboard(self.host.rematch())


def _leaves_no_choice(step: ChoiceStep) -> bool:
    """Return whether a step has only one option, which chooses nothing."""
    return step.total == 1 and not step.closed and not step.options[0].complete
