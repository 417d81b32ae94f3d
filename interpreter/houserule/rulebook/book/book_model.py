"""A rulebook as plain values, with a JSON Schema.

Texts are in the language of the book, ready to print. An `address` belongs to a clause,
and is never part of a text. A sentence's `marks` show what house rules did to it; each
refers to the key of an entry of `house_rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from houserule.base.plain import Plain

Paper: TypeAlias = Literal["a4", "letter"]


class BookMark(Plain):
    """A house rule's change to a sentence."""

    unit: str
    """The key of the house rule."""
    did: Literal["added", "changed", "removed"]
    was: str = ""
    """The previous text of something changed or removed, if it had words."""


class BookSentence(Plain):
    """One or more sentences about one clause, or part of it."""

    text: str
    address: str = ""
    """The clause; '' if the sentence belongs to none."""
    marks: tuple[BookMark, ...] = ()
    made: bool = False
    """Whether it is made from the expression, because no text fits the clause."""


class BookParagraph(Plain):
    """A paragraph of sentences, perhaps after a run-in head."""

    kind: Literal["paragraph"] = "paragraph"
    lead: str = ""
    """The run-in head."""
    address: str = ""
    """The clause that the head represents."""
    marks: tuple[BookMark, ...] = ()
    """House rules that added the whole paragraph."""
    sentences: tuple[BookSentence, ...]


class BookList(Plain):
    """A list of paragraphs."""

    kind: Literal["list"] = "list"
    ordered: bool = False
    items: tuple[BookParagraph, ...]


class BookTable(Plain):
    """A table with a header row."""

    kind: Literal["table"] = "table"
    title: str = ""
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: int = 1
    """On paper, the rows are split into this number of tables side by side."""


class BookDrawing(Plain):
    """A drawing, and a text alternative."""

    kind: Literal["drawing"] = "drawing"
    title: str
    svg: str
    text: str


class BookExample(Plain):
    """An example of play, with a drawing of its cards and dice."""

    kind: Literal["example"] = "example"
    text: str
    svg: str = ""


BookBlock: TypeAlias = Annotated[
    BookParagraph | BookList | BookTable | BookDrawing | BookExample,
    Field(discriminator="kind"),
]


class BookSection(Plain):
    """A section of a book."""

    key: str
    """The anchor of the section: the name of its subject, if it has one."""
    number: str = ""
    """Of a step in the course of play; '' if the section is not numbered."""
    title: str
    look: Literal["", "box", "back"] = ""
    """How it is set: as a box, or in columns of small type."""
    address: str = ""
    """The clause that the title represents."""
    marks: tuple[BookMark, ...] = ()
    blocks: tuple[BookBlock, ...] = ()
    sections: tuple[BookSection, ...] = ()

    def paragraphs(self) -> Iterator[BookParagraph]:
        """Yield its paragraphs, also those in lists, without inner sections."""
        for block in self.blocks:
            if isinstance(block, BookParagraph):
                yield block
            elif isinstance(block, BookList):
                yield from block.items

    def sentences(self) -> Iterator[BookSentence]:
        for paragraph in self.paragraphs():
            yield from paragraph.sentences


class BookRule(Plain):
    """An entry in the list of all clauses: its formal wording and its sources."""

    address: str
    section: str
    """The key of the section that describes it."""
    says: str
    """The text of the book about it; '' if that is the formal wording."""
    exact: tuple[str, ...]
    """The formal wording, sentence by sentence."""
    mentions: tuple[str, ...] = ()
    """The addresses of clauses that these sentences mention."""
    cites: tuple[str, ...] = ()
    """Where the sources print it."""
    rulings: tuple[str, ...] = ()
    """The keys of the rulings that it is based on."""
    marks: tuple[BookMark, ...] = ()
    unsaid: bool = False
    """Whether no sentence of the text expresses it."""


class BookUnit(Plain):
    """A house rule of the table, or a combination of several."""

    key: str
    title: str
    line: str = ""
    """A one-sentence description; '' if the rules have none."""
    cites: tuple[str, ...] = ()


class Book(Plain):
    """The rules of a table, in one language.

    Attributes:
        game: its name in the rules.
        title: its title.
        table: the number of players, in a phrase.
        language: of all texts.
        credits: the authors of the game.
        rules: every clause in force, in the order of the text.
        rulings: the keys of the decisions, in the order of their chapter.
        missing: names for which the ruleset has no words in the language.
        fingerprint: of the composed rules; tables with the same fingerprint play alike.
    """

    game: str
    title: str
    table: str
    language: str
    players: int
    credits: tuple[str, ...] = ()
    sections: tuple[BookSection, ...]
    rules: tuple[BookRule, ...]
    house_rules: tuple[BookUnit, ...] = ()
    rulings: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    fingerprint: str = ""

    def markdown(self, *, exact: bool = False, pictures: str = "") -> str:
        """Return the book as Markdown, `exact` with the formal wording of all rules.

        Args:
            pictures: the stem of the pictures' files, such as `rules` for
                `rules-1.svg`, in the order of `drawings`; none without it.

        Example:
            >>> book = houserule.load("pig").table().rulebook()
            >>> print(book.markdown().splitlines()[0])
            # Pig
        """
        # imported late: a cycle, since renderers use books, and books offer renderers
        from houserule.rulebook.book.markdown import as_markdown

        return as_markdown(self, exact=exact, pictures=pictures)

    def drawings(self) -> tuple[str, ...]:
        """Return the pictures of the book, as SVG."""
        blocks = (each for one in self.every_section() for each in one.blocks)
        drawn = (e.svg for e in blocks if isinstance(e, BookDrawing | BookExample))
        return tuple(filter(None, drawn))

    def html(self, *, exact: bool = False) -> str:
        """Return the book as one HTML document, for screens and for paper.

        Args:
            exact: add the formal wording of all rules, with their sources.

        Example:
            >>> book = houserule.load("pig").table().rulebook()
            >>> "<h1>Pig</h1>" in book.html()
            True
        """
        from houserule.rulebook.book.page.document import as_html

        return as_html(self, exact=exact)

    def pdf(self, paper: Paper = "a4", *, exact: bool = False) -> bytes:
        """Return the book as PDF; the same book gives the same bytes.

        Raises:
            NoPdfError: the extra `pdf` or the library Pango is not installed.
        """
        from houserule.rulebook.book.pdf import as_pdf

        return as_pdf(self, paper, exact=exact)

    def annex(self, *, exact: bool) -> tuple[BookRule, ...]:
        """Return the rules in the annex: all, or those that no sentence expresses."""
        return tuple(each for each in self.rules if exact or each.unsaid)

    def every_section(self) -> Iterator[BookSection]:
        """Yield all sections, each before its inner sections."""
        yield from every_section(self.sections)


def every_section(sections: Iterable[BookSection]) -> Iterator[BookSection]:
    """Yield the sections and their inner sections, each before those inside it."""
    for section in sections:
        yield section
        yield from every_section(section.sections)
