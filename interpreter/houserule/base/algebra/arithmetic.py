"""Arithmetic: what each operation on whole numbers gives.

Every stage that calculates goes by it: constants of the tree, ranges of results and
constants of the core, divisions in the reference engine.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

Operation: TypeAlias = Literal["+", "-", "*", "/up", "/down", "mod", "min", "max"]

DIVISIONS: Final[frozenset[Operation]] = frozenset({"/up", "/down", "mod"})
"""The operations whose right side is never 0."""

ROUNDED: Final[Mapping[Literal["up", "down"], Operation]] = {
    "up": "/up",
    "down": "/down",
}
"""The division that is rounded so."""


def _rounded_up(a: int, b: int) -> int:
    return -(-a // b)


OPERATIONS: Final[Mapping[Operation, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/up": _rounded_up,
    "/down": operator.floordiv,
    "mod": operator.mod,  # of a floored division: it has the sign of the divisor
    "min": min,
    "max": max,
}
