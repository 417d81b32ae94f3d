"""Integer arithmetic of the rules language.

Constant folding, range analysis and the reference engine share these definitions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

Operation: TypeAlias = Literal["+", "-", "*", "/up", "/down", "mod", "min", "max"]

DIVISIONS: Final[frozenset[Operation]] = frozenset({"/up", "/down", "mod"})
"""Operations whose right operand is never 0."""

ROUNDED: Final[Mapping[Literal["up", "down"], Operation]] = {
    "up": "/up",
    "down": "/down",
}
"""Division by its rounding."""


OPERATIONS: Final[Mapping[Operation, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/up": lambda a, b: -(-a // b),
    "/down": operator.floordiv,
    "mod": operator.mod,  # floored: the result has the sign of the divisor
    "min": min,
    "max": max,
}
