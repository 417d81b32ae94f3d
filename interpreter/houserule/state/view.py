"""Views: what a seat may know of a state, as plain data with names.

Sizes of zones and heaps of tokens are always seen. What is hidden stands as
`{"hidden": {...}}` with the fields that show. In a set, known things come first, in
their order; hidden ones follow, ordered by what shows, so that the order gives nothing
away.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from houserule.state.domains import Json, plain, printed
from houserule.state.visibility import Evaluates, Visibility

if TYPE_CHECKING:
    from collections.abc import Callable

    from houserule import ir
    from houserule.state.store import Store


def view(
    program: ir.Program, evaluator: Evaluates, store: Store, seat: int
) -> dict[str, Json]:
    """Return what one seat may see.

    Families with keys are dictionaries, one level a key, by the names of the keys.
    """
    visibility = Visibility(program, evaluator, store, seat)
    return {
        "game": program.game,
        "seat": program.labels["Player"][seat] if "Player" in program.labels else seat,
        "states": {name: _tree(visibility, name, _cell) for name in program.states},
        "zones": {name: _tree(visibility, name, _zone) for name in program.zones},
        "tokens": {name: _tree(visibility, name, _heap) for name in store.tokens},
        "dice": {kind: _faces(visibility, kind) for kind in store.faces},
    }


def _tree(
    visibility: Visibility, name: str, leaf: Callable[[Visibility, str, int], Json]
) -> Json:
    family, labels = visibility.store.layout.families[name], visibility.program.labels
    if not family.axes:
        return leaf(visibility, name, 0)
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
        inner[last] = leaf(visibility, name, index)
    return tree


def _heap(visibility: Visibility, slot: str, index: int) -> Json:
    return visibility.store.tokens[slot][index]


def _cell(visibility: Visibility, state: str, index: int) -> Json:
    if not visibility.cell(state, index):
        return {"hidden": {}}
    value = visibility.store.cells[state][index]
    return plain(
        value, visibility.program.states[state].type, visibility.program.labels
    )


def _zone(visibility: Visibility, zone: str, index: int) -> Json:
    plan = visibility.program.zones[zone]
    things = visibility.store.zones[zone][index]
    shown = [_thing(visibility, zone, thing) for thing in things]
    if plan.kind != "pile":
        names = [each for each in shown if isinstance(each, str)]
        rest = [each for each in shown if not isinstance(each, str)]
        shown = [*names, *sorted(rest, key=_in_order)]
    return {"size": len(things), "things": shown}


def _in_order(thing: Json) -> str:
    return json.dumps(thing, sort_keys=True)


def _thing(visibility: Visibility, zone: str, thing: int) -> Json:
    kind = visibility.store.layout.members[zone]
    component = visibility.program.components[kind]
    if visibility.thing(kind, thing):
        return component.labels[thing]
    fields: dict[str, Json] = {
        name: plain(value, component.fields[name][0], visibility.program.labels)
        for name, value in visibility.shown(zone, thing)
    }
    return {"hidden": fields}


def _faces(visibility: Visibility, kind: str) -> Json:
    labels = visibility.program.components[kind].labels
    return {
        labels[die]: face if visibility.face(kind, die) else {"hidden": {}}
        for die, face in enumerate(visibility.store.faces[kind])
    }
