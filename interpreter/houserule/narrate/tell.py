"""Turns the events of a game into lines: who did what, and what came of it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, cast

from houserule.bots.greedy import key_value
from houserule.engine.choices import Answered, Choice, Event, Picked, Shared
from houserule.ir.nodes import ReadCell
from houserule.ir.walk import beneath
from houserule.narrate.rounds import is_round
from houserule.record.names import factors, sites

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from houserule.engine.game import Game
    from houserule.ir.types import Data
    from houserule.narrate.board import Boards
    from houserule.narrate.wording import Wording

SLOT = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
Lying = tuple[str, int]


class Narrator:
    """Tells a game from its events, a few at a time.

    What an action sets off is told beneath it, indented. Moves of several things
    between the same two places are one line.
    """

    def __init__(self, wording: Wording, boards: Boards | None = None) -> None:
        self._words, self._boards = wording, boards
        self._program = wording.program
        self._passes: Counter[str] = Counter()
        self._told = 0
        self._moves: dict[tuple[str, Lying | None, Lying], list[int]] = {}
        self._watched = self._score_states()

    def _score_states(self) -> frozenset[str]:
        """Return the states that the winning keys read directly."""
        keys = self._program.winning_keys
        return frozenset(
            node.state for node in beneath(*keys) if isinstance(node, ReadCell)
        )

    def news(self, game: Game) -> Iterator[str]:
        """Yield lines for what happened since the last call; scores at each round."""
        events = game.events[self._told :]
        self._told += len(events)
        for place, event in enumerate(events):
            if self._passes[event.address] and self._is_round(event):
                yield from self._gathered()
                yield from self._between_rounds(game, events[place:])
            yield from self._told_of(event)
        yield from self._gathered()

    def _between_rounds(self, game: Game, events: list[Event]) -> Iterator[str]:
        line = self._scores_before(game, events)
        if line is not None:
            yield line
        if self._boards is not None:
            yield from self._boards.all(game)

    def _is_round(self, event: Event) -> bool:
        return event.kind == "item" and is_round(self._program, event.address)

    def _scores_before(self, game: Game, events: list[Event]) -> str | None:
        """Return the scores as they were before some events, if that can be told.

        It can if the score is a state, whose changes are among the events.
        """
        keys = self._program.winning_keys
        if not keys or not isinstance(keys[0], ReadCell) or len(keys[0].keys) != 1:
            return None
        state = keys[0].state
        scores = {seat: game.cell(state, seat) for seat in range(self._program.seats)}
        index = game.engine.layout.index
        seats = {index(state, (seat,)): seat for seat in scores}
        for event in reversed(events):
            if event.kind == "cell" and event.data[0] == state:
                place, old = cast("tuple[int, Data]", event.data[1:3])
                scores[seats[place]] = old
        return self._scored([scores[seat] for seat in range(self._program.seats)])

    def _scored(self, scores: Sequence[Data]) -> str:
        shown = (
            f"{self._words.seat(seat)} {score}" for seat, score in enumerate(scores)
        )
        return self._words.say("scores", scores=", ".join(shown))

    def lines(self, events: Iterable[Event]) -> Iterator[str]:
        """Yield the lines of some events, in order."""
        for event in events:
            yield from self._told_of(event)
        yield from self._gathered()

    def _told_of(self, event: Event) -> Iterator[str]:
        """Yield the line of an event, behind the moves that were gathered before."""
        if event.kind == "move":
            self._gather(event)
            return
        told = self._line(event)
        if told is not None:
            yield from self._gathered()
            yield told

    def scores(self, game: Game) -> str | None:
        """Return the first winning key of every seat as a line, if there is one."""
        if not self._program.winning_keys:
            return None
        seats = range(self._program.seats)
        return self._scored([key_value(game, 0, seat) for seat in seats])

    # ---- one event

    def _line(self, event: Event) -> str | None:
        match event.kind:
            case "item":
                return self._item(event)
            case "action":
                return f"    {self._action(event)}"
            case "done":
                who = self._words.seat(cast("int", event.data[0]))
                return f"    {self._words.say('done', who=who)}"
            case "choose" | "share" | "ask":
                return f"      {self._answer(event)}"
            case "roll":
                return f"      {self._roll(event)}"
            case "tokens":
                return f"      {self._tokens(event)}"
            case "shuffle":
                zone = self._place((event.data[0], event.data[1]))
                return f"      {self._words.say('shuffled', zone=zone)}"
            case "show":
                return f"      {self._shown(event)}"
            case "cell":
                return self._cell(event)
            case "change":
                return f"      {self._change(event)}"
            case "end":
                return self._end(event)
            case _:
                return None

    def _item(self, event: Event) -> str | None:
        phase = self._program.phases.get(event.address)
        if phase is None:
            return None
        if phase.acts and not phase.together:
            seat = cast("int", event.data[0])
            return f"  {self._words.say('turn', who=self._words.seat(seat))}"
        if phase.together:
            return f"  {capitalised(self._words.flow(phase.name))}"
        if not is_round(self._program, phase.name):
            return None
        self._passes[phase.name] += 1
        number = self._passes[phase.name]
        name = capitalised(self._words.flow(phase.name))
        return self._words.say("pass", phase=name, number=number)

    def _action(self, event: Event) -> str:
        seat, args = cast("tuple[int, tuple[Data, ...]]", event.data[:2])
        words, named = self._words, factors(self._program.actions[event.address])
        values = {
            name: words.value(value, type_)
            for (name, type_), value in zip(named, args, strict=True)
        }
        who = words.seat(seat)
        message = words.text("messages", event.address)
        if message is not None:
            known = {"me": who, **values}
            return SLOT.sub(lambda slot: known.get(slot[1], slot[0]), message)
        what = words.action(event.address)
        how = ", ".join(values.values())
        if how:
            return words.say("does_with", who=who, what=what, how=how)
        return words.say("does", who=who, what=what)

    def _answer(self, event: Event) -> str:
        seat, choice = cast("tuple[int, Choice]", event.data[:2])
        words, who = self._words, self._words.seat(seat)
        site = sites(self._program).get(event.address)
        match choice:
            case Answered(yes):
                return words.say("answers_yes" if yes else "answers_no", who=who)
            case Picked(values) if values is not None and site is not None:
                what = [words.value(each, site.bind.type) for each in values]
                return words.say("chooses", who=who, what=words.several(what))
            case Shared(amounts) if site is not None:
                parts = [
                    f"{count} {words.value(member, site.bind.type)}"
                    for member, count in amounts
                ]
                return words.say("shares", who=who, what=words.several(parts))
            case _:
                return words.say("declines", who=who)

    def _roll(self, event: Event) -> str:
        kind, dice, faces = cast(
            "tuple[str, tuple[int, ...], tuple[int, ...]]", event.data[:3]
        )
        if len(self._program.labels[kind]) == 1:
            return self._words.say("rolls", dice=str(faces[0]))
        shown = (
            f"{self._words.thing(kind, die)} {face}"
            for die, face in zip(dice, faces, strict=True)
        )
        return self._words.say("rolls", dice=", ".join(shown))

    def _tokens(self, event: Event) -> str:
        count, source, to = cast("tuple[int, Lying, Lying]", event.data[:3])
        family = next(
            name
            for name, tokens in self._program.tokens.items()
            if source[0] in tokens.slots
        )
        return self._words.say(
            "tokens",
            count=count,
            family=self._words.text("things", family) or family,
            source=self._place(source),
            to=self._place(to),
        )

    def _shown(self, event: Event) -> str:
        kind, things, seats = cast(
            "tuple[str, tuple[int, ...], tuple[int, ...]]", event.data[:3]
        )
        words = self._words
        return words.say(
            "shown",
            who=words.several([words.seat(seat) for seat in seats]),
            things=words.several([words.thing(kind, each) for each in things]),
        )

    def _cell(self, event: Event) -> str | None:
        state, index, old, new = cast("tuple[str, int, Data, Data]", event.data[:4])
        if state not in self._watched:
            return None
        type_, words = self._program.states[state].type, self._words
        changed = words.say(
            "changes",
            what=words.place(state, index),
            old=words.value(old, type_),
            new=words.value(new, type_),
        )
        return f"      {changed}"

    def _change(self, event: Event) -> str:
        value, keys, old, new = cast(
            "tuple[str, tuple[Data, ...], Data, Data]", event.data[:4]
        )
        type_, words = self._program.values[value].type, self._words
        return words.say(
            "changes",
            what=words.call(value, keys),
            old=words.value(old, type_),
            new=words.value(new, type_),
        )

    def _end(self, event: Event) -> str:
        kind, winners = cast("tuple[str, tuple[int, ...]]", event.data[:2])
        words = self._words
        if kind == "stalled":
            return words.say("stalled", phase=words.flow(event.address))
        who = words.several([words.seat(seat) for seat in winners])
        if not winners:
            return words.say("nobody")
        return words.say("winner" if len(winners) == 1 else "winners", who=who)

    # ---- moves

    def _place(self, lying: object) -> str:
        family, index = cast("Lying", lying)
        return self._words.place(family, index)

    def _gather(self, event: Event) -> None:
        kind, thing, before, to = cast(
            "tuple[str, int, Lying | None, Lying]", event.data[:4]
        )
        if before != to:
            self._moves.setdefault((kind, before, to), []).append(thing)

    def _gathered(self) -> Iterator[str]:
        words = self._words
        for (kind, before, to), things in self._moves.items():
            shown = words.several([words.thing(kind, each) for each in things])
            if before is None:
                line = words.say("appears", things=shown, to=self._place(to))
            else:
                source = self._place(before)
                line = words.say(
                    "moves", things=shown, source=source, to=self._place(to)
                )
            yield f"      {line}"
        self._moves.clear()


def capitalised(text: str) -> str:
    """Return a text with a capital at its beginning; the rest stays as it is."""
    return text[:1].upper() + text[1:]
