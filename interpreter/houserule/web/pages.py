"""Pages of a table: who sits there, a seat, what went wrong. Values in, HTML out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import segno

from houserule.bots.bot import KINDS
from houserule.resources import Phrases, languages
from houserule.web.drawing import TableView, table_page, table_part
from houserule.web.templating import render

if TYPE_CHECKING:
    from houserule.web.live import LiveTable

NOTICES = frozenset(
    {
        "stale",
        "no_such_choice",
        "rule_fault",
        "taken",
        "no_name",
        "name_taken",
        "no_bot",
        "not_full",
        "under_way",
    }
)
"""What a page may be asked to say: a link cannot put other words into it."""

FAR = 10**9  # no choice has so many options that somebody looks at


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and the part of it that scripts put into its place: each when asked."""

    whole: Callable[[], str]
    part: Callable[[], str]


@dataclass(frozen=True, slots=True)
class AskedPage:
    """What somebody wants to see of a seat.

    Attributes:
        path: how far a choice was made.
        first: from which option on they are listed.
        why: whether it is to be said why that can be chosen or not.
        hint: whether a bot is to say what it would do.
        log: whether the whole log is wanted, however long.
        notice: what just went wrong, as a sentence; it is never in the query.
    """

    path: tuple[str, ...] = ()
    first: int = 0
    why: bool = False
    hint: bool = False
    log: bool = False
    notice: str = ""

    @classmethod
    def of(cls, query: Iterable[tuple[str, str]], notice: str = "") -> AskedPage:
        """Read it from the query of an address."""
        pairs = list(query)
        names = {name for name, _ in pairs}
        path = tuple(text for name, text in pairs if name == "path")
        first = dict(pairs).get("first", "")
        start = int(first) if first.isascii() and first.isdigit() else 0
        why, hint, log = (name in names for name in ("why", "hint", "log"))
        return cls(path, min(start, FAR), why, hint, log, notice)


def notice_in(notice: str, language: str) -> str:
    """Return one of `NOTICES` as a sentence; '' for any other text."""
    return Phrases("web", language).say(notice) if notice in NOTICES else ""


def language_for(wishes: Iterable[str]) -> str:
    """Return the first language wished for in which pages can be said, else English."""
    known = languages("web")
    return next((each for each in wishes if each in known), "en")


def languages_at(table: LiveTable) -> tuple[str, ...]:
    """Return the languages in which a table can be played."""
    known = languages("web")
    return tuple(
        each for each in table.rules.ruleset.manifest.languages if each in known
    )


# ---- who sits where


@dataclass(frozen=True, slots=True)
class ShownChair:
    """A seat as the host's and the guests' pages show it."""

    seat: int
    called: str
    name: str
    bot: bool
    taken: bool
    absent: bool


def _chairs(table: LiveTable, language: str) -> list[ShownChair]:
    words = table.rules.wording(language)
    absent = table.absent()
    return [
        ShownChair(
            seat,
            _seat_title(words.seat(seat), seat, language),
            chair.name,
            chair.bot,
            bool(chair.name),
            seat in absent,
        )
        for seat, chair in enumerate(table.stored.chairs)
    ]


def _seat_title(label: str, seat: int, language: str) -> str:
    """Return what a seat is called: by its number, if the game has no word for it."""
    if label != f"p{seat + 1}":
        return label
    return Phrases("web", language).say("seat_number", number=seat + 1)


def host_page(table: LiveTable, base: str, here: str, asked: dict[str, str]) -> Page:
    """Return the page on which the host seats people and begins.

    Args:
        table: what it is about.
        base: the address of the page.
        here: how guests reach this server.
        asked: what the address asks for: `invite` or `watch` with a key, `notice`.
    """
    language = table.stored.language
    link = ""
    for letter, name in (("j", "invite"), ("w", "watch")):
        if asked.get(name):
            link = f"{here}/{letter}/{asked[name]}"
    values = {
        "base": base,
        "version": table.version,
        "title": table.sentence(language),
        "chairs": _chairs(table, language),
        "kinds": tuple(KINDS),
        "full": table.full,
        "begun": table.sitting is not None,
        "over": table.over,
        "link": link,
        "watching": "watch" in asked,
        "picture": segno.make(link).svg_inline(scale=5, border=2) if link else "",
        "notice": notice_in(asked.get("notice", ""), language),
    }
    return _both("host", language, values)


def _both(name: str, language: str, values: Mapping[str, object]) -> Page:
    return Page(
        partial(render, f"{name}.html", language, "web", **values),
        partial(render, f"{name}_part.html", language, "web", **values),
    )


def join_page(table: LiveTable, base: str, language: str, notice: str) -> Page:
    """Return the page of an invitation: which seats are free."""
    offered = languages_at(table)
    spoken = language if language in offered else offered[0]
    chairs = _chairs(table, spoken)
    values = {
        "base": base,
        "version": table.version,
        "title": table.sentence(spoken),
        "chairs": chairs,
        "free": [chair for chair in chairs if not chair.taken],
        "languages": offered,
        "spoken": spoken,
        "notice": notice_in(notice, spoken),
    }
    return _both("join", spoken, values)


# ---- at the table


def seat_page(
    table: LiveTable, seat: int | None, base: str, host: str, asked: AskedPage
) -> Page:
    """Return what a seat sees, or a watcher; before the game begins who is here."""
    language = table.language_of(seat)
    host_address = f"/h/{host}" if host else ""
    if table.sitting is None:
        values = {
            "base": base,
            "version": table.version,
            "title": table.sentence(language),
            "chairs": _chairs(table, language),
            "own": seat,
            "host": host_address,
        }
        return _both("waiting", language, values)
    view = _view(table, seat, base, host_address, asked)
    return Page(partial(table_page, view), partial(table_part, view))


def _view(
    table: LiveTable, seat: int | None, base: str, host: str, asked: AskedPage
) -> TableView:
    sitting, language = table.sitting, table.language_of(seat)
    assert sitting is not None, "a game was begun"
    moment = table.moment(seat)
    undo = sitting.asked
    answers = undo is not None and seat is not None and seat != undo.by
    agreed = undo is not None and seat in undo.agreed
    names = sitting.seated.names
    bot = sitting.decision.seat if sitting.asks_bot() and sitting.decision else None
    return TableView(
        base=base,
        language=language,
        version=table.version,
        moment=moment,
        step=None if seat is None else table.step(seat, asked.path, asked.first),
        log=table.log(seat),
        why=table.why(seat, asked.path) if asked.why and seat is not None else None,
        hint=table.hint(seat) if asked.hint and seat is not None else "",
        notice=asked.notice,
        can_undo=seat is not None and sitting.can_undo(seat),
        can_restart=seat is not None and sitting.can_undo(seat),
        can_ask_undo=seat is not None and undo is None and sitting.can_ask_undo(seat),
        undo_asked=names[undo.by] if undo and answers and not agreed else "",
        undo_wanted=undo is not None and seat == undo.by,
        thinking="" if bot is None else moment.position.seats[bot].name,
        whole_log=asked.log,
        rules=f"{base}/rules",
        host=host,
        absent=table.absent(),
    )


def error_page(status: int, language: str, why: str = "") -> str:
    """Return what is shown instead of a page."""
    return render("error.html", language, status=status, why=why)
