"""Build the book of a table: chapter by chapter, and the list of all rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houserule import ir
from houserule.ir.walk import beneath
from houserule.language.manifest.ruleset_models import in_language
from houserule.play.seat.rules import TableRules
from houserule.rulebook.book.boards import start_of
from houserule.rulebook.book.book_model import (
    Book,
    BookBlock,
    BookList,
    BookParagraph,
    BookRule,
    BookSection,
    BookUnit,
    every_section,
)
from houserule.rulebook.book.chapters import ELSEWHERE, NEVER, Chapters
from houserule.rulebook.book.course import COURSE, course_of, happenings_of, setup_of
from houserule.rulebook.book.prose import LABELLED, Prose
from houserule.rulebook.book.things import cards_of, things_of
from houserule.rulebook.exact.exact_words import ExactWords
from houserule.rulebook.exact.plain import WORDED
from houserule.rulebook.meanings.table_in_words import TableInWords
from houserule.rulebook.meanings.units import opening_note
from houserule.rulebook.nouns.speech import as_sentence

SUMMARY = frozenset(
    f"chapter-{key}" for key in ("object", "glance", "first", "winning", "table")
)


def book_of(rules: TableRules, language: str) -> Book:
    """Return the rules of a table as a book.

    Args:
        rules: the ruleset, the table and its program.
    """
    view = TableInWords(rules.ruleset, rules.chosen, rules.program, language)
    texts = rules.ruleset.texts.get(language, {})
    first = rules.ruleset.manifest.languages[0]
    proses: list[Prose] = []

    def cited(address: str) -> str | None:
        return proses[0].about(address)

    exact = ExactWords(rules.program, texts, language, first, cited)
    proses.append(Prose(view, exact))
    prose = proses[0]
    chapters = Chapters(view, prose, rules.wording(language))
    told = _filled(
        [
            chapters.object(),
            things_of(chapters),
            setup_of(chapters, [*start_of(rules, chapters)]),
            *course_of(chapters),
            happenings_of(chapters),
            chapters.winning(),
        ]
    )
    rulings, tables = chapters.rulings(), cards_of(chapters)
    choices = chapters.house_rules()
    chapters.settle({each.key for each in every_section(told)})
    told = tuple(chapters.with_words(told))
    keys = [each.key for each in told]
    place = keys.index(COURSE) if COURSE in keys else len(keys)
    known = chapters.first()  # before the glossary, which has the others
    parts = [*told[:place], known, *told[place:]]
    sections = _filled([*parts, rulings, chapters.meanings(), tables, choices])
    chapters.settle({each.key for each in every_section(sections)})
    said = {each.text for part in every_section(sections) for each in part.sentences()}
    for address, clause in chapters.clauses.items():  # those without a section
        if clause.kind not in WORDED - {"action"} or address in chapters.for_bots:
            continue
        own = {each.text for each in proses[0].sentences(address)}
        if clause.kind in LABELLED and proses[0].written(address) is None:
            plain = exact.plain(address)
            own = own if plain is None else {*plain}  # a caption is only a label
        if proses[0].marks(address) and not own <= said:
            proses[0].unsaid.add(address)
    # Values without a text that formal wording in a section is based on.
    core, waiting = rules.program, [*chapters.formal]
    while waiting:
        name = waiting.pop()
        for each in beneath(
            *(d[name] for d in (core.values, core.states) if name in d)
        ):
            called = each.value if isinstance(each, ir.CallValue) else ""
            settled = prose.unsaid | chapters.named
            if called in {*chapters.clauses} - settled and not prose.text(called):
                prose.unsaid.add(called)
                chapters.formal.add(called)
                waiting.append(called)
    # Values without a caption that no clause uses: drawings of boards do.
    found = {a for a, c in chapters.clauses.items() if c.kind == "value"}
    found = {each for each in found if not chapters.clauses[each].caption}
    while used := {
        each
        for each in found
        if any(line.name not in found for line in chapters.view.used(each))
    }:
        found -= used
    manifest, drawn = rules.ruleset.manifest, frozenset(found)
    return Book(
        game=rules.chosen.game,
        title=in_language(manifest.title, language),
        table=chapters.say("for players", count=rules.chosen.players),
        language=language,
        players=rules.chosen.players,
        credits=tuple(
            chapters.say(each) if each == "traditional" else each
            for each in manifest.credits
        ),
        sections=sections,
        rules=rules_of(chapters, sections),
        house_rules=units_of(chapters),
        rulings=tuple(chapters.used_rulings),
        missing=tuple(
            f"{section}/{name}"
            for section, name in exact.missing
            if name.partition(":")[0] not in drawn
        ),
        fingerprint=rules.program.fingerprint,
    )


def summary_of(book: Book) -> Book:
    """Return the page of a book that players keep beside the board."""
    sections = tuple(each for each in book.sections if each.key in SUMMARY)
    return book.model_copy(update={"sections": sections, "rules": ()})


def _filled(sections: Iterable[BookSection]) -> tuple[BookSection, ...]:
    """Return sections without empty ones."""
    found = (
        each.model_copy(update={"sections": _filled(each.sections)})
        for each in sections
    )
    return tuple(e for e in found if e.sections or any(map(_says, e.blocks)))


def _says(block: BookBlock) -> bool:
    match block:
        case BookParagraph(lead=lead, sentences=sentences):
            return bool(sentences or lead)
        case BookList(items=items):
            return any(map(_says, items))
        case _:
            return True


# ---- lists of rules and house rules


def rules_of(
    chapters: Chapters, sections: Sequence[BookSection]
) -> tuple[BookRule, ...]:
    """Return every clause in force, in the order of the sections that describe them."""
    order = {each.key: number for number, each in enumerate(every_section(sections))}
    clauses = [a for a, c in chapters.clauses.items() if c.kind not in NEVER]
    entries = chapters.view.draft.entries

    def place(address: str) -> tuple[int, object]:
        return order.get(chapters.home(address), len(order)), entries[address].rank

    prose, found = chapters.prose, []
    for address in sorted(clauses, key=place):
        home, clause = chapters.home(address), chapters.clauses[address]
        rule = BookRule(
            address=address,
            section=home if home in order else ELSEWHERE,
            says=as_sentence(prose.text(address) or ""),
            exact=prose.exact.clause(address),
            mentions=prose.exact.mentions(address),
            cites=chapters.printed.places(clause.cites),
            rulings=tuple(dict.fromkeys(clause.rulings)),
            marks=prose.marks(address),
            unsaid=address in prose.unsaid,
        )
        found.append(rule)
    # A value without words is part of the sentences that use it.
    named = {each for rule in found if rule.unsaid for each in rule.mentions}
    named |= chapters.formal
    return tuple(
        rule.model_copy(update={"unsaid": False})
        if chapters.clauses[rule.address].kind == "value"
        and rule.unsaid
        and rule.address not in named
        else rule
        for rule in found
    )


def units_of(chapters: Chapters) -> tuple[BookUnit, ...]:
    """Return the house rules in use, and combinations that have their own rules."""
    view = chapters.view
    return tuple(
        BookUnit(
            key=unit.id,
            title=view.title(unit.id),
            line=as_sentence(opening_note(view, unit)),
            cites=chapters.printed.places(view.cites(unit.notes)),
        )
        for unit in chapters.units
    )
