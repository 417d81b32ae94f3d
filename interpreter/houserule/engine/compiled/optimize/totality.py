"""Totality: expressions that fail in no state.

Such an expression may be evaluated early, once for many members, or where the rules do
not ask for it at all: players cannot notice. One that may fail must keep its turn, so
that a game ends with the same fault at the same place.
"""

from __future__ import annotations

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.operands import Operands
from houserule.engine.compiled.expressions.places import may_fail
from houserule.engine.compiled.memory.shapes import bounds, in_words, universe_of
from houserule.engine.compiled.optimize.constants import ConstantArrays
from houserule.engine.reference.evaluate.values import parts
from houserule.ir import types
from houserule.ir.walk import children

# These never fail themselves, if what is beneath them does not.
NEVER = (
    *(ir.Const, ir.ReadField, ir.ReadFace, ir.MemberAt, ir.CompareValues, ir.IsNone),
    *(ir.In, ir.Connective, ir.Cases, ir.OrElse, ir.FirstOf, ir.Size),
    *(ir.Bind, ir.Quantifier, ir.CountOf, ir.Aggregate, ir.Pick),
)


class Totality:
    """Decides whether expressions have a result in every state.

    It errs on the safe side: other nodes count as failing.
    """

    def __init__(self, context: CompilationContext, constants: ConstantArrays) -> None:
        self._program, self._layout = context.program, context.layout
        self._constants = constants
        self._known: dict[str, bool] = {}

    def is_total(self, e: Operands, node: ir.CoreNode) -> bool:
        """Return whether an expression cannot fail where `e` writes it."""
        match node:
            case ir.Local(slot=slot):
                # Slot 0 is `me`, which is missing where no seat acts: F06.
                return bool(slot) or e.acts or isinstance(node.type, types.Maybe)
            case ir.CallValue(args=args):
                value = self._program.values[node.value]
                given = zip(args, value.params, strict=True)
                return (
                    all(fits(arg.type, param.type) for arg, param in given)
                    and all(self.is_total(e, arg) for arg in args)
                    and self._never_fails(e, value)
                )
            case ir.Aggregate(body=body) if isinstance(body.type, types.Maybe):
                return False
            case ir.Pick(keys=keys) if any(
                isinstance(key.type, types.Maybe) for key in keys
            ):
                return False
            case ir.CombineSets(left=left, right=right):
                same = universe_of(left.type) == universe_of(node.type)
                small = node.op not in {"plus", "beyond"} or left.type == right.type
                return (
                    same and small and all(self.is_total(e, x) for x in (left, right))
                )
            case ir.Unary(operand=operand):
                present = node.op == "not" or not isinstance(operand.type, types.Maybe)
                return present and self.is_total(e, operand)
            case ir.Binary(op, left, right):
                # Arithmetic needs present operands (F03), and no division by 0 (F08).
                if isinstance(left.type, types.Maybe) or isinstance(
                    right.type, types.Maybe
                ):
                    return False
                low, high = bounds(right.type) or (0, 0)
                by_zero = op in {"/up", "/down", "mod"} and low <= 0 <= high
                return not by_zero and all(self.is_total(e, x) for x in (left, right))
            case (
                ir.ReadCell(state=family)
                | ir.TokenCount(slot=family)
                | ir.Contents(zone=family)
                | ir.ZoneSize(zone=family)
                | ir.PileTop(zone=family, index=None)
            ):
                # These fail only if there is no such key.
                axes = self._layout.families[family].axes
                return all(
                    not axis.of_sets
                    and not may_fail(axis, key)
                    and self.is_total(e, key)
                    for axis, key in zip(axes, node.keys, strict=True)
                )
            case _ if isinstance(node, NEVER):
                return all(self.is_total(e, each) for each in children(node))
            case _:
                return False

    def _never_fails(self, e: Operands, value: ir.ValueDef) -> bool:
        if value.name not in self._known:
            self._known[value.name] = self._constants.array(value) is not None or (
                not value.adjusted
                and fits(value.definition.type, value.type)
                and all(self.is_total(e, each) for each in parts(value))
            )
        return self._known[value.name]


def fits(given: types.Type, wanted: types.Type) -> bool:
    """Return whether every value of one type is a value of another, as far as known."""
    if in_words(given) or in_words(wanted):
        return given == wanted
    if isinstance(given, types.Maybe) and not isinstance(wanted, types.Maybe):
        return False
    inner = types.core(wanted)
    if not isinstance(inner, types.Whole):
        return True
    limits = bounds(given)
    return limits is not None and inner.low <= limits[0] and limits[1] <= inner.high
