"""`houserule compare`: the effect of a rule change, with the same seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from houserule.base.diagnostics.wording import counted
from houserule.compiler.options.scales import setting_words
from houserule.language.manifest.ruleset import Plain
from houserule.study.simulate.compared_tables import (
    ComparedTables,
    NothingToCompareError,
    choice_by_names,
)
from houserule.study.simulate.comparison import (
    Comparison,
)
from houserule.study.simulate.experiments import Experiment
from houserule.study.simulate.statistics.measures import with_margin
from houserule.study.simulate.statistics.summary import THE_BASE
from houserule.ui.cli.arguments import (
    COMMAND,
    GAME,
    RULES_FLAG,
    TABLE_FLAG,
    NamesParameter,
    SettingParameter,
    flags_of,
    forewarn,
    read_choice,
    reported,
)
from houserule.ui.cli.output import aligned, say, say_json, tell
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
  houserule compare ./my-game --with a --games 2000
  houserule compare pig --set target=50 --games 500 --plot target.svg
  houserule compare ./my-game --base ours --each a,b,c --pairs --games 5000
  houserule compare ./my-game --without a --games 100000 --until-width 0.2

\b
To compare two table files, use --table and --other. All tables play the same games, on
the same random numbers, with as many players as the base. Exit status 1 means that the
rules failed in some game.
"""


def _names(flag: str, name: str, says: str) -> Callable[[COMMAND], COMMAND]:
    return click.option(
        flag, name, type=NamesParameter(), multiple=True, metavar="A,B", help=says
    )


def _settings(flag: str, name: str, says: str) -> Callable[[COMMAND], COMMAND]:
    return click.option(
        flag,
        name,
        type=SettingParameter(),
        multiple=True,
        metavar="KEY=VALUE",
        help=says,
    )


@click.command(epilog=EPILOG)
@click.argument("game", type=GAME, required=False)
@_names("--base", "base", "Variants or a preset of all tables.")
@_names("--with", "with_", "Variants or a preset of the changed table.")
@_names("--without", "without", "Variants that the changed table switches off.")
@_settings("--set", "settings", "Set an option at the changed table.")
@_names("--each", "each", "Compare the base with each of these changes.")
@click.option(
    "--pairs",
    is_flag=True,
    help="Also measure what each two of these do together, beyond the sum of both.",
)
@_settings("--base-set", "shared", "Set an option at all tables.")
@click.option(
    "--players", type=click.IntRange(1), metavar="N", help="The number of players."
)
@click.option(
    "--other",
    "other_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A table file that alone defines the changed table, except for the players.",
)
@TABLE_FLAG
@RULES_FLAG
@until_width("Stop when the interval of the difference in rounds is at most this wide.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@play_flags
def command(
    game: Path | None,
    base: tuple[tuple[str, ...], ...],
    with_: tuple[tuple[str, ...], ...],
    without: tuple[tuple[str, ...], ...],
    settings: tuple[tuple[str, Plain], ...],
    each: tuple[tuple[str, ...], ...],
    pairs: bool,
    shared: tuple[tuple[str, Plain], ...],
    players: int | None,
    other_file: Path | None,
    table_file: Path | None,
    rules: tuple[Path, ...],
    width: float | None,
    as_json: bool,
    experiment: Experiment,
) -> None:
    """Play the same games at two or more tables of a GAME, and compare the results."""
    with as_usage():
        experiment.check_files()
    with preparing(experiment) as remaining:
        other = None if other_file is None else read_choice(other_file)
        more = (*(other.rules if other else ()), *rules)
        asked = flags_of(table_file=table_file, rules=more).asked(game)
        ruleset, below = asked.open(), asked.choice
        changed = bool(_flat(with_) or _flat(without) or settings)
        many = _flat(each)
        if other and (changed or many):
            raise click.UsageError(
                "`--other` is the whole changed table; leave `--each`, `--with`, "
                "`--without` and `--set` out."
            )
        if many and changed:
            raise click.UsageError(
                "`--each` names the changes; leave `--with`, `--without` and `--set` "
                "out, or put what all tables share into `--base` or `--base-set`."
            )
        if not (many or changed or other):
            raise click.UsageError(
                "Nothing to compare. Use `--with VARIANT`, `--without VARIANT`, "
                "`--set KEY=VALUE`, `--each A,B` or `--other FILE`."
            )
        if pairs and len(set(many)) < 2:
            raise click.UsageError("`--pairs` needs at least two of `--each`.")
        with _unsound():
            own = choice_by_names(ruleset, _flat(base))
            own = replace(own, settings=dict(shared), players=players).over(below)
            on = _flat(base) or ([below.preset] if below.preset else below.with_)
            set_ = setting_words({**below.settings, **dict(shared)})
            name = ", ".join([*on, *set_]) or THE_BASE
            tables = ComparedTables.begin(ruleset, own, name)
            if each:
                tables.add_each(many, pairs=pairs)
            elif other is not None and other_file is not None:
                tables.add_table(other_file.stem, other)
            else:
                change = choice_by_names(ruleset, _flat(with_), _flat(without))
                names = [*_flat(with_), *(f"without {name}" for name in _flat(without))]
                names += setting_words(dict(settings))
                change = replace(change, settings=dict(settings))
                tables.add_change(", ".join(names), change)
        for name, program in zip(tables.names, tables.programs, strict=True):
            forewarn(program, ruleset, table=name)
        for out in tables.left_out:
            tell(f"note: {out.name} is left out: {out.reason}")
        experiment.prepare(tables.programs)
        experiment = remaining()
    with watching(experiment.games) as watcher:
        programs = tuple(tables.programs)
        result, draw = experiment.compare(tables.plan, programs, width, watcher)
    if as_json:
        say_json(result.model_dump())
    else:
        for line in lines_of(result):
            say(line)
    with as_usage():
        draw()
    end(result.ended, result.faults, result.messages)


def _flat(names: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(name for some in names for name in some)


@contextmanager
def _unsound() -> Iterator[None]:
    """End the verb if a table cannot be played or a name is unknown."""
    try:
        with reported():
            yield
    except NothingToCompareError as error:
        raise click.UsageError(f"None of `--each` can be played. {error}") from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None


# ---- a comparison for readers

MANY = 30


def lines_of(result: Comparison) -> Iterator[str]:
    """Yield the lines of a comparison."""
    bots = ", ".join(dict.fromkeys(result.bots))
    yield (
        f"{result.game}, {counted(result.players, 'player')} ({bots}), "
        f"seed {result.seed}: {counted(result.games, 'game')} at each table, "
        "on the same random numbers"
    )
    if result.ended == "width":
        yield "The interval is as narrow as was asked for."
    name, on = result.base.name, ", ".join(result.base.table.variants)
    named = name if not on or on == name else f"{name} ({on})"
    yield f"base: {named}"
    for change in result.changes:
        yield ""
        yield f"with {change.name}:".replace("with without", "without")
        rows = [["", "base", "changed", "difference", ""]]
        for each in change.differences:
            if not (each.base or each.changed):
                continue  # events that happened at neither table
            scale = 100 if each.kind == "share" else 1
            margin = scale * (each.high - each.low) / 2
            base, changed = (
                f"{scale * value:.1f} %" if scale == 100 else f"{value:.2f}"
                for value in (each.base, each.changed)
            )
            difference = with_margin(scale * each.difference, margin, "+")
            rows.append([each.measure, base, changed, difference, each.verdict])
        yield from aligned(rows, left={0, 4}, indent="  ")
    if result.interactions:
        yield ""
        yield "what two do together beyond the sum of both:"
        for two in result.interactions:
            seen = [found for found in two.differences if found.seen]
            rows = [[found.measure, found.verdict] for found in seen]
            yield f"  {' and '.join(two.changes)}:" + ("" if seen else " nothing seen")
            yield from aligned(rows, left={0, 1}, indent="    ")
    yield ""
    line = "95 % intervals, each measure for itself"
    if result.together > 1:
        line += f"; of each measure, those of all {result.together} changes at once"
    if result.games < MANY:
        line += f"; with fewer than {MANY} games they are rough"
    yield line
    if result.faults:
        yield f"faults of the rules: {result.faults}"
