"""Lower built-in names: `size`, `clockwise` and so on."""

from __future__ import annotations

import re
from functools import reduce
from typing import Literal

from houserule import ir
from houserule.base.diagnostics.wording import did_you_mean
from houserule.compiler.lower.expressions import expect, numbers
from houserule.compiler.lower.messages import E010, E012, E013, E014, E018
from houserule.compiler.lower.symbols.scope import Scope, broken
from houserule.compiler.lower.symbols.symbol_table import ZoneSymbol
from houserule.compiler.lower.types import (
    ACTIONS,
    FLAG,
    capacity,
    in_words,
    is_broken,
    optional,
)
from houserule.ir.types import Set, Type, Whole
from houserule.language.syntax import tree
from houserule.language.syntax.write.expressions import print_expr
from houserule.language.syntax.write.items import item_lines

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
    "place_in": "(pile, c)",
    "next_player": "(p)",
    "previous_player": "(p)",
    "other_player": "(p)",
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
            message = "`me` is nobody here."
            fixes = [
                f"{begin}: some p in players has " + re.sub(r"\bme\b", "p", condition)
                for drawn in symbols.rules.draws.values()
                if drawn.condition is scope.root
                for line in item_lines(drawn, 0)[:1]
                for begin, _, condition in [line.partition(": ")]
            ]
            symbols.nobody_acts(around, message, expr.span, label, fixes=fixes)
        case _:
            shape = _WANTED[expr.name]
            message = f"`{expr.name}` is used as `{expr.name}{shape}`."
            symbols.report(E013, message, expr.span, "its arguments are missing")
    return broken(expr)


def apply(scope: Scope, expr: tree.Apply) -> ir.Expr:
    """Return the result of a built-in function."""
    shape, many = _WANTED[expr.name], len(expr.args)
    most = wanted = shape.count(",") + 1
    if expr.name in {"min", "max"}:
        most = max(wanted, many)
    elif expr.name in {"next_player", "previous_player"}:
        most = wanted + 1
    if not wanted <= many <= most:
        message = f"`{expr.name}` is used as `{expr.name}{shape}`, not with {many}."
        scope.symbols.report(E013, message, expr.span, f"{many} given")
        return broken(expr)
    first = expr.args[0]
    type_: Type
    match expr.name:
        case "size":
            node = expect.some_set(scope, expr.args[0])
            match node:
                case _ if is_broken(node.type):
                    return node
                case ir.Const(tuple() as members):
                    return numbers.number(len(members), expr.span)
                case ir.Contents(name, keys):
                    symbol = scope.symbols.declared[name]
                    assert isinstance(symbol, ZoneSymbol)
                    type_ = Whole(0, symbol.room)
                    return ir.ZoneSize(name, keys, type_, span=expr.span)
                case _:
                    assert isinstance(node.type, Set)
                    least = int(node.type.part)
                    type_ = Whole(least, max(least, capacity(node.type.member)))
                    return ir.Size(node, type_, span=expr.span)
        case "min" | "max":
            nodes = [expect.number(scope, arg) for arg in expr.args]
            if any(is_broken(node.type) for node in nodes):
                return broken(expr)
            op: Literal["min", "max"] = "min" if expr.name == "min" else "max"
            return reduce(lambda x, y: numbers.binary(op, x, y, expr.span), nodes)
        case "abs":
            node = expect.number(scope, first)
            return node if is_broken(node.type) else numbers.absolute(node, expr.span)
        case "first_of":
            node = expect.some_set(scope, expr.args[0])
            if not isinstance(node.type, Set):
                return broken(expr)
            member = node.type.member
            sure = node.type.part or (isinstance(node, ir.Const) and node.value)
            type_ = member if sure else optional(member)
            return ir.FirstOf(node, type_, span=expr.span)
        case "seat":
            node = expect.seat(scope, first)
            type_ = Whole(0, max(0, scope.symbols.seats.size - 1))
            return (
                node
                if is_broken(node.type)
                else ir.Unary("seat", node, type_, span=expr.span)
            )
        case "clockwise" | "reversed" | "snaking":
            start = expect.seat(scope, expr.args[0], or_none=True)
            lap = expect.number(scope, expr.args[1]) if expr.name == "snaking" else None
            if is_broken(start.type) or (lap is not None and is_broken(lap.type)):
                return broken(expr)
            return ir.Seats(
                expr.name, start, lap, Set(scope.symbols.seats), span=expr.span
            )
        case "nth":
            pile = pile_of(scope, expr.args[0])
            place = expect.number(scope, expr.args[1])
            if pile is None or is_broken(place.type):
                return broken(expr)
            zone, node = pile
            index = numbers.binary(
                "-", place, numbers.number(1, place.span), place.span
            )
            type_ = optional(zone.member)
            return ir.PileTop(zone.name, node.keys, "top", index, type_, span=expr.span)
        case "place_in":
            # A component's position from the top of a pile; none if it is absent.
            pile = pile_of(scope, expr.args[0])
            if pile is None:
                return broken(expr)
            zone, node = pile
            thing = expect.value(scope, expr.args[1], optional(zone.member))
            if is_broken(thing.type):
                return broken(expr)
            span, slot = expr.span, scope.frame.take()
            places = Whole(1, max(1, zone.room))
            size = ir.ZoneSize(zone.name, node.keys, Whole(0, zone.room), span=span)
            source = ir.MakeRange(numbers.number(1, span), size, Set(places), span=span)
            bind = ir.Bind(
                (slot,), ("n",), "member", places, source, 1, None, span=span
            )
            here = ir.Local(slot, "n", places, span=span)
            index = numbers.binary("-", here, numbers.number(1, span), span)
            type_ = optional(zone.member)
            lying = ir.PileTop(zone.name, node.keys, "top", index, type_, span=span)
            where = ir.CompareValues("==", lying, thing, FLAG, span=span)
            return ir.Pick(False, bind, where, "most", (), optional(places), span=span)
        case "next_player" | "previous_player" | "other_player":
            # The next or previous seat in turn order, among all or some seats.
            start = expect.seat(scope, expr.args[0])
            seats, span = scope.symbols.seats, expr.span
            if len(expr.args) == 1:
                some: ir.Expr = ir.Const(
                    tuple(range(seats.size)), Set(seats), span=span
                )
            else:
                some = expect.value(scope, expr.args[1], Set(seats))
            if is_broken(start.type) or is_broken(some.type):
                return broken(expr)
            if expr.name == "other_player" and seats.size != 2:
                message = (
                    f"`other_player` is for two, and at this table are {seats.size}."
                )
                who, each = print_expr(expr.args[0]), scope.new_variable("p")
                details = (
                    f"Choose one of them, such as `next_player({who})`. To reach all "
                    f"of them, write `for {each} in players but {who}: …`.",
                )
                scope.symbols.report(E014, message, span, details=details)
                return broken(expr)
            sure = len(expr.args) == 1 or (
                isinstance(some.type, Set) and some.type.part
            )
            type_ = seats if sure else optional(seats)
            if expr.name == "previous_player":
                found = _last(scope, some, start, optional(seats))
                far = _last(scope, some, None, type_)
            else:
                beyond = ir.CombineSets("beyond", some, start, Set(seats), span=span)
                found = ir.FirstOf(beyond, optional(seats), span=span)
                far = ir.FirstOf(some, type_, span=span)
            return ir.OrElse(found, far, type_, span=span)
        case _:
            # `can(step)`; its argument is the name of an open step.
            symbols, step = scope.symbols, expr.args[0]
            if not scope.may_ask_can:
                symbols.report(
                    E018,
                    "`can(step)` may be used only in `if`, in `until` and in automatic "
                    "steps.",
                    expr.span,
                )
            written = step.name if isinstance(step, tree.Name) else ""
            placed = symbols.rules.steps.get(written)
            scope.uses.changing = True
            if placed is not None and placed.node.mode is not None:
                return ir.Can(placed.node.name.parts[-1], FLAG, span=expr.span)
            known = [
                name for name, each in symbols.rules.steps.items() if each.node.mode
            ]
            if written in symbols.flow or written in symbols.declared:
                noun = (symbols.flow.get(written) or symbols.declared[written]).noun
                automatic = " that runs by itself" if placed is not None else ""
                message = (
                    f"`{written}` is {noun}{automatic}, not a step where one acts."
                )
                symbols.report(E012, message, step.span)
            else:
                message = f"There is no step called `{written}`."
                symbols.report(E010, message, step.span, did_you_mean(written, known))
            return broken(expr)


def _last(scope: Scope, some: ir.Expr, before: ir.Expr | None, type_: Type) -> ir.Expr:
    """Return the last of some seats, or the last that sits before another one."""
    seats, span = scope.symbols.seats, some.span
    slot = scope.frame.take()
    number = Whole(0, max(0, seats.size - 1))

    def place(seat: ir.Expr) -> ir.Expr:
        return ir.Unary("seat", seat, number, span=span)

    own = place(ir.Local(slot, "p", seats, span=span))
    where = None
    if before is not None:
        where = ir.CompareValues("<", own, place(before), FLAG, span=span)
    bind = ir.Bind((slot,), ("p",), "member", seats, some, 1, None, span=span)
    return ir.Pick(False, bind, where, "most", (own,), type_, span=span)


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
        scope.symbols.report(E014, message, expr.span, "a pile is expected here")
    return None
