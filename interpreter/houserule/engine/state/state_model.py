"""State model: the pydantic model of a program's state, with the ranges of its types.

It has the shape of `Store.to_data`: cells, zones, tokens, faces, known, streams, each
with a field for every family, a list with one entry a member. Besides types and
lengths it checks what types cannot say: a thing lies once, no token is lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Annotated, Any, TypeAlias, assert_never, cast
from weakref import WeakKeyDictionary

from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from houserule import ir
from houserule.base.frozen import frozen
from houserule.base.plain import Strict
from houserule.engine.state.domains import Json, fits
from houserule.engine.state.faults import F01, F05, RuleFault
from houserule.engine.state.layout import Layout, token_groups
from houserule.engine.state.store import PARTS, Store
from houserule.ir.types import (
    Data,
    Flag,
    Kind,
    Maybe,
    Position,
    Set,
    Type,
    Whole,
    members,
)

Annotation: TypeAlias = Any  # what pydantic takes for a type

_STREAM = Annotated[int, Field(ge=0, lt=1 << 64)]
_NOT_WHOLE = "not_whole"
_MISSHAPEN = frozenset({"missing", "extra_forbidden", "too_long", "too_short"})


def state_model(program: ir.Program) -> type[BaseModel]:
    """Return the model of a program's state.

    Its `model_validate_json` reads what `Store.to_data` gives, written as JSON; its
    JSON Schema has the names and ranges.
    """
    return _model(Layout(program))


def load_store(layout: Layout, data: Mapping[str, Json]) -> Store:
    """Return the store of some data from outside.

    Raises:
        ValueError: the data is not a state of this program; the message names the
        place.
    """
    checked(layout).model_validate_json(json.dumps(data))
    return Store.from_data(layout, data)


def validate_store(program: ir.Program, store: Store) -> None:
    """Hold a store against the model of its program.

    Raises:
        RuleFault: F01, a value is outside its range; F05, anything else is broken: a
            thing in two places, a token lost, an overfull zone. The message names it.
    """
    layout = store.layout
    found = _ranges.get(layout)
    if found is None:
        found = _ranges[layout] = _parts_model(layout), invariants(layout)
    model, tests = found
    parts = {part: getattr(store, part) for part in PARTS}
    try:
        model.__pydantic_validator__.validate_python(parts)
    except ValidationError as error:
        raise _fault(layout, error.errors(include_url=False)[0]) from None
    for sentence in _breaches(tests, parts):
        raise RuleFault(F05, sentence)


_ranges: WeakKeyDictionary[Layout, tuple[type[Strict], list[Check]]] = (
    WeakKeyDictionary()
)
_models: WeakKeyDictionary[Layout, type[Strict]] = WeakKeyDictionary()


def checked(layout: Layout) -> type[Strict]:
    """Return the model of a layout, built once."""
    found = _models.get(layout)
    if found is None:
        found = _models[layout] = _model(layout)
    return found


# ---- building


def annotation(type_: Type) -> Annotation:
    """Return the pydantic type of a value: in range, sets as tuples."""
    match type_:
        case Whole(low, high):
            return Annotated[int, Field(ge=low, le=high)]
        case Kind(size=size):
            return Annotated[int, Field(ge=0, le=size - 1)]
        case Flag():
            return bool
        case Maybe(inner):
            return annotation(inner) | None
        case Set(member, part):
            return _row(annotation(member), int(part), len(members(member)))
        case Position():
            place, end = Field(ge=0), Field(ge=0, le=1)
            return tuple[Annotated[int, place], Annotated[int, end]]
        case _:
            assert_never(type_)


def _row(inner: Annotation, low: int, high: int) -> Annotation:
    return Annotated[tuple[inner, ...], Field(min_length=low, max_length=high)]


def _model(layout: Layout) -> type[Strict]:
    validators: dict[str, Any] = {
        "whole": model_validator(mode="after")(_whole(layout))
    }
    base = _parts_model(layout)
    return create_model("State", __base__=base, __validators__=validators)


def _parts_model(layout: Layout) -> type[Strict]:
    """Return the model of a state's parts, by which each value is in its range."""
    return create_model(
        "State",
        __base__=Strict,
        cells=(_part("Cells", _cells(layout)), ...),
        zones=(_part("Zones", _zones(layout)), ...),
        tokens=(_part("Tokens", _tokens(layout)), ...),
        faces=(_part("Faces", _faces(layout)), ...),
        known=(_part("Known", _known(layout)), ...),
        streams=(dict[str, _STREAM], ...),
    )


@frozen
class _Room:
    """The contents of a zone: things of a kind, with a maximum."""

    member: Kind
    most: int


Row: TypeAlias = tuple[str, Type | _Room, int]  # a name, of what, and how many


def _cells(layout: Layout) -> Iterator[Row]:
    for name, state in layout.program.states.items():
        yield name, state.type, layout.families[name].count


def _zones(layout: Layout) -> Iterator[Row]:
    for name, zone in layout.program.zones.items():
        most, size = 1 if zone.kind == "slot" else zone.at_most, zone.member.size
        room = _Room(zone.member, size if most is None else min(most, size))
        yield name, room, layout.families[name].count


def _tokens(layout: Layout) -> Iterator[Row]:
    for tokens in layout.program.tokens.values():
        for slot in tokens.slots:
            yield slot, Whole(0, tokens.amount), layout.families[slot].count


def _faces(layout: Layout) -> Iterator[Row]:
    for kind, faces in layout.faces.items():
        yield kind, Whole(min(faces), max(faces)), layout.components[kind]


def _known(layout: Layout) -> Iterator[Row]:
    for kind, size in layout.components.items():
        yield kind, Whole(0, (1 << layout.program.seats) - 1), size


def _part(title: str, rows: Iterable[Row]) -> type[Strict]:
    return _part_of(title, tuple(rows))


# To build a model takes longer than to ask it a hundred times, and the tables of a game
# have most parts in common.
@lru_cache(maxsize=128)
def _part_of(title: str, rows: tuple[Row, ...]) -> type[Strict]:
    # A state may be called `copy` or `json`: its field has a name of its own.
    fields: dict[str, Any] = {}
    for number, (name, type_, count) in enumerate(rows):
        if isinstance(type_, _Room):
            inner = _row(annotation(type_.member), 0, type_.most)
        else:
            inner = annotation(type_)
        length = Field(min_length=count, max_length=count, alias=name)
        fields[f"family_{number}"] = (Annotated[_list_of(inner), length], ...)
    return create_model(title, __base__=Strict, **fields)


def _list_of(inner: Annotation) -> Annotation:
    return list[inner]


def _whole(layout: Layout) -> Callable[[Strict], Strict]:
    tests = invariants(layout)
    names = {
        "cells": tuple(layout.program.states),
        "zones": tuple(layout.program.zones),
        "tokens": tuple(layout.starts),
        "faces": tuple(layout.faces),
    }

    def whole(state: Strict) -> Strict:
        parts = {
            part: dict(
                zip(families, getattr(state, part).__dict__.values(), strict=True)
            )
            for part, families in names.items()
        }
        for sentence in _breaches(tests, parts):
            raise PydanticCustomError(_NOT_WHOLE, "{said}", {"said": sentence})
        return state

    return whole


# ---- faults


def _fault(layout: Layout, error: ErrorDetails) -> RuleFault:
    if error["type"] == _NOT_WHOLE:
        return RuleFault(F05, error["msg"])
    place = error["loc"]
    title = ".".join(str(each) for each in place)
    if len(place) > 2 and isinstance(place[2], int):
        title = _title(layout, str(place[0]), str(place[1]), place[2])
    what = error["msg"][0].lower() + error["msg"][1:]
    message = f"`{title}` is {error['input']}: {what}."
    return RuleFault(F05 if error["type"] in _MISSHAPEN else F01, message)


def _title(layout: Layout, part: str, name: str, number: int) -> str:
    if part in {"faces", "known"}:
        return layout.thing(name, number)
    return layout.title(name, number)


# ---- invariants

Families: TypeAlias = Mapping[str, Sequence[Data]]
Parts: TypeAlias = Mapping[str, Families]
Check: TypeAlias = Callable[[Parts], Iterator[str]]  # a sentence for each breach


def _breaches(tests: Iterable[Check], parts: Parts) -> Iterator[str]:
    return chain.from_iterable(test(parts) for test in tests)


def invariants(layout: Layout) -> list[Check]:
    """Return the checks of a layout's states; those with nothing to do are left out."""
    found: list[Check] = []
    sets = [
        name
        for name, state in layout.program.states.items()
        if isinstance(state.type, Set | Maybe)
    ]
    if sets:
        found.append(_ascending(layout, sets))
    if layout.members:
        found.append(_one_place(layout))
    if layout.faces:
        found.append(_possible_faces(layout))
    found += [
        _conserved(layout, tokens.name) for tokens in layout.program.tokens.values()
    ]
    return found


def _ascending(layout: Layout, states: Sequence[str]) -> Check:
    tests = [(name, fits(layout.program.states[name].type)) for name in states]

    def check(parts: Parts) -> Iterator[str]:
        for name, test in tests:
            for index, value in enumerate(parts["cells"][name]):
                if not test(value):
                    title = layout.title(name, index)
                    yield f"`{title}` is {value}: a set ascends, without repeats."

    return check


def _one_place(layout: Layout) -> Check:
    zones: dict[str, list[str]] = {}
    for zone, kind in layout.members.items():
        zones.setdefault(kind, []).append(zone)

    def check(parts: Parts) -> Iterator[str]:
        for kind, names in zones.items():
            families = [cast("list[tuple[int, ...]]", parts["zones"][n]) for n in names]
            lying = list(chain.from_iterable(chain.from_iterable(families)))
            if len(set(lying)) < len(lying):
                twice = min(thing for thing in lying if lying.count(thing) > 1)
                yield f"`{layout.thing(kind, twice)}` lies in two places."
            yield from _sorted_zones(layout, zip(names, families, strict=True))

    return check


def _sorted_zones(
    layout: Layout, families: Iterator[tuple[str, list[tuple[int, ...]]]]
) -> Iterator[str]:
    for name, zones in families:
        if layout.program.zones[name].kind != "set":
            continue
        for index, things in enumerate(zones):
            if len(things) > 1 and list(things) != sorted(things):
                yield f"`{layout.title(name, index)}` does not ascend by id."


def _possible_faces(layout: Layout) -> Check:
    def check(parts: Parts) -> Iterator[str]:
        for kind, faces in layout.faces.items():
            for die, face in enumerate(parts["faces"][kind]):
                if face not in faces:
                    yield f"The die `{layout.thing(kind, die)}` has no face {face}."

    return check


def _conserved(layout: Layout, family: str) -> Check:
    tokens = layout.program.tokens[family]
    groups = token_groups(tokens, layout.families)

    def check(parts: Parts) -> Iterator[str]:
        heaps = cast("Mapping[str, list[int]]", parts["tokens"])
        for number, group in enumerate(groups):
            count = 0
            for slot, index in group:
                count += heaps[slot][index]
            if count != tokens.amount:
                title = family_title(layout, family, number)
                yield f"There are {count} of `{title}`, not {tokens.amount}."

    return check


def family_title(layout: Layout, family: str, number: int) -> str:
    """Return how one key of a token family is written."""
    return layout.owners[family].title(number, layout.program.labels)
