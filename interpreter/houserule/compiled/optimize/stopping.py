"""Stopping: where a module looks whether it is to stop within a decision.

A host writes 1 to the address `STOP_AT`, from another thread. The module looks there
in each phase that it comes to, and in each procedure that calls others or may stop.
Where a bound on the work, known beforehand, is high, it looks in each pass of a loop
too, until what is inside of it has a low bound. So it stops soon, and what is quick
looks nowhere. To stop is a trap without a fault.

The number is read as an atomic, because another thread writes it: a compiler may
otherwise read it once for a whole loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from houserule import ir
from houserule.compiled.expressions.operands import Operands
from houserule.compiled.memory.layout import STOP_AT
from houserule.compiled.optimize.costs import Costs, one_of, times
from houserule.compiled.writer.functions import Function
from houserule.ir.contents import option_binds

LONG = 1 << 22  # nodes: some milliseconds
LOOK = f"(if (i32.atomic.load (i32.const {STOP_AT})) (then (unreachable)))"


def look(f: Function) -> None:
    """Write a look whether to stop."""
    f.add(LOOK)


def look_if_long(e: Operands) -> None:
    """Write a look where the work at hand may be long."""
    if e.bound >= LONG:
        look(e.f)


@contextmanager
def passes(e: Operands, bind: ir.Bind) -> Iterator[None]:
    """Write the inside of a loop over one variable: it begins with a look, if long."""
    whole = e.bound
    look_if_long(e)
    e.bound = whole // one_of(bind)
    yield
    e.bound = whole


@contextmanager
def bounded(e: Operands, work: int) -> Iterator[None]:
    """Write an expression of which a bound on its work is known."""
    before = e.bound
    e.bound = min(before, work)
    yield
    e.bound = before


def work_of_options(action: ir.ActionDef, costs: Costs) -> int:
    """Return a bound on the work of going over an action's options."""
    conditions = (*action.conditions, *action.limits, *action.costs, *action.unwise)
    binds = option_binds(action)
    return times(binds) * (1 + costs.bound(*binds, *conditions))


def work_of_picks(bind: ir.Bind, where: ir.Expr | None, costs: Costs) -> int:
    """Return a bound on the work of going over what may be picked."""
    return times((bind,)) * (1 + costs.bound(bind, *([where] if where else [])))
