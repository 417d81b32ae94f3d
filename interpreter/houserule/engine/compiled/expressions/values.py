"""Declared values: a function each, a memo, or an array of what never changes."""

from __future__ import annotations

from collections.abc import Mapping

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.operands import (
    Operands,
    Words,
    outside,
    scaled,
)
from houserule.engine.compiled.expressions.places import argument, fitting
from houserule.engine.compiled.functions import NONE, Code, Function, Unsupported, i64
from houserule.engine.compiled.memory.shapes import (
    LARGEST,
    bounds,
    in_words,
    is_set,
    words_of,
)
from houserule.engine.compiled.optimize.constants import ConstantArrays
from houserule.engine.compiled.optimize.costs import look_if_long
from houserule.engine.compiled.optimize.memoisation import (
    FOR_EVER,
    LOOPS,
    ROWS_AT_MOST,
    MemoisedQueries,
    Memos,
    ResultMemo,
    declared,
    index_of,
    parameters,
    rows_of,
)
from houserule.engine.compiled.optimize.versions import Versions
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.reference.evaluate.values import Reach, parts
from houserule.engine.state.faults import F01, F03
from houserule.ir import types
from houserule.ir.walk import beneath


class DeclaredValues:
    """Writes calls of declared values, and their functions at the first call.

    A call looks into an array of what never changes, looks into a memo, or calls a
    function, in this order of preference.
    """

    def __init__(
        self,
        context: CompilationContext,
        reaches: Mapping[str, Reach],
        costs: Costs,
        constants: ConstantArrays,
        versions: Versions,
        memos: Memos,
        queries: MemoisedQueries,
    ) -> None:
        self._context, self._reaches, self._costs = context, reaches, costs
        self._constants, self._versions = constants, versions
        self._memoisation, self._queries = memos, queries
        self._made: dict[str, str] = {}
        self._looping: dict[str, bool] = {}
        self._memos: dict[str, ResultMemo | None] = {}

    # ---- calls

    def call(self, e: Operands, node: ir.CallValue) -> Code:
        """Return a call with a number as result; `none` for an argument `none`."""
        value = self._context.program.values[node.value]
        args, there = self._arguments(e, node, value)
        if not there:
            return self._result(e, value, args)[0]
        result = e.f.local("i32")
        e.f.set(result, NONE)
        with e.f.when(there):
            (code,) = self._result(e, value, args)
            e.f.set(result, code)
        return f"(local.get {result})"

    def call_or_none(self, e: Operands, node: ir.CallValue) -> tuple[Code, Words]:
        """Return whether a call gives a set, and its words."""
        value = self._context.program.values[node.value]
        args, there = self._arguments(e, node, value)
        if not there:
            return bits.taken_apart(value.type, self._result(e, value, args))
        names = [e.f.local("i64", "s") for _ in range(words_of(value.type))]
        for name in names:
            e.f.set(name, i64(0))
        there = e.f.keep(there)
        with e.f.when(there):
            words = self._result(e, value, args)
            for name, word in zip(names, words, strict=True):
                e.f.set(name, word)
        found = tuple(f"(local.get {name})" for name in names)
        if is_set(value.type):
            return there, found
        return bits.taken_apart(value.type, found)

    def _arguments(
        self, e: Operands, node: ir.CallValue, value: ir.ValueDef
    ) -> tuple[list[Code], Code]:
        """Return the arguments, and a test that required ones exist; '' if sure."""
        there: Code = ""
        args: list[Code] = []
        for arg, param in zip(node.args, value.params, strict=True):
            one, made = argument(e, arg, param)
            args += made
            must = not isinstance(param.type, types.Maybe)
            if must and isinstance(arg.type, types.Maybe):
                there = f"(i32.and {there} {one})" if there else one
        return args, there

    def _result(self, e: Operands, value: ir.ValueDef, args: list[Code]) -> Words:
        array = self._constants.array(value)
        if array is not None:
            index = index_of(args, value.params)
            if in_words(value.type):
                return bits.loaded(e, array, words_of(value.type), index)
            return (f"(i32.load offset={array} {scaled(index, 4)})",)
        memo = self._memo(e, value)
        if memo is not None:
            return self._memoisation.look_up(e, memo, args)
        if value.name not in self._made:
            self._made[value.name] = self._context.name("value", value.name)
            self._write(e, value)
        call = f"(call {self._made[value.name]}{''.join(f' {arg}' for arg in args)})"
        if not in_words(value.type):
            return (call,)
        names = [e.f.local("i64", "s") for _ in range(words_of(value.type))]
        e.f.add(call)
        for name in reversed(names):
            e.f.add(f"(local.set {name})")
        return tuple(f"(local.get {name})" for name in names)

    def _write(self, e: Operands, value: ir.ValueDef) -> None:
        slots = parameters(value.params)
        kinds = declared(value.params)
        many = in_words(value.type)
        results = ["i64"] * words_of(value.type) if many else ["i32"]
        f = Function(self._made[value.name], kinds, results)
        e = e.within(f, dict(slots))
        e.bound = self._costs.call(value.name)
        look_if_long(e, value.span)
        if many:
            found = fitting(e, value.definition, value)
        else:
            code = self._layered(e, value)
            # A result that may lie outside its range is F01.
            optional = isinstance(value.type, types.Maybe)
            inner = types.core(value.type)
            limits = bounds(value.definition.type)
            if isinstance(inner, types.Whole):
                inside = limits and inner.low <= limits[0] and limits[1] <= inner.high
                absent = isinstance(value.definition.type, types.Maybe) and not optional
                if not inside or value.adjusted or absent:
                    code = f.keep(code)
                    wrong = outside(code, inner.low, inner.high)
                    if optional:
                        wrong = f"(i32.and {wrong} (i32.ne {code} {NONE}))"
                    with f.when(wrong):
                        message = f"`{value.name}` is outside {value.type}."
                        e.fault(F01, message, value.span)
            found = (code,)
        memo = self._memo(e, value)
        if memo is not None:
            args = [f"(local.get {name})" for name, _ in kinds]
            found = self._memoisation.keep(e, memo, args, found)
        for code in found:
            f.add(code)
        self._context.add(f)

    # ---- what is worked out once for each version of the state

    def _memo(self, e: Operands, value: ir.ValueDef) -> ResultMemo | None:
        """Return the rows of a value whose results are remembered."""
        if value.name not in self._memos:
            self._memos[value.name] = None
            if self._worth_remembering(value):
                title = self._made[value.name] = self._context.name("value", value.name)
                forever = self._reaches[value.name] is Reach.FOREVER
                stamp = FOR_EVER if forever else self._versions.counter(*parts(value))
                memo = self._memoisation.memo(title, value.params, value.type, stamp)
                self._memos[value.name] = memo
                self._write(e, value)
        return self._memos[value.name]

    def _worth_remembering(self, value: ir.ValueDef) -> bool:
        if self._reaches[value.name] is Reach.MOMENT:
            return False
        rows = rows_of(value.params)
        return rows is not None and rows <= ROWS_AT_MOST and self._loops(value)

    def _loops(self, value: ir.ValueDef) -> bool:
        """Return whether a value visits many things at each evaluation."""
        if value.name in self._looping:
            return self._looping[value.name]
        scope, visits = range(1, len(value.params) + 1), False
        for node in beneath(*parts(value)):
            if isinstance(node, ir.CallValue):
                called = self._context.program.values[node.value]
                visits |= self._loops(called) and not self._worth_remembering(called)
            elif isinstance(node, LOOPS):
                visits |= not self._queries.stands_alone(node, scope)
        self._looping[value.name] = visits
        return visits

    def _layered(self, e: Operands, value: ir.ValueDef) -> Code:
        changes = [
            (layer.op, adjust) for layer in value.layers for _, adjust in layer.adjusts
        ]
        if value.widened:
            return e.truth(value.whole)
        if not changes:
            return e.scalar(value.definition)
        total = e.f.local("i32", "total")
        e.f.set(total, e.scalar(value.definition))
        if isinstance(value.definition.type, types.Maybe):
            with e.f.when(f"(i32.eq (local.get {total}) {NONE})"):
                e.fault(F03, f"`{value.name}` is none.", value.span)
        # No layer may leave the module's numbers on its way.
        low, high = bounds(value.definition.type) or (0, 0)
        for layer in value.layers:
            for _, adjust in layer.adjusts:
                least, most = bounds(adjust.type) or (0, 0)
                match layer.op:
                    case "times":
                        ends = [low * least, low * most, high * least, high * most]
                        low, high = min(ends), max(ends)
                    case "plus":
                        low, high = low + least, high + most
                    case "at least":
                        low, high = max(low, least), max(high, most)
                    case "at most":
                        low, high = min(low, least), min(high, most)
                if not -LARGEST <= low <= high <= LARGEST:
                    raise Unsupported(f"`{value.name}` may reach {low} or {high}")
        for op, adjust in changes:
            by = e.number(adjust)
            now = f"(local.get {total})"
            match op:
                case "times":
                    e.f.set(total, f"(i32.mul {now} {by})")
                case "plus":
                    e.f.set(total, f"(i32.add {now} {by})")
                case _:
                    by = e.f.keep(by)
                    less = "gt_s" if op == "at least" else "lt_s"
                    e.f.set(total, f"(select {now} {by} (i32.{less} {now} {by}))")
        return f"(local.get {total})"
