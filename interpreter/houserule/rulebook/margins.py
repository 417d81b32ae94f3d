"""What stands in the margin of a book: which house rule, what it was, where printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from houserule.resources import Phrases

if TYPE_CHECKING:
    from houserule.rulebook.model import (
        Book,
        BookMark,
        BookRule,
        BookSection,
    )

PART = "rulebook"


class BookMargins:
    """The margins of one book, in its language."""

    def __init__(self, book: Book) -> None:
        self._words = Phrases(PART, book.language)
        self._units = {unit.key: unit for unit in book.house_rules}
        self._rules: Mapping[str, BookRule] = {r.address: r for r in book.rules}
        self._rulings = {name: number for number, name in enumerate(book.rulings, 1)}

    def mark(self, mark: BookMark) -> str:
        """Return what a house rule did, in words."""
        unit = self._units.get(mark.unit)
        title = unit.title if unit is not None else mark.unit
        if mark.did == "changed" and not mark.was:
            return self._words.say("changed plainly", title=title)
        return self._words.say(mark.did, title=title, was=mark.was.rstrip("."))

    def of_section(self, section: BookSection) -> Iterator[str]:
        """Yield the notes below a section: each mark with where it is printed, once."""
        told: dict[str, None] = {}
        every = [(mark, section.address) for mark in section.marks]
        for paragraph in section.paragraphs():
            for sentence in paragraph.sentences:
                every += ((mark, sentence.address) for mark in sentence.marks)
        whole = {mark.unit for mark in section.marks if mark.did == "added"}
        for mark, address in every:
            if (
                mark.did == "added"
                and mark.unit in whole
                and address != section.address
            ):
                continue  # the section itself is that house rule's
            note = self.mark(mark)
            rule = self._rules.get(address)
            if rule is not None and rule.cites and mark.did == "changed":
                note = f"{note}. {self.printed(rule)}"
            told.setdefault(note)
        yield from told

    def of_rule(self, rule: BookRule) -> Iterator[str]:
        """Yield what stands behind an exact rule: its sources, and who changed it."""
        if rule.cites:
            yield self.printed(rule)
        for name in rule.rulings:
            yield self._words.say("decided", number=self._rulings[name])
        yield from map(self.mark, rule.marks)

    def printed(self, rule: BookRule) -> str:
        """Return where a rule is printed."""
        return self._words.say("printed", places=", ".join(rule.cites))
