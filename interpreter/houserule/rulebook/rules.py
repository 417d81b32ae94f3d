"""The list of all rules in force, the house rules, and the index of a book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from houserule.meanings.units import opening_note
from houserule.rulebook.model import (
    BookRule,
    BookSection,
    BookTerm,
    BookUnit,
    every_section,
)
from houserule.rulebook.prose import as_sentence

if TYPE_CHECKING:
    from houserule.rulebook.chapters import Chapters


def rules_of(
    chapters: Chapters, sections: Sequence[BookSection]
) -> tuple[BookRule, ...]:
    """Return every clause in force, in the order of the sections that tell of them."""
    order = {each.key: number for number, each in enumerate(every_section(sections))}
    clauses = chapters.clauses
    entries = chapters.view.draft.entries

    def place(address: str) -> tuple[int, object]:
        return order.get(chapters.home(address), len(order)), entries[address].rank

    return tuple(_rule(chapters, each) for each in sorted(clauses, key=place))


def _rule(chapters: Chapters, address: str) -> BookRule:
    clause = chapters.clauses[address]
    prose = chapters.prose
    exact = prose.exact.clause(address)
    return BookRule(
        address=address,
        section=chapters.home(address),
        says=as_sentence(prose.text(address) or ""),
        exact=exact,
        mentions=prose.exact.mentions(address),
        cites=chapters.printed.places(clause.cites),
        rulings=tuple(dict.fromkeys(clause.rulings)),
        marks=prose.marks(address),
    )


def units_of(chapters: Chapters) -> tuple[BookUnit, ...]:
    """Return the house rules that are on, and the meetings of them that say more."""
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


def index_of(
    chapters: Chapters, sections: Sequence[BookSection]
) -> tuple[BookTerm, ...]:
    """Return the terms of the game with the sections whose texts have them."""
    terms: dict[str, set[str]] = {}
    texts = [
        (each.key, _words(each))
        for each in every_section(sections)
        if each.key != "chapter-rulings"
    ]
    for name in chapters.clauses:
        if chapters.clauses[name].kind not in TERMS:
            continue
        term = chapters.view.thing(name)
        if term and len(term) <= LONGEST:
            used = {key for key, words in texts if term.casefold() in words}
            place = chapters.home(name)
            told = {place} if len(used) > MANY else {place, *used}
            terms.setdefault(chapters.titled("", term), set()).update(told)
    order = {each.key: number for number, each in enumerate(every_section(sections))}
    return tuple(
        BookTerm(term=term, sections=tuple(sorted(found, key=order.get)))  # type: ignore[arg-type]
        for term in sorted(terms, key=str.casefold)
        if (found := {each for each in terms[term] if each in order})
    )


TERMS = frozenset({"component", "dice", "zone", "slot", "state", "value", "tokens"})
MANY = 8  # sections: what stands in more is looked up where it is explained
LONGEST = 32  # letters: what is longer is a sentence and no term


def _words(section: BookSection) -> str:
    said = [section.title]
    for paragraph in section.paragraphs():
        said += [paragraph.lead, *(each.text for each in paragraph.sentences)]
    return " ".join(said).casefold()
