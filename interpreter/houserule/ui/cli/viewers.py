"""The viewer: the flag `--as`."""

from __future__ import annotations

import click

from houserule.base.diagnostics.wording import nearest
from houserule.play.narration.visibility import (
    ALL_KNOWING,
    EVERYBODY,
    EVERYBODYS_NAME,
    Viewer,
)
from houserule.play.narration.wording import Wording
from houserule.play.records.records import seat_names

as_flag = click.option(
    "--as",
    "viewer",
    metavar="SEAT",
    help=(
        "Narrate what that seat saw; `everybody`: what all seats saw. Without it, "
        "nothing is hidden."
    ),
)


def viewer_of(said: str | None, wording: Wording) -> Viewer:
    """Return the viewer that `--as` names; without it, nothing is hidden.

    A seat may be given by its name in the rules or in the log.

    Raises:
        click.UsageError: unknown seat, or a name of several seats.
    """
    if said is None:
        return ALL_KNOWING
    labels = seat_names(wording.program)
    names: dict[str, dict[Viewer, str]] = {EVERYBODYS_NAME: {EVERYBODY: "all"}}
    for seat, label in enumerate(labels):
        for name in (label, wording.seat(seat)):
            names.setdefault(name.casefold(), {})[seat] = label
    meant = names.get(said.casefold(), {})
    if len(meant) > 1:
        seats = ", ".join(meant.values())
        raise click.UsageError(f"`{said}` is ambiguous. It may mean: {seats}.")
    for viewer in meant:
        return viewer
    near = nearest(said.casefold(), names)
    hint = f" Did you mean `{near}`?" if near else ""
    seats = ", ".join([*labels, EVERYBODYS_NAME])
    raise click.UsageError(f"Nobody called `{said}` sits there.{hint} Seats: {seats}.")


def seat_of(said: str, wording: Wording) -> int:
    """Return the seat with a name in the rules or in the log.

    Raises:
        click.UsageError: unknown seat, a name of several seats, or not a seat.
    """
    found = viewer_of(said, wording)
    if not isinstance(found, int):
        raise click.UsageError(f"Name a seat: `{said}` does not make choices.")
    return found
