"""Registers of sentences: made from a source text, and held against it.

A register stores a hash for each sentence and the few words that margins quote, so a
ruleset can be published without anyone's rulebook, and its citations checked all the
same. Whoever has the text can check that register and text still agree.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Inside: registers of sources are made here; the package only reads them.
from houserule.manifest.citations.check import MOST_WORDS
from houserule.manifest.citations.sentences import (
    SPLITTER,
    SourceSection,
    begins_heading,
    digest,
    plain,
    same_heading,
    split_source,
)
from houserule.manifest.model import Heading, Register, Sentence
from houserule.syntax.tree import Cite

HEADER = """\
# yaml-language-server: $schema=../../../schemas/register.json
# Written by tools/write_register.py. Hashes of sentences; no sentence stands here.
"""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A margin that does not name exactly one sentence of the source."""

    cite: Cite
    reason: str


def make_register(
    title: str, text: str, cites: Iterable[Cite], before: Register | None = None
) -> tuple[Register, list[Doubt]]:
    """Make the register of a source text.

    Args:
        title: author, edition and date of the source.
        text: the whole source.
        cites: the margins that cite it.
        before: an older register; what it says about a sentence stays.

    Returns:
        The register, and the margins that it cannot place.
    """
    margins = list(cites)
    parts = split_source(text, dict.fromkeys(each.heading for each in margins))
    quoted: dict[str, dict[str, int]] = {}
    doubts: list[Doubt] = []
    for cite in margins:
        found = _named(parts, cite.heading)
        reason = _doubt(found, cite)
        if reason:
            doubts.append(Doubt(cite, reason))
        elif cite.words is not None:
            words, part = plain(cite.words), found[0]
            quoted.setdefault(part.heading, {})[words] = part.naming(words)[0]
    known = _statuses(before)
    headings = [_heading(part, quoted.get(part.heading, {}), known) for part in parts]
    return Register(title=title, splitter=SPLITTER, headings=headings), doubts


def changed_sentences(register: Register, text: str) -> Iterator[tuple[str, int, str]]:
    """Yield where register and source differ: heading, sentence number, and how."""
    parts = split_source(text, [each.heading for each in register.headings])
    now = {part.heading: [digest(each) for each in part.sentences] for part in parts}
    for heading in register.headings:
        hashes = now.pop(heading.heading, [])
        for number, sentence in enumerate(heading.sentences, 1):
            if number > len(hashes):
                yield heading.heading, number, "is no longer in the source"
            elif sentence.hash != hashes[number - 1]:
                yield heading.heading, number, "reads differently in the source"
        for number in range(len(heading.sentences) + 1, len(hashes) + 1):
            yield heading.heading, number, "is new in the source"
    for name in now:
        yield name, 1, "is a new part of the source"


def register_text(register: Register) -> str:
    """Return a register as YAML, one line for each sentence and quotation."""
    lines = [f"title: {_quoted(register.title)}", f"splitter: {register.splitter}"]
    lines.append("headings:")
    for heading in register.headings:
        lines.append(f"  - heading: {_quoted(heading.heading)}")
        lines.append("    sentences:")
        lines.extend(f"      - {_sentence(each)}" for each in heading.sentences)
        if heading.cited:
            lines.append("    cited:")
        for words, number in sorted(heading.cited.items(), key=lambda each: each[::-1]):
            lines.append(f"      {_quoted(words)}: {number}")
    return HEADER + "\n".join(lines) + "\n"


def _named(parts: list[SourceSection], heading: str) -> list[SourceSection]:
    same = [part for part in parts if same_heading(heading, part.heading)]
    return same or [part for part in parts if begins_heading(heading, part.heading)]


def _doubt(found: list[SourceSection], cite: Cite) -> str:
    """Say why a margin names no single place, or nothing if it does."""
    if len(found) != 1:
        return f"{len(found) or 'no'} such heading{'s' if found else ''}"
    count = len(found[0].sentences)
    if cite.words is not None:
        hits = found[0].naming(cite.words)
        if len(cite.words.split()) > MOST_WORDS:
            return "more than four words"
        return "" if len(hits) == 1 else f"{len(hits)} sentences say so"
    last = cite.first if cite.last is None else cite.last
    if cite.first is not None and last is not None and last > count:
        return f"there are only {count} sentences"
    return ""


def _statuses(before: Register | None) -> dict[tuple[str, str], Sentence]:
    if before is None:
        return {}
    return {
        (heading.heading, each.hash): each
        for heading in before.headings
        for each in heading.sentences
    }


def _heading(
    part: SourceSection, cited: dict[str, int], known: dict[tuple[str, str], Sentence]
) -> Heading:
    hashes = [digest(sentence) for sentence in part.sentences]
    sentences = [
        known.get((part.heading, each), Sentence(hash=each)) for each in hashes
    ]
    return Heading(heading=part.heading, sentences=sentences, cited=cited)


def _sentence(sentence: Sentence) -> str:
    words = sentence.model_dump(exclude_none=True)
    cells = [f"{key}: {_cell(key, value)}" for key, value in words.items()]
    return "{" + ", ".join(cells) + "}"


def _cell(key: str, value: str) -> str:
    return value if key == "status" else _quoted(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
