"""The tales of whole games as they were read aloud, in each language, for a viewer.

`HOUSERULE_BLESS=1` writes them anew; then read them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from houserule.base.resources import data_root
from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.load import load_ruleset
from houserule.play.narration.narrator import Narrator
from houserule.play.narration.visibility import ALL_KNOWING, EVERYBODY, Viewer
from houserule.play.narration.wording import Wording

GOLDEN = Path(__file__).with_name("golden")
LINES = 250
VIEWERS: dict[str, Viewer] = {
    "all": ALL_KNOWING,
    "everybody": EVERYBODY,
    "ann": 0,
}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_game_is_told_as_it_was_read_aloud(language: str, viewer: str) -> None:
    ruleset, _ = load_ruleset(data_root() / "rulesets" / "x_pasch")
    assert ruleset is not None
    table = TableChoice(preset="official_deluxe", players=3)
    program = prepare(ruleset, table).program
    assert program is not None
    names = ["Ann", "Ben", "Cleo"]
    wording = Wording(program, ruleset.texts[language], language, names)
    narrator = Narrator(wording, viewer=VIEWERS[viewer])
    game = ReferenceGame.start(program, 5, listen=True)
    bots = seat_bots(["random"], program.seats, 5, 0)
    lines = list(narrator.news(game))
    while game.decision is not None and len(lines) < LINES:
        game.choose(bots[game.decision.seat].choose(game))
        lines += narrator.news(game)
    text = "\n".join(lines) + "\n"
    file = GOLDEN / f"x_pasch.{language}.{viewer}.txt"
    if os.environ.get("HOUSERULE_BLESS"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
