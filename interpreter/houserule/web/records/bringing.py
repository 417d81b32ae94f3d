"""A record that somebody brings: checked in a process of its own, then a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.isolation import isolated
from houserule.menu.links import TableLink, link_of
from houserule.prepare import TableChoice
from houserule.record.people import RecordedPeople
from houserule.record.reading import read_record
from houserule.record.records import seat_names
from houserule.seat.seated import Seated
from houserule.source import Source
from houserule.web.games import rules_of
from houserule.web.live import new_key
from houserule.web.store import Chair

if TYPE_CHECKING:
    from houserule.record.reading import ParsedRecord
    from houserule.web.store import TableStore

NAME = "game.jsonl"


@dataclass(frozen=True, slots=True)
class NotTaken(Exception):
    """A record is not taken in.

    Attributes:
        wrong: why, by its phrase.
        why: what was found, with the place.
    """

    wrong: str
    why: str = ""


def verified(text: str) -> ParsedRecord:
    """Return a record of a shipped game that is played again as it says.

    Raises:
        NotTaken: it is none, brings rules of its own, or is not played so.
    """
    done = isolated("replay", NAME, "--json", files={NAME: text})
    result = done.result
    if done.ended != "finished":
        raise NotTaken("too_long", done.message)
    if result is None:
        raise NotTaken("no_record", (done.errors or done.output).strip())
    if result["differs_at"] is not None or not result["same_rules"]:
        again = isolated("replay", NAME, files={NAME: text})
        raise NotTaken("differs", (again.errors or again.output).strip())
    record, _ = read_record(Source(NAME, text))
    assert record is not None, "it was read in the other process"
    if record.own is not None:
        raise NotTaken("own_rules")
    return record


def taken_in(store: TableStore, text: str, language: str) -> str:
    """Open a table with the game of a record; return the key to the host's page.

    Bots sit where they sat. The seats of people are free for whoever takes them.

    Raises:
        NotTaken: as of `verified`.
    """
    record = verified(text)
    table = record.table
    choice = TableChoice(
        with_=tuple(sorted(table.variants)),
        settings=table.options,
        players=table.players,
    )
    link = link_of(TableLink(table.game, choice, language))
    rules = rules_of(link)
    people = RecordedPeople.at_end(record, seat_names(rules.program))
    seated = Seated.in_record(record.head, people)
    free = Chair("", False, language)
    chairs = [
        Chair(name, True, language) if seat in seated.bots else free
        for seat, name in enumerate(seated.names)
    ]
    key = new_key()
    lines = "\n".join(record.lines)
    store.new_table(link, language, chairs, [(key, "host")], lines)
    return key
