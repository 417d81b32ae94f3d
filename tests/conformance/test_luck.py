"""Everybody has their own luck: a rule that is switched on moves nobody's dice."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest
from tests.support.sampling import spread
from tests.support.shipped import ruleset_of

from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Program

Rolled = tuple[str, tuple[int, ...], tuple[int, ...]]


def x_program(*variants: str, players: int = 4) -> Program:
    prepared = prepare(
        ruleset_of("x_pasch"), TableChoice(with_=variants, players=players)
    )
    assert prepared.program is not None
    return prepared.program


def draws(game: ReferenceGame) -> dict[tuple[str, int], list[int]]:
    """Return the faces that each die of each drawing clause brought, in order."""
    found: dict[tuple[str, int], list[int]] = {}
    for event in game.events:
        if event.kind == "roll":
            _, dice, faces = cast("Rolled", event.data[:3])
            for die, face in zip(dice, faces, strict=True):
                found.setdefault((event.address, die), []).append(face)
    return found


def play(program: Program, seed: int, luck: Random) -> ReferenceGame:
    game = ReferenceGame.start(program, seed, listen=True)
    while (decision := game.decision) is not None:
        game.choose(decision.options[luck.randrange(decision.options.count())])
    return game


OTHERS = ["surprise_ending", "bankruptcy_roll", "hostile_takeover"]


@pytest.mark.parametrize("seed", spread(range(6), 5))
@pytest.mark.parametrize("variant", OTHERS)
def test_a_rule_more_leaves_the_dice_alone(variant: str, seed: int) -> None:
    """The n-th throw of a clause's die is the same, however the games went."""
    plain = draws(play(x_program(), seed, Random(seed)))
    other = draws(play(x_program(variant), seed, Random(seed + 100)))
    shared = 0
    for source, faces in plain.items():
        pairs = list(zip(faces, other.get(source, []), strict=False))
        assert all(mine == theirs for mine, theirs in pairs)
        shared += len(pairs)
    assert shared > 20


def test_the_deal_is_the_same_with_more_rules() -> None:
    """The shuffled deck does not depend on variants that deal other cards."""
    plain = ReferenceGame.start(x_program(), 42)
    other = ReferenceGame.start(x_program("surprise_ending", "hostile_takeover"), 42)
    for seat in range(4):
        assert plain.contents("hand", seat) == other.contents("hand", seat)
    assert plain.contents("deck") == other.contents("deck")


def test_another_seed_is_another_deal() -> None:
    first, second = (ReferenceGame.start(x_program(), seed) for seed in (1, 2))
    assert first.contents("deck") != second.contents("deck")
