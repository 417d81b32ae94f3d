"""Functions that do something else, or tell another number, for each number given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from houserule.compiled.writer.functions import Function, Write

if TYPE_CHECKING:
    from houserule.compiled.context import Unit


def switch(
    unit: Unit,
    title: str,
    cases: Mapping[int, Write],
    *,
    default: str = "",
    params: Iterable[tuple[str, str]] = (("$me", "i32"),),
    results: Iterable[str] = ("i32",),
) -> None:
    """Write a function that does something else for each number it is given."""
    f = Function(title, (("$which", "i32"), *params), tuple(results))
    choose_case(f, cases)
    if default:
        f.add(default)
    unit.functions.append(f)


def choose_case(f: Function, cases: Mapping[int, Write]) -> None:
    """Write a jump to the case of `$which`; all cases go on behind the last one."""
    if not cases:
        return
    numbers = sorted(cases)
    every = range(numbers[-1] + 1)
    targets = " ".join(f"$case{n}" if n in cases else "$out" for n in every)
    with f.block("(block $out"):
        for number in reversed(numbers):
            f.add(f"(block $case{number}")
        f.add(f"(br_table {targets} $out (local.get $which))")
        for number in numbers:
            f.add(")")
            cases[number](f)
            f.add("(br $out)")


def table(unit: Unit, title: str, values: list[int]) -> None:
    """Write a function that looks a number up."""
    at = unit.data.numbers(values or [0])
    f = Function(title, (("$which", "i32"),), ("i32",))
    f.add(f"(i32.load offset={at} (i32.shl (local.get $which) (i32.const 2)))")
    unit.functions.append(f)
