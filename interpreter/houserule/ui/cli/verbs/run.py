"""`houserule run`: one game by bots, narrated as it happens."""

from __future__ import annotations

from pathlib import Path

import click

from houserule.base.diagnostics.render import RecordError
from houserule.base.diagnostics.wording import counted
from houserule.base.files import UnreadableError
from houserule.engine.bots.bot import HOW, NAMES
from houserule.engine.cancellation import OutOfTime, deadline
from houserule.engine.compiled.bots.compiled_bots import quick_bots
from houserule.engine.reference.choices import Outcome
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.records.appending import write_record
from houserule.play.records.hashes import state_hash
from houserule.play.records.own_rules import own_rules
from houserule.play.records.records import Recorder, seat_names
from houserule.play.seat.rules import TableRules
from houserule.study.simulate.play import scores, seated
from houserule.ui.cli import FINDINGS, WRONG_USAGE
from houserule.ui.cli.arguments import (
    BOTS_FLAG,
    FROM_FLAG,
    GAME,
    SEED,
    TableFlags,
    chosen_language,
    forewarn,
    language_flag,
    reported,
    table_flags,
)
from houserule.ui.cli.output import (
    paint_of_seats,
    say,
    say_json,
    show,
    tell,
)
from houserule.ui.cli.playing import played
from houserule.ui.cli.timing import before_games, time_limit_flag
from houserule.ui.cli.viewers import as_flag, viewer_of

EPILOG = f"""\b
Examples:
  houserule run pig                       two seats, random bots, seed 1
  houserule run pig --players 3 --bots greedy,random --seed 7
  houserule run pig --set target=50 --record evening.jsonl
  houserule run pig --as p2               as the second player saw it
  houserule run --from puzzle.yaml        from a position
  houserule run pig --json                the outcome only

Bots: {", ".join(NAMES)}, or a search with a limit ({HOW}). If there are fewer bots than
seats, they take turns.
"""


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME, required=False)
@BOTS_FLAG
@click.option(
    "--seed",
    type=SEED,
    default=1,
    show_default=True,
    help="The random seed; the same seed gives the same game.",
)
@click.option(
    "--number",
    type=click.IntRange(0),
    default=0,
    help="Play game N of the seed, from 0, as `simulate` does.",
)
@click.option(
    "--record",
    "record_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a record of the game; replace an old one only if its game is over.",
)
@language_flag("Language of the narration.")
@as_flag
@click.option(
    "--boards/--no-boards", "draw", default=True, help="Draw the boards, or not."
)
@click.option("--quiet", "-q", is_flag=True, help="Print only the end.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object at the end."
)
@time_limit_flag("Stop the game after this time, with exit status 1.")
@FROM_FLAG
@table_flags
def command(
    game: Path | None,
    bots: tuple[str, ...],
    seed: int,
    number: int,
    record_file: Path | None,
    lang: str | None,
    viewer: str | None,
    draw: bool,
    quiet: bool,
    as_json: bool,
    time_limit: float | None,
    flags: TableFlags,
) -> None:
    """Let bots play one GAME, and print what happens."""
    with before_games(time_limit) as left:
        asked = flags.asked(game, lang)
        ruleset = asked.open()
        language = chosen_language(lang, ruleset.manifest.languages)
        table, program = asked.set(ruleset)
        if not quiet:
            forewarn(program, ruleset, language)
    with reported():
        own = None if record_file is None else own_rules(ruleset, record_file)
    seats, aloud = seated(bots, program.seats), not (quiet or as_json)
    noted = Recorder(program, table, seed, number, seats, own=own)
    rules = TableRules(ruleset, table, program)
    viewed = viewer_of(viewer, rules.wording(language, seats))
    draw, paint = aloud and draw, paint_of_seats()
    narrator = rules.narrator(language, seats, boards=draw, paint=paint, viewer=viewed)
    playing: ReferenceGame | None = None
    try:
        with reported(ruleset.sources), deadline(left()):
            playing = ReferenceGame.start(program, seed, number, listen=aloud)
            players = quick_bots(bots, program, seed, number)
            for line in played(playing, players, noted, narrator if aloud else None):
                say(line)
    except OutOfTime:
        playing = None
    finally:
        # The log continues to the end of what was played.
        unwritten = True
        try:
            if record_file is not None:
                write_record(record_file, noted.text, sparing=True)
            unwritten = False
        except (RecordError, UnreadableError) as error:
            show(error.diagnostics, error.sources)
        except OSError as error:
            why = error.strerror or error
            tell(f"The record `{record_file}` cannot be written: {why}")
    if playing is None:
        # A game that was interrupted within a choice has an incomplete state.
        choices = len(noted.lines) - 1
        if as_json:
            nothing = dict.fromkeys(("outcome", "stalled_in", "state"))
            found = {"game": program.game, "ended": "time", "choices": choices}
            say_json({**found, **nothing, "winners": [], "drawn_by": [], "scores": {}})
        tell(f"Time is up after {counted(choices, 'choice')}; the game is not over.")
    elif as_json:
        outcome: Outcome | None = playing.outcome
        assert outcome is not None, "the game was played to its end"
        names = seat_names(program)
        say_json(
            {
                "game": program.game,
                "ended": "game",
                "outcome": outcome.kind,
                "winners": [names[seat] for seat in outcome.winners],
                "stalled_in": outcome.stalled_in,
                "drawn_by": list(outcome.drawn_by),
                "scores": dict(zip(names, scores(playing), strict=False)),
                "choices": noted.choices,
                "state": state_hash(playing),
            }
        )
    else:
        if quiet:
            say(narrator.end(playing))
        if standings := narrator.scores(playing):
            say(standings)
    if unwritten or playing is None:
        raise click.exceptions.Exit(WRONG_USAGE if unwritten else FINDINGS)
