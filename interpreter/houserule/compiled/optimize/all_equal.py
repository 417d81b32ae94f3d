"""Whether every two have the same reading: each is compared with the first alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.optimize.conditions import with_arguments
from houserule.ir import types
from houserule.ir.walk import beneath, slots_read

if TYPE_CHECKING:
    from houserule.compiled.context import Unit


@dataclass(frozen=True, slots=True)
class Alike:
    """The readings of all that a variable runs over are the same."""

    bind: ir.Bind
    reading: ir.Expr


def alike(unit: Unit, node: ir.Quantifier) -> Alike | None:
    """Return what `every j, k in S has f(j) is f(k)` says, if a query says that.

    Only where no reading can fail: then nobody sees that fewer are worked out.
    """
    match node:
        case ir.Quantifier(
            kind="every",
            binds=[ir.Bind(slots=[one, other], how="member") as bind],
            where=None,
            body=ir.Comparison("==", reading, again),
        ):
            pass
        case _:
            return None
    if other in slots_read(reading) or not unit.certain.of(reading):
        return None
    if isinstance(reading.type, types.Set | types.Maybe):
        return None
    same = [
        each
        for each in beneath(again)
        if isinstance(each, ir.Local) and each.slot == other
    ]
    if not same or with_arguments(reading, {one: same[0]}) != again:
        return None
    return Alike(replace(bind, slots=(one,), names=bind.names[:1]), reading)
