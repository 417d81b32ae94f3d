"""The viewer: the flag `--as`."""

from __future__ import annotations

import click

from houserule.base.diagnostics.wording import nearest
from houserule.play.narration.visibility import ALL_KNOWING, EVERYBODY, Viewer
from houserule.play.narration.wording import Wording
from houserule.play.records.records import seat_names

EVERYBODYS_NAME = "everybody"

as_flag = click.option(
    "--as",
    "viewer",
    metavar="SEAT",
    help="Tell it as that seat saw it, or `everybody`: what all saw.",
)


def viewer_of(said: str | None, wording: Wording) -> Viewer:
    """Return the viewer that `--as` names; without it, nothing is hidden.

    A seat may be given by its name in the rules or in the log.

    Raises:
        click.UsageError: unknown seat.
    """
    if said is None:
        return ALL_KNOWING
    if said.casefold() == EVERYBODYS_NAME:
        return EVERYBODY
    labels = seat_names(wording.program)
    names: dict[str, int] = {}
    for seat, label in enumerate(labels):
        names.setdefault(wording.seat(seat).casefold(), seat)
        names[label.casefold()] = seat
    if said.casefold() in names:
        return names[said.casefold()]
    near = nearest(said.casefold(), names)
    hint = f" Did you mean `{near}`?" if near else ""
    seats = ", ".join([*labels, EVERYBODYS_NAME])
    raise click.UsageError(f"Nobody called `{said}` sits there.{hint} Seats: {seats}.")
