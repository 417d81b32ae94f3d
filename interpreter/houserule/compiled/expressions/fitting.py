"""Sets that go into a place of some type: a state, a parameter, a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.compiled.expressions import bits, sets
from houserule.compiled.memory.shapes import (
    Universe,
    is_set,
    may_be_no_set,
    part_of,
    universe_of,
)
from houserule.compiled.memory.slots import Words
from houserule.compiled.text.text import Code, Unsupported
from houserule.ir import nodes as ir
from houserule.ir import types
from houserule.source import Span

if TYPE_CHECKING:
    from houserule.compiled.expressions.expressions import Expressions


def present_in(
    e: Expressions, node: ir.Expr, space: Universe, span: Span
) -> tuple[Code, Words]:
    """Return whether a set is there, and its words in a universe; else F01."""
    if not may_be_no_set(node.type):
        there, words = "(i32.const 1)", e.words_in(node, space, span)
    else:
        there, words = sets.present(e, node)
        words = bits.converted(e, words, universe_of(node.type), space, span)
    return e.f.keep(there), bits.kept(e, words)


def fitting(e: Expressions, node: ir.Expr, place: ir.StateDef | ir.ValueDef) -> Words:
    """Return the words in which a state or a value keeps what it is said to be."""
    found = present_in(e, node, universe_of(place.type), place.span)
    return _kept(e, found, node.type, place, place.span)


def fitted(
    e: Expressions,
    found: tuple[Code, Words],
    given: types.Type,
    place: ir.StateDef,
    span: Span,
) -> Words:
    """Return the words in which a state keeps what was found, of a type of its own."""
    there, words = found
    own, space = universe_of(given), universe_of(place.type)
    words = bits.kept(e, bits.converted(e, words, own, space, span))
    return _kept(e, (there, words), given, place, span)


def _kept(
    e: Expressions,
    found: tuple[Code, Words],
    given: types.Type,
    place: ir.StateDef | ir.ValueDef,
    span: Span,
) -> Words:
    """Return words as they are kept; F01 where a part is empty.

    Raises:
        Unsupported: a set that may be none where one must be.
    """
    if is_set(place.type) and not is_set(given):
        raise Unsupported(f"{given} where {place.type} is kept")
    there, words = found
    if part_of(place.type) and not part_of(given):
        empty = bits.empty(words)
        with e.f.when(empty if is_set(given) else f"(i32.and {there} {empty})"):
            e.fault("F01", f"`{place.name}` would be empty.", span)
    return bits.put_together(place.type, there, words)
