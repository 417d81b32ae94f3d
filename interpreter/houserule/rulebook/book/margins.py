"""What stands in the margin of a book: which house rule, what it was, where printed."""

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

UNITS = "\0"  # where the names of house rules go


class MarginNote(NamedTuple):
    """What some house rules did: words before their names, the names, words after."""

    before: str
    units: tuple[tuple[str, str], ...]
    after: str

    @property
    def text(self) -> str:
        """The note as a text."""
        return f"{self.before}{', '.join(t for _, t in self.units)}{self.after}"


class BookMargins:
    """The margins of one book, in its language."""

    def __init__(self, book: Book) -> None:
        self._words = Phrases("rulebook", book.language)
        self._units = {unit.key: unit for unit in book.house_rules}
        self._rules: Mapping[str, BookRule] = {r.address: r for r in book.rules}
        self._rulings = {name: number for number, name in enumerate(book.rulings, 1)}

    def of_section(self, section: BookSection) -> Iterator[str]:
        """Yield the notes below a section: each with where it is printed, once."""
        every = [(mark, section.address) for mark in section.marks]
        whole = {mark.unit for mark in section.marks if mark.did == "added"}
        for sentence in section.sentences():
            every += (
                (mark, sentence.address)
                for mark in sentence.marks
                if mark.did != "added"
                or mark.unit not in whole  # the section itself is that house rule's
                or sentence.address == section.address
            )
        for note in self.notes(every):
            yield note.text

    def notes(self, marks: Iterable[tuple[BookMark, str]]) -> Iterator[MarginNote]:
        """Yield what marks say, each on the clause of an address; the same once."""
        found: dict[str, dict[str, None]] = {}
        for mark, address in marks:
            found.setdefault(self._note(mark, address), {})[mark.unit] = None
        for note, units in found.items():
            before, _, after = note.partition(UNITS)
            named = tuple((unit, self._title(unit)) for unit in units)
            yield MarginNote(before, named, after)

    def _note(self, mark: BookMark, address: str) -> str:
        """Return what a house rule did, without its name."""
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
        """Yield what stands behind an exact rule: its sources, and who changed it."""
        if rule.cites:
            yield self.places(rule.cites)
        for name in rule.rulings:
            yield self._words.say("decided", number=self._rulings[name])
        for note in self.notes((mark, "") for mark in rule.marks):
            yield note.text

    def places(self, cites: Iterable[str]) -> str:
        """Return that something is printed at some places."""
        return self._words.say("printed", places="; ".join(cites))
