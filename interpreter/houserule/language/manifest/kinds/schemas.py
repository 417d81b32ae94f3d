"""JSON Schemas made of the models of all packages, each loaded on demand.

The folder `schemas/` has the checked-in copies.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from textwrap import dedent
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from houserule.language.manifest.kinds.kinds import SCHEMAS as SCHEMAS
from houserule.language.manifest.kinds.kinds import model_of

if TYPE_CHECKING:
    from pydantic_core.core_schema import DictSchema

FURTHER = "__pydantic_extra__"  # the field in which a model types its extra keys
WRAPPED = re.compile(r"(?<!\n)\n(?![\s-])")  # unwrapped, as editors show line breaks
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text(name: str) -> str:
    """Return the JSON Schema of a kind of file, as it is checked in.

    Raises:
        KeyError: there is no such kind of file.
    """
    schema = model_of(name).model_json_schema(
        by_alias=True, schema_generator=_ValidatedKeys
    )
    models = {each.__name__: each for each in _submodels(BaseModel)}
    for title, part in {**schema.get("$defs", {}), schema["title"]: schema}.items():
        if title in models and "properties" in part:
            _describe(part, models[title])
    schema = _as_written_by_hand(schema)
    whole = {"$schema": DIALECT, "$id": f"{name}.json", **schema}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


class _ValidatedKeys(GenerateJsonSchema):
    """Schemas that constrain the keys of a block.

    pydantic's own constrain the values at valid keys, and accept invalid keys.
    """

    def dict_schema(self, schema: DictSchema) -> dict[str, Any]:
        """Return the schema of a block with one type of keys and one of values."""
        found: dict[str, Any] = {"type": "object", "additionalProperties": True}
        if values := schema.get("values_schema"):
            found["additionalProperties"] = self.generate_inner(values)
        if keys := schema.get("keys_schema"):
            found |= _held_keys(self.generate_inner(keys))
        return found


def _held_keys(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema's constraint on keys; all keys are texts anyway."""
    rest = {word: held for word, held in keys.items() if word not in ("type", "title")}
    return {"propertyNames": rest} if rest else {}


def _submodels(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yield the models that are written in a module, not generated."""
    for each in model.__subclasses__():
        module = sys.modules.get(each.__module__)
        if getattr(module, each.__name__, None) is each:
            yield each
        yield from _submodels(each)


def _describe(schema: dict[str, Any], model: type[BaseModel]) -> None:
    """Add the docstrings below the fields of a model.

    pydantic could do it, but would read the source of every model at every start.
    """
    written = [each for each in reversed(model.mro()) if "[" not in each.__name__]
    docs = {name: text for each in written for name, text in _docs(each)}
    if further := get_type_hints(model, include_extras=True).get(FURTHER):
        keys = TypeAdapter(get_args(further)[0]).json_schema()
        schema |= _held_keys(keys)
    if "description" in schema:
        schema["description"] = WRAPPED.sub(" ", schema["description"])
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
                    yield name, WRAPPED.sub(" ", inspect.cleandoc(text))
                case _:
                    pass


def _as_written_by_hand(schema: Any) -> Any:  # noqa: ANN401  (any part of a schema)
    """Allow `yes`, `no` and `none` wherever our YAML reader accepts them.

    Editors read YAML 1.2, in which these are texts. They would also offer to write
    `null` where an omitted value means the same.
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
    return {
        key: _as_written_by_hand(each)
        for key, each in schema.items()
        if key != "default" or each is not None
    }
