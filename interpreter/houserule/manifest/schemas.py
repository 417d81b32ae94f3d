"""JSON Schemas of the YAML files, for editors and other tools.

They are made from the models and checked in under `schemas/`; a test holds the two
together. Other packages' models are named here and loaded only when asked for.
"""

from __future__ import annotations

import json
from importlib import import_module
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
    "record": "houserule.record.model:RecordLine",
    "diagnostic": "houserule.diagnostics.report:DiagnosticReport",
    "simulation": "houserule.simulate.statistics.summary:Simulation",
    "comparison": "houserule.simulate.comparison:Comparison",
    "diagram": "houserule.diagram.report:DiagramReport",
    "layout": "houserule.compiled.memory.published:StateLayout",
}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text(name: str) -> str:
    """Return the JSON Schema of a kind of file, as it is checked in.

    Raises:
        KeyError: there is no such kind of file.
    """
    schema = _as_written_by_hand(_model(name).model_json_schema(by_alias=True))
    whole = {"$schema": DIALECT, "$id": f"{name}.json", **schema}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _model(name: str) -> type[BaseModel]:
    module, _, attribute = SCHEMAS[name].partition(":")
    model = getattr(import_module(module), attribute)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise TypeError(f"{SCHEMAS[name]} is no model")
    return model


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
