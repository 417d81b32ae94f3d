"""`houserule simulate`: statistics of many games by bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from houserule.base.limits import limit
from houserule.play.records.records import seat_names
from houserule.study.simulate.experiments import Experiment
from houserule.study.simulate.statistics.summary import GameShare, Simulation, Spread
from houserule.ui.cli.arguments import (
    FROM_FLAG,
    GAME,
    TableFlags,
    forewarn,
    table_flags,
)
from houserule.ui.cli.output import aligned, say, say_json
from houserule.ui.cli.playing import (
    as_usage,
    end,
    play_flags,
    preparing,
    until_width,
    watching,
)

EPILOG = """\b
Examples:
  houserule simulate pig --games 1000
  houserule simulate pig --games 200 --bots greedy,random --set target=50
  houserule simulate ./my-game --preset ours --games 500 --json
  houserule simulate pig --games 100000 --until-width 0.2
  houserule simulate pig --games 500 --csv games.csv --plot games.svg

The digest is the same for any number of jobs, here or on a cluster. Exit status 1
means that the rules failed in some game.
"""


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME, required=False)
@play_flags
@until_width("Stop when the interval of the mean of rounds is at most this wide.")
@click.option("--clauses", is_flag=True, help="Print how often each clause ran.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@FROM_FLAG
@table_flags
def command(
    game: Path | None,
    experiment: Experiment,
    width: float | None,
    clauses: bool,
    as_json: bool,
    flags: TableFlags,
) -> None:
    """Let bots play many games of a GAME, and count the results."""
    with as_usage():
        experiment.check_files()
    with preparing(experiment) as remaining:
        asked = flags.asked(game)
        ruleset = asked.open()
        table, program = asked.set(ruleset)
        forewarn(program, ruleset)
        experiment.prepare((program,))
        experiment = remaining()
    with watching(experiment.games) as watcher:
        result, draw = experiment.simulate(table, program, width, watcher)
    if as_json:
        say_json(result.model_dump())
    else:
        for line in _lines(result, seat_names(program), clauses):
            say(line)
    with as_usage():
        draw()
    end(result.ended, result.faults, result.messages)


def _lines(result: Simulation, seats: Sequence[str], clauses: bool) -> Iterator[str]:
    on, players = result.table.words, result.table.players
    yield f"{result.game}, {on}, {players} players, seed {result.seed}"
    rate = result.decisions / result.seconds if result.seconds else 0
    yield (
        f"{result.games} games, {result.decisions} choices "
        f"in {result.seconds:.1f} s ({rate:.0f} a second)"
    )
    if result.ended == "width":
        yield "The interval of rounds is as narrow as was asked for."
    yield ""
    rows = [["seat", "bot", "wins", "%", "95 %"]]
    for seat, bot in enumerate(result.bots):
        counts = _counts(result.wins[seat], result.shares[seat])
        rows.append([seats[seat], bot, *counts])
    if result.draws:
        rows.append(["drawn", "", *_counts(result.drawn, result.drawn_share)])
    yield from aligned(rows, left={0, 1})
    if result.draws:
        draws = ", ".join(f"{reason} {games}" for reason, games in result.draws.items())
        yield f"drawn by: {draws}"
    stalls = ", ".join(f"{phase} {games}" for phase, games in result.stalls.items())
    together = f"together {result.together}, " if result.together else ""
    yield (
        f"{together}ties {result.ties}, nobody {result.nobody}, "
        f"stalled {result.stalled}" + (f" ({stalls})" if stalls else "")
    )
    if result.left_open:
        most = f"{limit('decisions'):,}"
        yield f"left open after {most} choices: {result.left_open} (limit `decisions`)"
    if result.faults:
        yield f"faults of the rules: {result.faults}"
    yield ""
    parts: list[tuple[str, Spread | None]] = [
        ("rounds", result.rounds),
        ("choices", result.length),
        ("lead changes", result.lead_changes),
        *((f"score {seats[at]}", each) for at, each in enumerate(result.scores)),
    ]
    head = ["", "mean", "95 %", "sd", "least", "5 %", "25 %", "half", "75 %", "95 %"]
    rows = [[*head, "most"]]
    for name, spread in parts:
        if spread is not None:
            within = f"{spread.low:.1f} to {spread.high:.1f}"
            half = (spread.p5, spread.p25, spread.median, spread.p75, spread.p95)
            low = [f"{spread.mean:.1f}", within, f"{spread.sd:.1f}", str(spread.min)]
            rows.append(
                [name, *low, *(f"{each:.0f}" for each in half), str(spread.max)]
            )
    yield from aligned(rows)
    yield ""
    if clauses:
        rows = [[address, str(ran)] for address, ran in result.clauses.items()]
        yield from aligned([["clause", "ran"], *rows])
        yield ""
    if result.never:
        yield f"never ran: {', '.join(result.never)}"
    yield f"digest: {result.digest}"


def _counts(games: int, share: GameShare) -> list[str]:
    within = f"{100 * share.low:.1f} to {100 * share.high:.1f}"
    return [str(games), f"{100 * share.share:.1f}", within]
