"""Words, quoted texts, margins and types, from the concrete syntax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

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
