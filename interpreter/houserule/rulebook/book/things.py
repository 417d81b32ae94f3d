"""The components on the table: cards and pieces with fields, dice, tokens, places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import prod

from houserule.ir import ComponentDef
from houserule.ir.types import Data, Flag, Kind, Type, kind_of
from houserule.language.manifest.ruleset_models import BoardHeads
from houserule.rulebook.book.book_model import (
    BookBlock,
    BookDrawing,
    BookList,
    BookParagraph,
    BookSection,
    BookSentence,
    BookTable,
)
from houserule.rulebook.book.chapters import Chapters
from houserule.rulebook.book.prose import as_sentence

Column = tuple[str, Type, tuple[Data, ...]]

LONG = 24  # rows from which a product becomes a sentence
KEY = "chapter-things"


def things_of(chapters: Chapters, boards: Iterable[BookDrawing]) -> BookSection:
    """Return the chapter of the components and their places."""
    drawings = tuple(boards)
    sections = [
        section
        for name, component in chapters.program.components.items()
        if not component.faces
        and name in chapters.clauses
        and chapters.clauses[name].kind == "component"
        and (section := _component(chapters, name)) is not None
    ]
    return BookSection(
        key=KEY,
        number="",
        title=chapters.say("things"),
        blocks=(*drawings, *_besides(chapters)),
        sections=(*sections, *_places(chapters)),
    )


def _besides(chapters: Chapters) -> list[BookBlock]:
    """Return dice, tokens and the words of enumerations."""
    clauses = chapters.clauses
    items = []
    for kind in ("dice", "tokens", "type"):
        for address in (a for a, c in clauses.items() if c.kind == kind):
            name = chapters.view.thing(address)
            if kind == "type" and chapters.prose.text(address) is None:
                chapters.place.setdefault(address, KEY)
                continue  # its members are described with the things that have them
            title = chapters.titled(address, name)
            found = chapters.paragraph([address], KEY, title)
            items += [found] if found else []
            for each in chapters.within(address):
                chapters.place.setdefault(each, KEY)
    blocks: list[BookBlock] = [BookList(items=tuple(items))] if items else []
    for name, component in chapters.program.components.items():
        if name in chapters.clauses and chapters.clauses[name].kind == "type":
            blocks += _table(chapters, component, _columns(component), short=False)
    return blocks


# ---- cards and pieces


def _component(chapters: Chapters, name: str) -> BookSection | None:
    """Return the cards or pieces of one kind, None for places shown on a board."""
    component = chapters.program.components[name]
    if any(
        isinstance(head, BoardHeads) and head.each == name for head in _edges(chapters)
    ):
        return None
    number = len(component.labels)
    own = chapters.prose.text(name)
    if name not in chapters.view.rules.rows and own is None:
        return _made(chapters, component, number)
    said = [*chapters.told(name, name)] if own is not None else []
    if not said:
        counted = as_sentence(str(chapters.wording.counted(name, number)))
        said = [_plain(chapters, counted, name)]
    columns = _columns(component)
    blocks: list[BookBlock] = [BookParagraph(sentences=tuple(said))]
    if name not in chapters.view.rules.rows and name in _drawn(chapters):
        return _kind_section(chapters, name, blocks)
    keys = _product(columns, number)
    if keys and number >= LONG:
        blocks.append(
            BookParagraph(sentences=(_each_of(chapters, component, columns, keys),))
        )
        columns = [each for n, each in enumerate(columns) if n not in keys]
    blocks += _table(chapters, component, columns, short=bool(keys))
    return _kind_section(chapters, name, blocks)


def _made(
    chapters: Chapters, component: ComponentDef, number: int
) -> BookSection | None:
    """Return pieces that exist once for each of something, such as a player."""
    name, columns = component.kind.name, _columns(component)
    if not any(
        isinstance(type_, Kind) and type_.sort == "seat" for _, type_, _ in columns
    ):
        if name in _drawn(chapters):
            return None
        counted = as_sentence(str(chapters.wording.counted(name, number)))
        counts = _plain(chapters, counted, name)
        keys = range(len(columns))
        sentences = (counts, _each_of(chapters, component, columns, keys))
        return _kind_section(chapters, name, [BookParagraph(sentences=sentences)])
    each_has = number // chapters.view.table.players
    counted = str(chapters.wording.counted(name, each_has))
    said = chapters.say("each player has", things=counted)
    sentence = _plain(chapters, said, name)
    return _kind_section(chapters, name, [BookParagraph(sentences=(sentence,))])


def _plain(chapters: Chapters, text: str, name: str) -> BookSentence:
    """Return a sentence about a kind of things, with the marks of its clause."""
    return BookSentence(text=text, address=name, marks=chapters.prose.marks(name))


def _drawn(chapters: Chapters) -> frozenset[str]:
    """Return the kinds of places and edges that a board of the game shows."""
    boards = chapters.view.ruleset.manifest.boards
    return frozenset(layer.each for board in boards for layer in board.draw)


def _edges(chapters: Chapters) -> list[object]:
    """Return the labels of the boards' rows and columns."""
    boards = chapters.view.ruleset.manifest.boards
    return [head for b in boards for head in (b.row_heads, b.column_heads)]


def _kind_section(
    chapters: Chapters, name: str, blocks: Sequence[BookBlock]
) -> BookSection:
    words = chapters.wording.counted(name, 2)
    kind = chapters.wording.kind(name)
    many = getattr(kind, "forms", {}).get("many", "")
    title = chapters.titled("", many or (kind if kind else str(words)))
    for each in (name, *chapters.within(name)):
        chapters.place[each] = name
    return BookSection(
        key=name, number="", title=title, address=name, blocks=tuple(blocks)
    )


def _columns(component: ComponentDef) -> list[Column]:
    """Return the fields with more than one value."""
    return [
        (field, type_, column)
        for field, (type_, column) in component.fields.items()
        if len({*map(str, column)}) > 1 or any(each is not None for each in column)
    ]


def _product(columns: Sequence[Column], number: int) -> tuple[int, ...]:
    """Return the smallest set of fields whose combinations each occur exactly once."""
    for size in range(1, min(4, len(columns)) + 1):
        for chosen in combinations(range(len(columns)), size):
            values = [columns[each][2] for each in chosen]
            several = prod(len({*map(str, column)}) for column in values)
            rows = {tuple(map(str, row)) for row in zip(*values, strict=True)}
            if size > 1 and several == number == len(rows):
                return chosen
    return ()


def _each_of(
    chapters: Chapters,
    component: ComponentDef,
    columns: Sequence[Column],
    keys: Sequence[int],
) -> BookSentence:
    """Return the sentence that each combination of some fields occurs once."""
    parts = []
    for place in keys:
        field, type_, column = columns[place]
        known = dict.fromkeys(column)
        words = [str(chapters.wording.value(each, type_)) for each in known]
        if len(words) > 4 and all(each.isdigit() for each in words):
            numbers = sorted(map(int, words))
            if numbers == [*range(numbers[0], numbers[-1] + 1)]:
                words = [chapters.say("span", low=numbers[0], high=numbers[-1])]
        title = _field(chapters, component, field)
        parts.append(f"{title} ({', '.join(words)})")
    listed = str(chapters.wording.several(parts))
    return BookSentence(text=chapters.say("each of", fields=listed))


def _field(chapters: Chapters, component: ComponentDef, field: str) -> str:
    """Return the name of a field: its own, else that of its values."""
    address = f"{component.kind.name}.{field}"
    own = chapters.view.thing(address) or chapters.view.thing(field)
    if not own and address in chapters.clauses:
        own = chapters.view.called(address)
    kind = kind_of(component.fields[field][0])
    if not own and kind is not None:
        own = chapters.view.thing(kind.name)
    return own or field.replace("_", " ")


def _table(
    chapters: Chapters, component: ComponentDef, columns: list[Column], *, short: bool
) -> list[BookBlock]:
    """Return the rows as a table, with duplicates counted; a product only in part.

    A `short` table omits empty rows.
    """
    if not columns:
        return []
    name = component.kind.name
    rows: Counter[tuple[str, ...]] = Counter()
    for item in range(len(component.labels)):
        cells = tuple(
            _cell(chapters, type_, column[item]) for _, type_, column in columns
        )
        if short and not any(cells):
            continue
        rows[(chapters.wording.thing(name, item), *cells)] += 1
    title = str(chapters.wording.kind(name))
    head = [
        chapters.titled("", title),
        *(_field(chapters, component, f) for f, *_ in columns),
    ]
    counted = any(number > 1 for number in rows.values())
    if counted:
        head.append(chapters.say("number"))
    body = tuple(
        (*row, str(number)) if counted else row for row, number in rows.items()
    )
    titles = tuple(chapters.titled("", each) for each in head)
    return [BookTable(head=titles, rows=body)] if body else []


def _cell(chapters: Chapters, type_: Type, value: Data) -> str:
    if value is None or value == ():
        return ""
    if isinstance(type_, Flag):
        return "✓" if value else ""
    return str(chapters.wording.value(value, type_))


# ---- places


def _places(chapters: Chapters) -> list[BookSection]:
    """Return the places of things, and how the game begins there."""
    key, clauses = "chapter-places", chapters.clauses
    items = []
    for address in (a for a, c in clauses.items() if c.kind in {"zone", "slot"}):
        title = chapters.titled(
            address, chapters.view.thing(address.rpartition(".")[2])
        )
        found = chapters.paragraph([address], key, title)
        items += [found] if found else []
    if not items:
        return []
    section = BookSection(
        key=key,
        number="",
        title=chapters.say("places"),
        blocks=(BookList(items=tuple(items)),),
    )
    return [section]
