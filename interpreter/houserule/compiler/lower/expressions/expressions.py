"""Expressions of the tree, elaborated to expressions of the core."""

from __future__ import annotations

from houserule import ir
from houserule.base.algebra.arithmetic import DIVISIONS, ROUNDED, Operation
from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.compiler.lower.expressions import (
    comparisons,
    expect,
    histories,
    numbers,
    positions,
    queries,
)
from houserule.compiler.lower.expressions import name_resolution as names
from houserule.compiler.lower.expressions.builtins import pile_of
from houserule.compiler.lower.messages import E014, E018, E022
from houserule.compiler.lower.symbols import kinds
from houserule.compiler.lower.symbols.scope import Scope, broken
from houserule.compiler.lower.types import (
    BROKEN,
    FLAG,
    core,
    in_words,
    is_broken,
    join,
    join_members,
    may_be_none,
    member_of,
    optional,
)
from houserule.ir.types import (
    Flag,
    Kind,
    Position,
    Set,
    Type,
    Whole,
)
from houserule.language.manifest.messages import E020
from houserule.language.syntax import tree
from houserule.language.syntax.write.expressions import print_expr


def elaborate(scope: Scope, expr: tree.Expr, wanted: Type | None) -> ir.Expr:
    """Return the core of an expression, reporting every error in it.

    `wanted` is a hint: does a zone mean its contents or a place in it, and what are the
    members of an empty set? The caller checks the type of the result.
    """
    match expr:
        case tree.Name():
            return names.name(scope, expr, wanted)
        case tree.Apply():
            return names.apply(scope, expr, wanted)
        case tree.Dot():
            return names.dot(scope, expr)
        case tree.Int(value):
            return numbers.number(value, expr.span)
        case tree.Compare():
            return comparisons.compare(scope, expr)
        case tree.Member():
            return comparisons.member(scope, expr)
        case tree.Logic():
            return _logic(scope, expr)
        case tree.Not(operand):
            read = scope.read(operand, FLAG)
            comparisons.warn_of_no(scope, operand, read)
            node = expect.as_condition(scope, read, operand)
            return ir.Unary("not", node, FLAG, span=expr.span)
        case tree.Bool(value):
            return ir.Const(value, FLAG, span=expr.span)
        case tree.NoneValue():
            return _none(scope, expr, wanted)
        case tree.Negative() | tree.Arith() | tree.Divide():
            return _arithmetic(scope, expr)
        case tree.RangeSet() | tree.SetOf() | tree.SetArith():
            return _set(scope, expr, wanted)
        case tree.Default():
            return _default(scope, expr, wanted)
        case tree.PileEnd():
            return _pile_end(scope, expr, wanted)
        case tree.Rows():
            return _rows(scope, expr, wanted)
        case tree.After():
            return positions.after(scope, expr, wanted)
        case tree.AtRandom():
            return _no_start(scope, expr)
        case tree.CountEach():
            return histories.count_each(scope, expr)
        case _:
            return queries.query(scope, expr, wanted)


def _no_start(scope: Scope, expr: tree.AtRandom) -> ir.Expr:
    """Report a draw outside of a state's start; a `change` may have put it there."""
    message = "Only the first value of a state is drawn like this."
    scope.symbols.report(E018, message, expr.span, fixes=("random x in S: …",))
    return broken(expr)


def _logic(scope: Scope, expr: tree.Logic) -> ir.Expr:
    """Return `and` or `or`; facts from the left side hold in the right one."""
    left = scope.read(expr.left, FLAG)
    if isinstance(core(left.type), Set):
        return _not_joined(scope, expr, f"`{expr.op}` joins conditions", left, "plus")
    left = expect.as_condition(scope, left, expr.left)
    kept = scope.present
    scope.learn(expr.left, holds=expr.op == "and")
    right = scope.read(expr.right, FLAG)
    scope.present = kept
    if not is_broken(right.type) and not isinstance(core(right.type), Flag):
        return _no_condition(scope, expr, right)
    right = expect.as_condition(scope, right, expr.right)
    return ir.Connective(expr.op, left, right, FLAG, span=expr.span)


def _no_condition(scope: Scope, expr: tree.Logic, right: ir.Expr) -> ir.Expr:
    """Report E022 for a right side such as that of `pot is 2 or 3`."""
    fixes: tuple[str, ...] = ()
    match expr.left:
        case tree.Compare("is", left, first) if expr.op == "or":
            named = ", ".join(map(print_expr, (first, expr.right)))
            fixes = (f"{print_expr(left)} is in {{{named}}}",)
    scope.symbols.report(
        E022,
        f"`{expr.op}` joins conditions, and this is {in_words(right.type)}.",
        expr.span if fixes else expr.right.span,
        fixes=fixes,
    )
    return broken(expr)


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


def _none(scope: Scope, expr: tree.NoneValue, wanted: Type | None) -> ir.Expr:
    if wanted is None:
        message = "What is missing cannot be told from `none` alone."
        scope.symbols.report(E014, message, expr.span, "`none` cannot stand here")
    if wanted is None or is_broken(wanted):
        return broken(expr)
    return ir.Const(None, optional(wanted), span=expr.span)


# ---- numbers


def _arithmetic(
    scope: Scope, expr: tree.Negative | tree.Arith | tree.Divide
) -> ir.Expr:
    match expr:
        case tree.Negative(operand):
            node = expect.number(scope, operand)
            return node if is_broken(node.type) else numbers.negative(node, expr.span)
        case tree.Arith(op, left, right):
            read = scope.read(left), scope.read(right)
            if _join_sets(scope, expr, *read):
                return broken(expr)
            one = expect.as_number(scope, read[0], left)
            other = expect.as_number(scope, read[1], right)
            return _binary(scope, expr, op, one, other)
        case tree.Divide(left, right, rounding):
            sides = expect.number(scope, left), expect.number(scope, right)
            return _binary(scope, expr, ROUNDED[rounding], *sides)


def _join_sets(scope: Scope, expr: tree.Arith, left: ir.Expr, right: ir.Expr) -> bool:
    """Return whether sets are joined or subtracted like numbers; report E014 if so."""
    if not isinstance(left.type, Set) or not isinstance(right.type, Set):
        return False
    one, other = print_expr(expr.left), print_expr(expr.right)
    ways = {
        "+": f"{one} plus {other}",
        "-": f"{one} but {other}",
    }
    scope.symbols.report(
        E014,
        f"`{expr.op}` is for numbers, and these are sets of {left.type.member}.",
        expr.span,
        fixes=[ways[expr.op]] if expr.op in ways else [],
    )
    return True


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


def _set(
    scope: Scope, expr: tree.RangeSet | tree.SetOf | tree.SetArith, wanted: Type | None
) -> ir.Expr:
    match expr:
        case tree.RangeSet():
            return _range(scope, expr)
        case tree.SetOf():
            return _set_of(scope, expr, wanted)
        case tree.SetArith():
            return _combined(scope, expr, wanted)


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
        member = _join_item(scope, item, node, member)
    if member is None and hint is BROKEN:
        return broken(expr)
    if member is None:
        message = "What could be in this set cannot be told."
        scope.symbols.report(E014, message, expr.span, "it has no members")
        return broken(expr)
    type_ = Set(member)
    values = [node.value for node in nodes if isinstance(node, ir.Const)]
    if len(values) == len(nodes) and member is not BROKEN:
        known = sorted({each for each in values if isinstance(each, int)})
        return ir.Const(tuple(known), type_, span=expr.span)
    return ir.MakeSet(tuple(nodes), type_, span=expr.span)


def _join_item(
    scope: Scope, item: tree.Expr, node: ir.Expr, member: Whole | Kind | None
) -> Whole | Kind:
    """Return the member type with one more item; `BROKEN` if it does not fit."""
    found = core(node.type)
    if not isinstance(found, Whole | Kind):
        message = f"A set has things or numbers in it, and this is {in_words(found)}."
        scope.symbols.report(E014, message, item.span)
        return BROKEN
    joined = found if member is None else join_members(member, found)
    if joined is None:
        assert member is not None
        message = f"This is {in_words(found)}, and before it stands {in_words(member)}."
        scope.symbols.report(E014, message, item.span, "the two do not go together")
        return BROKEN
    return joined


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


# ---- choices between expressions


def _default(scope: Scope, expr: tree.Default, wanted: Type | None) -> ir.Expr:
    hint = None if wanted is None else optional(wanted)
    if isinstance(expr.value, tree.Fold):
        value = queries.fold(scope, expr.value, hint, or_none=True)
    else:
        value = scope.read(expr.value, hint)
    otherwise = scope.read(expr.otherwise, wanted or core(value.type))
    type_ = join(core(value.type), otherwise.type)
    if type_ is None:
        message = (
            f"This is {in_words(otherwise.type)}, and it stands in for "
            f"{in_words(core(value.type))}."
        )
        scope.symbols.report(E014, message, expr.otherwise.span)
        return broken(expr)
    return ir.OrElse(value, otherwise, type_, span=expr.span)


def _pile_end(scope: Scope, expr: tree.PileEnd, wanted: Type | None) -> ir.Expr:
    pile = pile_of(scope, expr.pile)
    if pile is None:
        return broken(expr)
    zone, node = pile
    if isinstance(wanted, Position):
        place = Position(zone.member)
        return ir.PositionOf(zone.name, node.keys, expr.end, place, span=expr.span)
    type_ = optional(zone.member)
    return ir.PileTop(zone.name, node.keys, expr.end, None, type_, span=expr.span)


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
        type_ = _join_row(scope, row, value, type_)
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


def _join_row(scope: Scope, row: tree.Row, value: ir.Expr, type_: Type | None) -> Type:
    joined = value.type if type_ is None else join(type_, value.type)
    if joined is not None:
        return joined
    assert type_ is not None
    message = (
        f"This is {in_words(value.type)}, and the rows above are {in_words(type_)}."
    )
    scope.symbols.report(E014, message, row.value.span)
    return BROKEN
