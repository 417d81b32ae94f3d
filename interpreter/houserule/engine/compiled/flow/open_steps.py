"""Open steps: which actions are on offer, how many options they have, what ends them.

A phase is written for the moment when it is on top. Its steps are open in their order:
a step that must be taken holds up those behind it as long as something is legal there.

The children of a phase are phases and steps, by number; a word of the phase's record
says bit by bit which of them are over (`PhaseTree`).
"""

from __future__ import annotations

from functools import reduce

from houserule import ir
from houserule.engine.compiled.context import CompilationContext, can_function
from houserule.engine.compiled.functions import (
    NONE,
    Code,
    Function,
    Unsupported,
    i32,
    i64,
    load,
)
from houserule.engine.compiled.options.offered import OFFERED
from houserule.engine.compiled.options.offers import OfferWriter
from houserule.engine.state.faults import F06

NOBODY = "There is something to do, but nobody acts."
ONCE = "exactly once"
CHILDREN_AT_MOST = 64


class PhaseTree:
    """Facts about the phases of a program; the game itself has the name ''."""

    def __init__(self, context: CompilationContext) -> None:
        self._context, self._memory = context, context.memory
        self._steps = context.program.steps
        self.phases = {"": context.program.root, **context.program.phases}
        self.numbers = {
            name: number for number, name in enumerate(self._memory.phase_names)
        }
        most = max(len(phase.items) for phase in self.phases.values())
        if most > CHILDREN_AT_MOST:
            raise Unsupported("a phase with more than 64 steps")
        self._titles: dict[tuple[str, str], str] = {}

    def title(self, kind: str, phase: ir.PhaseDef) -> str:
        key = (kind, phase.name)
        if key not in self._titles:
            self._titles[key] = self._context.name(kind, phase.name or "game")
        return self._titles[key]

    def path(self, phase: ir.PhaseDef) -> list[ir.PhaseDef]:
        """Return the phases from the game itself down to a phase."""
        path = [phase]
        while path[-1].name:
            path.append(self.phases[path[-1].parent])
        return path[::-1]

    # ---- the children of a phase, bit by bit

    def over(self, phase: ir.PhaseDef) -> Code:
        return load(self._memory.phases[phase.name].over, "i64")

    def closing(self, phase: ir.PhaseDef, mask: int) -> str:
        """Return the statement that makes children of a phase be over."""
        at = self._memory.phases[phase.name].over
        return f"(i64.store (i32.const {at}) (i64.or {self.over(phase)} {i64(mask)}))"

    def before(self, phase: ir.PhaseDef, name: str) -> int:
        """Return the children that come before one."""
        return sum(1 << phase.items.index(each) for each in phase.before.get(name, ()))

    def is_open(self, name: str) -> bool:
        """Return whether a child is a step at which actions are taken."""
        step = self._steps.get(name)
        return step is not None and step.mode is not None

    def open_steps(self, phase: ir.PhaseDef) -> int:
        """Return the steps of a phase at which actions are taken."""
        return sum(1 << n for n, each in enumerate(phase.items) if self.is_open(each))


class OpenSteps:
    """Writes what is offered while a phase is on top; that phase is known."""

    def __init__(
        self, context: CompilationContext, tree: PhaseTree, offers: OfferWriter
    ) -> None:
        self._context, self._program = context, context.program
        self._tree, self._offers, self._offered = tree, offers, offers.offered

    # ---- what is offered

    def offer(self, f: Function, phase: ir.PhaseDef, over: str) -> None:
        """Write the code that gathers and counts the options.

        `over` is the local that holds which children of the phase are over, `$me` who
        acts. Where only `done` is legal, it is chosen at once, and the phase continues.
        """
        header = self._context.memory.header
        done = f.local("i32", "done")
        f.set(done, i32(1))
        # Gather the actions on offer, here and in the phases around. By step, a local
        # says whether something is legal there, as far as that was asked.
        pressing: dict[str, str] = {}
        many = 1 + (len(self._program.actions) > 64)
        offered = [f.local("i64", "offered") for _ in range(many)]
        for name in offered:
            f.set(name, i64(0))
        for each in self._tree.path(phase):
            self._add(f, offered, each.actions)
            if not self._tree.open_steps(each):
                continue
            local = over
            if each is not phase:
                local = f.local("i64", "over")
                f.set(local, self._tree.over(each))
            pressing |= self._steps_of(f, each, offered, done, local)
        for name, local in zip(OFFERED, offered, strict=False):
            f.store(header[name], f"(local.get {local})", "i64")
        for name, code in (
            ("done", f"(local.get {done})"),
            ("seat", "(local.get $me)"),
        ):
            f.store(header[name], code)
        total = f.local("i64", "all")
        f.set(total, i64(0))
        with f.when("(i32.or (global.get $counting) (global.get $tallying))"):
            # Count the options of all actions on offer, in the order of their numbers.
            f.add(self._offered.begin_listing())
            # The actions that may be offered while this phase is on top.
            found: set[str] = set()
            for each in self._tree.path(phase):
                found.update(each.actions)
                for name in each.items:
                    if self._tree.is_open(name):
                        found.update(self._program.steps[name].actions)
            for action in sorted(found):
                number = self._offered.numbers[action]
                bit = i64(1 << number % 64)
                seen = f"(i64.and (local.get {offered[number // 64]}) {bit})"
                with f.when(f"(i64.ne {seen} (i64.const 0))"):
                    # Code: is the action known to have no option? '' if not asked.
                    asked = [
                        f"(i32.eqz (local.get {known}))"
                        for step, known in pressing.items()
                        if action in self._program.steps[step].actions
                    ]
                    none = ""
                    if asked:
                        none = reduce(lambda some, one: f"(i32.or {some} {one})", asked)
                    here = self._offers.count_into(f, action, none)
                    f.set(total, f"(i64.add (local.get {total}) {here})")
            f.add(self._offered.end_listing())
        # In an imagined game, only look whether there is any option: bots do not need
        # the count there, and if `done` is not legal there is one.
        quiet = "(i32.eqz (i32.or (global.get $counting) (global.get $tallying)))"
        with f.when(f"(i32.and {quiet} (local.get {done}))"):
            some = "(call $any_offered (local.get $me))"
            f.set(total, f"(i64.extend_i32_u {some})")
        everything = f"(local.get {total})"
        said = f"(i64.extend_i32_u (local.get {done}))"
        with f.when(f"(i32.and (local.get {done}) (i64.eqz {everything}))"):
            self.say_done(f, phase)
            f.add("(br $again)")
        with f.when(f"(i32.eq (local.get $me) {NONE})"):
            nobody = self._context.fault(F06, NOBODY, phase.span)
            f.add(f"(call $fault {i32(nobody)})")
            f.add("(unreachable)")
        site = i32(self._tree.numbers[phase.name])
        for name, code in (("decision", i32(1)), ("site", site)):
            f.store(header[name], code)
        whole = f"(i64.add {everything} {said})"
        f.store(header["count"], whole, "i64")

    def _add(self, f: Function, offered: list[str], actions: tuple[str, ...]) -> None:
        for name, some in zip(offered, self._offered.words(actions), strict=False):
            if some:
                f.set(name, f"(i64.or (local.get {name}) {i64(some)})")

    def _steps_of(
        self, f: Function, phase: ir.PhaseDef, offered: list[str], done: str, over: str
    ) -> dict[str, str]:
        # A local for each step that holds others up; -1: not known yet.
        pressing: dict[str, str] = {}
        for name in phase.items:
            if self._tree.is_open(name) and self._program.steps[name].mode == ONCE:
                pressing[name] = f.local("i32", "pressing")
                f.set(pressing[name], i32(-1))
        for number, name in enumerate(phase.items):
            if not self._tree.is_open(name):
                continue
            before = self._tree.before(phase, name)
            closed = before & ~self._tree.open_steps(phase)
            seen = f"(i64.and (local.get {over}) {i64(closed | 1 << number)})"
            with f.when(f"(i64.eq {seen} {i64(closed)})"):
                out = f.label("held")
                with f.block(f"(block {out}"):
                    # Leave if a step in front, which must be taken, has an option.
                    for place, front in enumerate(phase.items):
                        if front in pressing and before >> place & 1:
                            still = f"(i64.and (local.get {over}) {i64(1 << place)})"
                            with f.when(f"(i64.eqz {still})"):
                                held = self._pressing(f, front, pressing[front])
                                f.add(f"(br_if {out} {held})")
                    self._add(f, offered, self._program.steps[name].actions)
                    if name in pressing:
                        with f.when(f"(local.get {done})"):
                            held = self._pressing(f, name, pressing[name])
                            f.set(done, f"(i32.eqz {held})")
        return pressing

    def _pressing(self, f: Function, name: str, known: str) -> Code:
        with f.when(f"(i32.lt_s (local.get {known}) (i32.const 0))"):
            f.set(known, f"(call {can_function(name)} (local.get $me))")
        return f"(local.get {known})"

    # ---- what `done` closes

    def say_done(self, f: Function, phase: ir.PhaseDef) -> None:
        """Write what `done` closes while a phase is on top."""
        over, closed = f.local("i64", "over"), f.local("i64", "closed")
        f.set(over, self._tree.over(phase))
        f.set(closed, i64(0))
        for number, name in enumerate(phase.items):
            if self._tree.is_open(name):
                continue
            before = self._tree.before(phase, name)
            hard = before & ~self._tree.open_steps(phase)
            seen = f"(i64.and (local.get {over}) {i64(hard | 1 << number)})"
            with f.when(f"(i64.eq {seen} {i64(hard)})"):
                behind = (
                    f"(i64.and {i64(before)} (i64.xor (local.get {over}) {i64(-1)}))"
                )
                f.set(closed, f"(i64.or (local.get {closed}) {behind})")
        with f.when(f"(i64.eqz (local.get {closed}))"):
            f.set(closed, i64((1 << len(phase.items)) - 1))
        at = self._context.memory.phases[phase.name].over
        whole = f"(i64.or (local.get {over}) (local.get {closed}))"
        f.store(at, whole, "i64")

    # ---- who acts

    def say_acting(self, f: Function, phase: ir.PhaseDef) -> None:
        """Write who acts while a phase is on top, at any stage of it."""
        memory = self._context.memory
        for each in reversed(self._tree.path(phase)):
            if not each.acts or each.source is None:
                continue
            listed, index, count = (
                load(memory.field(each.name, name))
                for name in ("listed", "index", "count")
            )
            with f.when(listed):
                with f.when(f"(i32.ge_s {index} {count})"):
                    f.add(f"(return {NONE})")
                items = memory.phases[each.name].items
                where = f"(i32.shl {index} (i32.const 2))"
                f.add(f"(return (i32.load offset={items} {where}))")
        f.add(f"(return {NONE})")
