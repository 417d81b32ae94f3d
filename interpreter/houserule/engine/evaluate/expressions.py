"""The evaluator: expressions of the core compiled to Python closures, each once.

`ir.expressions` says what each node means. Evaluation is pure: it draws nothing and
writes nothing. Operands are evaluated from left to right, and only those that matter.
Constant subexpressions are folded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from houserule import ir
from houserule.engine.evaluate.alike import alike
from houserule.engine.evaluate.arithmetic import arithmetic, conditional, present
from houserule.engine.evaluate.context import (
    Code,
    Frame,
    GameContext,
    Maybe,
    Members,
    Number,
    Truth,
)
from houserule.engine.evaluate.costs import Costs
from houserule.engine.evaluate.lookups import (
    index_code,
    reading,
    running,
    zone_reading,
)
from houserule.engine.evaluate.queries import query
from houserule.engine.evaluate.sets import building, measuring
from houserule.engine.evaluate.values import Values, call_code, imagining
from houserule.ir import types
from houserule.ir.memo import NodeMemo
from houserule.ir.types import Data
from houserule.ir.walk import children, slots_needed
from houserule.source import Span
from houserule.state.faults import RuleFault
from houserule.state.layout import Layout
from houserule.state.store import Store

_FOLDED = (
    ir.Unary,
    ir.Binary,
    ir.CompareValues,
    ir.IsNone,
    ir.In,
    ir.Connective,
    ir.Cases,
    ir.OrElse,
    ir.MakeSet,
    ir.MakeRange,
    ir.CombineSets,
    ir.Size,
    ir.FirstOf,
    ir.ReadField,
    ir.PositionOf,
)


Answers: TypeAlias = dict[str, set[bool]]
"""What conditions were when they were asked, by their addresses."""


class Evaluator:
    """The expressions of one program, compiled as they are asked for.

    Attributes:
        answers: of each named condition what it was when it was asked; None where that
            is not noted.
    """

    def __init__(
        self, program: ir.Program, layout: Layout, answers: Answers | None = None
    ) -> None:
        self.program, self.layout, self.answers = program, layout, answers
        self.costs = Costs(program)
        self._codes = NodeMemo(self._code)
        self._constants = NodeMemo(self._fold)
        self._slots = NodeMemo[ir.Expr, int](slots_needed)
        self._values = Values(self)
        self._empty = GameContext(Store(layout))

    # ---- for engines

    def expr(self, node: ir.Expr) -> Code:
        """Return the code of an expression, the same for the same node.

        The code raises RuleFault, with the span of the node that is at fault.
        """
        return self._codes(node)

    def value(self, name: str, ctx: GameContext, args: Sequence[Data] = ()) -> Data:
        """Return a declared value at its arguments, which are in range.

        Raises:
            RuleFault: the definition is at fault, or the result out of range.
        """
        return self._values.call(name)(ctx, tuple(args))

    def closed(self, node: ir.Expr, store: Store, slots: Sequence[Data] = ()) -> Data:
        """Return an expression's value outside of play, `slots` in slots 1….

        No seat acts there, no phase is under way and nothing can be done.

        Raises:
            RuleFault: the expression is at fault.
        """
        frame: Frame = [None, *slots]
        frame += [None] * (self._slots(node) - len(frame))
        return self.expr(node)(GameContext(store), frame)

    # ---- for the parts of the compilation: codes with what they promise

    def number(self, node: ir.Expr) -> Number:
        """Return the code of a number or member that must be present, else F03."""
        return cast("Number", self._present(node))

    def maybe(self, node: ir.Expr) -> Maybe:
        """Return the code of a number or member, or none."""
        return cast("Maybe", self.expr(node))

    def members(self, node: ir.Expr) -> Members:
        """Return the code of a set that must be present, else F03."""
        return cast("Members", self._present(node))

    def truth(self, node: ir.Expr) -> Truth:
        """Return the code of a condition; none counts as no."""
        code = self.expr(node)
        if isinstance(node.type, types.Maybe):
            return lambda ctx, frame: code(ctx, frame) is True
        return cast("Truth", code)

    def index(self, family: str, keys: Sequence[ir.Expr], span: Span) -> Number:
        """Return the code of the number of a family's member at these keys."""
        return index_code(self, self.layout.families[family], keys, span)

    def constant(self, node: ir.Expr) -> ir.Const | None:
        """Return the constant that an expression amounts to, if it does.

        An expression that is at fault is no constant: the fault is found in play.
        """
        return self._constants(node)

    def _fold(self, node: ir.Expr) -> ir.Const | None:
        if isinstance(node, ir.Const):
            return node
        if not isinstance(node, _FOLDED):
            return None
        below = cast("list[ir.Expr]", list(children(node)))
        if any(self.constant(each) is None for each in below):
            return None
        try:
            value = self._compile(node)(self._empty, [])
        except RuleFault:
            return None
        return ir.Const(value, node.type, span=node.span)

    def _present(self, node: ir.Expr) -> Code:
        code = self.expr(node)
        if isinstance(node.type, types.Maybe):
            return present(code, node.span)
        return code

    def _code(self, node: ir.Expr) -> Code:
        constant = self.constant(node)
        return self._compile(node if constant is None else constant)

    def _compile(self, node: ir.Expr) -> Code:
        match node:
            case ir.Const() | ir.Local() | ir.PhaseVar() | ir.Can() | ir.Doing():
                return running(node)
            case ir.ReadCell() | ir.ReadFace() | ir.ReadField() | ir.TokenCount():
                return reading(self, node)
            case ir.Contents() | ir.ZoneSize() | ir.PileTop() | ir.PositionOf():
                return zone_reading(self, node)
            case ir.Unary() | ir.Binary():
                return arithmetic(self, node)
            case ir.CompareValues() | ir.IsNone() | ir.In() | ir.Connective():
                return conditional(self, node)
            case ir.Cases() | ir.OrElse():
                return conditional(self, node)
            case ir.MakeSet() | ir.MakeRange() | ir.CombineSets():
                return building(self, node)
            case ir.Seats() | ir.ReachedCells() | ir.Distinct():
                return building(self, node)
            case ir.Alike():
                return alike(self, node)
            case ir.Size() | ir.FirstOf() | ir.DiceTest():
                return measuring(self, node)
            case ir.Aggregate() | ir.CountOf() | ir.Quantifier() | ir.Pick():
                return query(self, node)
            case ir.CallValue():
                return call_code(self, self._values.call(node.value), node)
            case ir.PositionAfter():
                return imagining(self, node)
            case _:
                raise AssertionError(f"{type(node).__name__} is no expression")
