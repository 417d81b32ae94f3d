"""The explanation of an end names the condition of the last phase, or its bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.load import load_ruleset
from houserule.play.seat.reasons.endings import why_over
from houserule.play.seat.rules import TableRules

RULES = """game race "Race"
players 2..2
state place(p: Player): 0..99 starts as 0
value far(p: Player): yes or no = place(p) at least 3
value there "One is far": yes or no = some p in players has far(p)
value tired "All are tired": yes or no = every p in players has place(p) at least 1
value bound: 0..9 =
  0 when tired
  4 otherwise
winners "Who is furthest": those p in players with most place(p)
{phase}
  phase turn for me in players
    step going: must act once, if possible
action go during going
  does step: place(me) gains 1
  does stop: if {stop}: end game
"""
MANIFEST = """id: race
version: "1"
title: {en: Race}
summary: {en: A race.}
languages: [en]
rules: [game.rules]
"""
TEXTS = """language: en
readings:
{readings}"""


def end_of(
    folder: Path,
    phase: str,
    readings: str = "  {}",
    stop: str = "place(me) is 99",
    seen: str = "",
) -> str:
    """Return why a small race is over that ends by a phase, told with some texts.

    `seen` says who sees how far a player is.
    """
    (folder / "text").mkdir()
    rules = RULES.replace("{phase}", phase).replace("{stop}", stop)
    rules = rules.replace("starts as 0\n", f"starts as 0{seen}\n")
    (folder / "game.rules").write_text(rules, "utf-8")
    (folder / "text" / "en.yaml").write_text(TEXTS.format(readings=readings), "utf-8")
    (folder / "ruleset.yaml").write_text(MANIFEST, "utf-8")
    ruleset, faults = load_ruleset(folder)
    assert ruleset is not None, faults
    made = prepare(ruleset, TableChoice())
    assert made.program is not None, made.diagnostics
    assert made.table is not None
    game = ReferenceGame.start(made.program, 1)
    bots = seat_bots(["random"], made.program.seats, 1, 0)
    while game.decision is not None:
        game.choose(bots[game.decision.seat].choose(game))
    words = TableRules(ruleset, made.table, made.program).wording("en")
    return why_over(game, words)


FAR = "phase lap until some p in players has far(p), at most 9 times"
SHORT = "phase lap until some p in players has far(p), at most 2 times"
BOUND = "phase lap until some p in players has far(p), at most bound times"
THREE = 'phase lap "Three laps" for n in 1..3'
DEALT = """phase opening "All is dealt" for n in 1..1
  step dealing: for p in players: place(p) gains 0
order opening then lap
"""
STALLED = "The game stalls: lap 2 was the last that the rules allow"


@pytest.mark.parametrize(
    ("phase", "readings", "told"),
    [
        (FAR, "", "The game is over: place (p1): 3."),
        (FAR, '  far: {yes: "{p} is far"}', "The game is over: p1 is far."),
        (FAR, "  lap: {yes: the race is run}", "The game is over: the race is run."),
        (
            "phase lap until there, at most 9 times",
            "",
            "The game is over: One is far.",
        ),
        (THREE, "", "The game is over after lap 3."),
        (DEALT + THREE, "", "The game is over after lap 3."),
        (
            THREE,
            "  lap: {yes: three laps are run}",
            "The game is over: three laps are run.",
        ),
        (
            "phase lap for n in 1..max(place(first_of(players)), 2)",
            "",
            "The game is over.",
        ),
        ('phase lap "One by one" for p in players', "", "The game is over."),
        (f"{SHORT}, then stop", "", "The game is over after lap 2."),
        (f"{SHORT}, then stop", "  lap: {yes: run}", "The game is over after lap 2."),
        (SHORT, "", f"{STALLED}."),
        (SHORT, "  lap: {no: nobody is far}", f"{STALLED}, and nobody is far."),
        (BOUND, "", "The game stalls: All are tired."),
        (BOUND, "  tired: {yes: all tire}", "The game stalls: all tire."),
    ],
)
def test_the_end_is_told(tmp_path: Path, phase: str, readings: str, told: str) -> None:
    assert end_of(tmp_path, phase, readings or "  {}") == told


@pytest.mark.parametrize("phase", [FAR, THREE, DEALT + THREE])
def test_a_phase_that_was_broken_off_is_no_reason(tmp_path: Path, phase: str) -> None:
    assert end_of(tmp_path, phase, stop="place(me) is 1") == "The game is over."


@pytest.mark.parametrize(
    ("readings", "told"),
    [
        ("  {}", "The game is over."),
        ('  far: {yes: "{p} is far"}', "The game is over."),
        ("  far: {yes: one is far}", "The game is over: one is far."),
        ("  lap: {yes: the race is run}", "The game is over: the race is run."),
    ],
)
def test_what_stays_hidden_is_not_told_at_the_end(
    readings: str, told: str, tmp_path: Path
) -> None:
    assert end_of(tmp_path, FAR, readings, seen=" seen only by p") == told
