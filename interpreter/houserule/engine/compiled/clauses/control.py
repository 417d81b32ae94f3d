"""Control: branches, loops, draws and decisions within a procedure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb, prod

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.clauses.procedures import ResumableCode
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.loops import Loops
from houserule.engine.compiled.expressions.operands import InLocals, Operands
from houserule.engine.compiled.functions import (
    Code,
    Function,
    Unsupported,
    i32,
    i64,
    load,
)
from houserule.engine.compiled.memory.shapes import bounds, is_set, universe, words_of
from houserule.engine.compiled.optimize.costs import work_of_picks
from houserule.engine.compiled.optimize.numbering import most
from houserule.engine.compiled.options.products import Walks
from houserule.engine.compiled.options.segments import FactorTest
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.state.faults import BEYOND, F12
from houserule.ir import types
from houserule.ir.walk import slots_read


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


# ---- actions and reactions

LISTED_AT_MOST = 4096
DRAWN_AT_MOST = 1 << 32


class ControlWriter:
    """Writes what steers into a procedure.

    `block` writes the statements inside of a branch or a loop: they are written by what
    writes the branch itself.
    """

    def __init__(
        self,
        code: ResumableCode,
        loops: Loops,
        walks: Walks,
        costs: Costs,
        block: Callable[[ir.Block], None],
    ) -> None:
        self._code, self._context = code, code.context
        self._f, self._e, self._frame = code.f, code.e, code.frame
        self._loops, self._walks, self._costs = loops, walks, costs
        self._block = block

    def write(
        self, s: ir.When | ir.ForEach | ir.ChooseOption | ir.ShareOut | ir.DrawOne
    ) -> None:
        """Write a statement that steers."""
        match s:
            case ir.When():
                out = self._code.label()
                for number, (condition, body) in enumerate(s.rows, 1):
                    other = self._code.label()
                    self._code.jump_if(f"(i32.eqz {self._e.truth(condition)})", other)
                    self._block(body)
                    if s.otherwise or number < len(s.rows):
                        self._code.jump(out)
                    self._code.here(other)
                self._block(s.otherwise)
                self._code.here(out)
            case ir.ForEach():
                self._for(s)
            case ir.ChooseOption():
                self._choose(s)
            case ir.ShareOut():
                self._share(s)
            case ir.DrawOne():
                pick = self._walk(s.bind, s.where, s.stream)
                out = self._code.label()
                count = self._f.keep(f"(call {pick} (i64.const -1))", "i64")
                self._code.jump_if(f"(i64.eqz {count})", out)
                if most(s.bind) ** len(s.bind.slots) >= DRAWN_AT_MOST:
                    with self._f.when(f"(i64.ge_u {count} {i64(DRAWN_AT_MOST)})"):
                        self._f.add("(unreachable)")
                stream = i32(self._context.stream(s.stream))
                drawn = f"(call $draw {stream} (i32.wrap_i64 {count}))"
                self._f.add(f"(drop (call {pick} (i64.extend_i32_u {drawn})))")
                self._block(s.body)
                self._code.here(out)

    # ---- loops: their members are fixed on entry

    def _until(self, s: ir.ForEach, until: ir.Expr) -> None:
        """Repeat a block as often as its variable has values, or until it is over."""
        take, times = self._context.memory.allocator.take, s.binds[0].source
        most_times, done = take(8), take(8)
        if isinstance(times, ir.MakeRange):
            self._f.store(most_times, self._e.number(times.high, s.span))
        else:
            assert isinstance(times, ir.Const)
            assert isinstance(times.value, tuple)
            self._f.store(most_times, i32(len(times.value)))
        self._f.store(done, i32(0))
        head, out = self._code.label(), self._code.label()
        self._code.here(head)
        self._code.jump_if(self._e.truth(until), out)
        over = f"(i32.ge_s {load(done)} {load(most_times)})"
        if s.stops:
            self._code.jump_if(over, out)
        else:
            with self._f.when(over):
                self._e.fault(F12, BEYOND, s.span)
        self._f.store(done, f"(i32.add {load(done)} (i32.const 1))")
        self._block(s.body)
        self._code.jump(head)
        self._code.here(out)

    def _for(self, s: ir.ForEach) -> None:
        if s.until is not None:
            self._until(s, s.until)
            return
        bind = s.binds[0]
        several = len(_slots(s)) > 1 or bind.how == "subset"
        if s.keys or several or isinstance(bind.source, ir.Seats):
            self._listed(s)
            return
        slot, space = bind.slots[0], universe(bind.source.type)
        rest = [self._context.memory.allocator.take(8) for _ in range(space.words)]
        names = [self._f.local("i64", "items") for _ in rest]
        for name in names:
            self._f.set(name, i64(0))

        def leaf(_: str) -> None:
            value = self._e.scalar(ir.Local(slot, "it", bind.type))
            for name, word in zip(
                names, bits.single(self._e, space, value), strict=True
            ):
                self._f.set(name, f"(i64.or (local.get {name}) {word})")

        self._walked(s.binds, s.where, leaf)
        for at, name in zip(rest, names, strict=True):
            self._f.store(at, f"(local.get {name})", "i64")
        head, out = self._code.label(), self._code.label()
        self._code.here(head)
        self._next_of(rest, space.low, slot, out)
        self._block(s.body)
        self._code.jump(head)
        self._code.here(out)

    def _walked(
        self,
        binds: Sequence[ir.Bind],
        where: ir.Expr | None,
        leaf: Callable[[str], None],
    ) -> None:
        """Write a walk over binders in this very function.

        A condition without bound variables is tested first.
        """
        kept = dict(self._e.slots)
        bound = {slot for bind in binds for slot in bind.slots}
        if where is None or slots_read(where) & bound:
            self._loops.nested(self._e, binds, where, leaf)
        else:
            with self._f.when(self._e.truth(where)):
                self._loops.nested(self._e, binds, None, leaf)
        self._e.slots = kept

    def _next_of(self, rest: list[int], low: int, slot: int, out: int) -> None:
        """Take the first member that is left, or leave the loop."""
        at = self._frame.slots[slot]
        done = self._f.label("taken")
        with self._f.block(f"(block {done}"):
            for number, where in enumerate(rest):
                word = self._f.keep(load(where, "i64"), "i64")
                with self._f.when(f"(i64.ne {word} (i64.const 0))"):
                    first = f"(i32.wrap_i64 (i64.ctz {word}))"
                    value = f"(i32.add {first} {i32(64 * number + low)})"
                    self._f.store(at, value)
                    less = f"(i64.and {word} (i64.sub {word} (i64.const 1)))"
                    self._f.store(where, less, "i64")
                    self._f.add(f"(br {done})")
            self._code.jump(out)

    def _listed(self, s: ir.ForEach) -> None:
        """Loop over a list that is laid down, sorted where there are keys."""
        room = prod(most(bind) ** len(bind.slots) for bind in s.binds)
        if room > LISTED_AT_MOST:
            raise Unsupported("a loop over so many things")
        behind = 8 * sum(words_of(type_) for _, type_ in _slots(s))
        width = behind + 8 * len(s.keys)
        taker = self._context.memory.allocator
        items, count, number = taker.take(width * room), taker.take(8), taker.take(8)
        self._f.store(count, i32(0))
        self._f.store(number, i32(0))

        def leaf(_: str) -> None:
            self._append(s, items, count, width, behind)

        self._walked(s.binds, s.where, leaf)
        head, out = self._code.label(), self._code.label()
        self._code.here(head)
        now = self._f.keep(load(number))
        self._code.jump_if(f"(i32.ge_u {now} {load(count)})", out)
        at = items
        for slot, type_ in _slots(s):
            for word in range(words_of(type_)):
                value = f"(i64.load offset={at} (i32.mul {now} {i32(width)}))"
                to = self._frame.slots[slot] + 8 * word
                self._f.store(to, value, "i64")
                at += 8
        self._f.store(number, f"(i32.add {now} (i32.const 1))")
        self._block(s.body)
        self._code.jump(head)
        self._code.here(out)

    def _append(
        self, s: ir.ForEach, items: int, count: int, width: int, behind: int
    ) -> None:
        """Put what is bound into the list, sorted by insertion: ties stay in order."""
        ranks = [self._f.keep(self._e.number(key, s.span)) for key in s.keys]
        at = self._f.local("i32", "at")
        self._f.set(at, load(count))
        if ranks:
            self._make_room(s, items, width, behind, ranks, at)
        base = self._f.keep(f"(i32.mul (local.get {at}) {i32(width)})")
        to = items
        for slot, type_ in _slots(s):
            kind = "i64" if is_set(type_) else "i32"
            for code in self._e.value(ir.Local(slot, "it", type_)):
                self._f.add(f"({kind}.store offset={to} {base} {code})")
                to += 8
        for number, rank in enumerate(ranks):
            to = items + behind + 8 * number
            self._f.add(f"(i32.store offset={to} {base} {rank})")
        more = f"(i32.add {load(count)} (i32.const 1))"
        self._f.store(count, more)

    def _make_room(
        self,
        s: ir.ForEach,
        items: int,
        width: int,
        behind: int,
        ranks: list[Code],
        at: str,
    ) -> None:
        """Move entries that rank behind the new one on by one place, from the end."""
        again, out = self._f.label("sort"), self._f.label("sorted")
        with self._f.block(f"(block {out}"), self._f.loop(again):
            self._f.add(f"(br_if {out} (i32.eqz (local.get {at})))")
            before = self._f.keep(
                f"(i32.mul (i32.sub (local.get {at}) (i32.const 1)) {i32(width)})"
            )
            better = i32(0)
            more = "gt_s" if s.direction == "most" else "lt_s"
            for number, rank in reversed(list(enumerate(ranks))):
                place = items + behind + 8 * number
                there = f"(i32.load offset={place} {before})"
                equal = f"(i32.eq {rank} {there})"
                better = (
                    f"(i32.or (i32.{more} {rank} {there}) (i32.and {equal} {better}))"
                )
            self._f.add(f"(br_if {out} (i32.eqz {better}))")
            to = f"(i32.add {before} {i32(items + width)})"
            self._f.add(
                f"(memory.copy {to} (i32.add {before} {i32(items)}) {i32(width)})"
            )
            self._f.set(at, f"(i32.sub (local.get {at}) (i32.const 1))")
            self._f.add(f"(br {again})")

    # ---- one of several

    def _walk(self, bind: ir.Bind, where: ir.Expr | None, site: str) -> str:
        tests = []
        if where is not None:
            tests = [FactorTest(lambda e: e.truth(where), slots_read(where))]
        title = self._context.name("pick", site)
        walk = self._walks.over(
            title,
            self._frame,
            (bind,),
            tests,
            acting=False,
            near=self._e.near,
            bound=work_of_picks(bind, where, self._costs),
        )
        return walk.write()

    def _choose(self, s: ir.ChooseOption) -> None:
        pick = self._walk(s.bind, s.where, s.site)
        picks = self._code.procedures.picks.setdefault(s.site, [])
        picks.append((pick, self._frame))
        other, out, answered, body = (self._code.label() for _ in range(4))
        count = self._f.keep(f"(call {pick} (i64.const -1))", "i64")
        self._code.jump_if(f"(i64.eqz {count})", other)
        declining = int(not s.must)
        if s.must:
            with self._f.when(f"(i64.eq {count} (i64.const 1))"):
                self._f.add(f"(drop (call {pick} (i64.const 0)))")
                self._code.jump(body)
        seat = self._code.deciding_seat(s.by, s.span)
        self._code.decide(2, s.site, seat, f"(i64.add {count} (i64.const {declining}))")
        self._code.stop(answered)
        self._code.here(answered)
        header = self._context.memory.header
        answer = self._f.keep(load(header["answer"], "i64"), "i64")
        if declining:
            last = f"(i64.sub {load(header['count'], 'i64')} (i64.const 1))"
            self._code.jump_if(f"(i64.eq {answer} {last})", other)
        self._f.add(f"(drop (call {pick} {answer}))")
        self._code.here(body)
        self._block(s.body)
        if s.otherwise:
            self._code.jump(out)
        self._code.here(other)
        self._block(s.otherwise)
        self._code.here(out)

    # ---- sharing out

    def _share(self, s: ir.ShareOut) -> None:
        """Lay down who gets how many, then loop over those that get some."""
        slot, taker = s.bind.slots[0], self._context.memory.allocator
        # The maximal number of members; the ways to share can be counted.
        places = max(universe(s.bind.source.type).places, 1)
        limits = bounds(s.amount.type)
        most = max(limits[1], 0) if limits else 0
        if most > 1 << 20 or comb(most + places, places) * (most + places) >= 1 << 62:
            raise Unsupported("shares in more ways than can be counted")
        amounts, over = taker.take(4 * places), taker.take(4 * places)
        number, many, pieces = taker.take(8), taker.take(8), taker.take(8)
        begin, answered = self._code.label(), self._code.label()
        amount = self._f.keep(self._e.number(s.amount, s.span))
        self._f.store(pieces, amount)
        self._f.store(number, i32(0))
        self._f.store(many, i32(0))
        alike = s.bind.source if isinstance(s.bind.source, ir.Distinct) else None
        every = replace(s.bind, source=alike.operand) if alike else s.bind
        self._walked((every,), s.where, lambda _: self._join(s, slot, over, many))
        count = self._f.keep(load(many))
        with self._f.when(f"(i32.le_s {amount} (i32.const 0))"):
            self._f.store(many, i32(0))
            self._code.jump(begin)
        self._f.store(amounts, amount)
        self._code.jump_if(f"(i32.lt_s {count} (i32.const 2))", begin)
        seat = self._code.deciding_seat(None, s.span)
        laid = None
        if alike is not None:
            most = max((bounds(s.amount.type) or (0, 0))[1], 0)
            laid = lay_classes(self._e, alike, (over, many), places, most)
        ways = f"(call $count_shares {amount} {count})"
        if laid is not None:
            ways = laid.count(self._f, load(pieces), load(many))
        self._code.decide(3, s.site, seat, ways)
        self._code.stop(answered)
        self._code.here(answered)
        answer = load(self._context.memory.header["answer"], "i64")
        args = load(pieces), load(many), answer, i32(amounts)
        if laid is None:
            self._f.add(f"(call $unrank_share {' '.join(args)})")
        else:
            laid.find(self._f, args)
        self._code.here(begin)
        self._shares(s, slot, (amounts, over, number, many))

    def _join(self, s: ir.ShareOut, slot: int, over: int, many: int) -> None:
        now = self._f.keep(load(many))
        value = self._e.scalar(ir.Local(slot, "it", s.bind.type))
        self._f.add(f"(i32.store offset={over} (i32.shl {now} (i32.const 2)) {value})")
        self._f.store(many, f"(i32.add {now} (i32.const 1))")

    def _shares(
        self, s: ir.ShareOut, slot: int, places: tuple[int, int, int, int]
    ) -> None:
        amounts, over, number, many = places
        head, out = self._code.label(), self._code.label()
        self._code.here(head)
        now = self._f.keep(load(number))
        self._code.jump_if(f"(i32.ge_u {now} {load(many)})", out)
        self._f.store(number, f"(i32.add {now} (i32.const 1))")
        where = f"(i32.shl {now} (i32.const 2))"
        amount = self._f.keep(f"(i32.load offset={amounts} {where})")
        self._code.jump_if(f"(i32.eqz {amount})", head)
        for to, code in (
            (slot, f"(i32.load offset={over} {where})"),
            (s.count_slot, amount),
        ):
            self._f.store(self._frame.slots[to], code)
        self._block(s.body)
        self._code.jump(head)
        self._code.here(out)


def _slots(s: ir.ForEach) -> list[tuple[int, types.Type]]:
    """Return the slots that a loop binds, with their types."""
    return [(slot, bind.type) for bind in s.binds for slot in bind.slots]
