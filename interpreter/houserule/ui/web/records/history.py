"""Read finished games from the database."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime

from sqlalchemy import case, func, select

from houserule.base.frozen import frozen
from houserule.ui.web.database.schema import finished_games
from houserule.ui.web.store import TableStore


@frozen
class FinishedGame:
    """The result of a game.

    Attributes:
        winners: the winning seats' names in the rules.
        ended: its time, in seconds since 1970.
    """

    number: int
    game: str
    end: str
    winners: tuple[str, ...]
    choices: int
    ended: int


@frozen
class GameTally:
    """The results of all games of one name on a server.

    Attributes:
        games: the number of finished games.
        drawn: how many of them were drawn.
        stalled: how many of them stalled.
        shortest, longest: in choices.
    """

    games: int
    drawn: int
    stalled: int
    shortest: int
    longest: int
    choices: int


def finished(store: TableStore, table: int) -> tuple[FinishedGame, ...]:
    """Return the results of a table's games, the last first."""
    at = finished_games.c
    wanted = select(at.number, at.game, at.end, at.winners, at.choices, at.changed)
    wanted = wanted.where(at.table_id == table).order_by(at.number.desc())
    with store.reading() as db:
        return tuple(
            FinishedGame(number, game, end, tuple(json.loads(winners)), choices, ended)
            for number, game, end, winners, choices, ended in db.execute(wanted)
        )


@frozen
class Evenings:
    """The results of a group of people, at several tables.

    Attributes:
        games: the number of their finished games.
        days: on how many days they ended.
        wins: each person's name, wins, draws and games, the most wins first.
    """

    games: int
    days: int
    wins: tuple[tuple[str, int, int, int], ...]


def evenings(store: TableStore, table: int, others: Collection[int]) -> Evenings | None:
    """Return the results of the people who played the last game of a table.

    Args:
        others: the other tables to look at. Only games of the same people count.

    Returns:
        None for fewer than two people, and if they have not played at another table.
    """
    at = finished_games.c
    wanted = select(at.table_id, at.winners, at.end, at.changed, at.people)
    wanted = wanted.where(at.table_id.in_({table, *others}))
    with store.reading() as db:
        rows = db.execute(wanted.order_by(at.changed.desc(), at.number.desc())).all()
    read = [(row, json.loads(row.people)) for row in rows]
    last: dict[str, str] = next(
        (people for row, people in read if row.table_id == table), {}
    )
    group = {name.casefold(): name for name in last.values()}
    same = [
        (row, {seat: name.casefold() for seat, name in people.items()})
        for row, people in read
        if {name.casefold() for name in people.values()} == set(group)
    ]
    if len(group) < 2 or len({row.table_id for row, _ in same}) < 2:
        return None
    won = Counter(
        people[seat]
        for row, people in same
        for seat in json.loads(row.winners)
        if seat in people
    )
    drawn = sum(row.end == "drawn" for row, _ in same)
    wins = [(name, won[each], drawn, len(same)) for each, name in group.items()]
    days = {datetime.fromtimestamp(row.changed, UTC).date() for row, _ in same}
    ordered = sorted(wins, key=lambda row: (-row[1], row[0]))
    return Evenings(len(same), len(days), tuple(ordered))


def tallies(store: TableStore) -> dict[str, GameTally]:
    """Return the statistics of all games on a server, by name."""
    at = finished_games.c
    wanted = select(
        at.game,
        func.count(),
        *(func.sum(case((at.end == end, 1), else_=0)) for end in ("drawn", "stalled")),
        func.min(at.choices),
        func.max(at.choices),
        func.sum(at.choices),
    ).group_by(at.game)
    with store.reading() as db:
        return {
            game: GameTally(*map(int, counts)) for game, *counts in db.execute(wanted)
        }
