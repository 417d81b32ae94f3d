"""Any model: errors use the author's words, and are at the author's line."""

from __future__ import annotations

from typing import Literal, get_args

import pytest
from pydantic import Field
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from houserule.base.plain import Strict
from houserule.base.source import Source
from houserule.language.manifest.yaml.parser import parse_yaml
from houserule.language.manifest.yaml.read import read_model
from houserule.language.manifest.yaml.validate import validate, wanted


class Roll(Strict):
    dice: list[int] = Field(max_length=3)


class Pass(Strict):
    why: Literal["tired", "stuck"]
    to: str = ""


class Turn(Strict):
    seat: int = Field(ge=1, le=6)
    move: Roll | Pass | str
    then: list[Turn] = Field(default=[])


class Table(Strict):
    seats: int = 2
    on: list[str] = []
    turns: list[Turn] = []


def faults_of(text: str) -> list[tuple[str, int, str]]:
    _, _, faults = read_model(Source("x.yaml", text), Turn)
    return [
        (each.code, each.span.column if each.span else 0, each.message)
        for each in faults
    ]


def test_a_fitting_text_gives_the_model() -> None:
    turn, _, faults = read_model(Source("x.yaml", "seat: 1\nmove: {why: tired}"), Turn)
    assert not faults
    assert turn == Turn(seat=1, move=Pass(why="tired"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{seat: 9, move: x}", [("E032", 8, "`seat` is 9; it must be at most 6")]),
        (
            "{seat: yes, move: x}",
            [("E032", 8, "`seat` is yes; it must be a whole number")],
        ),
        # of the types that a value may have, the one that was meant is told of
        (
            "{seat: 1, move: {dice: [1, two]}}",
            [("E032", 28, "number 2 of `dice` is `two`; it must be a whole number")],
        ),
        (
            "{seat: 1, move: {why: tird, too: x}}",
            [
                ("E032", 23, "`why` is `tird`; it must be `tired` or `stuck`"),
                ("E031", 29, "there is no key `too` here"),
            ],
        ),
        (
            "{seat: 1, move: 3}",
            [
                (
                    "E032",
                    17,
                    "`move` is 3; it must be a block of `key: value` lines or a text",
                )
            ],
        ),
        (
            "{seat: 1, move: x, then: [{seat: 1}]}",
            [("E033", 28, "`move:` is missing here")],
        ),
        (
            "{seat: 1, move: {dice: [1, 1, 1, 1]}}",
            [("E032", 18, "`dice` is a list; it must be a list of at most 3")],
        ),
        (
            "{seat: , move: x}",
            [("E032", 6, "`seat` is empty; it must be a whole number")],
        ),
        ("3", [("E032", 1, "the file is 3; it must be a block of `key: value` lines")]),
    ],
)
def test_misfits(text: str, expected: list[tuple[str, int, str]]) -> None:
    assert faults_of(text) == expected


@pytest.mark.parametrize(
    ("line", "value", "fixes"),
    [
        ('seats: "3"', '`"3"`', ("seats: 3",)),
        ("seats: '3'", "`'3'`", ("seats: 3",)),
        ('seats: "three"', "`three`", ()),
        ("on: x", "`x`", ("on: [x]",)),
        ('on: "x"', '`"x"`', ('on: ["x"]',)),
        ("on: x, y", "`x, y`", ("on: [x, y]",)),
        ("on: a.rules b.rules", "`a.rules b.rules`", ("on: [a.rules, b.rules]",)),
        ('on: "a b"', '`"a b"`', ('on: ["a b"]',)),
        ("on: By Ann Bell", "`By Ann Bell`", ("on: [By Ann Bell]",)),
        ("on: |-\n  x", "`x`", ()),
        ("on: 3", "3", ()),
        ("turns: x", "`x`", ()),
    ],
)
def test_a_fix_shows_how_to_write_a_value(
    line: str, value: str, fixes: tuple[str, ...]
) -> None:
    model, _, (found,) = read_model(Source("x.yaml", line), Table)
    assert model is None
    assert f" is {value}; it must be" in found.message
    assert found.fixes == fixes


def test_a_part_can_be_read_on_its_own() -> None:
    text = "turns:\n  - {seat: 1, move: x}\n  - {seat: 7, move: x}\n"
    document, _ = parse_yaml(Source("x.yaml", text))
    first, none = validate(document, Turn, ("turns", 0))
    assert first == Turn(seat=1, move="x")
    assert not none
    second, faults = validate(document, Turn, ("turns", 1))
    assert second is None
    assert [str(each.span) for each in faults] == ["x.yaml:3:12"]


CONTEXT = {
    **dict.fromkeys(("ge", "gt", "le", "lt", "min_length", "max_length"), 1),
    **dict.fromkeys(("error", "expected", "pattern"), "even"),
}


@pytest.mark.parametrize("kind", get_args(ErrorType))
def test_no_words_of_the_library_are_told(kind: ErrorType) -> None:
    detail = ErrorDetails(type=kind, loc=(), msg="Input", input=1, ctx=CONTEXT)
    assert "Input" not in wanted(detail)
