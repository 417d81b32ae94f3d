"""Codec: between the state block and the states of the reference engine, both ways.

The game's state goes through `Codec`, which knows the published layout and nothing
else, so what is published is what is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from pydantic import BaseModel

from houserule.engine.compiled.functions import NONE_VALUE
from houserule.engine.compiled.memory.layout import RECORDS, START, WORD_BYTES, Memory
from houserule.engine.compiled.memory.published import (
    Holds,
    Run,
    Zones,
    held,
    runs_of,
    zones_of,
)
from houserule.engine.compiled.memory.shapes import (
    ALL,
    in_words,
    kept_words,
    members,
    scalar,
    words_of,
)
from houserule.engine.reference.play.machine import Machine
from houserule.engine.reference.play.setup import fresh
from houserule.engine.state.state_model import checked
from houserule.engine.state.store import PARTS, Store
from houserule.ir import Program, types

Parts: TypeAlias = dict[str, Any]  # as `Store.to_data`; sets may be tuples
PART_OF = {
    "cells": "cells",
    "lying": "zones",
    "orders": "zones",
    "tokens": "tokens",
    "faces": "faces",
    "known": "known",
}


class StateBlock:
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


# ---- what lies on the table, by the published layout


class Codec:
    """Reads and writes what lies on the table, by nothing but the published layout.

    It reads and writes the parts of a state as a `Store` and the model of a state have
    them: cells, zones, tokens, faces, known and streams.
    """

    def __init__(self, runs: Iterable[Run], zones: Iterable[Zones]) -> None:
        every = list(runs)
        self._streams = [run for run in every if run.group == "streams"]
        self._where = {run.name: run for run in every if run.group == "where"}
        self._zones = list(zones)
        self._rows = [
            (run, PART_OF[run.group], *_forms(run.holds, run.width))
            for run in every
            if run.group in PART_OF
        ]

    def read(self, block: StateBlock) -> Parts:
        """Return the parts of the state that a block holds.

        The order of a pile is read last and decides. Streams are those drawn from.
        """
        parts: Parts = {part: {} for part in PARTS}
        for run, part, read, _ in self._rows:
            end = run.at + run.count * run.width
            row = [read(block, at) for at in range(run.at, end, run.width)]
            parts[part][run.name] = row
        for run in self._streams:
            if block.word(run.at + RECORDS["stream"]["drawn"]):
                parts["streams"][run.name] = block.word(run.at)
        return parts

    def write(self, block: StateBlock, parts: Parts) -> None:
        """Write the parts of a state; increments of streams are left as they are."""
        for run, part, _, write in self._rows:
            for number, value in enumerate(parts[part][run.name]):
                write(block, run.at + number * run.width, value)
        for kind, run in self._where.items():
            lying = parts["zones"]
            places = {
                thing: zone.first + index
                for zone in self._zones
                if zone.things == kind
                for index, things in enumerate(lying[zone.name])
                for thing in things
            }
            for thing in range(run.count):
                block.put(run.at + run.width * thing, places.get(thing, -1))
        for run in self._streams:
            if run.name in parts["streams"]:
                block.put_word(run.at, parts["streams"][run.name])
                block.put_word(run.at + RECORDS["stream"]["drawn"], 1)


def _forms(holds: Holds, width: int) -> tuple[Read, Write]:
    """Return the reader and the writer of an entry of a number of bytes."""
    none = holds.none
    match holds.form:
        case "set" if none:
            # A last word says whether the set is present.
            there = width - WORD_BYTES
            read_set, write_set = _set_forms(holds.low or 0, there)

            def read(block: StateBlock, at: int) -> types.Data:
                return read_set(block, at) if block.word(at + there) else None

            def write(block: StateBlock, at: int, value: types.Data) -> None:
                write_set(block, at, () if value is None else value)
                block.put_word(at + there, int(value is not None))

            return read, write
        case "set":
            return _set_forms(holds.low or 0, width)
        case "order":

            def read(block: StateBlock, at: int) -> types.Data:
                behind = at + 4 * (block.number(at) + 1)
                return tuple(block.number(each) for each in range(at + 4, behind, 4))

            def write(block: StateBlock, at: int, value: types.Data) -> None:
                things = members(value)
                row = (len(things), *things, *[0] * (width // 4 - 1 - len(things)))
                for number, each in enumerate(row):
                    block.put(at + 4 * number, each)

            return read, write
        case "flag":
            return _or_none(lambda value: value != 0, none=none), _put_scalar
        case "position":
            return (
                _or_none(lambda value: (value >> 1, value & 1), none=none),
                _put_scalar,
            )
        case _:
            return _or_none(lambda value: value, none=none), _put_scalar


def read_value(block: StateBlock, at: int, type_: types.Type) -> types.Data:
    """Return a value of a type, of a cell or of a procedure, at its address."""
    read, _ = _forms(held(type_), WORD_BYTES * words_of(type_))
    return read(block, at)


def _or_none(of: Callable[[int], types.Data], *, none: bool) -> Read:

    def read(block: StateBlock, at: int) -> types.Data:
        value = block.number(at)
        return None if none and value == NONE_VALUE else of(value)

    return read


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


_codecs: WeakKeyDictionary[Memory, Codec] = WeakKeyDictionary()


def codec_of(memory: Memory) -> Codec:
    """Return the codec of a memory's layout, made once."""
    if memory not in _codecs:
        _codecs[memory] = Codec(runs_of(memory), zones_of(memory))
    return _codecs[memory]


def read_store(block: StateBlock, memory: Memory) -> Store:
    """Return the store that a block holds, with the streams that were drawn from."""
    return Store.from_data(memory.layout, codec_of(memory).read(block))


def write_store(block: StateBlock, memory: Memory, store: Store) -> None:
    """Write a store into a block; increments of streams are left as they are."""
    codec_of(memory).write(block, {part: getattr(store, part) for part in PARTS})


def read_state(block: StateBlock, memory: Memory) -> BaseModel:
    """Return the state that a block holds, as the model of the program's states.

    Raises:
        ValueError: not a state of this program.
    """
    return checked(memory.layout).model_validate(codec_of(memory).read(block))


def write_state(block: StateBlock, memory: Memory, state: BaseModel) -> None:
    """Write a state of the program's model into a block, as `write_store` does."""
    codec_of(memory).write(block, state.model_dump(by_alias=True))
