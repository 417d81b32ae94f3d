"""One keyboard that people share: who looks now, and how far the choice is made.

Full screen and line mode both stand on it; it draws nothing.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from houserule.seat.model import ChoiceStep, Moment, StepOption, WhyMove


class Host(Protocol):
    """The sitting, as far as a face needs it. Texts are in the language of `open`."""

    @property
    def people(self) -> tuple[int, ...]:
        """The seats where people sit."""

    @property
    def secret(self) -> bool:
        """Whether a seat may ever see what another may not."""

    @property
    def bots_turn(self) -> bool:
        """Whether a bot has to decide before anybody else."""

    def name(self, seat: int) -> str:
        """Return what a seat is called."""

    def moment(self, viewer: int | None) -> Moment:
        """Return what a seat sees; news is what came since it decided last."""

    def step(self, seat: int, path: tuple[str, ...], first: int = 0) -> ChoiceStep:
        """Return how a choice can go on; many options from the one at `first` on."""

    def narrow(self, seat: int, text: str, path: tuple[str, ...]) -> ChoiceStep:
        """Return the options that a text may mean, best first."""

    def completions(
        self, seat: int, text: str, path: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Return words that may come next in a text, or end its last word."""

    def choose(self, seat: int, path: tuple[str, ...]) -> None:
        """Make a choice, which is on disk when this returns."""

    def advance(self) -> None:
        """Let one bot decide once."""

    def undo(self, seat: int) -> bool:
        """Take the seat's last decision back; False where it may not."""

    def restart_turn(self, seat: int) -> bool:
        """Go back to where the seat's turn began; False where it may not."""

    def can_ask_undo(self, seat: int) -> bool:
        """Say whether the seat has decided anything that could be taken back."""

    def undo_agreed(self, seat: int) -> bool:
        """Take back what needs everybody's word, which was given."""

    def hint(self, seat: int) -> str:
        """Return what a bot would do, in words."""

    def why(self, seat: int, path: tuple[str, ...]) -> WhyMove:
        """Return why a choice can be made or not."""

    def log(self, viewer: int | None) -> tuple[str, ...]:
        """Return the whole tale, as far as the viewer could notice it."""

    def rematch(self) -> Host:
        """Return a new sitting at the same table."""


class Stage(Enum):
    """What the keyboard waits for."""

    CHOICE = "choice"
    """The one who looks chooses."""
    BOTS = "bots"
    """A bot thinks: `advance` goes on."""
    OVER = "over"
    """The one who looks has seen what came of it; then the screen is cleared."""
    HAND_OVER = "hand over"
    """The screen is clear until the next one says that only he looks."""
    END = "end"
    """The game has ended."""


class SharedKeyboard:
    """Goes through a game at one keyboard.

    Attributes:
        host: the sitting; a rematch is another one.
        viewer: the seat that looks; None before anybody did.
        coming: the seat that looks next, where the keyboard changes hands.
        moment: what the viewer sees.
        step: how his choice can go on; None if he has none.
        news: what happened since his last choice.
    """

    def __init__(self, host: Host) -> None:
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

    # ---- whose keyboard it is

    def _settle(self) -> None:
        """Find out what to wait for after something happened."""
        self.step = None
        if self.moment.ended is not None:
            self.stage = Stage.END
        elif self.host.bots_turn:
            self.stage = Stage.BOTS
        else:
            deciding = [seat for seat in self.moment.acting if seat in self.host.people]
            if self.viewer in deciding:
                self._look(self.viewer)
            elif not self.host.secret or len(self.host.people) < 2:
                self._look(deciding[0])
            else:
                self.coming = deciding[0]
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
        """Clear the screen, or show it to the next one, as the stage is."""
        if self.stage is Stage.OVER:
            self.stage, self.viewer = Stage.HAND_OVER, None
        elif self.stage is Stage.HAND_OVER:
            coming, self.coming = self.coming, None
            self._look(coming)

    def advance(self) -> None:
        """Let a bot decide, while the stage is `BOTS`."""
        self.host.advance()
        self._see()
        self._settle()

    # ---- choosing

    def take(self, path: tuple[str, ...], complete: bool) -> None:
        """Go on along a path; one that is complete is chosen, and kept on disk."""
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
        """Return the first step from here on that leaves more than one way to go."""
        assert self.viewer is not None
        while _leaves_no_choice(step):
            path = (*step.path, step.options[0].key)
            step = self.host.step(self.viewer, path)
        return step

    def further(self, first: int) -> ChoiceStep:
        """Return this step with its options from the one at `first` on."""
        assert self.viewer is not None
        return self.host.step(self.viewer, self.path, first)

    def back(self) -> bool:
        """Take back the last part of a choice; False where none was made."""
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
        """Return the options of this step that a text may mean."""
        assert self.viewer is not None
        return self.host.narrow(self.viewer, text, self.path)

    def completions(self, text: str) -> tuple[str, ...]:
        """Return words that may come next in a text, or end its last word."""
        assert self.viewer is not None
        return self.host.completions(self.viewer, text, self.path)

    def why(self, option: StepOption | None) -> WhyMove:
        """Return why an option can be chosen or not; of none the choice so far."""
        assert self.viewer is not None
        more = (option.key,) if option else ()
        return self.host.why(self.viewer, (*self.path, *more))

    # ---- taking back

    def undo(self, *, whole_turn: bool = False) -> bool:
        """Take the viewer's decision, or his turn, back; False where he may not."""
        if self.viewer is None:
            return False
        way = self.host.restart_turn if whole_turn else self.host.undo
        if not way(self.viewer):
            return False
        self._after()
        return True

    def can_ask_undo(self) -> bool:
        """Say whether the viewer has decided anything that could be taken back."""
        return self.viewer is not None and self.host.can_ask_undo(self.viewer)

    def undo_agreed(self) -> bool:
        """Take back what everybody agreed to take back."""
        if self.viewer is None or not self.host.undo_agreed(self.viewer):
            return False
        self._after()
        return True

    def rematch(self) -> SharedKeyboard:
        """Return a keyboard for another game at the same table."""
        return SharedKeyboard(self.host.rematch())


def _leaves_no_choice(step: ChoiceStep) -> bool:
    """Say whether nothing is chosen by the only option of a step."""
    return step.total == 1 and not step.closed and not step.options[0].complete
