"""Edits of YAML in place: each does what it should, and nothing beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from houserule.compiler.table_files.editing import ORDER
from houserule.language.manifest.yaml.edit import NotEditedError, append, drop, put

CASES = YAML(typ="safe").load(
    (Path(__file__).parents[1] / "cases" / "tables" / "edits.yaml").read_text("utf-8")
)


def edited(raw: str, do: list[Any]) -> str:
    match do:
        case ["append", key, value]:
            return append(raw, key, value, ORDER)
        case ["put", path, value]:
            return put(raw, (*path,), value, ORDER)
        case _:
            return drop(raw, (*do[1],))


@pytest.mark.parametrize("form", ["as it is", "\r\n", "\r", "\ufeff", "no end"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_an_edit_changes_nothing_else(case: dict[str, Any], form: str) -> None:
    def formed(text: str) -> str:
        if form == "\ufeff":
            return form + text
        if form == "no end":
            return text.rstrip("\n")
        return text if form == "as it is" else text.replace("\n", form)

    found = edited(formed(case["before"]), case["do"])
    wanted = formed(case["after"])
    if form == "no end":  # of a last line that goes, the line before it keeps its end
        found = found.rstrip("\n")
    assert found == wanted


@pytest.mark.parametrize(
    ("raw", "do"),
    [
        ("game: t\ngame: u\n", ["append", "with", "a"]),
        ("game: &x t\n", ["append", "with", "a"]),
        ("with: a\n", ["append", "with", "b"]),
        ("set: 3\n", ["put", ["set", "goal"], 3]),
        ("with: [a]\n", ["drop", ["with", 1]]),
        ("- a\n", ["append", "with", "b"]),
    ],
)
def test_what_cannot_be_edited_is_said(raw: str, do: list[Any]) -> None:
    with pytest.raises(NotEditedError):
        edited(raw, do)
