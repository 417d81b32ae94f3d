"""The tables at which a browser has a seat: how it finds back to them.

The browser keeps the keys of its last seats in a cookie that no script can read and no
other site is sent, each with the version of the table that it saw last.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from starlette.requests import Request
from starlette.responses import Response

from houserule.diagnostics.render import DiagnosticsError
from houserule.state.faults import RuleFault
from houserule.web.answers.asking import Answer, remember, see
from houserule.web.games import NotHereError

if TYPE_CHECKING:
    from houserule.web.live import LiveTable
    from houserule.web.tables import Tables

COOKIE = "seats"
MOST = 8  # seats that a browser keeps
_KEPT = re.compile(r"([\w-]{16,64})\.(\d{1,12})", re.ASCII)


@dataclass(frozen=True, slots=True)
class YourTable:
    """A table at which a browser has a seat.

    Attributes:
        title: game and house rules.
        address: of the seat.
        name: who sits there.
        stands: how the game stands for the seat.
        news: how often something happened since the browser looked.
    """

    title: str
    address: str
    name: str
    stands: Literal["your turn", "others turn", "over", "not begun"]
    news: int


def seats_in(request: Request) -> dict[str, int]:
    """Return the keys that a browser keeps, the last used first, with versions."""
    kept = request.cookies.get(COOKIE, "").split("~")
    found = filter(None, map(_KEPT.fullmatch, kept))
    return {each[1]: int(each[2]) for each in list(found)[:MOST]}


def keep_seat(request: Request, answer: Response, key: str, version: int) -> None:
    """Let a browser keep the key of a seat, and what it saw last of the table."""
    _keep(answer, {key: version} | seats_in(request) | {key: version})


def _keep(answer: Response, seats: Mapping[str, int]) -> None:
    kept = [f"{key}.{version}" for key, version in seats.items()]
    remember(answer, COOKIE, "~".join(kept[:MOST]))


class YourTables:
    """Finds the tables at which a browser has a seat.

    Args:
        tables: of the server.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables, self.store = tables, tables.store

    @property
    def posts(self) -> Mapping[str, Answer]:
        """What is answered to POST, by address."""
        return {"/forget": self.forget}

    @property
    def gets(self) -> Mapping[str, Answer]:
        """What is answered to GET, by address: nothing of its own."""
        return {}

    async def forget(self, _: Request) -> Response:
        """Let a browser keep no seats any more; their addresses stay as they are."""
        answer = see("/")
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return answer

    async def of(self, request: Request, language: str) -> list[YourTable]:
        """Return the tables of who asks, but those whose keys open nothing any more."""
        found = []
        for key, version in seats_in(request).items():
            opens = self.store.opened_by(key)
            if opens is None or opens.role != "seat" or opens.seat is None:
                continue
            seat = opens.seat

            def shown(
                table: LiveTable,
                key: str = key,
                version: int = version,
                seat: int = seat,
            ) -> YourTable:
                return _shown(table, seat, f"/s/{key}", version, language)

            try:
                found.append(await self.tables.do(opens.table, shown))
            except (DiagnosticsError, RuleFault, OSError):
                continue  # whoever opens it is told
            except NotHereError:
                continue  # no process is started for a line of a list
        return sorted(found, key=lambda each: each.stands != "your turn")


def _shown(
    table: LiveTable, seat: int, address: str, seen: int, language: str
) -> YourTable:
    stands: Literal["your turn", "others turn", "over", "not begun"] = "others turn"
    if table.sitting is None:
        stands = "not begun"
    elif (decision := table.sitting.decision) is None:
        stands = "over"
    elif decision.seat == seat:
        stands = "your turn"
    return YourTable(
        title=table.sentence(language),
        address=address,
        name=table.stored.chairs[seat].name,
        stands=stands,
        news=max(0, table.version - seen),
    )
