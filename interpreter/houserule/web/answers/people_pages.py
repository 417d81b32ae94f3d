"""Pages on which somebody acts for another, or hands a seat on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.web.pages import notice_in, picture_of
from houserule.web.templating import render

if TYPE_CHECKING:
    from houserule.web.live import LiveTable


def act_page(table: LiveTable, base: str, seat: int, notice: str) -> str:
    """Return the page on which the host confirms that he acts for somebody.

    Args:
        table: what it is about.
        base: the address of the host's page.
        seat: for whom.
        notice: what went wrong before, one of `NOTICES`.
    """
    language = table.stored.language
    return render(
        "act.html",
        language,
        base=base,
        title=table.sentence(language),
        seat=seat,
        who=table.stored.chairs[seat].name,
        may=table.may_act_for(seat),
        notice=notice_in(notice, language),
    )


def hand_page(table: LiveTable, base: str, seat: int, link: str) -> str:
    """Return the page on which a seat is handed on, with the link for that if made."""
    language = table.language_of(seat)
    return render(
        "hand.html",
        language,
        base=base,
        title=table.sentence(language),
        link=link,
        picture=picture_of(link),
    )
