"""Memoisation: results of functions, by arguments, for one version of the state.

A memo is an array with a row for each row of arguments: a stamp, then the result. It
holds if the stamp is the version of the state that the function reads.

A query that reads some of the variables that are bound around it, and not all, would
be worked out for each value of the others. Where those that it reads have few rows of
values, it becomes a function of its own with a memo (`MemoisedQueries`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.context import CompilationContext, Data
from houserule.engine.compiled.expressions.operands import (
    InLocals,
    Operands,
    Words,
    scaled,
)
from houserule.engine.compiled.functions import NONE, Code, Function, Unsupported, i32
from houserule.engine.compiled.memory.shapes import (
    bounds,
    in_words,
    is_set,
    may_be_no_set,
    universe,
    words_of,
)
from houserule.engine.compiled.optimize.versions import Versions
from houserule.engine.reference.evaluate.values import Reach
from houserule.ir import types
from houserule.ir.memo import NodeMemo
from houserule.ir.walk import beneath, slots_read

ROWS_AT_MOST = 4096
FEW = 6  # maximal size of a small set
FOR_EVER = "(i32.const 1)"  # the stamp of a result that no write makes old
QUERY_ROWS_AT_MOST = 256
LOOPS = (ir.Aggregate, ir.CountOf, ir.Quantifier, ir.Pick, ir.ReachedCells, ir.DiceTest)
MOMENT = (ir.PhaseVar, ir.Can, ir.Doing, ir.PositionAfter)


@frozen
class ResultMemo:
    """The rows of one function: a stamp, then the result.

    Attributes:
        title: the function that computes and stores a result.
        at: the address of the first row.
        stamp: the mark of a valid row.
    """

    title: str
    params: tuple[ir.Param, ...]
    type: types.Type
    at: int
    stamp: Code

    @property
    def width(self) -> int:
        """How many bytes a row takes."""
        return 8 + 8 * words_of(self.type)

    def row(self, args: Sequence[Code]) -> Code:
        """Return how far behind the first row that of some arguments lies."""
        return scaled(index_of(args, self.params), self.width)


class Memos:
    """The memos of a program, and what looks into them."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._rooms: list[tuple[int, int]] = []

    def memo(
        self, title: str, params: Sequence[ir.Param], type_: types.Type, stamp: Code
    ) -> ResultMemo:
        """Return room for the results of a function."""
        size = (8 + 8 * words_of(type_)) * (rows_of(params) or 1)
        return ResultMemo(title, tuple(params), type_, self.room(size, stamp), stamp)

    def room(self, size: int, stamp: Code) -> int:
        """Return the address of room that is cleared when versions start again."""
        at = self._data.room(size)
        if stamp != FOR_EVER:
            self._rooms.append((at, size))
        return at

    def look_up(self, e: Operands, memo: ResultMemo, args: Sequence[Code]) -> Words:
        """Return a result: from its row, else from the function."""
        row = e.f.keep(memo.row(args))
        known = f"(i32.eq (i32.load offset={memo.at} {row}) {memo.stamp})"
        call = f"(call {memo.title}{''.join(f' {arg}' for arg in args)})"
        if not in_words(memo.type):
            there = f"(i32.load offset={memo.at + 8} {row})"
            return (f"(if (result i32) {known} (then {there}) (else {call}))",)
        names = [e.f.local("i64", "s") for _ in range(words_of(memo.type))]
        with e.f.block(f"(if {known} (then"):
            for number, name in enumerate(names):
                at = memo.at + 8 + 8 * number
                e.f.set(name, f"(i64.load offset={at} {row})")
            e.f.otherwise()
            e.f.add(call)
            for name in reversed(names):
                e.f.add(f"(local.set {name})")
        e.f.lines[-1] = "))"
        return tuple(f"(local.get {name})" for name in names)

    def keep(
        self, e: Operands, memo: ResultMemo, args: Sequence[Code], found: Words
    ) -> Words:
        """Write what lays a result down in its row; return it."""
        kind = "i64" if in_words(memo.type) else "i32"
        kept = tuple(e.f.keep(code, kind) for code in found)
        row = e.f.keep(memo.row(args))
        for number, code in enumerate(kept):
            e.f.add(f"({kind}.store offset={memo.at + 8 + 8 * number} {row} {code})")
        e.f.add(f"(i32.store offset={memo.at} {row} {memo.stamp})")
        return kept

    def forgetting(self) -> Function:
        """Return what forgets all results, for when versions start again."""
        f = Function("$forget_values")
        for at, size in self._rooms:
            f.add(f"(memory.fill {i32(at)} (i32.const 0) {i32(size)})")
        return f


# ---- the number of a row of arguments among all that may be


def rows_of(params: Sequence[ir.Param]) -> int | None:
    """Return how many rows of arguments there may be; None if that is not known."""
    sizes = [size_of(param.type) for param in params]
    return prod(size or 0 for size in sizes) if None not in sizes else None


def index_of(args: Sequence[Code], params: Sequence[ir.Param]) -> Code:
    """Return the number of a row of arguments, the last one fastest."""
    index: Code = i32(0)
    for arg, param in zip(args, params, strict=True):
        size, low = size_of(param.type) or 1, 0
        if is_set(param.type):
            arg = f"(i32.wrap_i64 {arg})"
        elif limits := bounds(param.type):
            low = limits[0]
        place = f"(i32.sub {arg} {i32(low)})" if low else arg
        if isinstance(param.type, types.Maybe):
            # `none` comes before all others.
            more = f"(i32.add {place} (i32.const 1))"
            place = f"(select (i32.const 0) {more} (i32.eq {arg} {NONE}))"
        more = f"(i32.add {scaled(index, size)} {place})"
        index = place if index == i32(0) else more
    return index


def size_of(type_: types.Type) -> int | None:
    """Return how many values a parameter may have; None if that is not known.

    Unsupported: places, large sets and sets that may be `none`.

    Raises:
        Unsupported: it has no bounds.
    """
    if is_set(type_):
        places = universe(type_).places
        return 1 << places if places <= FEW else None
    if isinstance(type_, types.Position) or may_be_no_set(type_):
        return None
    limits = bounds(type_)
    if limits is None:
        raise Unsupported(f"a parameter of type {type_}")
    return limits[1] - limits[0] + 1 + isinstance(type_, types.Maybe)


# ---- queries with a memo


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
    """Return whether expressions depend on the flow, not on the state alone."""
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
        # A query is a function for the place where it stands, whatever is equal to it.
        self._memos = NodeMemo(self._memo)
        self._reads = NodeMemo(self._variables)

    def stands_alone(self, node: ir.CoreNode, scope: Collection[int]) -> bool:
        """Return whether a query is independent of the variables around it."""
        read = self._reads(node)
        return read is not None and bool(set(scope) - set(read) - {0})

    def _variables(self, node: ir.CoreNode) -> dict[int, ir.Local] | None:
        """Return the variables that a query reads; None if it is worth no memo."""
        if not isinstance(node, LOOPS) or isinstance(node, ir.ReachedCells):
            return None
        if isinstance(node, ir.Pick) and node.many:
            return None
        # The acting seat (slot 0) and the flow are not part of a version of the state;
        # of more rows, each is too seldom asked for again.
        free = slots_read(node)
        found = {
            each.slot: each
            for each in beneath(node)
            if isinstance(each, ir.Local) and each.slot in free
        }
        rows = rows_of([_param(each) for each in found.values()])
        if 0 in free or rows is None or rows > QUERY_ROWS_AT_MOST:
            return None
        if depends_on_moment(self._reaches, node):
            return None
        return dict(sorted(found.items()))

    # ---- calls

    def call(self, e: Operands, node: ir.Expr) -> Code | None:
        """Return the result of a query that is independent here; else None."""
        # Only variables in locals can be arguments; those of a procedure are in
        # its frame. A query that reads one of them is computed in place.
        scope = [slot for slot, at in e.slots.items() if isinstance(at, InLocals)]
        read = self._reads(node)
        if (
            read is None
            or not self.stands_alone(node, scope)
            or not set(read) <= set(scope)
        ):
            return None
        new = node not in self._memos
        memo = self._memos(node)
        if new:
            slots = dict(zip(read, parameters(memo.params).values(), strict=True))
            kinds = declared(memo.params)
            f = Function(memo.title, kinds, ["i32"])
            inner = e.within(f, dict(slots))
            inner.near = e.near
            args = [f"(local.get {name})" for name, _ in kinds]
            for code in self._memoisation.keep(
                inner, memo, args, (inner.unshared(node),)
            ):
                f.add(code)
            self._context.add(f)
        args = [
            f"(local.get {name})"
            for slot in read
            for name in e.slots[slot].names  # type: ignore[union-attr]  # in locals
        ]
        return self._memoisation.look_up(e, memo, args)[0]

    def _memo(self, node: ir.Expr) -> ResultMemo:
        title = self._context.name("query", f"{node.span.line}" if node.span else "")
        params = tuple(_param(each) for each in (self._reads(node) or {}).values())
        stamp = FOR_EVER
        if self._versions.read_beneath(node):
            stamp = self._versions.counter(node)
        return self._memoisation.memo(title, params, node.type, stamp)


def _param(local: ir.Local) -> ir.Param:
    return ir.Param(local.name, local.type)
