"""Tables that somebody asks for: accepted, or refused with the right words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.support.rulesets import ruleset_from_texts

from houserule.base.diagnostics.diagnostic import Severity
from houserule.compiler.tables.choose import choose_table
from houserule.language.manifest.ruleset import Plain

FILE = Path(__file__).parents[1] / "cases" / "tables" / "tables.yaml"
DATA = YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))


def as_typed(value: object) -> Plain:
    """Return a value as the command line hands it on: a text, or a list."""
    return list(value) if isinstance(value, list) else str(value)


@pytest.mark.parametrize("case", DATA["tables"], ids=lambda case: case["name"])
def test_table(case: dict[str, Any]) -> None:
    ruleset = ruleset_from_texts({"game.rules": DATA["family"]})
    table, found = choose_table(
        ruleset,
        preset=case.get("preset"),
        with_=case.get("with", ()),
        settings={name: as_typed(value) for name, value in case.get("set", {}).items()},
        players=case.get("players"),
    )
    errors = [each for each in found if each.severity is Severity.ERROR]
    assert [each.code for each in errors] == case["codes"]
    assert (table is None) == bool(errors)
    text = "\n".join(str(each) for each in errors)
    assert not [words for words in case.get("says", ()) if words not in text]
    if table is not None and "players_are" in case:
        assert table.players == case["players_are"]
    for name, value in case.get("options_are", {}).items():
        assert table is not None
        assert table.options[name] == value
