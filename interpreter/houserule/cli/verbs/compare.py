"""`houserule compare`: what a change of the rules does, on the same luck."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.cli.arguments import (
    COMMAND,
    GAME,
    Setting,
    Words,
)
from houserule.cli.compare_tables import Wish, tables_of
from houserule.cli.comparison_text import lines_of
from houserule.cli.loading import open_ruleset, read_choice
from houserule.cli.output import say, say_json, tell
from houserule.cli.playing import (
    check_files,
    draw_picture,
    end,
    play_flags,
    play_order,
    until_width,
)
from houserule.cli.warnings import forewarn
from houserule.prepare import TableChoice
from houserule.simulate.comparison import compare, narrow_enough
from houserule.simulate.output.plot import plot_comparison

if TYPE_CHECKING:
    from collections.abc import Callable

    from houserule.cli.compare_tables import Tables
    from houserule.cli.playing import Play
    from houserule.manifest.ruleset import LoadedRuleset, Plain

EPILOG = """\b
Examples:
  houserule compare ./my-game --with a --games 2000
  houserule compare pig --set target=50 --games 500 --plot target.svg
  houserule compare ./my-game --base ours --each a,b,c --pairs --games 5000
  houserule compare ./my-game --without a --games 100000 --until-width 0.2

\b
--base, --with and --each name variants, or a preset of the game. Every game is played
with the same luck at all tables. Exit status 1 means that the rules failed in some
game.
"""


def _names(flag: str, name: str, says: str) -> Callable[[COMMAND], COMMAND]:
    return click.option(
        flag, name, type=Words(), multiple=True, metavar="A,B", help=says
    )


def _settings(flag: str, name: str, says: str) -> Callable[[COMMAND], COMMAND]:
    return click.option(
        flag, name, type=Setting(), multiple=True, metavar="KEY=VALUE", help=says
    )


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME)
@_names("--base", "base", "What all tables have.")
@_names("--with", "with_", "What the changed table has besides.")
@_names("--without", "without", "What the changed table leaves out.")
@_settings("--set", "settings", "How the changed table sets an option.")
@_names("--each", "each", "Changes, each compared with the base.")
@click.option("--pairs", is_flag=True, help="What each two of these do together.")
@_settings("--base-set", "shared", "How all tables set an option.")
@click.option("--players", type=click.IntRange(1), metavar="N", help="Seats.")
@click.option(
    "--table",
    "table_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A table file for the base; the other flags stand above it.",
)
@until_width("Stop when the difference in rounds is known to so wide an interval.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@play_flags
def command(
    game: Path,
    base: tuple[tuple[str, ...], ...],
    with_: tuple[tuple[str, ...], ...],
    without: tuple[tuple[str, ...], ...],
    settings: tuple[tuple[str, Plain], ...],
    each: tuple[tuple[str, ...], ...],
    pairs: bool,
    shared: tuple[tuple[str, Plain], ...],
    players: int | None,
    table_file: Path | None,
    width: float | None,
    as_json: bool,
    play: Play,
) -> None:
    """Play the same games at two or more tables of a GAME, and tell what differs."""
    check_files(play)
    ruleset = open_ruleset(game)
    wish = Wish(
        _flat(base), _flat(with_), _flat(without), dict(settings), _flat(each), pairs
    )
    below = TableChoice() if table_file is None else read_choice(table_file)
    tables = tables_of(ruleset, wish, dict(shared), players, below)
    _tell_before(tables, ruleset)
    _compare(tables, play, width, as_json)


def _flat(names: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(name for some in names for name in some)


def _tell_before(tables: Tables, ruleset: LoadedRuleset) -> None:
    """Tell what the rules warn of at each table, and what cannot be played."""
    for name, program in zip(tables.names, tables.programs, strict=True):
        forewarn(program, ruleset, table=name)
    for out in tables.left_out:
        tell(f"note: {out.name} is left out: {out.reason}")


def _compare(tables: Tables, play: Play, width: float | None, as_json: bool) -> None:
    plan, programs = tables.plan, tuple(tables.programs)
    order = play.order(programs, rotate=True)
    counted, ended = play_order(
        order,
        play,
        plan.pairs,
        plan.names,
        None if width is None else lambda found: narrow_enough(found, plan, width),
    )
    result = compare(order, plan, counted, ended)
    if as_json:
        say_json(result.model_dump())
    else:
        for line in lines_of(result):
            say(line)
    tallies = dict(zip(plan.names, counted.tallies, strict=True))
    draw_picture(play, lambda file: plot_comparison(file, result, tallies))
    end(ended, result.faults, result.messages)
