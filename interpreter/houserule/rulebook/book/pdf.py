"""A book as PDF: pages with notes in the margin. Only this module uses WeasyPrint.

The package is in the extra `pdf`, and needs Pango from the system.
"""

from __future__ import annotations

from houserule.base.resources import own_text
from houserule.rulebook.book.book_model import Book, Paper
from houserule.rulebook.book.page.article import article_of
from houserule.rulebook.book.page.document import HERE, document


class NoPdfError(Exception):
    """PDF output is not available on this system; the message says what to install."""


def as_pdf(book: Book, paper: Paper, *, exact: bool = False) -> bytes:
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

    nothing = URLFetcher(allowed_protocols=())  # the document is self-contained
    html = HTML(string=paged_html(book, paper, exact=exact), url_fetcher=nothing)
    made: bytes = html.write_pdf(pdf_tags=True, presentational_hints=True)
    return made


def paged_html(book: Book, paper: Paper, *, exact: bool = False) -> str:
    """Return the document for paged output."""
    sheets = (own_text(HERE / f"{name}.css") for name in ("alone", "book", "paged"))
    style = f"{''.join(sheets)}@page{{size:{paper}}}"
    return document(book, article_of(book, exact=exact, paged=True), style)
