"""The checked-in JSON Schemas are those of the models, and shipped files obey them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from houserule.files import read_source
from houserule.manifest.schemas import SCHEMAS, schema_text
from houserule.manifest.yaml.parser import parse_yaml

ROOT = Path(__file__).parents[2]
FIRST_LINE = re.compile(r"# yaml-language-server: \$schema=(\S+)")
SHIPPED = sorted((ROOT / "rulesets").glob("*/**/*.yaml"))


@cache
def validator(path: Path) -> Any:  # noqa: ANN401  (jsonschema ships no types)
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(path.read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_up_to_date(name: str) -> None:
    path = ROOT / "schemas" / f"{name}.json"
    assert path.read_text(encoding="utf-8") == schema_text(name), (
        "run tools/write_schemas.py"
    )


def test_no_other_schemas() -> None:
    assert {path.stem for path in (ROOT / "schemas").glob("*.json")} == set(SCHEMAS)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: "/".join(path.parts[-3:]))
def test_shipped_yaml_names_its_schema_and_obeys_it(path: Path) -> None:
    source = read_source(path)
    named = FIRST_LINE.match(source.line(1))
    assert named, "the first line names the schema"
    schema = (path.parent / named[1]).resolve()
    assert schema.parent == ROOT / "schemas"
    assert schema.stem in SCHEMAS
    document, faults = parse_yaml(source)
    assert not faults
    assert not [each.message for each in validator(schema).iter_errors(document.data)]


def test_editors_may_read_yes_as_a_word() -> None:
    schema = validator(ROOT / "schemas" / "components.json")
    row = {"id": "a", "status": "attested", "rare": "yes", "scent": "none"}
    assert not list(schema.iter_errors({"rows": [row]}))
    assert list(schema.iter_errors({"rows": [{**row, "rare": {}}]}))
    assert list(schema.iter_errors({"rows": []}))
