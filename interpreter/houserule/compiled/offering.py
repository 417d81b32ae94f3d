"""What is on offer: the walks of all actions, together by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compiled.flow import choose_case, switch, table
from houserule.compiled.layout import binds_of
from houserule.compiled.legality import guards
from houserule.compiled.products import Walk
from houserule.compiled.shapes import words_of
from houserule.compiled.text import Function, Unsupported, Write, i32, i64

if TYPE_CHECKING:
    from houserule.compiled.procedures import Procedures
    from houserule.compiled.unit import Unit

ACTIONS_AT_MOST = 128


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
        self.wise_counts = unit.scratch(8 * max(len(self.names), 1))

    def write(self) -> None:
        """Write everything."""
        for name in self.names:
            self._walks(name)
        self._dispatch("$count_of", "walk")
        self._dispatch("$wise_of", "wise")
        self._tables()
        self._choices()
        self._offers()
        self._over_all()
        self._can()

    def _walks(self, name: str) -> None:
        action = self.program.actions[name]
        frame = self.procedures.frames[f"action {name}"]
        for kind in ("walk", "wise"):
            advised = kind == "wise"
            if advised and not action.unwise:
                continue
            tests = guards(action, advised=advised)
            title = f"${kind}.{name}"
            binds = binds_of(action)
            Walk(self.unit, title, frame, binds, tests, acting=True).write()

    def _dispatch(self, title: str, kind: str) -> None:
        """Write what walks one action; what it does is what is considered."""
        doing = self.unit.memory.header["doing"]
        f = Function(
            title, (("$which", "i32"), ("$me", "i32"), ("$limit", "i64")), ("i64",)
        )
        before, found = f.local("i32", "before"), f.local("i64", "found")
        f.set(before, f"(i32.load (i32.const {doing}))")
        cases = {
            self.numbers[name]: self._walking(name, kind, found) for name in self.names
        }
        choose_case(f, cases)
        f.add(f"(i32.store (i32.const {doing}) (local.get {before}))")
        f.add(f"(local.get {found})")
        self.unit.functions.append(f)

    def _walking(self, name: str, kind: str, found: str) -> Write:
        doing = self.unit.memory.header["doing"]
        own = kind if self.program.actions[name].unwise else "walk"
        now = i32(self.unit.engine.plans[name].number)

        def make(f: Function) -> None:
            f.add(f"(i32.store (i32.const {doing}) {now})")
            f.set(found, f"(call ${own}.{name} (local.get $me) (local.get $limit))")

        return make

    def _tables(self) -> None:
        numbers, steps = self.procedures.numbers, list(self.program.steps)
        unit = self.unit
        table(unit, "$action_proc", [numbers[f"action {n}"] for n in self.names])
        table(unit, "$action_number", [unit.engine.plans[n].number for n in self.names])
        at = [self.program.actions[name].at for name in self.names]
        table(unit, "$step_of", [steps.index(s) if s in steps else -1 for s in at])

    def _choices(self) -> None:
        """Write what lays an action's values down, and what takes them up again."""
        for title, storing in (("$keep", True), ("$fetch", False)):
            cases = {}
            for name in self.names:
                cases[self.numbers[name]] = self._copying(name, storing=storing)
            params = (("$at", "i32"),)
            switch(self.unit, title, cases, params=params, results=())

    def _copying(self, name: str, *, storing: bool) -> Write:
        frame = self.procedures.frames[f"action {name}"]
        places = [(frame.slots[0], 1)]
        for bind in binds_of(self.program.actions[name]):
            words = words_of(bind.type)
            places += [(frame.slots[slot], words) for slot in bind.slots if slot]

        cells = [at + 8 * word for at, words in places for word in range(words)]

        def make(f: Function) -> None:
            for number, at in enumerate(cells):
                there, here = i32(at), f"offset={8 * number} (local.get $at)"
                if storing:
                    f.add(f"(i64.store {here} (i64.load {there}))")
                else:
                    f.add(f"(i64.store {there} (i64.load {here}))")

        return make

    # ---- what is open

    def _offers(self) -> None:
        unit, program = self.unit, self.program
        steps = {
            number: self._adding(step.actions)
            for number, step in enumerate(program.steps.values())
        }
        switch(unit, "$offer_step", steps, params=(), results=())
        phases = {"": program.root, **program.phases}
        at_phases = {
            number: self._adding(phase.actions)
            for number, phase in enumerate(phases.values())
            if phase.actions
        }
        switch(unit, "$offer_phase", at_phases, params=(), results=())
        together = {}
        for number, phase in enumerate(phases.values()):
            if phase.together:
                (name,) = phase.items
                step = program.steps[name]
                together[number] = self._only(
                    step.actions, done=step.mode == "at most once"
                )
        switch(unit, "$offer_together", together, params=(), results=())

    def _masks(self, actions: tuple[str, ...]) -> tuple[int, int]:
        mask = sum(1 << self.numbers[name] for name in actions)
        return mask & (1 << 64) - 1, mask >> 64

    def _adding(self, actions: tuple[str, ...]) -> Write:
        header = self.unit.memory.header

        def make(f: Function) -> None:
            masks = self._masks(actions)
            for name, mask in zip(("offered", "offered_more"), masks, strict=True):
                at = header[name]
                now = f"(i64.load (i32.const {at}))"
                if mask:
                    more = f"(i64.or {now} {i64(mask)})"
                    f.add(f"(i64.store (i32.const {at}) {more})")

        return make

    def _only(self, actions: tuple[str, ...], *, done: bool) -> Write:
        header = self.unit.memory.header

        def make(f: Function) -> None:
            masks = self._masks(actions)
            for name, mask in zip(("offered", "offered_more"), masks, strict=True):
                f.add(f"(i64.store (i32.const {header[name]}) {i64(mask)})")
            f.add(f"(i32.store (i32.const {header['done']}) {i32(int(done))})")

        return make

    # ---- over all that is offered

    def _each(self, f: Function, body: list[str]) -> None:
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

    def _over_all(self) -> None:
        self._count()
        self._seek()
        self._advise()

    def _function(
        self, title: str, params: tuple[tuple[str, str], ...], result: str
    ) -> Function:
        f = Function(title, (("$me", "i32"), *params), (result,))
        f.locals += [("$rest", "i64"), ("$which", "i32"), ("$here", "i64")]
        self.unit.functions.append(f)
        return f

    def _count(self) -> None:
        f = self._function("$count_offered", (), "i64")
        f.locals.append(("$all", "i64"))
        where = (
            f"(i32.add {i32(self.counts)} (i32.shl (local.get $which) (i32.const 3)))"
        )
        self._each(
            f,
            [
                "(local.set $here (call $count_of (local.get $which) (local.get $me)"
                " (i64.const -1)))",
                f"(i64.store {where} (local.get $here))",
                "(local.set $all (i64.add (local.get $all) (local.get $here)))",
            ],
        )
        f.add("(local.get $all)")

    def _seek(self) -> None:
        """Bind the option of a number; return its action, -1 for `done`."""
        f = self._function("$seek_offered", (("$index", "i64"),), "i32")
        where = (
            f"(i32.add {i32(self.counts)} (i32.shl (local.get $which) (i32.const 3)))"
        )
        walk = "(local.get $which) (local.get $me) (local.get $index)"
        wise = "(global.get $advised)"
        self._each(
            f,
            [
                f"(local.set $here (i64.load {where}))",
                "(if (i64.lt_u (local.get $index) (local.get $here)) (then",
                f"(if {wise} (then (drop (call $wise_of {walk})))",
                f"(else (drop (call $count_of {walk}))))",
                "(global.set $advised (i32.const 0))",
                "(return (local.get $which))))",
                "(local.set $index (i64.sub (local.get $index) (local.get $here)))",
            ],
        )
        f.add("(global.set $advised (i32.const 0))")
        f.add("(i32.const -1)")

    def _advise(self) -> None:
        """Count what is not unwise, if there is advice; return how many to draw of."""
        f = self._function("$advise", (("$plain", "i64"),), "i64")
        f.locals.append(("$all", "i64"))
        advised = [n for n in self.names if self.program.actions[n].unwise]
        low, high = self._masks(tuple(advised))
        header = self.unit.memory.header
        some = " ".join(
            f"(i64.and (i64.load (i32.const {header[name]})) {i64(mask)})"
            for name, mask in (("offered", low), ("offered_more", high))
        )
        with f.when(f"(i64.eqz (i64.or {some}))"):
            f.add("(return (local.get $plain))")
        at = "(i32.shl (local.get $which) (i32.const 3))"
        wise = "(call $wise_of (local.get $which) (local.get $me) (i64.const -1))"
        self._each(
            f,
            [
                f"(local.set $here {wise})",
                f"(i64.store offset={self.wise_counts} {at} (local.get $here))",
                "(local.set $all (i64.add (local.get $all) (local.get $here)))",
            ],
        )
        done = f"(i64.extend_i32_u (i32.load (i32.const {header['done']})))"
        f.add(f"(local.set $all (i64.add (local.get $all) {done}))")
        with f.when("(i64.eqz (local.get $all))"):
            f.add("(return (local.get $plain))")
        f.add("(global.set $advised (i32.const 1))")
        size = i32(8 * len(self.names))
        f.add(f"(memory.copy {i32(self.counts)} {i32(self.wise_counts)} {size})")
        f.add("(local.get $all)")

    def _can(self) -> None:
        """Write whether something at a step could be done, for each and by number.

        Nothing is bound by asking: the action may be under way itself.
        """
        cases: dict[int, Write] = {}
        for number, (name, step) in enumerate(self.program.steps.items()):
            f = Function(self.unit.can(name), (), ("i32",))
            for action in step.actions:
                which = i32(self.numbers[action])
                f.add(_asking("add"))
                f.add(f"(drop (call $count_of {which} (call $acting) (i64.const 0)))")
                f.add(_asking("sub"))
                with f.when("(global.get $hit)"):
                    f.add("(global.set $hit (i32.const 0))")
                    f.add("(return (i32.const 1))")
            f.add("(i32.const 0)")
            self.unit.functions.append(f)
            cases[number] = _returned(f"(call {self.unit.can(name)})")
        switch(self.unit, "$can", cases, params=(), default="(i32.const 0)")


def _asking(op: str) -> str:
    return f"(global.set $asking (i32.{op} (global.get $asking) (i32.const 1)))"


def _returned(code: str) -> Write:
    return lambda f: f.add(f"(return {code})")
