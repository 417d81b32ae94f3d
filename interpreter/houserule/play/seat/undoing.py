"""Undo: the choices of one seat since the last barrier.

Between two decisions there is a *barrier* if random numbers were used, if some seat
learned something, if another seat decided, or if all have chosen at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen, slotted
from houserule.base.resources import Phrases
from houserule.engine.compiled.bots.route import Track
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.view import Visibility

Turn: TypeAlias = tuple[tuple[str, int, int], ...]


class NotNow(ValueError):
    """The action is not possible at this moment; nothing has changed.

    Example:
        >>> sitting = houserule.load("nim").table().sit("ann,bob")
        >>> try:
        ...     sitting.undo(0)
        ... except houserule.NotNow as reason:
        ...     print(reason.text("de"))
        Ohne die anderen kannst du nichts zurücknehmen.
    """

    def __init__(self, phrase: str, **parts: str | int) -> None:
        self._phrase, self._parts = phrase, parts
        super().__init__(self.text("en"))

    def text(self, language: str) -> str:
        """Return why it is not possible, as a sentence in a language."""
        return Phrases("seat", language).say(self._phrase, **self._parts)


@frozen
class Made:
    """A standing choice, with its seat and its decision."""

    seat: int
    site: str
    choice: Choice


@frozen
class OpenChoice:
    """A choice that its seat may undo, with a copy of the game before it."""

    before: ReferenceGame
    seat: int
    choice: Choice

    @property
    def turn(self) -> Turn:
        return turn_of(self.before)


def turn_of(game: ReferenceGame) -> Turn:
    """Return the current turn: the outermost phase in which a seat acts, by its item.

    Without such a phase, the whole game is one turn.
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
    """The last choices of one seat, with no barrier between the first and now."""

    def __init__(self) -> None:
        self._choices: list[OpenChoice] = []

    def add(self, made: OpenChoice, after: ReferenceGame, *, bot: bool = False) -> None:
        """Add a choice that led to `after`; a `bot` undoes none."""
        if bot or came_out(made.before, after) or all_chosen(made.before, after):
            self._choices.clear()
            return
        if self._choices and self._choices[-1].seat != made.seat:
            self._choices.clear()
        self._choices.append(made)

    def copy(self) -> OpenChoices:
        made = OpenChoices()
        made._choices = list(self._choices)
        return made

    def clear(self) -> None:
        self._choices.clear()

    def drop(self, count: int) -> None:
        """Forget the last `count` choices, at least one, after an undo."""
        del self._choices[-count:]

    def last(self, seat: int) -> tuple[OpenChoice, ...]:
        """Return the last choice if the seat may undo it, else nothing."""
        own = self._choices and self._choices[-1].seat == seat
        return tuple(self._choices[-1:]) if own else ()

    def of_turn(self, seat: int, now: ReferenceGame) -> tuple[OpenChoice, ...]:
        """Return the choices that restart a seat's turn, the first choice first.

        It is the current turn if the seat must decide, otherwise that of its last
        choice.
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
    """The standing decisions of a game.

    Attributes:
        open: the choices that a seat may undo alone.
        track: the game's way to the current state, within an effect.
        moment: identifies the game's state: a new object after each change.
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
        """Note a choice, with the games before and after it, which stay unchanged."""
        decision = before.decision
        assert decision is not None, "there was a choice here"
        self.made.append(Made(decision.seat, decision.site, choice))
        self.open.add(OpenChoice(before, decision.seat, choice), after, bot=bot)
        self.track.note(before, choice)
        self.moment = object()

    def back_to(self, game: ReferenceGame, stand: int) -> None:
        """Keep only the first `stand` choices: `game` is the state after them."""
        if stand < len(self.made):
            self.open.drop(len(self.made) - stand)
            del self.made[stand:]
            self.track.back_to(game)
            self.moment = object()

    def replayed(self, now: ReferenceGame, stand: int) -> ReferenceGame:
        """Return the game after `stand` choices, and track its way."""
        seed, number = now.machine.seed, now.machine.game_number
        game = ReferenceGame.start(now.program, seed, number, listen=True)
        self.track = Track()
        for each in self.made[:stand]:
            self.track.keep(game, each.choice)
            game.carry_out(each.choice)
        return game

    def apart(self, game: ReferenceGame) -> Decided:
        """Return a copy for a thread that continues on its own copy of the game."""
        track = self.track.apart(game)
        return Decided(list(self.made), track=track, moment=self.moment)

    def copy(self) -> Decided:
        """Return a copy with the same choices."""
        made, track = list(self.made), self.track.copy()
        return Decided(made, self.open.copy(), track, self.moment)


def all_chosen(before: ReferenceGame, after: ReferenceGame) -> bool:
    """Return whether a choice was the last one where all choose at once.

    Then what the others have chosen takes effect.
    """
    act, now = before.machine.stack[-1], after.machine.stack
    if before.decision is None or before.decision.kind != "act":
        return False
    if not before.engine.flow.phases[act.phase].together:
        return False
    asking = [each for each in now if each.phase == act.phase and each.resolved < 0]
    return not any(len(each.chosen) > len(act.chosen) for each in asking)


def came_out(before: ReferenceGame, after: ReferenceGame) -> bool:
    """Return whether chance was used between two states, or a seat learned something.

    A seat learns if it sees a component, a face or a cell that it did not see before.
    """
    old, new = before.machine.store, after.machine.store
    if old.streams != new.streams:
        return True
    program, evaluator = before.program, before.engine.evaluator
    cells = [
        (name, index)
        for name, state in program.states.items()
        if state.seen is not None and not ir.is_kept(name)
        for index in range(len(new.cells[name]))
    ]
    dice = [
        (kind, die)
        for kind, faces in new.faces.items()
        if program.components[kind].seen is not None
        for die in range(len(faces))
    ]
    hiding = {zone.member.name for zone in program.zones.values() if zone.seen}
    things = [(k, item) for k in sorted(hiding) for item in range(len(new.where[k]))]
    return any(
        any(now.cell(*each) and not was.cell(*each) for each in cells)
        or any(now.face(*each) and not was.face(*each) for each in dice)
        or any(now.thing(*each) and not was.thing(*each) for each in things)
        for was, now in zip(
            Visibility.of_all(program, evaluator, old),
            Visibility.of_all(program, evaluator, new),
            strict=True,
        )
    )


@frozen
class UndoAsked:
    """A seat asks to undo more than it may alone.

    Attributes:
        stand: how many choices would remain.
    """

    by: int
    stand: int
    agreed: frozenset[int] = frozenset()

    def silent(self, people: Iterable[int]) -> frozenset[int]:
        """Return the people at the table who have not answered yet."""
        return frozenset(people) - {self.by} - self.agreed


def wanted(asked: UndoAsked | None) -> UndoAsked:
    """Return the pending undo request; without one, raise `NotNow`."""
    if asked is None:
        raise NotNow("nothing_asked")
    return asked
