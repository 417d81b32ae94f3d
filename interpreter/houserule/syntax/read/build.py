"""The typed tree of top-level lines: headers, and items with what stands in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from houserule.source import Span
from houserule.syntax import tree as t
from houserule.syntax.read import clauses, declarations, edits
from houserule.syntax.read.cst import CstNode
from houserule.syntax.read.expressions import expression
from houserule.syntax.read.terms import (
    Builder,
    caption,
    notes,
    word,
    words,
)


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a unit: `variant x for y "Caption" [margin]`."""

    kind: Literal["game", "variant", "bridge", "preset"]
    names: tuple[t.Word, ...]
    game: t.Word
    caption: t.Text | None
    notes: t.Notes
    span: Span


def header(cst: CstNode) -> Header:
    """Return the header of a unit."""
    kind = cast('Literal["game", "variant", "bridge", "preset"]', cst.rule)
    leaves = cst.leaves()
    game = word(leaves[-1])
    names = words(cst.node(0)) if kind == "bridge" else (word(leaves[0]),)
    said, margins = cst.option(len(cst.parts) - 2), cst.nodes()[-1]
    return Header(kind, names, game, caption(said), notes(margins), cst.span)


def items(cst: CstNode) -> list[t.Item]:
    """Return the nodes of one item; several where it names several things."""
    built = _BUILDERS[cst.rule](cst)
    return [built] if isinstance(built, t.Node) else list(built)


def _inside(csts: list[CstNode]) -> tuple[t.Item, ...]:
    return tuple(item for cst in csts for item in items(cst))


def _phase(cst: CstNode) -> t.Item:
    guard = cst.option(4)
    return t.Phase(
        word(cst.leaf(0)),
        caption(cst.option(1)),
        _for_whom(cst.option(2)),
        cst.option(3) is not None,
        None if guard is None else expression(guard.node(0)),
        _until(cst.option(5)),
        _inside(cst.nodes(7)),
        notes(cst.node(6)),
        span=cst.span,
    )


def _for_whom(cst: CstNode | None) -> t.ForWhom | None:
    if cst is None:
        return None
    name, source = word(cst.leaf(0)), expression(cst.node(1))
    return t.ForWhom(name, source, span=cst.span)


def _until(cst: CstNode | None) -> t.Until | None:
    if cst is None:
        return None
    condition, times = cst.nodes()
    return t.Until(expression(condition), expression(times), span=cst.span)


def _with_guard(cst: CstNode) -> t.Item:
    names, margins, *inside = cst.nodes()
    return t.WithGuard(words(names), _inside(inside), notes(margins), span=cst.span)


_BUILDERS: dict[str, Builder] = {
    **declarations.BUILDERS,
    **clauses.BUILDERS,
    **edits.BUILDERS,
    "phase": _phase,
    "with_guard": _with_guard,
}
