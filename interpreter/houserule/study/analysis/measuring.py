"""Measuring: what an option is worth, and what each seat may expect, with intervals.

A search likes some options and hardly tries others, so what it says of them cannot be
compared. So of two options each is played on with as many passes, in the same imagined
worlds. A search is better the longer it lasts: of its passes the first half only
teaches it. And as its passes hang on each other, nothing can be said of its accuracy
but by doing all of it again with other luck, `REPEATS` times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import mean, stdev
from typing import Final, Literal

from houserule.base.frozen import frozen, slotted
from houserule.engine.bots.effort import Effort
from houserule.engine.bots.imagined import hides, imagine, lookalike
from houserule.engine.bots.objective import WHOLE, Objective
from houserule.engine.bots.search import Worth
from houserule.engine.compiled.bots.compiled_bots import Aimed, CompiledThinker
from houserule.engine.compiled.bots.route import Route, Track
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.study.simulate.statistics.intervals import Estimate

REPEATS = 6
"""So often a measurement is made."""
DEVIATIONS = 2.571
"""An interval of 95 % reaches so many standard errors to either side: Student's
distribution, of `REPEATS` less one degrees of freedom."""
MANY = 1.96
"""As many of the sum of very many measurements."""
UNSEEN = 3.0
"""What never came in so many passes comes at most this often, divided by them."""
FEWEST = 24
"""Decisions that a search looks at, at least."""
SLOWER = 20
"""So many times fewer decisions the reference engine looks at."""
AHEAD = 5
"""To find what is better, and where games are played to their end, so many times the
decisions are looked at."""


@frozen
class Duel:
    """What was chosen against what seemed better.

    Attributes:
        better: the option that seemed better.
        chosen: what the seat gets by what was chosen.
        other: what it gets by that option.
        loss: the difference, with its interval.
    """

    better: Choice
    chosen: float
    other: float
    loss: Estimate


UNTOLD: Final = "untold"
NOTHING_BETTER: Final = "nothing better"


class Gauge:
    """Measures at decisions of the games of one program.

    Args:
        program: the rules.
        decisions: how many a search looks at.
        seed: the luck of all searches, which is none of a game.
        blind: whether nothing may hang on what the seat that decides does not see, not
            even the luck of a search. Then a way is not gone, and decisions within
            effects cannot be told of, if anything is hidden.
    """

    def __init__(
        self, program: Program, decisions: int, seed: int = 1, *, blind: bool = False
    ) -> None:
        self._thinker = CompiledThinker(program)
        self._decisions, self._seed = decisions, seed
        self._open, self._blind = not hides(program), blind
        self._expected: dict[int, tuple[Estimate, ...] | None] = {}  # the last one
        self._seats, self._values = program.seats, bool(program.bot_ranking.keys)

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled engine searches, but for decisions within effects."""
        return self._thinker.is_compiled

    def compare(
        self, game: ReferenceGame, number: int, choice: Choice, way: Route | None = None
    ) -> Duel | Literal["untold", "nothing better"]:
        """Hold a choice against what a search would choose.

        Where it would choose the same, or comes no further ahead by the other, there is
        nothing better.

        Raises:
            RuleFault: the rules failed in the game itself.
        """
        decision = game.decision
        assert decision is not None, "a choice is made where there is a decision"
        alike, way = self._alike(game, way)
        decisions = self._effort(alike, way)
        if not decisions:
            return UNTOLD
        stream, effort = self._stream("look", number, 0), AHEAD * decisions
        found = self._thinker.rate(alike, stream, Effort(decisions=effort), way)
        chosen = decision.options.offered(choice)
        best = max(
            found,
            key=lambda each: (*each.weight, each.option == chosen, each.value),
            default=None,
        )
        if best is None:
            return UNTOLD
        if best.option == chosen:
            return NOTHING_BETTER
        options = decision.options
        numbers = options.number(chosen), options.number(best.option)
        at = _At(alike, decision.seat, number, numbers, way)
        if self._values:
            near = self._duel(at, best.option, False, decisions)
            if near is None or near.loss.low <= 0:
                return NOTHING_BETTER if near else UNTOLD
        return self._duel(at, best.option, True, AHEAD * decisions) or UNTOLD

    def _duel(self, at: _At, better: Choice, whole: bool, most: int) -> Duel | None:
        """Play on after both of two options, each as often and in the same worlds.

        After the second, what seems better, `most` decisions are looked at; after what
        was chosen there are as many passes.
        """
        got: list[list[float]] = [[], []]
        counted = 0
        for repeat in range(REPEATS):
            passes = 0
            for values, option in zip(reversed(got), reversed(at.numbers), strict=True):
                halves = _Halves(most, passes)
                stream = self._stream("whole" if whole else "near", at.number, repeat)
                aim = Objective(option, whole=whole)
                found = self._thinker.tell(at.game, stream, aim, halves.ask, at.way)
                if found is None:
                    return None
                values.append(found[at.seat])
                passes = halves.passes
            counted += (passes + 1) // 2
        lost = [other - own for own, other in zip(*got, strict=True)]
        return Duel(better, mean(got[0]), mean(got[1]), _estimate(lost, counted))

    def expect(
        self, game: ReferenceGame, number: int, way: Route | None = None
    ) -> tuple[Estimate, ...] | None:
        """Return what each seat may expect of a game at a decision, as its seat sees.

        None if it cannot be told.

        Raises:
            RuleFault: the rules failed in the game itself.
        """
        if number not in self._expected:
            self._expected.clear()
            found = self._expect("expect", number, lambda _: (game, way))
            self._expected[number] = found
        return self._expected[number]

    def expect_again(
        self, game: ReferenceGame, number: int, choice: Choice
    ) -> tuple[Estimate, ...] | None:
        """Return what each seat could expect after a choice, whatever chance had drawn.

        It is measured as `expect` does it of what then came, so that the difference is
        what chance gave. To be asked of games alone in which nothing is hidden.
        """

        def chance_again(repeat: int) -> tuple[ReferenceGame, Route | None]:
            assert game.decision is not None, "a choice is made at a decision"
            stream, track = self._stream("chance", number, repeat), Track()
            world = imagine(game, game.decision.seat, stream).game
            track.note(world.clone(), choice)
            world.carry_out(choice)
            return world, track.way(world)

        return self._expect("again", number, chance_again)

    def _expect(
        self,
        what: str,
        number: int,
        game_of: Callable[[int], tuple[ReferenceGame, Route | None]],
    ) -> tuple[Estimate, ...] | None:
        found: list[list[float]] = []
        passes = 0
        for repeat in range(REPEATS):
            try:
                game, way = game_of(repeat)
            except RuleFault:
                return None
            if game.decision is None:
                found.append(got_of(game))
                continue
            alike, by = self._alike(game, way)
            decisions = self._effort(alike, by)
            if not decisions:
                return None
            halves = _Halves(AHEAD * decisions)
            stream, aim = self._stream(what, number, repeat), Objective(whole=True)
            told = self._thinker.tell(alike, stream, aim, halves.ask, by)
            if told is None:
                return None
            found.append(told)
            passes += halves.passes // 2
        return tuple(
            _estimate([each[seat] for each in found], passes)
            for seat in range(self._seats)
        )

    def _alike(
        self, game: ReferenceGame, way: Route | None
    ) -> tuple[ReferenceGame, Route | None]:
        """Return a game that is the same for its seat, and a way to it.

        Where nothing is hidden that is the game itself: a search draws all luck anew.
        """
        assert game.decision is not None, "somebody looks at a decision"
        if self._open or (way is not None and not self._blind):
            return game, way
        return lookalike(game, game.decision.seat), None

    def _effort(self, game: ReferenceGame, way: Route | None) -> int:
        """Return how many decisions a search looks at.

        That is 0 where the compiled engine cannot get there: it would take too long.
        """
        if self._thinker.is_quick(game, way):
            return self._decisions
        if self.is_compiled:
            return 0
        return max(self._decisions // SLOWER, FEWEST)

    def _stream(self, what: str, number: int, repeat: int) -> Stream:
        return Stream.seeded(self._seed, number, f"analysis/{what}/{repeat}")


def apart(one: Estimate, other: Estimate) -> Estimate:
    """Return how much more the one is, both measured by themselves."""
    margin = sqrt(one.margin**2 + other.margin**2)
    found = one.value - other.value
    return Estimate(found, found - margin, found + margin)


def together(every: Sequence[Estimate]) -> Estimate:
    """Return the sum of what was measured, each by itself."""
    found = sum(each.value for each in every)
    margin = sqrt(sum(each.margin**2 for each in every))
    margin *= (MANY + (DEVIATIONS - MANY) / len(every)) / DEVIATIONS
    return Estimate(found, found - margin, found + margin)


def got_of(game: ReferenceGame) -> list[float]:
    """Return what each seat got of a game that is over."""
    worth = Worth(game.program, whole=True)
    worth.begin(game)
    return [each / WHOLE for each in worth.of(game)]


@frozen
class _At:
    """A decision, and the numbers of what was chosen and of what seems better."""

    game: ReferenceGame
    seat: int
    number: int
    numbers: tuple[int, ...]
    way: Route | None


@slotted
class _Halves:
    """Asks a search for passes, and tells of their second half.

    Attributes:
        most: so many decisions are looked at, unless there are to be so many `passes`;
            afterwards that is how many there were.
    """

    most: int
    passes: int = 0

    def ask(self, aimed: Aimed) -> list[float] | None:
        """Return what each seat got on average in the second half of the passes."""
        most = self.passes or self.most
        go_on = aimed.pass_through if self.passes else aimed.look_at
        Effort(decisions=max(most // 2, 1)).spend(go_on)
        before = aimed.passes.copy()
        Effort(decisions=most).spend(go_on)
        self.passes = aimed.passes.made
        return aimed.passes.values(before) or aimed.passes.values()


def _estimate(values: Sequence[float], passes: int) -> Estimate:
    """Return the mean of repeated measurements with its interval."""
    found = mean(values)
    error = stdev(values) / sqrt(len(values))
    margin = max(DEVIATIONS * error, UNSEEN / passes if passes else 0.0)
    return Estimate(found, found - margin, found + margin)
