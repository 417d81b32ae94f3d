from __future__ import annotations

from typing import assert_never, cast, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from houserule.base.algebra.arithmetic import DIVISIONS, Operation
from houserule.base.source import NOWHERE
from houserule.compiler.lower.expressions import numbers
from houserule.ir.types import Whole

RANGES = st.tuples(st.integers(-12, 12), st.integers(0, 6)).map(
    lambda pair: Whole(pair[0], pair[0] + pair[1])
)
OPERATIONS = st.sampled_from(get_args(Operation))


def result(op: Operation, a: int, b: int) -> int:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/up":
            return -(-a // b)
        case "/down":
            return a // b
        case "mod":
            return a % b
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case _:
            assert_never(op)


@given(OPERATIONS, RANGES, RANGES)
def test_every_result_lies_in_its_range(
    op: Operation, left: Whole, right: Whole
) -> None:
    found = numbers.result_range(op, left, right)
    results = [
        result(op, a, b)
        for a in range(left.low, left.high + 1)
        for b in range(right.low, right.high + 1)
        if b or op not in DIVISIONS
    ]
    assert all(found.low <= each <= found.high for each in results)
    if results and op != "mod":
        assert found == Whole(min(results), max(results))


@given(OPERATIONS, st.integers(-12, 12), st.integers(-12, 12))
def test_of_constants_comes_the_constant(op: Operation, a: int, b: int) -> None:
    assume(b or op not in DIVISIONS)
    found = numbers.binary(op, numbers.number(a), numbers.number(b), NOWHERE)
    assert numbers.constant(found) == result(op, a, b)


@given(RANGES)
def test_the_number_without_its_sign(range_: Whole) -> None:
    results = [abs(each) for each in range(range_.low, range_.high + 1)]
    assert numbers.absolute_range(range_) == Whole(min(results), max(results))


def test_an_operation_without_a_rule_has_no_range() -> None:
    # The greatest common divisor of 4 and 6 is below that of all the ends.
    with pytest.raises(AssertionError):
        numbers.result_range(cast("Operation", "gcd"), Whole(4, 8), Whole(4, 8))
