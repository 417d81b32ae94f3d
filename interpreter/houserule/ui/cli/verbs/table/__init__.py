"""`houserule table`: write, change and show a table in a file."""

from __future__ import annotations

from collections.abc import Callable
from os.path import relpath
from pathlib import Path
from typing import TypeVar

import click

from houserule.base.diagnostics.render import DiagnosticsError
from houserule.base.resources import Phrases
from houserule.compiler.table_files.editing import KeptTable
from houserule.compiler.table_files.planned import TableStep, as_seen_from
from houserule.compiler.table_files.reading import default_table
from houserule.language.manifest.kinds.kinds import DEFAULT_TABLE
from houserule.language.manifest.yaml.edit import written
from houserule.ui.cli.arguments import (
    GAME,
    RULES_FLAG,
    TABLE_FLAG,
    TABLE_FLAGS,
    SettingParameter,
    chosen_language,
    flags_of,
    give_up,
    language_flag,
    reported,
)
from houserule.ui.cli.output import tell, write_file
from houserule.ui.cli.verbs.table.telling import tell_table

COMMAND = TypeVar("COMMAND", bound="Callable[..., object]")

EPILOG = """\b
Examples:
  houserule table new friday.yaml pig --players 3
  houserule table add friday.yaml our_variant ours.rules
  houserule table set friday.yaml target=50 players=4
  houserule table remove friday.yaml target
  houserule table show friday.yaml --lang de

\b
Without FILE it is houserule.yaml in this folder, or above it.
"""


@click.group(epilog=EPILOG)
def command() -> None:
    """Keep a table in a FILE; comments and everything else in it are preserved.

    After each change, it prints conflicts and missing choices, with suggestions. The
    change is written anyway, so that you can continue.
    """


def _speaking(function: COMMAND) -> COMMAND:
    """Add the language and output flags to a command."""
    as_json = click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON object."
    )
    return language_flag("Language of titles and words.")(as_json(function))


def _new_flags(function: COMMAND) -> COMMAND:
    for flag in reversed(TABLE_FLAGS):
        if flag is not TABLE_FLAG:
            function = flag(function)
    return function


@command.command()
@click.argument("words", nargs=-1, required=True, metavar="[FILE] GAME")
@_speaking
@_new_flags
def new(
    words: tuple[str, ...], lang: str | None, as_json: bool, **given: object
) -> None:
    """Write a new table file for a GAME, with the choices that the flags make."""
    if len(words) > 2:
        raise click.UsageError("Give a FILE and a GAME, or a GAME alone.")
    path = Path(DEFAULT_TABLE if len(words) == 1 else words[0])
    if path.exists():
        raise click.UsageError(f"There is a file `{path}` already.")
    if not path.parent.is_dir():
        raise click.UsageError(f"There is no folder `{path.parent}`.")
    folder = GAME.convert(words[-1], None, None)
    by_path = (Path(words[-1]) / "ruleset.yaml").is_file()
    game = as_seen_from(path.parent, folder) if by_path else words[-1]
    flags = flags_of(**given)  # type: ignore[arg-type]  # as click gives them
    choice = flags.choice
    settings = dict(choice.settings)
    if choice.players is not None:
        settings["players"] = choice.players
    preset = () if choice.preset is None else (choice.preset,)
    with reported():
        table = KeptTable.of(path, f"game: {written(game)}\n")
        chosen_language(lang, table.ruleset.manifest.languages)
        table = table.done(
            TableStep("add", (*preset, *choice.with_), rules=flags.rules)
        )
        table = table.done(TableStep("set", settings=settings))
        table = table.done(TableStep("remove", choice.without))
    write_file(table.path, table.raw)
    tell_table(table, lang, as_json, new=True)


@command.command()
@click.argument("words", nargs=-1, required=True, metavar="[FILE] NAME...")
@click.option("--preset", metavar="NAME", help="Use a preset of the game.")
@RULES_FLAG
@_speaking
def add(
    words: tuple[str, ...],
    preset: str | None,
    rules: tuple[Path, ...],
    lang: str | None,
    as_json: bool,
) -> None:
    """Switch variants on, choose a preset, or add rules by their path."""
    table, names = _of_words(words, lang)
    paths = [each for each in names if each.endswith(".rules") or Path(each).is_dir()]
    for each in paths:
        if not Path(each).exists():
            raise click.UsageError(f"There is neither a file nor a folder `{each}`.")
    others = (each for each in names if each not in paths)
    step = TableStep(
        "add",
        (*((preset,) if preset else ()), *others),
        rules=(*rules, *map(Path, paths)),
    )
    _change(table, step, lang, as_json)


@command.command()
@click.argument("words", nargs=-1, required=True, metavar="[FILE] NAME...")
@_speaking
def remove(words: tuple[str, ...], lang: str | None, as_json: bool) -> None:
    """Remove variants, options, a preset, rules or `players`."""
    table, names = _of_words(words, lang)
    _change(table, TableStep("remove", names), lang, as_json)


@command.command(name="set")
@click.argument("words", nargs=-1, required=True, metavar="[FILE] KEY=VALUE...")
@_speaking
def set_(words: tuple[str, ...], lang: str | None, as_json: bool) -> None:
    """Set options, and the number of `players`."""
    table, given = _of_words(words, lang)
    pairs = [SettingParameter().convert(each, None, None) for each in given]
    _change(table, TableStep("set", settings=dict(pairs)), lang, as_json)


@command.command()
@click.argument("words", nargs=-1, metavar="[FILE]")
@_speaking
def show(words: tuple[str, ...], lang: str | None, as_json: bool) -> None:
    """Show the table in words for players."""
    table, more = _of_words(words, lang)
    if more:
        raise click.UsageError(f"There is no table file `{more[0]}`.")
    tell_table(table, lang, as_json)


# ---- files


def _of_words(
    words: tuple[str, ...], lang: str | None
) -> tuple[KeptTable, tuple[str, ...]]:
    """Return the table of a leading file, or the default; and the other words."""
    first = Path(words[0]) if words else None
    if first is not None and (
        first.suffix in {".yaml", ".yml"}
        or (first.is_file() and first.suffix != ".rules")
    ):
        return _read(first), words[1:]
    file = default_table(Path())
    if file is None:
        raise click.UsageError(f"Which table file? There is no {DEFAULT_TABLE} here.")
    path = Path(relpath(file))
    tell(Phrases("cli", lang or "en").say("default table", file=str(path)))
    return _read(path), words


def _read(path: Path) -> KeptTable:
    try:
        with reported():
            return KeptTable.read(path)
    except OSError as error:
        message = f"`{path}` cannot be read: {error.strerror or error}"
        raise click.UsageError(message) from None


def _change(table: KeptTable, step: TableStep, lang: str | None, as_json: bool) -> None:
    language = chosen_language(lang, table.ruleset.manifest.languages)
    try:
        after = table.done(step)
    except DiagnosticsError as error:
        tell(Phrases("cli", language).say("not changed", file=table.called))
        give_up(error.diagnostics, error.sources)
    if after.raw != table.raw:
        write_file(after.path, after.raw)
    tell_table(after, language, as_json, before=table)
