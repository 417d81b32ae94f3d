"""Suggestions of messages as edits: each edit removes its message."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.checking.test_lines import Line, groups, whole
from tests.checking.test_slips import SLIPS, Slip

from houserule.authoring.check.check import check_game
from houserule.authoring.check.fixes import (
    check_at_once,
    fixes_of,
    game_fixes,
    replaced,
)
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.files import read_source
from houserule.base.resources import shipped_rulesets
from houserule.base.source import Source
from houserule.language.syntax.read.parser import parse_afresh
from houserule.language.syntax.write.format import format_text

TO_FILL_IN = re.compile(r"\b[A-Z]{3,}\b")  # `needs hold.NAME`
SAMPLE = 36  # one of so many lines is tried, the others in the slow tests


def lines(some: bool) -> list[Line]:
    found = [line for group in groups() for line in group if not line.accepted]
    return [each for n, each in enumerate(found) if (n % SAMPLE == 0) == some]


def syntax(text: str) -> tuple[Diagnostic, ...]:
    return parse_afresh(Source("a.rules", text))[1]


def edits(line: Line) -> list[str]:
    """Return the texts after each edit for a wrong line; each has lost its message."""
    text = whole(line.part, line.wrong)
    found = []
    for message in syntax(text):
        for fix in fixes_of(message, Source("a.rules", text), syntax):
            if fix.kind == "edit":
                assert fix.span is not None
                found.append(replaced(text, fix.span, fix.new))
                left = [(each.code, each.message) for each in syntax(found[-1])]
                same = (message.code, message.message)
                assert left.count(same) < len(syntax(text)), (line.wrong, found[-1])
                assert same not in left, (line.wrong, found[-1])
    return found


def test_an_edit_that_leaves_its_message_is_not_offered() -> None:
    text = "game g\nplayers 2\n"
    (message,) = syntax(text)
    kinds = [
        {each.kind for each in fixes_of(message, Source("a.rules", text), recheck)}
        for recheck in (syntax, lambda _: (message,))
    ]
    assert "edit" in kinds[0]
    assert "edit" not in kinds[1]


def are_edits(every: list[Line]) -> None:
    wanted = [
        line for line in every if line.right and syntax(whole(line.part, line.wrong))
    ]
    missed = []
    for line in wanted:
        assert line.right is not None
        right = whole(line.part, line.right)
        usual = [format_text(Source("a.rules", each))[0] for each in edits(line)]
        if format_text(Source("a.rules", right))[0] not in usual:
            missed.append(line.wrong)
    assert len(missed) <= len(wanted) // 100, missed


def test_suggestions_for_lines_of_newcomers_are_edits() -> None:
    are_edits(lines(some=True))


@pytest.mark.slow
def test_suggestions_for_the_other_lines_are_edits() -> None:
    are_edits(lines(some=False))


def small_slips() -> list[object]:
    """Return the slips in two small games as parameters; most are slow tests."""
    found = [each for each in SLIPS if each["file"].startswith(("nim/", "pig/"))]
    found = [each for each in found if "text" not in each]  # these are table files
    return [
        pytest.param(
            slip, id=slip["slip"], marks=(pytest.mark.slow,) if number % 4 else ()
        )
        for number, slip in enumerate(found)
    ]


@pytest.mark.parametrize("slip", small_slips())
def test_edits_for_slips_in_a_game_remove_the_message(
    slip: Slip, tmp_path: Path
) -> None:
    game, _, inside = slip["file"].partition("/")
    folder = tmp_path / game
    shutil.copytree(shipped_rulesets()[game], folder)
    slipped = folder / inside
    right = slipped.read_text(encoding="utf-8")
    slipped.write_text(right.replace(slip["for"], slip["in"]), encoding="utf-8")
    (found,) = check_game(folder).diagnostics
    assert found.span is not None
    path = Path(found.span.file)
    source = read_source(path, found.span.file)
    fixes = game_fixes(found, source, path, folder)
    is_whole = "fix" in slip and not TO_FILL_IN.search(slip["fix"])
    offered = is_whole and slip["fix"] in found.fixes
    assert not offered or any(each.kind == "edit" for each in fixes), fixes
    for fix in fixes:
        if fix.kind == "edit":
            assert fix.span is not None
            path.write_text(replaced(source.text, fix.span, fix.new), encoding="utf-8")
            left = check_game(folder).diagnostics
            assert found.message not in [each.message for each in left]
            path.write_text(source.text, encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("set target: 40", "default target: 40"),
        ('option target "A": 20..200 normally 40', "default target: 40"),
        ("change round.times from OLD to 99", "change round.times from 1000 to 99"),
    ],
)
def test_a_line_of_a_variant_is_fixed_at_once(
    line: str, fix: str, tmp_path: Path
) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(shipped_rulesets()["pig"], folder)
    path = folder / "variants" / "mine.rules"
    path.write_text(f'variant mine for pig "Mine"\n{line}\n', encoding="utf-8")
    (found,) = check_at_once(folder, (), path)[0]
    assert found.span is not None
    source = read_source(path)
    first = game_fixes(found, source, path, folder)[0]
    assert first.span is not None
    assert replaced(source.text, first.span, first.new).split("\n")[1] == fix


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ('add tax to a.b "A":   [ruling c]', 'add to a.b called tax "A":   [ruling c]'),
        ("  if d is e: 0   [ruling c]", "  0 when d is e   [ruling c]"),
    ],
)
def test_an_edit_keeps_the_margin_of_its_line(wrong: str, right: str) -> None:
    rows = [
        "variant v for g",
        'add to a.b called tax "A":',
        "  1 when d",
        "  2 otherwise",
    ]
    rows[1 if wrong[0] == "a" else 2] = wrong
    text = "\n".join(rows) + "\n"
    (message,) = syntax(text)
    first = next(fixes_of(message, Source("a.rules", text), syntax))
    assert first.span is not None
    assert right in replaced(text, first.span, first.new).split("\n")
