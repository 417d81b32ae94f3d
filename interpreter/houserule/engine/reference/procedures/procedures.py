"""Lowering: the bodies of actions, effects, steps and reactions as procedures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from houserule import ir
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.reference.options.legality import holds
from houserule.engine.reference.options.product import Guard, Product, build
from houserule.engine.reference.procedures import control as op
from houserule.engine.reference.procedures.changes import lowered_change
from houserule.engine.reference.procedures.instructions import (
    CodeLabel,
    Jump,
    Procedure,
)
from houserule.ir.walk import slots_read


class Procedures:
    """All procedures of a program, by name: `action x`, `effect x`, `step x` …."""

    def __init__(self, program: ir.Program, evaluator: Evaluator) -> None:
        self._program, self._evaluator = program, evaluator
        self.by_name = {each.name: each for each in self._lowered(program)}

    def _lowered(self, program: ir.Program) -> Iterator[Procedure]:
        yield from map(self._action, program.actions.values())
        yield from map(self._effect, program.effects.values())
        for step in program.steps.values():
            if step.body is not None:
                proc = Procedure(f"step {step.name}", step.body.frame)
                if self._program.steps[step.name].silent:
                    self._body(proc, step.body)
                    proc.add(op.NoteWatched(step.body.span))
                else:
                    self._unit(proc, step.body)
                yield proc
        for phase in (*program.phases.values(), program.root):
            yield self._phase_hooks(phase, "before", phase.before_hooks)
            yield self._phase_hooks(phase, "after", phase.after_hooks)
        yield from map(self._reaction, program.reactions.values())

    # ---- drivers

    def _action(self, action: ir.ActionDef) -> Procedure:
        proc = Procedure(f"action {action.name}", action.frame)
        out = CodeLabel()
        if action.limits:
            counted = tuple(limit.address for limit in action.limits)
            proc.add(op.CountTaking(counted, action.span))
        self._asks(proc, action.asks, out)
        for cost in action.costs:
            self._unit(proc, cost.body)
        for does in action.does:
            self._unit(proc, does)
        proc.here(out)
        return proc

    def _effect(self, effect: ir.EffectDef) -> Procedure:
        frame = max([len(effect.params) + 1, *(body.frame for body in effect.does)])
        proc = Procedure(f"effect {effect.name}", frame)
        out = CodeLabel()
        for name in effect.instead:
            self._hook(proc, name)
            proc.add(op.UnlessReplaced(out, effect.span))
        for body in effect.does:
            self._body(proc, body)
        proc.here(out)
        return proc

    def _phase_hooks(
        self, phase: ir.PhaseDef, moment: str, hooks: Sequence[str]
    ) -> Procedure:
        proc = Procedure(f"{moment} {phase.name}", 1)
        for name in hooks:
            self._hook(proc, name)
            proc.add(op.Settle(phase.span))
        return proc

    def _reaction(self, reaction: ir.ReactionDef) -> Procedure:
        proc = Procedure(f"reaction {reaction.name}", reaction.frame)
        no, out = CodeLabel(), CodeLabel()
        self._asks(proc, reaction.asks, no)
        for body in reaction.does:
            self._body(proc, body)
        proc.add(op.Replaced(reaction.name, True, reaction.span))
        proc.add(Jump(out, reaction.span))
        proc.here(no)
        proc.add(op.Replaced(reaction.name, False, reaction.span))
        proc.here(out)
        return proc

    # ---- units, hooks, questions

    def _unit(self, proc: Procedure, body: ir.Body) -> None:
        self._body(proc, body)
        proc.add(op.Settle(body.span))

    def _body(self, proc: Procedure, body: ir.Body) -> None:
        for name in body.before:
            self._hook(proc, name)
        proc.frame = max(proc.frame, body.frame)
        proc.add(op.Mark(body.address, body.span))
        self._block(proc, body.block)
        for name in body.after:
            self._hook(proc, name)

    def _hook(self, proc: Procedure, name: str) -> None:
        hook = self._program.reactions[name]
        needs = tuple(holds(each, self._evaluator) for each in hook.needs)
        proc.add(
            op.CallHook(
                f"reaction {name}",
                len(hook.params),
                needs,
                hook.frame,
                hook.span,
            )
        )

    def _asks(self, proc: Procedure, asks: Sequence[ir.AskDef], no: CodeLabel) -> None:
        for ask in asks:
            who = self._evaluator.expr(ask.who)
            proc.add(op.Ask(who, no, ask.address, ask.span))

    # ---- statements

    def _block(self, proc: Procedure, block: ir.Block) -> None:
        for statement in block:
            match statement:
                case ir.When():
                    out = CodeLabel()
                    for number, (condition, body) in enumerate(statement.rows, 1):
                        other = CodeLabel()
                        proc.add(
                            op.Branch(
                                self._evaluator.expr(condition), other, condition.span
                            )
                        )
                        self._block(proc, body)
                        if statement.otherwise or number < len(statement.rows):
                            proc.add(Jump(out))
                        proc.here(other)
                    self._block(proc, statement.otherwise)
                    proc.here(out)
                case ir.ForEach():
                    product = self._product(statement.binds, statement.where)
                    keys = tuple(self._evaluator.expr(key) for key in statement.keys)
                    most = statement.direction == "most"
                    items, number = proc.slot(), proc.slot()
                    proc.add(
                        op.BeginLoop(product, keys, most, items, number, statement.span)
                    )
                    slots = tuple(level.slot for level in product.levels)
                    head = op.NextItem(
                        slots, items, number, CodeLabel(), statement.span
                    )
                    if statement.until is not None:
                        head.until = self._evaluator.expr(statement.until)
                        head.stops = statement.stops
                    self._repeat(proc, head, statement.body)
                case ir.ChooseOption():
                    by = (
                        None
                        if statement.by is None
                        else self._evaluator.expr(statement.by)
                    )
                    other = CodeLabel()
                    product = self._product((statement.bind,), statement.where)
                    proc.add(
                        op.ChooseOp(
                            statement.must,
                            product,
                            by,
                            other,
                            statement.site,
                            statement.span,
                        )
                    )
                    out = CodeLabel()
                    self._block(proc, statement.body)
                    if statement.otherwise:
                        proc.add(Jump(out))
                    proc.here(other)
                    self._block(proc, statement.otherwise)
                    proc.here(out)
                case ir.ShareOut():
                    classes = None
                    every = statement.bind
                    if isinstance(every.source, ir.Distinct):
                        classes = self._evaluator.classes(every.source)
                        every = replace(every, source=every.source.operand)
                    product = self._product((every,), statement.where)
                    amount = self._evaluator.expr(statement.amount)
                    items, number = proc.slot(), proc.slot()
                    proc.add(
                        op.ShareOutOp(
                            amount,
                            product,
                            items,
                            number,
                            statement.site,
                            statement.span,
                            classes,
                        )
                    )
                    slots = statement.bind.slots[0], statement.count_slot
                    self._repeat(
                        proc,
                        op.NextItem(slots, items, number, CodeLabel(), statement.span),
                        statement.body,
                    )
                case ir.DrawOne():
                    out = CodeLabel()
                    product = self._product((statement.bind,), statement.where)
                    proc.add(
                        op.DrawOneOp(product, statement.stream, out, statement.span)
                    )
                    self._block(proc, statement.body)
                    proc.here(out)
                case ir.CallEffect():
                    params = self._program.effects[statement.effect].params
                    args = tuple(
                        self._evaluator.argument(arg, param)
                        for arg, param in zip(statement.args, params, strict=True)
                    )
                    proc.add(
                        op.CallEffectOp(
                            f"effect {statement.effect}", args, statement.span
                        )
                    )
                case _:
                    proc.add(lowered_change(statement, self._evaluator))

    # ---- branches, loops, decisions

    def _product(self, binds: Sequence[ir.Bind], where: ir.Expr | None) -> Product:
        guards = []
        if where is not None:
            guards.append(Guard(self._evaluator.truth(where), slots_read(where)))
        return build(binds, guards, self._evaluator)

    def _repeat(self, proc: Procedure, head: op.NextItem, body: ir.Block) -> None:
        """Add a loop: its head binds the next item, or goes behind the loop."""
        start = CodeLabel()
        proc.here(start)
        proc.add(head)
        self._block(proc, body)
        proc.add(Jump(start))
        proc.here(head.out)
