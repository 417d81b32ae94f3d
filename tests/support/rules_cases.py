"""Small games out of texts, and the cases of `tests/cases` that are such games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.tables.choose import choose_table
from houserule.ir import Program

from .rulesets import ruleset_from_texts

CASES = Path(__file__).parents[1] / "cases"
FLOW = CASES / "flow"
FAULTS = CASES / "faults"
COMPILED = CASES / "compiled"

Rows = Mapping[str, list[dict[str, Any]]]


def program_of(
    text: str, variants: Mapping[str, str] | None = None, tables: Rows | None = None
) -> Program:
    """Compose and check one game, all its variants on.

    What came shortly before is not composed again.

    Raises:
        AssertionError: the rules have faults.
    """
    return _program_of(text, json.dumps(variants or {}), json.dumps(tables or {}))


@lru_cache(maxsize=400)
def _program_of(text: str, variants_text: str, tables_text: str) -> Program:
    variants, tables = json.loads(variants_text), json.loads(tables_text)
    files = {f"variants/{name}.rules": rules for name, rules in variants.items()}
    ruleset = ruleset_from_texts({"game.rules": text} | files, tables)
    table, faults = choose_table(ruleset, with_=variants)
    assert table is not None, faults
    rules, faults = compose(ruleset, table)
    assert rules is not None, faults
    program, faults = check_rules(rules)
    assert program is not None, [str(each) for each in faults]
    return program


@cache
def cases_in(folder: Path) -> tuple[Any, ...]:
    """Return the cases of a folder's files, as parameters of a test."""
    yaml = YAML(typ="safe")
    found = [
        pytest.param(case, id=f"{path.stem}: {case['name']}")
        for path in sorted(folder.glob("*.yaml"))
        for case in yaml.load(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 10, folder
    return tuple(found)
