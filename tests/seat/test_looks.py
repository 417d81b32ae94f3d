"""Looks: usual ones for every game, and those that a manifest names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import houserule
from houserule.base.resources import shipped_rulesets
from houserule.play.seat.looks import LookPlans
from houserule.play.seat.seat_model import ComponentLook

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
