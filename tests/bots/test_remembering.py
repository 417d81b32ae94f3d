"""What a seat laid away itself it remembers, in shipped games.

A thing that one seat saw, and not all, and that lies now where this seat does not look,
lies there in all games that the seat imagines, until it moves or is shuffled.
"""

from __future__ import annotations

from random import Random
from typing import cast

import pytest
from tests.support.engines import first_of
from tests.support.shipped import program_at

from houserule.engine.bots.imagined import imagine
from houserule.engine.reference.choices import Event
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.store import Store
from houserule.engine.state.view import Visibility
from houserule.play.narration.hearing import listen

Lying = tuple[str, int]
REMEMBERING = ("cribbage", "hearts", "takeover", "x_pasch")


class LaidAway:
    """What each seat laid where it does not look, from the events of a game."""

    def __init__(self, game: ReferenceGame) -> None:
        self.things: set[tuple[int, str, int]] = set()
        self._game = game
        listen(game, self._hear)

    def _hear(self, event: Event) -> None:
        program, store = self._game.program, self._game.machine.store
        if event.kind == "shuffle":
            zone, index = cast("Lying", event.data[:2])
            kind = program.zones[zone].member.name
            for thing in store.zones[zone][index]:
                self._forget(kind, thing)
        if event.kind != "move":
            return
        kind, thing, before, to = cast(
            "tuple[str, int, Lying | None, Lying]", event.data[:4]
        )
        self._forget(kind, thing)
        eyes = Visibility.of_all(program, self._game.engine.evaluator, store)
        saw = {eye.seat for eye in eyes if before and eye.zone(*before)}
        if len(saw) < len(eyes):
            blind = {eye.seat for eye in eyes if not eye.zone(*to)}
            self.things |= {(seat, kind, thing) for seat in saw & blind}

    def _forget(self, kind: str, thing: int) -> None:
        self.things = {each for each in self.things if each[1:] != (kind, thing)}


def remembered(name: str, games: int) -> tuple[int, int]:
    """Return how many things that a seat laid away stay there as it imagines a game.

    Then how many lie elsewhere. Games are random; at each decision its seat imagines.
    """
    program, found = program_at(first_of(name)), [0, 0]
    for seed in range(games):
        game, luck = ReferenceGame.start(program, seed), Random(seed)
        laid = LaidAway(game)
        for number in range(150):
            if game.decision is None:
                break
            seat, where = game.decision.seat, game.machine.store.where
            mine = [each[1:] for each in laid.things if each[0] == seat]
            if mine:
                stream = Stream.seeded(number, seed, "world")
                world = imagine(game, seat, stream).game.machine.store.where
                for kind, thing in mine:
                    found[world[kind][thing] != where[kind][thing]] += 1
            options = game.decision.options
            game.choose(options[luck.randrange(options.count())])
    return found[0], found[1]


@pytest.mark.parametrize("name", REMEMBERING)
def test_what_a_seat_laid_away_lies_where_it_laid_it(name: str) -> None:
    stayed, lost = remembered(name, 3)
    assert not lost
    assert stayed > 20


def test_a_game_that_lets_a_seat_forget_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Store, "show", lambda *_: None)
    assert remembered("cribbage", 1)[1] > 5
