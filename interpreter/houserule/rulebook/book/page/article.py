"""The article of a book: its sections, notes in the margin, the annex.

Ids are `s-KEY` of a section, `c-ADDRESS` of a clause's sentence, `x-ADDRESS` of its
formal rule and `u-KEY` of a house rule. Each occurs once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from houserule.base.resources import Phrases
from houserule.rulebook.book.book_model import (
    Book,
    BookBlock,
    BookDrawing,
    BookExample,
    BookList,
    BookMark,
    BookParagraph,
    BookSection,
    BookTable,
)
from houserule.rulebook.book.margins import (
    BookMargins,
    as_lead,
    marks_of,
    own_marks,
)
from houserule.rulebook.book.page.elements import Markup, element, joined

GLANCE, TABLE, RULINGS = "chapter-glance", "chapter-table", "chapter-rulings"
PICTURED = {"chapter-things", "chapter-setup"}
WORDS = ("chapter-first", "chapter-meanings")
BAR = (GLANCE, RULINGS, "chapter-meanings", "chapter-cards")
MARK = "◊"
HARD = "\u00a0"  # non-breaking space
LONG = 24  # characters of a title in smaller type
MANY = 4  # columns of a table that do not fit on a phone
NUMBER = re.compile(r"[+\-\u2212]?\d+([.,]\d+)?")
FRAMES = re.compile("[\u2500-\u257f]+")  # box-drawing lines


def article_of(book: Book, *, exact: bool = False, paged: bool = False) -> Markup:
    """Return a book as an article: title, chapters, annex.

    Args:
        exact: add the formal wording of all rules.
        paged: for paper; otherwise for screens and for printing from a browser.
    """
    return _Article(book, exact=exact, paged=paged).whole()


class _Article:
    def __init__(self, book: Book, *, exact: bool, paged: bool) -> None:
        self._book, self._exact, self._paged = book, exact, paged
        self._say = Phrases("rulebook", book.language).say
        self._margins = BookMargins(book)
        self._sections = {each.key: each for each in reversed([*book.every_section()])}
        self._annex = book.annex(exact=exact)
        self._rules = {each.address: each for each in book.rules}
        self._numbers = {each.address: n for n, each in enumerate(self._annex, 1)}
        self._taken: set[str] = set()
        said = {
            address
            for section in book.every_section()
            if section.key != GLANCE
            for paragraph in section.paragraphs()
            for address in (
                paragraph.address,
                *(each.address for each in paragraph.sentences),
            )
        }
        self._terms = {
            each.lead: each.sentences[0].address
            for key in WORDS
            if key in self._sections
            for each in self._sections[key].paragraphs()
            if each.lead and each.sentences
        }
        self._unsaid: dict[str, list[str]] = {}
        for rule in book.rules:
            if rule.address not in said:
                self._unsaid.setdefault(rule.section, []).append(rule.address)

    def whole(self) -> Markup:
        book, say = self._book, self._say
        chapters = [self._section(each, 2) for each in book.sections]
        bar = (self._sections[key] for key in BAR if key in self._sections)
        looks = (
            "book",
            "" if book.house_rules else "plain",  # no margin
            "" if "chapter-object" in self._sections else "sheet",  # a single page
        )
        return element(
            "article",
            element(
                "header",
                element("h1", book.title, class_="long" * (len(book.title) > LONG)),
                self._table(),
                class_="title",
            ),
            element("div", chapters, self._exactly(), class_="text"),
            element("p", say("made by", names="; ".join(book.credits)), class_="small")
            if book.credits
            else "",
            element(
                "nav",
                (self._link(f"s-{each.key}", each.title) for each in bar),
                class_="bar",
                aria_label=say("contents"),
            )
            if not self._paged
            else "",
            class_=" ".join(filter(None, looks)),
            lang=book.language,
        )

    def _table(self) -> Markup:
        """Return the players and the house rules of the table."""
        units, say = self._book.house_rules, self._say
        if not units:
            return element("p", self._margins.table(), class_="players")
        before, _, after = self._margins.with_rules("\0").partition("\0")
        names = joined(
            (self._link(f"u-{e.key}", e.title, class_="tag") for e in units),
            between=" ",
        )
        return joined(
            element("p", before, names, after, class_="players"),
            element("p", say("legend"), class_="small"),
        )

    # ---- ids and links

    def _id(self, name: str) -> str:
        """Return an id on its first use, '' after that."""
        if name in self._taken:
            return ""
        self._taken.add(name)
        return name

    def _clause_id(self, address: str) -> str:
        return self._id(f"c-{address}") if address in self._rules else ""

    def _link(self, to: str, *words: str, class_: str = "") -> Markup:
        return element("a", *words, href=f"#{to}", class_=class_)

    # ---- chapters

    def _section(self, section: BookSection, level: int) -> Markup:
        name, blocks = self._id(f"s-{section.key}"), section.blocks
        if section.key in PICTURED:  # text flows around the drawings of a cover
            drawn = (BookDrawing,)
            blocks = tuple(sorted(blocks, key=lambda each: not isinstance(each, drawn)))
        heading = element(
            f"h{min(level, 6)}",
            element("span", section.number, class_="number") if section.number else "",
            " " if section.number else "",
            section.title,
        )
        anchors = (
            element("span", id=self._clause_id(each))
            for each in self._unsaid.get(section.key, ())
        )
        looks = (f"level{level}", section.look, section.key.partition("chapter-")[2])
        return element(
            "section",
            heading,
            (self._block(each, section) for each in blocks),
            (self._section(each, level + 1) for each in section.sections),
            anchors,
            id=name,
            class_=" ".join(filter(None, looks)),
        )

    def _block(self, block: BookBlock, section: BookSection) -> Markup:
        match block:
            case BookParagraph():
                return self._paragraph(block, linked=section.look == "")
            case BookList(ordered=ordered, items=items):
                if section.key == RULINGS and any(each.lead for each in items):
                    return joined(
                        element(
                            "details",
                            element("summary", item.lead),
                            element("p", (each.text for each in item.sentences)),
                            class_="q",
                        )
                        for item in items
                    )
                rows = []
                units = self._book.house_rules if section.key == TABLE else ()
                for item in items:
                    if section.key == GLANCE:  # a line of the box, linked to its step
                        bold = element("b", as_lead(item.lead))
                        lead = self._link(f"s-{item.address}", bold)
                        said = (each.text for each in item.sentences)
                        shown = element("p", joined([lead, *said], between=" "))
                    else:
                        shown = self._paragraph(item)
                    of = (self._id(f"u-{e.key}") for e in units if e.title == item.lead)
                    rows.append(element("li", shown, id=next(of, "")))
                look = "words" if all(each.lead for each in items) else ""
                return element("ol" if ordered else "ul", rows, class_=look)
            case BookTable():
                return _table(block, paged=self._paged)
            case BookDrawing():
                # A drawing, and its description.
                lines = (
                    FRAMES.sub(" ", each).strip() for each in block.text.split("\n")
                )
                summary = element("summary", self._say("drawn in words"))
                words = element(
                    "details", summary, (element("p", each) for each in lines if each)
                )
                return element(
                    "figure",
                    element("figcaption", block.title) if block.title else "",
                    element("div", Markup(block.svg), class_="drawn"),
                    words if block.text and not self._paged else "",
                    class_="drawing",
                )
            case BookExample(text=text, svg=svg):
                lead = element("b", self._say("example"), class_="run")
                return element(
                    "div",
                    element("div", Markup(svg), class_="drawn") if svg else "",
                    element("p", joined(lead, text, between=" ")),
                    class_="example",
                )

    def _linked(self, text: str) -> Markup:
        """Return a text with a link from the first use of each word to its meaning.

        In most languages, a word is a noun only after an article or the like.
        """
        before = self._say("before nouns").split()
        for term, address in self._terms.items():
            noun = re.escape(term if not before else term[:1].lower() + term[1:])
            lead = rf"(?:{'|'.join(before)}) " if before else ""
            found = re.search(rf"(?<!\w){lead}({noun})(?!\w)", text)
            if found is not None:
                del self._terms[term]
                link = self._link(f"c-{address}", found[1], class_="term")
                first, rest = text[: found.start(1)], text[found.end(1) :]
                return joined(self._linked(first), link, self._linked(rest))
        return joined(text)

    def _paragraph(self, paragraph: BookParagraph, *, linked: bool = False) -> Markup:
        """Return a paragraph; house rules are marked, and named in the margin.

        If `linked`, words of the game are links to their meanings.
        """
        whole, head = bool(paragraph.marks), self._clause_id(paragraph.address)
        parts = [self._sign(paragraph.marks)] if not paragraph.lead else []
        if paragraph.lead:
            sign = self._sign(paragraph.marks)
            parts.append(element("b", sign, as_lead(paragraph.lead), class_="run"))
        for each, marks in own_marks(paragraph):
            name, sign = self._clause_id(each.address), self._sign(marks)
            changed = marks and not whole
            said = self._linked(each.text) if linked else each.text
            parts.append(element("ins" if changed else "span", sign, said, id=name))
        inside = joined(parts, between=" ")
        said = element("p", element("ins", inside) if whole else inside, id=head)
        # In the margin: the house rules behind it, with replaced sentences.
        notes = []
        for note in self._margins.notes(marks_of(paragraph)):
            names = (
                self._link(f"u-{unit}", title, class_="tag")
                if TABLE in self._sections
                else element("span", title, class_="tag")
                for unit, title in note.units
            )
            notes.append(
                element("p", note.before, joined(names, between=" "), note.after)
            )
        if not notes:
            return said
        margin = element("div", notes, class_="notes", role="note")
        both = (margin, said) if self._paged else (said, margin)
        return element("div", *both, class_="beside")

    def _sign(self, marks: Iterable[BookMark]) -> Markup:
        units = {mark.unit for mark in marks}
        titles = ", ".join(e.title for e in self._book.house_rules if e.key in units)
        if not titles:
            return Markup()
        sign = element("span", MARK, class_="mark", aria_hidden="true")
        return joined(sign, element("span", f"{titles}: ", class_="only-heard"))

    # ---- annex

    def _exactly(self) -> Markup:
        """Return the rules in formal wording, section by section."""
        if not self._annex:
            return Markup()
        parts = []
        for key, group in groupby(self._annex, lambda each: each.section):
            if key in self._sections:
                title = self._sections[key].title
                parts.append(element("h3", self._link(f"s-{key}", title)))
            some = [*group]
            first = self._numbers[some[0].address]
            rows = []
            for rule in some:
                to = f"c-{rule.address}"
                anchor = "" if to in self._taken else element("span", id=self._id(to))
                says = self._link(to, element("i", rule.says)) if rule.says else ""
                known = {self._numbers.get(each, 0) for each in rule.mentions} - {0}
                mentions = ", ".join(map(str, sorted(known)))
                notes = [*self._margins.of_rule(rule)]
                notes += [f"→{HARD}{mentions}"] if mentions else []
                margin = " · ".join(filter(None, notes))
                row = element(
                    "li",
                    anchor,
                    element("p", joined([says, *rule.exact], between=" ")),
                    element("p", margin, class_="small") if margin else "",
                    id=self._id(f"x-{rule.address}"),
                )
                rows.append(row)
            parts.append(element("ol", rows, start=first))
        title = self._say("exactly" if self._exact else "unsaid")
        inside = element("div", parts, class_="columns")
        return element(
            "section",
            element("h2", title),
            inside,
            id="exactly",
            class_="level2 exactly",
        )


def _table(table: BookTable, *, paged: bool) -> Markup:
    """Return a table; one with many columns can be stacked on narrow screens."""
    if paged and table.columns > 1:  # the first half of its rows beside the second
        high = -(-len(table.rows) // table.columns)
        empty = ("",) * len(table.head)
        padded = (*table.rows, *[empty] * (high * table.columns - len(table.rows)))
        parts = [padded[n : n + high] for n in range(0, len(padded), high)]
        rows = tuple(sum(row, ()) for row in zip(*parts, strict=True))
        head = table.head * table.columns
        table = table.model_copy(update={"head": head, "rows": rows})
    columns = [*zip(*table.rows, strict=True)]
    numeric = [
        any(column) and all(not cell or NUMBER.fullmatch(cell) for cell in column)
        for column in columns
    ]
    looks = ["num" if each else "" for each in numeric]
    heads = (
        element("th", words, scope="col", class_=look, role="columnheader")
        for words, look in zip(table.head, looks, strict=True)
    )
    return element(
        "table",
        element("caption", table.title) if table.title else "",
        element("thead", element("tr", heads, role="row"), role="rowgroup"),
        element(
            "tbody",
            (
                element(
                    "tr",
                    element(
                        "th", first, scope="row", class_=looks[0], role="rowheader"
                    ),
                    (
                        element("td", cell, data_head=words, class_=look, role="cell")
                        for cell, words, look in zip(
                            cells, table.head[1:], looks[1:], strict=True
                        )
                    ),
                    role="row",
                )
                for first, *cells in table.rows
            ),
            role="rowgroup",
        ),
        class_="wide" if len(table.head) > MANY else "",
        role="table",
    )
