"""The part of the flow that hangs on the program: its arrays, guards, what follows."""

from __future__ import annotations

from houserule import ir
from houserule.compiled.clauses.procedures import CompiledProcedures
from houserule.compiled.context import CompilationContext
from houserule.compiled.expressions.expressions import Translator
from houserule.compiled.flow.initialisation import Initialisation
from houserule.compiled.flow.open_steps import OpenSteps
from houserule.compiled.flow.phase_tree import PhaseTree
from houserule.compiled.flow.phases import PhaseFunctions
from houserule.compiled.memory.layout import NUMBER
from houserule.compiled.optimize.versions import Versions
from houserule.compiled.options.offers import OfferWriter
from houserule.compiled.writer.functions import Function, Write
from houserule.compiled.writer.switches import array_function, switch

TOGETHER, ROUNDS = 1, 2
ONCE = ("exactly once", "at most once")


class FlowWriter:
    """Writes a program's own part of the flow."""

    def __init__(
        self,
        context: CompilationContext,
        versions: Versions,
        translator: Translator,
        procedures: CompiledProcedures,
        offers: OfferWriter,
    ) -> None:
        self._context, self._program = context, context.program
        self._translator, self._procedures = translator, procedures
        self._tree = PhaseTree(context)
        self._open_steps = OpenSteps(context, self._tree, offers)
        self._phases = PhaseFunctions(
            context,
            self._tree,
            translator,
            procedures,
            self._open_steps,
            Initialisation(context, versions, translator).cases(),
        )

    def write(self) -> dict[str, int]:
        """Write everything; return the addresses that the common part wants."""
        self._write_phases()
        self._guards()
        self._steps()
        self._runs()
        acts = [self._context.memory.phases[name].at for name in self._tree.phases]
        flags = [self._flags(name, phase) for name, phase in self._tree.phases.items()]
        return {
            "phase_table": self._phase_records(),
            "zone_table": self._zone_records(),
            "act_table": self._context.data.numbers(acts),
            "flag_table": self._context.data.numbers(flags),
            "below_stack": self._context.memory.stack - NUMBER,
        }

    # ---- arrays that the runtime looks into

    def _phase_records(self) -> int:
        rows: list[int] = []
        for name in self._tree.phases:
            plan = self._context.memory.phases[name]
            rows += [plan.items, plan.chosen, plan.chosen_width, 0]
        return self._context.data.numbers(rows)

    def _flags(self, name: str, phase: ir.PhaseDef) -> int:
        outermost = [each for each in self._program.phases.values() if not each.parent]
        loops = [each for each in outermost if each.until is not None]
        loops = loops or [each for each in outermost if each.source is not None]
        counted = name in {each.name for each in loops}
        return TOGETHER * phase.together + ROUNDS * counted

    def _zone_records(self) -> int:
        rows: list[int] = []
        for zone in self._context.memory.zones.values():
            for index in range(zone.masks.count):
                order = zone.order
                rows += [
                    zone.masks.at + index * zone.masks.width,
                    order.at + index * order.width if order else 0,
                    -1 if zone.most is None else zone.most,
                    zone.members.words,
                ]
        return self._context.data.numbers(rows or [0])

    # ---- phases

    def _write_phases(self) -> None:
        for phase in self._tree.phases.values():
            self._phases.write(phase)
        for title, calls in self._phases.calls():
            cases = {number: _added(call) for number, call in calls.items()}
            self._context.add(switch(title, cases, params=(), results=()))
        each = {
            self._tree.numbers[name]: phase for name, phase in self._tree.phases.items()
        }
        done = {
            number: self._open_steps.done_in(phase) for number, phase in each.items()
        }
        self._context.add(switch("$say_done_in", done, params=(), results=()))
        acting = {
            number: self._open_steps.acting_in(phase) for number, phase in each.items()
        }
        self._context.add(
            switch("$acting_in", acting, default="(unreachable)", params=())
        )

    def _guards(self) -> None:
        """Write the guards that are asked seat by seat, where all play at once."""
        guards = {
            self._tree.numbers[name]: self._truth(phase.guard)
            for name, phase in self._tree.phases.items()
            if phase.guard is not None and phase.together
        }
        self._context.add(switch("$guard", guards, default="(i32.const 1)"))

    def _truth(self, node: ir.Expr) -> Write:
        return lambda f: f.add(f"(return {self._translator.acting(f).truth(node)})")

    # ---- steps

    def _steps(self) -> None:
        steps = self._program.steps
        phases = [self._tree.numbers[step.phase] for step in steps.values()]
        bits = [self._tree.phases[s.phase].items.index(n) for n, s in steps.items()]
        for title, values in (("$step_phase", phases), ("$step_bit", bits)):
            at = self._context.data.numbers(values or [0])
            self._context.add(array_function(title, at))

    # ---- what runs, and what is over when it has run

    def _runs(self) -> None:
        numbers = self._procedures.numbers
        cases = {number: self._running(name) for name, number in numbers.items()}
        self._context.add(switch("$run", cases, default="(i32.const 0)", params=()))

    def _running(self, name: str) -> Write:
        call = f"(call {self._procedures.title(name)})"
        after = self._closing_after(name)

        def make(f: Function) -> None:
            if after is None:
                f.add(f"(return {call})")
                return
            f.add(f"(if {call} (then (return (i32.const 1))))")
            f.add(after)

        return make

    def _closing_after(self, name: str) -> str | None:
        """Return what closes the steps that an action or a step closes."""
        kind, _, called = name.partition(" ")
        steps = self._program.steps
        if kind == "step":
            phase = self._tree.phases[steps[called].phase]
            return self._tree.closing(phase, 1 << phase.items.index(called))
        if kind != "action" or self._program.actions[called].at not in steps:
            return None
        at = self._program.actions[called].at
        phase = self._tree.phases[steps[at].phase]
        if phase.together:
            return None
        closed = sum(1 << phase.items.index(each) for each in phase.before.get(at, ()))
        if steps[at].mode in ONCE:
            closed |= 1 << phase.items.index(at)
        return self._tree.closing(phase, closed) if closed else None


def _added(line: str) -> Write:
    return lambda f: f.add(line)
