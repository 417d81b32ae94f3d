"""Rows of component tables: each cell must fit its field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.rulesets import ruleset_from_texts

from houserule.compiler.compose.compose import compose
from houserule.compiler.lower import check_rules
from houserule.compiler.tables.choose import choose_table

if TYPE_CHECKING:
    from houserule.base.diagnostics.diagnostic import Diagnostic
    from houserule.ir import Program
    from houserule.language.manifest.ruleset import Plain

GAME = """game shop "Shop"
players 2..3
type Colour = amber | jade
dice Die: left, right showing 1..6
component Maker from "makers.yaml"
component Card from "cards.yaml"
  worth: 0..9
  colour: Colour
  rare: yes or no
  spare: 1..6 or none
  dice: set of Die
  maker: Maker
  rent(houses: 0..2): 0..9 or none
state done: yes or no starts as no
winners: players
phase round until done, at most 3 times
  step ending: done becomes yes
"""

GOOD: dict[str, Plain] = {
    "id": "first",
    "worth": 3,
    "colour": "jade",
    "rare": True,
    "maker": "anvil",
    "title": "A column that no field names",
}


def checked(
    *rows: dict[str, Plain], edits: str = ""
) -> tuple[Program | None, list[Diagnostic]]:
    makers: list[dict[str, Plain]] = [{"id": "anvil"}, {"id": "beacon"}]
    tables = {"makers.yaml": makers, "cards.yaml": list(rows)}
    files = {"game.rules": GAME, "ours.rules": f'variant ours for shop "Ours"\n{edits}'}
    ruleset = ruleset_from_texts(files, tables)
    table, faults = choose_table(ruleset, with_=["ours"], players=2)
    assert table is not None, faults
    rules, faults = compose(ruleset, table)
    assert rules is not None, faults
    return check_rules(rules)


def test_cells_become_ids() -> None:
    dice: list[Plain] = ["right", "left"]
    second: dict[str, Plain] = {**GOOD, "id": "second", "dice": dice, "spare": 4}
    program, faults = checked(GOOD, second)
    assert program is not None, faults
    cards = program.components["Card"]
    assert cards.labels == ("first", "second")
    columns = {name: values for name, (_, values) in cards.fields.items()}
    assert columns == {
        "worth": (3, 3),
        "colour": (1, 1),
        "rare": (True, True),
        "spare": (None, 4),
        "dice": ((), (0, 1)),
        "maker": (0, 0),
    }


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("worth", 12, "is 12, which is not in 0..9"),
        ("worth", "three", "must be a number 0..9, not `three`"),
        ("worth", True, "must be a number 0..9, not yes"),
        ("colour", "jaed", "names no Colour: there is no `jaed`"),
        ("colour", None, "must name a Colour, not nothing"),
        ("rare", "yess", "must be yes or no, not `yess`"),
        ("rare", "none", "must be yes or no, not `none`"),
        ("worth", "12", "is 12, which is not in 0..9"),
        ("worth", "3.0", "must be a number 0..9, not `3.0`"),
        ("spare", 0, "is 0, which is not in 1..6"),
        ("dice", ["left", "middle"], "names no Die: there is no `middle`"),
        ("maker", 3, "names no Maker: there is no `3`"),
        ("maker", ["anvil"], "must name a Maker, not a list"),
        ("rent", [1, 2], "must be a list of 3 values, one for each `houses: 0..2`"),
        ("rent", 1, "must be a list of 3 values, one for each `houses: 0..2`"),
        ("rent", [1, 2, 12], "is 12, which is not in 0..9"),
    ],
)
def test_a_cell_that_does_not_fit(field: str, value: Plain, said: str) -> None:
    program, faults = checked({**GOOD, field: value})
    assert program is None
    assert [each.code for each in faults] == ["E024"]
    assert said in faults[0].message
    assert faults[0].span is not None
    assert faults[0].span.file == "cards.yaml"


@pytest.mark.parametrize("field", ["worth", "colour", "rare", "maker"])
def test_a_missing_cell(field: str) -> None:
    program, faults = checked({k: v for k, v in GOOD.items() if k != field})
    assert program is None
    assert [each.code for each in faults] == ["E024"]
    assert f"`{field}`" in faults[0].message


@pytest.mark.parametrize(
    ("field", "quoted", "plain"),
    [
        ("worth", "3", 3),
        ("worth", "+3", 3),
        ("rare", "yes", True),
        ("rare", "no", False),
        ("spare", "4", 4),
        ("spare", "none", None),
    ],
)
def test_quotes_do_not_matter_for_numbers_and_flags(
    field: str, quoted: str, plain: Plain
) -> None:
    """Spreadsheets and converters write them."""
    (with_quotes, faults), (without, _) = (
        checked({**GOOD, field: value}) for value in (quoted, plain)
    )
    assert with_quotes is not None, faults
    assert without is not None
    assert with_quotes.components == without.components


def test_a_character_that_is_not_plain_is_named() -> None:
    _, faults = checked({**GOOD, "worth": "\uff13"})
    assert faults[0].labels[0].text == "use the plain `3`"


def test_the_nearest_name_is_offered() -> None:
    _, faults = checked({**GOOD, "colour": "jaed"})
    assert faults[0].labels[0].text == "did you mean `jade`?"


def test_an_edit_says_what_a_row_says() -> None:
    edits = (
        "change Card.first.worth from 3 to 9\n"
        "change Card.first.spare from none to 2\n"
        "change Card.first.dice from {} to {left, right}\n"
        "change Card.first.maker from anvil to beacon\n"
        "change Card.first.rare from yes to no\n"
    )
    program, found = checked(GOOD, edits=edits)
    assert program is not None, found
    cards = program.components["Card"]
    assert {name: values for name, (_, values) in cards.fields.items()} == {
        "worth": (9,),
        "colour": (1,),
        "rare": (False,),
        "spare": (2,),
        "dice": ((0, 1),),
        "maker": (1,),
    }


WIDER = "change Card.worth from 0..9 to 0..12\n"
HIGHER = "change Card.first.worth from 3 to 12\n"


def test_a_value_lies_in_the_range_that_another_edit_makes() -> None:
    assert checked(GOOD, edits=WIDER + HIGHER)[0] is not None
    _, found = checked(GOOD, edits=HIGHER)
    assert [(each.code, each.labels[0].span.line) for each in found] == [("E024", 2)]
    _, found = checked(GOOD, edits="change Card.worth from 0..9 to 4..12\n")
    (only,) = found
    assert only.code == "E024"
    assert only.details == ('Card.worth is changed by "Ours", ours.rules.',)
