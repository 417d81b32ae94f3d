"""The part of the flow that depends on the program: arrays, guards, first values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from houserule import ir
from houserule.engine.compiled.clauses.procedures import CompiledProcedures
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.expressions import Expressions, Translator
from houserule.engine.compiled.expressions.operands import InLocals
from houserule.engine.compiled.expressions.places import check_range, fitting
from houserule.engine.compiled.flow.open_steps import OpenSteps, PhaseTree
from houserule.engine.compiled.flow.phases import PhaseFunctions
from houserule.engine.compiled.functions import (
    Function,
    Write,
    array_function,
    i32,
    i64,
    switch,
)
from houserule.engine.compiled.memory.layout import NUMBER
from houserule.engine.compiled.memory.shapes import ALL, in_words, kept_words, scalar
from houserule.engine.compiled.optimize.versions import cells, wrote
from houserule.engine.compiled.options.offers import OfferWriter
from houserule.engine.state.layout import Axis

TAKEN_ONCE = ("exactly once", "at most once")
STORED_AT_MOST = 512  # bytes that are written without a call


class FlowWriter:
    """Writes a program's own part of the flow."""

    def __init__(
        self,
        context: CompilationContext,
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
            Initialisation(context, translator).cases(),
        )

    def write(self) -> dict[str, int]:
        """Write everything; return the addresses that the common part wants."""
        self._write_phases()
        self._guards()
        steps = self._program.steps
        phases = [self._tree.numbers[step.phase] for step in steps.values()]
        bits = [self._tree.phases[s.phase].items.index(n) for n, s in steps.items()]
        for title, values in (("$step_phase", phases), ("$step_bit", bits)):
            at = self._context.data.numbers(values or [0])
            self._context.add(array_function(title, at))
        self._runs()
        acts = [self._context.memory.phases[name].at for name in self._tree.phases]
        together = [int(phase.together) for phase in self._tree.phases.values()]
        return {
            "phase_table": self._phase_records(),
            "zone_table": self._zone_records(),
            "act_table": self._context.data.numbers(acts),
            "together_table": self._context.data.numbers(together),
            "below_stack": self._context.memory.stack - NUMBER,
        }

    # ---- arrays that the runtime looks into

    def _phase_records(self) -> int:
        rows: list[int] = []
        for name in self._tree.phases:
            plan = self._context.memory.phases[name]
            rows += [plan.items, plan.chosen, plan.chosen_width, 0]
        return self._context.data.numbers(rows)

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
        steps, done, acting = self._open_steps, dict[int, Write](), dict[int, Write]()
        for name, phase in self._tree.phases.items():
            number = self._tree.numbers[name]
            done[number] = partial(steps.say_done, phase=phase)
            acting[number] = partial(steps.say_acting, phase=phase)
        self._context.add(switch("$say_done_in", done, params=(), results=()))
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

    # ---- running items, and closing them

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
        if steps[at].mode in TAKEN_ONCE:
            closed |= 1 << phase.items.index(at)
        return self._tree.closing(phase, closed) if closed else None


def _added(line: str) -> Write:
    return lambda f: f.add(line)


# ---- first values: states get them when their phase begins


class Initialisation:
    """Writes what happens to states when the phase that they live for begins."""

    def __init__(self, context: CompilationContext, translator: Translator) -> None:
        self._context, self._translator = context, translator

    def cases(self) -> dict[int, Write]:
        """Return what restarts the lives of each phase that has some."""
        return {
            plan.number: self._restarting(name)
            for name, plan in self._context.memory.phases.items()
            if self._lives(name) or self._limits(name)
        }

    def _lives(self, phase: str) -> list[ir.StateDef]:
        return [
            state
            for state in self._context.program.states.values()
            if state.life and state.life == phase
        ]

    def _limits(self, phase: str) -> list[str]:
        return [
            limit.address
            for action in self._context.program.actions.values()
            for limit in action.limits
            if limit.phase == phase
        ]

    def _restarting(self, phase: str) -> Write:
        def make(f: Function) -> None:
            for address in self._limits(phase):
                at = self._context.memory.taken[address]
                f.store(at, i32(0))
            lives = self._lives(phase)
            for state in lives:
                if not state.computed:
                    self._reset(f, state)
            computed = [state for state in lives if state.computed]
            # Noted twice: computed values read the constants just written,
            # and the next ones read the computed values.
            written = wrote(*(cells(state.name) for state in lives))
            for stage in sorted({state.stage for state in computed}):
                f.add(written)
                firsts = [state for state in computed if state.stage == stage]
                called = self._first_values(f"{phase}{stage}", firsts)
                f.add(f"(call {called} (call $acting))")
            if lives:
                f.add(written)
                f.add("(call $look)")

        return make

    def _reset(self, f: Function, state: ir.StateDef) -> None:
        """Write the constant first values of a state."""
        place = self._context.memory.cells[state.name]
        first = self._context.layout.first[state.name]
        if place.words:
            words = [w for value in first for w in kept_words(state.type, value)]
            content = b"".join((word & ALL).to_bytes(8, "little") for word in words)
        else:
            numbers = [scalar(value) & 0xFFFF_FFFF for value in first]
            content = b"".join(number.to_bytes(4, "little") for number in numbers)
        if len(content) > STORED_AT_MOST:
            at = self._context.data.raw(content)
            size = i32(len(content))
            f.add(f"(memory.copy (i32.const {place.at}) (i32.const {at}) {size})")
            return
        # Two numbers at a time; an odd last one is stored as what it is.
        for offset in range(0, len(content), 8):
            part = content[offset : offset + 8]
            number = int.from_bytes(part, "little")
            value = i64(number) if len(part) == 8 else i32(number)
            kind = "i64" if len(part) == 8 else "i32"
            f.add(f"({kind}.store (i32.const {place.at + offset}) {value})")

    def _first_values(self, phase: str, states: Sequence[ir.StateDef]) -> str:
        """Write what works first values of one stage out, cell by cell.

        None of them reads a cell that begins with it: that is in a later stage.
        """
        title = self._context.name("first_values", phase)
        f = Function(title, (("$me", "i32"),), asks=True)
        for state in states:
            e, at = self._translator.acting(f), f.local("i32", "at")
            f.set(at, i32(0))
            axes = self._context.layout.families[state.name].axes
            each_key(e, axes, partial(self._first_value, e, state, at))
        self._context.add(f)
        return title

    def _first_value(self, e: Expressions, state: ir.StateDef, at: str) -> None:
        f, place = e.f, self._context.memory.cells[state.name]
        if in_words(state.type):
            words = fitting(e, state.first, state)
            for to, word in enumerate(words):
                f.add(f"(i64.store offset={place.at + 8 * to} (local.get {at}) {word})")
        else:
            value = f.keep(e.scalar(state.first))
            check_range(e, state, value, state.first.type, state.span)
            f.add(f"(i32.store offset={place.at} (local.get {at}) {value})")
        f.set(at, f"(i32.add (local.get {at}) {i32(place.width)})")


def each_key(e: Expressions, axes: Sequence[Axis], make: Callable[[], None]) -> None:
    """Write a loop over all keys of a family, in the order of their numbers.

    The keys are in slots 1….
    """
    f = e.f

    def level(number: int) -> None:
        if number == len(axes):
            make()
            return
        axis = axes[number]
        kind = "i64" if axis.of_sets else "i32"
        name = f.local(kind, "key")
        e.slots[number + 1] = InLocals((name,))
        low = 0 if axis.of_sets else axis.low
        f.set(name, f"({kind}.const {low})")
        again, out = f.label("keys"), f.label("end")
        with f.block(f"(block {out}"), f.loop(again):
            behind = f"({kind}.const {low + axis.size})"
            f.add(f"(br_if {out} ({kind}.ge_s (local.get {name}) {behind}))")
            level(number + 1)
            f.set(name, f"({kind}.add (local.get {name}) ({kind}.const 1))")
            f.add(f"(br {again})")

    level(0)
