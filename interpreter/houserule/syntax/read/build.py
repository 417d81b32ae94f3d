"""The typed tree of top-level lines: headers, and items with what stands in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from houserule.source import Span
from houserule.syntax import tree as t
from houserule.syntax.read import clauses, declarations, edits
from houserule.syntax.read.cst import Shape
from houserule.syntax.read.expressions import expression
from houserule.syntax.read.terms import (
    caption,
    notes,
    word,
    words,
)

One: TypeAlias = Callable[[Shape], t.Item]
Several: TypeAlias = Callable[[Shape], list[t.Item]]


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a unit: `variant x for y "Caption" [margin]`."""

    kind: Literal["game", "variant", "bridge", "preset"]
    names: tuple[t.Word, ...]
    game: t.Word
    caption: t.Text | None
    notes: t.Notes
    span: Span


def header(shape: Shape) -> Header:
    """Return the header of a unit."""
    kind = cast('Literal["game", "variant", "bridge", "preset"]', shape.rule)
    leaves = shape.leaves()
    game = word(leaves[-1])
    names = words(shape.shape(0)) if kind == "bridge" else (word(leaves[0]),)
    said, margins = shape.option(len(shape.parts) - 2), shape.shapes()[-1]
    return Header(kind, names, game, caption(said), notes(margins), shape.span)


def items(shape: Shape) -> list[t.Item]:
    """Return the nodes of one item; several where it names several things."""
    if clauses.is_clause(shape):
        return list(clauses.clause(shape))
    several = _SEVERAL.get(shape.rule)
    return several(shape) if several else [_ONE[shape.rule](shape)]


def _all(shapes: list[Shape]) -> tuple[t.Item, ...]:
    return tuple(item for shape in shapes for item in items(shape))


def _phase(shape: Shape) -> t.Item:
    guard = shape.option(4)
    return t.Phase(
        word(shape.leaf(0)),
        caption(shape.option(1)),
        _for_whom(shape.option(2)),
        shape.option(3) is not None,
        None if guard is None else expression(guard.shape(0)),
        _until(shape.option(5)),
        _all(shape.shapes(7)),
        notes(shape.shape(6)),
        span=shape.span,
    )


def _for_whom(shape: Shape | None) -> t.ForWhom | None:
    if shape is None:
        return None
    name, source = word(shape.leaf(0)), expression(shape.shape(1))
    return t.ForWhom(name, source, span=shape.span)


def _until(shape: Shape | None) -> t.Until | None:
    if shape is None:
        return None
    condition, times = shape.shapes()
    return t.Until(expression(condition), expression(times), span=shape.span)


def _with_guard(shape: Shape) -> t.Item:
    names, margins, *inside = shape.shapes()
    return t.WithGuard(words(names), _all(inside), notes(margins), span=shape.span)


_SEVERAL: dict[str, Several] = {
    "zone": declarations.zones,
    "sealed": declarations.sealed,
    "remove": edits.removes,
}

_ONE: dict[str, One] = {
    "players": declarations.players,
    "needs_players": declarations.needs_players,
    "source": declarations.source,
    "requires": declarations.relates,
    "implies": declarations.relates,
    "excludes": declarations.relates,
    "one_of": declarations.one_of,
    "at_most_one_of": declarations.at_most_one_of,
    "suggests": declarations.suggests,
    "extends_preset": declarations.extends_preset,
    "preset_with": declarations.preset_with,
    "preset_set": declarations.preset_set,
    "remark": declarations.remark,
    "type_decl": declarations.type_decl,
    "component": declarations.component,
    "dice": declarations.dice,
    "tokens": declarations.tokens,
    "state": declarations.state,
    "value": declarations.value,
    "layer": declarations.layer,
    "adjust": declarations.adjust,
    "option": declarations.option,
    "always": declarations.always,
    "warn": declarations.warn,
    "winners": declarations.winners,
    "effect": clauses.effect,
    "action": clauses.action,
    "when": clauses.reaction,
    "before": clauses.reaction,
    "after": clauses.reaction,
    "instead": clauses.reaction,
    "open_step": clauses.open_step,
    "automatic_step": clauses.automatic_step,
    "order": clauses.order,
    "phase": _phase,
    "change_line": edits.change_line,
    "change": edits.change,
    "recaption": edits.recaption,
    "default": edits.default,
    "raise_by": edits.tune,
    "lower_by": edits.tune,
    "release_among": edits.release_among,
    "release_pair": edits.release_pair,
    "lift": edits.lift,
    "extend_members": edits.extend_members,
    "extend_tokens": edits.extend_tokens,
    "extend_rows": edits.extend_rows,
    "extend_fields": edits.extend_fields,
    "mute": edits.mute,
    "assertion": edits.assertion,
    "with_guard": _with_guard,
}
