"""Measure the value of options and the expected results of seats, with intervals.

A search spends most iterations on the options it likes, so its own values are not
comparable. Therefore two options are compared with equal numbers of iterations in the
same determinizations. The first half of the iterations only trains the search; the
second half counts. Iterations depend on each other, so the only way to know the
accuracy is to repeat everything with `REPEATS` different seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import mean, stdev
from typing import Final, Literal

from houserule.base.frozen import frozen, slotted
from houserule.engine.bots.effort import Effort
from houserule.engine.bots.imagined import imagine
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
"""Repetitions of each measurement."""
DEVIATIONS = 2.571
"""Half the width of a 95 % interval in standard errors: Student's distribution with
`REPEATS` - 1 degrees of freedom."""
MANY = 1.96
"""The same for the sum of very many measurements."""
UNSEEN = 3.0
"""Rule of three: an event never seen in n iterations has at most probability 3/n."""
FEWEST = 24
"""Minimum number of decisions that a search examines."""
SLOWER = 20
"""The reference engine examines this many times fewer decisions."""
AHEAD = 5
"""Factor for the number of decisions, to find better options and when games are played
to the end."""


@frozen
class Duel:
    """The choice compared with the most promising alternative.

    Attributes:
        chosen: the seat's result with the choice.
        other: the seat's result with the alternative.
        loss: the difference, with its interval.
    """

    better: Choice
    chosen: float
    other: float
    loss: Estimate


UNTOLD: Final = "untold"
NOTHING_BETTER: Final = "nothing better"


class Gauge:
    """Measures decisions in the games of one program.

    Args:
        decisions: how many decisions a search examines.
        seed: the seed of the searches, independent of the game's seed.
    """

    def __init__(self, program: Program, decisions: int, seed: int = 1) -> None:
        self._thinker = CompiledThinker(program)
        self._decisions, self._seed = decisions, seed
        self._expected: dict[int, tuple[Estimate, ...] | None] = {}  # last one only
        self._seats, self._values = program.seats, bool(program.bot_ranking.keys)

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled engine searches, except for decisions within effects."""
        return self._thinker.is_compiled

    def compare(
        self, game: ReferenceGame, number: int, choice: Choice, way: Route | None = None
    ) -> Duel | Literal["untold", "nothing better"]:
        """Compare a choice with the choice of a search.

        Nothing is better if the search chooses the same, or if its choice does not
        improve the seat's position.

        Raises:
            RuleFault: the rules failed in the game itself.
        """
        decision = game.decision
        assert decision is not None, "a choice is made if there is a decision"
        decisions = self._effort(game, way)
        if not decisions:
            return UNTOLD
        stream, effort = self._stream("look", number, 0), AHEAD * decisions
        found = self._thinker.rate(game, stream, Effort(decisions=effort), way)
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
        at = _At(game, decision.seat, number, numbers, way)
        if self._values:
            near = self._duel(at, best.option, False, decisions)
            if near is None or near.loss.low <= 0:
                return NOTHING_BETTER if near else UNTOLD
        return self._duel(at, best.option, True, AHEAD * decisions) or UNTOLD

    def _duel(self, at: _At, better: Choice, whole: bool, most: int) -> Duel | None:
        """Play on after each of two options, equally often and in the same worlds.

        The search examines `most` decisions after the alternative, and then makes as
        many iterations after the choice.
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
        """Return each seat's expected result, as the deciding seat sees it.

        None if it cannot be determined.

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
        """Return each seat's expected result after a choice, averaged over chance.

        Measured like `expect` after the actual outcome, so the difference is the effect
        of chance. Only valid for games without hidden information.
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
            decisions = self._effort(game, way)
            if not decisions:
                return None
            halves = _Halves(AHEAD * decisions)
            stream, aim = self._stream(what, number, repeat), Objective(whole=True)
            told = self._thinker.tell(game, stream, aim, halves.ask, way)
            if told is None:
                return None
            found.append(told)
            passes += halves.passes // 2
        return tuple(
            _estimate([each[seat] for each in found], passes)
            for seat in range(self._seats)
        )

    def _effort(self, game: ReferenceGame, way: Route | None) -> int:
        """Return how many decisions a search examines.

        0 if the compiled engine cannot reach the decision: the search would take too
        long.
        """
        if self._thinker.is_quick(game, way):
            return self._decisions
        if self.is_compiled:
            return 0
        return max(self._decisions // SLOWER, FEWEST)

    def _stream(self, what: str, number: int, repeat: int) -> Stream:
        return Stream.seeded(self._seed, number, f"analysis/{what}/{repeat}")


def apart(one: Estimate, other: Estimate) -> Estimate:
    """Return the difference of two independent estimates."""
    margin = sqrt(one.margin**2 + other.margin**2)
    found = one.value - other.value
    return Estimate(found, found - margin, found + margin)


def together(every: Sequence[Estimate]) -> Estimate:
    """Return the sum of independent estimates."""
    found = sum(each.value for each in every)
    margin = sqrt(sum(each.margin**2 for each in every))
    margin *= (MANY + (DEVIATIONS - MANY) / len(every)) / DEVIATIONS
    return Estimate(found, found - margin, found + margin)


def got_of(game: ReferenceGame) -> list[float]:
    """Return each seat's result of a finished game."""
    worth = Worth(game.program, whole=True)
    worth.begin(game)
    return [each / WHOLE for each in worth.of(game)]


@frozen
class _At:
    """A decision, and the numbers of the choice and the alternative."""

    game: ReferenceGame
    seat: int
    number: int
    numbers: tuple[int, ...]
    way: Route | None


@slotted
class _Halves:
    """Runs iterations of a search, and averages their second half.

    Attributes:
        most: how many decisions to examine if `passes` is 0.
        passes: how many iterations to make instead; afterwards, how many were made.
    """

    most: int
    passes: int = 0

    def ask(self, aimed: Aimed) -> list[float] | None:
        """Return each seat's average result in the second half of the iterations."""
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
