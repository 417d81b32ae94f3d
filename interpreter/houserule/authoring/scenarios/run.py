"""Runs one worked example at one table: makes its moves, checks its expectations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from houserule import ir
from houserule.authoring.scenarios.expect import (
    Expectation,
    Happened,
    Problem,
    known_addresses,
)
from houserule.authoring.scenarios.files import Trial, cases_of, no_table
from houserule.authoring.scenarios.messages import E074
from houserule.authoring.scenarios.moves import (
    WrittenMove,
    choice_of,
    due,
    matching,
    read_move,
)
from houserule.base.diagnostics.diagnostic import Diagnostic, has_errors
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.compiler.prepare import Prepared, Programs, TableChoice
from houserule.engine.reference.choices import (
    BadPosition,
    Choice,
    Done,
    Picked,
    Refusal,
)
from houserule.engine.reference.evaluate.expressions import Answers
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.machine import Forced
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.ir.walk import factors
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.manifest.yaml.document import KeyPath
from houserule.play.positions.given import Given, GivenReader, impossible
from houserule.play.positions.luck import FALLS, Luck
from houserule.play.positions.words import Misread, ScenarioWords


@frozen
class Result:
    """The result of one example at one table.

    `faults` are invalid words of the file, or an impossible table; `problems` are unmet
    expectations; `ran` are the addresses of the clauses that ran or refused.
    """

    trial: Trial
    problems: tuple[Problem, ...]
    faults: tuple[Diagnostic, ...]
    ran: frozenset[str] = frozenset()

    @property
    def passed(self) -> bool:
        """Whether neither the example nor the rules have errors."""
        return not self.problems and not has_errors(self.faults)

    @property
    def of_rules(self) -> tuple[Diagnostic, ...]:
        """Return the errors of the rules that make the table impossible."""
        stopped = any(each.code == "E076" for each in self.faults)
        return self.faults[1:] if stopped else ()


SEEDS = range(5)  # each must pass for an example with random outcomes


def run_trial(
    trial: Trial, programs: Programs, answers: Answers | None = None
) -> Result:
    """Run one example at one table of a ruleset.

    `answers`, if given, receives all results of conditions.
    """
    prepared = programs.prepare(trial.choice)
    if prepared.program is None:
        return Result(trial, (), no_table(trial, prepared.diagnostics))
    for seed in SEEDS if trial.any_luck else SEEDS[:1]:
        run = _Run(
            trial, prepared.program, programs.prepare, seed, answers, programs.ruleset
        )
        result = run.run()
        if not result.passed:
            break
    return result


@frozen
class Asked:
    """An example at the move that it asks about, which is not made.

    `game` is None if the position is invalid or not reached; `problems` and `faults`
    explain why. `start` is the game before the moves of `do`. `move` is that of `try`,
    else the last of `do` if it is refused.
    """

    game: ReferenceGame | None
    start: ReferenceGame | None
    move: WrittenMove | None
    problems: tuple[Problem, ...]
    faults: tuple[Diagnostic, ...]


def ask_trial(trial: Trial, program: Program, programs: Programs) -> Asked:
    """Play an example up to the move that it asks about."""
    return _Run(trial, program, programs.prepare, ruleset=programs.ruleset).ask()


def read_trial(
    trial: Trial,
    prepare: Callable[[TableChoice], Prepared],
    misfits: Callable[[TableChoice], Sequence[Diagnostic]],
    ruleset: LoadedRuleset | None = None,
) -> tuple[Diagnostic, ...]:
    """Validate an example without playing it: return its invalid words.

    Its own table is prepared first, then those of its cases if needed; `misfits` checks
    whether these exist. At a table with unplayable rules, nothing is read.
    """
    prepared = prepare(trial.choice)
    if prepared.program is None:
        return no_table(trial, prepared.diagnostics)
    found = list(_Run(trial, prepared.program, prepare, ruleset=ruleset).read())
    for case in cases_of(trial):
        wrong = misfits(case.choice)
        found += no_table(case, wrong) if wrong else ()
    return tuple(found)


class Halted(Exception):
    """The example cannot continue; the reason was recorded."""


class _Run:
    """The run of one example."""

    def __init__(
        self,
        trial: Trial,
        program: Program,
        prepare: Callable[[TableChoice], Prepared],
        seed: int = 0,
        answers: Answers | None = None,
        ruleset: LoadedRuleset | None = None,
    ) -> None:
        self.trial, self.program, self.prepare = trial, program, prepare
        self.seed, self.answers, self.ruleset = seed, answers, ruleset
        self.words = ScenarioWords(
            program, trial.examples.document, trial.seats, ruleset
        )
        self.problems: list[Problem] = []
        self.faults: list[Diagnostic] = []
        self.refusals: tuple[Refusal, ...] | None = None
        self.advice: tuple[ir.AdviceDef, ...] = ()
        self.fault: RuleFault | None = None
        self.ran: set[str] = set()
        self.given_at: dict[str, KeyPath] = {}  # the path of each word of `given`
        self.laid_at: dict[str, KeyPath] = {}  # prescribed outcomes in `given`
        self.by_chance: list[Problem] = []  # random outcomes that were not prescribed

    def run(self) -> Result:
        """Set up, move, try, compare."""
        self._covers()
        self._left_out()
        game = self._begin()
        if game is not None:
            game = self._play(game)
        if game is not None:
            said, path = self.trial.expected()
            self._hold(game, said, path)
            if self.refusals and "legal" not in said and "refused" not in said:
                reasons = self.words.reasons(each.address for each in self.refusals)
                here = due(self.words, game.decision)
                message = f"The move is refused: {reasons}. {here}."
                self.problems.append(Problem(message, self.trial.span))
        if self.problems or not self.trial.any_luck:  # chance may be the reason
            self.problems += self.by_chance
        refused = {each.address for each in self.refusals or ()}
        ran = frozenset(self.ran | refused | {each.address for each in self.advice})
        return Result(self.trial, tuple(self.problems), tuple(self.faults), ran)

    def ask(self) -> Asked:
        """Set up, and move up to the move in question."""
        game, move = self._begin(), None
        start = game.clone() if game is not None else None
        try:
            if game is not None:
                self._do(game)
                said, path = self.trial.said("try")
                if said is not None:
                    move = read_move(self.words, said, path)
                elif self.refusals:
                    move = self._moves()[-1]
        except Halted:
            game = None
        except Misread as misread:
            game, self.faults = None, [*self.faults, misread.diagnostic]
        except RuleFault as error:
            game = None
            self._rule_fault(error, self.trial.span)
        return Asked(game, start, move, tuple(self.problems), tuple(self.faults))

    def read(self) -> tuple[Diagnostic, ...]:
        """Validate the example and its cases without playing.

        A case that is valid at the example's own table needs no check at its own: most
        tables need not be prepared.
        """
        found = list(self._read())
        for case in () if self.trial.number else cases_of(self.trial):
            if self._of(case, self.program)._read():
                program = self.prepare(case.choice).program
                if program is not None:
                    found += self._of(case, program)._read()
        return tuple(dict.fromkeys(found))

    def _of(self, case: Trial, program: Program) -> _Run:
        return _Run(case, program, self.prepare, ruleset=self.ruleset)

    def _read(self) -> list[Diagnostic]:
        """Read `covers`, `given`, `do`, `try` and `expect`; return the errors."""
        self._covers()
        self._left_out()
        self._given(lay=False)
        try:
            moves = self._moves()
            for move in moves:
                if move.kind == "expect":
                    self._read_expected(self._between(move), move.path)
            said, path = self.trial.said("try")
            if said is not None:
                read_move(self.words, said, path)
        except Misread as misread:
            self.faults.append(misread.diagnostic)
        self._read_expected(*self.trial.expected())
        return self.faults

    def _read_expected(self, said: Mapping[str, YamlData], path: KeyPath) -> None:
        expectation = Expectation(self.words)
        expectation.hold(said, path)
        self.faults += expectation.faults

    # ---- the file

    def _left_out(self) -> None:
        """Report parts that the case leaves out but the example does not have."""
        case, there = self.trial.case, self.trial.parts()
        for place, each in enumerate(case.leave_out if case else ()):
            if each not in there:
                path = (*self.trial.path, "leave_out", place)
                misread = self.words.unknown("part of the example", each, there, path)
                self.faults.append(misread.diagnostic)

    def _covers(self) -> None:
        """Report covered clauses that none of the example's tables has."""
        covers = self.trial.scenario.covers
        if self.trial.number or not covers:
            return
        known = {**known_addresses(self.program)}
        if any(each not in known for each in covers):
            for other in cases_of(self.trial):
                program = self.prepare(other.choice).program
                known |= known_addresses(program) if program else {}
        for number, address in enumerate(covers):
            if address not in known:
                path = ("scenarios", self.trial.index, "covers", number)
                misread = self.words.unknown("clause", address, known, path)
                self.faults.append(misread.diagnostic)

    # ---- the position

    def _begin(self) -> ReferenceGame | None:
        """Return the game at the first decision; None if the position is invalid."""
        # Imported here: validation does not need the engine.
        from houserule.engine.reference.play.game import ReferenceGame

        given = self._given()
        if self.faults:
            return None
        luck = Luck() if given is None else given.luck
        forced = luck.forced()
        try:
            game = ReferenceGame.start(
                self.program,
                self.seed,
                listen=True,
                forced=forced,
                answers=self.answers,
                position=None if given is None else given.position,
            )
            self._fell(luck, forced, self.laid_at, self._given_span())
            return game
        except BadPosition as error:
            self.faults.append(
                impossible(error, self.words, self.given_at, self._given_span())
            )
        except RuleFault as error:
            self._rule_fault(error, self._given_span())
        return None

    def _given(self, *, lay: bool = True) -> Given | None:
        """Read `given`: the example's, updated by the case's.

        Without `lay` it is only validated: the initial content of zones is not
        computed.
        """
        reader = GivenReader(self.words, lay)
        blocks = self.trial.standing("given")
        found: dict[str, tuple[YamlData, KeyPath]] = {}
        for said, path in blocks:
            for key, each in said.items() if isinstance(said, dict) else ():
                found.pop(key, None)  # a later value, that of the case, replaces it
                found[key] = each, path
        if not blocks:
            return None
        self.given_at = {word: (*path, word) for word, (_, path) in found.items()}
        self.laid_at = {
            word: path
            for word, path in self.given_at.items()
            if word in FALLS and path[:-2] == self.trial.path
        }
        given = reader.read(found)
        self.faults += reader.faults
        return given

    def _given_span(self) -> Span:
        document, trial = self.trial.examples.document, self.trial
        path = ("scenarios", trial.index, "given")
        return document.head(*path) if trial.scenario.given else trial.span

    # ---- the moves

    def _play(self, game: ReferenceGame) -> ReferenceGame | None:
        """Make the moves of `do` and judge that of `try`; None if play cannot go on.

        The last move of `do` may be refused if a refusal is expected.
        """
        try:
            self._do(game)
            said, path = self.trial.said("try")
            if said is not None:
                self.refusals = self._judge(game, read_move(self.words, said, path))
        except Halted:
            return None
        except Misread as misread:
            self.faults.append(misread.diagnostic)
            return None
        except RuleFault as error:  # while options were enumerated
            self.fault = error
            if "fault" not in self.trial.expected()[0]:
                self._rule_fault(error, self.trial.span)
                return None
        return game

    def _moves(self) -> list[WrittenMove]:
        said, path = self.trial.said("do")
        entries = said if isinstance(said, list) else []
        return [
            read_move(self.words, each, (*path, place))
            for place, each in enumerate(entries)
        ]

    def _do(self, game: ReferenceGame) -> None:
        moves = self._moves()
        said, _ = self.trial.expected()
        refused = "refused" in said or said.get("legal") is False
        refusable = refused and self.trial.said("try")[0] is None
        for nth, move in enumerate(moves):
            if move.kind == "expect":
                self._hold(game, self._between(move), move.path)
            elif move.kind == "until":
                self._choose(game, move, self._declining(game, move))
            else:
                self.refusals = self._judge(game, move)
                if not self.refusals:
                    decision = game.decision
                    assert decision is not None
                    choice = choice_of(self.words, move, decision)
                    self._choose(game, move, [choice])
                elif not refusable or nth < len(moves) - 1:
                    reasons = self.words.reasons(e.address for e in self.refusals)
                    here = due(self.words, game.decision)
                    self._problem(f"This move is refused: {reasons}. {here}.", move)
                    raise Halted

    def _between(self, move: WrittenMove) -> Mapping[str, YamlData]:
        if not isinstance(move.said, dict):
            raise self.words.misread(E074, "Expected a block.", move.path)
        return move.said

    def _choose(
        self, game: ReferenceGame, move: WrittenMove, choices: Iterable[Choice]
    ) -> None:
        """Make the choices of one move, all with its prescribed outcomes."""
        game.machine.forced = forced = move.luck.forced()
        beside = {word: (*move.path[:-1], word) for word in FALLS}
        span = self.words.document.key_span(*move.path)
        try:
            for choice in choices:
                game.choose(choice)
        except RuleFault as error:
            self.fault = error
            if "fault" not in self.trial.expected()[0]:
                self._rule_fault(error, span)
                raise Halted from None
        finally:
            self._fell(move.luck, forced, beside, span)

    def _declining(self, game: ReferenceGame, move: WrittenMove) -> Iterator[Choice]:
        """Yield choices that decline each decision until the step of `until` is open.

        The step must open for the current seat within its turn, or for the seat of `by`
        in any turn.
        """
        turn = game.machine.acting()
        while True:
            decision = game.decision
            if decision is None:
                self._problem(f"The game is over before `{move.said}` opens.", move)
                raise Halted
            here = due(self.words, decision)
            if move.by is None and game.machine.acting() != turn:
                message = f"`{move.said}` does not open in this turn. {here}."
                self._problem(message, move)
                raise Halted
            if move.said in decision.open_steps and move.by in {None, decision.seat}:
                return
            choice = Picked(None) if decision.kind == "choose" else Done()
            asked = decision.kind in {"ask", "share"}
            if asked or decision.options.refusals(choice):
                why = f"`{move.said}` is not open yet, and this cannot be declined."
                self._problem(f"{why} {here}.", move)
                raise Halted
            yield choice

    def _fell(
        self, luck: Luck, forced: Forced, laid_at: Mapping[str, KeyPath], span: Span
    ) -> None:
        """Report unused prescribed outcomes; record the random ones."""
        for word, path in laid_at.items():
            if surplus := luck.surplus(word, forced):
                where = self.words.document.span(*path)
                self.problems.append(Problem(surplus, where))
        if fell := luck.by_chance(forced):
            out = " Lay it down, or write `luck: any` if all holds whatever falls."
            more = "" if self.trial.any_luck else out
            self.by_chance.append(Problem(fell + more, span))

    def _judge(self, game: ReferenceGame, move: WrittenMove) -> tuple[Refusal, ...]:
        """Return the refusals of a move, without making it."""
        decision = game.decision
        self.advice = ()
        if decision is None:
            self._problem("The game is over before this move.", move)
            raise Halted
        if move.by is not None and move.by != decision.seat:
            self._problem(f"{due(self.words, decision)}.", move)
            raise Halted
        possible = matching(self.words, move, decision)
        if move.kind == "act" and next(possible, None) is None:
            decision = game.decision
            assert decision is not None
            open_now = {
                name
                for step in decision.open_steps
                for name in self.program.steps[step].actions
            }
            names = [name for name, _ in factors(self.program.actions[move.name])]
            unsaid = any(name not in move.args for name in names)
            if decision.kind != "act" or (move.name not in open_now and unsaid):
                return (Refusal(f"{move.name}.during"),)
            return decision.options.refusals(choice_of(self.words, move, decision))
        choice = choice_of(self.words, move, decision)
        refusals = decision.options.refusals(choice)
        self.advice = () if refusals else decision.options.advice(choice)
        return refusals

    # ---- the verdict

    def _hold(
        self, game: ReferenceGame, said: Mapping[str, YamlData], path: KeyPath
    ) -> None:
        self.ran |= {each.address for each in game.events if each.kind == "clause"}
        ran = frozenset(self.ran)
        tried = self.trial.said("try")[0] is not None
        happened = Happened(game, self.refusals, self.advice, ran, self.fault, tried)
        expectation = Expectation(self.words, happened)
        expectation.hold(said, path)
        self.problems += expectation.problems
        self.faults += expectation.faults

    def _problem(self, message: str, move: WrittenMove) -> None:
        span = self.words.document.key_span(*move.path)
        self.problems.append(Problem(message, span))

    def _rule_fault(self, error: RuleFault, span: Span) -> None:
        self.problems.append(Problem(error.told, span))
