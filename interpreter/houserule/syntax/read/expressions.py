"""Words, texts, margins, types, expressions and binders, from the concrete syntax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias, cast

from houserule.syntax import tree as t
from houserule.syntax.read.cst import CstNode, Leaf

# Builds the node of an item; several where one line names several things.
Builder: TypeAlias = Callable[[CstNode], t.Item | Sequence[t.Item]]


def word(leaf: Leaf) -> t.Word:
    """Return a plain name."""
    return t.Word(leaf.text, span=leaf.span)


def word_option(leaf: Leaf | None) -> t.Word | None:
    """Return a plain name, or None where none was written."""
    return None if leaf is None else word(leaf)


def words(cst: CstNode | None) -> tuple[t.Word, ...]:
    """Return the names of a list of names; none where the list was left out."""
    return () if cst is None else tuple(word(leaf) for leaf in cst.leaves())


def dotted(cst: CstNode) -> t.Word:
    """Return an address such as `slide.downhill`."""
    return t.Word(".".join(leaf.text for leaf in cst.leaves()), span=cst.span)


def quoted(leaf: Leaf) -> t.Text:
    """Return a quoted text without its quotation marks."""
    return t.Text(leaf.text[1:-1], span=leaf.span)


def caption(cst: CstNode | None) -> t.Text | None:
    """Return the caption of a line, if it has one."""
    return None if cst is None else quoted(cst.leaf(0))


def phrase(cst: CstNode) -> str:
    """Return the words of a fixed phrase, such as `at most once`."""
    return " ".join(leaf.text for leaf in cst.leaves())


def notes(*csts: CstNode | None) -> t.Notes:
    """Return the margins of these places, in order."""
    found = (part for cst in csts if cst is not None for part in cst.nodes())
    return tuple(_note(part) for part in found)


def _note(cst: CstNode) -> t.Note:
    if cst.rule == "ruling":
        return t.Ruling(cst.leaf(0).text, span=cst.span)
    source = cst.leaf_option(0)
    first, last, quote = _place(cst.option(2))
    return t.Cite(
        source.text if source else None,
        cst.leaf(1).text[1:-1],
        first,
        last,
        quote,
        span=cst.span,
    )


def _place(cst: CstNode | None) -> tuple[int | None, int | None, str | None]:
    if cst is None:
        return None, None, None
    texts = [leaf.text for leaf in cst.leaves()]
    if texts[0].startswith('"'):
        return None, None, texts[0][1:-1]
    return int(texts[0]), int(texts[1]) if len(texts) > 1 else None, None


def bound(cst: CstNode) -> int | t.Word:
    """Return one end of a range: a number or the name of an option."""
    leaf = cst.leaf(0)
    if cst.rule == "word":
        return word(leaf)
    return -int(leaf.text) if cst.rule == "minus_int" else int(leaf.text)


def type_of(cst: CstNode) -> t.Type:
    """Return a type."""
    if cst.rule == "maybe":
        return t.MaybeType(_base_type(cst.node(0)), span=cst.span)
    return _base_type(cst)


def _base_type(
    cst: CstNode,
) -> t.RangeType | t.NamedType | t.FlagType | t.SetType | t.PartType:
    span = cst.span
    match cst.rule:
        case "range_type":
            low, high = cst.nodes()
            return t.RangeType(bound(low), bound(high), span=span)
        case "flag":
            return t.FlagType(span=span)
        case "set_type":
            return t.SetType(cst.leaf(0).text, span=span)
        case "part_type":
            return t.PartType(cst.leaf(0).text, span=span)
        case _:
            return t.NamedType(cst.leaf(0).text, span=span)


# ---- expressions

Build: TypeAlias = Callable[[CstNode], t.Expr]


def expression(cst: CstNode) -> t.Expr:
    """Return an expression."""
    return _BUILDERS[cst.rule](cst)


def expression_option(cst: CstNode | None) -> t.Expr | None:
    """Return an expression, or None where none was written."""
    return None if cst is None else expression(cst)


def listed(cst: CstNode | None) -> tuple[t.Expr, ...]:
    """Return the expressions of a list; none where the list was left out."""
    return () if cst is None else tuple(map(expression, cst.nodes()))


def long_expression(cst: CstNode) -> tuple[t.Expr, t.Notes]:
    """Return an expression that may stand on lines of its own, with its margins."""
    body = next(part for part in cst.nodes() if part.rule != "notes")
    margins = [part for part in cst.nodes() if part.rule == "notes"]
    built = rows(body) if body.rule == "rows" else expression(body)
    return built, notes(*margins)


def rows(cst: CstNode) -> t.Rows:
    """Return a definition by cases."""
    return t.Rows(tuple(map(_row, cst.nodes())), span=cst.span)


def _row(cst: CstNode) -> t.Row:
    value = expression(cst.node(0))
    when = expression(cst.node(1)) if cst.rule == "row" else None
    return t.Row(value, when, notes(cst.nodes()[-1]), span=cst.span)


# ---- binders


def binder(cst: CstNode) -> t.Binder:
    """Return a binder such as `c, d in S` or `use 1..3 of S`."""
    span = cst.span
    source = expression(cst.nodes()[-1])
    if cst.rule == "in_":
        return t.Binder(words(cst.node(0)), "in", source, span=span)
    if cst.rule == "in_pairs":
        return t.Binder(words(cst.node(0)), "in pairs", source, span=span)
    names = (word(cst.leaf(0)),)
    if cst.rule == "part_of":
        return t.Binder(names, "part", source, span=span)
    if cst.rule == "any_part_of":
        return t.Binder(names, "any part", source, span=span)
    high = cst.option(2)
    return t.Binder(
        names,
        "some",
        source,
        bound(cst.node(1)),
        None if high is None else bound(high),
        span=span,
    )


HOW_MANY = frozenset({"part_how", "any_part_how", "some_how"})


def how_many(cst: CstNode) -> t.HowMany:
    """Return how many are chosen of a set, without a name: `1..2 of tray`."""
    source, span = expression(cst.nodes()[-1]), cst.span
    if cst.rule == "part_how":
        return t.HowMany("part", source, span=span)
    if cst.rule == "any_part_how":
        return t.HowMany("any part", source, span=span)
    match expression(cst.node(0)):
        case t.RangeSet(low, high):
            least, most = _bound_of(low), _bound_of(high)
            return t.HowMany("some", source, least, most, span=span)
        case only:
            return t.HowMany("some", source, _bound_of(only), span=span)


def _bound_of(expr: t.Expr) -> int | t.Word:
    if isinstance(expr, t.Int):
        return expr.value
    assert isinstance(expr, t.Name)  # the parser sees to that
    return t.Word(expr.name, span=expr.span)


def binders(cst: CstNode) -> tuple[t.Binder, ...]:
    """Return the binders of a query."""
    return tuple(map(binder, cst.nodes()))


def params(cst: CstNode | None) -> t.Params:
    """Return parameters; none where the brackets were left out."""
    return () if cst is None else param_list(cst.node(0))


def param_list(cst: CstNode) -> t.Params:
    """Return parameters that stand without brackets."""
    return tuple(map(_param, cst.nodes()))


def _param(cst: CstNode) -> t.Param:
    if cst.rule == "typed":
        names, kind = cst.nodes()
        return t.Typed(words(names), type_of(kind), span=cst.span)
    return binder(cst)


def best(cst: CstNode) -> t.Best:
    """Return a ranking: `with most E then F`, `by least E`."""
    direction, *keys = cst.nodes()
    return t.Best(
        cast("t.Direction", phrase(direction)),
        tuple(map(expression, keys)),
        span=cst.span,
    )


def best_option(cst: CstNode | None) -> t.Best | None:
    """Return a ranking, or None where none was written."""
    return None if cst is None else best(cst)


# ---- operators and atoms


def _two(cst: CstNode) -> tuple[t.Expr, t.Expr]:
    return expression(cst.node(0)), expression(cst.node(1))


def _arith(op: Literal["+", "-", "*", "mod"]) -> Build:
    return lambda cst: t.Arith(op, *_two(cst), span=cst.span)


def _set_arith(op: t.SetWord) -> Build:
    return lambda cst: t.SetArith(op, *_two(cst), span=cst.span)


def _logic(op: Literal["and", "or"]) -> Build:
    return lambda cst: t.Logic(op, *_two(cst), span=cst.span)


def _member(negated: bool) -> Build:
    return lambda cst: t.Member(*_two(cst), negated, span=cst.span)


def _divide(cst: CstNode) -> t.Expr:
    rounding = cast('Literal["up", "down"]', phrase(cst.node(2)))
    return t.Divide(*_two(cst), rounding, span=cst.span)


def _compare(cst: CstNode) -> t.Expr:
    left, relation, right = cst.nodes()
    words = phrase(relation)
    bound = words.removeprefix("is ")  # `is at least` is `at least`
    return t.Compare(
        cast("t.Relation", words if bound == "not" else bound),
        expression(left),
        expression(right),
        span=cst.span,
    )


def _operand(cst: CstNode) -> t.Expr:
    return expression(cst.node(0))


def _dice(what: Literal["total", "equal", "different"]) -> Build:
    return lambda cst: t.Dice(what, _operand(cst), span=cst.span)


def _pile_end(end: Literal["top", "bottom"]) -> Build:
    return lambda cst: t.PileEnd(end, _operand(cst), span=cst.span)


def _bool(value: bool) -> Build:
    return lambda cst: t.Bool(value, span=cst.span)


def _dot(cst: CstNode) -> t.Expr:
    return t.Dot(_operand(cst), cst.leaf(1).text, span=cst.span)


def _dot_default(cst: CstNode) -> t.Expr:
    span = cst.node(0).span.to(cst.node(1).span)
    subject = t.Default(*_two(cst), span=span)
    return t.Dot(subject, cst.leaf(2).text, span=cst.span)


def _apply(cst: CstNode) -> t.Expr:
    name, args = cst.leaf(0).text, listed(cst.option(1))
    return t.Apply(name, args, span=cst.span)


# ---- queries


def _fold(kind: Literal["sum", "highest", "lowest"]) -> Build:
    def build(cst: CstNode) -> t.Expr:
        body, over = cst.nodes()
        return t.Fold(
            kind,
            expression(body),
            binders(over.node(0)),
            expression_option(over.option(1)),
            span=cst.span,
        )

    return build


def _count(cst: CstNode) -> t.Expr:
    where = expression_option(cst.option(1))
    return t.Count(binders(cst.node(0)), where, span=cst.span)


def _count_each(cst: CstNode) -> t.Expr:
    since, same = cst.option(2), cst.option(3)
    return t.CountEach(
        word(cst.leaf(0)),
        expression_option(cst.option(1)),
        () if since is None else tuple(map(dotted, since.nodes())),
        words(same),
        expression_option(cst.option(4)),
        span=cst.span,
    )


def _the_one(cst: CstNode) -> t.Expr:
    where = expression_option(cst.option(1))
    ranked = best(cst.node(2))
    return t.TheOne(binder(cst.node(0)), where, ranked, span=cst.span)


def _the_only(cst: CstNode) -> t.Expr:
    where = expression_option(cst.option(1))
    return t.TheOnly(binder(cst.node(0)), where, span=cst.span)


def _those(cst: CstNode) -> t.Expr:
    where = expression_option(cst.option(1))
    ranked = best_option(cst.option(2))
    return t.Those(binder(cst.node(0)), where, ranked, span=cst.span)


def _reached(cst: CstNode) -> t.Expr:
    return t.Reached(
        word(cst.leaf(0)),
        expression(cst.node(1)),
        expression(cst.node(2)),
        expression_option(cst.option(3)),
        span=cst.span,
    )


def _quantified(kind: Literal["some", "every", "no"]) -> Build:
    def build(cst: CstNode) -> t.Expr:
        where = expression_option(cst.option(1))
        body = expression(cst.node(2))
        found = binders(cst.node(0))
        return t.Quantified(kind, found, where, body, span=cst.span)

    return build


def _after(cst: CstNode) -> t.Expr:
    call = cst.node(0)
    args = listed(call.option(1)) if call.rule == "apply" else ()
    by = expression_option(cst.option(1))
    body = expression(cst.node(2))
    return t.After(word(call.leaf(0)), args, by, body, span=cst.span)


_BUILDERS: dict[str, Build] = {
    "name": lambda cst: t.Name(cst.leaf(0).text, span=cst.span),
    "int": lambda cst: t.Int(int(cst.leaf(0).text), span=cst.span),
    "yes": _bool(True),
    "no_": _bool(False),
    "none": lambda cst: t.NoneValue(span=cst.span),
    "negative": lambda cst: t.Negative(_operand(cst), span=cst.span),
    "not_": lambda cst: t.Not(_operand(cst), span=cst.span),
    "plus": _arith("+"),
    "minus": _arith("-"),
    "times": _arith("*"),
    "mod": _arith("mod"),
    "divide": _divide,
    "range_set": lambda cst: t.RangeSet(*_two(cst), span=cst.span),
    "but": _set_arith("but"),
    "with_also": _set_arith("plus"),
    "within": _set_arith("within"),
    "compare": _compare,
    "member": _member(False),
    "not_member": _member(True),
    "and_": _logic("and"),
    "or_": _logic("or"),
    "default_value": lambda cst: t.Default(*_two(cst), span=cst.span),
    "top": _pile_end("top"),
    "bottom": _pile_end("bottom"),
    "total": _dice("total"),
    "equal_faces": _dice("equal"),
    "different_faces": _dice("different"),
    "set_literal": lambda cst: t.SetOf(listed(cst.option(0)), span=cst.span),
    "dot": _dot,
    "dot_default": _dot_default,
    "apply": _apply,
    "sum_of": _fold("sum"),
    "highest_of": _fold("highest"),
    "lowest_of": _fold("lowest"),
    "count_of": _count,
    "count_each": _count_each,
    "the_one": _the_one,
    "the_only": _the_only,
    "those": _those,
    "reached": _reached,
    "some": _quantified("some"),
    "every": _quantified("every"),
    "no": _quantified("no"),
    "position_after": _after,
    "at_random": lambda cst: t.AtRandom(_operand(cst), span=cst.span),
}

EXPRESSIONS = frozenset(_BUILDERS)
"""The names of all rules that are expressions."""
