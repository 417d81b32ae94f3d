"""Declared values: calls, memoised results, lifts, layers and range checks.

The results of a value that depends on nothing but fields are memoised for ever, those
of one that depends on the state for one version of it. A value that reads the action
under way, a phase's item or `can` is computed at each call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from math import prod
from typing import TypeAlias

from houserule import ir
from houserule.engine.evaluate.context import (
    Args,
    Code,
    Compiler,
    Frame,
    GameContext,
    Number,
)
from houserule.engine.evaluate.work import FEW, STATEMENT, spend, too_much_work
from houserule.graph import reachable
from houserule.ir import types
from houserule.ir.access import Access
from houserule.ir.types import Data
from houserule.ir.walk import (
    beneath,
    option_factors,
    slots_needed,
    values_called,
)
from houserule.source import Span
from houserule.state.domains import fits, printed, size_of
from houserule.state.faults import RuleFault

Call: TypeAlias = Callable[[GameContext, Args], Data]
Memo: TypeAlias = dict[Args, Data]
Change: TypeAlias = tuple[str, Number]

FOREVER_AT_MOST = 1 << 16


class Reach(Enum):
    """How far a value's result holds."""

    FOREVER = "fields and arguments only"
    VERSION = "the state"
    MOMENT = "what is under way"


_OF_THE_MOMENT = (ir.PhaseVar, ir.Can, ir.Doing)
_OF_THE_STATE = (
    ir.PositionAfter,
    ir.ReadCell,
    ir.ReadFace,
    ir.Contents,
    ir.ZoneSize,
    ir.TokenCount,
    ir.PileTop,
)


def parts(value: ir.ValueDef) -> Iterator[ir.Expr]:
    """Yield the expressions that a value is made of."""
    yield value.definition
    for _, lift in value.lifts:
        yield lift
    for layer in value.layers:
        for _, adjust in layer.adjusts:
            yield adjust


def reaches(program: ir.Program) -> Mapping[str, Reach]:
    """Return for each value how far its results hold."""
    access = Access(program)
    roots = {n: access.with_imagined(*parts(v)) for n, v in program.values.items()}
    calls = {name: values_called(*nodes) for name, nodes in roots.items()}
    own = {name: _own_reach(*nodes) for name, nodes in roots.items()}
    found: dict[str, Reach] = {}
    for name in program.values:
        inner = {own[each] for each in reachable([name], calls)}
        if Reach.MOMENT in inner:
            found[name] = Reach.MOMENT
        else:
            found[name] = Reach.VERSION if Reach.VERSION in inner else Reach.FOREVER
    return found


def _own_reach(*roots: ir.CoreNode) -> Reach:
    nodes = list(beneath(*roots))
    if any(isinstance(node, _OF_THE_MOMENT) for node in nodes):
        return Reach.MOMENT
    if any(isinstance(node, _OF_THE_STATE) for node in nodes):
        return Reach.VERSION
    return Reach.FOREVER


class Values:
    """The calls of a program's values, each made when it is first wanted."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        self._reaches = reaches(compiler.program)
        self._calls: dict[str, Call] = {}

    def call(self, name: str) -> Call:
        """Return the function from context and arguments to a value's result."""
        found = self._calls.get(name)
        if found is None:
            found = self._calls[name] = self._make(name)
        return found

    def _make(self, name: str) -> Call:
        value = self._compiler.program.values[name]
        run = _compiled_at_first_call(self._compiler, value)
        sizes = [size_of(param.type) for param in value.params]
        many = prod(size if size is not None else 1 for size in sizes)
        match self._reaches[name]:
            case Reach.MOMENT if self._compiler.costs.call(name) > FEW:
                return _counted(run, value.span)
            case Reach.MOMENT:
                return run
            case Reach.FOREVER if many <= FOREVER_AT_MOST:
                return _memoised_for_ever(run, {})
            case _:
                return _memoised_for_a_version(name, run)


def _counted(run: Call, span: Span) -> Call:
    """Count each call: what is not remembered may be worked out again and again."""

    def call(ctx: GameContext, args: Args) -> Data:
        ctx.left -= 1
        if ctx.left < 0:
            raise too_much_work(span)
        return run(ctx, args)

    return call


def _memoised_for_ever(run: Call, memo: Memo) -> Call:
    def call(ctx: GameContext, args: Args) -> Data:
        try:
            return memo[args]
        except KeyError:
            result = memo[args] = run(ctx, args)
            return result

    return call


def _memoised_for_a_version(name: str, run: Call) -> Call:
    def call(ctx: GameContext, args: Args) -> Data:
        memo = ctx.store.memo
        key = (name, args)
        try:
            return memo[key]
        except KeyError:
            result = memo[key] = run(ctx, args)
            return result

    return call


def _compiled_at_first_call(c: Compiler, value: ir.ValueDef) -> Call:
    """Compile at the first call: then what it calls need not be compiled in depth."""
    made: list[Call] = []

    def call(ctx: GameContext, args: Args) -> Data:
        if not made:
            made.append(_run(c, value))
        return made[0](ctx, args)

    return call


def _run(c: Compiler, value: ir.ValueDef) -> Call:
    result = _layered(c, value, _lifted(c, value))
    size = max(value.frame, len(value.params) + 1, slots_needed(*parts(value)))
    inside = _range_test(value.type)
    padding: list[Data] = [None] * (size - len(value.params) - 1)

    def call(ctx: GameContext, args: Args) -> Data:
        found = result(ctx, [None, *args, *padding])
        if inside is not None and not inside(found):
            raise _out_of_range(c.program, value, args, found)
        return found

    return call


def _range_test(type_: types.Type) -> Callable[[Data], bool] | None:
    match type_:
        case types.Flag() | types.Kind() | types.Position():
            return None
        case types.Maybe(inner) if _range_test(inner) is None:
            return None
        case _:
            return fits(type_)


def _out_of_range(
    program: ir.Program, value: ir.ValueDef, args: Args, found: Data
) -> RuleFault:
    shown = printed(found, value.type, program.labels)
    pairs = zip(args, value.params, strict=True)
    words = ", ".join(printed(arg, p.type, program.labels) for arg, p in pairs)
    title = f"{value.name}({words})" if words else value.name
    return RuleFault(
        "F01", f"`{title}` is {shown}, outside {value.type}.", value.span, value.name
    )


def _lifted(c: Compiler, value: ir.ValueDef) -> Code:
    definition = c.expr(value.definition)
    lifts = [c.truth(lift) for _, lift in value.lifts]
    if not lifts:
        return definition
    holds = c.truth(value.definition)
    return lambda ctx, frame: (
        holds(ctx, frame) or any(lift(ctx, frame) for lift in lifts)
    )


def _layered(c: Compiler, value: ir.ValueDef, definition: Code) -> Code:
    changes: list[Change] = [
        (layer.op, c.number(adjust))
        for layer in value.layers
        for _, adjust in layer.adjusts
    ]
    if not changes:
        return definition
    span = value.span

    def code(ctx: GameContext, frame: Frame) -> Data:
        found = definition(ctx, frame)
        if not isinstance(found, int):
            raise RuleFault("F03", f"`{value.name}` is none: no layer applies.", span)
        for op, change in changes:
            found = applied(found, op, change(ctx, frame))
        return found

    return code


def applied(number: int, op: str, by: int) -> int:
    """Return a number after one step of a layer."""
    match op:
        case "times":
            return number * by
        case "plus":
            return number + by
        case "at least":
            return max(number, by)
        case _:
            return min(number, by)


# ---- calls in expressions: a call on none gives none, an argument keeps its range


def call_code(c: Compiler, call: Call, node: ir.CallValue) -> Code:
    """Return the code of a call."""
    params = c.program.values[node.value].params
    args = [argument(c, arg, p) for arg, p in zip(node.args, params, strict=True)]
    if any(_stops(arg, p) for arg, p in zip(node.args, params, strict=True)):
        return _strict_call(call, args, params)
    match args:
        case []:
            return lambda ctx, frame: call(ctx, ())
        case [only]:
            return lambda ctx, frame: call(ctx, (only(ctx, frame),))
        case [first, second]:
            return lambda ctx, frame: call(ctx, (first(ctx, frame), second(ctx, frame)))
        case _:
            return lambda ctx, frame: call(ctx, tuple([a(ctx, frame) for a in args]))


def _stops(arg: ir.Expr, param: ir.Param) -> bool:
    return isinstance(arg.type, types.Maybe) and not isinstance(param.type, types.Maybe)


def _strict_call(call: Call, args: list[Code], params: tuple[ir.Param, ...]) -> Code:
    wanted = [not isinstance(param.type, types.Maybe) for param in params]

    def code(ctx: GameContext, frame: Frame) -> Data:
        values = tuple([arg(ctx, frame) for arg in args])
        for value, present in zip(values, wanted, strict=True):
            if value is None and present:
                return None
        return call(ctx, values)

    return code


def argument(c: Compiler, arg: ir.Expr, param: ir.Param) -> Code:
    """Return the code of an argument; outside of its parameter's range it is F01."""
    code = c.expr(arg)
    match param.type, arg.type:
        case (types.Whole() | types.Maybe(types.Whole())) as wanted, _:
            return _ranged(code, wanted, param.name, arg.span)
        case wanted, given if _may_leave(wanted, given):
            return _ranged(code, wanted, param.name, arg.span)
        case _:
            return code


def _may_leave(wanted: types.Type, given: types.Type) -> bool:
    """Say whether a set may have numbers that a parameter does not take.

    What may be empty is never given for a part: the check refuses it.
    """
    wanted = wanted.inner if isinstance(wanted, types.Maybe) else wanted
    given = given.inner if isinstance(given, types.Maybe) else given
    match wanted, given:
        case types.Set(types.Whole(low, high)), types.Set(types.Whole(least, most)):
            return least < low or most > high
        case _:
            return False


def _ranged(code: Code, type_: types.Type, name: str, span: Span) -> Code:
    whole = type_.inner if isinstance(type_, types.Maybe) else type_
    inside = fits(whole)

    def checked(ctx: GameContext, frame: Frame) -> Data:
        value = code(ctx, frame)
        if value is not None and not inside(value):
            raise RuleFault("F01", f"`{name}` is {value}, outside {type_}.", span)
        return value

    return checked


# ---- positions that an action leads to


def imagining(c: Compiler, node: ir.PositionAfter) -> Code:
    """Return the code of what an expression is after an action."""
    action = c.program.actions[node.action]
    params = [
        ir.Param(name, bind.type)
        for bind in option_factors(action)
        for name in bind.names
    ]
    args = [argument(c, arg, p) for arg, p in zip(node.args, params, strict=True)]
    who, body, name, span = c.number(node.by), c.expr(node.body), node.action, node.span

    def code(ctx: GameContext, frame: Frame) -> Data:
        seat, given = who(ctx, frame), tuple([arg(ctx, frame) for arg in args])
        spend(ctx, STATEMENT, span)
        there = ctx.imagine(name, seat, given)
        found = body(there, frame)
        ctx.left = there.left
        return found

    return code
