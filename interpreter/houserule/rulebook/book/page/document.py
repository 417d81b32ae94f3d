"""A book as one HTML file: for phones, desktops and paper, light and dark."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from houserule.base.resources import own_text
from houserule.rulebook.book.book_model import Book
from houserule.rulebook.book.page.article import article_of
from houserule.rulebook.book.page.elements import Markup, element

HERE = Path(__file__).parent


def as_html(book: Book, *, exact: bool = False) -> str:
    """Return a book as a self-contained document."""
    colours = element("meta", name="color-scheme", content="light dark")
    style = f"{own_text(HERE / 'alone.css')}{book_style()}"
    return document(book, article_of(book, exact=exact), style, colours)


def document(book: Book, article: Markup, style: str, *heads: Markup) -> str:
    """Return the document of an article with its style and other head elements."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", book.title),
        element("meta", name="generator", content="Houserule"),
        element("meta", name="description", content=book.table),
        (element("meta", name="author", content=each) for each in book.credits),
        element("meta", name="rules", content=book.fingerprint),
        heads,
        element("style", Markup(style)),
    )
    html = element(
        "html", head, element("body", element("main", article)), lang=book.language
    )
    return f"<!doctype html>\n{html}\n"


@cache
def book_style() -> str:
    return own_text(HERE / "book.css")
