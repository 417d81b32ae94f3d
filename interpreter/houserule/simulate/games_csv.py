"""One row for each game, as comma-separated values."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from houserule.simulate.play import seated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from houserule.simulate.batch import Order
    from houserule.simulate.results import Finished

COLUMNS = (
    "game",
    "outcome",
    "winners",
    "choices",
    "rounds",
    "lead_changes",
    "state",
)


def write_games(
    file: Path,
    order: Order,
    seats: Sequence[str],
    tables: Mapping[str, Sequence[Finished]],
) -> None:
    """Write games into a file; with several tables, the first column names them.

    Scores and bots have a column for each of the seats, which are given by name.

    Raises:
        OSError: the file cannot be written.
    """
    several = len(tables) > 1
    head = [
        *(["table"] if several else []),
        *COLUMNS,
        *(f"score_{seat}" for seat in seats),
        *(f"bot_{seat}" for seat in seats),
    ]
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(head)
        for name, games in tables.items():
            before = [name] if several else []
            writer.writerows([*before, *row] for row in _rows(games, order, seats))


def _rows(
    games: Iterable[Finished], order: Order, seats: Sequence[str]
) -> Iterable[list[object]]:
    for each in games:
        bots = seated(order.bots, len(seats), each.number * order.rotate)
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
