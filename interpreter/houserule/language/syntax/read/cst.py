"""Concrete syntax: the result of the grammar, before it becomes a typed tree."""

from __future__ import annotations

from typing import TypeAlias

from houserule.base.frozen import frozen
from houserule.base.source import Span


@frozen
class Leaf:
    """A word, number, quoted text or symbol that the grammar keeps."""

    text: str
    span: Span


@frozen
class CstNode:
    """A rule of the grammar with its parts; absent parts are None."""

    rule: str
    parts: tuple[Part, ...]
    span: Span

    def node(self, index: int) -> CstNode:
        """Return the part at `index`, which must be a rule of the grammar.

        Raises:
            TypeError: the part is a word or is absent.
        """
        part = self.parts[index]
        if not isinstance(part, CstNode):
            raise TypeError(f"part {index} of {self.rule} is no rule")
        return part

    def leaf(self, index: int) -> Leaf:
        """Return the part at `index`, which must be a word.

        Raises:
            TypeError: the part is a rule or is absent.
        """
        part = self.parts[index]
        if not isinstance(part, Leaf):
            raise TypeError(f"part {index} of {self.rule} is no word")
        return part

    def option(self, index: int) -> CstNode | None:
        """Return the part at `index`, or None if it is absent."""
        return None if self.parts[index] is None else self.node(index)

    def leaf_option(self, index: int) -> Leaf | None:
        """Return the word at `index`, or None if it is absent."""
        return None if self.parts[index] is None else self.leaf(index)

    def nodes(self, first: int = 0) -> list[CstNode]:
        """Return the rules among the parts from `first` on."""
        return [part for part in self.parts[first:] if isinstance(part, CstNode)]

    def leaves(self) -> list[Leaf]:
        """Return the words among the parts."""
        return [part for part in self.parts if isinstance(part, Leaf)]


Part: TypeAlias = CstNode | Leaf | None


@frozen
class ParseError:
    """The place where the grammar stopped, and the input that it expected.

    Attributes:
        text: the word at this place; empty at the end of a line.
        kind: "word", "number", "text", "sign", "end" (of the line), "back" (the block
            ends here), "deeper" (the line is too deep), or one of the following.
            "nested" is for too many levels in brackets or blocks, "field" for a field
            in place of a callable name, "call" for an expression among statements.
            "typed" is for a typed key among the values of a member, "many" for an
            invalid number of things, "reserved" for a reserved word used as a name.
        line: the line, from 1.
        column: the column, from 1.
        accepts: the expected input: words and symbols as written, and NAME, INT,
            STRING, END, DEEPER, TIE, LIMIT, IF_ANY, IF_POSSIBLE.
    """

    text: str
    kind: str
    line: int
    column: int
    accepts: frozenset[str] = frozenset()
