"""Writing one procedure: blocks between which it can jump and stop, its drivers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.clauses.statements import Statements
from houserule.compiled.expressions.expressions import Expressions
from houserule.compiled.memory.layout import Frame
from houserule.compiled.memory.shapes import words_of
from houserule.compiled.memory.slots import InMemory, Slot
from houserule.compiled.optimize.stopping import LOOK
from houserule.compiled.options.legality import holds
from houserule.compiled.writer.functions import (
    NONE,
    Code,
    Function,
    i32,
)

if TYPE_CHECKING:
    from houserule.compiled.clauses.procedures import Procedures
    from houserule.compiled.context import Unit
    from houserule.source import Span


class Writer(Statements):
    """Writes one procedure as blocks, between which it can jump and stop."""

    def __init__(self, unit: Unit, procedures: Procedures, name: str) -> None:
        self.unit, self.procedures, self.name = unit, procedures, name
        self.frame = procedures.frames[name]
        self.f = Function(procedures.title(name), (), ("i32",))
        self.f.locals.append(("$go_on", "i32"))
        slots: dict[int, Slot] = {
            slot: InMemory(at) for slot, at in self.frame.slots.items()
        }
        self.e = Expressions(unit, self.f, slots)
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
        """Write the function."""
        self._blocks.append(self.f.lines)
        lines: list[str] = []
        count = len(self._blocks)
        if count == 1:
            lines = [*([LOOK] if self.calls else []), *self._blocks[0]]
        else:
            lines.append(f"(local.set $go_on (i32.load (i32.const {self.frame.at})))")
            lines += ["(loop $switch", LOOK]
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
        self.unit.functions.append(self.f)

    def _resolved(self, line: str) -> str:
        if "@" not in line:
            return line
        before, number, after = line.split("@")
        return f"{before}(i32.const {self._at[int(number)]}){after}"

    # ---- drivers

    def action(self, action: ir.ActionDef) -> None:
        """Write an action: what is asked, its costs, its effects."""
        out = self.label()
        for limit in action.limits:
            at = self.unit.memory.taken[limit.address]
            self._add_one(at)
        self.asks(action.asks, out)
        for cost in action.costs:
            self.unit_of(cost.body)
        for does in action.does:
            self.unit_of(does)
        self.here(out)

    def effect(self, effect: ir.EffectDef) -> None:
        """Write an effect, and what may happen instead."""
        out = self.label()
        for name in effect.instead:
            self.hook(name)
            replaced = self.e.load(self.unit.memory.header["replaced"])
            self.jump_if(replaced, out)
        for body in effect.does:
            self.body(body)
        self.here(out)

    def reaction(self, reaction: ir.ReactionDef) -> None:
        """Write a reaction; at its end it says whether it took place."""
        no, out = self.label(), self.label()
        replaced = self.unit.memory.header["replaced"]
        self.asks(reaction.asks, no)
        for body in reaction.does:
            self.body(body)
        self.f.add(f"(i32.store (i32.const {replaced}) (i32.const 1))")
        self.jump(out)
        self.here(no)
        self.f.add(f"(i32.store (i32.const {replaced}) (i32.const 0))")
        self.here(out)

    def phase_hooks(self, hooks: Sequence[str]) -> None:
        """Write the hooks around a phase, a unit each."""
        for name in hooks:
            self.hook(name)
            self.settle()

    def unit_of(self, body: ir.Body) -> None:
        """Write a clause that is a unit: reactions follow it."""
        self.body(body)
        self.settle()

    def body(self, body: ir.Body) -> None:
        """Write a clause with the hooks around it."""
        for name in body.before:
            self.hook(name)
        at = self.procedures.counter(body.address)
        more = f"(i32.add {self.e.load(at)} (global.get $counting))"
        self.f.add(f"(i32.store (i32.const {at}) {more})")
        self.block(body.block)
        for name in body.after:
            self.hook(name)

    def _add_one(self, at: int) -> None:
        more = f"(i32.add {self.e.load(at)} (i32.const 1))"
        self.f.add(f"(i32.store (i32.const {at}) {more})")

    def settle(self) -> None:
        """Let reactions follow to what changed."""
        if not self.procedures.watching:
            return
        again = self.label()
        self.here(again)
        me = self.e.load(self.frame.slots[0])
        with self.f.when(f"(call $settle {me})"):
            self.stop(again)

    # ---- calls

    def call(self, name: str) -> None:
        """Call a procedure whose slots are filled."""
        if not self.procedures.may_stop(name):
            self.f.add(f"(drop (call {self.procedures.title(name)}))")
            return
        again = self.label()
        self.here(again)
        with self.f.when(f"(call {self.procedures.title(name)})"):
            self.stop(again)

    def hook(self, name: str) -> None:
        """Call a hook or a replacement where its needs hold; slots are copied."""
        reaction = self.unit.program.reactions[name]
        frame = self.procedures.frames[f"reaction {name}"]
        replaced = self.unit.memory.header["replaced"]
        self.f.add(f"(i32.store (i32.const {replaced}) (i32.const 0))")
        self._copy(frame, 0, 0)
        for number, param in enumerate(reaction.params, 1):
            for word in range(words_of(param.type)):
                self._copy(frame, number, word)
        skip = self.label()
        own, self.e.near = self.e.slots, reaction.span
        self.e.slots = {slot: InMemory(at) for slot, at in frame.slots.items()}
        for need in reaction.needs:
            self.jump_if(f"(i32.eqz {holds(self.e, need)})", skip)
        self.e.slots = own
        self.call(f"reaction {name}")
        self.here(skip)

    def _copy(self, frame: Frame, slot: int, word: int) -> None:
        source = self.frame.slots.get(slot)
        if source is None or slot not in frame.slots:
            return
        value = f"(i64.load (i32.const {source + 8 * word}))"
        self.f.add(f"(i64.store (i32.const {frame.slots[slot] + 8 * word}) {value})")

    def asks(self, asks: Sequence[ir.AskDef], no: int) -> None:
        """Ask seats; with a no go to the label. Nobody asked means yes."""
        for ask in asks:
            self.e.near = ask.span
            on, answered = self.label(), self.label()
            who = self.f.keep(self.e.scalar(ask.who))
            self.jump_if(f"(i32.eq {who} {NONE})", on)
            self.decide(4, ask.address, who, "(i64.const 2)")
            self.stop(answered)
            self.here(answered)
            answer = f"(i64.load (i32.const {self.unit.memory.header['answer']}))"
            self.jump_if(f"(i64.ne {answer} (i64.const 0))", no)
            self.here(on)

    def decide(self, kind: int, site: str, seat: Code, count: Code) -> None:
        """Lay down what is to be decided."""
        header = self.unit.memory.header
        for name, code in (
            ("decision", i32(kind)),
            ("site", i32(self.unit.site(site))),
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
