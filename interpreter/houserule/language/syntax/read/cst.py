"""Concrete syntax: what the grammar found, before it becomes a typed tree."""

from __future__ import annotations

from typing import TypeAlias

from houserule.base.frozen import frozen
from houserule.base.source import Span


@frozen
class Leaf:
    """One word, number, quoted text or sign that the grammar keeps."""

    text: str
    span: Span


@frozen
class CstNode:
    """One rule of the grammar with its parts; a part left out is None."""

    rule: str
    parts: tuple[Part, ...]
    span: Span

    def node(self, index: int) -> CstNode:
        """Return the part at `index`, which must be a rule of the grammar.

        Raises:
            TypeError: the part is a word or was left out.
        """
        part = self.parts[index]
        if not isinstance(part, CstNode):
            raise TypeError(f"part {index} of {self.rule} is no rule")
        return part

    def leaf(self, index: int) -> Leaf:
        """Return the part at `index`, which must be a word.

        Raises:
            TypeError: the part is a rule or was left out.
        """
        part = self.parts[index]
        if not isinstance(part, Leaf):
            raise TypeError(f"part {index} of {self.rule} is no word")
        return part

    def option(self, index: int) -> CstNode | None:
        """Return the part at `index`, or None if it was left out."""
        return None if self.parts[index] is None else self.node(index)

    def leaf_option(self, index: int) -> Leaf | None:
        """Return the word at `index`, or None if it was left out."""
        return None if self.parts[index] is None else self.leaf(index)

    def nodes(self, first: int = 0) -> list[CstNode]:
        """Return the rules among the parts from `first` on."""
        return [part for part in self.parts[first:] if isinstance(part, CstNode)]

    def leaves(self, first: int = 0) -> list[Leaf]:
        """Return the words among the parts from `first` on."""
        return [part for part in self.parts[first:] if isinstance(part, Leaf)]


Part: TypeAlias = CstNode | Leaf | None


@frozen
class ParseError:
    """Where the grammar could not go on, and what it could have read there.

    Attributes:
        text: the word that stands there; empty at the end of a line.
        kind: "word", "number", "text", "sign", "end" (of the line), "back" (the block
            ends here), "deeper" (the line stands deeper than it may), "nested" (too
            many levels in brackets or blocks), "field" (a field where only a name
            may be called), "call" (an expression among statements), "typed" (a typed
            key among the values of a member), "many" (no number for how many),
            "reserved" (a word of the language where a name is used).
        line: the line, from 1.
        column: the column, from 1.
        accepts: what could have stood there: words and signs as they are written,
            and NAME, INT, STRING, END, DEEPER, TIE, LIMIT, IF_ANY,
            IF_POSSIBLE.
    """

    text: str
    kind: str
    line: int
    column: int
    accepts: frozenset[str] = frozenset()
