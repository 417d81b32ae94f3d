"""The games that were played at a table, with the people who played them."""

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

MOST = 50  # games that are listed: the last of them


@frozen
class PastGame:
    """A game that is over.

    Attributes:
        number: which of its table it was.
        stalled: it could not go on.
        drawn: that it was drawn, and why, in a sentence; '' where it was not.
        winners, people: what they are called.
        choices: how many stood at the end.
        day: when it ended.
    """

    number: int
    stalled: bool
    drawn: str
    winners: tuple[str, ...]
    people: tuple[str, ...]
    choices: int
    day: str


def played_games(table: LiveTable, language: str) -> tuple[PastGame, ...]:
    """Return the last games of a table that are over, the last of all first.

    People and bots are called as they are at the table, in a language.
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
    """Return the record of a game of a table; None if it is not over, or not there.

    A record tells every secret of its game, so the record itself is asked for its end.
    """
    text = table.store.record(table.id, number) if number > 0 else ""
    if not text:
        return None
    source = Source(f"game {number}", text)
    record, _ = read_record(source)
    return source if record is not None and record.end is not None else None


def wins(games: Sequence[PastGame]) -> list[tuple[str, int, int, int]]:
    """Return who won and drew how often, of how many games: who won most first."""
    won = Counter(name for game in games for name in game.winners)
    drew = Counter(n for game in games if game.drawn for n in set(game.people))
    played = Counter(name for game in games for name in set(game.people))
    rows = [(name, won[name], drew[name], played[name]) for name in played]
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[3], row[0]))
