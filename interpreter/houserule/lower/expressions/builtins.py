"""Built-in names: what `size`, `clockwise` and the like become."""

from __future__ import annotations

from functools import reduce
from typing import Literal

from houserule import ir
from houserule.diagnostics.wording import did_you_mean
from houserule.ir.types import Set, Whole
from houserule.lower.expressions import expect, numbers
from houserule.lower.symbols.scope import Scope, broken
from houserule.lower.symbols.symbol_table import ZoneSymbol
from houserule.lower.types import (
    ACTIONS,
    FLAG,
    capacity,
    in_words,
    is_broken,
    optional,
)
from houserule.syntax import tree

_WANTED = {
    "size": "(S)",
    "min": "(a, b)",
    "max": "(a, b)",
    "abs": "(n)",
    "first_of": "(S)",
    "seat": "(p)",
    "clockwise": "(first)",
    "reversed": "(first)",
    "snaking": "(first, lap)",
    "can": "(step)",
    "nth": "(pile, n)",
}


def name(scope: Scope, expr: tree.Name) -> ir.Expr:
    """Return a built-in name that takes no arguments."""
    symbols = scope.symbols
    match expr.name:
        case "players" | "everyone":
            everyone = tuple(range(symbols.seats.size))
            return ir.Const(everyone, Set(symbols.seats), span=expr.span)
        case "doing":
            scope.uses.changing = True
            return ir.Doing(optional(symbols.kinds[ACTIONS]), span=expr.span)
        case "me":
            label = scope.no_actor or "nobody acts here"
            around = scope.phases or ()
            symbols.nobody_acts(around, "`me` is nobody here.", expr.span, label)
        case _:
            shape = _WANTED[expr.name]
            message = f"`{expr.name}` is used as `{expr.name}{shape}`."
            symbols.report("E013", message, expr.span, "its arguments are missing")
    return broken(expr)


def apply(scope: Scope, expr: tree.Apply) -> ir.Expr:
    """Return the result of a built-in function."""
    if not _right_number(scope, expr):
        return broken(expr)
    first = expr.args[0]
    match expr.name:
        case "size":
            return _size(scope, expr)
        case "min" | "max":
            return _extreme(scope, expr, expr.name)
        case "abs":
            node = expect.number(scope, first)
            return node if is_broken(node.type) else numbers.absolute(node, expr.span)
        case "first_of":
            return _first_of(scope, expr)
        case "seat":
            node = expect.seat(scope, first)
            type_ = Whole(0, max(0, scope.symbols.seats.size - 1))
            return (
                node
                if is_broken(node.type)
                else ir.Unary("seat", node, type_, span=expr.span)
            )
        case "clockwise" | "reversed" | "snaking":
            return _seats(scope, expr, expr.name)
        case "nth":
            return _nth(scope, expr)
        case _:
            return _can(scope, expr)


def _right_number(scope: Scope, expr: tree.Apply) -> bool:
    shape = _WANTED[expr.name]
    wanted = shape.count(",") + 1
    found = len(expr.args)
    if found == wanted or (expr.name in {"min", "max"} and found > wanted):
        return True
    message = f"`{expr.name}` is used as `{expr.name}{shape}`, not with {found}."
    scope.symbols.report("E013", message, expr.span, f"{found} given")
    return False


def _size(scope: Scope, expr: tree.Apply) -> ir.Expr:
    node = expect.some_set(scope, expr.args[0])
    match node:
        case _ if is_broken(node.type):
            return node
        case ir.Const(tuple() as members):
            return numbers.number(len(members), expr.span)
        case ir.Contents(zone, keys):
            symbol = scope.symbols.declared[zone]
            assert isinstance(symbol, ZoneSymbol)
            return ir.ZoneSize(zone, keys, Whole(0, _room(symbol)), span=expr.span)
        case _:
            set_ = node.type
            assert isinstance(set_, Set)
            type_ = Whole(int(set_.part), max(int(set_.part), capacity(set_.member)))
            return ir.Size(node, type_, span=expr.span)


def _room(zone: ZoneSymbol) -> int:
    most = 1 if zone.form == "slot" else zone.member.size
    return most if zone.at_most is None else min(most, zone.at_most)


def _extreme(scope: Scope, expr: tree.Apply, op: Literal["min", "max"]) -> ir.Expr:
    nodes = [expect.number(scope, arg) for arg in expr.args]
    if any(is_broken(node.type) for node in nodes):
        return broken(expr)
    return reduce(lambda left, right: numbers.binary(op, left, right, expr.span), nodes)


def _first_of(scope: Scope, expr: tree.Apply) -> ir.Expr:
    node = expect.some_set(scope, expr.args[0])
    if not isinstance(node.type, Set):
        return broken(expr)
    member = node.type.member
    type_ = member if node.type.part else optional(member)
    return ir.FirstOf(node, type_, span=expr.span)


def _seats(
    scope: Scope, expr: tree.Apply, how: Literal["clockwise", "reversed", "snaking"]
) -> ir.Expr:
    start = expect.seat(scope, expr.args[0], or_none=True)
    lap = expect.number(scope, expr.args[1]) if how == "snaking" else None
    if is_broken(start.type) or (lap is not None and is_broken(lap.type)):
        return broken(expr)
    return ir.Seats(how, start, lap, Set(scope.symbols.seats), span=expr.span)


def _nth(scope: Scope, expr: tree.Apply) -> ir.Expr:
    pile = pile_of(scope, expr.args[0])
    place = expect.number(scope, expr.args[1])
    if pile is None or is_broken(place.type):
        return broken(expr)
    zone, node = pile
    index = numbers.binary("-", place, numbers.number(1, place.span), place.span)
    type_ = optional(zone.member)
    return ir.PileTop(zone.name, node.keys, "top", index, type_, span=expr.span)


def pile_of(scope: Scope, expr: tree.Expr) -> tuple[ZoneSymbol, ir.Contents] | None:
    """Return the pile that an expression names, else report E014."""
    node = scope.read(expr)
    if isinstance(node, ir.Contents):
        symbol = scope.symbols.declared[node.zone]
        if isinstance(symbol, ZoneSymbol) and symbol.form == "pile":
            return symbol, node
        found = (
            f"a zone that is a {symbol.form}" if isinstance(symbol, ZoneSymbol) else ""
        )
    else:
        found = in_words(node.type)
    if not is_broken(node.type):
        message = f"Only a pile has a top and a bottom, and this is {found}."
        scope.symbols.report("E014", message, expr.span, "a pile is wanted here")
    return None


def _can(scope: Scope, expr: tree.Apply) -> ir.Expr:
    """Return `can(step)`: its argument is the name of an open step, no expression."""
    symbols, step = scope.symbols, expr.args[0]
    if not scope.may_ask_can:
        symbols.report(
            "E018",
            "`can(step)` may stand only in `if`, in `until` and in automatic steps.",
            expr.span,
        )
    placed = symbols.rules.steps.get(step.name) if isinstance(step, tree.Name) else None
    scope.uses.changing = True
    if placed is not None and placed.node.mode is not None:
        return ir.Can(placed.node.name.parts[-1], FLAG, span=expr.span)
    written = step.name if isinstance(step, tree.Name) else ""
    known = [name for name, each in symbols.rules.steps.items() if each.node.mode]
    if written in symbols.flow or written in symbols.declared:
        noun = (symbols.flow.get(written) or symbols.declared[written]).noun
        automatic = " that runs by itself" if placed is not None else ""
        message = f"`{written}` is {noun}{automatic}, not a step where one acts."
        symbols.report("E012", message, step.span)
    else:
        message = f"There is no step called `{written}`."
        symbols.report("E010", message, step.span, did_you_mean(written, known))
    return broken(expr)
