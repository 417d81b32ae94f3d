"""The published JSON Schemas are those of the models, and say what the reader says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import create_model
from tests.manifest.test_cases import BAD, GOOD, read_case

from houserule.base.files import read_source
from houserule.base.source import Source
from houserule.language.manifest.kinds.kinds import SCHEMAS, kind_of, model_of
from houserule.language.manifest.kinds.schemas import schema_text
from houserule.language.manifest.yaml.parser import parse_yaml
from houserule.language.manifest.yaml.read import read_model

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


def test_models_that_are_made_are_not_taken_for_written_ones() -> None:
    # A state's model has parts of any name, and its classes stand in no file.
    written = schema_text("simulation")
    base = create_model("Later")
    made = create_model(
        "Spread", __base__=base, __module__="houserule.engine.state.state_model"
    )
    assert made.__name__ in written
    assert schema_text("simulation") == written


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


# ---- the schema and the reader say the same

KINDS = ROOT / "tests" / "cases" / "schemas"
OTHER: list[Any] = [None, True, 0, -1, 3, 1.5, "", "x", "No Name!", "a.b", [], ["x"]]
OTHER += [[None], [1, 2], {}, {"x": "y"}, {"No Name!": "y"}, {"": "y"}]
OTHER_KEYS = ["No Name!", "", "n" * 101, "a.b", "A", "unknown"]
WORDS = {True: "yes", False: "no", None: "none"}


def whole(kind: str) -> Any:  # noqa: ANN401  (what a YAML file says)
    document, faults = parse_yaml(read_source(KINDS / f"{kind}.yaml"))
    assert not faults
    return document.data


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    items = data.items() if isinstance(data, dict) else ()
    for step, value in enumerate(data) if isinstance(data, list) else items:
        yield (*path, step)
        yield from places(value, (*path, step))


def put(around: Any, step: Any, value: Any) -> None:  # noqa: ANN401
    if isinstance(around, dict):
        around[step] = value
    else:
        around.insert(step, value)


def changes(data: Any) -> Iterator[Any]:  # noqa: ANN401
    """Yield a file's data with one value, one key, or one thing less or otherwise."""
    for *path, last in places(data):
        for number in range(len(OTHER) + len(OTHER_KEYS) + 1):
            changed = deepcopy(data)
            around = changed
            for step in path:
                around = around[step]
            value = around.pop(last)
            if number < len(OTHER):
                put(around, last, OTHER[number])
            elif number < len(OTHER) + len(OTHER_KEYS) and isinstance(last, str):
                around[OTHER_KEYS[number - len(OTHER)]] = value
            yield changed


def is_read(data: Any, kind: str) -> bool:  # noqa: ANN401
    try:
        model_of(kind).model_validate(data)
    except ValueError:
        return False
    return True


FILES = sorted(path.stem for path in KINDS.glob("*.yaml"))


@pytest.mark.parametrize("kind", FILES)
def test_what_a_schema_takes_is_read_and_nothing_else(kind: str) -> None:
    schema, data = validator(ROOT / "schemas" / f"{kind}.json"), whole(kind)
    assert is_read(data, kind)
    assert schema.is_valid(data)
    taken = {True: 0, False: 0}
    for changed in changes(data):
        fits = schema.is_valid(changed)
        assert fits == is_read(changed, kind), changed
        taken[fits] += 1
    assert min(taken.values()) > 20


@pytest.mark.parametrize("kind", FILES)
def test_every_key_of_a_schema_stands_in_its_file(kind: str) -> None:
    schema = json.loads((ROOT / "schemas" / f"{kind}.json").read_text("utf-8"))
    said = {step for path in places(whole(kind)) for step in path}
    parts = [schema, *schema.get("$defs", {}).values()]
    if kind == "appendix":  # the parts of examples stand in the file of examples
        parts = [schema, schema["$defs"]["LanguageTexts"]]
    assert {key for part in parts for key in part.get("properties", ())} <= said


@pytest.mark.parametrize("kind", FILES)
def test_editors_may_read_words_as_texts(kind: str) -> None:
    def in_words(data: Any) -> Any:  # noqa: ANN401
        if isinstance(data, dict):
            return {key: in_words(value) for key, value in data.items()}
        if isinstance(data, list):
            return [in_words(value) for value in data]
        plain = data is None or isinstance(data, bool)
        return WORDS[data] if plain else data

    schema = validator(ROOT / "schemas" / f"{kind}.json")
    assert not [*schema.iter_errors(in_words(whole(kind)))]


@pytest.mark.parametrize("path", [*BAD, *GOOD], ids=lambda path: path.stem)
def test_cases_are_taken_and_refused_by_both(path: Path) -> None:
    for file, lines in read_case(path).files.items():
        kind = kind_of(file)
        if kind is None:
            continue
        model, document, faults = read_model(
            Source(file, "\n".join(lines)), model_of(kind)
        )
        of_yaml = {each.code for each in faults} & {"E030", "E004"}
        if not of_yaml and document.data is not None:
            schema = validator(ROOT / "schemas" / f"{kind}.json")
            assert schema.is_valid(document.data) == (model is not None)


def test_cases_of_examples_are_taken_and_refused_by_both() -> None:
    cases, _ = parse_yaml(read_source(ROOT / "tests/cases/scenarios/bad.yaml"))
    assert isinstance(cases.data, list)
    schema = validator(ROOT / "schemas" / "scenarios.json")
    taken = set()
    for case in cases.data:
        assert isinstance(case, dict)
        said = {"game": "pig", "scenarios": [case["say"]]}
        taken.add(schema.is_valid(said))
        assert schema.is_valid(said) == is_read(said, "scenarios")
    assert taken == {True, False}
