"""Suggestions of messages as edits, commands or prose.

A suggestion is the right word, the right lines, lines to add, a command or advice. Its
message does not say which. So each is tried at the places where it may belong; an edit
is what removes the message and leaves no error in the lines that it writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import dedent, indent
from typing import Literal, TypeAlias

from houserule.authoring.check.check import check_path
from houserule.base.diagnostics.diagnostic import Diagnostic, has_errors
from houserule.base.files import unsaved
from houserule.base.frozen import frozen
from houserule.base.source import Source, Span, parts_of
from houserule.compiler.choices.configurations import Configurations
from houserule.compiler.choices.feature_model import features_of
from houserule.compiler.choices.relation_diagram import TooManySwitchesError
from houserule.compiler.conditions.formulas import On
from houserule.compiler.family.check import misplaced
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.yaml.read import read_document
from houserule.language.syntax.read.parser import parse_afresh
from houserule.language.syntax.write.format import format_text

Recheck: TypeAlias = Callable[[str], Iterable[Diagnostic]]

MEANT = re.compile(r"[Dd]id you mean `?([^`?]+)`?\?|Nearest: ([^.,]+)")
MISSING = re.compile(r"`([^`]+)` (?:is missing|is expected)")
LEAD = re.compile(r"^[^:\n]*: {2,}(?![ \[])")  # "check a table:  houserule …"
CLOSEST = re.compile(r" {2,}\(.*\)$")  # "hold, throw   (closest)"
NAMES = re.compile(r"[\w.]+(?:, [\w.]+)+")  # any of them may be meant
FORMAT = "houserule fmt FILE"
DELETED = "delete it"


@frozen
class Fix:
    """One suggestion of a message.

    Attributes:
        kind: an `edit` removes the message; a `command` is one of the terminal.
        span: the range that an edit replaces.
        new: the text that an edit writes there.
    """

    kind: Literal["edit", "command", "prose"]
    text: str
    span: Span | None = None
    new: str = ""


def fixes_of(found: Diagnostic, source: Source, recheck: Recheck) -> Iterator[Fix]:
    """Yield the suggestions of a message, edits as such if they work.

    Args:
        recheck: returns the messages about a changed text.
    """
    place = found.span
    here = place is not None and place.file == source.name and place.line > 0
    before = [*recheck(source.text)] if here else []
    said = [label.text for label in found.labels if label.span == place]
    guessed = [
        next(filter(None, each))
        for each in MEANT.findall("\n".join((*said, found.message, *found.details)))
    ]
    missing = MISSING.findall("\n".join(said))
    unneeded = [each for each in said if each == DELETED]
    for text in dict.fromkeys((*guessed, *found.fixes, *missing, *unneeded)):
        tries = _tries(text, source, place) if here and place else ()
        fix = next(_working(text, tries, source.text, before, found, recheck), None)
        if fix is not None:
            yield fix
        elif text in found.fixes:
            is_command = LEAD.sub("", text).startswith(("houserule ", "--"))
            yield Fix("command" if is_command else "prose", text)


def _working(
    text: str,
    tries: Iterable[tuple[Span, str]],
    now: str,
    before: Sequence[Diagnostic],
    found: Diagnostic,
    recheck: Recheck,
) -> Iterator[Fix]:
    """Yield the tries that remove a message and cause no other error."""
    known = {(each.code, each.message) for each in before}
    tried = {now}
    for span, new in tries:
        changed = replaced(now, span, new)
        if changed in tried:
            continue
        tried.add(changed)
        after = [*recheck(changed)]
        longer = len(new) - (span.end_column - span.column)
        places = {  # of errors after the edit, for which there may be another reason
            (at.line, at.column + longer)
            for at in (each.span for each in before)
            if at and at.line == span.line == span.end_line and "\n" not in new
            if at.column >= span.end_column
        }
        more = (
            each
            for each in after
            if has_errors([each])
            and (each.code, each.message) not in known
            and not (each.span and (each.span.line, each.span.column) in places)
        )
        caused = any(
            each.code == found.code or (each.span and each.span.file == span.file)
            for each in more
        )
        if not caused and _weight(found, after) < _weight(found, before):
            yield Fix("edit", text, span, new)


def replaced(text: str, span: Span, new: str) -> str:
    lines = text.split("\n")
    before = [*lines[: span.line - 1], lines[span.line - 1][: span.column - 1]]
    after = [lines[span.end_line - 1][span.end_column - 1 :], *lines[span.end_line :]]
    return "\n".join(before) + new + "\n".join(after)


def _tries(text: str, source: Source, place: Span) -> Iterator[tuple[Span, str]]:
    """Yield the edits that a suggestion may mean, the likeliest first."""
    name, last = source.name, len(source.lines)
    first, end = place.line, min(place.end_line, last)
    if text == FORMAT:
        whole = Span(name, 1, 1, last, len(source.line(last)) + 1)
        yield whole, format_text(source)[0]
        return
    if text == DELETED:
        yield place, ""
        return
    text = CLOSEST.sub("", LEAD.sub("", text))
    if text.startswith("houserule "):
        return
    row = source.line(first)
    lead = row[: _depth(row)]
    many = text.count("\n")

    def rows(top: int, bottom: int) -> tuple[Span, str]:
        depth = _depth(source.line(top))
        lines = indent(dedent(text), source.line(top)[:depth]).strip()
        return Span(name, top, depth + 1, bottom, len(source.line(bottom)) + 1), lines

    word = place if place.end_line == first else rows(first, end)[0]
    inside = not many and _begins(text) != _begins(row)
    if NAMES.fullmatch(text):
        yield from ((word, each) for each in text.split(", "))
    rest = row[word.end_column - 1 :].rstrip()  # a margin may be there already
    here = text.removesuffix(rest).rstrip() if rest else text
    if inside and not _joins(row, word.column, here, word.end_column):
        yield word, here
    begun = row[: word.column - 1].rfind(f"{_begins(text)} ")
    if inside and begun >= 0:  # the statement around the word
        yield Span(name, first, begun + 1, first, word.end_column), text
    # As many lines as the suggestion has, or one less; the lines of the place; these
    # with their block.
    windows = [
        (top, top + size - 1)
        for size in ((many + 1, many) if many else ())
        for top in range(first, first - size, -1)
    ]
    bottom = end
    while bottom < last and _depth(source.line(bottom + 1)) > len(lead):
        bottom += 1
    for top, under in dict.fromkeys((*windows, (first, end), (first, bottom))):
        if source.line(top).strip() and source.line(under).strip():
            yield rows(top, under)
    if not many:
        for line, column in ((end, place.end_column), (end, len(source.line(end)) + 1)):
            if not _joins(source.line(line), column, text, column):
                yield Span.at(name, line, column, 0), text
    if not many and not inside:
        yield word, here
    behind = Span.at(name, end, len(source.line(end)) + 1, 0)
    for deeper in ("", "  ") if inside or many else ():
        yield behind, "\n" + indent(dedent(text), lead + deeper)


def _begins(text: str) -> str:
    return (text.split() or [""])[0].rstrip(":")


def _joins(row: str, start: int, new: str, end: int) -> bool:
    """Return whether a text at some columns would become part of the words there."""
    around = row[: start - 1][-1:] + new[:1], new[-1:] + row[end - 1 :][:1]
    return any(len(each) > 1 and each.isalnum() for each in around)


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip()) if row.strip() else 0


def _weight(found: Diagnostic, every: Iterable[Diagnostic]) -> int:
    """Return the number of places that have a message."""
    same = (found.code, found.message)
    alike = (each for each in every if (each.code, each.message) == same)
    return sum(max(1, len(each.labels)) for each in alike)


# ---- the game of a file


def check_at_once(
    folder: Path, rules: Sequence[Path], path: Path
) -> tuple[list[Diagnostic], LoadedRuleset | None]:
    """Check the files of a game, its usual table, and those of the units of a file.

    This is what an editor can wait for; `check_path` checks everything.
    """
    ruleset, found = load_ruleset(folder, rules_beside(rules))
    if ruleset is None or has_errors(found):
        return found, ruleset
    found += misplaced(ruleset)
    here = path.resolve()
    choices = [TableChoice()]
    for unit in ruleset.units:
        if Path(unit.span.file).resolve() == here and unit.kind != "game":
            is_preset = unit.kind == "preset"
            names = tuple(each.text for each in unit.names)
            choices.append(
                TableChoice(preset=unit.id) if is_preset else TableChoice(with_=names)
            )
    for choice in choices:
        here_found = prepare(ruleset, choice, named=False).diagnostics
        if OF_A_TABLE & {each.code for each in here_found}:
            with suppress(TooManySwitchesError):
                tables = Configurations(features_of(ruleset))
                variants = tables.smallest(On(frozenset(choice.with_)))
                fitting = TableChoice(with_=tuple(sorted(variants or ())))
                here_found = prepare(ruleset, fitting, named=False).diagnostics
        found += (each for each in here_found if each.code not in OF_A_TABLE)
    return found, ruleset


OF_A_TABLE = frozenset({"E301", "E302", "E306"})  # a variant needs or excludes others


def game_fixes(
    found: Diagnostic,
    source: Source,
    path: Path,
    folder: Path | None,
    rules: Sequence[Path] = (),
    check: Recheck | None = None,
) -> list[Fix]:
    """Return the suggestions of a message about a file of a game.

    Args:
        folder: the game's folder, if it is known.
        check: returns the messages about a changed text; by default, at the tables
            of `check_at_once`, or at all tables if the message is not among those.
    """

    def syntax(text: str) -> Sequence[Diagnostic]:
        changed = Source(source.name, text)
        if path.suffix != ".rules":
            return read_document(changed)[1]
        appendix = parts_of(changed)[1]
        below = read_document(appendix)[1] if appendix else ()
        return (*parse_afresh(changed)[1], *below)

    def at_once(text: str) -> Iterable[Diagnostic]:
        with unsaved({path: text}):
            return check_at_once(folder, rules, path)[0] if folder else ()

    def whole(text: str) -> Iterable[Diagnostic]:
        with unsaved({path: text}):
            return check_path(path, rules).diagnostics

    known = syntax(source.text)
    if _weight(found, known):
        return [*fixes_of(found, source, syntax)]
    if check is None:
        check = at_once if _weight(found, at_once(source.text)) else whole

    def recheck(text: str) -> Iterable[Diagnostic]:
        broken = syntax(text)  # most wrong tries end here, which is quick
        return broken if len(broken) > len(known) else check(text)

    return [*fixes_of(found, source, recheck)]
