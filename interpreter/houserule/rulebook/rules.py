"""The list of all rules in force, the house rules, and the index of a book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.meanings.units import opening_note
from houserule.rulebook.model import (
    BookRule,
    BookSection,
    BookTerm,
    BookUnit,
)
from houserule.rulebook.prose import as_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from houserule.rulebook.chapters import Chapters


def rules_of(
    chapters: Chapters, sections: Sequence[BookSection]
) -> tuple[BookRule, ...]:
    """Return every clause in force, in the order of the sections that tell of them."""
    order = {each.key: number for number, each in enumerate(_every(sections))}
    clauses = chapters.clauses
    entries = chapters.view.draft.entries

    def place(address: str) -> tuple[int, object]:
        return order.get(_section(chapters, address), len(order)), entries[address].rank

    return tuple(_rule(chapters, each) for each in sorted(clauses, key=place))


def _every(sections: Sequence[BookSection]) -> Iterator[BookSection]:
    for section in sections:
        yield section
        yield from _every(section.sections)


def _section(chapters: Chapters, address: str) -> str:
    """Return the key of the section that tells of a clause, or of its owner."""
    while address:
        if address in chapters.place:
            return chapters.place[address]
        address = address.rpartition(".")[0]
    return "chapter-things"


def _rule(chapters: Chapters, address: str) -> BookRule:
    clause = chapters.clauses[address]
    prose = chapters.prose
    exact = prose.exact.clause(address)
    return BookRule(
        address=address,
        section=_section(chapters, address),
        says=as_sentence(prose.text(address) or ""),
        exact=exact,
        mentions=prose.exact.mentions(address),
        cites=clause.cites,
        rulings=clause.rulings,
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
            cites=view.cites(unit.notes),
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
        for each in _every(sections)
        if each.key != "chapter-rulings"
    ]
    for name in chapters.clauses:
        if chapters.clauses[name].kind not in TERMS:
            continue
        term = chapters.view.thing(name)
        if term and len(term) <= LONGEST:
            used = {key for key, words in texts if term.casefold() in words}
            place = _section(chapters, name)
            terms.setdefault(chapters.titled("", term), set()).update({place, *used})
    order = {each.key: number for number, each in enumerate(_every(sections))}
    return tuple(
        BookTerm(term=term, sections=tuple(sorted(found, key=order.get)))  # type: ignore[arg-type]
        for term in sorted(terms, key=str.casefold)
        if (found := {each for each in terms[term] if each in order})
    )


TERMS = frozenset({"component", "dice", "zone", "slot", "state", "value", "tokens"})
LONGEST = 32  # letters: what is longer is a sentence and no term


def _words(section: BookSection) -> str:
    said = [section.title]
    for paragraph in section.paragraphs():
        said += [paragraph.lead, *(each.text for each in paragraph.sentences)]
    return " ".join(said).casefold()
