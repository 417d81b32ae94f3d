"""Upload of a record: checked in a separate process, then opened as a table."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.base.frozen import frozen
from houserule.base.isolation import isolated
from houserule.base.resources import known_rulesets
from houserule.base.source import Source
from houserule.compiler.prepare import TableChoice
from houserule.play.records.people import RecordedPeople
from houserule.play.records.reading import ParsedRecord, read_record
from houserule.play.records.records import seat_names
from houserule.play.seat.seated import Seated
from houserule.ui.configurator.links import MOST_OWN, TableLink, link_of
from houserule.ui.web.games import file_of, rules_of
from houserule.ui.web.live import new_key
from houserule.ui.web.own.checked import NoTextError, checked, text_in
from houserule.ui.web.own.rules_store import OwnTexts, TooManyTextsError, digest_of
from houserule.ui.web.store import Chair, TableStore

NAME = "game.jsonl"


@frozen
class NotTaken(Exception):
    """A record is rejected.

    Attributes:
        wrong: the phrase with the reason.
        why: the findings, with their places.
    """

    wrong: str
    why: str = ""


def verified(text: str) -> ParsedRecord:
    """Return a record whose replay is valid, maybe with its own rules.

    Raises:
        NotTaken: it is not a record, contains a whole game, or its replay differs.
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
    if record.own is not None and (
        record.own.files or record.head.game not in known_rulesets()
    ):
        raise NotTaken("own_game")
    return record


def kept_beside(record: ParsedRecord, texts: OwnTexts | None) -> tuple[str, ...]:
    """Store a record's own rules; return their digests.

    They are checked first, like uploaded rules.

    Args:
        record: a record that was verified.
        texts: the store of own rules; None if they are not allowed.

    Raises:
        NotTaken: they have errors, or the store is full.
    """
    brought = () if record.own is None else tuple(sorted({*record.own.rules.values()}))
    if not brought:
        return ()
    if texts is None:
        raise NotTaken("own_not_here")
    if len(brought) > MOST_OWN:
        raise NotTaken("own_many")
    try:
        first, *others = (text_in(each.encode()) for each in brought)
    except NoTextError:
        raise NotTaken("own_many") from None
    beside = {file_of(digest_of(each)): each for each in others}
    found = checked(record.head.game, first, beside)
    if found.ended:
        raise NotTaken("too_long")
    if not found.sound:
        raise NotTaken("own_faults", "\n".join(each.says for each in found.faults))
    try:
        return tuple(texts.keep(each) for each in (first, *others))
    except TooManyTextsError:
        raise NotTaken("own_full") from None


def opened_with(store: TableStore, text: str, own: Sequence[str], language: str) -> str:
    """Open a table with the game of a record; return the key to the host's page.

    Bots keep their seats. The seats of people are free.

    Args:
        text: a record that was verified.
        own: digests of own rules; with any, only call this in a process under limits.
        language: the language of the table, if the game has it.
    """
    record, _ = read_record(Source(NAME, text))
    assert record is not None, "it was verified"
    table = record.table
    choice = TableChoice(
        with_=tuple(sorted(table.variants)),
        settings=table.options,
        players=table.players,
    )
    link = link_of(TableLink(table.game, choice, own=tuple(own)))
    rules = rules_of(link, OwnTexts(store))
    language = rules.ruleset.language_for(language)
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
