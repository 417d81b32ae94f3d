"""The parts of the flow that hang on the program: its tables, guards, what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compiled.flow.initialisation import Lives, pure
from houserule.compiled.flow.open_steps import Openings
from houserule.compiled.flow.phases import Phases
from houserule.compiled.memory.layout import NUMBER
from houserule.compiled.writer.functions import (
    Function,
    Unsupported,
    Write,
    i32,
    i64,
)
from houserule.compiled.writer.switches import switch, table

if TYPE_CHECKING:
    from houserule import ir
    from houserule.compiled.clauses.procedures import Procedures
    from houserule.compiled.context import Unit
    from houserule.compiled.options.offering import Offering

NOBODY = "There is something to do, but nobody acts."
TOGETHER, ROUNDS = 1, 2
ONCE = ("exactly once", "at most once")


class Flow:
    """Writes a program's own part of the flow."""

    def __init__(self, unit: Unit, procedures: Procedures, offering: Offering) -> None:
        self.unit, self.procedures, self.offering = unit, procedures, offering
        self.program = unit.program
        self.phases = {"": self.program.root, **self.program.phases}
        self.numbers = {
            name: number for number, name in enumerate(unit.memory.phase_names)
        }
        if max(len(phase.items) for phase in self.phases.values()) > 64:
            raise Unsupported("a phase with more than 64 steps")
        self.lives = Lives(unit).cases()
        self._titles: dict[tuple[str, str], str] = {}

    def write(self) -> dict[str, int]:
        """Write everything; return the addresses that the common part wants."""
        self._phases()
        self._guards()
        self._steps()
        self._runs()
        acts = [self.unit.memory.phases[name].at for name in self.phases]
        flags = [self._flags(name, phase) for name, phase in self.phases.items()]
        return {
            "phase_table": self._phase_table(),
            "zone_table": self._zone_table(),
            "act_table": self.unit.data.numbers(acts),
            "flag_table": self.unit.data.numbers(flags),
            "below_stack": self.unit.memory.stack - NUMBER,
        }

    # ---- what phases are told

    def title(self, kind: str, phase: ir.PhaseDef) -> str:
        """Return the name of a function of a phase."""
        key = (kind, phase.name)
        if key not in self._titles:
            self._titles[key] = self.unit.name(kind, phase.name or "game")
        return self._titles[key]

    def path(self, phase: ir.PhaseDef) -> list[ir.PhaseDef]:
        """Return the phases from the game itself down to a phase."""
        path = [phase]
        while path[-1].name:
            path.append(self.phases[path[-1].parent])
        return path[::-1]

    def nobody(self, phase: ir.PhaseDef) -> int:
        """Return the number of the fault that nobody acts in a phase."""
        return self.unit.fault("F06", NOBODY, phase.span)

    def over(self, phase: ir.PhaseDef, mask: int) -> str:
        """Return the statement that makes children of a phase be over."""
        at = self.unit.memory.phases[phase.name].over
        now = f"(i64.load (i32.const {at}))"
        return f"(i64.store (i32.const {at}) (i64.or {now} {i64(mask)}))"

    def may_stop(self, proc: str) -> bool:
        """Say whether a procedure may want a decision, reactions to it included."""
        return self.procedures.watching or self.procedures.may_stop(proc)

    def with_me(self, proc: str) -> str:
        """Return the statement that tells a procedure who acts: `$me`."""
        at = self.procedures.frames[proc].slots[0]
        return f"(i32.store (i32.const {at}) (local.get $me))"

    def starting(self, proc: str) -> str:
        """Return the statements that begin a procedure as the task at hand."""
        at = self.unit.memory.header["task_proc"]
        number = i32(self.procedures.numbers[proc])
        return f"{self.with_me(proc)} (i32.store (i32.const {at}) {number})"

    # ---- tables

    def _phase_table(self) -> int:
        rows: list[int] = []
        for name in self.phases:
            plan = self.unit.memory.phases[name]
            rows += [plan.items, plan.chosen, plan.chosen_width, 0]
        return self.unit.data.numbers(rows)

    def _flags(self, name: str, phase: ir.PhaseDef) -> int:
        outermost = [each for each in self.program.phases.values() if not each.parent]
        loops = [each for each in outermost if each.until is not None]
        loops = loops or [each for each in outermost if each.source is not None]
        counted = name in {each.name for each in loops}
        return TOGETHER * phase.together + ROUNDS * counted

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

    def _phases(self) -> None:
        phases, openings = Phases(self), Openings(self)
        for phase in self.phases.values():
            phases.write(phase)
        for title, calls in phases.cases():
            cases = {number: _added(call) for number, call in calls.items()}
            switch(self.unit, title, cases, params=(), results=())
        each = {self.numbers[name]: phase for name, phase in self.phases.items()}
        done = {number: openings.done_in(phase) for number, phase in each.items()}
        switch(self.unit, "$say_done_in", done, params=(), results=())
        acting = {number: openings.acting_in(phase) for number, phase in each.items()}
        switch(self.unit, "$acting_in", acting, default="(unreachable)", params=())

    def _guards(self) -> None:
        """Write the guards that are asked seat by seat, where all play at once."""
        guards = {
            self.numbers[name]: self._truth(phase.guard)
            for name, phase in self.phases.items()
            if phase.guard is not None and phase.together
        }
        switch(self.unit, "$guard", guards, default="(i32.const 1)")

    def _truth(self, node: ir.Expr) -> Write:
        return lambda f: f.add(f"(return {pure(self.unit, f).truth(node)})")

    # ---- steps

    def _steps(self) -> None:
        unit, steps = self.unit, self.program.steps
        table(unit, "$step_phase", [self.numbers[s.phase] for s in steps.values()])
        bits = [self.phases[s.phase].items.index(n) for n, s in steps.items()]
        table(unit, "$step_bit", bits)

    # ---- what runs, and what is over when it has run

    def _runs(self) -> None:
        numbers = self.procedures.numbers
        cases = {number: self._running(name) for name, number in numbers.items()}
        switch(self.unit, "$run", cases, default="(i32.const 0)", params=())

    def _running(self, name: str) -> Write:
        call = f"(call {self.procedures.title(name)})"
        after = self._behind(name)

        def make(f: Function) -> None:
            if after is None:
                f.add(f"(return {call})")
                return
            f.add(f"(if {call} (then (return (i32.const 1))))")
            f.add(after)

        return make

    def _behind(self, name: str) -> str | None:
        """Return what closes the steps that an action or a step closes."""
        kind, _, called = name.partition(" ")
        steps = self.program.steps
        if kind == "step":
            phase = self.phases[steps[called].phase]
            return self.over(phase, 1 << phase.items.index(called))
        if kind != "action" or self.program.actions[called].at not in steps:
            return None
        at = self.program.actions[called].at
        phase = self.phases[steps[at].phase]
        if phase.together:
            return None
        closed = sum(1 << phase.items.index(each) for each in phase.before.get(at, ()))
        if steps[at].mode in ONCE:
            closed |= 1 << phase.items.index(at)
        return self.over(phase, closed) if closed else None


def _added(line: str) -> Write:
    return lambda f: f.add(line)
