"""Queries: counts, sums, quantifiers and picks over the members or subsets of sets.

Variables are bound from left to right, one loop in the other. A condition is split at
its `and`s, and each part is tested, in order, as soon as its variables and those of the
parts before it are bound, so that no further variable is bound in vain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, assert_never

from houserule import ir
from houserule.engine.evaluate.alike import parts_of
from houserule.engine.evaluate.context import (
    Code,
    Compiler,
    Frame,
    GameContext,
    Items,
    Number,
    Truth,
)
from houserule.engine.evaluate.work import (
    FEW,
    MANY,
    Sized,
    counted,
    counted_constant,
    counted_parts,
)
from houserule.frozen import frozen
from houserule.ir.subsets import subsets
from houserule.ir.types import Data
from houserule.ir.walk import slots_read

Query: TypeAlias = ir.Aggregate | ir.CountOf | ir.Quantifier | ir.Pick
Things: TypeAlias = Iterable[Data]
Loop: TypeAlias = Callable[[GameContext, Frame, Things], int | None]


@frozen
class LoopVariable:
    """One variable: its slot, what is tested once it is bound, and its source.

    `source` None means the same things as the variable before, of one binder.
    """

    slot: int
    test: Truth | None
    source: Items | None


def items(
    c: Compiler, bind: ir.Bind, *, again: bool = False, count: bool = True
) -> Items:
    """Return the code of what each variable of a binder runs over, in order.

    With `again` they are gone through more than once. Without `count` they do not
    count: the query is short however it goes.
    """
    span = bind.source.span
    if bind.how == "subset" and isinstance(bind.source, ir.Distinct):
        return parts_of(c, bind, bind.source)
    if bind.how == "subset":
        members, low, high = c.members(bind.source), bind.low, bind.high
        if count:
            return counted_parts(members, low, high, span)
        return lambda ctx, frame: subsets(members(ctx, frame), low, high)
    things = _members(c, bind.source)
    if not count:
        return things
    found = c.constant(bind.source)
    fixed = () if found is None else found.value
    if fixed and isinstance(fixed, tuple) and len(fixed) <= MANY and not again:
        return counted_constant(fixed, span)
    return counted(things, span, again=again)


def _members(c: Compiler, source: ir.Expr) -> Sized:
    match source:
        case ir.MakeRange(low=first, high=last) if c.constant(source) is None:
            start, stop = c.number(first), c.number(last)
            return lambda ctx, frame: range(start(ctx, frame), stop(ctx, frame) + 1)
        case _:
            return c.members(source)


def conjuncts(where: ir.Expr | None) -> list[ir.Expr]:
    """Return the conditions that a condition joins by `and`, in order."""
    match where:
        case None:
            return []
        case ir.Connective("and", left, right):
            return [*conjuncts(left), *conjuncts(right)]
        case _:
            return [where]


def loop_variables(c: Compiler, node: Query) -> list[LoopVariable]:
    """Return the variables of a query, each with what is tested once it is bound.

    A binder's things are looked up once for all its variables.
    """
    binds = (node.bind,) if isinstance(node, ir.Pick) else node.binds
    count = c.costs.bound(node) > FEW
    sources = [
        (
            slot,
            None if number else items(c, bind, again=len(bind.slots) > 1, count=count),
        )
        for bind in binds
        for number, slot in enumerate(bind.slots)
    ]
    place = {slot: number for number, (slot, _) in enumerate(sources)}
    tests: list[list[ir.Expr]] = [[] for _ in sources]
    at = 0
    for condition in conjuncts(node.where):
        at = max([at, *(place[s] for s in slots_read(condition) if s in place)])
        tests[at].append(condition)
    return [
        LoopVariable(slot, all_of([c.truth(e) for e in tests[number]]), source)
        for number, (slot, source) in enumerate(sources)
    ]


def all_of(tests: Sequence[Truth]) -> Truth | None:
    """Return one test that holds if all of these hold; None if there are none."""
    match tests:
        case []:
            return None
        case [only]:
            return only
        case [first, second]:
            return lambda ctx, frame: first(ctx, frame) and second(ctx, frame)
        case _:  # not one call in the other: there may be thousands
            return lambda ctx, frame: all(test(ctx, frame) for test in tests)


# Each loop is compiled for the shape it has: most queries have one variable, and a
# closure less in the innermost loop is a tenth of a game's time.


def nest(
    variables: Sequence[LoopVariable],
    leaf: Number,
    loop: Callable[[int, Truth | None, Loop], Loop],
) -> Callable[[GameContext, Frame], int | None]:
    """Return loops over some variables, one in the other, around the code of a leaf."""

    def innermost(ctx: GameContext, frame: Frame, things: Things) -> int | None:
        return leaf(ctx, frame)

    inner: Loop = innermost
    for variable in reversed(variables):
        inner = loop(variable.slot, variable.test, inner)
        if variable.source is not None:
            inner = _entering(variable.source, inner)
    return lambda ctx, frame: inner(ctx, frame, ())


def _entering(source: Items, inner: Loop) -> Loop:
    def enter(ctx: GameContext, frame: Frame, things: Things) -> int | None:
        return inner(ctx, frame, source(ctx, frame))

    return enter


def query(c: Compiler, node: Query) -> Code:
    """Return the code of a query."""
    match node:
        case ir.Aggregate():
            return _fold(c, node)
        case ir.CountOf():
            return _count(c, node)
        case ir.Quantifier():
            return _quantified(c, node)
        case ir.Pick():
            return _pick(c, node)
        case _:
            assert_never(node)


# ---- some, every, no


def _quantified(c: Compiler, node: ir.Quantifier) -> Code:
    body = c.truth(node.body)
    if node.kind == "every":
        body = _failing(body)
    variables = loop_variables(c, node)
    found = (
        _some_over_one(variables[0], body)
        if len(variables) == 1
        else _some_over_several(variables, body)
    )
    if node.kind == "some":
        return found
    return lambda ctx, frame: not found(ctx, frame)


def _failing(holds: Truth) -> Truth:
    return lambda ctx, frame: not holds(ctx, frame)


def _some_over_one(variable: LoopVariable, body: Truth) -> Truth:
    slot, test, source = variable.slot, variable.test, variable.source
    assert source is not None

    def plain(ctx: GameContext, frame: Frame) -> bool:
        for thing in source(ctx, frame):
            frame[slot] = thing
            if body(ctx, frame):
                return True
        return False

    if test is None:
        return plain

    def filtered(ctx: GameContext, frame: Frame) -> bool:
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test(ctx, frame) and body(ctx, frame):
                return True
        return False

    return filtered


def _some_over_several(variables: Sequence[LoopVariable], body: Truth) -> Truth:
    nested = nest(variables, body, _any_loop)
    return lambda ctx, frame: bool(nested(ctx, frame))


def _any_loop(slot: int, test: Truth | None, inner: Loop) -> Loop:
    def loop(ctx: GameContext, frame: Frame, things: Things) -> int | None:
        for thing in things:
            frame[slot] = thing
            if (test is None or test(ctx, frame)) and inner(ctx, frame, things):
                return True
        return False

    return loop


# ---- count, sum, highest, lowest


def _count(c: Compiler, node: ir.CountOf) -> Code:
    variables = loop_variables(c, node)
    first = variables[0]
    if len(variables) > 1 or first.source is None:
        return nest(variables, lambda ctx, frame: 1, _sum_loop)
    slot, test, source = first.slot, first.test, first.source

    def code(ctx: GameContext, frame: Frame) -> Data:
        count = 0
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test is None or test(ctx, frame):
                count += 1
        return count

    return code


def _fold(c: Compiler, node: ir.Aggregate) -> Code:
    variables, body = loop_variables(c, node), c.number(node.body)
    empty = node.empty
    if node.kind == "sum":
        if len(variables) == 1:
            return _sum_over_one(variables[0], body)
        return nest(variables, body, _sum_loop)
    best = nest(
        variables, body, _highest_loop if node.kind == "highest" else _lowest_loop
    )

    def code(ctx: GameContext, frame: Frame) -> Data:
        found = best(ctx, frame)
        return empty if found is None else found

    return code


def _sum_over_one(variable: LoopVariable, body: Number) -> Code:
    slot, test, source = variable.slot, variable.test, variable.source
    assert source is not None

    def code(ctx: GameContext, frame: Frame) -> Data:
        total = 0
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test is None or test(ctx, frame):
                total += body(ctx, frame)
        return total

    return code


def _sum_loop(slot: int, test: Truth | None, inner: Loop) -> Loop:
    def loop(ctx: GameContext, frame: Frame, things: Things) -> int | None:
        total = 0
        for thing in things:
            frame[slot] = thing
            if test is None or test(ctx, frame):
                total += inner(ctx, frame, things) or 0
        return total

    return loop


def _highest_loop(slot: int, test: Truth | None, inner: Loop) -> Loop:
    def loop(ctx: GameContext, frame: Frame, things: Things) -> int | None:
        best: int | None = None
        for thing in things:
            frame[slot] = thing
            if test is None or test(ctx, frame):
                found = inner(ctx, frame, things)
                if found is not None and (best is None or found > best):
                    best = found
        return best

    return loop


def _lowest_loop(slot: int, test: Truth | None, inner: Loop) -> Loop:
    def loop(ctx: GameContext, frame: Frame, things: Things) -> int | None:
        best: int | None = None
        for thing in things:
            frame[slot] = thing
            if test is None or test(ctx, frame):
                found = inner(ctx, frame, things)
                if found is not None and (best is None or found < best):
                    best = found
        return best

    return loop


# ---- those with most, the one with most, the only


def _pick(c: Compiler, node: ir.Pick) -> Code:
    variable = loop_variables(c, node)[0]
    sign = 1 if node.direction == "most" else -1
    keys = [c.number(key) for key in node.keys]
    match keys:
        case []:
            best = _candidates(variable)
        case [key]:
            best = _best_by_one(variable, key, sign)
        case _:
            best = _best_by_all(variable, keys, sign)
    if node.many:
        return lambda ctx, frame: tuple(best(ctx, frame))  # type: ignore[arg-type]  # ids

    def only(ctx: GameContext, frame: Frame) -> Data:
        found = best(ctx, frame)
        return found[0] if len(found) == 1 else None

    return only


def _candidates(variable: LoopVariable) -> Callable[[GameContext, Frame], list[Data]]:
    slot, test, source = variable.slot, variable.test, variable.source
    assert source is not None

    def code(ctx: GameContext, frame: Frame) -> list[Data]:
        if test is None:
            return list(source(ctx, frame))
        found: list[Data] = []
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test(ctx, frame):
                found.append(thing)
        return found

    return code


def _best_by_one(
    variable: LoopVariable, key: Number, sign: int
) -> Callable[[GameContext, Frame], list[Data]]:
    slot, test, source = variable.slot, variable.test, variable.source
    assert source is not None

    def code(ctx: GameContext, frame: Frame) -> list[Data]:
        found: list[Data] = []
        best = 0
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test is not None and not test(ctx, frame):
                continue
            rank = sign * key(ctx, frame)
            if not found or rank > best:
                found, best = [thing], rank
            elif rank == best:
                found.append(thing)
        return found

    return code


def _best_by_all(
    variable: LoopVariable, keys: Sequence[Number], sign: int
) -> Callable[[GameContext, Frame], list[Data]]:
    slot, test, source = variable.slot, variable.test, variable.source
    assert source is not None

    def code(ctx: GameContext, frame: Frame) -> list[Data]:
        ranked: list[tuple[list[int], Data]] = []
        for thing in source(ctx, frame):
            frame[slot] = thing
            if test is None or test(ctx, frame):
                ranked.append(([sign * key(ctx, frame) for key in keys], thing))
        best = max((rank for rank, _ in ranked), default=[])
        return [thing for rank, thing in ranked if rank == best]

    return code
