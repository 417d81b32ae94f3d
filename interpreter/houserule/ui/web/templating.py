"""HTML templates: the only module that makes HTML.

Every value is escaped unless a template made it. A name that a template uses and the
page does not provide is an error, not a gap.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import local
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from jinja2.environment import TemplateModule
from jinja2.runtime import Context

from houserule.base.resources import Phrases
from houserule.play.seat.faces import shapes
from houserule.rulebook.book.page.document import book_style

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
BOOK = "book.css"
PLACES = "places.css"
"""The places of drawings, in hundredths: pages have no styles of their own."""


class PageContext(Context):
    """A template's context while a page is rendered, released at its end.

    It has the template's macros, and each of these has the context. Only the garbage
    collector would free this cycle with the whole page: at a busy server, that takes
    tenths of a second, in which no request is answered.
    """

    def __init__(self, *args: Any, **named: Any) -> None:  # noqa: ANN401  # Jinja's
        super().__init__(*args, **named)
        if "language" in self.parent:  # otherwise it is shared by all pages
            _known.contexts.append(self)

    @staticmethod
    def let_go() -> None:
        """Forget the contexts of this thread."""
        for each in _known.contexts:
            each.vars, each.parent = {}, {}
        _known.contexts.clear()


class _Known(local):
    def __init__(self) -> None:
        self.contexts: list[PageContext] = []


_known = _Known()


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        auto_reload=False,  # otherwise each page checks all time stamps
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.context_class = PageContext
    made.globals["static"] = static_address
    made.globals["shapes"] = shapes
    return made


def render(template: str, language: str, area: str = "web", **values: object) -> str:
    """Return a page, or a part of one.

    Args:
        template: a file in `templates/`.
        language: the language of all texts and of `say` in templates.
        area: the area of the phrases for `say`.
    """
    try:
        return _template(template).render(_all(language, area, values))
    finally:
        PageContext.let_go()


def macros(
    template: str, language: str, area: str = "web", **values: object
) -> TemplateModule:
    """Return the macros of a template for one page; arguments are as for `render`.

    They are created once, because several templates of a page would import them
    repeatedly, and are usable until the page is rendered.
    """
    return _template(template).make_module(_all(language, area, values))


def _template(name: str) -> Template:
    return _environment().get_template(name)


def _all(language: str, area: str, values: Mapping[str, object]) -> dict[str, object]:
    return {**values, "say": Phrases(area, language).say, "language": language}


@cache
def static_address(name: str) -> str:
    """Return the address of a file in `static/`; it changes when the file does."""
    digest = sha256(static_file(name)).hexdigest()[:12]
    return f"/static/{digest}/{name}"


@cache
def static_file(name: str) -> bytes:
    """Return a file of `static/`, the style sheet of rulebooks, or that of drawings.

    Raises:
        FileNotFoundError: no template has this name.
    """
    if name == BOOK:
        return book_style().encode()
    if name == PLACES:
        sides = {"left": "left", "top": "top", "wide": "width", "high": "height"}
        return "".join(
            f".spot.{side}-{n}{{{key}:{n}%}}\n"
            for side, key in sides.items()
            for n in range(101)
        ).encode()
    if name not in {path.name for path in STATIC.iterdir()}:
        raise FileNotFoundError(name)
    return (STATIC / name).read_bytes()
