"""Prose stays plain: each part of the project has a budget of words to avoid.

A budget may only fall. If a part has fewer hits, lower its number in `words.yaml`.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.docs.fences import ROOT

RULES = YAML(typ="safe").load((ROOT / "tests/cases/words.yaml").read_text("utf-8"))
AVOID = [re.compile(each, re.MULTILINE) for each in RULES["avoid"]]
BUDGETS: dict[str, int] = RULES["budgets"]


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs, items and cells of a page or a docstring, without code."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", "X", text)
    for block in re.split(r"\n\s*\n|\n(?=[-*|#>] ?)|\|", text):
        yield " ".join(block.split()).strip(" #>*-|")


def prose_of_python(text: str) -> Iterator[str]:
    """Yield the docstrings and the comments of a module."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and (doc := ast.get_docstring(node)):
            yield from paragraphs(doc)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")


@cache
def hits(part: str) -> tuple[str, ...]:
    """Return each hit in a part: a page, a folder of pages, or a folder of modules."""
    path, found = ROOT / part, []
    files = [path] if path.is_file() else sorted(path.glob("*.md"))
    files = files or sorted(path.rglob("*.py"))
    assert files, part
    for file in files:
        text = file.read_text(encoding="utf-8")
        prose = prose_of_python(text) if file.suffix == ".py" else paragraphs(text)
        found += [
            f"{file.relative_to(ROOT)}: …{hit[0].strip()}…"
            for each in prose
            for pattern in AVOID
            for hit in pattern.finditer(each)
        ]
    return tuple(found)


@pytest.mark.parametrize("part", BUDGETS)
def test_words_to_avoid_are_within_the_budget(part: str) -> None:
    found = hits(part)
    assert len(found) <= BUDGETS[part], "\n".join(found)


def test_every_room_and_page_has_a_budget() -> None:
    package = Path("interpreter/houserule")
    rooms = {
        str(package / each.name)
        for each in (ROOT / package).iterdir()
        if (each / "__init__.py").is_file()
    }
    pages = {each.relative_to(ROOT) for each in (ROOT / "docs").rglob("*.md")}
    alone = {str(each) for each in pages if str(each.parent) not in BUDGETS}
    assert {*rooms, *alone, "README.md", "tools"} <= BUDGETS.keys()


def test_a_hit_is_found_in_prose_alone() -> None:
    page = "Whoever begins is told so.\n\n```text\nwhoever\n```\n\nSay `whoever`."
    assert len([h for p in paragraphs(page) for a in AVOID for h in a.findall(p)]) == 2
    module = '"""It is said anew."""\nx = "anew"  # mend it\n'
    texts = list(prose_of_python(module))
    assert len([h for p in texts for a in AVOID for h in a.findall(p)]) == 3
