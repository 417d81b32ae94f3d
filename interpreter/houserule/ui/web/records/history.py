"""Read finished games from the database."""

from __future__ import annotations

import json

from sqlalchemy import case, func, select

from houserule.base.frozen import frozen
from houserule.ui.web.database.schema import finished_games
from houserule.ui.web.store import TableStore


@frozen
class FinishedGame:
    """The result of a game.

    Attributes:
        number: its number at its table.
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
        choices: the total of all games.
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
