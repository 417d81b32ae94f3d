"""What only one of several branches works out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.writer.functions import Code

if TYPE_CHECKING:
    from houserule.compiled.expressions.expressions import Expressions


def apart(e: Expressions, make: Callable[[], Code]) -> tuple[list[str], Code]:
    """Return the statements that an operand needs, and the operand."""
    lines, e.f.lines = e.f.lines, []
    with e.f.perhaps():
        code = make()
    needed, e.f.lines = e.f.lines, lines
    return needed, code


def rows(e: Expressions, node: ir.Cases, take: Callable[[ir.Expr], None]) -> None:
    """Write what takes the first row that holds."""
    out = e.f.label("row")
    with e.f.block(f"(block {out}"):
        for condition, value in node.rows:
            known = e.unit.constant(condition)
            if known is not None and not known.value:
                continue
            if known is not None:
                take(value)
                return
            with e.f.when(e.truth(condition)):
                take(value)
                e.f.add(f"(br {out})")
        take(node.otherwise)
