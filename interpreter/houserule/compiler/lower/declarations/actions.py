"""Actions and effects: choices, costs and statements.

One frame serves all clauses of an action; each `does` of an effect has its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from houserule import ir
from houserule.compiler.lower.declarations.values import all_of, condition
from houserule.compiler.lower.expressions import expect, queries
from houserule.compiler.lower.expressions.scopes import (
    IN_EFFECT,
    again,
    in_declaration,
    in_phase,
    let_act,
)
from houserule.compiler.lower.messages import E018, E026
from houserule.compiler.lower.statements import statements
from houserule.compiler.lower.statements.effect_needs import NeedsOfCalls
from houserule.compiler.lower.statements.payments import CostReader
from houserule.compiler.lower.symbols.scope import Frame, Scope
from houserule.compiler.lower.symbols.symbol_table import SymbolTable
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import kind_of


def define_actions(
    symbols: SymbolTable, effects: dict[str, ir.EffectDef]
) -> dict[str, ir.ActionDef]:
    """Return every action at a step or a phase."""
    reader = CostReader(symbols, effects)
    return {
        name: _action(symbols, action, reader)
        for name, action in symbols.rules.actions.items()
    }


def _action(
    symbols: SymbolTable, action: tree.Action, reader: CostReader
) -> ir.ActionDef:
    """Return an action; all its clauses share one frame.

    Options are counted by their factors, so the slots of the factors come first: those
    of the header, then those of the costs. A cost's domain is read before any body,
    because the possible options do not depend on payments.
    """
    scope, name = _scope(symbols, action), action.name.text
    costs = [each for each in action.clauses if isinstance(each, tree.Cost)]
    params = [*action.params, *(param for cost in costs for param in cost.params)]
    scope.reserve(sum(len(param.names) for param in params))
    factors = _factors(scope, action.params)
    paid = [_factors(scope, cost.params) for cost in costs]
    cost_defs: list[ir.CostDef] = []
    paying: list[ir.Condition] = []
    for cost, binds in zip(costs, paid, strict=True):
        address = f"{name}.{cost.name.text}"
        made = body(scope, cost.body, address, cost)
        bill = reader.bill(made.block, scope.frame)
        paying += bill.needs
        payments = tuple(bill.payments)
        cost_defs.append(ir.CostDef(address, binds, payments, made, span=cost.span))
    # Facts from a `needs` hold in advice and effects, wherever it is written; so the
    # conditions are read first: its own, those of its step, those of its payments.
    own = [each for each in action.clauses if isinstance(each, tree.Needs)]
    conditions = [condition(scope, clause, name) for clause in own]
    step = action.at.text
    names = scope.names
    scope.names = {
        each: node
        for each, node in names.items()
        if each == "me" or isinstance(node, ir.PhaseVar)
    }
    outer = symbols.rules.outer_needs.get(step, ())
    conditions += [condition(scope, clause, step) for clause in outer]
    scope.names = names
    conditions += paying
    kept = scope.open()
    learn_from_needs(scope, name, own)
    advice: list[ir.AdviceDef] = []
    for clause in action.clauses:
        if isinstance(clause, tree.Advice):
            said = condition(scope, clause, name)
            parts = (said.address, said.test, said.lifts)
            advice.append(ir.AdviceDef(*parts, clause.usual, span=said.span))
    scope.close(kept)
    limits: list[ir.LimitDef] = []
    asks: list[ir.AskDef] = []
    does: list[ir.Body] = []
    for clause in action.clauses:
        match clause:
            case tree.Limit():
                scope.root = clause.count
                count = expect.number(scope, clause.count)
                phase = clause.phase.text
                if phase not in (scope.phases or ()):
                    around = ", ".join(f"`{each}`" for each in scope.phases or ())
                    message = f"`{phase}` is not a phase around `{name}`."
                    details = (f"Around it: {around}.",) if around else ()
                    symbols.report(E026, message, clause.phase.span, details=details)
                address = f"{name}.{clause.name.text}"
                limits.append(ir.LimitDef(address, count, phase, span=clause.span))
            case tree.Asks():
                asks.append(asked(scope, name, clause))
            case tree.Does():
                if not does:
                    learn_from_needs(scope, name, own)
                    if costs:
                        scope.forget_state()
                address = f"{name}.{clause.name.text}"
                does.append(body(scope, clause.body, address, clause))
                scope.forget_state()
            case tree.UsesUp():
                has = "`cost`, `needs`, `unwise`, `usual`, `limit`, `asks` and `does`"
                refuse(symbols, clause, "an action", has)
            case _:
                pass
    # Conditions read an option's factors and the acting seat.
    taken = {0, *(slot for bind in (*factors, *chain(*paid)) for slot in bind.slots)}
    calls = NeedsOfCalls(symbols, reader.effects)
    for each in does:
        conditions += calls.met(each.block, scope.frame, taken)
    return ir.ActionDef(
        name,
        action.at.text,
        factors,
        tuple(replace(each, body=sized(each.body, scope)) for each in cost_defs),
        tuple(conditions),
        tuple(limits),
        tuple(asks),
        tuple(sized(each, scope) for each in does),
        scope.frame.size,
        tuple(advice),
        span=action.span,
    )


def _scope(symbols: SymbolTable, action: tree.Action) -> Scope:
    """Return the scope at the action's step or phase; report E026 if it has none."""
    name = action.at.text
    step = symbols.rules.steps.get(name)
    phase = step.phase if step is not None else name
    if step is None and name not in symbols.rules.phases:
        known = (*symbols.rules.steps, *symbols.rules.phases)
        wanted, what = "one acts at a step or a phase", "no step or phase"
        symbols.not_a(action.at, wanted, what, known, E026)
        phase = ""
    elif step is not None and step.node.mode is None:
        symbols.report(
            E026,
            f"The step `{name}` runs by itself, so nobody can act there.",
            action.at.span,
            others=symbols.declared_at(symbols.flow[name]),
        )
    scope = in_phase(symbols, phase)
    if scope.no_actor and phase:
        message = f"Nobody acts at `{name}`, so nobody can take this action."
        wanted = "A phase around it must have `for me in …`."
        around = symbols.around(phase)
        symbols.nobody_acts(around, message, action.at.span, wanted=wanted)
    if scope.no_actor:
        let_act(scope)
    return scope


def _factors(scope: Scope, params: tree.Params) -> tuple[ir.Bind, ...]:
    binds: list[ir.Bind] = []
    for param in params:
        if isinstance(param, tree.Typed):
            binds.append(all_of(scope, param))
        else:
            kept, scope.reserved = scope.reserved, []
            source = expect.some_set(scope, param.source)
            scope.reserved = kept
            binds += queries.bind_to(scope, param, source)
    return tuple(binds)


def learn_from_needs(scope: Scope, owner: str, needs: Sequence[tree.Needs]) -> None:
    """Add the facts that the needs showed to the scope, except if they have lifts."""
    for clause in needs:
        if not scope.symbols.rules.lifts.get(f"{owner}.{clause.name.text}"):
            scope.learn(clause.condition)


# ---- effects


def define_effects(symbols: SymbolTable) -> dict[str, ir.EffectDef]:
    """Return every effect with its needs and statements."""
    return {
        name: _effect(symbols, effect) for name, effect in symbols.rules.effects.items()
    }


def _effect(symbols: SymbolTable, effect: tree.Effect) -> ir.EffectDef:
    name = effect.name.text
    scope = in_declaration(symbols, f"effect {name}", IN_EFFECT, anywhere=True)
    scope.phases = None
    scope.bind_all(symbols.effects[name])
    needs: list[ir.Condition] = []
    does: list[ir.Body] = []
    for clause in effect.clauses:
        match clause:
            case tree.Needs():
                needs.append(condition(scope, clause, name))
            case tree.Does():
                inner = again(scope)
                inner.frame = Frame(scope.frame.size)
                made = body(inner, clause.body, f"{name}.{clause.name.text}", clause)
                does.append(sized(made, inner))
            case _:
                refuse(symbols, clause, "an effect", "`needs` and `does`")
    return ir.EffectDef(
        name,
        symbols.effects[name],
        tuple(needs),
        tuple(does),
        symbols.hooks.get((name, "instead"), ()),
        span=effect.span,
    )


# ---- clauses of several owners


def body(scope: Scope, written: tree.Block, address: str, clause: tree.Node) -> ir.Body:
    """Return a named body; `sized` sets its number of slots later."""
    hooks = scope.symbols.hooks
    scope.address, scope.sites, scope.root = address, 0, written
    return ir.Body(
        address,
        statements.block(scope, written),
        0,
        hooks.get((address, "before"), ()),
        hooks.get((address, "after"), ()),
        span=clause.span,
    )


def sized(made: ir.Body, scope: Scope) -> ir.Body:
    """Return the body with the final number of its procedure's slots."""
    return ir.Body(
        made.address,
        made.block,
        scope.frame.size,
        made.before,
        made.after,
        span=made.span,
    )


def refuse(symbols: SymbolTable, clause: tree.Clause, owner: str, wanted: str) -> None:
    """Report a clause of a kind that its owner cannot have."""
    message = f"`{kind_of(clause)}` cannot be in {owner}; it has {wanted}."
    symbols.report(E018, message, clause.span)


def asked(scope: Scope, owner: str, clause: tree.Asks) -> ir.AskDef:
    """Return the seat that is asked; none asks no seat."""
    scope.root = clause.who
    who = expect.seat(scope, clause.who, or_none=True)
    return ir.AskDef(f"{owner}.{clause.name.text}", who, span=clause.span)
