"""Sets that go into a place of some type: a state, a parameter, a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.expressions import bits, sets
from houserule.compiled.memory.shapes import (
    Universe,
    is_set,
    may_be_no_set,
    universe_of,
)
from houserule.compiled.memory.slots import Words
from houserule.compiled.writer.functions import Code, Unsupported
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
    return _kept(found, node.type, place.type)


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
    return _kept((there, words), given, place.type)


def _kept(found: tuple[Code, Words], given: types.Type, type_: types.Type) -> Words:
    """Return words as they are kept; that a part is not empty, the check saw to.

    Raises:
        Unsupported: a set that may be none where one must be.
    """
    if is_set(type_) and not is_set(given):
        raise Unsupported(f"{given} where {type_} is kept")
    there, words = found
    return bits.put_together(type_, there, words)
