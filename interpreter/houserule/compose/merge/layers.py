"""Layers of a value: those of its declaration in order, new ones where they say.

Layers of one operation commute, so the order between them does not matter. Where it
matters and nothing says it, that is E209.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from houserule.compose.merge import order_messages as messages
from houserule.compose.merge.messages import Party
from houserule.compose.merge.order import closed
from houserule.syntax import tree

if TYPE_CHECKING:
    from houserule.compose.merge.draft import Draft, Entry
    from houserule.compose.merge.order import Edges


def layers_of(draft: Draft, value: str) -> tuple[tree.ValueLayer, ...]:
    """Return the layers of a value from top to bottom, removed ones left out."""
    entries = {_name(each): each for each in draft.under(value, "layer")}
    if not entries:
        return ()
    edges = closed(_edges(draft, value))
    circle = sorted(name for name in entries if (name, name) in edges)
    if circle:
        parties = [_party(entries[name]) for name in circle]
        draft.found.append(messages.layers_in_a_circle(value, circle, parties))
        return ()
    _check_commute(draft, value, entries, edges)
    return tuple(_layer(entries[name]) for name in _in_order(entries, edges))


def _edges(draft: Draft, value: str) -> Edges:
    """Return which layer comes before which; removed ones still hold others apart."""
    found: set[tuple[str, str]] = set()
    every = [*draft.entries.values(), *draft.gone.values()]
    layers = [each for each in every if each.owner == value and each.kind == "layer"]
    own = sorted((e for e in layers if _is_own(e)), key=lambda each: each.rank)
    found |= {(_name(a), _name(b)) for a, b in combinations(own, 2)}
    for each in layers:
        if isinstance(each.node, tree.Layer):
            name, after, before = _name(each), each.node.after, each.node.before
            found |= {(after.text, name)} if after else set()
            found |= {(name, before.text)} if before else set()
    return frozenset(found)


def _is_own(entry: Entry) -> bool:
    return isinstance(entry.node, tree.ValueLayer)


def _name(entry: Entry) -> str:
    return entry.address.rpartition(".")[2]


def _party(entry: Entry) -> Party:
    return Party(entry.origins[0], entry.span)


def _layer(entry: Entry) -> tree.ValueLayer:
    node = entry.node
    if isinstance(node, tree.ValueLayer):
        return node
    assert isinstance(node, tree.Layer)
    name = tree.Word(_name(entry), span=node.name.span)
    return tree.ValueLayer(node.op, name, node.notes, span=node.span)


def _check_commute(
    draft: Draft, value: str, entries: dict[str, Entry], edges: Edges
) -> None:
    for one, other in combinations(sorted(entries), 2):
        ordered = (one, other) in edges or (other, one) in edges
        ops = [_layer(entries[name]).op for name in (one, other)]
        lost = {entries[one].address, entries[other].address} & draft.lost
        if ordered or lost or ops[0] == ops[1]:
            continue
        if _is_own(entries[other]):  # say how to place the new one
            one, other, ops = other, one, ops[::-1]
        each = [(one, ops[0]), (other, ops[1])]
        said = [(name, op, _party(entries[name])) for name, op in each]
        draft.found.append(messages.layers_without_order(value, said))


def _in_order(entries: dict[str, Entry], edges: Edges) -> list[str]:
    """Return the layers in an order that respects the edges: the first by rank."""
    waiting = sorted(entries, key=lambda name: (entries[name].rank, name))
    done: list[str] = []
    while waiting:
        free = next(
            name for name in waiting if not any((w, name) in edges for w in waiting)
        )
        waiting.remove(free)
        done.append(free)
    return done
