"""Engine choice: the compiled engine if it can play, else the reference engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from threading import local
from typing import TYPE_CHECKING

from houserule.base.frozen import frozen
from houserule.engine.bots.bot import GREEDY, effort_of
from houserule.engine.bots.effort import Effort
from houserule.engine.cancellation import Cancellation
from houserule.engine.compiled.available import module_of, no_runtime
from houserule.ir import Program
from houserule.play.records.hashes import drawn_words
from houserule.study.simulate.results import Finished

if TYPE_CHECKING:
    from houserule.engine.compiled.machine import CompiledMachine, Faulted
    from houserule.engine.compiled.results import PlayedGame

COMPILED, REFERENCE = "compiled", "reference"
AT_ONCE = {COMPILED: 100, REFERENCE: 1}
"""Preferred batch size of each engine, by name."""

NOT_YET = "these rules cannot be compiled yet"
FROM_POSITION = "games that begin at a position are played by the reference engine."
NO_GREEDY = "compiled, bots that imagine games cannot play these rules yet"


def serving(
    wanted: str | None, programs: Sequence[Program], bots: Sequence[str]
) -> tuple[str, str]:
    """Return the engine to use, and why it differs from the wanted one.

    If `wanted` is None, prefer the compiled engine.
    """
    if wanted == REFERENCE:
        return REFERENCE, ""
    if any(program.start for program in programs):
        return REFERENCE, FROM_POSITION
    lacking = no_runtime()
    if lacking:
        return REFERENCE, lacking
    from houserule.engine.compiled.functions import Unsupported

    try:
        modules = [module_of(program) for program in programs]
    except Unsupported as error:
        return REFERENCE, f"{NOT_YET} ({error.placed}), so the reference engine plays."
    imagines = any(name == GREEDY or effort_of(name) for name in bots)
    unfit = [each.no_greedy for each in modules if imagines and each.no_greedy]
    if unfit:
        return REFERENCE, f"{NO_GREEDY} ({unfit[0]}), so the reference engine plays."
    return COMPILED, ""


@frozen
class Seating:
    """The seats of the bots on the compiled engine.

    Attributes:
        greedy: a bit mask of the seats of greedy bots in game 0; others are random.
        rotate: whether to move the bots one seat on in each game.
        searches: the effort of each seat's search bot in game 0; none for other bots,
            empty if there are no search bots.
    """

    greedy: int = 0
    rotate: bool = False
    searches: tuple[Effort | None, ...] = ()

    @classmethod
    def of(cls, bots: Sequence[str], *, rotate: bool = False) -> Seating:
        greedy = sum(1 << seat for seat, name in enumerate(bots) if name == GREEDY)
        searches = tuple(effort_of(name) for name in bots)
        return cls(greedy, rotate, searches if any(searches) else ())


_mine = local()


def play_compiled(
    program: Program,
    seed: int,
    numbers: range,
    cancellation: Cancellation | None = None,
    seating: Seating | None = None,
) -> list[Finished]:
    """Play consecutive games by bots; the first has the counts of clauses of all.

    Without `seating` all bots are random. If `cancellation` ends the games early, none
    is returned, since the counts of finished and unfinished games cannot be separated.
    Messages of rule faults lack the values of the game.
    """
    from houserule.engine.compiled.machine import CompiledMachine, Faulted
    from houserule.engine.compiled.module import RESULTS_AT_MOST

    # Each thread has a machine for each program.
    machines: dict[Program, CompiledMachine] = _mine.__dict__.setdefault("machines", {})
    if program not in machines:
        machines[program] = CompiledMachine(module_of(program))
    machine, cancellation = machines[program], cancellation or Cancellation()
    seating, found = seating or Seating(), list[Finished]()
    with cancellation.stopping(machine):
        before = machine.counts()
        while len(found) < len(numbers):
            first = numbers.start + len(found)
            games = min(len(numbers) - len(found), RESULTS_AT_MOST)
            fault: Faulted | None = None
            try:
                rows = machine.batch(
                    seed,
                    first,
                    games,
                    seating.greedy,
                    rotate=seating.rotate,
                    searches=seating.searches,
                )
            except Faulted as error:
                rows, fault = machine.finished(machine.played), error
            found += _ended(machine, first, rows)
            if fault is not None:
                found.append(_failed(machine, first + len(rows), fault))
            if cancellation.is_set():
                return []
        ran = machine.counts()
    counts = {clause: ran[clause] - before[clause] for clause in ran}
    counts = {clause: count for clause, count in counts.items() if count}
    return [found[0]._replace(ran=counts), *found[1:]] if found else []


def _ended(
    machine: CompiledMachine, first: int, rows: Iterable[PlayedGame]
) -> Iterator[Finished]:
    """Yield the results of consecutive games, from the number of the first."""
    known: dict[tuple[int, ...], tuple[tuple[int, ...], str]] = {}
    for number, row in enumerate(rows, first):
        outcome, stalled, won, decisions, rounds, state, leads, drawn_by, scores = row
        how = outcome, stalled, won, drawn_by
        if how not in known:
            known[how] = _outcome(machine, row)
        winners, words = known[how]
        digits = f"{state:016x}"
        yield Finished(number, words, winners, decisions, rounds, scores, digits, leads)


def _outcome(machine: CompiledMachine, row: PlayedGame) -> tuple[tuple[int, ...], str]:
    """Return the winners of a game, and its outcome in a word."""
    match row.outcome:
        case 1:
            won = row.winners
            winners = tuple(seat for seat in range(won.bit_length()) if won >> seat & 1)
            return winners, f"won:{','.join(map(str, winners))}"
        case 2:
            return (), f"stalled:{machine.module.phases[row.stalled]}"
        case 3:
            draws = machine.module.program.draws
            held = [each for n, each in enumerate(draws) if row.drawn_by >> n & 1]
            return (), drawn_words([each.address for each in held])
        case _:
            return (), "open"


def _failed(machine: CompiledMachine, number: int, error: Faulted) -> Finished:
    fault = error.fault
    if fault is None:
        raise RuntimeError(f"game {number}: {error.reason}")
    where = f"{fault.span}: " if fault.span.line else ""
    return Finished(
        number,
        f"fault:{fault.code}",
        (),
        machine.header("decisions"),
        machine.header("rounds"),
        (),
        "",
        message=f"{where}{fault.code}: {fault.message}",
    )
