"""A book as PDF: pages with numbers, notes, footnotes; the one place for WeasyPrint.

Its package is in the extra `pdf`, and it needs Pango from the system.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.diagram.boxes import css_of
from houserule.resources import own_text
from houserule.rulebook.page.article import article_of
from houserule.rulebook.page.document import HERE, book_style, document

if TYPE_CHECKING:
    from houserule.rulebook.model import Book, Paper


class NoPdfError(Exception):
    """What makes PDF is not on this system; the message says what to install."""


def as_pdf(book: Book, paper: Paper) -> bytes:
    """Return a book as PDF, the same bytes for the same book.

    Raises:
        NoPdfError: WeasyPrint or Pango is missing.
    """
    try:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher
    except ModuleNotFoundError as error:
        raise NoPdfError(
            f"A PDF needs {error.name}, which is not installed: "
            "pip install 'houserule[pdf]'. A browser prints the HTML as well."
        ) from None
    except OSError:
        raise NoPdfError(
            "A PDF needs Pango, which is not on this system; Debian has it as "
            "libpango-1.0-0 and libpangoft2-1.0-0, others as pango. A browser prints "
            "the HTML as well."
        ) from None

    nothing = URLFetcher(allowed_protocols=())  # all of a book is in its document
    html = HTML(string=paged_html(book, paper), url_fetcher=nothing)
    made: bytes = html.write_pdf(pdf_tags=True, presentational_hints=True)
    return made


def paged_html(book: Book, paper: Paper) -> str:
    """Return the document that is set on pages."""
    sheets = own_text(HERE / "alone.css"), book_style(), own_text(HERE / "paged.css")
    style = f"{''.join(sheets)}@page{{size:{paper}}}"
    return document(book, article_of(book, paged=css_of(dark=False)), style)
