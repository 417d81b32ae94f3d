"""Declared values: calls on none, ranges, layers, lifts, and what is remembered."""

from __future__ import annotations

import pytest
from tests.support.programs import (
    ALL_CARDS,
    CARD,
    FLAG,
    NO,
    NUMBER,
    PLAYER,
    Table,
    binary,
    bind,
    call,
    cell,
    compare,
    const,
    field,
    layer,
    local,
    program,
    state,
    value,
)

from houserule import ir
from houserule.base.source import Span
from houserule.engine.reference.evaluate.values import Reach, reaches
from houserule.engine.state.faults import RuleFault
from houserule.ir.types import Data, Maybe, Whole

HERE = Span.at("small.rules", 9)
MAYBE_CARD = Maybe(CARD)


def test_a_call_on_none_gives_none() -> None:
    table = Table(
        program(
            values=[
                value("rank", Whole(1, 4), field(local(1), "rank"), ("c", CARD)),
                value(
                    "given",
                    FLAG,
                    ir.IsNone(local(1, MAYBE_CARD), FLAG),
                    ("c", MAYBE_CARD),
                ),
                value(
                    "sum_of",
                    NUMBER,
                    binary(local(1, NUMBER), "+", field(local(2), "rank")),
                    ("n", NUMBER),
                    ("c", CARD),
                ),
            ]
        )
    )
    assert table.ask(call("rank", local(1)), 2) == 3
    assert table.ask(call("rank", local(1, MAYBE_CARD)), None) is None
    assert table.ask(call("rank", local(1, MAYBE_CARD)), 3) == 4
    assert table.ask(call("given", local(1, MAYBE_CARD)), None) is True
    assert table.ask(call("sum_of", const(10), local(1, MAYBE_CARD)), None) is None
    assert table.ask(call("sum_of", const(10), local(1)), 1) == 12


def test_a_result_keeps_its_range() -> None:
    definition = binary(local(1, NUMBER), "*", const(2))
    double = ir.ValueDef(
        "double",
        (ir.Param("n", NUMBER),),
        Whole(0, 9),
        definition,
        (),
        (),
        2,
        span=HERE,
    )
    table = Table(program(values=[double]))
    assert table.ask(call("double", const(4))) == 8
    with pytest.raises(
        RuleFault, match=r"`double\(5\)` is 10, outside 0\.\.9"
    ) as caught:
        table.ask(call("double", const(5)))
    assert (caught.value.code, caught.value.span) == ("F01", HERE)


def test_an_argument_keeps_its_range() -> None:
    table = Table(
        program(values=[value("same", NUMBER, local(1, NUMBER), ("n", Whole(1, 3)))])
    )
    argument = ir.Local(1, "n", NUMBER, span=HERE)
    assert table.ask(call("same", argument), 3) == 3
    with pytest.raises(RuleFault, match="outside") as caught:
        table.ask(call("same", argument), 4)
    assert (caught.value.code, caught.value.span) == ("F01", HERE)


def test_layers_apply_from_top_to_bottom() -> None:
    rank = field(local(1), "rank")
    table = Table(
        program(
            values=[
                value(
                    "income",
                    Whole(0, 99),
                    const(9),
                    ("c", CARD),
                    layers=[
                        layer("times", const(2)),
                        layer("plus", const(1), const(0)),
                        layer("times", const(3)),
                    ],
                ),
                value(
                    "bounded",
                    Whole(0, 99),
                    rank,
                    ("c", CARD),
                    layers=[
                        layer("plus", rank),
                        layer("at least", const(4)),
                        layer("at most", const(6)),
                        layer("plus"),
                    ],
                ),
            ]
        )
    )
    assert table.ask(call("income", const(0, CARD))) == 57
    found = [table.ask(call("bounded", local(1)), card) for card in range(4)]
    assert found == [4, 4, 6, 6]


def test_a_layer_over_none_is_a_fault() -> None:
    bonus = value(
        "bonus",
        Maybe(Whole(0, 9)),
        field(local(1), "bonus"),
        ("c", CARD),
        layers=[layer("plus", const(1))],
    )
    table = Table(program(values=[bonus]))
    assert table.ask(call("bonus", local(1)), 1) == 6
    with pytest.raises(RuleFault) as caught:
        table.ask(call("bonus", local(1)), 0)
    assert caught.value.code == "F03"


def test_a_lift_makes_it_hold_also() -> None:
    third = compare(local(1), "==", const(3, CARD))
    lifts: list[tuple[str, ir.Expr]] = [
        ("free.cards", compare(local(1), "==", const(5, CARD))),
        ("x.y", NO),
    ]
    table = Table(
        program(values=[value("free", FLAG, third, ("c", CARD), lifts=lifts)])
    )
    found = [table.ask(call("free", local(1)), card) for card in range(8)]
    assert [card for card, holds in enumerate(found) if holds] == [3, 5]


def dependent() -> Table:
    score = cell("score", local(1, PLAYER))
    return Table(
        program(
            states=[state("score", Whole(0, 99), ("p", PLAYER))],
            values=[
                value("fixed", NUMBER, field(local(1), "rank"), ("c", CARD)),
                value("points", NUMBER, score, ("p", PLAYER)),
                value(
                    "ahead",
                    FLAG,
                    compare(call("points", local(1, PLAYER)), ">", const(3)),
                    ("p", PLAYER),
                ),
                value("busy", FLAG, no_action()),
                value("idle", FLAG, call("busy", type=FLAG)),
                value("lap", NUMBER, ir.PhaseVar("round", "lap", NUMBER)),
                value(
                    "layered",
                    NUMBER,
                    const(1),
                    layers=[layer("plus", call("lap"))],
                ),
            ],
        )
    )


def no_action() -> ir.Expr:
    return ir.IsNone(ir.Doing(Maybe(CARD)), FLAG)


def test_how_far_results_hold() -> None:
    found = reaches(dependent().program)
    assert found == {
        "fixed": Reach.FOREVER,
        "points": Reach.VERSION,
        "ahead": Reach.VERSION,
        "busy": Reach.MOMENT,
        "idle": Reach.MOMENT,
        "lap": Reach.MOMENT,
        "layered": Reach.MOMENT,
    }


def test_a_write_forgets_what_was_remembered() -> None:
    table = dependent()
    node = call("ahead", local(1, PLAYER), type=FLAG)
    assert table.ask(node, 1) is False
    assert table.store.memo
    table.store.set_cell("score", 1, 5)
    assert not table.store.memo
    assert table.ask(node, 1) is True
    assert table.ask(node, 0) is False


def test_a_copy_remembers_but_does_not_mix_up() -> None:
    table = dependent()
    node = call("points", local(1, PLAYER))
    table.ask(node, 1)
    copy = table.store.clone()
    copy.set_cell("score", 1, 9)
    assert table.ask(node, 1) == 0
    table.context.store = copy
    assert table.ask(node, 1) == 9


def test_what_is_under_way_is_never_remembered() -> None:
    table = dependent()
    for doing in (None, 2, None):
        table.context.doing = doing
        assert table.ask(call("idle", type=FLAG)) is (doing is None)
    for lap in (1, 2):
        table.context.phase_items["round"] = lap
        assert table.ask(call("layered")) == 1 + lap


def test_values_by_name() -> None:
    table = dependent()
    table.store.set_cell("score", 2, 7)
    assert table.evaluator.value("points", table.context, [2]) == 7
    total = ir.Aggregate(
        "sum", (bind(ALL_CARDS),), None, field(local(1), "rank"), 0, NUMBER
    )
    assert table.evaluator.closed(total, table.store) == 20
    of: Data = table.evaluator.closed(
        cell("score", local(1, PLAYER)), table.store, (2,)
    )
    assert of == 7


def test_the_same_node_is_compiled_once() -> None:
    table = dependent()
    node = call("points", local(1, PLAYER))
    assert table.evaluator.expr(node) is table.evaluator.expr(node)
