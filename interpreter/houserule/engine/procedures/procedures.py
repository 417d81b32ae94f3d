"""From the core's bodies to procedures: actions, effects, steps, hooks, reactions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from houserule import ir
from houserule.engine.evaluate.expressions import Evaluator
from houserule.engine.evaluate.values import argument
from houserule.engine.options.legality import holds
from houserule.engine.options.product import Guard, Product, build
from houserule.engine.procedures import control as op
from houserule.engine.procedures import statements as st
from houserule.engine.procedures.instructions import (
    Instruction,
    Jump,
    Label,
    Procedure,
)
from houserule.ir.walk import slots_read
from houserule.source import Span


class Procedures:
    """All procedures of a program, by name: `action x`, `effect x`, `step x` …."""

    def __init__(self, program: ir.Program, evaluator: Evaluator) -> None:
        self._program, self._evaluator = program, evaluator
        self.by_name: dict[str, Procedure] = {}
        for action in program.actions.values():
            self._keep(self._action(action))
        for effect in program.effects.values():
            self._keep(self._effect(effect))
        for step in program.steps.values():
            if step.body is not None:
                self._keep(self._step(step.name, step.body))
        for phase in (*program.phases.values(), program.root):
            self._keep(self._phase_hooks(phase, "before", phase.before_hooks))
            self._keep(self._phase_hooks(phase, "after", phase.after_hooks))
        for reaction in program.reactions.values():
            self._keep(self._reaction(reaction))

    def _keep(self, procedure: Procedure) -> None:
        self.by_name[procedure.name] = procedure

    # ---- drivers

    def _action(self, action: ir.ActionDef) -> Procedure:
        proc = Procedure(f"action {action.name}", action.frame)
        out = Label()
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
        out = Label()
        for name in effect.instead:
            self._hook(proc, name)
            proc.add(op.UnlessReplaced(out, effect.span))
        for body in effect.does:
            self._body(proc, body)
        proc.here(out)
        return proc

    def _step(self, name: str, body: ir.Body) -> Procedure:
        proc = Procedure(f"step {name}", body.frame)
        self._unit(proc, body)
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
        no, out = Label(), Label()
        self._asks(proc, reaction.asks, no)
        for body in reaction.does:
            self._body(proc, body)
        proc.add(op.Replaced(True, reaction.span))
        proc.add(Jump(out, reaction.span))
        proc.here(no)
        proc.add(op.Replaced(False, reaction.span))
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
                hook.moment == "instead",
                hook.span,
            )
        )

    def _asks(self, proc: Procedure, asks: Sequence[ir.AskDef], no: Label) -> None:
        for ask in asks:
            who = self._evaluator.expr(ask.who)
            proc.add(op.Ask(who, no, ask.address, ask.span))

    # ---- statements

    def _block(self, proc: Procedure, block: ir.Block) -> None:
        for statement in block:
            self._statement(proc, statement)

    def _statement(self, proc: Procedure, s: ir.Statement) -> None:
        match s:
            case (
                ir.When()
                | ir.ForEach()
                | ir.ChooseOption()
                | ir.ShareOut()
                | ir.DrawOne()
            ):
                self._steering(proc, s)
            case ir.CallEffect(effect, args):
                params = self._program.effects[effect].params
                given = tuple(
                    argument(self._evaluator, arg, param)
                    for arg, param in zip(args, params, strict=True)
                )
                proc.add(op.CallEffectOp(f"effect {effect}", given, s.span))
            case ir.MoveThings() | ir.MoveTop() | ir.MoveTokens():
                proc.add(self._move(s))
            case ir.SetCell() | ir.AddCell():
                proc.add(self._cell(s))
            case ir.SetFace() | ir.AddFace() | ir.RollDice():
                proc.add(self._die(s))
            case _:
                proc.add(self._other(s))

    def _index(self, family: str, keys: Sequence[ir.Expr], span: Span) -> st.Keys:
        return self._evaluator.index(family, keys, span)

    def _move(self, s: ir.MoveThings | ir.MoveTop | ir.MoveTokens) -> Instruction:
        expr = self._evaluator.expr
        match s:
            case ir.MoveThings(what, to):
                kind = _member_kind(to)
                return st.MoveThingsOp(expr(what), expr(to), kind, s.span)
            case ir.MoveTop(count, up_to, zone, keys, to):
                kind = self._program.zones[zone].member.name
                number = None if count is None else expr(count)
                index = self._index(zone, keys, s.span)
                return st.MoveTopOp(number, up_to, kind, zone, index, expr(to), s.span)
            case ir.MoveTokens(count, up_to, source, source_keys, to_slot, to_keys):
                number = None if count is None else expr(count)
                here = self._index(source, source_keys, s.span)
                there = self._index(to_slot, to_keys, s.span)
                return st.MoveTokensOp(
                    number, up_to, source, here, to_slot, there, s.span
                )

    def _cell(self, s: ir.SetCell | ir.AddCell) -> Instruction:
        expr, index = self._evaluator.expr, self._index(s.state, s.keys, s.span)
        match s:
            case ir.SetCell(state, _, value):
                return st.SetCellOp(state, index, expr(value), s.span)
            case ir.AddCell(state, _, amount, sign):
                return st.AddCellOp(state, index, expr(amount), sign, s.span)

    def _die(self, s: ir.SetFace | ir.AddFace | ir.RollDice) -> Instruction:
        expr, dice = self._evaluator.expr, self._program.components[s.kind.name]
        match s:
            case ir.SetFace(die, kind, value):
                return st.SetFaceOp(
                    expr(die), kind.name, dice.faces, expr(value), 0, s.span
                )
            case ir.AddFace(die, kind, amount, sign):
                return st.SetFaceOp(
                    expr(die), kind.name, dice.faces, expr(amount), sign, s.span
                )
            case ir.RollDice(which, kind, stream):
                return st.RollDiceOp(
                    expr(which), kind.name, dice.faces, dice.labels, stream, s.span
                )

    def _other(
        self,
        s: ir.ShufflePile
        | ir.LetSlot
        | ir.RequestAgain
        | ir.RequestEnd
        | ir.ShowThings,
    ) -> Instruction:
        expr = self._evaluator.expr
        match s:
            case ir.ShufflePile(zone, keys, stream):
                return st.ShufflePileOp(
                    zone, self._index(zone, keys, s.span), stream, s.span
                )
            case ir.LetSlot(slot, _, value):
                return st.LetSlotOp(slot, expr(value), s.span)
            case ir.RequestAgain(target):
                return st.Request("again", target, s.span)
            case ir.RequestEnd(target):
                return st.Request("end", target, s.span)
            case ir.ShowThings(what, kind, to):
                return st.ShowThingsOp(expr(what), kind.name, expr(to), s.span)
            case _:
                assert_never(s)

    # ---- branches, loops, decisions

    def _steering(
        self,
        proc: Procedure,
        s: ir.When | ir.ForEach | ir.ChooseOption | ir.ShareOut | ir.DrawOne,
    ) -> None:
        match s:
            case ir.When():
                self._when(proc, s)
            case ir.ForEach():
                self._loop(proc, s)
            case ir.ChooseOption():
                self._choose(proc, s)
            case ir.ShareOut():
                self._share(proc, s)
            case ir.DrawOne(bind, where, block, stream):
                out = Label()
                product = self._product(bind, where)
                proc.add(op.DrawOneOp(product, stream, out, s.span))
                self._block(proc, block)
                proc.here(out)

    def _product(self, bind: ir.Bind, where: ir.Expr | None) -> Product:
        guards = []
        if where is not None:
            test = self._evaluator.expr(where)
            guards.append(Guard(test, slots_read(where)))  # type: ignore[arg-type]  # a flag
        return build((bind,), guards, self._evaluator)

    def _either(
        self, proc: Procedure, first: ir.Block, second: ir.Block, other: Label
    ) -> None:
        """Add two blocks; `other` stands at the second one."""
        out = Label()
        self._block(proc, first)
        if second:
            proc.add(Jump(out))
        proc.here(other)
        self._block(proc, second)
        proc.here(out)

    def _when(self, proc: Procedure, s: ir.When) -> None:
        other = Label()
        proc.add(op.Branch(self._evaluator.expr(s.condition), other, s.span))
        self._either(proc, s.body, s.otherwise, other)

    def _loop(self, proc: Procedure, s: ir.ForEach) -> None:
        product = self._product(s.bind, s.where)
        keys = tuple(self._evaluator.expr(key) for key in s.keys)
        key: op.Key | None = None
        if keys:
            key = lambda context, env: tuple(  # noqa: E731
                st.whole(each(context, env), s.span) for each in keys
            )
        items, number = proc.slot(), proc.slot()
        most = s.direction == "most"
        proc.add(op.BeginLoop(product, key, most, items, number, s.span))
        head, out = Label(), Label()
        proc.here(head)
        proc.add(op.NextItem(product, items, number, out, s.span))
        self._block(proc, s.body)
        proc.add(Jump(head))
        proc.here(out)

    def _choose(self, proc: Procedure, s: ir.ChooseOption) -> None:
        by = None if s.by is None else self._evaluator.expr(s.by)
        other = Label()
        product = self._product(s.bind, s.where)
        proc.add(op.ChooseOp(s.must, product, by, other, s.site, s.span))
        self._either(proc, s.body, s.otherwise, other)

    def _share(self, proc: Procedure, s: ir.ShareOut) -> None:
        product = self._product(s.bind, s.where)
        items, number = proc.slot(), proc.slot()
        amount = self._evaluator.expr(s.amount)
        proc.add(op.ShareOutOp(amount, product, items, number, s.site, s.span))
        head, out = Label(), Label()
        proc.here(head)
        slot = s.bind.slots[0]
        proc.add(op.NextShare(slot, s.count_slot, items, number, out, s.span))
        self._block(proc, s.body)
        proc.add(Jump(head))
        proc.here(out)


def _member_kind(to: ir.Expr) -> str:
    kind = getattr(to.type, "member", None)
    return str(kind.name) if kind is not None else ""
