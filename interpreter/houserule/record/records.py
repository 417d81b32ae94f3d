"""Records: a text of JSON lines, written as a game is played, read and played again.

A record has a head, one line a choice, and an end. Of a game that differs from its
record the first difference is found, not the last.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, RootModel, ValidationError

from houserule.compose.rules import ChosenTable
from houserule.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.engine.choices import Refused
from houserule.engine.play.game import ReferenceGame
from houserule.prepare import TableChoice, prepare
from houserule.record.hashes import state_hash
from houserule.record.names import choice_of, words_of
from houserule.source import Source, Span, read_source
from houserule.state.faults import RuleFault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.engine.choices import Choice
    from houserule.engine.options.options import Decision
    from houserule.ir import Program
    from houserule.manifest.ruleset import LoadedRuleset, Plain


Hash = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class LineModel(BaseModel):
    """A line of a record."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RecordTable(LineModel):
    """The table, as it was composed: nothing is left to be chosen."""

    players: Annotated[int, Field(ge=1)]
    variants: list[str]
    options: dict[str, JsonValue]


class Head(LineModel):
    """The first line: what was played, at which table, with which luck."""

    format: Literal["houserule record"] = "houserule record"
    version: Literal[1] = 1
    game: str
    table: RecordTable
    rules: str
    """The fingerprint of the composed rules."""
    seed: int
    number: Annotated[int, Field(ge=0)] = 0
    """The number of the game among those of this seed."""
    players: list[str] = []
    """Who played, by seat: names of people or of bots."""


class Taken(LineModel):
    """One choice, in the words of a scenario's `do`."""

    n: Annotated[int, Field(ge=1)]
    seat: str
    at: str
    """Where in the rules the decision stood."""
    do: JsonValue
    state: Hash | None = None
    """The hash of the state after it; now and then, and after the last."""


class RecordEnd(LineModel):
    """The last line of a game that was played to its end."""

    end: Literal["won", "stalled"]
    winners: list[str] = []
    stalled_in: str = ""
    choices: Annotated[int, Field(ge=0)]
    state: Hash


class RecordLine(RootModel[Head | Taken | RecordEnd]):
    """Any line of a record."""


HASH_EVERY = 20
OWN_RULES = "name the ruleset it was made with:  --game FOLDER"


def seat_names(program: Program) -> tuple[str, ...]:
    """Return the names that the rules give the seats."""
    kind = next(each for each in program.kinds.values() if each.sort == "seat")
    return program.labels[kind.name]


def plain_options(table: ChosenTable) -> dict[str, JsonValue]:
    """Return the options of a table as plain data, by name."""
    return {name: _plain(table.options[name]) for name in sorted(table.options)}


def _plain(value: Plain) -> JsonValue:
    return [_plain(each) for each in value] if isinstance(value, list) else value


class Recorder:
    """Collects the lines of one record.

    Call `note` after each choice with the decision it answered, `finish` at the end.
    """

    def __init__(
        self,
        program: Program,
        table: ChosenTable,
        seed: int,
        number: int = 0,
        players: Sequence[str] = (),
    ) -> None:
        self._program, self._seats = program, seat_names(program)
        head = Head(
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
        )
        self.lines = [_line(head)]
        self.choices = 0

    def note(self, decision: Decision, choice: Choice, game: ReferenceGame) -> None:
        """Note a choice that was just made in a game."""
        self.choices += 1
        hashed = self.choices % HASH_EVERY == 0
        taken = Taken(
            n=self.choices,
            seat=self._seats[decision.seat],
            at=decision.site,
            do=words_of(choice, decision.site, self._program),
            state=state_hash(game) if hashed else None,
        )
        self.lines.append(_line(taken, without=set() if hashed else {"state"}))

    def finish(self, game: ReferenceGame) -> None:
        """Note the end of a game that is over."""
        outcome = game.outcome
        assert outcome is not None, "only a game that is over has an end"
        end = RecordEnd(
            end=outcome.kind,
            winners=[self._seats[seat] for seat in outcome.winners],
            stalled_in=outcome.stalled_in,
            choices=self.choices,
            state=state_hash(game),
        )
        self.lines.append(_line(end))

    @property
    def text(self) -> str:
        """The record so far."""
        return "\n".join(self.lines) + "\n"


def _line(part: LineModel, without: set[str] | None = None) -> str:
    return json.dumps(part.model_dump(exclude=without), ensure_ascii=False)


# ---- reading and playing again

GOLDEN_RECORDS = "playthroughs"  # a folder beside the rules


@dataclass(frozen=True, slots=True)
class ParsedRecord:
    """A record that was read; `end` is None for a game that was left early."""

    source: Source
    head: Head
    taken: tuple[Taken, ...]
    end: RecordEnd | None

    @property
    def table(self) -> ChosenTable:
        """The table that was played at."""
        table = self.head.table
        return ChosenTable(
            self.head.game,
            table.players,
            frozenset(table.variants),
            dict(table.options),  # type: ignore[arg-type]  # plain values
        )


def recorded_rules(
    record: ParsedRecord, ruleset: LoadedRuleset, *, assumed: bool = False
) -> tuple[Program | None, list[Diagnostic]]:
    """Return the program of a record's table, or why there is none.

    The ruleset must be of the record's game (E039), and have its table: no variant or
    option is left out. If it is only `assumed` to be the right one, for its name, its
    rules must be those of the record (E082).
    """
    span = _place_of_head(record)
    if ruleset.id != record.head.game:
        return None, [_of_another_game(record, ruleset.id, span)]
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
    if assumed and prepared.program.fingerprint != record.head.rules:
        return None, [_other_rules(record, span)]
    return prepared.program, []


def _place_of_head(record: ParsedRecord) -> Span:
    """Return the first line's table, or its begin."""
    line = record.source.line(1)
    word = '"table"'
    return Span.at(record.source.name, 1, line.find(word) + 1 or 1, len(word))


def _of_another_game(record: ParsedRecord, here: str, span: Span) -> Diagnostic:
    message = f"This record is of {record.head.game}, and the game here is {here}."
    return fault("E039", message, span, fixes=(OWN_RULES,))


def _other_rules(record: ParsedRecord, span: Span) -> Diagnostic:
    game = record.head.game
    message = f"This record was made by other rules than those of the shipped {game}."
    return fault(
        "E082",
        message,
        span,
        details=("They have changed since, or it is of a ruleset of one's own.",),
        fixes=(
            OWN_RULES,
            f"hold it against the shipped rules all the same:  --game {game}",
        ),
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a game played again first differs: the number of the choice, and why.

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


def read_record(source: Source) -> tuple[ParsedRecord | None, list[Diagnostic]]:
    """Read the text of a record; a line that does not fit is E080."""
    lines = source.text.splitlines()
    faults: list[Diagnostic] = []
    read: list[Head | Taken | RecordEnd] = []
    for number, line in enumerate(lines, 1):
        model = Head if number == 1 else RecordEnd if '"end":' in line[:10] else Taken
        try:
            read.append(model.model_validate_json(line))
        except ValidationError as error:
            span = Span.at(source.name, number, 1, max(1, len(line)))
            faults.append(fault("E080", _misfit(error), span))
            break
    if not lines:
        faults.append(fault("E080", "The file is empty.", Span.at(source.name)))
    if faults or not isinstance(read[0], Head):
        return None, faults
    end = read[-1] if isinstance(read[-1], RecordEnd) else None
    taken = tuple(each for each in read if isinstance(each, Taken))
    return ParsedRecord(source, read[0], taken, end), []


def _misfit(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return "This line is no JSON, so it is no line of a record."
    where = ".".join(str(step) for step in first["loc"])
    reason = first["msg"][:1].lower() + first["msg"][1:]
    subject = f"`{where}`: " if where else ""
    return f"This line is no line of a record: {subject}{reason}."


def replay(
    record: ParsedRecord,
    program: Program,
    *,
    each: Callable[[ReferenceGame], None] | None = None,
    listen: bool = False,
) -> tuple[ReferenceGame | None, Difference | None]:
    """Play a record again: the game as far as it went, and the first difference.

    `each` is called at the start and after every choice.
    """
    head = record.head
    try:
        game = ReferenceGame.start(program, head.seed, head.number, listen=listen)
    except RuleFault as error:
        return None, Difference(0, 1, _faulty(error))
    recorder = Recorder(program, record.table, head.seed, head.number, head.players)
    texts = record.source.text.splitlines()
    if each:
        each(game)
    for line, taken in enumerate(record.taken, 2):
        difference = _step(game, taken, recorder, line)
        if difference is None and recorder.lines[-1] != texts[line - 1]:
            difference = Difference(taken.n, line, _unlike(recorder.lines[-1], taken))
        if difference is not None:
            return game, difference
        if each:
            each(game)
    return game, _ending(game, record, recorder, texts)


def _step(
    game: ReferenceGame, taken: Taken, recorder: Recorder, line: int
) -> Difference | None:
    """Make one recorded choice; say what is in its way."""
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
        return Difference(taken.n, line, _faulty(error))
    recorder.note(decision, choice, game)
    return None


def _unlike(line: str, taken: Taken) -> str:
    """Say how a line written now differs from the one in the record."""
    now = json.loads(line)
    if now.get("state") != taken.state and taken.state is not None:
        return f"The state is {now.get('state')} now, but was {taken.state}."
    return f"The line is {line} now."


def _ending(
    game: ReferenceGame, record: ParsedRecord, recorder: Recorder, texts: list[str]
) -> Difference | None:
    count = len(record.taken)
    if record.end is None:
        return None
    line = len(texts)
    if game.outcome is None:
        return Difference(count, line, "The game goes on where the record ends.")
    recorder.finish(game)
    if recorder.lines[-1] == texts[-1]:
        return None
    if state_hash(game) != record.end.state:
        message = f"The last state is {state_hash(game)}, but was {record.end.state}."
        return Difference(count, line, message)
    return Difference(count, line, f"The end is {recorder.lines[-1]} now.")


def _faulty(error: RuleFault) -> str:
    where = f" at {error.address}" if error.address else ""
    return f"A fault of the rules{where}: {error.code}, {error.message}"


# ---- golden records: games of a ruleset that must be played as they once were


@dataclass(frozen=True, slots=True)
class Golden:
    """A record of a ruleset, and why it is not played as before; '' if it is."""

    path: Path
    problem: str


def golden_records(ruleset: LoadedRuleset) -> Iterator[Golden]:
    """Replay each record in a ruleset's folder `playthroughs`, by name."""
    for path in sorted((ruleset.folder / GOLDEN_RECORDS).glob("**/*.jsonl")):
        yield Golden(path, verify(path, ruleset))


def verify(path: Path, ruleset: LoadedRuleset) -> str:
    """Return why a record cannot be replayed, or where it first differs; else ''."""
    record, faults = read_record(read_source(path))
    if record is None:
        return faults[0].message
    program, faults = recorded_rules(record, ruleset)
    if program is None:
        said = " ".join(f"{each.message} ({each.code})" for each in faults)
        return f"Its table cannot be played. {said}"
    _, difference = replay(record, program)
    if difference is None:
        return ""
    return f"line {difference.line}: {difference.message}"
