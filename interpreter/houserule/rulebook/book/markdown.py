"""A book as Markdown, for wikis: headings, lists, tables, links between sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from houserule.base.resources import Phrases
from houserule.rulebook.book.book_model import (
    Book,
    BookBlock,
    BookDrawing,
    BookList,
    BookParagraph,
    BookSection,
    BookSentence,
    BookTable,
)
from houserule.rulebook.book.margins import BookMargins

MARK = "◊"
SPECIAL = re.compile(r"([\\`*_\[\]<>|~&@]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
# Characters that begin a list or a heading, or turn the previous line into one.
AT_START = re.compile(r"^(\d*)(?=(#+|[+.)]|-+|=+)( |$))")


def as_markdown(book: Book) -> str:
    """Return a book as Markdown: its text, the formal rules, the index."""
    return "\n".join(_Markdown(book).lines()).rstrip() + "\n"


class _Markdown:
    def __init__(self, book: Book) -> None:
        self._book = book
        self._words = Phrases("rulebook", book.language)
        self._margins = BookMargins(book)
        self._titles: Mapping[str, str] = {
            each.key: f"{each.number} {each.title}" for each in book.every_section()
        }

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        book, say = self._book, self._words.say
        yield f"# {_plain(book.title)}"
        yield ""
        yield f"*{_plain(book.table)}*"
        if book.credits:
            yield ""
            yield say("made by", names=_plain("; ".join(book.credits)))
        if book.house_rules:
            yield ""
            yield say("legend")
        yield ""
        for section in book.sections:
            yield from self._section(section, 2)
        yield from self._exactly()
        if self._book.index:
            yield f"## {self._words.say('index')}"
            yield ""
            for term in self._book.index:
                links = ", ".join(
                    f"[{self._titles[key].partition(' ')[0]}](#{key})"
                    for key in term.sections
                )
                yield f"- {_plain(term.term)}: {links}"
            yield ""

    def _section(self, section: BookSection, level: int) -> Iterator[str]:
        title = f"{section.number} {section.title}".strip()
        mark = f" {MARK}" if section.marks else ""
        whole = {each.unit for each in section.marks if each.did == "added"}
        yield f'<a id="{section.key}"></a>'
        yield ""
        yield f"{'#' * min(level, 6)} {_plain(title)}{mark}"
        yield ""
        for block in section.blocks:
            yield from self._block(block, whole)
        for note in self._margins.of_section(section):
            yield f"> {MARK} {_plain(note)}"
            yield ""
        for inner in section.sections:
            yield from self._section(inner, level + 1)

    def _block(self, block: BookBlock, whole: set[str]) -> Iterator[str]:
        """Yield the lines of a block; `whole` are house rules of all its content."""
        match block:
            case BookParagraph():
                yield self._paragraph(block, whole)
            case BookList(ordered=ordered, items=items):
                for number, item in enumerate(items, 1):
                    said = self._paragraph(item, whole)
                    yield f"{f'{number}.' if ordered else '-'} {said}"
            case BookTable(title=title, head=head, rows=rows):
                if title:
                    yield f"**{_plain(title)}**"
                    yield ""
                yield _row(head)
                yield _row("---" for _ in head)
                yield from map(_row, rows)
            case BookDrawing(title=title, text=text):
                yield f"**{_plain(title)}**"
                yield ""
                fence = "`" * max(
                    [3, *(len(run) + 1 for run in re.findall("`+", text))]
                )
                yield f"{fence}text"
                yield from text.rstrip().split("\n")
                yield fence
        yield ""

    def _paragraph(self, paragraph: BookParagraph, whole: set[str]) -> str:
        lead = f"**{_plain(paragraph.lead)}.**" if paragraph.lead else ""
        said = " ".join(_sentence(each, whole) for each in paragraph.sentences)
        links = ", ".join(map(self._link, filter(self._known, paragraph.see)))
        arrow = f"→ {links}" if links else ""
        return " ".join(filter(None, (lead, said, arrow)))

    def _known(self, key: str) -> bool:
        return key in self._titles

    def _link(self, key: str) -> str:
        return f"[{_plain(self._titles[key])}](#{key})"

    # ---- appendix

    def _exactly(self) -> Iterator[str]:
        yield '<a id="chapter-exactly"></a>'
        yield ""
        yield f"## {self._words.say('exactly')}"
        yield ""
        last = ""
        for rule in self._book.rules:
            if rule.section != last and self._known(rule.section):
                last = rule.section
                yield ""
                yield f"**{self._link(last)}**"
                yield ""
            says = f"*{_plain(rule.says)}* " if rule.says else ""
            exact = _plain(" ".join(rule.exact))
            margin = "; ".join(map(_plain, self._margins.of_rule(rule)))
            yield f"- {says}{exact}{f' — {margin}' if margin else ''}".rstrip()
        yield ""


def _sentence(sentence: BookSentence, whole: set[str]) -> str:
    said = _plain(sentence.text)
    if any(mark.did == "removed" for mark in sentence.marks):
        return f"{MARK} ~~{said}~~"
    own = [m for m in sentence.marks if m.did != "added" or m.unit not in whole]
    return f"{MARK} {said}" if own else said


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_plain(cell) for cell in cells)} |"


def _plain(words: str) -> str:
    """Return words in one line, escaped for Markdown."""
    if words == "---":
        return words
    said = SPECIAL.sub(r"\\\1", " ".join(words.split()))
    return AT_START.sub(r"\1\\", said)
