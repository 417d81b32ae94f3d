"""Imports go one way, and each library stands behind one module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from houserule.graph import closure

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "interpreter" / "houserule"

# From the ground up: a part may import what stands before it, and itself.
PARTS = (
    "frozen",
    "limits",
    "source",
    "plain",
    "same",
    "graph",
    "arithmetic",
    "cache",
    "diagnostics",
    "files",
    "isolation",
    "inflected",
    "resources",
    "syntax",
    "manifest",
    "compose",
    "ir",
    "state",
    "engine",
    "lower",
    "prepare",
    "table_files",
    "bots",
    "record",
    "compiled",
    "narrate",
    "seat",
    "diagram",
    "meanings",
    "rulebook",
    "simulate",
    "analysis",
    "scenario",
    "checking",
    "coverage",
    "renaming",
    "api",
    "environments",
    "terminal",
    "menu",
    "web",
    "cli",
)
BEHIND_ONE_MODULE = {
    "lark": {"syntax/read/parser.py"},
    "ruamel": {"manifest/yaml/parser.py"},
    "platformdirs": {"cache.py"},
    "rapidfuzz": {"diagnostics/wording.py"},
    "wasmtime": {"compiled/machine.py"},
    "distributed": {"simulate/schedule/cluster.py"},
    "matplotlib": {"simulate/output.py"},
    "prompt_toolkit": {"terminal/full_screen.py"},
    "weasyprint": {"rulebook/pdf.py"},
    "gymnasium": {
        "environments/episode.py",
        "environments/gymnasium.py",
        "environments/pettingzoo.py",
        "environments/vectorised.py",
    },
    "numpy": {
        "environments/episode.py",
        "environments/gymnasium.py",
        "environments/openspiel.py",
        "environments/pettingzoo.py",
        "environments/vectorised.py",
    },
    "pettingzoo": {"environments/pettingzoo.py"},
    "pyspiel": {"environments/openspiel.py"},
    "jinja2": {"web/templating.py"},
    "segno": {"web/pages.py"},
    "psycopg": {"web/database/connection.py"},
    "sqlalchemy": {
        "web/database/connection.py",
        "web/database/schema.py",
        "web/store.py",
        "web/records/kept.py",
        "web/own/kept.py",
    },
    "starlette": {
        "web/server.py",
        "web/menu/answers.py",
        "web/answers/asking.py",
        "web/answers/lobby.py",
        "web/answers/people.py",
        "web/answers/records.py",
        "web/answers/yours.py",
        "web/own/bringing.py",
        "web/own/serving.py",
    },
    "uvicorn": {"web/running.py"},
}


def modules() -> list[Path]:
    found = sorted(PACKAGE.rglob("*.py"))
    assert len(found) > 50
    return found


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imported(path: Path) -> tuple[str, ...]:
    found: list[str] = []
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
            if node.module == "houserule":
                found += [f"houserule.{alias.name}" for alias in node.names]
    return tuple(found)


def part_of(name: str) -> str | None:
    words = name.split(".")
    return words[1] if words[0] == "houserule" and len(words) > 1 else None


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own.startswith("__"):
        return
    assert own in PARTS, f"{own} has no place in the order of parts"
    above = set(PARTS[PARTS.index(own) + 1 :])
    backward = {name for name in imported(path) if part_of(name) in above}
    assert not backward


@pytest.mark.parametrize("library", BEHIND_ONE_MODULE)
def test_each_library_stands_behind_one_module(library: str) -> None:
    users = {
        str(path.relative_to(PACKAGE))
        for path in modules()
        if any(name.split(".")[0] == library for name in imported(path))
    }
    assert users == BEHIND_ONE_MODULE[library]


# What opens files: all from outside, and all that people ask for, go through `files`.
OPENS = re.compile(
    r"(?<![\w.])(?<!def )open\(|\b(io|path|file|stream)\.open\(|\bos\.(open|fdopen)\("
    r"|\.(read|write)_(text|bytes)\(|\b(mkstemp|copytree|copyfile|r?glob)\("
)
MAY_OPEN = {
    "files.py",
    "cache.py",  # what is kept can be made again
    "resources.py",  # what came with the program
    "simulate/output.py",  # a stream over what `files` opened
    "record/appending.py",  # folders, to have them on the disk
    "syntax/read/parser.py",  # what is kept
    "meanings/pages.py",
    "web/templating.py",  # what came with the program
    "cli/output.py",  # the standard streams
    "web/database/connection.py",  # a file that is only locked
    "cli/verbs/writing/new.py",  # which templates there are
}


def test_files_from_outside_are_opened_in_one_module() -> None:
    found = {
        str(path.relative_to(PACKAGE))
        for path in modules()
        if OPENS.search(without_examples(path))
    }
    assert found == MAY_OPEN


def words_of_games() -> set[str]:
    """Return the names that only rulesets may know: ids of games and variants."""
    found: set[str] = set()
    for folder in (ROOT / "rulesets").iterdir():
        found.add(folder.name)
        found |= {path.stem for path in folder.glob("variants/*.rules")}
    assert len(found) > 8
    return {word for word in found if len(word) > 3}


def without_examples(path: Path) -> str:
    """Return a module without examples in docstrings and pages of messages.

    They have to play some game, and nothing but documentation depends on which. The
    lines keep their numbers.
    """
    text = path.read_text(encoding="utf-8")
    lines = re.compile(
        r"^ +Example:\n(?: {8,}.*\n)+|(?<=\"\)\n)r?\"\"\"(?:.*\n)+?\"\"\"", re.MULTILINE
    )
    return lines.sub(lambda found: "\n" * found[0].count("\n"), text)


def test_the_engine_knows_no_game() -> None:
    pattern = re.compile(
        r"\b(" + "|".join(sorted(words_of_games())) + r"|pasch|pachisi|pasha|takeover"
        r"|bankrupt\w*|triumvirat\w*|piecepack)\b",
        re.IGNORECASE,
    )
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in modules()
        for number, line in enumerate(without_examples(path).split("\n"), 1)
        if pattern.search(line)
    ]
    assert not found


def imports() -> dict[str, set[str]]:
    """Return the modules that each module imports, wherever it does so.

    The package itself is left out: it only hands on what the face offers.
    """
    names = {_module_name(path): path for path in modules()}
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        wanted = set(_modules_imported(path)) & names.keys()
        found[name] = wanted - {name, "houserule"}
    return found


def _module_name(path: Path) -> str:
    words = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(words[:-1] if words[-1] == "__init__" else words)


def _modules_imported(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_in_a_circle_say_why() -> None:
    reached = closure(imports())
    circles = {
        frozenset(other for other in others if name in reached[other])
        for name, others in reached.items()
        if name in others
    }
    paths = {_module_name(path): path for path in modules()}
    silent = [
        sorted(circle)
        for circle in circles
        if not any(_says_why(paths[name]) for name in circle)
    ]
    assert not silent


def _says_why(path: Path) -> bool:
    """Say whether a comment speaks of a cycle."""
    return (
        re.search(r"#.*\b(cycle|circle)\b", path.read_text(encoding="utf-8"))
        is not None
    )


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[str]] = {}
    for path in modules():
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
