"""Queries: binders, sums and counts, quantifiers, the best of a set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, assert_never

from houserule import ir
from houserule.base.algebra.subsets import count_subsets
from houserule.base.limits import AS_QUICK, limit
from houserule.compiler.lower.expressions import expect, numbers
from houserule.compiler.lower.messages import E013, E014
from houserule.compiler.lower.symbols.kinds import bound
from houserule.compiler.lower.symbols.scope import Scope, broken
from houserule.compiler.lower.symbols.symbol_table import ZoneSymbol
from houserule.compiler.lower.types import (
    BROKEN,
    FLAG,
    capacity,
    hull,
    in_words,
    is_broken,
    member_of,
    optional,
    same_members,
)
from houserule.ir.types import Flag, Kind, Set, Type, Whole, core
from houserule.language.manifest.messages import E020
from houserule.language.syntax import tree
from houserule.language.syntax.write.expressions import operand

_LARGE = 40  # things have more subsets of any size than can be enumerated


def query(
    scope: Scope,
    expr: tree.Dice
    | tree.Fold
    | tree.Count
    | tree.TheOne
    | tree.TheOnly
    | tree.TheFirst
    | tree.Those
    | tree.Reached
    | tree.Quantified,
    wanted: Type | None,
) -> ir.Expr:
    """Return a query, an expression that binds names."""
    match expr:
        case tree.Dice():
            return dice(scope, expr)
        case tree.Fold():
            return fold(scope, expr, wanted)
        case tree.Count():
            kept = scope.open()
            binds, where = binders(scope, expr.binders, expr.where)
            scope.close(kept)
            type_ = Whole(0, how_many(scope, binds))
            return ir.CountOf(binds, where, type_, span=expr.span)
        case tree.TheOne():
            return _pick(scope, expr, expr.binder, expr.where, expr.best)
        case tree.TheOnly():
            return _pick(scope, expr, expr.binder, expr.where, None)
        case tree.TheFirst():
            return the_first(scope, expr)
        case tree.Those():
            if expr.binder.how != "in":
                message = "`those` collects members; a set of sets is not a type."
                scope.symbols.report(E014, message, expr.binder.span)
                return broken(expr)
            return _pick(scope, expr, expr.binder, expr.where, expr.best, many=True)
        case tree.Reached():
            return reached(scope, expr)
        case tree.Quantified():
            kept = scope.open()
            binds, where = binders(scope, expr.binders, expr.where)
            body = expect.condition(scope, expr.body)
            scope.close(kept)
            return ir.Quantifier(expr.kind, binds, where, body, FLAG, span=expr.span)
        case _:
            assert_never(expr)


# ---- binders


def bind(scope: Scope, binder: tree.Binder) -> ir.Bind:
    """Declare the variables of a binder over its set; pairs are reported as E014."""
    if binder.how == "in pairs":
        message = "One decision takes a set: the two are chosen as one part of so many."
        fixes = [f"{binder.names[0].text} 2 of {operand(binder.source)}"]
        scope.symbols.report(E014, message, binder.span, fixes=fixes)
    return bind_to(scope, binder, expect.some_set(scope, binder.source))[0]


def bind_all(
    scope: Scope, binder: tree.Binder, *, seats: bool = False
) -> tuple[ir.Bind, ...]:
    """Declare the variables of a binder, which are two over sets for pairs.

    With `seats` the source may be an order of seats, as in a phase's `for`.
    """
    source = scope.read(binder.source) if seats else None
    if not isinstance(source, ir.Seats):
        source = expect.some_set(scope, binder.source)
    return bind_to(scope, binder, source)


def bind_to(scope: Scope, binder: tree.Binder, source: ir.Expr) -> tuple[ir.Bind, ...]:
    """Declare the variables of a binder over a set that was read before."""
    member = member_of(source.type)
    if binder.how == "in pairs":
        # The second ranges over the members after the first.
        if len(binder.names) != 2:
            message = f"A pair has two names, and here it has {len(binder.names)}."
            scope.symbols.report(
                E013, message, binder.span, "write `x, y in pairs of S`"
            )
            return (_bound(scope, binder, "member", member, source, 1, None),)
        one, other = (replace(binder, names=(word,)) for word in binder.names)
        first = _bound(scope, one, "member", member, source, 1, None)
        slot, name = first.slots[0], first.names[0]
        at = ir.Local(slot, name, member, span=binder.span)
        rest = ir.CombineSets(
            "beyond", source, at, Set(member), span=binder.source.span
        )
        return first, _bound(scope, other, "member", member, rest, 1, None)
    if binder.how == "in":
        return (_bound(scope, binder, "member", member, source, 1, None),)
    low, high = 1, None  # of a `part`
    if binder.how == "any part":
        low = 0
    elif binder.how != "part":
        least = bound(scope.symbols, 1 if binder.low is None else binder.low)
        most = least if binder.high is None else bound(scope.symbols, binder.high)
        if least is not None and most is not None and 0 <= least <= most:
            low, high = least, most
        elif least is not None and most is not None:
            message = f"No part has {least}..{most} members."
            scope.symbols.report(E020, message, binder.span, "this range is empty")
    type_ = Set(member, part=low > 0)
    return (_bound(scope, binder, "subset", type_, source, low, high),)


def _bound(
    scope: Scope,
    binder: tree.Binder,
    how: Literal["member", "subset"],
    type_: Type,
    source: ir.Expr,
    low: int,
    high: int | None,
) -> ir.Bind:
    slots = tuple(scope.bind(word, type_) for word in binder.names)
    names = tuple(word.text for word in binder.names)
    return ir.Bind(slots, names, how, type_, source, low, high, span=binder.span)


def binders(
    scope: Scope, written: Sequence[tree.Binder], where: tree.Expr | None
) -> tuple[tuple[ir.Bind, ...], ir.Expr | None]:
    """Declare binders from left to right, then read the condition on them."""
    binds = tuple(each for one in written for each in bind_all(scope, one))
    return binds, restriction(scope, where)


def restriction(scope: Scope, where: tree.Expr | None) -> ir.Expr | None:
    """Return the condition of a `where`; its facts are added to the scope."""
    if where is None:
        return None
    node = expect.condition(scope, where)
    scope.learn(where)
    return node


def how_many(scope: Scope, binds: Sequence[ir.Bind]) -> int:
    """Return the maximum number of bindings, to limit the work."""
    most, ceiling = 1, limit("work") * AS_QUICK
    for each in binds:
        match each.source:
            case ir.Const(tuple() as known):
                members = len(known)
            case ir.Contents(zone):
                symbol = scope.symbols.declared[zone]
                assert isinstance(symbol, ZoneSymbol)
                members = symbol.room
            case _:
                members = capacity(member_of(each.source.type))
        one = members
        if each.how == "subset":
            every = each.high is None and members > _LARGE
            one = ceiling if every else count_subsets(members, each.low, each.high)
        most = min(ceiling, most * one ** len(each.slots))
    return most


def single(scope: Scope, binder: tree.Binder) -> ir.Bind:
    """Declare a binder that may have only one variable."""
    if len(binder.names) > 1:
        second = binder.names[1]
        message = f"One variable is expected here, and there are {len(binder.names)}."
        scope.symbols.report(E013, message, second.span, "one too many")
    return bind(scope, binder)


# ---- sums, counts, quantifiers


def fold(
    scope: Scope, expr: tree.Fold, wanted: Type | None, *, or_none: bool = False
) -> ir.Expr:
    """Return `sum of`, `highest of` or `lowest of`.

    With `or_none` the highest and the lowest of nothing is none: the rules give a
    replacement.
    """
    kept = scope.open()
    binds, where = binders(scope, expr.binders, expr.where)
    body = expect.number(scope, expr.body)
    scope.close(kept)
    if is_broken(body.type):
        return broken(expr)
    range_, empty = numbers.range_of(body), 0
    if expr.kind == "sum":
        type_: Type = _sum_range(scope, binds, where, range_)
    elif or_none:
        type_ = optional(range_)
        return ir.Aggregate(expr.kind, binds, where, body, None, type_, span=expr.span)
    else:
        goal = core(wanted) if wanted is not None else range_
        goal = goal if isinstance(goal, Whole) else range_
        empty = goal.low if expr.kind == "highest" else goal.high
        type_ = hull(range_, Whole(empty, empty))
    return ir.Aggregate(expr.kind, binds, where, body, empty, type_, span=expr.span)


def _sum_range(
    scope: Scope, binds: Sequence[ir.Bind], where: ir.Expr | None, range_: Whole
) -> Whole:
    many = how_many(scope, binds)
    if where is None and all(isinstance(each.source, ir.Const) for each in binds):
        return Whole(range_.low * many, range_.high * many)
    return Whole(min(0, range_.low * many), max(0, range_.high * many))


# ---- the best


def the_first(scope: Scope, expr: tree.TheFirst) -> ir.Expr:
    """Return `the first … where … with most …`: of the best, the one that comes first.

    Seats come in the order of `clockwise` and `reversed`, a pile from its top, and
    others by their numbers.
    """
    binder = expr.binder
    if binder.how != "in":
        message = "`the first` goes through members, and this goes through sets."
        scope.symbols.report(E014, message, binder.span)
        return broken(expr)
    kept = scope.open()
    order = scope.read(binder.source)
    source = order
    if isinstance(order, ir.Seats):
        seats = scope.symbols.seats
        everyone = tuple(range(seats.size))
        source = ir.Const(everyone, Set(seats), span=binder.source.span)
    else:
        source = expect.as_set(scope, order, binder.source)
    if len(binder.names) > 1:
        message = f"One variable is expected here, and there are {len(binder.names)}."
        scope.symbols.report(E013, message, binder.names[1].span, "one too many")
    bound_ = bind_to(scope, binder, source)[0]
    only = restriction(scope, expr.where)
    direction, keys = best_keys(scope, expr.best)
    place = _place_of(scope, order, bound_, binder)
    scope.close(kept)
    if is_broken(bound_.type) or not isinstance(bound_.type, Whole | Kind):
        return broken(expr)
    if place is not None:
        direction = "least" if expr.best is None else direction
        far = place if direction == "least" else numbers.negative(place, expr.span)
        keys = (*keys, far)
    members = Set(bound_.type)
    best = ir.Pick(True, bound_, only, direction, keys, members, span=expr.span)
    return ir.FirstOf(best, optional(bound_.type), span=expr.span)


def _place_of(
    scope: Scope, order: ir.Expr, bound_: ir.Bind, binder: tree.Binder
) -> ir.Expr | None:
    """Return the number of a member's place in an order; None if it is its own."""
    span = binder.span
    me = ir.Local(bound_.slots[0], bound_.names[0], bound_.type, span=span)
    match order:
        case ir.Seats("snaking"):
            message = "A snaking order has no first: say `clockwise` or `reversed`."
            scope.symbols.report(E014, message, binder.source.span)
            return None
        case ir.Seats(how, start):
            count = scope.symbols.seats.size
            here, there = (
                ir.Unary("seat", each, Whole(0, count - 1), span=span)
                for each in ((me, start) if how == "clockwise" else (start, me))
            )
            away = numbers.binary("-", here, there, span)
            return numbers.binary("mod", away, numbers.number(count, span), span)
        case ir.Contents(zone):
            symbol = scope.symbols.declared[zone]
            if isinstance(symbol, ZoneSymbol) and symbol.form == "pile":
                inside = (binder.source, tree.Name(bound_.names[0], span=span))
                place = scope.read(tree.Apply("place_in", inside, span=span))
                nowhere = numbers.number(0, span)
                return ir.OrElse(place, nowhere, core(place.type), span=span)
        case _:
            pass
    return None


def _pick(
    scope: Scope,
    expr: tree.Expr,
    binder: tree.Binder,
    where: tree.Expr | None,
    best: tree.Best | None,
    *,
    many: bool = False,
) -> ir.Expr:
    kept = scope.open()
    bound_ = single(scope, binder)
    only = restriction(scope, where)
    direction, keys = best_keys(scope, best)
    scope.close(kept)
    if is_broken(bound_.type):
        return broken(expr)
    type_ = optional(bound_.type)
    if many:
        assert isinstance(bound_.type, Whole | Kind)
        type_ = Set(bound_.type)
    return ir.Pick(many, bound_, only, direction, keys, type_, span=expr.span)


def best_keys(
    scope: Scope, best: tree.Best | None
) -> tuple[tree.Direction, tuple[ir.Expr, ...]]:
    """Return the direction and the keys of `with most …`, `by most …`."""
    if best is None:
        return "most", ()
    keys: list[ir.Expr] = []
    for expr in best.keys:
        node = scope.read(expr)
        flag = isinstance(node.type, Flag)
        keys.append(node if flag else expect.as_number(scope, node, expr))
    return best.direction, tuple(keys)


# ---- reaching


def reached(scope: Scope, expr: tree.Reached) -> ir.Expr:
    """Return `those y reached from S by near(y) where C`."""
    start = expect.things(scope, expr.start, or_none=True)
    member = member_of(start.type)
    kept = scope.open()
    slot = scope.bind(expr.name, member)
    by = expect.things(scope, expr.by, or_none=True)
    where = restriction(scope, expr.where)
    scope.close(kept)
    if is_broken(start.type) or is_broken(by.type):
        return broken(expr)
    if not same_members(member, member_of(by.type)):
        message = f"From {in_words(member)} this leads to {in_words(by.type)}."
        scope.symbols.report(E014, message, expr.by.span, "it must lead to its like")
        return broken(expr)
    return ir.ReachedCells(start, slot, by, where, Set(member), span=expr.span)


# ---- dice


def dice(scope: Scope, expr: tree.Dice) -> ir.Expr:
    """Return `total of`, `equal faces in`, `all faces different in`."""
    source = dice_set(scope, expr.dice)
    kind = member_of(source.type)
    if is_broken(source.type) or not isinstance(kind, Kind):
        return broken(expr)
    slot = scope.frame.take()
    # The number of a die: its face, or the value that it is `read by`.
    die = ir.Local(slot, "die", kind, span=expr.span)
    reader = scope.symbols.declared.get(scope.symbols.read_by.get(kind.name, ""))
    type_ = getattr(reader, "type", None)
    scope.uses.changing = True
    if reader is not None and isinstance(type_, Whole):
        scope.uses.values.setdefault(reader.name, die.span)
        read: ir.Expr = ir.CallValue(reader.name, (die,), type_, span=die.span)
    else:
        faces = scope.symbols.faces[kind.name]
        read = ir.ReadFace(die, kind, Whole(min(faces), max(faces)), span=die.span)
    if expr.what != "total":
        return ir.DiceTest(expr.what, source, slot, read, FLAG, span=expr.span)
    over = ir.Bind(
        (slot,), ("die",), "member", kind, source, 1, None, span=expr.dice.span
    )
    type_ = _sum_range(scope, (over,), None, numbers.range_of(read))
    return ir.Aggregate("sum", (over,), None, read, 0, type_, span=expr.span)


def dice_set(scope: Scope, expr: tree.Expr) -> ir.Expr:
    """Return a set of dice; a single die becomes the set of it."""
    node = expect.things(scope, expr)
    member = member_of(node.type)
    if is_broken(node.type):
        return node
    if isinstance(member, Kind) and member.sort == "die":
        return node
    message = f"Dice are expected here, and this is {in_words(node.type)}."
    scope.symbols.report(E014, message, expr.span)
    return ir.Const((), Set(BROKEN), span=expr.span)
