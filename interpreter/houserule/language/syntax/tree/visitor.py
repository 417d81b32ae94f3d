"""Visitor of the tree: children, walks, rebuilding, and name binding.

Everything here reads the fields of the node classes. A new node needs a row in
`BINDINGS` only if it binds a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import TypeAlias, TypeVar, cast

from houserule.base.frozen import frozen
from houserule.language.syntax.tree import expressions as e
from houserule.language.syntax.tree import statements as s
from houserule.language.syntax.tree import things as g
from houserule.language.syntax.tree import units as u
from houserule.language.syntax.tree.terms import Node, Word

N = TypeVar("N", bound=Node)
Names: TypeAlias = frozenset[str]


# ---- walking and rebuilding


_PARTS: dict[type[Node], tuple[str, ...]] = {}


def parts(kind: type[Node]) -> tuple[str, ...]:
    """Return the fields of a class of nodes as declared, without its span."""
    if kind not in _PARTS:
        _PARTS[kind] = tuple(each.name for each in fields(kind) if each.name != "span")
    return _PARTS[kind]


_PLAIN = frozenset(["str", "int", "bool", "None"])
_HOLDERS: dict[type[Node], tuple[str, ...]] = {}


def _holders(kind: type[Node]) -> tuple[str, ...]:
    """Return the fields of a class that may contain nodes, by their annotations."""
    if kind not in _HOLDERS:
        _HOLDERS[kind] = tuple(
            each.name
            for each in fields(kind)
            if each.name != "span"
            and not _PLAIN.issuperset(str(each.type).split(" | "))
        )
    return _HOLDERS[kind]


def children(node: Node) -> list[Node]:
    """Return the nodes directly below a node, as declared: citations come last."""
    return _children(node, _holders(type(node)))


def _children(node: Node, names: tuple[str, ...]) -> list[Node]:
    found: list[Node] = []
    for name in names:
        part = getattr(node, name)
        if isinstance(part, Node):
            found.append(part)
        elif part:
            _gather(part, found)
    return found


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything below it, every node before its children."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        names = _HOLDERS.get(type(node))
        if names is None:
            names = _holders(type(node))
        if names:  # most nodes are words
            found = _children(node, names)
            found.reverse()
            waiting += found


def rebuild(node: N, change: Callable[[Node], Node]) -> N:
    """Return a node of the same class and span with every child changed.

    `change` must return a node that fits the place of the child.
    """

    def changed(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(map(changed, value))
        return change(value) if isinstance(value, Node) else value

    values = {name: changed(getattr(node, name)) for name in parts(type(node))}
    return cast("Callable[..., N]", type(node))(**values, span=node.span)


def _nodes(value: object) -> list[Node]:
    found: list[Node] = []
    _gather(value, found)
    return found


def _gather(value: object, found: list[Node]) -> None:
    if isinstance(value, Node):
        found.append(value)
    elif isinstance(value, tuple):
        for each in value:
            _gather(each, found)


# ---- name binding


@frozen
class Binding:
    """The names that a class of nodes binds.

    Attributes:
        names: the fields that bind names: words, or nodes that bind names.
        outside: the fields in which the names are not visible; in all others they are.
    """

    names: tuple[str, ...]
    outside: tuple[str, ...] = ()


_NO_NAMES = Binding(())
_BINDER = Binding(("binder",))
_BINDERS = Binding(("binders",))
_PARAMS = Binding(("params",))

BINDINGS: Mapping[type[Node], Binding] = {
    # these bind for the node that contains them; `let` for the statements that follow
    e.Binder: Binding(("names",), outside=("source", "low", "high")),
    s.Typed: Binding(("names",), outside=("type",)),
    s.Let: Binding(("name",), outside=("value",)),
    u.ForWhom: Binding(("name",), outside=("source",)),
    # expressions
    e.Fold: _BINDERS,
    e.Count: _BINDERS,
    e.Quantified: _BINDERS,
    e.TheOne: _BINDER,
    e.TheOnly: _BINDER,
    e.TheFirst: _BINDER,
    e.Those: _BINDER,
    e.Reached: Binding(("name",), outside=("start",)),
    # statements
    s.Random: _BINDER,
    s.For: _BINDERS,
    s.Choose: Binding(("binder",), outside=("otherwise",)),
    s.LetIfAny: Binding(("name",), outside=("value", "otherwise")),
    s.Share: Binding(("binder", "count"), outside=("amount",)),
    # declarations and clauses
    g.Field: _PARAMS,
    g.Tokens: _PARAMS,
    g.Zone: _PARAMS,
    g.State: _PARAMS,
    g.Value: _PARAMS,
    g.Always: _PARAMS,
    g.Component: Binding(("each",)),
    g.DiceDecl: Binding(("each",)),
    g.Adjust: Binding(("params",), outside=("target", "name")),
    s.Cost: _PARAMS,
    u.Effect: _PARAMS,
    u.Action: Binding(("params",), outside=("at",)),
    u.Reaction: Binding(("params", "old", "new"), outside=("event", "name")),
    u.Phase: Binding(("for_whom",)),
}


def names_bound(node: Node) -> Iterator[Word]:
    """Yield the names that a node binds: its own, and those of its binders."""
    for part in _binding_parts(node):
        if isinstance(part, Word):
            yield part
        else:
            yield from names_bound(part)


def every_name_bound(node: Node) -> Iterator[Word]:
    """Yield every name that is bound in a node or anywhere below it."""
    return bound_among(walk(node))


def bound_among(nodes: Iterable[Node]) -> Iterator[Word]:
    """Yield every name that one of these nodes binds itself."""
    for each in nodes:
        for part in _binding_parts(each):
            if isinstance(part, Word):
                yield part


def in_scope(
    node: Node, bound: Names = frozenset()
) -> Iterator[tuple[str, Node, Names]]:
    """Yield the children of a node: field, node, and the names bound there.

    `bound` are the names bound around the node. Names of binders are visible in later
    binders, those of a `let` in later statements. Words that bind a name are omitted,
    so the remaining words are uses, names of declarations, and targets.
    """
    if isinstance(node, s.Block):
        yield from _one_after_another(node, bound)
        return
    binding = BINDINGS.get(type(node), _NO_NAMES)
    for name in binding.outside:
        for child in _nodes(getattr(node, name)):
            yield name, child, bound
    inner = bound
    for name in binding.names:
        for part in _nodes(getattr(node, name)):
            if isinstance(part, Word):
                inner |= {part.text}
                continue
            yield name, part, inner
            inner |= {word.text for word in names_bound(part)}
    for name in parts(type(node)):
        if name not in binding.outside and name not in binding.names:
            for child in _nodes(getattr(node, name)):
                yield name, child, inner


def _binding_parts(node: Node) -> Iterator[Node]:
    for name in BINDINGS.get(type(node), _NO_NAMES).names:
        yield from _nodes(getattr(node, name))


def _one_after_another(
    block: s.Block, bound: Names
) -> Iterator[tuple[str, Node, Names]]:
    for statement in block.statements:
        yield "statements", statement, bound
        if isinstance(statement, s.Let):
            bound |= {statement.name.text}
    for note in block.notes:
        yield "notes", note, bound
