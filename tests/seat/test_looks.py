"""Looks: usual ones for every game, and those that a manifest names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import houserule
from houserule.base.resources import shipped_rulesets
from houserule.play.seat.looks import LookPlans
from houserule.play.seat.seat_model import Chart, ComponentLook, SeenBoard, SeenPieces
from houserule.play.seat.session import Sitting

MANIFEST = (shipped_rulesets()["hearts"] / "ruleset.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def hearts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of a game: in one place, its rules are checked once for all tests."""
    folder = tmp_path_factory.mktemp("games") / "hearts"
    return shutil.copytree(shipped_rulesets()["hearts"], folder)


@pytest.mark.parametrize(
    ("game", "kind", "name", "look"),
    [
        ("hearts", "Card", "ten_of_hearts", "playing card heart 10 10 red"),
        ("hearts", "Card", "jack_of_spades", "playing card spade J 0 black"),
        ("hearts", "Card", "ace_of_clubs", "playing card club A 1 black"),
        ("cribbage", "Card", "ace_of_clubs", "playing card club A 1 black"),
        ("skat", "Card", "seven_of_clubs", "playing card club 7 7 black"),
        ("skat", "Card", "jack_of_hearts", "playing card heart J 0 red"),
        ("mau_mau", "Card", "king_of_clubs_1", "playing card club K 0 black"),
        ("x_pasch", "Die", "red", "die   0 red"),
        ("yacht", "Die", "d1", "die   0 "),
        ("guild_street", "House", "forge", "card hammer 3 0 "),
        ("x_pasch", "Company", "pasch_six_or_fourteen", "card  14 0 "),
    ],
)
def test_a_component_has_a_look(game: str, kind: str, name: str, look: str) -> None:
    found = look_of(shipped_rulesets()[game], kind, name)
    parts = (found.kind, found.icon, found.corner, found.pips, found.colour)
    assert " ".join(map(str, parts)) == look


def test_the_letter_of_a_rank_is_that_of_the_language() -> None:
    hearts = shipped_rulesets()["hearts"]
    assert look_of(hearts, "Card", "jack_of_spades", "de").corner == "B"


def look_of(folder: Path, kind: str, name: str, language: str = "en") -> ComponentLook:
    rules = houserule.load(folder).table().rules
    item = rules.program.labels[kind].index(name)
    plan = LookPlans(rules.ruleset).of(rules.program)
    found = plan.of(kind, item, rules.wording(language, ()))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("looks", "messages"),
    [
        ("Card: {as: playing card, suit: suit, rank: rank}", []),
        (
            "Card: {as: playing card, suit: suite, rank: rank}",
            ["`looks` draws suite of Card, which has no such field."],
        ),
        (
            "Crad: {as: hidden}",
            ["`looks` draws Crad, and the rules have no such thing."],
        ),
        (
            "hand: {as: pan}",
            ["`as` is `pan`; it must be `playing card`, `card`, `die`"],
        ),
        ("hand: {ass: fan}", ["`as:` is missing"]),
        (
            "hand: {as: card}",
            ["`looks` draws hand as `card`; it can be `fan`, `row` or `around`."],
        ),
        (
            "Card: {as: fan}",
            ["`looks` draws Card as `fan`; it can be a card, a die or hidden."],
        ),
        ("Card: {as: card, corner: rank}", ["it must be a list"]),
    ],
)
def test_a_wrong_look_is_reported(
    hearts: Path, looks: str, messages: list[str]
) -> None:
    own = "looks:\n  picture: [queen_of_spades, ace_of_hearts, five_of_hearts]\n"
    assert own in MANIFEST
    text = f"{MANIFEST.replace(own, '')}looks:\n  things:\n    {looks}\n"
    (hearts / "ruleset.yaml").write_text(text, encoding="utf-8")
    found = houserule.check(hearts).diagnostics
    assert len(found) == len(messages)
    for each, message in zip(found, messages, strict=True):
        assert message in each.message
        assert each.span is not None
        assert each.span.line == len(text.splitlines())


def test_a_wrong_name_in_the_picture_is_reported(hearts: Path) -> None:
    text = MANIFEST.replace("ace_of_hearts", "ace_of_heart")
    (hearts / "ruleset.yaml").write_text(text, encoding="utf-8")
    (found,) = houserule.check(hearts).diagnostics
    assert "names ace_of_heart, which" in found.message
    assert "did you mean ace_of_hearts?" in str(found)


def test_a_wrong_sign_and_wrong_lines_are_reported(tmp_path: Path) -> None:
    folder = tmp_path / "morris"
    shutil.copytree(shipped_rulesets()["morris"], folder)
    manifest = folder / "ruleset.yaml"
    text = manifest.read_text(encoding="utf-8").replace("lines: Line", "lines: Lines")
    manifest.write_text(f"{text}looks:\n  signs: {{whitte: sun}}\n", encoding="utf-8")
    found = houserule.check(folder).diagnostics
    assert [(each.code, each.labels[0].text) for each in found] == [
        ("E038", "did you mean Line?"),
        ("E038", "did you mean white?"),
    ]


def test_a_look_of_a_missing_field_leaves_it_out(tmp_path: Path) -> None:
    folder = tmp_path / "hearts"
    shutil.copytree(shipped_rulesets()["hearts"], folder)
    manifest = folder / "ruleset.yaml"
    text = manifest.read_text(encoding="utf-8")
    text = text.replace(
        "looks:\n", "looks:\n  things: {Card: {as: playing card, suit: x, rank: y}}\n"
    )
    manifest.write_text(text, encoding="utf-8")
    assert look_of(folder, "Card", "ten_of_hearts").icon == ""


# ---- games without looks

STONES = """\
game stones "Stones"
players 2..2
component Square for each row: 1..2, column: 1..3
state owner(s: Square): Player or none starts as none
value stones(p: Player) "Stones": 0..6 = count of s in Square where owner(s) is p
state spread(p: Player) "Stones that lie in a row of their own": 0..6 starts as 1
winners "Most stones win": those p in players with most stones(p)
phase round until (no s in Square has owner(s) is none), at most 3 times
  phase turn for me in players
    step placing "Place a stone": must act once, if possible
action place(s in Square) during placing "Place a stone"
  needs empty "It must be empty": owner(s) is none
  does put: owner(s) becomes me
"""
MANIFEST_ONLY = """\
id: {name}
version: "1"
title: {name}
summary: A game.
languages: [en]
rules: [game.rules]
"""


def game_in(folder: Path, name: str, rules: str) -> Path:
    (folder / name).mkdir()
    (folder / name / "game.rules").write_text(rules, encoding="utf-8")
    manifest = MANIFEST_ONLY.format(name=name)
    (folder / name / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(
    "order", ["row: 1..2, column: 1..3", "column: 1..3, row: 1..2"]
)
def test_a_grid_is_a_board_without_a_word(tmp_path: Path, order: str) -> None:
    text = STONES.replace("row: 1..2, column: 1..3", order)
    rules = houserule.load(game_in(tmp_path, "stones", text)).table().rules
    sitting = Sitting.begin(rules, ["random", "random"], seed=1)
    sitting.advance(3)
    areas = sitting.moment(0, "en").position.areas
    (board,) = (each for each in areas if isinstance(each, SeenBoard))
    assert board.row_heads == ("1", "2")
    assert board.column_heads == ("1", "2", "3")
    looks = [each.look for row in board.cells for cell in row for each in cell]
    pieces = [each.seat for each in looks if each is not None and each.kind == "piece"]
    assert sorted(each for each in pieces if each is not None) == [0, 0, 1]
    assert [each.kind for each in areas if each.key == "Square"] == []


def test_a_short_caption_is_a_name(tmp_path: Path) -> None:
    rules = houserule.load(game_in(tmp_path, "stones", STONES)).table().rules
    moment = Sitting.begin(rules, ["random", "random"], seed=1).moment(0, "en")
    chart = next(each for each in moment.position.areas if each.key == "players")
    assert isinstance(chart, Chart)
    assert sorted(chart.columns) == ["Spread", "Stones"]
    assert [part.name for score in moment.scores for part in score.parts] == [
        *("Stones", "Stones")
    ]


def test_a_number_is_a_rank(tmp_path: Path) -> None:
    pack = "type Suit = clubs | hearts | diamonds | spades\n"
    pack += "component Card for each suit: Suit, rank: 1..13\n"
    pack += "zone deck: pile of Card starts as Card\n"
    folder = game_in(tmp_path, "pack", STONES.replace("stones", "pack") + pack)
    corners = [look_of(folder, "Card", f"hearts-{n}").corner for n in (1, 10, 11, 13)]
    assert corners == ["1", "10", "11", "13"]


def test_cards_for_sale_that_are_alike_are_drawn_once_whatever_depends_on_them() -> (
    None
):
    """A price that changes is no reason to lay out eighty cards of eleven kinds."""
    made = houserule.load("workshop").table().sit("ann,greedy")
    areas = {area.key: area for area in made.moment(0, "en").position.areas}
    market = areas["market"]
    assert isinstance(market, SeenPieces)
    assert len(market.pieces) > 80
    assert len({market.face_of(piece) for piece in market.pieces}) == 10
