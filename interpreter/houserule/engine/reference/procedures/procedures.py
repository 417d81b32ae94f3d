"""Lowering: the bodies of actions, effects, steps and reactions as procedures.

Branches, loops, decisions, calls and hooks are instructions made here; `changes` makes
those that change the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from houserule import ir
from houserule.base.limits import limit
from houserule.base.source import Span
from houserule.engine.reference.choices import Answered, Choice, Picked, Shared
from houserule.engine.reference.evaluate.context import Code
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.reference.evaluate.work import STATEMENT, spend, too_many
from houserule.engine.reference.options.legality import holds
from houserule.engine.reference.options.options import (
    AskOptions,
    Decision,
    PickOptions,
    ShareOptions,
)
from houserule.engine.reference.options.product import Guard, Product, build
from houserule.engine.reference.procedures.changes import change
from houserule.engine.reference.procedures.instructions import (
    CallFrame,
    CodeLabel,
    DecisionPoint,
    Procedure,
    Run,
    whole,
)
from houserule.engine.state.faults import BEYOND, F06, F12, RuleFault
from houserule.ir.types import Data
from houserule.ir.walk import slots_read

if TYPE_CHECKING:  # see `instructions`
    from houserule.engine.reference.play.machine import Machine


class Procedures:
    """All procedures of a program, by name: `action x`, `effect x`, `step x` …."""

    def __init__(self, program: ir.Program, evaluator: Evaluator) -> None:
        self._program, self._evaluator = program, evaluator
        self.by_name: dict[str, Procedure] = {}
        for action in program.actions.values():
            proc = self._new(f"action {action.name}", action.frame)
            out = CodeLabel()
            if action.limits:
                addresses = tuple(limit.address for limit in action.limits)
                proc.add(_counts_taking(addresses), action.span)
            self._asks(proc, action.asks, out)
            for cost in action.costs:
                self._unit(proc, cost.body)
            for does in action.does:
                self._unit(proc, does)
            proc.here(out)
        for effect in program.effects.values():
            frame = max([len(effect.params) + 1, *(body.frame for body in effect.does)])
            proc = self._new(f"effect {effect.name}", frame)
            out = CodeLabel()
            for name in effect.instead:
                self._hook(proc, name)
                proc.add(_leaves_if_replaced(out), effect.span)
            for body in effect.does:
                self._body(proc, body)
            proc.here(out)
        for step in program.steps.values():
            if step.body is not None:
                proc = self._new(f"step {step.name}", step.body.frame)
                if step.silent:
                    # No reaction follows: first values were drawn.
                    self._body(proc, step.body)
                    proc.add(lambda m, _: m.remember_watched(), step.body.span)
                else:
                    self._unit(proc, step.body)
        for phase in (*program.phases.values(), program.root):
            for moment, hooks in (
                ("before", phase.before_hooks),
                ("after", phase.after_hooks),
            ):
                proc = self._new(f"{moment} {phase.name}", 1)
                for name in hooks:
                    self._hook(proc, name)
                    proc.add(_settle, phase.span)
        for reaction in program.reactions.values():
            proc = self._new(f"reaction {reaction.name}", reaction.frame)
            no, out = CodeLabel(), CodeLabel()
            self._asks(proc, reaction.asks, no)
            for body in reaction.does:
                self._body(proc, body)
            proc.add(_ends_reaction(reaction.name, replaced=True), reaction.span)
            proc.jump(out)
            proc.here(no)
            proc.add(_ends_reaction(reaction.name, replaced=False), reaction.span)
            proc.here(out)

    def _new(self, name: str, frame: int) -> Procedure:
        proc = self.by_name[name] = Procedure(name, frame)
        return proc

    # ---- units, hooks, questions

    def _unit(self, proc: Procedure, body: ir.Body) -> None:
        self._body(proc, body)
        proc.add(_settle, body.span)

    def _body(self, proc: Procedure, body: ir.Body) -> None:
        for name in body.before:
            self._hook(proc, name)
        proc.frame = max(proc.frame, body.frame)
        address = body.address
        proc.add(lambda m, _: m.mark(address), body.span, mark=address)
        self._block(proc, body.block)
        for name in body.after:
            self._hook(proc, name)

    def _hook(self, proc: Procedure, name: str) -> None:
        """Run a hook or a replacement if its needs hold; parameters are copied."""
        hook = self._program.reactions[name]
        needs = tuple(holds(each, self._evaluator) for each in hook.needs)
        known, frame = len(hook.params) + 1, hook.frame

        def run(m: Machine, f: CallFrame) -> None:
            m.replaced = False
            env: list[Data] = [None] * frame
            env[:known] = f.env[:known]
            if all(need(m, env) for need in needs):
                m.call(f"reaction {name}", f.env[0], env[1:known])

        proc.add(run, hook.span)

    def _asks(self, proc: Procedure, asks: Sequence[ir.AskDef], no: CodeLabel) -> None:
        """Go on with yes, at a label with no; without a seat to ask, with yes."""
        for ask in asks:
            site, span, who = ask.address, ask.span, self._evaluator.expr(ask.who)
            proc.add(lambda *_: None, span, _question(site, span, who, no))

    # ---- statements

    def _block(self, proc: Procedure, block: ir.Block) -> None:
        for statement in block:
            self._statement(proc, statement)

    def _statement(self, proc: Procedure, statement: ir.Statement) -> None:
        evaluator, span = self._evaluator, statement.span
        match statement:
            case ir.When():
                out = CodeLabel()
                for number, (condition, body) in enumerate(statement.rows, 1):
                    other = CodeLabel()
                    test = evaluator.expr(condition)
                    proc.add(_leaves_unless(test, other), condition.span)
                    self._block(proc, body)
                    if statement.otherwise or number < len(statement.rows):
                        proc.jump(out)
                    proc.here(other)
                self._block(proc, statement.otherwise)
                proc.here(out)
            case ir.ForEach():
                product = self._product(statement.binds, statement.where)
                keys = tuple(evaluator.expr(key) for key in statement.keys)
                sign = -1 if statement.direction == "most" else 1
                items, next_item = proc.slot(), proc.slot()

                def run(m: Machine, f: CallFrame) -> None:
                    """Fix the bindings, sorted by keys, ties by id."""
                    frame, most = list(f.env), limit("options")
                    found: list[tuple[list[int], tuple[Data, ...]]] = []
                    for _ in product.walk(m, frame):
                        ranks = [sign * whole(key(m, frame), span) for key in keys]
                        found.append((ranks, product.values(frame)))
                        if len(found) > most:
                            raise too_many(span, "")
                    found.sort(key=lambda each: each[0])  # stable: ties stay in order
                    f.env[items] = cast("Data", tuple(values for _, values in found))
                    f.env[next_item] = 0

                proc.add(run, span)
                slots = tuple(level.slot for level in product.levels)
                until = None
                if statement.until is not None:
                    until = evaluator.expr(statement.until)
                self._repeat(
                    proc,
                    statement,
                    (items, next_item, slots),
                    until=until,
                    stops=until is None or statement.stops,
                )
            case ir.ChooseOption(must=must, site=site):
                by = None if statement.by is None else evaluator.expr(statement.by)
                product = self._product((statement.bind,), statement.where)
                out, other = CodeLabel(), CodeLabel()

                def decision(m: Machine, f: CallFrame) -> Decision | None:
                    """Ask unless there is nothing, or one thing that must be taken."""
                    count = product.count(m, list(f.env))
                    if count == 0 or (must and count == 1):
                        return None
                    seat = _deciding_seat(
                        f.env[0] if by is None else by(m, f.env), span
                    )
                    options = PickOptions(m, product, f.env, not must, site)
                    return Decision(seat, "choose", site, options)

                def run(m: Machine, f: CallFrame) -> None:
                    """Take the single member, or go on at the label."""
                    frame = list(f.env)
                    if product.count(m, frame):
                        product.seek(m, frame, 0)
                        f.env[:] = frame
                    else:
                        f.pc = other.at

                def answer(m: Machine, f: CallFrame, choice: Choice) -> None:
                    assert isinstance(choice, Picked)
                    if choice.values is None:
                        f.pc = other.at
                        return
                    for level, value in zip(product.levels, choice.values, strict=True):
                        f.env[level.slot] = value

                proc.add(run, span, DecisionPoint(decision, answer, product))
                self._block(proc, statement.body)
                if statement.otherwise:
                    proc.jump(out)
                proc.here(other)
                self._block(proc, statement.otherwise)
                proc.here(out)
            case ir.ShareOut(site=site):
                every, classes = statement.bind, None
                if isinstance(every.source, ir.Distinct):
                    classes = evaluator.classes(every.source)
                    every = replace(every, source=every.source.operand)
                product = self._product((every,), statement.where)
                amount_of = evaluator.expr(statement.amount)
                items, next_item = proc.slot(), proc.slot()

                def members(m: Machine, f: CallFrame) -> tuple[int, ...]:
                    frame, slot = list(f.env), product.levels[0].slot
                    return tuple(
                        whole(frame[slot], span) for _ in product.walk(m, frame)
                    )

                def decision(m: Machine, f: CallFrame) -> Decision | None:
                    """Ask unless there is one way or none."""
                    amount, over = whole(amount_of(m, f.env), span), members(m, f)
                    if amount <= 0 or len(over) < 2:
                        return None
                    seat, alike = _deciding_seat(f.env[0], span), None
                    if classes is not None:
                        found = enumerate(classes(m, list(f.env)))
                        number = {who: at for at, some in found for who in some}
                        alike = tuple(number[who] for who in over)
                    options = ShareOptions(amount, over, site, alike)
                    return Decision(seat, "share", site, options)

                def give(f: CallFrame, amounts: tuple[tuple[int, int], ...]) -> None:
                    f.env[items] = cast("Data", amounts)
                    f.env[next_item] = 0

                def run(m: Machine, f: CallFrame) -> None:
                    """Give all to the only member; without members nothing is given."""
                    amount = whole(amount_of(m, f.env), span)
                    over = members(m, f) if amount > 0 else ()
                    give(f, tuple((who, amount) for who in over))

                def answer(m: Machine, f: CallFrame, choice: Choice) -> None:
                    assert isinstance(choice, Shared)
                    give(f, choice.amounts)

                proc.add(run, span, DecisionPoint(decision, answer))
                slots = statement.bind.slots[0], statement.count_slot
                self._repeat(proc, statement, (items, next_item, slots))
            case ir.DrawOne(stream=stream):
                out = CodeLabel()
                product = self._product((statement.bind,), statement.where)

                def run(m: Machine, f: CallFrame) -> None:
                    """Draw one binding, each alike; over nothing go on at the label."""
                    count = product.count(m, list(f.env))
                    if not count:
                        f.pc = out.at
                        return
                    frame = list(f.env)
                    product.seek(m, frame, m.draw(stream, count))
                    f.env[:] = frame

                proc.add(run, span)
                self._block(proc, statement.body)
                proc.here(out)
            case ir.CallEffect(effect=effect):
                params = self._program.effects[effect].params
                args = tuple(
                    evaluator.argument(arg, param)
                    for arg, param in zip(statement.args, params, strict=True)
                )

                def run(m: Machine, f: CallFrame) -> None:
                    values = [arg(m, f.env) for arg in args]
                    spend(m, 1, span)
                    m.call(f"effect {effect}", f.env[0], values)

                proc.add(run, span)
            case _:
                proc.add(change(statement, evaluator), span)

    def _product(self, binds: Sequence[ir.Bind], where: ir.Expr | None) -> Product:
        guards = []
        if where is not None:
            guards.append(Guard(self._evaluator.truth(where), slots_read(where)))
        return build(binds, guards, self._evaluator)

    def _repeat(
        self,
        proc: Procedure,
        statement: ir.ForEach | ir.ShareOut,
        bound: tuple[int, int, Sequence[int]],
        *,
        until: Code | None = None,
        stops: bool = True,
    ) -> None:
        """Add a loop over the items in a slot.

        Its head binds the next item to slots, or leaves the loop: if there is none
        left, or `until` holds. Unless it `stops`, having none left is F12.
        """
        items, next_item, slots = bound
        start, out, span = CodeLabel(), CodeLabel(), statement.span

        def run(m: Machine, f: CallFrame) -> None:
            every = cast("tuple[tuple[Data, ...], ...]", f.env[items])
            number = whole(f.env[next_item], span)
            over = until is not None and bool(until(m, f.env))
            if number >= len(every) and not (over or stops):
                raise RuleFault(F12, BEYOND, span)
            if over or number >= len(every):
                f.env[items] = f.env[next_item] = None
                f.pc = out.at
                return
            spend(m, STATEMENT * (out.at - f.pc), span)
            for slot, value in zip(slots, every[number], strict=True):
                f.env[slot] = value
            f.env[next_item] = number + 1

        proc.here(start)
        proc.add(run, span)
        self._block(proc, statement.body)
        proc.jump(start)
        proc.here(out)


def _deciding_seat(seat: Data, span: Span) -> int:
    if seat is None:
        raise RuleFault(F06, "Somebody must decide here, but nobody acts.", span)
    return whole(seat, span)


# ---- instructions with few lines


def _settle(m: Machine, f: CallFrame) -> None:
    """At the end of a unit, run reactions to what changed, first in first out."""
    if m.settle():
        f.pc -= 1


def _counts_taking(addresses: Sequence[str]) -> Run:
    def run(m: Machine, f: CallFrame) -> None:
        for address in addresses:
            m.taken[address] = m.taken.get(address, 0) + 1

    return run


def _leaves_unless(test: Code, to: CodeLabel) -> Run:
    def run(m: Machine, f: CallFrame) -> None:
        if not test(m, f.env):
            f.pc = to.at

    return run


def _leaves_if_replaced(to: CodeLabel) -> Run:
    def run(m: Machine, f: CallFrame) -> None:
        if m.replaced:
            f.pc = to.at

    return run


def _ends_reaction(name: str, *, replaced: bool) -> Run:
    """Leave the flag for a replacement, and note the end for narration."""

    def run(m: Machine, f: CallFrame) -> None:
        m.replaced = replaced
        m.emit("reacted", name)

    return run


def _question(site: str, span: Span, who: Code, no: CodeLabel) -> DecisionPoint:
    def decision(m: Machine, f: CallFrame) -> Decision | None:
        seat = who(m, f.env)
        if seat is None:
            return None
        return Decision(whole(seat, span), "ask", site, AskOptions(site))

    def answer(m: Machine, f: CallFrame, choice: Choice) -> None:
        assert isinstance(choice, Answered)
        if not choice.yes:
            f.pc = no.at

    return DecisionPoint(decision, answer)
