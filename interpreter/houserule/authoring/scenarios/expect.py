"""Assertions: compares `expect` with a game and reports differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from houserule import ir
from houserule.authoring.scenarios.messages import E075
from houserule.authoring.scenarios.moves import matching, read_move
from houserule.authoring.scenarios.readings import reading_of, unmet_views
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.engine.reference.choices import Refusal
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RULE_FAULTS, RuleFault
from houserule.ir import Param, Program
from houserule.ir.types import Data, Type
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.manifest.yaml.document import KeyPath
from houserule.play.positions.given import located, number, read_faces, seats_of
from houserule.play.positions.words import (
    Misread,
    ScenarioWords,
    flag_of,
    listed,
    spoken,
)

EXPECT_WORDS = (
    *("legal", "refused", "unwise", "usual", "offers", "offers_not", "count"),
    *(
        "decides",
        "open",
        "ended",
        "winners",
        "drawn_by",
        "stalled",
        "sees",
        "runs",
        "runs_not",
    ),
    *("fault", "faces"),
)
"""Words of `expect` that are not names of the game."""


@frozen
class Problem:
    """One failed expectation: its place, and the actual result."""

    message: str
    span: Span


@frozen
class Happened:
    """The result of a scenario's moves: the game, and the fate of the last move.

    `refusals` are those of the last or tried move, None without a move; `advice` is
    what holds for it. `ran` has the addresses of the clauses that ran. `tried` says
    that the last move is one of `try`, which is not made.
    """

    game: ReferenceGame
    refusals: tuple[Refusal, ...] | None
    advice: tuple[ir.AdviceDef, ...]
    ran: frozenset[str]
    fault: RuleFault | None
    tried: bool


@dataclass
class Expectation:
    """Checks an `expect` block against a result, or only validates it."""

    words: ScenarioWords
    happened: Happened | None = None
    problems: list[Problem] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)

    def hold(self, said: Mapping[str, YamlData], path: KeyPath) -> None:
        """Check every entry; record problems and errors."""
        for key, value in said.items():
            try:
                self._entry(key, value, (*path, key))
            except Misread as misread:
                self.faults.append(misread.diagnostic)

    def _entry(self, key: str, said: YamlData, path: KeyPath) -> None:
        if key in EXPECT_WORDS:
            read: Callable[[YamlData, KeyPath], None] = getattr(self, f"_{key}")
            read(said, path)
        else:
            name, inside = self.words.call(key, path)
            reading = reading_of(self.words, name)
            if reading is None:
                program = self.words.program
                slots = [
                    slot for each in program.tokens.values() for slot in each.slots
                ]
                known = (
                    *EXPECT_WORDS,
                    *[*program.states, *program.zones, *slots, *program.values],
                )
                raise self.words.unknown(
                    "state, zone, token or value",
                    name,
                    known,
                    path,
                    key=True,
                    also={"turn": "decides", "at": "open"},
                )
            found = located(
                self.words, reading.params, inside, said, path, reading.wanted
            )
            for keys, wanted, where in found:
                if self.happened is not None:
                    title = titled(self.words, name, reading.params, keys)
                    actual = reading.actual(self.happened.game, keys, wanted)
                    self._compare(title, wanted, actual, where)

    # ---- reporting

    def _problem(self, message: str, path: KeyPath) -> None:
        self.problems.append(Problem(message, self.words.document.span(*path)))

    def _compare(self, what: str, wanted: str, is_: str, path: KeyPath) -> None:
        if wanted != is_:
            message = f"{what} should be {wanted}, but is {is_}."
            if self.happened is not None and self.happened.tried:
                message += " The move in `try` is not made; `do` makes it."
            self._problem(message, path)

    # ---- the last move

    def _judged(self, path: KeyPath) -> tuple[Refusal, ...] | None:
        """Return the refusals of the last move; None if there was no move."""
        if self.happened is None:
            return None
        if self.happened.refusals is None:
            raise self.words.misread(
                E075, "There is no move in `do` or `try` to judge.", path, key=True
            )
        return self.happened.refusals

    def _legal(self, said: YamlData, path: KeyPath) -> None:
        legal, refusals = self.words.flag(said, path), self._judged(path)
        if refusals is None:
            return
        if legal and refusals:
            self._problem(f"The move is refused: {self._why(refusals)}.", path)
        if not legal and not refusals:
            self._problem("The move should be refused, but it is legal.", path)

    def _why(self, refusals: tuple[Refusal, ...]) -> str:
        return self.words.reasons(each.address for each in refusals)

    def _refused(self, said: YamlData, path: KeyPath) -> None:
        wanted, refusals = self._addresses(said, path), self._judged(path)
        if refusals is None:
            return
        found = {each.address for each in refusals}
        if not refusals:
            names = ", ".join(sorted(wanted))
            self._problem(f"{names} should refuse the move, but it is legal.", path)
        elif found != wanted:
            self._problem(
                f"{', '.join(sorted(wanted))} should refuse the move, but it is "
                f"refused by {self._why(refusals)}.",
                path,
            )

    def _unwise(self, said: YamlData, path: KeyPath, *, usual: bool = False) -> None:
        wanted = set() if flag_of(said) is False else self._addresses(said, path)
        self._judged(path)
        if self.happened is None:
            return
        found = {e.address for e in self.happened.advice if e.usual is usual}
        if found != wanted:
            names = ", ".join(sorted(wanted)) or "Nothing"
            is_ = self.words.reasons(sorted(found)) or "nothing does"
            what = "call the move usual" if usual else "advise against the move"
            self._problem(f"{names} should {what}: {is_}.", path)

    def _usual(self, said: YamlData, path: KeyPath) -> None:
        self._unwise(said, path, usual=True)

    def _addresses(self, said: YamlData, path: KeyPath) -> set[str]:
        """Return the listed addresses; an unknown one is an error."""
        found: set[str] = set()
        for each, where in listed(said, path):
            known = known_addresses(self.words.program)
            if not isinstance(each, str) or each not in known:
                raise self.words.unknown("clause", str(each), known, where)
            found.add(each)
        return found

    # ---- options

    def _moves(
        self, said: YamlData, path: KeyPath
    ) -> Iterator[tuple[YamlData, KeyPath, bool]]:
        """Yield each listed move, its place, and whether it is offered."""
        decision = self.happened.game.decision if self.happened else None
        for each, where in listed(said, path):
            move = read_move(self.words, each, where)
            if self.happened is None:
                continue
            offered = decision is not None and any(
                True for _ in matching(self.words, move, decision)
            )
            yield each, where, offered

    def _offers(self, said: YamlData, path: KeyPath) -> None:
        for each, where, offered in self._moves(said, path):
            if not offered:
                self._problem(
                    f"{described(each)} should be offered, but is not.", where
                )

    def _offers_not(self, said: YamlData, path: KeyPath) -> None:
        for each, where, offered in self._moves(said, path):
            if offered:
                self._problem(
                    f"{described(each)} should not be offered, but is.", where
                )

    def _count(self, said: YamlData, path: KeyPath) -> None:
        if not isinstance(said, dict):
            wanted = number(self.words, said, path)
            if self.happened is not None:
                decision = self.happened.game.decision
                total = decision.options.count() if decision else 0
                self._compare("The number of options", str(wanted), str(total), path)
            return
        for name, count in said.items():
            where = (*path, name)
            move = read_move(self.words, name, where)
            wanted = number(self.words, count, where)
            if self.happened is None:
                continue
            decision, total = self.happened.game.decision, 0
            if decision is not None:
                total = sum(1 for _ in matching(self.words, move, decision))
            what = f"The number of options of `{name}`"
            self._compare(what, str(wanted), str(total), where)

    def _decides(self, said: YamlData, path: KeyPath) -> None:
        wanted = self.words.value(seats_of(self.words), said, path)
        if self.happened is None:
            return
        decision = self.happened.game.decision
        is_ = self._seat(decision.seat) if decision else "nobody: the game is over"
        self._compare("The next to decide", self._seat(wanted), is_, path)

    def _seat(self, seat: Data) -> str:
        return self.words.shown(seat, seats_of(self.words))

    def _open(self, said: YamlData, path: KeyPath) -> None:
        entries, steps = listed(said, path), self.words.program.steps
        for each, where in entries:
            if not isinstance(each, str) or each not in steps:
                raise self.words.unknown("step", str(each), steps, where)
        if self.happened is None:
            return
        decision = self.happened.game.decision
        found = sorted(decision.open_steps) if decision else []
        wanted = sorted(str(each) for each, _ in entries)
        self._compare("Open", ", ".join(wanted), ", ".join(found), path)

    # ---- the end

    def _ended(self, said: YamlData, path: KeyPath) -> None:
        wanted = self.words.flag(said, path)
        if self.happened is None:
            return
        if wanted is not (self.happened.game.outcome is not None):
            message = "The game should go on, but is over."
            if wanted:
                message = "The game should be over, but goes on."
            self._problem(message, path)

    def _winners(self, said: YamlData, path: KeyPath) -> None:
        seats = seats_of(self.words)
        names = said if isinstance(said, list) else [said]
        wanted = {self._seat(self.words.value(seats, each, path)) for each in names}
        if self.happened is None:
            return
        outcome = self.happened.game.outcome
        if outcome is None:
            self._problem("The game goes on; nobody has won yet.", path)
            return
        found = {self._seat(each) for each in outcome.winners}
        self._compare("The winners", _listed(wanted), _listed(found), path)

    def _stalled(self, said: YamlData, path: KeyPath) -> None:
        wanted = "" if flag_of(said) is False else str(said)
        if wanted and wanted not in self.words.program.phases:
            known = self.words.program.phases
            raise self.words.unknown("phase", wanted, known, path)
        if self.happened is None:
            return
        outcome = self.happened.game.outcome
        phase = outcome.stalled_in if outcome and outcome.kind == "stalled" else ""
        shown = phase or "none"
        self._compare("The phase that stalled", wanted or "none", shown, path)

    def _drawn_by(self, said: YamlData, path: KeyPath) -> None:
        names = said if isinstance(said, list) else [said]
        names = [] if flag_of(said) is False else names
        known = [each.address for each in self.words.program.draws]
        for each in names:
            if each not in known:
                raise self.words.unknown("way to draw", str(each), known, path)
        if self.happened is None:
            return
        outcome = self.happened.game.outcome
        found = set(outcome.drawn_by) if outcome else set[str]()
        what = "What the game is drawn by"
        self._compare(what, _listed(set(map(str, names))), _listed(found), path)

    def _runs(self, said: YamlData, path: KeyPath) -> None:
        for address in sorted(self._addresses(said, path)):
            if self.happened and address not in self.happened.ran:
                self._problem(f"{address} should have run, but did not.", path)

    def _runs_not(self, said: YamlData, path: KeyPath) -> None:
        for address in sorted(self._addresses(said, path)):
            if self.happened and address in self.happened.ran:
                self._problem(f"{address} should not have run, but did.", path)

    def _fault(self, said: YamlData, path: KeyPath) -> None:
        known = [each.name for each in RULE_FAULTS]
        if said not in known:
            raise self.words.unknown("fault of rules", str(said), known, path)
        if self.happened is not None:
            fault = self.happened.fault
            found = fault.code if fault else "none"
            self._compare("The fault", str(said), found, path)

    # ---- the state

    def _faces(self, said: YamlData, path: KeyPath) -> None:
        for kind, dice in read_faces(self.words, said, path).items():
            for die, face in dice.items():
                if self.happened is None:
                    continue
                label = self.words.labels[kind][die]
                is_ = self.happened.game.face(kind, die)
                where = (*path, label)
                self._compare(f"`{label}`", str(face), str(is_), where)

    def _sees(self, said: YamlData, path: KeyPath) -> None:
        game = self.happened.game if self.happened else None
        for message, where in unmet_views(self.words, game, said, path):
            self._problem(message, where)


@lru_cache(maxsize=32)
def known_addresses(program: Program) -> Mapping[str, None]:
    """Return every address that a scenario may use: clauses and domains."""
    found = dict.fromkeys(program.clauses)
    for name, action in program.actions.items():
        found[name] = None
        found[f"{name}.during"] = None
        binds = (*action.params, *(b for cost in action.costs for b in cost.binds))
        found.update(dict.fromkeys(f"{name}.{n}" for b in binds for n in b.names))
    found.update(dict.fromkeys((*program.steps, *program.phases, *program.effects)))
    found["done"] = None
    return found


def titled(
    words: ScenarioWords, name: str, params: tuple[Param, ...], keys: tuple[Data, ...]
) -> str:
    """Return a name with its keys as written in files: `score(ann)`."""
    if not keys:
        return f"`{name}`"
    types: list[Type] = [param.type for param in params]
    shown = [words.shown(key, type_) for key, type_ in zip(keys, types, strict=True)]
    return f"`{name}({', '.join(shown)})`"


def described(said: YamlData) -> str:
    """Describe a move as part of a sentence."""
    if isinstance(said, dict):
        inner = (_entry(key, value) for key, value in said.items())
        return f"`{', '.join(inner)}`"
    return spoken(said)


def _entry(key: str, value: YamlData) -> str:
    match value:
        case None:
            return key
        case dict():
            inner = ", ".join(_entry(k, v) for k, v in value.items())
            return f"{key}({inner})"
        case list():
            return f"{key}: {' + '.join(str(each) for each in value)}"
        case _:
            return f"{key}: {value}"


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nobody"
