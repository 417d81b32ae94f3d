"""The greedy bot: one-ply search by the goal of bots, over determinizations.

It tries some options on copies of the game, in which everything that its seat does not
see is drawn at random. It plays on quietly in each until it is asked again after the
others. Then it takes the option with the best sum over the copies, or one of several.
Of a game it knows only the goal of bots, or without one, the winning keys.
"""

from __future__ import annotations

from typing import TypeAlias

from houserule.engine.bots.imagined import ImaginedGame, imagine
from houserule.engine.bots.random_choice import MOST, random_option, sensible
from houserule.engine.reference.choices import Choice, Done
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.faults import RuleFault
from houserule.ir import Ranking

MOST_TRIED = 8
MOST_COPIES = 8
MOST_AHEAD = 40

Standing: TypeAlias = tuple[int, ...]


class GreedyBot:
    """Tries up to eight options and takes the best of them; ties at random."""

    def __init__(self, seat: int, stream: Stream) -> None:
        self._seat, self._stream = seat, stream

    def choose(self, game: ReferenceGame) -> Choice:
        """Return the option with the best position for the seat at its next turn."""
        decision = game.decision
        assert decision is not None, "a bot is asked only if there is a decision"
        options = sensible(decision.options)
        few = options.count() <= MOST_TRIED
        tried: list[Choice] = list(options) if few else []
        while not few and len(tried) < MOST_TRIED:
            option = random_option(options, self._stream)
            if option not in tried:
                tried.append(option)
        if len(tried) == 1:
            return tried[0]
        # All options are tried on the same copies, so that chance favours none.
        worlds = [self._imagined(game) for _ in range(MOST_COPIES // len(tried))]
        # A rule fault in an imagined game counts as a loss.
        lost = (-1, *(0 for _ in game.program.bot_ranking.keys))
        rated: list[tuple[Standing, Choice]] = []
        for option in tried:
            found = [each and self._after(each, option) for each in worlds]
            rows = zip(*(each or lost for each in found), strict=True)
            rated.append((tuple(map(sum, rows)), option))
        best = max(standing for standing, _ in rated)
        among = [option for standing, option in rated if standing == best]
        return among[self._stream.below(len(among))]

    def _imagined(self, game: ReferenceGame) -> ImaginedGame | None:
        """Return a copy to play on in; None if the rules fail in it already."""
        stream = Stream.seeded(self._stream.below(MOST), 0, "imagined")
        try:
            return imagine(game, self._seat, stream)
        except RuleFault:
            return None

    def _after(self, world: ImaginedGame, option: Choice) -> Standing | None:
        """Return the value of the seat's position at its next decision.

        The option is legal in the real game, and is not judged again in the copy. None
        if the rules fail in the copy.
        """
        copy = world.copy()
        try:
            copy.game.carry_out(option)
            game, others = copy.game, copy.others
            for _ in range(MOST_AHEAD):
                decision = game.decision
                if decision is None:
                    break
                mine = decision.seat == self._seat
                others = others or not mine
                if others and mine:
                    break
                if not mine and played_at_once(game, decision):
                    choice = random_option(sensible(decision.options), copy.stream)
                else:
                    choice = quiet(decision)
                game.carry_out(choice)
            return standing(game, self._seat)
        except RuleFault:
            return None


def played_at_once(game: ReferenceGame, decision: Decision) -> bool:
    """Return whether all seats choose at once, each unseen by the others."""
    phases = game.engine.flow.phases
    return decision.kind == "act" and phases[decision.site].together


def quiet(decision: Decision) -> Choice:
    """Return `done` where it is offered, else the first sensible option."""
    done = Done()
    if decision.kind == "act" and not decision.options.refusals(done):
        return done
    return sensible(decision.options)[0]


def standing(game: ReferenceGame, seat: int) -> Standing:
    """Return the value of a position for a seat: whether it won, then the bots' goal.

    Each key counts as its lead. In a game that is drawn all stand alike: that is better
    than to be behind, and worse than to be ahead.
    """
    outcome, ranking = game.outcome, game.program.bot_ranking
    won = 0
    if outcome is not None:
        if outcome.kind == "drawn":
            return (0, *(0 for _ in ranking.keys))
        if outcome.kind == "won":
            won = 1 if seat in outcome.winners else -1
    return (
        won,
        *(leads(game, ranking, place)[seat] for place in range(len(ranking.keys))),
    )


def leads(game: ReferenceGame, ranking: Ranking, place: int) -> list[int]:
    """Return how far each seat is ahead of the best other one by one key.

    With one seat, or if all seats strive for one number, the lead is the key.
    """
    sign = 1 if ranking.direction == "most" else -1
    values = [
        sign * key_value(game, ranking, place, seat)
        for seat in range(game.program.seats)
    ]
    if len(values) == 1 or ranking.common:
        return values
    return [
        mine - max(values[:seat] + values[seat + 1 :])
        for seat, mine in enumerate(values)
    ]


def key_value(game: ReferenceGame, ranking: Ranking, place: int, seat: int) -> int:
    """Return one key of a ranking for a seat, 0 if it has no value."""
    values: list[int | None] = [None] * (ranking.slot - 1)
    value = game.evaluate(ranking.keys[place], None, [*values, seat])
    if isinstance(value, tuple):
        return len(value)
    return int(value) if value is not None else 0
