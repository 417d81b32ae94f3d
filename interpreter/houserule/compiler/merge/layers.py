"""Layers of a value: its own in order, new ones where they declare.

Layers of one operation commute, so the order between them does not matter. If an order
matters but is not declared, it is E209.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from houserule.base.algebra.graph import in_order, successors
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import listed
from houserule.compiler.merge.messages import Speaker, all_on
from houserule.compiler.merge.order import E204, Edge, Edges, closed
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft, Entry


def layers_of(
    draft: Draft, value: str
) -> tuple[tuple[tree.ValueLayer, ...], list[Diagnostic]]:
    """Return the layers of a value from top to bottom, and the errors.

    Removed layers are omitted; they still separate others. Errors are E204 for cyclic
    layers, and E209.
    """
    entries = {_name(each): each for each in draft.under(value, "layer")}
    if not entries:
        return (), []
    edges = closed(_edges(draft, value))
    circle = sorted(name for name in entries if (name, name) in edges)
    if circle:
        parties = [_party(entries[name]) for name in circle]
        return (), [layers_in_a_circle(value, circle, parties)]
    found = list(_without_order(draft, value, entries, edges))
    ranked = sorted(entries, key=lambda name: (entries[name].rank, name))
    waits_for = successors((after, before) for before, after in edges)
    return tuple(_layer(entries[name]) for name in in_order(ranked, waits_for)), found


def anchors(node: tree.Node, name: str) -> Iterator[Edge]:
    """Yield pairs of layers in order, from a layer's own anchors."""
    if isinstance(node, tree.Layer):
        if node.after:
            yield node.after.text, name
        if node.before:
            yield name, node.before.text


def _edges(draft: Draft, value: str) -> Iterable[Edge]:
    entries, gone = draft.entries, draft.gone
    inside = (entries.get(e) or gone.get(e) for e in draft.inside.get(value, ()))
    layers = [each for each in inside if each is not None and each.kind == "layer"]
    own = sorted((e for e in layers if _is_own(e)), key=lambda each: each.rank)
    yield from ((_name(a), _name(b)) for a, b in combinations(own, 2))
    for each in layers:
        yield from anchors(each.node, _name(each))


def _is_own(entry: Entry) -> bool:
    return isinstance(entry.node, tree.ValueLayer)


def _name(entry: Entry) -> str:
    return entry.address.rpartition(".")[2]


def _party(entry: Entry) -> Speaker:
    return Speaker(entry.origins[0], entry.span)


def _layer(entry: Entry) -> tree.ValueLayer:
    node = entry.node
    if isinstance(node, tree.ValueLayer):
        return node
    assert isinstance(node, tree.Layer)
    name = tree.Word(_name(entry), span=node.name.span)
    return tree.ValueLayer(node.op, name, node.notes, span=node.span)


def _without_order(
    draft: Draft, value: str, entries: dict[str, Entry], edges: Edges
) -> Iterator[Diagnostic]:
    """Yield every two layers that do not commute and have no order."""
    for one, other in combinations(sorted(entries), 2):
        ordered = (one, other) in edges or (other, one) in edges
        ops = [_layer(entries[name]).op for name in (one, other)]
        lost = {entries[one].address, entries[other].address} & draft.lost
        if ordered or lost or ops[0] == ops[1]:
            continue
        if _is_own(entries[other]):  # suggest a place for the new one
            one, other, ops = other, one, ops[::-1]
        each = [(one, ops[0]), (other, ops[1])]
        said = [(name, op, _party(entries[name])) for name, op in each]
        yield layers_without_order(value, said)


E209 = MessageCode("E209", "layers need an order")
"""Two variants add layers to a value, and it matters which comes first.

**Why.** Times and plus do not commute. Layers of the game itself are in order; added
ones must state their place.

**For example**

```text
extend income with plus joined, if any, after printed
extend income with times halved, if any, after printed
```

**Fix.** Write `before` and `after` so that the two are ordered, or write a bridge.
"""


def layers_without_order(
    value: str, layers: Sequence[tuple[str, str, Speaker]]
) -> Diagnostic:
    """Return E209: two layers that do not commute, and have no order.

    `layers` has the name, the operation and the owner of each.
    """
    (one, op, first), (other, other_op, second) = layers
    return fault(
        E209,
        f"{all_on([first, second])}, {value} has the layers {one} ({op}) and {other} "
        f"({other_op}), and nothing says which comes first.",
        others=map(Label, sorted({first.span, second.span})),
        details=("Say it where the layer is declared:",),
        fixes=(
            f"extend {value} with {other_op} {other}, if any, after {one}",
            f"extend {value} with {other_op} {other}, if any, before {one}",
        ),
    )


def layers_in_a_circle(
    value: str, names: Sequence[str], parties: Sequence[Speaker]
) -> Diagnostic:
    """Return E204: layers in a cycle."""
    return fault(
        E204,
        f"{all_on(parties)}, the layers {listed(names)} of {value} each come before "
        "the next.",
        others=map(Label, sorted({party.span for party in parties})),
    )
