"""Code that can stop at a decision and go on: blocks between which it jumps.

WebAssembly has no jumps, and a function that has returned is gone. So a procedure is
cut into blocks behind one switch, and what it is in the midst of stands in its frame.
"""

from __future__ import annotations

from houserule import ir
from houserule.compiled.clauses.procedures import CompiledProcedures
from houserule.compiled.context import CompilationContext
from houserule.compiled.expressions.expressions import Translator
from houserule.compiled.memory.slots import InMemory, Slot
from houserule.compiled.optimize.stopping import LOOK
from houserule.compiled.optimize.versions import wrote
from houserule.compiled.writer.functions import NONE, Code, Function, i32
from houserule.source import Span


class ResumableCode:
    """One procedure under construction.

    Attributes:
        f: the function that is written; lines go into its block under way.
        e: what writes expressions into it, over the frame.
        frame: where the procedure keeps its values.
        calls: whether it calls an effect, so that it looks whether it is to stop.
    """

    def __init__(
        self,
        context: CompilationContext,
        translator: Translator,
        procedures: CompiledProcedures,
        name: str,
    ) -> None:
        self.context, self.procedures = context, procedures
        self.frame = procedures.frames[name]
        self.f = Function(procedures.title(name), (), ("i32",))
        self.f.locals.append(("$go_on", "i32"))
        slots: dict[int, Slot] = {
            slot: InMemory(at) for slot, at in self.frame.slots.items()
        }
        self.e = translator.into(self.f, slots)
        self.calls = False
        self._blocks: list[list[str]] = []
        self._at: dict[int, int] = {}
        self._labels = 0

    # ---- blocks and jumps

    def label(self) -> int:
        """Return a label, to be placed later."""
        self._labels += 1
        return self._labels

    def here(self, label: int) -> None:
        """Place a label."""
        self._blocks.append(self.f.lines)
        self.f.lines = []
        self._at[label] = len(self._blocks)

    def jump(self, label: int) -> None:
        """Go to a label."""
        self.f.add(f"(local.set $go_on @{label}@)")
        self.f.add("(br $switch)")

    def jump_if(self, condition: Code, label: int) -> None:
        """Go to a label where a condition holds."""
        with self.f.when(condition):
            self.jump(label)

    def stop(self, label: int) -> None:
        """Stop for a decision; go on at the label."""
        self.f.add(f"(i32.store (i32.const {self.frame.at}) @{label}@)")
        self.f.add("(return (i32.const 1))")

    def finish(self) -> None:
        """Write the function: its blocks, one after the other, behind a switch.

        A label is the beginning of a block. To go to one, its number is put into a
        local and the switch is run again; to go on after a decision, the switch takes
        the number from the frame.
        """
        self._blocks.append(self.f.lines)
        lines: list[str] = []
        count = len(self._blocks)
        if count == 1:
            # Nothing can stop in it or jump: it has no switch and asks nothing.
            lines = [*([LOOK] if self.calls else []), *self._blocks[0]]
        else:
            lines.append(f"(local.set $go_on (i32.load (i32.const {self.frame.at})))")
            lines += ["(loop $switch", LOOK]
            # A branch to a block goes to its end: behind `$b0` stands block 0, which
            # runs on into the next one, as all of them do.
            lines += [f"(block $b{number}" for number in range(count - 1, -1, -1)]
            targets = " ".join(f"$b{number}" for number in range(count))
            lines.append(f"(br_table {targets} (local.get $go_on)))")
            for number, block in enumerate(self._blocks):
                lines += block
                if number < count - 1:
                    lines.append(")")
            lines.append(")")
        lines.append(f"(i32.store (i32.const {self.frame.at}) (i32.const 0))")
        lines.append("(i32.const 0)")
        self.f.lines = [self._resolved(line) for line in lines]
        self.context.add(self.f)

    def _resolved(self, line: str) -> str:
        """Return a line with the number of its block in the place of a label."""
        if "@" not in line:
            return line
        before, number, after = line.split("@")
        return f"{before}(i32.const {self._at[int(number)]}){after}"

    # ---- what comes in between

    def settle(self) -> None:
        """Let reactions follow to what changed."""
        if not self.procedures.watching:
            return
        again = self.label()
        self.here(again)
        me = self.e.load(self.frame.slots[0])
        with self.f.when(f"(call $settle {me})"):
            self.stop(again)

    def changed(self, *families: str) -> None:
        """Note that something was written, of these families of the state."""
        self.f.add(wrote(*families))
        if self.procedures.watching:
            at = self.context.memory.header["dirty"]
            self.f.add(f"(i32.store (i32.const {at}) (i32.const 1))")

    def call(self, name: str) -> None:
        """Call a procedure whose slots are filled."""
        if not self.procedures.may_stop(name):
            self.f.add(f"(drop (call {self.procedures.title(name)}))")
            return
        again = self.label()
        self.here(again)
        with self.f.when(f"(call {self.procedures.title(name)})"):
            self.stop(again)

    # ---- decisions

    def decide(self, kind: int, site: str, seat: Code, count: Code) -> None:
        """Lay down what is to be decided."""
        header = self.context.memory.header
        for name, code in (
            ("decision", i32(kind)),
            ("site", i32(self.context.site(site))),
            ("seat", seat),
        ):
            self.f.add(f"(i32.store (i32.const {header[name]}) {code})")
        self.f.add(f"(i64.store (i32.const {header['count']}) {count})")

    def deciding_seat(self, by: ir.Expr | None, span: Span) -> Code:
        """Return who decides, else F06."""
        own = self.e.load(self.frame.slots[0])
        code = self.f.keep(own if by is None else self.e.scalar(by))
        with self.f.when(f"(i32.eq {code} {NONE})"):
            self.e.fault("F06", "Somebody must decide, but nobody acts.", span)
        return code
