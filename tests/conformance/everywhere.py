"""A worked example at a table with more house rules: what differs, and whose doing."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property

from tests.support import shipped
from tests.support.shipped import programs_of, ruleset_of

from houserule import ir
from houserule.authoring.scenarios.expect import known_addresses
from houserule.authoring.scenarios.failures import failure
from houserule.authoring.scenarios.files import Trial
from houserule.authoring.scenarios.moves import WrittenMove
from houserule.authoring.scenarios.run import Result, _Run
from houserule.compiler.prepare import Programs, TableChoice
from houserule.compiler.rules import ChosenTable
from houserule.compiler.tables.choose import choose_table
from houserule.engine.reference.choices import Act, Refusal
from houserule.engine.reference.play.game import ReferenceGame

from .took_part import Clauses, members

RULE_FAULT = "A fault of the rules"
WORD = re.compile(r"[A-Za-z]\w*")
FLOW = {
    *("count", "open", "decides", "offers", "offers_not"),
    *("ended", "winners", "stalled"),
}
"""What is expected of the flow of the game: all that is open takes part in it."""


class Watched(_Run):
    """One example under way: where play stood, and what was asked and offered there."""

    def __init__(self, trial: Trial, program: ir.Program, tables: Programs) -> None:
        super().__init__(trial, program, tables.prepare)
        self.game: ReferenceGame | None = None
        self.stood: list[object] = []
        self.asked: set[str] = set()
        self.offered: set[str] = set()

    def _begin(self) -> ReferenceGame | None:
        self.game = super()._begin()
        return self.game

    def _judge(self, game: ReferenceGame, move: WrittenMove) -> tuple[Refusal, ...]:
        self.asked |= {move.name, *self.waits_for(game, move.name)}
        self.look(game)
        return super()._judge(game, move)

    def waits_for(self, game: ReferenceGame, action: str) -> set[str]:
        """Return the steps and phases that must be over before an action is open."""
        if action not in self.program.actions:
            return set()
        step = self.program.actions[action].at
        return {
            each
            for act in game.machine.stack
            if act.phase in self.program.phases
            for each in self.program.phases[act.phase].before.get(step, ())
            if each not in act.over
        }

    def look(self, game: ReferenceGame) -> None:
        """Note where play stands, and what decides that it stands there.

        These are the actions that can be taken there, and what their steps and the
        phases under way say of themselves.
        """
        decision = game.decision
        self.offered |= {act.phase for act in game.machine.stack}
        if decision is None:
            self.stood.append(None)
            self.offered.add("winners")
            return
        acts = {each.action for each in decision.options if isinstance(each, Act)}
        steps = frozenset(self.program.actions[act].at for act in acts)
        self.stood.append((decision.seat, decision.kind, decision.site, steps))
        self.offered |= acts | steps


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of an example at one table.

    Attributes:
        result: its verdict.
        table: the table.
        program: its program.
        stood: where play stood, at each move and in the end.
        offered: what decided that play stood there, by name.
        names: what else took part: what ran, changed, was asked or refused.
    """

    result: Result
    table: ChosenTable
    program: ir.Program
    stood: tuple[object, ...]
    offered: frozenset[str]
    names: frozenset[str]

    @property
    def failed(self) -> str:
        """A fault of the rules that the example does not expect; else nothing."""
        if "fault" in self.result.trial.expected()[0]:
            return ""
        found = (each.message for each in self.result.problems)
        return next((each for each in found if each.startswith(RULE_FAULT)), "")


@dataclass(eq=False)
class Example:
    """An example of a ruleset, and its result at its own table.

    Attributes:
        trial: the example.
        variants: of its own table.
    """

    name: str
    trial: Trial
    variants: frozenset[str]

    @cached_property
    def home(self) -> Seen | None:
        """What comes of it there; None where it is not met, which others test."""
        seen = watch(self.trial, programs_of(self.name))
        return seen if seen is not None and seen.result.passed else None


@cache
def examples_of(name: str) -> tuple[Example, ...]:
    """Return every example of a ruleset whose own table can be chosen."""
    found = []
    for trial in shipped.examples_of(name):
        variants = _variants(name, trial.choice)
        if variants is not None:
            found.append(Example(name, trial, variants))
    return tuple(found)


def _variants(name: str, choice: TableChoice) -> frozenset[str] | None:
    """Return the variants of a table, without composing it."""
    table, _ = choose_table(
        ruleset_of(name),
        preset=choice.preset,
        with_=choice.with_,
        without=choice.without,
        settings=choice.settings,
        players=choice.players,
    )
    return None if table is None else table.variants


def watch(trial: Trial, tables: Programs) -> Seen | None:
    """Run an example at its table; None if there is no such table."""
    prepared = tables.prepare(trial.choice)
    if prepared.program is None or prepared.table is None:
        return None
    run = Watched(trial, prepared.program, tables)
    result = run.run()
    if run.game is not None:
        run.look(run.game)
    heard = {
        word
        for event in (run.game.events if run.game else ())
        for word in (event.address, *event.data)
        if isinstance(word, str)
    }
    return Seen(
        result,
        prepared.table,
        prepared.program,
        tuple(run.stood),
        frozenset(run.offered),
        frozenset(heard | run.asked | result.ran),
    )


class Elsewhere:
    """The tables with some set of variants, where examples of smaller ones are run."""

    def __init__(self, name: str, variants: frozenset[str]) -> None:
        self.name, self.variants = name, variants
        self.tables = programs_of(name)

    def moved(self, trial: Trial, home: ChosenTable) -> Trial | None:
        """Return an example moved here; None where it cannot be here.

        The number of players and every option of its own table stay as they are there.
        """
        if not home.variants < self.variants:
            return None
        choice = TableChoice(
            with_=tuple(sorted(self.variants)),
            settings=home.options,
            players=home.players,
        )
        program = self.tables.prepare(choice).program
        if program is None:
            return None
        if not set(trial.scenario.covers) <= set(known_addresses(program)):
            return None
        return replace(trial, choice=choice)

    def unexplained(self, trial: Trial, home: Seen) -> str | None:
        """Return what an example shows here that no house rule explains.

        Where it is met there is nothing to explain. Where it is not, some clause that
        took part must be one that a variant, which is not at its own table, wrote or
        changed. A fault of the rules is never explained. None if it cannot be here.
        """
        there = self.moved(trial, home.table)
        away = watch(there, self.tables) if there else None
        if away is None:
            return None
        if away.failed or not (away.result.passed or explanations(home, away)):
            return failure(away.result, ruleset_of(self.name).sources)
        return ""


def explanations(home: Seen, away: Seen) -> frozenset[str]:
    """Return the units of the larger table that had a hand in what took part."""
    flows = home.stood != away.stood or bool(FLOW & expected(away.result.trial))
    said = words_of(away.result.trial, every=bool(away.result.faults))
    names = home.names | away.names | said
    if flows:
        names |= home.offered | away.offered
    found: set[str] = set()
    for seen in (home, away):
        clauses = Clauses.of(seen.program)
        found |= clauses.hands(clauses.reached(names))
    if flows and reordered(home, away):
        found |= away.table.variants
    return frozenset(unit for unit in found if not members(unit) <= home.table.variants)


def reordered(home: Seen, away: Seen) -> bool:
    """Say whether what both tables have in one phase is in another order."""
    return any(
        order_of(phase, home.program) != order_of(other, home.program)
        for name, phase in home.program.phases.items()
        for other in [away.program.phases[name]]
    )


def order_of(phase: ir.PhaseDef, program: ir.Program) -> dict[str, frozenset[str]]:
    """Return what must be over before each part of a phase that a program has."""
    here = {*program.steps, *program.phases}
    return {
        child: frozenset(before) & here
        for child, before in phase.before.items()
        if child in here
    }


def expected(trial: Trial) -> frozenset[str]:
    """Return the words of what is expected."""
    return frozenset(WORD.findall(repr((trial.case or trial.scenario).expect)))


def words_of(trial: Trial, *, every: bool) -> frozenset[str]:
    """Return the words of what is expected of an example; or all that it says."""
    if not every:
        return expected(trial)
    said = (trial.scenario.model_dump(), trial.case and trial.case.model_dump())
    return frozenset(WORD.findall(repr(said)))
