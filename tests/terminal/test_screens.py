"""Real moments of the shipped games on the screen: each was found good by eye."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.support.shipped import prepared_at, ruleset_of
from tests.terminal.playing import GAMES, NAMES, FaceScreen

from houserule.compiler.prepare import TableChoice, playable
from houserule.engine.compiled.bots.compiled_bots import quick_bots
from houserule.play.seat.rules import TableRules
from houserule.play.seat.session import Sitting

CASES = Path(__file__).parents[1] / "cases" / "terminal"
SCREENS = YAML(typ="safe").load(CASES / "screens.yaml")
BOT = "greedy"
LOOKED = 12  # so many decisions before, the people looked for the first time


def screen_of(
    game: str,
    seed: int,
    at: int,
    people: int,
    size: str,
    language: str = "en",
    preset: str | None = None,
    players: int | None = None,
    variants: tuple[str, ...] = (),
    keys: tuple[str, ...] = (),
) -> FaceScreen:
    """Return a screen at a moment of a game in which bots decided until then."""
    ruleset = ruleset_of(game)
    choice = TableChoice(preset=preset, players=players, with_=tuple(variants))
    rules = TableRules(ruleset, *playable(prepared_at(game, choice), ruleset, choice))
    seats = rules.program.seats
    names = (*NAMES[:people], *[BOT] * (seats - people))
    sitting = Sitting.begin(rules, names, seed, None, (language,))
    bots = quick_bots((BOT,), rules.program, seed, 1)
    while sitting.decision is not None and len(sitting.made) < at:
        if sitting.advance(1):
            continue
        seat = sitting.decision.seat
        if len(sitting.made) > at - LOOKED:
            sitting.moment(seat)
        sitting.choose(seat, bots[seat].choose(sitting.game), bots_at_most=0)
    width, height = map(int, size.split("x"))
    screen = FaceScreen(sitting, (width, height), language)
    while screen.face.thinking:
        screen.face.advance()
    screen.press(*keys)
    return screen


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_looks_as_it_was_found_good(name: str) -> None:
    found = screen_of(**SCREENS[name]).shown() + "\n"
    golden = CASES / "screens" / f"{name}.txt"
    if os.environ.get("HOUSERULE_BLESS"):
        golden.write_text(found, "utf-8")
    assert found == golden.read_text("utf-8")


def test_every_shipped_game_has_a_screen_and_no_screen_is_left_over() -> None:
    assert {each["game"] for each in SCREENS.values()} == set(GAMES)
    assert {path.stem for path in (CASES / "screens").glob("*.txt")} == set(SCREENS)
