"""What may be taken back: choices of one seat, as far as nothing came out by them.

Between two decisions lies a *barrier* if chance was used, if some seat learned what it
did not see before, or if another seat decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import TypeAlias

from houserule.base.frozen import frozen, slotted
from houserule.base.resources import Phrases
from houserule.engine.compiled.bots.route import Track
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import Visibility

Turn: TypeAlias = tuple[tuple[str, int, int], ...]


class NotNow(ValueError):
    """What a seat wants is not possible at this moment; nothing has changed.

    Example:
        >>> sitting = houserule.load("nim").table().sit("ann,bob")
        >>> try:
        ...     sitting.undo(0)
        ... except houserule.NotNow as reason:
        ...     print(reason.text("de"))
        Es gibt nichts, was du allein zurücknehmen darfst.
    """

    def __init__(self, phrase: str, **parts: str | int) -> None:
        self._phrase, self._parts = phrase, parts
        super().__init__(self.text("en"))

    def text(self, language: str) -> str:
        """Return why it is not possible, as a sentence in a language."""
        return Phrases("seat", language).say(self._phrase, **self._parts)


@frozen
class Made:
    """A choice that stands, and who made it where."""

    seat: int
    site: str
    choice: Choice


@frozen
class OpenChoice:
    """A choice that its seat may take back, with a copy of the game before it."""

    before: ReferenceGame
    seat: int
    choice: Choice

    @property
    def turn(self) -> Turn:
        """The turn that it was made in."""
        return turn_of(self.before)


def turn_of(game: ReferenceGame) -> Turn:
    """Return which turn it is: the outermost phase in which a seat acts, by its item.

    Where there is none, the whole game is one turn.
    """
    stack, phases = game.machine.stack, game.engine.flow.phases
    acting = (
        depth
        for depth, act in enumerate(stack)
        if phases[act.phase].acts and act.items is not None
    )
    depth = next(acting, 0)
    return tuple((act.phase, act.index, act.passes) for act in stack[: depth + 1])


class OpenChoices:
    """The last choices of one seat with no barrier behind the first of them."""

    def __init__(self) -> None:
        self._choices: list[OpenChoice] = []

    def add(self, made: OpenChoice, after: ReferenceGame, *, bot: bool = False) -> None:
        """Note a choice that led to `after`; a `bot` takes none back."""
        if bot or came_out(made.before, after):
            self._choices.clear()
            return
        if self._choices and self._choices[-1].seat != made.seat:
            self._choices.clear()
        self._choices.append(made)

    def copy(self) -> OpenChoices:
        """Return another that has the same choices."""
        made = OpenChoices()
        made._choices = list(self._choices)
        return made

    def clear(self) -> None:
        """Forget them all."""
        self._choices.clear()

    def drop(self, count: int) -> None:
        """Forget so many choices, at least one, that were taken back."""
        del self._choices[-count:]

    def last(self, seat: int) -> tuple[OpenChoice, ...]:
        """Return the last choice if the seat may take it back, else nothing."""
        own = self._choices and self._choices[-1].seat == seat
        return tuple(self._choices[-1:]) if own else ()

    def of_turn(self, seat: int, now: ReferenceGame) -> tuple[OpenChoice, ...]:
        """Return what a seat takes back to start its turn again, first choice first.

        Its turn is the one under way if it has to decide, else that of its last choice.
        """
        if not self.last(seat):
            return ()
        asked = now.decision is not None and now.decision.seat == seat
        turn = turn_of(now) if asked else self._choices[-1].turn
        first = len(self._choices)
        while first and self._choices[first - 1].turn == turn:
            first -= 1
        return tuple(self._choices[first:])


@slotted
class Decided:
    """What was decided in a game and stands.

    Attributes:
        made: the choices.
        open: those of them that a seat may take back alone.
        track: how the game came to where it is, within an effect.
        moment: stands for where the game is: another one whenever it comes elsewhere.
    """

    made: list[Made] = field(default_factory=list)
    open: OpenChoices = field(default_factory=OpenChoices)
    track: Track = field(default_factory=Track)
    moment: object = field(default_factory=object)

    def note(
        self,
        before: ReferenceGame,
        choice: Choice,
        after: ReferenceGame,
        *,
        bot: bool = False,
    ) -> None:
        """Note a choice, with the games before it, not to be played on, and after."""
        decision = before.decision
        assert decision is not None, "there was a choice here"
        self.made.append(Made(decision.seat, decision.site, choice))
        self.open.add(OpenChoice(before, decision.seat, choice), after, bot=bot)
        self.track.note(before, choice)
        self.moment = object()

    def back_to(self, game: ReferenceGame, stand: int) -> None:
        """Let only so many choices stand: the game is as it was then."""
        if stand < len(self.made):
            self.open.drop(len(self.made) - stand)
            del self.made[stand:]
            self.track.back_to(game)
            self.moment = object()

    def replayed(self, now: ReferenceGame, stand: int) -> ReferenceGame:
        """Return the game as it was when so many choices stood; its way is noted."""
        seed, number = now.machine.seed, now.machine.game_number
        game = ReferenceGame.start(now.program, seed, number, listen=True)
        self.track = Track()
        for each in self.made[:stand]:
            self.track.keep(game, each.choice)
            game.carry_out(each.choice)
        return game

    def apart(self, game: ReferenceGame) -> Decided:
        """Return the same for a thread that goes on from the game on its own copy."""
        track = self.track.apart(game)
        return Decided(list(self.made), track=track, moment=self.moment)

    def copy(self) -> Decided:
        """Return another that has the same choices."""
        made, track = list(self.made), self.track.copy()
        return Decided(made, self.open.copy(), track, self.moment)


def came_out(before: ReferenceGame, after: ReferenceGame) -> bool:
    """Say whether chance was used between two states, or some seat learned something.

    A seat learns when it sees a thing, a face or a cell that it did not see before.
    """
    old, new = before.machine.store, after.machine.store
    if old.streams != new.streams:
        return True
    program, evaluator = before.program, before.engine.evaluator
    saw = Visibility.of_all(program, evaluator, old)
    sees = Visibility.of_all(program, evaluator, new)
    return any(_learned(*eyes) for eyes in zip(saw, sees, strict=True))


def _learned(was: Visibility, now: Visibility) -> bool:
    program, new = now.program, now.store
    cells = (
        now.cell(name, index) and not was.cell(name, index)
        for name, state in program.states.items()
        if state.seen is not None
        for index in range(len(new.cells[name]))
    )
    faces = (
        now.face(kind, die) and not was.face(kind, die)
        for kind, faces in new.faces.items()
        if program.components[kind].seen is not None
        for die in range(len(faces))
    )
    hiding = {zone.member.name for zone in program.zones.values() if zone.seen}
    things = (
        now.thing(kind, item) and not was.thing(kind, item)
        for kind in sorted(hiding)
        for item in range(len(new.where[kind]))
    )
    return any(cells) or any(faces) or any(things)


@frozen
class UndoAsked:
    """A seat wants to take back more than it may alone.

    Attributes:
        stand: how many choices would still stand.
        agreed: who has agreed so far.
    """

    by: int
    stand: int
    agreed: frozenset[int] = frozenset()

    def silent(self, people: Iterable[int]) -> frozenset[int]:
        """Return who of the people at the table has not answered yet."""
        return frozenset(people) - {self.by} - self.agreed


def wanted(asked: UndoAsked | None) -> UndoAsked:
    """Return what somebody wants to take back; else `NotNow`: nothing was asked."""
    if asked is None:
        raise NotNow("nothing_asked")
    return asked
