"""Expressions of the core as WebAssembly; `reference.evaluate` defines them.

A number, a flag, a member or a place is one operand of 32 bits; a set is a row of
operands of 64 bits. Faults come in the same order as in the reference engine: from
left to right, and what does not matter is not evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence

from houserule import ir
from houserule.base.frozen import frozen
from houserule.base.source import NOWHERE, Span
from houserule.engine.compiled.context import CompilationContext, can_function
from houserule.engine.compiled.expressions import bits, places, sets
from houserule.engine.compiled.expressions.alike import alike
from houserule.engine.compiled.expressions.arithmetic import (
    arithmetic,
    chosen,
    compared,
    logic,
)
from houserule.engine.compiled.expressions.operands import (
    InLocals,
    Operands,
    Slot,
    Words,
)
from houserule.engine.compiled.expressions.positions import Positions
from houserule.engine.compiled.expressions.queries import Queries
from houserule.engine.compiled.expressions.values import DeclaredValues
from houserule.engine.compiled.functions import (
    NONE,
    Code,
    Function,
    Unsupported,
    i32,
    i64,
    load,
)
from houserule.engine.compiled.memory.shapes import (
    Universe,
    fits,
    is_set,
    may_be_no_set,
    scalar,
    universe,
)
from houserule.engine.compiled.optimize.memoisation import MemoisedQueries
from houserule.engine.reference.evaluate.costs import AT_MOST
from houserule.engine.state.faults import BEYOND, F06, F12
from houserule.ir import types
from houserule.ir.walk import none_for_none


@frozen
class Translator:
    """What writes the expressions of one program, into any function."""

    context: CompilationContext
    memoised: MemoisedQueries
    values: DeclaredValues
    queries: Queries
    positions: Positions

    def into(self, function: Function, slots: dict[int, Slot]) -> Expressions:
        """Return what writes expressions into a function, over some slots."""
        return Expressions(self, function, slots)

    def acting(self, function: Function, me: str = "$me") -> Expressions:
        """Return what writes into a function that has who acts in a local."""
        return Expressions(self, function, {0: InLocals((me,))})


class Expressions(Operands):
    """Writes the expressions of one function."""

    def __init__(
        self, translator: Translator, function: Function, slots: dict[int, Slot]
    ) -> None:
        self._translator = translator
        self.context = translator.context
        self.f, self.slots = function, slots
        self.near: Span = NOWHERE
        self.bound = AT_MOST
        self.acts = False

    def within(self, function: Function, slots: dict[int, Slot]) -> Expressions:
        return Expressions(self._translator, function, slots)

    # ---- what is asked for

    def scalar(self, node: ir.Expr) -> Code:
        """Return a number, a flag, a member or a place; the least number for none."""
        try:
            fits(node.type)
            return self._scalar(node)
        except Unsupported as error:
            error.at(node.span)
            raise

    def words(self, node: ir.Expr) -> Words:
        """Return a set in the words of its own type."""
        if isinstance(node, ir.Const) and isinstance(node.value, tuple):
            return tuple(map(i64, universe(node.type).bits(node.value)))
        try:
            return sets.words(self, node)
        except Unsupported as error:
            error.at(node.span)
            raise

    def words_in(
        self, node: ir.Expr, space: Universe, span: Span | None = None
    ) -> Words:
        """Return a set in the words of another universe; what does not fit is F01."""
        if isinstance(node, ir.Const) and isinstance(node.value, tuple):
            return tuple(map(i64, space.bits(node.value)))
        own, where = universe(node.type), node.span if span is None else span
        return bits.converted(self, self.words(node), own, space, where)

    def value(self, node: ir.Expr) -> Words:
        """Return a value as it is kept: a set's words, or one number of 32 bits."""
        if may_be_no_set(node.type):
            return bits.put_together(node.type, *sets.present(self, node))
        return self.words(node) if is_set(node.type) else (self.scalar(node),)

    def index(self, family: str, keys: Sequence[ir.Expr], span: Span) -> Code:
        """Return the number of a family's member; F03 or F01 if it has none."""
        return places.index(self, family, keys, span)

    # ---- kinds of expressions

    def called(self, node: ir.CallValue) -> tuple[Code, Words]:
        """Return whether a call gives a set, and its words."""
        return self._translator.values.call_or_none(self, node)

    def best_set(self, node: ir.Pick) -> Words:
        return self._translator.queries.best_set(self, node)

    def best_part(self, node: ir.Pick) -> tuple[Code, Words]:
        return self._translator.queries.best_part(self, node)

    # ---- operands one after another

    # ---- numbers, flags, members

    def _scalar(self, node: ir.Expr) -> Code:
        match node:
            case ir.Const():
                return i32(scalar(node.value))
            case ir.Local():
                slot = self.slots.get(node.slot)
                if slot is None:
                    raise Unsupported(
                        f"slot {node.slot}, {node.name}, is not bound here"
                    )
                if isinstance(slot, InLocals):
                    code = f"(local.get {slot.names[0]})"
                else:
                    code = load(slot.at)
                if node.slot or self.acts or isinstance(node.type, types.Maybe):
                    return code
                code = self.f.keep(code)
                with self.f.when(f"(i32.eq {code} {NONE})"):
                    self.fault(F06, "Nobody acts here, so `me` is nobody.", node.span)
                # A local does not change; whatever follows runs after this test.
                self.acts = isinstance(slot, InLocals) and not self.f.depth
                return code
            case ir.PhaseVar(phase):
                code = load(self.context.memory.field(phase, "item"))
                if isinstance(node.type, types.Maybe):
                    return code
                return self.present(code, node.span)
            case ir.Doing():
                return load(self.context.memory.header["doing"])
            case ir.Can(step):
                return f"(call {can_function(step)} (call $acting))"
            case ir.ReadCell() | ir.TokenCount():
                found = none_for_none(node)
                return self.scalar(found) if found else places.cell(self, node)
            case ir.ReadFace() | ir.ReadField():
                return places.component(self, node)
            case ir.ReadEntry():
                return places.entry(self, node)
            case ir.MemberAt():
                return places.member_at(self, node)
            case ir.ZoneSize() | ir.PileTop() | ir.PositionOf():
                return places.lying(self, node)
            case ir.CallValue():
                return self._translator.values.call(self, node)
            case ir.PositionAfter():
                return self._translator.positions.ask(self, node)
            case _:
                memoised = self._translator.memoised.call(self, node)
                return self.unshared(node) if memoised is None else memoised

    def unshared(self, node: ir.Expr) -> Code:
        """Return a number that is worked out right here, not in a function."""
        match node:
            case ir.Unary() | ir.Binary():
                return arithmetic(self, node)
            case ir.CompareValues():
                return compared(self, node)
            case ir.IsNone(operand) if may_be_no_set(operand.type):
                return f"(i32.eqz {sets.present(self, operand)[0]})"
            case ir.IsNone(operand) if is_set(operand.type):
                return i32(0)
            case ir.IsNone(operand):
                return f"(i32.eq {self.scalar(operand)} {NONE})"
            case ir.In():
                return sets.membership(self, node)
            case ir.Alike():
                return alike(self, node)
            case ir.Connective():
                return logic(self, node)
            case ir.Cases() | ir.OrElse():
                return chosen(self, node)
            case ir.Size() | ir.FirstOf() | ir.DiceTest():
                return sets.measured(self, node)
            case ir.TooDeep():
                self.fault(F12, BEYOND, node.span)
                return i32(0)
            case ir.Aggregate() | ir.CountOf() | ir.Quantifier() | ir.Pick():
                return self._translator.queries.scalar(self, node)
            case _:
                raise Unsupported(f"{type(node).__name__} as a number")
