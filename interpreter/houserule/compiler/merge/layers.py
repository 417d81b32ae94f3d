"""Layers of a value: its own in order, new ones where they declare.

Layers of one operation commute, so the order between them does not matter. If an order
matters but is not declared, it is E209.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from houserule.base.algebra.graph import in_order, successors
from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.wording import listed
from houserule.compiler.merge.messages import Speaker, all_on
from houserule.compiler.merge.order import E204, Edge, closed
from houserule.language.syntax import tree

if TYPE_CHECKING:
    from houserule.compiler.merge.draft import Draft, Entry


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
    # All layers, present and removed: own ones as written, others by their anchors.
    present, gone = draft.entries, draft.gone
    inside = (present.get(e) or gone.get(e) for e in draft.inside.get(value, ()))
    layers = [each for each in inside if each is not None and each.kind == "layer"]
    own = sorted((e for e in layers if _is_own(e)), key=lambda each: each.rank)
    said = [(_name(a), _name(b)) for a, b in combinations(own, 2)]
    for each in layers:
        said += anchors(each.node, _name(each))
    edges = closed(said)

    circle = sorted(name for name in entries if (name, name) in edges)
    if circle:
        parties = [_party(entries[name]) for name in circle]
        names = listed(circle)
        message = f"the layers {names} of {value} each come before the next."
        spans = map(Label, sorted({party.span for party in parties}))
        return (), [fault(E204, f"{all_on(parties)}, {message}", others=spans)]
    found: list[Diagnostic] = []
    for one, other in combinations(sorted(entries), 2):
        ordered = (one, other) in edges or (other, one) in edges
        op, other_op = _layer(entries[one]).op, _layer(entries[other]).op
        lost = {entries[one].address, entries[other].address} & draft.lost
        if ordered or lost or op == other_op:  # layers of one operation commute
            continue
        if _is_own(entries[other]):  # suggest a place for the new one
            one, other, op, other_op = other, one, other_op, op
        parties = [_party(entries[name]) for name in (one, other)]
        new = f"extend {value} with {other_op} {other}, if any,"
        found.append(
            fault(
                E209,
                f"{all_on(parties)}, {value} has the layers {one} ({op}) and {other} "
                f"({other_op}), and nothing says which comes first.",
                others=map(Label, sorted({party.span for party in parties})),
                details=("Say it where the layer is declared:",),
                fixes=(f"{new} after {one}", f"{new} before {one}"),
            )
        )
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
