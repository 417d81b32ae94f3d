"""A book as PDF: pages, numbers, running heads, footnotes; and what is said without."""

from __future__ import annotations

import io
import os
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from pypdf import PdfReader
from tests.support.shipped import ROOT

import houserule
from houserule.rulebook.book.book_model import Book, Paper
from houserule.rulebook.book.pdf import NoPdfError, paged_html
from houserule.ui.cli.main import run

REQUIRED = "HOUSERULE_PDF"  # set to `required` where a missing Pango is a fault


@cache
def pdf(game: str, language: str) -> tuple[Book, bytes]:
    """Return a book and its PDF; skip the test where none can be made."""
    book = houserule.load(ROOT / game).table().rulebook(language)
    try:
        return book, book.pdf()
    except NoPdfError as error:
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(f"{error} One is required here.")
        pytest.skip(str(error))


def short(book: Book, *chapters: str) -> Book:
    """Return a book with some of its chapters alone: to set a whole one takes long."""
    sections = tuple(each for each in book.sections if each.key in chapters)
    return book.model_copy(update={"sections": sections, "rules": ()})


def pages(data: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]


def test_a_book_is_on_numbered_pages_with_all_sections() -> None:
    book, data = pdf("hearts", "de")
    texts = pages(data)
    assert len(texts) > 1
    whole = " ".join(" ".join(texts).split())
    for section in book.every_section():
        assert f"{section.number} {section.title}".strip() in whole
    for number, text in enumerate(texts, 1):
        assert re.search(rf"\b{number}$", text.strip())
    assert all(book.title in text for text in texts[1:])  # the running foot


@pytest.mark.parametrize(
    ("game", "preset", "most"),
    [("pig", None, 1), ("hearts", None, 3), ("x_pasch", "official", 6)],
)
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_book_for_players_is_short(
    game: str, preset: str | None, most: int, language: str, paper: Paper
) -> None:
    pdf("pig", "de")  # or skip
    table = houserule.load(ROOT / game).table(preset=preset, players=4)
    book = table.rulebook(language)
    texts = pages(book.pdf(paper))
    assert len(texts) <= most
    titles = {each.title for each in book.every_section()}
    for text in texts:  # no title is alone at the bottom of a page
        lines = [each.strip(" •") for each in text.splitlines()]
        *_, last = [each for each in lines if not re.search(r"^(.* )?\d+$|^$", each)]
        assert last not in titles


def test_a_house_rule_is_named_beside_its_sentence() -> None:
    pdf("pig", "de")  # or skip
    table = houserule.load(ROOT / "x_pasch").table(with_=["harder_sliding"])
    text = " ".join(pages(short(table.rulebook("en"), "chapter-course").pdf()))
    assert "◊ Harder sliding" in re.sub(r"\s+", " ", text)


def test_german_words_are_hyphenated() -> None:
    _, data = pdf("hearts", "de")
    assert re.search(
        r"[a-zäöüß]{2}[-\u2010\u00ad]\n[a-zäöüß]{2}", "\n".join(pages(data))
    )


def test_a_pdf_says_what_it_is() -> None:
    book, data = pdf("pig", "de")
    reader = PdfReader(io.BytesIO(data))
    assert reader.metadata is not None
    assert reader.metadata.title == book.title
    assert str(reader.root_object["/Lang"]) == "de"
    outline = [str(each.title) for each in reader.outline if not isinstance(each, list)]
    assert outline
    titles = str(reader.outline)
    assert all(section.title in titles for section in book.sections)


def test_the_same_book_gives_the_same_bytes() -> None:
    book, data = pdf("pig", "de")
    assert book.pdf() == data
    letter = short(book, "chapter-course").pdf("letter")
    size = PdfReader(io.BytesIO(letter)).pages[0].mediabox
    assert [round(size.width), round(size.height)] == [612, 792]


def test_a_book_fetches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from houserule.rulebook.book import pdf as module

    whole, _ = pdf("pig", "de")
    book = short(whole, "chapter-course")
    plain = book.pdf()
    pulled = (
        '<img src="http://127.0.0.1:9/x.png"><img src="file:///etc/hostname"></main>'
    )
    html = paged_html(book, "a4").replace("</main>", pulled)
    opened: list[object] = []

    def note(*asked: object, **_: object) -> None:
        opened.append(asked)
        raise OSError

    monkeypatch.setattr("urllib.request.OpenerDirector.open", note)
    monkeypatch.setattr(module, "paged_html", lambda *_, **__: html)
    assert len(pages(book.pdf())) >= len(pages(plain))
    assert opened == []


@pytest.mark.parametrize(
    ("missing", "says"),
    [(None, "pip install 'houserule[pdf]'"), (OSError, "A PDF needs Pango")],
)
def test_what_is_missing_is_said(
    missing: type[OSError] | None,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Broken:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "weasyprint":
                raise OSError("cannot load library 'libpango-1.0-0'")

    for name in [name for name in sys.modules if name.split(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    if missing is None:
        monkeypatch.setitem(sys.modules, "weasyprint", None)
    else:
        monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    assert run(["rulebook", "pig", "--output", str(tmp_path / "pig.pdf")]) == 2
    assert says in " ".join(capsys.readouterr().err.split())
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_sheet_of_differences_is_one_page(language: str, tmp_path: Path) -> None:
    pdf("pig", "de")  # or skip
    file = tmp_path / "ours.pdf"
    table = ["x_pasch", "--preset", "official", "--players", "4", "--lang", language]
    assert run(["rulebook", *table, "--diff", "base", "--output", str(file)]) == 0
    assert len(pages(file.read_bytes())) == 1
