"""State model: the pydantic model of a program's state, with the ranges of its types.

It has the shape of `Store.to_data`: cells, zones, tokens, faces, known, streams, each
with a field for every family, a list with one entry a member. Besides types and
lengths it checks what types cannot say: a thing lies once, no token is lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Annotated, Any, TypeAlias, assert_never, cast
from weakref import WeakKeyDictionary

from pydantic import BaseModel, Field, ValidationError, create_model, model_validator
from pydantic_core import PydanticCustomError

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


def validate_store(store: Store) -> None:
    """Hold a store against the model of its program.

    Raises:
        RuleFault: F01, a value is outside its range; F05, anything else is broken: a
            thing in two places, a token lost, an overfull zone. The message names it.
    """
    layout = store.layout
    found = _ranges.get(layout)
    if found is None:
        found = _ranges[layout] = _parts_model(layout), _invariants(layout)
    model, check = found
    parts = {part: getattr(store, part) for part in PARTS}
    try:
        model.__pydantic_validator__.validate_python(parts)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place, what = first["loc"], first["msg"][0].lower() + first["msg"][1:]
        title = ".".join(str(each) for each in place)
        if len(place) > 2 and isinstance(place[2], int):
            is_thing = place[0] in {"faces", "known"}
            naming = layout.thing if is_thing else layout.title
            title = naming(str(place[1]), place[2])
        code = F05 if first["type"] in _MISSHAPEN else F01
        message = f"`{title}` is {first['input']}: {what}."
        raise RuleFault(code, message) from None
    for sentence in check(parts):
        raise RuleFault(F05, sentence)


_ranges: WeakKeyDictionary[Layout, tuple[type[Strict], Check]] = WeakKeyDictionary()
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
    check = _invariants(layout)
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
        for sentence in check(parts):
            raise PydanticCustomError("not_whole", "{said}", {"said": sentence})
        return state

    validators: dict[str, Any] = {"whole": model_validator(mode="after")(whole)}
    base = _parts_model(layout)
    return create_model("State", __base__=base, __validators__=validators)


@frozen
class _Room:
    """The contents of a zone: things of a kind, with a maximum."""

    member: Kind
    most: int


Row: TypeAlias = tuple[str, Type | _Room, int]  # a name, of what, and how many


def _parts_model(layout: Layout) -> type[Strict]:
    """Return the model of a state's parts, by which each value is in its range."""
    program, families = layout.program, layout.families
    zones: list[Row] = []
    for name, zone in program.zones.items():
        most, size = 1 if zone.kind == "slot" else zone.at_most, zone.member.size
        room = _Room(zone.member, size if most is None else min(most, size))
        zones.append((name, room, families[name].count))
    anybody = Whole(0, (1 << program.seats) - 1)
    rows: dict[str, list[Row]] = {
        "cells": [
            (name, state.type, families[name].count)
            for name, state in program.states.items()
        ],
        "zones": zones,
        "tokens": [
            (slot, Whole(0, tokens.amount), families[slot].count)
            for tokens in program.tokens.values()
            for slot in tokens.slots
        ],
        "faces": [
            (kind, Whole(min(faces), max(faces)), layout.components[kind])
            for kind, faces in layout.faces.items()
        ],
        "known": [(kind, anybody, size) for kind, size in layout.components.items()],
    }
    fields: dict[str, Any] = {
        part: (_part_of(part.capitalize(), tuple(each)), ...)
        for part, each in rows.items()
    }
    fields["streams"] = (dict[str, _STREAM], ...)
    return create_model("State", __base__=Strict, **fields)


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
        every = list[inner]  # type: ignore[valid-type]  # pydantic takes it for one
        fields[f"family_{number}"] = (Annotated[every, length], ...)
    return create_model(title, __base__=Strict, **fields)


# ---- invariants

Families: TypeAlias = Mapping[str, Sequence[Data]]
Parts: TypeAlias = Mapping[str, Families]
Check: TypeAlias = Callable[[Parts], Iterator[str]]  # a sentence for each breach


def _invariants(layout: Layout) -> Check:
    """Return the check of what types cannot say of a layout's states."""
    program = layout.program
    ascending = [
        (name, fits(state.type))
        for name, state in program.states.items()
        if isinstance(state.type, Set | Maybe)
    ]
    zones: dict[str, list[str]] = {}
    for zone, kind in layout.members.items():
        zones.setdefault(kind, []).append(zone)
    groups = {
        name: token_groups(tokens, layout.families)
        for name, tokens in program.tokens.items()
    }

    def check(parts: Parts) -> Iterator[str]:
        for name, test in ascending:
            for index, value in enumerate(parts["cells"][name]):
                if not test(value):
                    title = layout.title(name, index)
                    yield f"`{title}` is {value}: a set ascends, without repeats."
        for kind, names in zones.items():
            families = [cast("list[tuple[int, ...]]", parts["zones"][n]) for n in names]
            lying = list(chain.from_iterable(chain.from_iterable(families)))
            if len(set(lying)) < len(lying):
                twice = min(thing for thing in lying if lying.count(thing) > 1)
                yield f"`{layout.thing(kind, twice)}` lies in two places."
            for name, places in zip(names, families, strict=True):
                if program.zones[name].kind != "set":
                    continue
                for index, things in enumerate(places):
                    if len(things) > 1 and list(things) != sorted(things):
                        yield f"`{layout.title(name, index)}` does not ascend by id."
        for kind, faces in layout.faces.items():
            for die, face in enumerate(parts["faces"][kind]):
                if face not in faces:
                    yield f"The die `{layout.thing(kind, die)}` has no face {face}."
        heaps = cast("Mapping[str, list[int]]", parts["tokens"])
        for name, tokens in program.tokens.items():
            for number, group in enumerate(groups[name]):
                count = 0
                for slot, index in group:
                    count += heaps[slot][index]
                if count != tokens.amount:
                    title = layout.owners[name].title(number, program.labels)
                    yield f"There are {count} of `{title}`, not {tokens.amount}."

    return check
