"""The common parts of all chapters of a book, and the simple chapters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from houserule import ir
from houserule.base.resources import Phrases
from houserule.compiler.options.scales import constant_value
from houserule.ir.types import Whole
from houserule.ir.walk import beneath, bodies
from houserule.language.manifest.citations import default_source
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import in_language
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk
from houserule.play.narration.wording import Wording
from houserule.rulebook.book.book_model import (
    BookBlock,
    BookList,
    BookMark,
    BookParagraph,
    BookSection,
    BookSentence,
    BookTable,
    every_section,
)
from houserule.rulebook.book.prose import Prose
from houserule.rulebook.meanings.table_in_words import TableInWords, caption_of, under
from houserule.rulebook.nouns.speech import as_sentence

APART = "apart"  # for remarks that follow no declaration
REMARK = ("note ", "  ", "[")  # how lines with remarks begin
ELSEWHERE = "chapter-object"  # the section for clauses without one
SHORT = 2  # sentences of the object of the game
FEW, OFTEN = 4, 3  # words to know first; sections that use one of these
NEVER = frozenset({"bots strive for", "advice", "warn", "shrinks", "assert", "always"})
"""The kinds of clauses that are for bots, hosts and engines, not for players."""
WORDS = frozenset({"value", "state", "zone", "slot"})
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÉÈÀ0-9“„«])")

CITE = re.compile(
    r'(?:(?P<source>\w+) )?"(?P<heading>[^"]*)"'
    r'(?: "(?P<words>[^"]*)"| (?P<first>\d+)(?:\.\.(?P<last>\d+))?)?'
)


class Chapters:
    """The rules of a table with all their words, and the section of each clause.

    Attributes:
        view: the rules.
        prose: the sentences of clauses.
        wording: names and values.
        clauses: those of the rules, without the internal ones of an engine.
        place: by address, the key of the section that describes a clause.
        formal: the clauses with their formal wording in a section.
        named: the values without a text that sentences of the sections name.
    """

    def __init__(self, view: TableInWords, prose: Prose, wording: Wording) -> None:
        self.view, self.prose, self.wording = view, prose, wording
        self.program = view.program
        known = view.draft.entries
        self.clauses = {a: c for a, c in view.program.clauses.items() if a in known}
        self.words = Phrases("rulebook", view.language)
        self.printed = Printed(view.ruleset, view.language)
        self.place: dict[str, str] = {}
        self.formal: set[str] = set()
        self.named: set[str] = set()

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
        return ELSEWHERE

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
        if self.clauses[address].kind in NEVER:
            return ()
        return self.prose.sentences(address)

    def paragraph(
        self, addresses: Iterable[str], key: str, lead: str = "", head: str = ""
    ) -> BookParagraph | None:
        """Return clauses as one paragraph, None if they have no sentences.

        An effect with a single caller is described there.

        Args:
            head: the address of the clause that the run-in head represents.
        """
        addresses = tuple(addresses)
        found: dict[str, BookSentence] = {}
        for address in addresses:
            for each in self._with_effects(address, key):
                found.setdefault(each.text.casefold(), each)
        found.pop(as_sentence(lead).casefold(), None)
        if not found and not head:
            return None
        marks = (*self.prose.marks(head), *self.removed(head)) if head else ()
        if head:
            self.place.setdefault(head, key)
        return BookParagraph(
            lead=lead, address=head, marks=marks, sentences=tuple(found.values())
        )

    def _with_effects(self, address: str, key: str) -> Iterator[BookSentence]:
        """Yield the sentences of a clause, and of the effects that only it calls."""
        called = self.calls.get(address, ())
        alone = [each for each in called if each in self.inlined]
        silent = self.prose.text(address) is None
        whole = False  # whether it only calls these
        for body in bodies(self.program) if silent and alone else ():
            if body.address == address:
                whole = [getattr(e, "effect", None) for e in body.block] == alone
        if not whole:
            yield from self.told(address, key)
        self.place.setdefault(address, key)
        for effect in alone:
            self.place.setdefault(effect, key)
            if silent and self.prose.text(effect):
                yield from self.prose.sentences(effect)
            # A caption only names what the effect does; prose and a sentence say it.
            named = self.prose.caption(effect if silent else address)
            prosed = self.prose.written(effect if silent else address) is not None
            for clause in self.within(effect, "needs", "does", "or"):
                own = self.prose.written(clause)
                if own is None and named and not prosed:
                    own = self.prose.caption(clause)
                if whole or own is not None or self.prose.marks(clause):
                    yield from self._with_effects(clause, key)
                self.place.setdefault(clause, key)

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

    def has_use(self, field: str) -> bool:
        """Return whether a clause for players reads a field of components."""
        lines = self.view.used(field, field=True)
        return any(e.kind not in NEVER and e.name not in self.for_bots for e in lines)

    @cached_property
    def for_bots(self) -> Collection[str]:
        """Values that only clauses for bots, hosts and engines use, with all layers."""
        values = (a for a, c in self.clauses.items() if c.kind == "value")
        uses = {each: [*self.view.used(each)] for each in values}
        found = {each for each, used in uses.items() if used}
        while read := {
            each
            for each in found
            if any(e.kind not in NEVER and e.name not in found for e in uses[each])
        }:
            found -= read
        layers = (layer for each in found for layer in self.program.values[each].layers)
        return found | {address for layer in layers for address, _ in layer.adjusts}

    def removed(self, owner: str) -> tuple[BookMark, ...]:
        """Return the marks of house rules that removed clauses of an owner."""
        found = []
        for gone, entry in sorted(self.view.draft.gone.items()):
            was = self.view.caption(gone, entry.kind, caption_of(entry.node))
            if gone.rpartition(".")[0] == owner and was:
                found += [
                    BookMark(unit=origin.unit, did="removed", was=was)
                    for origin in entry.changed_by
                ]
        return tuple(found)

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
            self.told(note, key) for note, before in self._notes if before in known
        ]
        if APART in known:
            return [BookParagraph(sentences=each) for each in found if each]
        one = tuple(sentence for each in found for sentence in each)
        return [BookParagraph(sentences=one)] if one else []

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
                source = self.view.ruleset.sources.get(clause.span.file)
                lines = source.text.split("\n") if source else []
                above = reversed(lines[: clause.span.line - 1])
                line = next((e for e in above if not e.startswith(REMARK)), "-")
                apart = before and not line.strip()
                found.append((clause.address, APART if apart else before))
            elif "." not in clause.address or clause.kind in {"step", "phase"}:
                last = clause.span.file, clause.address
        return found

    # ---- chapters

    def object(self) -> BookSection:
        """Return the object of the game: what players do, and who wins."""
        key = "chapter-object"
        summary = in_language(self.view.ruleset.manifest.summary, self.view.language)
        self.place["players"] = key
        said = [BookSentence(text=each) for each in sentences_in(summary)[:SHORT]]
        wins = self.prose.sentences("winners") if "winners" in self.clauses else ()
        if any(each.marks for each in wins):  # the summary is about the base game
            said.append(BookSentence(text=self.say("object changed")))
            said += (BookSentence(text=e.text, marks=e.marks) for e in wins)
        return BookSection(
            key=key,
            title=self.say("object"),
            blocks=(BookParagraph(sentences=tuple(said)),),
        )

    def first(self) -> BookSection:
        """Return the few words that players need before they read about a turn."""
        uses = {
            name: len({self.home(use.name) for use in self.view.used(name)})
            for name, clause in self.clauses.items()
            if clause.kind == "value"
            and name not in self.place
            and self.prose.written(name)
        }
        often = sorted(uses, key=lambda name: -uses[name])
        asked = [name for name in often if uses[name] >= OFTEN][:FEW]
        key = "chapter-first"
        if len(asked) == 1:
            asked = []  # the glossary has it
        items = [each for name in asked for each in self._word(name, key)]
        blocks = (BookList(items=tuple(items)),) if items else ()
        return BookSection(key=key, title=self.say("first"), blocks=blocks)

    def _ends(self, phase: ir.PhaseDef) -> str:
        """Return when the last phase of a game ends, '' if its own text says so."""
        until, exact = phase.until, self.prose.exact
        source = phase.source
        rounds = source.value if isinstance(source, ir.Const) else ()
        if self.prose.written(phase.name) is not None:
            return ""
        member = getattr(source.type, "member", None) if source is not None else None
        if isinstance(member, Whole) and isinstance(rounds, tuple) and rounds:
            name = phase.name.replace("_", " ")
            return self.say("ends after", phase=name, number=len(rounds))
        called = until.value if isinstance(until, ir.CallValue) else ""
        if until is None or (called and self.prose.written(called) is not None):
            return ""
        condition = exact.condition(phase.name, until, captioned=False)
        return self.say("ends when", condition=condition)

    def winning(self) -> BookSection:
        """Return when the game is over, and who wins."""
        key, clauses = "chapter-winning", self.clauses
        phases = self.items(self.program.root)
        earlier = {e for name in phases for e in self.program.root.before.get(name, ())}
        last = [self.program.phases.get(each) for each in phases if each not in earlier]
        ends = self._ends(last[0]) if len(last) == 1 and last[0] is not None else ""
        over: list[str] = []
        for phase in (e for n in phases if (e := self.program.phases.get(n))):
            if phase.until is not None and not (ends and phase is last[0]):
                over.append(phase.name)
            if isinstance(phase.until, ir.CallValue) and phase.until.value in clauses:
                over += [phase.until.value, *self.within(phase.until.value, "or")]
        drawn = [a for a, c in clauses.items() if c.kind == "drawn by"]
        wins = [a for a in ("winners",) if a in clauses]
        said = (BookSentence(text=ends),) if ends else ()
        parts: list[BookParagraph | None] = []
        parts += [BookParagraph(sentences=said)] if said else []
        captioned = any(self.prose.written(each) is None for each in drawn)
        lead = self.say("draw") if captioned else ""
        parts.append(self.paragraph(over, key))
        parts += [self.paragraph(drawn, key, lead), self.paragraph(wins, key)]
        blocks: list[BookBlock] = [each for each in parts if each is not None]
        blocks += self.notes(key, after=[*drawn, *wins])
        for each in (*drawn, *wins):
            self.place[each] = key
        return BookSection(key=key, title=self.say("winning"), blocks=tuple(blocks))

    def with_words(self, sections: Iterable[BookSection]) -> list[BookSection]:
        """Return sections, each with the words that no other section uses.

        A word is a value, a state or a place. The glossary has the others.
        """
        sections = [*sections]
        exact, labels = self.prose.exact, set[str]()
        more = {*exact.named, *(m for e in self.formal for m in exact.mentions(e))}
        captioned = self.clauses.keys() & self.program.values.keys()
        more |= {each for each in captioned if self.clauses[each].caption}
        while more := {e for e in more - labels if e in self.program.values}:
            labels |= (own := {each for each in more if self.is_label(each)})
            more = {m for each in own for m in exact.mentions(each)}
        self.named |= {each for each in labels if self.prose.text(each) is None}
        known = {
            each.key for each in every_section(sections) if each.look != "back"
        } - {"chapter-object", "chapter-things"}
        users = {
            word: {
                use.name
                for use in self.view.used(word)
                if use.kind not in NEVER and use.name not in self.for_bots
            }
            for word, clause in self.clauses.items()
            if clause.kind in WORDS and word not in self.place
        }
        found: dict[str, list[str]] = {}
        while placed := {
            word: homes.pop()
            for word, uses in users.items()
            if word not in self.place
            and not any(
                under(use, other)
                for use in uses
                for other in users
                if other != word and other not in self.place
            )
            and len(homes := {self.home(e) for e in uses if not under(e, word)}) == 1
            and homes <= known
        }:
            self.place |= placed
        entries = self.view.draft.entries
        for word in sorted(users, key=lambda each: entries[each].rank):
            if word in self.place:
                found.setdefault(self.place[word], []).append(word)

        def filled(section: BookSection) -> BookSection:
            items = [
                each
                for word in found.get(section.key, ())
                for each in self._word(word, section.key)
            ]
            blocks = (*section.blocks, BookList(items=tuple(items)))
            return section.model_copy(
                update={
                    "blocks": blocks if items else section.blocks,
                    "sections": tuple(map(filled, section.sections)),
                }
            )

        return [filled(each) for each in sections]

    def meanings(self) -> BookSection:
        """Return the words of the game that several sections use."""
        key = "chapter-meanings"
        items = [
            each
            for address, clause in self.clauses.items()
            if clause.kind in WORDS
            and address not in self.place
            and address not in self.for_bots
            for each in self._word(address, key)
        ]
        items.sort(key=lambda each: (not each.lead, each.lead.casefold()))
        blocks = (BookList(items=tuple(items)),) if items else ()
        return BookSection(
            key=key, title=self.say("meanings"), look="back", blocks=blocks
        )

    def defined(self, address: str, key: str) -> BookParagraph | None:
        """Return a clause whose only text is its caption, with its formal wording.

        None if there is prose, or a noun of the texts: their sentences say what it is.
        """
        if not self.is_label(address):
            return None
        self.place.setdefault(address, key)
        made = self.prose.exact.plain(address)
        if made == ():
            return None
        if made is None:
            self.formal.add(address)
        marks, caption = self.prose.marks(address), self.clauses[address].caption
        said = tuple(
            BookSentence(text=each, address=address, marks=marks, made=True)
            for each in made or self.prose.exact.clause(address)
        )
        lead = self.titled("", self.prose.caption(address) or caption)
        return BookParagraph(lead=lead if caption else "", sentences=said)

    def is_label(self, address: str) -> bool:
        """Return whether the caption of a clause is all that the texts say of it."""
        return self.prose.written(address) is None and not self.view.thing(address)

    def _word(self, address: str, key: str) -> Iterator[BookParagraph]:
        """Yield what a word means, with the remarks about it."""
        name = self.view.thing(address.rpartition(".")[2]) or self.view.thing(address)
        if address in self.named:
            alone = self.defined(address, key)
            yield from [alone] if alone else []
            return
        if self.prose.text(address) is None and not self.clauses[address].origin:
            return  # the clauses that use it say what it is
        values = self.program.values
        layers = values[address].layers if address in values else ()
        own = [
            address,
            *self.within(address, "or", "needs"),
            *(name for layer in layers for name, _ in layer.adjusts),
        ]
        own.insert(0, address)
        found = self.paragraph(own, key, self.titled("", name) if name else "")
        if self.clauses[address].caption and self.is_label(address):
            alone = self.defined(address, key)
            rest = found.sentences if found is not None else ()
            later = tuple(each for each in rest if each.address != address)
            if alone is not None:
                later = (*alone.sentences, *later)
            found = (alone or found or BookParagraph(sentences=())).model_copy(
                update={"sentences": later}
            )
        if found is not None and (found.sentences or found.marks):
            yield found
        for each in self.notes(key, after=own):
            if isinstance(each, BookParagraph):
                yield each

    def house_rules(self) -> BookSection:
        """Return the choices of the table: its house rules and its options."""
        key = "chapter-table"
        rulings, language = self.view.ruleset.rulings, self.view.language
        items = []
        for unit in self.units:  # its remarks, else its rulings
            marks = (BookMark(unit=unit.id, did="added"),)
            own = [
                each.model_copy(update={"marks": marks})
                for note, before in self._notes
                if not before and self.clauses[note].origin == unit.id
                for each in self.told(note, key)
            ]
            for ruling in unit.notes if not own else ():
                if isinstance(ruling, tree.Ruling):
                    says = in_language(rulings[ruling.name].says, language)
                    own.append(BookSentence(text=as_sentence(says), marks=marks))
            lead = self.view.title(unit.id)
            items.append(BookParagraph(lead=lead, sentences=tuple(own)))
        blocks: list[BookBlock] = [BookList(items=tuple(items))] if items else []
        rows = [
            (
                self.titled(name, self.view.called(name)),
                str(self.prose.options[name]) or self.say("nothing"),
            )
            for name in self.view.table.options
            if name in self.clauses and self.prose.written(name) != ""
        ]
        for name in self.view.table.options:
            self.place[name] = key
        if rows:
            head = self.say("option"), self.say("setting")
            blocks.append(BookTable(head=head, rows=tuple(rows)))
        title = self.say("options used")
        return BookSection(key=key, title=title, look="back", blocks=tuple(blocks))

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

    @cached_property
    def used_rulings(self) -> Sequence[str]:
        """The rulings that clauses of the table depend on, in the order of the list."""
        used = {r for c in self.clauses.values() for r in c.rulings}
        removed = {id(entry.node) for entry in self.view.draft.gone.values()}
        used |= {  # of lines that are not clauses, such as `order`
            note.name
            for placed in self.view.placed(here=True)
            for note in placed.notes
            if isinstance(note, tree.Ruling) and id(placed.item) not in removed
        }
        return [name for name in self.view.ruleset.rulings if name in used]

    def _is_set(self, option: str) -> bool:
        """Return whether an option of the table is not as it normally is."""
        for found in self.view.family.declared.get(option, ()):
            if isinstance(found.one.node, tree.Option):
                value = self.view.table.options.get(option)
                return value is not None and value != constant_value(
                    found.one.node.normally
                )
        return False

    def rulings(self) -> BookSection:
        """Return the rulings as questions and answers, then what is also settled."""
        key = "chapter-rulings"
        rulings, language = self.view.ruleset.rulings, self.view.language
        asked, settled = [], []
        own = {
            unit.id: {node.name for node in walk(unit) if isinstance(node, tree.Ruling)}
            for unit in self.units
        }
        remarked = {self.clauses[note].origin for note, _ in self._notes} & own.keys()
        said, unsaid = (
            {
                ruling
                for clause in self.clauses.values()
                if (clause.origin in remarked) == there
                for ruling in clause.rulings
            }
            for there in (True, False)
        )
        for name in self.used_rulings:
            entry = rulings[name]
            if not entry.book:
                continue
            if not entry.asks and name in said - unsaid:
                continue  # a remark of the house rule says it
            if name not in own.get(entry.option, {name}) or self._is_set(entry.option):
                continue  # a house rule or an option decides otherwise
            sentence = BookSentence(text=as_sentence(in_language(entry.says, language)))
            if entry.asks:
                lead = in_language(entry.asks, language)
                asked.append(BookParagraph(lead=lead, sentences=(sentence,)))
            else:
                settled.append(BookParagraph(sentences=(sentence,)))
        for each in self.notes(key, after=[APART]):
            if isinstance(each, BookParagraph):
                based_on = self.clauses[each.sentences[0].address].rulings
                answered = (rulings[e].asks or not rulings[e].book for e in based_on)
                if not based_on or not all(answered):
                    settled.append(each)
        blocks: list[BookBlock] = [BookList(items=tuple(asked))] if asked else []
        if settled:
            title = self.say("settled") if asked else ""
            if title:
                blocks.append(BookParagraph(lead=title, sentences=()))
            blocks.append(BookList(items=tuple(settled)))
        title = self.say("questions" if asked else "settled")
        return BookSection(key=key, title=title, look="back", blocks=tuple(blocks))


def sentences_in(words: str) -> list[str]:
    return [each for each in SENTENCE_END.split(" ".join(words.split())) if each]


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
        return tuple(dict.fromkeys(map(self.place, cites)))

    def place(self, cite: str) -> str:
        found = CITE.fullmatch(cite)
        if found is None:
            return cite
        heading, words = found["heading"], found["words"]
        source = found["source"] or self._first
        register = self._ruleset.registers.get(source or "")
        listed = (
            str(each.cited[words])
            for each in (register.headings if register and words else ())
            if each.heading == heading and words in each.cited
        )
        numbers = found["first"] or next(listed, "")
        said = self._words.say("heading", heading=heading)
        if numbers:
            several = found["last"] if found["last"] != numbers else None
            number = f"{numbers}–{several}" if several else numbers
            said = self._words.say("sentence", heading=said, number=number)
        if source in (None, self._first):
            return said
        entry = self._ruleset.manifest.sources.get(source)
        return f"{entry.title}: {said}" if entry is not None else said
