"""Queries: sums, counts, quantifiers, the best of some, and binders."""

from __future__ import annotations

from typing import Literal

import pytest
from tests.support.programs import (
    ALL_CARDS,
    ALL_DICE,
    ALL_SEATS,
    CARD,
    CARDS,
    DIE,
    FLAG,
    MARKERS,
    NO,
    NUMBER,
    PLAYER,
    Table,
    binary,
    bind,
    both,
    compare,
    const,
    field,
    local,
    negative,
    program,
    state,
    zone,
)

from houserule import ir
from houserule.engine.reference.evaluate.context import Code, Items, Truth
from houserule.engine.reference.options.product import all_of
from houserule.ir.types import (
    Data,
    Maybe,
    Set,
    Type,
    Whole,
)

MAYBE_CARD = Maybe(CARD)


@pytest.fixture
def table() -> Table:
    found = Table(
        program(
            states=[
                state("score", Whole(0, 99), ("p", PLAYER)),
                state("worth", Whole(0, 9), ("n", Whole(2, 5)), ("c", CARD)),
                state("best", MAYBE_CARD, first=None),
                state("used", FLAG, ("of", Set(DIE)), first=False),
                state("open", FLAG, ("f", FLAG), first=False),
            ],
            zones=[
                zone("deck", "pile"),
                zone("hand", "set", ("p", PLAYER)),
                zone("slot", "slot", ("n", Whole(1, 3))),
            ],
            tokens=[MARKERS],
        )
    )
    found.put("deck", (), 4, 1, 6)
    found.put("hand", (1,), 7, 2)
    return found


# ---- queries


RANK = field(local(1), "rank")


def test_sums_and_extremes(table: Table) -> None:
    def fold(kind: Literal["sum", "highest", "lowest"], empty: int = 0) -> Data:
        low = compare(RANK, "<", const(4))
        node = ir.Aggregate(kind, (bind(ALL_CARDS),), low, RANK, empty, NUMBER)
        return table.ask(node)

    assert [fold("sum"), fold("highest"), fold("lowest")] == [12, 3, 1]
    nothing = bind(const((), CARDS))
    for kind, empty in (("sum", 0), ("highest", -7), ("lowest", 7)):
        node = ir.Aggregate(kind, (nothing,), None, RANK, empty, NUMBER)  # type: ignore[arg-type]
        assert table.ask(node) == empty
    worst = ir.Aggregate("highest", (bind(ALL_CARDS),), None, negative(RANK), 0, NUMBER)
    assert table.ask(worst) == -1


def test_folds_over_several_variables(table: Table) -> None:
    pairs = bind(const((1, 2, 3), CARDS), 1, 2)
    product = binary(field(local(1), "rank"), "*", field(local(2), "rank"))
    unequal = compare(local(1), "!=", local(2))
    assert table.ask(ir.Aggregate("sum", (pairs,), None, product, 0, NUMBER)) == 81
    assert table.ask(ir.Aggregate("sum", (pairs,), unequal, product, 0, NUMBER)) == 52
    assert (
        table.ask(ir.Aggregate("highest", (pairs,), unequal, product, 0, NUMBER)) == 12
    )
    assert table.ask(ir.Aggregate("lowest", (pairs,), unequal, product, 0, NUMBER)) == 6
    inner = bind(ir.MakeRange(const(1), field(local(1), "rank"), Set(Whole(1, 4))), 2)
    both_binds = (bind(const((1, 2), CARDS), 1), inner)
    node = ir.Aggregate("sum", both_binds, None, local(2, NUMBER), 0, NUMBER)
    assert table.ask(node) == 3 + 6


def test_counting(table: Table) -> None:
    assert table.ask(ir.CountOf((bind(ALL_CARDS),), None, NUMBER)) == 8
    high = compare(RANK, ">=", const(3))
    assert table.ask(ir.CountOf((bind(ALL_CARDS),), high, NUMBER)) == 4
    pairs = bind(ALL_CARDS, 1, 2)
    same = compare(field(local(1), "rank"), "==", field(local(2), "rank"))
    assert table.ask(ir.CountOf((pairs,), same, NUMBER)) == 16
    dice = bind(ALL_DICE, 1, how="subset", low=1, high=2)
    assert table.ask(ir.CountOf((dice,), None, NUMBER)) == 6


def test_some_every_no(table: Table) -> None:
    def holds(kind: Literal["some", "every", "no"], at_least: int, where: int) -> Data:
        body = compare(RANK, ">=", const(at_least))
        filter_ = compare(RANK, "<=", const(where))
        return table.ask(ir.Quantifier(kind, (bind(ALL_CARDS),), filter_, body, FLAG))

    assert [holds("some", 3, 3), holds("some", 4, 3)] == [True, False]
    assert [holds("every", 1, 3), holds("every", 2, 3)] == [True, False]
    assert [holds("no", 4, 3), holds("no", 3, 3)] == [True, False]
    assert [holds("some", 1, 0), holds("every", 9, 0), holds("no", 1, 0)] == [
        False,
        True,
        True,
    ]


def test_quantifiers_over_several_variables(table: Table) -> None:
    pairs = bind(local(3, CARDS), 1, 2)
    same = compare(field(local(1), "rank"), "==", field(local(2), "rank"))
    for kind, cards, result in (
        ("every", (0, 4), True),
        ("every", (0, 1), False),
        ("some", (0, 1), True),
        ("no", (0, 1), False),
        ("every", (), True),
    ):
        node = ir.Quantifier(kind, (pairs,), None, same, FLAG)  # type: ignore[arg-type]
        assert table.ask(node, None, None, cards) is result


def test_conditions_are_tested_as_soon_as_they_can_be(table: Table) -> None:
    # x = 0 fails the first condition, so y is never asked about it
    guard = compare(local(1, NUMBER), ">", const(0))
    odd = compare(binary(const(1), "mod", local(1, NUMBER)), ">=", const(0))
    numbers = const((0, 1, 2), Set(Whole(0, 2)))
    later = compare(local(2, NUMBER), ">=", const(1))
    node = ir.CountOf((bind(numbers, 1, 2),), both(guard, both(later, odd)), NUMBER)
    assert table.ask(node) == 4


def pick(
    many: bool, *keys: ir.Expr, where: ir.Expr | None = None, most: bool = True
) -> ir.Pick:
    direction: Literal["most", "least"] = "most" if most else "least"
    type_: Type = CARDS if many else MAYBE_CARD
    return ir.Pick(many, bind(ALL_CARDS), where, direction, keys, type_)


def test_those_and_the_one(table: Table) -> None:
    suit = ir.ReadField(local(1), CARD, "suit", NUMBER)
    low = compare(RANK, "<", const(3))
    assert table.ask(pick(True, where=low)) == (0, 1, 4, 5)
    assert table.ask(pick(True, RANK)) == (3, 7)
    assert table.ask(pick(True, RANK, most=False)) == (0, 4)
    assert table.ask(pick(True, RANK, suit)) == (7,)
    assert table.ask(pick(False, RANK)) is None
    assert table.ask(pick(False, RANK, suit)) == 7
    assert table.ask(pick(False, RANK, suit, most=False)) == 0
    assert table.ask(pick(False, RANK, where=compare(suit, "==", const(0)))) == 3
    assert table.ask(pick(True, RANK, where=NO)) == ()
    assert table.ask(pick(False, RANK, suit, where=NO)) is None


def test_the_only(table: Table) -> None:
    assert table.ask(pick(False)) is None
    assert table.ask(pick(False, where=NO)) is None
    assert table.ask(pick(False, where=compare(local(1), "==", const(6)))) == 6
    assert table.ask(pick(True)) == tuple(range(8))


def test_what_a_variable_runs_over(table: Table) -> None:
    def values(binder: ir.Bind, *slots: Data) -> list[Data]:
        code = table.evaluator.items(binder)
        return list(code(table.context, [None, *slots]))

    assert values(bind(local(1, CARDS), 2), (3, 5)) == [3, 5]
    assert values(bind(ALL_SEATS, how="subset", low=2)) == [
        (0, 1),
        (0, 2),
        (1, 2),
        (0, 1, 2),
    ]
    upto = bind(ir.MakeRange(const(1), local(1, NUMBER), Set(Whole(1, 9))), 2)
    assert values(upto, 3) == [1, 2, 3]
    assert values(upto, 0) == []


def test_what_counts_as_work(table: Table) -> None:
    def work(code: Items | Code) -> int:
        table.context.begin_work()
        before = table.context.left
        code(table.context, [None] * 4)
        return before - table.context.left

    pairs = bind(ALL_CARDS, 1, 2)
    every = ir.CountOf((pairs,), None, NUMBER)
    assert work(table.evaluator.expr(every)) == 8 + 8 * 8
    assert work(table.evaluator.items(pairs)) == 8  # each variable looks them up
    one = ir.CountOf((bind(ALL_CARDS),), None, NUMBER)
    assert work(table.evaluator.expr(one)) == 0  # a short query
    dice = bind(ALL_DICE, 1, how="subset", low=1)
    both_ = ir.CountOf((bind(ALL_CARDS, 2), dice), None, NUMBER)
    assert work(table.evaluator.expr(both_)) == 8 + 8 * 7


@pytest.mark.parametrize("many", [1, 2, 3, 5_000])
def test_all_of_many_tests(table: Table, many: int) -> None:
    asked: list[int] = []

    def noting(number: int, holds: bool) -> Truth:
        def test(ctx: object, frame: object) -> bool:
            asked.append(number)
            return holds

        return test

    for fails in (0, many - 1, None):
        asked.clear()
        test = all_of([noting(each, each != fails) for each in range(many)])
        assert test is not None
        assert test(table.context, []) is (fails is None)
        assert asked == list(range(many if fails is None else fails + 1))
    assert all_of([]) is None
