"""Arguments that verbs share, and the rulesets and tables they refer to.

If a ruleset cannot be read or a table is invalid, the verb ends with messages.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.diagnostics.render import DiagnosticsError, tally
from houserule.base.diagnostics.wording import counted
from houserule.base.frozen import frozen
from houserule.base.limits import is_isolated
from houserule.base.source import Source, real
from houserule.compiler.prepare import TableChoice
from houserule.engine.state.faults import RuleFault
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.output import show, tell

if TYPE_CHECKING:
    from houserule.compiler.rules import ChosenTable
    from houserule.ir import Program
    from houserule.language.manifest.ruleset import LoadedRuleset, Plain
    from houserule.play.positions.files import StoredPosition
    from houserule.play.records.reading import ParsedRecord

    PathType = click.ParamType[Path]
    NamesType = click.ParamType[tuple[str, ...]]
    SettingType = click.ParamType[tuple[str, Plain]]
else:  # older versions of click have no such brackets
    PathType = NamesType = SettingType = click.ParamType

COMMAND = TypeVar("COMMAND", bound=Callable[..., Any])
WHOLE = re.compile(r"[-+]?[0-9]{1,9}")
WORDS: dict[str, bool | None] = {"yes": True, "no": False, "none": None}


def need_input(what: str) -> None:
    """Fail with a usage error if an isolated process reads standard input."""
    if is_isolated():
        raise click.UsageError(
            f"{what} reads from standard input, and an isolated process has none."
        )


class GameParameter(PathType):
    """A built-in or installed game by name, or a ruleset by the path of its folder."""

    name = "game"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the ruleset's folder; an unknown name is a usage error."""
        from houserule.base.resources import find_ruleset, nothing_called

        if isinstance(value, Path):
            return value
        found = find_ruleset(str(value))
        if found is None:
            self.fail(nothing_called(str(value)), param, ctx)
        return found

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the built-in games, and folders."""
        from houserule.base.resources import installed, shipped_rulesets

        names = {*shipped_rulesets(), *(each.name for each in installed().rulesets)}
        known = sorted(name for name in names if name.startswith(incomplete))
        return [
            *(CompletionItem(name) for name in known),
            CompletionItem(incomplete, type="dir"),
        ]


GAME = GameParameter()


class NamesParameter(NamesType):
    """Comma-separated names."""

    name = "names"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split at commas; spaces do not count."""
        if isinstance(value, tuple):
            return value
        return tuple(word for word in re.split(r"[,\s]+", str(value)) if word)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the game's variants after the last comma."""
        from houserule.base.resources import find_ruleset
        from houserule.language.manifest.load import load_ruleset

        # While a flag still lacks its value, click keeps the game in `ctx.args`.
        words = (ctx.params.get("game"), *ctx.args)
        games = (find_ruleset(word) for word in words if word is not None)
        game = next((game for game in games if game is not None), None)
        ruleset = load_ruleset(game)[0] if game else None
        if ruleset is None:
            return []
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{unit.id}")
            for unit in ruleset.units_of("variant")
            if unit.id.startswith(last)
        ]


class SettingParameter(SettingType):
    """`key=value`: an option and its value."""

    name = "key=value"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Plain]:
        """Split at the first `=`; without one, fail with a usage error."""
        if isinstance(value, tuple):
            return value
        key, equals, said = str(value).partition("=")
        if not equals or not key.strip():
            self.fail(f"`{value}` is not of the form key=value.", param, ctx)
        if re.search(r",\s*\w+=", said):
            again = re.sub(r",\s*(?=\w+=)", " --set ", str(value))
            self.fail(f"This sets several. Write `--set {again}`.", param, ctx)
        return key.strip(), plain_value(said.strip())


def plain_value(said: str) -> Plain:
    """Parse a number, yes, no, none, a name, or a list of these: `{a}`, `[1, 3]`."""
    if said in WORDS:
        return WORDS[said]
    if WHOLE.fullmatch(said):
        return int(said)
    if said[:1] + said[-1:] in {"{}", "[]"}:
        return [plain_value(each) for each in re.split(r"[,\s]+", said[1:-1]) if each]
    return said


class BotsParameter(NamesType):
    """Comma-separated names of bots."""

    name = "bots"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split at commas; an unknown bot is a usage error."""
        if isinstance(value, tuple):
            return value
        from houserule.engine.bots.bot import bot_names

        try:
            return bot_names(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


BOTS = BotsParameter()
BOTS_FLAG = click.option(
    "--bots",
    "--seats",
    "bots",
    type=BOTS,
    default="random",
    show_default=True,
    metavar="A,B",
    help="The bots, by seat: random, greedy, easy, fair, strong, or a search.",
)
SEED = click.IntRange(0, (1 << 64) - 1)  # random streams have 64 bits of state


RULES_FLAG = click.option(
    "--rules",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    metavar="PATH",
    help="Add rules of your own: a file, or a folder of files. Repeatable.",
)
TABLE_FLAG = click.option(
    "--table",
    "table_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Use the table in this file; other flags override it.",
)
TABLE_FLAGS = (
    click.option("--preset", metavar="NAME", help="Use a preset of the game."),
    click.option(
        "--with",
        "with_",
        type=NamesParameter(),
        multiple=True,
        metavar="A,B",
        help="Switch variants on.",
    ),
    click.option(
        "--without",
        type=NamesParameter(),
        multiple=True,
        metavar="C",
        help="Switch off variants of the preset.",
    ),
    click.option(
        "--set",
        "settings",
        type=SettingParameter(),
        multiple=True,
        metavar="KEY=VALUE",
        help="Set an option.",
    ),
    click.option(
        "--players", type=click.IntRange(1), metavar="N", help="The number of players."
    ),
    TABLE_FLAG,
    RULES_FLAG,
)


FROM_FLAG = click.option(
    "--from",
    "from_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Begin at the position in this file, at its table.",
)


@frozen
class AskedTable:
    """The game, the extra rules and the table that the arguments request.

    Attributes:
        folder: the folder of the game's ruleset.
        rules: files and folders with extra rules.
        position: where its games begin; None for the set-up.
    """

    folder: Path
    rules: tuple[Path, ...]
    choice: TableChoice
    position: StoredPosition | None = None

    def open(self) -> LoadedRuleset:
        """Return the ruleset with the rules; end the verb if they cannot be read."""
        return open_ruleset(self.folder, self.rules)

    def set(self, ruleset: LoadedRuleset) -> tuple[ChosenTable, Program]:
        """Return the table and its program; errors end the verb, as in `set_table`."""
        table, program = set_table(ruleset, self.choice)
        if self.position is None:
            return table, program
        with reported():
            return table, self.position.start(program, ruleset)


@frozen
class TableFlags:
    """The flags of a verb that choose a table and extra rules.

    Attributes:
        choice: the flags' choice, without `--table`.
        rules: the values of `--rules`.
        file: the table file, if one is given.
        begins: the position file, if one is given.
    """

    choice: TableChoice
    rules: tuple[Path, ...]
    file: Path | None
    begins: Path | None = None

    def asked(self, game: Path | None, language: str | None = None) -> AskedTable:
        """Return the request for a game, or for the table file's game.

        Without a table file, a `houserule.yaml` in this folder or above it is the table
        if it belongs to this game; a note is printed.
        """
        position = None
        if self.begins is not None:
            from houserule.play.positions.files import read_position

            if self.file is not None:
                message = "A position file has its table: omit --table."
                raise click.UsageError(message)
            with reported():
                position = read_position(self.begins)
        if position is not None:
            below: TableChoice | None = position.choice
        else:
            below = self.of_file() or self.by_default(game, language)
        whole = self.choice if below is None else self.choice.over(below)
        folder = game or (None if whole.game is None else game_of(whole))
        if folder is None:
            raise click.UsageError("Which game? Name it, or give a file with --table.")
        if position is not None and real(game_of(whole)) != real(folder):
            raise click.UsageError(f"`{self.begins}` is of another game.")
        return AskedTable(folder, (*whole.rules, *self.rules), whole, position)

    @property
    def has_default(self) -> bool:
        """Whether a default table exists here, for any game."""
        from houserule.compiler.table_files.reading import default_table

        return default_table(Path()) is not None

    def of_file(self) -> TableChoice | None:
        return None if self.file is None else read_choice(self.file)

    def by_default(
        self, game: Path | None, language: str | None = None
    ) -> TableChoice | None:
        """Return the default table, if it exists and belongs to this game."""
        from houserule.base.resources import Phrases
        from houserule.compiler.table_files.reading import default_table

        file = default_table(Path())
        if file is None:
            return None
        choice = read_choice(file)
        if game is not None and real(game_of(choice)) != real(game):
            return None
        words = Phrases("cli", language or "en")
        tell(words.say("default table", file=relpath(file)))
        return choice


def game_of(choice: TableChoice) -> Path:
    """Return the folder of a table file's game; end the verb if it is missing."""
    from houserule.compiler.table_files import reading

    with reported():
        return reading.game_of(choice)


def table_flags(command: COMMAND) -> COMMAND:
    """Add the flags that choose a table to a verb; it receives one `flags`.

    `flags` replaces the six flags, `--rules`, and `FROM_FLAG` if the verb has it.
    """
    from functools import wraps

    @wraps(command)
    def with_flags(**given: Any) -> Any:  # noqa: ANN401 - the verb's own parameters
        names = given.keys() & inspect.signature(flags_of).parameters.keys()
        given["flags"] = flags_of(**{name: given.pop(name) for name in names})
        return command(**given)

    for flag in reversed(TABLE_FLAGS):
        with_flags = flag(with_flags)
    return with_flags  # type: ignore[return-value]  # the flags replace `flags`


def flags_of(
    *,
    preset: str | None = None,
    with_: tuple[tuple[str, ...], ...] = (),
    without: tuple[tuple[str, ...], ...] = (),
    settings: tuple[tuple[str, Plain], ...] = (),
    players: int | None = None,
    table_file: Path | None = None,
    rules: tuple[Path, ...] = (),
    from_file: Path | None = None,
) -> TableFlags:
    from houserule.compiler.prepare import TableChoice

    choice = TableChoice(
        preset=preset,
        with_=tuple(name for names in with_ for name in names),
        without=tuple(name for names in without for name in names),
        settings=dict(settings),
        players=players,
    )
    return TableFlags(choice, rules, table_file, from_file)


def language_flag(help_: str) -> Callable[[COMMAND], COMMAND]:
    """Add the language flag to a verb, as `lang`."""
    return click.option(
        "--lang", "--language", metavar="LANGUAGE", help=f"{help_} Normally English."
    )


def chosen_language(asked: str | None, known: Collection[str]) -> str:
    """Return the requested language; an unknown one is a usage error.

    Args:
        asked: a code such as `de`; None for English if known, else the first one.
        known: the available languages; the first is that of the rules.

    Raises:
        click.UsageError: the language is unknown; the message lists the known ones.
    """
    if asked is None:
        return "en" if "en" in known else next(iter(known))
    if asked in known:
        return asked
    raise click.UsageError(
        f"There are no texts in the language `{asked}`, only in {', '.join(known)}."
    )


# ---- the requested ruleset and table, or messages


def give_up(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]
) -> NoReturn:
    """Print diagnostics and end with status 1."""
    found = list(diagnostics)
    show(found, sources)
    tell(tally(found))
    raise click.exceptions.Exit(FINDINGS)


def read_choice(path: Path) -> TableChoice:
    """Return the table of a file; end the verb if it cannot be read."""
    from houserule.compiler.table_files.reading import read_table_file

    choice, found, source = read_table_file(path)
    if choice is None:
        give_up(found, {source.name: source})
    return choice


def open_ruleset(folder: Path, rules: Iterable[Path] = ()) -> LoadedRuleset:
    """Return the ruleset of a folder, with extra rules.

    If it cannot be read, the verb ends.
    """
    from houserule.language.manifest.folder import rules_beside
    from houserule.language.manifest.load import open_ruleset

    with reported():
        return open_ruleset(folder, rules_beside(rules))


def set_table(
    ruleset: LoadedRuleset, choice: TableChoice
) -> tuple[ChosenTable, Program]:
    """Return the table and its program; end the verb if the rules have errors.

    Only `check` prints warnings about the rules. The messages are written for players.
    """
    from houserule.compiler.prepare import playable, prepare

    with reported():
        found = playable(prepare(ruleset, choice, for_play=True), ruleset, choice)
    context = click.get_current_context(silent=True)
    bots = context.params.get("bots") if context is not None else None
    if isinstance(bots, tuple) and len(bots) > (seats := found[1].seats):
        raise click.UsageError(
            f"These are {len(bots)} bots for {counted(seats, 'player')}: name fewer, "
            f"or add `--players {len(bots)}`."
        )
    return found


@contextmanager
def reported(sources: Mapping[str, Source] | None = None) -> Iterator[None]:
    """End the verb with messages for errors in rules or tables.

    This includes runtime errors; `sources` has the texts of the rules.
    """
    try:
        yield
    except DiagnosticsError as error:
        give_up(error.diagnostics, error.sources)
    except RuleFault as error:
        from houserule.engine.reference.play.warnings import rule_fault

        give_up([rule_fault(error)], sources or {})


def forewarn(
    program: Program, ruleset: LoadedRuleset, language: str = "en", table: str = ""
) -> None:
    """Print a table's warnings as notes; end the verb if a value is undefined.

    `table` is its name if there are several.
    """
    from houserule.base.resources import Phrases
    from houserule.engine.reference.play.warnings import table_warnings

    with reported(ruleset.sources):
        found = table_warnings(program)
    words = Phrases("cli", language)
    for each in found:
        own = ruleset.texts.get(language, {}).get(each.address)
        text = each.told(own or program.clauses[each.address].caption)
        if table:
            tell(words.say("note of a table", table=table, text=text))
        else:
            tell(words.say("note", text=text))


def ruleset_for(
    record: ParsedRecord, folder: Path | None, rules: tuple[Path, ...] = ()
) -> LoadedRuleset:
    """Return the ruleset for a record; end the verb if it is broken or missing.

    A folder or rules replace those of the record.
    """
    from houserule.language.manifest.folder import rules_beside
    from houserule.play.records.own_rules import ruleset_of

    with reported():
        return ruleset_of(record, folder, rules_beside(rules))
