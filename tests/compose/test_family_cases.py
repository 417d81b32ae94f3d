"""Families as data: every fault over all tables stands where its line says so.

A file holds several cases, split by `---`. A case begins with a sentence. Files of a
case begin with `=== name`; without one its units are in `case.rules`; a name that ends
in `.yaml` has rows of a table. The game is that
of `pig/game.rules` unless the case brings its own. `# error: E201` at the end of a
line marks a place of a message; nothing else may be found. `# smallest:` and
`# tables:` at the end of a case are what its first message says of its tables.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.support.rulesets import ruleset_from_texts

import houserule
from houserule.compiler.family.check import check_family
from houserule.compiler.family.escapes import escapes
from houserule.compiler.family.idle import idle_parts

CASES = Path(__file__).parents[1] / "cases" / "family"
MARK = re.compile(r"#\s*(?:error|warning):\s*([EW0-9, ]+)$")


@dataclass
class Case:
    """One case: its files, what is marked in them, and what it says of tables."""

    name: str
    files: dict[str, str] = field(default_factory=dict)
    marks: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    said: list[str] = field(default_factory=list)
    stem: str = ""  # its file: `idle` and `escapes` have checks of their own


def read_cases() -> list[Case]:
    return [
        replace(case_of(part), stem=path.stem)
        for path in sorted(CASES.glob("*.rules"))
        for part in path.read_text("utf-8").split("\n---\n")
    ]


def case_of(part: str) -> Case:
    first, *lines = part.strip("\n").splitlines()
    case = Case(first.removeprefix("# "))
    file, number = "case.rules", 0
    for line in lines:
        if line.startswith("=== "):
            file, number = line.removeprefix("=== "), 0
            continue
        if line.startswith(("# smallest: ", "# tables: ")):
            case.said.append(line)
            continue
        number += 1
        case.files[file] = case.files.get(file, "") + line + "\n"
        found = MARK.search(line)
        for code in found[1].split(",") if found else ():
            case.marks[file, number, code.strip()] += 1
    return case


EVERY = read_cases()


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.name)
def test_what_is_found_is_what_is_marked(case: Case) -> None:
    base = (CASES / "pig" / "game.rules").read_text("utf-8")
    files = {"game.rules": base} | case.files
    tables = {name: files.pop(name) for name in [*files] if name.endswith(".yaml")}
    rows = {name: YAML(typ="safe").load(text) for name, text in tables.items()}
    ruleset = ruleset_from_texts(files, rows)
    report = check_family(ruleset)
    further = {"idle": idle_parts, "escapes": escapes}.get(case.stem)
    more = further(ruleset) if further else []
    found = Counter(
        (label.span.file, label.span.line, each.code)
        for each in [*report.diagnostics, *more]
        for label in each.labels
        if not label.lead
    )
    assert all(each.labels for each in report.diagnostics)
    assert found == case.marks
    details = "\n".join(d for each in report.diagnostics for d in each.details)
    for said in case.said:
        what, _, value = said.removeprefix("# ").partition(": ")
        if what == "smallest":
            assert f"Smallest table with this problem: {value}\n" in details
        else:
            assert f"It happens in {value} valid tables." in details


def test_every_code_has_a_title_and_a_case() -> None:
    marked = {code for case in EVERY for _, _, code in case.marks}
    assert marked <= houserule.codes().keys()
    of_families = {"E401", "W402", "W404", "W405", "W406", "E104"}
    of_families |= {"W038", "W407", "W408", "W409", "W410", "E020"}
    composed = {"E101", "E102", "E103", "E201", "E202", "E204", "E205", "E208"}
    composed |= {"E209", "E210", "E213", "E214", "W210", "W211", "E304"}
    assert of_families | composed <= marked
