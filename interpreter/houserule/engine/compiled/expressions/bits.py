"""Sets as words of 64 bits: joining, comparing, counting, walking over members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from houserule.base.source import Span
from houserule.engine.compiled.expressions.operands import Operands, Words
from houserule.engine.compiled.functions import Code, i32, i64
from houserule.engine.compiled.memory.shapes import WORD, Universe, is_set
from houserule.engine.state.faults import F01
from houserule.ir import types


def loaded(e: Operands, at: int, words: int, index: Code) -> Words:
    """Return the words of a set in memory, each in a local."""
    place = f"(i32.mul {index} {i32(8 * words)})" if index != i32(0) else index
    if words > 1:
        place = e.f.keep(place)
    return tuple(
        e.f.keep(f"(i64.load offset={at + 8 * number} {place})", "i64")
        for number in range(words)
    )


def taken_apart(type_: types.Type, words: Words) -> tuple[Code, Words]:
    """Return whether a set is present, and its words, from the stored ones."""
    if is_set(type_):
        return i32(1), words
    return f"(i32.wrap_i64 {words[-1]})", words[:-1]


def put_together(type_: types.Type, there: Code, words: Words) -> Words:
    """Return the stored words of a set that may be `none`."""
    if is_set(type_):
        return words
    return (*words, f"(i64.extend_i32_u {there})")


def both(op: str, left: Words, right: Words) -> tuple[Code, ...]:
    """Return two sets joined word by word."""
    return tuple(f"(i64.{op} {a} {b})" for a, b in zip(left, right, strict=True))


def kept(e: Operands, words: Sequence[Code]) -> Words:
    """Return words that stay what they are."""
    return tuple(e.f.keep(word, "i64") for word in words)


def count(words: Words) -> Code:
    """Return how many members a set has."""
    total = ""
    for word in words:
        part = f"(i32.wrap_i64 (i64.popcnt {word}))"
        total = f"(i32.add {total} {part})" if total else part
    return total


def empty(words: Words) -> Code:
    """Return whether a set has no member."""
    whole = words[0]
    for word in words[1:]:
        whole = f"(i64.or {whole} {word})"
    return f"(i64.eqz {whole})"


def equal(left: Words, right: Words) -> Code:
    """Return whether two sets of one universe are the same."""
    whole = ""
    for a, b in zip(left, right, strict=True):
        part = f"(i64.eq {a} {b})"
        whole = f"(i32.and {whole} {part})" if whole else part
    return whole


def word_of(words: Words, place: Code) -> Code:
    if len(words) == 1:
        return words[0]
    found = words[0]
    for number, word in enumerate(words[1:], 1):
        found = f"(select {word} {found} (i32.ge_u {place} {i32(WORD * number)}))"
    return found


def has(e: Operands, words: Words, space: Universe, value: Code) -> Code:
    """Return whether a set has a member; false for values outside its universe."""
    place = f"(i32.sub {value} {i32(space.low)})" if space.low else value
    place = e.f.keep(place)
    bit = f"(i64.extend_i32_u (i32.and {place} (i32.const 63)))"
    shifted = f"(i64.shr_u {word_of(words, place)} {bit})"
    found = f"(i32.and (i32.wrap_i64 {shifted}) (i32.const 1))"
    return f"(i32.and {found} (i32.lt_u {place} {i32(WORD * len(words))}))"


def single(e: Operands, space: Universe, value: Code) -> Words:
    """Return the set of one member that lies in the universe."""
    place = f"(i32.sub {value} {i32(space.low)})" if space.low else value
    place = e.f.keep(place)
    bit = f"(i64.shl (i64.const 1) (i64.extend_i32_u (i32.and {place} (i32.const 63))))"
    if space.words == 1:
        return (e.f.keep(bit, "i64"),)
    bit = e.f.keep(bit, "i64")
    return tuple(
        e.f.keep(
            f"(select {bit} (i64.const 0) (i32.eq (i32.shr_u {place} (i32.const 6))"
            f" {i32(number)}))",
            "i64",
        )
        for number in range(space.words)
    )


def span_of(e: Operands, space: Universe, low: Code, high: Code) -> Words:
    """Return the set of all members from `low` to `high`, cut to the universe."""
    first = e.f.keep(f"(i32.sub {low} {i32(space.low)})")
    behind = e.f.keep(f"(i32.sub {high} {i32(space.low - 1)})")
    found = []
    for number in range(space.words):
        start = i32(WORD * number)
        upto = f"(call $low_bits (i32.sub {behind} {start}))"
        below = f"(call $low_bits (i32.sub {first} {start}))"
        found.append(f"(i64.and {upto} (i64.xor {below} (i64.const -1)))")
    return kept(e, found)


# ---- from one universe to another


def converted(
    e: Operands, words: Words, old: Universe, new: Universe, span: Span
) -> Words:
    """Return a set in another universe; a member that lies outside it is F01."""
    if old == new or (old.low == new.low and old.places <= new.places):
        return words + (i64(0),) * (new.words - old.words)
    words = kept(e, words)
    moved = kept(e, shifted(words, old.low - new.low, new))
    if old.low < new.low or old.low + old.places > new.low + new.places:
        lost = f"(i32.ne {count(words)} {count(moved)})"
        with e.f.when(lost):
            e.fault(F01, "The set has a member outside its type.", span)
    return moved


def shifted(words: Words, by: int, new: Universe) -> tuple[Code, ...]:
    """Return the words shifted up by a number of places, cut to the new universe."""
    found = []
    for number in range(new.words):
        parts = []
        for old, word in enumerate(words):
            move = WORD * old + by - WORD * number
            if 0 <= move < WORD:
                parts.append(f"(i64.shl {word} {i64(move)})" if move else word)
            elif -WORD < move < 0:
                parts.append(f"(i64.shr_u {word} {i64(-move)})")
        whole = parts[0] if parts else i64(0)
        for part in parts[1:]:
            whole = f"(i64.or {whole} {part})"
        left = new.places - WORD * number
        if left < WORD:
            whole = f"(i64.and {whole} {i64((1 << max(left, 0)) - 1)})"
        found.append(whole)
    return tuple(found)


def joined(left: Universe, right: Universe) -> Universe:
    """Return a universe that holds two others."""
    low = min(left.low, right.low)
    high = max(left.low + left.places, right.low + right.places)
    return Universe(low, high - low)


# ---- walking


@contextmanager
def each_member(e: Operands, words: Words, low: int, into: str) -> Iterator[str]:
    """Write a loop over a set, ascending; yields the label that goes on to the next.

    `(br label)` inside goes on to the next member.
    """
    f = e.f
    rest, again, out = f.local("i64", "rest"), f.label("each"), f.label("end")
    words = kept(e, words)
    number = f.local("i32", "w") if len(words) > 1 else ""
    if number:
        f.set(number, i32(0))
    f.set(rest, words[0])
    with f.block(f"(block {out}"), f.loop(again):
        if number:
            # Go on to the next word that has a member.
            word = f.label("word")
            with f.loop(word), f.when(f"(i64.eqz (local.get {rest}))"):
                f.set(number, f"(i32.add (local.get {number}) (i32.const 1))")
                f.add(
                    f"(br_if {out} (i32.ge_u (local.get {number}) {i32(len(words))}))"
                )
                found = words[0]
                for place, each in enumerate(words[1:], 1):
                    later = f"(i32.ge_u (local.get {number}) {i32(place)})"
                    found = f"(select {each} {found} {later})"
                f.set(rest, found)
                f.add(f"(br {word})")
        else:
            f.add(f"(br_if {out} (i64.eqz (local.get {rest})))")
        value = f"(i32.wrap_i64 (i64.ctz (local.get {rest})))"
        if number:
            value = f"(i32.add {value} (i32.shl (local.get {number}) (i32.const 6)))"
        f.set(into, f"(i32.add {value} {i32(low)})" if low else value)
        less = f"(i64.sub (local.get {rest}) (i64.const 1))"
        f.set(rest, f"(i64.and (local.get {rest}) {less})")
        inner = f.label("next")
        with f.block(f"(block {inner}"):
            yield inner
        f.add(f"(br {again})")
