"""Good and bad rules files: every fault is found where its line says so.

A file holds several cases, split by `---`. A case begins with a sentence and with the
variants that are on; further units follow, beside those of the race game. `# E201` at
the end of a line marks a place of a message, `# E103@-1` one on the line before it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import pytest
from tests.support.rulesets import ruleset_from_texts

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.compiler.compose.compose import compose
from houserule.compiler.rules import ChosenTable
from houserule.language.manifest.ruleset import LoadedRuleset, Plain

CASES = Path(__file__).parents[1] / "cases" / "compose"
TABLES: dict[str, list[dict[str, Plain]]] = {
    "cards.yaml": [
        {"id": "guard", "kind": "plain", "worth": 1},
        {"id": "joker", "kind": "wild", "worth": 0},
    ],
    "more.yaml": [{"id": "spy", "kind": "plain", "worth": 4}],
}
MARK = re.compile(r"([EW]\d{3})(?:@(-?\d+))?")


@dataclass(frozen=True)
class Case:
    """One case: its units at their lines, and what is marked."""

    name: str
    text: str
    variants: frozenset[str]
    wanted: Counter[tuple[str, int]]


def cases(folder: str) -> list[Case]:
    """Return the cases of a folder."""
    found: list[Case] = []
    for path in sorted((CASES / folder).glob("*.rules")):
        start = 0
        for part in path.read_text("utf-8").split("---\n"):
            found.append(case_of(part, start, path.stem))
            start += part.count("\n") + 1
    return found


def case_of(part: str, start: int, file: str) -> Case:
    """Read one case that begins after `start` lines of its file."""
    lines = part.splitlines()
    names = lines[1].removeprefix("# with:").split(",")
    wanted: Counter[tuple[str, int]] = Counter()
    for number, line in enumerate(lines[2:], start + 3):
        for code, shift in MARK.findall(line.rpartition("#")[2]):
            wanted[code, number + int(shift or 0)] += 1
    text = "\n" * start + part.replace(lines[0], "#", 1)
    variants = frozenset(name.strip() for name in names)
    name = f"{file}: {lines[0].removeprefix('# ')}"
    return Case(name, text, variants, wanted)


def race_with(text: str) -> LoadedRuleset:
    """Return the race game with its variants and further units."""
    files = {
        str(path.relative_to(CASES)): path.read_text("utf-8")
        for path in sorted((CASES / "race").rglob("*.rules"))
        if not (path.parent.name == "bridges" and "bridge strict" in text)
    }
    return ruleset_from_texts(files | {"case.rules": text}, TABLES)


def places(
    ruleset: LoadedRuleset, variants: frozenset[str]
) -> Counter[tuple[str, int]]:
    """Return the code and line of every place that messages name in the case."""
    table = ChosenTable(ruleset.id, 3, variants, {})
    rules, found = compose(ruleset, table)
    assert (rules is None) == any(each.code[0] == "E" for each in found)
    return Counter(
        (each.code, label.span.line)
        for each in found
        for label in each.labels
        if label.span.file == "case.rules" and not label.lead
    )


@pytest.mark.parametrize("case", cases("bad"), ids=attrgetter("name"))
def test_faults_are_where_the_case_marks_them(case: Case) -> None:
    assert places(race_with(case.text), case.variants) == case.wanted


@pytest.mark.parametrize("case", cases("good"), ids=attrgetter("name"))
def test_what_does_not_clash_composes(case: Case) -> None:
    assert not places(race_with(case.text), case.variants)


@pytest.mark.parametrize("case", cases("bad"), ids=attrgetter("name"))
def test_the_first_fix_of_a_conflict_settles_it(case: Case) -> None:
    def found(text: str) -> list[Diagnostic]:
        ruleset = race_with(text)
        return compose(ruleset, ChosenTable(ruleset.id, 3, case.variants, {}))[1]

    before = found(case.text)
    for wrong in before:
        lead, *bridge = wrong.fixes[0].split("\n") if wrong.fixes else [""]
        if wrong.code in {"E201", "E202"} and " win at tables with " in lead:
            text = "\n".join([case.text, *(each.strip() for each in bridge)])
            after = Counter(each.code for each in found(text))
            assert after["E101"] == [each.code for each in before].count("E101"), bridge
            assert after[wrong.code] < [each.code for each in before].count(wrong.code)
