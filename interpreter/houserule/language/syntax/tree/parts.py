"""The parts of a declaration that `change` may replace: how to read and replace them.

A declaration has a main part, addressed by its own name: the condition of a `needs`,
the definition of a value. Further parts have a keyword: `exchange.during`, `turn.if`,
`deck.starts`, `slide.target` for the domain of a parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast

from houserule.base.frozen import frozen
from houserule.language.syntax import tree

MAIN = ""  # the keyword of the main part
NO_EXPRESSION = str | tree.Block | tree.HowMany


def _itself(value: Any) -> Any:  # noqa: ANN401
    return value


def _as_expression(_: object, new: tree.Payload) -> tree.Expr | None:
    return None if isinstance(new, NO_EXPRESSION) else new


@frozen
class Part:
    """A part in a field of a node: an expression that may be absent, unless noted.

    Attributes:
        get: returns the payload of the field's value.
        put: returns the value with another payload; None if that does not fit.
    """

    word: str
    field: str
    get: Callable[[Any], tree.Payload | None] = _itself
    put: Callable[[Any, tree.Payload], Any] = _as_expression

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the existing parts, each with its keyword."""
        payload = self.get(getattr(node, self.field))
        if payload is not None:
            yield self.word, payload

    def replaced(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Return the node with another payload; None if that does not fit.

        `word` is one that `read` yields for this node.
        """
        value = self.put(getattr(node, self.field), new)
        changed = replace(node, **{self.field: value})
        return None if value is None else cast("tree.Node", changed)


def inner(word: str, field: str, name: str) -> Part:
    """Return an expression in an inner node; both may be absent."""

    def put(node: Any, new: tree.Payload) -> Any:  # noqa: ANN401
        expr = _as_expression(node, new)
        return None if expr is None else replace(node, **{name: expr})

    return Part(word, field, lambda node: getattr(node, name, None), put)


def range_part(word: str = "range") -> Part:
    """Return the range of a numeric type; other types have none, `or none` stays."""
    return Part(word, "type", range_of, _with_range)


def plain_value(payload: tree.Payload) -> Any:  # noqa: ANN401
    """Return a value as in a table: a number, a flag, a name, a list, nothing.

    Raises:
        ValueError: it needs evaluation.
    """
    match payload:
        case tree.Int(value) | tree.Bool(value):
            return value
        case tree.Negative(tree.Int(value)):
            return -value
        case tree.Name(name):
            return name
        case tree.NoneValue():
            return None
        case tree.SetOf(items):
            return [plain_value(each) for each in items]
        case _:
            message = "no plain value"
            raise ValueError(message)


def _as_cell(_: tree.Expr, new: tree.Payload) -> tree.Payload | None:
    try:
        plain_value(new)
    except ValueError:
        return None
    return new


def numbers_of(payload: tree.Payload) -> tuple[int, int] | None:
    """Return the ends of a range of two numbers; None for anything else."""
    match payload:
        case tree.RangeSet(tree.Int(low), tree.Int(high)):
            return low, high
        case _:
            return None


class SeatNumbers(Part):
    """The numbers of players, `low..high`."""

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        assert isinstance(node, tree.Players)
        low, high = tree.Int(node.low), tree.Int(node.high)
        yield self.word, tree.RangeSet(low, high, span=node.span)

    def replaced(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        seats = numbers_of(new)
        if seats is None:
            return None
        return cast("tree.Node", replace(node, low=seats[0], high=seats[1]))


class Domains(Part):
    """The domains of parameters, each by the name of its parameter."""

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the domains of parameters: a range, or a number of members of a set."""
        for param in getattr(node, self.field):
            domain: tree.Payload | None
            if isinstance(param, tree.Binder):
                ends = param.low, param.high
                span = param.source.span
                domain = tree.HowMany(param.how, param.source, *ends, span=span)
            else:
                domain = range_of(param.type)
            if domain is not None:
                yield from ((word.text, domain) for word in param.names)

    def replaced(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Replace the domain of one parameter.

        `a, b in S` is split first, so that the other names keep theirs; a pair is not
        split.
        """
        if isinstance(new, str | tree.Block):
            return None
        done: list[tree.Param] = []
        for param in getattr(node, self.field):
            pair = isinstance(param, tree.Binder) and param.how == "in pairs"
            each = [(name,) for name in param.names]
            for names in [param.names] if pair else each:
                alone: tree.Param = replace(param, names=names)
                if word in {name.text for name in names}:
                    changed = _with_domain(alone, new, choice=self.field == "params")
                    if changed is None:
                        return None
                    alone = changed
                done.append(alone)
        return cast("tree.Node", replace(node, **{self.field: tuple(done)}))


def _with_domain(
    param: tree.Param, new: tree.Expr | tree.HowMany, *, choice: bool
) -> tree.Param | None:
    """Return a parameter with another domain; a plain set keeps the number."""
    if isinstance(new, tree.HowMany):
        pair = isinstance(param, tree.Binder) and param.how == "in pairs"
        if pair or not choice:
            return None
        ends = new.low, new.high
        return tree.Binder(param.names, new.how, new.source, *ends, span=new.span)
    if isinstance(param, tree.Binder):
        return replace(param, source=new)
    kind = _with_range(param.type, new)
    return None if kind is None else replace(param, type=kind)


# ---- ranges and blocks


def range_of(kind: tree.Type) -> tree.RangeSet | None:
    """Return the range of a numeric type, as an expression; None for other types."""
    if isinstance(kind, tree.MaybeType):
        kind = kind.inner
    if not isinstance(kind, tree.RangeType):
        return None
    return tree.RangeSet(_bound(kind.low), _bound(kind.high), span=kind.span)


def _bound(bound: int | tree.Word) -> tree.Expr:
    if isinstance(bound, tree.Word):
        return tree.Name(bound.text, span=bound.span)
    return tree.Int(bound) if bound >= 0 else tree.Negative(tree.Int(-bound))


def _with_range(kind: tree.Type, new: tree.Payload) -> tree.Type | None:
    if not isinstance(new, tree.RangeSet):
        return None
    low, high = _as_bound(new.low), _as_bound(new.high)
    if low is None or high is None:
        return None
    known = tree.RangeType(low, high, span=new.span)
    return replace(kind, inner=known) if isinstance(kind, tree.MaybeType) else known


def _as_faces(
    _: tuple[tree.Expr, ...], new: tree.Payload
) -> tuple[tree.Expr, ...] | None:
    if isinstance(new, NO_EXPRESSION):
        return None
    return new.items if isinstance(new, tree.SetOf) else (new,)


def _as_bound(expr: tree.Expr) -> int | tree.Word | None:
    match expr:
        case tree.Int(value):
            return value
        case tree.Negative(tree.Int(value)):
            return -value
        case tree.Name(name):
            return tree.Word(name, span=expr.span)
        case _:
            return None


def as_block(payload: tree.Payload) -> tree.Block | None:
    """Return a payload as statements: a call may be parsed as an expression."""
    match payload:
        case tree.Block():
            return payload
        case tree.Apply(name, args):
            call = tree.Call(name, args, span=payload.span)
            return tree.Block((call,), span=payload.span)
        case tree.Name(name):
            call = tree.Call(name, (), span=payload.span)
            return tree.Block((call,), span=payload.span)
        case _:
            return None


SEATS = SeatNumbers(MAIN, "low")
STATEMENTS = Part(
    MAIN,
    "body",
    put=lambda _, new: None if isinstance(new, str) else as_block(new),
)
MODE = Part("mode", "mode", put=lambda _, new: new if isinstance(new, str) else None)
STEP_NAME = Part(
    "during",
    "at",
    lambda at: tree.Name(at.text, span=at.span),
    lambda _, new: (
        tree.Word(new.name, span=new.span) if isinstance(new, tree.Name) else None
    ),
)
FACES = Part(
    "showing",
    "faces",
    lambda faces: faces[0] if len(faces) == 1 else tree.SetOf(faces),
    _as_faces,
)
CELL_VALUE = Part(MAIN, "value", put=_as_cell)
DOMAINS = Domains("", "params")
PRODUCT = Domains("", "each")
