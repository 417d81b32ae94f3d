"""A book of rules as plain values, with a JSON Schema.

Texts are in the language of the book, ready to print. An `address` is that of a clause,
and stands nowhere in a text. What a house rule did to a sentence stands in its `marks`,
by the key of an entry of `house_rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from houserule.base.plain import Plain

Paper: TypeAlias = Literal["a4", "letter"]


class BookMark(Plain):
    """What a house rule did to a sentence."""

    unit: str
    """The key of the house rule."""
    did: Literal["added", "changed", "removed"]
    was: str = ""
    """Of what was changed or removed: what stood there before, if it had words."""


class BookSentence(Plain):
    """One or more sentences that say one clause, or part of it."""

    text: str
    address: str = ""
    """The clause; '' for what is said of none."""
    marks: tuple[BookMark, ...] = ()
    exact: bool = False
    """It is made of the expression: the texts have no words for the clause as it is."""


class BookParagraph(Plain):
    """Sentences that stand together, perhaps behind a word that says what they are."""

    kind: Literal["paragraph"] = "paragraph"
    lead: str = ""
    sentences: tuple[BookSentence, ...]
    see: tuple[str, ...] = ()
    """The keys of sections that tell more."""


class BookList(Plain):
    """Paragraphs, one below the other."""

    kind: Literal["list"] = "list"
    ordered: bool = False
    items: tuple[BookParagraph, ...]


class BookTable(Plain):
    """Rows of cells below a heading of as many."""

    kind: Literal["table"] = "table"
    title: str = ""
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class BookDrawing(Plain):
    """A drawing, and the same as text for who cannot see it."""

    kind: Literal["drawing"] = "drawing"
    title: str
    svg: str
    text: str


BookBlock: TypeAlias = Annotated[
    BookParagraph | BookList | BookTable | BookDrawing, Field(discriminator="kind")
]


class BookSection(Plain):
    """A numbered part of a book."""

    key: str
    """What links to it are called; the name of what it is about, where it has one."""
    number: str
    """Such as "4.2"; '' for what is not numbered."""
    title: str
    address: str = ""
    """The clause that the title speaks for."""
    marks: tuple[BookMark, ...] = ()
    blocks: tuple[BookBlock, ...] = ()
    sections: tuple[BookSection, ...] = ()

    def paragraphs(self) -> Iterator[BookParagraph]:
        """Yield its paragraphs, those in its lists too; not those of inner sections."""
        for block in self.blocks:
            if isinstance(block, BookParagraph):
                yield block
            elif isinstance(block, BookList):
                yield from block.items

    def sentences(self) -> Iterator[BookSentence]:
        """Yield the sentences of its paragraphs."""
        for paragraph in self.paragraphs():
            yield from paragraph.sentences


class BookRule(Plain):
    """One clause in the list of all: what it says exactly, and where that is from."""

    address: str
    section: str
    """The key of the section whose text speaks of it."""
    says: str
    """What the book says of it in its text; '' where that is the exact wording."""
    exact: tuple[str, ...]
    """What its expression says, sentence by sentence."""
    mentions: tuple[str, ...] = ()
    """The addresses of clauses that these sentences name."""
    cites: tuple[str, ...] = ()
    """Where it is printed."""
    rulings: tuple[str, ...] = ()
    """The keys of rulings it rests on."""
    marks: tuple[BookMark, ...] = ()


class BookUnit(Plain):
    """A house rule that is on at the table, or a meeting of several."""

    key: str
    title: str
    line: str = ""
    """What it is about, in a sentence; '' if the rules do not say."""
    cites: tuple[str, ...] = ()


class BookTerm(Plain):
    """An entry of the index, and the sections that explain or use it."""

    term: str
    sections: tuple[str, ...]


class Book(Plain):
    """The rules that a table plays by, in one language.

    Attributes:
        game: its name in the rules. title: what people call it.
        table: the whole table as a sentence. language: of all texts.
        credits: who made the game.
        sections: the text, in order.
        rules: every clause in force, in the order of the text.
        house_rules: what is on at the table.
        rulings: the keys of the decisions, in the order of their chapter.
        index: terms in alphabetical order.
        missing: names for which the ruleset has no words in the language.
        fingerprint: of the composed rules; two tables with the same play the same.
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
    index: tuple[BookTerm, ...] = ()
    missing: tuple[str, ...] = ()
    fingerprint: str = ""

    def markdown(self) -> str:
        """Return the book as Markdown.

        Example:
            >>> book = houserule.load("pig").table().rulebook()
            >>> print(book.markdown().splitlines()[0])
            # Pig
        """
        # a circle: faces are made of books, and a book can be asked for each face
        from houserule.rulebook.book.markdown import as_markdown

        return as_markdown(self)

    def html(self) -> str:
        """Return the book as one HTML document, for screens and for paper.

        Example:
            >>> book = houserule.load("pig").table().rulebook()
            >>> "<h1>Pig</h1>" in book.html()
            True
        """
        from houserule.rulebook.book.page.document import as_html

        return as_html(self)

    def pdf(self, paper: Paper = "a4") -> bytes:
        """Return the book as PDF; the same book gives the same bytes.

        Raises:
            NoPdfError: the extra `pdf`, or Pango, which it needs, is not installed.
        """
        from houserule.rulebook.book.pdf import as_pdf

        return as_pdf(self, paper)

    def every_section(self) -> Iterator[BookSection]:
        """Yield all sections, each before those in it."""
        yield from every_section(self.sections)


def every_section(sections: Iterable[BookSection]) -> Iterator[BookSection]:
    """Yield sections and those in them, each before those in it."""
    for section in sections:
        yield section
        yield from every_section(section.sections)
