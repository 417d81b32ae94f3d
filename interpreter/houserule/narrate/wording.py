"""Names and values of a program as words of a language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from houserule.engine.engine import Engine
from houserule.ir.types import Data, Flag, Kind, Maybe, Position, Set, Type
from houserule.narrate.phrases import PHRASES

if TYPE_CHECKING:
    from houserule.ir.nodes import Program


class Wording:
    """Words for everything in one program, in one language.

    Args:
        program: the rules.
        texts: the ruleset's texts of the language, by `section/name`.
        language: of the general words; one that is not known speaks English.
        players: names for the seats; otherwise those of the rules.
    """

    def __init__(
        self,
        program: Program,
        texts: Mapping[str, str] | None = None,
        language: str = "en",
        players: Sequence[str] = (),
    ) -> None:
        self.program = program
        self._texts = texts or {}
        self._phrases = PHRASES.get(language, PHRASES["en"])
        self._layout = Engine.of(program).layout
        kinds = program.kinds.values()
        self.seats = next(kind for kind in kinds if kind.sort == "seat")
        named = len(players) == self.seats.size
        self._players = tuple(players) if named else program.labels[self.seats.name]

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a general phrase with its parts put in."""
        return self._phrases[phrase].format(**parts)

    def text(self, section: str, name: str) -> str | None:
        """Return what the ruleset's own texts call something."""
        return self._texts.get(f"{section}/{name}")

    def seat(self, seat: Data) -> str:
        """Return a player's name."""
        return self._players[seat] if isinstance(seat, int) else self.say("none")

    def thing(self, kind: str, item: int) -> str:
        """Return the name of a component, a die or a member of an enumeration."""
        label = self.program.labels[kind][item]
        return self.text("things", label) or label

    def flow(self, name: str) -> str:
        """Return the name of a phase or step."""
        return self.text("flow", name) or name.replace("_", " ")

    def action(self, name: str) -> str:
        """Return what taking an action is called."""
        return self.text("actions", name) or name.replace("_", " ")

    def value(self, value: Data, type_: Type) -> str:
        """Return a value in words."""
        if value is None:
            return self.say("none")
        match type_:
            case Maybe(inner):
                return self.value(value, inner)
            case Flag():
                return self.say("yes" if value else "no")
            case Kind(sort="seat"):
                return self.seat(value)
            case Kind(name) if isinstance(value, int):
                return self.thing(name, value)
            case Set(member) if isinstance(value, tuple):
                return self.several([self.value(each, member) for each in value])
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
        members = self._layout.families[family]
        keys = members.keys(index)
        if not keys:
            return name
        shown = (
            self.value(key, axis.type)
            for key, axis in zip(keys, members.axes, strict=True)
        )
        return f"{name} ({', '.join(shown)})"

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
