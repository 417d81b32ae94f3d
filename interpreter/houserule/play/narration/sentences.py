"""Sentences for single events, in one language, for one viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias, cast

from houserule import ir
from houserule.base.inflection import fill, slots_of
from houserule.engine.reference.choices import Answered, Choice, Event, Picked, Shared
from houserule.engine.reference.play.engine import engine_of
from houserule.ir import Param
from houserule.ir.hidden_reads import StaticViewer, present
from houserule.ir.types import Data, Kind, Maybe, Set, Type
from houserule.ir.walk import (
    asking_statements,
    beneath,
    bodies,
    factors,
    option_binds,
    site_name,
    slots_read,
)
from houserule.play.narration.event_visibility import EventVisibility, Knows
from houserule.play.narration.visibility import access_of, foggy, hidden_reads
from houserule.play.narration.wording import Wording

LISTED = 4  # up to this many set-up components are named; beyond, only counted
Lying: TypeAlias = tuple[str, int]
Moved: TypeAlias = tuple[int, bool, bool]
"""A moved component: its number, whether the viewer knows it, whether it is news."""
Known: TypeAlias = "Mapping[str, str | int | None]"
"""Names of a message in words; None is hidden from the viewer."""


def _slots_of(params: Sequence[Param]) -> Iterator[tuple[str, int, Type]]:
    """Yield name, slot and type of parameters; their slots follow the acting seat's."""
    for slot, param in enumerate(params, 1):
        yield param.name, slot, param.type


@lru_cache(maxsize=256)
def put_away(program: ir.Program, owner: str) -> frozenset[tuple[int, str]]:
    """Return the slots of an action or effect that are put into hiding states.

    So are the keys of a cell whose content decides who sees it. Each slot comes with
    its state. The effects it calls count as well.
    """
    reaction = program.reactions.get(owner)
    if reaction is not None and reaction.moment != "when":  # it has the same slots
        return put_away(program, reaction.event.partition(".")[0])
    body = program.actions.get(owner) or program.effects.get(owner)
    found: set[tuple[int, str]] = set()
    for node in beneath(body) if body is not None else ():
        match node:
            case (
                ir.SetCell(state=state, keys=keys, value=value)
                | ir.AddCell(state=state, keys=keys, amount=value)
            ) if program.states[state].seen is not None:
                told = (value, *keys) if state in foggy(program) else (value,)
                found |= {(slot, state) for each in told for slot in _read(each)}
            case ir.CallEffect(effect=name, args=args):
                for at, state in put_away(program, name):
                    if 0 < at <= len(args):
                        found |= {(slot, state) for slot in _read(args[at - 1])}
            case _:
                pass
    return frozenset(found)


@lru_cache(maxsize=256)
def is_covert(program: ir.Program, name: str) -> bool:
    """Return whether others notice nothing of an action, as of a role's deed at night.

    Its phase is played `together`. Its needs read something hidden, so its name would
    tell that; and it changes nothing but hidden states.
    """
    action, access = program.actions[name], access_of(program)
    step = program.steps.get(action.at)
    phase = program.phases.get(step.phase if step is not None else action.at)
    if phase is None or not phase.together or any(c.payments for c in action.costs):
        return False
    hidden = {
        (sort, name)
        for sort, some in (("state", program.states), ("zone", program.zones))
        for name, each in some.items()
        if each.seen is not None
    }
    states = {place for place in hidden if place[0] == "state"}
    told = access.reads(*(each.whole for each in action.conditions)) & hidden
    return bool(told) and access.places_written(*action.does) <= states


Source: TypeAlias = tuple[str, str] | int
"""A hidden place by sort and name, or the slot of a parameter of the caller."""
Call: TypeAlias = tuple[frozenset[Source], ...]
"""For each argument of a call, the places that it may reveal."""
Running: TypeAlias = tuple[tuple[str, Sequence[Data]], ...]
"""The bodies that run, by address, the outermost first, each with its variables."""
Item: TypeAlias = tuple[str, int]
Needed: TypeAlias = Mapping[int, frozenset[Item] | None]
"""For each slot, the components that a viewer must know to be told it; None: hidden."""


@lru_cache(maxsize=256)
def hiding_calls(program: ir.Program) -> Mapping[tuple[str, str], Sequence[Call]]:
    """Return the calls of effects, by the body that calls and the effect.

    What a loop or a choice took from a hidden place may reveal that place, unless the
    same call names it: then it may reveal that argument. So may a variable of a loop if
    the conditions of the loop, or in it, read a hidden place.
    """
    reads, access = hidden_reads(program), access_of(program)
    if not reads.any:
        return {}
    everybody = StaticViewer(lambda _: False)
    places = {("zone", each.name) for each in program.zones.values() if each.seen}
    places |= {("state", each.name) for each in program.states.values() if each.seen}
    places |= {("face", name) for name, c in program.components.items() if c.seen}
    found: dict[tuple[str, str], list[Call]] = {}
    for body in bodies(program):
        bound: dict[int, frozenset[Source]] = {}

        def sources(
            node: ir.CoreNode, bound: Mapping[int, frozenset[Source]]
        ) -> frozenset[Source]:
            read: set[Source] = set()
            if reads.found(node, everybody):
                read |= access.reads(node) & places
            slots = slots_read(node)
            return frozenset(read.union(*(bound.get(s, {s}) for s in slots)))

        # The conditions that leave some values of each variable of a loop.
        tests: dict[int, list[ir.Expr]] = {}
        for node in beneath(body):
            match node:
                case ir.ForEach(binds=binds, where=where):
                    mine = [slot for bind in binds for slot in bind.slots]
                    tests.update({slot: [*present(where)] for slot in mine})
                case ir.When(rows=rows):
                    for test, _ in rows:
                        for slot in slots_read(test) & tests.keys():
                            tests[slot].append(test)
                case _:
                    pass
        for node in beneath(body):
            match node:
                case ir.LetSlot(slot=slot, value=value):
                    bound[slot] = sources(value, bound)
                case ir.Bind(slots=slots, source=source):
                    found_in = sources(source, bound)
                    for slot in slots:
                        left = (sources(t, bound) - {slot} for t in tests.get(slot, ()))
                        bound[slot] = found_in.union(*left)
                case ir.CallEffect(effect=name, args=args):
                    named = {
                        arg.slot: frozenset[Source]({-at})
                        for at, arg in enumerate(args, 1)
                        if isinstance(arg, ir.Local) and _component_of(arg.type)
                    }
                    call = tuple(sources(arg, bound | named) for arg in args)
                    found.setdefault((body.address, name), []).append(call)
                case _:
                    pass
    return found


def _component_of(type_: Type) -> str:
    """Return the name of the kind of components that a type has; '' for others."""
    while isinstance(type_, Maybe | Set):
        type_ = type_.inner if isinstance(type_, Maybe) else type_.member
    if isinstance(type_, Kind) and type_.sort in ("component", "die"):
        return type_.name
    return ""


def _read(value: ir.Expr) -> Iterator[int]:
    return (node.slot for node in beneath(value) if isinstance(node, ir.Local))


class Sentences:
    """Narrates single events without their context.

    No sentence reveals anything hidden: a hidden component is called by its kind, and
    sentences that would reveal a hidden value are omitted.
    """

    def __init__(self, wording: Wording, witness: EventVisibility) -> None:
        self._words, self._witness = wording, witness
        self._program = wording.program

    def action(self, event: Event, knows: Knows) -> str | None:
        """Return what a seat does, preferably in the ruleset's words.

        None: nobody else notices that it is done.
        """
        seat, args = cast("tuple[int, tuple[Data, ...]]", event.data[:2])
        if not self._witness.is_seat(seat) and is_covert(self._program, event.address):
            return None
        words, named = self._words, factors(self._program.actions[event.address])
        values: dict[str, str | None] = {
            name: words.value(value, type_, seat, knows)
            for (name, type_), value in zip(named, args, strict=True)
        }
        secret = self._secret(event.address, seat)
        for name, slot, _ in self._slots(event.address):
            if slot in secret:
                values[name] = None
        who = words.seat(seat)
        message = self.message(event.address, {"me": who, **values})
        if message or words.text("messages", event.address) == "":
            return message or ""
        what = words.action(event.address)
        how = ", ".join(value for value in values.values() if value is not None)
        if how:
            return words.say("does_with", who=who, what=what, how=how)
        return words.say("does", who=who, what=what)

    def message(self, name: str, known: Known) -> str | None:
        """Return the ruleset's message about something, with its names filled in.

        It is empty if it would reveal something hidden. A name that this table does not
        bind, because it belongs to a variant, stays in braces.
        """
        message = self._words.text("messages", name)
        if message is None:
            return None
        asked = {slot.name: known.get(slot.name, "") for slot in slots_of(message)}
        if None in asked.values():
            return ""
        told = {name: value for name, value in known.items() if value is not None}
        unknown = {name: f"{{{name}}}" for name in asked if name not in known}
        return fill(message, {**unknown, **told})

    def known_in(
        self, owner: str, frame: Sequence[Data], knows: Knows, needed: Needed
    ) -> Known:
        """Return the names that an action, effect or reaction binds, in words."""
        found: dict[str, str | int | None] = {"me": self._words.seat(frame[0])}
        secret = self._secret(owner, frame[0])
        for name, slot, kind in self._slots(owner):
            items = needed.get(slot, frozenset())
            known = items is not None and all([knows(*item) for item in items])
            told = slot not in secret and known
            value = self._words.value(frame[slot], kind, None, knows)
            found[name] = value if told else None
        reaction = self._program.reactions.get(owner)
        if reaction is not None and reaction.change:
            keys = frame[1 : 1 + len(reaction.params)]
            if not self._witness.value(reaction.event, keys):
                found.update(dict.fromkeys(each.name for each in reaction.change))
        return found

    def _slots(self, owner: str) -> Iterator[tuple[str, int, Type]]:
        """Yield name, slot and type of the variables that an owner of clauses binds."""
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

    def _secret(self, owner: str, seat: Data) -> frozenset[int]:
        """Return the slots with values put where the viewer may not look.

        The acting seat knows them anyway.
        """
        if isinstance(seat, int) and self._witness.is_seat(seat):
            return frozenset()
        first = engine_of(self._program).layout.first
        return frozenset(
            slot
            for slot, state in put_away(self._program, owner)
            if not all(self._witness.cell(state, n) for n in range(len(first[state])))
        )

    def needed(self, owner: str, running: Running) -> Needed:
        """Return what a viewer must know to read the variables of a running body."""
        if owner not in self._program.effects:
            return {}
        return {
            slot: self._items_behind(slot, running)
            for _, slot, type_ in self._slots(owner)
            if not _component_of(type_)
        }

    def _items_behind(self, slot: int, running: Running) -> frozenset[Item] | None:
        """Return the components behind a variable of the last body, by all its callers.

        None if the value may reveal a hidden place. Each variable is looked at once,
        however many calls lead to it.
        """
        calls, items = hiding_calls(self._program), set[Item]()
        waiting, seen = [(len(running) - 1, slot)], set[tuple[int, int]]()
        while waiting:
            depth, slot = waiting.pop()
            if (depth, slot) in seen:
                continue
            seen.add((depth, slot))
            address, frame = running[depth]
            owner = address.partition(".")[0]
            kind = next(
                (_component_of(t) for _, at, t in self._slots(owner) if at == slot), ""
            )
            if kind:
                value = frame[slot]
                each = value if isinstance(value, tuple) else (value,)
                items |= {(kind, int(item)) for item in each if item is not None}
                continue
            if owner not in self._program.effects:
                continue
            callers = [at for at in range(depth) if (running[at][0], owner) in calls]
            found = [
                (at, source)
                for at in callers
                for call in calls[running[at][0], owner]
                for source in call[slot - 1]
            ]
            if not callers:  # not heard: any call may be the one
                every = (some for (_, name), some in calls.items() if name == owner)
                sources = (s for some in every for call in some for s in call[slot - 1])
                found = [(0, source) for source in sources if isinstance(source, tuple)]
            for at, source in found:
                if isinstance(source, tuple):
                    if not self._witness.place(*source):
                        return None
                elif source < 0:
                    waiting.append((depth, -source))
                elif source > 0:
                    waiting.append((at, source))
        return frozenset(items)

    def runs(self, event: Event, running: Running) -> Running:
        """Return the bodies that run when one begins, by an event of the kind clause.

        A body that called nothing of the new one's owner is over.
        """
        address, owner = event.address, event.address.partition(".")[0]
        if owner in self._program.effects:
            calls = hiding_calls(self._program)
            while running and (running[-1][0], owner) not in calls:
                running = running[:-1]
        elif owner not in self._program.reactions:
            running = ()
        return (*running, (address, cast("Sequence[Data]", event.data[0])))

    def event(self, event: Event, knows: Knows) -> str | None:
        """Return the sentence for an independent event; None for others."""
        match event.kind:
            case "unwise":
                return self.unwise(event)
            case "choose" | "share" | "ask":
                return self.answer(event, knows)
            case "tokens":
                return self.tokens(event)
            case "show":
                return self.shown(event, knows)
            case "cell":
                return self.cell(event, knows)
            case "change":
                return self.change(event, knows)
            case _:
                return None

    def unwise(self, event: Event) -> str:
        """Return that something is unwise; for others, only if they can see it too."""
        advice = next(
            each
            for action in self._program.actions.values()
            for each in action.advice
            if each.address == event.address
        )
        seen = self._witness.expression(advice.test)
        if not seen and not self._witness.is_seat(event.data[0]):
            return ""
        return self._words.say("unwise", why=self._words.caption(event.address))

    # ---- answers

    def answer(self, event: Event, knows: Knows) -> str:
        """Return what a seat chose, shared out or answered."""
        seat, choice = cast("tuple[int, Choice]", event.data[:2])
        words, who = self._words, self._words.seat(seat)
        site = asking_statements(self._program).get(event.address)
        match choice:
            case Answered(yes):
                asked = words.caption(event.address)
                if asked == event.address:
                    return words.say("answers_yes" if yes else "answers_no", who=who)
                if not asked.endswith("?"):
                    asked = f"{asked}:"
                return words.say("agrees" if yes else "disagrees", who=who, asked=asked)
            case Picked(values) if values is not None and site is not None:
                owner = event.address.partition(".")[0]
                if self._secret(owner, seat).intersection(site.bind.slots):
                    return ""
                kind = site.bind.type
                chosen = [words.value(each, kind, seat, knows) for each in values]
                named = dict(zip(site.bind.names, chosen, strict=True))
                own = self._own_answer(event.address, {"me": who, **named})
                if own is not None:
                    return own
                what, names = words.several(chosen), site.bind.names
                key = f"{site_name(event.address)}.{names[0]}"
                after = words.text("questions", key) if len(names) == 1 else None
                if after is not None and not slots_of(after):
                    return words.say("chooses_asked", who=who, what=what, asked=after)
                return words.say("chooses", who=who, what=what)
            case Shared(amounts) if site is not None:
                parts = [
                    (words.value(member, site.bind.type, None, knows), count)
                    for member, count in amounts
                ]
                said = [words.say("keyed", what=w, keys=n) for w, n in parts]
                shared = words.several(said)
                known = {"me": who, site.bind.names[0]: shared}
                own = self._own_answer(event.address, known)
                plain = words.say("shares", who=who, what=shared)
                return plain if own is None else own
            case _:
                return words.say("declines", who=who)

    def _own_answer(self, address: str, known: Known) -> str | None:
        """Return the ruleset's message about an answer, for its first name."""
        names = (name for name in known if name != "me")
        told = (self.message(f"{site_name(address)}.{name}", known) for name in names)
        return next((each for each in told if each is not None), None)

    # ---- dice

    def roll(
        self, event: Event, thrower: Data, faces: Sequence[tuple[int, int]] = ()
    ) -> str:
        """Return what was rolled; dice with names are named.

        Args:
            thrower: the seat that threw; None if the rules do not say.
            faces: if only some dice were rolled, all dice of the kind that lie with
                them, and their faces.
        """
        kind, dice, rolled = cast(
            "tuple[str, tuple[int, ...], tuple[int, ...]]", event.data[:3]
        )
        words, sees = self._words, self._witness.face
        owner = words.owner(kind, dice[0]) if dice else None
        who = words.seat(owner if owner is not None else thrower)
        nameless = owner is None and thrower is None
        seen = [
            (die, face)
            for die, face in zip(dice, rolled, strict=True)
            if sees(kind, die)
        ]
        if len(seen) < len(dice):
            what = words.some_hidden(
                kind, self._shown(kind, seen), len(dice) - len(seen)
            )
            return words.say("thrown" if nameless else "throws", who=who, dice=what)
        shown = words.several(self._shown(kind, seen))
        beside = owner is None and len(dice) < len(faces)
        if beside and all(sees(kind, die) for die, _ in faces):
            together = words.several(self._shown(kind, faces))
            phrase = "rolled_some" if nameless else "rolls_some"
            return words.say(phrase, who=who, dice=shown, all=together)
        return words.say("rolled" if nameless else "rolls", who=who, dice=shown)

    def _shown(self, kind: str, dice: Sequence[tuple[int, int]]) -> list[str]:
        """Return the faces of dice, with the names of those that have one.

        An empty `short` name leaves only the number.
        """
        words = self._words
        labels = self._program.labels[kind]
        return [
            words.say("die", die=words.thing(kind, die), face=face).strip()
            if len(labels) > 1 and words.has_name(kind, die)
            else str(face)
            for die, face in dice
        ]

    # ---- what moves

    def tokens(self, event: Event) -> str:
        """Return how many tokens moved, and where."""
        count, source, to = cast("tuple[int, Lying, Lying]", event.data[:3])
        family = next(
            name
            for name, tokens in self._program.tokens.items()
            if source[0] in tokens.slots
        )
        what = self._words.counted(family, count)
        own, _ = self._own_move(what, source, to)
        if own is not None:
            return own
        where = self.place(source)
        return self._words.say("tokens", what=what, source=where, to=self.place(to))

    def moved(
        self, kind: str, things: Sequence[Moved], source: Lying | None, to: Lying
    ) -> Iterator[str]:
        """Yield which components moved where; for a large set-up only their number.

        If the ruleset's message names no components, news for the viewer has its own
        line.

        Args:
            source: their old place; None if they were not in play.
        """
        words = self._words
        known = [words.thing(kind, thing) for thing, named, _ in things if named]
        shown = words.some_hidden(kind, known, len(things) - len(known))
        if source is None and len(things) > LISTED:
            shown = words.counted(kind, len(things))
        own, names_things = self._own_move(shown, source, to)
        if own:
            yield own
        news = [words.thing(kind, thing) for thing, _, is_news in things if is_news]
        if own is None:
            yield self._plain_move(shown, source, to)
        elif news and not names_things:
            yield self._plain_move(words.several(news), source, to)

    def _plain_move(self, what: str, source: Lying | None, to: Lying) -> str:
        where = self.place(to)
        if source is None:
            return self._words.say("appears", things=what, to=where)
        return self._words.say(
            "moves", things=what, source=self.place(source), to=where
        )

    def _own_move(
        self, what: str, source: Lying | None, to: Lying
    ) -> tuple[str | None, bool]:
        """Return the ruleset's message about a move, and whether it names components.

        The message about both places takes precedence over the one about the new place.
        """
        known: dict[str, str | int | None] = {"things": what, "to": self.place(to)}
        names = [to[0]]
        if source is not None:
            known |= {"source": self.place(source), **self._keys(source)}
            names.insert(0, f"{to[0]}.{source[0]}")
        known |= self._keys(to)
        for name in names:
            own = self.message(name, known)
            if own is not None:
                message = self._words.text("messages", name) or ""
                return own, any(slot.name == "things" for slot in slots_of(message))
        return None, False

    def _keys(self, lying: Lying) -> dict[str, str]:
        """Return the keys of a place in words, by their names."""
        family, index = lying
        return dict(self._words.named_keys(family, index))

    def shuffled(self, event: Event) -> str:
        """Return the sentence for a shuffle; '' if the texts omit the pile."""
        if self._words.text("messages", cast("str", event.data[0])) == "":
            return ""
        return self._words.say("shuffled", zone=self.place(event.data[:2]))

    def shown(self, event: Event, knows: Knows) -> str:
        """Return who may look at what; '' if at nothing; for dice, their faces."""
        kind, things, seats = cast(
            "tuple[str, tuple[int, ...], tuple[int, ...]]", event.data[:3]
        )
        words = self._words
        if not things:
            return ""
        what = self._known_of(kind, things, knows)
        if len(seats) == self._program.seats:
            return words.say("uncovered", things=what)
        who = words.several([words.seat(seat) for seat in seats])
        return words.say("shown", who=who, things=what)

    def _known_of(self, kind: str, things: Sequence[int], knows: Knows) -> str:
        """Return components in words, of which those not known are only counted."""
        known = [self._words.thing(kind, each) for each in things if knows(kind, each)]
        return self._words.some_hidden(kind, known, len(things) - len(known))

    def uncovered(
        self, event: Event, faces: Sequence[int] | None, where: Sequence[Lying | None]
    ) -> Iterator[Callable[[Knows], str]]:
        """Yield who may look at what; if all may, for each seat that has it.

        A component is in the hand of a seat, a die belongs to one and shows a face.
        """
        kind, things, seats = cast(
            "tuple[str, tuple[int, ...], tuple[int, ...]]", event.data[:3]
        )
        if len(seats) < self._program.seats:
            yield lambda knows: self.shown(event, knows)
            return
        words, owners = self._words, dict[int | None, list[int]]()
        for each in things:
            place = where[each] if faces is None else None
            owner = words.holder(*place) if place else words.owner(kind, each)
            owners.setdefault(owner, []).append(each)
        for owner, some in owners.items():
            who = "" if owner is None else words.seat(owner)
            if faces is not None:
                dice = words.several(self._shown(kind, [(d, faces[d]) for d in some]))
                phrase = "uncovered" if owner is None else "uncovers"
                text = words.say(phrase, who=who, dice=dice, things=dice)
                yield lambda _, text=text: text  # type: ignore[misc]  # bound at once
            else:
                phrase = "uncovered" if owner is None else "lays_open"
                yield lambda knows, phrase=phrase, who=who, some=some: words.say(  # type: ignore[misc]  # bound at once
                    phrase, who=who, things=self._known_of(kind, some, knows)
                )

    # ---- states and values

    def cell(self, event: Event, knows: Knows) -> str | None:
        """Return how a state changed; None if the viewer may not see it."""
        state, index, old, new = cast("tuple[str, int, Data, Data]", event.data[:4])
        if not self._witness.cell(state, index):
            return None
        known = dict(self._words.named_keys(state, index, knows))
        type_ = self._program.states[state].type
        what = self._words.place(state, index, knows)
        drawn = len(event.data) > 4
        return self._changed(state, known, (old, new), type_, what, drawn=drawn)

    def change(self, event: Event, knows: Knows) -> str | None:
        """Return how a declared value changed; None if the viewer may not know it."""
        value, keys, old, new = cast(
            "tuple[str, tuple[Data, ...], Data, Data]", event.data[:4]
        )
        if not self._witness.value(value, keys):
            return None
        definition, words = self._program.values[value], self._words
        known = {
            param.name: words.value(key, param.type, None, knows)
            for param, key in zip(definition.params, keys, strict=True)
        }
        what = words.call(value, keys, knows)
        return self._changed(value, known, (old, new), definition.type, what)

    def _changed(
        self,
        name: str,
        keys: Mapping[str, str],
        change: tuple[Data, Data],
        type_: Type,
        what: str,
        *,
        drawn: bool = False,
    ) -> str:
        old, new = (self._words.value(each, type_) for each in change)
        known: dict[str, str | int | None] = {**keys, "old": old, "new": new}
        before, after = change
        if isinstance(before, int) and isinstance(after, int):
            known["gain"] = after - before
        own = self.message(name, known)
        if own is not None:
            return own
        if drawn:
            return self._words.say("drawn", what=what, new=new)
        return self._words.say("changes", what=what, old=old, new=new)

    def place(self, lying: object) -> str:
        """Return the name of a zone or of a place of tokens."""
        family, index = cast("Lying", lying)
        return self._words.place(family, index)

    def won(self, winners: Sequence[int]) -> str:
        words = self._words
        who = words.several([words.seat(seat) for seat in winners])
        if not winners:
            return words.say("nobody")
        return words.say("winner" if len(winners) == 1 else "winners", who=who)


def drawn(words: Wording, reasons: Sequence[str]) -> str:
    """Return that a game is drawn, and its reasons by caption or name."""
    return words.say("drawn_game", why=". ".join(map(words.caption, reasons)))
