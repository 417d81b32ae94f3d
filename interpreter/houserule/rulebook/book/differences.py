"""The difference sheet: how a table's book differs from another table's."""

from __future__ import annotations

from houserule.base.resources import Phrases
from houserule.rulebook.book.book_model import (
    Book,
    BookBlock,
    BookList,
    BookParagraph,
    BookSection,
    BookSentence,
    BookTable,
)

CHOICES, GONE = "chapter-table", "chapter-gone"
NOT_TOLD = frozenset(
    {"chapter-object", "chapter-rulings", "chapter-first", "chapter-glance"}
)


def sheet_of(book: Book, other: Book, called: str) -> Book:
    """Return the sentences, rows and rules that another book does not have.

    Args:
        other: the book that its readers know, in the same language.
        called: how readers call the other table.
    """
    words = Phrases("rulebook", book.language)
    known = _Told(other)
    sections = tuple(
        kept for each in book.sections if (kept := known.new_in(each)) is not None
    )
    rules = {rule.address: rule for rule in other.rules}
    new = tuple(
        rule
        for rule in book.rules
        if rule.address not in rules
        or (rule.says, rule.exact)
        != (rules[rule.address].says, rules[rule.address].exact)
    )
    here = {rule.address for rule in book.rules}
    gone = [
        BookParagraph(sentences=(BookSentence(text=rule.says, address=rule.address),))
        for rule in other.rules
        if rule.address not in here and rule.says
    ]
    if gone:
        left_out = BookList(items=tuple(gone))
        title = words.say("gone")
        section = BookSection(key=GONE, title=title, blocks=(left_out,))
        sections = (*sections, section)
    said = words.say("our sheet" if sections or new else "no difference", preset=called)
    # The house rules and options come first: they say what the sheet is about.
    ordered = sorted(sections, key=lambda each: each.key != CHOICES)
    return book.model_copy(
        update={
            "title": said if called == book.title else f"{book.title}: {said}",
            "sections": tuple(ordered),
            "rules": new,
            "credits": (),
        }
    )


class _Told:
    """The sentences and rows of a book."""

    def __init__(self, book: Book) -> None:
        self._said: set[tuple[str, str]] = set()
        self._rows: set[tuple[str, ...]] = set()
        for section in book.every_section():
            for block in section.blocks:
                self._note(block)

    def _note(self, block: BookBlock) -> None:
        match block:
            case BookParagraph(sentences=sentences):
                self._said.update((each.address, each.text) for each in sentences)
            case BookList(items=items):
                for each in items:
                    self._note(each)
            case BookTable(rows=rows):
                self._rows.update(rows)
            case _:
                pass

    def new_in(self, section: BookSection) -> BookSection | None:
        """Return the new content of a section, None if there is nothing new."""
        if section.key in NOT_TOLD:
            return None
        blocks: list[BookBlock] = []
        for block in section.blocks:
            match block:
                case BookParagraph():
                    blocks += filter(None, [self._new_paragraph(block)])
                case BookList(items=items):
                    some = [own for each in items if (own := self._new_paragraph(each))]
                    blocks += [BookList(items=tuple(some))] if some else []
                case BookTable(rows=rows):
                    new = tuple(row for row in rows if row not in self._rows)
                    blocks += [block.model_copy(update={"rows": new})] if new else []
                case _:
                    pass
        inner = tuple(
            kept for each in section.sections if (kept := self.new_in(each)) is not None
        )
        if not blocks and not inner:
            return None
        return section.model_copy(update={"blocks": tuple(blocks), "sections": inner})

    def _new_paragraph(self, paragraph: BookParagraph) -> BookParagraph | None:
        """Return the new sentences; without a head, after the one they belong to."""
        new = tuple(
            each
            for each in paragraph.sentences
            if (each.address, each.text) not in self._said
        )
        first = paragraph.sentences[:1]
        if (
            new
            and not paragraph.lead
            and new[0].address.startswith(
                tuple(f"{each.address}." for each in first if each.address)
            )
        ):
            new = (*first, *new)
        return paragraph.model_copy(update={"sentences": new}) if new else None
