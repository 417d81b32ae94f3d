"""Control: branches, loops, draws and decisions within a procedure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb, prod

from houserule import ir
from houserule.engine.compiled.clauses.procedures import ResumableCode
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.loops import Loops
from houserule.engine.compiled.expressions.operands import InLocals
from houserule.engine.compiled.functions import Unsupported, i32, i64, load
from houserule.engine.compiled.memory.shapes import bounds, is_set, universe, words_of
from houserule.engine.compiled.optimize.costs import work_of_picks
from houserule.engine.compiled.optimize.numbering import most
from houserule.engine.compiled.options.products import Walks
from houserule.engine.compiled.options.segments import FactorTest
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.state.faults import BEYOND, F12
from houserule.ir import types
from houserule.ir.walk import slots_read

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
            case ir.ForEach() if s.until is not None:
                # Repeat as often as the variable has values, or until it is over.
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
                self._code.jump_if(self._e.truth(s.until), out)
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
            case ir.ForEach():
                bind = s.binds[0]
                several = len(_slots(s)) > 1 or bind.how == "subset"
                if s.keys or several or isinstance(bind.source, ir.Seats):
                    self._listed(s)
                    return
                slot, space = bind.slots[0], universe(bind.source.type)
                rest = [
                    self._context.memory.allocator.take(8) for _ in range(space.words)
                ]
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
                for where, name in zip(rest, names, strict=True):
                    self._f.store(where, f"(local.get {name})", "i64")
                head, out = self._code.label(), self._code.label()
                self._code.here(head)
                # Take the first member that is left, or leave the loop.
                taken = self._f.label("taken")
                with self._f.block(f"(block {taken}"):
                    for number, where in enumerate(rest):
                        word = self._f.keep(load(where, "i64"), "i64")
                        with self._f.when(f"(i64.ne {word} (i64.const 0))"):
                            first = f"(i32.wrap_i64 (i64.ctz {word}))"
                            value = f"(i32.add {first} {i32(64 * number + space.low)})"
                            self._f.store(self._frame.slots[slot], value)
                            less = f"(i64.and {word} (i64.sub {word} (i64.const 1)))"
                            self._f.store(where, less, "i64")
                            self._f.add(f"(br {taken})")
                    self._code.jump(out)
                self._block(s.body)
                self._code.jump(head)
                self._code.here(out)
            case ir.ChooseOption():
                pick = self._walk(s.bind, s.where, s.site)
                picks = self._code.procedures.picks.setdefault(s.site, [])
                picks.append((pick, self._frame))
                other, out, answered, taken_at = (self._code.label() for _ in range(4))
                count = self._f.keep(f"(call {pick} (i64.const -1))", "i64")
                self._code.jump_if(f"(i64.eqz {count})", other)
                declining = int(not s.must)
                if s.must:
                    with self._f.when(f"(i64.eq {count} (i64.const 1))"):
                        self._f.add(f"(drop (call {pick} (i64.const 0)))")
                        self._code.jump(taken_at)
                seat = self._code.deciding_seat(s.by, s.span)
                every = f"(i64.add {count} (i64.const {declining}))"
                self._code.decide(2, s.site, seat, every)
                self._code.stop(answered)
                self._code.here(answered)
                header = self._context.memory.header
                answer = self._f.keep(load(header["answer"], "i64"), "i64")
                if declining:
                    last = f"(i64.sub {load(header['count'], 'i64')} (i64.const 1))"
                    self._code.jump_if(f"(i64.eq {answer} {last})", other)
                self._f.add(f"(drop (call {pick} {answer}))")
                self._code.here(taken_at)
                self._block(s.body)
                if s.otherwise:
                    self._code.jump(out)
                self._code.here(other)
                self._block(s.otherwise)
                self._code.here(out)
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

    def _listed(self, s: ir.ForEach) -> None:
        """Loop over a list that is laid down, sorted if there are keys."""
        room = prod(most(bind) ** len(bind.slots) for bind in s.binds)
        if room > LISTED_AT_MOST:
            raise Unsupported("a loop over too many things")
        behind = 8 * sum(words_of(type_) for _, type_ in _slots(s))
        width = behind + 8 * len(s.keys)
        taker = self._context.memory.allocator
        items, count, number = taker.take(width * room), taker.take(8), taker.take(8)
        self._f.store(count, i32(0))
        self._f.store(number, i32(0))

        def leaf(_: str) -> None:
            # Put what is bound into the list by insertion sort, which is stable.
            ranks = [self._f.keep(self._e.number(key, s.span)) for key in s.keys]
            at = self._f.local("i32", "at")
            self._f.set(at, load(count))
            if ranks:
                # Move the entries that rank behind the new one on, from the end.
                again, out = self._f.label("sort"), self._f.label("sorted")
                with self._f.block(f"(block {out}"), self._f.loop(again):
                    self._f.add(f"(br_if {out} (i32.eqz (local.get {at})))")
                    one_less = f"(i32.sub (local.get {at}) (i32.const 1))"
                    before = self._f.keep(f"(i32.mul {one_less} {i32(width)})")
                    better = i32(0)
                    more = "gt_s" if s.direction == "most" else "lt_s"
                    for number, rank in reversed(list(enumerate(ranks))):
                        place = items + behind + 8 * number
                        there = f"(i32.load offset={place} {before})"
                        equal = f"(i32.eq {rank} {there})"
                        tied = f"(i32.and {equal} {better})"
                        better = f"(i32.or (i32.{more} {rank} {there}) {tied})"
                    self._f.add(f"(br_if {out} (i32.eqz {better}))")
                    behind_it = f"(i32.add {before} {i32(items + width)})"
                    source = f"(i32.add {before} {i32(items)})"
                    self._f.add(f"(memory.copy {behind_it} {source} {i32(width)})")
                    self._f.set(at, f"(i32.sub (local.get {at}) (i32.const 1))")
                    self._f.add(f"(br {again})")
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

    # ---- one of several

    def _walk(self, bind: ir.Bind, where: ir.Expr | None, site: str) -> str:
        tests = []
        if where is not None:
            tests = [
                FactorTest(lambda e: e.truth(where), slots_read(where), whole=where)
            ]
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

        def join(_: str) -> None:
            now = self._f.keep(load(many))
            value = self._e.scalar(ir.Local(slot, "it", s.bind.type))
            place = f"(i32.shl {now} (i32.const 2))"
            self._f.add(f"(i32.store offset={over} {place} {value})")
            self._f.store(many, f"(i32.add {now} (i32.const 1))")

        self._walked((every,), s.where, join)
        count = self._f.keep(load(many))
        with self._f.when(f"(i32.le_s {amount} (i32.const 0))"):
            self._f.store(many, i32(0))
            self._code.jump(begin)
        self._f.store(amounts, amount)
        self._code.jump_if(f"(i32.lt_s {count} (i32.const 2))", begin)
        seat = self._code.deciding_seat(None, s.span)
        answer = load(self._context.memory.header["answer"], "i64")
        find = f"{load(pieces)} {load(many)} {answer} {i32(amounts)}"
        if alike is None:
            ways = f"(call $count_shares {amount} {count})"
            self._code.decide(3, s.site, seat, ways)
            self._code.stop(answered)
            self._code.here(answered)
            self._f.add(f"(call $unrank_share {find})")
        else:
            # Shares are counted among classes of interchangeable members: the class of
            # each, the number of classes, and room to count in.
            kinds, classes = taker.take(4 * places), taker.take(8)
            room = self._context.data.room
            rooms = room(4 * places), room(4 * places), room(8 * (most + 1))
            self._lay_classes(alike, over, many, kinds, classes)
            open_to, top, ways_at = map(i32, rooms)
            arrays = f"{load(classes)} {open_to} {top} {ways_at}"
            begun = f"{i32(kinds)} {load(classes)} {open_to} {top}"
            # Every member of a class may come, and have all.
            opening = f"(call $open_shares {load(pieces)} {load(many)} {begun})"
            self._f.add(opening)
            ways = f"(call $alike_shares {load(pieces)} {arrays})"
            self._code.decide(3, s.site, seat, ways)
            self._code.stop(answered)
            self._code.here(answered)
            self._f.add(opening)
            self._f.add(f"(call $unrank_alike_share {find} {i32(kinds)} {arrays})")
        self._code.here(begin)
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

    def _lay_classes(
        self, node: ir.Distinct, over: int, many: int, kinds: int, classes: int
    ) -> None:
        """Write what gives each member the number of its class, in order."""
        f, e = self._f, self._e
        at = f.local("i32", "member")
        done, again = f.label("members"), f.label("member")
        f.store(classes, i32(0))
        f.set(at, i32(0))
        with f.block(f"(block {done}"), f.loop(again):
            f.add(f"(br_if {done} (i32.ge_u (local.get {at}) {load(many)}))")
            # Put the member into the class of one before it, or open one.
            one, other = f.local("i32", "one"), f.local("i32", "other")
            e.slots[node.slots[0]] = InLocals((one,))
            e.slots[node.slots[1]] = InLocals((other,))
            before = f.local("i32", "before")
            found, earlier = f.label("class"), f.label("earlier")
            here = f"(i32.shl (local.get {at}) (i32.const 2))"
            there = f"(i32.shl (local.get {before}) (i32.const 2))"
            f.set(other, f"(i32.load offset={over} {here})")
            f.set(before, i32(0))
            more = f"(i32.lt_u (local.get {before}) (local.get {at}))"
            with f.block(f"(block {found}"):
                with f.loop(earlier), f.when(more):
                    f.set(one, f"(i32.load offset={over} {there})")
                    kind = f"(i32.load offset={kinds} {there})"
                    with f.when(e.truth(node.alike)):
                        f.add(f"(i32.store offset={kinds} {here} {kind})")
                        f.add(f"(br {found})")
                    f.set(before, f"(i32.add (local.get {before}) (i32.const 1))")
                    f.add(f"(br {earlier})")
                f.add(f"(i32.store offset={kinds} {here} {load(classes)})")
                f.store(classes, f"(i32.add {load(classes)} (i32.const 1))")
            f.set(at, f"(i32.add (local.get {at}) (i32.const 1))")
            f.add(f"(br {again})")


def _slots(s: ir.ForEach) -> list[tuple[int, types.Type]]:
    """Return the slots that a loop binds, with their types."""
    return [(slot, bind.type) for bind in s.binds for slot in bind.slots]
