"""Parameters: which names a clause sees besides those of the whole game."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from houserule.syntax import tree
from houserule.syntax.tree.constructs import clause_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
        match item:
            case tree.Action() | tree.Effect():
                owner = item.name.text
                yield from ((owner, owner, name) for name in _names(item.params))
                if isinstance(item, tree.Action) and item.by:
                    yield from ((owner, owner, word.text) for word in item.by.names)
                yield from _of_costs(owner, item.clauses)
            case tree.Value():
                owner = item.name.text
                yield from ((owner, owner, name) for name in _names(item.params))
            case tree.Reaction():
                yield from self._of_reaction(item)
            case tree.Cost():
                clause = item.name.text
                owner = clause.partition(".")[0]
                yield from ((owner, clause, name) for name in _names(item.params))
            case tree.Component(each=params) | tree.DiceDecl(each=params):
                self.fields |= set(_names(params))
            case _:
                pass

    def _of_reaction(self, item: tree.Reaction) -> Iterator[tuple[str, str, str]]:
        owner = item.name.text
        words = [*(item.params or ()), item.old, item.new]
        yield from ((owner, owner, word.text) for word in words if word)
        if item.params is None:
            self.hooked[owner].add(item.event.text.partition(".")[0])


def _names(params: tree.Params) -> Iterator[str]:
    for param in params:
        yield from (word.text for word in param.names)


def _of_costs(
    owner: str, clauses: Iterable[tree.Clause]
) -> Iterator[tuple[str, str, str]]:
    for clause in clauses:
        if isinstance(clause, tree.Cost):
            address = clause_address(owner, clause)
            yield from ((owner, address, name) for name in _names(clause.params))
