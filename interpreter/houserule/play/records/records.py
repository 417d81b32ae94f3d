"""Records: JSON lines, written while a game is played, and replayed.

A record has a head, one line for each choice, and an end. If a replay differs, the
first difference is reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from pydantic import JsonValue

from houserule.base.diagnostics.diagnostic import Diagnostic, Label, MessageCode, fault
from houserule.base.diagnostics.render import TableError
from houserule.base.diagnostics.wording import counted
from houserule.base.files import UnreadableError, find
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.compiler.prepare import E039, TableChoice, prepare
from houserule.compiler.rules import ChosenTable
from houserule.engine.reference.choices import Choice, Refused
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.faults import RuleFault
from houserule.ir import Program
from houserule.language.manifest.ruleset import LoadedRuleset, Plain
from houserule.play.positions.files import start_from
from houserule.play.records.choice_words import choice_of, words_of
from houserule.play.records.hashes import state_hash
from houserule.play.records.lines import (
    ActedFor,
    Head,
    LaterLine,
    OwnRules,
    PeopleLine,
    RecordEnd,
    RecordTable,
    RulesChanged,
    SatDown,
    Taken,
    UndoAnswered,
    Undone,
    written,
)
from houserule.play.records.reading import (
    E080,
    OWN_RULES,
    ParsedRecord,
    place_in_head,
    read_record,
    record_text,
)

HASH_EVERY = 20
KEPT_AT_MOST = 100  # copies of a game with undos: a large game has large copies


def seat_names(program: Program) -> tuple[str, ...]:
    kind = next(each for each in program.kinds.values() if each.sort == "seat")
    return program.labels[kind.name]


def plain_options(table: ChosenTable) -> dict[str, JsonValue]:
    """Return the options of a table as plain data, by name."""
    return {name: _plain(table.options[name]) for name in sorted(table.options)}


def _plain(value: Plain) -> JsonValue:
    return [_plain(each) for each in value] if isinstance(value, list) else value


class Recorder:
    """Collects the lines of one record.

    Call `note` after each choice with the decision it answered, `finish` at the end. A
    game with people has `languages`, and may have more optional fields.
    """

    def __init__(
        self,
        program: Program,
        table: ChosenTable,
        seed: int,
        number: int = 0,
        players: Sequence[str] = (),
        *,
        bots: Sequence[int] = (),
        languages: Sequence[str] = (),
        own: OwnRules | None = None,
    ) -> None:
        self._program, self._seats = program, seat_names(program)
        given = dict(program.start.words) if program.start else {}
        self.head = Head(
            version=2 if languages or own or given else 1,
            game=program.game,
            table=RecordTable(
                players=table.players,
                variants=sorted(table.variants),
                options=plain_options(table),
            ),
            rules=program.fingerprint,
            seed=seed,
            number=number,
            players=list(players),
            bots=[self._seats[seat] for seat in bots],
            languages=list(languages),
            own=own,
            given=given,  # type: ignore[arg-type]  # plain YAML values
        )
        self.lines = [written(self.head)]
        self.choices = 0

    def note(self, decision: Decision, choice: Choice, game: ReferenceGame) -> None:
        """Add a choice that was just made in a game."""
        self.choices += 1
        hashed = self.choices % HASH_EVERY == 0
        taken = Taken(
            n=self.choices,
            seat=self._seats[decision.seat],
            at=decision.site,
            do=words_of(choice, decision.site, self._program),
            state=state_hash(game) if hashed else None,
        )
        self.lines.append(written(taken))

    def undo(self, stand: int, by: int, agreed: Sequence[int] = ()) -> None:
        """Add an undo by a seat; `stand` choices remain."""
        names = [self._seats[seat] for seat in agreed]
        undone = Undone(undo=stand, by=self._seats[by], agreed=names)
        self.lines.append(written(undone))
        self.choices = stand

    def people(self, line: PeopleLine) -> None:
        """Add a line about the players."""
        self.lines.append(written(line))

    def finish(self, game: ReferenceGame) -> None:
        """Add the end of a finished game."""
        outcome = game.outcome
        assert outcome is not None, "only a game that is over has an end"
        end = RecordEnd(
            end=outcome.kind,
            winners=[self._seats[seat] for seat in outcome.winners],
            stalled_in=outcome.stalled_in,
            drawn_by=list(outcome.drawn_by),
            choices=self.choices,
            state=state_hash(game),
        )
        self.lines.append(written(end))

    def change_rules(self, stand: int, own: OwnRules | None) -> None:
        """Add a change to this program's rules."""
        changed = RulesChanged(rules=self._program.fingerprint, stand=stand, own=own)
        self.lines.append(written(changed))
        self.choices = stand

    @property
    def text(self) -> str:
        """The record so far."""
        return "\n".join(self.lines) + "\n"


# ---- the rules of a record


def recorded_rules(
    record: ParsedRecord, ruleset: LoadedRuleset, *, assumed: bool = False
) -> tuple[Program | None, list[Diagnostic]]:
    """Return the program of a record's table, or why there is none.

    The ruleset must be of the record's game (E039) and support its whole table, with
    all variants and options. If it was only `assumed` because of its name, it must have
    the record's rules (E082).
    """
    span = place_in_head(record.source, "table")
    if ruleset.id != record.head.game:
        message = (
            f"This record is of {record.head.game}, and the game here is {ruleset.id}."
        )
        return None, [fault(E039, message, span, fixes=(OWN_RULES,))]
    table = record.table
    choice = TableChoice(
        with_=tuple(sorted(table.variants)),
        settings=table.options,
        players=table.players,
    )
    prepared = prepare(ruleset, choice, for_play=True)
    if prepared.program is None:
        own = (OWN_RULES,) if assumed else ()
        placed = [
            each
            if each.labels
            else replace(each, labels=(Label(span),), fixes=(*each.fixes, *own))
            for each in prepared.diagnostics
        ]
        return None, placed
    if assumed and prepared.program.fingerprint != record.rules:
        game = record.head.game
        other = fault(
            E082,
            f"This record was made with rules that differ from the built-in {game}.",
            span,
            details=("They have changed since, or it is of a ruleset of one's own.",),
            fixes=(
                OWN_RULES,
                f"hold it against the shipped rules all the same:  --game {game}",
            ),
        )
        return None, [other]
    # Players who cannot sit at the table.
    head, seats, source = record.head, seat_names(prepared.program), record.source
    found: list[Diagnostic] = []
    if len(head.players) not in (0, len(seats)):
        names = counted(len(head.players), "player")
        message = f"The table has {counted(len(seats), 'seat')}, and {names} sit there."
        found.append(fault(E080, message, place_in_head(source, "players")))
    for name in sorted({*head.bots}.difference(seats)):
        place = place_in_head(source, "bots")
        found.append(fault(E080, _no_seat(name), place))
    if found:
        return None, found
    if not record.head.given:
        return prepared.program, []
    try:
        return start_from(prepared.program, ruleset, record.head.given), []
    except TableError as error:
        place = place_in_head(record.source, "given")
        return None, [
            replace(each, labels=(Label(place),)) for each in error.diagnostics
        ]


E082 = MessageCode("E082", "record of other rules")
"""You named no ruleset for a record, and the built-in game of its name has other rules
than the record.

**Why.** A record holds the fingerprint of its rules. Your own copy of a game has the
same name; its record must not be compared with the built-in rules without notice.

**For example**

```console
houserule replay evening.jsonl      # of ./my-pig
```

**Fix.** Name the ruleset: `--game ./my-pig`. With `--game pig`, `replay` compares it
with the built-in rules anyway, and shows the first difference.
"""


@frozen
class Difference:
    """The first difference of a replayed game: the number of the choice, and why.

    Choice 0 is the start. `line` is the line of the record.

    Example:
        >>> record = houserule.load("pig").table().start(seed=2).play().record()
        >>> other = record.text.replace('"seed": 2', '"seed": 3')
        >>> with open("other.jsonl", "w", encoding="utf-8") as file:
        ...     written = file.write(other)
        >>> houserule.read_record("other.jsonl").replay().difference.choice > 0
        True
    """

    choice: int
    line: int
    message: str


E081 = MessageCode("E081", "replay differs")
"""A game replayed from its record is not the same.

**Why.** A record holds the seed, the table and the choices; a replay must lead to the
same states, byte for byte. It does not if the rules have changed since, or someone
edited the record.

**For example**

```text
The state is 77aa0be3f6d2c9a1 now, but was 1be0c44fd01b73e2.
```

**Fix.** If you changed the rules on purpose, record the game again. If not, please
report it.
"""


def difference_fault(record: ParsedRecord, difference: Difference) -> Diagnostic:
    """Return the diagnostic E081 about a replay that differs."""
    line = record.source.line(difference.line)
    span = Span.at(record.source.name, difference.line, 1, min(len(line), 60) or 1)
    at = f"choice {difference.choice}" if difference.choice else "the start"
    return fault(E081, f"The game differs from its record at {at}.", span).with_details(
        difference.message
    )


def replay(
    record: ParsedRecord,
    program: Program,
    *,
    each: Callable[[ReferenceGame], None] | None = None,
    beside: Callable[[ReferenceGame, Undone | PeopleLine], None] | None = None,
    listen: bool = False,
) -> tuple[ReferenceGame | None, Difference | None]:
    """Replay a record; return the game as far as it went, and the first difference.

    `each` is called at the start and after every choice, `beside` after lines about
    people, and after undos, with the restored game, which is a separate copy.
    """
    head = record.head
    try:
        game = ReferenceGame.start(program, head.seed, head.number, listen=listen)
    except RuleFault as error:
        return None, Difference(0, 1, error.told)
    again = _Replay(record, game, program)
    if each:
        each(game)
    for entry in record.entries:
        difference = again.add(entry.part, entry.line)
        if difference is not None:
            return again.game, difference
        match entry.part:
            case Taken() if each:
                each(again.game)
            case Undone() | ActedFor() | SatDown() | UndoAnswered() if beside:
                beside(again.game, entry.part)
    return again.game, None


def unfinished(record: ParsedRecord, game: ReferenceGame) -> str:
    """Return that a record does not reach the end of its game; '' if it does.

    `game` is the result of a replay without a difference.
    """
    if record.end is not None:
        return ""
    if game.outcome is not None:
        return "The game is over, but the line that says so is missing."
    count = len(record.taken)
    return f"The record ends after {counted(count, 'choice')}; the game is not over."


class _Replay:
    """A running replay, with copies of the game for undos."""

    def __init__(
        self, record: ParsedRecord, game: ReferenceGame, program: Program
    ) -> None:
        head = record.head
        self.game = game
        self._source = record.source
        self._seats = seat_names(program)
        self._recorder = Recorder(
            program, record.table, head.seed, head.number, head.players
        )
        parts = (entry.part for entry in record.entries)
        self._wanted = {part.undo for part in parts if isinstance(part, Undone)}
        self._standing: list[Taken] = []
        self._kept = {0: game.clone()} if self._wanted else {}

    def add(self, part: LaterLine, line: int) -> Difference | None:
        """Apply a line; return how the game differs from it."""
        match part:
            case Taken():
                difference = step(self.game, part, self._recorder, line)
                if difference is not None:
                    return difference
                # Keep a copy for later undos; of too many, drop every other one.
                count = self._recorder.choices
                self._standing.append(part)
                if count in self._wanted:
                    self._kept[count] = self.game.clone()
                    if len(self._kept) > KEPT_AT_MOST:
                        _, *others = sorted(self._kept)
                        for each in others[::2]:
                            del self._kept[each]
                now, was = self._recorder.lines[-1], part.state
                if now == self._source.line(line):
                    return None
                state = json.loads(now).get("state")
                message = f"The line is {now} now."
                if state != was and was is not None:
                    message = f"The state is {state} now, but was {was}."
                return Difference(part.n, line, message)
            case Undone(undo=number):
                if strange := {part.by, *part.agreed}.difference(self._seats):
                    count = self._recorder.choices
                    return Difference(count, line, _no_seat(min(strange)))
                nearest = max(each for each in self._kept if each <= number)
                game = self._kept[nearest].clone()
                for taken in self._standing[nearest:number]:
                    game.choose(choice_of(taken.do, taken.at, game.program))
                self.game = game
                self._recorder.choices = number
                del self._standing[number:]
                self._kept = {at: it for at, it in self._kept.items() if at <= number}
            case RecordEnd():
                game, count = self.game, self._recorder.choices
                if game.outcome is None:
                    return Difference(
                        count, line, "The game goes on where the record ends."
                    )
                self._recorder.finish(game)
                now = self._recorder.lines[-1]
                if now == self._source.line(line):
                    return None
                if state_hash(game) != part.state:
                    message = (
                        f"The last state is {state_hash(game)}, but was {part.state}."
                    )
                    return Difference(count, line, message)
                return Difference(count, line, f"The end is {now} now.")
            case RulesChanged():
                pass  # the record has only choices that fit the current rules
            case (
                ActedFor(acting=seat) | SatDown(sits=seat) | UndoAnswered(answered=seat)
            ):
                if seat not in self._seats:
                    return Difference(self._recorder.choices, line, _no_seat(seat))
            case _:
                assert_never(part)
        return None


def step(
    game: ReferenceGame, taken: Taken, recorder: Recorder, line: int
) -> Difference | None:
    """Make one recorded choice; return what prevents it."""
    decision = game.decision
    if decision is None:
        return Difference(taken.n, line, "The game is over before this choice.")
    seat = seat_names(game.program)[decision.seat]
    if (seat, decision.site) != (taken.seat, taken.at):
        message = (
            f"{taken.seat} decides at {taken.at} in the record, "
            f"but {seat} at {decision.site} now."
        )
        return Difference(taken.n, line, message)
    try:
        choice = choice_of(taken.do, decision.site, game.program)
        game.choose(choice)
    except ValueError as error:
        return Difference(taken.n, line, f"The choice means nothing: {error}.")
    except Refused as error:
        reasons = ", ".join(each.address for each in error.refusals)
        return Difference(taken.n, line, f"The choice is refused now: {reasons}.")
    except RuleFault as error:
        return Difference(taken.n, line, error.told)
    recorder.note(decision, choice, game)
    return None


def _no_seat(name: str) -> str:
    return f"No seat is called `{name}`."


# ---- golden records: games that a ruleset must replay unchanged


GOLDEN_RECORDS = "playthroughs"  # a folder in the ruleset's folder


@frozen
class Golden:
    """A record of a ruleset, and why its replay differs; '' if it does not."""

    path: Path
    problem: str


def golden_records(ruleset: LoadedRuleset) -> Iterator[Golden]:
    """Replay each record in a ruleset's folder `playthroughs`, by name."""
    for each in find(ruleset.folder, f"{GOLDEN_RECORDS}/**/*.jsonl"):
        path = ruleset.folder / each
        yield Golden(path, verify(path, ruleset))


def verify(path: Path, ruleset: LoadedRuleset) -> str:
    """Return why a record cannot be replayed, or where it first differs; else ''."""
    try:
        record, faults = read_record(record_text(path))
    except UnreadableError as error:
        return str(error)
    if record is None:
        return faults[0].message
    program, faults = recorded_rules(record, ruleset)
    if program is None:
        said = " ".join(f"{each.message} ({each.code})" for each in faults)
        return f"Its table cannot be played. {said}"
    game, difference = replay(record, program)
    if difference is not None:
        return f"line {difference.line}: {difference.message}"
    return "" if game is None else unfinished(record, game)
