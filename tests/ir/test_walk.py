"""The visitor of the core: it leaves out no node, and its table no slot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from houserule import ir
from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import TableChoice, prepare
from houserule.ir.walk import (
    BINDS,
    beneath,
    bound_slots,
    children,
    rebuilt,
    with_slots,
)
from houserule.language.manifest.load import load_ruleset


def every_node(value: object) -> Iterator[ir.CoreNode]:
    """Yield every node in a value, whatever field it hangs in, parents first."""
    if isinstance(value, ir.CoreNode):
        yield value
    if isinstance(value, tuple):
        for each in value:
            yield from every_node(each)
    elif is_dataclass(value):
        for each in fields(value):
            yield from every_node(getattr(value, each.name))


def definitions(game: str) -> list[ir.CoreNode]:
    ruleset, _ = load_ruleset(shipped_rulesets()[game])
    assert ruleset is not None
    program = prepare(ruleset, TableChoice()).program
    assert program is not None
    owners = (program.actions, program.effects, program.reactions, program.values)
    return [each for owner in owners for each in owner.values()]


@pytest.mark.parametrize("game", ["x_pasch", "guild_street", "pachisi"])
def test_no_node_is_left_out(game: str) -> None:
    roots = definitions(game)
    assert list(map(id, beneath(*roots))) == [
        id(n) for r in roots for n in every_node(r)
    ]


@pytest.mark.parametrize("game", ["x_pasch", "guild_street"])
def test_a_node_is_rebuilt_of_its_children(game: str) -> None:
    for root in definitions(game):
        assert repr(rebuilt(root, lambda node: node)) == repr(root)
        seen: list[ir.CoreNode] = []

        def note(node: ir.CoreNode, seen: list[ir.CoreNode] = seen) -> ir.CoreNode:
            seen.append(node)
            return node

        rebuilt(root, note)
        assert list(map(id, seen)) == list(map(id, children(root)))


def test_every_field_of_slots_is_in_the_table() -> None:
    kinds = [
        kind
        for kind in vars(ir).values()
        if isinstance(kind, type) and issubclass(kind, ir.CoreNode)
    ]
    assert len(kinds) > 60
    # A local variable names a slot, and procedures say how many they have.
    elsewhere = {ir.Local, ir.ReactionDef}
    for kind in kinds:
        names = {each.name for each in fields(kind) if "slot" in each.name}
        names -= {"slots"} if kind not in BINDS else set()
        own = {name for name in names if not is_name(kind, name)}
        if kind not in elsewhere:
            assert own == ({BINDS[kind]} if kind in BINDS else set()), kind


def is_name(kind: type[ir.CoreNode], field: str) -> bool:
    """Say whether a field named so holds a name: a slot of tokens."""
    types = {each.name: str(each.type) for each in fields(kind)}
    return types[field] == "str"


def test_slots_are_renamed_where_they_are_bound() -> None:
    bind = next(
        node
        for node in beneath(*definitions("x_pasch"))
        if isinstance(node, ir.Bind) and len(node.slots) > 1
    )
    moved = with_slots(bind, lambda slot: slot + 10)
    assert bound_slots(moved) == tuple(slot + 10 for slot in bound_slots(bind))
    assert moved.source is bind.source
