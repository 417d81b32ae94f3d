"""The common parts of all chapters of a book, and the simple chapters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from houserule import ir
from houserule.base.resources import Phrases
from houserule.base.source import Span
from houserule.ir.walk import beneath, bodies
from houserule.language.manifest.citations import default_source
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import in_language
from houserule.language.syntax import tree
from houserule.play.narration.wording import Wording
from houserule.rulebook.book.book_model import (
    BookBlock,
    BookList,
    BookMark,
    BookParagraph,
    BookSection,
    BookSentence,
    BookTable,
)
from houserule.rulebook.book.prose import Prose, as_sentence
from houserule.rulebook.meanings.table_in_words import TableInWords, caption_of, under

APART = "apart"  # for remarks that follow no declaration
REMARK = ("note ", "  ", "[")  # how lines with remarks begin
ELSEWHERE = "chapter-table"  # the section for clauses without one

CITE = re.compile(
    r'(?:(?P<source>\w+) )?"(?P<heading>[^"]*)"'
    r'(?: "(?P<words>[^"]*)"| (?P<first>\d+)(?:\.\.(?P<last>\d+))?)?'
)


class Chapters:
    """The rules of a table with all their words, and the section of each clause.

    Attributes:
        view: the rules. prose: the sentences of clauses. wording: names and values.
        clauses: those of the rules, without the internal ones of an engine.
        place: by address, the key of the section that describes a clause.
    """

    def __init__(self, view: TableInWords, prose: Prose, wording: Wording) -> None:
        self.view, self.prose, self.wording = view, prose, wording
        self.program = view.program
        known = view.draft.entries
        self.clauses = {a: c for a, c in view.program.clauses.items() if a in known}
        self.words = Phrases("rulebook", view.language)
        self.printed = Printed(view.ruleset, view.language)
        self.place: dict[str, str] = {}

    def say(self, phrase: str, **parts: str | int) -> str:
        """Return a phrase of the book with its parts filled in."""
        return self.words.say(phrase, **parts)

    def items(self, phase: ir.PhaseDef) -> tuple[str, ...]:
        """Return the phases and steps in a phase, without internal ones."""
        return tuple(name for name in phase.items if not ir.is_kept(name))

    def home(self, address: str) -> str:
        """Return the key of the section that describes a clause, or its owner."""
        while address:
            if address in self.place:
                return self.place[address]
            address = address.rpartition(".")[0]
        return "chapter-things"

    def settle(self, known: Collection[str]) -> None:
        """Find a section for clauses whose own section is empty and omitted.

        An effect is described with the clauses that call it.
        """
        for address, key in [*self.place.items()]:
            if key in known:
                continue
            callers = (each for each, called in self.calls.items() if key in called)
            homes = (self.home(each) for each in callers)
            self.place[address] = next((h for h in homes if h in known), ELSEWHERE)

    # ---- parts of sections

    def told(self, address: str, key: str) -> tuple[BookSentence, ...]:
        """Return the sentences of a clause, and record that a section has them."""
        self.place.setdefault(address, key)
        return self.prose.sentences(address)

    def paragraph(
        self, addresses: Sequence[str], key: str, lead: str = ""
    ) -> BookParagraph | None:
        """Return clauses as one paragraph, None if they have no sentences.

        An effect with a single caller is described there; an effect with several has a
        section of its own, to which each caller links.
        """
        found: dict[str, BookSentence] = {}
        see: list[str] = []
        for address in addresses:
            for each in self._with_effects(address, key, see):
                found.setdefault(each.text.casefold(), each)
        sentences = (*found.values(), *self.left_out(addresses))
        if not sentences and not see:
            return None
        return BookParagraph(
            lead=lead, sentences=sentences, see=tuple(dict.fromkeys(see))
        )

    def _with_effects(
        self, address: str, key: str, see: list[str]
    ) -> Iterator[BookSentence]:
        """Yield the sentences of a clause, and of the effects that only it calls."""
        called = self.calls.get(address, ())
        alone = [each for each in called if each in self.inlined]
        see += (each for each in called if each not in self.inlined)
        if self.prose.text(address) is not None or not self._only_calls(address, alone):
            yield from self.told(address, key)
        self.place.setdefault(address, key)
        silent = self.prose.text(address) is None
        for effect in alone:
            self.place.setdefault(effect, key)
            if silent and self.prose.text(effect):
                yield from self.prose.sentences(effect)
            for clause in self.within(effect, "needs", "does", "or"):
                yield from self._with_effects(clause, key, see)

    @cached_property
    def calls(self) -> Mapping[str, tuple[str, ...]]:
        """The effects that each clause calls, in order."""
        return {
            body.address: tuple(
                each.effect
                for each in beneath(*body.block)
                if isinstance(each, ir.CallEffect)
            )
            for body in bodies(self.program)
        }

    @cached_property
    def inlined(self) -> frozenset[str]:
        """The effects that only one clause calls."""
        number = Counter(name for called in self.calls.values() for name in called)
        return frozenset(
            name
            for name in self.program.effects
            if number[name] == 1
            and not any(under(r.event, name) for r in self.program.reactions.values())
        )

    def _only_calls(self, address: str, effects: Sequence[str]) -> bool:
        """Return whether a clause only calls some effects."""
        own = [body for body in bodies(self.program) if body.address == address]
        calls = [
            each.effect
            for body in own
            for each in body.block
            if isinstance(each, ir.CallEffect)
        ]
        return bool(own) and calls == [*effects] and len(own[0].block) == len(calls)

    def left_out(self, owners: Iterable[str]) -> list[BookSentence]:
        """Return what house rules removed from some clauses, struck through."""
        found = []
        for address, marks, was in self._removed:
            if address.rpartition(".")[0] in {*owners} and was:
                text = self.say("left out", words=was.rstrip("."))
                found.append(BookSentence(text=text, marks=marks))
        return found

    @cached_property
    def _removed(self) -> Sequence[tuple[str, tuple[BookMark, ...], str]]:
        """The removed clauses: address, marks of the house rules, and words."""
        found = []
        for gone, entry in sorted(self.view.draft.gone.items()):
            was = self.view.caption(gone, entry.kind, caption_of(entry.node))
            marks = tuple(
                BookMark(unit=origin.unit, did="removed", was=was)
                for origin in entry.changed_by
            )
            found.append((gone, marks, was))
        return found

    def within(self, owner: str, *kinds: str) -> list[str]:
        """Return the addresses of clauses below another one, in order."""
        clauses = self.clauses
        found = [
            each
            for each in clauses
            if each != owner
            and under(each, owner)
            and (not kinds or clauses[each].kind in kinds)
        ]
        return sorted(found, key=lambda each: self.view.draft.entries[each].rank)

    def titled(self, address: str, title: str) -> str:
        """Return a capitalised title, from a caption or a name."""
        said = title or self.view.called(address) or address.replace("_", " ")
        said = said.rstrip(".")
        return said[:1].upper() + said[1:]

    def notes(self, key: str, *, after: Iterable[str]) -> list[BookBlock]:
        """Return the remarks of the rules that follow some clauses, as a paragraph.

        Includes remarks that follow an effect described in the same section.
        """
        told = (each for each in self.inlined if self.place.get(each) == key)
        known = {*after, *told}
        found = [
            sentence
            for note, before in self._notes
            if before in known
            for sentence in self.told(note, key)
        ]
        return [BookParagraph(sentences=tuple(found))] if found else []

    @cached_property
    def _notes(self) -> Sequence[tuple[str, str]]:
        """Remarks, each with the declaration that precedes it in its file.

        A remark after an empty line is about the game as a whole.
        """
        placed = sorted(self.clauses.values(), key=lambda c: (c.span.file, c.span.line))
        found, last = [], ("", "")
        for clause in placed:
            if clause.kind == "note":
                before = last[1] if last[0] == clause.span.file else ""
                apart = before and self._apart(clause.span)
                found.append((clause.address, APART if apart else before))
            elif "." not in clause.address or clause.kind in {"step", "phase"}:
                last = clause.span.file, clause.address
        return found

    def _apart(self, span: Span) -> bool:
        """Return whether remarks at a place follow an empty line."""
        source = self.view.ruleset.sources.get(span.file)
        lines = source.text.split("\n") if source else []
        number = span.line - 2
        while 0 <= number < len(lines) and lines[number].startswith(REMARK):
            number -= 1
        return 0 <= number < len(lines) and not lines[number].strip()

    def besides(self) -> BookSection:
        """Return the remarks that are about the game as a whole."""
        key = "chapter-besides"
        blocks = tuple(self.notes(key, after=[APART]))
        return BookSection(key=key, number="", title=self.say("besides"), blocks=blocks)

    # ---- chapters

    def about(self) -> BookSection:
        """Return the game's introduction: its summary, the table, who wins."""
        key = "chapter-about"
        summary = in_language(self.view.ruleset.manifest.summary, self.view.language)
        seats = self.say("for players", count=self.view.table.players)
        self.place["players"] = key
        lines = [as_sentence(each) for each in (summary, seats, self._seats()) if each]
        blocks: list[BookBlock] = [
            BookParagraph(sentences=tuple(BookSentence(text=each) for each in lines))
        ]
        return BookSection(
            key=key, number="", title=self.say("about"), blocks=tuple(blocks)
        )

    def _seats(self) -> str:
        """Return the possible numbers of players; '' if the number is fixed."""
        entry = self.view.draft.entries.get("players")
        node = entry.node if entry is not None else None
        if not isinstance(node, tree.Players) or node.low == node.high:
            return ""
        return self.say("can play", low=node.low, high=node.high)

    def ending(self) -> Iterator[BookSection]:
        """Yield the chapters after the course of play."""
        yield self.winning()
        yield self.meanings()
        yield self.house_rules()
        yield self.rulings()

    def winning(self) -> BookSection:
        """Return when the game is over, and who wins."""
        key, clauses = "chapter-winning", self.clauses
        phases = self.items(self.program.root)
        until = [n for n in phases if n in self.program.phases]
        over = [n for n in until if self.program.phases[n].until is not None]
        drawn = [a for a, c in clauses.items() if c.kind == "drawn by"]
        wins = [a for a in ("winners",) if a in clauses]
        parts = [
            self.paragraph([*self._ends(over)], key, self.say("over")),
            self.paragraph(drawn, key, self.say("drawn")),
            self.paragraph(wins, key, self.say("wins")),
        ]
        blocks: list[BookBlock] = [each for each in parts if each is not None]
        blocks += self.notes(key, after=[*drawn, *wins])
        for each in (*drawn, *wins):
            self.place[each] = key
        return BookSection(
            key=key, number="", title=self.say("winning"), blocks=tuple(blocks)
        )

    def _ends(self, over: Iterable[str]) -> Iterator[str]:
        """Yield phases with which the game ends, and the values that they wait for."""
        for name in over:
            yield name
            until = self.program.phases[name].until
            if isinstance(until, ir.CallValue) and until.value in self.clauses:
                yield until.value

    def meanings(self) -> BookSection:
        """Return definitions of the words of the rules, and rules that always hold."""
        key, clauses = "chapter-meanings", self.clauses
        items = []
        for address, clause in self.clauses.items():
            name = self.view.thing(address)
            term = self.titled("", name) if name else ""
            worded = term or self.prose.text(address) is not None
            if clause.kind not in {"value", "state"} or not worded:
                continue  # only in the list of all rules
            own = [address, *self.within(address, "or"), *self._contributions(address)]
            found = self.paragraph(own, key, term)
            items += [found] if found is not None else []
            items += [
                each
                for each in self.notes(key, after=own)
                if isinstance(each, BookParagraph)
            ]
        always = [a for a, c in clauses.items() if c.kind == "always"]
        found = self.paragraph(always, key, self.say("always"))
        items += [found] if found is not None else []
        items.sort(key=lambda each: (not each.lead, each.lead.casefold()))
        blocks = (BookList(items=tuple(items)),) if items else ()
        return BookSection(
            key=key, number="", title=self.say("meanings"), blocks=blocks
        )

    def _contributions(self, value: str) -> list[str]:
        """Return the addresses of house rules' contributions to a value."""
        found = (
            self.program.values[value].layers if value in self.program.values else ()
        )
        return [name for layer in found for name, _ in layer.adjusts]

    def house_rules(self) -> BookSection:
        """Return the choices of the table: its house rules and its options."""
        key = "chapter-table"
        items = [
            BookParagraph(lead=self.view.title(unit.id), sentences=sentences)
            for unit in self.units
            if (sentences := self._unit(unit.id, key))
        ]
        blocks: list[BookBlock] = [BookList(items=tuple(items))] if items else []
        rows = [
            (
                self.titled(name, self.view.called(name)),
                str(self.prose.options[name]) or self.say("nothing"),
            )
            for name in self.view.table.options
            if name in self.clauses
        ]
        for name in self.view.table.options:
            self.place[name] = key
        if rows:
            head = self.say("option"), self.say("setting")
            title = self.say("options")
            blocks.append(BookTable(title=title, head=head, rows=tuple(rows)))
        return BookSection(
            key=key, number="", title=self.say("this table"), blocks=tuple(blocks)
        )

    @cached_property
    def units(self) -> Sequence[tree.Unit]:
        """The variants and bridges of the table."""
        on = self.view.table.variants
        return [
            each
            for each in self.view.ruleset.units
            if (each.kind == "variant" and each.id in on)
            or (each.kind == "bridge" and {*each.id.split("+")} <= on)
        ]

    def _unit(self, unit: str, key: str) -> tuple[BookSentence, ...]:
        """Return a house rule's description: its remarks, else its changes."""
        marks = (BookMark(unit=unit, did="added"),)
        own = [
            sentence.model_copy(update={"marks": marks})
            for note, before in self._notes
            if not before and self.clauses[note].origin == unit
            for sentence in self.told(note, key)
        ]
        if own:
            return tuple(own)
        return (BookSentence(text=self.say("is on"), marks=marks),)

    @cached_property
    def used_rulings(self) -> Sequence[str]:
        """The rulings that clauses of the table depend on, in the order of the list."""
        used = {r for c in self.clauses.values() for r in c.rulings}
        used |= {  # of lines that are not clauses, such as `order`
            note.name
            for placed in self.view.placed(here=True)
            for note in placed.notes
            if isinstance(note, tree.Ruling)
        }
        return [name for name in self.view.ruleset.rulings if name in used]

    def rulings(self) -> BookSection:
        """Return the ruleset's rulings on questions that its sources leave open."""
        key = "chapter-rulings"
        rulings, language = self.view.ruleset.rulings, self.view.language
        said = (in_language(rulings[n].says, language) for n in self.used_rulings)
        items = [
            BookParagraph(sentences=(BookSentence(text=as_sentence(each)),))
            for each in said
        ]
        blocks = (BookList(ordered=True, items=tuple(items)),) if items else ()
        return BookSection(key=key, number="", title=self.say("rulings"), blocks=blocks)


# ---- citations in words


class Printed:
    """The citations of one ruleset, in the words of a language.

    A citation quotes some words of a sentence, or gives its number. A book shows the
    number if the register of the source has it.
    """

    def __init__(self, ruleset: LoadedRuleset, language: str) -> None:
        self._ruleset = ruleset
        self._words = Phrases("rulebook", language)
        self._first = default_source(ruleset.units)

    def places(self, cites: Iterable[str]) -> tuple[str, ...]:
        """Return the printed places of citations, without duplicates."""
        return tuple(dict.fromkeys(map(self._place, cites)))

    def _place(self, cite: str) -> str:
        found = CITE.fullmatch(cite)
        if found is None:
            return cite
        heading, words = found["heading"], found["words"]
        source = found["source"] or self._first
        numbers = found["first"] or self._number(source, heading, words)
        said = self._words.say("heading", heading=heading)
        if numbers:
            several = found["last"] if found["last"] != numbers else None
            number = f"{numbers}–{several}" if several else numbers
            said = self._words.say("sentence", heading=said, number=number)
        if source in (None, self._first):
            return said
        entry = self._ruleset.manifest.sources.get(source)
        return f"{entry.title}: {said}" if entry is not None else said

    def _number(self, source: str | None, heading: str, words: str | None) -> str:
        register = self._ruleset.registers.get(source or "")
        for each in register.headings if register and words else ():
            if each.heading == heading and words in each.cited:
                return str(each.cited[words])
        return ""
