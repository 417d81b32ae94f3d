"""Every code that is used has a title and a page, and nothing else has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from houserule.diagnostics.codes import TITLES, title_of
from houserule.resources import page_of

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "interpreter" / "houserule"
PAGES = ROOT / "docs" / "diagnostics"
# What was asked for on a command line is in no file; what a preset or a table file asks
# for gets its place there.
OF_A_CHOICE = {"E301", "E302", "E303", "E306", "E307", "E308"}
CODE = re.compile(r'"([EWFN]\d{2,3})"')


def used() -> dict[str, str]:
    return {
        code: path.name
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name != "codes.py"
        for code in CODE.findall(path.read_text("utf-8"))
    }


def test_every_code_that_is_used_has_a_title() -> None:
    unknown = {code: file for code, file in used().items() if code not in TITLES}
    assert not unknown


def test_every_title_is_used() -> None:
    assert not set(TITLES) - set(used())


def test_every_code_has_a_page_with_its_title() -> None:
    for code in TITLES:
        page = page_of(code)
        assert page is not None
        assert page.startswith(f"# {code}: {title_of(code)}\n")
        assert "**Way out.**" in page


def test_no_page_is_left_over() -> None:
    pages = {path.stem for path in PAGES.glob("*.md")} - {"index"}
    assert pages == set(TITLES)


def test_the_index_lists_every_page() -> None:
    index = (PAGES / "index.md").read_text("utf-8")
    listed = re.findall(r"\| \[(\w+)\]\(\w+\.md\) \| (.+) \|", index)
    assert dict(listed) == dict(TITLES)


def test_titles_are_two_to_six_words() -> None:
    long = [title for title in TITLES.values() if not 2 <= len(title.split()) <= 6]
    assert not long


def test_an_unknown_code_has_no_page() -> None:
    assert page_of("E999") is None


def placeless(path: Path) -> Iterator[str]:
    """Yield the code of each diagnostic that is made without a place."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(
                ast.Name("fault" | "too_large" | "Diagnostic"),
                [first] | [first, _],
                keywords,
            ) if not {each.arg for each in keywords} & {"span", "labels"}:
                yield ast.literal_eval(first)


def test_every_other_fault_than_of_a_choice_is_made_with_a_place() -> None:
    assert {c for path in PACKAGE.rglob("*.py") for c in placeless(path)} == OF_A_CHOICE
