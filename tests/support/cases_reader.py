"""Reads case files: texts with the messages they want written beside the lines.

A file holds several texts, split by a line `---`. A comment at the end of a line names
what is wanted on that line:

    phase round until over        # error: E001
    needs x.y "Old words": a      # warning: W211, error: E101

Each text keeps its line numbers: the lines above it are blank.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.source import Source

SPLIT = "---"
_MARK = re.compile(r"(?:error|warning|note): ([A-Z][0-9]{3})")


@dataclass(frozen=True)
class Case:
    """One text of a case file.

    Attributes:
        name: the file's name and the line that the text begins with.
        source: the text, with blank lines above it.
        wanted: line and code of each message that is wanted, in reading order.
    """

    name: str
    source: Source
    wanted: tuple[tuple[int, str], ...]


def read_cases(path: Path) -> list[Case]:
    """Return the texts of a case file."""
    cases: list[Case] = []
    lines = path.read_text(encoding="utf-8").split("\n")
    starts = [0, *(at + 1 for at, line in enumerate(lines) if line == SPLIT)]
    for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        own = lines[start : end - 1]
        text = "\n" * start + "\n".join(own)
        name = f"{path.stem}:{start + 1}"
        cases.append(Case(name, Source(path.name, text), wanted_in(text)))
    return cases


def read_folder(folder: Path, suffix: str = ".rules") -> list[Case]:
    """Return the texts of every case file of a folder, which must hold some."""
    cases = [
        case for path in sorted(folder.glob(f"*{suffix}")) for case in read_cases(path)
    ]
    assert cases, f"no cases in {folder}"
    return cases


def wanted_in(text: str) -> tuple[tuple[int, str], ...]:
    """Return line and code of each message that a text wants."""
    return tuple(
        sorted(
            (number, code)
            for number, line in enumerate(text.split("\n"), 1)
            for code in _MARK.findall(line.rpartition("#")[2])
        )
    )


def found_in(diagnostics: Iterable[Diagnostic]) -> tuple[tuple[int, str], ...]:
    """Return line and code of each message that was found."""
    return tuple(
        sorted((each.span.line if each.span else 0, each.code) for each in diagnostics)
    )


def difference(
    wanted: Iterable[tuple[int, str]], found: Iterable[tuple[int, str]]
) -> str:
    """Return what is missing and what surprises; an empty text if nothing."""
    missing = Counter(wanted) - Counter(found)
    surprise = Counter(found) - Counter(wanted)
    rows = [f"line {line}: no {code}" for line, code in sorted(missing)]
    rows += [f"line {line}: unwanted {code}" for line, code in sorted(surprise)]
    return "\n".join(rows)
