"""Cases of the check as data: the base game of `cases/check`, and what a case adds.

A file holds several cases, split by `---`. The first line of each is its sentence. A
case is a variant of the base game, or a game of its own if it begins with `game`.
`# error: E010` (or `# warning: W012`) at the end of a line marks a diagnostic there.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.support.rulesets import ruleset_from_texts

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.rules import Rules
from houserule.compiler.tables.choose import choose_table
from houserule.ir import Program

CASES = Path(__file__).parents[1] / "cases" / "check"
BASE = (CASES / "base.rules").read_text("utf-8")
MARK = re.compile(r"# (?:error|warning): ([EW]\d{3})")
ROWS = {
    "cards.yaml": [
        {"id": f"card{number}", "worth": number, "colour": colour, "spare": spare}
        for number, colour, spare in [
            (1, "amber", 1),
            (2, "jade", None),
            (3, "onyx", 6),
            (9, "jade", 2),
        ]
    ]
}


@dataclass(frozen=True)
class Case:
    """One case: its sentence, its text, what is marked by line."""

    name: str
    text: str
    wanted: Counter[tuple[str, int]]


def cases(folder: str) -> list[Case]:
    """Return the cases of a folder."""
    return [
        _case(part, path.stem)
        for path in sorted((CASES / folder).glob("*.rules"))
        for part in path.read_text("utf-8").split("---\n")
    ]


def _case(part: str, stem: str) -> Case:
    lines = part.splitlines()
    wanted = Counter(
        (code, number)
        for number, line in enumerate(lines, 1)
        for code in MARK.findall(line)
    )
    return Case(f"{stem}: {lines[0].removeprefix('# ')}", part, wanted)


def composed(text: str, players: int | None = None) -> Rules:
    """Return the composed rules of a case."""
    first, _, rest = text.partition("\n")
    if first.startswith("game"):
        ruleset = ruleset_from_texts({"case.rules": text})
        variants: tuple[str, ...] = ()
    else:
        case = f"variant extra for base\n{rest}"
        texts = {"base.rules": BASE, "case.rules": case}
        ruleset = ruleset_from_texts(texts, ROWS)
        variants = ("extra",)
    table, faults = choose_table(ruleset, with_=variants, players=players)
    assert table is not None, faults
    rules, faults = compose(ruleset, table)
    assert rules is not None, faults
    return rules


def checked(text: str) -> tuple[Program | None, list[Diagnostic]]:
    """Return what the check says of a case."""
    return check_rules(composed(text))
