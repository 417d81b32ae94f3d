"""Expressions back to text, with only the brackets that are needed; types and margins.

Each kind of expression binds at a level; where a tighter one is wanted, brackets are
set. A query reaches to the right as far as it can, so it needs brackets wherever
something of the same expression follows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from houserule.syntax import tree as t


def names(found: Iterable[t.Word]) -> str:
    """Return names with commas between them; those of members with their values."""
    return ", ".join(map(member, found))


def member(found: t.Word) -> str:
    """Return a member of an enumeration with what its fields are, or a plain name."""
    if not isinstance(found, t.ValuedMember):
        return found.text
    return f"{found.text}({', '.join(map(print_expr, found.values))})"


def caption(found: t.Text | None) -> str:
    """Return ` "caption"`, or nothing."""
    return "" if found is None else f' "{found.text}"'


def bound(found: int | t.Word) -> str:
    """Return one end of a range."""
    return str(found) if isinstance(found, int) else found.text


def type_of(node: t.Type) -> str:
    """Return a type as it is written."""
    match node:
        case t.RangeType():
            return f"{bound(node.low)}..{bound(node.high)}"
        case t.NamedType():
            return node.name
        case t.FlagType():
            return "yes or no"
        case t.SetType():
            return f"set of {node.member}"
        case t.PartType():
            return f"part of {node.member}"
        case t.MaybeType():
            return f"{type_of(node.inner)} or none"
        case _:
            assert_never(node)


def notes(found: t.Notes) -> str:
    """Return a margin in its brackets, or nothing."""
    return f"[{', '.join(map(_note, found))}]" if found else ""


def _note(node: t.Note) -> str:
    if isinstance(node, t.Ruling):
        return f"ruling {node.name}"
    source = f"{node.source} " if node.source else ""
    return f'{source}"{node.heading}"{_place(node)}'


def _place(node: t.Cite) -> str:
    if node.words is not None:
        return f' "{node.words}"'
    if node.first is None:
        return ""
    return f" {node.first}" + ("" if node.last is None else f"..{node.last}")


# ---- expressions

ANY, AND, NOT, COMPARE, SIDE, SUM, RANGE, PLUS, TIMES, FACTOR, ATOM = range(11)

_DICE = {
    "total": "total of",
    "equal": "equal faces in",
    "different": "all faces different in",
}


def print_expr(node: t.Expr) -> str:
    """Return an expression as its author would write it, on one line.

    A definition by cases is the exception: one line for each case.
    """
    return _show(node, ANY, True)


def closed(node: t.Expr) -> str:
    """Return an expression that something of the same line may follow."""
    return _show(node, ANY, False)


def operand(node: t.Expr) -> str:
    """Return an expression for a place that takes no comparison and no query."""
    return _show(node, SUM, False)


def listed(nodes: Iterable[t.Expr]) -> str:
    """Return expressions with commas between them."""
    return ", ".join(map(print_expr, nodes))


def binder(node: t.Binder) -> str:
    """Return a binder such as `c, d in S`."""
    if node.how in {"in", "in pairs"}:
        pairs = "pairs of " if node.how == "in pairs" else ""
        return f"{names(node.names)} in {pairs}{operand(node.source)}"
    return f"{names(node.names)} {how_many(node)}"


def how_many(node: t.Binder | t.HowMany) -> str:
    """Return how many are taken of a set, without a name: `1..2 of S`."""
    source = operand(node.source)
    match node.how:
        case "in" | "in pairs":
            return source
        case "some":
            assert node.low is not None
            high = "" if node.high is None else f"..{bound(node.high)}"
            return f"{bound(node.low)}{high} of {source}"
        case how:
            return f"{how} of {source}"


def params(found: t.Params) -> str:
    """Return parameters in their brackets, or nothing."""
    return f"({param_list(found)})" if found else ""


def param_list(found: t.Params) -> str:
    """Return parameters without brackets."""
    return ", ".join(
        binder(each)
        if isinstance(each, t.Binder)
        else f"{names(each.names)}: {type_of(each.type)}"
        for each in found
    )


def where(condition: t.Expr | None) -> str:
    """Return ` where C`, or nothing."""
    return "" if condition is None else f" where {closed(condition)}"


def best(node: t.Best, word: str) -> str:
    """Return a ranking, such as `with most E then F`."""
    level = PLUS if word == "with" else SUM
    keys = " then ".join(_show(key, level, False) for key in node.keys)
    return f"{word} {node.direction} {keys}"


def row(node: t.Row) -> str:
    """Return one case of a definition, without its margin."""
    value = closed(node.value)
    if node.when is None:
        return f"{value} otherwise"
    return f"{value} when {print_expr(node.when)}"


def _show(node: t.Expr, level: int, open_end: bool) -> str:
    """Return an expression where `level` is wanted.

    `open_end` says that nothing of the same expression follows.
    """
    if _level(node, open_end) < level:
        return f"({_show(node, ANY, True)})"
    match node:
        case t.Logic() | t.Not() | t.Compare() | t.Member():
            return _condition(node, open_end)
        case t.SetArith() | t.RangeSet() | t.Arith() | t.Divide() | t.Negative():
            return _quantity(node)
        case (
            t.Fold()
            | t.Count()
            | t.CountEach()
            | t.TheOne()
            | t.TheOnly()
            | t.Those()
            | t.Reached()
            | t.Quantified()
            | t.After()
        ):
            return _query(node)
        case t.Rows():
            return "\n".join(map(row, node.rows))
        case _:
            return _single(node)


def _level(node: t.Expr, open_end: bool) -> int:
    """Return how tightly an expression holds together; -1 where it needs brackets."""
    match node:
        case t.Logic():
            return ANY if node.op == "or" else AND
        case t.Not():
            return NOT
        case t.Compare() | t.Member():
            return COMPARE
        case t.Bool() | t.NoneValue():
            return SIDE
        case t.SetArith():
            return SUM
        case t.RangeSet():
            return RANGE
        case t.Arith():
            return PLUS if node.op in "+-" else TIMES
        case t.Divide():
            return TIMES
        case t.Name() | t.Dot() | t.Apply() | t.SetOf() | t.Rows() | t.AtRandom():
            return ATOM
        case (
            t.Fold()
            | t.Count()
            | t.CountEach()
            | t.TheOne()
            | t.TheOnly()
            | t.Those()
            | t.Reached()
            | t.Quantified()
            | t.After()
        ):
            return NOT if open_end else -1
        case _:
            return FACTOR


def _condition(node: t.Logic | t.Not | t.Compare | t.Member, open_end: bool) -> str:
    match node:
        case t.Logic(op="or"):
            right = _show(node.right, AND, open_end)
            return f"{_show(node.left, ANY, False)} or {right}"
        case t.Logic():
            right = _show(node.right, NOT, open_end)
            return f"{_show(node.left, AND, False)} and {right}"
        case t.Not():
            return f"not {_show(node.operand, NOT, open_end)}"
        case t.Compare():
            return f"{_tight(node.left, SIDE)} {node.op} {_tight(node.right, SIDE)}"
        case t.Member():
            word = "is not in" if node.negated else "is in"
            return f"{_tight(node.left, SIDE)} {word} {operand(node.right)}"
        case _:
            assert_never(node)


def _quantity(
    node: t.SetArith | t.RangeSet | t.Arith | t.Divide | t.Negative,
) -> str:
    match node:
        case t.SetArith():
            left, right = _tight(node.left, SUM), _tight(node.right, RANGE)
            return f"{left} {node.op} {right}"
        case t.RangeSet():
            return f"{_tight(node.low, PLUS)}..{_tight(node.high, PLUS)}"
        case t.Arith():
            own = PLUS if node.op in "+-" else TIMES
            left, right = _tight(node.left, own), _tight(node.right, own + 1)
            return f"{left} {node.op} {right}"
        case t.Divide():
            left, right = _tight(node.left, TIMES), _tight(node.right, FACTOR)
            return f"{left} / {right} rounded {node.rounding}"
        case t.Negative():
            return f"-{_tight(node.operand, FACTOR)}"
        case _:
            assert_never(node)


def _tight(node: t.Expr, level: int) -> str:
    return _show(node, level, False)


def _single(
    node: t.Name
    | t.Dot
    | t.Apply
    | t.Int
    | t.Bool
    | t.NoneValue
    | t.Default
    | t.PileEnd
    | t.Dice
    | t.SetOf
    | t.AtRandom,
) -> str:
    match node:
        case t.Name():
            return node.name
        case t.Dot():
            return f"{_tight(node.subject, ATOM)}.{node.field}"
        case t.Apply():
            return f"{node.name}({listed(node.args)})"
        case t.Int():
            return str(node.value)
        case t.Bool():
            return "yes" if node.value else "no"
        case t.NoneValue():
            return "none"
        case t.Default():
            value, otherwise = print_expr(node.value), print_expr(node.otherwise)
            return f"({value} else {otherwise})"
        case t.PileEnd():
            return f"{node.end} of {_tight(node.pile, ATOM)}"
        case t.Dice():
            return f"{_DICE[node.what]} {_tight(node.dice, ATOM)}"
        case t.SetOf():
            return f"{{{listed(node.items)}}}"
        case t.AtRandom():
            return f"at random among {print_expr(node.among)}"
        case _:
            assert_never(node)


def _query(
    node: t.Fold
    | t.Count
    | t.CountEach
    | t.TheOne
    | t.TheOnly
    | t.Those
    | t.Reached
    | t.Quantified
    | t.After,
) -> str:
    if isinstance(node, t.After):
        given = f"({listed(node.args)})" if node.args else ""
        who = "" if node.by is None else f" by {operand(node.by)}"
        return f"after {node.action.text}{given}{who}: {print_expr(node.body)}"
    if isinstance(node, t.CountEach):
        return _count_each(node)
    condition = where(node.where)
    match node:
        case t.Fold():
            over = binder_list(node.binders) + condition
            return f"{node.kind} of {closed(node.body)} for {over}"
        case t.Count():
            return f"count of {binder_list(node.binders)}{condition}"
        case t.TheOne():
            ranked = best(node.best, "with")
            return f"the one {binder(node.binder)}{condition} {ranked}, none on a tie"
        case t.TheOnly():
            return f"the only {binder(node.binder)}{condition}"
        case t.Those():
            ranked = "" if node.best is None else f" {best(node.best, 'with')}"
            return f"those {binder(node.binder)}{condition}{ranked}"
        case t.Reached():
            start, by = _tight(node.start, PLUS), _tight(node.by, PLUS)
            return f"those {node.name.text} reached from {start} by {by}{condition}"
        case t.Quantified():
            body = print_expr(node.body)
            return f"{node.kind} {binder_list(node.binders)}{condition} has {body}"
        case _:
            assert_never(node)


def _count_each(node: t.CountEach) -> str:
    whose = "" if node.of is None else f" for {operand(node.of)}"
    since = " or ".join(each.text for each in node.since)
    same = " and ".join(each.text for each in node.same)
    last = "" if node.last is None else f"{_tight(node.last, PLUS)}"
    said = f"count of each {node.phase.text}{whose}"
    said += f" since {since}" if since else ""
    said += f" with the same {same}" if same else ""
    return said + (f" among the last {last}" if last else "")


def binder_list(found: tuple[t.Binder, ...]) -> str:
    """Return the binders of a query or a loop."""
    return " and ".join(map(binder, found))
