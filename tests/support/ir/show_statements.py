"""Statements of the core as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from tests.support.ir.show_expressions import Labels, show_expr

from houserule import ir


def show_block(block: ir.Block, labels: Labels, indent: str) -> Iterator[str]:
    """Yield the lines of some statements."""
    for statement in block:
        yield from _statement(statement, labels, indent)


def _statement(s: ir.Statement, labels: Labels, indent: str) -> Iterator[str]:
    match s:
        case (
            ir.ChooseOption() | ir.DrawOne() | ir.ShareOut() | ir.ForEach() | ir.When()
        ):
            yield from _nested(s, labels, indent)
        case ir.MoveThings() | ir.MoveTop() | ir.MoveTokens():
            yield indent + _move(s, labels)
        case _:
            yield indent + _simple(s, labels)


def _cell(name: str, keys: Sequence[ir.Expr], labels: Labels) -> str:
    inside = ", ".join(show_expr(key, labels) for key in keys)
    return f"{name}({inside})" if keys else name


def _move(s: ir.MoveThings | ir.MoveTop | ir.MoveTokens, labels: Labels) -> str:
    match s:
        case ir.MoveThings(what, to):
            return f"move {show_expr(what, labels)} to {show_expr(to, labels)}"
        case ir.MoveTop(count, up_to, zone, keys, to):
            source = _cell(zone, keys, labels)
            number = _count(count, up_to, labels)
            return f"move {number} from {source} to {show_expr(to, labels)}"
        case ir.MoveTokens(count, up_to, source, own, to, keys):
            number = _count(count, up_to, labels)
            here, there = _cell(source, own, labels), _cell(to, keys, labels)
            return f"move {number} tokens from {here} to {there}"


def _count(count: ir.Expr | None, up_to: bool, labels: Labels) -> str:
    if count is None:
        return "all"
    return ("up to " if up_to else "") + show_expr(count, labels)


def _simple(
    s: ir.SetCell
    | ir.AddCell
    | ir.SetFace
    | ir.AddFace
    | ir.RollDice
    | ir.ShufflePile
    | ir.LetSlot
    | ir.RequestAgain
    | ir.RequestEnd
    | ir.ShowThings
    | ir.CallEffect,
    labels: Labels,
) -> str:
    match s:
        case ir.SetCell(state, keys, value):
            return f"{_cell(state, keys, labels)} := {show_expr(value, labels)}"
        case ir.AddCell(state, keys, amount, sign):
            by = show_expr(amount, labels)
            return f"{_cell(state, keys, labels)} {'+' if sign > 0 else '-'}= {by}"
        case ir.SetFace(die, _, value):
            return f"{show_expr(die, labels)}.face := {show_expr(value, labels)}"
        case ir.AddFace(die, _, amount, sign):
            by = show_expr(amount, labels)
            return f"{show_expr(die, labels)}.face {'+' if sign > 0 else '-'}= {by}"
        case ir.RollDice(dice, _, stream):
            return f"roll {show_expr(dice, labels)}  [stream {stream}]"
        case ir.ShufflePile(zone, keys, stream):
            return f"shuffle {_cell(zone, keys, labels)}  [stream {stream}]"
        case ir.LetSlot(slot, name, value):
            return f"let {name}.{slot} = {show_expr(value, labels)}"
        case ir.RequestAgain(target):
            return f"again {target}"
        case ir.RequestEnd(target):
            return f"end {target or 'game'}"
        case ir.ShowThings(what, _, to):
            return f"show {show_expr(what, labels)} to {show_expr(to, labels)}"
        case ir.CallEffect(effect, args):
            return f"do {_cell(effect, args, labels)}"
        case _:
            assert_never(s)


def _nested(
    s: ir.ChooseOption | ir.DrawOne | ir.ShareOut | ir.ForEach | ir.When,
    labels: Labels,
    indent: str,
) -> Iterator[str]:
    other: ir.Block = ()
    match s:
        case ir.When(rows, other):
            (condition, body), *rest = rows
            yield f"{indent}if {show_expr(condition, labels)}:"
            for condition, inner in rest:
                yield from show_block(body, labels, indent + "  ")
                yield f"{indent}else if {show_expr(condition, labels)}:"
                body = inner
        case ir.ChooseOption(must, bind, where, by, body, other, site):
            who = "" if by is None else f" by {show_expr(by, labels)}"
            head = f"{'must' if must else 'may'} choose {_over(bind, where, labels)}"
            yield f"{indent}{head}{who}:  [site {site}]"
        case ir.DrawOne(bind, where, body, stream):
            yield f"{indent}random {_over(bind, where, labels)}:  [stream {stream}]"
        case ir.ShareOut(amount, bind, where, slot, body, site):
            head = (
                f"share {show_expr(amount, labels)} over {_over(bind, where, labels)}"
            )
            yield f"{indent}{head} as .{slot}:  [site {site}]"
        case ir.ForEach(binds, where, direction, keys, body):
            best = " then ".join(show_expr(key, labels) for key in keys)
            best = f" by {direction} {best}" if keys else ""
            yield f"{indent}for {_over(binds, where, labels)}{best}:"
    yield from show_block(body, labels, indent + "  ")
    if other:
        yield f"{indent}else:"
        yield from show_block(other, labels, indent + "  ")


def _over(
    bound: ir.Bind | tuple[ir.Bind, ...], where: ir.Expr | None, labels: Labels
) -> str:
    binds = bound if isinstance(bound, tuple) else (bound,)
    found = " and ".join(show_expr(bind, labels) for bind in binds)
    return found if where is None else f"{found} where {show_expr(where, labels)}"
