"""Games that `check` plays: a table at which no player decides anything is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule.authoring.check.check import check_game
from houserule.base.limits import limited

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
CLOSING = """\
action wait during paying
  does stir: random n in 0..9: pot becomes n
action close during paying
  does shut: shut becomes yes
"""
BARRED = """\
option barred: yes or no normally no
action wait during paying
  does stir: random n in 0..9: pot becomes n
action close during paying
  needs open: not barred
  does shut: shut becomes yes
"""
NEVER = """\
variant never for dash "Never"
needs close.never: no
"""
LITTLE = """\
variant little for dash "Little"
needs close.little: pot at most 4
"""
MUCH = """\
variant much for dash "Much"
needs close.much: pot at least 5
"""
CHURNS = """\
effect churn
  does often: for i in 1..{i}: for j in 1..{j}: if i + j is 0: shut becomes no
"""
PASSING = """\
  phase lap for i in 1..9999
    step paused: pot becomes pot
  order lap then turn
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
    "a variant bars the end, and the bound is far": (
        game(does="shut becomes no", more=CLOSING),
        NEVER,
        "W504 I played 4 games with random moves. Each stalled at the bound of `round`",
    ),
    "an option bars the end": (
        game(rounds=8, does="shut becomes no", more=BARRED),
        "",
        "W504 I played 4 games with random moves. Each stalled at the bound of `round`"
        ", so nobody won. At this table: barred = yes.",
    ),
    "a choice that takes more work than play allows": (
        game(does="shut becomes yes; churn", more=CHURNS.format(i=100, j=1000)),
        "",
        "F11 More than 400,000 members are looked at between two decisions.",
    ),
    "a choice that takes much work, but not too much": (
        game(does="shut becomes yes; churn", more=CHURNS.format(i=100, j=140)),
        "",
        "",
    ),
    "more steps than play allows": (
        game(more=PASSING),
        "",
        "F11 More than 10,000 steps and turns begin without a decision.",
    ),
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
    with limited(work=400_000):
        found = found_in(tmp_path, rules, variant)
    assert [each[: len(expected) or None] for each in found] == [expected] * bool(
        expected
    )


def test_two_variants_that_bar_the_end_together(tmp_path: Path) -> None:
    rules = game(does="shut becomes no", more=CLOSING)
    assert not found_in(tmp_path / "little", rules, LITTLE)
    assert not found_in(tmp_path / "much", rules, MUCH)
    (found,) = found_in(tmp_path / "both", rules, LITTLE, MUCH, pairs=True)
    assert found.startswith("W504 ")
    assert found.endswith("At this table: little + much.")


def found_in(
    folder: Path, rules: str, *variants: str, pairs: bool = False
) -> list[str]:
    """Check a game with some variants; return what its first games show."""
    (folder / "variants").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(MANIFEST, "utf-8")
    (folder / "game.rules").write_text(rules, "utf-8")
    for variant in filter(None, variants):
        file = folder / "variants" / f"{variant.split()[1]}.rules"
        file.write_text(variant, "utf-8")
    return [
        f"{each.code} {each.message} {' '.join(each.details)}"
        for each in check_game(folder, pairs=pairs).diagnostics
        if each.code[:2] in {"W5", "F0"} or each.severity.name == "ERROR"
    ]
