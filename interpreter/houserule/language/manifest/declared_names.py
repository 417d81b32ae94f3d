"""The declared names of a ruleset: those that its texts may use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from houserule.base.diagnostics.diagnostic import Diagnostic, fault
from houserule.base.inflection import pieces
from houserule.language.manifest.messages import E011, E101
from houserule.language.manifest.ruleset import LoadedRow
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import (
    CLAUSES,
    CONSTRUCTS,
    clause_address,
)
from houserule.language.syntax.tree.visitor import bound_among, names_bound, walk
from houserule.language.syntax.vocabulary import (
    BUILT_IN_FUNCTIONS,
    BUILT_IN_NAMES,
    BUILT_IN_TYPES,
    YIELDING,
    free_name,
    taken_built_in,
)

Nodes: TypeAlias = Sequence[tree.Node]

OF_THE_SAME = {"also": "actions", "answers": "questions"}
"""Sections of texts with the same names as another section."""

NO_TARGET = (tree.Assert, tree.Release)
"""Edits that name no clause, or only the order of several."""


@dataclass
class Names:
    """Names by the section of a text file that may word them.

    Attributes:
        slots: for each action, effect, reaction, state and value, the names that a
            message about it may use in braces.
        readings: the same for the current value of each quantity and clause.
        places: the keys of each zone and place of tokens.
        changed: the addresses that each unit changes.
        edited: the clauses that each unit declares or edits in any way.
        members: for each kind with fields, the fields that its members' names may use.
        called: patterns of the names of products' members.
        built: for each action and each clause that asks for a choice or a share, the
            variables that a player decides there.
        bound: for each owner and clause, all variables in it.
        shared: the clauses that ask for a share.
        numbers: how many numbers each clause has.
    """

    titles: set[str] = field(default_factory=set)
    things: set[str] = field(default_factory=set)
    flow: set[str] = field(default_factory=set)
    actions: set[str] = field(default_factory=set)
    captions: set[str] = field(default_factory=set)
    slots: dict[str, set[str]] = field(default_factory=dict)
    readings: dict[str, set[str]] = field(default_factory=dict)
    places: dict[str, set[str]] = field(default_factory=dict)
    changed: dict[str, set[str]] = field(default_factory=dict)
    edited: dict[str, set[str]] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    members: dict[str, set[str]] = field(default_factory=dict)
    notes: set[str] = field(default_factory=set)
    called: list[re.Pattern[str]] = field(default_factory=list)
    built: dict[str, set[str]] = field(default_factory=dict)
    bound: dict[str, set[str]] = field(default_factory=dict)
    shared: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def choices(self) -> set[str]:
        """Choices: actions, clauses that ask, and ending a step."""
        return self.built.keys() | self.flow

    @property
    def questions(self) -> set[str]:
        """The variables of choices, each as `choice.variable`."""
        return {
            f"{chosen}.{name}" for chosen, own in self.built.items() for name in own
        }

    @property
    def names(self) -> set[str]:
        """All things, and variables as `clause.variable` or `owner.variable`."""
        bound = {f"{home}.{name}" for home, own in self.bound.items() for name in own}
        return self.things | bound

    @property
    def answered(self) -> dict[str, set[str]]:
        """The variables of clauses that ask, each with all variables decided there."""
        return {
            f"{site}.{name}": {"me", *own}
            for site, own in self.built.items()
            if site not in self.actions
            for name in own
        }

    @property
    def messages(self) -> set[str]:
        moves = {f"{to}.{source}" for to in self.places for source in self.places}
        found = self.captions | self.flow | self.actions | self.slots.keys()
        return found | self.places.keys() | self.answered.keys() | moves

    @property
    def prose(self) -> set[str]:
        """Names that may have sentences in the rulebook."""
        return self.captions | self.kinds

    def prose_of(self, unit: str) -> set[str]:
        """Return the clauses for which a unit may replace the sentences."""
        return self.edited.get(unit, set()) & self.prose

    def put_in_prose(self, address: str) -> set[str]:
        """Return the names that prose for a clause may use in braces."""
        numbers = range(1, self.numbers.get(address, 0) + 1)
        return self.options | {f"n{number}" for number in numbers}

    def known_in(self, message: str) -> set[str]:
        """Return the names that a message may use in braces."""
        if message in self.answered:
            return self.answered[message]
        parts = message.split(".")
        if parts[0] not in self.places:
            return self.slots.get(parts[0], {"me"})
        keys = (self.places.get(part, set()) for part in parts)
        return {"things", "source", "to"}.union(*keys)

    def in_section(self, section: str) -> set[str]:
        return set(getattr(self, OF_THE_SAME.get(section, section)))


def check_names(units: Iterable[tree.Unit]) -> Iterator[Diagnostic]:
    """Yield E011 for built-in names, and E101 for clauses without their owner's name.

    Either makes a name ambiguous in all other files, so that their messages would be
    about innocent lines.
    """
    units = tuple(units)
    kinds = {
        node.name.text: CONSTRUCTS[type(node)].kind
        for unit in units
        for node in walk(unit)
        if isinstance(node, tree.Action | tree.Effect | tree.Reaction)
    }
    for unit in units:
        for node in walk(unit):
            for word in _words_of_things(node):
                if word.text in _BUILT_IN:
                    message, fix = taken_built_in(word.text), free_name(word.text)
                    yield fault(E011, message, word.span, fixes=(fix,))
        for item in _all_items(unit.items):
            name = getattr(item, "name", None)
            if isinstance(item, tree.Lift) and "." not in item.target.text:
                exception = item.target.text
                yield fault(
                    E101,
                    f"`{exception}` does not include the name of the clause to which "
                    "it is an exception.",
                    item.target.span,
                    "an address is expected here",
                    fixes=(f"or ACTION.CLAUSE.{exception}",),
                )
            if not (isinstance(item, CLAUSES) and isinstance(name, tree.Word)):
                continue
            if "." not in name.text:
                row = CONSTRUCTS[type(item)]
                owned = kinds.get(name.text) in row.owners
                address = f"{name.text}.NAME" if owned else f"ACTION.{name.text}"
                missing = "does not include the name of the action to which it belongs."
                if owned:
                    missing = f"is the {kinds[name.text]}: the clause has no name yet."
                yield fault(
                    E101,
                    f"`{name.text}` {missing}",
                    name.span,
                    "an address is expected here",
                    fixes=(f"{row.kind} {address}",),
                )


_BUILT_IN = {*BUILT_IN_FUNCTIONS, *BUILT_IN_NAMES, *BUILT_IN_TYPES} - YIELDING


def _words_of_things(node: tree.Node) -> Iterator[tree.Word]:
    match node:
        case (
            tree.TypeDecl(name=name, members=words)
            | tree.DiceDecl(name=name, members=words)
        ):
            yield from (name, *words)
        case tree.ExtendMembers(names=words):
            yield from words
        case tree.Slot(name=name):
            yield name
        case _ if type(node) in CONSTRUCTS and CONSTRUCTS[type(node)].space == "thing":
            word = getattr(node, "name", None)
            if isinstance(word, tree.Word):
                yield word
        case _:
            pass


def _all_items(items: Iterable[tree.Item]) -> Iterator[tree.Item]:
    for item in items:
        yield item
        if isinstance(item, tree.WithGuard | tree.Phase):
            yield from _all_items(item.items)


def declared_names(
    units: Iterable[tree.Unit],
    tables: Mapping[str, tuple[LoadedRow, ...]] | None = None,
) -> Names:
    """Return every name that these units declare, whether or not they are on.

    If tables are given, their rows have names too.
    """
    names = Names()
    for rows in (tables or {}).values():
        names.things.update(row.id for row in rows)
    units = tuple(units)
    names.called = [re.compile(pattern) for _, pattern in called_members(units)]
    reactions: list[tree.Reaction] = []
    for unit in units:
        names.titles.add(unit.id)
        every = tuple(walk(unit))
        for address, node in _addressed(every):
            names.captions.add(address)
            names.edited.setdefault(unit.id, set()).add(address)
            inside = tuple(walk(node))
            _note_numbers(address, inside, names)
            _note_choices(address, node, inside, names)
            _note_bound(address, inside, names)
        for node in every:
            _note(node, unit, names)
            if isinstance(node, tree.Change | tree.ExtendTokens):
                _note_bound(node.target.text, tuple(walk(node)), names)
            if isinstance(node, tree.Reaction):
                reactions.append(node)
    # Add the names of a reaction's event if the reaction declares none, but no names of
    # a value's old and new amounts. Repeat this: reactions can trigger on reactions.
    changes = {
        each.name.text: {word.text for word in (each.old, each.new) if word}
        for each in reactions
    }
    hooks = [each for each in reactions if each.params is None]
    for _ in hooks:
        for hook in hooks:
            event = hook.event.text.partition(".")[0]
            own = (
                names.slots.get(event, set())
                - changes.get(event, {"old", "new"})
                - {"gain"}
            )
            names.slots[hook.name.text] |= own
    for address in names.captions:
        own = names.slots.get(address.partition(".")[0], {"me"}) | COMPARED
        names.readings.setdefault(address, set(own))
    return names


def called_members(
    units: Sequence[tree.Unit], enum: str = "", member: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield each product with names, and the regular expression that they match.

    Args:
        enum: if given, only products of this enumeration, and
        member: only their members that have this part; each place of it is a group.
    """
    every = [node for unit in units for node in walk(unit)]
    members: dict[str, list[str]] = {}
    for node in every:
        match node:
            case (
                tree.TypeDecl(name=name, members=words)
                | tree.ExtendMembers(target=name, names=words)
            ):
                members.setdefault(name.text, []).extend(word.text for word in words)
            case _:
                pass
    for made in every:
        if not isinstance(made, tree.Component | tree.DiceDecl) or made.called is None:
            continue
        types = {
            word.text: getattr(part.type, "name", "")
            for part in made.each
            if isinstance(part, tree.Typed)
            for word in part.names
        }
        if enum and enum not in types.values():
            continue
        with suppress(ValueError):  # E046 reports a brace without the other one
            found = ""
            for piece in pieces(made.called.text):
                if isinstance(piece, str):
                    found += re.escape(piece)
                elif enum and types.get(piece.name) == enum:
                    found += f"({member})"
                else:
                    known = members.get(types.get(piece.name, ""), ())
                    found += f"(?:{'|'.join(known) or '[A-Za-z0-9_]+'})"
            yield made.name.text, found


def _note_numbers(address: str, inside: Nodes, names: Names) -> None:
    own = sum(1 for _ in _numbers(inside))
    names.numbers[address] = max(own, names.numbers.get(address, 0))


def numbers_in(node: tree.Node) -> Iterator[int]:
    """Yield the numbers that are written in a clause, in order.

    The number of chosen things comes last: minimum and maximum, if they differ.
    """
    yield from _numbers(tuple(walk(node)))


def _numbers(inside: Nodes) -> Iterator[int]:
    yield from (each.value for each in inside if isinstance(each, tree.Int))
    for each in inside:
        if isinstance(each, tree.Binder | tree.HowMany):
            ends = dict.fromkeys((each.low, each.high))
            yield from (end for end in ends if isinstance(end, int))


def _note_choices(address: str, node: tree.Node, inside: Nodes, names: Names) -> None:
    """Record the variables of an action, or of a clause that asks."""
    owner = address.partition(".")[0]
    match node:
        case tree.Action():
            names.built.setdefault(owner, set()).update(_slots(node))
        case tree.Cost():
            bound = {word.text for word in names_bound(node)}
            names.built.setdefault(owner, set()).update(bound)
        case _:
            pass
    if isinstance(node, tree.Action | tree.Effect | tree.Reaction | tree.Phase):
        return  # their clauses and steps are visited separately
    for each in inside:
        if isinstance(each, tree.Choose | tree.Share):
            asked = {word.text for word in names_bound(each.binder)}
            names.built.setdefault(address, set()).update(asked)
            if isinstance(each, tree.Share):
                names.shared.add(address)


def _note_bound(address: str, inside: Nodes, names: Names) -> None:
    """Record the variables in a clause."""
    own = {word.text for word in bound_among(inside)}
    slots = (each for each in inside if isinstance(each, tree.Slot))
    own |= {key.name.text for slot in slots for key in slot.keys}
    for home in {address, address.partition(".")[0]}:
        names.bound.setdefault(home, set()).update(own)


def addressed(unit: tree.Unit) -> Iterator[tuple[str, tree.Node]]:
    """Yield every node that may have a caption, with its address."""
    return _addressed(walk(unit))


def _addressed(nodes: Iterable[tree.Node]) -> Iterator[tuple[str, tree.Node]]:
    for node in nodes:
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
            case tree.Winners() | tree.Striving():
                yield CONSTRUCTS[type(node)].address, node
            case _ if isinstance(node, tree.Clause):
                # others are visited with their owner
                if not isinstance(node, tree.UsesUp) and "." in node.name.text:
                    yield node.name.text, node
            case _ if hasattr(node, "caption") and hasattr(node, "name"):
                yield node.name.text, node
            case _:
                pass


def _note(node: tree.Node, unit: tree.Unit, names: Names) -> None:
    if isinstance(node, tree.LineEdit) and not isinstance(node, NO_TARGET):
        address = node.target.text
        while address:  # the address, and those of its owners
            names.edited.setdefault(unit.id, set()).add(address)
            address = address.rpartition(".")[0]
    match node:
        case tree.Option(name=name):
            names.titles.add(name.text)
            names.options.add(name.text)
        case tree.Phase(name=name) | tree.Step(name=name):
            names.flow.add(name.parts[-1])
        case tree.Action() | tree.Effect() | tree.Reaction():
            names.slots.setdefault(node.name.text, {"me"}).update(_slots(node))
            if isinstance(node, tree.Action):
                names.actions.add(node.name.text)
        case tree.Change(target=target) | tree.Recaption(target=target):
            names.changed.setdefault(unit.id, set()).add(target.text)
            _note_numbers(target.text, tuple(walk(node)), names)
        case tree.Remark(caption=words):
            names.notes.add(words.text)
        case tree.Assert(caption=tree.Text(text=text)):
            names.notes.add(text)
        case _:
            names.things.update(_things(node))
            if isinstance(node, tree.Component | tree.DiceDecl | tree.TypeDecl):
                names.kinds.add(node.name.text)
                start = f"{node.name.text}."
                own = {
                    each.removeprefix(start)
                    for each in _things(node)
                    if each.startswith(start)
                }
                if own:
                    names.members[node.name.text] = own
            for quantity, bound in _quantities(node):
                names.readings.setdefault(quantity, {"value"}).update(bound)
            if isinstance(node, tree.State | tree.Value):
                keys = {word.text for word in names_bound(node)}
                told = {"old", "new", "gain"}
                names.slots.setdefault(node.name.text, told).update(keys)
            if isinstance(node, tree.Zone):
                keys = {word.text for word in names_bound(node)}
                names.places.setdefault(node.name.text, set()).update(keys)
            if isinstance(node, tree.Slot):
                keys = {key.name.text for key in node.keys}
                names.places.setdefault(node.name.text, set()).update(keys)


def _slots(node: tree.Action | tree.Effect | tree.Reaction) -> set[str]:
    """Return the names that an owner binds: its parameters and those of its costs."""
    every = (node, *node.clauses)
    return {word.text for each in every for word in names_bound(each)}


def _things(node: tree.Node) -> Iterator[str]:
    match node:
        case tree.TypeDecl(name=name, members=members, fields=fields):
            yield from (name.text, *(word.text for word in members))
            yield from (f"{name.text}.{field.name.text}" for field in fields)
        case tree.DiceDecl(name=name, members=members, each=each):
            yield from (name.text, *(word.text for word in members))
            parts = [word for param in each for word in names_bound(param)]
            yield from (f"{name.text}.{word.text}" for word in parts)
        case tree.ExtendMembers(names=members):
            yield from (word.text for word in members)
        case tree.Component(name=name, each=each, fields=fields):
            yield name.text
            parts = [word for param in each for word in names_bound(param)]
            yield from (f"{name.text}.{word.text}" for word in parts)
            yield from (f"{name.text}.{field.name.text}" for field in fields)
        case tree.ExtendFields(target=name, fields=fields):
            yield from (f"{name.text}.{each.name.text}" for each in fields)
        case tree.Tokens(name=name) | tree.Zone(name=name) | tree.State(name=name):
            yield name.text
        case tree.Value(name=name) | tree.Slot(name=name):
            yield name.text
        case _:
            pass


COMPARED = frozenset({"me", "left", "right"})
ITSELF = "it"


def _quantities(node: tree.Node) -> Iterator[tuple[str, set[str]]]:
    """Yield the quantities with keys: name, and the names of the keys.

    The owner of a field, and the die of a face, is called `it`.
    """
    match node:
        case tree.DiceDecl(name=name):
            yield name.text, {ITSELF}
        case tree.Component(name=name, fields=fields):
            columns = [each.name.text for each in fields]
            columns += [word.text for word in names_bound(node)]
            yield from ((f"{name.text}.{column}", {ITSELF}) for column in columns)
        case (
            tree.ExtendFields(target=name, fields=fields)
            | tree.TypeDecl(name=name, fields=fields)
        ):
            yield from ((f"{name.text}.{each.name.text}", {ITSELF}) for each in fields)
        case tree.Slot(name=name, keys=keys):
            yield name.text, {each.name.text for each in keys}
        case tree.Zone(name=name):
            yield name.text, {"things", *(word.text for word in names_bound(node))}
        case tree.State(name=name) | tree.Value(name=name):
            yield name.text, {word.text for word in names_bound(node)}
        case _:
            pass
