"""Distribute many games over workers; the result does not depend on the workers.

Games are collected in the order of their numbers. The result always covers the first n
games, even if a limit or an interruption ends the run early.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, wait
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Literal, Protocol, TypeAlias

from houserule.base.frozen import frozen
from houserule.engine.cancellation import Cancellation, uninterrupted
from houserule.ir import Program
from houserule.study.simulate.engines import AT_ONCE
from houserule.study.simulate.play import play_games
from houserule.study.simulate.results import Finished

MOST_IN_A_SPAN = 10
FIRST_LOOK = 100
HEARD, LAST_WAIT = 0.5, 10.0  # seconds
BROKEN_AT_MOST = 5

Ended: TypeAlias = Literal["games", "width", "time", "interrupt"]


@frozen
class Job:
    """The games to play: 0, 1, 2, … of a seed at one or more tables.

    Attributes:
        programs: the rules of each table. A span of games is played at every table
            before the next span.
        games: how many games at each table.
        bots: names by seat; repeated if there are fewer than seats.
        engine: the engine, one of `engines.AT_ONCE`.
        rotate: whether each game moves the bots one seat on.
    """

    programs: tuple[Program, ...]
    seed: int
    games: int
    bots: tuple[str, ...]
    engine: str = "reference"
    rotate: bool = False

    def span(self, workers: int) -> int:
        """Return the maximum span for one of several workers."""
        at_once = AT_ONCE[self.engine]
        return max(1, min(max(MOST_IN_A_SPAN, at_once), self.games // (workers * 4)))


@frozen
class Played:
    """Games that were played, by table; each table has the same number.

    Attributes:
        rows: the result of each game, by table and in order.
        ran: how often each clause ran in all of them, by table.
    """

    rows: tuple[list[Finished], ...]
    ran: tuple[Counter[str], ...]

    @property
    def games(self) -> int:
        """How many games each table has."""
        return len(self.rows[0])


def no_games(job: Job) -> Played:
    rows: tuple[list[Finished], ...] = tuple([] for _ in job.programs)
    return Played(rows, tuple(Counter[str]() for _ in job.programs))


def play_span(
    job: Job, numbers: range, cancellation: Cancellation | None = None
) -> Played:
    """Play the games with these numbers at all tables; return none if cancelled.

    On the compiled engine `cancellation` ends them at once, even inside a decision.
    """
    tables, every = list[list[Finished]](), list[Counter[str]]()
    for program in job.programs:
        games = play_games(
            program,
            job.seed,
            numbers,
            job.bots,
            job.engine,
            rotate=job.rotate,
            cancellation=cancellation,
        )
        if len(games) < len(numbers):
            return no_games(job)
        ran: Counter[str] = Counter()
        for game in games:
            ran.update(game.ran)
        every.append(ran)
        tables.append([game.without_counts() for game in games])
    return Played(tuple(tables), tuple(every))


def finished_by(future: Future[Played], ends: float) -> bool:
    """Wait for games for up to half a second; return whether they are finished.

    Waiting stops at `ends`, a time of `monotonic`. The wait is short because on some
    systems an interruption (Ctrl-C) cannot end it.
    """
    left = max(0.0, ends - monotonic())
    wait([future], min(HEARD, left))
    return future.done()


class Workers(Protocol):
    """A pool of workers that plays spans of one job in the background.

    Attributes:
        ahead: how many spans to submit ahead, so that no worker waits.
        span: how many games to put into the next span; it may change.
    """

    @property
    def ahead(self) -> int: ...

    @property
    def span(self) -> int: ...

    def play(self, numbers: range) -> Future[Played]:
        """Start playing the games with these numbers."""

    def cancel(self) -> None:
        """Stop: running spans end soon, with the games that are finished."""

    def restart(self) -> None:
        """Start again, after `play` or its result raised `BrokenExecutor`."""


@frozen
class Limits:
    """Limits that end the run before all games are played.

    Attributes:
        enough: returns whether the games collected so far are enough. It is called at
            fixed numbers of games, so that the answer depends only on the games.
    """

    seconds: float = inf
    enough: Callable[[], bool] | None = None

    def looks(self, games: int) -> Iterator[int]:
        """Yield the numbers of games at which `enough` is called, then all games.

        The first is one hundred; each step adds a quarter, and at least a hundred.
        """
        at = FIRST_LOOK
        while self.enough is not None and at < games:
            yield at
            at += max(FIRST_LOOK, at // 4 // FIRST_LOOK * FIRST_LOOK)
        yield games


def play_through(
    job: Job,
    workers: Workers,
    take: Callable[[Played], None],
    limits: Limits | None = None,
) -> Ended:
    """Play the games; return what ended the run.

    `take` receives the games in order, a span at a time; they are not kept elsewhere.
    An interruption (`KeyboardInterrupt`) ends the run like a limit, but never inside
    `take`.

    Raises:
        BrokenExecutor: workers were lost repeatedly.
    """
    limits, broken = limits or Limits(), 0
    handed: deque[tuple[range, Future[Played]]] = deque()
    ends = monotonic() + limits.seconds

    def begun(numbers: range) -> Future[Played]:
        try:
            return workers.play(numbers)
        except BrokenExecutor as error:  # raised when this span is next
            future: Future[Played] = Future()
            future.set_exception(error)
            return future

    def collect(piece: Played) -> None:
        with uninterrupted():
            take(piece)
            handed.popleft()

    def drop() -> None:
        workers.cancel()
        for _, future in handed:
            future.cancel()

    def gather() -> None:
        """Take spans up to the first unfinished one, and drop the rest."""
        drop()
        with suppress(Exception, KeyboardInterrupt):
            # Cancelled, lost, too slow, or interrupted again: leave the rest.
            while handed:
                numbers, future = handed[0]
                piece = future.result(LAST_WAIT)
                collect(piece)
                if piece.games < len(numbers):
                    return

    try:
        looks = set(limits.looks(job.games))
        spans = _spans(sorted(looks), lambda: workers.span)
        while True:
            if monotonic() >= ends:
                gather()
                return "time"
            while len(handed) < workers.ahead:
                numbers = next(spans, None)
                if numbers is None:
                    break
                handed.append((numbers, begun(numbers)))
            if not handed:
                return "games"
            numbers, future = handed[0]
            if not finished_by(future, ends):
                continue
            try:
                piece = future.result()
            except BrokenExecutor:
                broken += 1
                if broken > BROKEN_AT_MOST:
                    raise BrokenExecutor("workers were lost again and again") from None
                workers.restart()
                lost = [numbers for numbers, _ in handed]
                handed.clear()
                handed.extend((each, begun(each)) for each in lost)
                continue
            collect(piece)
            asked = limits.enough if numbers.stop in looks else None
            if asked is not None and asked():
                drop()
                return "games" if numbers.stop == job.games else "width"
    except KeyboardInterrupt:
        gather()
        return "interrupt"


def _spans(looks: Sequence[int], size: Callable[[], int]) -> Iterator[range]:
    """Yield the numbers of all games in spans that do not cross a look."""
    start = 0
    for look in looks:
        while start < look:
            end = min(start + size(), look)
            yield range(start, end)
            start = end
