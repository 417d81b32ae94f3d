"""What a seat may know of a state, as plain data with names.

Sizes of zones and heaps of tokens are always seen. What is hidden stands as
`{"hidden": {...}}` with the fields that show. In a set, known things come first, in
their order; hidden ones follow, ordered by what shows, so their order tells nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

from houserule.state.determinize import chance_tags, determinise, hidden_places
from houserule.state.domains import Json, plain, printed
from houserule.state.visibility import Evaluates, Sight

if TYPE_CHECKING:
    from collections.abc import Callable

    from houserule import ir
    from houserule.state.store import Store

__all__ = ["chance_tags", "determinise", "hidden", "masked_equal", "view"]

Hidden: TypeAlias = dict[str, dict[tuple[str, int], tuple[int, ...]]]


def view(
    program: ir.Program, evaluator: Evaluates, store: Store, seat: int
) -> dict[str, Json]:
    """Return what one seat may see.

    Families with keys are dictionaries, one level a key, by the names of the keys.
    """
    sight = Sight(program, evaluator, store, seat)
    return {
        "game": program.game,
        "seat": program.labels["Player"][seat] if "Player" in program.labels else seat,
        "states": {name: _tree(sight, name, _cell) for name in program.states},
        "zones": {name: _tree(sight, name, _zone) for name in program.zones},
        "tokens": {name: _tree(sight, name, _heap) for name in store.tokens},
        "dice": {kind: _faces(sight, kind) for kind in store.faces},
    }


def hidden(
    program: ir.Program, evaluator: Evaluates, store: Store, seat: int
) -> Hidden:
    """Return the things that a seat cannot tell: by kind, then by zone and number.

    This is no view: it says which things they are.
    """
    sight = Sight(program, evaluator, store, seat)
    found: Hidden = {}
    for kind in program.components:
        zones: dict[tuple[str, int], tuple[int, ...]] = {}
        for place, thing in hidden_places(sight, kind).items():
            at = (place.zone, place.index)
            zones[at] = (*zones.get(at, ()), thing)
        if zones:
            found[kind] = zones
    return found


def masked_equal(
    program: ir.Program, evaluator: Evaluates, one: Store, other: Store, seat: int
) -> bool:
    """Say whether two states look the same to a seat."""
    return view(program, evaluator, one, seat) == view(program, evaluator, other, seat)


def _tree(sight: Sight, name: str, leaf: Callable[[Sight, str, int], Json]) -> Json:
    family, labels = sight.store.layout.families[name], sight.program.labels
    if not family.axes:
        return leaf(sight, name, 0)
    tree: dict[str, Json] = {}
    for index in range(family.count):
        inner = tree
        *path, last = [
            printed(key, axis.type, labels)
            for key, axis in zip(family.keys(index), family.axes, strict=True)
        ]
        for word in path:
            below = inner.setdefault(word, {})
            assert isinstance(below, dict)
            inner = below
        inner[last] = leaf(sight, name, index)
    return tree


def _heap(sight: Sight, slot: str, index: int) -> Json:
    return sight.store.tokens[slot][index]


def _cell(sight: Sight, state: str, index: int) -> Json:
    if not sight.cell(state, index):
        return {"hidden": {}}
    value = sight.store.cells[state][index]
    return plain(value, sight.program.states[state].type, sight.program.labels)


def _zone(sight: Sight, zone: str, index: int) -> Json:
    plan = sight.program.zones[zone]
    things = sight.store.zones[zone][index]
    shown = [_thing(sight, zone, thing) for thing in things]
    if plan.kind != "pile":
        names = [each for each in shown if isinstance(each, str)]
        rest = [each for each in shown if not isinstance(each, str)]
        shown = [*names, *sorted(rest, key=_in_order)]
    return {"size": len(things), "things": shown}


def _in_order(thing: Json) -> str:
    return json.dumps(thing, sort_keys=True)


def _thing(sight: Sight, zone: str, thing: int) -> Json:
    kind = sight.store.layout.members[zone]
    component = sight.program.components[kind]
    if sight.thing(kind, thing):
        return component.labels[thing]
    fields: dict[str, Json] = {
        name: plain(value, component.fields[name][0], sight.program.labels)
        for name, value in sight.shown(zone, thing)
    }
    return {"hidden": fields}


def _faces(sight: Sight, kind: str) -> Json:
    labels = sight.program.components[kind].labels
    return {
        labels[die]: face if sight.face(kind, die) else {"hidden": {}}
        for die, face in enumerate(sight.store.faces[kind])
    }
