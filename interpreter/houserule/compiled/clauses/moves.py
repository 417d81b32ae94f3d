"""Moving things and tokens."""

from __future__ import annotations

from houserule import ir
from houserule.compiled.clauses.resumable import ResumableCode
from houserule.compiled.expressions import bits, sets
from houserule.compiled.memory.shapes import Universe
from houserule.compiled.optimize import versions
from houserule.compiled.writer.functions import Code, Unsupported, i32
from houserule.ir import types


class MoveWriter:
    """Writes what moves things and tokens into a procedure."""

    def __init__(self, code: ResumableCode) -> None:
        self._code, self._context = code, code.context
        self._f, self._e = code.f, code.e

    def write(self, s: ir.MoveThings | ir.MoveTop | ir.MoveTokens) -> None:
        """Write a move."""
        match s:
            case ir.MoveThings(what, to):
                self._things(s, what, to)
            case ir.MoveTop():
                self._top(s)
            case ir.MoveTokens():
                self._tokens(s)

    def _target(self, to: ir.Expr, s: ir.CoreNode) -> Code:
        return self._f.keep(self._e.number(to, s.span))

    def _place(
        self, kind: types.Kind, thing: Code, target: Code, s: ir.CoreNode
    ) -> None:
        memory = self._context.memory
        full = self._context.fault("F04", "The zone is full.", s.span)
        args = " ".join(
            (
                i32(memory.where[kind.name].at),
                i32(memory.known[kind.name].at),
                thing,
                target,
                i32(full),
            )
        )
        self._f.add(f"(call $place {args})")

    def _things(self, s: ir.MoveThings, what: ir.Expr, to: ir.Expr) -> None:
        kind = getattr(to.type, "member", None)
        if not isinstance(kind, types.Kind):
            raise Unsupported("a place for things of no kind")
        words = bits.kept(self._e, sets.as_words(self._e, what, Universe(0, kind.size)))
        target = self._target(to, s)
        thing = self._f.local("i32", "thing")
        with bits.each_member(self._e, words, 0, thing):
            self._place(kind, f"(local.get {thing})", target, s)
        self._code.changed(versions.places(kind.name))

    def _top(self, s: ir.MoveTop) -> None:
        """Copy what lies there, then move it one by one."""
        zone = self._context.memory.zones[s.zone]
        kind = self._context.program.zones[s.zone].member
        index = self._f.keep(self._e.index(s.zone, s.keys, s.span))
        target = self._target(s.to, s)
        count = None
        if s.count is not None:
            count = self._f.keep(self._e.number(s.count, s.span))
        room = self._context.data.room(4 * max(kind.size, 1))
        place = f"(i32.add {i32(zone.place)} {index})"
        lying = self._f.keep(f"(call $lying {place} {i32(room)})")
        upto = lying if count is None else self._enough(count, lying, s)
        moved = self._f.local("i32", "moved")
        self._f.set(moved, i32(0))
        again, out = self._f.label("move"), self._f.label("moved")
        with self._f.block(f"(block {out}"), self._f.loop(again):
            self._f.add(f"(br_if {out} (i32.ge_s (local.get {moved}) {upto}))")
            at = f"(i32.sub (i32.sub {lying} (i32.const 1)) (local.get {moved}))"
            if count is None:
                onto = f"(i32.and {target} (i32.const 1))"
                at = f"(select {at} (local.get {moved}) {onto})"
            thing = f"(i32.load offset={room} (i32.shl {at} (i32.const 2)))"
            self._place(kind, thing, target, s)
            self._f.set(moved, f"(i32.add (local.get {moved}) (i32.const 1))")
            self._f.add(f"(br {again})")
        self._code.changed(versions.places(kind.name))

    def _enough(self, count: Code, lying: Code, s: ir.MoveTop) -> Code:
        """Return how many are moved, at most as many as lie there; else F02."""
        if not s.up_to:
            with self._f.when(f"(i32.gt_s {count} {lying})"):
                self._e.fault("F02", "Too few lie there.", s.span)
        return self._f.keep(f"(select {count} {lying} (i32.lt_s {count} {lying}))")

    def _tokens(self, s: ir.MoveTokens) -> None:
        memory = self._context.memory
        here, there = self._e.in_order(
            lambda: self._e.index(s.source, s.source_keys, s.span),
            lambda: self._e.index(s.to, s.to_keys, s.span),
        )
        here = self._f.keep(f"(i32.shl {here} (i32.const 2))")
        there = self._f.keep(f"(i32.shl {there} (i32.const 2))")
        source, to = memory.tokens[s.source].at, memory.tokens[s.to].at
        lying = self._f.keep(f"(i32.load offset={source} {here})")
        count = lying
        if s.count is not None:
            count = self._f.keep(self._e.number(s.count, s.span))
        if s.up_to:
            count = self._f.keep(f"(select {count} {lying} (i32.lt_s {count} {lying}))")
        if s.count is not None:
            with self._f.when(f"(i32.gt_u {count} {lying})"):
                self._e.fault("F02", "Too few lie there.", s.span)
        less = f"(i32.sub {lying} {count})"
        self._f.add(f"(i32.store offset={source} {here} {less})")
        more = f"(i32.add (i32.load offset={to} {there}) {count})"
        self._f.add(f"(i32.store offset={to} {there} {more})")
        self._code.changed(versions.tokens(s.source), versions.tokens(s.to))
