"""The parts of a declaration that `change` may replace: how to read and replace them.

A declaration has a main part, addressed by its own name (the condition of a `needs`,
the definition of a value), and further parts with a keyword: `exchange.during`,
`turn.if`, `deck.starts`, `slide.target` for the domain of a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol, cast

from houserule.base.frozen import frozen
from houserule.language.syntax import tree

MAIN = ""  # the keyword of the main part
NO_EXPRESSION = str | tree.Block | tree.HowMany


class Part(Protocol):
    """Reads and replaces a part of a declaration, or one for each parameter."""

    @property
    def field(self) -> str:
        """The field of the node that contains it."""

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        """Yield the existing parts, each with its keyword."""

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Return the node with another payload; None if that does not fit.

        `word` is one that `read` yields for this node.
        """


@frozen
class Expression:
    """An expression in a field, which may be absent."""

    word: str
    field: str

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        value = getattr(node, self.field)
        if value is not None:
            yield self.word, value

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Replace the expression; blocks and modes do not fit."""
        if isinstance(new, NO_EXPRESSION):
            return None
        return cast("tree.Node", replace(node, **{self.field: new}))


@frozen
class Inner:
    """An expression in an inner node; both may be absent."""

    word: str
    field: str
    inner: str

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        value = getattr(getattr(node, self.field), self.inner, None)
        if value is not None:
            yield self.word, value

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        if isinstance(new, NO_EXPRESSION):
            return None
        held = replace(getattr(node, self.field), **{self.inner: new})
        return cast("tree.Node", replace(node, **{self.field: held}))


@frozen
class Statements:
    """The statements of a body: the main part of an effect or a similar declaration."""

    word: str = MAIN
    field: str = "body"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        value = getattr(node, self.field)
        if value is not None:
            yield self.word, value

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Replace the statements; a single call may be parsed as an expression."""
        block = None if isinstance(new, str) else as_block(new)
        return None if block is None else cast("tree.Node", replace(node, body=block))


@frozen
class Mode:
    """The mode of a step: `at most once`, `any number`, and so on."""

    word: str = "mode"
    field: str = "mode"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        value = getattr(node, self.field)
        if value is not None:
            yield self.word, value

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        ok = isinstance(new, str)
        return cast("tree.Node", replace(node, mode=new)) if ok else None


@frozen
class StepName:
    """The step of an action: a bare name."""

    word: str = "during"
    field: str = "at"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        at = getattr(node, self.field)
        yield self.word, tree.Name(at.text, span=at.span)

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        if not isinstance(new, tree.Name):
            return None
        return cast("tree.Node", replace(node, at=tree.Word(new.name, span=new.span)))


@frozen
class Faces:
    """The faces of dice: one expression, or several in a set."""

    word: str = "showing"
    field: str = "faces"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        faces = getattr(node, self.field)
        yield self.word, faces[0] if len(faces) == 1 else tree.SetOf(faces)

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        if isinstance(new, NO_EXPRESSION):
            return None
        faces = new.items if isinstance(new, tree.SetOf) else (new,)
        return cast("tree.Node", replace(node, faces=faces))


@frozen
class Range:
    """The range of a numeric type, `low..high`; other types have none."""

    word: str = "range"
    field: str = "type"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        found = range_of(getattr(node, self.field))
        if found is not None:
            yield self.word, found

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Replace the range; `or none` stays."""
        kind = _with_range(getattr(node, self.field), new)
        return None if kind is None else cast("tree.Node", replace(node, type=kind))


@frozen
class CellValue:
    """A cell of a row: a plain value, as in a table."""

    word: str = MAIN
    field: str = "value"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        yield self.word, getattr(node, self.field)

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        """Replace the value; expressions that need evaluation do not fit."""
        try:
            plain_value(new)
        except ValueError:
            return None
        return cast("tree.Node", replace(node, value=new))


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


@frozen
class SeatNumbers:
    """The numbers of players, `low..high`."""

    word: str = MAIN
    field: str = "low"

    def read(self, node: tree.Node) -> Iterator[tuple[str, tree.Payload]]:
        assert isinstance(node, tree.Players)
        low, high = tree.Int(node.low), tree.Int(node.high)
        yield self.word, tree.RangeSet(low, high, span=node.span)

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
        seats = numbers_of(new)
        if seats is None:
            return None
        return cast("tree.Node", replace(node, low=seats[0], high=seats[1]))


def numbers_of(payload: tree.Payload) -> tuple[int, int] | None:
    """Return the ends of a range of two numbers; None for anything else."""
    match payload:
        case tree.RangeSet(tree.Int(low), tree.Int(high)):
            return low, high
        case _:
            return None


@frozen
class Domains:
    """The domains of parameters, each by the name of its parameter."""

    field: str = "params"

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

    def put(self, node: Any, word: str, new: tree.Payload) -> tree.Node | None:  # noqa: ANN401
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
