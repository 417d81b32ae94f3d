"""X-Pasch counted out: all 216 throws of three dice against every target on a card.

The throws are laid down one by one, and every part of them is read through the
ruleset's own values; the numbers below were worked out by hand.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

import pytest
from tests.support.shipped import ruleset_of

from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.reference.play.game import ReferenceGame

Throw: TypeAlias = tuple[int, int, int]
Use: TypeAlias = tuple[int, ...]  # the dice used, by number


class Target(NamedTuple):
    """What stands at the top of a card: a number, a named pair, any pair."""

    number: int | None
    pair: int | None = None
    any_pair: bool = False


class Odds(NamedTuple):
    """Of 216 throws, those that make a target: so, or with a triplet for any card."""

    hit: int
    founds: int


ANY_PAIR = Target(None, None, any_pair=True)
NUMBERS = {
    1: Odds(91, 96),
    2: Odds(104, 108),
    3: Odds(116, 120),
    4: Odds(131, 135),
    5: Odds(145, 150),
    6: Odds(162, 165),
    7: Odds(105, 111),
    8: Odds(97, 102),
    9: Odds(85, 90),
    10: Odds(73, 78),
    11: Odds(57, 63),
    12: Odds(41, 45),
    13: Odds(21, 27),
    14: Odds(15, 21),
    15: Odds(10, 15),
    16: Odds(6, 12),
    17: Odds(3, 9),
    18: Odds(1, 6),
}
# Throws that make a number with exactly one die, with two, with all three.
BY_DICE = {
    1: (91, 0, 0),
    2: (91, 16, 0),
    3: (91, 30, 1),
    4: (91, 46, 3),
    5: (91, 60, 6),
    6: (91, 76, 10),
    7: (0, 90, 15),
    8: (0, 76, 21),
    9: (0, 60, 25),
    10: (0, 46, 27),
    11: (0, 30, 27),
    12: (0, 16, 25),
    13: (0, 0, 21),
    14: (0, 0, 15),
    15: (0, 0, 10),
    16: (0, 0, 6),
    17: (0, 0, 3),
    18: (0, 0, 1),
}
EITHER = {
    Target(13, 1): Odds(37, 42),
    Target(16, 1): Odds(22, 27),
    Target(11, 2): Odds(73, 78),
    Target(14, 2): Odds(31, 36),
    Target(10, 3): Odds(86, 90),
    Target(16, 3): Odds(22, 27),
    Target(15, 4): Odds(26, 30),
    Target(12, 5): Odds(54, 57),
    Target(13, 5): Odds(34, 39),
    Target(14, 6): Odds(28, 33),
}
ODDS = {
    **{Target(number): odds for number, odds in NUMBERS.items()},
    **{Target(None, face): Odds(16, 21) for face in range(1, 7)},
    **EITHER,
    ANY_PAIR: Odds(96, 96),
}
USES: tuple[Use, ...] = tuple(u for n in (1, 2, 3) for u in combinations(range(3), n))
FACES = range(1, 7)
THROWS: tuple[Throw, ...] = tuple(product(FACES, FACES, FACES))


@cache
def game() -> ReferenceGame:
    prepared = prepare(ruleset_of("x_pasch"), TableChoice(preset="basic", players=3))
    assert prepared.program is not None, prepared.diagnostics
    return ReferenceGame.start(prepared.program, 1)


@cache
def cards() -> dict[str, Target]:
    """Return what stands on every company, by its name."""
    found = {}
    for row in ruleset_of("x_pasch").tables["components/companies.yaml"]:
        number, pair = (
            cell.value if cell is not None else None
            for cell in (row.cells.get("big_number"), row.cells.get("pasch"))
        )
        assert number is None or isinstance(number, int)
        assert pair is None or isinstance(pair, int)
        found[row.id] = Target(number, pair, row.cells["any_pasch"].value is True)
    return found


def lay(throw: Throw) -> None:
    for die, face in enumerate(throw):
        game().machine.store.set_face("Die", die, face)


@cache
def makers() -> dict[str, dict[Throw, frozenset[Use]]]:
    """Return which dice of which throw make each company, as the ruleset says."""
    labels = game().program.labels["Company"]
    found: dict[str, dict[Throw, frozenset[Use]]] = {name: {} for name in labels}
    for throw in THROWS:
        lay(throw)
        for number, name in enumerate(labels):
            made = (use for use in USES if game().value("makes", use, number))
            found[name][throw] = frozenset(made)
    return found


@cache
def triplets() -> frozenset[Throw]:
    found = set()
    for throw in THROWS:
        lay(throw)
        if any(game().value("triplet", use) for use in USES):
            found.add(throw)
    return frozenset(found)


def test_every_target_is_on_some_card_and_the_reverse() -> None:
    assert set(cards().values()) == set(ODDS)


@pytest.mark.parametrize("name", cards())
def test_the_odds_of_a_card(name: str) -> None:
    made = {throw for throw, uses in makers()[name].items() if uses}
    assert Odds(len(made), len(made | triplets())) == ODDS[cards()[name]]


@pytest.mark.parametrize("name", [n for n, t in cards().items() if t[1:] == (None, 0)])
def test_by_how_many_dice_a_number_is_made(name: str) -> None:
    """A throw counts once for each number of dice that can do it."""
    number = cards()[name].number
    assert number is not None
    counts = Counter(
        size for uses in makers()[name].values() for size in {len(use) for use in uses}
    )
    assert (counts[1], counts[2], counts[3]) == BY_DICE[number]


@pytest.mark.parametrize(
    "name", [n for n, target in cards().items() if target.number is None]
)
def test_a_pair_is_made_by_two_dice_alone(name: str) -> None:
    sizes = {len(use) for uses in makers()[name].values() for use in uses}
    assert sizes == {2}


def test_what_can_be_thrown() -> None:
    """Six triplets, ninety throws with exactly a pair, 120 of three faces."""
    any_pair = next(name for name, target in cards().items() if target == ANY_PAIR)
    pairs = {throw for throw, uses in makers()[any_pair].items() if uses}
    assert len(THROWS) == 216
    assert triplets() == {(n, n, n) for n in range(1, 7)}
    assert triplets() < pairs
    assert (len(triplets()), len(pairs - triplets()), 216 - len(pairs)) == (6, 90, 120)
