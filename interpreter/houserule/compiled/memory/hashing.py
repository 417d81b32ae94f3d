"""Hashing: the number of a state, the same from the block and from a store."""

from __future__ import annotations

from houserule.compiled.memory.layout import Memory
from houserule.compiled.writer.functions import Code, Function, i32, i64
from houserule.engine.random_numbers import hash_tag
from houserule.record.hashes import NUMBER_START


def hash_function(memory: Memory) -> Function:
    """Return `$hash`: it goes over the state as `record.hashes.state_number` does."""
    f = Function("$hash", (), ("i64",))
    f.locals += [("$h", "i64"), ("$i", "i32"), ("$k", "i32"), ("$n", "i32")]
    f.set("$h", i64(NUMBER_START))
    for cells in memory.cells.values():
        _row(f, cells.at, cells.count, cells.words)
    for zone in memory.zones.values():
        if zone.order is None:
            _row(f, zone.masks.at, zone.masks.count, zone.masks.words)
        else:
            for index in range(zone.order.count):
                _pile(f, zone.order.at + index * zone.order.width)
    for part in (memory.tokens, memory.faces, memory.known):
        for cells in part.values():
            _row(f, cells.at, cells.count, 0)
    for tag in sorted(memory.tags):
        at = memory.stream(tag)
        with f.when(f"(i64.ne (i64.load (i32.const {at + 16})) (i64.const 0))"):
            _mix(f, i64(hash_tag(tag)))
            _mix(f, f"(i64.load (i32.const {at}))")
    f.add("(local.get $h)")
    return f


def _mix(f: Function, code: Code) -> None:
    f.set("$h", f"(call $mixed (local.get $h) {code})")


def _row(f: Function, at: int, count: int, words: int) -> None:
    """Mix a row of numbers, or of words."""
    if not count:
        return
    total = count * words if words else count
    f.set("$i", i32(0))
    label = f.label("row")
    with f.loop(label):
        where = f"(i32.shl (local.get $i) {i32(3 if words else 2)})"
        if words:
            _mix(f, f"(i64.load offset={at} {where})")
        else:
            _mix(f, f"(i64.load32_s offset={at} {where})")
        f.set("$i", "(i32.add (local.get $i) (i32.const 1))")
        f.add(f"(br_if {label} (i32.lt_u (local.get $i) {i32(total)}))")


def _pile(f: Function, at: int) -> None:
    """Mix how many things lie in a pile, then each."""
    f.set("$n", f"(i32.load (i32.const {at}))")
    f.set("$i", i32(0))
    label = f.label("pile")
    with f.loop(label):
        where = "(i32.shl (local.get $i) (i32.const 2))"
        _mix(f, f"(i64.load32_s offset={at} {where})")
        f.set("$i", "(i32.add (local.get $i) (i32.const 1))")
        f.add(f"(br_if {label} (i32.le_u (local.get $i) (local.get $n)))")
