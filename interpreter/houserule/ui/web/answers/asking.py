"""Parsing of requests, and simple responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TypeAlias
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from houserule.ui.web import pages
from houserule.ui.web.passes import Pass, Role
from houserule.ui.web.store import TableStore

Answer: TypeAlias = Callable[[Request], Awaitable[Response]]
ROLES: Mapping[str, Role] = {
    "h": "host",
    "j": "join",
    "s": "seat",
    "w": "watch",
    "a": "deputy",
    "t": "heir",
}
"""The rights of a key, by the first letter of its address."""


async def pass_of(store: TableStore, request: Request) -> Pass:
    """Return the rights of the key in an address.

    Raises:
        HTTPException: 404, the key has no rights.
    """
    role = ROLES[request.url.path[1]]
    found = await store.opens(request.path_params["key"])
    if found is None or found.role != role:
        raise HTTPException(404)
    return found


async def fields_of(request: Request) -> list[tuple[str, str]]:
    """Return the fields of a form, in order.

    Raises:
        HTTPException: 400, the form is malformed.
    """
    body = await request.body()
    with suppress(UnicodeDecodeError, ValueError):
        return parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, max_num_fields=200
        )
    raise HTTPException(400)


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a form by name; errors as for `fields_of`."""
    return dict(await fields_of(request))


def language_of(request: Request, wished: str = "") -> str:
    """Return the language of a request: the requested one, else the browser's."""
    header = request.headers.get("accept-language", "")
    accepted = (each.split(";")[0].strip()[:2].lower() for each in header.split(","))
    asked = request.query_params.get("lang", "")
    return pages.language_for((wished, asked, *accepted))


def number_in(text: str) -> int:
    """Parse a number; -1 if a text is not one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1


def here(request: Request) -> str:
    """Return the server's address as guests use it; its name is already checked.

    If the host uses an address of this computer alone, it is the one for the network,
    if there is one.
    """
    own = f"{request.url.scheme}://{request.headers['host']}"
    public: str = request.app.state.public
    return public if public and pages.only_here(own) else own


def shown(request: Request, page: pages.Page) -> Response:
    """Return a page, or the part of it that scripts replace."""
    part = request.url.path.endswith("/part")
    return HTMLResponse(page.part() if part else page.whole())


def see(address: str) -> Response:
    """Redirect to another page."""
    return RedirectResponse(address, 303)


def remember(answer: Response, name: str, text: str) -> None:
    """Store a text in the browser for a month; scripts cannot read it."""
    answer.set_cookie(name, text, httponly=True, samesite="strict", max_age=2_592_000)
