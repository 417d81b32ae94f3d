"""Every law of the core is broken once, and the breach is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.support.ir.verify import verify
from tests.support.ir.verify_expressions import flows
from tests.support.lower_cases import checked

from houserule import ir
from houserule.ir.types import (
    Flag,
    Kind,
    Maybe,
    Set,
    Type,
    Whole,
)

TEXT = """# extra
value near(x: Cell): set of Cell = those y in Cell where y.row is x.row
value held_by(c: Card): Player or none = the only p in players where c is in hand(p)
effect swap(p: Player, c: Card)
  does both:
    let n = size(hand(p))
    if n at least 1: score(p) gains n
    move c to hand(p)
    must choose d in hand(p) by p: move d to table
    roll left
"""
FOUND, FAULTS = checked(TEXT)
assert FOUND is not None, FAULTS
PROGRAM: ir.Program = FOUND
SEATS = PROGRAM.kinds["Player"]
CARDS = PROGRAM.kinds["Card"]
THREE = ir.Const(3, Whole(3, 3))
YES = ir.Const(True, Flag())
SOMEBODY = ir.Const(0, SEATS)
PERHAPS = ir.Const(None, Maybe(SEATS))
ALL = ir.Const((0, 1), Set(SEATS))


def defined(expr: ir.Expr) -> ir.Program:
    """Return the program with another definition of a value without parameters."""
    value = replace(PROGRAM.values["ahead"], definition=expr)
    return replace(PROGRAM, values={**PROGRAM.values, "ahead": value})


def doing(*statements: ir.Statement) -> ir.Program:
    """Return the program with an effect that does something else."""
    effect = PROGRAM.effects["swap"]
    body = replace(effect.does[0], block=statements)
    changed = replace(effect, does=(body,))
    return replace(PROGRAM, effects={**PROGRAM.effects, "swap": changed})


def cell(*keys: ir.Expr) -> ir.Expr:
    return ir.ReadCell("score", keys, Whole(0, 99))


def bind(source: ir.Expr, slot: int = 1) -> ir.Bind:
    return ir.Bind((slot,), ("q",), "member", SEATS, source, 1, None)


def seat_where(test: ir.Expr) -> ir.Expr:
    return ir.Pick(False, bind(ALL), test, "most", (), Maybe(SEATS))


EXPRESSIONS: dict[str, tuple[ir.Expr, str]] = {
    "a number for a seat": (THREE, "Const is 3..3, not Player or none"),
    "no such member": (ir.Const(7, SEATS), "7 is no Player"),
    "no such kind": (ir.Const(0, Kind("Ghost", 1)), "Ghost of size 1"),
    "a slot that is not bound": (ir.Local(3, "q", SEATS), "slot 3 (`q`) is None"),
    "an unsorted set": (
        seat_where(ir.In(SOMEBODY, ir.Const((1, 0), Set(SEATS)), Flag())),
        "(1, 0) is no set of Player",
    ),
    "a slot outside the frame": (
        ir.Pick(False, bind(ALL, 99), None, "most", (), Maybe(SEATS)),
        "slot 99 is outside a frame of 2",
    ),
    "a key too few": (
        seat_where(ir.CompareValues("==", cell(), THREE, Flag())),
        "`score` has 0 arguments for 1",
    ),
    "a key that may be none": (
        seat_where(ir.CompareValues("==", cell(PERHAPS), THREE, Flag())),
        "Const is Player or none, not Player",
    ),
    "a condition that is a number": (seat_where(THREE), "Const is 3..3, not yes or no"),
    "things compared by size": (
        seat_where(ir.CompareValues(">=", SOMEBODY, SOMEBODY, Flag())),
        "Player >= Player compares no numbers",
    ),
    "different things compared": (
        seat_where(ir.CompareValues("==", SOMEBODY, THREE, Flag())),
        "do not go together",
    ),
    "arithmetic with a flag": (
        seat_where(
            ir.CompareValues(
                "==", ir.Binary("+", THREE, YES, Whole(0, 9)), THREE, Flag()
            )
        ),
        "Const is yes or no, not a number",
    ),
    "an order of seats as a set": (
        ir.FirstOf(ir.Seats("clockwise", SOMEBODY, None, Set(SEATS)), Maybe(SEATS)),
        "an order of seats stands where a set is wanted",
    ),
    "an unknown value": (
        ir.CallValue("ghost", (), Maybe(SEATS)),
        "`ghost` is called wrongly",
    ),
    "a field that is not there": (
        seat_where(
            ir.CompareValues(
                "==",
                ir.ReadField(ir.Const(0, CARDS), CARDS, "ghost", Whole(0, 9)),
                THREE,
                Flag(),
            )
        ),
        "Card has no field `ghost`",
    ),
}
STATEMENTS: dict[str, tuple[ir.Statement, str]] = {
    "a state set to the wrong thing": (
        ir.SetCell("leader", (), THREE),
        "Const is 3..3, not Player or none",
    ),
    "adding to no number": (
        ir.AddCell("leader", (), THREE, 1),
        "`leader` is no number to add to",
    ),
    "an effect that is not there": (
        ir.CallEffect("ghost", (SOMEBODY,)),
        "`ghost` has 1 arguments for 0",
    ),
    "a phase that is not there": (ir.RequestEnd("ghost"), "`ghost` cannot end"),
    "a step that is not there": (
        ir.RequestAgain("ghost"),
        "`ghost` cannot begin again",
    ),
    "a seat moved": (
        ir.MoveThings(
            SOMEBODY, ir.CallValue("grave", (), PROGRAM.values["grave"].type)
        ),
        "Player moves to a place of Card",
    ),
    "no number of tokens": (
        ir.MoveTokens(None, True, "bank", (SOMEBODY,), "bank", (SOMEBODY,)),
        "`up to` has no number",
    ),
    "two families of tokens": (
        ir.MoveTokens(THREE, False, "bank", (SOMEBODY,), "rack", ()),
        "bank and rack are of different families",
    ),
    "dice that are cards": (
        ir.RollDice(ir.Const((0,), Set(CARDS)), CARDS, "x"),
        "Card has no faces to roll",
    ),
    "a condition that is a number": (
        ir.When(((THREE, ()),), ()),
        "Const is 3..3, not yes or no",
    ),
}
PARTS: dict[str, tuple[Callable[[], ir.Program], str]] = {
    "an action nowhere": (
        lambda: replace(
            PROGRAM, actions={"play": replace(PROGRAM.actions["play"], at="ghost")}
        ),
        "there is no place `ghost`",
    ),
    "a hook that is not there": (
        lambda: replace(
            PROGRAM,
            phases={
                **PROGRAM.phases,
                "turn": replace(PROGRAM.phases["turn"], after_hooks=("ghost",)),
            },
        ),
        "there is no reaction `ghost`",
    ),
    "an order of strangers": (
        lambda: replace(PROGRAM, root=replace(PROGRAM.root, before={})),
        "its order is not of its children",
    ),
    "labels that are not the members": (
        lambda: replace(PROGRAM, labels={**PROGRAM.labels, "Card": ("one",)}),
        "Card: its labels are not its members",
    ),
    "winners that are cards": (
        lambda: replace(PROGRAM, winners=ir.Const((0,), Set(CARDS)), winning_keys=()),
        "winners: Const is set of Card, not set of Player",
    ),
    "a step that is open and runs by itself": (
        lambda: replace(
            PROGRAM,
            steps={
                **PROGRAM.steps,
                "playing": replace(PROGRAM.steps["playing"], mode=None),
            },
        ),
        "playing: neither open nor automatic",
    ),
}


@pytest.mark.parametrize("given", [Set(CARDS), Maybe(Set(CARDS))])
@pytest.mark.parametrize(
    "wanted", [Set(CARDS, part=True), Maybe(Set(CARDS, part=True))]
)
def test_what_may_be_empty_is_no_part(given: Type, wanted: Type) -> None:
    assert not flows(given, wanted)
    assert flows(wanted, wanted)
    assert flows(wanted, Maybe(Set(CARDS)))


def test_the_program_keeps_the_laws() -> None:
    assert verify(PROGRAM) == []


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_that_breaks_a_law(name: str) -> None:
    expr, said = EXPRESSIONS[name]
    problems = verify(defined(expr))
    assert any(said in each for each in problems), problems
    assert all(each.startswith("ahead: ") for each in problems)


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_that_breaks_a_law(name: str) -> None:
    statement, said = STATEMENTS[name]
    problems = verify(doing(statement))
    assert any(said in each for each in problems), problems
    assert all(each.startswith("swap.both: ") for each in problems)


@pytest.mark.parametrize("name", PARTS)
def test_a_part_that_breaks_a_law(name: str) -> None:
    broken, said = PARTS[name]
    problems = verify(broken())
    assert any(said in each for each in problems), problems
