"""Registers of sentences: made from a source text, and compared with it.

A register stores a hash of each sentence and the few words that citations quote. So a
ruleset can be published without the rulebook, and its citations can still be checked.
With the text, you can check that it still agrees with the register.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest
from typing import Final

from houserule.base.frozen import frozen
from houserule.language.manifest.citations import (
    MOST_WORDS,
    begins_heading,
    heading_key,
    plain,
    same_heading,
)
from houserule.language.manifest.ruleset_models import Heading, Register, Sentence
from houserule.language.syntax.tree import Cite

SPLITTER: Final = 1  # version of the splitting algorithm: see below
LONGEST_HEADING = 60

_ITEM = re.compile(r"\s*(?:\d{1,2}\.|[-*•])\s+")
_END = re.compile(r"(?<=[.!?])\s+(?=[^a-zß-öø-ÿ])")
_SHORT = re.compile(r"\b(?:e\.g|i\.e|z\.B|d\.h|bzw|ca|etc|Nr|St)\.$")
HEADER = """\
# Written by `houserule coverage`. Hashes of sentences; no sentence stands here.
"""


class NoHeadings(ValueError):
    """The text has no sentences under headings, so it is not a source."""


@frozen
class Doubt:
    """A citation that does not match exactly one sentence of the source."""

    cite: Cite
    reason: str


def make_register(
    title: str, text: str, cites: Iterable[Cite], before: Register | None = None
) -> tuple[Register, list[Doubt]]:
    """Make the register of a source text.

    Args:
        title: author, edition and date of the source.
        before: an older register; its notes on sentences are kept.

    Returns:
        The register, and the citations that it cannot place.

    Raises:
        NoHeadings: the text has no sentences under headings.
    """
    margins = list(cites)
    parts = _parts(text, margins)
    if not parts:
        raise NoHeadings("no sentence in the text is under a heading")
    quoted, doubts = _placed(parts, margins)
    known = {
        (heading.heading, each.hash): each
        for heading in (before.headings if before else ())
        for each in heading.sentences
    }
    headings = []
    for part in parts:
        hashes = [digest(sentence) for sentence in part.sentences]
        sentences = [
            known.get((part.heading, each), Sentence(hash=each)) for each in hashes
        ]
        words = quoted.get(part.heading, {})
        headings.append(Heading(heading=part.heading, sentences=sentences, cited=words))
    return Register(title=title, splitter=SPLITTER, headings=headings), doubts


def doubtful(text: str, cites: Iterable[Cite]) -> list[Doubt]:
    """Return the citations that do not match exactly one sentence of a source text."""
    margins = list(cites)
    return _placed(_parts(text, margins), margins)[1]


def _parts(text: str, margins: list[Cite]) -> list[SourceSection]:
    return split_source(text, dict.fromkeys(each.heading for each in margins))


def _placed(
    parts: list[SourceSection], margins: list[Cite]
) -> tuple[dict[str, dict[str, int]], list[Doubt]]:
    """Return the quoted words under each heading, and the doubtful citations."""
    quoted: dict[str, dict[str, int]] = {}
    doubts: list[Doubt] = []
    for cite in margins:
        same = [part for part in parts if same_heading(cite.heading, part.heading)]
        found = same or [
            part for part in parts if begins_heading(cite.heading, part.heading)
        ]
        reason = ""
        if len(found) != 1:
            reason = f"{len(found) or 'no'} such heading{'s' if found else ''}"
        elif cite.words is not None:
            hits, words = found[0].naming(cite.words), plain(cite.words)
            if len(cite.words.split()) > MOST_WORDS:
                reason = "more than four words"
            elif len(hits) != 1:
                reason = f"{len(hits)} sentences say so"
            else:
                quoted.setdefault(found[0].heading, {})[words] = hits[0]
        elif cite.first is not None:
            last, count = cite.last or cite.first, len(found[0].sentences)
            if last > count:
                reason = f"there are only {count} sentences"
        if reason:
            doubts.append(Doubt(cite, reason))
    return quoted, doubts


@frozen
class SourceChange:
    """A difference between a rulebook and its register.

    Attributes:
        number: the sentence's number in the register; None if it is new in the book.
        now: its number in the book; None if it was removed.
        says: how it differs, as words that follow its name.
    """

    heading: str
    number: int | None
    now: int | None
    says: str


def changed_sentences(register: Register, text: str) -> Iterator[SourceChange]:
    """Yield the differences between a rulebook and its register.

    A sentence that only moved is reported with both its numbers.
    """
    parts = split_source(text, [each.heading for each in register.headings])
    now = {part.heading: [digest(each) for each in part.sentences] for part in parts}
    for heading in register.headings:
        hashes = [each.hash for each in heading.sentences]
        yield from _differing(heading.heading, hashes, now.pop(heading.heading, []))
    for name in now:
        yield SourceChange(name, None, 1, "is a new part of the book")


def _differing(heading: str, old: list[str], new: list[str]) -> Iterator[SourceChange]:
    """Yield how the sentences under one heading differ."""
    moved = {sentence: number for number, sentence in enumerate(new, 1)}
    for tag, first, last, start, stop in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            for number, there in zip(
                range(first, last), range(start, stop), strict=True
            ):
                if number != there:
                    says = f"is sentence {there + 1} now"
                    yield SourceChange(heading, number + 1, there + 1, says)
            continue
        for number, there in zip_longest(range(first, last), range(start, stop)):
            if number is None:
                if new[there] not in old:
                    yield SourceChange(heading, None, there + 1, "is new in the book")
            elif old[number] in moved:
                at = moved[old[number]]
                yield SourceChange(heading, number + 1, at, f"is sentence {at} now")
            elif there is None:
                yield SourceChange(
                    heading, number + 1, None, "is no longer in the book"
                )
            else:
                says = "reads differently in the book"
                yield SourceChange(heading, number + 1, there + 1, says)


def register_text(register: Register, schema: str = "") -> str:
    """Return a register as YAML, one line for each sentence and quotation.

    Args:
        schema: the first line, which names the schema for editors.
    """
    lines = [f"title: {_quoted(register.title)}", f"splitter: {register.splitter}"]
    lines.append("headings:")
    for heading in register.headings:
        lines.append(f"  - heading: {_quoted(heading.heading)}")
        lines.append("    sentences:")
        for sentence in heading.sentences:
            cells = [
                f"{key}: {value if key == 'status' else _quoted(value)}"
                for key, value in sentence.model_dump(exclude_none=True).items()
            ]
            lines.append(f"      - {{{', '.join(cells)}}}")
        if heading.cited:
            lines.append("    cited:")
        for words, number in sorted(heading.cited.items(), key=lambda each: each[::-1]):
            lines.append(f"      {_quoted(words)}: {number}")
    first = f"{schema}\n" if schema else ""
    return first + HEADER + "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# ---- a source text as headings and sentences. If this changes, `SPLITTER` must change:
# the numbers of sentences depend on it.


@frozen
class SourceSection:
    """The sentences under one heading, in reading order."""

    heading: str
    sentences: tuple[str, ...]

    def naming(self, words: str) -> list[int]:
        """Return the numbers, from 1, of the sentences that hold these words."""
        wanted = plain(words).casefold()
        return [
            number
            for number, sentence in enumerate(self.sentences, 1)
            if wanted in sentence.casefold()
        ]


def digest(sentence: str) -> str:
    """Return the hash that a register stores for a sentence."""
    normal = plain(sentence).casefold()
    return hashlib.sha256(normal.encode()).hexdigest()[:16]


def split_source(text: str, cited: Iterable[str] = ()) -> list[SourceSection]:
    """Split a source into sections; sections without a sentence are omitted.

    Headings are lines marked with `#`, lines in capitals, lines that begin like a
    cited heading, and, if a text has no marks, short lines on their own. Sections with
    the same heading are joined.
    """
    lines, wanted = text.split("\n"), list(cited)
    merged: dict[str, tuple[str, list[str]]] = {}
    above = ""
    marked = any(line.startswith("#") for line in lines)
    found: set[int] = set()
    for number, line in enumerate(lines):
        letters = [each for each in line if each.isalpha()]
        in_capitals = len(letters) >= 4 and all(map(str.isupper, letters))
        if (
            line.startswith("#")
            or (in_capitals and _short(line))
            or (not marked and _stands_alone(lines, number))
        ):
            found.add(number)
    for heading in wanted:  # an exact match, else a beginning
        short = [(number, line) for number, line in enumerate(lines) if _short(line)]
        for match in (same_heading, begins_heading):
            same = next((n for n, line in short if match(heading, line)), None)
            if same is not None:
                found.add(same)
                break
    for start, stop in pairwise([*sorted(found), len(lines)]):
        name = plain(lines[start]).rstrip(":")
        asked_for = any(begins_heading(each, name) for each in wanted)
        sentences = list(_sentences(lines[start + 1 : stop]))
        # A title right above another one gets the sentences below both.
        name = above if above and not asked_for else name
        above = name if asked_for and not sentences else ""
        merged.setdefault(heading_key(name), (name, []))[1].extend(sentences)
    return [SourceSection(name, tuple(said)) for name, said in merged.values() if said]


def _stands_alone(lines: list[str], number: int) -> bool:
    around = [lines[at] for at in (number - 1, number + 1) if 0 <= at < len(lines)]
    line = plain(lines[number])
    if not line or line[-1] in ".,;!" or (line[0].isdigit() and line[-1] != ":"):
        return False
    return _short(line) and not any(map(str.strip, around))


def _short(line: str) -> bool:
    return len(plain(line)) < LONGEST_HEADING


def _sentences(lines: list[str]) -> Iterator[str]:
    # Paragraphs and list items, each on one line, without item marks.
    blocks: list[list[str]] = [[]]
    for line in lines:
        item = _ITEM.match(line)
        if (item or not line.strip()) and blocks[-1]:
            blocks.append([])
        rest = line[item.end() :] if item else line
        if plain(rest):
            blocks[-1].append(rest)
    for block in filter(None, blocks):
        begun = ""
        for piece in _END.split(plain(" ".join(block))):
            begun = f"{begun} {piece}".strip()
            if not _SHORT.search(begun):
                yield begun
                begun = ""
        if begun:
            yield begun
