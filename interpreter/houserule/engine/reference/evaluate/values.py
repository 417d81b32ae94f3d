"""Declared values: calls, memoised results, lifts, layers and range checks.

Results of a value that depends on fields alone are memoised for the whole process; if
it depends on the state, for one version of the state. A value that reads the action
under way, a phase's item or `can` is computed at each call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from houserule import ir
from houserule.base.algebra.graph import reachable
from houserule.engine.reference.evaluate.context import Args, Call, Code, GameContext
from houserule.engine.reference.evaluate.work import FEW, too_much_work
from houserule.engine.state.domains import fits, printed, size_of
from houserule.engine.state.faults import F01, RuleFault
from houserule.ir import types
from houserule.ir.access import Access
from houserule.ir.types import Data
from houserule.ir.walk import beneath, slots_needed, values_called

if TYPE_CHECKING:
    from houserule.engine.reference.evaluate.expressions import Evaluator

Memo: TypeAlias = dict[Args, Data]

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
IN_PLAY = (*_OF_THE_MOMENT, *_OF_THE_STATE)
"""The nodes that read what changes in play."""


def parts(value: ir.ValueDef) -> Iterator[ir.Expr]:
    """Yield the expressions that a value is made of."""
    yield value.whole
    for layer in value.layers:
        for _, adjust in layer.adjusts:
            yield adjust


def reaches(program: ir.Program) -> Mapping[str, Reach]:
    """Return for each value how far its results hold."""
    access = Access(program)
    roots = {n: access.with_imagined(*parts(v)) for n, v in program.values.items()}
    calls = {name: values_called(*nodes) for name, nodes in roots.items()}
    own: dict[str, Reach] = {}
    for name, nodes in roots.items():
        own[name] = Reach.FOREVER
        for node in beneath(*nodes):
            if isinstance(node, _OF_THE_MOMENT):
                own[name] = Reach.MOMENT
                break
            if isinstance(node, _OF_THE_STATE):
                own[name] = Reach.VERSION
    found: dict[str, Reach] = {}
    for name in program.values:
        inner = {own[each] for each in reachable([name], calls)}
        if Reach.MOMENT in inner:
            found[name] = Reach.MOMENT
        else:
            found[name] = Reach.VERSION if Reach.VERSION in inner else Reach.FOREVER
    return found


class Values:
    """The calls of a program's values, each made when it is first wanted."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.reaches = reaches(evaluator.program)
        self._calls: dict[str, Call] = {}

    def call(self, name: str) -> Call:
        """Return the function from context and arguments to a value's result."""
        found = self._calls.get(name)
        if found is None:
            found = self._calls[name] = self._make(name)
        return found

    def _make(self, name: str) -> Call:
        evaluator = self._evaluator
        value, labels = evaluator.program.values[name], evaluator.program.labels
        size = max(value.frame, len(value.params) + 1, slots_needed(*parts(value)))
        inside = _range_test(value.type)
        padding: list[Data] = [None] * (size - len(value.params) - 1)
        code: Code | None = None

        def run(ctx: GameContext, args: Args) -> Data:
            nonlocal code
            if code is None:  # then what it calls need not be compiled in depth
                code = evaluator.definition(value)
            found = code(ctx, [None, *args, *padding])
            if inside is not None and not inside(found):
                shown = printed(found, value.type, labels)
                pairs = zip(args, value.params, strict=True)
                words = ", ".join(printed(arg, p.type, labels) for arg, p in pairs)
                title = f"{name}({words})" if words else name
                said = f"`{title}` is {shown}, outside {value.type}."
                raise RuleFault(F01, said, value.span, name)
            return found

        sizes = [size_of(param.type) for param in value.params]
        many = prod(size if size is not None else 1 for size in sizes)
        match self.reaches[name]:
            case Reach.MOMENT if evaluator.costs.call(name) > FEW:
                # A call without memo may be repeated many times: count each.

                def call(ctx: GameContext, args: Args) -> Data:
                    ctx.left -= 1
                    if ctx.left < 0:
                        raise too_much_work(value.span)
                    return run(ctx, args)

                return call
            case Reach.MOMENT:
                return run
            case Reach.FOREVER if many <= FOREVER_AT_MOST:
                memo: Memo = {}

                def call(ctx: GameContext, args: Args) -> Data:
                    try:
                        return memo[args]
                    except KeyError:
                        result = memo[args] = run(ctx, args)
                        return result

                return call
            case _:

                def call(ctx: GameContext, args: Args) -> Data:
                    recent = ctx.store.memo
                    key = (name, args)
                    try:
                        return recent[key]
                    except KeyError:
                        result = recent[key] = run(ctx, args)
                        return result

                return call


def _range_test(type_: types.Type) -> Callable[[Data], bool] | None:
    match type_:
        case types.Flag() | types.Kind() | types.Position():
            return None
        case types.Maybe(inner) if _range_test(inner) is None:
            return None
        case _:
            return fits(type_)
