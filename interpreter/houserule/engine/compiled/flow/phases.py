"""The flow of each phase, specialised: facts about the phase are constants.

`$phase.…` plays on by one move while its phase is on top. Its stages are those of the
reference engine: enter, begin, open, leave, left; a stage falls through to the next if
nothing comes in between.
"""

from __future__ import annotations

from houserule import ir
from houserule.base.source import Span
from houserule.engine.compiled.clauses.procedures import CompiledProcedures
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.expressions.loops import seats_in_order
from houserule.engine.compiled.flow.first_values import Initialisation
from houserule.engine.compiled.flow.open_steps import OpenSteps, PhaseTree
from houserule.engine.compiled.functions import (
    NONE,
    Code,
    Function,
    Unsupported,
    i32,
    i64,
    load,
)
from houserule.engine.compiled.memory.layout import FIELDS, NUMBER
from houserule.engine.compiled.memory.shapes import universe
from houserule.engine.compiled.optimize.costs import look
from houserule.engine.state.faults import F11

TOO_MANY_STEPS = "Too many steps and turns begin without a decision."
STAGES = ("$enter", "$begin", "$open", "$leave", "$left")
ENTER, BEGIN, OPEN, LEAVE, LEFT = range(5)


class PhaseFunctions:
    """Writes `$phase.…` and `$next.…` for each phase."""

    def __init__(
        self,
        context: CompilationContext,
        tree: PhaseTree,
        translator: Translator,
        procedures: CompiledProcedures,
        open_steps: OpenSteps,
        initialisation: Initialisation,
    ) -> None:
        self._context, self._program, self._tree = context, context.program, tree
        self._translator, self._procedures = translator, procedures
        self._open_steps, self._initialisation = open_steps, initialisation

    def write(self, phase: ir.PhaseDef) -> None:
        f = Function(self._tree.title("next", phase))
        f.locals.append(("$me", "i32"))
        self._store(f, phase, "stage", i32(LEAVE))
        if phase.until is not None:
            if phase.times is None:
                raise Unsupported("a loop without a bound")
            f.set("$me", "(call $acting)")
            passes = f.keep(f"(i32.add {self._load(phase, 'passes')} (i32.const 1))")
            self._store(f, phase, "passes", passes)
            times = f.keep(self._translator.acting(f).number(phase.times))
            with f.when(f"(i32.eqz {self._translator.acting(f).truth(phase.until)})"):
                self._store(f, phase, "stage", i32(BEGIN))
                with f.when(f"(i32.ge_s {passes} {times})"):
                    if phase.stops:
                        self._store(f, phase, "stage", i32(LEAVE))
                    else:
                        f.add(f"(call $finish (i32.const 2) {self._number(phase)})")
        elif phase.source is not None:
            more = f.keep(f"(i32.add {self._load(phase, 'index')} (i32.const 1))")
            with f.when(f"(i32.lt_s {more} {self._load(phase, 'count')})"):
                self._store(f, phase, "index", more)
                self._store(f, phase, "stage", i32(BEGIN))
        self._context.add(f)
        f = Function(self._tree.title("phase", phase))
        f.locals.append(("$me", "i32"))
        stage = load(self._at(phase, "stage"))
        with f.loop("$again"):
            look(f)
            for label in reversed(STAGES):
                f.add(f"(block {label}")
            f.add(f"(br_table {' '.join(STAGES)} {stage})")
            for write in (self._enter, self._begin, self._open):
                f.add(")")
                write(f, phase)
            f.add(")")
            # Leave: hooks come after the phase.
            self._store(f, phase, "stage", i32(LEFT))
            hooked = self._hook(phase, "after")
            if hooked is not None:
                f.set("$me", "(call $acting)")
                f.add(self._starting(hooked))
                f.add("(return)")
            f.add(")")
            self._store(f, phase, "item", NONE)
            if not phase.name:
                f.add("(call $finish (i32.const 1) (i32.const 0))")
            else:
                depth = len(self._tree.path(phase)) - 1
                at = self._context.memory.header["depth"]
                f.store(at, i32(depth))
                parent = self._tree.phases[phase.parent]
                f.add(self._tree.closing(parent, 1 << parent.items.index(phase.name)))
        self._context.add(f)

    # ---- what is known of a phase

    def _at(self, phase: ir.PhaseDef, field: str) -> int:
        return self._context.memory.field(phase.name, field)

    def _store(self, f: Function, phase: ir.PhaseDef, field: str, code: Code) -> None:
        f.store(self._at(phase, field), code)

    def _load(self, phase: ir.PhaseDef, field: str) -> Code:
        return load(self._at(phase, field))

    def _number(self, phase: ir.PhaseDef) -> Code:
        return i32(self._tree.numbers[phase.name])

    # ---- procedures as the task at hand

    def _with_me(self, proc: str) -> str:
        """Return the statement that lets a procedure know who acts: `$me`."""
        at = self._procedures.frames[proc].slots[0]
        return f"(i32.store (i32.const {at}) (local.get $me))"

    def _starting(self, proc: str) -> str:
        """Return the statements that begin a procedure as the task at hand."""
        at = self._context.memory.header["task_proc"]
        number = i32(self._procedures.numbers[proc])
        return f"{self._with_me(proc)} (i32.store (i32.const {at}) {number})"

    # ---- enter: items, hooks

    def _enter(self, f: Function, phase: ir.PhaseDef) -> None:
        hooked = self._hook(phase, "before")
        if phase.source is not None or hooked is not None:
            f.set("$me", "(call $acting)")
        if phase.source is not None:
            # Lay the items down.
            plan, source = self._context.memory.phases[phase.name], phase.source
            e = self._translator.acting(f)
            if isinstance(source, ir.Seats):
                seats_in_order(e, source, plan.items)
                self._store(f, phase, "count", i32(self._program.seats))
            else:
                space, words = universe(source.type), e.words(source)
                at, member = f.local("i32", "at"), f.local("i32", "member")
                f.set(at, i32(0))
                with bits.each_member(e, words, space.low, member):
                    place = (
                        f"offset={plan.items} (i32.shl (local.get {at}) (i32.const 2))"
                    )
                    f.add(f"(i32.store {place} (local.get {member}))")
                    f.set(at, f"(i32.add (local.get {at}) (i32.const 1))")
                self._store(f, phase, "count", f"(local.get {at})")
            self._store(f, phase, "listed", i32(1))
        self._store(f, phase, "stage", i32(BEGIN))
        if phase.source is not None:
            with f.when(f"(i32.eqz {self._load(phase, 'count')})"):
                self._store(f, phase, "stage", i32(LEAVE))
                if hooked is None:
                    f.add("(br $leave)")
        if hooked is not None:
            f.add(self._starting(hooked))
            f.add("(return)")

    def _hook(self, phase: ir.PhaseDef, moment: str) -> str | None:
        name = f"{moment} {phase.name}"
        return name if name in self._procedures.numbers else None

    # ---- begin: the next item, its guard, lives

    def _begin(self, f: Function, phase: ir.PhaseDef) -> None:
        plan = self._context.memory.phases[phase.name]
        self._count_step(f, phase.span)
        self._store(f, phase, "stage", i32(BEGIN))
        f.store(plan.over, i64(0), "i64")
        self._store(f, phase, "resolved", i32(-1))
        self._store(f, phase, "picked", i32(0))
        if phase.source is not None:
            where = f"(i32.shl {self._load(phase, 'index')} (i32.const 2))"
            item = f"(i32.load offset={plan.items} {where})"
            self._store(f, phase, "item", item)
        if phase.guard is not None and not phase.together:
            f.set("$me", self._acting(phase))
            with f.when(f"(i32.eqz {self._translator.acting(f).truth(phase.guard)})"):
                if phase.until is None:
                    self._go_on(f, phase)
                else:  # it would be skipped again and again
                    self._store(f, phase, "stage", i32(LEAVE))
                    f.add("(return)")
        self._initialisation.write(f, phase.name)
        if phase.name in self._program.main_loop:
            at = self._context.memory.header["rounds"]
            f.store(at, f"(i32.add {load(at)} (i32.const 1))")
        self._store(f, phase, "stage", i32(OPEN))

    def _count_step(self, f: Function, span: Span) -> None:
        """Count that a step or a turn begins; too many without a decision are F11."""
        f.add("(global.set $steps (i32.sub (global.get $steps) (i32.const 1)))")
        with f.when("(i32.lt_s (global.get $steps) (i32.const 0))"):
            self._translator.acting(f).fault(F11, TOO_MANY_STEPS, span)

    def _acting(self, phase: ir.PhaseDef) -> Code:
        """Return who acts where a phase and those around it have begun their items."""
        path = self._tree.path(phase)
        if any(each.together for each in path):
            return "(call $acting)"
        for each in reversed(path):
            if each.acts and each.source is not None:
                return self._load(each, "item")
        return NONE

    # ---- open: what starts by itself, then what is offered

    def _open(self, f: Function, phase: ir.PhaseDef) -> None:
        if phase.together:
            f.add(f"(call $together {self._number(phase)})")
            f.add("(return)")
            return
        over = f.local("i64", "over")
        f.set(over, self._tree.over(phase))
        for number, name in enumerate(phase.items):
            if not self._tree.is_open(name):
                before = self._tree.before(phase, name)
                seen = f"(i64.and (local.get {over}) {i64(before | 1 << number)})"
                with f.when(f"(i64.eq {seen} {i64(before)})"):
                    self._start(f, phase, name, number)
        every = i64((1 << len(phase.items)) - 1)
        with f.when(f"(i64.eq (local.get {over}) {every})"):
            self._go_on(f, phase)
        f.set("$me", self._acting(phase))
        self._open_steps.offer(f, phase, over)
        f.add("(return)")

    def _start(self, f: Function, phase: ir.PhaseDef, name: str, number: int) -> None:
        step = self._program.steps.get(name)
        if step is None:
            # Push a phase onto the stack.
            child, memory = self._tree.phases[name], self._context.memory
            first = {"item": NONE, "resolved": i32(-1)}
            for field in FIELDS:
                self._store(f, child, field, first.get(field, i32(0)))
            f.store(memory.phases[name].over, i64(0), "i64")
            depth = len(self._tree.path(child)) - 1
            f.store(memory.stack + NUMBER * depth, self._number(child))
            f.store(memory.header["depth"], i32(depth + 1))
            f.add("(return)")
            return
        f.set("$me", self._acting(phase))
        if step.guard is not None:
            with f.when(f"(i32.eqz {self._translator.acting(f).truth(step.guard)})"):
                f.add(self._tree.closing(phase, 1 << number))
                f.add("(br $again)")
        self._count_step(f, step.span)
        proc = f"step {name}"
        if self._procedures.watching or self._procedures.may_stop(proc):
            f.add(self._starting(proc))
            f.add("(return)")
            return
        f.add(self._with_me(proc))
        f.add(f"(drop (call {self._procedures.title(proc)}))")
        f.add(self._tree.closing(phase, 1 << number))
        with f.when("(call $complete)"):
            f.add("(return)")
        f.add("(br $again)")

    # ---- the next item, and the way out

    def _go_on(self, f: Function, phase: ir.PhaseDef) -> None:
        f.add(f"(call {self._tree.title('next', phase)})")
        f.add("(return)")
