"""First values: states get them when their phase begins, and limits begin again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.expressions import Expressions, Translator
from houserule.engine.compiled.expressions.operands import InLocals
from houserule.engine.compiled.expressions.places import check_range, fitting
from houserule.engine.compiled.functions import Function, i32, i64
from houserule.engine.compiled.memory.shapes import ALL, in_words, kept_words, scalar
from houserule.engine.compiled.optimize.versions import cells, wrote
from houserule.engine.state.layout import Axis

STORED_AT_MOST = 512  # bytes that are written without a call


class Initialisation:
    """Writes what happens to states when the phase that they live for begins."""

    def __init__(self, context: CompilationContext, translator: Translator) -> None:
        self._context, self._translator = context, translator

    def write(self, f: Function, phase: str) -> None:
        """Write what restarts the limits and the states that live for a phase."""
        program, memory = self._context.program, self._context.memory
        for action in program.actions.values():
            for limit in action.limits:
                if limit.phase == phase:
                    f.store(memory.taken[limit.address], i32(0))
        lives = [
            state
            for state in program.states.values()
            if state.life and state.life == phase
        ]
        for state in lives:
            if not state.computed:
                self._reset(f, state)
                if inverse := memory.inverse.of(state.name):
                    f.add(f"(call {inverse.restart})")
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
            if len(part) == 8:
                f.store(place.at + offset, i64(number), "i64")
            else:
                f.store(place.at + offset, i32(number))

    def _first_values(self, phase: str, states: Sequence[ir.StateDef]) -> str:
        """Write what computes first values of one stage, cell by cell.

        None of them reads a cell that begins with it: that is in a later stage.
        """
        title = self._context.name("first_values", phase)
        f = Function(title, (("$me", "i32"),))
        for state in states:
            e, at = self._translator.acting(f), f.local("i32", "at")
            f.set(at, i32(0))
            place = self._context.memory.cells[state.name]
            with each_key(e, self._context.layout.families[state.name].axes):
                if in_words(state.type):
                    for to, word in enumerate(fitting(e, state.first, state)):
                        here = f"offset={place.at + 8 * to} (local.get {at})"
                        f.add(f"(i64.store {here} {word})")
                else:
                    value = f.keep(e.scalar(state.first))
                    check_range(e, state, value, state.first.type, state.span)
                    f.add(f"(i32.store offset={place.at} (local.get {at}) {value})")
                f.set(at, f"(i32.add (local.get {at}) {i32(place.width)})")
            if inverse := self._context.memory.inverse.of(state.name):
                f.add(f"(call {inverse.invert})")
        self._context.add(f)
        return title


@contextmanager
def each_key(e: Expressions, axes: Sequence[Axis]) -> Iterator[None]:
    """Write a loop over all keys of a family, in the order of their numbers.

    The keys are in slots 1….
    """
    f = e.f
    with ExitStack() as loops:
        for number, axis in enumerate(axes, 1):
            kind = "i64" if axis.of_sets else "i32"
            name = f.local(kind, "key")
            e.slots[number] = InLocals((name,))
            low = 0 if axis.of_sets else axis.low
            f.set(name, f"({kind}.const {low})")
            again, out = f.label("keys"), f.label("end")
            loops.enter_context(f.block(f"(block {out}"))
            loops.enter_context(f.loop(again))
            behind = f"({kind}.const {low + axis.size})"
            f.add(f"(br_if {out} ({kind}.ge_s (local.get {name}) {behind}))")
            next_key = (
                f"(local.set {name} ({kind}.add (local.get {name}) ({kind}.const 1)))"
            )
            loops.callback(f.lines.extend, [next_key, f"(br {again})"])
        yield
