"""The rules of one table: a page with its rulebook, and a file to keep."""

from __future__ import annotations

from functools import lru_cache

from houserule.play.seat.moments import table_sentence
from houserule.rulebook.book.build import book_of
from houserule.rulebook.book.page.article import article_of
from houserule.rulebook.book.page.elements import Markup
from houserule.ui.web.games import rules_of
from houserule.ui.web.live import LiveTable
from houserule.ui.web.own.rules_store import OwnTexts
from houserule.ui.web.templating import render

KEPT = 16  # articles, some hundred thousand characters each


def rules_page(table: LiveTable, language: str, back: str) -> str:
    """Return the rules of a table; `back` is the address of the previous page."""
    return render(
        "rules.html",
        language,
        title=table_sentence(table.rules, language),
        article=_article(table.stored.choice, OwnTexts(table.store), language),
        back=back,
    )


def rules_file(table: LiveTable, language: str) -> tuple[str, str]:
    """Return the rules of a table as an HTML document, and its file name."""
    book = book_of(table.rules, language)
    return book.html(), f"{book.game}-{language}.html"


@lru_cache(maxsize=KEPT)
def _article(link: str, texts: OwnTexts, language: str) -> Markup:
    """Return the article of the rulebook for a choice in the form of a link."""
    return article_of(book_of(rules_of(link, texts), language))
