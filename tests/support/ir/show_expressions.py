"""Expressions of the core as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from houserule import ir
from houserule.ir.types import (
    Data,
    Kind,
    Maybe,
    Set,
    Type,
)

Labels: TypeAlias = Mapping[str, tuple[str, ...]]


def show_expr(node: ir.Expr | ir.Bind, labels: Labels) -> str:
    """Return an expression or a binder on one line."""

    def show(part: ir.Expr | ir.Bind) -> str:
        return show_expr(part, labels)

    match node:
        case ir.Bind():
            return _bind(node, labels)
        case ir.Const(value, type_):
            return show_data(value, type_, labels)
        case ir.Local(slot, name):
            return f"{name}.{slot}"
        case ir.PhaseVar(phase, name):
            return f"{phase}'{name}"
        case ir.ReadCell(name, keys) | ir.CallValue(name, keys):
            return _call(name, keys, labels)
        case ir.ReadFace(die):
            return f"{show(die)}.face"
        case ir.ReadField(subject, _, field):
            return f"{show(subject)}.{field}"
        case ir.Unary(op, operand):
            return f"{op} {show(operand)}" if op != "-" else f"-{show(operand)}"
        case ir.Binary(op, left, right) | ir.CompareValues(op, left, right):
            return f"({show(left)} {op} {show(right)})"
        case ir.Connective(op, left, right):
            return f"({show(left)} {op} {show(right)})"
        case ir.IsNone(operand):
            return f"({show(operand)} is none)"
        case ir.In(left, right):
            return f"({show(left)} in {show(right)})"
        case ir.Cases(rows, otherwise):
            cases = [f"{show(value)} when {show(test)}; " for test, value in rows]
            return f"[{''.join(cases)}else {show(otherwise)}]"
        case ir.OrElse(value, otherwise):
            return f"({show(value)} else {show(otherwise)})"
        case _:
            return _compound(node, labels)


_PLACES = (ir.Contents, ir.ZoneSize, ir.TokenCount, ir.PileTop, ir.PositionOf)
_QUERIES = (
    ir.DiceTest,
    ir.Aggregate,
    ir.CountOf,
    ir.Quantifier,
    ir.Pick,
    ir.ReachedCells,
)


def _compound(node: ir.Expr, labels: Labels) -> str:
    if isinstance(node, _PLACES):
        return _place(node, labels)
    if isinstance(node, _QUERIES):
        return _query(node, labels)
    return _set(node, labels)


def show_data(value: Data, type_: Type, labels: Labels) -> str:
    """Return a value as people write it."""
    inner = type_.inner if isinstance(type_, Maybe) else type_
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple():
            member: Type = inner.member if isinstance(inner, Set) else inner
            if isinstance(member, Kind) and len(value) == member.size > 2:
                return f"every {member}"
            return f"{{{', '.join(show_data(each, member, labels) for each in value)}}}"
        case _:
            return labels[inner.name][value] if isinstance(inner, Kind) else str(value)


def _call(name: str, args: Sequence[ir.Expr], labels: Labels) -> str:
    inside = ", ".join(show_expr(arg, labels) for arg in args)
    return f"{name}({inside})" if args else name


def _place(
    node: ir.Contents | ir.ZoneSize | ir.TokenCount | ir.PileTop | ir.PositionOf,
    labels: Labels,
) -> str:
    match node:
        case ir.Contents(zone, keys):
            return _call(zone, keys, labels)
        case ir.ZoneSize(zone, keys):
            return f"size of {_call(zone, keys, labels)}"
        case ir.TokenCount(slot, keys):
            return f"tokens in {_call(slot, keys, labels)}"
        case ir.PileTop(zone, keys, end, index):
            place = "" if index is None else f" + {show_expr(index, labels)}"
            return f"({end}{place} of {_call(zone, keys, labels)})"
        case ir.PositionOf(zone, keys, end):
            return f"@{end} of {_call(zone, keys, labels)}"


def _set(node: ir.Expr, labels: Labels) -> str:
    match node:
        case ir.MakeSet(items):
            return f"{{{', '.join(show_expr(item, labels) for item in items)}}}"
        case ir.MakeRange(low, high):
            return f"{show_expr(low, labels)}..{show_expr(high, labels)}"
        case ir.CombineSets(op, left, right):
            return f"({show_expr(left, labels)} {op} {show_expr(right, labels)})"
        case ir.Distinct(operand, slots, alike):
            told = f"{slots} alike by {show_expr(alike, labels)}"
            return f"(once of {show_expr(operand, labels)}: {told})"
        case ir.Alike(left, right, _, place, known):
            more = " in one place" * place + " known alike" * known
            return f"({show_expr(left, labels)} ~ {show_expr(right, labels)}{more})"
        case ir.Size(operand):
            return f"size of {show_expr(operand, labels)}"
        case ir.FirstOf(operand):
            return f"first of {show_expr(operand, labels)}"
        case ir.Seats(how, start, lap):
            more = "" if lap is None else f", {show_expr(lap, labels)}"
            return f"{how}({show_expr(start, labels)}{more})"
        case ir.Can(step):
            return f"can({step})"
        case _:
            return "doing"


def _bind(bind: ir.Bind, labels: Labels) -> str:
    names = ", ".join(
        f"{name}.{slot}" for name, slot in zip(bind.names, bind.slots, strict=True)
    )
    source = show_expr(bind.source, labels)
    if bind.how == "member":
        return f"{names} in {source}"
    high = "" if bind.high is None else str(bind.high)
    return f"{names} part {bind.low}..{high} of {source}"


def _over(binds: Sequence[ir.Bind], where: ir.Expr | None, labels: Labels) -> str:
    found = ", ".join(show_expr(bind, labels) for bind in binds)
    return found if where is None else f"{found} where {show_expr(where, labels)}"


def _query(
    node: ir.DiceTest
    | ir.Aggregate
    | ir.CountOf
    | ir.Quantifier
    | ir.Pick
    | ir.ReachedCells,
    labels: Labels,
) -> str:
    match node:
        case ir.DiceTest(what, dice, slot, read):
            text = f"{what} die.{slot} in {show_expr(dice, labels)}"
            return f"({text} by {show_expr(read, labels)})"
        case ir.Aggregate(kind, binds, where, body, empty):
            over = _over(binds, where, labels)
            return f"({kind} {show_expr(body, labels)} for {over}; empty {empty})"
        case ir.CountOf(binds, where):
            return f"(count {_over(binds, where, labels)})"
        case ir.Quantifier(kind, binds, where, body):
            over = _over(binds, where, labels)
            return f"({kind} {over} has {show_expr(body, labels)})"
        case ir.Pick(many, bind, where, direction, keys):
            head = "those" if many else "the one"
            best = " then ".join(show_expr(key, labels) for key in keys)
            best = f" with {direction} {best}" if keys else ""
            return f"({head} {_over((bind,), where, labels)}{best})"
        case ir.ReachedCells(start, slot, by, where):
            only = "" if where is None else f" where {show_expr(where, labels)}"
            head = f"reached y.{slot} from {show_expr(start, labels)}"
            return f"({head} by {show_expr(by, labels)}{only})"
        case _:
            assert_never(node)
