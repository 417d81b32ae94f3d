"""`houserule replay`: replay a record and verify it, choice by choice."""

from __future__ import annotations

from pathlib import Path

import click

from houserule.base.diagnostics.wording import counted
from houserule.engine.cancellation import OutOfTime, deadline
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Program
from houserule.play.records.hashes import outcome_words
from houserule.play.records.reading import ParsedRecord, read_record, record_text
from houserule.play.records.records import (
    Difference,
    difference_fault,
    recorded_rules,
    replay,
    unfinished,
)
from houserule.play.seat.log import SpokenTale, retell
from houserule.play.seat.rules import TableRules
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.arguments import (
    GAME,
    RULES_FLAG,
    chosen_language,
    give_up,
    language_flag,
    ruleset_for,
)
from houserule.ui.cli.output import (
    paint_of_seats,
    say,
    say_json,
    show,
    tell,
)
from houserule.ui.cli.timing import before_games, time_limit_flag
from houserule.ui.cli.viewers import as_flag, viewer_of

EPILOG = """\b
Examples:
  houserule replay evening.jsonl            verify it
  houserule replay evening.jsonl --tell     and narrate the game
  houserule replay evening.jsonl --game ./my-game

`replay` verifies every choice, the state after every twenty choices, and the end. It
prints the first difference, with the number of the choice where it occurs. Exit status
1 means that the record differs, or does not reach the end of its game.
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--game", type=GAME, help="Path to the ruleset, if it is not a built-in game."
)
@click.option(
    "--tell",
    "aloud",
    is_flag=True,
    help="Narrate the game, with the players' names and the choices taken back.",
)
@language_flag("Language of the narration.")
@as_flag
@click.option(
    "--boards/--no-boards", "draw", default=True, help="Draw the boards, or not."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@RULES_FLAG
@time_limit_flag("Stop after this time, with exit status 1.")
def command(
    file: Path,
    game: Path | None,
    aloud: bool,
    lang: str | None,
    viewer: str | None,
    draw: bool,
    as_json: bool,
    rules: tuple[Path, ...],
    time_limit: float | None,
) -> None:
    """Replay the record in FILE, and verify it."""
    source = record_text(file)
    record, faults = read_record(source)
    if record is None:
        give_up(faults, {source.name: source})
    if record.note is not None:
        show([record.note], {source.name: source})
    with before_games(time_limit) as left:
        ruleset = ruleset_for(record, game, rules)
        language = chosen_language(lang, ruleset.manifest.languages)
        assumed = game is None and record.own is None and not rules
        program, faults = recorded_rules(record, ruleset, assumed=assumed)
    if program is None:
        give_up(faults, {**ruleset.sources, source.name: source})
    players = record.head.players
    table = TableRules(ruleset, record.table, program)
    seen_by = viewer_of(viewer, table.wording(language, players))
    paint = paint_of_seats()
    tale = SpokenTale(
        table.narrator(language, players, boards=draw, paint=paint, viewer=seen_by),
        language,
        say,
    )
    heard = Heard()
    tales = [tale] if aloud or viewer else None
    try:
        with deadline(left()):
            if tales is None:
                ended, difference = replay(record, program, each=heard)
            else:
                ended, difference = retell(record, program, tales, heard)
    except OutOfTime:
        done = counted(max(heard.moments, 0), "choice")
        message = f"Time is up after {done}; so far it is the same."
        if as_json:
            say_json(_object(record, program, None, None, message) | {"ended": "time"})
        tell(message)
        raise click.exceptions.Exit(FINDINGS) from None
    same_rules = record.rules == program.fingerprint
    short = unfinished(record, ended) if ended and difference is None else ""
    same = difference is None and not short
    if as_json:
        say_json(_object(record, program, ended, difference, short))
    elif same:
        say(f"{len(record.taken)} choices replayed; the record is the same.")
    elif short:
        say(f"Unfinished: {short} So far it is the same.")
    if not same_rules and not as_json:
        tell("Note: the rules have changed since this record was made.")
    if difference is not None and not as_json:
        source = record.source
        give_up([difference_fault(record, difference)], {source.name: source})
    if not same:
        raise click.exceptions.Exit(FINDINGS)


class Heard:
    """The number of replayed moments of a record, from -1; the start is moment 0."""

    moments = -1

    def __call__(self, *_: object) -> None:
        """Count a start or a choice."""
        self.moments += 1


def _object(
    record: ParsedRecord,
    program: Program,
    game: ReferenceGame | None,
    difference: Difference | None,
    short: str,
) -> dict[str, object]:
    return {
        "ended": "record",
        "same": difference is None and not short,
        "finished": record.end is not None,
        "same_rules": record.rules == program.fingerprint,
        "choices": len(record.taken),
        "outcome": outcome_words(game.outcome if game else None),
        "differs_at": difference.choice if difference else None,
        "message": difference.message if difference else short,
    }
