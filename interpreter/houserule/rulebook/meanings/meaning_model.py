"""What a name means, as plain values with a JSON Schema, and as text.

Texts are in one language; `kind`, `about` and everything that is written as in rules
files are the same in all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from textwrap import wrap
from typing import Literal

from houserule.base.plain import Plain
from houserule.base.resources import Phrases


@cache
def _said_in_lines() -> frozenset[str]:
    """What is said in a statement or a condition stands in lines of its own."""
    from houserule.language.syntax.tree.constructs import CLAUSE_KINDS

    return CLAUSE_KINDS | {"or", "declares", "edits"}


class MeaningLine(Plain):
    """A clause, an edit, a field: something that belongs to what is explained."""

    name: str = ""
    """Its address or name; '' if it has none."""
    kind: str = ""
    """What it is, as the language calls it, such as "needs" or "change"."""
    caption: str = ""
    """What it says to people."""
    was: str = ""
    """Of an edit: what the clause said to people before."""
    text: str = ""
    """What is written in the rules, or a value."""
    origin: str = ""
    """The variant or bridge that brings it; '' is the base game."""
    changed_by: tuple[str, ...] = ()
    """The variants and bridges that changed it."""
    cites: tuple[str, ...] = ()
    """Where it is printed."""
    rulings: tuple[str, ...] = ()
    """What the ruleset decided where nothing is printed."""


class MeaningSection(Plain):
    """Lines of one sort."""

    about: str
    """The sort: of clauses their kind, such as "needs"; else such as "used"."""
    title: str
    """Its heading."""
    lines: tuple[MeaningLine, ...]


class Meaning(Plain):
    """What one name of a game means at a table; as text it is what `explain` prints.

    Attributes:
        name: its address, such as "throw.short", or the name of a card or a variant.
        kind: what it is, such as "needs", "action", "variant", "row", "ruling".
        caption: what it says to people, or is called; '' if it says nothing.
        text: the condition, statement or declaration as written.
        origin: the unit it comes from; '' is the base game.
        changed_by: the units that changed it.
        facts: short sentences about it.
        sections: what belongs to it.
        cites: where it is printed.
        rulings: what the ruleset decided where nothing is printed.
        file: the file that it stands in. line: its line there, from 1.
        table: variants of the table at which it is explained, where the one that was
            asked for does not have it.
        language: of its texts.

    Example:
        >>> clause = houserule.load("pig").table().explain("hold.something")
        >>> clause.kind, clause.caption, clause.text
        ('needs', 'Points must lie in the pot', 'pot at least 1')
    """

    name: str
    kind: str
    caption: str = ""
    text: str = ""
    origin: str = ""
    changed_by: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    sections: tuple[MeaningSection, ...] = ()
    cites: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    table: tuple[str, ...] = ()
    language: str = "en"

    def lines(self, about: str) -> tuple[MeaningLine, ...]:
        """Return the lines of a section; none if there is no such section.

        Example:
            >>> action = houserule.load("pig").table().explain("hold")
            >>> [line.name for line in action.lines("needs")]
            ['hold.something']
        """
        found = (each.lines for each in self.sections if each.about == about)
        return next(found, ())

    def __str__(self) -> str:
        return as_text(self)


class PageMeaning(Plain):
    """What the pages say of a code, a word of the language or a topic.

    Attributes:
        name: such as "E201", "together" or "scenarios".
        kind: "code", "word" or "topic".
        title: it in a few words.
        page: the explanation, in Markdown.
        places: where it stands: pages, with the heading behind `#`.

    Example:
        >>> houserule.explain("E201").title
        'two variants, one rule'
    """

    name: str
    kind: Literal["code", "word", "topic"]
    title: str
    page: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        return self.page.rstrip()


class Meanings(Plain):
    """Everything that a name means: what `explain --json` prints."""

    meanings: tuple[Meaning | PageMeaning, ...]


# ---- as text

WIDTH = 100


def as_text(found: Meaning, width: int = WIDTH) -> str:
    """Return a meaning as text; only what is written in the rules may be wider."""
    rows: list[str] = []
    for code, row in _rows(found):
        if code or len(row) <= width:
            rows.append(row)
            continue
        deeper = " " * (len(row) - len(row.lstrip()) + 2)
        rows += wrap(
            row,
            width,
            subsequent_indent=deeper,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
        )
    return "\n".join(rows)


def _rows(found: Meaning) -> Iterator[tuple[bool, str]]:
    """Yield the lines of a meaning, and whether each is written so in the rules."""
    words = Phrases("meanings", found.language)
    place = f", {found.file}:{found.line}" if found.file else ""
    yield True, f"{found.name}   ({words.say(found.kind)}{place})"
    if found.table:
        yield False, f"  {words.say('only with', names=', '.join(found.table))}"
    if found.caption:
        yield False, f"  {found.caption}"
    if found.text:
        yield True, ""
        yield from ((True, f"    {row}") for row in found.text.split("\n"))
        yield True, ""
    yield from ((False, f"  {fact}") for fact in found.facts)
    for section in found.sections:
        yield False, f"  {section.title}"
        yield from ((code, f"    {row}") for code, row in _section(section, words))
    if found.kind not in UNITS:
        unit = found.origin or words.say("base")
        yield False, f"  {words.say('from', unit=unit)}"
    if found.changed_by:
        yield False, f"  {words.say('changed by', names=', '.join(found.changed_by))}"
    margin = _margin(found.cites, found.rulings, words)
    yield from ((False, f"  {row}") for row in margin)


UNITS = frozenset({"variant", "bridge", "preset", "group", "ruling", "source", "game"})


def _section(section: MeaningSection, words: Phrases) -> Iterator[tuple[bool, str]]:
    width = max(len(line.name) for line in section.lines)
    for line in section.lines:
        if section.about in _said_in_lines():
            yield from _written(line, words)
            continue
        text = ": ".join(filter(None, (line.caption, line.text)))
        if hands := ", ".join(filter(None, (line.origin, *line.changed_by))):
            text = f"{text}  ({hands})".lstrip()
        yield False, f"{line.name.ljust(width)}  {text}".rstrip() if width else text


def _written(line: MeaningLine, words: Phrases) -> Iterator[tuple[bool, str]]:
    caption = line.caption
    if line.was:
        caption = words.say("instead of", words=caption, was=line.was)
    head = f"{line.name}  {caption}".rstrip()
    if head:
        yield False, head
    deeper = "    " if head else ""
    yield from ((True, f"{deeper}{row}") for row in line.text.split("\n") if row)
    below = [words.say("from", unit=line.origin)] if line.origin else []
    if line.changed_by:
        below.append(words.say("changed by", names=", ".join(line.changed_by)))
    below += _margin(line.cites, line.rulings, words)
    yield from ((False, f"    {row}") for row in below)


def _margin(
    cites: tuple[str, ...], rulings: tuple[str, ...], words: Phrases
) -> Iterator[str]:
    if cites:
        yield words.say("printed in", places=", ".join(cites))
    yield from (words.say("decided", words=each) for each in rulings)
