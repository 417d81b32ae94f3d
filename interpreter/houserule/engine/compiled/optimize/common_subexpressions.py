"""Common subexpressions: repeated expressions are computed once.

In a function that only asks, the same expression of the same variables is the same
value, as long as these are bound. So what it came to is taken again where it surely has
been worked out before: further on in the same block, or in one inside of it. And what
does not depend on a loop's variable is worked out before the loop, if it is little work
and cannot fail.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from houserule import ir
from houserule.engine.compiled.expressions.operands import Operands, Words
from houserule.engine.compiled.functions import Key
from houserule.engine.compiled.memory.shapes import in_words, may_be_no_set
from houserule.engine.compiled.optimize.memoisation import LOOPS
from houserule.engine.compiled.optimize.totality import Totality
from houserule.engine.reference.evaluate.costs import Costs
from houserule.ir.memo import NodeMemo
from houserule.ir.walk import beneath, bound_slots, children, slots_read

ASKED = (ir.CallValue, *LOOPS)  # the least work that is worth a local
LITTLE = 32  # nodes


class CommonSubexpressions:
    """Knows which expressions of a program are the same."""

    def __init__(self, costs: Costs, totality: Totality) -> None:
        self._costs, self._totality = costs, totality
        self._numbers: dict[ir.Expr, int] = {}
        self._keys = NodeMemo(self._number_and_slots)

    def known(self, e: Operands, node: ir.Expr) -> Words | None:
        """Return what an expression came to, if that is known here."""
        if not e.f.asks or not isinstance(node, ASKED):
            return None
        return e.f.known(self._key(e, node))

    def noted(self, e: Operands, node: ir.Expr, found: Words) -> Words:
        """Let what is work enough be known from here on."""
        if e.f.asks and isinstance(node, ASKED):
            return self._learn(e, node, found)
        return found

    def _learn(self, e: Operands, node: ir.Expr, found: Words) -> Words:
        kind = "i32" if len(found) == 1 and not in_words(node.type) else "i64"
        kept = tuple(e.f.keep(code, kind) for code in found)
        e.f.learn(self._key(e, node), kept)
        return kept

    def _key(self, e: Operands, node: ir.Expr) -> Key:
        """Return what is the same for the same expression of the same variables."""
        number, read = self._keys(node)
        return number, tuple(e.slots.get(slot) for slot in read)

    def _number_and_slots(self, node: ir.Expr) -> tuple[int, tuple[int, ...]]:
        number = self._numbers.setdefault(node, len(self._numbers))
        return number, tuple(sorted(slots_read(node)))

    # ---- before a loop

    def hoist(
        self, e: Operands, slots: Collection[int], inside: Sequence[ir.CoreNode]
    ) -> None:
        """Write, before a loop over variables, what inside of it depends on none."""
        if not e.f.asks:
            return
        # A variable of an inner binder does not exist out here, even if a slot of the
        # same number is bound around the loop.
        bound = set(slots).union(*map(bound_slots, beneath(*inside)))
        for node in inside:
            self._lift(e, node, bound)

    def _lift(self, e: Operands, node: ir.CoreNode, bound: Collection[int]) -> None:
        if isinstance(node, ir.PositionAfter):
            return  # its question has another answer in the real position
        # It may be computed before it is asked for, unless that is noticed.
        free = slots_read(node)
        may_go = (
            isinstance(node, ir.CallValue)
            and free.isdisjoint(bound)
            and all(slot in e.slots for slot in free)
            and not may_be_no_set(node.type)
            and self._costs.bound(node) <= LITTLE
            and self._totality.is_total(node)
        )
        if isinstance(node, ir.CallValue) and may_go:
            if e.f.known(self._key(e, node)) is None:
                words = in_words(node.type)
                self._learn(e, node, e.words(node) if words else (e.scalar(node),))
            return
        for child in children(node):
            self._lift(e, child, bound)
