"""Pages out of templates: the one place that makes HTML.

Every value is escaped unless a template made it. A name that a template knows and the
page does not give is an error, not a gap.
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
from houserule.rulebook.book.page.document import book_style

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
BOOK = "book.css"


class PageContext(Context):
    """A template's context while a page is rendered, released at its end.

    It has the macros of the template, and each of these has it. Such a circle, with all
    that a page is made of, would wait until somebody looks for circles: at a busy
    server that takes tenths of a second, in which nobody is answered.
    """

    def __init__(self, *args: Any, **named: Any) -> None:  # noqa: ANN401  # of Jinja
        super().__init__(*args, **named)
        if "language" in self.parent:  # else it is of what all pages share
            _known.contexts.append(self)

    @staticmethod
    def let_go() -> None:
        """Forget what was known in this thread."""
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
        auto_reload=False,  # else every page asks for the age of each template
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.context_class = PageContext
    made.globals["static"] = static_address
    return made


def render(template: str, language: str, area: str = "web", **values: object) -> str:
    """Return a page, or a part of one.

    Args:
        template: a file of `templates/`.
        language: of all texts; `say` in templates speaks it.
        area: of the phrases that `say` has.
        values: what the template names.
    """
    try:
        return _template(template).render(_all(language, area, values))
    finally:
        PageContext.let_go()


def macros(
    template: str, language: str, area: str = "web", **values: object
) -> TemplateModule:
    """Return the macros of a template for one page; arguments are as of `render`.

    They are created once, since several templates of a page would import them again,
    and are usable until the page is rendered.
    """
    return _template(template).make_module(_all(language, area, values))


def _template(name: str) -> Template:
    return _environment().get_template(name)


def _all(language: str, area: str, values: Mapping[str, object]) -> dict[str, object]:
    return {**values, "say": Phrases(area, language).say, "language": language}


@cache
def static_address(name: str) -> str:
    """Return where a file of `static/` is served; it changes when the file does."""
    digest = sha256(static_file(name)).hexdigest()[:12]
    return f"/static/{digest}/{name}"


@cache
def static_file(name: str) -> bytes:
    """Return a file of `static/`, or the style of books, which they bring themselves.

    Raises:
        FileNotFoundError: no template has this name.
    """
    if name == BOOK:
        return book_style().encode()
    if name not in {path.name for path in STATIC.iterdir()}:
        raise FileNotFoundError(name)
    return (STATIC / name).read_bytes()
