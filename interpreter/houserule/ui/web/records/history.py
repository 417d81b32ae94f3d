"""Read finished games from the database."""

from __future__ import annotations

import json

from sqlalchemy import case, func, select

from houserule.base.frozen import frozen
from houserule.ui.web.database.schema import finished_games
from houserule.ui.web.store import TableStore


@frozen
class FinishedGame:
    """How a game ended.

    Attributes:
        number: which of its table it was.
        winners: the names that the rules give the seats that won.
        ended: when, in seconds since 1970.
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
        games: how many were played to the end.
        drawn: how many of them the rules ended as drawn.
        stalled: how many of them could not go on.
        shortest, longest: in choices.
        choices: of all of them together.
    """

    games: int
    drawn: int
    stalled: int
    shortest: int
    longest: int
    choices: int


def finished(store: TableStore, table: int) -> tuple[FinishedGame, ...]:
    """Return how the games of a table ended, the last first."""
    at = finished_games.c
    wanted = select(at.number, at.game, at.end, at.winners, at.choices, at.changed)
    wanted = wanted.where(at.table_id == table).order_by(at.number.desc())
    with store.reading() as db:
        return tuple(
            FinishedGame(number, game, end, tuple(json.loads(winners)), choices, ended)
            for number, game, end, winners, choices, ended in db.execute(wanted)
        )


def tallies(store: TableStore) -> dict[str, GameTally]:
    """Return what the games on a server came to, by name."""
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
