"""The two engines side by side: the same choices, and what differs after each.

A choice is a number; the option is that number modulo how many there are, so that any
row of numbers is a game, also one that was cut to find the shortest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from houserule.engine.compiled.machine import CompiledMachine, Faulted
from houserule.engine.compiled.memory.codec import read_store
from houserule.engine.compiled.module import emit
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.numbers import state_number
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.study.simulate.results import Finished

Part = TypeVar("Part")
KINDS = {0: None, 1: "act", 2: "choose", 3: "share", 4: "ask"}


@dataclass
class Differs(Exception):
    """The engines do not agree; `what` is in a few words, `choices` led to it."""

    what: str
    choices: list[int]
    made: list[Choice]

    def __str__(self) -> str:
        return f"after {self.choices}: {self.what}; made: {self.made[-3:]}"


def machine_of(program: Program) -> CompiledMachine:
    return CompiledMachine(emit(program))


def play_both(
    program: Program,
    machine: CompiledMachine,
    seed: int,
    numbers: Sequence[int],
    number: int = 0,
) -> str:
    """Play one game on both engines; return how it ended.

    Raises:
        Differs: the engines do not agree.
    """
    pair = Pair(program, machine, seed, number)
    for each in numbers:
        if pair.ended:
            break
        pair.choose(each)
    return pair.ended or "open"


class Pair:
    """One game on both engines."""

    def __init__(
        self, program: Program, machine: CompiledMachine, seed: int, number: int = 0
    ) -> None:
        self.program, self.machine = program, machine
        self.choices: list[int] = []
        self.made: list[Choice] = []
        self.ended = ""
        self.game: ReferenceGame | None = None
        machine.call("reset", seed, number)
        self._on(lambda: self._start(seed, number), lambda: None)

    def _start(self, seed: int, number: int) -> None:
        self.game = ReferenceGame.start(self.program, seed, number)

    @property
    def decision(self) -> Decision | None:
        return self.game.decision if self.game else None

    def choose(self, number: int) -> None:
        """Make one choice in both and compare what comes of it."""
        game, decision = self.game, self.decision
        assert game is not None
        assert decision is not None
        index = number % decision.options.count()
        choice = decision.options[index]
        assert decision.options.number(choice) == index
        self.choices.append(index)
        self.made.append(choice)
        self._on(
            lambda: game.choose(choice),
            lambda: self.machine.call("choose", index),
        )

    def _on(
        self, reference: Callable[[], None], compiled: Callable[[], object]
    ) -> None:
        fault: RuleFault | None = None
        try:
            reference()
        except RuleFault as found:
            fault = found
        try:
            compiled()
            self.machine.call("advance")
        except Faulted as found:
            self._same_fault(fault, found)
            return
        if fault is not None:
            self._differs(f"only the reference engine fails: {fault} at {fault.span}")
        self._same()

    def _same_fault(self, fault: RuleFault | None, found: Faulted) -> None:
        got = (found.fault.code, found.fault.span) if found.fault else None
        if fault is None and self.decision is not None:
            fault = _counting(self.decision)  # the module counts options beforehand
        if fault is None or got != (fault.code, fault.span):
            self._differs(f"faults {fault and fault.span} ({fault}), {got} ({found})")
        assert fault is not None
        self.ended = f"fault:{fault.code}"

    def _same(self) -> None:
        assert self.game is not None
        store, memory = self.game.machine.store, self.machine.module.memory
        ours, theirs = store.to_data(), read_store(self.machine.block(), memory)
        if ours != theirs.to_data():
            self._differs(f"states {difference(ours, theirs.to_data())}")
        if state_number(self.game.machine.store) != state_number(theirs):
            self._differs("numbers of states")
        self._same_decision()

    def _same_decision(self) -> None:
        header = self.machine.header
        kind, decision = KINDS[header("decision")], self.decision
        if decision is None or kind is None:
            outcome = self.game.outcome if self.game else None
            if (decision is None) != (kind is None) or outcome is None:
                self._differs(f"decisions {decision and decision.kind} and {kind}")
            assert outcome is not None
            kinds = ("open", "won", "stalled", "drawn")
            draws = [each.address for each in self.machine.module.program.draws]
            drawn_by = sum(1 << draws.index(each) for each in outcome.drawn_by)
            if kinds[header("outcome")] != outcome.kind or (
                header("drawn_by") != drawn_by
            ):
                self._differs("outcomes")
            self.ended = outcome.kind
            return
        wanted = (decision.kind, decision.seat, decision.options.count(), decision.site)
        site = header("site")
        names = self.machine.module
        where = names.phases[site] if kind == "act" else names.sites[site]
        got = (kind, header("seat"), self.machine.call("options"), where)
        if got != wanted:
            self._differs(f"decisions {wanted} and {got}")

    def _differs(self, what: str) -> None:
        raise Differs(what, self.choices, self.made)


def _counting(decision: Decision) -> RuleFault | None:
    """Return what goes wrong when the options of a decision are counted."""
    try:
        decision.options.count()
    except RuleFault as fault:
        return fault
    return None


def places(rows: Sequence[Finished]) -> list[Finished]:
    """Return what is told of games but for clauses; of a fault its place alone."""
    return [
        row.without_counts()._replace(message=row.message.partition(": F")[0])
        for row in rows
    ]


def difference(ours: object, theirs: object, path: str = "") -> str:
    """Return the first place where plain data differs."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}):
            if ours.get(key) != theirs.get(key):
                return difference(ours.get(key), theirs.get(key), f"{path}/{key}")
    return f"{path}: {ours} and {theirs}"


def numbers(seed: int, many: int) -> list[int]:
    """Return numbers that stand for random choices."""
    luck = Random(seed)
    return [luck.randrange(1 << 40) for _ in range(many)]


def cut(fails: Callable[[Sequence[Part]], bool], found: Sequence[Part]) -> list[Part]:
    """Return what is left of a row that fails when all is taken out that can be."""
    best, size = list(found), max(len(found) // 2, 1)
    while size:
        at, shorter = 0, False
        while at < len(best):
            tried = best[:at] + best[at + size :]
            if fails(tried):
                best, shorter = tried, True
            else:
                at += size
        if not shorter:
            size //= 2
    return best


def shortest(fails: Callable[[Sequence[int]], bool], found: Sequence[int]) -> list[int]:
    """Return a row of choices that still fails and cannot be cut or made smaller."""
    best = cut(fails, found)
    for at, number in enumerate(best):
        for smaller in (0, number // 2, number - 1):
            tried = [*best[:at], smaller, *best[at + 1 :]]
            if 0 <= smaller < number and fails(tried):
                best = tried
                break
    return best


def check(
    program: Program, machine: CompiledMachine, seed: int, choices: Sequence[int]
) -> str:
    """Play one game on both engines; return how it ended.

    A difference is told with its shortest choices.
    """
    try:
        return play_both(program, machine, seed, choices)
    except Differs as found:

        def fails(tried: Sequence[int]) -> bool:
            try:
                play_both(program, machine, seed, tried)
            except Differs:
                return True
            return False

        few = shortest(fails, found.choices)
        raise AssertionError(f"seed {seed}, choices {few}: {found}") from None
