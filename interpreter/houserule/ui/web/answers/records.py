"""Request handlers for finished games and their records."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Mapping
from functools import partial

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from houserule.base.executors import in_thread
from houserule.base.source import Source
from houserule.play.narration.visibility import ALL_KNOWING, EVERYBODY, Viewer
from houserule.ui.web import pages
from houserule.ui.web.answers.asking import (
    Answer,
    language_of,
    number_in,
    pass_of,
    see,
    shown,
)
from houserule.ui.web.drawing import SeatPage, ShownFilm, replay_page, replay_part
from houserule.ui.web.guard import UPLOAD
from houserule.ui.web.live import LiveTable
from houserule.ui.web.own.serving import OwnRulesAnswers
from houserule.ui.web.pages import Page
from houserule.ui.web.records.bringing import (
    NotTaken,
    kept_beside,
    opened_with,
    verified,
)
from houserule.ui.web.records.films import Films
from houserule.ui.web.records.history import finished, tallies
from houserule.ui.web.records.played import (
    PastGame,
    finished_record,
    played_games,
    wins,
)
from houserule.ui.web.tables import Tables
from houserule.ui.web.templating import render

LOOKING = "hsw"  # roles that may see finished games: host, seats, watchers


class RecordAnswers:
    """Request handlers for finished games.

    Args:
        own: the users' own rules on the server.
    """

    def __init__(self, tables: Tables, own: OwnRulesAnswers) -> None:
        self.tables, self.store, self._own = tables, tables.store, own
        self._films = Films()
        self._verifying = asyncio.Semaphore(1)

    @property
    def routes(self) -> Mapping[str, Answer]:
        """Return the handlers, by method and address."""
        answers: dict[str, Answer] = {
            "GET /records": self.ask_for_record,
            "POST /records": self.bring,
            "GET /h/{key}/records.zip": self.records,
        }
        for role in LOOKING:
            at = f"GET /{role}/{{key}}"
            answers[f"{at}/games"] = self.games
            answers[f"{at}/record"] = self.record
            answers[f"{at}/replay"] = answers[f"{at}/replay/part"] = self.replay
        return answers

    # ---- finished games

    async def games(self, request: Request) -> Response:
        """Show a table's finished games, and statistics of its game on this server."""
        found = await pass_of(self.store, request)
        base = request.url.path.removesuffix("/games")

        def show(table: LiveTable) -> str:
            tally = tallies(self.store).get(table.rules.program.game)
            language, host = table.language_of(found.seat), found.role == "host"
            games: tuple[PastGame, ...] = played_games(table, language)
            return render(
                "games.html",
                language,
                base=base,
                title=table.sentence(language),
                games=games,
                wins=wins(games),
                drawn=any(game.drawn for game in games),
                tally=tally,
                average=round(tally.choices / tally.games) if tally else 0,
                host=host,
            )

        return HTMLResponse(await self.tables.do(found.table, show))

    async def replay(self, request: Request) -> Response:
        """Show a finished game after one of its choices."""
        found, query = await pass_of(self.store, request), request.query_params
        base = f"/{request.url.path[1]}/{request.path_params['key']}"
        sights: dict[str, Viewer] = {"everybody": EVERYBODY, "open": ALL_KNOWING}
        if found.seat is not None:
            sights = {"own": found.seat, **sights}
        sight = query.get("as", "")
        sight = sight if sight in sights else next(iter(sights))
        at = max(0, number_in(query.get("at", "0")))

        def work(table: LiveTable) -> pages.Page:
            number, record = _asked_record(table, request)
            language = table.language_of(found.seat)
            length, frame = self._films.frame(record, at, sights[sight], language)
            film = ShownFilm(
                address=f"{base}/replay",
                at=frame.at,
                last=length,
                number=number,
                sight=sight,
                sights=tuple(sights),
                back=f"{base}/games",
            )
            view = SeatPage(
                base=base,
                language=language,
                version=table.version,
                moment=frame.moment,
                step=None,
                log=frame.log,
                rules=f"{base}/rules",
            )
            return Page(
                partial(replay_page, view, film), partial(replay_part, view, film)
            )

        return shown(request, await self.tables.do(found.table, work))

    # ---- downloads

    async def record(self, request: Request) -> Response:
        """Return the record of a finished game, with all its secrets."""
        found = await pass_of(self.store, request)

        def work(table: LiveTable) -> tuple[str, str]:
            _, record = _asked_record(table, request)
            return table.rules.program.game, record.text

        game, text = await self.tables.do(found.table, work)
        return _file(text.encode(), f"{game}.jsonl", "application/jsonl")

    async def records(self, request: Request) -> Response:
        """Return the records of all finished games of a table to the host."""
        found = await pass_of(self.store, request)

        def work(table: LiveTable) -> tuple[str, bytes]:
            packed, game = io.BytesIO(), table.rules.program.game
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                for each in finished(self.store, table.id):
                    record = finished_record(table, each.number)
                    if record is not None:
                        archive.writestr(f"{game}-{each.number}.jsonl", record.text)
            return game, packed.getvalue()

        game, packed = await self.tables.do(found.table, work)
        return _file(packed, f"{game}.zip", "application/zip")

    # ---- uploads

    async def ask_for_record(self, request: Request) -> Response:
        """Show the upload page for a record."""
        language = language_of(request)
        return HTMLResponse(render("bring.html", language, wrong="", why=""))

    async def bring(self, request: Request) -> Response:
        """Open a table with an uploaded record, if its replay is valid."""
        language = language_of(request)
        try:
            # A form's text: a file overrides typed text
            async with request.form(
                max_files=1, max_fields=2, max_part_size=UPLOAD
            ) as form:
                typed, file = form.get("text", ""), form.get("file")
                raw = typed.encode() if isinstance(typed, str) else b""
                if isinstance(file, UploadFile) and file.filename:
                    raw = await file.read()
            try:
                text = raw.decode("utf-8").replace("\r\n", "\n").strip()
            except UnicodeDecodeError:
                raise NotTaken("no_text") from None
            if not text:
                raise NotTaken("nothing")
            async with self._verifying:
                record = await in_thread(verified, text)
                own = await in_thread(kept_beside, record, self._own.kept)
            if own:
                return see(f"/h/{await self._own.open_with(record, own, language)}")
            work = in_thread(opened_with, self.store, text, (), language)
            return see(f"/h/{await work}")
        except NotTaken as error:
            wrong, why = error.wrong, error.why
            page = render("bring.html", language, wrong=wrong, why=why)
            return HTMLResponse(page, 422)


def _asked_record(table: LiveTable, request: Request) -> tuple[int, Source]:
    """Return the number and the record of the game in an address.

    Raises:
        HTTPException: 403, the game is unfinished or unknown.
    """
    number = number_in(request.query_params.get("game", str(table.stored.number)))
    record = finished_record(table, number)
    if record is None:
        raise HTTPException(403)
    return number, record


def _file(content: bytes, name: str, kind: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, headers=headers, media_type=kind)
