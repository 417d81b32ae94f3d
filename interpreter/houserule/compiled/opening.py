"""What is open where play stands, written out for each phase: no table is walked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from houserule.compiled.text import NONE, Code, Function, Write, i32, i64

if TYPE_CHECKING:
    from collections.abc import Callable

    from houserule.compiled.flow import Flow
    from houserule.ir import nodes as ir

    _Maker = Callable[[Function, ir.PhaseDef], None]

ONCE = "exactly once"


class Opening:
    """Writes `$open_on`, `$open_steps`, `$say_done` and `$acting`.

    Each is told the phase on top; that phase and those around it are known, so
    everything that does not change in play stands in the code.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow, self.unit = flow, flow.unit
        self.program, self.phases = flow.program, flow.phases
        names = sorted(self.program.actions)
        self._actions = {name: number for number, name in enumerate(names)}

    def cases(self) -> dict[str, dict[int, Write]]:
        """Return for each function what it does in each phase."""
        makers = {
            "$open_on": self._open_on,
            "$open_steps": self._open_steps,
            "$say_done_in": self._say_done,
            "$acting_in": self._acting,
        }
        return {
            title: {
                self.flow.numbers[name]: self._of(make, phase)
                for name, phase in self.phases.items()
            }
            for title, make in makers.items()
        }

    def _of(self, make: _Maker, phase: ir.PhaseDef) -> Write:
        return lambda f: make(f, phase)

    # ---- the children of a phase

    def _over(self, phase: ir.PhaseDef) -> Code:
        return f"(i64.load (i32.const {self.unit.memory.phases[phase.name].over}))"

    def _before(self, phase: ir.PhaseDef, name: str) -> int:
        return sum(1 << phase.items.index(each) for each in phase.before.get(name, ()))

    def _is_open(self, name: str) -> bool:
        step = self.program.steps.get(name)
        return step is not None and step.mode is not None

    def _open(self, phase: ir.PhaseDef) -> int:
        """Return the steps of actions of a phase, bit by bit."""
        return sum(1 << n for n, each in enumerate(phase.items) if self._is_open(each))

    def _path(self, phase: ir.PhaseDef) -> list[ir.PhaseDef]:
        """Return the phases from the game itself down to a phase."""
        path = [phase]
        while path[-1].name:
            path.append(self.phases[path[-1].parent])
        return path[::-1]

    # ---- what starts by itself

    def _open_on(self, f: Function, phase: ir.PhaseDef) -> None:
        over = f.local("i64", "over")
        f.set(over, self._over(phase))
        for number, name in enumerate(phase.items):
            if self._is_open(name):
                continue
            before = self._before(phase, name)
            seen = f"(i64.and (local.get {over}) {i64(before | 1 << number)})"
            with f.when(f"(i64.eq {seen} {i64(before)})"):
                self._start(f, phase, name, number)
                f.add("(return)")
        every = i64((1 << len(phase.items)) - 1)
        with f.when(f"(i64.eq (local.get {over}) {every})"):
            f.add(f"(call $next_item {i32(self.flow.numbers[phase.name])})")
            f.add("(return)")
        f.add("(call $offer)")
        f.add("(return)")

    def _start(self, f: Function, phase: ir.PhaseDef, name: str, number: int) -> None:
        step = self.program.steps.get(name)
        if step is None:
            f.add(f"(call $push {i32(self.flow.numbers[name])})")
            return
        which = i32(self.flow.steps[name])
        if step.guard is not None:
            with f.when(f"(i32.eqz (call $admits {which} (call $acting)))"):
                here = i32(self.flow.numbers[phase.name])
                f.add(f"(call $over {here} {i32(number)})")
                f.add("(return)")
        proc = self.flow.procedures.numbers[f"step {name}"]
        f.add(f"(call $start {i32(proc)} (i32.const 2) {which} (call $acting))")

    # ---- what is offered

    def _open_steps(self, f: Function, phase: ir.PhaseDef) -> None:
        """Gather what is offered in a phase and those around it."""
        offered = [f.local("i64", "offered"), f.local("i64", "offered")]
        done = f.local("i32", "done")
        f.set(done, i32(1))
        for name in offered:
            f.set(name, i64(0))
        for each in self._path(phase):
            self._add(f, offered, each.actions)
            if self._open(each):
                self._steps_of(f, each, offered, done)
        header = self.unit.memory.header
        for title, name in zip(("offered", "offered_more"), offered, strict=True):
            f.add(f"(i64.store (i32.const {header[title]}) (local.get {name}))")
        f.add(f"(i32.store (i32.const {header['done']}) (local.get {done}))")
        f.add("(return)")

    def _add(self, f: Function, offered: list[str], actions: tuple[str, ...]) -> None:
        mask = sum(1 << self._actions[name] for name in actions)
        for name in offered:
            if mask & (1 << 64) - 1:
                some = i64(mask & (1 << 64) - 1)
                f.set(name, f"(i64.or (local.get {name}) {some})")
            mask >>= 64

    def _steps_of(
        self, f: Function, phase: ir.PhaseDef, offered: list[str], done: str
    ) -> None:
        over = f.local("i64", "over")
        f.set(over, self._over(phase))
        pressing = dict(self._asked(f, phase))
        for number, name in enumerate(phase.items):
            if not self._is_open(name):
                continue
            before = self._before(phase, name)
            closed = before & ~self._open(phase)
            seen = f"(i64.and (local.get {over}) {i64(closed | 1 << number)})"
            with f.when(f"(i64.eq {seen} {i64(closed)})"):
                out = f.label("held")
                with f.block(f"(block {out}"):
                    self._held_up(f, phase, before, over, pressing, out)
                    self._add(f, offered, self.program.steps[name].actions)
                    if name in pressing:
                        held = self._pressing(f, name, pressing[name])
                        with f.when(held):
                            f.set(done, i32(0))

    def _asked(self, f: Function, phase: ir.PhaseDef) -> Iterator[tuple[str, str]]:
        """Yield a local for each step that holds others up; -1: not known yet."""
        for name in phase.items:
            if self._is_open(name) and self.program.steps[name].mode == ONCE:
                known = f.local("i32", "pressing")
                f.set(known, i32(-1))
                yield name, known

    def _held_up(
        self,
        f: Function,
        phase: ir.PhaseDef,
        before: int,
        over: str,
        pressing: dict[str, str],
        out: str,
    ) -> None:
        """Leave where a step in front, which must be taken, has something legal."""
        for number, name in enumerate(phase.items):
            if name in pressing and before >> number & 1:
                still = f"(i64.and (local.get {over}) {i64(1 << number)})"
                with f.when(f"(i64.eqz {still})"):
                    f.add(f"(br_if {out} {self._pressing(f, name, pressing[name])})")

    def _pressing(self, f: Function, name: str, known: str) -> Code:
        with f.when(f"(i32.lt_s (local.get {known}) (i32.const 0))"):
            f.set(known, f"(call {self.unit.can(name)})")
        return f"(local.get {known})"

    # ---- what `done` closes

    def _say_done(self, f: Function, phase: ir.PhaseDef) -> None:
        over, closed = f.local("i64", "over"), f.local("i64", "closed")
        f.set(over, self._over(phase))
        f.set(closed, i64(0))
        for number, name in enumerate(phase.items):
            if self._is_open(name):
                continue
            before = self._before(phase, name)
            hard = before & ~self._open(phase)
            seen = f"(i64.and (local.get {over}) {i64(hard | 1 << number)})"
            with f.when(f"(i64.eq {seen} {i64(hard)})"):
                behind = (
                    f"(i64.and {i64(before)} (i64.xor (local.get {over}) {i64(-1)}))"
                )
                f.set(closed, f"(i64.or (local.get {closed}) {behind})")
        with f.when(f"(i64.eqz (local.get {closed}))"):
            f.set(closed, i64((1 << len(phase.items)) - 1))
        at = self.unit.memory.phases[phase.name].over
        whole = f"(i64.or (local.get {over}) (local.get {closed}))"
        f.add(f"(i64.store (i32.const {at}) {whole})")
        f.add("(return)")

    # ---- who acts

    def _acting(self, f: Function, phase: ir.PhaseDef) -> None:
        memory = self.unit.memory
        for each in reversed(self._path(phase)):
            if not each.acts or each.source is None:
                continue
            listed, index, count = (
                f"(i32.load (i32.const {memory.field(each.name, name)}))"
                for name in ("listed", "index", "count")
            )
            with f.when(listed):
                with f.when(f"(i32.ge_s {index} {count})"):
                    f.add(f"(return {NONE})")
                items = memory.phases[each.name].items
                where = f"(i32.shl {index} (i32.const 2))"
                f.add(f"(return (i32.load offset={items} {where}))")
        f.add(f"(return {NONE})")
