"""Imports go one way, and each library stands behind one module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "interpreter" / "houserule"

# From the ground up: a part may import what stands before it, and itself.
PARTS = (
    "source",
    "same",
    "graph",
    "cache",
    "diagnostics",
    "resources",
    "phrases",
    "syntax",
    "manifest",
    "compose",
    "ir",
    "lower",
    "prepare",
    "table_files",
    "state",
    "engine",
    "bots",
    "record",
    "compiled",
    "narrate",
    "diagram",
    "simulate",
    "scenario",
    "checking",
    "api",
    "cli",
)
BEHIND_ONE_MODULE = {
    "lark": {"syntax/read/parser.py"},
    "ruamel": {"manifest/yaml/parser.py"},
    "platformdirs": {"cache.py"},
    "wasmtime": {"compiled/machine.py"},
    "distributed": {"simulate/schedule/cluster.py"},
    "matplotlib": {"simulate/output/plot.py"},
}


def modules() -> list[Path]:
    found = sorted(PACKAGE.rglob("*.py"))
    assert len(found) > 50
    return found


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "houserule":
                yield from (f"houserule.{alias.name}" for alias in node.names)


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


def words_of_games() -> set[str]:
    """Return the names that only rulesets may know: ids of games and variants."""
    found: set[str] = set()
    for folder in (ROOT / "rulesets").iterdir():
        found.add(folder.name)
        found |= {path.stem for path in folder.glob("variants/*.rules")}
    assert len(found) > 8
    return {word for word in found if len(word) > 3}


def without_examples(path: Path) -> str:
    """Return a module without the examples of docstrings, its lines kept.

    They have to play some game, and nothing but documentation hangs on which.
    """
    text = path.read_text(encoding="utf-8")
    lines = re.compile(r"^ +Example:\n(?: {8,}.*\n)+", re.MULTILINE)
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


def test_modules_and_functions_stay_small() -> None:
    long = []
    for path in modules():
        text = path.read_text(encoding="utf-8")
        if text.count("\n") > 500:
            long.append(f"{path.name}: {text.count(chr(10))} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                length = (node.end_lineno or 0) - node.lineno
                if length > 45:
                    long.append(f"{path.name}:{node.lineno} {node.name}: {length}")
    assert not long
