"""Which names an item mentions, without knowing types.

Names that the item binds itself (`for c in table`, `let n = …`, the key of a state)
are left out. Parameters of an action are not: a clause elsewhere may use them too,
and a variant may remove the cost that brings one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypeAlias, assert_never

from houserule.syntax import tree
from houserule.syntax.tree.constructs import clause_address

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from houserule.compose.items.items import Placed
    from houserule.source import Span


@dataclass(frozen=True, slots=True)
class Mention:
    """One use of a name.

    Attributes:
        name: the bare name.
        field: it stands behind a dot, so it is a field of some component.
        span: where.
        clause: the address of the clause it stands in, '' where there is none.
        part: the part of the clause that `change` may replace ('' is the main part),
            None where the name cannot be changed away.
    """

    name: str
    field: bool
    span: Span
    clause: str = ""
    part: str | None = None


Bound: TypeAlias = frozenset[str]
Found: TypeAlias = Iterator[Mention]

NOTHING: Bound = frozenset()


def mentions(placed: Placed) -> tuple[Mention, ...]:
    """Return every use of a name in an item, except addresses that it edits."""
    return tuple(_item(placed.item))


def _item(item: tree.Item) -> Found:
    match item:
        case tree.Action() | tree.Effect() | tree.Reaction():
            yield from _owner(item)
        case tree.Needs() | tree.Cost() | tree.Limit() | tree.Does() | tree.Asks():
            yield from _clause(item, item.name.text)
        case tree.Unwise():
            yield from _clause(item, item.name.text)
        case tree.Change(target=target, after=after):
            yield from _in(target.text, None, _walk(after, NOTHING))
        case tree.Lift(target=target, condition=condition):
            yield from _in(target.text, "", _walk(condition, NOTHING))
        case tree.SetDefault() | tree.Tune() | tree.ExtendRows() | tree.ExtendMembers():
            pass
        case tree.Order() | tree.Release() | tree.Remove() | tree.Mute():
            pass
        case _:
            yield from _declaration(item)


def _in(clause: str, part: str | None, found: Found) -> Found:
    """Yield what was found, as standing in a part of a clause."""
    for each in found:
        yield Mention(each.name, each.field, each.span, clause, part)


def _owner(item: tree.Action | tree.Effect | tree.Reaction) -> Found:
    """Yield what an action mentions; its parameters belong to its own scope."""
    name = item.name.text
    if not isinstance(item, tree.Reaction):
        yield from _in_params(name, item.params)
    if isinstance(item, tree.Action):
        yield from _in(name, "at", _word(item.at, NOTHING))
        if item.by:
            yield from _in(name, "by", _binder_source(item.by, NOTHING))
    for clause in item.clauses:
        yield from _clause(clause, clause_address(name, clause))


def _clause(clause: tree.Clause, address: str) -> Found:
    match clause:
        case tree.Needs(condition=main) | tree.Unwise(condition=main):
            pass
        case tree.Asks(who=main) | tree.UsesUp(measure=main):
            pass
        case tree.Does(body=main):
            pass
        case tree.Cost(params=params, body=main):
            yield from _in_params(address, params)
        case tree.Limit(count=main, phase=phase):
            yield from _in(address, None, _word(phase, NOTHING))
        case _:
            assert_never(clause)
    yield from _in(address, "", _walk(main, NOTHING))


# The part of a declaration that `change` may replace, by the field that holds it.
PARTS = {
    "amount": "",
    "body": "",
    "condition": "",
    "definition": "",
    "normally": "",
    "who": "",
    "guard": "if",
    "starts": "starts",
    "seen": "seen",
    "at_most": "limit",
    "for_whom": "for",
    "until": "until",
    "faces": "showing",
}
NO_USES = frozenset({"name", "names", "target", "caption", "notes", "span", "members"})


def _declaration(item: tree.Item) -> Found:
    """Yield what a declaration mentions; its parameters are its own."""
    named = getattr(item, "name", None)
    clause = named.text if isinstance(named, tree.Word) else ""
    clause = "winners" if isinstance(item, tree.Winners) else clause
    bound, found = _own_names(item)
    yield from _in(clause, None, iter(found))
    for each in fields(item):
        if each.name not in NO_USES and not _holds_own_names(item, each.name):
            uses = _part(item, getattr(item, each.name), bound)
            yield from _in(clause, PARTS.get(each.name), uses)


def _holds_own_names(item: tree.Item, field: str) -> bool:
    return field == "params" or (field == "each" and not isinstance(item, tree.State))


def _own_names(item: tree.Item) -> tuple[Bound, list[Mention]]:
    """Return the names that a declaration binds, and what their types mention."""
    match item:
        case tree.Adjust(params=words):
            return frozenset(word.text for word in words), []
        case tree.Component(each=params) | tree.DiceDecl(each=params):
            return _of_params(params)
        case tree.Tokens() | tree.Zone() | tree.State() | tree.Value() | tree.Always():
            return _of_params(item.params)
        case _:
            return NOTHING, []


def _of_params(params: tree.Params) -> tuple[Bound, list[Mention]]:
    bound, found = NOTHING, list[Mention]()
    for param in params:
        found += _source(param, bound)
        bound |= {word.text for word in param.names}
    return bound, found


def _part(item: tree.Item, value: object, bound: Bound) -> Found:
    """Yield the mentions in one field of a declaration."""
    match value:
        case tree.Word():
            # anchors of a layer are addresses, which the layer edits
            yield from () if isinstance(item, tree.Layer) else _word(value, bound)
        case tree.Node():
            yield from _walk(value, bound)
        case tuple() if isinstance(item, tree.Zone):
            words = (each for each in value if isinstance(each, tree.Word))
            yield from (Mention(word.text, True, word.span) for word in words)
        case tuple():
            for each in value:
                yield from _inner(each, bound)
        case _:
            pass


def _inner(part: object, bound: Bound) -> Found:
    """Yield the mentions in a field, a slot or a face of a declaration."""
    match part:
        case tree.Field(type=kind):
            yield from _walk(kind, bound)
        case tree.Slot(keys=keys):
            for key in keys:
                yield from _word(key.type, bound) if key.type else ()
        case tree.ValueLayer() | tree.Word():
            pass
        case _:
            yield from _walk(part, bound)


# ---- parameters and binders


def _in_params(clause: str, params: tree.Params) -> Found:
    """Yield what parameters of an action mention: their types and domains."""
    for param in params:
        for word in param.names[:1]:
            yield from _in(clause, word.text, _source(param, NOTHING))


def _source(param: tree.Param, bound: Bound) -> Found:
    if isinstance(param, tree.Binder):
        yield from _binder_source(param, bound)
    else:
        yield from _walk(param.type, bound)


def _binder_source(binder: tree.Binder, bound: Bound) -> Found:
    yield from _walk(binder.source, bound)
    for end in (binder.low, binder.high):
        if isinstance(end, tree.Word):
            yield from _word(end, bound)


def _binders(
    binders: Iterable[tree.Binder], bound: Bound
) -> Generator[Mention, None, Bound]:
    for binder in binders:
        yield from _binder_source(binder, bound)
        bound |= {word.text for word in binder.names}
    return bound


# ---- expressions and statements


def _word(word: tree.Word, bound: Bound) -> Found:
    if word.text not in bound:
        yield Mention(word.text, False, word.span)


def _walk(node: object, bound: Bound) -> Found:
    """Yield the free names of any part of an expression or a block."""
    match node:
        case tree.Name(name):
            yield from _name(name, node.span, bound)
        case tree.Apply(name, args) | tree.Call(name, args):
            yield from _name(name, node.span, bound)
            yield from _walk(args, bound)
        case tree.Dot(subject, field):
            yield from _walk(subject, bound)
            yield Mention(field, True, node.span)
        case tree.NamedType(name):
            yield from _name(name, node.span, bound)
        case tree.SetType(member) | tree.PartType(member):
            yield from _name(member, node.span, bound)
        case tree.RangeType(low, high):
            for end in (low, high):
                yield from _word(end, bound) if isinstance(end, tree.Word) else ()
        case tree.Again(name) | tree.End(name):
            yield from _word(name, bound)
        case tree.Block(statements):
            yield from _block(statements, bound)
        case tuple():
            for each in node:
                yield from _walk(each, bound)
        case tree.Node():
            yield from _scoped(node, bound)
        case _:
            pass


def _name(name: str, span: Span, bound: Bound) -> Found:
    if name not in bound:
        yield Mention(name, False, span)


def _block(statements: tuple[tree.Statement, ...], bound: Bound) -> Found:
    for statement in statements:
        yield from _walk(statement, bound)
        if isinstance(statement, tree.Let):
            bound |= {statement.name.text}


def _scoped(node: tree.Node, bound: Bound) -> Found:
    """Yield the free names of a node that may bind some for its own parts."""
    inner = bound
    outside: tuple[str, ...] = ()
    match node:
        case tree.Fold() | tree.Count() | tree.Quantified():
            inner = yield from _binders(node.binders, bound)
        case tree.TheOne() | tree.TheOnly() | tree.Those() | tree.Random() | tree.For():
            inner = yield from _binders((node.binder,), bound)
        case tree.Choose():
            inner, outside = (
                (yield from _binders((node.binder,), bound)),
                ("otherwise",),
            )
        case tree.Share():
            yield from _walk(node.amount, bound)
            inner = (yield from _binders((node.binder,), bound)) | {node.count.text}
        case tree.Reached():
            yield from _walk(node.start, bound)
            inner = bound | {node.name.text}
        case _:
            pass
    done = {"binders", "binder", "amount" if isinstance(node, tree.Share) else ""}
    done.add("start" if isinstance(node, tree.Reached) else "")
    for each in fields(node):
        if each.name not in done:
            scope = bound if each.name in outside else inner
            yield from _walk_field(getattr(node, each.name), scope)


def _walk_field(value: object, bound: Bound) -> Found:
    """Walk one field of a node; bare words there are names being bound, not used."""
    if isinstance(value, tuple | tree.Node) and not isinstance(value, tree.Word):
        yield from _walk(value, bound)
