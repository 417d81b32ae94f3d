"""The margin notes of a book: house rules, previous texts, and sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from houserule.base.resources import Phrases
from houserule.rulebook.book.book_model import (
    Book,
    BookMark,
    BookParagraph,
    BookRule,
    BookSection,
    BookSentence,
)

UNITS = "\0"  # placeholder for the names of house rules


class MarginNote(NamedTuple):
    """A note about house rules: words before their names, the names, words after."""

    before: str
    units: tuple[tuple[str, str], ...]
    after: str

    @property
    def text(self) -> str:
        return f"{self.before}{', '.join(t for _, t in self.units)}{self.after}"


class BookMargins:
    """The margin notes of one book, in its language."""

    def __init__(self, book: Book) -> None:
        self._book, self._words = book, Phrases("rulebook", book.language)
        self._titles = {unit.key: unit.title for unit in book.house_rules}

    def table(self) -> str:
        """Return the players of the table and its house rules in a line."""
        book = self._book
        if not book.house_rules:
            return self._words.say("rules for", players=book.table)
        return self.with_rules(", ".join(each.title for each in book.house_rules))

    def with_rules(self, names: str) -> str:
        """Return the players and some text for the house rules in a line."""
        count, players = len(self._book.house_rules), self._book.table
        return self._words.say("rules with", players=players, count=count, names=names)

    def of_section(self, section: BookSection) -> Iterator[str]:
        """Yield the notes below a section, without duplicates, each with its source."""
        for note in self.notes(
            each for p in section.paragraphs() for each in marks_of(p)
        ):
            yield note.text

    def notes(self, marks: Iterable[BookMark]) -> Iterator[MarginNote]:
        """Yield the notes of marks, without duplicates."""
        found: dict[str, dict[str, None]] = {}
        for mark in marks:
            changed = mark.did == "changed"
            phrase = "added" if changed and not mark.was else mark.did
            said = self._words.say(phrase, title=UNITS, was=mark.was.rstrip("."))
            found.setdefault(said, {})[mark.unit] = None
        for note, units in found.items():
            before, _, after = note.partition(UNITS)
            named = tuple((unit, self._titles.get(unit, unit)) for unit in units)
            yield MarginNote(before, named, after)

    def of_rule(self, rule: BookRule) -> Iterator[str]:
        """Yield the notes after a formal rule: sources, and house rules' changes."""
        if rule.cites:
            yield self.places(rule.cites)
        for name in rule.rulings:
            yield self._words.say("decided", name=name)
        for note in self.notes(rule.marks):
            yield note.text

    def places(self, cites: Iterable[str]) -> str:
        """Return the note that something is printed at some places."""
        return self._words.say("printed", places="; ".join(cites))


def own_marks(
    paragraph: BookParagraph,
) -> Iterator[tuple[BookSentence, tuple[BookMark, ...]]]:
    whole = {mark.unit for mark in paragraph.marks if mark.did == "added"}
    for each in paragraph.sentences:
        yield (
            each,
            tuple(m for m in each.marks if m.did != "added" or m.unit not in whole),
        )


def marks_of(paragraph: BookParagraph) -> Iterator[BookMark]:
    yield from paragraph.marks
    for _, marks in own_marks(paragraph):
        yield from marks


def as_lead(words: str) -> str:
    """Return a run-in head with its full stop."""
    return words if words.endswith(("?", "!", ".", ":")) else f"{words}."
