"""`houserule mcp`: tools for an assistant that writes house rules."""

from __future__ import annotations

import click

EPILOG = """\b
Examples:
  houserule mcp              what an assistant starts; its settings name the command:

\b
{"mcpServers": {"houserule": {"command": "houserule", "args": ["mcp"]}}}
"""


@click.command(epilog=EPILOG)
def command() -> None:
    """Answer an assistant over standard input, by the Model Context Protocol.

    Its tools list and explain names, check a rule, run its examples, compare, print the
    rulebook and play. Each rule runs in a process of its own, under limits.
    """
    try:
        from houserule.ui.assistant.server import server
    except ModuleNotFoundError as error:
        ways = "pip install 'houserule[mcp]'"
        message = f"`mcp` needs more packages:  {ways}  (missing: {error.name})"
        raise click.UsageError(message) from None
    server().run()
