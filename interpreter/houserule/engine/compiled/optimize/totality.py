"""Totality: expressions that fail in no state.

Such may be worked out before others, or where the rules do not ask for them at all: it
cannot be seen. One that may fail must keep its turn, so that a game ends with the same
fault at the same place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.places import may_fail
from houserule.engine.compiled.memory.shapes import bounds, in_words, part_of, universe
from houserule.engine.compiled.optimize.constants import ConstantArrays
from houserule.engine.reference.evaluate.source import conjuncts
from houserule.engine.reference.evaluate.values import parts
from houserule.ir import types
from houserule.ir.walk import beneath, bound_slots, rebuilt

DIVISIONS = ("/up", "/down", "mod")


class Totality:
    """Says of expressions whether they have a result in every state.

    It errs on the safe side: unknown nodes, such as queries, count as failing.
    """

    def __init__(self, context: CompilationContext, constants: ConstantArrays) -> None:
        self._program, self._layout = context.program, context.layout
        self._constants = constants
        self._known: dict[str, bool] = {}

    def is_total(self, *nodes: ir.Expr) -> bool:
        """Say whether none of some expressions can fail."""
        return all(map(self._is_total, nodes))

    def _is_total(self, node: ir.Expr) -> bool:
        match node:
            case ir.Const():
                return True
            case ir.Local(slot=slot):
                # Slot 0 is `me`, which is missing where no seat acts: F06.
                return slot != 0 or isinstance(node.type, types.Maybe)
            case ir.ReadField(subject=subject):
                return self.is_total(subject)
            case ir.MemberAt(parts=values):
                return self.is_total(*values)
            case ir.ReadFace(die=die):
                return self.is_total(die)
            case ir.ReadCell(state=family) | ir.TokenCount(slot=family):
                axes = self._layout.families[family].axes
                return self.is_total(*node.keys) and not any(
                    axis.of_sets or may_fail(axis, key)
                    for axis, key in zip(axes, node.keys, strict=True)
                )
            case ir.CallValue(args=args):
                value = self._program.values[node.value]
                given = zip(args, value.params, strict=True)
                fitting = all(_fits(arg.type, param.type) for arg, param in given)
                if not fitting or not self.is_total(*args):
                    return False
                if value.name not in self._known:
                    has_array = self._constants.array(value) is not None
                    self._known[value.name] = has_array or (
                        not value.adjusted
                        and not in_words(value.type)
                        and _fits(value.definition.type, value.type)
                        and self.is_total(*parts(value))
                    )
                return self._known[value.name]

            # Arithmetic wants present operands (F03); comparison takes none as well.
            case ir.Unary(operand=operand):
                return _present(operand) and self.is_total(operand)
            case ir.Binary(op, left, right):
                present = _present(left) and _present(right)
                limits = bounds(right.type)
                by_zero = op in DIVISIONS and (
                    limits is None or limits[0] <= 0 <= limits[1]
                )
                return present and not by_zero and self.is_total(left, right)
            case ir.CompareValues(_, left, right):
                return not in_words(left.type) and self.is_total(left, right)
            case ir.Connective(_, left, right):
                return self.is_total(left, right)
            case ir.IsNone(operand):
                return self.is_total(operand)
            # Of the operations on sets it knows the first member only: others
            # are more work, and there is little to gain from asking them early.
            case ir.FirstOf(operand):
                return isinstance(operand.type, types.Set) and self.is_total(operand)
            case ir.Cases(rows, otherwise):
                every = (each for row in rows for each in row)
                return self.is_total(otherwise, *every)
            case ir.OrElse(value=first, otherwise=otherwise):
                return self.is_total(first, otherwise)
            case _:
                return False


def _fits(given: types.Type, wanted: types.Type) -> bool:
    """Say whether each value of one type is a value of another, for all it is known."""
    if isinstance(given, types.Set) and isinstance(wanted, types.Set):
        own, space = universe(given), universe(wanted)
        inside = (
            space.low <= own.low and own.low + own.places <= space.low + space.places
        )
        return inside and (part_of(given) or not part_of(wanted))
    if in_words(given) or in_words(wanted):
        return False
    if isinstance(given, types.Maybe) and not isinstance(wanted, types.Maybe):
        return False
    inner = wanted.inner if isinstance(wanted, types.Maybe) else wanted
    if not isinstance(inner, types.Whole):
        return True
    limits = bounds(given)
    return limits is not None and inner.low <= limits[0] and limits[1] <= inner.high


def _present(node: ir.Expr) -> bool:
    return not isinstance(node.type, types.Maybe)


# ---- conjunctions: each test can be made as soon as its variables are bound


def tests_of(
    program: ir.Program, constants: ConstantArrays, where: ir.Expr | None
) -> list[ir.Expr]:
    """Return the tests that a condition joins, in order, declared ones written out."""
    found: list[ir.Expr] = []
    for test in conjuncts(where):
        if not isinstance(test, ir.CallValue):
            found.append(test)
            continue
        # Only a plain conjunction: no values that layers or lifts change, nothing in an
        # array, which is one look. Arguments take the place of parameters, so each
        # must cost nothing, never fail and fit; no binder inside may catch one.
        value = program.values[test.value]
        whole = value.definition
        plain = (
            isinstance(value.type, types.Flag)
            and isinstance(whole, ir.Connective)
            and whole.op == "and"
            and not value.adjusted
            and not value.widened
            and constants.array(value) is None
            and not any(map(bound_slots, beneath(whole)))
        )
        simple = all(
            (isinstance(arg, ir.Const) or (isinstance(arg, ir.Local) and arg.slot != 0))
            and not in_words(arg.type)
            and _fits(arg.type, param.type)
            for arg, param in zip(test.args, value.params, strict=True)
        )
        if plain and simple:
            given = dict(enumerate(test.args, 1))
            found += tests_of(program, constants, with_arguments(whole, given))
        else:
            found.append(test)
    return found


def with_arguments(node: ir.Expr, given: Mapping[int, ir.Expr]) -> ir.Expr:
    """Return an expression with arguments in the place of its parameters."""

    def replaced(part: ir.CoreNode) -> ir.CoreNode:
        if isinstance(part, ir.Local):
            return given.get(part.slot, part)
        return rebuilt(part, replaced)

    return cast("ir.Expr", replaced(node))
