"""Upload of users' own rules: the page with its form, and the result."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import chain, count
from urllib.parse import quote

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from houserule.base.executors import in_thread
from houserule.base.frozen import frozen
from houserule.base.resources import known_rulesets
from houserule.ui.configurator.beginning import names_in, rule_to_begin_with
from houserule.ui.configurator.book import house_book
from houserule.ui.configurator.links import own_in, own_query, query_of
from houserule.ui.web.answers.asking import Answer, language_of
from houserule.ui.web.games import file_of, ruleset_of
from houserule.ui.web.guard import UPLOAD
from houserule.ui.web.menu.pages import chosen_in
from houserule.ui.web.own.checked import CheckedText, NoTextError, checked, text_in
from houserule.ui.web.own.rules_store import LARGEST, OwnTexts, TooManyTextsError
from houserule.ui.web.own.workers import OwnRulesError
from houserule.ui.web.templating import render

AT_ONCE = 2  # checks at once
WAITING = 12  # uploads that wait for their check, or are checked
FIELDS = 10


@frozen
class AskedOwn:
    """The query of the page's address.

    Attributes:
        choice: the current table, as a query.
        own: the texts beside the game.
        edit: the text to edit, or ''.
    """

    game: str
    language: str
    choice: str
    own: tuple[str, ...]
    edit: str

    @classmethod
    def of(cls, request: Request) -> AskedOwn:
        """Parse the query of a request.

        Raises:
            HTTPException: 404, unknown game.
            BadLinkError: the query is invalid.
        """
        game, query = request.path_params["game"], request.url.query
        if game not in known_rulesets():
            raise HTTPException(404)
        choice, language = chosen_in(query, language_of(request))
        own = own_in(query, language)
        edit = request.query_params.get("edit", "")
        return cls(game, language, query_of(choice), own, edit if edit in own else "")

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(each for each in self.own if each != self.edit)

    def address(self, what: str, own: tuple[str, ...], **more: str) -> str:
        said = (f"{name}={quote(text)}" for name, text in more.items() if text)
        lang = f"lang={self.language}"
        every = filter(None, (own_query(own), self.choice, lang, *said))
        return f"/new/{self.game}{what}?{'&'.join(every)}"


class BringingAnswers:
    """Request handlers for uploads of own rules."""

    def __init__(self, texts: OwnTexts) -> None:
        self._texts = texts
        self._checking, self._waiting = asyncio.Semaphore(AT_ONCE), 0

    @property
    def routes(self) -> Mapping[str, Answer]:
        """Return the handlers, by method and address."""
        at = "/new/{game}/own"
        return {f"GET {at}": self.page, f"POST {at}": self.bring}

    async def page(self, request: Request) -> Response:
        """Show the page, with an example or with the text to edit."""
        asked = AskedOwn.of(request)

        def show() -> str:
            if asked.edit:
                return _page(asked, self._texts.text(asked.edit))
            ruleset = ruleset_of(asked.game)  # a starter rule with an unused name
            taken = names_in(ruleset)
            names = chain(["our_rule"], (f"our_rule_{number}" for number in count(2)))
            free = next(each for each in names if each not in taken)
            return _page(asked, rule_to_begin_with(ruleset, free))

        return HTMLResponse(await in_thread(show))

    async def bring(self, request: Request) -> Response:
        """Check a text and store it; show its errors if it has any."""
        asked = AskedOwn.of(request)
        async with request.form(
            max_files=1, max_fields=FIELDS, max_part_size=UPLOAD
        ) as form:
            field, file = form.get("text", ""), form.get("file")
            typed = field if isinstance(field, str) else ""
            content = typed.encode()
            if isinstance(file, UploadFile) and file.filename:  # overrides the field
                content = await file.read()
        try:
            text = text_in(content)
        except NoTextError as error:
            page = _page(asked, typed, wrong=str(error))
            return HTMLResponse(page, 422)
        if self._waiting >= WAITING:
            raise OwnRulesError("busy")

        def check() -> CheckedText:
            others = {file_of(each): self._texts.text(each) for each in asked.others}
            return checked(asked.game, text, others)

        self._waiting += 1
        try:
            async with self._checking:
                found = await in_thread(check)
        finally:
            self._waiting -= 1
        if not found.sound:
            return HTMLResponse(_page(asked, text, found), 422)
        try:
            digest = await in_thread(self._texts.keep, text)
        except TooManyTextsError:
            return HTMLResponse(_page(asked, text, wrong="full"), 503)
        own = tuple(sorted({*asked.others, digest}))
        return RedirectResponse(asked.address("", own, begin=digest), 303)


def _page(
    asked: AskedOwn, text: str, found: CheckedText | None = None, wrong: str = ""
) -> str:
    """Return the page.

    Args:
        wrong: the phrase with another reason for a rejection.
    """
    title = house_book(ruleset_of(asked.game), asked.language).offers.title
    if found is not None and found.ended:
        wrong = found.ended
    return render(
        "own.html",
        asked.language,
        area="own",
        title=title,
        asked=asked,
        text=text,
        faults=found.faults if found else (),
        wrong=wrong,
        largest=LARGEST // 1000,
        back=asked.address("", asked.own),
        action=asked.address("/own", asked.own, edit=asked.edit),
    )
