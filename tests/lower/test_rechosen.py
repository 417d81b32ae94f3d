"""How many are chosen: what a change of it leaves behind is told at each clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.rulesets import ruleset_from_texts

from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.tables.choose import choose_table

if TYPE_CHECKING:
    from houserule.base.diagnostics.diagnostic import Diagnostic
    from houserule.ir import Program

GAME = """game dice "Dice"
players 2..3
dice Die: red, blue, green showing 1..6
zone tray: set of Die starts as Die
zone spent: set of Die
state done: yes or no starts as no
winners: players
phase round until done, at most 3 times
  phase turn for me in players
    step acting: at most once
action redo(d in tray) during acting
  cost first(e in tray): move e to spent
  needs low "A low die": d.face at most 2
  does roll: roll d
  does away: move d to spent
  does six: if d.face is 6: done becomes yes
action spend(lot part of tray) during acting
  needs two: size(lot) is 2
  does away: move lot to spent; done becomes yes
reaction looking after redo.roll
  does look: if d.face is 1: done becomes yes
"""


def checked(edits: str) -> tuple[Program | None, list[Diagnostic]]:
    files = {"game.rules": GAME, "ours.rules": f'variant ours for dice "Ours"\n{edits}'}
    ruleset = ruleset_from_texts(files)
    table, faults = choose_table(ruleset, with_=["ours"], players=2)
    assert table is not None, faults
    rules, faults = compose(ruleset, table)
    assert rules is not None, faults
    return check_rules(rules)


SEVERAL = "change redo.d from tray to 1..2 of tray\n"


def test_clauses_that_take_it_for_one_are_told_with_the_change() -> None:
    program, found = checked(SEVERAL)
    assert program is None
    assert [each.message for each in found] == [
        f'{address} takes d for one thing, but "Ours" makes it 1..2 of tray.'
        for address in ("redo.low", "redo.six", "looking.look")
    ]
    assert {each.code for each in found} == {"E216"}
    low, six, _ = found
    assert [(x.span.file, x.span.line) for x in low.labels] == [
        ("game.rules", 13),
        ("ours.rules", 2),
    ]
    assert low.fixes == ("change redo.low from ... to every x in d has ...",)
    assert six.fixes == ("change redo.six\n  from ...\n  to for x in d: ...",)


def test_what_moves_and_rolls_needs_no_edit() -> None:
    program, found = checked(
        SEVERAL + "change redo.low\n  from d.face at most 2\n"
        "  to every x in d has x.face at most 2\nremove redo.six, looking\n"
    )
    assert program is not None, found
    assert not found


def test_the_factor_of_a_cost_becomes_several() -> None:
    program, found = checked("change redo.e from tray to part of tray\n")
    assert program is not None, found


def test_several_become_one() -> None:
    _, found = checked("change spend.lot from part of tray to tray\n")
    (only,) = found
    assert only.code == "E216"
    assert only.message == (
        'spend.two takes lot for several, but "Ours" makes it one of tray.'
    )


def test_a_set_alone_leaves_how_many_are_chosen() -> None:
    program, found = checked("change spend.lot from tray to tray but {red}\n")
    assert program is not None, found
