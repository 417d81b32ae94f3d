"""Every code that is raised is declared once, with a page; and nothing else is."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tools.write_diagnostics import PACKAGE, PAGES, declared, pages

# What was asked for on a command line is in no file; what a preset or a table file asks
# for gets its place there.
OF_A_CHOICE = {"E301", "E302", "E303", "E306", "E307", "E308"}
CODE = re.compile(r"[EWNF]\d{2,3}")
PAGE = re.compile(
    r"# .+\n\n.+\n\n\*\*Why\.\*\* .+\n\n\*\*For example\*\*\n\n"
    r"```(text|console|rules[a-z ]*)\n.+\n\n\*\*Fix\.\*\* .+\n",
    re.DOTALL,
)


def nodes() -> Iterator[ast.AST]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield from ast.walk(ast.parse(path.read_text("utf-8")))


def test_every_code_is_declared_once() -> None:
    counted = Counter(code for code, _, _ in declared())
    assert len(counted) > 100
    assert set(counted.values()) == {1}


def test_every_code_that_is_named_is_declared_and_raised() -> None:
    raised, asked_for = set(), set()
    for node in nodes():
        match node:
            case ast.Name(name, ast.Load()) if CODE.fullmatch(name):
                raised.add(name)
            case ast.Constant(str(name)) if CODE.fullmatch(name):
                asked_for.add(name)
    assert raised == asked_for == {code for code, _, _ in declared()}


def test_the_pages_are_those_of_the_codes() -> None:
    assert {path.name: path.read_text("utf-8") for path in PAGES.glob("*")} == pages()


def test_every_page_says_why_shows_an_example_and_a_way_out() -> None:
    for name, page in pages().items():
        assert name == "index.md" or PAGE.fullmatch(page), name


def test_the_index_lists_every_code() -> None:
    listed = re.findall(r"\| \[(\w+)\]\(\w+\.md\) \| (.+) \|", pages()["index.md"])
    assert sorted(listed) == sorted((code, title) for code, title, _ in declared())


def test_titles_are_two_to_six_words() -> None:
    titles = [title for _, title, _ in declared()]
    assert not [title for title in titles if not 2 <= len(title.split()) <= 6]


def placeless() -> Iterator[str]:
    """Yield the code of each diagnostic that is made without a place."""
    for node in nodes():
        match node:
            case ast.Call(
                ast.Name("fault"), [ast.Name(code)] | [ast.Name(code), _], keywords
            ) if not {each.arg for each in keywords} & {"span", "others"}:
                yield code


def test_every_other_fault_than_of_a_choice_is_made_with_a_place() -> None:
    assert {code for code in placeless() if code != "code"} == OF_A_CHOICE
