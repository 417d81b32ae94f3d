"""A state goes from the memory of a module to a store, and back."""

from __future__ import annotations

from typing import Any

from tests.support.compare import machine_of
from tests.support.rules_cases import program_of

from houserule.engine.compiled.memory.codec import StateBlock, read_store, write_store


def test_a_set_that_may_be_none_goes_both_ways() -> None:
    """None and the empty set are told apart; equal values are equal bytes."""
    machine = machine_of(program_of(MAYBE))
    memory = machine.module.memory
    machine.call("reset", 1, 0)
    block = machine.block()
    other = StateBlock(bytearray(len(block.content)))
    store = read_store(block, memory)
    first = dict(store.cells)
    assert (first["mine"], first["many"]) == ([None, None], [()])
    assert (memory.cells["mine"].width, memory.cells["many"].width) == (16, 24)
    some: dict[str, list[Any]] = {"mine": [(-3, 2), None], "many": [(0, 63, 64, 69)]}
    other_way: dict[str, list[Any]] = {"mine": [(), (1,)], "many": [None]}
    for cells in (some, other_way, first):
        store.cells.update(cells)
        write_store(other, memory, store)
        assert read_store(other, memory).cells == {**first, **cells}
    write_store(block, memory, store)
    for name in first:
        at = memory.cells[name].at
        assert block.number(at) == other.number(at)


MAYBE = """\
game t
players 2..2
type Small = -3..2
type Wide = 0..69
state mine(p: Player): set of Small or none starts as none
state many: set of Wide or none starts as {}
winners: players
phase turn for me in players
  step go: at most once
action fill during go
  does it: mine(me) becomes {0}; many becomes none
"""
