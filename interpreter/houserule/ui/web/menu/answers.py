"""Request handlers before a table exists: games, menus, effects, files.

The effect of a house rule is measured for one visitor at a time, only while the visitor
looks at it.
"""

from __future__ import annotations

import asyncio
import threading
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, Mapping
from hashlib import sha256
from typing import TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from houserule.base.executors import in_thread
from houserule.ui.web.answers.yours import YourTable
from houserule.ui.web.drawing.picture import STYLE
from houserule.ui.web.menu.pages import (
    HomeWish,
    drawing,
    effect_answer,
    menu_answer,
    picture,
    shipped_home,
    table_file,
)
from houserule.ui.web.own.rules_store import OwnTexts

LOOK = 0.05  # seconds between checks whether a visitor still waits for an effect
_STYLED = b64encode(sha256(STYLE.encode()).digest()).decode()
PICTURE_HEADERS = {
    "cache-control": "public, max-age=3600",
    "content-security-policy": f"default-src 'none'; style-src 'sha256-{_STYLED}'",
}
"""A picture has its style inside; the hash allows exactly this style."""

MenuAnswer: TypeAlias = Callable[[Request], Awaitable[Response]]


def menu_answers(
    language: Callable[[Request], str],
    yours: Callable[[Request, str], Awaitable[Iterable[YourTable]]],
    lengths: Callable[[], Mapping[str, int]],
    texts: OwnTexts | None = None,
) -> Mapping[str, MenuAnswer]:
    """Return the request handlers, by method and address.

    Args:
        language: returns the language of a request.
        yours: returns the tables at which the visitor has a seat.
        lengths: returns the average number of choices in a game, by its name.
        texts: the store of users' own rules; None if uploads are not allowed.
    """

    async def home(request: Request) -> Response:
        spoken = language(request)
        tables = await yours(request, spoken)
        wish = HomeWish.of(request.query_params)

        def drawn() -> str:
            return shipped_home(spoken, tables, wish, lengths())

        return HTMLResponse(await in_thread(drawn))

    async def image(request: Request) -> Response:
        game = request.path_params["game"]
        found = await in_thread(picture, game, language(request))
        return Response(
            _there(found), media_type="image/svg+xml", headers=PICTURE_HEADERS
        )

    async def drawn(request: Request) -> Response:
        game, board, digest = (request.path_params[n] for n in ("game", "n", "digest"))
        found = await in_thread(drawing, game, board, digest)
        return Response(
            _there(found), media_type="image/svg+xml", headers=PICTURE_HEADERS
        )

    async def menu(request: Request) -> Response:
        part = request.url.path.endswith("/part")
        asked = _asked(request, language)
        work = in_thread(menu_answer, *asked, texts, part=part)
        return HTMLResponse(_there(await work))

    async def file(request: Request) -> Response:
        work = in_thread(table_file, *_asked(request, language), texts)
        return PlainTextResponse(_there(await work))

    turn = asyncio.Lock()

    async def effect(request: Request) -> Response:
        left = threading.Event()
        asked = _asked(request, language)
        async with turn:
            work = asyncio.create_task(
                in_thread(effect_answer, *asked, left.is_set, texts)
            )
            try:
                while not (await asyncio.wait({work}, timeout=LOOK))[0]:
                    if await request.is_disconnected():
                        left.set()
            finally:
                left.set()
        return HTMLResponse(_there(work.result()))

    return {
        "GET /": home,
        "GET /picture/{game}": image,
        "GET /drawing/{game}/{n:int}/{digest}": drawn,
        "GET /new/{game}": menu,
        "GET /new/{game}/part": menu,
        "GET /new/{game}/effect": effect,
        "GET /new/{game}/file": file,
    }


def _asked(
    request: Request, language: Callable[[Request], str]
) -> tuple[str, str, str]:
    return request.path_params["game"], request.url.query, language(request)


def _there(page: str | None) -> str:
    if page is None:
        raise HTTPException(404)
    return page
