"""What the page's worker asks: check a house rule, measure it, print its sentences.

Every answer is JSON: texts and places, never HTML. The worker has no other caller.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import houserule
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    has_errors,
    in_reading_order,
)
from houserule.base.diagnostics.report import report
from houserule.base.source import Source
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.play.seat.rules import TableRules
from houserule.rulebook.book.book_model import Book
from houserule.rulebook.book.build import book_of
from houserule.rulebook.book.differences import GONE, sheet_of
from houserule.ui.configurator.beginning import rule_to_begin_with
from houserule.ui.configurator.effect import effect_of

FILE = "yours.rules"
NAME = "our_rule"
GAMES = 300  # at each of the two tables
SUGGESTED = "did you mean `"  # in the text of a place, before the right word


def starting_text(game: str) -> str:
    """Return a valid house rule of a game to start with, without sources."""
    whole = rule_to_begin_with(houserule.load(game).loaded, NAME)
    rules = whole.partition("\n---\n")[0]  # below it are its sources and examples
    return re.sub(rf" *\[ruling {NAME}\]$", "", rules, flags=re.MULTILINE) + "\n"


def check(game: str, text: str) -> str:
    """Return the messages about a house rule alone at its table.

    Each has the edits that remove it: `from` and `to` as line and column, and `text`.
    """
    found, sources = _checked(game, text)
    told = []
    for each in found:
        said = report(each).model_dump()
        for place in said["places"]:
            place["yours"] = place["file"].endswith(f"/{FILE}")
            if not place["yours"] and place["line"] and place["file"] in sources:
                lines = sources[place["file"]].text.splitlines()
                place["quoted"] = lines[place["line"] - 1].strip()
            place["file"] = place["file"].rpartition("/")[2]
        said["edits"] = [*_edits(game, text, each)]
        told.append(said)
    return json.dumps(told)


def effect(game: str, text: str, language: str) -> str:
    """Return the effect of a house rule: with and without it, with the same seeds."""
    ruleset, names = _opened(game, text)
    choice = TableChoice(with_=names)
    told = [
        each.model_dump()
        for name in names
        for each in effect_of(ruleset, choice, name, language, games=(GAMES,))
    ]
    return json.dumps(told)


def book(game: str, text: str, language: str) -> str:
    """Return the lines of the rulebook that a house rule adds and removes.

    Each added rule has its sentence, if it has one, and its formal wording.
    """
    ruleset, names = _opened(game, text)
    with_it = _book(ruleset, TableChoice(with_=names), language)
    usual = TableChoice(players=with_it.players)
    without = _book(ruleset, usual, language)
    sheet = sheet_of(with_it, without, without.title)
    new = [{"says": each.says, "exact": each.exact} for each in sheet.rules]
    gone = [
        sentence.text
        for section in sheet.sections
        if section.key == GONE
        for sentence in section.sentences()
    ]
    return json.dumps({"new": new, "gone": gone})


CALLS: dict[str, Callable[..., str]] = {
    each.__name__: each for each in (starting_text, check, effect, book)
}


# ---- the rule beside its game


@cache
def _path() -> Path:
    return Path(mkdtemp()) / FILE


def _opened(game: str, text: str) -> tuple[LoadedRuleset, tuple[str, ...]]:
    """Return the game with the rule, and the names of the rule's variants.

    Raises:
        RulesetError: the text cannot be read.
    """
    _path().write_text(text, encoding="utf-8")
    ruleset = houserule.load(game, rules=[_path()]).loaded
    units = ruleset.units_of("variant")
    return ruleset, tuple(u.id for u in units if u.span.file.endswith(f"/{FILE}"))


def _checked(
    game: str, text: str
) -> tuple[tuple[Diagnostic, ...], Mapping[str, Source]]:
    """Return the messages about a text, and the sources they point into."""
    try:
        ruleset, names = _opened(game, text)
    except houserule.RulesetError as error:
        return error.diagnostics, error.sources
    found = prepare(ruleset, TableChoice(with_=names)).diagnostics
    return tuple(in_reading_order(found)), ruleset.sources


def _edits(game: str, text: str, found: Diagnostic) -> Iterator[dict[str, object]]:
    """Yield the edits for a message; with each of them its line has no error.

    A suggestion is the right word, the right line, or advice in prose. So each is
    tried as a word and as a line, and what does not help is dropped.
    """
    place = found.span
    if place is None or not place.file.endswith(f"/{FILE}") or place.line < 1:
        return
    lines = text.split("\n")
    line = lines[place.line - 1]
    indent = line[: len(line) - len(line.lstrip())]
    word = place.column - 1, place.end_column - 1
    if place.end_line != place.line:
        word = place.column - 1, len(line)
    whole = len(indent), len(line)
    tries: list[tuple[tuple[int, int], str]] = []
    for label in found.labels:
        if label.span == place and SUGGESTED in label.text:
            right = label.text.partition(SUGGESTED)[2].partition("`")[0]
            tries.append((word, right))
    for fix in found.fixes:
        if "\n" not in fix:
            tries += [(whole, fix.strip()), (word, fix.strip())]
    for (start, end), new in tries:
        changed = line[:start] + new + line[end:]
        tried = "\n".join([*lines[: place.line - 1], changed, *lines[place.line :]])
        if changed == line or _is_wrong(game, tried, place.line, found):
            continue
        yield {"line": place.line, "start": start, "end": end, "text": new}


def _is_wrong(game: str, text: str, line: int, found: Diagnostic) -> bool:
    """Return whether a changed text has the same message, or an error in its line."""
    after, _ = _checked(game, text)
    return any(
        (each.code, each.message) == (found.code, found.message)
        or (has_errors([each]) and each.span is not None and each.span.line == line)
        for each in after
    )


# ---- the rulebook


def _book(ruleset: LoadedRuleset, choice: TableChoice, language: str) -> Book:
    prepared = prepare(ruleset, choice, for_play=True)
    if prepared.table is None or prepared.program is None:
        raise houserule.RulesetError(prepared.diagnostics)
    rules = TableRules(ruleset, prepared.table, prepared.program)
    return book_of(rules, language)
