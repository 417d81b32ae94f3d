"""The canonical content of declarations, for comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar, cast

from houserule.base.source import NOWHERE
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import rebuild

N = TypeVar("N", bound=tree.Node)


def bare(node: N) -> N:
    """Return a tree without citations and positions."""
    return cast("N", _bare(node))


@lru_cache(maxsize=1 << 14)
def _bare(node: tree.Node) -> tree.Node:
    said = rebuild(node, _bare)
    without: dict[str, object] = {"span": NOWHERE}
    if hasattr(node, "notes"):
        without["notes"] = ()
    put: Callable[..., tree.Node] = replace
    return put(said, **without)


def same(left: tree.Payload, right: tree.Payload) -> bool:
    """Return whether two payloads are equal except for citations and positions."""
    return comparable(left) == comparable(right)


def agrees(said: tree.Payload | None, expected: tree.Payload | None) -> bool:
    """Return whether a part matches the content that a change expects.

    The arity is compared only if the change mentions it.
    """
    match said, expected:
        case tree.HowMany(), tree.HowMany():
            return said == expected
        case tree.HowMany(source=source), _:
            return source == expected
        case _, tree.HowMany("in", source):
            return source == said
        case _:
            return said == expected


def comparable(payload: tree.Payload) -> tree.Payload:
    """Return the canonical form of a payload.

    A call of an effect is the same whether parsed as a statement or as an expression.
    """
    match payload:
        case str():
            return payload
        case tree.Block((tree.Call(name, args),)):
            return bare(tree.Apply(name, args)) if args else tree.Name(name)
        case tree.Apply(name, ()):
            return tree.Name(name)
        case _:
            return bare(payload)
