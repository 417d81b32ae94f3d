"""The cross of Pachisi, as it is printed in each language of the ruleset."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support.shipped import ruleset_of

from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import GamePosition
from houserule.ir.types import Data
from houserule.play.narration.boards.drawing import drawn
from houserule.play.narration.boards.grid import grid_of
from houserule.play.narration.wording import Wording

GOLDEN = Path(__file__).parent / "golden"
CROSS = ruleset_of("pachisi")
PLACES: dict[tuple[Data, ...], Data] = {
    (0,): 3,  # p1: outward bound, then three pawns on one square
    (1,): 30,
    (2,): 30,
    (3,): 30,
    (4,): 12,  # p2: in a fort, and one pawn home
    (5,): 84,
    (8,): 79,  # p3: in the own lane, on the way home
}


@pytest.mark.parametrize("language", CROSS.manifest.languages)
def test_the_board_is_a_cross_in_every_language(language: str) -> None:
    program = prepare(CROSS, TableChoice(players=4)).program
    assert program is not None
    position = GamePosition(cells={"place": PLACES}, at="throwing", seat=0)
    game = ReferenceGame.start(program, position=position)
    words = Wording(program, CROSS.texts[language], language)
    board = CROSS.manifest.boards[0]
    found = drawn(board, grid_of(board, game, words), words) + "\n"
    file = GOLDEN / f"cross.{language}.txt"
    if os.environ.get("HOUSERULE_BLESS"):
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8")
