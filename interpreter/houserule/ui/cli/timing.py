"""Time limits of verbs: the flag, and the message when time is up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeVar

import click

from houserule.engine.cancellation import OutOfTime, deadline
from houserule.ui.cli import FINDINGS
from houserule.ui.cli.output import tell

COMMAND = TypeVar("COMMAND", bound=Callable[..., Any])


def time_limit_flag(says: str) -> Callable[[COMMAND], COMMAND]:
    """Add the flag for a verb's time limit, as `time_limit` in seconds."""
    return click.option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help=says,
    )


def jobs_flag(command: COMMAND) -> COMMAND:
    """Add the flag for the number of processes; 0 is one for each processor."""
    says = "The number of processes; 0 is one for each core."
    return click.option("--jobs", type=click.IntRange(0), default=0, help=says)(command)


@contextmanager
def before_games(seconds: float | None) -> Iterator[Callable[[], float | None]]:
    """Limit the time before a game; yield a function for the remaining time.

    If none is left, the verb ends with a message. None means no limit.
    """
    began = monotonic()

    def left() -> float | None:
        return None if seconds is None else max(seconds - monotonic() + began, 0.01)

    try:
        with deadline(seconds):
            yield left
    except OutOfTime:
        tell("Time is up before a game was begun.")
        raise click.exceptions.Exit(FINDINGS) from None
