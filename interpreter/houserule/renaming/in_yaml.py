"""Where YAML files and records speak of a declaration: in keys and values that name.

Sentences for people are left alone: captions, titles, messages, names of examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule.manifest.texts import SECTIONS
from houserule.renaming.targets import Target
from houserule.scenario.expect import EXPECT_WORDS
from houserule.scenario.moves import WORDS
from houserule.scenario.position import GIVEN_WORDS
from houserule.source import Span

if TYPE_CHECKING:
    from houserule.manifest.yaml.document import Document, KeyPath

Asks = Callable[["KeyPath"], bool]

CHAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*")
NAMED_AMONG_VALUES = frozenset({"member", "row"})
NAMING = frozenset({"covers", "given", "do", "try", "expect", "set", "leave_out"})
"""The words of an example beneath which names of the rules stand."""
DRAWN = frozenset({"title", "empty", "mark", "means"})  # of boards, for people


def hits(text: str, target: Target, *, alone: bool = True) -> Iterator[tuple[int, int]]:
    """Yield where the name of a target begins and ends in a text of names.

    A text is a name, an address, or several of them: `markers(ann, eight_plain)`.

    Args:
        text: the text.
        target: what is renamed.
        alone: the name counts also where it stands without its owner.
    """
    for chain in CHAIN.finditer(text):
        words = chain[0].split(".")
        starts = [chain.start()]
        for word in words[:-1]:
            starts.append(starts[-1] + len(word) + 1)
        for place in _places(words, target, alone):
            yield starts[place], starts[place] + len(words[place])


def _places(words: list[str], target: Target, alone: bool) -> list[int]:
    if f"{'.'.join(words)}.".startswith(f"{target.address}."):
        return [target.place]
    if not (alone and target.stands_alone):
        return []
    if {*words} <= target.places:  # `to.from`: what was moved whither
        return [at for at, word in enumerate(words) if word == target.name]
    return [0] if words[0] == target.name else []


def replaced(text: str, target: Target) -> str:
    """Return a text of names with the new name for the old one."""
    for start, end in reversed([*hits(text, target)]):
        text = text[:start] + target.new + text[end:]
    return text


@dataclass(frozen=True)
class Naming:
    """Which keys and values of a YAML file are names, by their paths."""

    keys: Asks
    values: Asks


def spans_in_yaml(document: Document, naming: Naming, target: Target) -> Iterator[Span]:
    """Yield every place where keys or values of a YAML file name a target."""
    for path, span in document.key_spans.items():
        if path and isinstance(path[-1], str) and naming.keys(path):
            yield from _within(document, span, target)
    for path, span in document.spans.items():
        try:
            value = document.at(*path)
        except KeyError:
            continue
        if isinstance(value, str) and naming.values(path):
            yield from _within(document, span, target)


def _within(document: Document, span: Span, target: Target) -> Iterator[Span]:
    """Yield the places of a name in a value, which may go on over several lines."""
    for number in range(span.line, span.end_line + 1):
        line = document.source.line(number)
        start = span.column - 1 if number == span.line else 0
        end = span.end_column - 1 if number == span.end_line else len(line)
        for first, last in hits(line[start:end], target):
            column = start + first + 1
            yield Span.at(span.file, number, column, last - first)


# ---- which keys and values name something


def naming_of(file: str, target: Target) -> Naming | None:
    """Return what names in a file of a ruleset; None for a file that names nothing."""
    part = file.partition("/")[0]
    if file == "ruleset.yaml":
        return Naming(_manifest_keys, _manifest_values)
    if file == "rulings.yaml":
        return Naming(_never, _ruling_values(target))
    if part == "text":
        return Naming(_text_keys(target), _never)
    if part == "components":
        return Naming(_never, _table_values(target))
    if part == "scenarios":
        return Naming(_example_keys, _example_values)
    if part == "sources":
        return Naming(_never, _never)
    return None


def appended(target: Target) -> Naming:
    """Return what names in the appendix of a rules file."""
    parts: dict[str, tuple[int, Naming]] = {
        "texts": (2, Naming(_text_keys(target), _never)),
        "components": (2, Naming(_never, _table_values(target))),
        "rulings": (0, Naming(_never, _ruling_values(target))),
        "scenarios": (0, Naming(_example_keys, _example_values)),
        "table": (0, Naming(_example_keys, _example_values)),
    }

    def keys(path: KeyPath) -> bool:
        skipped, naming = parts.get(str(path[0]), (0, Naming(_never, _never)))
        return len(path) > skipped and naming.keys(path[skipped:])

    def values(path: KeyPath) -> bool:
        if not path:
            return False
        skipped, naming = parts.get(str(path[0]), (0, Naming(_never, _never)))
        return len(path) > skipped and naming.values(path[skipped:])

    return Naming(keys, values)


def _never(path: KeyPath) -> bool:
    return not path and False


def _manifest_keys(path: KeyPath) -> bool:
    return path[:2] in {("position", "things"), ("position", "over_columns")} and (
        len(path) == len(("position", "things", "Card"))
    )


def _manifest_values(path: KeyPath) -> bool:
    if path[:1] == ("position",):
        return True
    return path[:1] == ("boards",) and not DRAWN.intersection(map(str, path))


def _ruling_values(target: Target) -> Asks:
    return lambda path: target.kind == "option" and path[-1:] == ("opt",)


def _text_keys(target: Target) -> Asks:
    """Return which keys of texts are names: those right below a section, mostly."""

    def asks(path: KeyPath) -> bool:
        match path:
            case ("titles", _):
                return target.kind == "option"
            case ("changed", _, _):
                return True
            case ("readings", _, _):
                return target.kind in NAMED_AMONG_VALUES
            case (section, _):
                return section in (*SECTIONS, "readings")
            case _:
                return False

    return asks


def _table_values(target: Target) -> Asks:
    """Return which values of a table are names: ids, and cells that name something."""

    def asks(path: KeyPath) -> bool:
        match path:
            case ("rows", _, "id"):
                return target.kind == "row"
            case ("rows", _, "status" | "source" | "attested" | "note", *_):
                return False
            case ("rows", *_):
                return True
            case _:
                return False

    return asks


def _example_keys(path: KeyPath) -> bool:
    """Say whether a key names something; words of examples go before names."""
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


def _example_values(path: KeyPath) -> bool:
    rest = _in_example(path)
    return bool(rest) and rest[0] in NAMING


def _in_example(path: KeyPath) -> KeyPath:
    """Return a path from the word of an example, a case or a table on: `given`, ….

    Of what belongs to none of them it is empty.
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
