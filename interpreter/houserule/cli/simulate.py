"""`houserule simulate`: many games by bots, and what came of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.cli.arguments import GAME, table_flags
from houserule.cli.bots import BOTS
from houserule.cli.loading import open_ruleset, set_table
from houserule.cli.output import progress, say, say_json, tell
from houserule.record.write import seat_names
from houserule.simulate.batch import Order, simulate

if TYPE_CHECKING:
    from houserule.ir.nodes import Program
    from houserule.prepare import TableChoice
    from houserule.simulate.statistics import Simulation, Spread

EPILOG = """\b
Examples:
  houserule simulate pig --games 1000
  houserule simulate pig --games 200 --bots greedy,random --set target=50
  houserule simulate ./my-game --preset ours --games 500 --json

The games depend on the seed and nothing else: the digest is the same for any number
of jobs. Exit status 1 means that the rules failed in some game.
"""


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME)
@click.option("--games", type=click.IntRange(1), default=100, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--bots", type=BOTS, default="random", show_default=True, help="By seat.")
@click.option(
    "--engine",
    type=click.Choice(["reference"]),
    default="reference",
    show_default=True,
    help="Which engine plays.",
)
@click.option(
    "--jobs", type=click.IntRange(0), default=0, help="Processes; 0: one a core."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@table_flags
def command(
    game: Path,
    games: int,
    seed: int,
    bots: tuple[str, ...],
    engine: str,
    jobs: int,
    as_json: bool,
    choice: TableChoice,
) -> None:
    """Play many games of a GAME by bots, and count."""
    ruleset = open_ruleset(game)
    table, program = set_table(ruleset, choice)
    order = Order(ruleset.folder, table, seed, games, bots, jobs)
    with progress("playing", games) as tick:
        result = simulate(order, program, tick)
    if as_json:
        say_json(result.model_dump())
    else:
        _say(result, program)
    for message in result.messages:
        tell(message)
    if result.faults:
        raise click.exceptions.Exit(1)


def _say(result: Simulation, program: Program) -> None:
    seats = seat_names(program)
    on = ", ".join(result.table.variants) or "the base game"
    say(f"{result.game}, {on}, {result.table.players} players, seed {result.seed}")
    rate = result.decisions / result.seconds if result.seconds else 0
    say(
        f"{result.games} games, {result.decisions} choices "
        f"in {result.seconds:.1f} s ({rate:.0f} a second)"
    )
    for seat, bot in enumerate(result.bots):
        share = 100 * result.wins[seat] / result.games
        line = f"  {seats[seat]} ({bot}): {result.wins[seat]} wins ({share:.1f} %)"
        if result.scores:
            line += f", score {_spread(result.scores[seat])}"
        say(line)
    say(f"  ties {result.ties}, nobody {result.nobody}, stalled {result.stalled}")
    if result.faults:
        say(f"  faults of the rules: {result.faults}")
    say(f"rounds: {_spread(result.rounds)}")
    say(f"choices: {_spread(result.length)}")
    if result.never:
        say(f"never ran: {', '.join(result.never)}")
    say(f"digest: {result.digest}")


def _spread(spread: Spread) -> str:
    return f"{spread.mean:.1f} ± {spread.sd:.1f} ({spread.min} to {spread.max})"
