"""A source text as headings and sentences, and how a sentence is recognised again.

A register keeps hashes only; this page is the one place that says where a sentence
begins and ends. Change it, and `SPLITTER` must change: numbers of sentences depend on
it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

SPLITTER: Final = 1
LONGEST_HEADING = 60

_MARKS = re.compile(r"[*#„“”\"«»]")
_ITEM = re.compile(r"\s*(?:\d{1,2}\.|[-*•])\s+")
_END = re.compile(r"(?<=[.!?])\s+(?=[^a-zß-öø-ÿ])")
_SHORT = re.compile(r"\b(?:e\.g|i\.e|z\.B|d\.h|bzw|ca|etc|Nr|St)\.$")


@dataclass(frozen=True, slots=True)
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


def plain(text: str) -> str:
    """Return a text without marks of emphasis and with single spaces."""
    return " ".join(_MARKS.sub("", text).split())


def digest(sentence: str) -> str:
    """Return the hash by which a register knows a sentence."""
    normal = plain(sentence).casefold()
    return hashlib.sha256(normal.encode()).hexdigest()[:16]


def same_heading(cited: str, heading: str) -> bool:
    """Say whether these are one heading: capitals and a last colon do not count."""
    return _heading_key(cited) == _heading_key(heading)


def begins_heading(cited: str, heading: str) -> bool:
    """Say whether `cited` is how the heading begins, up to the end of a word."""
    short, long = _heading_key(cited), _heading_key(heading)
    return long.startswith(short) and not long[len(short) :][:1].isalnum()


def split_source(text: str, cited: Iterable[str] = ()) -> list[SourceSection]:
    """Split a source into its parts; parts without a sentence are left out.

    Headings are the lines marked with `#`, lines in capitals, and, where a text has no
    marks, short lines that stand alone. Lines that begin like a cited heading count
    too. Two parts with the same heading are one.
    """
    lines, wanted = text.split("\n"), list(cited)
    merged: dict[str, tuple[str, list[str]]] = {}
    above = ""
    for start, stop in pairwise([*sorted(_heading_lines(lines, wanted)), len(lines)]):
        name = plain(lines[start]).rstrip(":")
        asked_for = any(begins_heading(each, name) for each in wanted)
        sentences = list(_sentences(lines[start + 1 : stop]))
        # A title right above another one takes what stands beneath both.
        name = above if above and not asked_for else name
        above = name if asked_for and not sentences else ""
        merged.setdefault(_heading_key(name), (name, []))[1].extend(sentences)
    return [
        SourceSection(name, tuple(found)) for name, found in merged.values() if found
    ]


def _heading_key(text: str) -> str:
    return plain(text).rstrip(":").casefold()


def _heading_lines(lines: list[str], cited: list[str]) -> set[int]:
    marked = any(line.startswith("#") for line in lines)
    found = {
        number
        for number, line in enumerate(lines)
        if line.startswith("#")
        or _in_capitals(line)
        or (not marked and _stands_alone(lines, number))
    }
    for heading in cited:
        found.update(_cited_line(lines, heading))
    return found


def _in_capitals(line: str) -> bool:
    letters = [each for each in line if each.isalpha()]
    return len(letters) >= 4 and all(map(str.isupper, letters)) and _short(line)


def _stands_alone(lines: list[str], number: int) -> bool:
    around = [lines[at] for at in (number - 1, number + 1) if 0 <= at < len(lines)]
    line = plain(lines[number])
    if not line or line[-1] in ".,;!" or (line[0].isdigit() and line[-1] != ":"):
        return False
    return _short(line) and not any(map(str.strip, around))


def _short(line: str) -> bool:
    return len(plain(line)) < LONGEST_HEADING


def _cited_line(lines: list[str], heading: str) -> list[int]:
    """Return the line of a cited heading: one that says it, else one that begins so."""
    for match in (same_heading, begins_heading):
        for number, line in enumerate(lines):
            if match(heading, line) and _short(line):
                return [number]
    return []


def _sentences(lines: list[str]) -> Iterator[str]:
    for block in _blocks(lines):
        begun = ""
        for piece in _END.split(block):
            begun = f"{begun} {piece}".strip()
            if not _SHORT.search(begun):
                yield begun
                begun = ""
        if begun:
            yield begun


def _blocks(lines: list[str]) -> Iterator[str]:
    """Yield paragraphs and list items, each on one line, without item marks."""
    block: list[str] = []
    for line in [*lines, ""]:
        item = _ITEM.match(line)
        if (item or not line.strip()) and block:
            yield plain(" ".join(block))
            block = []
        rest = line[item.end() :] if item else line
        if plain(rest):
            block.append(rest)
