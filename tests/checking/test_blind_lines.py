"""Lines that the fixes were not written for: most first fixes are right."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from ruamel.yaml import YAML

from houserule.authoring.check.fixes import check_at_once, game_fixes, replaced
from houserule.base.diagnostics.diagnostic import has_errors
from houserule.base.files import unsaved
from houserule.base.resources import shipped_rulesets
from houserule.base.source import Source
from houserule.language.syntax.read.parser import parse_afresh

CASES = Path(__file__).parents[1] / "cases" / "slips" / "blind.yaml"
GAMES = shipped_rulesets()
SAMPLE = 12  # one of so many is tried, the others in the slow tests
MOST_FIXES = 4  # of a line with several faults, one after the other


class Line(NamedTuple):
    """A line of a shipped file, and what somebody wrote for it."""

    path: Path
    kept: str
    wrong: str
    right: tuple[str, ...]
    known: str  # what it gets if that is not right


def lines_of(name: str) -> list[Line]:
    """Return the lines of a set."""
    found = []
    for group in YAML(typ="safe").load(CASES.read_text(encoding="utf-8")):
        for file, kept, wrong, *right in group["lines"] if group["set"] == name else ():
            game, _, inside = file.partition("/")
            path = GAMES[game] / f"{inside or 'game'}.rules"
            meant = right[0] if right else kept
            texts = (meant,) if isinstance(meant, str) else tuple(meant)
            known = group.get("known", {}).get(wrong, "")
            found.append(Line(path, kept, wrong, texts, known))
    return found


@pytest.mark.parametrize("name", ["one", "two", "three", "four", "five"])
@pytest.mark.parametrize("some", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_the_first_fix_is_right(name: str, some: bool) -> None:
    lines = lines_of(name)
    assert sum(bool(line.known) for line in lines) * 20 <= len(lines)
    tried = [line for n, line in enumerate(lines) if (n % SAMPLE == 0) == some]
    told = {line.wrong: answered(line) for line in tried}
    assert told == {line.wrong: line.known for line in tried}


def answered(line: Line) -> str:
    """Return nothing if the line is read, or its first fix is, as it is meant.

    Of several faults of a line each may have its message, one after the other.
    Otherwise return what is offered.
    """
    shipped = line.path.read_text(encoding="utf-8")
    text = shipped.replace(line.kept, line.wrong, 1)
    right = [trees(shipped.replace(line.kept, each, 1)) for each in line.right]
    folder = next(each for each in GAMES.values() if each in line.path.parents)
    told = "no message"
    for _ in range(MOST_FIXES):
        if trees(text) in right:
            return ""
        source = Source(str(line.path), text)
        found = [*parse_afresh(source)[1]]
        if not found:
            with unsaved({line.path: text}):
                all_found = check_at_once(folder, (), line.path)[0]
            found = [each for each in all_found if has_errors([each])]
            if found and found[0].span:
                source = Source(found[0].span.file, text)
        if not found:
            return told
        told = f"{found[0].code} {found[0].message}"
        fix = next(iter(game_fixes(found[0], source, line.path, folder)), None)
        if fix is None or fix.span is None:
            return f"{told} {fix.text if fix else 'no fix'}"
        told += f" -> {fix.new}"
        text = replaced(text, fix.span, fix.new)
    return told


def trees(text: str) -> object:
    """Return the units of a text, or the text if it is wrong."""
    units, found = parse_afresh(Source("a", text))
    return text if found else units
