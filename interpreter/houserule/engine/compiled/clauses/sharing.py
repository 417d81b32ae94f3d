"""Sharing out among alike things: the class of each, so that shares can be counted.

The functions of the runtime do the counting; a share has of alike members none that
gets more than one before it.
"""

from __future__ import annotations

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.expressions.operands import InLocals, Operands
from houserule.engine.compiled.functions import Code, Function, i32, load


@frozen
class LaidMembers:
    """The address of the classes of members among which something is shared out.

    `kinds` has the class of each, `many` how many classes there are; the others are
    room to count in.
    """

    kinds: int
    many: int
    room: int
    top: int
    ways: int

    @property
    def _arrays(self) -> Code:
        return f"{load(self.many)} {i32(self.room)} {i32(self.top)} {i32(self.ways)}"

    def _open(self, f: Function, pieces: Code, members: Code) -> None:
        """Write what lets every member of a class come, and have all."""
        inside = f"{i32(self.kinds)} {load(self.many)} {i32(self.room)} {i32(self.top)}"
        f.add(f"(call $open_shares {pieces} {members} {inside})")

    def count(self, f: Function, pieces: Code, members: Code) -> Code:
        """Return how many shares there are."""
        self._open(f, pieces, members)
        return f"(call $alike_shares {pieces} {self._arrays})"

    def find(self, f: Function, args: tuple[Code, Code, Code, Code]) -> None:
        """Write down a share by its number: of pieces and members, to an address."""
        self._open(f, *args[:2])
        named = f"{i32(self.kinds)} {self._arrays}"
        f.add(f"(call $unrank_alike_share {' '.join(args)} {named})")


def lay_classes(
    e: Operands, node: ir.Distinct, members: tuple[int, int], places: int, most: int
) -> LaidMembers:
    """Write what gives each member the number of its class, in order.

    Args:
        e: the procedure's operands.
        node: tells which members are interchangeable.
        members: the addresses of the members and of their number.
        places: the maximal number of members.
        most: the maximal number of pieces to share.
    """
    take, room = e.context.memory.allocator.take, e.context.data.room
    counting = room(4 * places), room(4 * places), room(8 * (most + 1))
    laid = LaidMembers(take(4 * places), take(8), *counting)
    f, (_, many) = e.f, members
    at = f.local("i32", "member")
    done, again = f.label("members"), f.label("member")
    f.store(laid.many, i32(0))
    f.set(at, i32(0))
    with f.block(f"(block {done}"), f.loop(again):
        f.add(f"(br_if {done} (i32.ge_u (local.get {at}) {load(many)}))")
        _class_of(e, node, members[0], laid, at)
        f.set(at, f"(i32.add (local.get {at}) (i32.const 1))")
        f.add(f"(br {again})")
    return laid


def _class_of(
    e: Operands, node: ir.Distinct, over: int, laid: LaidMembers, at: str
) -> None:
    """Write what puts one member to the class of one before it, or opens one."""
    f = e.f
    one, other = f.local("i32", "one"), f.local("i32", "other")
    e.slots[node.slots[0]] = InLocals((one,))
    e.slots[node.slots[1]] = InLocals((other,))
    before = f.local("i32", "before")
    found, again = f.label("class"), f.label("earlier")
    here = f"(i32.shl (local.get {at}) (i32.const 2))"
    there = f"(i32.shl (local.get {before}) (i32.const 2))"
    f.set(other, f"(i32.load offset={over} {here})")
    f.set(before, i32(0))
    with f.block(f"(block {found}"):
        with f.loop(again), f.when(f"(i32.lt_u (local.get {before}) (local.get {at}))"):
            f.set(one, f"(i32.load offset={over} {there})")
            kind = f"(i32.load offset={laid.kinds} {there})"
            with f.when(e.truth(node.alike)):
                f.add(f"(i32.store offset={laid.kinds} {here} {kind})")
                f.add(f"(br {found})")
            f.set(before, f"(i32.add (local.get {before}) (i32.const 1))")
            f.add(f"(br {again})")
        f.add(f"(i32.store offset={laid.kinds} {here} {load(laid.many)})")
        f.store(laid.many, f"(i32.add {load(laid.many)} (i32.const 1))")
