"""Prose stays plain: each part of the project has a budget of words to avoid.

A budget may only fall. If a part has fewer hits, lower its number in `words.yaml`.
No sentence in any text may be longer than `longest`: pages, modules with their help
and messages, phrases and game texts in every language.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.docs.fences import ROOT

RULES = YAML(typ="safe").load((ROOT / "tests/cases/words.yaml").read_text("utf-8"))
AVOID = [re.compile(each, re.MULTILINE) for each in RULES["avoid"]]
BUDGETS: dict[str, int] = RULES["budgets"]
LONGEST: int = RULES["longest"]
KINDS = {
    "pages": ["*.md", "docs/**/*.md", "rulesets/*/*.md"],
    "modules": ["interpreter/**/*.py", "tools/**/*.py"],
    "phrases": ["interpreter/**/phrases/*.toml"],
    "game texts": ["rulesets/*/text/*.yaml", "rulesets/*/rul*.yaml"],
    "captions": ["rulesets/**/*.rules", "docs/examples/**/*.rules"],
}
MARKS = {"en": "“”", "de": "„“", "fr": "«»", "it": "«»"}
MARK = r"[\"“”„«»]"
TOUCHING = re.compile(rf"{MARK}(?=\w)|(?<=[\w.!?]){MARK}")
END = re.compile(r"""(?<=[.!?…])[”“"')»*_]* (?=[A-ZÄÖÜÉÈÀÇ„“«»"(\d*_])""")


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs, items and cells of a page or a docstring, without code."""
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^ *(?:>>>|\.\.\.) .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`\n]*`|\{[^{}]*\}", "X", text)
    for block in re.split(r"\n\s*\n|\n *(?=[-*|#>] ?|\d+\. )|\|| · ", text):
        yield " ".join(block.split()).strip(" #>*-|")


def prose_of_python(text: str) -> Iterator[str]:
    """Yield the docstrings and the comments of a module."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and (doc := ast.get_docstring(node)):
            # Each entry of `Args:` is a paragraph.
            yield from paragraphs(re.sub(r"\n(?= {4}[*\w][\w, *]*: )", "\n\n", doc))
    lines, before = [""], 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comment = token.string.lstrip("# ")
            if token.start[0] == before + 1:
                lines[-1] += " " + comment
            else:
                lines.append(comment)
            # A comment after code is not the beginning of a longer one.
            before = token.start[0] if token.line.lstrip()[0] == "#" else 0
    yield from lines


def strings(data: object) -> Iterator[str]:
    """Yield the texts in data of YAML or TOML."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from strings(each)


def literals(text: str) -> Iterator[str]:
    """Yield the texts in a module that may be messages or help."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.JoinedStr):
            parts = [
                v.value if isinstance(v, ast.Constant) else "X" for v in node.values
            ]
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def prose(file: Path) -> Iterator[str]:
    """Yield the paragraphs of a file, in whatever language."""
    text = file.read_text(encoding="utf-8")
    match file.suffix:
        case ".md":
            yield from paragraphs(text)
        case ".py":
            yield from prose_of_python(text)
            # A docstring is read above; a literal with a line break is code.
            yield from (each for each in literals(text) if "\n" not in each)
        case ".rules":
            yield from re.findall(r'"([^"\n]*)"', text)
        case suffix:
            load = tomllib.loads if suffix == ".toml" else YAML(typ="safe").load
            for each in strings(load(text)):
                yield from paragraphs(each)


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


def long_sentences(paragraph: str) -> list[str]:
    """Return the sentences with too many words, without plain lists of words."""
    found = END.split(paragraph)
    return [s for s in found if len(s.split()) > LONGEST and re.search("[.:;]", s)]


@pytest.mark.parametrize("kind", KINDS)
def test_no_sentence_is_too_long(kind: str) -> None:
    files = [each for pattern in KINDS[kind] for each in sorted(ROOT.glob(pattern))]
    assert files
    found = [
        f"{file.relative_to(ROOT)}: {sentence}"
        for file in files
        for paragraph in prose(file)
        for sentence in long_sentences(paragraph)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", MARKS)
def test_a_language_has_one_style_of_quotation_marks(language: str) -> None:
    phrases = ROOT / "interpreter/houserule/base/phrases" / f"{language}.toml"
    files = [phrases, *ROOT.glob(f"rulesets/*/text/{language}.yaml")]
    found = [
        f"{file.relative_to(ROOT)}: {text}"
        for file in files
        for text in prose(file)
        if {*TOUCHING.findall(text)} - {*MARKS[language]}
    ]
    assert not found, "\n".join(found)


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


def test_a_sentence_is_counted_to_its_end() -> None:
    half = "word " * (LONGEST // 2) + "end"
    page = f"{half}. And {half}.\n\n- {half};\n- {half}.\n\n| {half} | {half} |"
    assert not [s for p in paragraphs(page) for s in long_sentences(p)]
    assert [s for p in paragraphs(f"{half}, and\n{half}.") for s in long_sentences(p)]
    module = f'"""Do it.\n\nArgs:\n    a: {half}.\n    b: {half}.\n"""'
    assert not [s for p in prose_of_python(module) for s in long_sentences(p)]
    module = f"x = 1\n# {half},\n# and {half}.\n"
    assert [s for p in prose_of_python(module) for s in long_sentences(p)]
