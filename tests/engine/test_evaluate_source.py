"""The Python source of expressions: Python's limits, and no text of the rules in it."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from functools import reduce
from typing import TYPE_CHECKING, get_args

import pytest
from tests.support.programs import (
    CARDS,
    FLAG,
    NUMBER,
    PLAYER,
    Table,
    binary,
    bind,
    both,
    call,
    cell,
    compare,
    const,
    local,
    negative,
    program,
    state,
    value,
)

import houserule
from houserule import ir
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.reference.evaluate.operations import CALLED
from houserule.engine.reference.evaluate.source import Writer
from houserule.engine.state.layout import Layout
from houserule.ir.types import Data, Maybe, Set, Whole
from houserule.ir.walk import beneath, children, held

if TYPE_CHECKING:
    from collections.abc import Callable

DEEP = 100
MAYBE_NUMBER, NUMBERS = Maybe(NUMBER), Set(Whole(0, 9))
GENERATED = re.compile(r"made|ctx|f|n|v|found|ranks|default|[kqtv]\d+")
ATTRIBUTES = {
    *("store", "cells", "tokens", "faces", "zones", "phase_items", "get", "can"),
    *("doing", "append"),
}


@pytest.fixture
def table() -> Table:
    return Table(
        program(
            states=[
                state("next", Whole(1, 9), ("n", Whole(1, 9)), first=1),
                state("last", Whole(1, 9), ("n", Whole(1, 9)), first=1),
            ],
            values=[value("same", Whole(1, 9), local(1, NUMBER), ("n", Whole(1, 9)))],
        )
    )


def nested(
    node: ir.Expr, around: Callable[[ir.Expr], ir.Expr], deep: int = DEEP
) -> ir.Expr:
    return reduce(lambda inner, _: around(inner), range(deep), node)


ONE, MAYBE_ONE = local(1, NUMBER), local(1, MAYBE_NUMBER)
IS_ONE = compare(ONE, "==", const(1))


@pytest.mark.parametrize(
    ("node", "result"),
    [
        (nested(ONE, lambda x: binary(x, "+", const(1))), 1 + DEEP),
        (nested(ONE, lambda x: binary(const(1), "-", x)), 1),
        (nested(ONE, negative), 1),
        (nested(ONE, lambda x: binary(x, "mod", const(7))), 1),
        (nested(ONE, lambda x: cell("next", x)), 1),
        (nested(ONE, lambda x: call("same", x)), 1),
        (nested(MAYBE_ONE, lambda x: call("same", x, type=MAYBE_NUMBER)), 1),
        (nested(MAYBE_ONE, lambda x: ir.Unary("abs", x, MAYBE_NUMBER)), 1),
        (nested(MAYBE_ONE, lambda x: ir.OrElse(x, ONE, MAYBE_NUMBER)), 1),
        (nested(ONE, lambda x: ir.Cases(((IS_ONE, x),), const(0), NUMBER)), 1),
        (nested(IS_ONE, lambda x: both(x, IS_ONE)), True),
        (nested(IS_ONE, lambda x: both(IS_ONE, x)), True),
        (nested(ONE, lambda x: ir.FirstOf(ir.MakeSet((x,), NUMBERS), NUMBER), 50), 1),
        (
            nested(
                ONE,
                lambda x: ir.Aggregate(
                    *("highest", (bind(ir.MakeSet((x,), NUMBERS), 2),), None),
                    *(local(2, NUMBER), None, MAYBE_NUMBER),
                ),
                50,
            ),
            1,
        ),
    ],
)
def test_as_deep_as_rules_may_be(table: Table, node: ir.Expr, result: Data) -> None:
    assert table.ask(node, 1) == result


@pytest.mark.parametrize("several", [True, False])
def test_many_variables_in_one_query(table: Table, several: bool) -> None:
    slots = range(1, 41)
    one = const((3,), CARDS)
    binds = (
        tuple(bind(one, slot) for slot in slots) if several else (bind(one, *slots),)
    )
    three = compare(local(40), "==", const(3))
    frame = [None] * 40
    assert table.ask(ir.CountOf(binds, three, NUMBER), *frame) == 1
    for kind, holds in (("some", True), ("every", True), ("no", False)):
        node = ir.Quantifier(kind, binds, None, three, FLAG)  # type: ignore[arg-type]  # one of three
        assert table.ask(node, *frame) is holds
    for fold in ("sum", "highest", "lowest"):
        where = compare(local(40), "!=", const(3))
        for condition, result in ((three, 3), (where, -5)):
            best = ir.Aggregate(fold, binds, condition, local(40), -5, NUMBER)
            empty = 0 if fold == "sum" and result < 0 else result
            assert table.ask(best, *frame) == empty


def test_variables_of_one_binder_in_several_functions(table: Table) -> None:
    pairs = (bind(const((0, 1), CARDS), *range(1, 12)),)
    rising = [compare(local(n), "<=", local(n + 1)) for n in range(1, 11)]
    frame = [None] * 12
    assert table.ask(ir.CountOf(pairs, None, NUMBER), *frame) == 2**11
    where: ir.Expr = rising[0]
    for each in rising[1:]:
        where = both(where, each)
    assert table.ask(ir.CountOf(pairs, where, NUMBER), *frame) == 12
    total = ir.Aggregate("sum", pairs, None, local(11), 0, NUMBER)
    assert table.ask(total, *frame) == 2**10
    best = ir.Aggregate("highest", pairs, rising[0], local(11), None, NUMBER)
    assert table.ask(best, *frame) == 1


def test_many_rows_and_many_members(table: Table) -> None:
    rows = tuple((compare(ONE, "==", const(n)), const(-n)) for n in range(3_000))
    node = ir.Cases(rows, const(1), NUMBER)
    assert [table.ask(node, n) for n in (0, 2_999, 3_000)] == [0, -2_999, 1]
    items = tuple(binary(ONE, "+", const(n)) for n in range(3_000))
    assert table.ask(ir.Size(ir.MakeSet(items, NUMBERS), NUMBER), 1) == 3_000


def test_expressions_of_one_form_have_one_source(table: Table) -> None:
    def source(node: ir.Expr) -> str:
        writer = Writer(table.evaluator)
        return writer.source(writer.any(node))

    assert source(cell("next", ONE)) == source(cell("last", ONE))
    assert source(cell("next", ONE)) != source(cell("last", local(2, NUMBER)))


# ---- rules come from strangers


def names_in(source: str) -> set[str]:
    """Return the names in a source, of which none is a word of the rules."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    kinds = {tokenize.NAME, tokenize.NUMBER, tokenize.OP}
    layout = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT}
    assert {each.type for each in tokens} <= kinds | layout | {tokenize.ENDMARKER}
    return {each.string for each in tokens if each.type == tokenize.NAME}


def expected(name: str) -> bool:
    plain = keyword.iskeyword(name) or name in CALLED or name in ATTRIBUTES
    return plain or GENERATED.fullmatch(name) is not None


@pytest.mark.parametrize("name", ["x_pasch", "takeover", "guild_street", "pachisi"])
def test_a_source_has_no_word_of_the_rules(name: str) -> None:
    rules = houserule.load(name).table().program
    evaluator = Evaluator(rules, Layout(rules))
    every = [x for x in beneath(*held(rules)) if isinstance(x, get_args(ir.Expr))]
    within = {id(child) for node in every for child in children(node)}
    for node in every:
        if id(node) not in within:
            writer = Writer(evaluator)
            found = names_in(writer.source(writer.any(node)))
            assert all(map(expected, found)), found
    for each in rules.values.values():
        writer = Writer(evaluator)
        assert all(map(expected, names_in(writer.source(writer.definition(each)))))


def test_names_of_hostile_rules_are_no_source() -> None:
    bad = "x'] + __import__('os').system('x') #\n"
    hostile = Table(
        program(
            states=[state(bad, Whole(-(10**30), 10**30), (bad, PLAYER))],
            values=[value(bad, Whole(0, 9), const(3), (bad, Whole(1, 9)))],
        )
    )
    large = ir.Cases(
        ((compare(ONE, ">", const(0)), const(10**5_000)),), const(0), NUMBER
    )
    for node, result in (
        (binary(cell(bad, local(1, PLAYER)), "+", const(-(10**40))), -(10**40)),
        (call(bad, local(1, NUMBER)), 3),
        (large, 10**5_000),
    ):
        writer = Writer(hostile.evaluator)
        found = names_in(writer.source(writer.any(node)))
        assert all(map(expected, found)), found
        assert hostile.ask(node, 1) == result


def test_a_source_runs_without_what_python_has_built_in(table: Table) -> None:
    writer = Writer(table.evaluator)
    for text in ("open", "__import__", "ctx.__class__.__bases__[0] and eval"):
        with pytest.raises(NameError):
            writer.code(text)(table.context, [])
