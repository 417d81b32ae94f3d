"""Look-ahead: the position after an action, `after run(n, k): …`."""

from __future__ import annotations

from houserule import ir
from houserule.base.diagnostics.wording import did_you_mean
from houserule.compiler.lower.expressions import expect, queries
from houserule.compiler.lower.expressions import name_resolution as names
from houserule.compiler.lower.messages import E010, E012, E014, E017
from houserule.compiler.lower.symbols.kinds import type_of
from houserule.compiler.lower.symbols.scope import Scope, broken
from houserule.compiler.lower.symbols.symbol_table import Uses
from houserule.compiler.lower.types import core, in_words, is_broken
from houserule.ir.types import Position, Set, Type
from houserule.language.syntax import tree


def after(scope: Scope, expr: tree.After, wanted: Type | None) -> ir.Expr:
    """Return the value of an expression in the position after an action.

    Facts that conditions showed about the current state do not hold there.
    """
    name = expr.action.text
    action = scope.symbols.rules.actions.get(name)
    scope.uses.changing = scope.uses.imagining = True
    # The seat that takes the action; None if it was reported as missing.
    if expr.by is not None:
        seat = expect.seat(scope, expr.by)
    elif "me" in scope.names:
        seat = scope.read(tree.Name("me", span=expr.action.span))
    else:
        taken = expr.action.text
        scope.symbols.report(
            E017,
            f"It is not said who would take `{taken}`.",
            expr.span,
            scope.no_actor or "nobody acts here",
            fixes=(f"after {taken}(…) by p: …",),
        )
        seat = None
    if action is None:
        symbols = scope.symbols
        other = symbols.declared.get(expr.action.text) or symbols.flow.get(
            expr.action.text
        )
        if other is not None:
            message = (
                f"`{expr.action.text}` is {other.noun}; what is taken is an action."
            )
            symbols.report(
                E012, message, expr.action.span, others=symbols.declared_at(other)
            )
        else:
            message = f"There is no action called `{expr.action.text}`."
            hint = did_you_mean(expr.action.text, symbols.rules.actions)
            symbols.report(E010, message, expr.action.span, hint)
        return broken(expr)
    # The factors of an action's options: its parameters, then its costs'.
    symbols = scope.symbols
    told = len(symbols.diagnostics)
    placed = symbols.rules.steps.get(action.at.text)
    around = symbols.around(action.at.text if placed is None else placed.phase)
    inner = Scope(symbols, scope.elaborate, Uses("", around), phases=around)
    inner.know_variables(around)
    inner.names["me"] = ir.Local(0, "me", symbols.seats)
    if action.by is not None:
        for word in action.by.names:
            inner.names[word.text] = inner.names["me"]
    costs = [each for each in action.clauses if isinstance(each, tree.Cost)]
    params = [*action.params, *(param for cost in costs for param in cost.params)]
    factors = [each for param in params for each in _bound(inner, param)]
    del symbols.diagnostics[told:]
    if not names.right_number(scope, name, factors, expr.args, expr.span):
        return broken(expr)
    given = zip(expr.args, factors, strict=True)
    args = tuple(expect.value(scope, arg, each.type, each.name) for arg, each in given)
    kept = scope.open()
    scope.forget_state()
    body = scope.read(expr.body, wanted)
    scope.close(kept)
    if isinstance(core(body.type), Set | Position):
        message = "What is asked of a position is yes or no, a number or one thing; "
        message += f"this is {in_words(body.type)}."
        scope.symbols.report(E014, message, expr.body.span)
        return broken(expr)
    if is_broken(body.type) or seat is None:
        return broken(expr)
    return ir.PositionAfter(name, seat, args, body, body.type, span=expr.span)


def _bound(scope: Scope, param: tree.Param) -> list[ir.Param]:
    if isinstance(param, tree.Typed):
        type_ = type_of(scope.symbols, param.type)
        for word in param.names:
            scope.bind(word, type_)
        return [ir.Param(word.text, type_, span=word.span) for word in param.names]
    binds = queries.bind_to(scope, param, queries.source_of(scope, param))
    return [
        ir.Param(name, bind.type, span=bind.span)
        for bind in binds
        for name in bind.names
    ]
