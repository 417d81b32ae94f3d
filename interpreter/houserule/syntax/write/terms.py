"""Types, margins and captions, back to text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from houserule.syntax import tree as t


def names(found: Iterable[t.Word]) -> str:
    """Return names with commas between them."""
    return ", ".join(each.text for each in found)


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
