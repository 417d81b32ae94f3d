"""Quantities with a name: nouns with their keys, and the author's own sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from houserule import ir
from houserule.frozen import frozen
from houserule.inflected import OF_KEY, Inflected, TextSlot, pieces
from houserule.ir import is_kept, kept_parts
from houserule.ir.types import Flag, Kind, Maybe, Type, Whole
from houserule.ir.walk import slots_read
from houserule.rulebook.exact.scope import FrameVariable
from houserule.rulebook.nouns import Noun

# Phrases hold conditions and conditions phrases: the circle is for types alone.
if TYPE_CHECKING:
    from houserule.rulebook.exact.terms import Terms

ITSELF = "it"
RULE = "rule_"  # before a value: for the exact wording, not for reasons


@frozen
class NamedQuantity:
    """Something that is declared, at its keys; `name` is what texts call it."""

    name: str
    params: tuple[str, ...]
    keys: tuple[ir.Expr, ...]
    sort: str
    word: Noun


class Quantities:
    """The phrases and sentences of quantities."""

    def __init__(self, terms: Terms) -> None:
        self._terms, self._names = terms, terms.names

    def of(self, expr: ir.Expr) -> NamedQuantity | None:
        """Return an expression as a quantity with a name, None if it has none."""
        match expr:
            case (
                ir.CallValue(value=name, args=keys) | ir.ReadCell(state=name, keys=keys)
            ):
                sort = "flag" if isinstance(expr.type, Flag) else "value"
                return self._made(name, keys, sort)
            case ir.TokenCount(slot=name, keys=keys):
                return self._made(name, keys, "place")
            case ir.ZoneSize(zone=name, keys=keys) | ir.Contents(zone=name, keys=keys):
                return self._made(name, keys, "place")
            case ir.ReadField(subject=subject, kind=kind, field=field):
                return self._made(
                    f"{kind.name}.{field}", (subject,), "value", (ITSELF,)
                )
            case ir.ReadFace(die=die, kind=kind):
                word = self._names.general("face")
                return NamedQuantity(kind.name, (ITSELF,), (die,), "face", word)
            case _:
                return None

    def _made(
        self,
        name: str,
        keys: tuple[ir.Expr, ...],
        sort: str,
        params: tuple[str, ...] | None = None,
    ) -> NamedQuantity:
        if is_kept(name):
            return NamedQuantity(name, (), keys, "kept", self._names.general("count"))
        own = self.params_of(name) if params is None else params
        return NamedQuantity(name, own, keys, sort, self.noun(name, sort))

    def noun(self, name: str, sort: str) -> Noun:
        """Return the noun of a quantity: its own, or its caption in quotation marks."""
        names = self._names
        if sort == "flag":  # it is spoken of as a sentence
            return names.general("value")
        if not names.has_noun(name) and sort == "value":
            caption = names.caption(name)
            if caption:
                word = names.general("value")
                quoted = names.quoted(caption)
                names.mention(name)
                return Noun(f"{word.one} {quoted}", word.gender)
        return names.word(name, sort)

    def params_of(self, name: str) -> tuple[str, ...]:
        """Return the names of the keys that something is declared with."""
        program = self._names.program
        if name in program.values:
            return tuple(each.name for each in program.values[name].params)
        if name in program.states:
            return tuple(each.name for each in program.states[name].keys)
        if name in program.zones:
            return tuple(each.name for each in program.zones[name].keys)
        for tokens in program.tokens.values():
            if name in tokens.slots:
                return tuple(each.name for each in tokens.slots[name])
        return ()

    # ---- as a noun

    def phrase(self, quantity: NamedQuantity) -> Inflected:
        """Return "the income of the company"."""
        kept = quantity.sort == "kept"
        tail = self._history(quantity) if kept else self._tail(quantity, None)
        return self._names.grammar.phrase(quantity.word, "the", tail)

    def _history(self, quantity: NamedQuantity) -> str:
        """Return which earlier items are counted, to stand behind "number"."""
        names = self._names
        phase, since, same, last = kept_parts(quantity.name)
        said = [names.say("history", phase=names.flow(phase))]
        for who in quantity.keys:
            said.append(names.say("history_who", who=self._terms.phrase(who)))
        if since:
            events = names.joined([names.event(each) for each in since], "or")
            said.append(names.say("history_since", what=events))
        if same:
            nouns = [names.grammar.phrase(self._kept_noun(each)) for each in same]
            said.append(names.say("history_same", what=names.together(nouns)))
        said.append(names.say("history_last", number=last))
        return "".join(f" {each}" for each in said)

    def _kept_noun(self, name: str) -> Noun:
        program = self._names.program
        known = name in program.values or name in program.states
        return self.noun(name, "value" if known else "place")

    def with_article(self, quantity: NamedQuantity, article: str) -> Inflected:
        """Return "no owner of the company"."""
        tail = self._tail(quantity, None)
        return self._names.grammar.phrase(quantity.word, article, tail)

    def without(
        self, expr: ir.Expr, variable: FrameVariable
    ) -> tuple[Noun, str] | None:
        """Return the noun of what a variable has, without the variable itself."""
        quantity = self.of(expr)
        if quantity is None or quantity.sort in ("kept",):
            return None
        hits = [
            place
            for place, key in enumerate(quantity.keys)
            if variable.slot in slots_read(key)
        ]
        if len(hits) != 1:
            return None
        key = quantity.keys[hits[0]]
        if isinstance(key, ir.Local):
            return quantity.word, self._tail(quantity, hits[0])
        inner = self.without(key, variable)
        if inner is None or len(quantity.keys) != 1:
            return None
        of = self._names.of(self._names.grammar.phrase(inner[0], "the", inner[1]))
        return quantity.word, f" {of}"

    def _tail(self, quantity: NamedQuantity, left_out: int | None) -> str:
        """Return the keys of a quantity, to stand behind its noun."""
        said: list[str] = []
        for place, (name, key) in enumerate(
            zip(quantity.params, quantity.keys, strict=True)
        ):
            if place == left_out:
                continue
            what = self._terms.phrase(key)
            own = quantity.word.forms.get(f"{OF_KEY}{name}")
            if own is None and quantity.sort == "place":
                own = self._names.word(quantity.name, "place").forms.get(
                    f"{OF_KEY}{name}"
                )
            if own is not None:
                said.append(self._names.grammar.filled(own, {name: what}))
            elif not said:
                said.append(self._names.of(what))
            else:
                said.append(self._names.say("for_key", what=what))
        return "".join(f" {each}" for each in said)

    def filled_form(self, form: str, quantity: NamedQuantity) -> str:
        """Return a form of a place that its author gave, with its keys put in."""
        keys = zip(quantity.params, quantity.keys, strict=True)
        parts = {name: self._terms.phrase(key) for name, key in keys}
        return self._names.grammar.filled(form, parts)

    # ---- as the author's sentence

    def has_reading(self, quantity: NamedQuantity, value: str) -> bool:
        """Say whether the texts have a sentence for a quantity with a value."""
        return self._reading(quantity, value) is not None

    def _reading(self, quantity: NamedQuantity, value: str) -> str | None:
        own = self._text(quantity, value)
        return own if own is not None else self._text(quantity, "other")

    def _text(self, quantity: NamedQuantity, value: str) -> str | None:
        """Return the words for one value; those for a rulebook alone go first."""
        texts = self._names.texts
        for key in (f"{RULE}{value}", value):
            own = texts.get(f"readings/{quantity.name}/{key}")
            if own is not None:
                return own
        return None

    def takes_phrases(self, quantity: NamedQuantity | None, expr: ir.Expr) -> bool:
        """Say whether the author's sentence fits a value that is not known.

        Sentences for members of enumerations are written for their names.
        """
        kind = expr.type.inner if isinstance(expr.type, Maybe) else expr.type
        if not isinstance(kind, Kind) or kind.sort != "enum":
            return True
        key = f"readings/{quantity.name}/{RULE}other" if quantity else ""
        return key in self._names.texts

    def exact_reading(self, quantity: NamedQuantity, value: str) -> str | None:
        """Return the author's sentence for one value alone, where there is one."""
        own = self._text(quantity, value)
        return None if own is None else self.filled(quantity, own, None)

    def sentence(
        self, quantity: NamedQuantity, value: str, shown: Inflected | None
    ) -> str | None:
        """Return the author's sentence for a quantity that has a value.

        `shown` is put in for the value; None if the texts have no sentence.
        """
        own = self._reading(quantity, value)
        return None if own is None else self.filled(quantity, own, shown)

    def filled(
        self, quantity: NamedQuantity, text: str, shown: Inflected | None
    ) -> str | None:
        """Return a reading with its keys put in, None where it asks for more."""
        keys = zip(quantity.params, quantity.keys, strict=True)
        parts: dict[str, str | int] = {
            name: self._terms.groups.whole(key) for name, key in keys
        }
        if shown is not None:
            parts["value"] = shown
            if quantity.sort != "place":
                parts["things"] = shown
        found = pieces(text)
        if any(isinstance(each, TextSlot) and each.name not in parts for each in found):
            return None
        return self._names.grammar.filled(self._unnamed(text, quantity), parts)

    def _unnamed(self, text: str, quantity: NamedQuantity) -> str:
        """Return a text without the noun of a kind before a slot: "company {c}".

        It stands there for names of things; a phrase has the noun itself.
        """
        for name, key in zip(quantity.params, quantity.keys, strict=True):
            kind = key.type.inner if isinstance(key.type, Maybe) else key.type
            nouns = [self._noun_of(kind)]
            if isinstance(key, ir.Local):
                nouns.append(self._terms.scope.noun(key).one)
            for noun in filter(None, nouns):
                doubled = re.compile(
                    rf"\b{re.escape(noun)} (?=\{{{name}\b)", re.IGNORECASE
                )
                text = doubled.sub("", text)
        return text

    def _noun_of(self, kind: Type) -> str:
        match kind:
            case Kind(sort="seat"):
                return ""
            case Kind(name=name):
                return self._names.wording.kind(name)
            case Whole():
                return self._names.general("number").one
            case _:
                return ""


def label_of(program: ir.Program, value: object, type_: Type) -> str:
    """Return what the words of a reading for a value are called."""
    inner = type_.inner if isinstance(type_, Maybe) else type_
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(inner, Kind) and isinstance(value, int):
        labels: Mapping[str, Sequence[str]] = program.labels
        return labels[inner.name][value]
    return str(value)
