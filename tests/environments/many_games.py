"""Many games as the reference engine plays them, place by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

import pytest

from houserule.base.limits import limit
from houserule.engine.bots.bot import Bot, seat_bots
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.environments.actions import ActionSpace, ListedActions
from houserule.environments.encoding import encoding_of
from houserule.environments.payoff import Payoff, RewardName
from houserule.environments.stepping.games import ManyGames
from houserule.ir import Program


@dataclass
class Place:
    """One place: the games that stand there one after the other, and what is told."""

    number: int
    game: ReferenceGame = field(init=False)
    bots: list[Bot] = field(init=False)
    decisions: int = 0
    seat: int = 0
    terminated: bool = False
    truncated: bool = False
    rewards: list[float] = field(default_factory=list)
    last: list[int] | None = None
    row: list[int] = field(default_factory=list)


class Expected:
    """What `ManyGames` is to tell, by the reference engine."""

    def __init__(
        self,
        program: Program,
        games: int,
        *,
        outside: Sequence[int],
        bots: Sequence[str],
        seed: int,
        rotate: bool = False,
        reward: RewardName = "win",
    ) -> None:
        self.program, self.many, self.seed = program, games, seed
        self._outside, self._names, self._rotate = tuple(outside), bots, rotate
        self._payoff = Payoff(program, reward)
        self.places = [Place(number - games) for number in range(games)]
        for each in self.places:
            self._take(each, None)

    def step(self, at: int, index: int) -> None:
        """Take an option at a place."""
        each = self.places[at]
        each.terminated = each.truncated = False
        each.rewards, each.last = [0.0] * self.program.seats, None
        self._take(each, index)

    def _take(self, each: Place, index: int | None) -> None:
        """Take an option, or begin; where the rules fail the next game begins."""
        told = index is None
        while True:
            try:
                if index is None:
                    self._next(each)
                else:
                    assert each.game.decision is not None
                    each.game.choose(each.game.decision.options[index])
                    each.decisions += 1
                self._go_on(each, told=told)
                return
            except RuleFault:
                if not told and not each.terminated and not each.truncated:
                    each.truncated, each.last = True, each.row
                told, index = True, None

    def _next(self, each: Place) -> None:
        each.number += self.many
        each.game = ReferenceGame.start(self.program, self.seed, each.number)
        each.decisions, seats = 0, self.program.seats
        by = each.number % seats if self._rotate else 0
        names = [self._names[seat % len(self._names)] for seat in range(seats)]
        turned = [names[(seat - by) % seats] for seat in range(seats)]
        each.bots = seat_bots(turned, seats, self.seed, each.number)

    def _go_on(self, each: Place, *, told: bool) -> None:
        encoding = encoding_of(self.program)
        while True:
            decision = each.game.decision
            if decision is None or each.decisions >= limit("decisions"):
                if not told:
                    told = True
                    each.terminated, each.truncated = decision is None, bool(decision)
                    each.rewards = self._payoff.of(each.game)
                    each.last = encoding.observe(each.game, each.seat)
                self._next(each)
            elif self._is_outside(each, decision.seat):
                decision.options.count()  # the module counts them beforehand
                each.seat = decision.seat
                each.row = encoding.observe(each.game, decision.seat)
                return
            else:
                each.game.choose(each.bots[decision.seat].choose(each.game))
                each.decisions += 1

    def _is_outside(self, each: Place, seat: int) -> bool:
        by = each.number % self.program.seats if self._rotate else 0
        return (seat - by) % self.program.seats in self._outside


class Memory:
    """The arrays of many games, as plain numbers."""

    def __init__(self, games: ManyGames) -> None:
        self._games, self._size = games, encoding_of(games.program).size

    def numbers(self, name: str, form: Literal["i", "q", "B"] = "i") -> memoryview[int]:
        """Return an array of whole numbers, which may be written to."""
        return memoryview(self._games.row_bytes(name)).cast("B").cast(form)

    def rewards(self, at: int) -> list[float]:
        """Return what each seat got."""
        every = memoryview(self._games.row_bytes("rewards")).cast("B").cast("d")
        seats = self._games.program.seats
        return [float(each) for each in every[at * seats : (at + 1) * seats]]

    def row(self, name: str, at: int) -> list[int]:
        """Return a row of observations."""
        return self.numbers(name)[at * self._size : (at + 1) * self._size].tolist()


def play_beside(
    games: ManyGames, expected: Expected, space: ActionSpace, steps: int, luck: Random
) -> int:
    """Hold that each step tells what the reference engine says; return what ended."""
    memory, names = Memory(games), encoding_of(games.program).names
    ended = 0
    for step in range(steps + 1):
        for at, place in enumerate(expected.places):
            row = memory.row("observations", at)
            told = dict(zip(names, row, strict=True))
            assert told == dict(zip(names, place.row, strict=True)), (step, at)
            decision = place.game.decision
            assert decision is not None
            count = decision.options.count()
            assert memory.numbers("option_counts", "q")[at] == count
            assert memory.numbers("seats_asked")[at] == place.seat
            assert memory.numbers("game_numbers", "q")[at] == place.number
            if step:
                assert memory.numbers("terminated")[at] == place.terminated
                assert memory.numbers("truncated")[at] == place.truncated
                assert memory.rewards(at) == pytest.approx(place.rewards)
            if place.last is not None:
                ended += 1
                assert memory.row("last_rows", at) == place.last
            legal = space.legal(decision)
            if not isinstance(space, ListedActions):
                mask = memory.numbers("legal", "B")
                mask = mask[at * space.size : (at + 1) * space.size]
                assert {n for n, is_legal in enumerate(mask) if is_legal} == {*legal}
            index = luck.randrange(len(legal))
            memory.numbers("chosen_numbers")[at] = legal[index]
            if step < steps:
                expected.step(at, index)
        if step < steps:
            games.step()
    return ended
