"""The course of finished games: the points after each part, and the turning points.

A separate process works them out, one game at a time, and the game that was wanted last
first. Requests never wait for it: a page shows what is known, and viewers are notified
when there is more. A record has all secrets of its game, so only finished games have a
course.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from pydantic import JsonValue

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.executors import in_thread
from houserule.base.frozen import frozen
from houserule.base.isolation import Answering, EndedError
from houserule.base.limits import is_isolated
from houserule.base.source import Source
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.play.narration.visibility import ALL_KNOWING
from houserule.play.records.choice_words import choice_of
from houserule.play.seat.choosing.chooser import Chooser
from houserule.play.seat.resuming import read_game
from houserule.play.seat.scores import scores
from houserule.study.analysis.analyse import Analysing, Wanted
from houserule.study.analysis.report import hundredths, turns
from houserule.ui.web.live import LiveTable
from houserule.ui.web.records.played import finished_record
from houserule.ui.web.tables import Tables

LOG = logging.getLogger("houserule.web")
KEPT = 200  # courses in the cache
WAITING = 20  # games that wait; older ones are analysed when they are opened again
DECISIONS = 20_000  # that the searches of one game examine, shared by its choices
FEWEST, MOST = 24, 500  # decisions for one choice
SECONDS = 30.0  # of CPU time for one game; later choices are then not analysed
LONGEST = 90  # seconds of CPU time after which the process is ended
TURNS = 4  # turning points of each kind
STEPS = 60  # points of a curve


@frozen
class CourseTurn:
    """A turning point; the texts are by language.

    Attributes:
        n: the number of the choice.
        kind: as in an analysis.
        seat, other: the seat that chose or leads, and the one that gains or led before.
        what, better: the choice, and a better one.
        own, value: what its seat could expect with either, of 100; for luck, `value` is
            what the other seat gained.
    """

    n: int
    kind: str
    seat: int
    other: int
    what: Mapping[str, str]
    better: Mapping[str, str]
    own: int
    value: int


@frozen
class Course:
    """The course of a finished game.

    Attributes:
        number: the game's number at its table.
        done, total: how many of its choices were analysed.
        at: the numbers of choices after which the points are known.
        points: by seat, its points there; empty if the rules count none.
        turns: the turning points in the order of play.
    """

    number: int
    done: int = 0
    total: int = 0
    at: tuple[int, ...] = ()
    points: tuple[tuple[int, ...], ...] = ()
    turns: tuple[CourseTurn, ...] = ()


@dataclass(eq=False)
class _Wish:
    number: int


class Courses:
    """The courses of the last games of tables; for the event loop."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._found: OrderedDict[int, Course] = OrderedDict()
        self._wanted: OrderedDict[int, _Wish] = OrderedDict()
        self._working: asyncio.Task[None] | None = None
        self._process: Answering | None = None
        self._closed = False

    def of(self, table: LiveTable) -> Course | None:
        """Return the course of a table's last game; for any thread.

        It is None while it is not known, and empty if no process works it out.
        """
        if is_isolated():
            return Course(table.stored.number)
        found = self._found.get(table.id)
        same = found is not None and found.number == table.stored.number
        return found if same and table.over else None

    def want(self, table: int, number: int) -> None:
        """Work out the course of a table's last game, if it is not known yet."""
        found = self._found.get(table)
        known = found is not None and found.number == number
        if known or self._closed or is_isolated():
            return
        wish = self._wanted.get(table)
        if wish is None or wish.number != number:
            self._wanted[table] = _Wish(number)
        self._wanted.move_to_end(table)
        if len(self._wanted) > WAITING:
            self._wanted.popitem(last=False)
        if self._working is None:
            self._working = asyncio.create_task(self._work())

    def forget(self, table: int) -> None:
        """Discard a course, because the game is not over any more."""
        self._found.pop(table, None)
        self._wanted.pop(table, None)

    async def close(self) -> None:
        """End the process permanently."""
        self._closed = True
        self._wanted.clear()
        if self._process is not None:
            self._process.end()
        if self._working is not None:
            await asyncio.gather(self._working, return_exceptions=True)

    async def _work(self) -> None:
        try:
            while self._wanted:
                table, wish = next(reversed(self._wanted.items()))
                found = await self._course(table, wish.number)
                if self._wanted.get(table) is not wish:
                    continue  # its end was taken back meanwhile
                del self._wanted[table]
                self._found[table] = found
                if len(self._found) > KEPT:
                    self._found.popitem(last=False)
                with suppress(DiagnosticsError, RuleFault, OSError, KeyError):
                    await self._tables.do(table, LiveTable.note_course)
        finally:
            self._working = None
            if self._process is not None:
                self._process.end()
                self._process = None

    async def _course(self, table: int, number: int) -> Course:
        """Return the course of a game; an empty one if it cannot be worked out."""
        try:
            record = await self._tables.do(
                table, lambda live: finished_record(live, number)
            )
            if record is None:
                return Course(number)
            if self._process is None:
                limits = {"seconds": LONGEST}
                self._process = await in_thread(Answering, __name__, b"", limits)
            answer = await in_thread(self._process.ask, record.text.encode())
        except EndedError as error:
            self._process = None
            if not self._closed:
                LOG.warning("the course of a game is missing: %s", error)
            return Course(number)
        except (DiagnosticsError, RuleFault, OSError, KeyError):
            return Course(number)
        said = json.loads(answer)
        found = [CourseTurn(**each) for each in said.pop("turns")]
        points = tuple(map(tuple, said.pop("points")))
        at = tuple(said.pop("at"))
        return Course(number, at=at, points=points, turns=tuple(found), **said)


# ---- in the process


def answering(_: bytes) -> Callable[[bytes], bytes]:
    """Return the process's question handler, at a lower priority than the server."""
    with suppress(AttributeError, OSError):
        os.nice(10)

    def answer(question: bytes) -> bytes:
        return json.dumps(course_of(question.decode())).encode()

    return answer


def course_of(text: str, seconds: float = SECONDS) -> dict[str, object]:
    """Return the course of a recorded game, without its number, as plain data.

    Args:
        seconds: the CPU time after which no more choices are analysed.
    """
    read = read_game(Source("game", text))
    rules, people = read.rules, tuple(read.people.names.values())
    taken, head = read.record.smooth.taken, read.record.head
    effort = max(FEWEST, min(MOST, DECISIONS // max(1, len(taken))))
    wanted = Wanted(effort=f"search:{effort}", players=people)
    running = Analysing.begin(read.record, rules, wanted)
    if not isinstance(running, Analysing):
        return {"done": 0, "total": 0, "at": [], "points": [], "turns": []}
    begun = time.process_time()
    for _ in running.go():
        if time.process_time() - begun > seconds:
            break
    analysed = running.summed(TURNS)
    found = turns(analysed, TURNS)
    spoken = {each: rules.wording(each, people) for each in rules.ruleset.spoken}
    games: dict[int, ReferenceGame] = {}  # before each of these choices
    turning, first = {turn.n for turn in found}, next(iter(spoken.values()))
    every, at = max(1, -(-len(taken) // STEPS)), list[int]()
    points: list[list[str]] = [[] for _ in range(rules.program.seats)]
    game = ReferenceGame.start(rules.program, head.seed, head.number)
    for number in range(len(taken) + 1):
        if number + 1 in turning:
            games[number + 1] = game.clone()
        if number % every == 0 or number == len(taken):
            at.append(number)
            for each in scores(rules, game, first, ALL_KNOWING):
                points[each.seat].append(each.points)
        if number < len(taken):
            step = taken[number]
            game.choose(choice_of(step.do, step.at, rules.program))

    def said(n: int, site: str, do: JsonValue) -> dict[str, str]:
        before, choice = games[n], choice_of(do, site, rules.program)
        seat = before.decision.seat if before.decision else 0
        return {
            language: Chooser(rules, before, words, seat).label(choice)
            for language, words in spoken.items()
        }

    lines = []
    for turn in found:
        made, better = turn.choice, turn.choice.better if turn.choice else None
        value = better.value if better else turn.chance.value if turn.chance else 0.0
        lines.append(
            {
                "n": turn.n,
                "kind": turn.kind,
                "seat": analysed.labels.index(turn.seat),
                "other": analysed.labels.index(turn.other),
                "what": said(turn.n, made.at, made.do) if made else {},
                "better": said(turn.n, made.at, better.do) if made and better else {},
                "own": hundredths((made.value if made else None) or 0.0),
                "value": hundredths(value),
            }
        )
    whole = all(len(each) == len(at) for each in points)
    numbers = (text.removeprefix("-").isdecimal() for each in points for text in each)
    drawn = whole and all(numbers) and any(len(set(each)) > 2 for each in points)
    return {
        "done": len(taken) if running.through else len(running.found),
        "total": len(taken),
        "at": at,
        "points": [[int(text) for text in each] for each in points] if drawn else [],
        "turns": lines,
    }
