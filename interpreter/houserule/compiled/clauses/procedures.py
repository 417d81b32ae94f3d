"""Clauses as functions that can stop at a decision and go on from there.

Each procedure has one frame in the state block: where it is to go on, then its slots.
Its function returns 1 where a decision is wanted, 0 at its end. Called again, it goes
on; so the calls under way stand in the frames alone, and a copy of the block is a copy
of a game in the midst of an effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from houserule import ir
from houserule.compiled.context import CompilationContext
from houserule.compiled.memory.layout import ProcedureFrame
from houserule.compiled.memory.shapes import words_of
from houserule.ir.contents import option_binds
from houserule.ir.walk import beneath

Parts: TypeAlias = tuple[ir.CoreNode, ...] | tuple[str, ...]
"""What a procedure is made of: one clause, or the names of hooks."""


class CompiledProcedures:
    """All procedures of a program, by the names that the reference engine uses."""

    def __init__(self, context: CompilationContext) -> None:
        self._context, self._program = context, context.program
        program = context.program
        self.watching = any(r.moment == "when" for r in program.reactions.values())
        self.parts: dict[str, Parts] = self._named()
        self.frames = {name: self._frame(parts) for name, parts in self.parts.items()}
        self.numbers = {name: number for number, name in enumerate(self.frames)}
        self._counters: dict[str, int] = {}
        self._stopping: dict[str, bool] = {}

    def _named(self) -> dict[str, Parts]:
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
        return found

    def _frame(self, parts: Parts) -> ProcedureFrame:
        """Return room for every slot that a procedure uses."""
        taker = self._context.memory.allocator
        words = {0: 1}
        for part in parts:
            if isinstance(part, str):
                continue
            for slot, many in _slots_beneath(part, self._program):
                words[slot] = max(many, words.get(slot, 1))
        frame = ProcedureFrame(taker.take(8))
        for slot in sorted(words):
            frame.slots[slot] = taker.take(8 * words[slot])
        frame.end = taker.at
        return frame

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
        """Where the runs of each clause are counted."""
        return dict(self._counters)

    def may_stop(self, name: str) -> bool:
        """Say whether a procedure may want a decision."""
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
                return any(map(self._decides, beneath(part)))

    def _decides(self, node: ir.CoreNode) -> bool:
        match node:
            case ir.ChooseOption() | ir.ShareOut():
                return True
            case ir.CallEffect(effect):
                return self.may_stop(f"effect {effect}")
            case ir.Body(before=before, after=after):
                return self._hooks_stop((*before, *after))
            case _:
                return False

    def _hooks_stop(self, names: tuple[str, ...]) -> bool:
        return any(self.may_stop(f"reaction {name}") for name in names)


def _slots_beneath(part: ir.CoreNode, program: ir.Program) -> Iterator[tuple[int, int]]:
    """Yield slots, each with how many words it takes somewhere."""
    if isinstance(part, ir.EffectDef | ir.ReactionDef):
        for number, param in enumerate(part.params, 1):
            yield number, words_of(param.type)
    if isinstance(part, ir.ReactionDef) and part.moment == "when":
        yield from _event_slots(part, program)
    if isinstance(part, ir.ActionDef):
        for bind in option_binds(part):
            yield from ((slot, words_of(bind.type)) for slot in bind.slots)
    for node in beneath(part):
        yield from _slots_of(node)


def _slots_of(node: ir.CoreNode) -> Iterator[tuple[int, int]]:
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


def _event_slots(
    part: ir.ReactionDef, program: ir.Program
) -> Iterator[tuple[int, int]]:
    keys = program.values[part.event].params
    for slot, param in enumerate((*keys, *part.change), 1):
        yield slot, words_of(param.type)
