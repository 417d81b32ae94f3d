"""Whole units: what may stand in one, and the two items that hold others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from houserule.syntax.tree.edits import LineEdit
from houserule.syntax.tree.expressions import Expr
from houserule.syntax.tree.flow import FlowDecl, ForWhom, Until
from houserule.syntax.tree.statements import Clause
from houserule.syntax.tree.terms import Node, Notes, Text, Word
from houserule.syntax.tree.things import About, ThingDecl

__all__ = [
    "Decl",
    "Edit",
    "Item",
    "Phase",
    "Unit",
    "WithGuard",
]


@dataclass(frozen=True, slots=True)
class Phase(Node):
    """`phase turn for me in clockwise(first) if …`, with what stands inside."""

    name: Word
    caption: Text | None
    for_whom: ForWhom | None
    together: bool
    guard: Expr | None
    until: Until | None
    items: tuple[Item, ...]
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class WithGuard(Node):
    """`with other_variant:` and the items that hold only then."""

    names: tuple[Word, ...]
    items: tuple[Item, ...]
    notes: Notes = ()


Decl: TypeAlias = ThingDecl | FlowDecl | Phase | Clause
Edit: TypeAlias = LineEdit | WithGuard
Item: TypeAlias = About | Decl | Edit


@dataclass(frozen=True, slots=True)
class Unit(Node):
    """A game, a variant, a bridge or a preset: one header and what follows it.

    `names` holds the members of a bridge; the others have one name. `game` is the
    name after `for` (of a game: its own name).
    """

    kind: Literal["game", "variant", "bridge", "preset"]
    names: tuple[Word, ...]
    game: Word
    caption: Text | None
    items: tuple[Item, ...]
    notes: Notes = ()

    @property
    def id(self) -> str:
        """The unit's address: its name, or the sorted members of a bridge."""
        return "+".join(sorted(word.text for word in self.names))

    @property
    def title(self) -> str:
        """What people call the unit: its caption, else its name or its members."""
        return self.caption.text if self.caption else self.id.replace("+", " + ")
