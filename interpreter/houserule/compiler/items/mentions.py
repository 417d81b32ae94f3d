"""The names that an item mentions, and parameters in scope, without types.

Names that the item binds itself (`for c in table`, `let n = …`, the key of a state) are
omitted. Parameters of an action are not: clauses elsewhere may use them, and a variant
may remove the cost that brings one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import (
    CONSTRUCTS,
    clause_address,
    main_part,
)
from houserule.language.syntax.tree.parts import MAIN
from houserule.language.syntax.tree.visitor import Names, in_scope, names_bound

if TYPE_CHECKING:
    from houserule.compiler.items.index import Declaration, Family
    from houserule.compiler.items.items import Placed


@frozen
class Mention:
    """One use of a name.

    Attributes:
        field: whether it follows a dot, so it is a field of some component.
        of: the bare name before that dot, if any; if it is a component, the name is one
            of its rows.
        clause: the address of its clause, or ''.
        part: the part of the clause that `change` may replace ('' is the main part),
            None if no change can remove the name.
    """

    name: str
    field: bool
    span: Span
    clause: str = ""
    part: str | None = None
    of: str = ""


Mentions: TypeAlias = Iterator[Mention]

NOTHING: Names = frozenset()

# Fields of a declaration whose words are not uses of a name.
NO_USES = frozenset({"name", "names", "target", "caption", "notes", "members"})


def mentions(placed: Placed) -> Mentions:
    """Yield every use of a name in an item, except addresses that it edits."""
    item = placed.item
    match item:
        case tree.Action() | tree.Effect() | tree.Reaction():
            name = item.name.text
            if not isinstance(item, tree.Reaction):
                yield from _in_params(name, item.params)
            if isinstance(item, tree.Action):
                yield from _in(name, "during", _walk(item.at, NOTHING))
            for clause in item.clauses:
                yield from _clause(clause, clause_address(name, clause))
        case tree.UsesUp():
            pass  # it is inside its owner only
        case _ if isinstance(item, tree.Clause):
            yield from _clause(item, item.name.text)
        case tree.Change(target=target, after=after):
            if isinstance(after, tree.Node):
                yield from _in(target.text, None, _walk(after, NOTHING))
        case tree.Lift(target=target, condition=condition):
            yield from _in(target.text, MAIN, _walk(condition, NOTHING))
        case tree.Tune(target=target, amount=amount):
            yield from _in(target.text, None, _walk(amount, NOTHING))
        case tree.SetDefault():
            pass
        case tree.Order() | tree.Release() | tree.Mute() | tree.Layer():
            pass  # these name steps, variants and layers, which they edit
        case _:  # a declaration; its parameters are its own
            named = getattr(item, "name", None)
            row = CONSTRUCTS.get(type(item))
            address = row.address if row else ""
            if isinstance(named, tree.Word):
                address = named.text
            for field, node, bound in in_scope(item):
                if field in NO_USES:
                    for value in (
                        node.values if isinstance(node, tree.ValuedMember) else ()
                    ):
                        yield from _in(address, None, _walk(value, bound))
                elif isinstance(node, tree.AlikeLine) and field == "alike":
                    for word in node.names:
                        yield Mention(word.text, True, word.span, address)
                elif isinstance(node, tree.Word) and field == "showing":
                    yield Mention(node.text, True, node.span, address)
                else:
                    part = row.words.get(field) if row else None
                    yield from _in(address, part, _walk(node, bound))


def _in(clause: str, part: str | None, found: Mentions) -> Mentions:
    for each in found:
        yield replace(each, clause=clause, part=part)


def _clause(clause: tree.Clause, address: str) -> Mentions:
    if isinstance(clause, tree.Cost):
        yield from _in_params(address, clause.params)
    if isinstance(clause, tree.Limit):
        yield from _in(address, None, _walk(clause.phase, NOTHING))
    yield from _in(address, MAIN, _walk(main_part(clause), NOTHING))


def _in_params(clause: str, params: tree.Params) -> Mentions:
    """Yield the mentions in an action's parameters: their types and domains."""
    for param in params:
        yield from _in(clause, param.names[0].text, _walk(param, NOTHING))


def _walk(node: tree.Node, bound: Names) -> Mentions:
    """Yield the free names of a node and its descendants."""
    match node:
        case tree.Word(name) | tree.Name(name) | tree.NamedType(name):
            yield from _use(name, node, bound)
        case tree.Apply(name) | tree.Call(name):
            yield from _use(name, node, bound)
        case tree.SetType(name) | tree.PartType(name):
            yield from _use(name, node, bound)
        case tree.Dot(tree.Name(of), name):
            yield Mention(name, True, node.span, of="" if of in bound else of)
        case tree.Dot(field=name):
            yield Mention(name, True, node.span)
        case _:
            pass
    for field, child, inner in in_scope(node, bound):
        # parts of a declaration have their own names
        if field != "name" or isinstance(node, tree.Again | tree.End):
            yield from _walk(child, inner)


def _use(name: str, node: tree.Node, bound: Names) -> Mentions:
    if name not in bound:
        yield Mention(name, False, node.span)


# ---- parameters


class Scopes:
    """The parameters of every action, effect, value and reaction of a product line.

    A hook without parentheses sees the parameters of its event.
    """

    def __init__(self, family: Family) -> None:
        """Collect every parameter and its condition."""
        self.family = family
        self.names: dict[str, dict[str, list[Declaration]]] = defaultdict(dict)
        self.hooked: dict[str, set[str]] = defaultdict(set)
        self.fields: set[str] = set()
        for number, placed in enumerate(family.placed):
            item = placed.item
            words = [word.text for word in names_bound(item)]
            brought: list[tuple[str, str, str]] = []  # owner, clause, parameter
            match item:
                case tree.Action() | tree.Effect() | tree.Reaction():
                    owner = item.name.text
                    brought = [(owner, owner, name) for name in words]
                    for clause in item.clauses:
                        address = clause_address(owner, clause)
                        keys = names_bound(clause)
                        brought += [(owner, address, key.text) for key in keys]
                    if isinstance(item, tree.Reaction) and item.params is None:
                        self.hooked[owner].add(item.event.text.partition(".")[0])
                case tree.Value(name=named) | tree.Cost(name=named):
                    owner = named.text
                    if isinstance(item, tree.Cost):
                        owner = owner.partition(".")[0]
                    brought = [(owner, named.text, key) for key in words]
                case tree.Component() | tree.DiceDecl():
                    self.fields |= set(words)
                case _:
                    pass
            for owner, address, name in brought:
                said = family.declared.get(address, ())
                own = [each for each in said if each.item == number]
                self.names[owner].setdefault(name, []).extend(own)

    def bringing(self, clause: str, name: str) -> list[Declaration]:
        """Return the sources of a parameter of that name for a clause, or []."""
        found: list[Declaration] = []
        chain = [clause.partition(".")[0]]
        for owner in chain:  # grows during the loop
            found += self.names.get(owner, {}).get(name, ())
            if owner in self.hooked:
                chain += sorted(self.hooked[owner] - set(chain))
        return found

    def is_field(self, name: str) -> bool:
        """Return whether a product of types has a field of that name."""
        return name in self.fields
