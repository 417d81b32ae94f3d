"""Pages of a table: seating, a seat's view, errors. Values in, HTML out."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

import segno

from houserule.base.frozen import frozen
from houserule.base.resources import LANGUAGES, Phrases
from houserule.engine.bots.bot import USUAL, spoken_of
from houserule.play.seat.choosing import Touched
from houserule.rulebook.diagram.turn_lines import turn_lines
from houserule.ui.web.clock import LENGTHS
from houserule.ui.web.drawing import SeatPage, table_page, table_part
from houserule.ui.web.drawing.areas import seat_style
from houserule.ui.web.drawing.pointing import touched_in
from houserule.ui.web.live import LiveTable
from houserule.ui.web.records.courses import Course
from houserule.ui.web.records.history import evenings
from houserule.ui.web.records.played import played_games, wins
from houserule.ui.web.store import CHAT_MODES
from houserule.ui.web.templating import render

NOTICES = frozenset(
    {
        "stale",
        "no_such_choice",
        "rule_fault",
        "taken",
        "no_name",
        "name_unseen",
        "name_taken",
        "name_mixed",
        "name_of_bot",
        "name_reserved",
        "no_bot",
        "not_full",
        "under_way",
        "not_away",
        "chat_off",
        "chat_empty",
        "chat_long",
        "chat_fast",
        "notices_sent",
        "notices_off",
        "notices_wrong",
        "notices_where",
        "notices_lost",
        "notices_many",
    }
)
"""The notices that an address may request; it cannot contain other words."""

FAR = 10**9  # more options than any page lists


@frozen
class Page:
    """A page, and the part of it that scripts replace; each is drawn on demand."""

    whole: Callable[[], str]
    part: Callable[[], str]


@frozen
class AskedPage:
    """A request for a seat's page.

    Attributes:
        path: the path of the choice so far.
        first: the number of the first listed option.
        about: touched components, each with the key of its area; with `why`, the last
            one is a part of the choice to explain.
        why: whether an explanation of the choice is requested.
        hint: whether a bot's suggestion is requested.
        notice: a sentence on the last error; never in the query.
    """

    path: tuple[str, ...] = ()
    first: int = 0
    about: tuple[Touched, ...] = ()
    why: bool = False
    hint: bool = False
    log: bool = False
    notice: str = ""

    @classmethod
    def of(cls, query: Iterable[tuple[str, str]], notice: str = "") -> AskedPage:
        """Parse the query of an address."""
        pairs = list(query)
        names = {name for name, _ in pairs}
        path = tuple(text for name, text in pairs if name == "path")
        about = tuple(touched_in(text) for name, text in pairs if name == "about")
        first = dict(pairs).get("first", "")
        start = int(first) if first.isascii() and first.isdigit() else 0
        why, hint, log = (name in names for name in ("why", "hint", "log"))
        return cls(path, min(start, FAR), about, why, hint, log, notice)


def notice_in(notice: str, language: str) -> str:
    """Return one of `NOTICES` as a sentence; '' for any other text."""
    return Phrases("web", language).say(notice) if notice in NOTICES else ""


def language_for(wishes: Iterable[str]) -> str:
    """Return the first requested language that pages support, else English."""
    return next((each for each in wishes if each in LANGUAGES), "en")


# ---- seating


@frozen
class ShownChair:
    """A seat on the host's and the guests' pages."""

    seat: int
    style: str
    called: str
    name: str
    bot: bool
    taken: bool
    absent: bool
    away: bool
    """The person is away, so that a deputy may act."""
    spoken: tuple[str, str]
    """The phrase with the bot's name, and its strength."""


def chairs_of(table: LiveTable, language: str) -> list[ShownChair]:
    """Return the seats of a table for pages."""
    words = table.rules.wording(language)
    absent, numbered = table.absent(), Phrases("web", language).say
    chairs = []
    for seat, chair in enumerate(table.stored.chairs):
        title = words.seat(seat)
        if title == table.seats[seat]:  # the game has no name for it
            title = numbered("seat_number", number=seat + 1)
        chairs.append(
            ShownChair(
                seat,
                seat_style(seat, words.seat_colour(seat)),
                title,
                chair.name,
                chair.bot,
                bool(chair.name),
                seat in absent,
                table.may_act_for(seat),
                spoken_of(chair.name),
            )
        )
    return chairs


@frozen
class Invitation:
    """The links that a host passes on.

    Attributes:
        join: to take a free seat.
        only_here: whether only the computer of the server can open them.
        picture: the QR code of `join`, as SVG.
    """

    join: str
    watch: str
    only_here: bool
    picture: str


def only_here(address: str) -> bool:
    """Return whether only this computer can open an address."""
    return urlsplit(address).hostname in {"127.0.0.1", "localhost", "::1"}


def invitation(table: LiveTable, host: str, here: str) -> Invitation | None:
    """Return the links of a table; None without the key of its host.

    Args:
        host: the key of its host, or any other text.
        here: the server's address for guests.
    """
    join = host and table.invitation(host, "join")
    if not join:
        return None
    link, watch = f"{here}/j/{join}", f"{here}/w/{table.invitation(host, 'watch')}"
    return Invitation(link, watch, only_here(here), picture_of(link))


def usual_of(bots: Sequence[str]) -> str:
    """Return the bot that a host usually seats."""
    return USUAL if USUAL in bots else bots[0]


def host_page(
    table: LiveTable,
    base: str,
    invite: Invitation,
    own: str,
    notice: str,
    bots: Sequence[str],
    messages: str = "",
) -> Page:
    """Return the host's page, for seating players and beginning.

    Args:
        own: the address of the host's own seat, if there is one.
        notice: the last error, one of `NOTICES`.
        messages: what `check` says about the game as its files are now.
    """
    language, silent = table.stored.language, table.unanswered()
    undo = table.sitting and table.sitting.asked
    names = table.sitting.seated.names if table.sitting else ()
    values = {
        "base": base,
        "host": base,
        "version": table.version,
        "news": table.news,
        "title": table.sentence(language),
        "chairs": chairs_of(table, language),
        "kinds": [(name, *spoken_of(name)) for name in bots],
        "usual": usual_of(bots),
        "full": table.full,
        "begun": table.sitting is not None,
        "days": table.store.keep_days,
        "over": table.over,
        "invite": invite,
        "chat": table.stored.chat,
        "chat_modes": CHAT_MODES,
        "clock": table.clock,
        "lengths": LENGTHS,
        "own": own,
        "messages": messages,
        "notice": notice_in(notice, language),
        "undo_by": names[undo.by] if undo else "",
        "silent": [(seat, table.stored.chairs[seat].name) for seat in silent],
    }
    return _both("host", language, values)


def picture_of(link: str) -> str:
    """Return the QR code of a link as SVG; '' for no link."""
    return segno.make(link).svg_inline(scale=5, border=2) if link else ""


def _both(name: str, language: str, values: Mapping[str, object]) -> Page:
    return Page(
        partial(render, f"{name}.html", language, "web", **values),
        partial(render, f"{name}_part.html", language, "web", **values),
    )


def join_page(
    table: LiveTable, base: str, language: str, notice: str, heir: int | None = None
) -> Page:
    """Return the page of an invitation, with the free seats.

    An `heir` may only take the one seat whose player hands it over.
    """
    spoken = table.rules.ruleset.language_for(language)
    chairs = chairs_of(table, spoken)
    values = {
        "base": base,
        "version": table.version,
        "news": table.news,
        "title": table.sentence(spoken),
        "chairs": chairs,
        "free": [
            chair
            for chair in chairs
            if chair.seat == heir or (heir is None and not chair.taken)
        ],
        "from_whom": "" if heir is None else chairs[heir].name,
        "languages": table.rules.ruleset.spoken,
        "spoken": spoken,
        "notice": notice_in(notice, spoken),
    }
    return _both("join", spoken, values)


# ---- at the table


def seat_page(
    table: LiveTable,
    seat: int | None,
    base: str,
    host: str,
    asked: AskedPage,
    *,
    deputy: bool = False,
    notices: bool = False,
    invite: Invitation | None = None,
    learnt: Collection[str] = (),
    course: Course | None = None,
    others: Collection[int] = (),
) -> Page:
    """Return the view of a seat or a watcher; before the game, the players present.

    A `deputy` sees what the seat sees, and may only choose for it. The host has the
    links to pass on here too. If its game is not `learnt`, a seat sees how a turn goes.
    The `course` is that of a finished game; None while it is not known. The `others`
    are the tables whose results the viewer may see too.
    """
    language = table.language_of(seat)
    host_address = f"/h/{host}" if host else ""
    if table.sitting is None:
        values = {
            "base": base,
            "version": table.version,
            "news": table.news,
            "title": table.sentence(language),
            "chairs": chairs_of(table, language),
            "own": seat,
            "host": host_address if invite else "",
            "invite": invite,
            "full": table.full,
            "days": table.store.keep_days,
        }
        return _both("waiting", language, values)
    view = _view(table, seat, base, host_address, asked)
    if deputy and seat is not None:
        view = replace(view, acting_for=table.stored.chairs[seat].name)
    elif seat is not None:
        view = replace(view, deputy=table.deputy(seat), hand_on=f"{base}/hand")
        view = replace(view, notices=f"{base}/notices" if notices else "")
    game = table.rules.ruleset.id
    if seat is not None and not deputy and not table.over and game not in learnt:
        words = table.rules.wording(language)
        coach = turn_lines(table.rules.program, words)
        view = replace(view, coach=coach, game=game)
    if not deputy:
        view = replace(view, games=f"{base}/games", replay=f"{base}/replay")
    if table.over and not deputy:
        played = played_games(table, language)
        view = replace(
            view,
            record=f"{base}/record?game={table.stored.number}",
            others=f"/new/{table.stored.choice}",
            wins=tuple(wins(played)) if len(played) > 1 else (),
            course=course,
            evenings=evenings(table.store, table.id, others) if others else None,
        )
    return Page(partial(table_page, view), partial(table_part, view))


def _view(
    table: LiveTable, seat: int | None, base: str, host: str, asked: AskedPage
) -> SeatPage:
    sitting, language = table.sitting, table.language_of(seat)
    assert sitting is not None, "a game was begun"
    moment = table.moment(seat)
    touched = asked.about[:-1] if asked.why else asked.about
    step, why = None, None
    if seat is not None:
        step = table.step(seat, asked.path, asked.first, touched)
        why = table.why(seat, asked.path, asked.about) if asked.why else None
    undo = sitting.asked
    answers = undo is not None and seat is not None and seat != undo.by
    agreed = undo is not None and seat in undo.agreed
    names = sitting.seated.names
    hint, values, hinted = table.hint(seat if asked.hint else None)
    bot = sitting.decision.seat if sitting.asks_bot() and sitting.decision else None
    if sitting.game.claimed:  # nobody sees who is asked
        bot = None
    due, late = table.due, table.times.late
    return SeatPage(
        base=base,
        language=language,
        version=table.version,
        news=table.news,
        chat=table.chat_for(seat),
        moment=moment,
        step=step,
        before=table.before(seat, step.path) if step and seat is not None else None,
        log=table.log(seat),
        about=touched,
        why=why,
        hint=hint,
        hint_values=tuple(values),
        hinted=hinted,
        notice=asked.notice,
        can_undo=seat is not None and sitting.can_undo(seat),
        can_ask_undo=seat is not None and undo is None and sitting.can_ask_undo(seat),
        undo_asked=names[undo.by] if undo and answers and not agreed else "",
        undo_wanted=undo is not None and seat == undo.by,
        undo_silent=tuple(names[each] for each in table.unanswered()),
        thinking="" if bot is None else moment.position.seats[bot].name,
        whole_log=asked.log,
        rules=f"{base}/rules",
        host=host,
        absent=table.absent(),
        clock=table.clock,
        time_left=max(0, round(due - time.monotonic())) if due is not None else None,
        late="" if late is None else names[late],
    )


def error_page(language: str, says: str, why: str = "") -> str:
    """Return an error page: a sentence, and an explanation."""
    return render("error.html", language, says=says, why=why)
