"""Declared names of a ruleset: what its texts may speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from houserule.syntax import tree
from houserule.syntax.tree.constructs import clause_address
from houserule.syntax.tree.visitor import names_bound, walk


@dataclass
class Names:
    """Names by the section of a text file that may give them words.

    `slots` holds, for each action, effect, reaction, state and value, the names that a
    message about it may use in braces; `changed` the addresses that each unit changes;
    `notes` the words of all notes.
    """

    titles: set[str] = field(default_factory=set)
    things: set[str] = field(default_factory=set)
    flow: set[str] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)
    captions: set[str] = field(default_factory=set)
    slots: dict[str, set[str]] = field(default_factory=dict)
    changed: dict[str, set[str]] = field(default_factory=dict)
    notes: set[str] = field(default_factory=set)

    @property
    def messages(self) -> set[str]:
        """What can happen, and so may have a message."""
        return self.captions | self.flow | self.actions | self.slots.keys()

    def in_section(self, section: str) -> set[str]:
        """Return the names of a section."""
        found: set[str] = getattr(self, section)
        return found


def declared_names(units: Iterable[tree.Unit]) -> Names:
    """Return every name that these units declare, whichever of them are on."""
    names = Names()
    reactions: list[tree.Reaction] = []
    for unit in units:
        names.titles.add(unit.id)
        names.captions.update(address for address, _ in addressed(unit))
        for node in walk(unit):
            _note(node, unit, names)
            if isinstance(node, tree.Reaction):
                reactions.append(node)
    _let_hooks_know(reactions, names)
    return names


def _let_hooks_know(reactions: list[tree.Reaction], names: Names) -> None:
    """Add the names of what a reaction hangs on, where it has no names of its own.

    What a value was and is stays with the reaction that names it. Some reactions hang
    on each other, so names are handed on until all have come everywhere.
    """
    changes = {
        each.name.text: {word.text for word in (each.old, each.new) if word}
        for each in reactions
    }
    hooks = [each for each in reactions if each.params is None]
    for _ in hooks:
        for hook in hooks:
            event = hook.event.text.partition(".")[0]
            own = names.slots.get(event, set()) - changes.get(event, {"old", "new"})
            names.slots[hook.name.text] |= own


def addressed(unit: tree.Unit) -> Iterator[tuple[str, tree.Node]]:
    """Yield every node that may bear a caption, with its address."""
    for node in walk(unit):
        match node:
            case tree.Action() | tree.Effect() | tree.Reaction():
                owner = node.name.text
                yield owner, node
                for clause in node.clauses:
                    yield clause_address(owner, clause), clause
            case tree.Phase(name=name) | tree.Step(name=name):
                yield name.parts[-1], node
            case tree.Lift(target=name):
                yield name.text, node
            case tree.Winners():
                yield "winners", node
            case _ if isinstance(node, tree.Clause):
                # others come with their owner
                if not isinstance(node, tree.UsesUp) and "." in node.name.text:
                    yield node.name.text, node
            case _ if hasattr(node, "caption") and hasattr(node, "name"):
                yield node.name.text, node
            case _:
                pass


def _note(node: tree.Node, unit: tree.Unit, names: Names) -> None:
    match node:
        case tree.Option(name=name):
            names.titles.add(name.text)
        case tree.Phase(name=name) | tree.Step(name=name):
            names.flow.add(name.parts[-1])
        case tree.Action() | tree.Effect() | tree.Reaction():
            names.slots.setdefault(node.name.text, {"me"}).update(_slots(node))
            if isinstance(node, tree.Action):
                names.actions.add(node.name.text)
        case tree.Change(target=target) | tree.Recaption(target=target):
            names.changed.setdefault(unit.id, set()).add(target.text)
        case tree.Remark(caption=words):
            names.notes.add(words.text)
        case tree.Assert(caption=tree.Text(text=text)):
            names.notes.add(text)
        case _:
            names.things.update(_things(node))
            if isinstance(node, tree.State | tree.Value):
                keys = {word.text for word in names_bound(node)}
                names.slots.setdefault(node.name.text, {"old", "new"}).update(keys)


def _slots(node: tree.Action | tree.Effect | tree.Reaction) -> set[str]:
    """Return the names that an owner binds: its parameters and those of its costs."""
    every = (node, *node.clauses)
    return {word.text for each in every for word in names_bound(each)}


def _things(node: tree.Node) -> Iterator[str]:
    """Yield the names of what lies on the table, or could be pointed at."""
    match node:
        case tree.TypeDecl(name=name, members=members):
            yield from (name.text, *(word.text for word in members))
        case tree.DiceDecl(name=name, members=members):
            yield from (name.text, *(word.text for word in members))
        case tree.ExtendMembers(names=members):
            yield from (word.text for word in members)
        case tree.Component(name=name, fields=fields):
            yield name.text
            yield from (f"{name.text}.{each.name.text}" for each in fields)
        case tree.ExtendFields(target=name, fields=fields):
            yield from (f"{name.text}.{each.name.text}" for each in fields)
        case tree.Tokens(name=name) | tree.Zone(name=name) | tree.State(name=name):
            yield name.text
        case tree.Value(name=name) | tree.Slot(name=name):
            yield name.text
        case _:
            pass
