"""Quantities in words: the current value of each, as part of a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houserule.base.inflection import fill, slots_of
from houserule.base.resources import Phrases
from houserule.ir import is_kept, kept_parts
from houserule.ir.types import Data, Kind, Type, Whole, core
from houserule.play.narration.wording import Wording
from houserule.play.seat.reasons.readings import (
    FoundReading,
    SeenQuantity,
    WantedNumber,
)
from houserule.play.seat.seat_model import ReasonReading


class ReadingWords:
    """Words for quantities in one language.

    A ruleset's own text comes first: `readings/NAME/VALUE`, then `/other`. Without one,
    it is the quantity's name, a colon and its value.
    """

    def __init__(self, words: Wording) -> None:
        self._words = words
        self._phrases = Phrases("seat", words.language)

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a phrase of these explanations with its slots filled."""
        return self._phrases.say(phrase, **parts)

    def named(self, name: str) -> bool:
        """Return whether a ruleset has its own words for a quantity or a clause."""
        return any(
            self._words.text("readings", f"{name}/{value}") is not None
            for value in ("yes", "no", "other")
        )

    def text(self, name: str, value: Data, type_: Type) -> str | None:
        """Return the ruleset's own words for a quantity with a value."""
        inner = core(type_)
        if value is None or value == ():
            key = "none"
        elif isinstance(value, bool):
            key = "yes" if value else "no"
        elif isinstance(value, int) and isinstance(inner, Kind):
            key = self._words.program.labels[inner.name][value]
        else:
            key = str(value)
        own = self._words.text("readings", f"{name}/{key}")
        return own or self._words.text("readings", f"{name}/other")

    def reading(self, found: SeenQuantity) -> ReasonReading:
        """Return a quantity's name and value."""
        if found.hidden:
            return ReasonReading(what=self.what(found), value="", hidden=True)
        value = self._words.value(found.value, found.type)
        return ReasonReading(what=self.what(found), value=value)

    def sentence(self, found: SeenQuantity) -> str:
        """Return a quantity with its value as a sentence, without a full stop.

        If it is hidden, the sentence says so.
        """
        if found.hidden:
            return self.say("hidden_reading", what=self.what(found))
        own = self.text(found.name, found.value, found.type) if found.name else None
        named = zip(found.names, found.keys, found.types, strict=True)
        slots = {name: self._word(key, type_) for name, key, type_ in named}
        slots["value"] = self._word(found.value, found.type)
        if found.sort == "zone" and isinstance(found.value, tuple):
            slots |= {"value": len(found.value), "things": slots["value"]}
        if own is not None and all(each.name in slots for each in slots_of(own)):
            return fill(own, slots)
        value = self._words.value(found.value, found.type)
        if found.sort == "sum":
            return self.say("sum", value=value)
        return self.say("reading", what=self.what(found), value=value)

    def _word(self, value: Data, type_: Type) -> str | int:
        """Return a value for a slot; numbers stay numbers, for plural forms."""
        if isinstance(value, int) and not isinstance(value, bool):
            inner = core(type_)
            if isinstance(inner, Whole):
                return value
        return self._words.value(value, type_)

    def what(self, found: SeenQuantity) -> str:
        """Return a quantity's name with its keys."""
        words = self._words
        shown = [
            words.value(key, type_)
            for key, type_ in zip(found.keys, found.types, strict=True)
        ]
        if found.sort == "face":
            return shown[0]
        if found.sort == "sum":
            return self.say("sum_of", what=shown[0])
        if is_kept(found.name):
            return self._counted(found.name, shown)
        title = words.named("things", found.name)
        return self.say("keyed", what=title, keys=", ".join(shown)) if shown else title

    def _counted(self, name: str, whose: Sequence[str]) -> str:
        """Return what a count of items is of, as the formal wording says it."""
        words, say = self._words, Phrases("exact", self._words.language).say
        phase, since, same, last = kept_parts(name)
        said = [self.say("counted", what=words.named("flow", phase))]
        said += (say("history_who", who=each) for each in whose)
        if ".most" not in name:  # the rules say how many are remembered
            said.append(say("history_last", number=last))
        if since:
            actions = words.program.actions
            sections = ("actions" if each in actions else "flow" for each in since)
            events = [*map(words.named, sections, since)]
            if events[1:]:
                before = ", ".join(events[:-1])
                events = [say("joined_or", before=before, last=events[-1])]
            said.append(say("history_since", what=events[0]))
        if same:
            things = words.several([words.named("things", each) for each in same])
            said.append(say("history_same", what=things))
        return " ".join(said)

    def compared(
        self,
        address: str,
        found: Mapping[str, tuple[Data, Type]],
        value: Data,
        type_: Type,
    ) -> str | None:
        """Return a ruleset's own words for a comparison in a clause, if it has any.

        `found` are values by slot; `value` selects the words.
        """
        own = self.text(address, value, type_)
        if own is None:
            return None
        try:
            return fill(own, {name: self._word(*each) for name, each in found.items()})
        except KeyError:  # not given yet
            return None

    def wanted(self, wanted: WantedNumber) -> str:
        """Return what a number must be."""
        said = self.say(f"wanted {wanted.op}", number=wanted.number)
        return self.say("wanted together", wanted=said) if wanted.together else said

    def sentences(self, found: Sequence[FoundReading], caption: str) -> str:
        """Return what was read as one sentence, '' if nothing was.

        A wanted number is not repeated if the caption contains it.
        """
        parts: dict[str, str] = {}
        last = ""
        for each in found:
            if isinstance(each, SeenQuantity):
                last = self.sentence(each)
                parts.setdefault(last, last)
            elif last and str(each.number) not in caption:
                wanted = self.wanted(each)
                parts[last] = self.say("with_wanted", said=parts[last], wanted=wanted)
        return ", ".join(parts.values())
