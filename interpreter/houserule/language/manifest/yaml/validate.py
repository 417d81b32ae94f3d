"""Validate plain data as pydantic models; every misfit is a placed diagnostic."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from pydantic import BaseModel, ValidationError

from houserule.base.diagnostics.characters import advice_on
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    MessageCode,
    fault,
    in_reading_order,
)
from houserule.base.diagnostics.wording import did_you_mean, listed, nearest
from houserule.language.manifest.kinds.kinds import named_schema, schema_of
from houserule.language.manifest.messages import E032, E033
from houserule.language.manifest.yaml.document import (
    WHOLE,
    WORDS,
    Data,
    Document,
    KeyPath,
)

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

COMMA = "put a text with a comma into quotes: in braces, a comma ends it"
NAMES = re.compile(r"[a-z][a-z0-9_./-]*( +[a-z][a-z0-9_./-]*)+")  # or files
MODEL = TypeVar("MODEL", bound=BaseModel)

WANTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "bool_parsing": "yes or no",
    "string_type": "a text",
    "string_unicode": "a text of whole characters",
    "bool_type": "yes or no",
    "none_required": "none",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a block of `key: value` lines",
    "model_type": "a block of `key: value` lines",
    "model_attributes_type": "a block of `key: value` lines",
    "mapping_type": "a block of `key: value` lines",
    "string_too_short": "a text that is not empty",
    "string_too_long": "a shorter text",
    "too_short": "a list of at least {min_length}",
    "too_long": "a list of at most {max_length}",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "greater_than": "more than {gt}",
    "less_than": "less than {lt}",
}


# Words for keys, where the nearest spelling is another key.
MEANT_KEYS = {"seats": "players", "variants": "with", "options": "set"}


def validate(
    document: Document, model: type[MODEL], at: KeyPath = ()
) -> tuple[MODEL | None, list[Diagnostic]]:
    """Validate the data of a document, or a part of it, as a model.

    Args:
        at: the path of the part to read; `()` is the whole.

    Returns:
        The model, or `None` if the data does not fit; and the errors: E031 unknown
        key, E032 wrong value, E033 missing key.

    Raises:
        KeyError: there is nothing at this path.
    """
    data = document.at(*at)
    if data is None:
        span = document.head(*at)
        held = _held_to(document, model)
        return None, [fault(E033, "there is nothing in here", span, details=held)]
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        details = error.errors(include_url=False)
        faults = _Misfits(document, model, at).all(details)
        return None, in_reading_order(faults)


@dataclass(frozen=True)
class _Misfit:
    """An error from pydantic, with its path in the data.

    `union` is the path of a value that may have several types, and `tag` the type that
    this error is about; without such a value they are `None` and ''.
    """

    detail: ErrorDetails
    path: KeyPath
    union: KeyPath | None
    tag: str

    @property
    def shallow(self) -> bool:
        """Whether the value has the wrong kind for this type."""
        kind = self.detail["type"]
        return self.path == self.union and kind not in ("missing", "extra_forbidden")


def _meant(misfits: list[_Misfit]) -> Iterator[_Misfit]:
    """Keep only the errors for the intended type of each value with several types.

    That is the type of the right kind with the fewest errors; if no type has the right
    kind, all errors are kept.
    """
    unions: dict[KeyPath, dict[str, list[_Misfit]]] = defaultdict(dict)
    for each in misfits:
        if each.union is None:
            yield each
        else:
            unions[each.union].setdefault(each.tag, []).append(each)
    for tags in unions.values():
        near = [found for found in tags.values() if not found[0].shallow]
        best = [min(near, key=len)] if near else tags.values()
        for found in best:
            yield from found


E031 = MessageCode("E031", "unknown key")
"""A YAML file has a key that does not exist.

**Why.** No key is ever silently ignored, so a misspelt one cannot pass unnoticed.

**For example**

```text
titel: Pig      # `title`
```

**Fix.** Use the nearest key; the message lists the possible ones, and names the schema.
[An editor](../editors.md) offers them while you write.
"""


def _about_the_tag(detail: ErrorDetails) -> ErrorDetails:
    """Return an error of a block whose kind one key says as an error of that key."""
    context: dict[str, Any] = detail.get("ctx", {})
    key = str(context.get("discriminator", "")).rpartition(" ")[2].strip("'")
    loc, value = (*detail["loc"], key), detail["input"]
    match detail["type"]:
        case "union_tag_invalid":
            expected = str(context["expected_tags"])
            tag = {"type": "literal_error", "ctx": {"expected": expected}}
            said = {**tag, "loc": loc, "input": value[key]}
            return cast("ErrorDetails", {**detail, **said})
        case "union_tag_not_found":
            return cast("ErrorDetails", {**detail, "type": "missing", "loc": loc})
        case _:
            return detail


class _Misfits:
    """Turns pydantic's errors into diagnostics about one document."""

    def __init__(self, document: Document, model: type[BaseModel], at: KeyPath) -> None:
        self.document = document
        self.model = model
        self.at = at
        self.held = _held_to(document, model)

    def all(self, details: Iterable[ErrorDetails]) -> Iterator[Diagnostic]:
        """Yield one diagnostic for each place and kind of error."""
        wrong: dict[KeyPath, list[ErrorDetails]] = defaultdict(list)
        untagged = map(_about_the_tag, details)
        misfits = list(_meant([self._misfit(detail) for detail in untagged]))
        unknown = [e.path for e in misfits if e.detail["type"] == "extra_forbidden"]
        misspelt = {
            (*path[:-1], nearest(str(path[-1]), self._keys(path[:-1])))
            for path in unknown
        }
        for each in misfits:
            match each.detail["type"]:
                case "extra_forbidden":
                    key = str(each.path[-1])
                    known = self._keys(each.path[:-1])
                    possible = (f"Possible here: {listed(known)}.",) if known else ()
                    meant = MEANT_KEYS.get(key)
                    near = f"did you mean `{meant}`?" if meant in known else ""
                    yield fault(
                        E031,
                        f"there is no key `{key}` here",
                        self.document.key_span(*each.path),
                        near or did_you_mean(key, known),
                        details=(*self._elsewhere(key), *possible, *self.held),
                    )
                case "missing":
                    key = str(each.detail["loc"][-1])
                    if (*each.path, key) not in misspelt:
                        place = self.document.head(*each.path)
                        message = f"`{key}:` is missing here"
                        yield fault(E033, message, place, details=self.held)
                case _:
                    wrong[each.path].append(each.detail)
        for path, found in wrong.items():
            value = self.document.at(*path)
            right = listed(dict.fromkeys(filter(None, map(wanted, found))), "or")
            about_key = any("[key]" in each["loc"] for each in found)
            if about_key:
                place = self.document.key_span(*path)
            elif isinstance(value, dict | list):
                place = self.document.head(*path)
            else:
                place = self.document.span(*path)
            literals = (
                get_args(each)
                for each in self._types(path[len(self.at) :])
                if get_origin(each) is Literal
            )
            words = [str(word) for each in literals for word in each]
            label = did_you_mean(value, words) if isinstance(value, str) else ""
            # A key without a colon: in braces, commas split a text.
            at = self.document.key_spans.get(path) if value is None else None
            cut = at is not None and self.document.source.line(at.end_line)[
                at.end_column - 1 :
            ].lstrip().startswith((",", "}"))
            fixes: tuple[str, ...] = (
                (COMMA,) if cut else tuple(self._rewritten(path, value, found))
            )
            if value is None and about_key and ":" in str(path[-1]):
                cut, fixes = False, (str(path[-1]).replace(":", ": ", 1),)
            written = self._written(path)
            quoted = fixes and not cut and written[:1] in {"'", '"'}
            subject = f"{_named(path)} is {f'`{written}`' if quoted else shown(value)}"
            if about_key:
                subject = f"`{path[-1]}` cannot be a key here"
            label = label or (advice_on(value) if isinstance(value, str) else "")
            message = f"{subject}; it must be {right}"
            yield fault(E032, message, place, label, details=self.held, fixes=fixes)

    def _misfit(self, detail: ErrorDetails) -> _Misfit:
        """Split a location into steps through the data and names of types.

        If a value may have several types, pydantic inserts the name of the type.
        """
        loc = detail["loc"][:-1] if detail["type"] == "missing" else detail["loc"]
        path, union = self.at, None
        tag = ""
        for step in loc:
            data = self.document.at(*path)
            if (isinstance(data, dict) and step in data) or (
                isinstance(data, list) and isinstance(step, int) and step < len(data)
            ):
                path = (*path, step)
            elif union is None and step != "[key]":
                union, tag = path, str(step)
        return _Misfit(detail, path, union, tag)

    def _written(self, path: KeyPath) -> str:
        """Return a value with its quotes as in the file; '' for several lines."""
        span = self.document.span(*path)
        line = self.document.source.line(span.line)
        one = span.line == span.end_line
        return line[span.column - 1 : span.end_column - 1] if one else ""

    def _rewritten(
        self, path: KeyPath, value: Data, found: list[ErrorDetails]
    ) -> Iterator[str]:
        """Yield a value with other quotes or in a list, if that makes it fit."""
        kinds, written = {each["type"] for each in found}, self._written(path)
        before = f"{path[-1]}: " if path and isinstance(path[-1], str) else ""
        if isinstance(value, bool | int | float) and "string_type" in kinds:
            yield f'{before}"{written}"'
        elif isinstance(value, str) and (
            (kinds & {"int_type", "float_type"} and WHOLE.fullmatch(value))
            or ("bool_type" in kinds and isinstance(WORDS.get(value), bool))
        ):
            yield f"{before}{value}"
        elif written and isinstance(value, str) and "list_type" in kinds:
            members = (
                inner
                for each in self._types(path[len(self.at) :])
                if get_origin(each) is list
                for inner in _choices(get_args(each)[0])
            )
            if str in members:
                if NAMES.fullmatch(written):
                    written = ", ".join(written.split())
                yield f"{before}[{written}]"

    def _keys(self, path: KeyPath) -> list[str]:
        """Return the keys that the models at a path know."""
        keys: dict[str, None] = {}
        for each in self._types(path[len(self.at) :]):
            if isinstance(each, type) and issubclass(each, BaseModel):
                for name, info in each.model_fields.items():
                    keys[info.alias or name] = None
        return list(keys)

    def _elsewhere(self, key: str) -> Iterator[str]:
        """Yield where else the schema has a key: its nearest place to the top."""
        level: list[tuple[tuple[str, ...], object]] = [((), self.model)]
        known, found = set[object](), list[str]()
        while level and not found:
            below: list[tuple[tuple[str, ...], object]] = []
            for path, type_ in level:
                if get_origin(type_) in (dict, list):
                    inner = get_args(type_)[-1]
                    step = "-" if get_origin(type_) is list else "NAME:"
                    below += [((*path, step), each) for each in _choices(inner)]
                if not isinstance(type_, type) or not issubclass(type_, BaseModel):
                    continue
                if type_ in known:
                    continue
                known.add(type_)
                for name, info in type_.model_fields.items():
                    under = (*path, f"{info.alias or name}:")
                    if (info.alias or name) == key:
                        found.append(f"`{' '.join(under)}`")
                    below += [(under, each) for each in _choices(info.annotation)]
            level = below
        if found:
            yield f"That key belongs in another place: {listed(found[:3], 'or')}."

    def _types(self, path: KeyPath) -> list[object]:
        """Return the possible types of the value at a path."""
        types = list(_choices(self.model))
        for step in path:
            types = [
                leaf
                for each in types
                for inner in _inside(each, step)
                for leaf in _choices(inner)
            ]
        return types


def _held_to(document: Document, model: type[BaseModel]) -> tuple[str, ...]:
    """Name the schema that the document violates, and say whether editors show it."""
    schema = schema_of(model)
    if schema is None:
        return ()
    said = f"By the schema `{schema}`, which  houserule schema {schema}  prints."
    if schema != "appendix" and named_schema(document.source) is None:
        said += " The file names no schema, so editors do not show this."
    return (said,)


def shown(value: Data) -> str:
    """Return a value as an author would write it, cut short."""
    match value:
        case None:
            return "empty"
        case bool():
            return "yes" if value else "no"
        case dict():
            return "a block"
        case []:
            return "an empty list"
        case list():
            return "a list"
        case str():
            return f"`{value if len(value) <= 40 else value[:37] + '…'}`"
        case _:
            return str(value)


def wanted(detail: ErrorDetails) -> str:
    """Describe a valid value, in words that follow "it must be"."""
    context: dict[str, Any] = detail.get("ctx", {})
    kind = detail["type"]
    if kind in WANTED:
        return WANTED[kind].format(**context)
    if kind in ("literal_error", "enum"):
        return str(context["expected"]).replace("'", "`")
    if kind == "value_error":
        return str(context["error"])
    if kind == "string_pattern_mismatch":
        return f"a text of the form {context['pattern']}"
    return "of another kind"


def _named(path: KeyPath) -> str:
    """Return the name of the value at a path: its key, or its number in a list."""
    if not path:
        return "the file"
    last = path[-1]
    if isinstance(last, str):
        return f"`{last}`"
    return f"number {last + 1} of {_named(path[:-1]) if path[:-1] else 'the list'}"


def _choices(kind: object) -> Iterator[object]:
    """Yield the plain types in a type: the members of unions, without annotations."""
    if get_origin(kind) is Annotated:
        yield from _choices(get_args(kind)[0])
    elif get_origin(kind) in (Union, UnionType):
        for each in get_args(kind):
            yield from _choices(each)
    else:
        yield kind


def _inside(kind: object, step: str | int) -> Iterator[object]:
    """Yield the types of values at a key or number of a value of this type."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, info in kind.model_fields.items():
            if step in (name, info.alias):
                yield info.annotation
    elif get_origin(kind) is dict:
        yield get_args(kind)[1]
    elif get_origin(kind) is list:
        yield get_args(kind)[0]
