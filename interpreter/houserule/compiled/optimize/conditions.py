"""Conjunctions: the tests that a condition joins, so that each can be made early.

A declared condition that joins tests is written out, so that each of these can stand
where it is cheapest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from houserule import ir
from houserule.compiled.optimize.constants import ConstantFolding
from houserule.compiled.optimize.totality import passes
from houserule.engine.evaluate.queries import conjuncts
from houserule.ir import types
from houserule.ir.walk import beneath, bound_slots, rebuilt


def tests_of(
    program: ir.Program, constants: ConstantFolding, where: ir.Expr | None
) -> list[ir.Expr]:
    """Return the tests that a condition joins, in order, declared ones written out."""
    found: list[ir.Expr] = []
    for test in conjuncts(where):
        if isinstance(test, ir.CallValue) and _joins(program, constants, test):
            value = program.values[test.value]
            given = dict(enumerate(test.args, 1))
            found += tests_of(
                program, constants, with_arguments(value.definition, given)
            )
        else:
            found.append(test)
    return found


def _joins(program: ir.Program, constants: ConstantFolding, call: ir.CallValue) -> bool:
    """Say whether a declared condition can be written out where it is asked."""
    # Only a plain conjunction: not what layers or lifts change, nor what stands in an
    # array, which is one look. Arguments take the place of parameters, so each must
    # cost nothing, fail nowhere and fit; and no binder inside may catch one of them.
    value = program.values[call.value]
    whole = value.definition
    return (
        isinstance(value.type, types.Flag)
        and isinstance(whole, ir.Connective)
        and whole.op == "and"
        and not value.adjusted
        and not value.lifts
        and constants.array(value) is None
        and not any(map(bound_slots, beneath(whole)))
        and all(_plain(arg) for arg in call.args)
        and all(passes(*each) for each in zip(call.args, value.params, strict=True))
    )


def _plain(arg: ir.Expr) -> bool:
    return isinstance(arg, ir.Const) or (isinstance(arg, ir.Local) and arg.slot != 0)


def with_arguments(node: ir.Expr, given: Mapping[int, ir.Expr]) -> ir.Expr:
    """Return an expression with what is given in the place of its parameters."""

    def replaced(part: ir.CoreNode) -> ir.CoreNode:
        if isinstance(part, ir.Local):
            return given.get(part.slot, part)
        return rebuilt(part, replaced)

    return cast("ir.Expr", replaced(node))
