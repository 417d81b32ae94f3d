"""The parts of the flow that hang on the program: its tables, guards, items, lives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from houserule.compiled import bits
from houserule.compiled.lives import Lives, pure
from houserule.compiled.opening import Opening
from houserule.compiled.seats import seats_in_order
from houserule.compiled.shapes import universe
from houserule.compiled.text import Function, Unsupported, Write, i32
from houserule.ir import nodes as ir

if TYPE_CHECKING:
    from houserule.compiled.procedures import Procedures
    from houserule.compiled.unit import Unit

NOBODY = "There is something to do, but nobody acts."
ACTS, TOGETHER, LISTED, UNTIL, ROUNDS = 1, 2, 4, 8, 64
MODES = {"exactly once": 1, "at most once": 2}


def switch(
    unit: Unit,
    title: str,
    cases: Mapping[int, Write],
    *,
    default: str = "",
    params: Iterable[tuple[str, str]] = (("$me", "i32"),),
    results: Iterable[str] = ("i32",),
) -> None:
    """Write a function that does something else for each number it is given."""
    f = Function(title, (("$which", "i32"), *params), tuple(results))
    choose_case(f, cases)
    if default:
        f.add(default)
    unit.functions.append(f)


def choose_case(f: Function, cases: Mapping[int, Write]) -> None:
    """Write a jump to the case of `$which`; all cases go on behind the last one."""
    if not cases:
        return
    numbers = sorted(cases)
    every = range(numbers[-1] + 1)
    targets = " ".join(f"$case{n}" if n in cases else "$out" for n in every)
    with f.block("(block $out"):
        for number in reversed(numbers):
            f.add(f"(block $case{number}")
        f.add(f"(br_table {targets} $out (local.get $which))")
        for number in numbers:
            f.add(")")
            cases[number](f)
            f.add("(br $out)")


def table(unit: Unit, title: str, values: list[int]) -> None:
    """Write a function that looks a number up."""
    at = unit.data.numbers(values or [0])
    f = Function(title, (("$which", "i32"),), ("i32",))
    f.add(f"(i32.load offset={at} (i32.shl (local.get $which) (i32.const 2)))")
    unit.functions.append(f)


class Flow:
    """Writes a program's own part of the flow."""

    def __init__(self, unit: Unit, procedures: Procedures) -> None:
        self.unit, self.procedures = unit, procedures
        self.program = unit.program
        self.phases = {"": self.program.root, **self.program.phases}
        self.numbers = {
            name: number for number, name in enumerate(unit.memory.phase_names)
        }
        self.steps = {name: number for number, name in enumerate(self.program.steps)}
        if max(len(phase.items) for phase in self.phases.values()) > 64:
            raise Unsupported("a phase with more than 64 steps")

    def write(self) -> dict[str, int]:
        """Write everything; return the addresses that the common part wants."""
        self._phase_functions()
        self._step_functions()
        for title, cases in Opening(self).cases().items():
            acting = title == "$acting_in"
            results = ("i32",) if acting else ()
            default = "(unreachable)" if acting else ""
            switch(self.unit, title, cases, default=default, params=(), results=results)
        switch(self.unit, "$restart", Lives(self.unit).cases(), params=(), results=())
        acts = [self.unit.memory.phases[name].at for name in self.phases]
        flags = [self._flags(name, phase) for name, phase in self.phases.items()]
        return {
            "phase_table": self._phase_table(),
            "zone_table": self._zone_table(),
            "act_table": self.unit.data.numbers(acts),
            "flag_table": self.unit.data.numbers(flags),
            "below_stack": self.unit.memory.stack - 4,
        }

    # ---- tables

    def _phase_table(self) -> int:
        rows: list[int] = []
        for name, phase in self.phases.items():
            plan = self.unit.memory.phases[name]
            parent = self.phases[phase.parent] if name else None
            place = parent.items.index(name) if parent else 0
            rows += [
                plan.at,
                plan.items,
                self._children(phase),
                len(phase.items),
                self._flags(name, phase),
                plan.chosen,
                plan.chosen_width,
                self.numbers[phase.parent] if name else 0,
                place,
                0,
            ]
        return self.unit.data.numbers(rows)

    def _flags(self, name: str, phase: ir.PhaseDef) -> int:
        outermost = [each for each in self.program.phases.values() if not each.parent]
        loops = [each for each in outermost if each.until is not None]
        loops = loops or [each for each in outermost if each.source is not None]
        return (
            ACTS * phase.acts
            + TOGETHER * phase.together
            + LISTED * (phase.source is not None)
            + UNTIL * (phase.until is not None)
            + ROUNDS * (name in {each.name for each in loops})
        )

    def _children(self, phase: ir.PhaseDef) -> int:
        rows: list[int] = []
        for name in phase.items:
            step = self.program.steps.get(name)
            kind = 2 if step is None else int(step.mode is None)
            number = self.numbers[name] if step is None else self.steps[name]
            before = sum(
                1 << phase.items.index(each) for each in phase.before.get(name, ())
            )
            mode = MODES.get(step.mode or "", 0) if step is not None else 0
            rows += [kind, number, before & 0xFFFF_FFFF, before >> 32, mode, 0]
        return self.unit.data.numbers(rows or [0])

    def _zone_table(self) -> int:
        rows: list[int] = []
        for zone in self.unit.memory.zones.values():
            for index in range(zone.masks.count):
                order = zone.order
                rows += [
                    zone.masks.at + index * zone.masks.width,
                    order.at + index * order.width if order else 0,
                    -1 if zone.most is None else zone.most,
                    zone.members.words,
                ]
        return self.unit.data.numbers(rows or [0])

    # ---- phases

    def _phase_functions(self) -> None:
        unit, phases = self.unit, self.phases
        guards = {
            self.numbers[name]: self._returning(phase.guard)
            for name, phase in phases.items()
            if phase.guard is not None
        }
        switch(unit, "$guard", guards, default="(i32.const 1)")
        looping = [phase for phase in phases.values() if phase.until is not None]
        until = {self.numbers[p.name]: self._returning(p.until) for p in looping}
        times = {self.numbers[p.name]: self._number(p.times) for p in looping}
        switch(unit, "$until", until, default="(i32.const 0)")
        switch(unit, "$times", times, default="(i32.const 0)")
        nobody = {
            self.numbers[name]: self._constant(unit.fault("F06", NOBODY, phase.span))
            for name, phase in phases.items()
        }
        switch(unit, "$nobody", nobody, default="(i32.const 0)", params=())
        items = {
            self.numbers[name]: self._items(name, phase.source)
            for name, phase in phases.items()
            if phase.source is not None
        }
        switch(unit, "$items", items, results=())
        self._hooks()

    def _hooks(self) -> None:
        unit, hooks = self.unit, dict[int, Write]()
        for name in self.phases:
            for moment, number in (("before", 3), ("after", 4)):
                proc = self.procedures.numbers.get(f"{moment} {name}")
                if proc is not None:
                    hooks[self.numbers[name] * 8 + number] = self._constant(proc)
        f = Function("$hook_proc", (("$phase", "i32"), ("$moment", "i32")), ("i32",))
        f.add(
            "(call $hook_number (i32.add (i32.shl (local.get $phase) (i32.const 3))"
            " (local.get $moment)))"
        )
        unit.functions.append(f)
        switch(unit, "$hook_number", hooks, default="(i32.const -1)", params=())

    def _constant(self, value: int) -> Write:
        return lambda f: f.add(f"(return {i32(value)})")

    def _returning(self, node: ir.Expr | None) -> Write:
        """Return what writes the way out with a condition; nothing always holds."""
        if node is None:
            return self._constant(1)
        return lambda f: f.add(f"(return {pure(self.unit, f).truth(node)})")

    def _number(self, node: ir.Expr | None) -> Write:
        if node is None:
            raise Unsupported("a loop without a bound")
        return lambda f: f.add(f"(return {pure(self.unit, f).number(node)})")

    def _items(self, phase: str, node: ir.Expr) -> Write:
        plan = self.unit.memory.phases[phase]
        count = self.unit.memory.field(phase, "count")

        def make(f: Function) -> None:
            e = pure(self.unit, f)
            if isinstance(node, ir.Seats):
                seats_in_order(e, node, plan.items)
                f.add(f"(i32.store (i32.const {count}) {i32(self.program.seats)})")
                return
            space, words = universe(node.type), e.words(node)
            at, member = f.local("i32", "at"), f.local("i32", "member")
            f.set(at, i32(0))
            with bits.each_member(e, words, space.low, member):
                where = f"(i32.shl (local.get {at}) (i32.const 2))"
                f.add(f"(i32.store offset={plan.items} {where} (local.get {member}))")
                f.set(at, f"(i32.add (local.get {at}) (i32.const 1))")
            f.add(f"(i32.store (i32.const {count}) (local.get {at}))")

        return make

    # ---- steps

    def _step_functions(self) -> None:
        unit, steps = self.unit, self.program.steps
        admits = {
            self.steps[name]: self._returning(step.guard)
            for name, step in steps.items()
            if step.guard is not None
        }
        switch(unit, "$admits", admits, default="(i32.const 1)")
        numbers = self.procedures.numbers
        table(unit, "$step_proc", [numbers.get(f"step {name}", -1) for name in steps])
        table(unit, "$step_phase", [self.numbers[s.phase] for s in steps.values()])
        table(
            unit,
            "$step_bit",
            [self.phases[s.phase].items.index(n) for n, s in steps.items()],
        )
