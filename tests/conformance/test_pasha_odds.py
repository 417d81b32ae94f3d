"""The rows of one throw of five dice, counted over all 7,776 throws."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest
from tests.support.shipped import ruleset_of

from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import GamePosition

ODDS = {
    "none": 720,
    "pair": 3600,
    "two_pairs": 1800,
    "three_alike": 1200,
    "full_house": 300,
    "four_alike": 150,
    "five_alike": 6,
}
FACES = range(1, 7)


def game_with(*variants: str) -> ReferenceGame:
    """Return a game whose first player holds a card and is asked to play it."""
    prepared = prepare(ruleset_of("pasha"), TableChoice(with_=variants, players=2))
    assert prepared.program is not None, prepared.diagnostics
    position = GamePosition(
        at="playing", seat=0, cells={"first": {(): 0}}, zones={"hand": {(0,): [0]}}
    )
    return ReferenceGame.start(prepared.program, position=position)


def throw_dice(game: ReferenceGame, throw: tuple[int, ...]) -> str:
    """Lay the dice so; return the row of the throw by name, "none" without one."""
    for die, face in enumerate(throw):
        game.machine.store.set_face("Die", die, face)
    row = game.value("throw_row")
    return game.program.labels["Row"][row] if isinstance(row, int) else "none"


@pytest.mark.parametrize("edition", ["german_edition", "italian_edition"])
def test_every_throw_is_counted_once(edition: str) -> None:
    """The ruleset's own `throw_row`, read for every throw, gives the exact odds."""
    game = game_with(edition)
    throws = product(FACES, repeat=5)
    found = Counter(throw_dice(game, throw) for throw in throws)
    assert found == ODDS
    assert found.total() == 6**5


def test_two_pairs_alone_leave_a_choice() -> None:
    """A row is made in one column; two pairs are made in two."""
    game = game_with()
    names = game.program.labels["Row"]
    seen: set[str] = set()
    for throw in combinations_with_replacement(FACES, 5):
        row = throw_dice(game, throw)
        seen.add(row)
        columns = {"none": 0, "two_pairs": 2}.get(row, 1)
        made = [
            face
            for face in FACES
            if row != "none" and game.value("makes", names.index(row), face)
        ]
        assert len(made) == columns, throw
    assert seen == set(ODDS)
