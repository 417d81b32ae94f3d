"""Meanings of names, as plain values with a JSON Schema, and as text.

Texts are in one language; `kind`, `about` and everything quoted from rules files are
the same in all languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Literal

from houserule.base.plain import Plain
from houserule.base.resources import Phrases


class MeaningLine(Plain):
    """A detail of a meaning: a clause, an edit, a field."""

    name: str = ""
    """Its address or name; '' if it has none."""
    kind: str = ""
    """Its kind in the language, such as "needs" or "change"."""
    caption: str = ""
    """Its caption for players."""
    was: str = ""
    """For an edit: the previous caption of the clause."""
    text: str = ""
    """Its source text in the rules, or a value."""
    origin: str = ""
    """The variant or bridge that adds it; '' for the base game."""
    changed_by: tuple[str, ...] = ()
    """The variants and bridges that changed it."""
    cites: tuple[str, ...] = ()
    """Its sources."""
    rulings: tuple[str, ...] = ()
    """The ruleset's rulings on it, if nothing is printed."""


class MeaningSection(Plain):
    """Lines of one sort."""

    about: str
    """The sort: the kind of clauses, such as "needs", or another, such as "used"."""
    title: str
    """Its heading."""
    lines: tuple[MeaningLine, ...]


class Meaning(Plain):
    """The meaning of one name of a game at a table; as text, the output of `explain`.

    Attributes:
        name: its address, such as "throw.short", or the name of a card or a variant.
        kind: its kind, such as "needs", "action", "variant", "row", "ruling".
        caption: its caption or name; '' if it has neither.
        text: the condition, statement or declaration as written.
        origin: the unit that adds it; '' for the base game.
        changed_by: the units that changed it.
        facts: short sentences about it.
        sections: its details.
        cites: its sources.
        rulings: the ruleset's rulings on it, if nothing is printed.
        file: its file.
        line: its line there, from 1.
        table: variants of the table at which it is explained, if the requested table
            does not have it.
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
    """The documentation of a code, a word of the language or a topic.

    Attributes:
        name: such as "E201", "together" or "scenarios".
        kind: "code", "word" or "topic".
        title: a short title.
        page: the explanation, in Markdown.
        places: where it is explained: pages, with the heading after `#`.

    Example:
        >>> houserule.explain("E201").title
        'conflicting variants'
    """

    name: str
    kind: Literal["code", "word", "topic"]
    title: str
    page: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        return self.page.rstrip()


class Meanings(Plain):
    """All meanings of a name: the output of `explain --json`."""

    meanings: tuple[Meaning | PageMeaning, ...]


# ---- as text

WIDTH = 100


def as_text(found: Meaning, width: int = WIDTH) -> str:
    """Return a meaning as text; only quoted rules may be wider."""
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
    """Yield the lines of a meaning, and whether each is quoted from the rules."""
    from houserule.language.syntax.tree.constructs import CLAUSE_KINDS

    # Their statements or conditions are on lines of their own.
    in_lines = CLAUSE_KINDS | {"or", "declares", "edits"}
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
        width = max(len(line.name) for line in section.lines)
        for line in section.lines:
            if section.about not in in_lines:
                text = ": ".join(filter(None, (line.caption, line.text)))
                if hands := ", ".join(filter(None, (line.origin, *line.changed_by))):
                    text = f"{text}  ({hands})".lstrip()
                row = f"{line.name.ljust(width)}  {text}".rstrip() if width else text
                yield False, f"    {row}"
                continue
            caption = line.caption
            if line.was:
                caption = words.say("instead of", words=caption, was=line.was)
            head = f"    {line.name}  {caption}".rstrip()
            if head:
                yield False, head
            deeper = "        " if head else "    "
            yield from ((True, deeper + row) for row in line.text.split("\n") if row)
            below = [words.say("from", unit=line.origin)] if line.origin else []
            if line.changed_by:
                below.append(words.say("changed by", names=", ".join(line.changed_by)))
            below += _margin(line.cites, line.rulings, words)
            yield from ((False, f"        {row}") for row in below)
    if found.kind not in UNITS:
        unit = found.origin or words.say("base")
        yield False, f"  {words.say('from', unit=unit)}"
    if found.changed_by:
        yield False, f"  {words.say('changed by', names=', '.join(found.changed_by))}"
    margin = _margin(found.cites, found.rulings, words)
    yield from ((False, f"  {row}") for row in margin)


UNITS = frozenset({"variant", "bridge", "preset", "group", "ruling", "source", "game"})


def _margin(
    cites: tuple[str, ...], rulings: tuple[str, ...], words: Phrases
) -> Iterator[str]:
    if cites:
        yield words.say("printed in", places=", ".join(cites))
    yield from (words.say("decided", words=each) for each in rulings)
