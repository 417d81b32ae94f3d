"""Characters that are not the plain ones, by cases: each is named, with the fix."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from houserule.authoring.scenarios.scenario_model import ScenarioFile
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.source import UNSEEN, Source
from houserule.language.manifest.ruleset_models import ComponentTable, TableFile
from houserule.language.manifest.yaml.read import read_model
from houserule.language.syntax.read.parser import parse_unit_file
from houserule.play.records.reading import read_record

FILE = Path(__file__).parents[1] / "cases" / "characters.yaml"
CASES = YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))
READERS: dict[str, Callable[[Source], Any]] = {
    "rules": parse_unit_file,
    "components": partial(read_model, model=ComponentTable),
    "table": partial(read_model, model=TableFile),
    "scenarios": partial(read_model, model=ScenarioFile),
    "record": read_record,
}


def found_in(case: dict[str, str]) -> list[Diagnostic]:
    found: list[Diagnostic] = READERS[case["in"]](Source("x", case["text"]))[-1]
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["text"])[:60])
def test_a_character_that_is_not_plain_is_named_once(case: dict[str, str]) -> None:
    found = found_in(case)
    assert len(found) == ("at" in case), found
    for each in found:
        assert each.code == case.get("code", "E004")
        assert each.span
        assert f"{each.span.line}:{each.span.column}" == case["at"]
        assert case.get("says", "") in each.message
        assert each.labels[0].text == case.get("label", "")
        assert "fix" not in case or each.fixes == (case["fix"],)


@pytest.mark.parametrize("reader", ["rules", "components"])
def test_no_advice_joins_two_lines(reader: str) -> None:
    """Wherever other programs see a line end, there is to be one."""
    for number in {*range(0x3000)} - {ord("\r")}:  # which all readers take for one
        joined = f"a{chr(number)}b"
        if UNSEEN.match(chr(number)) and len(joined.splitlines()) > 1:
            (first, *_) = found_in({"in": reader, "text": f"a {joined}\n"})
            assert first.labels[0].text == "put a plain line end in its place"
