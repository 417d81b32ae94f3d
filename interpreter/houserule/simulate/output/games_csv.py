"""One row for each game, as comma-separated values."""

from __future__ import annotations

import csv
from contextlib import ExitStack
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, TextIO

from houserule.simulate.play import seated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from houserule.simulate.results import Finished
    from houserule.simulate.schedule.batch import Job

COLUMNS = (
    "game",
    "outcome",
    "winners",
    "choices",
    "rounds",
    "lead_changes",
    "state",
)


class GamesFile:
    """A file that games are written into as they come.

    With several tables, the first column names them, and the games of one follow those
    of the other: those of further tables wait in a file of their own until the end.
    """

    def __init__(
        self, file: Path, job: Job, seats: Sequence[str], names: Sequence[str]
    ) -> None:
        """Begin a file, for tables with these names.

        Raises:
            OSError: the file cannot be written.
        """
        self._job, self._seats, self._names = job, seats, names
        self._open = ExitStack()
        first = file.open("w", encoding="utf-8", newline="")
        self._parts: list[TextIO] = [self._open.enter_context(first)]
        for _ in names[1:]:
            part = TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115
            self._parts.append(self._open.enter_context(part))
        head = [
            *(["table"] if len(names) > 1 else []),
            *COLUMNS,
            *(f"score_{seat}" for seat in seats),
            *(f"bot_{seat}" for seat in seats),
        ]
        csv.writer(first, lineterminator="\n").writerow(head)

    def close(self) -> None:
        """End the file: what waits goes behind the first table.

        Raises:
            OSError: the file cannot be written.
        """
        first, *others = self._parts
        with self._open:
            for part in others:
                part.seek(0)
                copyfileobj(part, first)

    def add(self, tables: Sequence[Iterable[Finished]]) -> None:
        """Write further games, by table.

        Raises:
            OSError: the file cannot be written.
        """
        for part, name, games in zip(self._parts, self._names, tables, strict=True):
            before = [name] if len(self._names) > 1 else []
            writer = csv.writer(part, lineterminator="\n")
            writer.writerows(
                [*before, *row] for row in _rows(games, self._job, self._seats)
            )


def _rows(
    games: Iterable[Finished], job: Job, seats: Sequence[str]
) -> Iterable[list[object]]:
    for each in games:
        bots = seated(job.bots, len(seats), each.number * job.rotate)
        yield [
            each.number,
            each.outcome,
            " ".join(seats[seat] for seat in each.winners),
            each.decisions,
            each.rounds,
            each.lead_changes,
            each.state,
            *(each.scores or [None] * len(seats)),
            *bots,
        ]
