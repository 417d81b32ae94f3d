"""The catalogue: all languages have the same phrases, and code uses each of them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import houserule
from houserule.base.inflection import slots_of
from houserule.base.resources import LANGUAGES, Phrases, catalogue

PACKAGE = Path(houserule.__file__).parent
ENGLISH = catalogue("en")
PHRASES = [(area, name) for area, phrases in ENGLISH.items() for name in phrases]
OTHERS = sorted(LANGUAGES - {"en"})

# ---- the same in every language


def asked(words: str) -> set[str]:
    """Return the names that a text puts in, in whatever forms."""
    return {slot.name for slot in slots_of(words)}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_phrases(language: str) -> None:
    own = catalogue(language)
    assert [(area, name) for area in own for name in own[area]] == PHRASES
    for area, name in PHRASES:
        assert asked(own[area][name]) == asked(ENGLISH[area][name]), (area, name)


def test_an_unknown_language_says_english() -> None:
    assert Phrases("narrate", "de").say("done", who="A") == "A ist fertig"
    for unknown in ("tlh", "", "../phrases/de"):
        assert Phrases("narrate", unknown).say("done", who="A") == "A is done"


def test_phrases_that_are_equal_in_every_language_are_one() -> None:
    """Those of `exact` and `plain` may be: operators and directions select them."""
    every = [catalogue(language) for language in LANGUAGES]
    texts = Counter(
        tuple(each[area][name] for each in every)
        for area, name in PHRASES
        if area not in {"exact", "plain"}
    )
    assert [text for text, number in texts.items() if number > 1] == []


def test_no_area_hides_a_phrase_that_all_have() -> None:
    common = ENGLISH["common"].keys()
    assert [name for area, name in PHRASES if area != "common" and name in common] == []


# ---- what code asks for

AREA = re.compile(r'(?:Phrases\(|\barea: str = |\barea=)"(\w+)"')
IN_BRACES = re.compile(r"{[{%](.*?)[}%]}")
QUOTED = re.compile(r"""(['"])([^'"]*)\1( ~)?""")
SAID = re.compile(r"""\bsay\((['"])([^'"]*)\1(?! [~i])""")
NAME = re.compile(r"[\w<>=!*/+. -]+")  # `say` of a command prints other texts too


class Mentions(ast.NodeVisitor):
    """The phrases that code asks for, all its texts, and patterns of its f-strings."""

    def __init__(self) -> None:
        self.asked: set[str] = set()
        self.named: set[str] = set()
        self.patterns: set[str] = set()

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.named.add(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        plain = [p.value for p in node.values if isinstance(p, ast.Constant)]
        if any(re.search(r"\w{3}", str(text)) for text in plain):
            self.patterns.add(
                "".join(
                    re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+"
                    for p in node.values
                )
            )
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if getattr(node.func, "attr", getattr(node.func, "id", "")) in {"say", "_say"}:
            branches = (n for a in node.args[:1] for n in _branches(a))
            texts = {str(n.value) for n in branches if isinstance(n, ast.Constant)}
            self.asked |= {*filter(NAME.fullmatch, texts)}
        self.generic_visit(node)


def _branches(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.IfExp):
        return [*_branches(node.body), *_branches(node.orelse)]
    return [node]


@cache
def mentions(package: str) -> Mentions:
    """Return the mentions in the modules and templates of a package."""
    found = Mentions()
    for path in (PACKAGE / package).rglob("*.py"):
        found.visit(ast.parse(path.read_text("utf-8")))
    for path in (PACKAGE / package).rglob("*.html"):
        for inside in IN_BRACES.findall(path.read_text("utf-8")):
            found.asked |= {text for _, text in SAID.findall(inside)}
            for _, text, joined in QUOTED.findall(inside):
                if joined:
                    found.patterns.add(re.escape(text) + ".+")
                else:
                    found.named.add(text)
    return found


@cache
def areas_of(package: str) -> frozenset[str]:
    """Return the areas that a package uses; every package may narrate."""
    modules = (PACKAGE / package).rglob("*.py")
    said = (AREA.findall(path.read_text("utf-8")) for path in modules)
    return frozenset({"narrate", "common"}.union(*said))


PACKAGES = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_code_asks_for_phrases_that_there_are(package: str) -> None:
    known = {name for area in areas_of(package) for name in ENGLISH[area]}
    assert mentions(package).asked - known == set()


@pytest.mark.parametrize("area", ENGLISH)
def test_every_phrase_is_used(area: str) -> None:
    named = set[str]().union(*(mentions(each).named for each in PACKAGES))
    saying = [mentions(each) for each in PACKAGES if area in areas_of(each)]
    patterns = set[str]().union(*(each.patterns for each in saying))
    unused = [
        name
        for name in ENGLISH[area]
        if name not in named and not re.fullmatch("|".join(patterns), name)
    ]
    assert unused == []


# ---- how French and Italian speak

READ_ALONE = ("seat", "terminal", "web")
"""One person reads these; people who choose rules together read the others."""
TO_SEVERAL = {
    "fr": r"\b(vous|votre|vos|\w+ez)\b",
    "it": r"\b(voi|vostr[oaie]|\w+[aei]te vi)\b",
}
NO_VERB = {"assez", "chez", "nez"}


@pytest.mark.parametrize("area", READ_ALONE)
@pytest.mark.parametrize("language", TO_SEVERAL)
def test_one_person_is_spoken_to_as_one(area: str, language: str) -> None:
    for name, text in catalogue(language)[area].items():
        found = set(re.findall(TO_SEVERAL[language], text, re.IGNORECASE))
        assert found <= NO_VERB, name


@pytest.mark.parametrize("area", ["common", "menu", "own", "seat", "web"])
@pytest.mark.parametrize("language", TO_SEVERAL)
def test_apostrophes_are_those_of_print(area: str, language: str) -> None:
    phrases = catalogue(language)[area]
    assert [name for name, text in phrases.items() if re.search(r"\w'", text)] == []
