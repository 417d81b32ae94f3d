"""Whether two conditions can hold at once, as far as that can be told for sure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from houserule import ir
from houserule.ir.types import Kind, Maybe


def _conjuncts(expr: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(expr, ir.Connective) and expr.op == "and":
        yield from _conjuncts(expr.left)
        yield from _conjuncts(expr.right)
    else:
        yield expr


def _tests(conditions: Iterable[ir.Condition]) -> list[ir.Expr]:
    return [
        test
        for condition in conditions
        if not condition.lifts
        for test in _conjuncts(condition.test)
    ]


_OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", "<": ">=", "<=": ">", ">": "<="}


def _opposed(one: ir.Expr, other: ir.Expr) -> bool:
    match one, other:
        case ir.Unary("not", inner), _ if inner == other:
            return True
        case _, ir.Unary("not", inner) if inner == one:
            return True
        case ir.CompareValues(op, a, b), ir.CompareValues(op2, c, d) if (a, b) == (
            c,
            d,
        ):
            return _OPPOSITE[op] == op2
        case ir.CompareValues("==", a, ir.Const(x)), ir.CompareValues(
            "==", b, ir.Const(y)
        ):
            return a == b and x != y
        case _:
            return False


def _about_doing(expr: ir.Expr) -> frozenset[int] | None:
    """Return the actions for which a test on `doing` holds, None for other tests."""
    match expr:
        case ir.CompareValues(op, ir.Doing(type_), ir.Const(value)) if op in {
            "==",
            "!=",
        }:
            every = _actions(type_)
            same = frozenset(each for each in every if each == value)
            return same if op == "==" else every - same
        case ir.In(ir.Doing(type_), ir.Const(value)) if isinstance(value, tuple):
            return _actions(type_) & frozenset(value)
        case ir.In(ir.Doing(type_), ir.MakeSet(items)) if all(
            isinstance(each, ir.Const) for each in items
        ):
            values = {each.value for each in items if isinstance(each, ir.Const)}
            return frozenset(each for each in _actions(type_) if each in values)
        case _:
            return None


def _actions(type_: object) -> frozenset[int]:
    kind = type_.inner if isinstance(type_, Maybe) else type_
    assert isinstance(kind, Kind)
    return frozenset(range(-1, kind.size))


def _expanded(tests: list[ir.Expr], program: ir.Program) -> list[ir.Expr]:
    """Put definitions of yes/no values without parameters in their place."""
    found: list[ir.Expr] = []
    for test in tests:
        if isinstance(test, ir.CallValue) and not test.args:
            value = program.values[test.value]
            if not value.lifts:
                found += list(_conjuncts(value.definition))
                continue
        found.append(test)
    return found


def exclusive(
    one: Iterable[ir.Condition], other: Iterable[ir.Condition], program: ir.Program
) -> bool:
    """Say whether two sets of conditions can be seen never to hold together."""
    first = _expanded(_tests(one), program)
    second = _expanded(_tests(other), program)
    if any(_opposed(a, b) for a, b in product(first, second)):
        return True
    doing = [each for each in map(_about_doing, (*first, *second)) if each is not None]
    return len(doing) > 1 and not frozenset.intersection(*doing)
