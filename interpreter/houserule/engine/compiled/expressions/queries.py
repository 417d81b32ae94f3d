"""Queries: sums, counts, some and every, the best ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from houserule import ir
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.loops import Loops
from houserule.engine.compiled.expressions.operands import Operands, Words
from houserule.engine.compiled.functions import NONE, Code, Unsupported, i32, i64
from houserule.engine.compiled.memory.shapes import LARGEST, universe
from houserule.engine.compiled.optimize.costs import bounded
from houserule.engine.reference.evaluate.costs import Costs
from houserule.ir import types
from houserule.ir.walk import conjuncts

BELOW_ALL, ABOVE_ALL = i32(-LARGEST - 1), i32(LARGEST + 1)  # no number is either

Scalar: TypeAlias = ir.Aggregate | ir.CountOf | ir.Quantifier | ir.Pick


class Queries:
    """Writes queries, with `Loops` over what they ask about."""

    def __init__(self, loops: Loops, costs: Costs) -> None:
        self._loops, self._costs = loops, costs

    def scalar(self, e: Operands, node: Scalar) -> Code:
        """Return a query that amounts to a number, a flag or a member."""
        with bounded(e, self._costs.bound(node)):
            match node:
                case ir.Aggregate():
                    total = e.f.local("i32", "total")
                    if node.kind == "sum":
                        e.f.set(total, i32(0))

                        def add(_: str) -> None:
                            by = e.number(node.body)
                            e.f.set(total, f"(i32.add (local.get {total}) {by})")

                        self._loops.nested(e, node.binds, node.where, add)
                        return f"(local.get {total})"
                    e.f.set(total, NONE)
                    better = "gt_s" if node.kind == "highest" else "lt_s"

                    def compare(_: str) -> None:
                        value = e.f.keep(e.number(node.body))
                        first = f"(i32.eq (local.get {total}) {NONE})"
                        more = f"(i32.{better} {value} (local.get {total}))"
                        with e.f.when(f"(i32.or {first} {more})"):
                            e.f.set(total, value)

                    self._loops.nested(e, node.binds, node.where, compare)
                    got = f"(local.get {total})"
                    if node.empty is None:
                        return got
                    return f"(select {i32(node.empty)} {got} (i32.eq {got} {NONE}))"
                case ir.CountOf():
                    total = e.f.local("i32", "count")
                    e.f.set(total, i32(0))
                    more = f"(i32.add (local.get {total}) (i32.const 1))"
                    self._loops.nested(
                        e,
                        node.binds,
                        node.where,
                        lambda _: e.f.set(total, more),
                        at_once=lambda words: e.f.set(
                            total, f"(i32.add (local.get {total}) {bits.count(words)})"
                        ),
                    )
                    return f"(local.get {total})"
                case ir.Quantifier():
                    found, out = e.f.local("i32", "found"), e.f.label("decided")
                    yes = int(node.kind == "some")
                    e.f.set(found, i32(1 - yes))
                    # A binding that decides: the body holds there, or it does not.
                    decides = conjuncts(node.body)
                    if node.kind == "every":
                        decides = [ir.Unary("not", node.body, types.Flag())]

                    def decide(_: str) -> None:
                        e.f.set(found, i32(yes))
                        e.f.add(f"(br {out})")

                    def any_of(words: Words) -> None:
                        with e.f.when(f"(i32.eqz {bits.empty(words)})"):
                            decide(out)

                    with e.f.block(f"(block {out}"):
                        self._loops.nested(
                            e,
                            node.binds,
                            node.where,
                            decide,
                            last=decides,
                            at_once=any_of,
                        )
                    return f"(local.get {found})"
                case ir.Pick():
                    if node.many:
                        raise Unsupported("several things where one is needed")
                    found = e.f.local("i32", "only")
                    one = self._single(e, node, (found,))
                    return f"(select (local.get {found}) {NONE} {one})"
                case _:
                    assert_never(node)

    # ---- the best

    def best_set(self, e: Operands, node: ir.Pick) -> Words:
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

        def all_of(words: Words) -> None:
            for name, word in zip(names, words, strict=True):
                e.f.set(name, word)

        with bounded(e, self._costs.bound(node)):
            self._best(e, node, begin, take, None if node.keys else all_of)
        return tuple(f"(local.get {name})" for name in names)

    def best_part(self, e: Operands, node: ir.Pick) -> tuple[Code, Words]:
        """Return whether one part is the best, and its words, none if it is not."""
        space = universe(node.bind.type)
        names = [e.f.local("i64", "only") for _ in range(space.words)]
        one = e.f.keep(self._single(e, node, names))
        words = (f"(select (local.get {n}) (i64.const 0) {one})" for n in names)
        return one, bits.kept(e, tuple(words))

    def _single(self, e: Operands, node: ir.Pick, names: Sequence[str]) -> Code:
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
        e: Operands,
        node: ir.Pick,
        begin: Callable[[], None],
        take: Callable[[], None],
        at_once: Callable[[Words], None] | None = None,
    ) -> None:
        begin()
        bests = [e.f.local("i32", "rank") for _ in node.keys]
        for best in bests:
            e.f.set(best, BELOW_ALL if node.direction == "most" else ABOVE_ALL)

        def leaf(label: str) -> None:
            ranks = [e.f.keep(e.number(key)) for key in node.keys]
            if ranks:
                # Compare key by key: the first that differs decides.
                more, less = "gt_s", "lt_s"
                if node.direction == "least":
                    more, less = less, more
                better = worse = ""
                for rank, best in reversed(list(zip(ranks, bests, strict=True))):
                    pair = f"{rank} (local.get {best})"
                    same = f"(i32.eq {pair})"
                    above, below = f"(i32.{more} {pair})", f"(i32.{less} {pair})"
                    if better:
                        above = f"(i32.or {above} (i32.and {same} {better}))"
                        below = f"(i32.or {below} (i32.and {same} {worse}))"
                    better, worse = above, below
                e.f.add(f"(br_if {label} {worse})")
                with e.f.when(better):
                    begin()
                    for best, rank in zip(bests, ranks, strict=True):
                        e.f.set(best, rank)
            take()

        self._loops.nested(e, (node.bind,), node.where, leaf, at_once=at_once)
