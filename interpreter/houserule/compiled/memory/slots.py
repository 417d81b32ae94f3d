"""Where values are while code is written: of a frame, and of what a loop runs over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from houserule.compiled.memory.shapes import Universe
from houserule.compiled.writer.functions import Code, i32

Words: TypeAlias = tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class InLocals:
    """A slot that lives in locals: one, or a word of a set each."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InMemory:
    """A slot that lives in a procedure's frame."""

    at: int


Slot: TypeAlias = InLocals | InMemory


@dataclass(frozen=True, slots=True)
class LoopSource:
    """What a binder runs over: the words of a set, a range's ends, or a row."""

    words: Words
    space: Universe
    low: Code = ""
    high: Code = ""
    row: int = 0  # the address of members in an order of their own


def scaled(index: Code, by: int) -> Code:
    """Return an index times a width."""
    if by == 1:
        return index
    if index.startswith("(i32.const ") and index.count("(") == 1:
        return i32(int(index.removeprefix("(i32.const ").removesuffix(")")) * by)
    if by & (by - 1) == 0:
        return f"(i32.shl {index} {i32(by.bit_length() - 1)})"
    return f"(i32.mul {index} {i32(by)})"
