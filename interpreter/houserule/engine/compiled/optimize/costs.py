"""Long work: where a module looks whether it is to stop, and counts what it does.

To stop a module, a host writes 1 to the address `STOP_AT`, from another thread. The
module looks there in each phase, and in each procedure that calls others or may stop.
If a bound on work is high, it also looks in each pass of a loop, until what is inside
has a low bound. So it stops soon, and quick code has no polls. To stop is a trap
without a fault.

At the same places, and in loops with a much lower bound, visited nodes count towards
the limit `work`; beyond it is the fault F11.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from houserule import ir
from houserule.base.source import NOWHERE, Span
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.operands import Operands
from houserule.engine.compiled.functions import Function
from houserule.engine.compiled.memory.layout import STOP_AT
from houserule.engine.reference.evaluate.costs import Costs, one_of, times
from houserule.engine.reference.evaluate.work import STATEMENT
from houserule.engine.state.faults import F11
from houserule.ir.walk import option_binds

LONG = 1 << 22  # nodes: some milliseconds
COUNTED = 1 << 16
PIECE = 2 * STATEMENT  # rough work of a piece of a procedure without a jump
TOO_MUCH_WORK = "Too much is looked at between two decisions."
LOOK = f"(if (i32.atomic.load (i32.const {STOP_AT})) (then (unreachable)))"


# ---- looks whether to stop


def look(f: Function) -> None:
    """Write a look whether to stop."""
    f.add(LOOK)


def counting(context: CompilationContext, span: Span, many: int = 1) -> str:
    """Return code that counts visited things; too many are F11."""
    which = context.fault(F11, TOO_MUCH_WORK, span)
    return f"(call $spend (i32.const {which}) (i32.const {many}))"


def look_if_long(e: Operands, span: Span) -> None:
    """Write a look where the work at hand may be long, and count where it may not."""
    if e.bound >= LONG:
        look(e.f)
    if e.bound >= COUNTED:
        e.f.add(counting(e.context, e.near if span == NOWHERE else span))


@contextmanager
def passes(e: Operands, bind: ir.Bind) -> Iterator[None]:
    """Write the inside of a loop over one variable: it begins with a look, if long."""
    whole = e.bound
    look_if_long(e, bind.source.span)
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
    """Return a bound on the work of counting an action's options."""
    conditions = (*action.conditions, *action.limits, *action.costs, *action.advice)
    binds = option_binds(action)
    return times(binds) * (1 + costs.bound(*binds, *conditions))


def work_of_picks(bind: ir.Bind, where: ir.Expr | None, costs: Costs) -> int:
    """Return a bound on the work of counting possible picks."""
    return times((bind,)) * (1 + costs.bound(bind, *([where] if where else [])))
