"""JSON Schemas, made of the models of all packages, each loaded when it is asked for.

They are checked in, in the folder `schemas/`.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from textwrap import dedent
from typing import Any

from pydantic import BaseModel

SCHEMAS: dict[str, str] = {
    "ruleset": "houserule.manifest.model:Manifest",
    "components": "houserule.manifest.model:ComponentTable",
    "rulings": "houserule.manifest.model:RulingsFile",
    "text": "houserule.manifest.model:TextFile",
    "register": "houserule.manifest.model:Register",
    "table": "houserule.manifest.model:TableFile",
    "scenarios": "houserule.scenario.model:ScenarioFile",
    "appendix": "houserule.scenario.model:WholeAppendix",
    "record": "houserule.record.lines:RecordLine",
    "diagnostic": "houserule.diagnostics.report:DiagnosticReport",
    "simulation": "houserule.simulate.statistics.summary:Simulation",
    "comparison": "houserule.simulate.comparison:Comparison",
    "diagram": "houserule.diagram.forms:DiagramReport",
    "seat": "houserule.seat.model:Moment",
    "why": "houserule.seat.model:WhyMove",
    "menu": "houserule.menu.model:Menu",
    "meanings": "houserule.meanings.model:Meanings",
    "names": "houserule.meanings.names:GameNames",
    "coverage": "houserule.coverage.model:Coverage",
    "layout": "houserule.compiled.memory.published:StateLayout",
}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text(name: str) -> str:
    """Return the JSON Schema of a kind of file, as it is checked in.

    Raises:
        KeyError: there is no such kind of file.
    """
    schema = _model(name).model_json_schema(by_alias=True)
    models = {each.__name__: each for each in _submodels(BaseModel)}
    for title, part in {**schema.get("$defs", {}), schema["title"]: schema}.items():
        if title in models and "properties" in part:
            _describe(part, models[title])
    schema = _as_written_by_hand(schema)
    whole = {"$schema": DIALECT, "$id": f"{name}.json", **schema}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _model(name: str) -> type[BaseModel]:
    module, _, attribute = SCHEMAS[name].partition(":")
    model = getattr(import_module(module), attribute)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise TypeError(f"{SCHEMAS[name]} is no model")
    return model


def _submodels(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in model.__subclasses__():
        yield each
        yield from _submodels(each)


def _describe(schema: dict[str, Any], model: type[BaseModel]) -> None:
    """Add what the docstrings below the fields of a model say.

    pydantic could do it, but would read the source of every model at every start.
    """
    written = [each for each in reversed(model.mro()) if "[" not in each.__name__]
    docs = {name: text for each in written for name, text in _docs(each)}
    for name, info in model.model_fields.items():
        part = schema["properties"][info.alias or name]
        if name in docs:
            part["description"] = docs[name]
            for key in sorted(part):
                part[key] = part.pop(key)


def _docs(model: type) -> Iterator[tuple[str, str]]:
    """Yield the fields of a class that have a docstring, each with its text."""
    if not model.__module__.startswith(f"{__package__.partition('.')[0]}."):
        return
    (tree,) = ast.parse(dedent(inspect.getsource(model))).body
    lines = tree.body if isinstance(tree, ast.ClassDef) else []
    for line, below in pairwise(lines):
        if isinstance(line, ast.AnnAssign) and isinstance(below, ast.Expr):
            match line.target, below.value:
                case ast.Name(name), ast.Constant(str(text)):
                    yield name, inspect.cleandoc(text)
                case _:
                    pass


def _as_written_by_hand(schema: Any) -> Any:  # noqa: ANN401  (any part of a schema)
    """Let `yes`, `no` and `none` stand where our reader takes them.

    Editors read YAML by its newest standard, in which these are texts.
    """
    if isinstance(schema, list):
        return [_as_written_by_hand(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kind = schema.get("type")
    rest = {key: each for key, each in schema.items() if key != "type"}
    if kind == "boolean":
        return {"enum": [True, False, "yes", "no"], **rest}
    if kind == "null":
        return {"enum": [None, "none"], **rest}
    return {key: _as_written_by_hand(each) for key, each in schema.items()}
