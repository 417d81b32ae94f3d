"""What of a clause `change` may replace: its parts, read and written by their word.

A clause has a main part, addressed by the clause's own name (the condition of a
`needs`, the definition of a value), and further parts with a word: `exchange.at`,
`turn.if`, `deck.starts`, `slide.target` for the domain of a parameter.
"""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from houserule.source import NOWHERE
from houserule.syntax import tree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Parts: TypeAlias = dict[str, tree.Payload]

MAIN = ""

N = TypeVar("N")


def bare(node: N) -> N:
    """Return the tree without margins, so that only what it says is compared."""
    if isinstance(node, tuple):
        return cast("N", tuple(bare(each) for each in node))
    return cast("N", _bare_node(node)) if isinstance(node, tree.Node) else node


@lru_cache(maxsize=1 << 14)
def _bare_node(node: tree.Node) -> tree.Node:
    values = {each.name: getattr(node, each.name) for each in fields(node)}
    kept = {word: bare(value) for word, value in values.items()}
    if "notes" in kept:
        kept["notes"] = ()
    build: Callable[..., tree.Node] = type(node)
    return build(**{**kept, "span": NOWHERE})


def parts_of(node: tree.Node) -> Parts:
    """Return every part of a declaration that `change` may replace, by its word.

    The main part has the word ''. Clauses inside an action are not parts of it.
    """
    match node:
        case tree.Needs(condition=main) | tree.Unwise(condition=main):
            return {MAIN: main}
        case tree.Cost() | tree.Limit() | tree.Does() | tree.Asks():
            return _parts_of_clause(node)
        case tree.Always(condition=main) | tree.Lift(condition=main):
            return {MAIN: main}
        case tree.Assert(condition=main) | tree.Warn(condition=main):
            return {MAIN: main}
        case tree.Winners(who=main):
            return {MAIN: main}
        case tree.UsesUp(measure=main) | tree.Adjust(amount=main):
            return {MAIN: main}
        case tree.Action() | tree.Effect() | tree.Step() | tree.Phase():
            return _parts_of_flow(node)
        case _:
            return _parts_of_thing(node)


def _parts_of_clause(
    node: tree.Cost | tree.Limit | tree.Does | tree.Asks,
) -> Parts:
    match node:
        case tree.Limit(count=main) | tree.Asks(who=main):
            return {MAIN: main}
        case tree.Does(body=block):
            return {MAIN: block}
        case tree.Cost(body=block, params=params):
            return {MAIN: block, **_domains(params)}


def _parts_of_thing(node: tree.Node) -> Parts:
    match node:
        case tree.Tokens(amount=main):
            return {MAIN: main}
        case tree.Value(definition=main):
            return {MAIN: main, **_range(node.type), **_domains(node.params)}
        case tree.Option(normally=main):
            return {MAIN: main, **_range(node.type)}
        case tree.TypeDecl(type=tree.RangeType() as known):
            return {MAIN: _range_set(known)}
        case tree.State():
            found = {"starts": node.starts, "seen": node.seen}
            return {**_given(found), **_range(node.type)}
        case tree.Zone():
            found = {"limit": node.at_most, "starts": node.starts, "seen": node.seen}
            return _given(found)
        case tree.DiceDecl():
            return _given({"showing": _faces(node), "seen": node.seen})
        case _:
            return {}


def _parts_of_flow(
    node: tree.Action | tree.Effect | tree.Step | tree.Phase,
) -> Parts:
    match node:
        case tree.Action():
            by = node.by.source if node.by else None
            return {**_given({"at": _name(node.at), "by": by}), **_domains(node.params)}
        case tree.Effect():
            return _domains(node.params)
        case tree.Step():
            return _given({MAIN: node.body, "mode": node.mode, "if": node.guard})
        case tree.Phase():
            whom, until = node.for_whom, node.until
            found = {
                "if": node.guard,
                "for": whom.source if whom else None,
                "until": until.condition if until else None,
                "times": until.times if until else None,
            }
            return _given(found)


def with_part(node: tree.Node, word: str, new: tree.Payload) -> tree.Node | None:
    """Return the declaration with one part replaced; None where `new` cannot stand.

    `word` must be one that `parts_of` gives for this node.
    """
    if isinstance(new, str):
        return replace(node, mode=new) if isinstance(node, tree.Step) else None
    if word == MAIN and isinstance(node, (tree.Does, tree.Cost, tree.Step)):
        block = as_block(new)
        return None if block is None else replace(node, body=block)
    if isinstance(new, tree.Block) or word == "mode":
        return None
    return _with_expr(node, word, new)


def _with_expr(node: tree.Node, word: str, new: tree.Expr) -> tree.Node | None:
    match node, word:
        case tree.Needs() | tree.Unwise() | tree.Always() | tree.Lift(), "":
            return replace(node, condition=new)
        case tree.Assert() | tree.Warn(), "":
            return replace(node, condition=new)
        case tree.Limit(), "":
            return replace(node, count=new)
        case tree.Tokens() | tree.Adjust(), "":
            return replace(node, amount=new)
        case tree.Asks() | tree.Winners(), "":
            return replace(node, who=new)
        case tree.UsesUp(), "":
            return replace(node, measure=new)
        case tree.Value(), "":
            return replace(node, definition=new)
        case tree.Option(), "":
            return replace(node, normally=new)
        case tree.TypeDecl(), "":
            known = _range_type(new)
            return None if known is None else replace(node, type=known)
        case tree.Value() | tree.Option() | tree.State(), "range":
            return _with_range(node, new)
        case tree.Zone(), "limit":
            return replace(node, at_most=new)
        case tree.Zone() | tree.State(), "starts":
            return replace(node, starts=new)
        case tree.Zone() | tree.State() | tree.DiceDecl(), "seen":
            return replace(node, seen=new)
        case tree.DiceDecl(), "showing":
            faces = new.items if isinstance(new, tree.SetOf) else (new,)
            return replace(node, faces=faces)
        case _:
            return _with_flow(node, word, new)


def _with_flow(node: tree.Node, word: str, new: tree.Expr) -> tree.Node | None:
    match node, word:
        case tree.Action(), "at":
            if not isinstance(new, tree.Name):
                return None
            return replace(node, at=tree.Word(new.name, span=new.span))
        case tree.Action(by=tree.Binder() as by), "by":
            return replace(node, by=replace(by, source=new))
        case tree.Step() | tree.Phase(), "if":
            return replace(node, guard=new)
        case tree.Phase(for_whom=tree.ForWhom() as whom), "for":
            return replace(node, for_whom=replace(whom, source=new))
        case tree.Phase(until=tree.Until() as until), "until":
            return replace(node, until=replace(until, condition=new))
        case tree.Phase(until=tree.Until() as until), "times":
            return replace(node, until=replace(until, times=new))
        case tree.Action() | tree.Effect() | tree.Cost() | tree.Value(), _:
            params = _with_domain(node.params, word, new)
            return None if params is None else replace(node, params=params)
        case _:
            return None


# ---- parameters


def _domains(params: tree.Params) -> Parts:
    found: Parts = {}
    for param in params:
        if isinstance(param, tree.Binder):
            found.update({word.text: param.source for word in param.names})
            continue
        for word in param.names:
            for known in _range(param.type).values():
                found[word.text] = known
    return found


def _with_domain(params: tree.Params, word: str, new: tree.Expr) -> tree.Params | None:
    """Return the parameters with the domain of one of them replaced.

    `a, b in S` is split first, so that the other names keep theirs.
    """
    done: list[tree.Param] = []
    for param in params:
        for name in param.names:
            if name.text != word:
                done.append(replace(param, names=(name,)))
                continue
            changed = _new_domain(replace(param, names=(name,)), new)
            if changed is None:
                return None
            done.append(changed)
    return tuple(done)


def _new_domain(param: tree.Param, new: tree.Expr) -> tree.Param | None:
    if isinstance(param, tree.Binder):
        return replace(param, source=new)
    known = _range_type(new)
    if known is None:
        return None
    maybe = isinstance(param.type, tree.MaybeType)
    return replace(param, type=tree.MaybeType(known) if maybe else known)


# ---- ranges


def _range(kind: tree.Type) -> Parts:
    if isinstance(kind, tree.MaybeType):
        kind = kind.inner
    return {"range": _range_set(kind)} if isinstance(kind, tree.RangeType) else {}


def _with_range(
    node: tree.Value | tree.Option | tree.State, new: tree.Expr
) -> tree.Node | None:
    known = _range_type(new)
    if known is None:
        return None
    if isinstance(node.type, tree.MaybeType):
        return replace(node, type=replace(node.type, inner=known))
    return replace(node, type=known)


def _range_set(kind: tree.RangeType) -> tree.RangeSet:
    return tree.RangeSet(_bound(kind.low), _bound(kind.high), span=kind.span)


def _bound(bound: int | tree.Word) -> tree.Expr:
    if isinstance(bound, tree.Word):
        return tree.Name(bound.text, span=bound.span)
    return tree.Int(bound) if bound >= 0 else tree.Negative(tree.Int(-bound))


def _range_type(expr: tree.Expr) -> tree.RangeType | None:
    if not isinstance(expr, tree.RangeSet):
        return None
    low, high = _as_bound(expr.low), _as_bound(expr.high)
    if low is None or high is None:
        return None
    return tree.RangeType(low, high, span=expr.span)


def _as_bound(expr: tree.Expr) -> int | tree.Word | None:
    match expr:
        case tree.Int(value):
            return value
        case tree.Negative(tree.Int(value)):
            return -value
        case tree.Name(name):
            return tree.Word(name, span=expr.span)
        case _:
            return None


# ---- small things


def as_block(payload: tree.Payload) -> tree.Block | None:
    """Read a payload as statements: a call may look like an expression."""
    match payload:
        case tree.Block():
            return payload
        case tree.Apply(name, args):
            call = tree.Call(name, args, span=payload.span)
            return tree.Block((call,), span=payload.span)
        case tree.Name(name):
            call = tree.Call(name, (), span=payload.span)
            return tree.Block((call,), span=payload.span)
        case _:
            return None


def has_caption(node: tree.Node) -> bool:
    """Say whether a clause may have a caption; notes and asserts have no address."""
    return hasattr(node, "caption") and not isinstance(node, tree.Remark | tree.Assert)


def same(left: tree.Payload, right: tree.Payload) -> bool:
    """Say whether two payloads say the same, whatever their margins and places."""
    return comparable(left) == comparable(right)


def comparable(payload: tree.Payload) -> tree.Payload:
    """Return the payload in the one form in which payloads are compared.

    One call of an effect is the same whether read as a statement or as an expression.
    """
    match payload:
        case tree.Block((tree.Call(name, args),)):
            return bare(tree.Apply(name, args)) if args else tree.Name(name)
        case tree.Apply(name, ()):
            return tree.Name(name)
        case _:
            return bare(payload)


def _faces(node: tree.DiceDecl) -> tree.Expr:
    return node.faces[0] if len(node.faces) == 1 else tree.SetOf(node.faces)


def _name(word: tree.Word) -> tree.Name:
    return tree.Name(word.text, span=word.span)


def _given(parts: Mapping[str, tree.Payload | None]) -> Parts:
    """Return the parts that are there."""
    return {word: part for word, part in parts.items() if part is not None}
