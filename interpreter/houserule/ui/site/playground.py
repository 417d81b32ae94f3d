"""What the page's worker asks: check a house rule, measure it, print its sentences.

Every answer is JSON: texts and places, never HTML. The worker has no other caller.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp

import houserule
from houserule.authoring.check.fixes import Recheck, game_fixes
from houserule.base.diagnostics.diagnostic import Diagnostic, in_reading_order
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
from houserule.ui.configurator.measured import measured_rules
from houserule.ui.editor.completion import complete as completions

FILE = "yours.rules"
NAME = "our_rule"
GAMES = 300  # at each of the two tables


def starting_text(game: str) -> str:
    """Return a valid house rule of a game to start with, without sources.

    It is the game's shortest one that makes games longer or shorter, under our name. A
    game without such a rule has one that counts how often an action was chosen.
    """
    ruleset = houserule.load(game).loaded
    known = ruleset.derived(measured_rules)
    told = [
        _under_our_name(ruleset.sources[unit.span.file].text)
        for unit in ruleset.units_of("variant")
        if (rule := known.get(unit.id)) and "rounds" in rule.changes
    ]
    valid = (each for each in sorted(told, key=len) if not _checked(game, each)[0])
    begun = next(valid, None)
    return begun or _under_our_name(rule_to_begin_with(ruleset, NAME))


def _under_our_name(text: str) -> str:
    rules = text.partition("\n---\n")[0]  # below it are its sources and examples
    plain = re.sub(r"\s*\[[^\]]*\]", "", rules)
    return re.sub(r"^variant \w+", f"variant {NAME}", plain.strip(), count=1) + "\n"


def check(game: str, text: str) -> str:
    """Return the messages about a house rule alone at its table.

    Each has the edits that remove it: the range of the old text, and the new text.
    """
    checked = cache(partial(_checked, game))
    found, sources = checked(text)
    told = []
    for each in found:
        said = report(each).model_dump()
        for place in said["places"]:
            place["yours"] = place["file"].endswith(f"/{FILE}")
            if not place["yours"] and place["line"] and place["file"] in sources:
                lines = sources[place["file"]].text.splitlines()
                place["quoted"] = lines[place["line"] - 1].strip()
            place["file"] = place["file"].rpartition("/")[2]
        said["edits"] = [*_edits(text, each, lambda changed: checked(changed)[0])]
        told.append(said)
    return json.dumps(told)


def complete(game: str, text: str, line: int, column: int) -> str:
    """Return what fits at a place of a house rule: labels, and texts to insert."""
    try:
        ruleset, _ = _opened(game, text)
    except houserule.RulesetError:
        ruleset = houserule.load(game).loaded
    found = completions(Source(FILE, text), line, column, ruleset)
    told = [
        {
            "label": each.label,
            "kind": each.kind,
            "detail": each.detail,
            "insert": each.insert,
            "start": each.start,
        }
        for each in found
    ]
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
    each.__name__: each for each in (starting_text, check, complete, effect, book)
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


def _edits(
    text: str, found: Diagnostic, recheck: Recheck
) -> Iterator[dict[str, object]]:
    place = found.span
    if place is None or not place.file.endswith(f"/{FILE}"):
        return
    source = Source(place.file, text)
    for fix in game_fixes(found, source, _path(), None, check=recheck):
        if fix.span is not None:
            yield {
                "line": fix.span.line,
                "column": fix.span.column,
                "end_line": fix.span.end_line,
                "end_column": fix.span.end_column,
                "text": fix.new,
            }


# ---- the rulebook


def _book(ruleset: LoadedRuleset, choice: TableChoice, language: str) -> Book:
    prepared = prepare(ruleset, choice, for_play=True)
    if prepared.table is None or prepared.program is None:
        raise houserule.RulesetError(prepared.diagnostics)
    rules = TableRules(ruleset, prepared.table, prepared.program)
    return book_of(rules, language)
