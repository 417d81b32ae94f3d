"""`houserule lsp`: the language server that editors start."""

from __future__ import annotations

import click

EPILOG = """\b
Examples:
  houserule lsp              what an editor starts; docs/editors.md has its settings
"""


@click.command(epilog=EPILOG)
def command() -> None:
    """Answer an editor over standard input, by the Language Server Protocol.

    It reports messages about unsaved text, with fixes; it completes, explains, finds
    and renames names, and runs examples. Rules are read in processes under limits.
    """
    try:
        from houserule.ui.editor.server import server
    except ModuleNotFoundError as error:
        ways = "pip install 'houserule[lsp]'"
        message = f"`lsp` needs more packages:  {ways}  (missing: {error.name})"
        raise click.UsageError(message) from None
    server().start_io()
