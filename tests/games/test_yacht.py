"""Every throw of five dice in every box of Yacht, counted in plain Python."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest
from tests.support.shipped import ShippedTable, program_at

from houserule.compiler.tables.sample import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import GamePosition

NUMBERS = ("ones", "twos", "threes", "fours", "fives", "sixes")
THROWS = 252
"""So many throws differ; the order of the dice never matters."""


def worth(box: str, throw: tuple[int, ...], *, fixed_house: bool) -> int:
    """Return what a throw is worth, from the counts of its faces."""
    by_count = Counter(throw).most_common()
    face, most = by_count[0]
    if box in NUMBERS:
        number = NUMBERS.index(box) + 1
        return number * throw.count(number)
    if box == "full_house":
        holds = [count for _, count in by_count] == [3, 2]
        return holds * (25 if fixed_house else sum(throw))
    if box in {"three_of_a_kind", "four_of_a_kind"}:
        wanted = 3 if box == "three_of_a_kind" else 4
        return wanted * face if most >= wanted else 0
    if box in {"little_straight", "big_straight"}:
        first = 1 if box == "little_straight" else 2
        return 30 * (sorted(throw) == list(range(first, first + 5)))
    return sum(throw) if box == "choice" else 50 * (most == 5)


@pytest.mark.parametrize(
    "variants", [(), ("three_of_a_kind", "fixed_house")], ids=["base", "modern"]
)
def test_what_every_throw_is_worth(variants: tuple[str, ...]) -> None:
    choice = Choice(frozenset(variants), 1, {}, "chosen")
    program = program_at(ShippedTable.of("yacht", choice))
    boxes = program.labels["Box"]
    assert len(boxes) == 12 + ("three_of_a_kind" in variants)
    throws = list(combinations_with_replacement(range(1, 7), 5))
    assert len(throws) == THROWS
    game = ReferenceGame.start(program, position=GamePosition(at="writing", seat=0))
    for throw in throws:
        for die, face in enumerate(throw):
            game.machine.store.set_face("Die", die, face)
        found = {box: game.value("worth", nr) for nr, box in enumerate(boxes)}
        fixed = "fixed_house" in variants
        assert found == {box: worth(box, throw, fixed_house=fixed) for box in boxes}
