"""Arguments that several verbs share: a game, bots, the flags that choose a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from houserule.manifest.ruleset import Plain
    from houserule.prepare import TableChoice

    PathType = click.ParamType[Path]
    NamesType = click.ParamType[tuple[str, ...]]
    SettingType = click.ParamType[tuple[str, Plain]]
else:  # older versions of click know no such brackets
    PathType = NamesType = SettingType = click.ParamType

COMMAND = TypeVar("COMMAND", bound=Callable[..., Any])
WHOLE = re.compile(r"[-+]?[0-9]{1,9}")
WORDS: dict[str, bool | None] = {"yes": True, "no": False, "none": None}


class GameParameter(PathType):
    """A shipped game by name, or a ruleset by the path of its folder."""

    name = "game"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the ruleset's folder; a name that is none is wrong usage."""
        from houserule.resources import find_ruleset, no_such_ruleset

        if isinstance(value, Path):
            return value
        found = find_ruleset(str(value))
        if found is None:
            self.fail(no_such_ruleset(str(value)), param, ctx)
        return found

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the shipped games, and folders."""
        from houserule.resources import shipped_rulesets

        names = [name for name in shipped_rulesets() if name.startswith(incomplete)]
        return [
            *(CompletionItem(name) for name in names),
            CompletionItem(incomplete, type="dir"),
        ]


GAME = GameParameter()


class NamesParameter(NamesType):
    """Names with commas between them."""

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
        """Offer the game's variants behind the last comma."""
        from houserule.manifest.load import load_ruleset
        from houserule.resources import find_ruleset

        # A flag that still wants its value leaves the game among the rest.
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
    """`key=value`: an option and what the table sets it to."""

    name = "key=value"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Plain]:
        """Split at the first `=`; without one it is wrong usage."""
        if isinstance(value, tuple):
            return value
        key, equals, said = str(value).partition("=")
        if not equals or not key.strip():
            self.fail(f"`{value}` is not of the form key=value.", param, ctx)
        return key.strip(), plain_value(said.strip())


def plain_value(said: str) -> Plain:
    """Return a number, yes, no, none, a name, or a list of these: `{a}`, `[1, 3]`."""
    if said in WORDS:
        return WORDS[said]
    if WHOLE.fullmatch(said):
        return int(said)
    if said[:1] + said[-1:] in {"{}", "[]"}:
        return [plain_value(each) for each in re.split(r"[,\s]+", said[1:-1]) if each]
    return said


class BotsParameter(NamesType):
    """Names of bots with commas between them."""

    name = "bots"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Split at commas; a name that is no bot is wrong usage."""
        if isinstance(value, tuple):
            return value
        from houserule.bots.bot import bot_names

        try:
            return bot_names(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


BOTS = BotsParameter()


TABLE_FLAGS = (
    click.option("--preset", metavar="NAME", help="A preset of the game."),
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
        help="Leave variants of the preset out.",
    ),
    click.option(
        "--set",
        "settings",
        type=SettingParameter(),
        multiple=True,
        metavar="KEY=VALUE",
        help="Choose the value of an option.",
    ),
    click.option("--players", type=click.IntRange(1), metavar="N", help="Seats."),
    click.option(
        "--table",
        "table_file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="A table file; the other flags stand above it.",
    ),
)


def table_flags(command: COMMAND) -> COMMAND:
    """Give a verb the flags that choose a table; it receives one `choice`.

    The verb's function gets `choice` in the place of the six flags.
    """
    from functools import wraps

    @wraps(command)
    def with_choice(**given: Any) -> Any:  # noqa: ANN401 - whatever the verb takes
        given["choice"] = chosen(
            given.pop("preset"),
            given.pop("with_"),
            given.pop("without"),
            given.pop("settings"),
            given.pop("players"),
            given.pop("table_file"),
        )
        return command(**given)

    for flag in reversed(TABLE_FLAGS):
        with_choice = flag(with_choice)
    return with_choice  # type: ignore[return-value]  # the flags stand for `choice`


def chosen(
    preset: str | None,
    with_: tuple[tuple[str, ...], ...],
    without: tuple[tuple[str, ...], ...],
    settings: tuple[tuple[str, Plain], ...],
    players: int | None,
    table_file: Path | None,
) -> TableChoice:
    """Return the table that the flags choose, above the table file if there is one."""
    from houserule.prepare import TableChoice

    flags = TableChoice(
        preset=preset,
        with_=tuple(name for names in with_ for name in names),
        without=tuple(name for names in without for name in names),
        settings=dict(settings),
        players=players,
    )
    if table_file is None:
        return flags
    from houserule.cli.loading import read_choice

    return flags.over(read_choice(table_file))
