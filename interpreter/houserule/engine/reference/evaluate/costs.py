"""Costs: bounds on the work of expressions, in nodes, known before it is done."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from houserule import ir
from houserule.base.algebra.graph import reachable
from houserule.engine.reference.evaluate.values import FOREVER_AT_MOST, parts
from houserule.engine.state.domains import size_of
from houserule.ir import types
from houserule.ir.access import Access
from houserule.ir.walk import children, values_called

AT_MOST = 1 << 62


class Costs:
    """Bounds on the number of nodes visited if no result is computed twice."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        access = Access(program)
        self._calls = {
            name: values_called(*access.with_imagined(*parts(value)))
            for name, value in program.values.items()
        }
        self._known: dict[str, int] = {}
        self._called: dict[str, int] = {}
        self._access = access
        self._acting: dict[str, int] = {}

    def bound(self, *nodes: ir.CoreNode) -> int:
        """Return the bound for nodes and their callees, without memos."""
        return min(AT_MOST, sum(map(self._node_cost, nodes)))

    def call(self, name: str) -> int:
        """Return the bound for one call of a value, with all that it calls."""
        if name not in self._called:
            self._called[name] = AT_MOST  # calls go in no circle
            self._called[name] = self.bound(*parts(self._program.values[name]))
        return self._called[name]

    def _node_cost(self, node: ir.CoreNode) -> int:
        inner = 1 + sum(map(self._node_cost, children(node)))
        if isinstance(node, ir.CallValue):
            inner += self.call(node.value)
        if isinstance(node, ir.PositionAfter):
            # The bound for looking ahead to the position after the action.
            if node.action not in self._acting:
                self._acting[node.action] = AT_MOST  # lookahead never nests deeper
                self._acting[node.action] = self.bound(
                    *self._access.imagined(node.action)
                )
            inner += self._acting[node.action]
        return min(AT_MOST, inner * _repeated(node))

    def everywhere(self, name: str) -> int:
        """Return the bound for a value at all its arguments, and for all it calls."""
        if name not in self._known:
            total = 0
            for each in reachable([name], self._calls):
                value = self._program.values[each]
                sizes = [size_of(param.type) for param in value.params]
                rows = prod(AT_MOST if size is None else size for size in sizes)
                # Without a memo, it is repeated without bound.
                once = sum(map(cost, parts(value)))
                total += AT_MOST if rows > FOREVER_AT_MOST else rows * once
            self._known[name] = min(AT_MOST, total)
        return self._known[name]


def cost(node: ir.CoreNode) -> int:
    """Return the bound on the nodes an expression visits; a call counts 1."""
    return min(AT_MOST, (1 + sum(map(cost, children(node)))) * _repeated(node))


def _repeated(node: ir.CoreNode) -> int:
    """Return the bound on how often the parts of a node are evaluated."""
    match node:
        case ir.Aggregate(binds=binds) | ir.CountOf(binds=binds):
            return times(binds)
        case ir.Quantifier(binds=binds) | ir.ForEach(binds=binds):
            return times(binds)
        case ir.Pick(bind=bind):
            return times((bind,))
        case ir.Distinct(type=types.Set(member)):
            return max(len(types.members(member)) ** 2, 1)
        case ir.ReachedCells(type=types.Set(member)):
            return max(len(types.members(member)), 1)
        case _:
            return 1


def times(binds: Sequence[ir.Bind]) -> int:
    """Return how many bindings there may be."""
    many = 1
    for bind in binds:
        many = min(AT_MOST, many * one_of(bind) ** len(bind.slots))
    return many


def one_of(bind: ir.Bind) -> int:
    """Return how many things one variable may be bound to, at least one."""
    of = bind.source.type
    size = len(types.members(of.member)) if isinstance(of, types.Set) else 1
    return max(1, size if bind.how == "member" else 1 << min(size, 62))
