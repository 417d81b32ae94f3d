"""The narrator: turns the events of a game into lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import field
from typing import cast

from houserule import ir
from houserule.base.diagnostics.wording import sentence
from houserule.base.frozen import slotted
from houserule.engine.bots.greedy import key_value
from houserule.engine.reference.choices import Event
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import ReadCell
from houserule.ir.types import Data, Kind
from houserule.ir.walk import beneath, bodies
from houserule.play.narration.boards.boards import Boards
from houserule.play.narration.event_visibility import EventVisibility, Knows
from houserule.play.narration.hearing import hear_again, listen
from houserule.play.narration.outline import STRUCTURE, Outline
from houserule.play.narration.sentences import (
    Known,
    Lying,
    Moved,
    Running,
    Sentences,
    drawn,
)
from houserule.play.narration.visibility import ALL_KNOWING, Viewer
from houserule.play.narration.wording import Wording

Render = Callable[[Knows], str | None]
WhyOver = Callable[[ReferenceGame, Wording], str]


@slotted
class _Veiled:
    """A line with components that were hidden from the viewer when it was written.

    If the next event about such a component reveals it, the line names it.
    """

    line: int
    level: int
    render: Render
    hidden: frozenset[tuple[str, int]]
    waiting: set[tuple[str, int]]
    learned: set[tuple[str, int]] = field(default_factory=set)


class Narrator:
    """Narrates a game from its events, as they happen, for one viewer.

    Lines are below the headings of their round, turn and action. A heading without
    lines is omitted, except rounds and turns. Moves of several components between the
    same two places are one line.

    Args:
        viewer: a seat, `EVERYBODY` for what all seats saw, or `ALL_KNOWING`. No line
            names anything hidden from the viewer at that time.
        why_over: explains why a game has ended; without it, only the winner is
            narrated.
    """

    def __init__(
        self,
        wording: Wording,
        boards: Boards | None = None,
        viewer: Viewer = ALL_KNOWING,
        why_over: WhyOver | None = None,
    ) -> None:
        self._words, self._boards, self._why_over = wording, boards, why_over
        self._program = wording.program
        self._witness = EventVisibility(wording.program, viewer)
        self._sentences = Sentences(wording, self._witness)
        self._outline = Outline(wording.program)
        self._passes: Counter[str] = Counter()
        self._moves: dict[tuple[str, Lying | None, Lying], list[Moved]] = {}
        self._veiled: list[_Veiled] = []
        self._throws = Throws(wording.program)
        keys = self._program.winning_keys
        self._watched = frozenset(
            node.state for node in beneath(*keys) if isinstance(node, ReadCell)
        )
        self._game: ReferenceGame | None = None
        self._live = False  # events arrive as they happen, not later
        self._lines: list[str] = []
        self._waiting: dict[int, str] = {}
        self._captions: dict[str, str] = {}  # of running reactions, by name
        self._level = 0
        self._running: Running = ()
        self._turns: dict[str, object] = {}
        self._standings: str | None = None

    def news(self, game: ReferenceGame) -> Iterator[str]:
        """Yield lines for the events since the last call.

        The first call narrates the opening, and listens from then on. Scores are
        narrated with each new round, boards when they are due.
        """
        if self._game is not game:
            begin_together([self], game)
        self._flush()
        for each in self._veiled:
            self._lines[each.line] = "  " * each.level + self._unveiled(each)
        self._veiled.clear()
        self._witness.rest()
        lines, self._lines = self._lines, []
        yield from lines

    def hear_opening(self, game: ReferenceGame) -> None:
        """Listen to the opening of a game while it is replayed."""
        self._live = True
        self._attend(game)

    def hear_rest(self, game: ReferenceGame, late: Sequence[Event]) -> None:
        """Narrate events that were missed when they happened; listen from now on."""
        self._live = False
        if late:
            self._witness.forget()
        self._game = game
        for event in late:
            self.hear(event)
        self._listen(game)

    def fork(self) -> Narrator:
        """Return a narrator with the same history; it listens to no game yet."""
        twin = copy(self)
        twin._boards = self._boards.fork() if self._boards else None
        twin._passes, twin._turns = self._passes.copy(), self._turns.copy()
        twin._waiting, twin._captions = self._waiting.copy(), self._captions.copy()
        twin._throws = self._throws.fork()
        twin._moves, twin._veiled, twin._lines = {}, [], []
        twin._game = None
        return twin

    def go_on(self, game: ReferenceGame) -> None:
        """Listen to a copy of the game; everything before it is already narrated."""
        self._witness = EventVisibility(self._program, self._witness.viewer)
        self._sentences = Sentences(self._words, self._witness)
        self._listen(game)

    def call(self, players: Sequence[str]) -> None:
        """Rename players from here on; earlier lines keep the old names."""
        self._words = self._words.calling(players)
        self._sentences = Sentences(self._words, self._witness)
        if self._boards:
            self._boards.call(self._words)

    def _listen(self, game: ReferenceGame) -> None:
        self._attend(game)
        listen(game, self.hear)
        self._live = True

    def _attend(self, game: ReferenceGame) -> None:
        self._game = game
        self._witness.attend(game)
        if self._standings is None:
            self._standings = self.scores(game)

    def end(self, game: ReferenceGame) -> str:
        """Return why a game has ended, and who won; or why it is drawn."""
        assert game.outcome is not None, "the game is over"
        if game.outcome.kind == "drawn":
            return drawn(self._words, game.outcome.drawn_by)
        won = self._sentences.won(game.outcome.winners)
        return f"{self._why_over(game, self._words)} {won}" if self._why_over else won

    def scores(self, game: ReferenceGame) -> str | None:
        """Return the first winning key of every seat as a line.

        None if there is no such key, or if the viewer may not know it for every seat.
        """
        ranking = self._program.winning_ranking
        if not ranking.keys or not self._witness.expression(ranking.keys[0]):
            return None
        seats = range(self._program.seats)
        scores = [key_value(game, ranking, 0, seat) for seat in seats]
        shown = (
            f"{self._words.seat(seat)} {score}" for seat, score in enumerate(scores)
        )
        return self._words.say("scores", scores=", ".join(shown))

    # ---- listening

    def hear(self, event: Event) -> None:
        """Narrate an event of the attended game when it happens."""
        assert self._game is not None, "only a game that is attended is heard"
        self._witness.look(event)
        due = self._boards.due(event) if self._boards else []
        if event.kind == "end":
            self._narrate(event)
        if due and self._boards:
            self._flush()
            seen = self._witness.knowledge
            # One empty line separates two boards.
            lines = list(self._boards.drawn(due, self._game, seen))
            doubled = bool(lines and self._lines and not self._lines[-1])
            self._lines += lines[doubled:]
        if event.kind == "item" and self._passes[event.address] > 0:
            # Scores are narrated if they have changed.
            standings = self.scores(self._game)
            if standings is not None and standings != self._standings:
                self._write(0, standings)
                self._standings = standings
        if event.kind != "end":
            self._narrate(event)

    # ---- what the viewer learns only from later events

    def _tell(self, level: int, render: Render) -> bool:
        """Add a line that names what the viewer knows; return whether there is a text.

        Hidden components are named later if the next event about them reveals them.
        """
        hidden: set[tuple[str, int]] = set()

        def knows(kind: str, item: int) -> bool:
            known = self._witness.thing(kind, item)
            if not known:
                hidden.add((kind, item))
            return known

        text = render(knows)
        if text:
            self._write(level, text)
            if hidden:
                line = len(self._lines) - 1
                self._veiled.append(
                    _Veiled(line, level, render, frozenset(hidden), hidden)
                )
        return text is not None

    def _unveiled(self, line: _Veiled) -> str:
        def knows(kind: str, item: int) -> bool:
            return (kind, item) in line.learned or (kind, item) not in line.hidden

        return line.render(knows) or ""

    # ---- lines and headings

    def _write(self, level: int, text: str) -> None:
        """Add a line after the gathered moves; an empty text adds none."""
        self._flush()
        if text:
            self._add(level, text)

    def _add(self, level: int, text: str) -> None:
        """Add a line, after its headings that are not printed yet."""
        for above in sorted(self._waiting):
            if above < level:
                self._lines.append("  " * above + self._waiting[above])
        self._waiting.clear()
        self._lines.append("  " * level + text)

    def _head(self, level: int, text: str) -> None:
        """Note a heading that is printed with the first line below it."""
        for each in [each for each in self._waiting if each >= level]:
            del self._waiting[each]
        self._waiting[level] = sentence(text)

    # ---- one event

    def _narrate(self, event: Event) -> None:
        """Narrate an event; moves of components are gathered until the next line."""
        if event.kind in {"move", "show"}:  # it may reveal hidden components
            kind, shown = cast("tuple[str, int | tuple[int, ...]]", event.data[:2])
            for thing in shown if isinstance(shown, tuple) else (shown,):
                for veiled in self._veiled:
                    if (kind, thing) in veiled.waiting:
                        veiled.waiting.discard((kind, thing))
                        if self._witness.thing(kind, thing):
                            veiled.learned.add((kind, thing))
        if event.kind in STRUCTURE:
            self._flush()
            self._captions.clear()
        elif event.kind not in {"clause", "reacted"}:
            self._write_captions()
        match event.kind:
            case "phase" if (phase := self._outline.phase(event.address)) is not None:
                self._turns.pop(phase.name, None)
                self._level = self._outline.level(phase.name)
                if self._outline.named(phase.name):
                    self._head(self._level - 1, self._words.flow(phase.name))
            case "item" if (phase := self._outline.phase(event.address)) is not None:
                name, words = phase.name, self._words
                self._level = self._outline.level(name)
                above, title = self._level - 1, words.flow(name)
                if phase.name in self._program.claimed:
                    self._head(above, title)  # mostly, nobody claims
                elif phase.together:
                    self._write(above, sentence(title))
                elif phase.acts and not self._outline.in_turn(name):
                    seat = cast("int", event.data[0])
                    turn = "again" if self._turns.get(name) == seat else "turn"
                    self._turns[name] = seat
                    self._write(above, words.say(turn, who=words.seat(seat)))
                elif self._outline.is_round(name):
                    self._passes[name] += 1
                    number, called = self._passes[name], sentence(title)
                    self._write(above, words.say("pass", phase=called, number=number))
            case "step" if self._program.steps[event.address].phase:
                # An automatic step; outside turns, it has a separate heading.
                name, frame = event.address, cast("Sequence[Data]", event.data)
                phase_name = self._program.steps[name].phase
                self._level = self._outline.level(phase_name)
                told = self._write_message(name, name, frame)
                if not self._outline.acted(phase_name):
                    if not told:
                        self._head(self._level, self._words.flow(name))
                    self._level += 1
            case "action":
                level = self._outline.level(self._outline.place(event)[0])
                told = self._tell(level, lambda k: self._sentences.action(event, k))
                hushed = self._words.text("messages", event.address) == ""
                self._level = level if hushed or not told else level + 1
            case "lapsed":
                seat, first = cast("tuple[int, int]", event.data[:2])
                phrase = "lapsed_own" if self._witness.viewer == seat else "lapsed"
                if self._witness.is_seat(seat):
                    who, ahead = self._words.seat(seat), self._words.seat(first)
                    lapsed = self._words.say(phrase, who=who, first=ahead)
                    self._write(self._level, lapsed)
            case "move":
                kind, thing, before, to = cast(
                    "tuple[str, int, Lying | None, Lying]", event.data[:4]
                )
                if before != to:
                    known = self._witness.thing(kind, thing)
                    news = self._witness.learned and not any(
                        (kind, thing) in each.learned
                        and not self._lines[each.line].endswith(self._unveiled(each))
                        for each in self._veiled
                    )
                    moved = self._moves.setdefault((kind, before, to), [])
                    moved.append((thing, known, news))
            case "clause":
                self._clause(event)
            case "reacted":
                self._captions.pop(event.address, None)
            case "end":
                assert self._game is not None, "an end is heard of a game"
                self._write(0, self.end(self._game))
            case "done":
                seat, steps = cast("tuple[int, tuple[str, ...]]", event.data[:2])
                level, who = self._outline.level(event.address), self._words.seat(seat)
                names = (*steps, event.address)
                own = (self._sentences.message(n, {"me": who}) for n in names)
                said = next((each for each in own if each is not None), None)
                said = self._words.say("done", who=who) if said is None else said
                self._write(level, said)
            case "roll":
                thrower = self._throws.thrower(event)
                faces = self._throws.lying(event, self._game if self._live else None)
                self._write(self._level, self._sentences.roll(event, thrower, faces))
            case "cell" if (
                len(event.data) < 5  # not a random draw
                and (state := cast("str", event.data[0])) not in self._watched
                and self._words.text("messages", state) is None
            ):
                pass
            case "show" if not self._witness.is_news(event):
                pass
            case "show" if self._live and self._game is not None:
                kind = cast("str", event.data[0])
                store = self._game.machine.store
                showing, places = store.faces.get(kind), store.where.get(kind, ())
                for text in self._sentences.uncovered(event, showing, places):
                    self._tell(self._level, text)
            case _:
                self._tell(
                    self._level, lambda knows: self._sentences.event(event, knows)
                )

    def _clause(self, event: Event) -> None:
        """Narrate a clause; the first one also introduces its effect or reaction.

        Clauses have messages or are silent; a house rule's reaction without a message
        is narrated by its caption.
        """
        address, program = event.address, self._program
        self._running = self._sentences.runs(event, self._running)
        if address in program.steps:
            return
        owner = address.partition(".")[0]
        frame = cast("Sequence[Data]", event.data[0])
        reaction = program.reactions.get(owner)
        effect = reaction or program.effects.get(owner)
        first = effect is not None and address == effect.does[0].address
        told = first and self._write_message(owner, owner, frame)
        told = self._write_message(address, owner, frame) or told
        if first and reaction is not None and not told:
            # Note its caption until it has an effect; a replacement is narrated anyway.
            parts = (each.address for each in reaction.does)
            if any(self._words.text("messages", address) for address in parts):
                return
            caption = self._words.caption(reaction.name)
            if caption != reaction.name:
                self._captions[reaction.name] = caption
            if reaction.moment == "instead":
                self._write_captions()

    def _write_message(self, name: str, owner: str, frame: Sequence[Data]) -> bool:
        """Write the message about something; return whether there is one."""
        needed = self._sentences.needed(owner, self._running)

        def render(knows: Knows) -> str | None:
            known: Known = self._sentences.known_in(owner, frame, knows, needed)
            return self._sentences.message(name, known)

        return self._tell(self._level, render)

    # ---- captions of reactions

    def _write_captions(self) -> None:
        captions, self._captions = self._captions, {}
        for caption in captions.values():
            self._write(self._level, caption)

    # ---- moves

    def _flush(self) -> None:
        """Narrate the gathered moves."""
        moves, self._moves = self._moves, {}
        for (kind, before, to), things in moves.items():
            for text in self._sentences.moved(kind, things, before, to):
                self._add(self._level, text)


def begin_together(narrators: Sequence[Narrator], game: ReferenceGame) -> None:
    """Narrate all events so far to several narrators, each in its own state.

    The opening is replayed once for all of them. They listen from then on.
    """
    late = list(game.events)

    def attend(opening: ReferenceGame) -> None:
        for each in narrators:
            each.hear_opening(opening)

    def hear(event: Event) -> None:
        for each in narrators:
            each.hear(event)

    if late and narrators:
        late = late[hear_again(game, attend, hear) :]
    for each in narrators:
        each.hear_rest(game, late)


# ---- throws of dice: the seat of each, and the dice that were not rolled


class Throws:
    """The throws of one game, in order."""

    def __init__(self, program: ir.Program) -> None:
        # The slot of the seat, by the clause of a throw in a loop over seats; of nested
        # loops, the innermost counts.
        self._slots: dict[str, int] = {}
        loops = (n for n in beneath(*bodies(program)) if isinstance(n, ir.ForEach))
        for loop in loops:
            seats = [
                slot
                for bind in loop.binds
                if isinstance(bind.type, Kind) and bind.type.sort == "seat"
                for slot in bind.slots
            ]
            for inner in beneath(*loop.body) if seats else ():
                if isinstance(inner, ir.RollDice):
                    self._slots[inner.stream] = seats[-1]
        self._rolled: frozenset[tuple[str, int]] = frozenset()

    def fork(self) -> Throws:
        """Return a copy with the same history."""
        return copy(self)

    def thrower(self, event: Event) -> Data:
        """Return a throw's seat: that of the enclosing loop, or the acting seat."""
        frame = cast("Sequence[Data]", event.data[3])
        return frame[self._slots.get(event.address, 0)]

    def lying(
        self, event: Event, game: ReferenceGame | None
    ) -> Sequence[tuple[int, int]]:
        """Return the dice that lie with the rolled ones, and their faces.

        Empty if one of them was never rolled, because its face means nothing, and empty
        without the game at the time of the throw.
        """
        kind, rolled = cast("tuple[str, tuple[int, ...]]", event.data[:2])
        self._rolled |= {(kind, die) for die in rolled}
        if game is None:
            return ()
        store = game.machine.store
        where = store.where[kind]
        here = {where[die] for die in rolled}
        shown = zip(store.faces[kind], where, strict=True)
        lying = [(n, face) for n, (face, lies) in enumerate(shown) if lies in here]
        return lying if self._rolled >= {(kind, die) for die, _ in lying} else ()
