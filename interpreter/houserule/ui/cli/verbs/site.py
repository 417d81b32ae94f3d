"""`houserule site`: a page on which anybody can try a house rule, for any web host."""

from __future__ import annotations

from pathlib import Path

import click

from houserule.ui.cli.arguments import GAME
from houserule.ui.cli.output import say, tell

EPILOG = """\b
Examples:
  houserule site public                     with a few built-in games
  houserule site public pig ./my_game       with these games
  houserule site public --serve             and try it on this computer

\b
Any static web host can serve the folder, even in a subfolder. Python runs in the
browser. Making it needs Node.js with npm, and a network the first time.
"""


@click.command(epilog=EPILOG)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("games", nargs=-1, type=GAME, metavar="[GAME]...")
@click.option(
    "--serve",
    is_flag=True,
    help="Then serve the folder, on this computer only, until Ctrl-C.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port of --serve; 0 takes a free one.",
)
def command(folder: Path, games: tuple[Path, ...], serve: bool, port: int) -> None:
    """Write a playground into FOLDER: a page to try house rules of each GAME."""
    from houserule.ui.site.parts import MissingPart
    from houserule.ui.site.write import page_server, write_site

    if folder.is_dir() and any(folder.iterdir()) and not (folder / "sw.js").is_file():
        raise click.UsageError(f"`{folder}` has other files: name a new folder.")
    tell("Writing the site takes about half a minute.")
    try:
        size = write_site(folder, games)
    except MissingPart as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        message = f"`{error.filename or folder}` cannot be written: {error.strerror}."
        raise click.ClickException(message) from None
    say(f"The site is in {folder} ({size / 1e6:.1f} MB).")
    if not serve:
        return
    try:
        server = page_server(folder, port)
    except OSError as error:
        message = f"Nothing can listen at port {port}: {error.strerror or error}."
        raise click.ClickException(message) from None
    with server:
        address = f"http://localhost:{server.server_port}/"
        say(f"Open it on this computer:  {address}\nCtrl-C ends the server.")
        server.serve_forever()
