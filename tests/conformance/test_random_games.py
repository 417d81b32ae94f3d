"""Random games under sampled tables: they end, and nothing is lost on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest

from houserule.compose.tables.sample import Choice
from houserule.engine.choices import Choice as Move
from houserule.engine.play.game import ReferenceGame
from houserule.engine.random_numbers import Stream
from houserule.ir import Program
from houserule.state.determinize import determinise
from houserule.state.view import view

from .tables import NAMES, at_every_count, named, program_of, sampled, telling

DECISIONS_AT_MOST = 20_000


def cases(choose: Callable[[str], list[Choice]]) -> list[object]:
    """Return tables of every shipped ruleset as parameters of a test."""
    return [
        pytest.param(name, choice, id=f"{name}: {named(choice)}")
        for name in NAMES
        for choice in choose(name)
    ]


def play(program: Program, seed: int, luck: Random) -> tuple[ReferenceGame, list[Move]]:
    """Play one random game to its end; return it with the choices made."""
    game = ReferenceGame.start(program, seed)
    moves: list[Move] = []
    while (decision := game.decision) is not None:
        assert len(moves) < DECISIONS_AT_MOST
        count = decision.options.count()
        assert count >= 1
        move = decision.options[luck.randrange(count)]
        moves.append(move)
        game.choose(move)
    return game, moves


@pytest.mark.parametrize(("name", "choice"), cases(at_every_count))
def test_games_end_and_replay(name: str, choice: Choice) -> None:
    program = program_of(name, choice)
    game, moves = play(program, seed=3, luck=Random(5))
    assert game.outcome is not None
    again = ReferenceGame.start(program, 3)
    for move in moves:
        again.choose(move)
    assert json.dumps(again.save()) == json.dumps(game.save())


@pytest.mark.parametrize(("name", "choice"), cases(telling))
def test_every_decision_can_be_saved_and_tried(name: str, choice: Choice) -> None:
    """Restored and cloned games go on alike; a trial leaves the game as it was.

    Decisions inside effects are all tried, of the others some.
    """
    program = program_of(name, choice)
    luck = Random(11)
    game = ReferenceGame.start(program, 7)
    while (decision := game.decision) is not None:
        index = luck.randrange(decision.options.count())
        if decision.kind == "act" and luck.randrange(5):
            game.choose(decision.options[index])
            continue
        saved = json.dumps(game.save())
        assert decision.options.count() > index
        assert json.dumps(game.save()) == saved, "looking at options changes nothing"
        restored = ReferenceGame.restore(program, json.loads(saved))
        assert restored.decision is not None
        assert restored.decision.options[index] == decision.options[index]
        assert json.dumps(restored.save()) == saved
        trial = game.clone()
        trial.choose(decision.options[index])
        assert json.dumps(game.save()) == saved
        restored.choose(decision.options[index])
        assert restored.save() == trial.save()
        game = trial


@pytest.mark.parametrize(("name", "choice"), cases(telling))
def test_nobody_sees_what_is_hidden(name: str, choice: Choice) -> None:
    """What a seat may not see can be dealt anew, and it is shown and offered the same.

    The seat that decides gets the same options whatever the others hold.
    """
    program = program_of(name, choice)
    luck = Random(13)
    game = ReferenceGame.start(program, 9)
    number = 0
    while (decision := game.decision) is not None:
        number += 1
        if number % 7 == 0:
            check_one_seat(game, decision.seat, luck)
            check_one_seat(game, luck.randrange(program.seats), luck)
        game.choose(decision.options[luck.randrange(decision.options.count())])


def check_one_seat(game: ReferenceGame, seat: int, luck: Random) -> None:
    program, evaluator = game.program, game.engine.evaluator
    other = game.clone()
    machine = other.machine
    draws = Stream(luck.getrandbits(64), 1)
    store = determinise(program, evaluator, machine.store, seat, draws)
    machine.store = store
    machine.context.store = store
    before = view(program, evaluator, game.machine.store, seat)
    assert view(program, evaluator, store, seat) == before
    decision, same = game.decision, other.decision
    assert decision is not None
    assert same is not None
    if decision.seat == seat:
        assert same.options.count() == decision.options.count()
        assert same.options.first(20) == decision.options.first(20)


def many(name: str) -> list[Choice]:
    return sampled(name, triples=True, random=40)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "choice"), cases(many))
def test_many_games(name: str, choice: Choice) -> None:
    program = program_of(name, choice)
    for seed in range(5):
        game, _ = play(program, seed, Random(seed))
        assert game.outcome is not None
