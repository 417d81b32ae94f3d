"""Expected types: expressions that must be a number, a set or a seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from houserule import ir
from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.base.diagnostics.wording import sentence
from houserule.compiler.lower.messages import E014, E015, E022
from houserule.compiler.lower.symbols.scope import Scope, broken
from houserule.compiler.lower.symbols.symbol_table import ZoneSymbol
from houserule.compiler.lower.types import (
    BROKEN,
    FLAG,
    fit,
    in_words,
    is_broken,
    may_be_none,
    member_of,
    optional,
    same_members,
)
from houserule.ir.types import Flag, Kind, Position, Set, Type, Whole, core
from houserule.language.syntax import tree
from houserule.language.syntax.tree import Compare, Count, Expr, Fold
from houserule.language.syntax.tree.constructs import EXPRESSIONS
from houserule.language.syntax.write.expressions import print_expr


def condition(scope: Scope, expr: Expr) -> ir.Expr:
    """Return an expression that is yes or no, reporting E022 if it is not."""
    return as_condition(scope, scope.read(expr, FLAG), expr)


def as_condition(scope: Scope, node: ir.Expr, expr: Expr) -> ir.Expr:
    """Return the node if it is yes or no, none being no; else report E022."""
    if is_broken(node.type) or isinstance(node.type, Flag):
        return node
    if isinstance(core(node.type), Flag):
        return _stand_in_for(node)
    meant = condition_meant(expr, node.type)
    scope.symbols.report(
        E022,
        "A condition must be yes or no.",
        expr.span,
        f"this is {in_words(node.type)}",
        fixes=(meant,) if meant else (),
    )
    return broken(expr)


def condition_meant(expr: Expr, type_: Type) -> str:
    """Return the condition that a value of another type means, or ''.

    A query reaches to the end: a comparison in its `where` may be meant outside.
    """
    if isinstance(expr, Count | Fold) and isinstance(expr.where, Compare):
        query = print_expr(replace(expr, where=expr.where.left))
        return f"({query}) {expr.where.op} {print_expr(expr.where.right)}"
    if isinstance(core(type_), Set):
        return f"size({print_expr(expr)}) at least 1"
    return f"{print_expr(expr)} is not none" if may_be_none(type_) else ""


def number(scope: Scope, expr: Expr, wanted: Type | None = None) -> ir.Expr:
    """Return an expression that is a present number."""
    return as_number(scope, scope.read(expr, wanted), expr)


def as_number(scope: Scope, node: ir.Expr, expr: Expr) -> ir.Expr:
    """Return the node if it is a present number, else report why it is not."""
    if is_broken(node.type) or isinstance(node.type, Whole):
        return node
    if isinstance(core(node.type), Whole):
        return _absent(scope, node, expr, "0")
    return _mismatch(
        scope, node, expr, "a number", fixes=(number_of(scope, node.type),)
    )


def number_of(scope: Scope, type_: Type) -> str:
    """Return the number that a set or a die has, with `%s` for that; '' if none."""
    kind = core(type_)
    if isinstance(kind, Set):
        return "size(%s)"
    die = isinstance(kind, Kind) and scope.symbols.faces.get(kind.name)
    return "%s.face" if die else ""


def some_set(scope: Scope, expr: Expr, wanted: Type | None = None) -> ir.Expr:
    """Return an expression that is a set, none being the empty one."""
    return as_set(scope, scope.read(expr, wanted), expr)


def as_set(scope: Scope, node: ir.Expr, expr: Expr) -> ir.Expr:
    """Return the node if it is a set, none being empty; else report why it is not."""
    if is_broken(node.type) or isinstance(node.type, Set):
        return _no_order(scope, node, expr)
    if isinstance(core(node.type), Set):
        return _stand_in_for(node)
    fix = "{%s}" if isinstance(core(node.type), Kind | Whole) else ""
    if meant := range_meant(expr):
        fix = f"{meant[0]}..{meant[1]}%.0s"
    return _mismatch(scope, node, expr, "a set", fixes=(fix,))


def range_meant(expr: Expr) -> tuple[int, int] | None:
    """Return the ends of the range that `1-6` is elsewhere, or None."""
    match expr:
        case tree.Arith("-", tree.Int(low), tree.Int(high)) if low < high:
            return low, high
    return None


def things(
    scope: Scope, expr: Expr, wanted: Kind | None = None, *, or_none: bool = False
) -> ir.Expr:
    """Return a set of things; a single present thing becomes the set of it.

    With `or_none` a thing may be none, which the set omits.
    """
    node = scope.read(expr, None if wanted is None else Set(wanted))
    return as_things(scope, node, expr, or_none=or_none)


def as_things(
    scope: Scope, node: ir.Expr, expr: Expr, *, or_none: bool = False
) -> ir.Expr:
    found = core(node.type)
    if not isinstance(found, Kind) or is_broken(node.type):
        return as_set(scope, node, expr)
    if may_be_none(node.type) and not or_none:
        return _absent(scope, node, expr, "")
    return ir.MakeSet((node,), Set(found), span=node.span)


def _no_order(scope: Scope, node: ir.Expr, expr: Expr) -> ir.Expr:
    if not isinstance(node, ir.Seats):
        return node
    scope.symbols.report(
        E014,
        "An order of seats serves only `for`, of a phase or a statement.",
        expr.span,
        "a set is expected here",
        fixes=("players",),
    )
    return broken(expr)


def seat(scope: Scope, expr: Expr, *, or_none: bool = False) -> ir.Expr:
    """Return a seat, present unless `or_none`."""
    seats = scope.symbols.seats
    return value(scope, expr, optional(seats) if or_none else seats)


def value(scope: Scope, expr: Expr, wanted: Type, what: str = "") -> ir.Expr:
    """Return an expression that fits a type; `what` names the context."""
    return given(scope, scope.read(expr, wanted), expr, wanted, what)


def given(
    scope: Scope, node: ir.Expr, expr: Expr, wanted: Type, what: str = ""
) -> ir.Expr:
    """Return the node if it fits a type, else report why it does not."""
    if isinstance(node, ir.Seats):
        return _no_order(scope, node, expr)
    match fit(node.type, wanted):
        case "yes":
            return node
        case "none":
            never_empty = isinstance(wanted, Set) and wanted.part
            if isinstance(wanted, Flag | Set) and not never_empty:
                return _stand_in_for(node)
            number = core(wanted)
            least = str(max(number.low, 0)) if isinstance(number, Whole) else ""
            return _absent(scope, node, expr, least, wanted)
        case "range":
            holds = f"`{what}` holds {in_words(wanted)}" if what else in_words(wanted)
            message = f"{in_words(node.type)} is never in the range {core(wanted)}."
            scope.symbols.report(E021, sentence(message), expr.span, holds)
            return broken(expr)
        case "empty":
            words = f"a {wanted}, which is never empty,"
            return _mismatch(scope, node, expr, words, what)
        case "no":
            one = isinstance(core(wanted), Set)
            one = one and core(node.type) == member_of(wanted)
            fix = "{%s}" if one else ""
            return _mismatch(scope, node, expr, in_words(wanted), what, fixes=(fix,))


def _stand_in_for(node: ir.Expr) -> ir.Expr:
    """Return no for a condition that is none, and the empty set for such a set."""
    type_ = core(node.type)
    nothing = ir.Const(False if isinstance(type_, Flag) else (), type_, span=node.span)
    return ir.OrElse(node, nothing, type_, span=node.span)


def _absent(
    scope: Scope, node: ir.Expr, expr: Expr, stand_in: str, wanted: Type | None = None
) -> ir.Expr:
    text = print_expr(expr)
    fixes = [f"({text} else {stand_in})"] if stand_in else []
    if wanted is not None and isinstance(scope.root, EXPRESSIONS):
        fixes.append(f"Let it be none as well:  {optional(wanted)}")
    elif isinstance(core(node.type), Kind):
        fixes.append(f"let {scope.new_variable()} = {text}, if any: …")
    scope.symbols.report(
        E015,
        f"`{text}` may be none, and `none` is not possible here.",
        expr.span,
        in_words(node.type),
        details=("Write what holds if there is none, or exclude that case.",),
        fixes=fixes,
    )
    return broken(expr)


E021 = MessageCode("E021", "always out of range")
"""A value can never be in the range of its place.

**Why.** Both ranges are known before play, and they do not overlap. Every game would
stop there with F01.

**For example**

```rules
state dice_left: 0..3 starts as 7
```

**Fix.** Widen the range, or correct the value.
"""


def _mismatch(
    scope: Scope,
    node: ir.Expr,
    expr: Expr,
    wanted: str,
    what: str = "",
    *,
    fixes: Sequence[str] = (),
) -> ir.Expr:
    place = f" for `{what}`" if what else " here"
    text = print_expr(expr)
    scope.symbols.report(
        E014,
        sentence(f"{wanted} is expected{place}, but this is {in_words(node.type)}."),
        expr.span,
        in_words(node.type),
        fixes=[fix % text for fix in fixes if fix and text],
    )
    return broken(expr)


def position(scope: Scope, expr: tree.Expr, member: Kind | None = None) -> ir.Expr:
    """Return a place to move things of a kind to; any kind's without `member`."""
    node = scope.read(expr, Position(member or BROKEN))
    if is_broken(node.type):
        return node
    if not isinstance(node.type, Position):
        zones = zones_of(scope, node.type, member)
        return _mismatch(scope, node, expr, "a place to move things to", fixes=zones)
    if member is not None and not same_members(node.type.member, member):
        scope.symbols.report(
            E014,
            f"A {member} cannot lie there: it is a place for a {node.type.member}.",
            expr.span,
        )
        return broken(expr)
    return node


def zones_of(scope: Scope, type_: Type, member: Kind | None) -> tuple[str, ...]:
    """Return the zones for these things with such a key, the key being `%s`."""
    return tuple(
        f"{name}(%s)"
        for name, each in scope.symbols.declared.items()
        if isinstance(each, ZoneSymbol)
        and [key.type for key in each.keys] == [type_]
        and (member is None or each.member == member)
    )


def any_value(scope: Scope, expr: Expr) -> ir.Expr:
    return _no_order(scope, scope.read(expr), expr)
