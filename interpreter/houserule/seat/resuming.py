"""Going on with a game from its file: what stands, and what no longer fits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from houserule.diagnostics.diagnostic import Diagnostic
from houserule.diagnostics.render import RecordError
from houserule.record.names import choice_of
from houserule.record.own_rules import ruleset_of
from houserule.record.reading import read_record
from houserule.record.records import Difference, recorded_rules, replay
from houserule.seat.rules import TableRules
from houserule.seat.undoing import Made, OpenChoice, OpenChoices
from houserule.source import read_source

if TYPE_CHECKING:
    from pathlib import Path

    from houserule.engine.play.game import ReferenceGame
    from houserule.record.reading import ParsedRecord


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game as its file has it, with the rules that it is gone on by.

    Attributes:
        same_rules: whether these are the rules that held when the file was written.
        notes: what is to be said of the file.
    """

    record: ParsedRecord
    rules: TableRules
    same_rules: bool
    notes: tuple[Diagnostic, ...]


def read_game(file: Path, folder: Path | None = None) -> ReadGame:
    """Read the file of a game and the rules that it was played by.

    Args:
        file: its record.
        folder: a ruleset to go on by instead.

    Raises:
        OSError: the file cannot be read.
        RecordError: it is no record (E080), or its rules have no such table.
        RulesetError: the rules cannot be read.
    """
    source = read_source(file)
    record, faults = read_record(source)
    if record is None:
        raise RecordError(faults, {source.name: source})
    ruleset = ruleset_of(record, folder)
    program, faults = recorded_rules(record, ruleset)
    if program is None:
        raise RecordError(faults, {**ruleset.sources, source.name: source})
    notes = () if record.note is None else (record.note,)
    rules = TableRules(ruleset, record.table, program)
    return ReadGame(record, rules, record.rules == program.fingerprint, notes)


@dataclass(slots=True)
class Standing:
    """What stands of a game that was played again."""

    game: ReferenceGame
    made: list[Made]
    open_choices: OpenChoices


def played_again(
    record: ParsedRecord, rules: TableRules
) -> tuple[Standing | None, Difference | None]:
    """Play again what stands in a record; as far as it fits, and the first difference.

    There is no game where not even its start fits.
    """
    standing: Standing | None = None
    entries = iter(record.taken)
    before: ReferenceGame | None = None

    def each(game: ReferenceGame) -> None:
        nonlocal standing, before
        if standing is None or before is None:
            standing = Standing(game, [], OpenChoices())
        else:
            taken = next(entries)
            decision = before.decision
            assert decision is not None, "there was a choice here"
            choice = choice_of(taken.do, taken.at, rules.program)
            standing.made.append(Made(decision.seat, taken.at, choice))
            standing.open_choices.add(OpenChoice(before, decision.seat, choice), game)
        before = game.clone()

    stood = replace(record, entries=record.stood)
    _, difference = replay(stood, rules.program, each=each, listen=True)
    return standing, difference
