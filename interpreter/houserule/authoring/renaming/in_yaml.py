"""References to a declaration in the keys and values of YAML files and records.

Texts for people do not change: captions, titles, messages, names of examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

from houserule.authoring.renaming.targets import (
    APART,
    FIELD,
    RULING,
    UNITS,
    VARIABLE,
    Target,
)
from houserule.authoring.scenarios.expect import EXPECT_WORDS
from houserule.authoring.scenarios.moves import WORDS
from houserule.base.source import Span
from houserule.language.manifest.texts import SECTIONS
from houserule.language.manifest.yaml.document import Document, KeyPath
from houserule.play.positions.given import GIVEN_WORDS

Asks = Callable[["KeyPath"], bool]

CHAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*")
NAMED_AMONG_VALUES = frozenset({"member", "row"})
NAMING = frozenset({"covers", "given", "do", "try", "expect", "set", "leave_out"})
"""Keywords of an example with names of the rules beneath them."""
DRAWN = frozenset({"title", "empty", "mark", "means"})  # texts of boards, for people
SHAPES = frozenset({"as", "icon", "shape", "slant"})  # words of pictures


def hits(text: str, target: Target) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each occurrence of a target's name in a text.

    A text is a name, an address, or several of them: `markers(ann, eight_plain)`.
    """
    for chain in CHAIN.finditer(text):
        words = chain[0].split(".")
        starts = [chain.start()]
        for word in words[:-1]:
            starts.append(starts[-1] + len(word) + 1)
        places: list[int] = []
        if f"{'.'.join(words)}.".startswith(f"{target.address}."):
            places = [target.place]
        elif target.stands_alone:
            if {*words} <= target.places:  # `to.from`: a move's destination and origin
                places = [at for at, word in enumerate(words) if word == target.name]
            elif words[0] == target.name:
                places = [0]
        for place in places:
            yield starts[place], starts[place] + len(words[place])
        for word, start in zip(words, starts, strict=True):
            for first, last in target.within(word):
                yield start + first, start + last


def _never(path: KeyPath) -> bool:
    return not path and False


@dataclass(frozen=True)
class Naming:
    """Which keys and values of a YAML file are names, by their paths.

    Attributes:
        keys, values: addresses of the target or of its parts.
        bare_keys, bare_values: only the last part of the target's address, because
            the context gives its owner.
        slots: sentences with names in braces.
        last: keys whose last part may be the target.
    """

    keys: Asks
    values: Asks
    bare_keys: Asks = _never
    bare_values: Asks = _never
    slots: Asks = _never
    last: Asks = _never


NOTHING = Naming(_never, _never)


def spans_in_yaml(document: Document, naming: Naming, target: Target) -> Iterator[Span]:
    """Yield every reference to a target in the keys and values of a YAML file."""
    name = re.escape(target.name)
    whole, last = re.compile(rf"\b{name}\b"), re.compile(rf"(?<=\.){name}\b")
    slot = re.compile(rf"(?<=\{{){name}(?=[:}}])")

    def named(text: str) -> Iterator[tuple[int, int]]:
        return hits(text, target)

    for path, span in document.key_spans.items():
        if not path or not isinstance(path[-1], str):
            continue
        if naming.keys(path):
            yield from _within(document, span, named)
        if naming.bare_keys(path) and path[-1] == target.name:
            yield from _within(document, span, _found(whole))
        if naming.last(path):
            yield from _within(document, span, _found(last))
    for path, span in document.spans.items():
        try:
            value = document.at(*path)
        except KeyError:
            continue
        if not isinstance(value, str):
            continue
        if naming.values(path):
            yield from _within(document, span, named)
        if naming.bare_values(path) and value == target.name:
            yield from _within(document, span, _found(whole))
        if naming.slots(path):
            yield from _within(document, span, _found(slot))


Finds = Callable[[str], Iterator[tuple[int, int]]]


def _found(pattern: re.Pattern[str]) -> Finds:
    return lambda text: (each.span() for each in pattern.finditer(text))


def _within(document: Document, span: Span, finds: Finds) -> Iterator[Span]:
    """Yield the places of a name in a value, which may span several lines."""
    for number in range(span.line, span.end_line + 1):
        line = document.source.line(number)
        start = span.column - 1 if number == span.line else 0
        end = span.end_column - 1 if number == span.end_line else len(line)
        for first, last in finds(line[start:end]):
            column = start + first + 1
            yield Span.at(span.file, number, column, last - first)


# ---- which keys and values name something


def naming_of(file: str, target: Target, where: Whereabouts) -> Naming | None:
    """Return the naming keys and values of a file; None if it has none."""
    part = file.partition("/")[0]
    if file == "ruleset.yaml":
        if target.kind == FIELD:
            return where.manifest
        if target.kind in APART:
            return NOTHING
        if target.kind == VARIABLE:
            places = ("looks", "moves", target.owner)
            return Naming(_never, _never, bare_values=lambda path: path[:3] == places)

        def keys(path: KeyPath) -> bool:
            return path[:2] in _NAMED and len(path) == 3  # `position`, `things`, `Card`

        def values(path: KeyPath) -> bool:
            moves = path[:2] in {("looks", "moves"), ("looks", "picture")}
            if path[:1] == ("position",) or moves:
                return True
            if path[:1] != ("boards",) or path[-1] in SHAPES:
                return False
            return not DRAWN.intersection(map(str, path))

        return Naming(keys, values)
    if file == "rulings.yaml":
        return _rulings(target)
    if part == "text":
        return _texts(target, where)
    if part == "components":
        return _tables(target, file in where.tables)
    if part == "scenarios":
        return _examples(target)
    if part == "sources":
        return NOTHING
    return None


def appended(target: Target, where: Whereabouts) -> Naming:
    """Return the naming keys and values of a rules file's appendix."""
    parts: dict[str, tuple[int, Naming]] = {
        "texts": (2, _texts(target, where)),
        "rulings": (0, _rulings(target)),
        "scenarios": (0, _examples(target)),
        "table": (0, _examples(target)),
    }

    def at(path: KeyPath) -> tuple[KeyPath, Naming]:
        if path[:1] == ("components",) and len(path) > 2:
            return path[2:], _tables(target, path[1] in where.tables)
        part = str(path[0]) if path else ""
        skipped, naming = parts.get(part, (0, NOTHING))
        return path[skipped:], naming if len(path) > skipped else NOTHING

    def asks(which: str) -> Asks:
        def asked(path: KeyPath) -> bool:
            inner, naming = at(path)
            asks: Asks = getattr(naming, which)
            return asks(inner)

        return asked

    return Naming(*(asks(each.name) for each in fields(Naming)))


@dataclass(frozen=True)
class Whereabouts:
    """Where the name of a field or a variable appears without its owner.

    Attributes:
        tables: the files of the tables that have the field as a column.
        manifest: the naming keys and values of `ruleset.yaml`.
        owners: the scopes of a variable, and the places that have it as a key.
    """

    tables: frozenset[str] = frozenset()
    manifest: Naming = NOTHING
    owners: frozenset[str] = frozenset()


def manifest_with_field(
    document: Document, target: Target, holders: set[str]
) -> Naming:
    """Return the keys and values of `ruleset.yaml` that name a field.

    `holders` are its kind and the zones that hold things of that kind.
    """

    def bare(path: KeyPath) -> bool:
        match path:
            case ("position", "things", holder, int()):
                return holder in holders
            case ("looks", "things", holder, word, *_) if word != "as":
                return holder in holders
            case ("boards", int(), ("row_heads" | "column_heads"), "at"):
                inside = path[:3]
            case ("boards", int(), "draw", int(), "look", word) if word in SHAPES:
                return False
            case ("boards", int(), "draw", int(), word, *_) if word not in DRAWN:
                inside = path[:4]
            case _:
                return False
        kind = (*inside, "each")
        return kind in document.spans and document.at(*kind) == target.owner

    def hidden(path: KeyPath) -> bool:
        return path[:2] == ("position", "hide")

    return Naming(_never, hidden, bare_values=bare)


def _rulings(target: Target) -> Naming:
    if target.kind == RULING:
        return Naming(lambda path: path[:1] == ("rulings",) and len(path) == 2, _never)
    named = {"option", *UNITS}
    return Naming(_never, (lambda path: target.kind in named and path[-1:] == ("opt",)))


def _texts(target: Target, where: Whereabouts) -> Naming:
    if target.kind == RULING:
        return NOTHING
    if target.kind in UNITS:
        return Naming(lambda path: path[:1] in _TITLED and len(path) == 2, _never)

    def keys(path: KeyPath) -> bool:  # mostly those directly below a section
        match path:
            case ("titles", _):
                return target.kind == "option"
            case ("changed" | "changed_prose", _, _):
                return True
            case ("readings", _, _):
                return target.kind in NAMED_AMONG_VALUES
            case (section, _):
                return section in (*SECTIONS, "readings")
            case _:
                return False

    if target.kind == "option":
        return Naming(keys, _never, slots=lambda path: path[:1] in _PROSE)
    if target.kind == FIELD:
        of_kind = ("members", target.owner)
        return Naming(keys, _never, slots=lambda path: path[:2] == of_kind)
    if target.kind != VARIABLE:
        return Naming(keys, _never)

    def spoken_of(path: KeyPath) -> bool:
        if path[:1] in _PROSE:
            return False
        at = 2 if path[:1] == ("changed",) else 1
        parts = str(path[at]).split(".") if len(path) > at else []
        of = parts if {*parts} <= target.places else parts[:1]
        return not where.owners.isdisjoint(of)

    def last(path: KeyPath) -> bool:
        if path[:1] not in _OF_CHOICES or len(path) != 2:
            return False
        owner, *rest = str(path[1]).split(".")  # `take_one.choose.y` or `slide.x`
        return owner == target.owner and len(rest) > (path[0] == "messages")

    return Naming(keys, _never, slots=spoken_of, last=last)


_OF_CHOICES = {("questions",), ("answers",), ("messages",), ("names",)}
_TITLED = {("titles",), ("changed",), ("changed_prose",)}
_PROSE = {("prose",), ("changed_prose",)}  # their braces hold options, not variables


def _tables(target: Target, has_column: bool) -> Naming:
    if target.kind in APART:
        return NOTHING

    def column(path: KeyPath) -> bool:
        return has_column and path[:1] == ("rows",) and len(path) == 3

    def values(path: KeyPath) -> bool:  # ids, and cells with references
        match path:
            case ("rows", _, "id"):
                return target.kind == "row"
            case ("rows", _, "status" | "source" | "attested" | "note", *_):
                return False
            case ("rows", *_):
                return True
            case _:
                return False

    return Naming(_never, values, bare_keys=column)


def _examples(target: Target) -> Naming:
    if target.kind == RULING:
        return NOTHING
    if target.kind in UNITS:
        return Naming(_never, lambda path: _in_example(path)[:1] in _CHOSEN)

    def argument(path: KeyPath) -> bool:
        rest = _in_example(path)
        return (
            target.kind == VARIABLE
            and rest[:1] in {("do",), ("try",)}
            and path[-2:-1] == (target.owner,)
        )

    def keys(path: KeyPath) -> bool:  # the keywords of examples take precedence
        match _in_example(path):
            case ("given", word):
                return word not in GIVEN_WORDS
            case ("expect", word) | ("expect", "sees", _, word):
                return word not in EXPECT_WORDS
            case ("do", _, word) | ("try", word):
                return word not in WORDS
            case (first, _, *_):
                return first in NAMING
            case _:
                return False

    def values(path: KeyPath) -> bool:
        return not NAMING.isdisjoint(_in_example(path)[:1])

    return Naming(keys, values, bare_keys=argument)


_CHOSEN = {("with",), ("without",), ("preset",)}


_NAMED = {
    *(("position", "things"), ("position", "over_columns")),
    *(("looks", "things"), ("looks", "signs"), ("looks", "moves")),
}


def _in_example(path: KeyPath) -> KeyPath:
    """Return a path relative to its example, case or table: `given`, ….

    Outside of them, the path is empty.
    """
    match path:
        case ("scenarios", int(), "under", int(), *rest):
            pass
        case ("scenarios", int(), "table", *rest) | ("table", *rest):
            pass
        case ("scenarios", int(), *rest):
            pass
        case _:
            return ()
    return tuple(rest)
