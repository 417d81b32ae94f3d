"""Seats in an order: once round the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.writer.functions import i32

if TYPE_CHECKING:
    from houserule.compiled.expressions.expressions import Expressions


def seats_in_order(e: Expressions, node: ir.Seats, at: int) -> None:
    """Write what lays all seats down in their order."""
    f, seats = e.f, e.unit.program.seats
    start = f.keep(e.number(node.start))
    lap = i32(1)
    if node.lap is not None:
        lap = f.keep(f"(i32.and {e.number(node.lap)} (i32.const 1))")
    for step in range(seats):
        on = _turned(start, step, seats)
        back = _turned(start, -step % seats, seats)
        match node.how:
            case "clockwise":
                seat = on
            case "reversed":
                seat = back
            case "snaking":
                from_last = _turned(start, seats - 1 - step, seats)
                seat = f"(select {on} {from_last} {lap})"
        f.add(f"(i32.store (i32.const {at + 4 * step}) {seat})")


def _turned(start: str, by: int, seats: int) -> str:
    return f"(i32.rem_u (i32.add {start} {i32(by)}) {i32(seats)})"
