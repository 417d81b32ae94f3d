"""Procedures: clauses as functions that can stop at a decision and go on from there.

Each procedure has one frame in the state block: where it is to go on, then its slots.
Its function returns 1 if a decision is wanted, 0 at its end. Called again, it
continues; so running calls are in the frames only, and a copy of the block is a copy of
a game that stopped within an effect.

WebAssembly has no jumps, and a function that has returned is gone. So the code of a
procedure is cut into blocks behind one switch (`ResumableCode`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from houserule import ir
from houserule.base.source import Span
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.expressions.operands import InMemory, Slot
from houserule.engine.compiled.functions import NONE, Code, Function, i32, i64, load
from houserule.engine.compiled.memory.layout import WORD_BYTES, ProcedureFrame
from houserule.engine.compiled.memory.shapes import in_words, words_of
from houserule.engine.compiled.optimize.costs import LOOK, PIECE, counting
from houserule.engine.compiled.optimize.versions import wrote
from houserule.engine.state.faults import F06
from houserule.engine.state.hidden_slots import bound_within
from houserule.ir import types
from houserule.ir.walk import beneath, option_binds

Parts: TypeAlias = tuple[ir.CoreNode, ...] | tuple[str, ...]
"""What a procedure is made of: one clause, or the names of hooks."""


class CompiledProcedures:
    """All procedures of a program, by the names that the reference engine uses."""

    def __init__(self, context: CompilationContext) -> None:
        self._context, self._program = context, context.program
        program = context.program
        self.watching = any(r.moment == "when" for r in program.reactions.values())
        program, found = self._program, dict[str, Parts]()
        for action in program.actions.values():
            found[f"action {action.name}"] = (action,)
        for effect in program.effects.values():
            found[f"effect {effect.name}"] = (effect,)
        for step in program.steps.values():
            if step.body is not None:
                found[f"step {step.name}"] = (step.body,)
        for phase in (*program.phases.values(), program.root):
            for moment, hooks in (
                ("before", phase.before_hooks),
                ("after", phase.after_hooks),
            ):
                if hooks:
                    found[f"{moment} {phase.name}"] = hooks
        for reaction in program.reactions.values():
            found[f"reaction {reaction.name}"] = (reaction,)
        self.parts: dict[str, Parts] = found
        # Room for every slot that a procedure uses.
        take = context.memory.allocator.take
        self.frames: dict[str, ProcedureFrame] = {}
        for name, parts in self.parts.items():
            words = {0: 1}
            for part in parts:
                if not isinstance(part, str):
                    for slot, many in _slots_beneath(part, program):
                        words[slot] = max(many, words.get(slot, 1))
            frame = self.frames[name] = ProcedureFrame(take(8))
            for slot in sorted(words):
                frame.slots[slot] = take(8 * words[slot])
            frame.end = context.memory.allocator.at
        self.numbers = {name: number for number, name in enumerate(self.frames)}
        self.picks: dict[str, list[tuple[str, ProcedureFrame]]] = {}
        """By site the functions that find what is chosen there, with their frames."""
        self._counters: dict[str, int] = {}
        self._stopping: dict[str, bool] = {}

    def title(self, name: str) -> str:
        """Return the name of a procedure's function."""
        return "$" + name.replace(" ", ".")

    def counter(self, address: str) -> int:
        """Return the address where the runs of a clause are counted."""
        if address not in self._counters:
            self._counters[address] = self._context.data.room(4)
        return self._counters[address]

    @property
    def counters(self) -> dict[str, int]:
        """The address of the run counter of each declared clause."""
        return {k: at for k, at in self._counters.items() if not ir.is_kept(k)}

    def may_stop(self, name: str) -> bool:
        """Return whether a procedure may need a decision."""
        if name not in self._stopping:
            self._stopping[name] = any(self._stops(part) for part in self.parts[name])
        return self._stopping[name]

    def _stops(self, part: ir.CoreNode | str) -> bool:
        match part:
            case str():
                return self.watching or self.may_stop(f"reaction {part}")
            case ir.ActionDef() if part.asks or self.watching:
                return True
            case ir.ReactionDef() if part.asks:
                return True
            case ir.EffectDef() if self._hooks_stop(part.instead):
                return True
            case _:
                pass
        for node in beneath(part):
            match node:
                case ir.ChooseOption() | ir.ShareOut():
                    return True
                case ir.CallEffect(effect) if self.may_stop(f"effect {effect}"):
                    return True
                case ir.Body(before=before, after=after):
                    if self._hooks_stop((*before, *after)):
                        return True
                case _:
                    pass
        return False

    def _hooks_stop(self, names: tuple[str, ...]) -> bool:
        return any(self.may_stop(f"reaction {name}") for name in names)


def _slots_beneath(part: ir.CoreNode, program: ir.Program) -> Iterator[tuple[int, int]]:
    """Yield slots, each with how many words it takes somewhere."""
    if isinstance(part, ir.EffectDef | ir.ReactionDef):
        for number, param in enumerate(part.params, 1):
            yield number, words_of(param.type)
    if isinstance(part, ir.ReactionDef) and part.moment == "when":
        keys = program.values[part.event].params
        for slot, param in enumerate((*keys, *part.change), 1):
            yield slot, words_of(param.type)
    if isinstance(part, ir.ActionDef):
        for bind in option_binds(part):
            yield from ((slot, words_of(bind.type)) for slot in bind.slots)
    for node in beneath(part):
        match node:
            case ir.Local(slot=slot, type=type_):
                yield slot, words_of(type_)
            case ir.Bind(slots=slots, type=type_):
                yield from ((slot, words_of(type_)) for slot in slots)
            case ir.LetSlot(slot=slot, value=value):
                yield slot, words_of(value.type)
            case ir.ShareOut(count_slot=slot):
                yield slot, 1
            case _:
                pass


# ---- the code of one procedure


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
        self.context, self.procedures, self.name = context, procedures, name
        self.frame = procedures.frames[name]
        self.f = Function(procedures.title(name), (), ("i32",))
        self.f.locals.append(("$go_on", "i32"))
        self.slots: Mapping[int, Slot] = {
            slot: InMemory(at) for slot, at in self.frame.slots.items()
        }
        self.e = translator.into(self.f, dict(self.slots))
        self.calls = False
        self._blocks: list[list[str]] = []
        self._at: dict[int, int] = {}
        self._labels = 0

    def clear(self, hidden: Mapping[int, types.Type]) -> None:
        """Let hidden variables hold nothing at first: a bot reads which thing is held.

        Those that the caller fills are left as they are.
        """
        for part in self.procedures.parts[self.name]:
            for slot, type_ in (
                bound_within(part) if isinstance(part, ir.CoreNode) else ()
            ):
                if slot not in hidden:
                    continue
                at = self.frame.slots[slot]
                if in_words(type_):
                    for word in range(words_of(type_)):
                        self.f.store(at + WORD_BYTES * word, i64(0), "i64")
                else:
                    self.f.store(at, NONE)

    # ---- blocks and jumps

    def label(self) -> int:
        """Return a label, to be placed later."""
        self._labels += 1
        return self._labels

    def here(self, label: int) -> None:
        self._blocks.append(self.f.lines)
        self.f.lines = []
        self._at[label] = len(self._blocks)

    def jump(self, label: int) -> None:
        self.f.add(f"(local.set $go_on @{label}@)")
        self.f.add("(br $switch)")

    def jump_if(self, condition: Code, label: int) -> None:
        """Go to a label where a condition holds."""
        with self.f.when(condition):
            self.jump(label)

    def stop(self, label: int) -> None:
        """Stop for a decision; go on at the label."""
        self.f.store(self.frame.at, f"@{label}@")
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
        spend = counting(self.context, self.e.near, PIECE)
        if count == 1:
            # Nothing can stop in it or jump: it has no switch and asks nothing.
            lines = [*([LOOK, spend] if self.calls else []), *self._blocks[0]]
        else:
            lines.append(f"(local.set $go_on {load(self.frame.at)})")
            lines += ["(loop $switch", LOOK, spend]
            # A branch to a block goes to its end: block 0 follows `$b0`, and runs on
            # into the next one, as all of them do.
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
        # The number of its block takes the place of a label.
        self.f.lines = [
            re.sub(r"@(\d+)@", lambda found: i32(self._at[int(found[1])]), line)
            for line in lines
        ]
        self.context.add(self.f)

    # ---- what comes in between

    def settle(self) -> None:
        """Let reactions follow to what changed."""
        if not self.procedures.watching:
            return
        again = self.label()
        self.here(again)
        me = load(self.frame.slots[0])
        with self.f.when(f"(call $settle {me})"):
            self.stop(again)

    def changed(self, *families: str) -> None:
        """Note that something was written, of these families of the state."""
        self.f.add(wrote(*families))
        if self.procedures.watching:
            self.f.store(self.context.memory.header["dirty"], i32(1))

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
            self.f.store(header[name], code)
        self.f.store(header["count"], count, "i64")

    def deciding_seat(self, by: ir.Expr | None, span: Span) -> Code:
        """Return who decides, else F06."""
        own = load(self.frame.slots[0])
        code = self.f.keep(own if by is None else self.e.scalar(by))
        with self.f.when(f"(i32.eq {code} {NONE})"):
            self.e.fault(F06, "Somebody must decide, but nobody acts.", span)
        return code
