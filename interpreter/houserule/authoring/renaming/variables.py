"""Variables and parameters: their owners, and every reference to them.

The owner of a variable is the action, value, state or phase around it. All variables of
one name in an owner are renamed together, in all its clauses and in house rules. No
variable shadows another, so an owner and a name identify a variable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from houserule.base.source import Span
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import CONSTRUCTS
from houserule.language.syntax.tree.visitor import children, names_bound

ME = "me"


class Bound:
    """All variables of some units, by owner."""

    def __init__(self, units: Iterable[tree.Unit]) -> None:
        self._nodes = [pair for unit in units for pair in _owned(unit, "")]

    @cached_property
    def by_owner(self) -> dict[str, dict[str, Span]]:
        """The variables of each owner, each with its first place."""
        found: dict[str, dict[str, Span]] = defaultdict(dict)
        for owner, node in self._nodes:
            for word in _bound_by(node):
                found[owner].setdefault(word.text, word.span)
        return found

    @cached_property
    def addresses(self) -> dict[str, Span]:
        """Every variable as its owner, a dot, and its name."""
        return {
            f"{owner}.{name}": span
            for owner, names in self.by_owner.items()
            for name, span in names.items()
            if owner and name != ME
        }

    @cached_property
    def _of_phases(self) -> dict[str, str]:
        return {
            node.for_whom.name.text: owner
            for owner, node in self._nodes
            if isinstance(node, tree.Phase) and node.for_whom is not None
        }

    def owners(self, owner: str, name: str) -> set[str]:
        """Return the scope of a variable: its owner, and reactions that inherit it."""
        found = {owner}
        hooks = [
            (hanging, node.event.parts[0])
            for hanging, node in self._nodes
            if isinstance(node, tree.Reaction) and node.params is None
        ]
        while more := {each for each, event in hooks if event in found} - found:
            found |= more
        if self._of_phases.get(name) == owner:  # visible to everything in the phase
            others = {each for each, _ in self._nodes}
            found |= {each for each in others if name not in self.by_owner[each]}
        return found

    def taken(self, owner: str, name: str, new: str) -> Span | None:
        """Return where a new name is a visible variable already."""
        if new in self._of_phases:
            return self.by_owner[self._of_phases[new]][new]
        seen = (self.by_owner[each].get(new) for each in self.owners(owner, name))
        return next((each for each in seen if each is not None), None)

    def spans(self, owner: str, name: str) -> Iterator[Span]:
        """Yield every reference to a variable."""
        owners = self.owners(owner, name)
        for of, node in self._nodes:
            if of in owners:
                at = node.span
                if isinstance(node, tree.Name) and node.name == name:
                    yield Span.at(at.file, at.line, at.column, len(name))
                words = [*_bound_by(node)]
                if isinstance(node, tree.Binder | tree.HowMany):
                    words += (
                        e for e in (node.low, node.high) if isinstance(e, tree.Word)
                    )
                yield from (word.span for word in words if word.text == name)
            for child in children(node):
                if isinstance(child, tree.Word) and child.parts[:2] == (owner, name):
                    column = child.span.column + len(owner) + 1
                    yield Span.at(child.span.file, child.span.line, column, len(name))


def _owned(node: tree.Node, owner: str) -> Iterator[tuple[str, tree.Node]]:
    yield owner, node
    holds_items = isinstance(node, tree.Unit | tree.WithGuard | tree.Phase)
    for child in children(node):
        if isinstance(child, tree.Component | tree.DiceDecl):
            continue  # these bind fields
        own: str | None  # the child's name, if it owns the variables in it
        match child:
            case tree.Phase() | tree.Step():
                own = child.name.parts[-1]
            case tree.Winners() | tree.Striving():
                own = CONSTRUCTS[type(child)].address
            case tree.Action() | tree.Effect() | tree.Reaction() | tree.Value():
                own = child.name.text
            case tree.State() | tree.Zone() | tree.Tokens() | tree.Adjust():
                own = child.name.text
            case tree.Always() | tree.Warn() | tree.DrawnBy():
                own = child.name.text
            case _ if holds_items and isinstance(child, tree.Clause):
                own = None if isinstance(child, tree.UsesUp) else child.name.parts[0]
            case _:
                target = getattr(child, "target", None) if holds_items else None
                own = target.parts[0] if isinstance(target, tree.Word) else None
        yield from _owned(child, owner if own is None else own)


def _bound_by(node: tree.Node) -> Iterator[tree.Word]:
    if isinstance(node, tree.SlotKey):
        yield node.name
    else:
        yield from names_bound(node)
