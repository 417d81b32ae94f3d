"""Visitor of the core: children, rebuilding, and which node binds which slots.

Every traversal of the core uses this module. A node class says itself what its
children are: the fields that its annotations allow a node in, in order of writing. The
last functions visit whole programs: bodies, decisions, streams.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache, lru_cache, partial, reduce
from typing import Any, TypeAlias, TypeVar

from houserule import ir
from houserule.ir.types import Flag, Maybe, Type, Whole

NODE = TypeVar("NODE", bound=ir.CoreNode)
AskingStatement: TypeAlias = ir.ChooseOption | ir.ShareOut

BINDS: Mapping[type[ir.CoreNode], str] = {
    ir.Bind: "slots",
    ir.DiceTest: "slot",
    ir.Distinct: "slots",
    ir.Ranking: "slot",
    ir.ReachedCells: "slot",
    ir.LetSlot: "slot",
    ir.ShareOut: "count_slot",
}
"""The field of a class that says which slots, or which slot, it binds beneath it."""

# Annotations of these words alone hold no node; those of others are looked into.
_PLAIN = frozenset(
    ["str", "int", "bool", "None", "tuple", "Literal", "Type", "Kind", "Operation"]
)
_WORD = re.compile(r'"[^"]*"|[A-Za-z_]+')


@cache
def _child_fields(kind: Hashable) -> tuple[str, ...]:
    """Return the fields of a node's class that may hold nodes."""
    assert isinstance(kind, type)
    found: list[str] = []
    for each in fields(kind):
        words = _WORD.findall(str(each.type))
        plain = all(word in _PLAIN or word.startswith('"') for word in words)
        if each.name not in {"span", "type"} and not plain:
            found.append(each.name)
    return tuple(found)


def children(node: ir.CoreNode) -> list[ir.CoreNode]:
    """Return the nodes directly beneath one, in order of writing."""
    kind: Hashable = type(node)  # type: ignore[assignment]  # every class is
    return _children(node, _child_fields(kind))


def _children(node: ir.CoreNode, names: tuple[str, ...]) -> list[ir.CoreNode]:
    found: list[ir.CoreNode] = []
    for name in names:
        part = getattr(node, name)
        if isinstance(part, ir.CoreNode):
            found.append(part)
        elif part and isinstance(part, tuple):
            _add_nodes(part, found)
    return found


def _add_nodes(part: tuple[object, ...], found: list[ir.CoreNode]) -> None:
    for each in part:
        if isinstance(each, ir.CoreNode):
            found.append(each)
        elif isinstance(each, tuple):
            _add_nodes(each, found)


def beneath(*roots: ir.CoreNode) -> Iterator[ir.CoreNode]:
    """Yield the roots and every node beneath them, parents first."""
    waiting = list(reversed(roots))
    while waiting:
        node = waiting.pop()
        yield node
        kind: Hashable = type(node)  # type: ignore[assignment]  # every class is
        names = _child_fields(kind)
        if names:  # most nodes are leaves
            found = _children(node, names)
            found.reverse()
            waiting += found


def rebuilt(node: NODE, change: Callable[[ir.CoreNode], ir.CoreNode]) -> NODE:
    """Return a node with each of its children changed, in order of writing."""
    kind: Hashable = type(node)  # type: ignore[assignment]  # every class is
    changes: dict[str, Any] = {
        name: _changed(getattr(node, name), change) for name in _child_fields(kind)
    }
    return replace(node, **changes)


def _changed(part: object, change: Callable[[ir.CoreNode], ir.CoreNode]) -> object:
    if isinstance(part, ir.CoreNode):
        return change(part)
    if isinstance(part, tuple):
        return tuple(_changed(each, change) for each in part)
    return part


# ---- slots


def bound_slots(node: ir.CoreNode) -> tuple[int, ...]:
    """Return the slots that this node binds for its children."""
    name = BINDS.get(type(node))
    if name is None:
        return ()
    slots: int | tuple[int, ...] = getattr(node, name)
    return slots if isinstance(slots, tuple) else (slots,)


def with_slots(node: NODE, renamed: Callable[[int], int]) -> NODE:
    """Return a node that binds other slots; its children stay unchanged."""
    name = BINDS.get(type(node))
    if name is None:
        return node
    slots: int | tuple[int, ...] = getattr(node, name)
    if isinstance(slots, tuple):
        new: Any = tuple(map(renamed, slots))
    else:
        new = renamed(slots)
    return replace(node, **{name: new})


def slots_read(*roots: ir.CoreNode) -> frozenset[int]:
    """Return the slots that are read beneath the roots but not bound there.

    Slots are given out once in a frame, so a slot that is bound anywhere beneath is
    never one from outside.
    """
    read: set[int] = set()
    bound: set[int] = set()
    for node in beneath(*roots):
        bound.update(bound_slots(node))
        if isinstance(node, ir.Local):
            read.add(node.slot)
    return frozenset(read - bound)


def values_called(*roots: ir.CoreNode) -> frozenset[str]:
    """Return the names of declared values that are called beneath the roots."""
    return frozenset(
        node.value for node in beneath(*roots) if isinstance(node, ir.CallValue)
    )


def slots_needed(*roots: ir.CoreNode) -> int:
    """Return how many slots a frame needs for the roots, `me` included."""
    most = 0
    for node in beneath(*roots):
        match node:
            case ir.Local(slot=slot):
                most = max(most, slot)
            case _:
                most = max([most, *bound_slots(node)])
    return most + 1


# ---- what a program contains


def none_for_none(node: ir.ReadCell | ir.TokenCount) -> ir.Expr | None:
    """Return a reading whose keys may be none as cases; None if no key may be."""
    maybe = [key for key in node.keys if isinstance(key.type, Maybe)]
    if not maybe:
        return None
    tests: list[ir.Expr] = [ir.IsNone(key, Flag(), span=key.span) for key in maybe]
    test = reduce(partial(ir.Connective, "or", type=Flag()), tests)
    keys: list[ir.Expr] = []
    for key in node.keys:
        if isinstance(key.type, Maybe):
            type_ = key.type.inner
            first = ir.Const(type_.low if isinstance(type_, Whole) else 0, type_)
            keys.append(ir.OrElse(key, first, type_, span=key.span))
        else:
            keys.append(key)
    there = replace(node, keys=tuple(keys))
    nothing = ir.Const(None, node.type, span=node.span)
    return ir.Cases(((test, nothing),), there, node.type, span=node.span)


def option_binds(action: ir.ActionDef) -> tuple[ir.Bind, ...]:
    """Return the binders of an action's options, in the order of options.

    First its parameters, then what its costs leave open.
    """
    costs = tuple(bind for cost in action.costs for bind in cost.binds)
    return (*action.params, *costs)


def factors(action: ir.ActionDef) -> Iterator[tuple[str, Type]]:
    """Yield name and type of each variable of an action, in the order of options."""
    for bind in option_binds(action):
        for name in bind.names:
            yield name, bind.type


def held(program: ir.Program) -> Iterator[ir.CoreNode]:
    """Yield the root nodes of a program: all others are descendants of these."""
    for each in fields(program):
        yield from _held(getattr(program, each.name))


def _held(part: object) -> Iterator[ir.CoreNode]:
    if isinstance(part, ir.CoreNode):
        yield part
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from _held(each)
    elif isinstance(part, tuple):
        for each in part:
            yield from _held(each)


def bodies(program: ir.Program) -> Iterator[ir.Body]:
    """Yield every body of statements: of actions, costs, effects, steps, reactions."""
    for action in program.actions.values():
        yield from (cost.body for cost in action.costs)
        yield from action.does
    for effect in program.effects.values():
        yield from effect.does
    yield from (step.body for step in program.steps.values() if step.body is not None)
    for reaction in program.reactions.values():
        yield from reaction.does


def procedures(program: ir.Program) -> Iterator[tuple[str, ir.CoreNode]]:
    """Yield what can be under way, by its name in both engines: `effect swap`."""
    for action in program.actions.values():
        yield f"action {action.name}", action
    for effect in program.effects.values():
        yield f"effect {effect.name}", effect
    for step in program.steps.values():
        if step.body is not None:
            yield f"step {step.name}", step.body
    for reaction in program.reactions.values():
        yield f"reaction {reaction.name}", reaction


@lru_cache(maxsize=32)
def asking_statements(program: ir.Program) -> Mapping[str, AskingStatement]:
    """Return the statements that ask for a choice or a share, by site."""
    return {
        node.site: node
        for node in beneath(*bodies(program))
        if isinstance(node, AskingStatement)
    }


def site_name(site: str) -> str:
    """Return the clause of a site: the address without the number of the choice."""
    return re.sub(r"\.\d+$", "", site)


@lru_cache(maxsize=32)
def stream_tags(program: ir.Program) -> tuple[str, ...]:
    """Return the tag of every stream of random numbers that the rules may draw from.

    They are in the order of the program; each die has a separate stream.
    """
    tags: dict[str, None] = {}
    for node in beneath(*bodies(program)):
        if isinstance(node, ir.RollDice):
            for label in program.components[node.kind.name].labels:
                tags[f"{node.stream}/{label}"] = None
        elif isinstance(node, ir.ChanceStatement):
            tags[node.stream] = None
    return tuple(tags)


def conjuncts(where: ir.Expr | None) -> list[ir.Expr]:
    """Return the conditions that a condition joins by `and`, in order."""
    match where:
        case None:
            return []
        case ir.Connective("and", left, right):
            return [*conjuncts(left), *conjuncts(right)]
        case _:
            return [where]
