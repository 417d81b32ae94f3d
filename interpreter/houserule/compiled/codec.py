"""Between the state block and the reference engine's store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from houserule.compiled.layout import START
from houserule.compiled.shapes import is_set, members, scalar, universe
from houserule.compiled.text import NONE_VALUE
from houserule.engine.game import fresh
from houserule.ir import types
from houserule.state.store import Store

if TYPE_CHECKING:
    from houserule.compiled.layout import Cells, Memory, ZonePlan
    from houserule.compiled.unit import Unit
    from houserule.engine.machine import Machine


class Block:
    """The bytes of a state block, read and written by address."""

    def __init__(self, content: bytearray) -> None:
        self.content = content

    def number(self, at: int) -> int:
        """Return a number of 32 bits."""
        at -= START
        return int.from_bytes(self.content[at : at + 4], "little", signed=True)

    def word(self, at: int) -> int:
        """Return a word of 64 bits."""
        at -= START
        return int.from_bytes(self.content[at : at + 8], "little")

    def put(self, at: int, value: int) -> None:
        """Write a number of 32 bits."""
        at -= START
        self.content[at : at + 4] = (value & 0xFFFF_FFFF).to_bytes(4, "little")

    def put_word(self, at: int, value: int) -> None:
        """Write a word of 64 bits."""
        at -= START
        self.content[at : at + 8] = value.to_bytes(8, "little")

    def words(self, at: int, count: int) -> tuple[int, ...]:
        """Return some words of 64 bits."""
        return tuple(self.word(at + 8 * number) for number in range(count))


def initial_block(unit: Unit, size: int) -> bytes:
    """Return the state block of a game before its first move, without its chance."""
    block = Block(bytearray(size))
    machine = fresh(unit.program, 0)
    memory, header = unit.memory, unit.memory.header
    write_store(block, memory, machine.store)
    block.put(header["doing"], NONE_VALUE)
    block.put(header["task_proc"], -1)
    block.put(header["depth"], 1)
    block.put(header["leader"], -1)
    for name in memory.phases:
        block.put(memory.field(name, "item"), NONE_VALUE)
        block.put(memory.field(name, "resolved"), -1)
    _shadows(block, unit, machine)
    return bytes(block.content)


def _shadows(block: Block, unit: Unit, machine: Machine) -> None:
    at = unit.shadows
    for name, place in at.items():
        value = unit.program.values[name]
        for number, found in enumerate(machine.shadows[name]):
            if is_set(value.type):
                space = universe(value.type)
                for word, each in enumerate(space.bits(members(found))):
                    block.put_word(place + 8 * (space.words * number + word), each)
            else:
                signed = scalar(found)
                block.put_word(place + 8 * number, signed & (1 << 64) - 1)


def write_store(block: Block, memory: Memory, store: Store) -> None:
    """Write a store's contents into a block; streams are left as they are."""
    for name, cells in memory.cells.items():
        type_ = memory.program.states[name].type
        for index, value in enumerate(store.cells[name]):
            _put_cell(block, cells.at + index * cells.width, type_, value)
    for name, zone in memory.zones.items():
        for index, things in enumerate(store.zones[name]):
            _put_lying(block, zone, index, things)
    for kind, cells in memory.where.items():
        for thing, lying in enumerate(store.where[kind]):
            place = -1 if lying is None else memory.layout.place(*lying)
            block.put(cells.at + 4 * thing, place)
    for part, values in _plain_parts(memory, store):
        for name, cells in part.items():
            for index, each in enumerate(values[name]):
                block.put(cells.at + 4 * index, each)


def _plain_parts(
    memory: Memory, store: Store
) -> tuple[tuple[Mapping[str, Cells], dict[str, list[int]]], ...]:
    """Return the rows of plain numbers, in memory and in a store."""
    return (
        (memory.known, store.known),
        (memory.faces, store.faces),
        (memory.tokens, store.tokens),
    )


def _put_cell(block: Block, at: int, type_: types.Type, value: types.Data) -> None:
    if is_set(type_):
        words = universe(type_).bits(members(value))
        for number, word in enumerate(words):
            block.put_word(at + 8 * number, word)
    else:
        block.put(at, scalar(value))


def _put_lying(
    block: Block, zone: ZonePlan, index: int, things: tuple[int, ...]
) -> None:
    at = zone.masks.at + index * zone.masks.width
    for number, word in enumerate(zone.members.bits(things)):
        block.put_word(at + 8 * number, word)
    if zone.order is not None:
        at = zone.order.at + index * zone.order.width
        for number, each in enumerate((len(things), *things)):
            block.put(at + 4 * number, each)


def read_store(block: Block, memory: Memory) -> Store:
    """Return the store that a block holds, with the streams that were drawn from."""
    store = Store.fresh(memory.layout)
    for name, cells in memory.cells.items():
        type_ = memory.program.states[name].type
        store.cells[name] = [
            _cell(block, cells.at + index * cells.width, type_)
            for index in range(cells.count)
        ]
    for name, zone in memory.zones.items():
        store.zones[name] = [
            _lying(block, memory, name, index) for index in range(zone.masks.count)
        ]
    for part, values in _plain_parts(memory, store):
        for name, cells in part.items():
            values[name] = [
                block.number(cells.at + 4 * index) for index in range(cells.count)
            ]
    for number, tag in enumerate(memory.tags):
        at = memory.streams + 24 * number
        if block.word(at + 16):
            store.streams[tag] = block.word(at)
    store.locate()
    return store


def _cell(block: Block, at: int, type_: types.Type) -> types.Data:
    if is_set(type_):
        space = universe(type_)
        return space.members(block.words(at, space.words))
    value = block.number(at)
    if value == NONE_VALUE and isinstance(type_, types.Maybe):
        return None
    inner = type_.inner if isinstance(type_, types.Maybe) else type_
    if isinstance(inner, types.Flag):
        return bool(value)
    if isinstance(inner, types.Position):
        return (value >> 1, value & 1)
    return value


def _lying(block: Block, memory: Memory, name: str, index: int) -> tuple[int, ...]:
    zone = memory.zones[name]
    if zone.order is None:
        at = zone.masks.at + index * zone.masks.width
        return zone.members.members(block.words(at, zone.masks.words))
    at = zone.order.at + index * zone.order.width
    count = block.number(at)
    return tuple(block.number(at + 4 * place) for place in range(1, count + 1))
