"""What is on offer: the walks of all actions, together by number.

Counting lists the first options of each action, so the one that is taken is mostly a
copy. The list lies outside the state block; it holds as long as nothing else is
counted, which a number in the block tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.expressions.expressions import Expressions
from houserule.compiled.memory.layout import binds_of
from houserule.compiled.memory.shapes import words_of
from houserule.compiled.optimize.memoised_queries import of_the_moment
from houserule.compiled.optimize.stopping import of_options
from houserule.compiled.options.advice import Advice, Advising
from houserule.compiled.options.legality import guards
from houserule.compiled.options.products import Walk
from houserule.compiled.writer.functions import (
    Code,
    Function,
    Unsupported,
    Write,
    i32,
    i64,
)
from houserule.compiled.writer.switches import choose_case, switch
from houserule.ir import types
from houserule.ir.walk import beneath

if TYPE_CHECKING:
    from houserule.compiled.clauses.procedures import Procedures
    from houserule.compiled.context import Unit
    from houserule.compiled.optimize.memoisation import Memo

ACTIONS_AT_MOST = 128
ALL = (1 << 64) - 1


class Offering:
    """Writes the walks of the actions and what goes over those on offer.

    Actions are numbered by name, which is the order of their options.
    """

    def __init__(self, unit: Unit, procedures: Procedures) -> None:
        self.unit, self.procedures = unit, procedures
        self.program = unit.program
        self.names = sorted(self.program.actions)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        if len(self.names) > ACTIONS_AT_MOST:
            raise Unsupported(f"more than {ACTIONS_AT_MOST} actions")
        self.counts = unit.scratch(8 * max(len(self.names), 1))
        self.walks: dict[str, Walk] = {}
        self._advice: dict[str, Advice] = {}
        self._asked: dict[str, tuple[str, Memo | None]] = {}
        self._doing = any(isinstance(n, ir.Doing) for n in beneath(*_everything(unit)))

    def write(self) -> None:
        """Write everything."""
        for name in self.names:
            self._walks(name)
        self._counting()
        self._take()
        self._picks()
        self._choices()
        self._together()
        self._count_all()
        self._any_offered()
        self._seek()
        Advising(self, self._advice).write()
        self._can()

    # ---- walks

    def _walks(self, name: str) -> None:
        action = self.program.actions[name]
        frame, binds = self.procedures.frames[f"action {name}"], binds_of(action)
        bound = of_options(action, self.unit.values.costs)
        tests = guards(action)
        walk = Walk(self.unit, f"$walk.{name}", frame, binds, tests, bound=bound)
        walk.write(listed=True, whole=bool(action.unwise))
        self.walks[name] = walk
        if action.unwise:
            tests = guards(action, advised=True)
            wise = Walk(self.unit, f"$wise.{name}", frame, binds, tests, bound=bound)
            wise.write()
            self._advice[name] = Advice(self.unit, walk, action)

    def considering(self, f: Function, name: str, code: Code, into: str) -> None:
        """Write what gives a local a value while an action is considered."""
        if not self._doing:
            f.set(into, code)
            return
        doing = self.unit.memory.header["doing"]
        before = f.keep(f"(i32.load (i32.const {doing}))")
        now = i32(self.unit.engine.plans[name].number)
        f.add(f"(i32.store (i32.const {doing}) {now})")
        f.set(into, code)
        f.add(f"(i32.store (i32.const {doing}) {before})")

    def count_into(self, f: Function, name: str, none: Code = "") -> Code:
        """Write what counts an action's options for `$me`, and keeps the number.

        `none` says whether it is known that there are none.
        """
        here = f.local("i64", "here")
        if self.walks[name].free:
            f.set(here, i64(1))
        elif none:
            f.set(here, i64(0))
            with f.when(f"(i32.eqz {none})"):
                self._walked_into(f, name, here)
        else:
            self._walked_into(f, name, here)
        at = i32(self.counts + 8 * self.numbers[name])
        f.add(f"(i64.store {at} (local.get {here}))")
        return f"(local.get {here})"

    def _walked_into(self, f: Function, name: str, here: str) -> None:
        walk = f"(call $walk.{name} (local.get $me) (i64.const -1))"
        self.considering(f, name, walk, here)

    def begin_listing(self) -> str:
        """Return the statements that begin a new list, and name it in the block."""
        header = self.unit.memory.header
        more = "(i32.add (global.get $listing) (i32.const 1))"
        return (
            f"(global.set $listing {more})"
            f" (i32.store (i32.const {header['listing']}) (global.get $listing))"
            f" (i32.store (i32.const {header['offering']}) (i32.const 1))"
        )

    def end_listing(self) -> str:
        """Return the statement that ends it: no option made the rules fail."""
        at = self.unit.memory.header["offering"]
        return f"(i32.store (i32.const {at}) (i32.const 0))"

    def _counting(self) -> None:
        """Write what walks one action by its number."""
        params = (("$which", "i32"), ("$me", "i32"), ("$limit", "i64"))
        f = Function("$count_of", params, ("i64",))
        found = f.local("i64", "found")
        cases = {self.numbers[n]: self._walking(n, found) for n in self.names}
        choose_case(f, cases)
        f.add(f"(local.get {found})")
        self.unit.functions.append(f)

    def _walking(self, name: str, found: str) -> Write:
        walk = f"(call $walk.{name} (local.get $me) (local.get $limit))"
        return lambda f: self.considering(f, name, walk, found)

    # ---- taking

    def _take(self) -> None:
        """Write what begins an action as the task at hand."""
        header, data = self.unit.memory.header, self.unit.data
        procs = [self.procedures.numbers[f"action {name}"] for name in self.names]
        numbers = [self.unit.engine.plans[name].number for name in self.names]
        f = Function("$take", (("$which", "i32"),))
        where = "(i32.shl (local.get $which) (i32.const 2))"
        for field, values in (("task_proc", procs), ("doing", numbers)):
            found = f"(i32.load offset={data.numbers(values or [0])} {where})"
            f.add(f"(i32.store (i32.const {header[field]}) {found})")
        self.unit.functions.append(f)

    def _picks(self) -> None:
        """Write what binds an option: a listed one by copying, another by walking."""
        cases = {
            self.numbers[name]: self.walks[name].picking(
                "$index", plain=not self._doing
            )
            for name in self.names
        }
        params = (("$me", "i32"), ("$index", "i64"))
        switch(self.unit, "$pick", cases, params=params, default="(unreachable)")
        f = Function("$bind", (("$which", "i32"), *params))
        walk = "(local.get $which) (local.get $me) (local.get $index)"
        with f.when(f"(i32.eqz (call $pick {walk}))"):
            f.add(f"(drop (call $count_of {walk}))")
        self.unit.functions.append(f)

    def _choices(self) -> None:
        """Write what lays an action's values down, and what takes them up again."""
        for title, storing in (("$keep", True), ("$fetch", False)):
            cases = {}
            for name in self.names:
                cases[self.numbers[name]] = self._copying(name, storing=storing)
            params = (("$at", "i32"),)
            switch(self.unit, title, cases, params=params, results=())

    def most_kept(self) -> int:
        """Return how many bytes `$keep` lays down at most."""
        return max((8 * len(self._kept(name)) for name in self.names), default=0)

    def _kept(self, name: str) -> list[int]:
        """Return where the acting seat and the values of an action stand."""
        frame = self.procedures.frames[f"action {name}"]
        places = [(frame.slots[0], 1)]
        for bind in binds_of(self.program.actions[name]):
            words = words_of(bind.type)
            places += [(frame.slots[slot], words) for slot in bind.slots if slot]
        return [at + 8 * word for at, words in places for word in range(words)]

    def _copying(self, name: str, *, storing: bool) -> Write:
        cells = self._kept(name)

        def make(f: Function) -> None:
            for number, at in enumerate(cells):
                there, here = i32(at), f"offset={8 * number} (local.get $at)"
                if storing:
                    f.add(f"(i64.store {here} (i64.load {there}))")
                else:
                    f.add(f"(i64.store {there} (i64.load {here}))")

        return make

    # ---- what is open where everybody plays at once

    def mask(self, actions: tuple[str, ...]) -> int:
        """Return actions, bit by bit."""
        return sum(1 << self.numbers[name] for name in actions)

    def _together(self) -> None:
        program, together = self.program, dict[int, Write]()
        for number, phase in enumerate((program.root, *program.phases.values())):
            if phase.together:
                step = program.steps[phase.items[0]]
                done = step.mode == "at most once"
                together[number] = self._only(step.actions, done=done)
        switch(self.unit, "$offer_together", together, params=(), results=())

    def _only(self, actions: tuple[str, ...], *, done: bool) -> Write:
        header, mask = self.unit.memory.header, self.mask(actions)

        def make(f: Function) -> None:
            for name, some in (("offered", mask & ALL), ("offered_more", mask >> 64)):
                f.add(f"(i64.store (i32.const {header[name]}) {i64(some)})")
            f.add(f"(i32.store (i32.const {header['done']}) {i32(int(done))})")

        return make

    # ---- over all that is offered

    def each(self, f: Function, body: list[str]) -> None:
        """Write a loop over the numbers of the actions on offer, in order."""
        header = self.unit.memory.header
        for number, name in enumerate(("offered", "offered_more")):
            if number * 64 >= len(self.names):
                break
            f.add(f"(local.set $rest (i64.load (i32.const {header[name]})))")
            with f.block(f"(block $out{number}"), f.loop(f"$again{number}"):
                f.add(f"(br_if $out{number} (i64.eqz (local.get $rest)))")
                f.add(
                    "(local.set $which (i32.add (i32.wrap_i64 (i64.ctz"
                    f" (local.get $rest))) (i32.const {64 * number})))"
                )
                f.add(
                    "(local.set $rest (i64.and (local.get $rest)"
                    " (i64.sub (local.get $rest) (i64.const 1))))"
                )
                f.lines += body
                f.add(f"(br $again{number})")

    def over_all(
        self, title: str, params: tuple[tuple[str, str], ...], result: str
    ) -> Function:
        """Return a function that is to go over the actions on offer."""
        f = Function(title, (("$me", "i32"), *params), (result,))
        f.locals += [("$rest", "i64"), ("$which", "i32"), ("$here", "i64")]
        self.unit.functions.append(f)
        return f

    def _count_all(self) -> None:
        f = self.over_all("$count_offered", (), "i64")
        f.locals.append(("$all", "i64"))
        f.add(self.begin_listing())
        where = "(i32.shl (local.get $which) (i32.const 3))"
        walk = "(call $count_of (local.get $which) (local.get $me) (i64.const -1))"
        self.each(
            f,
            [
                f"(local.set $here {walk})",
                f"(i64.store offset={self.counts} {where} (local.get $here))",
                "(local.set $all (i64.add (local.get $all) (local.get $here)))",
            ],
        )
        f.add(self.end_listing())
        f.add("(local.get $all)")

    def _any_offered(self) -> None:
        """Write what looks whether any action on offer can be taken."""
        f = self.over_all("$any_offered", (), "i32")
        walk = "(call $count_of (local.get $which) (local.get $me) (i64.const 0))"
        self.each(
            f,
            [
                f"(drop {walk})",
                "(if (global.get $hit) (then (return (i32.const 1))))",
            ],
        )
        f.add("(i32.const 0)")

    def listed_anew(self) -> str:
        """Return what counts anew for `$me` where the list is another's."""
        listing = self.unit.memory.header["listing"]
        other = f"(i32.ne (i32.load (i32.const {listing})) (global.get $listing))"
        count = "(drop (call $count_offered (local.get $me)))"
        return f"(if {other} (then {count}))"

    def _seek(self) -> None:
        """Bind the option of a number; return its action, -1 for `done`."""
        f = self.over_all("$seek_offered", (("$index", "i64"),), "i32")
        f.add(self.listed_anew())
        where = "(i32.shl (local.get $which) (i32.const 3))"
        bind = "(call $bind (local.get $which) (local.get $me) (local.get $index))"
        self.each(
            f,
            [
                f"(local.set $here (i64.load offset={self.counts} {where}))",
                f"(if (i64.lt_u (local.get $index) (local.get $here)) (then {bind}",
                "(return (local.get $which))))",
                "(local.set $index (i64.sub (local.get $index) (local.get $here)))",
            ],
        )
        f.add("(i32.const -1)")

    # ---- whether anything could be done

    def _can(self) -> None:
        """Write whether something at a step could be done."""
        for name, step in self.program.steps.items():
            f = Function(self.unit.can(name), (("$me", "i32"),), ("i32",))
            walks = [self.walks[action] for action in step.actions]
            for action, walk in zip(step.actions, walks, strict=True):
                if walk.free:
                    f.add("(return (i32.const 1))")
                    break
                f.add(f"(if {self._any(f, action)} (then (return (i32.const 1))))")
            f.add("(i32.const 0)")
            self.unit.functions.append(f)

    def _any(self, f: Function, name: str) -> Code:
        """Return whether an action could be taken by `$me`.

        What hangs on the state alone is remembered.
        """
        if name not in self._asked:
            self._asked[name] = self._asking(name)
        title, memo = self._asked[name]
        if memo is None:
            return f"(call {title} (local.get $me))"
        e = Expressions(self.unit, f, {})
        return self.unit.results.found(e, memo, ["(local.get $me)"])[0]

    def _asking(self, name: str) -> tuple[str, Memo | None]:
        """Write what looks for an option. It binds none: one may be under way."""
        title, unit = self.unit.name("any", name), self.unit
        f = Function(title, (("$me", "i32"),), ("i32",))
        f.locals += [("$found", "i64"), ("$is", "i32")]
        f.add(_counted("add"))
        walk = f"(call $walk.{name} (local.get $me) (i64.const 0))"
        self.considering(f, name, walk, "$found")
        f.add(_counted("sub"))
        f.set("$is", "(global.get $hit)")
        f.add("(global.set $hit (i32.const 0))")
        memo, action = None, self.program.actions[name]
        nodes = _asked_of(action)
        if not action.limits and not of_the_moment(unit, *nodes):
            seats = types.Maybe(types.Whole(0, self.program.seats - 1))
            stamp = unit.versions.of(*nodes)
            params = (ir.Param("me", seats),)
            memo = unit.results.memo(title, params, types.Flag(), stamp)
            e = Expressions(unit, f, {})
            unit.results.keep(e, memo, ["(local.get $me)"], ("(local.get $is)",))
        f.add("(local.get $is)")
        unit.functions.append(f)
        return title, memo


def _everything(unit: Unit) -> list[ir.CoreNode]:
    program = unit.program
    return [*program.values.values(), *program.actions.values()]


def _asked_of(action: ir.ActionDef) -> list[ir.CoreNode]:
    """Return what decides whether an action can be taken."""
    payments = [each for cost in action.costs for each in cost.payments]
    return [*binds_of(action), *action.conditions, *payments]


def _counted(op: str) -> str:
    return f"(global.set $asking (i32.{op} (global.get $asking) (i32.const 1)))"
