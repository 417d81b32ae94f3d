"""Words, quoted texts, margins and types, from shapes to nodes."""

from __future__ import annotations

from houserule.syntax import tree as t
from houserule.syntax.read.cst import Leaf, Shape


def word(leaf: Leaf) -> t.Word:
    """Return a plain name."""
    return t.Word(leaf.text, span=leaf.span)


def word_option(leaf: Leaf | None) -> t.Word | None:
    """Return a plain name, or None where none was written."""
    return None if leaf is None else word(leaf)


def words(shape: Shape | None) -> tuple[t.Word, ...]:
    """Return the names of a list of names; none where the list was left out."""
    return () if shape is None else tuple(word(leaf) for leaf in shape.leaves())


def dotted(shape: Shape) -> t.Word:
    """Return an address such as `slide.downhill`."""
    return t.Word(".".join(leaf.text for leaf in shape.leaves()), span=shape.span)


def quoted(leaf: Leaf) -> t.Text:
    """Return a quoted text without its quotation marks."""
    return t.Text(leaf.text[1:-1], span=leaf.span)


def caption(shape: Shape | None) -> t.Text | None:
    """Return the caption of a line, if it has one."""
    return None if shape is None else quoted(shape.leaf(0))


def phrase(shape: Shape) -> str:
    """Return the words of a fixed phrase, such as `at most once`."""
    return " ".join(leaf.text for leaf in shape.leaves())


def notes(*shapes: Shape | None) -> t.Notes:
    """Return the margins of these places, in order."""
    found = (part for shape in shapes if shape is not None for part in shape.shapes())
    return tuple(_note(part) for part in found)


def _note(shape: Shape) -> t.Note:
    if shape.rule == "ruling":
        return t.Ruling(shape.leaf(0).text, span=shape.span)
    source = shape.leaf_option(0)
    first, last, quote = _place(shape.option(2))
    return t.Cite(
        source.text if source else None,
        shape.leaf(1).text[1:-1],
        first,
        last,
        quote,
        span=shape.span,
    )


def _place(shape: Shape | None) -> tuple[int | None, int | None, str | None]:
    if shape is None:
        return None, None, None
    texts = [leaf.text for leaf in shape.leaves()]
    if texts[0].startswith('"'):
        return None, None, texts[0][1:-1]
    return int(texts[0]), int(texts[1]) if len(texts) > 1 else None, None


def bound(shape: Shape) -> int | t.Word:
    """Return one end of a range: a number or the name of an option."""
    leaf = shape.leaf(0)
    if shape.rule == "word":
        return word(leaf)
    return -int(leaf.text) if shape.rule == "minus_int" else int(leaf.text)


def type_of(shape: Shape) -> t.Type:
    """Return a type."""
    if shape.rule == "maybe":
        return t.MaybeType(_base_type(shape.shape(0)), span=shape.span)
    return _base_type(shape)


def _base_type(
    shape: Shape,
) -> t.RangeType | t.NamedType | t.FlagType | t.SetType | t.PartType:
    span = shape.span
    match shape.rule:
        case "range_type":
            low, high = shape.shapes()
            return t.RangeType(bound(low), bound(high), span=span)
        case "flag":
            return t.FlagType(span=span)
        case "set_type":
            return t.SetType(shape.leaf(0).text, span=span)
        case "part_type":
            return t.PartType(shape.leaf(0).text, span=span)
        case _:
            return t.NamedType(shape.leaf(0).text, span=span)
