"""A book as PDF: page numbers, notes, footnotes. Only this module uses WeasyPrint.

The package is in the extra `pdf`, and needs Pango from the system.
"""

from __future__ import annotations

from collections.abc import Mapping

from houserule.base.resources import own_text
from houserule.rulebook.book.book_model import Book, Paper
from houserule.rulebook.book.page.article import Paged, article_of
from houserule.rulebook.book.page.document import HERE, document
from houserule.rulebook.diagram.boxes import css_of

# A book is laid out again until its page numbers are right. WeasyPrint can insert them
# itself, but then repeats some footnotes.
ROUNDS = 4


class NoPdfError(Exception):
    """PDF output is not available on this system; the message says what to install."""


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

    nothing = URLFetcher(allowed_protocols=())  # the document is self-contained
    pages: dict[str, int] = {}
    for _ in range(ROUNDS):
        html = HTML(string=paged_html(book, paper, pages), url_fetcher=nothing)
        laid = html.render(presentational_hints=True, pdf_tags=True)
        found: dict[str, int] = {}
        for number, names in enumerate((each.anchors for each in laid.pages), 1):
            for name in names:
                found.setdefault(name, number)
        if found == pages:
            break
        pages = found
    made: bytes = laid.write_pdf(pdf_tags=True)
    return made


def paged_html(book: Book, paper: Paper, pages: Mapping[str, int]) -> str:
    """Return the document for paged output; `pages` are the pages of anchors."""
    sheets = (own_text(HERE / f"{name}.css") for name in ("alone", "book", "paged"))
    style = f"{''.join(sheets)}@page{{size:{paper}}}"
    article = article_of(book, paged=Paged(css_of(dark=False), pages))
    return document(book, article, style)
