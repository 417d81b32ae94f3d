"""Work: what is computed between two decisions is limited (fault F11).

Each set that is gone through counts with its members, and each part of a set that is
looked at counts one: in expressions, in loops of statements and for options. So do
iterations of loops and calls of effects, with their contents (`STATEMENT`). A query or
a value with a small bound, callees included, does not count: between two counted things
the work is bounded anyway. More than the limit is a rule fault (F11), so no game runs
indefinitely. That does not depend on how fast a machine is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from houserule.base.algebra.subsets import count_subsets, subsets
from houserule.base.diagnostics.diagnostic import way_beyond
from houserule.base.limits import limit
from houserule.base.source import Span
from houserule.engine.reference.evaluate.context import GameContext
from houserule.engine.state.faults import F11, RuleFault
from houserule.ir.types import Data

FEW = 64
"""Number of nodes that may be visited without counting."""

STATEMENT = 8
"""A statement counts as this many members: it takes about as long, and what it does is
kept for those who are told of it. The statements of a loop count in each pass, those of
an effect at each call; so what runs at most once between two of them has a bound."""

MANY = 256
"""Sets of more members count one by one: often a loop ends early."""

SMALL = 8
"""Sets of more members may have more than `MANY` parts."""


def beyond(name: str, what: str, span: Span) -> RuleFault:
    """Return the fault F11 of a ceiling; `what` is the sentence before its number."""
    return RuleFault(F11, f"{what} {way_beyond(name)}", span)


def too_much_work(span: Span) -> RuleFault:
    """Return the fault of rules that look at more than the ceiling `work`."""
    what = f"More than {limit('work'):,} members are looked at between two decisions."
    return beyond("work", what, span)


def spend(ctx: GameContext, many: int, span: Span) -> None:
    """Count members that are looked at.

    Raises:
        RuleFault: F11, there are too many since the last decision.
    """
    ctx.left -= many
    if ctx.left < 0:
        raise too_much_work(span)


class _Counted:
    """An iterable that counts work at each iteration."""

    __slots__ = ("_ctx", "_span", "_things")

    def __init__(self, ctx: GameContext, things: Iterable[Data], span: Span) -> None:
        self._ctx, self._things, self._span = ctx, things, span

    def __iter__(self) -> Iterator[Data]:
        ctx = self._ctx
        for thing in self._things:
            ctx.left -= 1
            if ctx.left < 0:
                raise too_much_work(self._span)
            yield thing


def counted(
    ctx: GameContext, things: Sequence[Data], span: Span, again: bool = False
) -> Iterable[Data]:
    """Count things that are visited, and return them.

    Many of them count one by one, and so do those that are visited `again` and again.

    Raises:
        RuleFault: F11, there are too many since the last decision.
    """
    many = len(things)
    if many > MANY or again:
        return _Counted(ctx, things, span)
    ctx.left -= many
    if ctx.left < 0:
        raise too_much_work(span)
    return things


def counted_parts(
    ctx: GameContext, members: Sequence[int], low: int, high: int | None, span: Span
) -> Iterable[Data]:
    """Return the parts of a set, each of which counts.

    Those of a small set count at once, of others each as it is visited.

    Raises:
        RuleFault: F11, there are too many since the last decision.
    """
    things = subsets(members, low, high)
    if len(members) > SMALL:
        return _Counted(ctx, things, span)
    spend(ctx, count_subsets(len(members), low, high), span)
    return things


def begin_step(ctx: GameContext, name: str, span: Span) -> None:
    """Count that a step or a turn begins.

    Raises:
        RuleFault: F11, too many have begun since the last decision.
    """
    ctx.steps -= 1
    if ctx.steps < 0:
        most = limit("steps")
        what = f"More than {most:,} steps and turns begin without a decision."
        raise beyond("steps", what, span).located(span, name)


def too_many(span: Span, address: str) -> RuleFault:
    """Return the fault of a list that is longer than the ceiling `options`."""
    what = f"More than {limit('options'):,} options or members are to be listed."
    return beyond("options", what, span).located(span, address)
