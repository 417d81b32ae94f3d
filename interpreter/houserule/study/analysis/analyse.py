"""Analyse a record: evaluate each choice, then summarise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Literal

from houserule.base.frozen import frozen, slotted
from houserule.engine.bots.bot import LEVELS, effort_of
from houserule.engine.bots.imagined import hides
from houserule.engine.compiled.bots.route import Track
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.records.choice_words import choice_of, words_of
from houserule.play.records.reading import ParsedRecord
from houserule.play.records.records import Difference, replay, seat_names
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.rules import TableRules
from houserule.study.analysis.analysis_model import (
    AnalysedChoice,
    AnalysedSeat,
    Analysis,
    BetterOption,
    Ended,
    FoundValue,
    LeadPassed,
    Verdict,
)
from houserule.study.analysis.measuring import (
    UNTOLD,
    Duel,
    Gauge,
    apart,
    got_of,
    together,
)
from houserule.study.simulate.statistics.intervals import Estimate
from houserule.study.simulate.statistics.summary import rounded

INACCURATE, BAD = 0.05, 0.15
"""The losses (as shares of the win) from which a choice is inaccurate, or bad."""
LEADS = 0.1
"""Minimum distance by which a leading seat's expected share exceeds all others."""
MOST = 5
"""Default number of turning points reported."""


class NotFinishedError(ValueError):
    """The game is not over, so its hidden information must not be shown."""


def decisions_of(effort: str) -> int:
    """Return how many decisions a search bot of this name examines.

    Raises:
        ValueError: there is no such bot, or it thinks by time, so its results are not
            reproducible.
    """
    found = effort_of(effort)
    if found is None or not found.decisions:
        levels = ", ".join(f"`{each}`" for each in LEVELS)
        raise ValueError(
            f"`{effort}` is not a search. "
            f"Say {levels}, or `search:` and a number, such as `search:5000`."
        )
    return found.decisions


@frozen
class Wanted:
    """What to analyse.

    Attributes:
        effort: how many decisions a search examines, named like a bot.
        seat: analyse only this seat's choices; None for all seats.
        blind: whether to use only what that seat can know.
        players: the players' names by seat.
    """

    effort: str = "fair"
    seat: int | None = None
    blind: bool = False
    language: str = "en"
    players: tuple[str, ...] = ()
    seed: int = 1


@slotted
class Analysing:
    """A running analysis of a record; intermediate results can be summarised.

    Attributes:
        record: the record, replayed without a difference and without moves that were
            taken back.
        end: the game at the end of the record.
    """

    record: ParsedRecord
    rules: TableRules
    wanted: Wanted
    end: ReferenceGame
    found: list[AnalysedChoice] = field(default_factory=list)
    through: bool = False
    engine: Literal["compiled", "reference"] = "reference"

    @classmethod
    def begin(
        cls, record: ParsedRecord, rules: TableRules, wanted: Wanted
    ) -> Analysing | Difference:
        """Replay a record; return the analysis, or how the replay differs.

        Raises:
            NotFinishedError: the game is not over, and `wanted` is not blind.
        """
        record = record.smooth
        game, difference = replay(record, rules.program)
        if difference is not None:
            return difference
        assert game is not None, "a game that does not start differs"
        if game.outcome is None and not wanted.blind:
            raise NotFinishedError(
                "The game is not over, and nobody may see all of it yet."
            )
        return cls(record, rules, wanted, game)

    @property
    def total(self) -> int:
        """Number of choices in the record."""
        return len(self.record.taken)

    def go(self) -> Iterator[None]:
        """Analyse the choices one by one.

        Raises:
            RuleFault: the rules failed.
        """
        program, head = self.rules.program, self.record.head
        wanted, names, hidden = self.wanted, seat_names(program), hides(program)
        words = self.rules.wording(wanted.language, wanted.players)
        measuring, track = (
            Gauge(program, decisions_of(wanted.effort), wanted.seed),
            Track(),
        )
        game = ReferenceGame.start(program, head.seed, head.number)
        for number, taken in enumerate(self.record.taken, 1):
            choice = choice_of(taken.do, taken.at, program)
            before, way = game.clone(), track.way(game)
            if number == 1 and measuring.is_compiled:
                self.engine = "compiled"
            game.choose(choice)
            track.note(before, choice)
            decision, way_after = before.decision, track.way(game)
            assert decision is not None, "a choice is made at a decision"
            if wanted.seat not in (None, decision.seat):
                yield
                continue
            chooser = Chooser(self.rules, before, words, decision.seat)
            site, count, better = decision.site, decision.options.count(), None
            found = (
                measuring.compare(before, number, choice, way) if count > 1 else None
            )
            compared = found if isinstance(found, Duel) else None
            verdict = verdict_of(found)
            if compared and verdict in ("inaccurate", "bad"):
                better = BetterOption(
                    do=words_of(compared.better, site, program),
                    words=chooser.label(compared.better),
                    value=rounded(compared.other),
                )
            shares = measuring.expect(before, number, way) or ()
            expected = [found_value(share_of(each)) for each in shares]
            value = expected[decision.seat].value if expected else None
            # The effect of chance. With hidden information it is omitted: what was
            # revealed may have been fixed before and is not chance.
            luck: list[FoundValue] = []
            streams = before.machine.store.streams
            if not hidden and streams != game.machine.store.streams:
                came = measuring.expect(game, number + 1, way_after)
                could = measuring.expect_again(before, number, choice)
                if came is not None and could is not None:
                    pairs = zip(came, could, strict=True)
                    luck = [found_value(apart(*pair)) for pair in pairs]
            analysed = AnalysedChoice(
                n=number,
                seat=names[decision.seat],
                at=site,
                do=words_of(choice, site, program),
                words=chooser.label(choice),
                options=count,
                verdict=verdict,
                value=rounded(compared.chosen) if compared else value,
                better=better,
                loss=rounded(compared.loss.value) if compared and better else 0.0,
                compared=found_value(compared.loss) if compared else None,
                expected=expected,
                luck=luck,
            )
            self.found.append(analysed)
            yield
        self.through = True

    def go_through(self, tick: Callable[[], object] = lambda: None) -> Ended:
        """Analyse all choices, or until an interruption (Ctrl-C); return what ended it.

        Raises:
            RuleFault: the rules failed.
        """
        try:
            for _ in self.go():
                tick()
        except KeyboardInterrupt:
            return "interrupt"
        return "record"

    def summed(self, most: int = MOST, ended: Ended = "record") -> Analysis:
        """Summarise the choices found so far, with at most `most` turning points."""
        names = seat_names(self.rules.program)
        seat = self.wanted.seat
        words = self.rules.wording(self.wanted.language, self.wanted.players)
        called = [str(words.seat(each)) for each in range(len(names))]
        seats: list[AnalysedSeat] = []
        for place, name in enumerate(names):
            if seat not in (None, place):
                continue
            own = [c for c in self.found if c.seat == name and c.verdict != "only"]
            told = [each.loss for each in own if each.verdict != "unknown"]
            luck = [c.luck[place] for c in self.found if c.luck]
            chance = [Estimate(each.value, each.low, each.high) for each in luck]
            seats.append(
                AnalysedSeat(
                    seat=name,
                    name=called[place],
                    choices=len(own),
                    **{
                        verdict: sum(each.verdict == verdict for each in own)
                        for verdict in ("good", "inaccurate", "bad", "unknown")
                    },
                    loss=rounded(sum(told) / len(told)) if told else 0.0,
                    luck=found_value(together(chance)) if chance else None,
                )
            )
        over = self.end.outcome is not None
        final = got_of(self.end) if over and self.through and seat is None else []
        return Analysis(
            game=self.rules.program.game,
            labels=list(names),
            players=called,
            seat=None if seat is None else names[seat],
            effort=self.wanted.effort,
            engine=self.engine,
            ended=ended,
            finished=over,
            total=self.total,
            choices=list(self.found),
            seats=seats,
            turning=turning_points(self.found, most),
            leads=list(
                leads_passed(self.found, final, names, hides(self.rules.program))
            ),
            final=[rounded(each) for each in final],
        )


def verdict_of(found: Duel | str | None) -> Verdict:
    """Return the verdict on a choice; None means that it was the only option."""
    if found is None:
        return "only"
    if not isinstance(found, Duel):
        return "unknown" if found == UNTOLD else "good"
    lost = found.loss
    if lost.low <= 0 or lost.value < INACCURATE:
        return "good"
    return "inaccurate" if lost.value < BAD else "bad"


def turning_points(found: Sequence[AnalysedChoice], most: int) -> list[int]:
    """Return the numbers of the costliest choices, in the order of play."""
    lost = [each for each in found if each.loss > 0]
    lost.sort(key=lambda each: (-each.loss, each.n))
    return sorted(each.n for each in lost[:most])


def leads_passed(
    found: Sequence[AnalysedChoice],
    final: Sequence[float],
    names: Sequence[str],
    hidden: bool,
) -> Iterator[LeadPassed]:
    """Yield each change of the seat that expects most.

    With hidden information, each choice reflects only what its own seat could know. A
    change then counts only if the next choice confirms it.
    """
    rows = [(each.n - 1, each.expected) for each in found]
    if final and found:
        sure = [FoundValue(value=each, low=each, high=each) for each in final]
        rows.append((found[-1].n, sure))

    def leading(values: Sequence[FoundValue]) -> int | None:
        """Return the seat that clearly expects more than every other, if any."""
        if len(values) < 2:
            return None
        first, second = sorted(values, key=lambda each: -each.value)[:2]
        if first.value - second.value < LEADS or first.low <= second.high:
            return None
        return list(values).index(first)

    leaders = [leading(values) for _, values in rows]
    leader: int | None = None
    for place, ahead in enumerate(leaders):
        if ahead is None or ahead == leader:
            continue
        if hidden and leaders[place + 1 : place + 2] not in ([], [ahead]):
            continue
        if leader is not None:
            number = rows[place][0]
            yield LeadPassed(n=number, seat=names[ahead], before=names[leader])
        leader = ahead


def found_value(found: Estimate) -> FoundValue:
    """Return an estimate, rounded for output."""
    return FoundValue(
        value=rounded(found.value), low=rounded(found.low), high=rounded(found.high)
    )


def share_of(found: Estimate) -> Estimate:
    """Clamp an estimate of a share, and its interval, to 0 to 1."""
    return Estimate(found.value, max(found.low, 0.0), min(found.high, 1.0))
