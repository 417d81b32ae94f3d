"""Conditions of products and bounds of ranges have the value that they have in play."""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.support.lower_cases import checked

from houserule.engine.reference.evaluate.context import GameContext
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.layout import Layout
from houserule.engine.state.store import Store
from houserule.ir.types import Whole

SIDES = range(4)
NUMBERS = st.recursive(
    st.sampled_from(["a", "b", "k", "0", "1", "2", "3", "7", "(one_below(a) else 5)"]),
    lambda inner: st.one_of(
        st.builds("({} + {})".format, inner, inner),
        st.builds("({} - {})".format, inner, inner),
        st.builds("({} * {})".format, inner, inner),
        st.builds("({} mod 3)".format, inner),
        st.builds("({} / 2 rounded up)".format, inner),
        st.builds("({} / 3 rounded down)".format, inner),
        st.builds("abs({})".format, inner),
        st.builds("min({}, {})".format, inner, inner),
        st.builds("max({}, {})".format, inner, inner),
        st.builds("(-{})".format, inner),
    ),
    max_leaves=4,
)
SETS = st.sampled_from(
    ["{0, 2}", "1..3", "0..2 but 1", "{a} plus {b}", "0..3 within {a, 3}"]
)
RELATIONS = ["is", "is not", "at least", "at most", "more than", "less than"]
NUMBERED = st.integers(1, 10**9)  # so that no two variables have one name
CONDITIONS = st.recursive(
    st.one_of(
        st.builds("{} {} {}".format, NUMBERS, st.sampled_from(RELATIONS), NUMBERS),
        st.builds("{} is in {}".format, NUMBERS, SETS),
        st.builds("{} is not in {}".format, NUMBERS, SETS),
        st.builds("one_below(b) {} {}".format, st.sampled_from(RELATIONS), NUMBERS),
        st.sampled_from(
            ["one_below(a) is none", "one_below(b) is not none", "far_apart(a, b)"]
        ),
        st.builds("size({}) at least 2".format, SETS),
    ),
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("not ({})".format, inner),
        st.builds(
            "({} j{n} in {} where j{n} {} b has {})".format,
            st.sampled_from(["some", "every", "no"]),
            SETS,
            st.sampled_from(RELATIONS),
            inner,
            n=NUMBERED,
        ),
        st.builds(
            "(count of j{n} in {} where j{n} {} a and {}) at least 2".format,
            SETS,
            st.sampled_from(RELATIONS),
            inner,
            n=NUMBERED,
        ),
    ),
    max_leaves=4,
)


@settings(max_examples=30, deadline=None)
@given(CONDITIONS)
def test_a_product_has_the_members_for_which_its_condition_holds(said: str) -> None:
    condition = f"(some k in {{b}} has ({said}))"
    found, faults = checked(
        f"""# extra
value one_below(n: 0..3): 0..2 or none =
  n - 1 when n at least 1
  none otherwise
value far_apart(m: 0..3, n: 0..3): yes or no = abs(m - n) at least 2
value as_asked(a: 0..3, b: 0..3): yes or no = {condition}
component Picked for each a: 0..3, b: 0..3 where {condition}
"""
    )
    if found is None:
        codes = {each.code for each in faults}
        assume("E011" not in codes)  # two variables have one name
        assert codes <= {"E028", "E029"}, faults
        wanted = _held(f"{condition}")
        assert wanted is None or not any(wanted.values()), (condition, faults)
        return
    evaluator = Evaluator(found, Layout(found))
    context = GameContext(Store(evaluator.layout))
    chosen = set(found.labels["Picked"])
    for a, b in product(SIDES, SIDES):
        holds = evaluator.value("as_asked", context, [a, b])
        assert holds == (f"{a}-{b}" in chosen), (condition, a, b)


def test_products_and_bounds_may_need_one_another() -> None:
    found, faults = checked(
        """# extra
value widest: 1..9 = (lowest of c.worth for c in Card where c.worth at least 2 else 9)
  then plus more, if any
add to widest.more called widened: 1
component Column for each n: 1..widest where n is not 2
value many: 1..99 = size(Column)
component Pair for each a: Column, b: 1..many where a.n less than b
state picked: 0..many starts as 0
"""
    )
    assert found is not None, faults
    assert found.labels["Column"] == ("1", "3")
    assert found.labels["Pair"] == ("1-2",)
    assert found.states["picked"].type == Whole(0, 2)


def test_values_that_are_nested_too_deeply_are_not_evaluated() -> None:
    row = [f"value v{n}(n: 1..9): 0..9 = min(9, v{n + 1}(n) + 0)" for n in range(80)]
    last = "value v80(n: 1..9): 0..9 = n"
    picked = "component Picked for each a: 1..9 where v0(a) at least 1"
    found, faults = checked("\n".join(["# extra", *row, last, picked, ""]))
    assert found is None
    assert [each.code for each in faults] == ["E050", "E028"]


def _held(condition: str) -> dict[tuple[int, int], object] | None:
    """Return where a condition holds in play; None where it is at fault."""
    found, faults = checked(
        f"""# extra
value one_below(n: 0..3): 0..2 or none =
  n - 1 when n at least 1
  none otherwise
value far_apart(m: 0..3, n: 0..3): yes or no = abs(m - n) at least 2
value as_asked(a: 0..3, b: 0..3): yes or no = {condition}
"""
    )
    assert found is not None, faults
    evaluator = Evaluator(found, Layout(found))
    context = GameContext(Store(evaluator.layout))
    try:
        return {
            (a, b): evaluator.value("as_asked", context, [a, b])
            for a, b in product(SIDES, SIDES)
        }
    except RuleFault:
        return None
