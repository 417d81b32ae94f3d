"""Queries: sums, counts, some and every, the best ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, assert_never

from houserule import ir
from houserule.compiled.expressions import bits
from houserule.compiled.expressions.loops import nested
from houserule.compiled.memory.shapes import LARGEST, universe
from houserule.compiled.memory.slots import Words
from houserule.compiled.optimize.all_equal import Alike, alike
from houserule.compiled.optimize.stopping import bounded
from houserule.compiled.writer.functions import (
    NONE,
    Code,
    Unsupported,
    i32,
    i64,
)

if TYPE_CHECKING:
    from houserule.compiled.expressions.expressions import Expressions

BELOW_ALL, ABOVE_ALL = i32(-LARGEST - 1), i32(LARGEST + 1)  # no number is either

Scalar: TypeAlias = ir.Aggregate | ir.CountOf | ir.Quantifier | ir.Pick


class Queries:
    """Writes queries."""

    def scalar(self, e: Expressions, node: Scalar) -> Code:
        """Return a query that amounts to a number, a flag or a member."""
        with bounded(e, node):
            return self._scalar(e, node)

    def _scalar(self, e: Expressions, node: Scalar) -> Code:
        match node:
            case ir.Aggregate():
                return self._fold(e, node)
            case ir.CountOf():
                return self._count(e, node)
            case ir.Quantifier():
                return self._quantified(e, node)
            case ir.Pick():
                return self._only(e, node)
            case _:
                assert_never(node)

    def _fold(self, e: Expressions, node: ir.Aggregate) -> Code:
        total = e.f.local("i32", "total")
        if node.kind == "sum":
            e.f.set(total, i32(0))
            nested(
                e,
                node.binds,
                node.where,
                lambda _: e.f.set(
                    total, f"(i32.add (local.get {total}) {e.number(node.body)})"
                ),
                bodies=(node.body,),
            )
            return f"(local.get {total})"
        e.f.set(total, NONE)
        better = "gt_s" if node.kind == "highest" else "lt_s"

        def leaf(_: str) -> None:
            value = e.f.keep(e.number(node.body))
            first = f"(i32.eq (local.get {total}) {NONE})"
            more = f"(i32.{better} {value} (local.get {total}))"
            with e.f.when(f"(i32.or {first} {more})"):
                e.f.set(total, value)

        nested(e, node.binds, node.where, leaf, bodies=(node.body,))
        got = f"(local.get {total})"
        return f"(select {i32(node.empty)} {got} (i32.eq {got} {NONE}))"

    def _count(self, e: Expressions, node: ir.CountOf) -> Code:
        total = e.f.local("i32", "count")
        e.f.set(total, i32(0))

        def more(by: Code) -> None:
            e.f.set(total, f"(i32.add (local.get {total}) {by})")

        nested(
            e,
            node.binds,
            node.where,
            lambda _: more(i32(1)),
            lambda many: more(f"(i32.wrap_i64 {many})"),
        )
        return f"(local.get {total})"

    def _quantified(self, e: Expressions, node: ir.Quantifier) -> Code:
        same = alike(e.unit, node)
        if same is not None:
            return self._alike(e, same)
        found, out = e.f.local("i32", "found"), e.f.label("decided")
        yes = int(node.kind == "some")
        e.f.set(found, i32(1 - yes))
        wanted = "{test}" if node.kind != "every" else "(i32.eqz {test})"

        def leaf(_: str) -> None:
            with e.f.when(wanted.format(test=e.truth(node.body))):
                e.f.set(found, i32(yes))
                e.f.add(f"(br {out})")

        with e.f.block(f"(block {out}"):
            nested(e, node.binds, node.where, leaf, bodies=(node.body,))
        return f"(local.get {found})"

    def _alike(self, e: Expressions, same: Alike) -> Code:
        """Compare each with the first one."""
        f, found, out = e.f, e.f.local("i32", "found"), e.f.label("decided")
        first, seen = f.local("i32", "first"), f.local("i32", "seen")
        f.set(found, i32(1))
        f.set(seen, i32(0))

        def leaf(_: str) -> None:
            shown = f.keep(e.scalar(same.reading))
            differs = f"(i32.ne {shown} (local.get {first}))"
            with f.when(f"(i32.and (local.get {seen}) {differs})"):
                f.set(found, i32(0))
                f.add(f"(br {out})")
            f.set(first, shown)
            f.set(seen, i32(1))

        with f.block(f"(block {out}"):
            nested(e, (same.bind,), None, leaf, bodies=(same.reading,))
        return f"(local.get {found})"

    # ---- the best

    def words(self, e: Expressions, node: ir.Pick) -> Words:
        """Return the set of all that share the best."""
        space = universe(node.type)
        names = [e.f.local("i64", "best") for _ in range(space.words)]
        slot = node.bind.slots[0]

        def begin() -> None:
            for name in names:
                e.f.set(name, i64(0))

        def take() -> None:
            value = e.scalar(ir.Local(slot, "it", node.bind.type))
            for name, word in zip(names, bits.single(e, space, value), strict=True):
                e.f.set(name, f"(i64.or (local.get {name}) {word})")

        with bounded(e, node):
            self._best(e, node, begin, take)
        return tuple(f"(local.get {name})" for name in names)

    def _only(self, e: Expressions, node: ir.Pick) -> Code:
        if node.many:
            raise Unsupported("several where one is wanted")
        found = e.f.local("i32", "only")
        one = self._single(e, node, (found,))
        return f"(select (local.get {found}) {NONE} {one})"

    def part(self, e: Expressions, node: ir.Pick) -> tuple[Code, Words]:
        """Return whether one part is the best, and its words, none where it is not."""
        space = universe(node.bind.type)
        names = [e.f.local("i64", "only") for _ in range(space.words)]
        one = e.f.keep(self._single(e, node, names))
        words = (f"(select (local.get {n}) (i64.const 0) {one})" for n in names)
        return one, bits.kept(e, tuple(words))

    def _single(self, e: Expressions, node: ir.Pick, names: Sequence[str]) -> Code:
        """Give locals the best there is; return whether it is the only one."""
        many = e.f.local("i32", "many")
        slot = node.bind.slots[0]

        def begin() -> None:
            e.f.set(many, i32(0))

        def take() -> None:
            value = e.value(ir.Local(slot, "it", node.bind.type))
            for name, word in zip(names, value, strict=True):
                e.f.set(name, word)
            e.f.set(many, f"(i32.add (local.get {many}) (i32.const 1))")

        self._best(e, node, begin, take)
        return f"(i32.eq (local.get {many}) (i32.const 1))"

    def _best(
        self,
        e: Expressions,
        node: ir.Pick,
        begin: Callable[[], None],
        take: Callable[[], None],
    ) -> None:
        begin()
        bests = [e.f.local("i32", "rank") for _ in node.keys]
        for best in bests:
            e.f.set(best, BELOW_ALL if node.direction == "most" else ABOVE_ALL)

        def leaf(label: str) -> None:
            ranks = [e.f.keep(e.number(key)) for key in node.keys]
            if ranks:
                better, worse = _compared(ranks, bests, node.direction)
                e.f.add(f"(br_if {label} {worse})")
                with e.f.when(better):
                    begin()
                    for best, rank in zip(bests, ranks, strict=True):
                        e.f.set(best, rank)
            take()

        nested(e, (node.bind,), node.where, leaf, bodies=node.keys)


def _compared(ranks: list[Code], bests: list[str], direction: str) -> tuple[Code, Code]:
    """Return whether ranks are better, and whether they are worse, key by key."""
    more, less = ("gt_s", "lt_s") if direction == "most" else ("lt_s", "gt_s")
    *first, (rank, best) = zip(ranks, bests, strict=True)
    better = f"(i32.{more} {rank} (local.get {best}))"
    worse = f"(i32.{less} {rank} (local.get {best}))"
    for rank, best in reversed(first):
        same = f"(i32.eq {rank} (local.get {best}))"
        better = (
            f"(i32.or (i32.{more} {rank} (local.get {best})) (i32.and {same} {better}))"
        )
        worse = (
            f"(i32.or (i32.{less} {rank} (local.get {best})) (i32.and {same} {worse}))"
        )
    return better, worse
