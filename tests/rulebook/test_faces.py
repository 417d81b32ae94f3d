"""HTML and Markdown of a book: whole, linked, and nothing but text where text is."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt
from tests.rulebook.hostile import STARTS, WORDS, hostile_game
from tests.support.shipped import ROOT

import houserule
from houserule.rulebook.book.book_model import Book, BookDrawing

TABLES = {
    "x_pasch de": ("x_pasch", "official_deluxe", "de"),
    "pachisi fr": ("pachisi", None, "fr"),
    "hearts en": ("hearts", None, "en"),
    "guild_street en": ("guild_street", None, "en"),
}
VOID = frozenset({"meta", "br", "link"})
ALONE = frozenset({"path", "rect", "circle"})  # of SVG, closed where they begin


@cache
def book_of_table(name: str) -> Book:
    game, preset, language = TABLES[name]
    return houserule.load(ROOT / game).table(preset=preset).rulebook(language)


class Parsed(HTMLParser):
    """Elements of a document that are closed in order, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.classes: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALONE
        self._note(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] != "style":
            self.text += data

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags[tag] += 1
        self.attributes |= given.keys()
        if given.get("id") is not None:
            self.ids[str(given["id"])] += 1
        self.classes |= {*(given.get("class") or "").split()}
        if "href" in given:
            self.links.append(str(given["href"]))


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("name", TABLES)
def test_every_id_is_there_once_and_every_link_leads_somewhere(
    name: str, exact: bool
) -> None:
    book = book_of_table(name)
    page = Parsed(book.html(exact=exact))
    assert set(page.ids.values()) == {1}
    assert all(link.startswith("#") for link in page.links)
    assert {unquote(link[1:]) for link in page.links} <= page.ids.keys()
    kinds = "cx" if exact else "c"
    clauses = {f"{kind}-{rule.address}" for rule in book.rules for kind in kinds}
    assert clauses <= page.ids.keys()
    keys = {f"s-{section.key}" for section in book.every_section()}
    assert keys <= page.ids.keys()


@pytest.mark.parametrize("name", TABLES)
def test_no_address_is_read(name: str) -> None:
    book = book_of_table(name)
    text = Parsed(book.html()).text
    dotted = [rule.address for rule in book.rules if re.search(r"[._]", rule.address)]
    assert dotted
    assert [each for each in dotted if re.search(rf"\b{re.escape(each)}\b", text)] == []


@pytest.mark.parametrize("name", TABLES)
def test_all_that_a_book_says_stands_in_its_page(name: str) -> None:
    book = book_of_table(name)
    text = Parsed(book.html(exact=True)).text
    for section in book.every_section():
        assert section.title in text
        assert all(each.text in text for each in section.sentences())
    for rule in book.rules:
        assert all(each in text for each in (rule.says, *rule.exact, *rule.cites))


@pytest.mark.parametrize("name", TABLES)
def test_formal_wording_is_printed_for_editors_only(name: str) -> None:
    book = book_of_table(name)
    formal = {each for rule in book.rules for each in rule.exact}
    said = {each.text for s in book.every_section() for each in s.sentences()}
    plain, whole = (Parsed(book.html(exact=exact)).text for exact in (False, True))
    only = {each for each in formal if not any(each in text for text in said)}
    assert len(only) > 20
    assert all(each in whole for each in only)
    assert [each for each in only if f"{each} " in plain and len(each) > 40] == []


def test_what_a_house_rule_did_stands_beside_the_sentence() -> None:
    table = houserule.load(ROOT / "x_pasch").table(with_=["harder_sliding"])
    html = table.rulebook("en").html()
    beside = next(
        part
        for part in html.split('<div class="beside">')
        if 'id="c-slide.downhill"' in part
    )
    said, _, note = beside.partition('role="note"')
    assert re.search(r'<ins id="c-slide\.downhill"><span class="mark"[^>]*>◊', said)
    assert '<a href="#u-harder_sliding" class="tag">Harder sliding</a>' in note
    assert "must pay no more than the company that it leaves" in note
    assert 'id="u-harder_sliding"' in html
    plain = houserule.load(ROOT / "x_pasch").table().rulebook("en").html()
    assert "◊" not in plain


@pytest.mark.parametrize(
    ("language", "word"), [("en", "last owner"), ("de", "Konkurswurf")]
)
def test_the_first_use_of_a_word_is_a_link_to_its_meaning(
    language: str, word: str
) -> None:
    table = houserule.load(ROOT / "x_pasch").table(preset="official")
    html = table.rulebook(language).html()
    links = re.findall(rf'<a href="#(c-\w+)" class="term">{word}</a>', html)
    assert len(links) == 1
    assert re.search(
        rf"<b class=\"run\">{word}\.</b>[^b]*id=\"{links[0]}\"", html, re.I
    )


def test_a_page_needs_nothing_beside_it() -> None:
    html = book_of_table("hearts en").html()
    page = Parsed(html)
    assert not page.tags.keys() & {"script", "link", "img", "iframe", "object"}
    assert not re.search(r"url\(|@import|src=", html)
    assert "style" not in page.attributes  # the table in the browser allows none


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Book:
    game = hostile_game(tmp_path_factory.mktemp("hostile"))
    table = houserule.load(game).table(with_=["no_early_hold"])
    return table.rulebook("en")


def test_no_text_becomes_html(hostile: Book) -> None:
    page = Parsed(hostile.html())
    assert not page.tags.keys() & {"script", "img"}
    assert page.tags["style"] == 1
    assert not page.attributes & {"onerror", "onclick"}
    assert page.text.count(WORDS) > 7
    assert f"{STARTS} {WORDS}" in page.text
    assert all(link.startswith("#") for link in page.links)


def test_no_text_becomes_markdown(hostile: Book) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(hostile.markdown())
    every = [*tokens, *(each for token in tokens for each in token.children or ())]
    html = {each.content for each in every if each.type.startswith("html")}
    assert all(
        re.fullmatch(r'<a id="[\w.-]+">|</a>|<a id="[\w.-]+"></a>\s*', h) for h in html
    )
    links = [str(each.attrs["href"]) for each in every if each.type == "link_open"]
    assert all(link.startswith("#") for link in links)
    assert not any(each.type in {"image", "code_inline"} for each in every)
    fences = [each for each in every if each.type in {"fence", "code_block"}]
    assert not fences
    headings = [each for each in every if each.type == "heading_open"]
    assert len(headings) == 1 + len([*hostile.every_section()])
    said = "".join(each.content for each in every if each.type == "text")
    assert said.count(WORDS) > 6


def test_what_looks_like_markdown_stays_as_it_is() -> None:
    book = book_of_table("hearts en")
    drawing = BookDrawing(title="1. <b>", svg="<svg></svg>", text="a\n````\n<b>\n")
    first = book.sections[0].model_copy(
        update={"title": "# x\n\n# y", "blocks": (drawing,)}
    )
    changed = book.model_copy(update={"sections": (first,), "title": "1. one"})
    tokens = MarkdownIt("commonmark").parse(changed.markdown())
    fence = next(each for each in tokens if each.type == "fence")
    assert fence.content == drawing.text
    inline = [each.content for each in tokens if each.type == "inline"]
    assert inline[0] == r"1\. one"
    assert r"\# x # y" in inline
