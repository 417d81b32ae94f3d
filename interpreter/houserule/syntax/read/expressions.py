"""Expressions and binders, from shapes to nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, cast

from houserule.syntax import tree as t
from houserule.syntax.read.cst import Shape
from houserule.syntax.read.terms import (
    bound,
    notes,
    phrase,
    type_of,
    word,
    words,
)

Build: TypeAlias = Callable[[Shape], t.Expr]


def expression(shape: Shape) -> t.Expr:
    """Return an expression."""
    return _BUILDERS[shape.rule](shape)


def expression_option(shape: Shape | None) -> t.Expr | None:
    """Return an expression, or None where none was written."""
    return None if shape is None else expression(shape)


def listed(shape: Shape | None) -> tuple[t.Expr, ...]:
    """Return the expressions of a list; none where the list was left out."""
    return () if shape is None else tuple(map(expression, shape.shapes()))


def long_expression(shape: Shape) -> tuple[t.Expr, t.Notes]:
    """Return an expression that may stand on lines of its own, with its margins."""
    body = next(part for part in shape.shapes() if part.rule != "notes")
    margins = [part for part in shape.shapes() if part.rule == "notes"]
    built = rows(body) if body.rule == "rows" else expression(body)
    return built, notes(*margins)


def rows(shape: Shape) -> t.Rows:
    """Return a definition by cases."""
    return t.Rows(tuple(map(_row, shape.shapes())), span=shape.span)


def _row(shape: Shape) -> t.Row:
    value = expression(shape.shape(0))
    when = expression(shape.shape(1)) if shape.rule == "row" else None
    return t.Row(value, when, notes(shape.shapes()[-1]), span=shape.span)


# ---- binders


def binder(shape: Shape) -> t.Binder:
    """Return a binder such as `c, d in S` or `use 1..3 of S`."""
    span = shape.span
    source = expression(shape.shapes()[-1])
    if shape.rule == "in_":
        return t.Binder(words(shape.shape(0)), "in", source, span=span)
    names = (word(shape.leaf(0)),)
    if shape.rule == "part_of":
        return t.Binder(names, "part", source, span=span)
    if shape.rule == "any_part_of":
        return t.Binder(names, "any part", source, span=span)
    high = shape.option(2)
    return t.Binder(
        names,
        "some",
        source,
        bound(shape.shape(1)),
        None if high is None else bound(high),
        span=span,
    )


def binders(shape: Shape) -> tuple[t.Binder, ...]:
    """Return the binders of a query."""
    return tuple(map(binder, shape.shapes()))


def params(shape: Shape | None) -> t.Params:
    """Return parameters; none where the brackets were left out."""
    return () if shape is None else param_list(shape.shape(0))


def param_list(shape: Shape) -> t.Params:
    """Return parameters that stand without brackets."""
    return tuple(map(_param, shape.shapes()))


def _param(shape: Shape) -> t.Param:
    if shape.rule == "typed":
        names, kind = shape.shapes()
        return t.Typed(words(names), type_of(kind), span=shape.span)
    return binder(shape)


def best(shape: Shape) -> t.Best:
    """Return a ranking: `with most E then F`, `by least E`."""
    direction, *keys = shape.shapes()
    return t.Best(
        cast("t.Direction", phrase(direction)),
        tuple(map(expression, keys)),
        span=shape.span,
    )


def best_option(shape: Shape | None) -> t.Best | None:
    """Return a ranking, or None where none was written."""
    return None if shape is None else best(shape)


# ---- operators and atoms


def _two(shape: Shape) -> tuple[t.Expr, t.Expr]:
    return expression(shape.shape(0)), expression(shape.shape(1))


def _arith(op: Literal["+", "-", "*", "mod"]) -> Build:
    return lambda shape: t.Arith(op, *_two(shape), span=shape.span)


def _logic(op: Literal["and", "or"]) -> Build:
    return lambda shape: t.Logic(op, *_two(shape), span=shape.span)


def _member(negated: bool) -> Build:
    return lambda shape: t.Member(*_two(shape), negated, span=shape.span)


def _divide(shape: Shape) -> t.Expr:
    rounding = cast('Literal["up", "down"]', phrase(shape.shape(2)))
    return t.Divide(*_two(shape), rounding, span=shape.span)


def _compare(shape: Shape) -> t.Expr:
    left, relation, right = shape.shapes()
    return t.Compare(
        cast("t.Relation", phrase(relation)),
        expression(left),
        expression(right),
        span=shape.span,
    )


def _one(shape: Shape) -> t.Expr:
    return expression(shape.shape(0))


def _dice(what: Literal["total", "equal", "different"]) -> Build:
    return lambda shape: t.Dice(what, _one(shape), span=shape.span)


def _pile_end(end: Literal["top", "bottom"]) -> Build:
    return lambda shape: t.PileEnd(end, _one(shape), span=shape.span)


def _bool(value: bool) -> Build:
    return lambda shape: t.Bool(value, span=shape.span)


def _dot(shape: Shape) -> t.Expr:
    return t.Dot(_one(shape), shape.leaf(1).text, span=shape.span)


def _apply(shape: Shape) -> t.Expr:
    name, args = shape.leaf(0).text, listed(shape.option(1))
    return t.Apply(name, args, span=shape.span)


# ---- queries


def _fold(kind: Literal["sum", "highest", "lowest"]) -> Build:
    def build(shape: Shape) -> t.Expr:
        body, over = shape.shapes()
        return t.Fold(
            kind,
            expression(body),
            binders(over.shape(0)),
            expression_option(over.option(1)),
            span=shape.span,
        )

    return build


def _count(shape: Shape) -> t.Expr:
    where = expression_option(shape.option(1))
    return t.Count(binders(shape.shape(0)), where, span=shape.span)


def _the_one(shape: Shape) -> t.Expr:
    where = expression_option(shape.option(1))
    ranked = best(shape.shape(2))
    return t.TheOne(binder(shape.shape(0)), where, ranked, span=shape.span)


def _the_only(shape: Shape) -> t.Expr:
    where = expression_option(shape.option(1))
    return t.TheOnly(binder(shape.shape(0)), where, span=shape.span)


def _those(shape: Shape) -> t.Expr:
    where = expression_option(shape.option(1))
    ranked = best_option(shape.option(2))
    return t.Those(binder(shape.shape(0)), where, ranked, span=shape.span)


def _reached(shape: Shape) -> t.Expr:
    return t.Reached(
        word(shape.leaf(0)),
        expression(shape.shape(1)),
        expression(shape.shape(2)),
        expression_option(shape.option(3)),
        span=shape.span,
    )


def _quantified(kind: Literal["some", "every", "no"]) -> Build:
    def build(shape: Shape) -> t.Expr:
        where = expression_option(shape.option(1))
        body = expression(shape.shape(2))
        found = binders(shape.shape(0))
        return t.Quantified(kind, found, where, body, span=shape.span)

    return build


_BUILDERS: dict[str, Build] = {
    "name": lambda shape: t.Name(shape.leaf(0).text, span=shape.span),
    "int": lambda shape: t.Int(int(shape.leaf(0).text), span=shape.span),
    "yes": _bool(True),
    "no_": _bool(False),
    "none": lambda shape: t.NoneValue(span=shape.span),
    "negative": lambda shape: t.Negative(_one(shape), span=shape.span),
    "not_": lambda shape: t.Not(_one(shape), span=shape.span),
    "plus": _arith("+"),
    "minus": _arith("-"),
    "times": _arith("*"),
    "mod": _arith("mod"),
    "divide": _divide,
    "range_set": lambda shape: t.RangeSet(*_two(shape), span=shape.span),
    "but": lambda shape: t.But(*_two(shape), span=shape.span),
    "compare": _compare,
    "member": _member(False),
    "not_member": _member(True),
    "and_": _logic("and"),
    "or_": _logic("or"),
    "default_value": lambda shape: t.Default(*_two(shape), span=shape.span),
    "top": _pile_end("top"),
    "bottom": _pile_end("bottom"),
    "total": _dice("total"),
    "equal_faces": _dice("equal"),
    "different_faces": _dice("different"),
    "set_literal": lambda shape: t.SetOf(listed(shape.option(0)), span=shape.span),
    "dot": _dot,
    "apply": _apply,
    "sum_of": _fold("sum"),
    "highest_of": _fold("highest"),
    "lowest_of": _fold("lowest"),
    "count_of": _count,
    "the_one": _the_one,
    "the_only": _the_only,
    "those": _those,
    "reached": _reached,
    "some": _quantified("some"),
    "every": _quantified("every"),
    "no": _quantified("no"),
}
