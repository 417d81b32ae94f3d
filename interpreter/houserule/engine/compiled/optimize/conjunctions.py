"""Conjunctions: each test of a condition can run as soon as its variables are bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from houserule import ir
from houserule.engine.compiled.memory.shapes import bounds, in_words, part_of, universe
from houserule.engine.compiled.optimize.constants import ConstantArrays
from houserule.engine.reference.evaluate.source import conjuncts
from houserule.ir import types
from houserule.ir.walk import beneath, bound_slots, rebuilt


def tests_of(
    program: ir.Program, constants: ConstantArrays, where: ir.Expr | None
) -> list[ir.Expr]:
    """Return the tests that a condition joins, in order, declared ones written out."""
    found: list[ir.Expr] = []
    for test in conjuncts(where):
        if not isinstance(test, ir.CallValue):
            found.append(test)
            continue
        # Only a plain conjunction: no values that layers or lifts change, nothing in an
        # array, which is one look. Arguments take the place of parameters, so each
        # must cost nothing, never fail and fit; no binder inside may catch one.
        value = program.values[test.value]
        whole = value.definition
        plain = (
            isinstance(value.type, types.Flag)
            and isinstance(whole, ir.Connective)
            and whole.op == "and"
            and not value.adjusted
            and not value.widened
            and constants.array(value) is None
            and not any(map(bound_slots, beneath(whole)))
        )
        simple = all(
            (isinstance(arg, ir.Const) or (isinstance(arg, ir.Local) and arg.slot != 0))
            and not in_words(arg.type)
            and _fits(arg.type, param.type)
            for arg, param in zip(test.args, value.params, strict=True)
        )
        if plain and simple:
            given = dict(enumerate(test.args, 1))
            found += tests_of(program, constants, with_arguments(whole, given))
        else:
            found.append(test)
    return found


def with_arguments(node: ir.Expr, given: Mapping[int, ir.Expr]) -> ir.Expr:
    """Return an expression with arguments in the place of its parameters."""

    def replaced(part: ir.CoreNode) -> ir.CoreNode:
        if isinstance(part, ir.Local):
            return given.get(part.slot, part)
        return rebuilt(part, replaced)

    return cast("ir.Expr", replaced(node))


def _fits(given: types.Type, wanted: types.Type) -> bool:
    """Say whether each value of one type is a value of another, for all it is known."""
    if isinstance(given, types.Set) and isinstance(wanted, types.Set):
        own, space = universe(given), universe(wanted)
        inside = (
            space.low <= own.low and own.low + own.places <= space.low + space.places
        )
        return inside and (part_of(given) or not part_of(wanted))
    if in_words(given) or in_words(wanted):
        return False
    if isinstance(given, types.Maybe) and not isinstance(wanted, types.Maybe):
        return False
    inner = wanted.inner if isinstance(wanted, types.Maybe) else wanted
    if not isinstance(inner, types.Whole):
        return True
    limits = bounds(given)
    return limits is not None and inner.low <= limits[0] and limits[1] <= inner.high
