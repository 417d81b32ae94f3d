"""`houserule serve`: a table in the browser, for players on their own devices."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houserule.base.resources import (
    GAMES,
    find_ruleset,
    installed,
    known_rulesets,
    nothing_called,
)
from houserule.compiler.prepare import TableChoice
from houserule.engine.bots.bot import NAMES, thinks_longer
from houserule.ui.cli.arguments import BOTS, FROM_FLAG, TableFlags
from houserule.ui.cli.output import say, tell

if TYPE_CHECKING:
    from houserule.ui.web.running import Served

EPILOG = """\b
Examples:
  houserule serve                         for browsers on this computer
  houserule serve ./my_game               with a game of your own
  houserule serve --lan                   for phones and computers in this network
  houserule serve --from puzzle.yaml      opens a table at that position
  houserule serve --database sqlite:////var/lib/houserule/tables.db

\b
It prints a link: open it, choose a game and its house rules, and invite players. Every
decision is stored before anyone sees it. Ctrl-C stops the server; nothing is lost.
"""
LONGEST = (1.0, 100_000)  # a bot's maximum thinking time: seconds, decisions
MISSING = (
    "The table in the browser needs more packages:  pip install 'houserule[web]'  "
    "(missing: {name})"
)


@click.command(epilog=EPILOG)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help=(
        "The address to listen on; 127.0.0.1 is this computer only, 0.0.0.0 the "
        "whole network."
    ),
)
@click.option(
    "--lan",
    is_flag=True,
    help=(
        "Accept connections from the whole network; invitations use this computer's "
        "address there."
    ),
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another name under which browsers may reach the server. Repeatable.",
)
@click.option(
    "--database",
    metavar="URL",
    help=(
        "The database for tables: sqlite:////var/lib/houserule/tables.db or "
        "postgresql://name@host/database; normally a file in your data folder."
    ),
)
@click.option(
    "--keep-days",
    type=click.IntRange(1, 36_500),
    default=365,
    show_default=True,
    metavar="N",
    help="Delete a table that nobody has opened for N days.",
)
@click.option(
    "--rate",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Allow one address N requests a second.",
)
@click.option(
    "--connections",
    type=click.IntRange(1),
    default=60,
    show_default=True,
    metavar="N",
    help="Allow one address N open connections.",
)
@click.option(
    "--streams",
    type=click.IntRange(1),
    default=24,
    show_default=True,
    metavar="N",
    help="Allow one address N open event streams, one for each page.",
)
@click.option(
    "--new-tables",
    type=click.IntRange(1),
    default=60,
    show_default=True,
    metavar="N",
    help="Allow one address to open N tables in an hour.",
)
@click.option(
    "--proxy",
    is_flag=True,
    help=(
        "Trust the address and scheme that a proxy on this computer names for each "
        "client."
    ),
)
@click.option(
    "--no-own-rules",
    "own",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Do not let players add house rules of their own.",
)
@click.option(
    "--bots",
    type=BOTS,
    default=",".join(NAMES),
    show_default=True,
    metavar="NAMES",
    help=(
        "The bots that hosts may seat, such as `search:2000`, up to 100,000 "
        "decisions or one second."
    ),
)
@click.option(
    "--notify",
    multiple=True,
    metavar="HOST",
    help=(
        "Let players have notices of their turn sent to this host, such as ntfy.sh;"
        " `public` is every public host. Repeatable."
    ),
)
@FROM_FLAG
def command(
    games: tuple[str, ...],
    host: str,
    lan: bool,
    port: int,
    names: tuple[str, ...],
    database: str | None,
    keep_days: int,
    rate: int,
    connections: int,
    streams: int,
    new_tables: int,
    proxy: bool,
    own: bool,
    bots: tuple[str, ...],
    notify: tuple[str, ...],
    from_file: Path | None,
) -> None:
    """Host tables in the browser.

    GAME is the folder of a game of your own, which joins the built-in ones. If you
    change its files, tables that are opened later use the new version.
    """
    host = "0.0.0.0" if lan else host
    opened = "" if from_file is None else _opened(from_file)
    _offer(games)
    slow = [name for name in bots if thinks_longer(name, *LONGEST)]
    if slow:
        raise click.UsageError(
            f"`{slow[0]}` would let people wait: while a bot thinks nobody can look at"
            f" its table. At a server bots think of at most {LONGEST[1]:,} decisions,"
            f" or {LONGEST[0]:g} second."
        )
    try:
        from houserule.ui.web.running import serve
    except ModuleNotFoundError as error:
        raise click.ClickException(MISSING.format(name=error.name)) from None
    from houserule.ui.web.database.connection import StoreError
    from houserule.ui.web.guard import AddressLimits

    try:
        serve(
            host,
            port,
            names,
            database,
            limits=AddressLimits(rate, connections, streams, new_tables),
            proxy=proxy,
            own=own,
            bots=bots,
            keep_days=keep_days,
            ready=_ready,
            opened=opened,
            notify=notify,
        )
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(
            f"Nothing can listen at {host}:{port}: {error.strerror or error}."
        ) from None


def _offer(games: tuple[str, ...]) -> None:
    """Give the games of folders a name, here and in the processes that measure."""
    folders = []
    for game in games:
        folder = find_ruleset(game)
        if folder is None:
            raise click.UsageError(nothing_called(game))
        if folder not in known_rulesets().values():
            folders.append(str(folder.resolve()))
    known = os.environ.get(GAMES, "").split(os.pathsep)
    os.environ[GAMES] = os.pathsep.join([*filter(None, known), *folders])
    installed.cache_clear()
    for given in folders:
        if Path(given) not in {each.resolve() for each in known_rulesets().values()}:
            raise click.UsageError(
                f"The game in {given} has the id of another game. Give it an `id` of "
                "its own in ruleset.yaml."
            )


def _opened(file: Path) -> str:
    """Return the link of the table of a position file, whose game it offers."""
    from houserule.ui.configurator.links import LONGEST, TableLink, link_of

    asked = TableFlags(TableChoice(), (), None, file).asked(None)
    ruleset = asked.open()
    if asked.rules:
        raise click.UsageError("At a server, a position cannot bring rules of its own.")
    _, program = asked.set(ruleset)
    assert program.start is not None, "a position file has a position"
    _offer((str(asked.folder),))
    given = json.dumps(dict(program.start.words), ensure_ascii=False)
    link = link_of(TableLink(ruleset.id, asked.choice, given=given))
    if len(link) > LONGEST:
        raise click.UsageError(f"The position in `{file}` is too long for a link.")
    return link


def _ready(served: Served) -> None:
    """Print the link, and whether a network can reach it."""
    say(f"The server is running:  {served.link}")
    if served.public:
        tell(
            "Anyone in this network who has that link can open tables, and anyone in"
            " the network can eavesdrop unless a proxy with TLS encrypts it."
        )
    elif served.link.startswith("http:"):
        tell("Only this computer can open it: `houserule serve --lan` is for phones.")
    say(f"Tables are kept in {served.database}. Ctrl-C ends the server.")
