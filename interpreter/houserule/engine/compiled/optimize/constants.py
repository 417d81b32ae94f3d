"""Constants: declared values that are known before any game.

A declared value that reads no state becomes an array of its results, by arguments, if
these are few; its calls look the result up. The reference engine computes them, if that
is little work. Other expressions are not folded: it would speed up no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.memory.shapes import in_words, is_set, kept_words, scalar
from houserule.engine.compiled.optimize.memoisation import rows_of
from houserule.engine.reference.evaluate.context import GameContext
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.reference.evaluate.values import Reach
from houserule.engine.state.domains import values_of
from houserule.engine.state.faults import RuleFault

ROWS_AT_MOST = 4096  # of an array
COST_AT_MOST = 5_000_000  # nodes that the values of a program may take to work out


class ConstantArrays:
    """The arrays of results of a program's declared values.

    `reaches` says of each declared value how long a result holds. A value has no array
    if one result would be a fault: the game may never ask for it.
    """

    def __init__(
        self, context: CompilationContext, reaches: Mapping[str, Reach], costs: Costs
    ) -> None:
        self._context, self._reaches, self._costs = context, reaches, costs
        self._arrays: dict[str, int | None] = {}

    def array(self, value: ir.ValueDef) -> int | None:
        """Return the address of the array of a value's results; None if it has none.

        If it has one, no call of the value can fail.
        """
        if value.name not in self._arrays:
            self._arrays[value.name] = self._laid_down(value)
        return self._arrays[value.name]

    def _laid_down(self, value: ir.ValueDef) -> int | None:
        if self._reaches[value.name] is not Reach.FOREVER:
            return None
        # The work is bounded before it is done. A fault among the results means that
        # there is no array: it may only come where the rules ask for that result. Sets
        # as arguments have many rows, of which few are ever asked for.
        rows = rows_of(value.params)
        if rows is None or rows > ROWS_AT_MOST:
            return None
        if any(is_set(param.type) for param in value.params):
            return None
        if self._costs.everywhere(value.name) > COST_AT_MOST:
            return None
        evaluator, empty = self._context.evaluator, self._context.empty
        every = product(*(list(values_of(param.type)) for param in value.params))
        try:
            found = [
                evaluator.value(value.name, GameContext(empty), args) for args in every
            ]
        except RuleFault:
            return None
        if in_words(value.type):
            words = [w for each in found for w in kept_words(value.type, each)]
            return self._context.data.words(words)
        return self._context.data.numbers([scalar(each) for each in found])
