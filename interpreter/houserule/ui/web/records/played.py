"""Finished games of a table, with the people who played them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from houserule.base.frozen import frozen
from houserule.base.source import Source
from houserule.play.narration.sentences import drawn
from houserule.play.records.people import RecordedPeople
from houserule.play.records.reading import read_record
from houserule.ui.web.live import LiveTable
from houserule.ui.web.records.history import finished

MOST = 50  # at most this many games are listed, the last ones


@frozen
class PastGame:
    """A finished game.

    Attributes:
        drawn: for a draw, its reasons in a sentence; '' for other games.
        winners, people: their names.
        choices: the number of choices that stood.
    """

    number: int
    stalled: bool
    drawn: str
    winners: tuple[str, ...]
    people: tuple[str, ...]
    choices: int
    day: str


def played_games(table: LiveTable, language: str) -> tuple[PastGame, ...]:
    """Return the last finished games of a table, the newest first.

    People and bots have their names at the table, in a language.
    """
    seats, found = table.seats, []
    for game in finished(table.store, table.id)[:MOST]:
        source = finished_record(table, game.number)
        record, _ = (None, ()) if source is None else read_record(source)
        if record is None:
            continue
        people = RecordedPeople.at_end(record, seats).names
        words = table.rules.wording(language, tuple(people.values()))
        names = {each: words.seat(at) for at, each in enumerate(people)}
        found.append(
            PastGame(
                number=game.number,
                stalled=game.end == "stalled",
                drawn=drawn(words, record.end.drawn_by)
                if record.end and record.end.end == "drawn"
                else "",
                winners=tuple(names[seat] for seat in game.winners),
                people=tuple(names.values()),
                choices=game.choices,
                day=f"{datetime.fromtimestamp(game.ended, UTC):%Y-%m-%d}",
            )
        )
    return tuple(found)


def finished_record(table: LiveTable, number: int) -> Source | None:
    """Return the record of a table's game; None if it is missing or unfinished.

    A record contains all secrets of its game, so its own text must show the end.
    """
    text = table.store.record(table.id, number) if number > 0 else ""
    if not text:
        return None
    source = Source(f"game {number}", text)
    record, _ = read_record(source)
    return source if record is not None and record.end is not None else None


def wins(games: Sequence[PastGame]) -> list[tuple[str, int, int, int]]:
    """Return each player's wins, draws and games, the most wins first."""
    won = Counter(name for game in games for name in game.winners)
    drew = Counter(n for game in games if game.drawn for n in set(game.people))
    played = Counter(name for game in games for name in set(game.people))
    rows = [(name, won[name], drew[name], played[name]) for name in played]
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[3], row[0]))
