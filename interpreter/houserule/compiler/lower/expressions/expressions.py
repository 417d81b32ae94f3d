"""Expressions of the tree, elaborated to expressions of the core."""

from __future__ import annotations

from houserule import ir
from houserule.base.algebra.arithmetic import DIVISIONS, ROUNDED, Operation
from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.compiler.lower.expressions import comparisons, expect, numbers, queries
from houserule.compiler.lower.expressions import name_resolution as names
from houserule.compiler.lower.expressions.builtins import pile_of
from houserule.compiler.lower.histories import count_each
from houserule.compiler.lower.messages import E014, E017, E018, E022
from houserule.compiler.lower.symbols import kinds
from houserule.compiler.lower.symbols.kinds import type_of
from houserule.compiler.lower.symbols.scope import Scope, broken
from houserule.compiler.lower.symbols.symbol_table import Uses
from houserule.compiler.lower.types import (
    BROKEN,
    FLAG,
    comparable,
    in_words,
    is_broken,
    join,
    join_members,
    may_be_none,
    member_of,
    optional,
)
from houserule.ir.types import Flag, Kind, Position, Set, Type, Whole, core
from houserule.language.manifest.messages import E020
from houserule.language.syntax import tree
from houserule.language.syntax.write.expressions import print_expr


def elaborate(scope: Scope, expr: tree.Expr, wanted: Type | None) -> ir.Expr:
    """Return the core of an expression, reporting every error in it.

    `wanted` is a hint: does a zone mean its contents or a place in it, and what are the
    members of an empty set? The caller checks the type of the result.
    """
    left: ir.Expr
    right: ir.Expr
    match expr:
        case tree.Name():
            return names.name(scope, expr, wanted)
        case tree.Apply():
            return names.apply(scope, expr, wanted)
        case tree.Dot():
            return names.dot(scope, expr)
        case tree.DotAt(field):
            return names.dot(scope, field, expr)
        case tree.Int(value):
            return numbers.number(value, expr.span)
        case tree.Compare():
            return comparisons.compare(scope, expr)
        case tree.Member():
            return comparisons.member(scope, expr)
        case tree.Logic():
            left = scope.read(expr.left, FLAG)
            if isinstance(core(left.type), Set):
                rule = f"`{expr.op}` joins conditions"
                return _not_joined(scope, expr, rule, left, "plus")
            if expr.op == "or" and FLAG not in (core(left.type), wanted):
                told = len(scope.symbols.diagnostics)
                right = scope.read(expr.right, left.type)
                if comparable(left.type, right.type) and not is_broken(right.type):
                    scope.symbols.report(
                        E022,
                        f"`or` joins conditions, and this is {in_words(left.type)}. "
                        "`else` says what to use for `none`.",
                        expr.span,
                        fixes=[
                            f"({print_expr(expr.left)} else {print_expr(expr.right)})"
                        ],
                    )
                    return broken(expr)
                del scope.symbols.diagnostics[told:]
            left = expect.as_condition(scope, left, expr.left)
            kept = scope.present  # facts from the left side hold in the right one
            scope.learn(expr.left, holds=expr.op == "and")
            right = scope.read(expr.right, FLAG)
            scope.present = kept
            if is_broken(right.type) or isinstance(core(right.type), Flag):
                right = expect.as_condition(scope, right, expr.right)
                return ir.Connective(expr.op, left, right, FLAG, span=expr.span)
            fixes: tuple[str, ...] = ()
            meant = expect.condition_meant(expr.right, right.type)
            match expr.left:
                case tree.Compare("is", compared, first) if expr.op == "or":
                    named = ", ".join(map(print_expr, (first, expr.right)))
                    fixes = (f"{print_expr(compared)} is in {{{named}}}",)
            scope.symbols.report(
                E022,
                f"`{expr.op}` joins conditions, and this is {in_words(right.type)}.",
                expr.span if fixes else expr.right.span,
                fixes=fixes or filter(None, [meant]),
            )
            return broken(expr)
        case tree.Not(operand):
            read = scope.read(operand, FLAG)
            comparisons.warn_of_no(scope, operand, read)
            node = expect.as_condition(scope, read, operand)
            return ir.Unary("not", node, FLAG, span=expr.span)
        case tree.Bool(flag):
            return ir.Const(flag, FLAG, span=expr.span)
        case tree.NoneValue():
            if wanted is None:
                message = "`none` alone does not say what is missing."
                why = "`none` is not possible here"
                scope.symbols.report(E014, message, expr.span, why)
            if wanted is None or is_broken(wanted):
                return broken(expr)
            return ir.Const(None, optional(wanted), span=expr.span)
        case tree.Negative(operand):
            node = expect.number(scope, operand)
            return node if is_broken(node.type) else numbers.negative(node, expr.span)
        case tree.Arith():
            left, right = scope.read(expr.left), scope.read(expr.right)
            things = left.type.member if isinstance(left.type, Set) else None
            if isinstance(left.type, Set) and member_of(right.type) in (things, BROKEN):
                ways = {"+": "plus", "-": "but"}
                one, other = print_expr(expr.left), print_expr(expr.right)
                scope.symbols.report(
                    E014,
                    f"`{expr.op}` is for numbers, and this is {in_words(left.type)}.",
                    expr.span,
                    fixes=[f"{one} {ways[expr.op]} {other}"] if expr.op in ways else [],
                )
                return broken(expr)
            left = expect.as_number(scope, left, expr.left)
            right = expect.as_number(scope, right, expr.right)
            return _binary(scope, expr, expr.op, left, right)
        case tree.Divide():
            left = expect.number(scope, expr.left)
            right = expect.number(scope, expr.right)
            return _binary(scope, expr, ROUNDED[expr.rounding], left, right)
        case tree.RangeSet():
            return _range(scope, expr)
        case tree.SetOf():
            return _set_of(scope, expr, wanted)
        case tree.SetArith():
            return _combined(scope, expr, wanted)
        case tree.Default():
            hint = None if wanted is None else optional(wanted)
            if isinstance(expr.value, tree.Fold):
                given = queries.fold(scope, expr.value, hint, or_none=True)
            else:
                given = scope.read(expr.value, hint)
            otherwise = scope.read(expr.otherwise, wanted or core(given.type))
            type_ = join(core(given.type), otherwise.type)
            if type_ is not None:
                return ir.OrElse(given, otherwise, type_, span=expr.span)
            message = (
                f"This is {in_words(otherwise.type)}, and it stands in for "
                f"{in_words(core(given.type))}."
            )
            scope.symbols.report(E014, message, expr.otherwise.span)
            return broken(expr)
        case tree.PileEnd():
            pile = pile_of(scope, expr.pile)
            if pile is None:
                return broken(expr)
            zone, lying = pile
            name, keys, member = zone.name, lying.keys, zone.member
            if isinstance(wanted, Position):
                place = Position(member)
                return ir.PositionOf(name, keys, expr.end, place, span=expr.span)
            thing = optional(member)
            return ir.PileTop(name, keys, expr.end, None, thing, span=expr.span)
        case tree.Rows():
            return _rows(scope, expr, wanted)
        case tree.After():
            return _after(scope, expr, wanted)
        case tree.AtRandom():  # possible only by a `change`
            message = "Only the first value of a state is drawn like this."
            scope.symbols.report(E018, message, expr.span, fixes=("random x in S: …",))
            return broken(expr)
        case tree.CountEach():
            return count_each(scope, expr)
        case _:
            return queries.query(scope, expr, wanted)


def _not_joined(
    scope: Scope,
    expr: tree.Logic | tree.SetArith,
    rule: str,
    left: ir.Expr,
    instead: str,
) -> ir.Expr:
    """Report E014 for operands that need another operator."""
    fix = f"{print_expr(expr.left)} {instead} {print_expr(expr.right)}"
    scope.symbols.report(
        E014,
        f"{rule}, and this is {in_words(left.type)}. Write `{instead}`.",
        expr.span,
        fixes=(fix,),
    )
    scope.read(expr.right)
    return broken(expr)


E023 = MessageCode("E023", "possible division by zero")
"""Something may be divided by zero.

**Why.** It depends on the game whether this happens; if it does, the game stops.

**For example**

```rules
value gain: 0..99 = earned / size(market) rounded down
```

**Fix.** Divide by something that is at least 1: `max(n, 1)`, or a row
`0 when size(…) is 0` first.
"""


def _binary(
    scope: Scope,
    expr: tree.Arith | tree.Divide,
    op: Operation,
    left: ir.Expr,
    right: ir.Expr,
) -> ir.Expr:
    if is_broken(left.type) or is_broken(right.type):
        return broken(expr)
    divisor = numbers.range_of(right)
    if op in DIVISIONS and divisor.low <= 0 <= divisor.high:
        scope.symbols.report(
            E023,
            "This is divided by something that may be 0.",
            expr.right.span,
            in_words(right.type),
        )
        return broken(expr)
    return numbers.binary(op, left, right, expr.span)


# ---- sets


def _range(scope: Scope, expr: tree.RangeSet) -> ir.Expr:
    low, high = expect.number(scope, expr.low), expect.number(scope, expr.high)
    if is_broken(low.type) or is_broken(high.type):
        return broken(expr)
    least, most = numbers.range_of(low).low, numbers.range_of(high).high
    literal = isinstance(expr.low, tree.Int) and isinstance(expr.high, tree.Int)
    if literal and least > most:
        message = f"No number lies between {least} and {most}."
        scope.symbols.report(E020, message, expr.span, "this range is empty")
        return broken(expr)
    whole = Whole(least, max(least, most))
    if not (isinstance(low, ir.Const) and isinstance(high, ir.Const)):
        return ir.MakeRange(low, high, Set(whole), span=expr.span)
    if least > most:
        return ir.Const((), Set(whole), span=expr.span)
    known = kinds.listed(scope.symbols, whole, f"`{whole}`", expr.span)
    return (
        broken(expr) if known is None else ir.Const(known, Set(whole), span=expr.span)
    )


def _set_of(scope: Scope, expr: tree.SetOf, wanted: Type | None) -> ir.Expr:
    hint = None
    if wanted is not None and isinstance(core(wanted), Set):
        hint = member_of(wanted)
    # Items determine the member type; an empty set gets it from its context.
    member = None if expr.items or hint is BROKEN else hint
    nodes = [scope.read(item, hint) for item in expr.items]
    for item, node in zip(expr.items, nodes, strict=True):
        found, joined, why = core(node.type), None, ""
        if not isinstance(found, Whole | Kind):
            message = "A set has things or numbers in it, and this is "
            message += f"{in_words(found)}."
        elif member is None:
            joined = found
        else:
            joined = join_members(member, found)
            message = f"This is {in_words(found)}, but before it is "
            message += f"{in_words(member)}."
            why = "the two do not go together"
        if joined is None:
            scope.symbols.report(E014, message, item.span, why)
        member = joined or BROKEN
    if member is None and hint is BROKEN:
        return broken(expr)
    if member is None:
        message = "The possible members of this set are unknown."
        scope.symbols.report(E014, message, expr.span, "it has no members")
        return broken(expr)
    type_ = Set(member)
    values = [node.value for node in nodes if isinstance(node, ir.Const)]
    if len(values) == len(nodes) and member is not BROKEN:
        known = sorted({each for each in values if isinstance(each, int)})
        return ir.Const(tuple(known), type_, span=expr.span)
    return ir.MakeSet(tuple(nodes), type_, span=expr.span)


def _combined(scope: Scope, expr: tree.SetArith, wanted: Type | None) -> ir.Expr:
    """Return `S but x`, `S plus x` or `S within x`."""
    left = scope.read(expr.left, wanted)
    sign = {"plus": "+", "but": "-"}.get(expr.op)
    if sign and isinstance(core(left.type), Whole):
        return _not_joined(scope, expr, f"`{expr.op}` is for sets", left, sign)
    left = expect.as_set(scope, left, expr.left)
    if is_broken(left.type):
        scope.read(expr.right)
        return broken(expr)
    member = member_of(left.type)
    right = scope.read(expr.right, Set(member))
    if is_broken(right.type):
        return broken(expr)
    found = core(right.type)
    other = found.member if isinstance(found, Set) else found
    joined = join_members(member, other) if isinstance(other, Whole | Kind) else None
    if joined is None or (isinstance(found, Set) and may_be_none(right.type)):
        ways = {"but": "take out", "plus": "put in", "within": "keep"}
        message = f"This is {in_words(right.type)}; of {in_words(left.type)} one can "
        message += f"{ways[expr.op]} only its like."
        scope.symbols.report(E014, message, expr.right.span)
        return broken(expr)
    type_ = Set(member)
    if expr.op == "plus":
        parts = [each.part for each in (left.type, found) if isinstance(each, Set)]
        one_more = not isinstance(found, Set) and not may_be_none(right.type)
        type_ = Set(joined, part=any(parts) or one_more)
    return ir.CombineSets(expr.op, left, right, type_, span=expr.span)


# ---- definitions by cases, look-ahead


def _rows(scope: Scope, expr: tree.Rows, wanted: Type | None) -> ir.Expr:
    """Return a definition by cases; facts from a row's condition hold in the row."""
    kept = scope.present
    rows: list[tuple[ir.Expr, ir.Expr]] = []
    otherwise: ir.Expr | None = None
    type_: Type | None = None
    for row in expr.rows:
        test = None if row.when is None else expect.condition(scope, row.when)
        before = scope.present
        if row.when is not None:
            scope.learn(row.when)
        value = scope.read(row.value, wanted)
        joined = value.type if type_ is None else join(type_, value.type)
        if joined is None:
            assert type_ is not None
            message = f"This is {in_words(value.type)}, and the rows above are "
            message += f"{in_words(type_)}."
            scope.symbols.report(E014, message, row.value.span)
        type_ = joined or BROKEN
        scope.present = before
        if row.when is not None:
            scope.learn(row.when, holds=False)
        if test is None:
            otherwise = value
        else:
            rows.append((test, value))
    scope.present = kept
    if type_ is None or otherwise is None:
        return broken(expr)
    return ir.Cases(tuple(rows), otherwise, type_, span=expr.span)


def _after(scope: Scope, expr: tree.After, wanted: Type | None) -> ir.Expr:
    """Return the value of an expression in the position after an action.

    Facts that conditions showed about the current state do not hold there.
    """
    symbols, name = scope.symbols, expr.action.text
    action = symbols.rules.actions.get(name)
    scope.uses.changing = scope.uses.imagining = True
    # The seat that takes the action; None if it was reported as missing.
    if expr.by is not None:
        seat = expect.seat(scope, expr.by)
    elif "me" in scope.names:
        seat = scope.read(tree.Name("me", span=expr.action.span))
    else:
        symbols.report(
            E017,
            f"This does not say which player takes `{name}`.",
            expr.span,
            scope.no_actor or "nobody acts here",
            fixes=(f"after {name}(…) by p: …",),
        )
        seat = None
    if action is None:
        wanted_here, known = "what is taken is an action", symbols.rules.actions
        symbols.not_a(expr.action, wanted_here, "no action", known)
        return broken(expr)
    # The factors of an action's options: its parameters, then its costs'.
    told = len(symbols.diagnostics)
    placed = symbols.rules.steps.get(action.at.text)
    around = symbols.around(action.at.text if placed is None else placed.phase)
    inner = Scope(symbols, scope.elaborate, Uses("", around), phases=around)
    inner.know_variables(around)
    inner.names["me"] = ir.Local(0, "me", symbols.seats)
    costs = [each for each in action.clauses if isinstance(each, tree.Cost)]
    params = [*action.params, *(param for cost in costs for param in cost.params)]
    factors: list[ir.Param] = []
    for param in params:
        if isinstance(param, tree.Typed):
            type_ = type_of(symbols, param.type)
            factors += [ir.Param(n.text, type_, span=n.span) for n in param.names]
            for word in param.names:
                inner.bind(word, type_)
        else:
            source = expect.some_set(inner, param.source)
            for bind in queries.bind_to(inner, param, source):
                factors += [ir.Param(n, bind.type, span=bind.span) for n in bind.names]
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
