"""Functions that do something else, or give another number, for each number given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from houserule.compiled.writer.functions import Function, Write


def switch(
    title: str,
    cases: Mapping[int, Write],
    *,
    default: str = "",
    params: Iterable[tuple[str, str]] = (("$me", "i32"),),
    results: Iterable[str] = ("i32",),
) -> Function:
    """Return a function that does something else for each number it is given."""
    f = Function(title, (("$which", "i32"), *params), tuple(results))
    choose_case(f, cases)
    if default:
        f.add(default)
    return f


def choose_case(f: Function, cases: Mapping[int, Write]) -> None:
    """Write a jump to the case of `$which`; all cases go on behind the last one."""
    if not cases:
        return
    numbers = sorted(cases)
    every = range(numbers[-1] + 1)
    targets = " ".join(f"$case{n}" if n in cases else "$out" for n in every)
    with f.block("(block $out"):
        # A branch to a block goes to its end. So blocks are opened from the last case
        # to the first, and a case stands right behind the end of its own block.
        for number in reversed(numbers):
            f.add(f"(block $case{number}")
        f.add(f"(br_table {targets} $out (local.get $which))")
        for number in numbers:
            f.add(")")
            cases[number](f)
            f.add("(br $out)")


def array_function(title: str, at: int) -> Function:
    """Return a function that looks a number up in an array."""
    f = Function(title, (("$which", "i32"),), ("i32",))
    f.add(f"(i32.load offset={at} (i32.shl (local.get $which) (i32.const 2)))")
    return f
