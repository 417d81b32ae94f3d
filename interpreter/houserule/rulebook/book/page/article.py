"""The article of a book: sections, margin notes, the formal rules, the index.

Ids are `s-KEY` of a section, `c-ADDRESS` of a clause's sentence, `x-ADDRESS` of its
formal rule, `u-KEY` of a house rule and `r-NUMBER` of a decision. Each occurs once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import TypeAlias

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.rulebook.book.book_model import (
    Book,
    BookBlock,
    BookDrawing,
    BookList,
    BookMark,
    BookParagraph,
    BookRule,
    BookSection,
    BookSentence,
    BookTable,
    BookTerm,
)
from houserule.rulebook.book.margins import BookMargins, MarginNote
from houserule.rulebook.book.page.elements import Markup, element, joined

TABLE, RULINGS = "chapter-table", "chapter-rulings"
MARK = "◊"
HARD = "\u00a0"  # non-breaking space
UNKNOWN = 10  # placeholder until page numbers are known
LONG = 8  # phones show no list of a chapter with more sections
MANY = 4  # columns of a table that do not fit on a phone
NUMBER = re.compile(r"[+\-\u2212]?\d+([.,]\d+)?")
FRAMES = re.compile("[\u2500-\u257f]+")  # box-drawing lines

WIDE, HIGH = 640.0, 840.0  # pixels of a page that a drawing can fill
LEAST = 0.6  # the smallest readable scale
SLICE = 320.0  # pixels of a slice: small, to fill pages
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox="[^"]*"')
LINE = re.compile(r'<text[^>]* y="([\d.]+)"')
BOX = re.compile(r'<rect class="step[^>]* y="([\d.]+)" [^>]*height="([\d.]+)"')
ABOVE, BELOW, STEP = 11.0, 4.0, 1.0  # room of a line of text; search step for cuts
Span: TypeAlias = tuple[float, float]


def sliced(svg: str, style: str) -> Markup:
    """Return an SVG with another style, in slices that each fit on a page."""
    svg = STYLE.sub("", svg)
    size = SIZE.search(svg)
    if size is None:
        return Markup(svg)
    width, height = float(size[1]), float(size[2])
    at = (float(each) for each in LINE.findall(svg))
    lines = [(each - ABOVE, each + BELOW) for each in at]
    tops = ((float(top), float(high)) for top, high in BOX.findall(svg))
    boxes = [(top, top + high) for top, high in tops]
    pictures = []
    for top, bottom in pairwise(_cuts(width, height, [*lines, *boxes], lines)):
        view = f"0 {top:.1f} {width:.1f} {bottom - top:.1f}"
        shown = f'width="{width:.1f}" height="{bottom - top:.1f}" viewBox="{view}"'
        part = f"{svg[: size.start()]}{shown}{svg[size.end() :]}"
        inside = part.replace(">", f"><style>{style}</style>", 1)
        pictures.append(element("div", Markup(inside), class_="drawn"))
    return joined(pictures)


def _cuts(
    width: float, height: float, kept: list[Span], lines: list[Span]
) -> Iterator[float]:
    """Yield the tops of the slices of a drawing, and its end.

    Cuts avoid `kept` if possible, and `lines` always.
    """
    scale = min(1.0, WIDE / width)
    yield 0.0
    if min(scale, HIGH / height) < LEAST:
        most, at = SLICE / scale, 0.0
        while height - at > most:
            kept_whole = _free(at + most, at + most / 2, kept)
            at = kept_whole or _free(at + most, at, lines) or at + most
            yield at
    yield height


def _free(most: float, least: float, spans: list[Span]) -> float:
    """Return the last cut between `least` and `most` outside all spans, 0 if none."""
    at = most
    while at > least:
        if not any(top < at < bottom for top, bottom in spans):
            return at
        at -= STEP
    return 0.0


@frozen
class Paged:
    """Features of paper: footnotes, floating notes, page numbers.

    Attributes:
        style: of drawings.
        pages: the page of each id, as far as known.
    """

    style: str
    pages: Mapping[str, int]


def article_of(book: Book, *, paged: Paged | None = None) -> Markup:
    """Return a book as an article: title, contents, chapters, rules, index.

    Args:
        book: the book to render.
        paged: for paper; None for screens and printing from a browser.
    """
    return _Article(book, paged=paged).whole()


class _Article:
    def __init__(self, book: Book, *, paged: Paged | None) -> None:
        self._book, self._paged = book, paged
        self._say = Phrases("rulebook", book.language).say
        self._margins = BookMargins(book)
        self._sections = {each.key: each for each in reversed([*book.every_section()])}
        self._rules = {each.address: each for each in book.rules}
        self._numbers = {each.address: n for n, each in enumerate(book.rules, 1)}
        self._rulings = {name: n for n, name in enumerate(book.rulings, 1)}
        self._units = self._told_units()
        self._taken: set[str] = set()

    def whole(self) -> Markup:
        book = self._book
        chapters = [self._section(each, 2) for each in book.sections]
        say = self._say
        behind = [("exactly", bool(book.rules)), ("index", bool(book.index))]
        return element(
            "article",
            element(
                "header",
                element("h1", book.title),
                element("p", book.table, class_="table"),
                element(
                    "p", say("made by", names="; ".join(book.credits)), class_="small"
                )
                if book.credits
                else "",
                element("p", say("legend"), class_="small") if book.house_rules else "",
                class_="title",
            ),
            element(
                "nav",
                joined(
                    element("h2", say("contents")),
                    element(
                        "ol",
                        map(self._content, book.sections),
                        (
                            element("li", self._entry(key, say(key)))
                            for key, there in behind
                            if there
                        ),
                    ),
                ),
                class_="contents",
                aria_label=say("contents"),
            ),
            element("div", chapters, self._exactly(), self._index(), class_="text"),
            class_="book",
            lang=book.language,
        )

    # ---- ids and links

    def _id(self, name: str) -> str:
        """Return an id on its first use, '' after that."""
        if name in self._taken:
            return ""
        self._taken.add(name)
        return name

    def _link(self, to: str, *words: str, class_: str = "", label: str = "") -> Markup:
        return element("a", *words, href=f"#{to}", class_=class_, aria_label=label)

    def _to_section(self, key: str) -> Markup:
        """Return a link to a section, on paper with its page."""
        link = self._link(f"s-{key}", _called(self._sections[key]), class_="see")
        if self._paged is None:
            return link
        said = self._say("on page", page=self._paged.pages.get(f"s-{key}", UNKNOWN))
        return joined(link, " (", said.replace(" ", HARD), ")")

    def _entry(self, to: str, words: str) -> Markup:
        page = str(self._paged.pages.get(to, UNKNOWN)) if self._paged else ""
        number = element("span", page, class_="page") if page else ""
        return joined(self._link(to, words), number)

    # ---- in front

    def _content(self, section: BookSection) -> Markup:
        inner = [
            element("li", self._entry(f"s-{each.key}", _called(each)))
            for each in section.sections
            if each.title
        ]
        look = "long" if len(inner) > LONG else ""
        below = element("ol", inner, class_=look) if inner else ""
        entry = self._entry(f"s-{section.key}", _called(section))
        return element("li", entry, below)

    # ---- chapters

    def _section(self, section: BookSection, level: int) -> Markup:
        name = self._id(f"s-{section.key}")
        whole = {each.unit for each in section.marks if each.did == "added"}
        heading = element(
            f"h{min(level, 6)}",
            element("span", section.number, class_="number") if section.number else "",
            " " if section.number else "",
            section.title,
            self._sign(section.marks),
            id=self._id(f"c-{section.address}")
            if section.address in self._rules
            else "",
        )
        notes = self._notes((mark, section.address) for mark in section.marks)
        return element(
            "section",
            self._beside(heading, notes, "beside head"),
            (self._block(each, section, whole) for each in section.blocks),
            (self._section(each, level + 1) for each in section.sections),
            id=name,
            class_=f"level{level}",
        )

    def _block(self, block: BookBlock, section: BookSection, whole: set[str]) -> Markup:
        match block:
            case BookParagraph():
                return self._paragraph(block, whole)
            case BookList(ordered=ordered, items=items):
                return element(
                    "ol" if ordered else "ul",
                    (
                        element(
                            "li",
                            self._paragraph(item, whole | self._own(section, item)),
                            id=self._item_id(section, item, place),
                        )
                        for place, item in enumerate(items, 1)
                    ),
                )
            case BookTable():
                return _table(block)
            case BookDrawing():
                return self._drawing(block)

    def _told_units(self) -> set[str]:
        """Return the house rules that have an item in the chapter of the table."""
        table = self._sections.get(TABLE)
        lists = (
            [each for each in table.blocks if isinstance(each, BookList)]
            if table
            else []
        )
        return {
            unit
            for block in lists
            for item in block.items
            if table
            for unit in self._own(table, item)
        }

    def _own(self, section: BookSection, item: BookParagraph) -> set[str]:
        """Return the house rule that an item of the chapter of the table describes."""
        marks = {mark.unit for each in item.sentences for mark in each.marks}
        return {
            unit.key
            for unit in self._book.house_rules
            if section.key == TABLE and unit.title == item.lead and unit.key in marks
        }

    def _item_id(self, section: BookSection, item: BookParagraph, place: int) -> str:
        if section.key == RULINGS:
            return self._id(f"r-{place}")
        return next((self._id(f"u-{unit}") for unit in self._own(section, item)), "")

    def _paragraph(self, paragraph: BookParagraph, whole: set[str]) -> Markup:
        """Return a paragraph; `whole` are the house rules of all its content."""
        sentences = [
            (
                each,
                tuple(m for m in each.marks if m.did != "added" or m.unit not in whole),
            )
            for each in paragraph.sentences
        ]
        known = [key for key in paragraph.see if key in self._sections]
        links = joined((self._to_section(key) for key in known), between=", ")
        parts = [
            element("b", f"{paragraph.lead}.", class_="lead") if paragraph.lead else "",
            *(self._sentence(each, marks) for each, marks in sentences),
            joined("→", HARD, links) if links else "",
            self._references(paragraph.sentences),
        ]
        said = element(
            "p", joined(parts, between=" "), self._footnote(paragraph.sentences)
        )
        notes = self._notes(
            (mark, each.address) for each, marks in sentences for mark in marks
        )
        return self._beside(said, notes)

    def _sentence(self, sentence: BookSentence, marks: Sequence[BookMark]) -> Markup:
        address = sentence.address
        name = self._id(f"c-{address}") if address in self._rules else ""
        gone = any(mark.did == "removed" for mark in marks)
        sign = joined(self._sign(marks, after=HARD))
        return element(
            "span", sign, sentence.text, id=name, class_="gone" if gone else ""
        )

    def _sign(self, marks: Iterable[BookMark], after: str = "") -> Markup:
        if not any(True for _ in marks):
            return Markup()
        sign = element("span", MARK, class_="mark")
        return joined(sign, after) if after else joined(HARD, sign)

    # ---- margin and footnotes

    def _beside(self, said: Markup, notes: Markup, look: str = "beside") -> Markup:
        if not notes:
            return said
        parts = (notes, said) if self._paged else (said, notes)
        return element("div", *parts, class_=look)

    def _notes(self, marks: Iterable[tuple[BookMark, str]]) -> Markup:
        """Return the changes by house rules, each with its name and source."""
        told = [self._note(note) for note in self._margins.notes(marks)]
        notes = [element("p", MARK, HARD, each) for each in told]
        return element("div", notes, class_="notes", role="note") if notes else Markup()

    def _note(self, note: MarginNote) -> Markup:
        """Return a note whose names of house rules are links."""
        names = [
            self._link(f"u-{unit}", element("b", title))
            if unit in self._units
            else element("b", title)
            for unit, title in note.units
        ]
        return joined(note.before, joined(names, between=", "), note.after)

    def _references(self, sentences: Sequence[BookSentence]) -> Markup:
        """Return links from sentences to their formal rules and rulings."""
        addresses = [e.address for e in sentences if e.address in self._rules]
        numbers = sorted({self._numbers[each] for each in addresses})
        runs = [self._run(run) for run in _runs(numbers)]
        exact = joined("§", HARD, joined(runs, between=", ")) if runs else Markup()
        rulings = {
            self._rulings[name]
            for address in addresses
            for name in self._rules[address].rulings
            if name in self._rulings
        }
        decided = joined(self._decisions(sorted(rulings)), between=", ")
        parts = joined([exact, decided], between=" · ")
        return element("span", parts, class_="refs") if parts else Markup()

    def _run(self, numbers: Sequence[int]) -> Markup:
        ends = dict.fromkeys((numbers[0], numbers[-1]))
        return joined(map(self._to_exact, ends), between="–")

    def _to_exact(self, number: int) -> Markup:
        address = self._book.rules[number - 1].address
        label = self._say("exact rule", number=number)
        return self._link(f"x-{address}", str(number), label=label)

    def _decisions(self, numbers: Iterable[int]) -> Iterator[Markup]:
        """Yield links to decisions, the first one with a label."""
        for place, number in enumerate(numbers):
            said = self._say("decided", number=number)
            words = (str(number), said) if place else (said, "")
            yield self._link(f"r-{number}", words[0], label=words[1])

    def _footnote(self, sentences: Sequence[BookSentence]) -> Markup:
        """Return the sources of sentences, only on paper with footnotes."""
        rules = (self._rules.get(each.address) for each in sentences)
        cites = dict.fromkeys(c for rule in rules if rule for c in rule.cites)
        if not self._paged or not cites:
            return Markup()
        return element("span", self._margins.places(cites), class_="footnote")

    def _drawing(self, drawing: BookDrawing) -> Markup:
        """Return a drawing, and its description.

        The SVG is generated here; its texts are already escaped.
        """
        lines = (FRAMES.sub(" ", each).strip() for each in drawing.text.split("\n"))
        said = element("summary", self._say("drawn in words"))
        words = element("details", said, (element("p", each) for each in lines if each))
        return element(
            "figure",
            element("figcaption", drawing.title),
            sliced(drawing.svg, self._paged.style)
            if self._paged
            else element(
                "div",
                Markup(STYLE.sub("", drawing.svg)),
                class_="drawn",
                tabindex=0,
                role="region",
                aria_label=drawing.title,
            ),
            "" if self._paged else words,
            class_="drawing turn" if STYLE.search(drawing.svg) else "drawing",
        )

    # ---- appendix

    def _exactly(self) -> Markup:
        """Return every rule with its number, section by section."""
        rules, say = self._book.rules, self._say
        if not rules:
            return Markup()
        parts = []
        for key, group in groupby(rules, lambda each: each.section):
            if key in self._sections:
                parts.append(element("h3", self._to_section(key)))
            some = [*group]
            first = self._numbers[some[0].address]
            items = [self._rule(rule) for rule in some]
            parts.append(element("ol", items, start=first))
        heading = element("h2", say("exactly"))
        inside = element("div", parts, class_="columns")
        return element(
            "section", heading, inside, id="exactly", class_="level2 exactly"
        )

    def _rule(self, rule: BookRule) -> Markup:
        to, told = f"c-{rule.address}", f"c-{rule.address}" in self._taken
        anchor = "" if told else element("span", id=self._id(to))
        says = element("i", rule.says) if rule.says else ""
        back = ""
        if told:
            label = self._say("in the text")
            says, back = (
                (self._link(to, says), "")
                if says
                else ("", self._link(to, "↩", label=label))
            )
        rulings = [self._rulings[n] for n in rule.rulings if n in self._rulings]
        known = {self._numbers[a] for a in rule.mentions if a in self._numbers}
        mentions = [self._run(run) for run in _runs(sorted(known))]
        notes = [
            self._margins.places(rule.cites) if rule.cites else "",
            joined(self._decisions(rulings), between=", "),
            *(
                joined(MARK, HARD, self._note(note))
                for note in self._margins.notes((mark, "") for mark in rule.marks)
            ),
        ]
        named = joined("→ §", HARD, joined(mentions, between=", ")) if mentions else ""
        margin = joined([joined(notes, between=" · "), named], between=" ")
        return element(
            "li",
            anchor,
            element("p", joined([says, *rule.exact, back], between=" ")),
            element("p", margin, class_="small") if margin else "",
            id=self._id(f"x-{rule.address}"),
        )

    def _index(self) -> Markup:
        if not self._book.index:
            return Markup()
        heading = element("h2", self._say("index"))
        inside = element("ul", map(self._term, self._book.index), class_="columns")
        return element("section", heading, inside, id="index", class_="level2 index")

    def _term(self, term: BookTerm) -> Markup:
        links = (
            self._link(f"s-{key}", self._sections[key].number)
            for key in term.sections
            if key in self._sections
        )
        return element("li", term.term, " ", joined(links, between=", "))


def _called(section: BookSection) -> str:
    return f"{section.number} {section.title}".strip()


def _runs(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Yield ranges of consecutive numbers; two numbers are not a range."""
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield from _run_or_each(run)
            run = []
        run.append(number)
    yield from _run_or_each(run)


def _run_or_each(run: list[int]) -> list[list[int]]:
    return [run] if len(run) > 2 else [[each] for each in run]


def _table(table: BookTable) -> Markup:
    """Return a table; one with many columns can be stacked on narrow screens."""
    columns = [*zip(*table.rows, strict=True)]
    numeric = [
        any(column) and all(not cell or NUMBER.fullmatch(cell) for cell in column)
        for column in columns
    ]
    looks = ["num" if each else "" for each in numeric]
    head = (
        element("th", words, scope="col", class_=look, role="columnheader")
        for words, look in zip(table.head, looks, strict=True)
    )
    return element(
        "table",
        element("caption", table.title) if table.title else "",
        element("thead", element("tr", head, role="row"), role="rowgroup"),
        element(
            "tbody",
            (
                element("tr", _cells(row, table.head, looks), role="row")
                for row in table.rows
            ),
            role="rowgroup",
        ),
        class_="wide" if len(table.head) > MANY else "",
        role="table",
    )


def _cells(
    row: Sequence[str], head: Sequence[str], looks: Sequence[str]
) -> Iterator[Markup]:
    yield element("th", row[0], scope="row", class_=looks[0], role="rowheader")
    for cell, words, look in zip(row[1:], head[1:], looks[1:], strict=True):
        yield element("td", cell, data_head=words, class_=look, role="cell")
