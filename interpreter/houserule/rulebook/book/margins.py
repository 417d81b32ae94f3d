"""The margin notes of a book: house rules, previous texts, and sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from houserule.base.resources import Phrases
from houserule.rulebook.book.book_model import (
    Book,
    BookMark,
    BookRule,
    BookSection,
)

UNITS = "\0"  # placeholder for the names of house rules


class MarginNote(NamedTuple):
    """A note about house rules: words before their names, the names, words after."""

    before: str
    units: tuple[tuple[str, str], ...]
    after: str

    @property
    def text(self) -> str:
        """The note as a text."""
        return f"{self.before}{', '.join(t for _, t in self.units)}{self.after}"


class BookMargins:
    """The margin notes of one book, in its language."""

    def __init__(self, book: Book) -> None:
        self._words = Phrases("rulebook", book.language)
        self._units = {unit.key: unit for unit in book.house_rules}
        self._rules: Mapping[str, BookRule] = {r.address: r for r in book.rules}
        self._rulings = {name: number for number, name in enumerate(book.rulings, 1)}

    def of_section(self, section: BookSection) -> Iterator[str]:
        """Yield the notes below a section, without duplicates, each with its source."""
        every = [(mark, section.address) for mark in section.marks]
        whole = {mark.unit for mark in section.marks if mark.did == "added"}
        for sentence in section.sentences():
            every += (
                (mark, sentence.address)
                for mark in sentence.marks
                if mark.did != "added"
                or mark.unit not in whole  # that house rule has the whole section
                or sentence.address == section.address
            )
        for note in self.notes(every):
            yield note.text

    def notes(self, marks: Iterable[tuple[BookMark, str]]) -> Iterator[MarginNote]:
        """Yield the notes of marks on clauses, given by address, without duplicates."""
        found: dict[str, dict[str, None]] = {}
        for mark, address in marks:
            found.setdefault(self._note(mark, address), {})[mark.unit] = None
        for note, units in found.items():
            before, _, after = note.partition(UNITS)
            named = tuple((unit, self._title(unit)) for unit in units)
            yield MarginNote(before, named, after)

    def _note(self, mark: BookMark, address: str) -> str:
        """Return a house rule's change, without its name."""
        changed = mark.did == "changed"
        phrase = "changed plainly" if changed and not mark.was else mark.did
        note = self._words.say(phrase, title=UNITS, was=mark.was.rstrip("."))
        rule = self._rules.get(address)
        if changed and rule is not None and rule.cites:
            return f"{note}. {self.places(rule.cites)}"
        return note

    def _title(self, unit: str) -> str:
        found = self._units.get(unit)
        return found.title if found is not None else unit

    def of_rule(self, rule: BookRule) -> Iterator[str]:
        """Yield the notes after a formal rule: sources, and house rules' changes."""
        if rule.cites:
            yield self.places(rule.cites)
        for name in rule.rulings:
            yield self._words.say("decided", number=self._rulings[name])
        for note in self.notes((mark, "") for mark in rule.marks):
            yield note.text

    def places(self, cites: Iterable[str]) -> str:
        """Return the note that something is printed at some places."""
        return self._words.say("printed", places="; ".join(cites))
