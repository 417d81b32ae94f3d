"""The evaluator: expressions of the core compiled to Python functions, each once.

`ir.expressions` says what each node means. Evaluation is pure: it draws nothing and
writes nothing. Operands are evaluated from left to right, and only those that matter.
Constant subexpressions are folded. How an
expression becomes Python is in `source`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from houserule import ir
from houserule.base.source import Span
from houserule.engine.reference.evaluate.context import (
    Call,
    Classes,
    Code,
    Frame,
    GameContext,
    Items,
    Members,
    Number,
    Truth,
)
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.reference.evaluate.source import Writer
from houserule.engine.reference.evaluate.values import Reach, Values
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.layout import Layout
from houserule.engine.state.store import Store
from houserule.ir import types
from houserule.ir.memo import NodeMemo
from houserule.ir.types import Data
from houserule.ir.walk import children, slots_needed

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
    ir.ReadEntry,
    ir.MemberAt,
    ir.PositionOf,
)


Answers: TypeAlias = dict[str, set[bool]]
"""What conditions were when they were asked, by their addresses."""


class Evaluator:
    """The expressions of one program, compiled as they are asked for.

    Attributes:
        answers: of each named condition what it was when it was asked; None if that
            is not noted.
    """

    def __init__(
        self, program: ir.Program, layout: Layout, answers: Answers | None = None
    ) -> None:
        self.program, self.layout, self.answers = program, layout, answers
        self.costs = Costs(program)
        self._codes = NodeMemo(self._plain)
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
        return self.call(name)(ctx, tuple(args))

    def is_fixed(self, name: str) -> bool:
        """Return whether a name is a value that depends on fields alone."""
        return self._values.reaches.get(name) is Reach.FOREVER

    def closed(self, node: ir.Expr, store: Store, slots: Sequence[Data] = ()) -> Data:
        """Return an expression's value outside of play, `slots` in slots 1….

        No seat acts there, no phase is under way and nothing can be done.

        Raises:
            RuleFault: the expression is at fault.
        """
        frame: Frame = [None, *slots]
        frame += [None] * (self._slots(node) - len(frame))
        return self.expr(node)(GameContext(store), frame)

    # ---- codes with their static types

    def number(self, node: ir.Expr) -> Number:
        """Return the code of a number or member that must be present, else F03."""
        return cast("Number", self._present(node))

    def members(self, node: ir.Expr) -> Members:
        """Return the code of a set that must be present, else F03."""
        return cast("Members", self._present(node))

    def truth(self, node: ir.Expr) -> Truth:
        """Return the code of a condition; none counts as no."""
        if isinstance(node.type, types.Maybe):
            return cast("Truth", self._code(lambda writer: writer.truth(node)))
        return cast("Truth", self.expr(node))

    def index(self, family: str, keys: Sequence[ir.Expr], span: Span) -> Number:
        """Return the code of the number of a family's member at these keys."""
        code = self._code(lambda writer: writer.index(family, keys, span))
        return cast("Number", code)

    def items(self, bind: ir.Bind) -> Items:
        """Return code for the domain of each variable of a binder; it counts work."""
        return cast("Items", self._code(lambda writer: writer.items(bind)))

    def classes(self, node: ir.Distinct) -> Classes:
        """Return the code of the classes of alike members of a set."""
        return cast("Classes", self._code(lambda writer: writer.classes(node)))

    def argument(self, arg: ir.Expr, param: ir.Param) -> Code:
        """Return the code of an argument; F01 outside of its parameter's range."""
        return self._code(lambda writer: writer.argument(arg, param))

    def call(self, name: str) -> Call:
        """Return the function that evaluates a value, given a context and arguments."""
        return self._values.call(name)

    def definition(self, value: ir.ValueDef) -> Code:
        """Return the code of a declared value, compiled at once."""
        writer = Writer(self)
        return writer.code(writer.definition(value))

    def constant(self, node: ir.Expr) -> ir.Const | None:
        """Return the constant that an expression amounts to, if it does.

        An expression that faults is not a constant: play reports the fault.
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
        writer = Writer(self)
        try:
            value = writer.code(writer.node(node))(self._empty, [])
        except RuleFault:
            return None
        return ir.Const(value, node.type, span=node.span)

    def _present(self, node: ir.Expr) -> Code:
        if isinstance(node.type, types.Maybe):
            return self._code(lambda writer: writer.present(node))
        return self.expr(node)

    def _plain(self, node: ir.Expr) -> Code:
        if isinstance(node, ir.Const):
            value = node.value
            return lambda ctx, frame: value
        return self._code(lambda writer: writer.any(node))

    def _code(self, write: Callable[[Writer], str]) -> Code:
        """Return code that is written and compiled when it is first called."""
        made: Code | None = None

        def code(ctx: GameContext, frame: Frame) -> Data:
            nonlocal made
            if made is None:
                writer = Writer(self)
                made = writer.code(write(writer))
            return made(ctx, frame)

        return code
