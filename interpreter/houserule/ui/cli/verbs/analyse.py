"""`houserule analyse`: the turning points of a recorded game, and better choices."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import cast

import click

from houserule.base.source import Source
from houserule.compiler.prepare import TableChoice
from houserule.engine.bots.bot import LEVELS
from houserule.engine.cancellation import OutOfTime, deadline
from houserule.engine.compiled.bots.compiled_bots import quick_bots
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.ruleset_models import in_language
from houserule.play.records.own_rules import own_rules
from houserule.play.records.people import RecordedPeople
from houserule.play.records.reading import read_record, record_text
from houserule.play.records.records import (
    Recorder,
    difference_fault,
    recorded_rules,
    seat_names,
)
from houserule.play.seat.rules import TableRules
from houserule.study.analysis.analyse import (
    MOST,
    Analysing,
    NotFinishedError,
    Wanted,
    decisions_of,
)
from houserule.study.analysis.analysis_model import Ended
from houserule.study.analysis.report import draw, told
from houserule.study.simulate.experiments import Experiment
from houserule.ui.cli import INTERRUPTED
from houserule.ui.cli.arguments import (
    FROM_FLAG,
    GAME,
    RULES_FLAG,
    SEED,
    TableFlags,
    chosen_language,
    give_up,
    language_flag,
    reported,
    ruleset_for,
)
from houserule.ui.cli.output import (
    aligned,
    progress,
    say,
    say_json,
    show,
    tell,
    writable,
)
from houserule.ui.cli.playing import FILE, as_usage, played
from houserule.ui.cli.timing import before_games, time_limit_flag
from houserule.ui.cli.viewers import seat_of

EPILOG = f"""\b
Examples:
  houserule analyse evening.jsonl                 where the game turned
  houserule analyse evening.jsonl --bots strong   look longer at each choice
  houserule analyse evening.jsonl --seat p2 --most 10
  houserule analyse evening.jsonl --plot evening.svg
  houserule analyse --from puzzle.yaml            bots play on from a position
  houserule analyse evening.jsonl --as p2         even if the game is unfinished

\b
The search knows only what the seat knew. Levels: {", ".join(LEVELS)}. It reports a loss
only if the loss is significant.
"""


class EffortParameter(click.ParamType[str]):
    """A search bot by its name, with a budget in decisions."""

    name = "bot"

    def convert(
        self,
        value: str,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the name; another bot, or a time budget, is a usage error."""
        try:
            decisions_of(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return value


@click.command(epilog=EPILOG)
@click.argument(
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=False,
)
@FROM_FLAG
@click.option(
    "--game", type=GAME, help="Path to the ruleset, if it is not a built-in game."
)
@click.option(
    "--bots",
    "effort",
    type=EffortParameter(),
    default="fair",
    show_default=True,
    help=(
        "The search that looks at each choice: easy, fair, strong, or `search:5000`"
        " for that many decisions."
    ),
)
@click.option(
    "--seat",
    metavar="SEAT",
    help="Only choices of this seat: its name in the rules or at the table.",
)
@click.option(
    "--as",
    "viewer",
    metavar="SEAT",
    help=(
        "Only choices of that seat, from what it could know; the game may be "
        "unfinished."
    ),
)
@click.option(
    "--most",
    type=click.IntRange(0),
    default=MOST,
    show_default=True,
    metavar="N",
    help="Print at most N turning points and changes of the lead.",
)
@click.option(
    "--seed",
    type=SEED,
    default=1,
    show_default=True,
    help="The random seed of the searches; the game's own seed does not matter.",
)
@language_flag("Language of the answer.")
@click.option(
    "--plot",
    "plot_file",
    type=FILE,
    metavar="FILE",
    help=("Draw each seat's chances through the game, as .png, .svg or .pdf."),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@RULES_FLAG
@time_limit_flag("Stop after this time, and report the turning points found.")
def command(
    file: Path | None,
    from_file: Path | None,
    game: Path | None,
    effort: str,
    seat: str | None,
    viewer: str | None,
    most: int,
    seed: int,
    lang: str | None,
    plot_file: Path | None,
    as_json: bool,
    rules: tuple[Path, ...],
    time_limit: float | None,
) -> None:
    """List the costliest choices of the game in FILE, and the better ones.

    FILE is a record of a finished game; with `--as`, the game may be unfinished. With
    `--from`, bots first play the game on from a position, and that game is analysed.
    """
    if (file is None) == (from_file is None):
        raise click.UsageError("Name a record, or give a position with --from.")
    if plot_file is not None:
        with as_usage():
            Experiment(plot_file=plot_file).check_files()
    with before_games(time_limit) as left:
        if file is not None:
            source = record_text(file)
        else:  # bots play from the position
            begins = cast("Path", from_file)
            chosen = TableFlags(TableChoice(), rules, None, begins).asked(game)
            ruleset = chosen.open()
            set_, compiled = chosen.set(ruleset)
            bots = (effort,) * compiled.seats
            own = own_rules(ruleset, None)
            recorder = Recorder(compiled, set_, seed, 0, bots, own=own)
            with reported(ruleset.sources):
                playing = ReferenceGame.start(compiled, seed)
                seated = quick_bots(bots, compiled, seed, 0)
                deque(played(playing, seated, recorder), maxlen=0)
            source = Source(str(begins), recorder.text)
        record, faults = read_record(source)
        if record is None:
            give_up(faults, {source.name: source})
        if record.note is not None:
            show([record.note], {source.name: source})
        ruleset = ruleset_for(record, game, rules)
        language = chosen_language(lang, ruleset.manifest.languages)
        assumed = game is None and record.own is None and not rules
        program, faults = recorded_rules(record, ruleset, assumed=assumed)
        if program is None:
            give_up(faults, {**ruleset.sources, source.name: source})
        table = TableRules(ruleset, record.table, program)
        people = RecordedPeople.at_end(record, seat_names(program))
        players = tuple(people.names.values())
        if seat is not None and viewer is not None:
            raise click.UsageError(
                "`--as` means the choices of that seat: leave --seat out."
            )
        asked = viewer if seat is None else seat
        number = None
        if asked is not None:
            number = seat_of(asked, table.wording(language, players))
        wanted = Wanted(
            effort=effort,
            seat=number,
            blind=viewer is not None,
            language=language,
            players=players,
            seed=seed,
        )
        try:
            analysing = Analysing.begin(record, table, wanted)
        except NotFinishedError as error:
            raise click.UsageError(
                f"{error} Use `--as SEAT` for what that seat can know."
            ) from None
        if not isinstance(analysing, Analysing):
            give_up([difference_fault(record, analysing)], {source.name: source})
    ended: Ended = "time"
    try:
        with (
            reported(table.ruleset.sources),
            deadline(left()),
            progress("looking", analysing.total) as tick,
        ):
            ended = analysing.go_through(tick)
    except OutOfTime:
        tell("note: Time is up.")
    found = analysing.summed(most, ended)
    title = in_language(table.ruleset.manifest.title, language)
    if as_json:
        say_json(found.model_dump(mode="json"))
    else:
        words = told(found, language, title, most, str(file or from_file))
        for line in (*words.before, *aligned(words.table), *words.after):
            say(line)
    if plot_file is not None:
        with writable(plot_file):
            draw(plot_file, found, title, language)
    if ended == "interrupt":
        raise click.exceptions.Exit(INTERRUPTED)
