"""How many files a construct touches: a statement, a clause and an operator.

`CONTRIBUTING.md` shows the files that name `shuffle`, `unwise` and `within`. A
file names a construct if its code does: an identifier or a text with the word in it.
Comments, docstrings and the phrases of each language are not counted.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "interpreter" / "houserule"
PAGE = ROOT / "CONTRIBUTING.md"

# Advice has one node and one field, whether it is `unwise` or `usual`.
ADVICE = (
    r"unwise|(action|plan|options|self|happened|tree|ir|\]) ?\. ?advice\b|class advice"
    r'|"advice" ?, ?"warn"'
)
# construct: the word to look for, its column on the page, how many files at most
CONSTRUCTS = {
    "shuffle": ("shuffl", 1, 17),
    "unwise": (ADVICE, 2, 23),
    "within": ('"within"|op=within', 3, 13),
}

# A generator of random numbers shuffles too; that is no statement of the language.
NO_CONSTRUCT = re.compile(r"\brandom \. shuffle\b")


def code_of(path: Path) -> str:
    """Return the words of a file's code, without comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return re.sub(r"(//|;;).*", "", text)
    docstrings = {
        node.value.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return " ".join(
        token.string
        for token in tokens
        if token.type != tokenize.COMMENT
        and not (token.type == tokenize.STRING and token.start[0] in docstrings)
    )


def files_naming(word: str) -> set[str]:
    files = [
        *PACKAGE.rglob("*.py"),
        *PACKAGE.rglob("*.wat"),
        ROOT / "grammar" / "rules.lark",
    ]
    return {
        path.relative_to(PACKAGE if PACKAGE in path.parents else ROOT).as_posix()
        for path in files
        if names(path, re.compile(word, re.IGNORECASE))
    }


def names(path: Path, word: re.Pattern[str]) -> bool:
    if not word.search(path.read_text(encoding="utf-8")):
        return False  # most files: no need to take them apart
    return word.search(NO_CONSTRUCT.sub("", code_of(path))) is not None


def files_on_the_page(column: int) -> Iterator[str]:
    page = PAGE.read_text(encoding="utf-8")
    table = page.split("| step | ", 1)[1].split("\n\n", 1)[0]
    for row in table.splitlines()[2:]:
        yield from re.findall(r"`([\w/]+\.\w+)`", row.split("|")[column + 1])


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_the_page_shows_every_file_that_names_a_construct(construct: str) -> None:
    word, column, _ = CONSTRUCTS[construct]
    shown = list(files_on_the_page(column))
    assert len(shown) == len(set(shown))
    found = files_naming(word)
    assert found - set(shown) == set(), "touched, but not in CONTRIBUTING.md"
    assert set(shown) - found == set(), "in CONTRIBUTING.md, but not touched"


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_a_construct_touches_few_files(construct: str) -> None:
    word, _, most = CONSTRUCTS[construct]
    assert len(files_naming(word)) <= most


def test_code_is_what_is_left_without_comments_and_docstrings(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(
        '"""A shuffle."""\nx = f("shuffled")  # reshuffle\nrandom.shuffle(x)'
    )
    assert code_of(path).split() == ["x", "=", "f", "(", '"shuffled"', ")", *_REST]
    assert NO_CONSTRUCT.search(code_of(path))


_REST = ["random", ".", "shuffle", "(", "x", ")"]
