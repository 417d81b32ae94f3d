"""Memoised queries: those that loops around them would ask again and again.

A query that reads some of the variables that are bound around it, and not all, would
be worked out for each value of the others. Where those that it reads have few rows of
values, it becomes a function of its own with a memo.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from houserule import ir
from houserule.compiled.context import CompilationContext
from houserule.compiled.expressions.operands import Operands
from houserule.compiled.memory.shapes import in_words, words_of
from houserule.compiled.memory.slots import InLocals
from houserule.compiled.optimize.memoisation import FOR_EVER, Memos, ResultMemo, rows_of
from houserule.compiled.optimize.versions import Versions
from houserule.compiled.writer.functions import Code, Function
from houserule.engine.evaluate.values import Reach
from houserule.ir.walk import beneath, slots_read

LOOPS = (ir.Aggregate, ir.CountOf, ir.Quantifier, ir.Pick, ir.ReachedCells, ir.DiceTest)
ROWS_AT_MOST = 256
MOMENT = (ir.PhaseVar, ir.Can, ir.Doing)


def parameters(params: Sequence[ir.Param]) -> dict[int, InLocals]:
    """Return the parameters of a function as slots, from 1 on."""
    return {
        number: InLocals(
            tuple(f"$p{number}_{k}" for k in range(words_of(param.type)))
            if in_words(param.type)
            else (f"$p{number}",)
        )
        for number, param in enumerate(params, 1)
    }


def declared(params: Sequence[ir.Param]) -> list[tuple[str, str]]:
    """Return the parameters of a function as it declares them, from number 1 on."""
    return [
        (name, "i64" if in_words(param.type) else "i32")
        for slot, param in zip(parameters(params).values(), params, strict=True)
        for name in slot.names
    ]


def depends_on_moment(reaches: Mapping[str, Reach], *nodes: ir.CoreNode) -> bool:
    """Say whether expressions hang on what is under way, not on the state alone."""
    return any(
        isinstance(each, MOMENT)
        or (isinstance(each, ir.CallValue) and reaches[each.value] is Reach.MOMENT)
        for each in beneath(*nodes)
    )


class MemoisedQueries:
    """The queries of a program that are functions of their own."""

    def __init__(
        self,
        context: CompilationContext,
        reaches: Mapping[str, Reach],
        versions: Versions,
        memos: Memos,
    ) -> None:
        self._context, self._reaches = context, reaches
        self._versions, self._memoisation = versions, memos
        # By identity: a query is a function for the place where it stands.
        self._memos: dict[int, tuple[ir.Expr, ResultMemo]] = {}
        self._read: dict[int, tuple[ir.CoreNode, dict[int, ir.Local] | None]] = {}

    def stands_alone(self, node: ir.CoreNode, scope: Collection[int]) -> bool:
        """Say whether a query stands on its own among the variables around it."""
        read = self._reads(node)
        return read is not None and bool(set(scope) - set(read) - {0})

    def _reads(self, node: ir.CoreNode) -> dict[int, ir.Local] | None:
        """Return the variables that a query reads; None where it is worth no memo."""
        if id(node) not in self._read:
            self._read[id(node)] = node, self._worked_out(node)
        return self._read[id(node)][1]

    def _worked_out(self, node: ir.CoreNode) -> dict[int, ir.Local] | None:
        if not isinstance(node, LOOPS) or isinstance(node, ir.ReachedCells):
            return None
        if isinstance(node, ir.Pick) and node.many:
            return None
        # Who acts (slot 0) and what is under way are no part of a version of the state;
        # of more rows, each is too seldom asked for again.
        free = slots_read(node)
        found = {
            each.slot: each
            for each in beneath(node)
            if isinstance(each, ir.Local) and each.slot in free
        }
        rows = rows_of([_param(each) for each in found.values()])
        if 0 in free or rows is None or rows > ROWS_AT_MOST:
            return None
        if depends_on_moment(self._reaches, node):
            return None
        return dict(sorted(found.items()))

    # ---- calls

    def call(self, e: Operands, node: ir.Expr) -> Code | None:
        """Return the result of a query that stands on its own here; None if none."""
        # Only what is in locals can be an argument; variables of a procedure stand in
        # its frame. A query that reads one of them is worked out where it stands.
        scope = [slot for slot, at in e.slots.items() if isinstance(at, InLocals)]
        read = self._reads(node)
        if (
            read is None
            or not self.stands_alone(node, scope)
            or not set(read) <= set(scope)
        ):
            return None
        memo = self._memo(e, node, read)
        args = [
            f"(local.get {name})"
            for slot in read
            for name in e.slots[slot].names  # type: ignore[union-attr]  # in locals
        ]
        return self._memoisation.look_up(e, memo, args)[0]

    def _memo(
        self, e: Operands, node: ir.Expr, read: dict[int, ir.Local]
    ) -> ResultMemo:
        if id(node) not in self._memos:
            title = self._context.name(
                "query", f"{node.span.line}" if node.span else ""
            )
            params = tuple(_param(each) for each in read.values())
            stamp = FOR_EVER
            if self._versions.read_beneath(node):
                stamp = self._versions.counter(node)
            memo = self._memoisation.memo(title, params, node.type, stamp)
            self._memos[id(node)] = node, memo
            self._write(e, node, read, memo)
        return self._memos[id(node)][1]

    def _write(
        self, e: Operands, node: ir.Expr, read: dict[int, ir.Local], memo: ResultMemo
    ) -> None:
        slots = dict(zip(read, parameters(memo.params).values(), strict=True))
        kinds = declared(memo.params)
        f = Function(memo.title, kinds, ["i32"], asks=True)
        inner = e.within(f, dict(slots))
        inner.near = e.near
        args = [f"(local.get {name})" for name, _ in kinds]
        for code in self._memoisation.keep(inner, memo, args, (inner.unshared(node),)):
            f.add(code)
        self._context.add(f)


def _param(local: ir.Local) -> ir.Param:
    return ir.Param(local.name, local.type)
