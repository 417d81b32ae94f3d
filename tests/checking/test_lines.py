"""Lines as newcomers write them: one true message, and a first fix that is right."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from pathlib import Path
from textwrap import dedent, indent
from typing import NamedTuple

import pytest
from ruamel.yaml import YAML
from tests.support.rulesets import ruleset_from_texts

from houserule.base.diagnostics.diagnostic import Diagnostic, has_errors
from houserule.base.diagnostics.render import Renderer
from houserule.base.source import Source
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.syntax.read.parser import parse_afresh
from houserule.language.syntax.write.format import format_text

CASES = Path(__file__).parents[1] / "cases" / "slips" / "lines.yaml"
AROUND = {
    "page": ("game g\n", ""),
    "variant": ("variant v for g\n", ""),
    "phase": ("game g\nphase opening\n", "  "),
    "clauses": ("game g\naction a during s\n", "  "),
    "statements": ("game g\naction a during s\n  does it:\n", "    "),
}
MEANT = re.compile(r"did you mean `([^`]+)`")
# What the names of a line with a fault of meaning are.
DECLARED = """\
game g
players 2..6
component Coin for each worth: 1..9
state pot: 0..9 starts as 0
state first: Player or none starts as none
state passed(p: Player): yes or no starts as no
zone hand(p: Player): set of Coin
zone tray, spent, deck, table: pile of Coin
phase round until pot is 9, at most 9 times
  phase turn for me in players
    step deciding: must act once, if possible
winners: players
"""


class Line(NamedTuple):
    """One line of the corpus."""

    part: str
    wrong: str
    right: str | None = None
    accepted: str = ""
    code: str = "E001"
    says: str = ""


def groups() -> list[list[Line]]:
    """Return the lines of the corpus, in groups that are about the same words."""
    read = YAML(typ="safe").load(CASES.read_text(encoding="utf-8"))
    return [[Line(group["in"], **each) for each in group["lines"]] for group in read]


def whole(part: str, text: str) -> str:
    head, lead = AROUND[part]
    return head + indent(text, lead, bool) + "\n"


@cache
def faults(part: str, text: str) -> tuple[Diagnostic, ...]:
    source = Source("a.rules", whole(part, text))
    _, found = parse_afresh(source)
    return tuple(found)


def faults_of_meaning(line: Line) -> list[Diagnostic]:
    head, lead = AROUND[line.part]
    inside = head.partition("\n")[2].replace("during s", "during deciding")
    first = tuple(line.wrong.split()[:2])
    kept = [row for row in DECLARED.split("\n") if tuple(row.split()[:2]) != first]
    text = "\n".join(kept) + inside + indent(line.wrong, lead, bool) + "\n"
    found = prepare(ruleset_from_texts({"a.rules": text}), TableChoice()).diagnostics
    return [each for each in found if has_errors([each]) or each.code == line.code]


def applied(line: Line, found: Diagnostic, fix: str) -> set[str]:
    """Return the texts that a fix can be pasted into the wrong one for."""
    rows, count = line.wrong.split("\n"), len(line.wrong.split("\n"))
    texts = set()
    for first in range(count):
        for last in range(first, count):
            lead = rows[first][: len(rows[first]) - len(rows[first].lstrip())]
            pasted = indent(dedent(fix), lead).split("\n")
            texts.add("\n".join([*rows[:first], *pasted, *rows[last + 1 :]]))
    assert found.span is not None
    text = line.wrong
    start = found.span.column - 1 - len(AROUND[line.part][1])
    if found.span.line == found.span.end_line:
        end = start + found.span.end_column - found.span.column
        texts.add(text[:start] + fix + text[end:])
    return {_plain(each) for each in texts}


def _plain(text: str) -> str:
    return "\n".join(" ".join(row.split()) for row in text.split("\n"))


def misses(line: Line) -> list[str]:
    """Return what is not as wanted, in words."""
    if line.accepted:
        written = Source("a", whole(line.part, line.wrong))
        text, refused = format_text(written)
        read, _ = parse_afresh(written)
        wanted = Source("a", whole(line.part, line.accepted))
        same = text == format_text(wanted)[0] and read == parse_afresh(wanted)[0]
        return [] if same and not refused else ["not accepted"]
    told = list(faults(line.part, line.wrong)) or faults_of_meaning(line)
    if len(told) != 1:
        return ["message", "fix"] if line.right else ["message"]
    (found,) = told
    source = Source("a.rules", whole(line.part, line.wrong))
    shown = " ".join(Renderer({"a.rules": source}).full(found).split())
    wrong = []
    if line.right and faults(line.part, line.right):
        wrong.append("the right line")
    if found.code != line.code or " ".join(line.says.split()) not in shown:
        wrong.append("message")
    meant = [MEANT.findall(label.text) for label in found.labels[:1]]
    fixes = [*found.fixes[:1], *chain.from_iterable(meant)][:1]
    if line.right and not any(
        _plain(line.right) in applied(line, found, fix) for fix in fixes
    ):
        wrong.append("fix")
    return wrong


@pytest.mark.parametrize("group", groups(), ids=lambda group: group[0].wrong[:40])
def test_a_line_gets_its_message_and_its_fix(group: list[Line]) -> None:
    found = {line.wrong: misses(line) for line in group}
    assert {wrong: missed for wrong, missed in found.items() if missed} == {}


def test_a_player_in_place_of_a_zone_gets_each_zone_of_the_player() -> None:
    rules = DECLARED + "zone row(p: Player): set of Coin\n"
    rules += "effect give(c: Coin, p: Player)\n  does it: move c to p\n"
    found = prepare(ruleset_from_texts({"a.rules": rules}), TableChoice()).diagnostics
    assert ("hand(p)", "row(p)") in [each.fixes for each in found]
