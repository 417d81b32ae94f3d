"""The command: its verbs, and its reports of bugs."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO

import click

from houserule import __version__
from houserule.base.diagnostics.diagnostic import way_beyond
from houserule.base.diagnostics.render import DiagnosticsError, tally
from houserule.base.diagnostics.wording import nearest
from houserule.base.limits import change_limits, is_isolated, read_limits
from houserule.ui.cli import FINDINGS, FINE, INTERRUPTED, OUR_FAULT, WRONG_USAGE
from houserule.ui.cli.output import (
    OutputLost,
    open_streams,
    say,
    show,
    silence,
    tell,
)
from houserule.ui.cli.verbs import VERBS

EPILOG = """\b
Examples:
  houserule list                     list the games
  houserule check ./my-game          check a game of your own
  houserule run pig --seed 7         watch bots play
  houserule explain E201             explain a message

\b
GAME is a built-in game, or the path of a ruleset's folder.
Exit status: 0 success, 1 findings, 2 usage error, 3 a bug in Houserule.
"""


class _Kept(StringIO):
    """A text buffer that claims to be a terminal, so that click keeps its styles."""

    def isatty(self) -> bool:
        return True


class OutputClosed(Exception):
    """The reader closed the output, as `head` does."""


class Verbs(click.Group):
    """A command group that imports a command when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order in which users meet them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb's file and return its command."""
        if cmd_name not in VERBS:
            return None
        module = import_module(f"houserule.ui.cli.verbs.{VERBS[cmd_name].module}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; for a misspelt one, suggest the nearest.

        Raises:
            click.UsageError: unknown verb.
        """
        if ctx.params["isolated"] and args and args[0] in VERBS and not is_isolated():
            from houserule.base.isolation import isolated

            done = isolated(*args)
            say(done.output, end="")
            for text in (done.errors.removesuffix("\n"), done.message):
                if text:
                    tell(text)
            if done.is_cut:
                tell(f"Not all of the output is shown. {way_beyond('output')}")
            ctx.exit(done.status)
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            near = nearest(args[0], VERBS)
            hint = f" Did you mean `{near}`?" if near else ""
            raise click.UsageError(f"There is no verb `{args[0]}`.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the verb.

        Raises:
            OutputClosed: the output was closed; click would call it a failure.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise OutputClosed from None

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the list of verbs without importing one."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, verb.says) for name, verb in VERBS.items()])


def _change_limits(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> None:
    """Set the requested limits; an invalid value is a usage error."""
    try:
        for text in texts:
            change_limits(read_limits(text))
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command(cls=Verbs, epilog=EPILOG, context_settings={"max_content_width": 90})
@click.option(
    "--limit",
    metavar="NAME=NUMBER",
    multiple=True,
    callback=_change_limits,
    expose_value=False,
    help="Raise or lower a limit for large rules (docs/trust.md). Repeatable.",
)
@click.option(
    "--isolated",
    is_flag=True,
    help="Run the verb in a separate process, with limits on memory and time.",
)
@click.version_option(__version__, message="houserule %(version)s")
def houserule(isolated: bool) -> None:
    """House rules for tabletop games: write, check, play and measure them."""


def run(arguments: Sequence[str]) -> int:
    """Run the command with these arguments and return its exit status.

    Raises:
        MemoryError: out of memory.
    """
    open_streams()
    try:
        status = houserule.main(
            list(arguments), prog_name="houserule", standalone_mode=False
        )
    except click.Abort:
        tell("Interrupted.")
        return INTERRUPTED
    except click.ClickException as error:
        said = _Kept()
        error.show(said)
        tell(said.getvalue().rstrip("\n"))
        return WRONG_USAGE if isinstance(error, click.UsageError) else error.exit_code
    except OutputClosed:
        silence(sys.stdout)
        return FINE
    except OutputLost as error:
        silence(sys.stdout)
        tell(f"The output cannot be written: {error}.")
        return WRONG_USAGE
    except SystemExit as ending:  # shell completion ends this way
        return ending.code if isinstance(ending.code, int) else FINE
    except DiagnosticsError as error:  # mostly about unreadable files
        show(error.diagnostics, error.sources)
        tell(tally(error.diagnostics))
        return FINDINGS
    except OSError as error:
        if os.environ.get("HOUSERULE_DEBUG"):
            raise
        try:
            sys.stdout.flush()  # click writes help and version itself
        except OSError as lost:
            silence(sys.stdout)
            tell(f"The output cannot be written: {lost.strerror}.")
            return WRONG_USAGE
        about = "" if error.filename is None else f"`{error.filename}`: "
        tell(f"Error: {about}{error.strerror or error}")
        return WRONG_USAGE
    except MemoryError:
        raise
    except Exception as error:  # the last resort: bugs are reported, not raised
        if os.environ.get("HOUSERULE_DEBUG"):
            raise
        tell(
            "This is a bug in Houserule: "
            f"{type(error).__name__}: {error}\n"
            "Please report it with the command you gave. HOUSERULE_DEBUG=1 in the\n"
            "environment shows where it happened."
        )
        return OUR_FAULT
    return status if isinstance(status, int) else FINE


def main() -> None:
    """Run the command with the arguments of the process, and end the process."""
    # Rules are many small, long-lived objects: a collection after every 700 new ones
    # takes a tenth of a short command's time.
    gc.set_threshold(2_000_000, 20, 20)
    try:
        status = run(sys.argv[1:])
    except MemoryError:
        tell("There is not enough memory for this.")
        status = FINDINGS
    gc.freeze()  # a final search for reference cycles would take as long as the start
    sys.exit(status)
