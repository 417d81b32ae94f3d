"""Codec: between the state block and the states of the reference engine, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from houserule.engine.compiled.functions import NONE_VALUE
from houserule.engine.compiled.memory.layout import (
    RECORDS,
    START,
    WORD_BYTES,
    Cells,
    Memory,
)
from houserule.engine.compiled.memory.shapes import (
    ALL,
    in_words,
    kept_words,
    members,
    scalar,
    universe_of,
    words_of,
)
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.play.setup import fresh
from houserule.engine.state.store import PARTS, Store
from houserule.ir import Program, types


class StateBlock:
    """The bytes of a state block, read and written by address."""

    def __init__(self, content: bytearray) -> None:
        self.content = content

    def number(self, at: int) -> int:
        at -= START
        return int.from_bytes(self.content[at : at + 4], "little", signed=True)

    def word(self, at: int) -> int:
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

    def bits(self, at: int, size: int) -> int:
        """Return a number of bytes as one integer; bit 0 is the lowest of the first."""
        at -= START
        return int.from_bytes(self.content[at : at + size], "little")

    def put_bits(self, at: int, size: int, value: int) -> None:
        """Write an integer into a number of bytes."""
        at -= START
        self.content[at : at + size] = value.to_bytes(size, "little")


Read: TypeAlias = Callable[[StateBlock, int], types.Data]
Write: TypeAlias = Callable[[StateBlock, int, types.Data], None]


def initial_block(memory: Memory, shadows: Mapping[str, int], size: int) -> bytes:
    """Return the state block of a game before its first move, without its chance.

    `shadows` are the addresses of what watched values were when last looked at.
    """
    block = StateBlock(bytearray(size))
    machine, header = fresh(memory.program, 0), memory.header
    write_store(block, memory, machine.store)
    block.put(header["doing"], NONE_VALUE)
    block.put(header["task_proc"], -1)
    block.put(header["depth"], 1)
    block.put(header["leader"], -1)
    for name in memory.phases:
        block.put(memory.field(name, "item"), NONE_VALUE)
        block.put(memory.field(name, "resolved"), -1)
    write_shadows(block, memory.program, shadows, machine)
    return bytes(block.content)


def write_shadows(
    block: StateBlock, program: Program, shadows: Mapping[str, int], machine: Machine
) -> None:
    """Write what watched values were when last looked at, each at its address."""
    for name, place in shadows.items():
        value = program.values[name]
        for number, found in enumerate(machine.shadows[name]):
            if in_words(value.type):
                words = kept_words(value.type, found)
                for word, each in enumerate(words, len(words) * number):
                    block.put_word(place + 8 * word, each)
            else:
                block.put_word(place + 8 * number, scalar(found) & ALL)


# ---- what lies on the table


class Entries(NamedTuple):
    """A family of entries: its part of a store, its name, where it lies, its form."""

    part: str
    name: str
    cells: Cells
    read: Read
    write: Write


def _entries(memory: Memory) -> Iterator[Entries]:
    """Yield what lies on the table. The order of a pile comes after its things."""
    for name, cells in memory.cells.items():
        forms = _forms(memory.program.states[name].type, cells.width)
        yield Entries("cells", name, cells, *forms)
    for name, zone in memory.zones.items():
        forms = _set_forms(zone.members.low, zone.masks.width)
        yield Entries("zones", name, zone.masks, *forms)
        if zone.order is not None:
            yield Entries("zones", name, zone.order, *_order_forms(zone.order.width))
    for part in ("known", "faces", "tokens"):
        for name, cells in getattr(memory, part).items():
            yield Entries(part, name, cells, StateBlock.number, _put_scalar)


def _forms(type_: types.Type, width: int) -> tuple[Read, Write]:
    """Return the reader and the writer of a value that takes a number of bytes."""
    none = isinstance(type_, types.Maybe)
    if in_words(type_):
        low = universe_of(type_).low
        if not none:
            return _set_forms(low, width)
        # A last word says whether the set is present.
        there = width - WORD_BYTES
        read_set, write_set = _set_forms(low, there)

        def read_some(block: StateBlock, at: int) -> types.Data:
            return read_set(block, at) if block.word(at + there) else None

        def write_some(block: StateBlock, at: int, value: types.Data) -> None:
            write_set(block, at, () if value is None else value)
            block.put_word(at + there, int(value is not None))

        return read_some, write_some
    inner = types.core(type_)

    def read(block: StateBlock, at: int) -> types.Data:
        value = block.number(at)
        if none and value == NONE_VALUE:
            return None
        if isinstance(inner, types.Flag):
            return value != 0
        if isinstance(inner, types.Position):  # twice a zone, plus 1 for its bottom
            return value >> 1, value & 1
        return value

    return read, _put_scalar


def _order_forms(width: int) -> tuple[Read, Write]:
    """Return the forms of a pile: the number of things, then the things, then zeros."""

    def read(block: StateBlock, at: int) -> types.Data:
        behind = at + 4 * (block.number(at) + 1)
        return tuple(block.number(each) for each in range(at + 4, behind, 4))

    def write(block: StateBlock, at: int, value: types.Data) -> None:
        things = members(value)
        row = (len(things), *things, *[0] * (width // 4 - 1 - len(things)))
        for number, each in enumerate(row):
            block.put(at + 4 * number, each)

    return read, write


def read_value(block: StateBlock, at: int, type_: types.Type) -> types.Data:
    """Return a value of a type, of a cell or of a procedure, at its address."""
    read, _ = _forms(type_, WORD_BYTES * words_of(type_))
    return read(block, at)


def _put_scalar(block: StateBlock, at: int, value: types.Data) -> None:
    block.put(at, scalar(value))


def _set_forms(low: int, width: int) -> tuple[Read, Write]:
    def read(block: StateBlock, at: int) -> types.Data:
        bits, found = block.bits(at, width), []
        while bits:
            found.append(low + (bits & -bits).bit_length() - 1)
            bits &= bits - 1
        return tuple(found)

    def write(block: StateBlock, at: int, value: types.Data) -> None:
        bits = sum(1 << member - low for member in members(value))
        block.put_bits(at, width, bits)

    return read, write


_known: WeakKeyDictionary[Memory, tuple[Entries, ...]] = WeakKeyDictionary()


def _entries_once(memory: Memory) -> tuple[Entries, ...]:
    if memory not in _known:
        _known[memory] = tuple(_entries(memory))
    return _known[memory]


def read_store(block: StateBlock, memory: Memory) -> Store:
    """Return the store that a block holds, with the streams that were drawn from."""
    parts: dict[str, Any] = {part: {} for part in PARTS}
    for part, name, cells, read, _ in _entries_once(memory):
        row = [read(block, at) for at in range(cells.at, cells.end, cells.width)]
        parts[part][name] = row
    for tag in memory.tags:
        at = memory.stream(tag)
        if block.word(at + RECORDS["stream"]["drawn"]):
            parts["streams"][tag] = block.word(at)
    return Store.from_data(memory.layout, parts)


def write_store(block: StateBlock, memory: Memory, store: Store) -> None:
    """Write a store into a block; increments of streams are left as they are."""
    for part, name, cells, _, write in _entries_once(memory):
        for number, value in enumerate(getattr(store, part)[name]):
            write(block, cells.at + number * cells.width, value)
    for inverse, at in memory.inverse.written():
        content = inverse.content(store.cells[inverse.name])
        block.put_bits(at, inverse.size, int.from_bytes(content, "little"))
    for kind, cells in memory.where.items():
        places = {
            thing: zone.place + index
            for name, zone in memory.zones.items()
            if memory.program.zones[name].member.name == kind
            for index, things in enumerate(store.zones[name])
            for thing in things
        }
        for thing in range(cells.count):
            block.put(cells.at + cells.width * thing, places.get(thing, -1))
    for tag, state in store.streams.items():
        block.put_word(memory.stream(tag), state)
        block.put_word(memory.stream(tag) + RECORDS["stream"]["drawn"], 1)
