"""Resuming a game from its file: the choices that stand, and those that do not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.diagnostics.render import RecordError
from houserule.base.frozen import frozen, slotted
from houserule.base.source import Source
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.records.choice_words import choice_of
from houserule.play.records.lines import Taken
from houserule.play.records.own_rules import ruleset_of
from houserule.play.records.people import RecordedPeople
from houserule.play.records.reading import ParsedRecord, read_record
from houserule.play.records.records import (
    Difference,
    Recorder,
    recorded_rules,
    seat_names,
)
from houserule.play.seat.log import GameLog, TaleKey, retell
from houserule.play.seat.rules import TableRules
from houserule.play.seat.undoing import Decided


@frozen
class ReadGame:
    """A game read from its file, with the rules that it continues with.

    Attributes:
        people: the players at its end.
        same_rules: whether the rules are the same as when the file was written.
    """

    record: ParsedRecord
    rules: TableRules
    people: RecordedPeople
    same_rules: bool
    notes: tuple[Diagnostic, ...]

    def recorder(self, names: Sequence[str], stand: int) -> Recorder:
        """Return a recorder that continues the record after `stand` choices."""
        rules, head = self.rules, self.record.head
        made = Recorder(rules.program, rules.chosen, head.seed, head.number, names)
        made.lines, made.choices = list(self.record.lines), stand
        return made


def read_game(source: Source, folder: Path | None = None) -> ReadGame:
    """Read the record of a game and its rules.

    Args:
        folder: a ruleset to use instead.

    Raises:
        RecordError: it is not a record (E080), or its rules have no such table.
        RulesetError: the rules cannot be read.
    """
    record, faults = read_record(source)
    if record is None:
        raise RecordError(faults, {source.name: source})
    ruleset = ruleset_of(record, folder)
    program, faults = recorded_rules(record, ruleset)
    if program is None:
        raise RecordError(faults, {**ruleset.sources, source.name: source})
    notes = () if record.note is None else (record.note,)
    rules = TableRules(ruleset, record.table, program)
    people = RecordedPeople.at_end(record, seat_names(program))
    return ReadGame(record, rules, people, record.rules == program.fingerprint, notes)


@slotted
class Standing:
    """The standing choices of a replayed game, and its logs."""

    game: ReferenceGame
    tales: Mapping[TaleKey, GameLog]
    decided: Decided = field(default_factory=Decided)


def played_again(
    record: ParsedRecord,
    rules: TableRules,
    tales: Callable[[], Mapping[TaleKey, GameLog]],
) -> tuple[Standing | None, Difference | None]:
    """Replay and log a record as far as it fits; return the first difference.

    Undone choices are included only if they still fit; otherwise only the choices that
    stand are replayed. If not even the start fits, there is no game. `tales` makes new
    logs.
    """
    again, difference = _played(record, rules, tales())
    smooth = record.smooth
    if difference is None or record.entries == smooth.entries:
        return again, difference
    return _played(smooth, rules, tales())


def _played(
    record: ParsedRecord, rules: TableRules, tales: Mapping[TaleKey, GameLog]
) -> tuple[Standing | None, Difference | None]:
    parts = (entry.part for entry in record.entries)
    taken = (part for part in parts if isinstance(part, Taken))
    standing: Standing | None = None
    before: ReferenceGame | None = None

    def each(game: ReferenceGame, stand: int) -> None:
        nonlocal standing, before
        if standing is None or before is None:
            standing = Standing(game, tales)
        elif stand > len(standing.decided.made):
            line = next(taken)
            choice = choice_of(line.do, line.at, rules.program)
            standing.decided.note(before, choice, game)
        else:
            standing.decided.back_to(game, stand)
        standing.game = game
        before = game.clone()

    _, difference = retell(record, rules.program, list(tales.values()), each)
    return standing, difference
