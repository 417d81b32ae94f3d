"""The rules of one table: a page with its rulebook, and a file to keep."""

from __future__ import annotations

from houserule.authoring.scenarios.whole_books import whole_book
from houserule.play.seat.moments import table_sentence
from houserule.rulebook.book.page.article import article_of
from houserule.rulebook.book.page.elements import Markup
from houserule.ui.web.drawing.redrawing import DRAWINGS
from houserule.ui.web.live import LiveTable
from houserule.ui.web.templating import render


def rules_page(table: LiveTable, language: str, back: str) -> str:
    """Return the rules of a table; `back` is the address of the previous page."""
    rules = table.rules
    article = DRAWINGS.get(
        ("article", rules.program, language),
        lambda: article_of(whole_book(rules, language)),
    )
    return render(
        "rules.html",
        language,
        title=table_sentence(table.rules, language),
        article=Markup(article),
        back=back,
    )


def rules_file(table: LiveTable, language: str) -> tuple[str, str]:
    """Return the rules of a table as an HTML document, and its file name."""
    book = whole_book(table.rules, language)
    return book.html(), f"{book.game}-{language}.html"
