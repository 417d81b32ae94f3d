"""One event as one sentence, in the words of a language."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from houserule.engine.choices import (
    Answered,
    Choice,
    Event,
    Picked,
    Shared,
)
from houserule.inflected import fill, slots_of
from houserule.ir.walk import asking_statements, option_binds
from houserule.record.names import factors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from houserule.ir import Param
    from houserule.ir.types import Data, Type
    from houserule.narrate.wording import Wording

LISTED = 4  # things of a set-up that are named; of more, only the number is given
Lying = tuple[str, int]


def _slots_of(params: Sequence[Param]) -> Iterator[tuple[str, int, Type]]:
    """Yield name, slot and type of parameters: they stand behind the acting seat."""
    for slot, param in enumerate(params, 1):
        yield param.name, slot, param.type


class Sentences:
    """Says what happened, event by event; knows nothing of what stands around it."""

    def __init__(self, wording: Wording) -> None:
        self._words = wording
        self._program = wording.program

    def action(self, event: Event) -> str:
        """Say what a seat does, in the ruleset's own words if it has any for that."""
        seat, args = cast("tuple[int, tuple[Data, ...]]", event.data[:2])
        words, named = self._words, factors(self._program.actions[event.address])
        values = {
            name: words.value(value, type_, seat)
            for (name, type_), value in zip(named, args, strict=True)
        }
        who = words.seat(seat)
        message = self.message(event.address, {"me": who, **values})
        if message is not None:
            return message
        what = words.action(event.address)
        how = ", ".join(values.values())
        if how:
            return words.say("does_with", who=who, what=what, how=how)
        return words.say("does", who=who, what=what)

    def message(self, name: str, known: Mapping[str, str]) -> str | None:
        """Return the ruleset's message about something, with its names put in.

        A name that this table does not bind, since a variant does, stays in braces.
        """
        message = self._words.text("messages", name)
        if message is None:
            return None
        unknown = {slot.name: f"{{{slot.name}}}" for slot in slots_of(message)}
        return fill(message, {**unknown, **known})

    def known_in(self, owner: str, frame: Sequence[Data]) -> Mapping[str, str]:
        """Return the names that an action, effect or reaction knows, in words."""
        found = {
            name: self._words.value(frame[slot], kind)
            for name, slot, kind in self._slots(owner)
        }
        return {"me": self._words.seat(frame[0]), **found}

    def _slots(self, owner: str) -> Iterator[tuple[str, int, Type]]:
        """Yield name, slot and type of what an owner of clauses binds."""
        program = self._program
        effect, reaction = program.effects.get(owner), program.reactions.get(owner)
        if effect is not None:
            yield from _slots_of(effect.params)
        elif reaction is not None:
            yield from _slots_of((*reaction.params, *reaction.change))
        elif owner in program.actions:
            for bind in option_binds(program.actions[owner]):
                for name, slot in zip(bind.names, bind.slots, strict=True):
                    yield name, slot, bind.type

    def event(self, event: Event) -> str | None:
        """Return the sentence for an event that stands for itself; None for others."""
        match event.kind:
            case "unwise":
                return self._words.say("unwise", why=self._words.caption(event.address))
            case "choose" | "share" | "ask":
                return self.answer(event)
            case "tokens":
                return self.tokens(event)
            case "shuffle":
                return self._words.say("shuffled", zone=self.place(event.data[:2]))
            case "show":
                return self.shown(event)
            case "cell":
                return self.cell(event)
            case "change":
                return self.change(event)
            case _:
                return None

    def answer(self, event: Event) -> str:
        """Say what a seat chose, shared out or answered."""
        seat, choice = cast("tuple[int, Choice]", event.data[:2])
        words, who = self._words, self._words.seat(seat)
        site = asking_statements(self._program).get(event.address)
        match choice:
            case Answered(yes):
                return words.say("answers_yes" if yes else "answers_no", who=who)
            case Picked(values) if values is not None and site is not None:
                what = [words.value(each, site.bind.type, seat) for each in values]
                return words.say("chooses", who=who, what=words.several(what))
            case Shared(amounts) if site is not None:
                parts = [
                    f"{count} {words.value(member, site.bind.type)}"
                    for member, count in amounts
                ]
                return words.say("shares", who=who, what=words.several(parts))
            case _:
                return words.say("declines", who=who)

    def roll(self, event: Event, faces: Sequence[int] = ()) -> str:
        """Say what was rolled; a die is named where there are several.

        `faces` are those of all dice of the kind, given if only some of them were
        rolled and no player has dice of his own.
        """
        kind, dice, rolled = cast(
            "tuple[str, tuple[int, ...], tuple[int, ...]]", event.data[:3]
        )
        words = self._words
        if len(self._program.labels[kind]) == 1:
            return words.say("rolls", dice=str(rolled[0]))
        owner = words.owner(kind, dice[0]) if dice else None
        shown = ", ".join(
            f"{words.thing(kind, die, owner)} {face}"
            for die, face in zip(dice, rolled, strict=True)
        )
        if owner is None and len(dice) < len(faces):
            together = " ".join(map(str, faces))
            return words.say("rolls_some", dice=shown, all=together)
        rolled_words = words.say("rolls", dice=shown or words.say("nothing"))
        if owner is None:
            return rolled_words
        return words.say("does", who=words.seat(owner), what=rolled_words)

    def tokens(self, event: Event) -> str:
        """Say how many tokens went where."""
        count, source, to = cast("tuple[int, Lying, Lying]", event.data[:3])
        family = next(
            name
            for name, tokens in self._program.tokens.items()
            if source[0] in tokens.slots
        )
        return self._words.say(
            "tokens",
            what=self._words.counted(family, count),
            source=self.place(source),
            to=self.place(to),
        )

    def moved(
        self, kind: str, things: Sequence[int], source: Lying | None, to: Lying
    ) -> str:
        """Say which things went where; of many that are set out only how many."""
        words = self._words
        if source is None and len(things) > LISTED:
            shown = words.counted(kind, len(things))
        else:
            shown = words.several([words.thing(kind, each) for each in things])
        if source is None:
            return words.say("appears", things=shown, to=self.place(to))
        where = self.place(source)
        return words.say("moves", things=shown, source=where, to=self.place(to))

    def shown(self, event: Event) -> str:
        """Say who may look at what."""
        kind, things, seats = cast(
            "tuple[str, tuple[int, ...], tuple[int, ...]]", event.data[:3]
        )
        words = self._words
        return words.say(
            "shown",
            who=words.several([words.seat(seat) for seat in seats]),
            things=words.several([words.thing(kind, each) for each in things]),
        )

    def cell(self, event: Event) -> str:
        """Say how a state changed."""
        state, index, old, new = cast("tuple[str, int, Data, Data]", event.data[:4])
        type_ = self._program.states[state].type
        values = self._words.keys(state, index)
        params = self._program.states[state].keys
        known = {param.name: word for param, word in zip(params, values, strict=True)}
        known["old"] = self._words.value(old, type_)
        known["new"] = self._words.value(new, type_)
        what = self._words.place(state, index)
        return self._changed(state, known, what)

    def change(self, event: Event) -> str:
        """Say how a declared value changed."""
        value, keys, old, new = cast(
            "tuple[str, tuple[Data, ...], Data, Data]", event.data[:4]
        )
        definition, words = self._program.values[value], self._words
        known = {
            param.name: words.value(key, param.type)
            for param, key in zip(definition.params, keys, strict=True)
        }
        known["old"] = words.value(old, definition.type)
        known["new"] = words.value(new, definition.type)
        return self._changed(value, known, words.call(value, keys))

    def _changed(self, name: str, known: Mapping[str, str], what: str) -> str:
        own = self.message(name, known)
        if own is not None:
            return own
        return self._words.say("changes", what=what, old=known["old"], new=known["new"])

    def end(self, event: Event) -> str:
        """Say how the game ended."""
        kind, winners = cast("tuple[str, tuple[int, ...]]", event.data[:2])
        words = self._words
        if kind == "stalled":
            return words.say("stalled", phase=words.flow(event.address))
        who = words.several([words.seat(seat) for seat in winners])
        if not winners:
            return words.say("nobody")
        return words.say("winner" if len(winners) == 1 else "winners", who=who)

    def place(self, lying: object) -> str:
        """Return the name of a zone or of a place of tokens."""
        family, index = cast("Lying", lying)
        return self._words.place(family, index)
