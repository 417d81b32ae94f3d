"""Operands: places of values, and the interface of the writer of expressions.

An expression is made of expressions: what writes a sum must write what is summed. So
the modules of this folder, and the optimisations that write functions of their own,
call back into `Expressions`, which calls them. `Operands` is that way back. They import
only it, so that imports are not circular, although calls are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from houserule import ir
from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.base.frozen import frozen
from houserule.base.source import NOWHERE, Span
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.functions import NONE, Code, Function, i32
from houserule.engine.compiled.memory.shapes import Universe
from houserule.engine.state.faults import F01, F03
from houserule.ir import types

Words: TypeAlias = tuple[Code, ...]


# ---- where variables are: in locals, or in the frame of a procedure


@frozen
class InLocals:
    """A slot that lives in locals: one, or a word of a set each.

    `change` is a local, for a number: comparisons set it to the next higher number for
    which they may have another result.
    """

    names: tuple[str, ...]
    change: str = ""


@frozen
class InMemory:
    """A slot that lives in a procedure's frame."""

    at: int


Slot: TypeAlias = InLocals | InMemory


@frozen
class LaidClasses:
    """The addresses of the classes of interchangeable members and of their masks."""

    at: int
    masks: int


@frozen
class LoopSource:
    """The domain of a binder: the words of a set, a range's ends, or a row."""

    words: Words
    space: Universe
    low: Code = ""
    high: Code = ""
    row: int = 0  # the address of members in an order of their own
    classes: LaidClasses | None = None  # of whose parts alike ones count once


def scaled(index: Code, by: int) -> Code:
    """Return an index times a width."""
    if by == 1:
        return index
    if index.startswith("(i32.const ") and index.count("(") == 1:
        return i32(int(index.removeprefix("(i32.const ").removesuffix(")")) * by)
    if by & (by - 1) == 0:
        return f"(i32.shl {index} {i32(by.bit_length() - 1)})"
    return f"(i32.mul {index} {i32(by)})"


def outside(code: Code, low: int, high: int) -> Code:
    """Return whether a number lies outside a range."""
    shifted = f"(i32.sub {code} {i32(low)})" if low else code
    return f"(i32.gt_u {shifted} {i32(high - low)})"


# ---- what writes them


class Operands(Protocol):
    """Writes expressions into one function, over the slots of one frame.

    Attributes:
        slots: where the variables are that expressions read.
        near: where the statement stands; faults of nodes that stand nowhere are placed
            there.
        bound: a bound on the work at hand, in nodes (`optimize.stopping`).
        acts: it is known here that a seat acts.
    """

    context: CompilationContext
    f: Function
    slots: dict[int, Slot]
    near: Span
    bound: int
    acts: bool

    def within(self, function: Function, slots: dict[int, Slot]) -> Operands:
        """Return what writes expressions into another function."""

    # ---- whole expressions

    def scalar(self, node: ir.Expr) -> Code:
        """Return a number, a flag, a member or a place; the least number for none."""

    def unshared(self, node: ir.Expr) -> Code:
        """Return a number that is worked out right here, not in a function."""

    def words(self, node: ir.Expr) -> Words:
        """Return a set in the words of its own type."""

    def words_in(
        self, node: ir.Expr, space: Universe, span: Span | None = None
    ) -> Words:
        """Return a set in the words of another universe; what does not fit is F01."""

    def value(self, node: ir.Expr) -> Words:
        """Return a value as it is kept: a set's words, or one number of 32 bits."""

    def truth(self, node: ir.Expr) -> Code:
        """Return a condition; none counts as no."""
        code = self.scalar(node)
        if isinstance(node.type, types.Maybe):
            return f"(i32.eq {code} (i32.const 1))"
        return code

    def number(self, node: ir.Expr, span: Span | None = None) -> Code:
        """Return a value that must be there, else F03."""
        code = self.scalar(node)
        if not isinstance(node.type, types.Maybe):
            return code
        return self.present(code, node.span if span is None else span)

    def index(self, family: str, keys: Sequence[ir.Expr], span: Span) -> Code:
        """Return the number of a family's member; F03 or F01 if it has none."""

    # ---- kinds of expressions, from the modules that write them

    def called(self, node: ir.CallValue) -> tuple[Code, Words]:
        """Return whether a call gives a set, and its words."""

    def best_set(self, node: ir.Pick) -> Words:
        """Return the set of all that share the best."""

    def best_part(self, node: ir.Pick) -> tuple[Code, Words]:
        """Return whether one part is the best, and its words."""

    def first_row(self, node: ir.Cases, take: Callable[[ir.Expr], None]) -> None:
        """Write what takes the value of the first row that holds."""
        out = self.f.label("row")
        with self.f.block(f"(block {out}"):
            for condition, value in node.rows:
                with self.f.when(self.truth(condition)):
                    take(value)
                    self.f.add(f"(br {out})")
            take(node.otherwise)

    # ---- operands

    def present(self, code: Code, span: Span) -> Code:
        """Return an operand that is not none, else F03."""
        code = self.f.keep(code)
        with self.f.when(f"(i32.eq {code} {NONE})"):
            self.fault(F03, "There is none here, but a value is needed.", span)
        return code

    def inside(self, code: Code, low: int, high: int, name: str, span: Span) -> Code:
        """Return a number that lies in a range, else F01."""
        code = self.f.keep(code)
        with self.f.when(outside(code, low, high)):
            self.fault(F01, f"`{name}` is outside {low}..{high}.", span)
        return code

    def fault(self, code: MessageCode, message: str, span: Span) -> None:
        """Write what ends the game with a fault."""
        where = self.near if span == NOWHERE else span
        number = self.context.fault(code, message, where)
        self.f.add(f"(call $fault (i32.const {number}))")
        self.f.add("(unreachable)")

    def in_order(self, *makers: Callable[[], Code]) -> list[Code]:
        """Return operands of 32 bits, made one after another."""
        # An operand is text, evaluated at its place. If a later operand needs
        # statements before it, those would run before the earlier operands: these go
        # into locals first, so that faults come in the order of the rules.
        made: list[Code] = []
        for make in makers:
            before = len(self.f.lines)
            code = make()
            if len(self.f.lines) > before:
                for number, earlier in enumerate(made):
                    was = len(self.f.lines)
                    made[number] = self.f.settle(before, earlier)
                    before += len(self.f.lines) - was
            made.append(code)
        return made
