"""Build the book of a table: chapter by chapter, and the list of all rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from houserule.language.manifest.ruleset_models import in_language
from houserule.play.seat.moments import table_sentence
from houserule.play.seat.rules import TableRules
from houserule.rulebook.book.boards import boards_of
from houserule.rulebook.book.book_model import (
    Book,
    BookBlock,
    BookDrawing,
    BookList,
    BookParagraph,
    BookRule,
    BookSection,
    BookTerm,
    BookUnit,
    every_section,
)
from houserule.rulebook.book.chapters import Chapters
from houserule.rulebook.book.course import course_of
from houserule.rulebook.book.exact.clauses import ExactWords
from houserule.rulebook.book.prose import Prose, as_sentence
from houserule.rulebook.book.things import things_of
from houserule.rulebook.diagram.build import draw
from houserule.rulebook.diagram.svg import as_svg
from houserule.rulebook.diagram.text import as_text
from houserule.rulebook.meanings.table_in_words import TableInWords
from houserule.rulebook.meanings.units import opening_note

DRAWN = 96  # columns of a drawing as text

TERMS = frozenset({"component", "dice", "zone", "slot", "state", "value", "tokens"})
MANY = 8  # sections: more frequent terms are looked up where they are explained
LONGEST = 32  # letters: longer captions are sentences, not terms


def book_of(rules: TableRules, language: str) -> Book:
    """Return the rules of a table as a book.

    Args:
        rules: the ruleset, the table and its program.
        language: one of the ruleset's.
    """
    view = TableInWords(rules.ruleset, rules.chosen, rules.program, language)
    texts = rules.ruleset.texts.get(language, {})
    first = rules.ruleset.manifest.languages[0]
    exact = ExactWords(rules.program, texts, language, first)
    chapters = Chapters(view, Prose(view, exact), rules.wording(language))
    sections = linked(numbered(_sections(chapters, rules)))
    chapters.settle({each.key for each in every_section(sections)})
    manifest = rules.ruleset.manifest
    return Book(
        game=rules.chosen.game,
        title=in_language(manifest.title, language),
        table=table_sentence(rules, language),
        language=language,
        players=rules.chosen.players,
        credits=tuple(manifest.credits),
        sections=sections,
        rules=rules_of(chapters, sections),
        house_rules=units_of(chapters),
        rulings=tuple(chapters.used_rulings),
        index=index_of(chapters, sections),
        missing=tuple("/".join(each) for each in exact.missing),
        fingerprint=rules.program.fingerprint,
    )


def _sections(chapters: Chapters, rules: TableRules) -> Iterator[BookSection]:
    yield chapters.about()
    yield things_of(chapters, boards_of(rules, chapters.view.language))
    view = chapters.view
    diagram = draw(rules.ruleset, view.rules, view.language)
    turn = BookDrawing(
        title=chapters.say("turn drawn"),
        svg=as_svg(diagram, ids=False),
        text=as_text(diagram, DRAWN),
    )
    yield from course_of(chapters, turn)
    yield from chapters.ending()


def numbered(
    sections: Iterable[BookSection], above: str = ""
) -> tuple[BookSection, ...]:
    """Return sections with their numbers, such as "4.2", without empty ones."""
    found: list[BookSection] = []
    for section in sections:
        number = f"{above}{len(found) + 1}"
        inner = numbered(section.sections, f"{number}.")
        if inner or any(map(_says, section.blocks)):
            changes = {"number": number, "sections": inner}
            found.append(section.model_copy(update=changes))
    return tuple(found)


def _says(block: BookBlock) -> bool:
    """Return whether a block has content."""
    match block:
        case BookParagraph(sentences=sentences, see=see):
            return bool(sentences or see)
        case BookList(items=items):
            return any(map(_says, items))
        case _:
            return True


def linked(sections: tuple[BookSection, ...]) -> tuple[BookSection, ...]:
    """Return sections without links to sections that do not exist."""
    known = {each.key for each in every_section(sections)}

    def in_paragraph(paragraph: BookParagraph) -> BookParagraph:
        see = tuple(key for key in paragraph.see if key in known)
        return paragraph.model_copy(update={"see": see})

    def in_block(block: BookBlock) -> BookBlock:
        match block:
            case BookParagraph():
                return in_paragraph(block)
            case BookList(items=items):
                return block.model_copy(update={"items": (*map(in_paragraph, items),)})
            case _:
                return block

    def in_section(section: BookSection) -> BookSection:
        blocks = tuple(map(in_block, section.blocks))
        inner = tuple(map(in_section, section.sections))
        return section.model_copy(update={"blocks": blocks, "sections": inner})

    return tuple(map(in_section, sections))


# ---- lists of rules and house rules, and the index


def rules_of(
    chapters: Chapters, sections: Sequence[BookSection]
) -> tuple[BookRule, ...]:
    """Return every clause in force, in the order of the sections that describe them."""
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


def index_of(
    chapters: Chapters, sections: Sequence[BookSection]
) -> tuple[BookTerm, ...]:
    """Return the terms of the game with the sections whose texts contain them."""
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


def _words(section: BookSection) -> str:
    said = [section.title]
    for paragraph in section.paragraphs():
        said += [paragraph.lead, *(each.text for each in paragraph.sentences)]
    return " ".join(said).casefold()
