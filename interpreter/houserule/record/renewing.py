"""A golden record written anew: the same choices, in other words of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.engine.play.game import ReferenceGame
from houserule.record.lines import RecordEnd, Taken
from houserule.record.reading import read_record
from houserule.record.records import Recorder, recorded_rules, seat_names, step
from houserule.state.faults import RuleFault

if TYPE_CHECKING:
    from houserule.manifest.ruleset import LoadedRuleset
    from houserule.source import Source


class CannotRenew(Exception):
    """The choices of a record do not make the same game: the message says where."""


def renewed(source: Source, ruleset: LoadedRuleset) -> str:
    """Return the text of a record with the hashes that its rules and states have now.

    Every choice must still be possible, and the game must end as it did.

    Raises:
        CannotRenew: it cannot be played, or goes another way; or people took part.
    """
    record, faults = read_record(source)
    program = None
    if record is not None and not faults:
        program, faults = recorded_rules(record, ruleset)
    if record is None or program is None:
        raise CannotRenew(" ".join(each.message for each in faults))
    head = record.head
    if head.version != 1:
        raise CannotRenew("People played it.")
    recorder = Recorder(program, record.table, head.seed, head.number, head.players)
    try:
        game = ReferenceGame.start(program, head.seed, head.number)
    except RuleFault as error:
        raise CannotRenew(error.told) from None
    for entry in record.entries:
        match entry.part:
            case Taken() as taken:
                difference = step(game, taken, recorder, entry.line)
                if difference is not None:
                    raise CannotRenew(difference.message)
            case RecordEnd() as end:
                _finish(game, recorder, end)
            case _:
                raise CannotRenew("People played it.")
    return recorder.text


def _finish(game: ReferenceGame, recorder: Recorder, end: RecordEnd) -> None:
    if game.outcome is None:
        raise CannotRenew("The game goes on where the record ends.")
    recorder.finish(game)
    names = seat_names(game.program)
    won = [names[seat] for seat in game.outcome.winners]
    if (game.outcome.kind, won) != (end.end, end.winners):
        raise CannotRenew("The game ends otherwise.")
