"""The components on the table: cards and pieces with fields, dice, tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

from houserule.base.inflection import SHORT, Inflected
from houserule.ir import ComponentDef
from houserule.ir.types import Data, Flag, Kind, Set, Type, Whole, core, kind_of
from houserule.language.manifest.ruleset_models import BoardHeads
from houserule.play.narration.boards.usual import boards_of
from houserule.play.seat.looks import LookPlans, field_of
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
from houserule.rulebook.book.pictures import (
    Figure,
    labelled,
    parts_of,
    row,
)
from houserule.rulebook.book.pictures import (
    component as card_picture,
)

Column = tuple[str, Type, Sequence[Data] | Sequence[tuple[Data, ...]]]

LONG = 24  # rows from which a product becomes a sentence
TALL = 16  # rows from which a table is split
MOST, SOME = 6, 3  # dice, cards in a picture
KEY = "chapter-things"


def things_of(chapters: Chapters) -> BookSection:
    """Return what players need, with counts."""
    items: list[BookParagraph] = []
    for name, component in chapters.program.components.items():
        if not component.faces and chapters.clauses.get(name) is not None:
            found = _component(chapters, name, component)
            items += [found] if found is not None else []
    for kind in ("dice", "tokens"):
        for address in (a for a, c in chapters.clauses.items() if c.kind == kind):
            word = chapters.wording.kind(address)
            forms = getattr(word, "forms", {})
            many = str(forms.get("plural", forms.get("many", word)))
            title = chapters.titled(address, many)
            own = chapters.defined(address, KEY) if kind == "tokens" else None
            found = own or chapters.paragraph([address], KEY, title)
            items += [found] if found is not None else []
            for each in chapters.within(address):
                if chapters.clauses[each].kind != "slot":
                    chapters.place.setdefault(each, KEY)
    blocks: list[BookBlock] = [BookList(items=tuple(items))]
    kinds = chapters.program.components
    pictures = dict.fromkeys(p for name in kinds for p in _pictures(chapters, name))
    if pictures and items:
        title = chapters.say("things")
        blocks.append(BookDrawing(title="", svg=row([*pictures]).svg(title), text=""))
    return BookSection(key=KEY, title=chapters.say("things"), blocks=tuple(blocks))


def cards_of(chapters: Chapters) -> BookSection:
    """Return the cards and pieces with their fields, as a reference."""
    key = "chapter-cards"
    blocks: list[BookBlock] = []
    for name, component in chapters.program.components.items():
        clause = chapters.clauses.get(name)
        if component.faces or clause is None or _is_drawn(chapters, name):
            continue
        number, columns = (
            len(component.labels),
            (
                [
                    (field, type_, column)
                    for field, (type_, column) in component.fields.items()
                    if (
                        len({*map(str, column)}) > 1
                        or any(each is not None for each in column)
                    )
                    and chapters.has_use(field)
                ]
            ),
        )
        if clause.kind == "component":
            if name not in chapters.view.rules.rows:
                continue
            lies = _lies(chapters, component)
            types = [type_ for _, type_, _ in columns]
            types += [keyed.type for keyed in component.keyed.values()]
            if not lies and all(isinstance(each, Whole) for each in types):
                continue  # the coordinates of places
            keys = _product(columns, number)
            if keys and number >= LONG and lies:
                said = _combinations(chapters, component, [columns[n] for n in keys])
                blocks.append(BookParagraph(sentences=(said,)))
                columns = [each for n, each in enumerate(columns) if n not in keys]
            by_key = (
                (field, keyed.type, keyed.rows)
                for field, keyed in component.keyed.items()
                if chapters.has_use(field)
            )
            blocks += _table(chapters, component, [*columns, *by_key], short=bool(keys))
        elif clause.kind == "type":
            about = chapters.paragraph([name], key)
            blocks += [about] if about is not None else []
            if chapters.prose.written(name) is None:  # '' keeps it out of the book
                blocks += _table(chapters, component, columns, short=False)
            for own in chapters.within(name):
                chapters.place.setdefault(own, key)
    return BookSection(
        key=key, title=chapters.say("cards"), look="back", blocks=tuple(blocks)
    )


# ---- pictures


def _pictures(chapters: Chapters, name: str) -> Iterator[Figure]:
    """Yield the pictures of a kind: some dice or cards, or one card and its parts."""
    component = chapters.program.components[name]
    if name not in chapters.clauses and not component.faces:
        return
    if _is_drawn(chapters, name):
        return
    ruleset, words = chapters.view.ruleset, chapters.wording
    plan = ruleset.derived(LookPlans).of(chapters.program)
    labels = chapters.program.labels[name]
    parts = [plan.parts(name, item) for item in range(len(labels))]
    if any(parts):
        looks = [plan.of(name, item, words) for item in range(len(labels))]
        fields = {field for own in parts for field in own.values()}
        read = {each for each in fields if chapters.has_use(each)}
        drawn = [
            [p for p in parts_of(look) if own.get(p[0]) in read] if look else []
            for look, own in zip(looks, parts, strict=True)
        ]
        item = max(range(len(labels)), key=lambda each: len(drawn[each]))
        shown = looks[item]
        if shown is None or not drawn[item]:
            return
        said = [
            (y, chapters.titled("", _field(chapters, component, parts[item][part])))
            for part, _, y in drawn[item]
        ]
        yield labelled(card_picture(shown), said)
        return
    named = [
        n for n, label in enumerate(labels) if label in ruleset.manifest.looks.picture
    ]
    few = min(len(labels), MOST if component.faces else SOME)
    chosen = (
        named
        if named and not component.faces
        else [n * len(labels) // few for n in range(few)]
    )
    for number, item in enumerate(chosen):
        look = plan.of(name, item, words)
        if look is not None and (component.faces or look.kind == "playing card"):
            faces = component.faces
            face = faces[(5 * number + 4) % len(faces)] if faces else None
            yield card_picture(look, face)


# ---- cards and pieces


def _component(
    chapters: Chapters, name: str, component: ComponentDef
) -> BookParagraph | None:
    """Return the number of cards or pieces, None for places shown on a board."""
    if chapters.clauses[name].kind != "component":
        return None
    for each in (name, *chapters.within(name)):
        chapters.place.setdefault(each, KEY)
    written = chapters.prose.written(name)
    own = chapters.told(name, KEY) if written is not None else ()
    number = len(component.labels)
    counted = str(chapters.wording.counted(name, number))
    drawn = _is_drawn(chapters, name)
    if name not in chapters.view.rules.rows and any(
        isinstance(type_, Kind) and type_.sort == "seat" and not (own and drawn)
        for type_, _ in component.fields.values()
    ):
        each_has = number // chapters.view.table.players
        counted = str(chapters.wording.counted(name, each_has))
        said = chapters.say("each player has", things=counted)
        return BookParagraph(
            sentences=(
                BookSentence(text=said, address=name, marks=chapters.prose.marks(name)),
            )
        )
    if drawn:  # a picture shows it, and its prose is still true
        return BookParagraph(address=name, sentences=own) if own else None
    listed, named = name in chapters.view.rules.rows, chapters.view.thing(name)
    if not _lies(chapters, component) and (named or not listed):
        return BookParagraph(address=name, sentences=own) if own else None
    columns = [(field, *column) for field, column in component.fields.items()]
    if not listed and not named and (keys := _product(columns, number)):
        own = (*own, _combinations(chapters, component, [columns[n] for n in keys]))
    marks = chapters.prose.marks(name)
    return BookParagraph(lead=counted, address=name, marks=marks, sentences=own)


def _lies(chapters: Chapters, component: ComponentDef) -> bool:
    """Return whether things lie in a zone; others are places, or kinds of things."""
    zones = chapters.program.zones.values()
    return any(each.member == component.kind for each in zones)


def _is_drawn(chapters: Chapters, name: str) -> bool:
    """Return whether a board shows things of a kind: its places and edges."""
    boards = boards_of(chapters.view.ruleset)
    heads = [head for b in boards for head in (b.row_heads, b.column_heads)]
    return any(
        isinstance(head, BoardHeads) and head.each == name for head in heads
    ) or (
        name not in chapters.view.rules.rows
        and any(layer.each == name for board in boards for layer in board.draw)
    )


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


def _combinations(
    chapters: Chapters, component: ComponentDef, columns: Sequence[Column]
) -> BookSentence:
    """Return that each combination of some fields occurs once."""
    parts = []
    for field, type_, column in columns:
        words = [_cell(chapters, type_, e) or "–" for e in dict.fromkeys(column)]
        listed = _span(chapters, words) or ", ".join(words)
        parts.append(f"{_field(chapters, component, field)} ({listed})")
    listed = str(chapters.wording.several(parts))
    return BookSentence(text=chapters.say("each of", fields=listed))


def _span(chapters: Chapters, words: Sequence[str]) -> str:
    """Return more than four numbers without a gap as a span, '' for other words."""
    if len(words) > 4 and all(map(str.isdigit, words)):
        low, *_, high = numbers = sorted(map(int, words))
        if numbers == [*range(low, high + 1)]:
            return chapters.say("span", low=low, high=high)
    return ""


def _field(chapters: Chapters, component: ComponentDef, field: str) -> str:
    """Return the name of a field: its own, else that of its values."""
    if field in component.keyed:
        address = f"{component.kind.name}.{field}"
        return chapters.view.thing(address) or field.replace("_", " ")
    found = field_of(chapters.program, component.kind.name, field)
    assert found is not None, "a look or a column names the field"
    address = f"{found.of}.{field}"
    own = chapters.view.thing(address) or chapters.view.thing(field)
    if not own and address in chapters.clauses:
        own = chapters.view.called(address)
    kind = kind_of(found.type)
    if not own and kind is not None:
        own = chapters.view.thing(kind.name)
    return own or field.replace("_", " ")


def _table(
    chapters: Chapters,
    component: ComponentDef,
    columns: Sequence[Column],
    *,
    short: bool,
) -> list[BookBlock]:
    """Return the rows as a table, with duplicates counted; a product only in part.

    A `short` table omits empty rows.
    """
    wording, kind = chapters.wording, component.kind.name
    names = [wording.thing(kind, item) for item in range(len(component.labels))]
    head, shown = [str(wording.kind(kind))], [names]
    for field, type_, column in columns:
        title = _field(chapters, component, field)
        cells = [_cell(chapters, type_, each) for each in column]
        keyed = component.keyed.get(field)
        if keyed is not None:
            keys = [str(wording.value(each, keyed.key.type)) for each in keyed.keys]
            title += f" ({_span(chapters, keys) or ', '.join(keys)})"
        said = (re.escape(title if each == "✓" else each) for each in cells)
        if not all(  # the name of every row states it
            not cell or re.search(rf"(?<!\d){words}(?!\d)", name, re.IGNORECASE)
            for cell, words, name in zip(cells, said, names, strict=True)
        ):
            head.append(title)
            shown.append(cells)
    if len(shown) == 1:
        return []
    rows = Counter(row for row in zip(*shown, strict=True) if not short or any(row[1:]))
    counted = any(number > 1 for number in rows.values())
    if counted:
        head.append(chapters.say("number"))
    body = tuple(
        (*row, str(number)) if counted else row for row, number in rows.items()
    )
    titles = tuple(chapters.titled("", each) for each in head)
    sides = 2 if len(body) > TALL else 1
    return [BookTable(head=titles, rows=body, columns=sides)] if body else []


def _cell(chapters: Chapters, type_: Type, value: Data | tuple[Data, ...]) -> str:
    if value is None or value == ():
        return ""
    of = core(type_)
    if isinstance(value, tuple) and not isinstance(of, Set):
        by_key = [_cell(chapters, type_, each) for each in value]
        return ", ".join(each or "–" for each in by_key) if any(by_key) else ""
    if isinstance(value, tuple) and isinstance(of, Set):
        words = [chapters.wording.value(each, of.member) for each in value]
        return ", ".join(
            each.form(SHORT) if isinstance(each, Inflected) else each for each in words
        )
    if isinstance(type_, Flag):
        return "✓" if value else ""
    assert not isinstance(value, tuple)
    return str(chapters.wording.value(value, type_))
