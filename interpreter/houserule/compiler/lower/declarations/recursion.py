"""Values that ask themselves: a copy for each level, so that no engine recurses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from houserule import ir
from houserule.base.algebra.graph import reachable
from houserule.ir.walk import rebuilt, values_called


def unrolled(values: Mapping[str, ir.ValueDef]) -> dict[str, ir.ValueDef]:
    """Return the values with copies of those that use themselves.

    A call of a value that asks itself is one level deeper, if it is in a value that
    this one uses. On the last level it is F12. Copies are named `value#level`. If
    several such values use each other, the least of their depths counts.
    """
    if not any(value.deep for value in values.values()):
        return dict(values)
    calls = {name: values_called(value) for name, value in values.items()}
    within = {name: reachable(calls[name], calls) for name in values}
    found = dict(values)
    for name, value in values.items():
        circle = frozenset(each for each in within[name] if name in within[each])
        if not circle:
            continue
        depths = [values[each].deep for each in circle if values[each].deep]
        first = 1 if value.deep else 0
        for level in range(first, min(depths) + 1):
            copy = _on_level(value, level, min(depths), circle, values)
            found[copy.name] = copy
    return found


def _on_level(
    value: ir.ValueDef,
    level: int,
    last: int,
    circle: frozenset[str],
    values: Mapping[str, ir.ValueDef],
) -> ir.ValueDef:
    def named(name: str, on: int) -> str:
        own = on == (1 if values[name].deep else 0)
        return name if own else f"{name}{ir.KEPT}{on}"

    def deeper(node: ir.CoreNode) -> ir.CoreNode:
        node = rebuilt(node, deeper)
        if not isinstance(node, ir.CallValue) or node.value not in circle:
            return node
        on = level + 1 if values[node.value].deep else level
        if on > last:
            return ir.TooDeep(node.type, span=node.span)
        name = named(node.value, on)
        return ir.CallValue(name, node.args, node.type, span=node.span)

    copy = cast("ir.ValueDef", deeper(value))
    name = named(value.name, level)
    return (
        copy
        if name == value.name
        else ir.ValueDef(
            name,
            copy.params,
            copy.type,
            copy.definition,
            copy.layers,
            copy.lifts,
            copy.frame,
            copy.needs,
            copy.deep,
            span=copy.span,
        )
    )
