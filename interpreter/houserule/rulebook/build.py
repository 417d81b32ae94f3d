"""The book of a table: its chapters, one after the other, and the list of all rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from houserule.diagram.build import draw
from houserule.diagram.svg import as_svg
from houserule.diagram.text import as_text
from houserule.manifest.model import in_language
from houserule.meanings.view import View
from houserule.rulebook.boards import boards_of
from houserule.rulebook.chapters import Chapters
from houserule.rulebook.course import course_of
from houserule.rulebook.exact.words import ExactWords
from houserule.rulebook.model import (
    Book,
    BookBlock,
    BookDrawing,
    BookList,
    BookParagraph,
    BookSection,
    every_section,
)
from houserule.rulebook.prose import Prose
from houserule.rulebook.rules import index_of, rules_of, units_of
from houserule.rulebook.things import things_of
from houserule.seat.moments import table_sentence

if TYPE_CHECKING:
    from houserule.seat.rules import TableRules

DRAWN = 96  # columns of a drawing as text


def book_of(rules: TableRules, language: str) -> Book:
    """Return the rules of a table as a book.

    Args:
        rules: the ruleset, the table and its program.
        language: one of the ruleset's.
    """
    view = View(rules.ruleset, rules.chosen, rules.program, language)
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
    yield from course_of(chapters, _drawing(chapters, rules))
    yield from chapters.ending()


def _drawing(chapters: Chapters, rules: TableRules) -> BookDrawing:
    """Return the drawing of the turn."""
    view = chapters.view
    diagram = draw(rules.ruleset, view.rules, view.language)
    title = chapters.say("turn drawn")
    return BookDrawing(
        title=title, svg=as_svg(diagram, ids=False), text=as_text(diagram, DRAWN)
    )


def numbered(
    sections: Iterable[BookSection], above: str = ""
) -> tuple[BookSection, ...]:
    """Return sections with their numbers, such as "4.2"; empty ones are left out."""
    found: list[BookSection] = []
    for section in sections:
        number = f"{above}{len(found) + 1}"
        inner = numbered(section.sections, f"{number}.")
        if inner or any(map(_says, section.blocks)):
            changes = {"number": number, "sections": inner}
            found.append(section.model_copy(update=changes))
    return tuple(found)


def _says(block: BookBlock) -> bool:
    """Say whether anything stands in a block."""
    match block:
        case BookParagraph(sentences=sentences, see=see):
            return bool(sentences or see)
        case BookList(items=items):
            return any(map(_says, items))
        case _:
            return True


def linked(sections: tuple[BookSection, ...]) -> tuple[BookSection, ...]:
    """Return sections whose links lead to sections that there are."""
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
