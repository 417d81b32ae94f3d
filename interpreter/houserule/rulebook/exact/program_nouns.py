"""The nouns of a program in a language, and the phrases that sentences consist of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from houserule.base.inflection import CASES, GENDER, GENDERS, Inflected
from houserule.base.resources import Phrases
from houserule.ir import Program
from houserule.ir.types import Data, Flag, Kind, Maybe, Position, Set, Type, Whole
from houserule.play.narration.wording import Wording
from houserule.rulebook.nouns import Noun, grammar_of
from houserule.rulebook.nouns.en import singular_of

NOUN = "noun"  # for names that are not nouns, or are too vague
THINGS = frozenset({"component", "tokens"})  # declarations that name one of many
LABEL = 3  # words of a caption that may be a noun
NO_LABEL = re.compile(
    r"^(who|what|where|how|when|no|not|has|is|if|in|on|at|of|to|from|for|with|by|after|"
    r"before|as|so)\b|\b(is|are|has|have|can)\b",
    re.IGNORECASE,
)
NEEDS_GENDER = frozenset({"de", "fr", "it"})


class Lexicon:
    """Words for the declarations of a program.

    A name without a noun in the texts, or without a gender if the language needs it, is
    put in quotation marks after a general noun, and added to `missing`.

    Args:
        texts: the ruleset's texts of the language, by `section/name`.
        language: of all sentences; English grammar if it is not supported.
        first: the language of the captions in the rules files.
    """

    def __init__(
        self, program: Program, texts: Mapping[str, str], language: str, first: str
    ) -> None:
        self.program, self.language = program, language
        self.is_first = language == first
        self.texts = texts
        self.phrases = Phrases("exact", language)
        self.grammar = grammar_of(self.phrases.language)
        self.wording = Wording(program, texts, language)
        self.missing: set[tuple[str, str]] = set()
        self.mentioned: dict[str, None] = {}
        self.spoken: dict[str, set[int]] | None = None
        self._listens = False
        self._words: dict[tuple[str, str], Noun] = {}

    # ---- phrases

    def say(self, phrase: str, /, **parts: str | int) -> str:
        """Return a phrase with its parts filled in, in the cases that it needs."""
        return self.grammar.filled(self.phrases.text(phrase), parts)

    def quoted(self, words: str) -> str:
        """Return words in quotation marks."""
        return self.say("quoted", what=words.rstrip("."))

    def joined(self, words: Sequence[str], how: str = "and") -> str:
        """Return words as a series: "a, b and c"; `how` is "and" or "or"."""
        if len(words) < 2:
            return "".join(words)
        *before, last = words
        return self.say(f"joined_{how}", before=", ".join(before), last=last)

    def rows(self, said: Sequence[str]) -> str:
        """Return parts of a sentence, separated by semicolons."""
        return self.phrases.text("semicolon").join(said)

    def together(self, found: list[Inflected]) -> Inflected:
        """Return several noun phrases as one, in all their cases."""
        if len(found) == 1:
            return found[0]
        forms = {
            case: self.joined([each.form(case) for each in found]) for case in CASES
        }
        forms["of"] = self.joined([self.of(each) for each in found])
        return self.grammar.as_phrase(forms, "p")

    def of(self, phrase: Inflected) -> str:
        """Return "of the company" for the company."""
        own = phrase.forms.get("of")
        return own or self.grammar.joined(self.grammar.of, phrase)

    def tail_of(self, found: list[Inflected]) -> str:
        """Return " of the company" to follow a noun, '' for nothing."""
        return f" {self.of(self.together(found))}" if found else ""

    def amount_of(self, what: Inflected) -> Inflected:
        """Return "the number of cards in the hand" for the cards there."""
        tail = f" {self.grammar.amount_of(what)}"
        return self.grammar.phrase(self.general("count"), "the", tail)

    # ---- nouns

    def general(self, name: str) -> Noun:
        """Return a noun of the language itself: "player", "number"."""
        one, gender, many = self.phrases.text(f"word_{name}").split("|")
        return Noun(one, gender, many)

    def word(self, name: str, sort: str) -> Noun:
        """Return the noun of a declaration; `sort` names a general one."""
        if name in self.program.values and self.own_name(name) is None:
            self.mention(name)
        if (name, sort) not in self._words:
            own = self.own_name(name)
            if own is None:
                self.missing.add(("things", name))
                self._words[name, sort] = self.by_itself(name) or self._around(
                    sort, name.rpartition(".")[2].replace("_", " ")
                )
            else:
                found = self.noun(own)
                if found is None:
                    self.missing.add(("things", f"{name}:{GENDER}"))
                    self._words[name, sort] = self._around(sort, own)
                else:
                    self._words[name, sort] = found
        return self._words[name, sort]

    def noun(self, own: str) -> Noun | None:
        """Return words of the texts as a noun, None if their gender is unknown."""
        forms = own.forms if isinstance(own, Inflected) else {}
        words, gender = self.grammar.bare(forms.get(NOUN, str(own)))
        gender = forms.get(GENDER, gender)
        if gender not in GENDERS:
            if self.grammar_needs_gender:
                return None
            gender = "n"
        many = forms.get("plural", forms.get("many", ""))
        return Noun(words, gender, many, forms)

    def by_itself(self, name: str) -> Noun | None:
        """Return the name of a declaration as a noun, None if it may not be one.

        Names in English rules are nouns in most cases, and so are short captions.
        """
        if not self.is_first or self.phrases.language != "en":
            return None
        words = self.label(name)
        if not words and any(name in e.slots for e in self.program.tokens.values()):
            return self._around("place", name)
        words = words or name.rpartition(".")[2].removesuffix("_of").replace("_", " ")
        noun = self.noun(words[:1].lower() + words[1:])
        clause = self.program.clauses.get(name)
        if noun and noun.is_plural and clause and clause.kind in THINGS:
            return Noun(singular_of(noun.one), many=noun.one)
        return noun

    def label(self, name: str) -> str:
        """Return the caption of a declaration if it may be a noun, otherwise ''."""
        words = (self.caption(name) or "").removesuffix(".")
        return "" if len(words.split()) > LABEL or NO_LABEL.search(words) else words

    @property
    def grammar_needs_gender(self) -> bool:
        """Return whether nouns of this language need a gender."""
        return self.phrases.language in NEEDS_GENDER

    def _around(self, sort: str, name: str) -> Noun:
        """Return a general noun followed by a name in quotation marks."""
        word = self.general(sort)
        quoted = self.quoted(name)
        return Noun(f"{word.one} {quoted}", word.gender, f"{word.many} {quoted}")

    def has_noun(self, name: str) -> bool:
        return self.own_name(name) is not None

    def own_name(self, name: str) -> str | None:
        """Return the name in the texts; a name for rulebooks takes precedence."""
        own = self.wording.text("names", name)
        return own if own is not None else self.wording.text("things", name)

    def kind(self, kind: Kind) -> Noun:
        match kind.sort:
            case "seat":
                return self.general("player")
            case "action":
                return self.general("action")
            case _:
                return self.word(kind.name, "thing")

    def type_word(self, type_: Type) -> Noun:
        match type_:
            case Maybe(inner):
                return self.type_word(inner)
            case Whole():
                return self.general("number")
            case Flag():
                return self.general("answer")
            case Position():
                return self.general("place")
            case Kind():
                return self.kind(type_)
            case Set(member, _):
                return self.plural(self.type_word(member))

    def plural(self, word: Noun) -> Noun:
        return self.grammar.plural(word)

    # ---- things

    def constant(self, value: Data, type_: Type) -> Inflected:
        match type_:
            case Maybe(inner) if value is not None:
                return self.constant(value, inner)
            case _ if value is None:
                return self.plain(self.say("nothing"))
            case Flag():
                return self.plain(self.say("yes" if value else "no"))
            case Kind(sort="seat") if isinstance(value, int):
                tail = self.say("at_seat", number=value + 1)
                return self.grammar.phrase(self.general("player"), "the", f" {tail}")
            case Kind(sort="action", name=kind) if isinstance(value, int):
                return self.plain(self.action(self.program.labels[kind][value]))
            case Kind() if isinstance(value, int):
                label = self.program.labels[type_.name][value]
                if type_.sort == "enum":
                    return self._named(type_, value, label, "")
                return self._named(type_, value, label, "the")
            case Set(member) if isinstance(value, tuple):
                if not value:
                    return self.plain(self.say("nothing"))
                return self.together([self.constant(each, member) for each in value])
            case _:
                return Inflected(
                    str(value), {}, int(value or 0) if isinstance(value, int) else 2
                )

    def _named(self, kind: Kind, item: int, label: str, article: str) -> Inflected:
        own = self.wording.text("names", label) or self.wording.own_words(
            kind.name, item
        )
        if own is None and not self.wording.has_name(kind.name, item):
            what = self.wording.thing(kind.name, item)
            return self.grammar.phrase(self.kind(kind), "the", f" {what}")
        if own is None:
            self.missing.add(("things", label))
        forms = own.forms if isinstance(own, Inflected) else {}
        gender = forms.get(GENDER, "")
        words = (
            forms.get(NOUN, str(own)) if own is not None else label.replace("_", " ")
        )
        if gender in GENDERS:
            return self.grammar.phrase(Noun(words, gender, "", forms), article)
        if article and not self.grammar_needs_gender and "the" not in forms:
            return self.grammar.phrase(Noun(words), article)
        subject = forms.get("the", forms.get("nominative", words)) if article else words
        if article and self.grammar.bare(subject)[0] == subject:
            self.missing.add(("things", f"{label}:{GENDER}"))
        # A name in all cases: as given, else by the article of its subject.
        forms = forms if article else {}
        words, gender = self.grammar.bare(subject)
        if gender and words != subject:
            noun = Noun(words, gender)
            accusative = self.grammar.bare(forms.get("accusative", ""))[0]
            if accusative.startswith(words):  # as in "dem Buben"
                noun = Noun(words, gender, "", {"noun_genitive": accusative})
            cases = self.grammar.declined(noun, "the")
        else:
            cases, gender = dict.fromkeys(CASES, subject), "m"
        given = {name: form for name, form in forms.items() if name != GENDER}
        return self.grammar.as_phrase({**cases, **given, "nominative": subject}, gender)

    def plain(self, words: str) -> Inflected:
        """Return words that are the same in every case."""
        return Inflected(words)

    # ---- flow

    def flow(self, name: str) -> str:
        """Return the name of a phase or step, in quotation marks."""
        said = self.wording.text("flow", name)
        if said is None:
            self.missing.add(("flow", name))
        self.mention(name)
        return self.quoted(said or name.replace("_", " "))

    def action(self, name: str) -> str:
        """Return the name of an action, in quotation marks."""
        said = self.wording.text("actions", name)
        if said is None:
            self.missing.add(("actions", name))
        self.mention(name)
        return self.quoted(said or name.replace("_", " "))

    def event(self, address: str) -> str:
        """Return the name of an event, in quotation marks."""
        self.mention(address)
        if address in self.program.phases or address in self.program.steps:
            return self.flow(address)
        if address in self.program.actions:
            return self.action(address)
        caption = self.caption(address)
        if caption is not None:
            return self.quoted(caption)
        owner = address.partition(".")[0]
        if owner != address:
            return self.event(owner)
        self.missing.add(("captions", address))
        return self.quoted(address.replace("_", " "))

    def caption(self, address: str) -> str | None:
        """Return the caption of a clause, None if it has none."""
        clause = self.program.clauses.get(address)
        units = reversed(clause.changed_by if clause else ())
        for key in (*(f"changed/{unit}/{address}" for unit in units), address):
            if key in self.texts:
                return self.texts[key] or None
        own = clause.caption if clause else ""
        if own and not self.is_first:
            self.missing.add(("captions", address))
            return None
        return own or None

    def mention(self, address: str) -> None:
        """Record that the sentence mentions a clause."""
        if address in self.program.clauses:
            self.mentioned[address] = None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Record which variables are mentioned; only these count afterwards."""
        self.spoken, self._listens = {}, True
        try:
            yield
        finally:
            self._listens = False

    def speak_of(self, address: str, slot: int) -> None:
        """Record that a variable of a clause is mentioned."""
        if self._listens and self.spoken is not None:
            self.spoken.setdefault(address, set()).add(slot)

    def is_spoken_of(self, address: str, slot: int) -> bool:
        """Return whether a variable is mentioned, as far as known."""
        if self._listens or self.spoken is None:
            return True
        return slot in self.spoken.get(address, ())

    @contextmanager
    def mentions(self) -> Iterator[list[str]]:
        """Collect the addresses that are mentioned within the context."""
        outer, self.mentioned = self.mentioned, {}
        found: list[str] = []
        try:
            yield found
        finally:
            found += self.mentioned
            self.mentioned = outer
