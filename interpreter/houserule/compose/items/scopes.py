"""Parameters: which names a clause sees besides those of the whole game."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from houserule.syntax import tree
from houserule.syntax.tree.constructs import clause_address
from houserule.syntax.tree.visitor import names_bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule.compose.items.index import Declaration, Family


class Scopes:
    """The parameters of every action, effect, value and reaction of a family.

    A hook without parentheses sees the parameters of what it hooks.
    """

    def __init__(self, family: Family) -> None:
        """Read every parameter, and when it is there."""
        self.family = family
        self.names: dict[str, dict[str, list[Declaration]]] = defaultdict(dict)
        self.hooked: dict[str, set[str]] = defaultdict(set)
        self.fields: set[str] = set()
        for number, placed in enumerate(family.placed):
            for owner, clause, name in self._params(placed.item):
                said = family.declared.get(clause, ())
                own = [each for each in said if each.item == number]
                self.names[owner].setdefault(name, []).extend(own)

    def bringing(self, clause: str, name: str) -> list[Declaration]:
        """Return what brings a parameter of that name, for a clause; [] if nothing."""
        found: list[Declaration] = []
        for owner in self._chain(clause.partition(".")[0]):
            found += self.names.get(owner, {}).get(name, ())
        return found

    def is_field(self, name: str) -> bool:
        """Say whether a product of types brings a field of that name."""
        return name in self.fields

    def _chain(self, owner: str) -> list[str]:
        chain = [owner]
        for each in chain:
            chain += (
                sorted(self.hooked[each] - set(chain)) if each in self.hooked else []
            )
        return chain

    def _params(self, item: tree.Item) -> Iterator[tuple[str, str, str]]:
        """Yield (owner, clause that brings it, name) of every parameter."""
        words = [word.text for word in names_bound(item)]
        match item:
            case tree.Action() | tree.Effect() | tree.Reaction():
                owner = item.name.text
                yield from ((owner, owner, name) for name in words)
                for clause in item.clauses:
                    address = clause_address(owner, clause)
                    keys = names_bound(clause)
                    yield from ((owner, address, key.text) for key in keys)
                if isinstance(item, tree.Reaction) and item.params is None:
                    self.hooked[owner].add(item.event.text.partition(".")[0])
            case tree.Value(name=name):
                yield from ((name.text, name.text, key) for key in words)
            case tree.Cost(name=name):
                owner = name.text.partition(".")[0]
                yield from ((owner, name.text, key) for key in words)
            case tree.Component() | tree.DiceDecl():
                self.fields |= set(words)
            case _:
                pass
