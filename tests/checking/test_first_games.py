"""Games that `check` plays: a table at which no player decides anything is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule.authoring.check.check import check_game

MANIFEST = """\
id: dash
version: "1.0"
title: {en: Dash}
summary: {en: Coins are paid.}
languages: [en]
"""
GAME = """\
game dash "Dash"
players 2..2
option first: {least}..9 normally 3
state pot: 0..9 starts as first
state shut: yes or no starts as no
winners: players
phase round until shut, at most {rounds} times
  phase turn for me in players
    step paying: {rule}
{more}
action pay during paying
  cost one: pot loses 1
  does shut: {does}
"""
ONCE = "must act once, if possible"
DRAWN = 'drawn by low "the pot is low": pot at most 3'
DEAR = """\
variant dear for dash "Dear"
option dearness: 0..9 normally 0
needs pay.dear: pot more than dearness
"""
SHUTS = "if pot is 0: shut becomes yes"
OVER = "W503 The game is over as soon as it begins:"


def game(
    least: int = 1,
    rounds: int = 20,
    rule: str = ONCE,
    does: str = SHUTS,
    more: str = "",
) -> str:
    return GAME.format(least=least, rounds=rounds, rule=rule, does=does, more=more)


CASES = {
    "drawn after set-up": (game(more=DRAWN), "", f"{OVER} `low` holds."),
    "an option at its least": (
        game(least=0),
        "",
        f"{OVER} `round` reaches its bound. At this table: first = 0.",
    ),
    "an option of a variant at its greatest": (
        game(),
        DEAR,
        f"{OVER} `round` reaches its bound. At this table: dear + dearness = 9.",
    ),
    "a bound that ends each game": (
        game(rounds=1),
        "",
        "W504 I played 4 games with random moves. Each stalled at the bound of `round`",
    ),
    "a fault of the rules": (game(does="pot gains 9; shut becomes yes"), "", "F01 "),
    "some games stall": (
        game(rounds=1, does="random n in 1..3: shut becomes n is not 1"),
        "",
        "",
    ),
    "nothing is ever to be decided": (
        game(rule="shut becomes yes", more=DRAWN).partition("action")[0],
        "",
        "",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_the_first_games_show(case: str, tmp_path: Path) -> None:
    rules, variant, expected = CASES[case]
    folder = tmp_path / "dash"
    (folder / "variants").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(MANIFEST, "utf-8")
    (folder / "game.rules").write_text(rules, "utf-8")
    (folder / "variants" / "one.rules").write_text(variant, "utf-8") if variant else 0
    found = [
        f"{each.code} {each.message} {' '.join(each.details)}"
        for each in check_game(folder).diagnostics
        if each.code[:2] in {"W5", "F0"} or each.severity.name == "ERROR"
    ]
    assert [each[: len(expected) or None] for each in found] == [expected] * bool(
        expected
    )
