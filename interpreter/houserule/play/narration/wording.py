"""Names and values of a program in the words of a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TypeAlias

from houserule.base.inflection import (
    HIDDEN,
    MANY,
    SHORT,
    Inflected,
    fill,
    inflected,
    together,
)
from houserule.base.resources import Phrases
from houserule.engine.bots.bot import is_bot, spoken_of
from houserule.engine.reference.play.engine import engine_of
from houserule.engine.state.store import Store
from houserule.ir import CallValue, Const, Program
from houserule.ir.types import Data, Flag, Kind, Maybe, Position, Set, Type
from houserule.play.narration.event_visibility import Knows

LONGEST_NAME = 24  # characters of a caption that is used as a name
Parts: TypeAlias = tuple[tuple[Data, Type], ...]


class Wording:
    """Texts for everything in one program, in one language.

    Args:
        texts: the ruleset's texts in the language, by `section/name`.
        language: the language of general words; English if it is not available.
        players: the players by seat. People's names replace seat names; a bot has the
            name of its seat's colour, or else its kind with the seat's number. A player
            whose name is not unique has the seat's name in the rules.
        colour: the declared value that names each seat's colour, if there is one.
    """

    def __init__(
        self,
        program: Program,
        texts: Mapping[str, str] | None = None,
        language: str = "en",
        players: Sequence[str] = (),
        *,
        colour: str | None = None,
    ) -> None:
        self.program, self.language = program, language
        self._texts = texts or {}
        self._members: dict[tuple[str, int], str | None] = {}
        self._forms = _forms(self._texts)
        self._phrases = Phrases("narrate", language)
        self._layout = engine_of(program).layout
        kinds = program.kinds.values()
        self.seats = next(kind for kind in kinds if kind.sort == "seat")
        self._colour = colour
        self._players = self._names(players, program.labels[self.seats.name])
        self._marks = _initials(self._players)

    def calling(self, players: Sequence[str]) -> Wording:
        """Return the same texts for different players."""
        twin = copy(self)
        twin._members = {}
        twin._players = twin._names(players, self.program.labels[self.seats.name])
        twin._marks = _initials(twin._players)
        return twin

    def _names(self, players: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
        """Return each seat's name: its player's if that is unique, else its label."""
        if len(players) != len(labels):
            return tuple(labels)
        names: list[str] = []
        for seat, name in enumerate(players):
            colour = self._colour_of(seat) if is_bot(name) else None
            if colour is not None:
                own = self.thing(*colour)
                names.append(f"{own[:1].upper()}{own[1:]}")
            elif is_bot(name):  # its label if there is little room
                said = self.say(spoken_of(name)[0], number=seat + 1)
                names.append(Inflected(said, {SHORT: labels[seat]}))
            else:
                names.append(name)
        return tuple(
            name if names.count(name) == 1 else label
            for name, label in zip(names, labels, strict=True)
        )

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a general phrase with its slots filled, in the required forms."""
        return self._phrases.say(phrase, **parts)

    def text(self, section: str, name: str) -> str | None:
        """Return the ruleset's own text for something, with its forms."""
        key = f"{section}/{name}"
        words = self._texts.get(key)
        forms = self._forms.get(key)
        return words if words is None or forms is None else Inflected(words, forms)

    def caption(self, address: str) -> str:
        """Return a clause's caption; its address if it has none.

        A house rule's caption replaces that of the clause it changed.
        """
        clause = self.program.clauses.get(address)
        for unit in reversed(clause.changed_by if clause else ()):
            changed = self.text("changed", f"{unit}/{address}")
            if changed is not None:
                return changed
        own = clause.caption if clause else ""
        return self._texts.get(address) or own or address

    def named(self, section: str, name: str) -> str:
        """Return the name of something declared: its text, else its short caption.

        A long caption is a description. Without a short one, it is its identifier.
        """
        own, caption = self.text(section, name), self.caption(name)
        if own is None and caption != name and len(caption) <= LONGEST_NAME:
            return caption
        return own or name.rpartition(".")[2].replace("_", " ").lower()

    def seat(self, seat: Data) -> str:
        """Return a player's name."""
        return self._players[seat] if isinstance(seat, int) else self.say("no_one")

    def seat_colour(self, seat: int) -> str | None:
        """Return a seat's colour as the rules name it; None if there is none.

        It is computed from the table alone; None if it depends on the game.
        """
        found = self._colour_of(seat)
        return None if found is None else self.program.labels[found[0]][found[1]]

    def _colour_of(self, seat: int) -> tuple[str, int] | None:
        """Return the type and number of a seat's colour; None if there is none.

        A colour that the game draws or changes is not used for names.
        """
        value = self.program.values.get(self._colour or "")
        if value is None or [each.type for each in value.params] != [self.seats]:
            return None
        engine = engine_of(self.program)
        if engine.access.value_reads(value.name):
            return None
        call = CallValue(value.name, (Const(seat, self.seats),), value.type)
        found = engine.evaluator.closed(call, Store.fresh(engine.layout))
        if not isinstance(found, int) or not isinstance(value.type, Kind):
            return None
        return value.type.name, found

    def thing(self, kind: str, item: int, mine: Data = None) -> str:
        """Return the name of a component, a die or a member of an enumeration.

        A component made `for each` player is named after its owner, unless that is the
        seat `mine`.
        """
        own, parts = self.own_words(kind, item), self._parts(kind, item)
        if own is not None or not parts:
            return own or self.program.labels[kind][item]
        owner, rest = self._owned(parts)
        if owner is None:
            label = self.program.labels[kind][item]
            one_of = len(parts) == 1 and isinstance(parts[0][1], Kind)
            # The pattern after `called` gives names; other products have `2-3`.
            named = label.isidentifier() and not one_of
            return label.replace("_", " ") if named else rest
        what = self._in_forms("numbered", self.kind(kind), number=rest)
        if not rest:
            what = inflected(self.kind(kind))
        if owner == mine:
            return what
        return self._in_forms("owned", what, who=self.seat(owner))

    def own_words(self, kind: str, item: int) -> str | None:
        """Return what the texts call one member of a kind; None if they do not.

        Its own entry comes before the pattern for all members, which has their fields.
        """
        if (kind, item) not in self._members:
            own = self.text("things", self.program.labels[kind][item])
            pattern = None if own is not None else self.text("members", kind)
            if pattern is None:
                self._members[kind, item] = own
            else:
                fields = self.program.components[kind].fields.items()
                known = {
                    name: self.value(column[item], type_)
                    for name, (type_, column) in fields
                }
                forms = inflected(pattern).forms.items()
                put = {form: fill(words, known) for form, words in forms}
                self._members[kind, item] = Inflected(fill(pattern, known), put)
        return self._members[kind, item]

    def mark(self, kind: str, item: int) -> str:
        """Return a component's short name on a board: its owner's, then the rest."""
        if kind == self.seats.name:
            return self._marks[item]
        owner, rest = self._owned(self._parts(kind, item))
        if owner is None:
            return self.thing(kind, item)
        return f"{self._marks[owner]}{rest}"

    def seat_mark(self, seat: int) -> str:
        """Return the letter of a seat on a board."""
        return self._marks[seat]

    def owner(self, kind: str, item: int) -> int | None:
        """Return the owner of a component that is made `for each` player."""
        if kind == self.seats.name:
            return item
        return self._owner_in(self._parts(kind, item))

    def holder(self, family: str, index: int) -> int | None:
        """Return the seat among the keys of a place, such as whose hand it is."""
        members = self._layout.families[family]
        types = [axis.type for axis in members.axes]
        return self._owner_in(tuple(zip(members.keys(index), types, strict=True)))

    def kind(self, name: str) -> str:
        return self.text("things", name) or name.lower()

    def _in_forms(self, phrase: str, what: str, **parts: str | int) -> Inflected:
        words = inflected(what)
        forms = {
            form: self.say(phrase, what=inflection, **parts)
            for form, inflection in words.forms.items()
        }
        return Inflected(self.say(phrase, what=words, **parts), forms)

    def counted(self, kind: str, number: int) -> Inflected:
        """Return a number of components: in the form `many` unless it is one.

        A name without that form is counted with a sign that needs none.
        """
        what = inflected(self.kind(kind))
        if number == 1:
            shown = self._in_forms("one", what)
        elif MANY in what.forms:
            shown = self._in_forms("many", _family(what, MANY), count=number)
        else:
            shown = self._in_forms("counted", what, count=number)
        return Inflected(shown, shown.forms, number)

    def hidden(self, kind: str, number: int = 1) -> Inflected:
        what = inflected(self.kind(kind))
        if number == 1 and HIDDEN in what.forms:
            return _family(what, HIDDEN)
        return self.counted(kind, number)

    def some_hidden(self, kind: str, known: Sequence[str], hidden: int) -> Inflected:
        """Return known components, and how many others there are."""
        if not hidden:
            return self.several(known)
        number = len(known) + hidden
        return self.several([*known, self.hidden(kind, hidden)], number)

    def has_name(self, kind: str, item: int) -> bool:
        """Return whether a component has a name, and not only a number."""
        return self.own_words(kind, item) is not None or not self._parts(kind, item)

    def _parts(self, kind: str, item: int) -> Parts:
        """Return the parts of a component made `for each`; empty for others."""
        component = self.program.components.get(kind)
        if component is None:
            return ()
        columns = (component.fields[name] for name in component.each)
        return tuple((column[item], type_) for type_, column in columns)

    def _owner_in(self, parts: Parts) -> int | None:
        seats = [value for value, type_ in parts if type_ == self.seats]
        return seats[0] if seats and isinstance(seats[0], int) else None

    def _owned(self, parts: Parts) -> tuple[int | None, str]:
        """Return the seat among a component's parts, and the other parts in words."""
        owner = self._owner_in(parts)
        rest = parts if owner is None else [p for p in parts if p[1] != self.seats]
        return owner, "-".join(self.value(value, type_) for value, type_ in rest)

    def flow(self, name: str) -> str:
        """Return the name of a phase or step."""
        return self.text("flow", name) or name.replace("_", " ")

    def action(self, name: str) -> str:
        return self.named("actions", name)

    def value(
        self, value: Data, type_: Type, mine: Data = None, knows: Knows | None = None
    ) -> str:
        """Return a value in words; components of the seat `mine` without their owner.

        Components for which `knows` is false are called by their kind.
        """
        match type_:
            case Maybe(inner) if value is not None:
                return self.value(value, inner, mine, knows)
            case Maybe(Kind(sort="seat")):
                return self.say("no_one")
            case _ if value is None:
                return self.say("nothing")
            case Flag():
                return self.say("yes" if value else "no")
            case Kind(sort="seat"):
                return self.seat(value)
            case Kind(name) if isinstance(value, int):
                if knows is not None and not knows(name, value):
                    return self.hidden(name)
                return self.thing(name, value, mine)
            case Set(Kind(name)) if isinstance(value, tuple) and knows is not None:
                known = [item for item in value if knows(name, item)]
                words = [self.value(each, type_.member, mine) for each in known]
                return self.some_hidden(name, words, len(value) - len(known))
            case Set(member) if isinstance(value, tuple):
                return self.several([self.value(each, member, mine) for each in value])
            case Position() if isinstance(value, tuple):
                return self.place(*self._layout.zone_at(value[0]))
            case _ if isinstance(value, int):
                return inflected(value)
            case _:
                return str(value)

    def several(self, words: Sequence[str], number: int | None = None) -> Inflected:
        """Join words: "a", "a and b", "a, b and c"; for no words, the word for nothing.

        Args:
            number: how many things they name; by default the number of words.
        """
        many = len(words) if number is None else number
        if not words:
            return Inflected(self.say("nothing"), number=many)

        def joined(words: Sequence[str]) -> str:
            *before, last = words
            and_last = f"{', '.join(before)} {self.say('and')} {last}"
            return and_last if before else str(last)

        return together(words, joined, many)

    def place(self, family: str, index: int, knows: Knows | None = None) -> str:
        """Return the name of one member of a family of zones, tokens or cells."""
        keys = [word for _, word in self.named_keys(family, index, knows)]
        return self._keyed(self.named("things", family), keys)

    def named_keys(
        self, family: str, index: int, knows: Knows | None = None
    ) -> list[tuple[str, str]]:
        members, program = self._layout.families[family], self.program
        if family in program.zones:
            declared = program.zones[family].keys
        elif family in program.states:
            declared = program.states[family].keys
        else:
            slots = (each.slots.get(family) for each in program.tokens.values())
            declared = next(each for each in slots if each is not None)
        return [
            (param.name, self.value(key, axis.type, None, knows))
            for key, axis, param in zip(
                members.keys(index), members.axes, declared, strict=True
            )
        ]

    def call(self, name: str, keys: Sequence[Data], knows: Knows | None = None) -> str:
        """Return the name of a declared value at its keys."""
        value = self.program.values[name]
        shown = [
            self.value(key, param.type, None, knows)
            for key, param in zip(keys, value.params, strict=True)
        ]
        return self._keyed(self.named("things", name), shown)

    def _keyed(self, name: str, keys: Sequence[str]) -> str:
        """Return the name of a family with the keys of one member."""
        if not keys:
            return name
        return self.say("keyed", what=name, keys=", ".join(keys))


def _forms(texts: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the forms of each text that has some, by the key of the text."""
    found: dict[str, dict[str, str]] = {}
    for key, words in texts.items():
        name, _, form = key.partition(":")
        if form and "/" in name and not name.startswith("notes/"):
            found.setdefault(name, {})[form] = words
    return found


def _family(what: Inflected, name: str) -> Inflected:
    """Return a form such as `many` with its own forms: `many_dative` is its dative."""
    start = f"{name}_"
    forms = {
        each.removeprefix(start): form
        for each, form in what.forms.items()
        if each.startswith(start)
    }
    return Inflected(what.form(name), forms)


def _initials(names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each name: its first one, if these are all different."""
    letters = tuple(name[:1].upper() for name in names)
    if len(set(letters)) == len(letters):
        return letters
    return tuple(chr(ord("A") + place) for place in range(len(names)))
