"""Imports go one way, and each library stands behind one module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from houserule.base.algebra.graph import closure

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "interpreter" / "houserule"

# The rooms of the package, from the ground up, each with the rooms that it may import.
ROOMS = {
    "base": "",
    "ir": "base",
    "language": "base",
    "engine": "base ir",
    "compiler": "base ir language engine",
    "play": "base ir language engine compiler",
    "rulebook": "base ir language engine compiler play",
    "study": "base ir language engine compiler play",
    "authoring": "base ir language engine compiler play rulebook",
    "api": "base ir language engine compiler play rulebook study authoring",
    "environments": "base ir language engine play study api",
    "ui": "base ir language engine compiler play rulebook study authoring",
}
# The parts of large rooms: a part may import those before it.
PARTS = {
    "language": "syntax manifest",
    "engine": "state reference bots compiled cancellation",
    "compiler": "rules conditions items choices merge options compose tables family "
    "lower prepare table_files",
    "play": "narration positions records seat",
    "rulebook": "meanings nouns exact diagram book",
    "study": "simulate analysis",
    "authoring": "scenarios check coverage renaming",
    "ui": "configurator palette editor terminal assistant web site cli",
}
BEHIND_ONE_MODULE = {
    "lark": {"language/syntax/read/parser.py"},
    "ruamel": {"language/manifest/yaml/parser.py"},
    "platformdirs": {"base/cache.py"},
    "rapidfuzz": {"base/diagnostics/wording.py"},
    "wasmtime": {"engine/compiled/runtime.py"},
    "distributed": {"study/simulate/schedule/cluster.py"},
    "mcp": {"ui/assistant/server.py"},
    "lsprotocol": {"ui/editor/server.py"},
    "pygls": {"ui/editor/server.py"},
    "matplotlib": {"study/simulate/output.py"},
    "prompt_toolkit": {"ui/terminal/full_screen.py"},
    "weasyprint": {"rulebook/book/pdf.py"},
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
    "jinja2": {"ui/web/templating.py"},
    "segno": {"ui/web/pages.py"},
    "psycopg": {"ui/web/database/connection.py"},
    "sqlalchemy": {
        "ui/web/database/connection.py",
        "ui/web/database/schema.py",
        "ui/web/store.py",
        "ui/web/records/history.py",
        "ui/web/own/rules_store.py",
    },
    "starlette": {
        "ui/web/server.py",
        "ui/web/menu/answers.py",
        "ui/web/answers/asking.py",
        "ui/web/answers/lobby.py",
        "ui/web/answers/records.py",
        "ui/web/answers/yours.py",
        "ui/web/own/bringing.py",
        "ui/web/own/serving.py",
    },
    "uvicorn": {"ui/web/running.py"},
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


def test_imports_go_one_way() -> None:
    assert [wrong for path in modules() for wrong in wrong_imports(path)] == []


def wrong_imports(path: Path) -> Iterator[str]:
    """Yield the imports of a module that its place does not allow."""
    room, *inside = path.relative_to(PACKAGE).with_suffix("").parts
    if not inside:  # the package itself
        return
    parts = PARTS.get(room, "").split()
    allowed = {room, *ROOMS[room].split()}
    for name in imported(path):
        package, there, *part = [*name.split("."), ""][:3]
        if package != "houserule" or there in ("", "__version__"):
            continue
        if there not in allowed:
            yield f"{path}: {room} may not import {there}"
        if there == room and parts and inside[0] != "__init__":
            before = parts[: parts.index(inside[0]) + 1]
            if part[0] not in before:
                yield f"{path}: {inside[0]} may not import {part[0]}"


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
    "base/files.py",
    "base/cache.py",  # what is kept can be made again
    "base/resources.py",  # what came with the program
    "study/simulate/output.py",  # a stream over what `files` opened
    "play/records/appending.py",  # folders, to have them on the disk
    "language/syntax/read/parser.py",  # what is kept
    "rulebook/meanings/pages.py",
    "ui/web/templating.py",  # what came with the program
    "ui/cli/output.py",  # the standard streams
    "ui/web/database/connection.py",  # a file that is only locked
    "ui/site/packing.py",  # what Node is given, and makes
    "ui/site/parts.py",  # its own list, and what npm brought
    "ui/site/playground.py",  # a text, in a page's memory
    "ui/site/prepare.py",  # the like, in Node
    "ui/site/table.py",  # cookies, in a page's memory
    "ui/site/write.py",  # what came with the program
    "ui/cli/verbs/writing/new.py",  # which templates there are
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
    names = {*words_of_games(), "pasch", "piecepack"}
    found = [
        f"{path.name}: {word}"
        for path in modules()
        for word in {*re.findall(r"\w+", without_examples(path).lower())}
        if word in names or word.startswith(("bankrupt", "triumvirat"))
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
