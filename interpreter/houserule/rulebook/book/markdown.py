"""A book as Markdown, for wikis: headings, lists, tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from houserule.base.resources import Phrases
from houserule.rulebook.book.book_model import (
    Book,
    BookDrawing,
    BookExample,
    BookList,
    BookParagraph,
    BookSection,
    BookTable,
)
from houserule.rulebook.book.margins import BookMargins, as_lead, own_marks

MARK = "◊"
SPECIAL = re.compile(r"([\\`*_\[\]<>|~&@]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
# Characters that begin a list or a heading, or turn the previous line into one.
AT_START = re.compile(r"^(\d*)(?=(#+|[+.)]|-+|=+)( |$))")


def as_markdown(book: Book, *, exact: bool = False, pictures: str = "") -> str:
    """Return a book as Markdown: its text, and rules in formal wording.

    Pictures are files beside it, whose names begin with `pictures`.
    """
    return "\n".join(_Markdown(book, exact, pictures).lines()).rstrip() + "\n"


class _Markdown:
    def __init__(self, book: Book, exact: bool, pictures: str) -> None:
        self._book, self._exact, self._pictures = book, exact, pictures
        self._drawn = 0
        self._words = Phrases("rulebook", book.language)
        self._margins = BookMargins(book)
        self._titles: Mapping[str, str] = {
            each.key: f"{each.number} {each.title}".strip()
            for each in book.every_section()
            if not self._is_blank(each)
        }

    def lines(self) -> Iterator[str]:
        book, say = self._book, self._words.say
        yield f"# {_plain(book.title)}"
        yield ""
        yield f"*{_plain(self._margins.table())}*"
        yield ""
        if book.house_rules:
            yield say("legend")
            yield ""
        for section in book.sections:
            yield from self._section(section, 2)
        annex, last = book.annex(exact=self._exact), ""
        if annex:
            yield '<a id="chapter-exactly"></a>'
            yield ""
            yield f"## {say('exactly' if self._exact else 'unsaid')}"
            yield ""
        for rule in annex:
            if rule.section != last and rule.section in self._titles:
                last = rule.section
                yield ""
                yield f"**[{_plain(self._titles[last])}](#{last})**"
                yield ""
            says = f"*{_plain(rule.says)}* " if rule.says else ""
            exact = _plain(" ".join(rule.exact))
            margin = "; ".join(map(_plain, self._margins.of_rule(rule)))
            yield f"- {says}{exact}{f' — {margin}' if margin else ''}".rstrip()
        if annex:
            yield ""
        if book.credits:
            yield f"*{say('made by', names=_plain('; '.join(book.credits)))}*"

    def _picture(self, title: str) -> str:
        self._drawn += 1
        return f"![{_plain(title)}]({self._pictures}-{self._drawn}.svg)"

    def _is_blank(self, section: BookSection) -> bool:
        """Return whether a section only has pictures of what other texts say."""
        drawn = (isinstance(e, BookDrawing) and not e.text for e in section.blocks)
        return not (section.sections or (self._pictures and section.blocks)) and all(
            drawn
        )

    def _section(self, section: BookSection, level: int) -> Iterator[str]:
        if self._is_blank(section):
            return
        title = f"{section.number} {section.title}".strip()
        yield f'<a id="{section.key}"></a>'
        yield ""
        yield f"{'#' * min(level, 6)} {_plain(title)}"
        yield ""
        for block in section.blocks:
            match block:
                case BookParagraph():
                    yield _paragraph(block)
                case BookList(ordered=ordered, items=items):
                    for number, item in enumerate(items, 1):
                        yield f"{f'{number}.' if ordered else '-'} {_paragraph(item)}"
                case BookTable(title=heading, head=head, rows=rows):
                    if heading:
                        yield f"**{_plain(heading)}**"
                        yield ""
                    yield _row(head)
                    yield _row("---" for _ in head)
                    yield from map(_row, rows)
                case BookExample(text=text, svg=svg):
                    yield f"> **{self._words.say('example')}** {_plain(text)}"
                    if svg and self._pictures:
                        yield ">"
                        yield f"> {self._picture(self._words.say('example'))}"
                case BookDrawing(svg=svg, title=heading) if svg and self._pictures:
                    yield self._picture(heading or section.title)
                case BookDrawing(text=""):
                    continue  # a picture of what the text says
                case BookDrawing(title=heading, text=text):
                    yield f"**{_plain(heading)}**"
                    yield ""
                    runs = (len(run) + 1 for run in re.findall("`+", text))
                    fence = "`" * max([3, *runs])
                    yield f"{fence}text"
                    yield from text.rstrip().split("\n")
                    yield fence
            yield ""
        for note in self._margins.of_section(section):
            yield f"> {MARK} {_plain(note)}"
            yield ""
        for inner in section.sections:
            yield from self._section(inner, level + 1)


def _paragraph(paragraph: BookParagraph) -> str:
    own = own_marks(paragraph)
    lead = f"**{_plain(as_lead(paragraph.lead))}**" if paragraph.lead else ""
    said = " ".join(
        f"{MARK} {_plain(each.text)}" if marks else _plain(each.text)
        for each, marks in own
    )
    sign = MARK if paragraph.marks else ""
    return " ".join(filter(None, (sign, lead, said)))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_plain(cell) for cell in cells)} |"


def _plain(words: str) -> str:
    """Return words in one line, escaped for Markdown."""
    if words == "---":
        return words
    said = SPECIAL.sub(r"\\\1", " ".join(words.split()))
    return AT_START.sub(r"\1\\", said)
