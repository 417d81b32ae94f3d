"""Plain sentences for players, made from the expressions of clauses without a text.

They are shorter than the formal wording: *you* is the acting player, and values replace
variables. A called effect is cited by its own sentence, and states that only the rules
need are omitted. A sentence that would not read well is not made: the clause is then
`Unsayable`, and is printed in formal wording.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, pairwise, repeat
from typing import TypeVar

from houserule import ir
from houserule.base.inflection import CASES, OF_KEY, Inflected, slots_of
from houserule.base.resources import Phrases
from houserule.ir import kept_parts
from houserule.ir.types import Flag, Kind, Maybe, Set, Whole, core, is_seat
from houserule.ir.walk import beneath, rebuilt
from houserule.rulebook.exact.clauses import (
    ClausePart,
    Clauses,
    Given,
    Variables,
    locals_of,
)
from houserule.rulebook.exact.counters import counters_of, read_by
from houserule.rulebook.exact.expressions import (
    ExpressionWords,
    Group,
    NamedQuantity,
    as_size,
)
from houserule.rulebook.exact.program_nouns import Lexicon
from houserule.rulebook.exact.scope import (
    ME,
    FrameVariable,
    VariableWords,
    parameters,
    variables_of,
)
from houserule.rulebook.exact.shapes import (
    MIRRORED,
    OPPOSITE,
    neighbour,
    open_rows,
    settled,
)
from houserule.rulebook.exact.statements import StatementWords
from houserule.rulebook.nouns import Noun
from houserule.rulebook.nouns.speech import (
    NoVerbError,
    ReaderSpeech,
    as_sentence,
    speech_of,
)

NUMBERED = re.compile(r":([^:|{}]+)\|([^:|{}]+)\}")  # as in {value:chip|chips}
LONGEST = 44  # words of a sentence
SHORT = 20  # words of an effect that is described instead of named
DEEPEST = 3  # effects expanded inside one another
UGLY = re.compile(r"[()\[\]_\0]|:.*:")
SILENT = frozenset(
    {"option", "players", "field", "type", "cell", "layer", "dice", "component"}
    | {"effect"}
)
"""Kinds of clauses that tables, lists and their parts show."""
WORDED = frozenset(
    {"needs", "or", "cost", "limit", "does", "asks", "contribution", "zone"}
    | {"reaction", "phase", "step", "state", "action", "winners", "drawn by"}
)
"""Kinds of clauses that have plain sentences; others have formal wording only."""

Said = TypeVar("Said", bound=str)


class Unsayable(Exception):
    """No plain sentence expresses this."""


class PlainPhrases(Phrases):
    """The phrases of plain sentences, else those of formal wording."""

    def __init__(self, area: str, language: str) -> None:
        super().__init__(area, language)
        self._formal = Phrases("exact", language)

    def text(self, phrase: str) -> str:
        """Return a phrase with its slots unfilled."""
        own = self.get(phrase)
        return self._formal.text(phrase) if own is None else own


class PlainLexicon(Lexicon):
    """Nouns and phrases for plain sentences; a missing noun makes them unsayable."""

    def __init__(self, names: Lexicon) -> None:
        first = names.language if names.is_first else ""
        super().__init__(names.program, names.texts, names.language, first)
        self.phrases = PlainPhrases("plain", self.language)
        self.speech: ReaderSpeech | None = speech_of(self.phrases.language)
        self.events: Mapping[str, str] = {}
        self.named: set[str] = set()  # values that sentences name, not expand

    def flow(self, name: str) -> str:
        """Return the name of a phase or step."""
        said = self.wording.text("flow", name)
        if said is None:
            raise Unsayable(name)
        return said

    def word(self, name: str, sort: str) -> Noun:
        own = self.own_name(name)
        if own is None and name in self.events:
            word = self.general("count")
            tail = self.say("event_count", what=self.event(self.events[name]))
            return Noun(f"{word.one} {tail}", word.gender)
        if own is None and self.is_new(name) and not self.has_noun(name):
            called = self.caption(name) or name.rpartition(".")[2].replace("_", " ")
            return self._around("counter", called)
        by_itself = self.by_itself(name) if own is None else None
        if by_itself is not None:
            return by_itself
        if own is None or self.noun(own) is None:
            raise Unsayable(name)
        return super().word(name, sort)

    def has_noun(self, name: str) -> bool:
        """Return whether a declaration has a noun; a value without one is expanded."""
        state = self.program.states.get(name)
        counts = self.is_new(name) and not (self.is_first and self.label(name))
        counts = counts or (state is not None and isinstance(state.type, Flag))
        if super().has_noun(name) or counts or name in self.program.values:
            return super().has_noun(name)
        return self.by_itself(name) is not None

    def _named(self, kind: Kind, item: int, label: str, article: str) -> Inflected:
        known, self.missing = self.missing, set()
        said = super()._named(kind, item, label, article)
        own = kind.sort == "enum" and ("things", label) in self.missing
        if own and kind.name in self.program.clauses:  # a house rule's own word
            self.missing = set()
            if not self.is_first:
                said = self.plain(self.quoted(label.replace("_", " ")))
        if self.by_itself(label) is not None:
            self.missing = set()  # its own name, as it is in the rules
        self.missing |= known
        return said

    def is_bare(self, name: str) -> bool:
        """Return whether the texts have no noun for a state that its name could be."""
        return self.own_name(name) is None and self.has_noun(name)

    def is_new(self, name: str) -> bool:
        """Return whether a house rule counts or remembers something by this name."""
        state, clause = self.program.states.get(name), self.program.clauses.get(name)
        simple = state is not None and isinstance(state.type, Whole | Flag)
        return simple and clause is not None and clause.origin != ""


class PlainScope(VariableWords):
    """The phrases of variables: a replaced one is "that company" from then on."""

    def __init__(
        self,
        names: Lexicon,
        address: str,
        params: Sequence[FrameVariable],
        roots: Sequence[ir.CoreNode],
        given: Given,
    ) -> None:
        owner, program = address.partition(".")[0], names.program
        reaction, action = program.reactions.get(owner), program.actions.get(owner)
        self._around = roots if action is None else (action, *roots)
        self._places: dict[int, Noun] = {}
        chosen = [e for b in action.params for e in variables_of(b)] if action else []
        self._several: dict[int, int] = {}
        if roots:
            used = {e.slot for e in beneath(*roots) if isinstance(e, ir.Local)}
            params = [each for each in params if each.slot in used]
        self._event = reaction.event.partition(".")[0] if reaction else ""
        self._params = {each.slot for each in params}
        self._others = {
            slot
            for node in beneath(*roots)
            if isinstance(node, ir.ChooseOption) and is_seat(node.bind.type)
            if isinstance(node.bind.source, ir.CombineSets)
            for slot in node.bind.slots
            if node.by is not None
        }
        super().__init__(names, address, params, roots, given)
        # Of several things of a kind that you choose, each has its number.
        words = {each.slot: self._word(each) for each in chosen}
        self._words |= words
        for slot, word in words.items():
            same = [each for each, own in words.items() if own == word]
            if len(same) > 1:
                self._several[slot] = 1 + same.index(slot)
        self._shared -= {*self._several}
        for slot in [*self._shared]:
            if sum(self._words[e] == self._words[slot] for e in self._shared) == 1:
                self._shared.discard(slot)
        # A player whom you choose is "that player".
        self._has_me |= owner in program.actions
        # Of several things of a kind, the one that the clause is about has no number.
        ours = [each for each in params if each.slot in self._shared]
        kinds = Counter(str(core(each.type)) for each in ours)
        self._shared -= {e.slot for e in ours if kinds[str(core(e.type))] == 1}
        # One that is chosen among some is these, one after the other.
        for bind in beneath(*roots):
            if isinstance(bind, ir.Bind) and isinstance(bind.source, ir.Pick):
                both = {*bind.slots, *bind.source.bind.slots}
                if self._shared <= both:
                    self._shared -= both
        self.replaced: dict[int, Inflected] = {}
        self._said: set[int] = set()
        self._saying: set[int] = set()

    def end_sentence(self) -> None:
        """Let variables of the sentence be "that company" in the next one."""
        self._said |= self._saying

    def forget(self, variable: FrameVariable) -> None:
        """Let a variable need no number: a phrase replaces it."""
        self._shared.discard(variable.slot)

    def needs_telling(self, local: FrameVariable) -> bool:
        """Return whether a variable must be named when it is introduced."""
        return local.slot in self._shared and local.slot in self._named

    def point_at(self, variables: Iterable[FrameVariable]) -> None:
        """Let variables that were just introduced be "that company"."""
        for each in variables:
            if each.slot in self._shared and each.slot not in self._named:
                self.replaced[each.slot] = Inflected(each.name)
                self._said.add(each.slot)

    def _word(self, variable: FrameVariable) -> Noun:
        effect = self._names.program.effects.get(self._event)
        if effect is not None and variable.slot in self._params:
            of_event = parameters(effect.params)[variable.slot - 1 : variable.slot]
            for each in of_event:  # the texts name the player of the event
                own = self._names.wording.text("names", f"{self._event}.{each.name}")
                noun = None if own is None else self._names.noun(own)
                if noun is not None:
                    self._named.add(variable.slot)
                    return noun
        if variable.slot in self._places:
            return self._places[variable.slot]
        word = super()._word(variable)
        if variable.slot in self._named or not isinstance(variable.type, Whole):
            return word
        for place in _places_by(variable.slot, self._around):  # a number of a heap
            own = self._names.own_name(place)
            noun = None if own is None else self._names.noun(own)
            if noun is not None and not noun.is_plural:
                self._named.add(variable.slot)
                self._places[variable.slot] = noun
                return noun
        return word

    def is_place(self, variable: FrameVariable) -> bool:
        """Return whether a number only says which of some places is meant."""
        return variable.slot in self._places

    def numbered(self, variable: ir.Local | FrameVariable, word: Noun) -> Noun:
        """Return "second cell" for one of several things that you choose."""
        number = self._several.get(variable.slot)
        grammar = self._names.grammar
        return word if number is None else grammar.ordinal(word, number)

    def noun(self, local: ir.Local | FrameVariable) -> Noun:
        """Return the noun of a variable, with its number if it needs one."""
        return self.numbered(local, super().noun(local))

    def introduced(self, local: ir.Local | FrameVariable) -> Inflected:
        """Return the phrase for a variable."""
        if local.slot in self._others:
            word = self._names.type_word(local.type)
            other = self._names.phrases.text("adjective_other")
            return self._names.grammar.phrase(
                self._names.grammar.described(word, other)
            )
        if local.slot in self.replaced:
            if local.slot in self._said:
                word = self._names.type_word(local.type)
                return self._names.grammar.phrase(word, "that")
            self._saying.add(local.slot)
            return self.replaced[local.slot]
        if local.slot in self._several and local.slot not in self._given:
            word = self._words[local.slot]
            return self._names.grammar.phrase(self.numbered(local, word))
        if local.slot in self._shared and local.slot not in self._named:
            raise Unsayable(local.name)
        word, known = self._names.type_word(local.type), {*self._given, *self._named}
        if self._event and local.slot in self._params - known and is_seat(local.type):
            return self._names.grammar.phrase(word, "that")
        return super().introduced(local)

    def is_named(self, local: FrameVariable) -> bool:
        """Return whether the texts have a name of their own for a variable."""
        return local.slot in self._named


class PlainWords(ExpressionWords):
    """Sentences and phrases as in formal wording, but addressed to a player."""

    names: PlainLexicon
    scope: PlainScope

    def __init__(
        self,
        names: PlainLexicon,
        address: str,
        params: Sequence[FrameVariable] = (),
        *roots: ir.CoreNode,
        given: Given | None = None,
    ) -> None:
        found = dict(given or {})
        if names.speech is not None:
            found.setdefault(ME, names.speech.you)
        self.names = names
        self.address, self.params = address, params
        self.scope = PlainScope(names, address, params, roots, found)

    def where(self, expr: ir.Expr | None) -> str:
        """Return the condition of a selection, to follow its noun."""
        if expr is None:
            return ""
        said, speech = self.sentence(expr), self.names.speech
        what = speech.subordinate(said) if speech else said
        return self.names.say("where", what=what)

    def is_me(self, expr: ir.Expr) -> bool:
        """Return whether an expression is the reader."""
        seat = isinstance(expr, ir.Local) and is_seat(expr.type)
        return seat and self._is_you(self.phrase(expr))

    def _is_you(self, phrase: Inflected) -> bool:
        return self.names.speech is not None and phrase is self.names.speech.you

    def clause(self, said: str) -> str:
        """Return a sentence whose verb agrees with *you* as its subject."""
        speech = self.names.speech
        return said if speech is None else speech.agreeing(said)

    def _parts(self, expr: ir.Expr, op: str) -> list[ir.Expr]:
        """Return the parts of a condition; two limits of a number are one part."""
        parts = super()._parts(expr, op)
        for n, (first, second) in enumerate(pairwise(parts) if op == "and" else ()):
            match first, second:
                case (
                    ir.CompareValues(">=", left, ir.Const(value=int(low))),
                    ir.CompareValues("<=", again, ir.Const(value=int(high))),
                ) if left == again and high - low > 1:
                    numbers = tuple(range(low, high + 1))
                    span = ir.Const(numbers, Set(Whole(low, high)))
                    parts[n : n + 2] = [ir.In(left, span, expr.type)]
                    break
                case _:
                    pass
        return parts

    def sentence(self, expr: ir.Expr, holds: bool = True) -> str:
        if isinstance(expr, ir.CallValue) and self._is_nameless(expr):
            return self.inside(expr, lambda words, body: words.sentence(body, holds))
        if isinstance(expr, ir.Cases | ir.PositionAfter | ir.Alike):
            raise Unsayable(self.address)
        match expr:
            case ir.Quantifier(kind="some" | "no" as kind) if not holds:
                opposite = replace(expr, kind="no" if kind == "some" else "some")
                return self.sentence(opposite)
            case ir.Quantifier(
                kind="some" | "no" as kind,
                binds=(ir.Bind(slots=(slot,), source=source),),
                where=None,
                body=ir.CompareValues("==", ir.Local(slot=read), ir.Const() as one),
            ) if read == slot:  # one of some things is this one
                among = ir.In(one, source, expr.type)
                return self.sentence(among, holds is (kind == "some"))
            case ir.Quantifier(
                kind="some" | "every",
                binds=(ir.Bind(slots=(slot,), source=ir.MakeSet(items=(item,))),),
                where=None,
                body=body,
            ):
                self.scope.replaced[slot] = self.phrase(item)
                return self.sentence(body, holds)
            case ir.Quantifier(
                kind="some" | "every" | "no" as kind,
                binds=(ir.Bind(slots=(_,), type=type_) as bind,),
                where=None,
                body=body,
            ) if (
                holds
                and _reads(body, *bind.slots) == 1
                and (
                    is_seat(type_)
                    or isinstance(body.left, ir.ReadField | ir.TokenCount)
                    if isinstance(body, ir.CompareValues)
                    else isinstance(body, ir.IsNone | ir.CallValue | ir.ReadCell)
                )
            ):
                (variable,) = variables_of(bind)
                article = "a" if kind == "some" else kind
                self.scope.forget(variable)
                self.scope.replaced[variable.slot] = self.bound(bind, article)
                return self.sentence(body)
            case ir.Quantifier(
                kind=kind, binds=(ir.Bind(slots=(_,)) as bind,), body=body
            ) if (
                expr.where is None and settled(body) is None
            ):  # "a card for which", instead of "for a card this holds"
                if kind == "every":
                    body = ir.Unary("not", body, body.type)
                self.scope.point_at(variables_of(bind))
                yes = ir.Const(True, expr.type)
                met = replace(expr, kind="some", where=body, body=yes)
                return self.clause(super().sentence(met, holds is (kind == "some")))
        if isinstance(expr, ir.Local):
            owner, key = self.address.partition(".")[0], "yes" if holds else "no"
            own = self.names.wording.text("names", f"{owner}.{expr.name}")
            if not isinstance(own, Inflected) or key not in own.forms:
                raise Unsayable(self.address)
            return own.forms[key]
        if isinstance(expr, ir.ReadCell | ir.ReadField | ir.ReadEntry | ir.CallValue):
            quantity = self.quantity(expr)
            readings = (
                (self._text(quantity, e) for e in ("yes", "no")) if quantity else ()
            )
            if not any(each is not None for each in readings):
                if isinstance(expr, ir.ReadCell) and self.names.is_new(expr.state):
                    how = "noted" if holds else "not_noted"
                    name = self.names.quoted(expr.state.replace("_", " "))
                    keys = self.names.tail_of(list(map(self.phrase, expr.keys)))
                    return self.names.say(how, what=f"{name}{keys}")
                raise Unsayable(self.address)
        return self.clause(super().sentence(expr, holds))

    def _is_nameless(self, expr: ir.CallValue) -> bool:
        """Return whether a value is its definition: it has no words.

        A value whose definition would not read well has its name.
        """
        names, name = self.names, ir.declared_as(expr.value)
        readings, flag = f"readings/{name}/", isinstance(expr.type, Flag)
        if ir.is_kept(name) or (names.has_noun(name) and not flag):
            return False
        if any(key.startswith(readings) for key in names.texts):
            return False
        if flag or names.by_itself(name) is None:
            return True
        with suppress(Unsayable):
            if not UGLY.search(self.inside(expr, PlainWords.phrase)):
                return True
        names.named.add(name)
        return False

    def inside(
        self, expr: ir.CallValue, made: Callable[[PlainWords, ir.Expr], Said]
    ) -> Said:
        """Return a phrase about the definition of a value without words."""
        value = self.names.program.values[expr.value]
        if value.adjusted or value.widened or self.address.count(">") > DEEPEST:
            raise Unsayable(expr.value)
        given = {n: self.whole(each) for n, each in enumerate(expr.args, 1)}
        words = PlainWords(
            self.names,
            f"{self.address}>{expr.value}",
            parameters(value.params),
            value.definition,
            given=given,
        )
        return made(words, value.definition)

    def quantity(self, expr: ir.Expr) -> NamedQuantity | None:
        """Return an expression as a quantity; one without a word is unsayable."""
        if isinstance(expr, ir.CallValue) and self._is_nameless(expr):
            return None
        return super().quantity(expr)

    def phrase(self, expr: ir.Expr) -> Inflected:
        """Return the noun phrase for an expression."""
        if isinstance(expr, ir.CallValue) and self._is_nameless(expr):
            if isinstance(expr.type, Flag):
                raise Unsayable(expr.value)
            return self.inside(expr, lambda words, body: words.phrase(body))
        if neighbour(expr) is not None and self.names.program.seats == 2:
            return self.names.grammar.phrase(self.names.general("other_player"))
        if isinstance(expr, ir.PhaseVar) and not isinstance(expr.type, Whole):
            return self.names.grammar.phrase(self.names.type_word(expr.type))
        if isinstance(expr, ir.PhaseVar | ir.PositionAfter | ir.Cases) or (
            isinstance(expr, ir.Pick)
            and isinstance(expr.type, Whole | Maybe)
            and isinstance(getattr(expr.type, "inner", expr.type), Whole)
        ):
            raise Unsayable(self.address)
        return super().phrase(expr)

    def extreme(self, key: ir.Expr, direction: str, variable: FrameVariable) -> str:
        """Return the criterion "with the most points"."""
        if isinstance(key, ir.Unary) and key.op == "-":
            key, direction = key.operand, "least" if direction == "most" else "most"
        return super().extreme(key, direction, variable)

    def number(self, expr: ir.Expr, binding: int = 0) -> Inflected:
        if isinstance(expr, ir.CallValue) and self._is_nameless(expr):
            return self.inside(expr, lambda words, body: words.number(body, binding))
        return super().number(expr, binding)

    def quantity_noun(self, name: str, sort: str) -> Noun:
        """Return the noun of a quantity: its own, or that of a counter."""
        if sort == "value" and self.names.is_new(name):
            return self.names.word(name, sort)
        return super().quantity_noun(name, sort)

    def quantity_phrase(self, quantity: NamedQuantity) -> Inflected:
        """Return "your income", or "the income of the company"."""
        mine = [n for n, key in enumerate(quantity.keys) if self.is_me(key)]
        if quantity.sort == "kept":
            return super().quantity_phrase(quantity)
        if (every := self._every_place(quantity)) is not None:
            return every
        param = quantity.params[mine[0]] if mine else ""
        form = quantity.word.forms.get(f"{OF_KEY}{param}")
        own = form is not None and form != self.names.of(Inflected(f"{{{param}}}"))
        if len(mine) != 1 or own:
            return super().quantity_phrase(quantity)
        tail = self._key_tail(quantity, mine[0])
        return self.names.grammar.phrase(quantity.word, "your", tail)

    def _as_called(self, group: Group, variable: FrameVariable) -> Group:
        """Return a group whose members have the texts' name of a variable."""
        found = super()._as_called(group, variable)
        tail = "" if self.scope.is_place(variable) else found.tail
        return Group(self.scope.numbered(variable, found.word), tail, found.whole)

    def _every_place(self, quantity: NamedQuantity) -> Inflected | None:
        """Return "every heap" for the places of which a number may be any."""
        match quantity.keys:
            case (ir.Local(slot=slot, name=name, type=type_),) if (
                slot in self.scope.replaced
                and self.scope.is_place(FrameVariable(slot, name, type_))
            ):
                return self.scope.replaced[slot]
            case _:
                return None

    def _is_itself(self, key: ir.Expr, quantity: NamedQuantity) -> bool:
        """Return whether a number only says which place or thing is meant."""
        if not isinstance(key, ir.Local) or not isinstance(key.type, Whole):
            return False
        variable = FrameVariable(key.slot, key.name, key.type)
        own, known = self.scope.own_noun(variable), key.slot in self.scope.replaced
        return own.one == quantity.word.one if own is not None else not known

    def _key_tail(self, quantity: NamedQuantity, left_out: int | None) -> str:
        """Return the keys of a quantity, to follow its noun: none for "the heap"."""
        if len(quantity.keys) == 1 and self._is_itself(quantity.keys[0], quantity):
            return ""
        return super()._key_tail(quantity, left_out)

    def _fill(
        self, quantity: NamedQuantity, text: str, shown: Inflected | None
    ) -> str | None:
        """Return a reading with its keys filled in: "in the heap" for "in heap {h}"."""
        text = re.sub(r" \(\{\w+\}\)", "", text)  # "there ({h})" is for log lines
        for name, key in zip(quantity.params, quantity.keys, strict=True):
            slot = re.search(rf"(\w+) \{{{name}\}}", text)
            if slot is not None and self._is_itself(key, quantity):
                if self.names.language != "en":
                    raise Unsayable(self.address)
                every = self._every_place(quantity)
                text = text.replace(slot[0], str(every or f"the {slot[1]}"))
        return super()._fill(quantity, text, shown)

    def own_form(self, form: str, quantity: NamedQuantity) -> str | None:
        """Return an author's form of a place; none that omits another player."""
        own = super().own_form(form, quantity)
        own = own if self._every_place(quantity) is None else None
        for name, key in zip(quantity.params, quantity.keys, strict=True):
            if own and is_seat(key.type) and not self.is_me(key):
                own = own if f"{{{name}" in own else None
        return own

    def filled_form(self, form: str, quantity: NamedQuantity) -> str:
        """Return an author's form of a place; your own hand is "your hand"."""
        for name, key in zip(quantity.params, quantity.keys, strict=True):
            if self.is_me(key) and self.names.speech is not None:
                form = self.names.speech.mine(form, name)
        return super().filled_form(form, quantity)

    def _compared(self, expr: ir.CompareValues, holds: bool) -> str:
        left, number = expr.left, expr.right
        same = (expr.op == "==") is holds
        if isinstance(left, ir.ReadFace):
            op = expr.op if holds else OPPOSITE[expr.op]
            match number:
                case ir.Const(value=int(limit)) if op in ("<", ">"):
                    limit += -1 if op == "<" else 1
                    number, op = ir.Const(limit, number.type), f"{op}="
                case _:
                    pass
            how, value = "shows", self._compared_amount(op, number)
            if op == "!=":
                how, value = "shows_not", self.number(number)
            return self.names.say(how, what=self.phrase(left.die), value=value)
        match left:
            case ir.Binary(op="mod", left=whole, right=ir.Const(value=2)) if (
                expr.op in ("==", "!=") and isinstance(number, ir.Const)
            ):
                odd = (number.value == 1) is same
                what = self.number(whole)
                return self.names.say("odd" if odd else "even", what=what)
        if isinstance(left, ir.ReadCell) and left.state in self.names.events:
            life = self.names.program.states[left.state].life
            op = expr.op if holds else OPPOSITE[expr.op]
            return self.names.say(
                "happened_each" if life else "happened",
                what=self.names.event(self.names.events[left.state]),
                number=self._compared_amount(op, number),
                phase=self.names.flow(life) if life else "",
            )
        if (
            isinstance(left, ir.ZoneSize)
            and number == ir.Const(0, number.type)
            and same
        ):
            place = self.place(left.zone, left.keys)
            every = any(getattr(k, "slot", 0) in self.scope.replaced for k in left.keys)
            if every and expr.op == "==" and not place.is_plural:
                return self.names.say("is_empty", what=place.phrase)
        match left, number:
            case (
                ir.ZoneSize(zone=zone, keys=(mine,)),
                ir.ZoneSize(zone=same_zone, keys=(theirs,)),
            ) if zone == same_zone and expr.op != "!=" and is_seat(theirs.type):
                op = expr.op if holds else OPPOSITE[expr.op]
                if self.is_me(theirs):
                    mine, theirs, op = theirs, mine, MIRRORED.get(op, op)
                if self.is_me(mine) and op != "!=":
                    word = self.names.kind(self.names.program.zones[zone].member)
                    inside = f" {self.place(zone, (mine,)).inside}"
                    cards = self.names.plural(word)
                    return self.names.say(
                        f"has_{op}",
                        who=self.phrase(mine),
                        what=self.names.grammar.phrase(cards, "", inside),
                        other=self.phrase(theirs),
                    )
            case _:
                pass
        own = self._owned(left)
        match expr.op if holds else OPPOSITE[expr.op], number:
            case (
                ("<" | "<=" | ">" | ">=") as than,
                ir.Binary(
                    op="+" | "-" as sign, left=rest, right=ir.Const(value=int(n))
                ),
            ) if own and (than[0] == "<") is (sign == "-"):
                there = self._owned(rest)
                if there and there[1] == own[1] and own[2] == there[2] == "":
                    n, how = n + (len(than) == 1), "less" if sign == "-" else "more"
                    counted = self.names.grammar.counted(own[1], str(n))
                    what = self.names.grammar.phrase(counted, "")
                    return self.names.say(
                        f"has_{how}", who=own[0], what=what, other=there[0]
                    )
            case _:
                pass
        other, op = self._owned(number), expr.op if holds else OPPOSITE[expr.op]
        both = own and other and own[1] == other[1] and own[2] == other[2] == ""
        plain = isinstance(number, ir.CallValue | ir.ReadCell | ir.ReadField)
        if own and op != "!=" and (both or (plain and own[2] == "" and not other)):
            things = self.names.grammar.phrase(own[1], "")
            shown = other[0] if both and other else self.number(number)
            return self.names.say(f"has_{op}", who=own[0], what=things, other=shown)
        match left, number:
            case ir.TokenCount(), ir.TokenCount() if own is None and op != "!=":
                these, those = (self.place(e.slot, e.keys) for e in (left, number))
                many = self.names.plural(self.names.word(self._family(left), "thing"))
                return self.names.say(
                    f"lie_{op}",
                    what=self.names.grammar.phrase(many, ""),
                    here=these.inside,
                    there=those.inside,
                )
            case ir.TokenCount(slot=slot), ir.Const() if (
                own is None
                and op in ("<=", ">=")
                and f"readings/{slot}/other" not in self.names.texts
            ):
                word = self.names.word(self._family(left), "thing")
                amount = self._compared_amount(op, number)
                word = word if amount.number == 1 else self.names.plural(word)
                inside = f" {self.place(left.slot, left.keys).inside}"
                counted = self.names.grammar.counted(word, str(amount))
                return self.names.say(
                    "there_is" if amount.number == 1 else "there_are",
                    what=self.names.grammar.phrase(counted, "", inside),
                )
            case ((ir.ReadCell(state=name) | ir.CallValue(value=name)), _) if (
                ir.is_kept(name) and op != "!="
            ):
                kept = self.quantity(left)
                assert kept is not None
                return self._begun(kept, self._compared_amount(op, number))
            case _:
                pass
        if own is None or (
            (own[2] or expr.op in ("==", "!=")) and not isinstance(number, ir.Const)
        ):
            if isinstance(left, ir.Size | ir.CountOf | ir.ZoneSize) and not isinstance(
                number, ir.Const
            ):
                op = expr.op if holds else OPPOSITE[expr.op]
                first, second = self.number(left), self.number(number)
                return self.names.say(f"is_{op}", left=first, right=second)
            return super()._compared(expr, holds)
        inner = left.operand if isinstance(left, ir.Size) else left
        if isinstance(inner, ir.CallValue | ir.ReadCell | ir.Contents | ir.ZoneSize):
            quantity = self.quantity(inner)
            texts = ("other", "none", "some", "0")
            if quantity and any(self._text(quantity, e) is not None for e in texts):
                return super()._compared(expr, holds)
        op = expr.op if holds else OPPOSITE[expr.op]
        if op == "!=":
            return super()._compared(expr, holds)
        who, word, tail = own
        zero = isinstance(expr.right, ir.Const) and expr.right.value == 0
        if tail and zero:
            return super()._compared(expr, holds)
        amount = self._compared_amount(op, expr.right)
        one = word if amount.number == 1 else self.names.plural(word)
        what = self.names.grammar.phrase(
            self.names.grammar.counted(one, str(amount)), "", tail
        )
        return self.names.say("has", who=who, what=what)

    def _family(self, expr: ir.TokenCount) -> str:
        tokens = self.names.program.tokens.values()
        return next(each.name for each in tokens if expr.slot in each.slots)

    def _begun(self, kept: NamedQuantity, number: Inflected) -> str:
        """Return how often a phase has begun for a player since an event."""
        names = self.names
        phase, since, same, _ = kept_parts(kept.name)
        if same:
            raise Unsayable(kept.name)
        rest = [names.say("history_who", who=self.phrase(each)) for each in kept.keys]
        if since:
            events = names.joined([names.event(each) for each in since], "or")
            rest.append(names.say("history_since", what=events))
        tail = "".join(f" {each}" for each in rest)
        return names.say("begun", phase=names.flow(phase), number=number, rest=tail)

    def _owned(self, expr: ir.Expr) -> tuple[Inflected, Noun, str] | None:
        """Return who has a number of things, the noun, and where they are."""
        names = self.names
        if isinstance(expr, ir.TokenCount):
            mine = [key for key in expr.keys if self.is_me(key)]
            if len(mine) != 1 or not names.speech:
                return None
            inside = self.place(expr.slot, expr.keys).inside
            word = names.word(self._family(expr), "thing")
            return names.speech.you, word, f" {inside}"
        match as_size(names.program, expr) if isinstance(expr, ir.ZoneSize) else expr:
            case ir.Size(operand=ir.Contents(zone=zone, keys=(key,))) if (
                self.is_me(key) and names.speech
            ):
                inside = f" {self.place(zone, (key,)).inside}"
                word = names.kind(names.program.zones[zone].member)
                return names.speech.you, word, inside
            case _:
                pass
        if (
            isinstance(expr, ir.ReadCell | ir.CallValue)
            and len(expr.keys if isinstance(expr, ir.ReadCell) else expr.args) == 1
        ):
            quantity = self.quantity(expr)
            (key,) = expr.keys if isinstance(expr, ir.ReadCell) else expr.args
            if quantity is not None and quantity.word.is_plural and is_seat(key.type):
                return self.phrase(key), quantity.word, ""
        return None

    def owner_of(self, expr: ir.Expr, quantity: NamedQuantity) -> Inflected | None:
        """Return who has the things that an expression counts, if they are these."""
        own = self._owned(expr) if isinstance(expr, ir.ReadCell) else None
        same = own is not None and own[1] == quantity.word and own[2] == ""
        return own[0] if own is not None and same else None

    def price(self, node: ir.AddCell) -> Inflected | None:
        """Return the points that the reader pays, None if it is nothing like that."""
        own = self._owned(self.cell(node))
        if own is None or not self._is_you(own[0]) or node.sign > 0:
            return None
        return self.points(node.amount, own[1])

    def cell(self, node: ir.AddCell) -> ir.ReadCell:
        """Return the state that a statement changes."""
        return ir.ReadCell(
            node.state, node.keys, self.names.program.states[node.state].type
        )

    def points(self, amount: ir.Expr, word: Noun) -> Inflected:
        """Return a number of points: "2 points", "as many points as ...'."""
        names, grammar = self.names, self.names.grammar
        if isinstance(amount, ir.Const) and isinstance(amount.value, int):
            # The singular of a plural noun, as the texts use it with a number.
            for key, text in names.texts.items() if amount.value == 1 else ():
                for one, many in NUMBERED.findall(text):
                    if key.startswith("readings/"):
                        known = rf"\b{re.escape(many)}\b"
                        word = word.with_one(re.sub(known, one, word.one))
            if amount.value == 1 and names.language == "de" and word.one[0].islower():
                raise Unsayable(word.one)  # an adjective would have another ending
            return grammar.phrase(grammar.counted(word, str(amount.value)), "")
        number = self.number(amount)
        if number.isdigit() and number != "1":
            return grammar.phrase(grammar.counted(word, str(number)), "")
        things = grammar.phrase(word, "")
        return names.plain(names.say("worth", what=things, number=number))

    def none(self, operand: ir.Expr, holds: bool) -> str:
        """Return the sentence that something is missing, or that it exists."""
        return self.clause(super().none(operand, holds))


def _places_by(slot: int, roots: Iterable[ir.CoreNode]) -> Iterator[str]:
    """Yield the places for tokens of which a number says which one is meant."""
    for node in beneath(*roots):
        match node:
            case ir.TokenCount(slot=place, keys=(ir.Local(slot=key),)) if key == slot:
                yield place
            case ir.MoveTokens():
                for place, keys in (
                    (node.source, node.source_keys),
                    (node.to, node.to_keys),
                ):
                    if [getattr(each, "slot", None) for each in keys] == [slot]:
                        yield place
            case _:
                pass


def _reads(node: ir.CoreNode, slot: int) -> int:
    """Return how often a variable is read."""
    return sum(isinstance(e, ir.Local) and e.slot == slot for e in beneath(node))


class Conditional(str):
    """The sentence that something happens under a condition."""

    def __new__(cls, said: str, condition: str, then: str) -> Conditional:
        made = super().__new__(cls, said)
        made.condition, made.then = condition, then
        return made

    condition: str
    then: str


class PlainStatements(StatementWords):
    """What happens, as main clauses without capital and full stop.

    `acting`: whether the reader does it.
    """

    _words: PlainWords
    _names: PlainLexicon

    def __init__(
        self,
        words: PlainWords,
        cited: Callable[[str], str | None],
        kept: frozenset[str],
        flags: Mapping[str, ir.CallValue],
        *,
        acting: bool,
        calls: tuple[str, ...] = (),
    ) -> None:
        super().__init__(words, calls)
        self._cited, self._kept, self._acting = cited, kept, acting
        self._flags = flags
        clause = words.names.program.clauses.get(words.address)
        self._is_own = clause is not None and clause.origin != ""

    def sentences(self, block: Sequence[ir.Statement]) -> list[str]:
        """Return a sentence for each statement that players notice."""
        said: list[str] = []
        for node in block:
            self._words.scope.end_sentence()
            match node:
                case ir.SetCell(state=state) if state in self._flags:
                    said.append(self._words.sentence(self._flags[state]))
                case ir.SetCell(state=state) | ir.AddCell(state=state) if (
                    ir.is_kept(state) or state in self._kept
                ):
                    continue
                case ir.SetCell(state=state) | ir.AddCell(state=state) if (
                    noted := self._names.program.states[state]
                ).life and (self._calls or isinstance(noted.type, Flag)):
                    readings = f"readings/{state}/"
                    known = any(e.startswith(readings) for e in self._names.texts)
                    new = self._names.is_new(state) or self._names.is_bare(state)
                    if not new and (self._calls or not (known and self._is_own)):
                        continue  # it is remembered for a while only
                    said.append(self.sentence(node))
                case ir.ShowThings() if self._calls or not self._acting:
                    continue  # everyone sees it happen
                case ir.LetSlot():
                    if isinstance(node.value.type, Flag | Set):
                        raise Unsayable(node.name)
                    self._words.scope.replaced[node.slot] = self._words.whole(
                        node.value
                    )
                case ir.DrawOne():
                    what = self._words.bound(node.bind, "a")
                    what = self._words.with_tail(what, self._words.where(node.where))
                    self._words.scope.point_at(variables_of(node.bind))
                    said.append(self._say("drawn_by_lot", what=what))
                    said += self.sentences(node.body)
                case ir.CallEffect():
                    said += self._called(node)
                case ir.When(rows=((test, body),), otherwise=()) if settled(test):
                    said += self.sentences(body)
                case ir.When(
                    rows=((ir.Unary("not", ir.IsNone(ir.Local(slot=slot))), body),),
                    otherwise=otherwise,
                ) if slot in self._words.scope.replaced:  # it is known to exist
                    said += self.sentences(body)
                    if otherwise:
                        raise Unsayable(self._words.address)
                case _:
                    said.append(self.sentence(node))
        return said

    def sentence(self, node: ir.Statement) -> str:
        names, words = self._names, self._words
        match node:
            case ir.AddCell():  # a player gets or loses points, or a number changes
                cell = words.cell(node)
                quantity = words.quantity(cell)
                assert quantity is not None
                owner = [key for key in node.keys if is_seat(key.type)]
                if node.sign > 0 and node.amount == cell:
                    return names.say("doubled", what=words.quantity_phrase(quantity))
                if len(node.keys) != 1 or not owner or not quantity.word.is_plural:
                    return words.clause(super().sentence(node))
                due, rest = node.amount, ""
                if isinstance(due, ir.Binary) and due.op == "min":
                    both = (due.left, due.right)
                    left = [e for e in both if e != cell]
                    if len(left) == 1 and node.sign < 0:
                        due, rest = left[0], names.say("or_all")
                    owned = [e for e in both if words.owner_of(e, quantity)]
                    if len(owned) == 1 and len(left) == 2:
                        (due,) = (e for e in both if e not in owned)
                        other = words.owner_of(owned[0], quantity)
                        rest = names.say("or_as_many", who=str(other))
                what = words.points(due, quantity.word)
                how = "gets" if node.sign > 0 else "gives"
                said = names.say(how, who=words.phrase(owner[0]), what=what)
                return words.clause(said) + rest
            case ir.MoveThings(what=what, to=to):
                things = (
                    self._some(what)
                    if isinstance(what, ir.AnyOf)
                    else words.whole(what)
                )
                return self._moved(things, words.destination(to), self._is_mine(to))
            case ir.MoveTop() if node.count is not None:
                source = words.place(node.zone, node.keys).out_of
                word = names.kind(names.program.zones[node.zone].member)
                amount = self._amount(node.count, node.up_to, word, "")
                return self._moved(
                    amount,
                    f"{source} {words.destination(node.to)}",
                    self._is_mine(node.to),
                )
            case ir.MoveTokens() if node.count is not None:
                family = names.word(self._family(node.source), "thing")
                amount = self._amount(node.count, node.up_to, family, "")
                source = words.place(node.source, node.source_keys).out_of
                into = words.place(node.to, node.to_keys).into
                return self._moved(amount, f"{source} {into}", mine=False)
            case ir.RequestEnd(target=target) if target:
                phase = names.program.phases.get(target)
                if phase is not None and phase.acts and self._acting:
                    return names.say("turn_over")
                return names.say("ends", what=names.flow(target))
            case ir.When():
                rows: list[str] = []
                speech, alone = names.speech, len(node.rows) == 1 and not node.otherwise
                for test, inner in node.rows:
                    known = settled(test)
                    if known is False:
                        continue
                    if known:
                        raise Unsayable(words.address)
                    condition, happens = words.sentence(test), self._few(inner)
                    then = self._then(names.joined(happens))
                    match happens:
                        case [Conditional() as one] if (
                            alone
                        ):  # both conditions together
                            condition = names.joined([condition, one.condition])
                            then = one.then
                        case [Conditional() as one] if (
                            speech
                        ):  # "otherwise" has no part
                            after = speech.subordinate(one.condition)
                            then = names.say("if_after", what=one.then, condition=after)
                        case _:
                            pass
                    if rows and speech is not None:
                        condition = speech.subordinate(condition)
                        rows.append(
                            names.say("else_if", condition=condition, what=then)
                        )
                        continue
                    row = names.say("if", condition=self._if(condition), what=then)
                    rows.append(Conditional(row, condition, then))
                if node.otherwise and (others := self.sentences(node.otherwise)):
                    if len(others) > 1:
                        raise Unsayable(words.address)
                    rows.append(names.say("else", what=self._then(others[0])))
                more = [each[:1].upper() + each[1:] for each in rows[1:]]
                return ". ".join([*rows[:1], *more]) if more else rows[0]
            case ir.ForEach(until=ir.CoreNode() as until, stops=False):
                over = words.sentence(until)
                over = names.speech.subordinate(over) if names.speech else over
                body = self._then(self._all(node.body))
                return names.say("repeated", what=over, body=body)
            case ir.ForEach(until=None) if not node.keys and self._times(node) is None:
                return self._each(node)
            case ir.ShareOut():
                raise Unsayable(words.address)
            case ir.ChooseOption():
                chosen = words.with_tail(
                    words.bound(node.bind, "a"), words.where(node.where)
                )
                words.scope.point_at(variables_of(node.bind))
                how, who = "must_choose" if node.must else "may_choose", self._you()
                if node.by is not None and not words.is_me(node.by):
                    how, who = f"{how}_by", words.phrase(node.by)
                body = self._then(self._all(node.body))
                rows = [names.say(how, who=who, what=chosen, body=body)]
                for rest in self.sentences(node.otherwise):
                    rest = names.say("else", what=self._then(rest))
                    rows.append(rest[:1].upper() + rest[1:])
                return ". ".join(rows)
            case _:
                return words.clause(super().sentence(node))

    # ---- parts

    def _say(self, phrase: str, /, **parts: str | int) -> str:
        what = str(parts.get("what", ""))
        if phrase == "now" and self._names.speech is not None and ":" not in what:
            return self._names.speech.afterwards(self._words.clause(what))
        return super()._say(phrase, **parts)

    def _amount(
        self, count: ir.Expr | None, up_to: bool, word: Noun, owner: str
    ) -> Inflected:
        """Return "up to 3 cards"; a replaced variable may be a plain number."""
        number = "" if count is None else str(self._words.number(count))
        if isinstance(count, ir.Local) and number.isdigit():
            count = ir.Const(int(number), count.type)
        return super()._amount(count, up_to, word, owner)

    def _you(self) -> Inflected:
        speech = self._names.speech
        if speech is None:
            return self._names.grammar.phrase(self._names.general("player"))
        return speech.you

    def _then(self, said: str) -> str:
        """Return a main clause as it follows something else in its sentence."""
        speech, (first, *rest) = self._names.speech, said.split("; ")
        return "; ".join([speech.following(first) if speech else first, *rest])

    def _all(self, block: Sequence[ir.Statement]) -> str:
        return self._names.joined(self._few(block))

    def _few(self, block: Sequence[ir.Statement]) -> list[str]:
        """Return sentences that can follow one another in a longer one."""
        said = self.sentences(block)
        if not said or len(said) > 3:
            raise Unsayable(self._words.address)
        return said

    def _is_mine(self, to: ir.Expr) -> bool:
        """Return whether a place is the reader's hand: nobody else sees it."""
        if not isinstance(to, ir.PositionOf) or not any(
            map(self._words.is_me, to.keys)
        ):
            return False
        return self._names.program.zones[to.zone].seen is not None

    def _moved(self, what: Inflected, where: str, mine: bool) -> str:
        if not self._acting:
            return self._say("goes", what=what, to=where)
        return self._say(
            "takes" if mine else "puts", who=self._you(), what=what, to=where
        )

    def _if(self, condition: str) -> str:
        speech = self._names.speech
        return condition if speech is None else speech.condition(condition)

    def _each(self, node: ir.ForEach) -> str:
        words, names = self._words, self._names
        binds, where, body = node.binds, node.where, node.body
        while where is None and len(body) == 1 and isinstance(body[0], ir.ForEach):
            inner = body[0]
            binds, where, body = (*binds, *inner.binds), inner.where, inner.body
        if any(len(each.slots) != 1 for each in binds):
            raise Unsayable(words.address)
        match binds:
            case (ir.Bind(slots=(slot,), source=ir.MakeSet(items=(item,))),) if (
                where is None
            ):
                words.scope.replaced[slot] = words.phrase(item)
                return self._all(body)
            case _:
                pass
        match body:
            case (ir.When(rows=((test, inner_body),), otherwise=()),) if (
                where is None and settled(test) is None
            ):
                where, body = test, inner_body
            case _:
                pass
        one = len(binds) == 1 and where is None and len(body) == 1
        counted: ir.CoreNode = body[0] if one else node
        match counted:  # without what limits a loss: as many points as there are
            case ir.AddCell(sign=-1, amount=ir.Binary(op="min", type=type_)) as loss:
                counted = ir.ReadCell(loss.state, loss.keys, type_)
            case _:
                pass
        if one and _reads(counted, *binds[0].slots) == 1:
            (variable,) = variables_of(binds[0])
            article = "every"
            match body[0]:
                case ir.SetCell(state=state, value=ir.Const(value=False)):
                    has = ir.Const(True, names.program.states[state].type)
                    body, article = (replace(body[0], value=has),), "no"
                case _:
                    pass
            words.scope.replaced[variable.slot] = words.all_bound(binds, article)
            return self._all(body)
        shown = words.all_bound(binds, "every")
        words.scope.point_at(each for bind in binds for each in variables_of(bind))
        whole, speech = self._all(body), names.speech
        who = words.scope.introduced(variables_of(binds[-1])[0])
        all_players = is_seat(binds[0].type) and isinstance(binds[0].source, ir.Const)
        said_body = self._then(whole)
        if where is None:
            if all_players and len(binds) == 1 and whole.startswith(f"{who} "):
                return f"{shown}{whole.removeprefix(who)}"
            return names.say("each", what=shown, body=said_body)
        said = words.sentence(where)
        if speech is not None and len(binds) == 1 and all_players:
            rest = speech.relative(said, str(who))
            if rest is not None:
                what = words.with_tail(shown, rest)
                inside = self._all(body)
                if inside.startswith(f"{who} "):  # "every player who … gets"
                    return f"{what}{inside.removeprefix(str(who))}"
                return names.say("each", what=what, body=self._then(inside))
        return names.say(
            "each_if", what=shown, condition=self._if(said), body=said_body
        )

    def _called(self, node: ir.CallEffect) -> list[str]:
        """Return what an effect says about itself, else what it does."""
        words, names = self._words, self._names
        own = self._cited(node.effect)
        about = names.phrases.text("pronouns").split()
        if own is not None and own.partition(" ")[0].lower() in ("", *about):
            own = None  # its pronoun would refer to nothing here
        about_me = all(map(words.is_me, node.args))
        if own is not None and about_me:
            return [own]
        told = self._logged(node)
        if told is not None:
            return [told]
        caption = names.caption(node.effect)
        seats = [words.phrase(each) for each in node.args if is_seat(each.type)]
        simple = len(seats) == 1 and all(
            is_seat(each.type) or isinstance(each.type, Whole) for each in node.args
        )
        try:
            said = self._expanded(node)
        except Unsayable:
            if caption is None or not simple:
                raise
        else:
            short = len(said) == 1 and len(said[0].split()) <= SHORT
            if caption is None or not simple or short:
                return said
        numbers = [words.number(e) for e in node.args if isinstance(e.type, Whole)]
        how = "called_with" if numbers else "called_for"
        number = names.together(numbers) if numbers else ""
        return [names.say(how, what=caption.rstrip("."), who=seats[0], number=number)]

    def _logged(self, node: ir.CallEffect) -> str | None:
        """Return the sentence of the texts, or of the log, about an effect here."""
        words, names = self._words, self._names
        keys = (f"readings/{node.effect}/other", f"messages/{node.effect}")
        own = next((each for key in keys if (each := names.texts.get(key))), "")
        params = [each.name for each in names.program.effects[node.effect].params]
        if {slot.name for slot in slots_of(own)} != {*params} or not params:
            return None
        parts = dict(zip(params, map(words.whole, node.args), strict=True))
        return words.clause(names.grammar.filled(own, parts))

    def _expanded(self, node: ir.CallEffect) -> list[str]:
        """Return what an effect does."""
        words, names = self._words, self._names
        if node.effect in self._calls or len(self._calls) > DEEPEST:
            raise Unsayable(node.effect)
        effect = names.program.effects[node.effect]
        given = {n: words.whole(each) for n, each in enumerate(node.args, 1)}
        said: list[str] = []
        known = {n: e for n, e in enumerate(node.args, 1) if isinstance(e, ir.Const)}

        def put_in(each: ir.CoreNode) -> ir.CoreNode:
            slot = each.slot if isinstance(each, ir.Local) else None
            return known[slot] if slot in known else rebuilt(each, put_in)

        for each in effect.does:
            body = put_in(each)
            assert isinstance(body, ir.Body)
            inner = PlainWords(
                names, body.address, parameters(effect.params), *body.block, given=given
            )
            statements = PlainStatements(
                inner,
                self._cited,
                self._kept,
                self._flags,
                acting=any(map(words.is_me, node.args)),
                calls=(*self._calls, node.effect),
            )
            said += statements.sentences(body.block)
        if len(said) > 2:
            raise Unsayable(node.effect)
        return said


# ---- clauses


class PlainClauses(Clauses):
    """The plain sentences of every clause of a program.

    Args:
        cited: the sentence of an effect about itself, None if it has none.
    """

    _names: PlainLexicon

    def __init__(self, names: Lexicon, cited: Callable[[str], str | None]) -> None:
        self.names = PlainLexicon(names)
        super().__init__(self.names)
        self._cited = cited
        marks = frozenset(_marks(self._program, self._names))
        # Those of house rules that a reader needs for more than a number of times.
        spoken = {
            each.state
            for parts in self.parts.values()
            for part in parts
            if self._often_of(part, marks) is None
            for each in beneath(*read_by(part.node))
            if isinstance(each, ir.ReadCell) and self._names.is_new(each.state)
        }
        self._marks = marks - spoken
        new = (s for s in marks & spoken if not self._program.clauses[s].caption)
        self._counters = counters_of(self._program, self.parts, new)
        self._silent = self._marks | self._counters.silent
        self._names.events, self.parts = self._counters.events, self._counters.parts
        self.met = frozenset(
            condition.address
            for action in self._program.actions.values()
            for condition in action.conditions
            if settled(condition.test)
        )
        """The conditions that are always met at the table."""

    def sentences(self, address: str) -> tuple[str, ...] | None:
        """Return the sentences of a clause, none if players need none.

        None if no sentence would read well.
        """
        kind, parts = self._program.clauses[address].kind, self.parts.get(address)
        if kind in SILENT:
            return ()
        if kind not in WORDED or not parts:
            return None
        if getattr(parts[0].node, "state", "") in self._counters.flags:
            return ()  # the clause that sets the flag has a sentence
        if kind == "needs" and self._is_hooked(parts[0].owner):
            return None if self.sentences(parts[0].owner) is None else ()

        def sayer() -> list[str]:
            said = [each for part in parts for each in self._once(part)]
            return [*said, *self._limit(address)]

        said = self._made(sayer)
        speech = self._names.speech
        if said is not None and speech is not None:
            said = list(map(speech.polished, said))
        found = tuple(dict.fromkeys(map(as_sentence, said or ())))
        return None if said is None or any(map(_is_ugly, found)) else found

    def _once(self, part: ClausePart) -> list[str]:
        """Return sentences in which a player is "that player" after the first time."""
        phrase, said = self._names.grammar.phrase, list(self.of(part))
        is_lift = part.phrase == "lift" and part.owner in self._program.values
        if not is_lift and part.owner not in self._program.reactions:
            return said
        binds = (e for e in beneath(*read_by(part.node)) if isinstance(e, ir.Bind))
        if any(is_seat(each.type) for each in binds):
            return said  # "that player" could be another one
        given = self._changing(part)
        scope = self._words(part.address, part.params, given=given).scope
        for each in part.params:
            if is_seat(each.type) and (is_lift or scope.is_named(each)):
                word, own = self._names.type_word(each.type), scope.introduced(each)
                first, later = (
                    phrase(word, "a") if is_lift else own,
                    phrase(word, "that"),
                )
                said = _renamed(said, own, chain([first], repeat(later)))
        return said

    def _limit(self, address: str) -> Iterator[str]:
        """Yield how often a clause of a house rule counts, by its own counter."""
        names, limits = self._names, self._counters.limits
        if address in limits:
            state, number = limits[address]
            each = names.phrases.text("each_player") if state.keys else ""
            how = "happens_each" if state.life else "happens_game"
            phase = names.flow(state.life) if state.life else ""
            yield names.say(how, number=number, who=each, phase=phase)

    def below_zero(self, address: str) -> tuple[str, ...]:
        """Return the sentence that a state may fall below 0, none if it may not."""
        names, state = self._names, self._program.states[address]
        if getattr(state.type, "low", 0) >= 0 or not names.has_noun(address):
            return ()
        what = names.grammar.phrase(names.word(address, "value"), "the")
        return (as_sentence(names.say("below_zero", what=what)),)

    def subordinate(self, address: str, test: ir.Expr) -> str | None:
        """Return a condition as it follows "if" or "until", None if it reads badly."""

        def sayer() -> list[str]:
            words = self._words(address, (), test)
            return [self.as_subordinate(words.sentence(test))]

        said = self._made(sayer)
        return None if said is None or _is_ugly(said[0]) else said[0]

    def _made(self, sayer: Callable[[], list[str]]) -> list[str] | None:
        """Return sentences, None if they cannot be made or lack words of the texts."""
        names = self._names
        known, names.missing = names.missing, set()
        try:
            said = sayer()
            lacks = any(each[0] != "captions" for each in names.missing)
            return None if lacks else said
        except (Unsayable, NoVerbError):
            return None
        finally:
            names.missing = known

    def _words(
        self,
        address: str,
        params: Variables = (),
        *roots: ir.CoreNode,
        given: Given | None = None,
    ) -> PlainWords:
        return PlainWords(self._names, address, params, *roots, given=given)

    def as_subordinate(self, what: str) -> str:
        """Return a sentence as it follows "until" or "unless"."""
        speech = self._names.speech
        if ":" in what:
            raise Unsayable(what)
        return speech.subordinate(what) if speech else what

    def _needed(self, what: str, address: str = "") -> str:
        """Return the sentence that something must be so for an action, or a step."""
        acts = address.partition(".")[0] in self._program.actions
        how = "needed" if acts else "happens_if"
        return self._names.say(how, what=self.as_subordinate(what))

    def _often(self, phase: str, number: str | int) -> str:
        """Return how often something may be done, '' for a phase: in the game."""
        names = self._names
        if not phase:
            return names.say("limited_game", number=number)
        how = "once" if number == 1 else "limited"
        return names.say(how, phase=names.flow(phase), number=number)

    # ---- kinds of clauses

    def of(self, part: ClausePart) -> Iterator[str]:
        names, address, params = self._names, part.address, part.params
        match part.node:
            case ir.Body() as body:
                acting = part.owner in self._program.actions
                yield from self._body(body, params, self._changing(part), acting=acting)
            case ir.Condition(test=test) if part.phrase == "drawn_game":
                said = self._words(address, params, test).sentence(test)
                yield names.say("drawn_game", what=self.as_subordinate(said))
            case ir.Condition() as condition:
                yield from self._condition(condition, part)
            case ir.CostDef() as cost:
                yield from self._cost(cost, params)
            case ir.LimitDef(count=count) as limit:
                once = isinstance(count, ir.Const) and count.value == 1
                number = self._words(address, (), count).number(count)
                yield self._often(limit.phase, 1 if once else number)
            case ir.ZoneDef(seen=seen):
                if seen is not None and names.has_noun(address):
                    words = self._words(address, params, seen)
                    place = words.place(address, locals_of(params))
                    many = "_many" if place.is_plural else ""
                    where = place.phrase if many else place.inside
                    yield self._seen(words, seen, where, f"zone_seen{many}")
            case ir.ReactionDef(moment="when", event=event) as reaction:
                words = self._words(address, params)
                value = self._program.values.get(event)
                if reaction.params or names.has_noun(event) or value is None:
                    noun = words.quantity_noun(event, "value")
                    keys = [
                        names.grammar.phrase(words.scope.noun(each), "a")
                        for each in params[: len(reaction.params)]
                    ]
                    what = names.grammar.phrase(noun, "the", names.tail_of(keys))
                else:
                    what = words.phrase(ir.CallValue(event, (), value.type))
                yield self._hook(names.say("whenever", what=what), reaction)
            case ir.ReactionDef(moment=moment, event=event) as reaction:
                called = names.event(event).strip("“”„«» ")
                yield self._hook(names.say(f"hook_{moment}", what=called), reaction)
            case ir.PhaseDef(guard=guard) as phase:
                if guard is not None and settled(guard) is None:
                    words = self._words(address, (), guard)
                    yield self._needed(words.sentence(guard))
                source = phase.source
                kind = source.type if source is not None else None
                if (
                    source is not None
                    and isinstance(kind, Set)
                    and is_seat(kind.member)
                ):
                    if not phase.together:
                        group = self._words(address, (), source).group(source)
                        who = names.grammar.phrase(group.word, "every")
                        yield names.say("in_turn", who=who, order=group.tail)
                elif isinstance(source, ir.Const) and phase.until is None:
                    assert isinstance(source.value, tuple)
                    yield names.say("times", number=len(source.value))
                if phase.together:
                    steps = (self._program.steps.get(e) for e in phase.items)
                    once = any(e and e.mode == "exactly once" for e in steps)
                    yield names.say("together", often=int(once))
                if phase.until is not None:
                    until = self._words(address, (), phase.until).sentence(phase.until)
                    yield names.say("until", what=self.as_subordinate(until))
                if phase.stops and phase.times is not None:
                    times = self._words(address, (), phase.times).number(phase.times)
                    yield names.say("stops", number=times)
            case ir.StepDef(guard=guard, body=body) as step:
                block = body.block if body is not None else ()
                if guard is not None and settled(guard) is None:
                    if block:
                        block = (ir.When(rows=((guard, block),), otherwise=()),)
                    else:
                        words = self._words(address, (), guard)
                        yield self._needed(words.sentence(guard))
                phases, around = self._program.phases, step.phase
                while around in phases and not phases[around].acts:
                    around = phases[around].parent
                acting = around in phases and not phases[around].together
                words = self._words(address, (), *block)
                yield from self._statements(words, acting=acting).sentences(block)
            case ir.ActionDef(params=(_, *_) as chosen):
                words = self._words(address, params, *chosen)
                yield names.say("chooses", what=words.all_bound(chosen))
            case ir.ActionDef():
                return
            case ir.AskDef(who=asked):
                who = self._words(address, params, asked).phrase(asked)
                yield names.say("must_agree", who=who)
            case ir.Cases() as cases if part.phrase.startswith("layer_"):
                rows, rest = open_rows(cases)
                neutral = rest == ir.Const(int(part.phrase == "layer_times"), rest.type)
                if len(rows) != 1 or not neutral:
                    raise Unsayable(address)
                words = self._words(address, params, cases)
                value = self._program.values[part.owner]
                whole = ir.CallValue(value.name, locals_of(params), value.type)
                shown, number = words.phrase(whole), words.number(rows[0][1])
                then = names.say(part.phrase, what=shown, value=number)
                yield self._conditional("if", words.sentence(rows[0][0]), then)
            case ir.StateDef(among=among) as state if among is not None:
                if names.has_noun(state.name):
                    yield from super().of(part)
            case ir.StateDef(begins=ir.Const(value=int(value))) as state if isinstance(
                state.type, Whole | Flag
            ):
                silent = isinstance(state.type, Flag) or state.name in self._silent
                new = names.is_new(state.name) and state.name not in self._silent
                known = names.wording.text("flow", state.life) is not None
                if isinstance(state.type, Flag) and new and value:
                    raise Unsayable(state.name)  # "noted" would begin as no
                if isinstance(state.type, Flag) and new and known:
                    noted = names.quoted(state.name.replace("_", " "))
                    life = names.flow(state.life)
                    yield names.say("noted_once", what=noted, phase=life)
                known = names.has_noun(state.name)
                if silent or not (known or new) or state.seen is not None:
                    return
                word = names.word(state.name, "value")
                keyed = [is_seat(each.type) for each in state.keys]
                if keyed == [True] and word.is_plural and known and not state.life:
                    counted = names.grammar.counted(word, str(value))
                    what = names.grammar.phrase(counted, "")
                    yield names.say("starts_with", what=what)
                    return
                every = (
                    names.grammar.phrase(names.type_word(key.type), "every")
                    for key in state.keys
                )
                tail = "" if known else names.tail_of([*every])
                begun = names.grammar.phrase(word, "the", tail)
                each = names.flow(state.life) if state.life else ""
                how = "starts_each" if each else "starts"
                yield names.say(how, what=begun, value=str(value), phase=each)
            case ir.StateDef():
                return
            case _:
                yield from super().of(part)

    def _is_hooked(self, owner: str) -> bool:
        """Return whether a sentence says when a reaction happens, and under what."""
        return owner in self._program.reactions and self._cited(owner) is None

    def _hook(self, when: str, reaction: ir.ReactionDef) -> str:
        """Return when a reaction happens, with its conditions that have no text."""
        conditions = [
            said
            for each in reaction.needs
            if self._cited(each.address) is None
            for part in self.parts[each.address]
            if isinstance(part.node, ir.Condition)
            for said in self._condition(part.node, part)
        ]
        if conditions:
            what = self._names.joined(conditions)
            when = self._names.say("hook_if", when=when, what=what)
        return f"{when}:"

    def _lift(self, part: ClausePart, test: ir.Expr) -> str:
        words = self._words(part.address, part.params, test)
        condition = words.sentence(test)
        value = self._program.values.get(part.owner)
        if value is None:
            return self._names.say("unless", what=self.as_subordinate(condition))
        whole = ir.CallValue(value.name, locals_of(part.params), value.type)
        if words.quantity(whole) is None:
            raise Unsayable(part.address)
        return self._conditional("also", condition, words.sentence(whole))

    def _conditional(self, phrase: str, condition: str, what: str) -> str:
        """Return a main clause after its condition."""
        speech = self._names.speech
        if speech is not None:
            condition, what = speech.condition(condition), speech.following(what)
        return self._names.say(phrase, condition=condition, what=what)

    def _body(
        self,
        body: ir.Body,
        params: Variables,
        given: Given | None = None,
        *,
        acting: bool,
    ) -> Iterable[str]:
        words = self._words(body.address, params, *body.block, given=given)
        return self._statements(words, acting=acting).sentences(body.block)

    def _statements(self, words: PlainWords, *, acting: bool) -> PlainStatements:
        flags = self._counters.flags
        return PlainStatements(words, self._cited, self._silent, flags, acting=acting)

    def _condition(self, condition: ir.Condition, part: ClausePart) -> Iterable[str]:
        test, given = condition.test, self._changing(part)
        known = settled(test)
        if known is not None:
            return () if known else (self._names.say("never"),)
        if given is not None and _only_exists(test, given):
            return ()  # the sentences speak of the old and the new one
        often = self._often_of(part, self._marks)
        if often is not None:
            read = (e.state for e in beneath(test) if isinstance(e, ir.ReadCell))
            life = next(self._program.states[e].life for e in read if e in self._marks)
            return (self._often(life, often),) if often else ()
        for each in beneath(test):
            if isinstance(each, ir.ReadCell) and each.state in self._marks:
                raise Unsayable(each.state)
        words = self._words(part.address, part.params, test, given=given)
        if self._is_hooked(part.owner):
            return (self.as_subordinate(words.sentence(test)),)
        return (self._needed(words.sentence(test), part.address),)

    def _often_of(self, part: ClausePart, marks: frozenset[str]) -> int | None:
        """Return how often an action may be done, if a condition says only that.

        It is 0 if the cost of the action says it.
        """
        action = self._program.actions.get(part.address.partition(".")[0])
        match part.node:
            case ir.Condition(
                test=ir.CompareValues(
                    op=">=", left=ir.ReadCell(state=own), right=ir.Const(value=1)
                )
            ) if (
                action
                and own in marks
                and any(
                    isinstance(each, ir.AddCell) and each.state == own and each.sign < 0
                    for each in beneath(*(cost.body for cost in action.costs))
                )
            ):
                return 0
            case ir.Condition(
                test=ir.Unary(op="not", operand=ir.ReadCell(state=own))
                | ir.ReadCell(state=own)
            ) if (
                action
                and own in marks
                and isinstance(begins := self._program.states[own].begins, ir.Const)
                and bool(begins.value) is isinstance(part.node.test, ir.ReadCell)
            ):
                return 1
            case ir.Condition(
                test=ir.CompareValues(
                    op="<", left=ir.ReadCell(state=own), right=ir.Const(value=int(most))
                )
            ) if action and own in marks:
                return most
            case _:
                return None

    def _cost(self, cost: ir.CostDef, params: Variables) -> Iterable[str]:
        names, block = self._names, cost.body.block
        words = self._words(cost.address, params, *cost.binds, *block)
        match block:
            case (ir.AddCell() as node,):
                state = self._program.states[node.state]
                first, counts = state.begins, state.life or state.name in self._marks
                if isinstance(first, ir.Const) and counts:
                    return (self._often(state.life, int(str(first.value))),)
                price = words.price(node)
                if price is not None:
                    return (names.say("costs", what=price),)
            case _:
                pass
        if cost.binds:
            return (names.say("costs", what=words.all_bound(cost.binds)),)
        return self._statements(words, acting=True).sentences(block)

    def _changing(self, part: ClausePart) -> Given | None:
        """Return "the old owner" and "the new owner" for a value that changes."""
        names, reaction = self._names, self._program.reactions.get(part.owner)
        if reaction is None or len(reaction.change) != 2:
            return None
        own, value = names.own_name(reaction.event), reaction.event
        noun = None if own is None else names.noun(own)
        if noun is None and value in self._program.values:
            noun = names.type_word(self._program.values[value].type)
        if noun is None:
            return None
        return {
            variable.slot: names.grammar.phrase(
                names.grammar.described(noun, names.phrases.text(f"adjective_{which}"))
            )
            for variable, which in zip(part.params[-2:], ("old", "new"), strict=True)
        }


def _renamed(
    said: Iterable[str], own: Inflected, others: Iterator[Inflected]
) -> list[str]:
    """Return sentences with other phrases in the places of one, in its cases."""
    forms = {own.form(case): case for case in CASES}
    mentions = re.compile(rf"\b(?:{'|'.join(map(re.escape, forms))})\b")

    def other(found: re.Match[str]) -> str:
        return next(others).form(forms[found[0]])

    return [mentions.sub(other, each) for each in said]


def _only_exists(test: ir.Expr, slots: Given) -> bool:
    """Return whether a condition is only that some variables are not none."""
    match test:
        case ir.Connective(op="and", left=left, right=right):
            return _only_exists(left, slots) and _only_exists(right, slots)
        case ir.Unary(op="not", operand=ir.IsNone(operand=ir.Local(slot=slot))):
            return slot in slots
        case ir.CompareValues(
            op="!=", left=ir.Local(slot=slot), right=ir.Const(value=None)
        ):
            return slot in slots
        case _:
            return False


def _marks(program: ir.Program, names: Lexicon) -> Iterator[str]:
    """Yield states without words by which the rules remember or count an action."""
    for state in program.states.values():
        readings = f"readings/{state.name}/"
        if names.has_noun(state.name) or any(
            map(str.startswith, names.texts, repeat(readings))
        ):
            continue
        if isinstance(state.type, Flag | Whole) and state.name in program.clauses:
            yield state.name


def _is_ugly(said: str) -> bool:
    """Return whether a sentence would not read well."""
    longest = max(len(part.split()) for part in re.split(r"(?<=[.!?])\s", said))
    return longest > LONGEST or UGLY.search(said) is not None
