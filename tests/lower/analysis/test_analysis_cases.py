"""The static checks of the core, by cases: every code where it is expected.

Words of the message may follow the code: `# warning: W501: only its bound can end it`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.rulesets import ruleset_from_texts

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.tables.choose import choose_table

CASES = Path(__file__).parents[2] / "cases" / "analysis"
WANTED = re.compile(r"#\s*(?:error|warning):\s*(\w+)(?:: (.*))?$")
HEADER = re.compile(r"^variant (\w+) ", re.MULTILINE)


def chunks(name: str) -> list[str]:
    parts = (CASES / name).read_text(encoding="utf-8").split("---\n")
    assert len(parts) > 5
    return parts


def wanted(text: str) -> list[tuple[int, str]]:
    return [
        (number, match[1])
        for number, line in enumerate(text.split("\n"), 1)
        if (match := WANTED.search(line))
    ]


def words(text: str) -> list[str]:
    lines = text.split("\n")
    return [match[2] or "" for each in lines if (match := WANTED.search(each))]


def found(text: str) -> list[tuple[int, str]]:
    faults = faults_of(text)
    return [(each.span.line if each.span else 0, each.code) for each in faults]


def faults_of(text: str) -> Sequence[Diagnostic]:
    ruleset = ruleset_from_texts({"game.rules": text})
    table, faults = choose_table(ruleset, with_=HEADER.findall(text))
    assert table is not None, faults
    rules, faults = compose(ruleset, table)
    assert rules is not None, faults
    return check_rules(rules)[1]


@pytest.mark.parametrize("text", chunks("bad.rules"), ids=lambda t: t.split("\n")[0])
def test_bad(text: str) -> None:
    assert found(text) == wanted(text) != []
    for each in faults_of(text):
        if each.code == "E502":  # its first fix is a line to add
            line = each.fixes[0].partition(":  ")[2]
            assert "E502" not in {code for _, code in found(f"{text}\n{line}")}, line
            assert len(found(f"{text}\n{line}")) < len(found(text)), line
    messages = [each.message for each in faults_of(text)]
    assert all(w in m for w, m in zip(words(text), messages, strict=True)), messages


@pytest.mark.parametrize("text", chunks("good.rules"), ids=lambda t: t.split("\n")[0])
def test_good(text: str) -> None:
    assert found(text) == []


def test_two_cases_a_code() -> None:
    codes = [code for text in chunks("bad.rules") for _, code in wanted(text)]
    few = {code for code in codes if codes.count(code) < 2}
    assert not few


@pytest.mark.parametrize("text", chunks("bad.rules"), ids=lambda t: t.split("\n")[0])
def test_what_shows_too_much_is_fixed_by_what_applies(text: str) -> None:
    """A card is turned over if it is read from a pile; a question is asked anyway."""
    for fault in faults_of(text):
        if fault.code == "E601":
            assert fault.span is not None
            line = text.split("\n")[fault.span.line - 1]
            turned = any(fix.startswith("turn it over") for fix in fault.fixes)
            assert turned == ("top of" in line)
            asked = any(fix.startswith("ask in any case") for fix in fault.fixes)
            assert not asked or "would tell everybody" in fault.message


@pytest.mark.parametrize(
    ("made", "says"),
    [
        ('Role for each nr: 1..3 called "{nr}_role"', "`1_role` cannot be the name"),
        ('Role for each nr: 1..3, row: 1..2 called "r_{nr}"', "use also `{row}`"),
        (
            'Role for each nr: 1..12, row: 1..12 called "r{nr}{row}"',
            "separate its parts",
        ),
    ],
)
def test_a_name_of_a_member_says_why_it_cannot_be(made: str, says: str) -> None:
    game = f"game t\nplayers 2..2\ncomponent {made}\nwinners: players\n"
    (fault,) = [each for each in faults_of(game) if each.code == "E046"]
    assert says in fault.message


@pytest.mark.parametrize(
    ("rows", "useful"), [("nr: 1..3", False), ("nr: 1..3, n: 1..2", True)]
)
def test_a_field_is_named_only_if_some_are_alike_then(rows: str, useful: bool) -> None:
    """If all things differ in the field that the rules read, no line helps."""
    fields = "  those with the same side are alike"
    game = f"""\
game t
players 2..2
type Side = loyal | wrecker
component Role for each side: Side, {rows}
{fields}
zone box: set of Role starts as Role
zone deck: pile of Role
winners: players
phase setup
  step dealing: for c in box where c.nr at most 2: move c to deck
"""
    (fault,) = [each for each in faults_of(game) if each.code == "E603"]
    assert fault.fixes[0].startswith("those with") is useful
