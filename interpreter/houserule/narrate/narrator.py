"""Narration: the events of a game as lines, who did what and what came of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, cast

from houserule.bots.greedy import key_value
from houserule.diagnostics.wording import sentence
from houserule.engine.choices import Event
from houserule.ir import ReadCell
from houserule.ir.walk import beneath
from houserule.narrate.outline import STRUCTURE, Outline
from houserule.narrate.sentences import Sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from houserule.engine.play.game import ReferenceGame
    from houserule.ir import ReactionDef
    from houserule.ir.types import Data
    from houserule.narrate.boards.boards import Boards
    from houserule.narrate.sentences import Lying
    from houserule.narrate.wording import Wording


class Narrator:
    """Narrates a game from its events, as they happen.

    What happens stands beneath the round, the player in turn and the action that it
    belongs to. A heading that nothing stands beneath is left out, but for rounds and
    turns. Moves of several things between the same two places are one line.
    """

    def __init__(self, wording: Wording, boards: Boards | None = None) -> None:
        self._words, self._boards = wording, boards
        self._program = wording.program
        self._sentences = Sentences(wording)
        self._outline = Outline(wording.program)
        self._passes: Counter[str] = Counter()
        self._moves: dict[tuple[str, Lying | None, Lying], list[int]] = {}
        self._watched = self._score_states()
        self._game: ReferenceGame | None = None
        self._live = False  # events are heard as they happen, not afterwards
        self._lines: list[str] = []
        self._waiting: dict[int, str] = {}
        self._captions: dict[str, str] = {}  # of reactions under way, by name
        self._level = 0
        self._turns: dict[str, object] = {}
        self._standings: str | None = None

    def _score_states(self) -> frozenset[str]:
        """Return the states that the winning keys read directly."""
        keys = self._program.winning_keys
        return frozenset(
            node.state for node in beneath(*keys) if isinstance(node, ReadCell)
        )

    def news(self, game: ReferenceGame) -> Iterator[str]:
        """Yield lines for what happened since the last call.

        The first call narrates how the game began, and listens from then on. Scores are
        narrated with each new round, boards when they are due.
        """
        if self._game is not game:
            self._game = game
            self._standings = self.scores(game)
            for event in list(game.events):
                self._hear(event)
            game.machine.events = HeardEvents(game.events, self._hear)
            self._live = True
        yield from self._drained()

    def lines(self, events: Iterable[Event]) -> Iterator[str]:
        """Yield the lines of some events, in order."""
        for event in events:
            self._narrate(event)
        yield from self._drained()

    def scores(self, game: ReferenceGame) -> str | None:
        """Return the first winning key of every seat as a line, if there is one."""
        if not self._program.winning_keys:
            return None
        seats = range(self._program.seats)
        return self._scored([key_value(game, 0, seat) for seat in seats])

    def _scored(self, scores: Sequence[Data]) -> str:
        shown = (
            f"{self._words.seat(seat)} {score}" for seat, score in enumerate(scores)
        )
        return self._words.say("scores", scores=", ".join(shown))

    # ---- hearing

    def _hear(self, event: Event) -> None:
        assert self._game is not None, "only a game that is attended is heard"
        due = self._boards.due(event) if self._boards else []
        if event.kind == "end":
            self._narrate(event)
        if due and self._boards:
            self._flush()
            self._draw(list(self._boards.drawn(due, self._game)))
        if self._begins_round(event):
            self._write_standings(self._game)
        if event.kind != "end":
            self._narrate(event)

    def _draw(self, lines: list[str]) -> None:
        """Add boards; between two of them stands one empty line."""
        doubled = bool(lines and self._lines and not self._lines[-1])
        self._lines += lines[doubled:]

    def _begins_round(self, event: Event) -> bool:
        return event.kind == "item" and self._passes[event.address] > 0

    def _write_standings(self, game: ReferenceGame) -> None:
        """Narrate the scores, if they have changed since the last time."""
        standings = self.scores(game)
        if standings is not None and standings != self._standings:
            self._write(0, standings)
            self._standings = standings

    def _drained(self) -> Iterator[str]:
        self._flush()
        lines, self._lines = self._lines, []
        yield from lines

    # ---- lines and headings

    def _write(self, level: int, text: str) -> None:
        """Add a line, behind the moves gathered before; an empty text is none."""
        self._flush()
        if text:
            self._add(level, text)

    def _add(self, level: int, text: str) -> None:
        """Add a line beneath the headings that wait for something to stand there."""
        for above in sorted(self._waiting):
            if above < level:
                self._lines.append("  " * above + self._waiting[above])
        self._waiting.clear()
        self._lines.append("  " * level + text)

    def _head(self, level: int, text: str) -> None:
        """Note a heading that is printed with the first line beneath it."""
        for each in [each for each in self._waiting if each >= level]:
            del self._waiting[each]
        self._waiting[level] = sentence(text)

    # ---- one event

    def _narrate(self, event: Event) -> None:
        """Narrate an event; things that move are gathered till the next line."""
        if event.kind in STRUCTURE:
            self._flush()
            self._captions.clear()
        elif event.kind not in {"clause", "reacted"}:
            self._write_captions()
        match event.kind:
            case "phase":
                self._phase(event.address)
            case "item":
                self._item(event)
            case "step":
                self._step(event)
            case "action":
                self._action(event)
            case "move":
                self._gather(event)
            case "clause":
                self._clause(event)
            case "reacted":
                self._captions.pop(event.address, None)
            case "end":
                self._write(0, self._sentences.end(event))
            case "done":
                who = self._words.seat(cast("int", event.data[0]))
                level = self._outline.level(event.address)
                self._write(level, self._words.say("done", who=who))
            case _:
                text = self._sentence(event)
                if text is not None:
                    self._write(self._level, text)

    def _sentence(self, event: Event) -> str | None:
        match event.kind:
            case "roll":
                return self._sentences.roll(event, self._faces(event))
            case "cell" if not self._is_narrated(cast("str", event.data[0])):
                return None
            case _:
                return self._sentences.event(event)

    def _faces(self, event: Event) -> Sequence[int]:
        """Return what the dice show that lie with those rolled, if heard live."""
        if not self._live or self._game is None:
            return ()
        kind, rolled = cast("tuple[str, tuple[int, ...]]", event.data[:2])
        store = self._game.machine.store
        where = store.where[kind]
        here = {where[die] for die in rolled}
        return [
            face
            for face, lies in zip(store.faces[kind], where, strict=True)
            if lies in here
        ]

    def _is_narrated(self, state: str) -> bool:
        return state in self._watched or self._words.text("messages", state) is not None

    def _phase(self, name: str) -> None:
        phase = self._outline.phase(name)
        if phase is None:
            return
        self._turns.pop(name, None)
        self._level = self._outline.level(name)
        if self._outline.named(name):
            self._head(self._level - 1, self._words.flow(name))

    def _item(self, event: Event) -> None:
        phase = self._outline.phase(event.address)
        if phase is None:
            return
        name, above = phase.name, self._outline.level(phase.name) - 1
        self._level = above + 1
        if phase.together:
            self._write(above, sentence(self._words.flow(name)))
        elif phase.acts and not self._outline.in_turn(name):
            seat = cast("int", event.data[0])
            again = self._turns.get(name) == seat
            self._turns[name] = seat
            who = self._words.seat(seat)
            self._write(above, self._words.say("again" if again else "turn", who=who))
        elif self._outline.is_round(name):
            self._passes[name] += 1
            title = sentence(self._words.flow(name))
            number = self._passes[name]
            self._write(above, self._words.say("pass", phase=title, number=number))

    def _step(self, event: Event) -> None:
        """Begin an automatic step; outside turns it has a heading of its own."""
        name = event.address
        phase = self._outline.phase(self._program.steps[name].phase)
        if phase is None:
            return
        self._level = self._outline.level(phase.name)
        known = self._sentences.known_in(name, cast("Sequence[Data]", event.data))
        if self._outline.acted(phase.name):
            self._write_message(name, known)
            return
        if not self._write_message(name, known):
            self._head(self._level, self._words.flow(name))
        self._level += 1

    def _action(self, event: Event) -> None:
        phase, _ = self._outline.place(event)
        level = self._outline.level(phase)
        self._write(level, self._sentences.action(event))
        self._level = level + 1

    def _clause(self, event: Event) -> None:
        """Narrate a clause, and with its first one the effect or reaction it is of.

        They have messages, or are silent; a house rule's reaction without any is told
        by its caption.
        """
        address, program = event.address, self._program
        if address in program.steps:
            return
        owner = address.partition(".")[0]
        known = self._sentences.known_in(owner, cast("Sequence[Data]", event.data[0]))
        reaction = program.reactions.get(owner)
        effect = reaction or program.effects.get(owner)
        first = effect is not None and address == effect.does[0].address
        told = first and self._write_message(owner, known)
        told = self._write_message(address, known) or told
        if first and reaction is not None and not told:
            self._caption(reaction)

    def _write_message(self, name: str, known: Mapping[str, str]) -> bool:
        """Write the message about something, if there is one; say whether there is."""
        text = self._sentences.message(name, known)
        if text is not None:
            self._write(self._level, text)
        return text is not None

    # ---- captions of reactions

    def _caption(self, reaction: ReactionDef) -> None:
        """Note the caption of a reaction without a message, till something comes of it.

        What takes the place of something else is narrated in any case.
        """
        parts = (each.address for each in reaction.does)
        if any(self._words.text("messages", address) for address in parts):
            return
        caption = self._words.caption(reaction.name)
        if caption != reaction.name:
            self._captions[reaction.name] = caption
        if reaction.moment == "instead":
            self._write_captions()

    def _write_captions(self) -> None:
        captions, self._captions = self._captions, {}
        for caption in captions.values():
            self._write(self._level, caption)

    # ---- moves

    def _gather(self, event: Event) -> None:
        kind, thing, before, to = cast(
            "tuple[str, int, Lying | None, Lying]", event.data[:4]
        )
        if before != to:
            self._moves.setdefault((kind, before, to), []).append(thing)

    def _flush(self) -> None:
        """Narrate the moves that were gathered."""
        moves, self._moves = self._moves, {}
        for (kind, before, to), things in moves.items():
            self._add(self._level, self._sentences.moved(kind, things, before, to))


class HeardEvents(list[Event]):
    """The events of a game; each new one is passed on when it happens.

    The state is then still that of the event. Several may hear one game; copies of the
    game are not heard.
    """

    def __init__(self, events: Iterable[Event], hear: Callable[[Event], None]) -> None:
        super().__init__(events)
        heard = events._hear if isinstance(events, HeardEvents) else ()
        self._hear: tuple[Callable[[Event], None], ...] = (*heard, hear)

    def append(self, event: Event, /) -> None:
        """Keep an event and pass it on."""
        super().append(event)
        for hear in self._hear:
            hear(event)
