"""Texts about a player, a component or the game, as far as the viewer knows.

A text is empty if there is nothing to say: an initial state, no tokens, a hidden cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houserule import ir
from houserule.base.frozen import frozen
from houserule.base.inflection import BASE, MANY, inflected
from houserule.base.resources import Phrases
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.layout import all_keys
from houserule.ir.types import Data, Flag, Kind, Type, core, is_seat
from houserule.play.narration.visibility import ViewerVisibility
from houserule.play.narration.wording import Wording
from houserule.play.seat.layout import PositionPlan, Saying
from houserule.play.seat.looks import PrintedField, field_of


@frozen
class DisplayValue:
    """A text, and the seat that it names or belongs to."""

    text: str
    seat: int | None = None


NOTHING = DisplayValue("")


class Describer:
    """Describes what the viewer knows of one state."""

    def __init__(
        self,
        game: ReferenceGame,
        words: Wording,
        knowledge: ViewerVisibility,
        plan: PositionPlan,
    ) -> None:
        self._game, self._words, self._knowledge = game, words, knowledge
        self._plan, self._program = plan, game.program
        self._phrases = Phrases("seat", words.language)
        self._layout, self._store = game.engine.layout, game.machine.store
        self._running = {""} | {each.phase for each in game.machine.stack}

    def title(self, name: str, number: int = 1) -> str:
        """Return the name of a family, or of a kind in the number's plural form."""
        own = self._words.text("things", name)
        if own is None:
            return self._words.named("things", name)
        return str(own) if number == 1 else inflected(own).form(MANY)

    def field_title(self, kind: str, name: str) -> str:
        """Return the name of a field, else the name of its values' type."""
        keyed = self._program.components[kind].keyed.get(name)
        found = keyed or field_of(self._program, kind, name)
        assert found is not None, "a layout names fields"
        of = found.of if isinstance(found, PrintedField) else kind
        own = self._words.text("things", f"{of}.{name}")
        inner = core(found.type)
        if own is None and isinstance(inner, Kind):
            own = self._words.text("things", inner.name)
        return str(own or name.replace("_", " "))

    def of_game(self, saying: Saying) -> DisplayValue:
        """Describe a family without a key."""
        said = self._at(saying, ())
        return NOTHING if said.text == "0" and saying.sort != "value" else said

    def of(self, saying: Saying, kind: str, item: int) -> DisplayValue:
        """Describe a field or family of one player or component."""
        if saying.sort == "field":
            printed = self._program.components[kind].keyed.get(saying.name)
            if printed is None:
                own = field_of(self._program, kind, saying.name)
                assert own is not None, "a layout names fields"
                return self._worded(own.values[item], own.type)
            # "wood 2, grain 1", without what is 0 or none.
            both = zip(printed.keys, printed.rows[item], strict=True)
            texts = [
                f"{self._words.value(key, printed.key.type)} {text}"
                for key, value in both
                if (text := self._worded(value, printed.type).text) not in ("", "0")
            ]
            return DisplayValue(", ".join(texts))
        state = self._program.states.get(saying.name)
        if len(saying.keys) > 1:
            # List the values by the other keys, most tokens first: "ann 3, bob 1".
            params, flag = self._params(saying), state and state.type == Flag()
            found: list[tuple[int, str]] = []
            for keys in all_keys(params):
                if keys[saying.at] != item:
                    continue
                said = self._at(saying, keys)
                if said.text in ("", "0"):
                    continue
                rest = [
                    self._words.value(key, param.type)
                    for at, (key, param) in enumerate(zip(keys, params, strict=True))
                    if at != saying.at
                ]
                # Yes/no values are listed as keys alone.
                entry = " ".join(rest if flag else (*rest, said.text))
                if not flag and rest[-1].isdigit() and said.text.isdigit():
                    entry = f"{' '.join(rest)}: {said.text}"
                tokens = saying.sort == "tokens"
                count = self._game.tokens(saying.name, *keys) if tokens else 0
                found.append((-count, entry))
            found.sort(key=lambda each: each[0])
            return DisplayValue(", ".join(text for _, text in found))
        said = self._at(saying, (item,))
        if kind != self._words.seats.name:
            # Omit components without tokens, and states that are unchanged.
            if saying.sort == "tokens" and not self._game.tokens(saying.name, item):
                return NOTHING
            if saying.sort == "state" and state is not None and not state.computed:
                index = self._index(saying.name, (item,))
                first = self._layout.first[saying.name][index]
                if self._store.cells[saying.name][index] == first:
                    return NOTHING
        return said

    def of_player(self, saying: Saying, seat: int) -> DisplayValue:
        """Describe a family of one player; a zone by the number of its components.

        With more keys than the player, it is the number at each of them: "1: 3, 2: 1".
        """
        if saying.sort != "zone":
            return self.of(saying, self._words.seats.name, seat)
        lying, params = self._store.zones[saying.name], self._params(saying)
        own = [keys for keys in all_keys(params) if keys[saying.at] == seat]
        numbers = [len(lying[self._index(saying.name, keys)]) for keys in own]
        if len(params) > 1 and any(numbers):
            others = [self.others(params, keys, saying.at) for keys in own]
            both = zip(others, numbers, strict=True)
            return DisplayValue(", ".join(f"{k}: {n}" for k, n in both if n))
        return DisplayValue(str(sum(numbers)))

    def others(
        self, params: Sequence[ir.Param], keys: Sequence[Data], at: int = -1
    ) -> str:
        """Name the keys of a family, without the one at an index."""
        both = enumerate(zip(keys, params, strict=False))
        return " ".join(
            str(self._words.value(key, param.type))
            for place, (key, param) in both
            if place != at
        )

    def member(self, saying: Saying, seat: int) -> str | None:
        """Return a player's member of an enumeration in a family.

        It has its name in the rules; None if there is none, or if it is hidden.
        """
        shown = self._at(saying, (seat,))
        match saying.sort:
            case "state":
                type_ = self._program.states[saying.name].type
                value = self._game.cell(saying.name, seat)
            case "value":
                type_ = self._program.values[saying.name].type
                value = self._game.value(saying.name, seat)
            case _:
                return None
        inner = core(type_)
        if not shown.text or not isinstance(inner, Kind) or not isinstance(value, int):
            return None
        return self._program.labels[inner.name][value]

    def keyed(
        self, saying: Saying, form: str = BASE
    ) -> Iterator[tuple[Data | tuple[Data, ...], str, DisplayValue]]:
        """Yield the keys of a family, their name, and the text at each.

        A single key is yielded as it is. Components are named in a grammatical form.
        """
        params = self._params(saying)
        for keys in all_keys(params):
            key: Data | tuple[Data, ...] = keys[0]
            name = self.others(params, keys[:1])
            if len(keys) > 1:
                every = (self.others(params[at:], (k,)) for at, k in enumerate(keys))
                key, name = keys, f"({', '.join(every)})"
            yield key, name, self._at(saying, keys, form)

    def things(self, zone: str, index: int, form: str = BASE) -> str:
        """Name the components in a zone in a form; count the hidden ones."""
        kind = self._layout.members[zone]
        lying = self._store.zones[zone][index]
        known = [each for each in lying if self._knowledge.thing(kind, each)]
        if len(known) > 1 and zone in self._plan.counted:
            known = []
        parts = []
        for each in known:
            name = inflected(self._words.thing(kind, each)).form(form)
            more = [  # changed values, in brackets
                self._phrases.say(
                    "named", name=self.title(saying.name), value=said.text
                )
                for saying, said in self.facts(kind, each, zone)
                if saying.sort in ("state", "tokens")
            ]
            parts.append(f"{name} ({'; '.join(more)})" if more else name)
        hidden = len(lying) - len(known)
        if hidden:
            parts.append(self._words.counted(kind, hidden))
        return ", ".join(parts)

    def facts(
        self, kind: str, item: int, zone: str
    ) -> Iterator[tuple[Saying, DisplayValue]]:
        """Yield all texts about one component in a zone, or in none."""
        for saying in self._plan.of_things(zone, kind):
            said = self.of(saying, kind, item)
            if said.text:
                yield saying, said

    # ---- one family at its keys

    def _params(self, saying: Saying) -> tuple[ir.Param, ...]:
        match saying.sort:
            case "state":
                return self._program.states[saying.name].keys
            case "value":
                return self._program.values[saying.name].params
            case "zone":
                return self._program.zones[saying.name].keys
            case _:
                every = self._program.tokens.values()
                return next(
                    t.slots[saying.name] for t in every if saying.name in t.slots
                )

    def _at(
        self, saying: Saying, keys: tuple[Data, ...], form: str = BASE
    ) -> DisplayValue:
        match saying.sort:
            case "state":
                # A cell of a phase is shown while the phase runs, if it has changed.
                plan = self._program.states[saying.name]
                index = self._index(saying.name, keys)
                if plan.life not in self._running or not self._knowledge.cell(
                    saying.name, index
                ):
                    return NOTHING
                value = self._store.cells[saying.name][index]
                if plan.life and value == self._layout.first[saying.name][index]:
                    return NOTHING
                return self._worded(value, plan.type)
            case "value":
                if not self._knowledge.value(saying.name, keys):
                    return NOTHING
                type_ = self._program.values[saying.name].type
                return self._worded(self._game.value(saying.name, *keys), type_)
            case "tokens":
                return DisplayValue(str(self._game.tokens(saying.name, *keys)))
            case _:
                index = self._index(saying.name, keys)
                return DisplayValue(self.things(saying.name, index, form))

    def _index(self, family: str, keys: tuple[Data, ...]) -> int:
        return self._layout.index(family, keys)

    def _worded(self, value: Data, type_: Type) -> DisplayValue:
        if value is None or value is False or value == ():
            return NOTHING
        text = str(self._words.value(value, type_))
        seat = value if isinstance(value, int) and is_seat(type_) else None
        return DisplayValue(text, seat)

    # ---- families with more keys
