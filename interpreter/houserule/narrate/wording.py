"""Names and values of a program as words of a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from houserule.bots.bot import KINDS
from houserule.engine.play.engine import engine_of
from houserule.ir.types import (
    Data,
    Flag,
    Kind,
    Maybe,
    Position,
    Set,
    Type,
)
from houserule.resources import Phrases
from houserule.state.domains import printed

if TYPE_CHECKING:
    from houserule.ir import Program


class Wording:
    """Words for everything in one program, in one language.

    Args:
        program: the rules.
        texts: the ruleset's texts of the language, by `section/name`.
        language: of the general words; one that is not known speaks English.
        players: who plays, by seat. Names of people stand for their seats; a seat of
            a bot, or of a person whose name another one has too, is called as the
            rules call it.
    """

    def __init__(
        self,
        program: Program,
        texts: Mapping[str, str] | None = None,
        language: str = "en",
        players: Sequence[str] = (),
    ) -> None:
        self.program, self.language = program, language
        self._texts = texts or {}
        self._phrases = Phrases("narrate", language)
        self._layout = engine_of(program).layout
        kinds = program.kinds.values()
        self.seats = next(kind for kind in kinds if kind.sort == "seat")
        self._players = _names(players, program.labels[self.seats.name])
        self._marks = _initials(self._players)

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a general phrase with its parts put in."""
        return self._phrases.say(phrase, **parts)

    def text(self, section: str, name: str) -> str | None:
        """Return what the ruleset's own texts call something."""
        return self._texts.get(f"{section}/{name}")

    def caption(self, address: str) -> str:
        """Return what a clause says to people; its address where that is nothing."""
        clause = self.program.clauses.get(address)
        own = clause.caption if clause else ""
        return self._texts.get(address) or own or address

    def seat(self, seat: Data) -> str:
        """Return a player's name."""
        return self._players[seat] if isinstance(seat, int) else self.say("none")

    def thing(self, kind: str, item: int, mine: Data = None) -> str:
        """Return the name of a component, a die or a member of an enumeration.

        A thing made `for each` player is called after its owner, unless that is the
        seat `mine`.
        """
        label = self.program.labels[kind][item]
        own = self.text("things", label)
        parts = self._parts(kind, item)
        if own is not None or not parts:
            return own or label
        owner, rest = self._owned(parts)
        if owner is None:
            return rest
        what = f"{self.kind(kind)} {rest}".rstrip()
        if owner == mine:
            return what
        return self.say("owned", who=self.seat(owner), what=what)

    def mark(self, kind: str, item: int) -> str:
        """Return a thing's short name on a board: of its owner, then the rest."""
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
        """Return whose a thing is that is made `for each` player."""
        if kind == self.seats.name:
            return item
        return self._owned(self._parts(kind, item))[0]

    def kind(self, name: str) -> str:
        """Return what a thing of some kind is called."""
        return self.text("things", name) or name.lower()

    def counted(self, kind: str, number: int) -> str:
        """Return so many things of a kind, in a form that needs no plural."""
        return self.say("counted", count=number, what=self.kind(kind))

    def _parts(self, kind: str, item: int) -> list[tuple[Data, Type]]:
        """Return of what a thing made `for each` is made; nothing for other things."""
        component = self.program.components.get(kind)
        label = self.program.labels[kind][item]
        parts: list[tuple[Data, Type]] = []
        words: list[str] = []
        for type_, column in (component.fields if component else {}).values():
            parts.append((column[item], type_))
            words.append(printed(column[item], type_, self.program.labels))
            if "-".join(words) == label:
                return parts
        return []

    def _owned(self, parts: Sequence[tuple[Data, Type]]) -> tuple[int | None, str]:
        """Return the seat among the parts of a thing, and the other parts in words."""
        seats = [value for value, type_ in parts if type_ == self.seats]
        owner = seats[0] if seats and isinstance(seats[0], int) else None
        rest = parts if owner is None else [p for p in parts if p[1] != self.seats]
        return owner, "-".join(self.value(value, type_) for value, type_ in rest)

    def flow(self, name: str) -> str:
        """Return the name of a phase or step."""
        return self.text("flow", name) or name.replace("_", " ")

    def action(self, name: str) -> str:
        """Return what taking an action is called."""
        return self.text("actions", name) or name.replace("_", " ")

    def value(self, value: Data, type_: Type, mine: Data = None) -> str:
        """Return a value in words; things of the seat `mine` without their owner."""
        if value is None:
            return self.say("none")
        match type_:
            case Maybe(inner):
                return self.value(value, inner, mine)
            case Flag():
                return self.say("yes" if value else "no")
            case Kind(sort="seat"):
                return self.seat(value)
            case Kind(name) if isinstance(value, int):
                return self.thing(name, value, mine)
            case Set(member) if isinstance(value, tuple):
                return self.several([self.value(each, member, mine) for each in value])
            case Position() if isinstance(value, tuple):
                return self.place(*self._layout.zone_at(value[0]))
            case _:
                return str(value)

    def several(self, words: Sequence[str]) -> str:
        """Join words: "a", "a and b", "a, b and c"."""
        if not words:
            return self.say("nothing")
        *before, last = words
        return f"{', '.join(before)} {self.say('and')} {last}" if before else last

    def place(self, family: str, index: int) -> str:
        """Return the name of one member of a family of zones, tokens or cells."""
        name = self.text("things", family) or family.replace("_", " ")
        shown = self.keys(family, index)
        return f"{name} ({', '.join(shown)})" if shown else name

    def keys(self, family: str, index: int) -> list[str]:
        """Return the keys of one member of a family in words."""
        members = self._layout.families[family]
        return [
            self.value(key, axis.type)
            for key, axis in zip(members.keys(index), members.axes, strict=True)
        ]

    def call(self, name: str, keys: Sequence[Data]) -> str:
        """Return the name of a declared value at its keys."""
        value = self.program.values[name]
        title = self.text("things", name) or name.replace("_", " ")
        if not keys:
            return title
        shown = (
            self.value(key, param.type)
            for key, param in zip(keys, value.params, strict=True)
        )
        return f"{title} ({', '.join(shown)})"


def _names(players: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """Return what to call each seat: a person's name, if it is his alone."""
    if len(players) != len(labels):
        return tuple(labels)
    return tuple(
        name if players.count(name) == 1 and name not in KINDS else label
        for name, label in zip(players, labels, strict=True)
    )


def _initials(names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each name: its first one, if these are all different."""
    letters = tuple(name[:1].upper() for name in names)
    if len(set(letters)) == len(letters):
        return letters
    return tuple(chr(ord("A") + place) for place in range(len(names)))
