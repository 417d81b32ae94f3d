"""Which engine plays: the compiled one where it serves, else the reference engine."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from threading import Lock, local
from time import perf_counter
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from houserule.simulate.halt import Halt
from houserule.simulate.results import Finished

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from houserule.compiled.machine import Faulted, Machine, Row
    from houserule.compiled.module import Module
    from houserule.ir.nodes import Program

    Again = Callable[[int], Finished]

COMPILED, REFERENCE = "compiled", "reference"
AT_ONCE = {COMPILED: 100, REFERENCE: 1}
"""The engines by name, each with how many games it plays best at once."""

NO_RUNTIME = "wasmtime is not installed, so the reference engine plays."
ONLY_RANDOM = (
    "only random bots play on the compiled engine, so the reference one plays."
)


def serving(
    wanted: str | None, programs: Sequence[Program], bots: Sequence[str]
) -> tuple[str, str]:
    """Return the engine that is to play, and why it is another than was wanted.

    `wanted` None means the compiled one where it serves; then nothing is said of bots
    that it does not know.
    """
    if wanted == REFERENCE:
        return REFERENCE, ""
    if any(bot != "random" for bot in bots):
        return REFERENCE, ONLY_RANDOM if wanted else ""
    if find_spec("wasmtime") is None:
        return REFERENCE, NO_RUNTIME
    from houserule.compiled.text import Unsupported

    try:
        for program in programs:
            _module(program)
    except Unsupported as error:
        why = f"the rules say what cannot be compiled yet ({error})"
        return REFERENCE, f"{why}, so the reference engine plays."
    return COMPILED, ""


QUICK, SLOW = 0.02, 0.1  # seconds

_modules: dict[int, tuple[Program, Module]] = {}
_compiling = Lock()
_mine = local()


def _module(program: Program) -> Module:
    """Return the module of a program, compiled once for all threads."""
    from houserule.compiled.machine import code_of
    from houserule.compiled.module import emit

    with _compiling:
        if id(program) not in _modules:
            module = emit(program)
            code_of(module)
            _modules[id(program)] = program, module
        return _modules[id(program)][1]


def _machine(program: Program) -> Machine:
    """Return this thread's machine of a program, made when it is first wanted."""
    from houserule.compiled.machine import Machine

    machines: dict[int, Machine] = _mine.__dict__.setdefault("machines", {})
    if id(program) not in machines:
        machines[id(program)] = Machine(_module(program))
    return machines[id(program)]


class _Pace:
    """How many games a machine plays at once.

    What came of them is given up if they are stopped amid, so that counts of clauses
    are those of whole games. So they are no more than take a fraction of a second.
    """

    def __init__(self) -> None:
        self.games = 1

    def note(self, seconds: float) -> None:
        """Note how long so many games took."""
        if seconds < QUICK:
            self.games = min(2 * self.games, AT_ONCE[COMPILED])
        elif seconds > SLOW:
            self.games = max(self.games // 2, 1)


_paces: WeakKeyDictionary[Machine, _Pace] = WeakKeyDictionary()


def _pace(machine: Machine) -> _Pace:
    return _paces.setdefault(machine, _Pace())


def play_compiled(
    program: Program,
    seed: int,
    numbers: range,
    again: Again | None = None,
    halt: Halt | None = None,
) -> list[Finished]:
    """Play consecutive games by random bots; the first tells the clauses of all.

    `again` plays a game on the reference engine: the first one that each fault ended
    is told by it, with the values that were in the way. `halt` ends them early: then
    there are fewer games, the first ones.
    """
    machine, halt = _machine(program), halt or Halt()
    with halt.ending(machine):
        return _played(machine, seed, numbers, again, halt)


def _played(
    machine: Machine, seed: int, numbers: range, again: Again | None, halt: Halt
) -> list[Finished]:
    found, told, pace = list[Finished](), dict[str, str](), _pace(machine)
    before = ran = machine.counts()
    while len(found) < len(numbers):
        began = perf_counter()
        first = numbers.start + len(found)
        rows = _some(machine, seed, first, min(len(numbers) - len(found), pace.games))
        if halt.is_set():
            break
        *before_last, last = rows
        if last.message and last.message not in told:
            told[last.message] = again(last.number).message if again else last.message
        found += [*before_last, replace(last, message=told.get(last.message, ""))]
        ran = machine.counts()
        pace.note(perf_counter() - began)
    counts = {clause: ran[clause] - before[clause] for clause in ran}
    counts = {clause: count for clause, count in counts.items() if count}
    return [found[0].with_counts(counts), *found[1:]] if found else []


def _some(machine: Machine, seed: int, first: int, games: int) -> list[Finished]:
    """Play some games; one in which the rules fail is the last."""
    from houserule.compiled.machine import Faulted

    try:
        rows, fault = machine.batch(seed, first, games), None
    except Faulted as error:
        rows, fault = machine.finished(machine.played), error
    found = [_ended(machine, first + n, row) for n, row in enumerate(rows)]
    if fault is not None:
        found.append(_failed(machine, first + len(rows), fault))
    return found


def _ended(machine: Machine, number: int, row: Row) -> Finished:
    winners = tuple(
        seat for seat in range(machine.module.program.seats) if row.winners >> seat & 1
    )
    outcome = "open"
    if row.outcome == 1:
        outcome = f"won:{','.join(map(str, winners))}"
    elif row.outcome == 2:
        outcome = f"stalled:{machine.module.phases[row.stalled]}"
    return Finished(
        number,
        outcome,
        winners,
        row.decisions,
        row.rounds,
        row.scores,
        f"{row.state:016x}",
        row.lead_changes,
    )


def _failed(machine: Machine, number: int, error: Faulted) -> Finished:
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
