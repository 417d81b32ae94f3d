"""Procedures as functions: actions, effects, reactions and steps."""

from __future__ import annotations

from collections.abc import Sequence

from houserule import ir
from houserule.engine.compiled.clauses.procedures import (
    CompiledProcedures,
    ResumableCode,
)
from houserule.engine.compiled.clauses.statements import StatementWriter
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.loops import Loops
from houserule.engine.compiled.expressions.operands import InMemory
from houserule.engine.compiled.functions import NONE, i32, load
from houserule.engine.compiled.memory.layout import ProcedureFrame
from houserule.engine.compiled.memory.shapes import words_of
from houserule.engine.compiled.options.legality import holds
from houserule.engine.compiled.options.products import Walks
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.state.hidden_slots import hidden_slots


def write_procedures(
    context: CompilationContext,
    loops: Loops,
    walks: Walks,
    costs: Costs,
    procedures: CompiledProcedures,
) -> None:
    """Write all procedures of a program, in their order."""
    for name, parts in procedures.parts.items():
        code = ResumableCode(context, walks.translator, procedures, name)
        if procedures.may_stop(name):
            code.clear(hidden_slots(context.program).get(name, {}))
        writer = ProcedureWriter(code, StatementWriter(code, loops, walks, costs))
        match parts[0]:
            case ir.ActionDef() as action:
                writer.action(action)
            case ir.EffectDef() as effect:
                writer.effect(effect)
            case ir.ReactionDef() as reaction:
                writer.reaction(reaction)
            case ir.Body() as body:
                step = context.program.steps.get(name.removeprefix("step "))
                writer.clause(body, silent=step is not None and step.silent)
            case _:
                writer.phase_hooks([str(part) for part in parts])
        code.finish()


class ProcedureWriter:
    """Writes what one procedure does, clause by clause, with the hooks around each."""

    def __init__(self, code: ResumableCode, statements: StatementWriter) -> None:
        self._code, self._statements = code, statements
        self._context, self._procedures = code.context, code.procedures
        self._f, self._e, self._frame = code.f, code.e, code.frame

    def action(self, action: ir.ActionDef) -> None:
        """Write an action: its questions, costs and effects."""
        out = self._code.label()
        for limit in action.limits:
            at = self._context.memory.taken[limit.address]
            self._f.store(at, f"(i32.add {load(at)} (i32.const 1))")
        self._asks(action.asks, out)
        for cost in action.costs:
            self.clause(cost.body)
        for does in action.does:
            self.clause(does)
        self._code.here(out)

    def effect(self, effect: ir.EffectDef) -> None:
        out = self._code.label()
        for name in effect.instead:
            self._hook(name)
            replaced = load(self._context.memory.header["replaced"])
            self._code.jump_if(replaced, out)
        for body in effect.does:
            self._body(body)
        self._code.here(out)

    def reaction(self, reaction: ir.ReactionDef) -> None:
        """Write a reaction; at its end it says whether it took place."""
        no, out = self._code.label(), self._code.label()
        replaced = self._context.memory.header["replaced"]
        self._asks(reaction.asks, no)
        for body in reaction.does:
            self._body(body)
        self._f.store(replaced, i32(1))
        self._code.jump(out)
        self._code.here(no)
        self._f.store(replaced, i32(0))
        self._code.here(out)

    def phase_hooks(self, hooks: Sequence[str]) -> None:
        """Write the hooks around a phase; reactions follow each."""
        for name in hooks:
            self._hook(name)
            self._code.settle()

    def clause(self, body: ir.Body, *, silent: bool = False) -> None:
        """Write a clause after which reactions follow, if it is not a silent one."""
        self._body(body)
        if silent:
            self._f.add("(call $look)")
        else:
            self._code.settle()

    def _body(self, body: ir.Body) -> None:
        """Write a clause with the hooks around it."""
        for name in body.before:
            self._hook(name)
        at = self._procedures.counter(body.address)
        self._f.store(at, f"(i32.add {load(at)} (global.get $counting))")
        self._statements.block(body.block)
        for name in body.after:
            self._hook(name)

    # ---- hooks

    def _hook(self, name: str) -> None:
        """Call a hook or a replacement where its needs hold; slots are copied."""
        reaction = self._context.program.reactions[name]
        frame = self._procedures.frames[f"reaction {name}"]
        replaced = self._context.memory.header["replaced"]
        self._f.store(replaced, i32(0))
        self._copy(frame, 0, 0)
        for number, param in enumerate(reaction.params, 1):
            for word in range(words_of(param.type)):
                self._copy(frame, number, word)
        skip = self._code.label()
        own, self._e.near = self._e.slots, reaction.span
        self._e.slots = {slot: InMemory(at) for slot, at in frame.slots.items()}
        for need in reaction.needs:
            self._code.jump_if(f"(i32.eqz {holds(self._e, need)})", skip)
        self._e.slots = own
        self._code.call(f"reaction {name}")
        self._code.here(skip)

    def _copy(self, frame: ProcedureFrame, slot: int, word: int) -> None:
        source = self._frame.slots.get(slot)
        if source is None or slot not in frame.slots:
            return
        value = load(source + 8 * word, "i64")
        self._f.store(frame.slots[slot] + 8 * word, value, "i64")

    def _asks(self, asks: Sequence[ir.AskDef], no: int) -> None:
        """Ask seats; go to the label after a no. Without a seat, the answer is yes."""
        for ask in asks:
            self._e.near = ask.span
            on, answered = self._code.label(), self._code.label()
            who = self._f.keep(self._e.scalar(ask.who))
            self._code.jump_if(f"(i32.eq {who} {NONE})", on)
            self._code.decide(4, ask.address, who, "(i64.const 2)")
            self._code.stop(answered)
            self._code.here(answered)
            answer = load(self._context.memory.header["answer"], "i64")
            self._code.jump_if(f"(i64.ne {answer} (i64.const 0))", no)
            self._code.here(on)
