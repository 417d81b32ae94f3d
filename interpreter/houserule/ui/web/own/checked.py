"""Check of an uploaded text in a separate process, with its findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from houserule.base.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.base.diagnostics.render import RulesetError
from houserule.base.diagnostics.report import report
from houserule.base.executors import HAS_THREADS
from houserule.base.files import UnreadableError, source_of, write_whole
from houserule.base.frozen import frozen
from houserule.base.isolation import isolated
from houserule.base.limits import limit
from houserule.base.resources import known_rulesets
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.manifest.folder import RulesFile
from houserule.language.manifest.load import open_ruleset
from houserule.ui.web.own.rules_store import LARGEST

YOURS = "yours.rules"  # the name of the text in messages
LIMITS = {"memory": 500_000_000, "seconds": 20}  # unless configured lower
AROUND = 2  # lines shown above and below an error


@frozen
class MarkedLine:
    """A line of a text: its number, and its parts, with errors marked."""

    number: int
    parts: tuple[tuple[str, bool], ...]


@frozen
class FaultPlace:
    """The location of an error.

    Attributes:
        file: '' for the uploaded text.
        line, column: the beginning, counted from 1.
        lines: the line with its context; empty for other files.
    """

    file: str
    line: int
    column: int
    note: str
    lines: tuple[MarkedLine, ...]


@frozen
class TextFault:
    """An error in a text, its location, and suggestions."""

    code: str
    says: str
    places: tuple[FaultPlace, ...]
    details: tuple[str, ...]
    ways_out: tuple[str, ...]


@frozen
class CheckedText:
    """The findings of a check.

    Attributes:
        ended: why the check did not finish: `memory`, `time`, `killed`, or ''.
    """

    sound: bool
    faults: tuple[TextFault, ...] = ()
    ended: str = ""


class NoTextError(ValueError):
    """The upload cannot be stored: `large`, `empty` or `no text`."""


def text_in(content: bytes) -> str:
    """Return the text of an upload with normal line ends.

    Raises:
        NoTextError: it is not a text, or too large.
    """
    if len(content) > LARGEST:
        raise NoTextError("large")
    try:
        text = source_of(content, YOURS).text
    except UnreadableError:
        raise NoTextError("no text") from None
    if "\0" in text:
        raise NoTextError("no text")
    if not text.strip():
        raise NoTextError("empty")
    return text


def checked(game: str, text: str, others: Mapping[str, str]) -> CheckedText:
    """Check a text beside a game and other texts.

    Args:
        others: the other texts by the names of their files.

    Raises:
        OSError: no process can be started.
    """
    files = {**others, YOURS: text}
    if not HAS_THREADS:
        return _checked_here(game, files)
    rules = (word for name in files for word in ("--rules", name))
    limits = {name: min(most, limit(name)) for name, most in LIMITS.items()}
    done = isolated("check", game, *rules, "--json", files=files, limits=limits)
    if done.ended != "finished":
        return CheckedText(sound=False, ended=done.ended)
    found: Any = (done.result or {}).get("diagnostics", ())
    return CheckedText(sound=done.status == 0, faults=_faults(found, text))


def _checked_here(game: str, files: Mapping[str, str]) -> CheckedText:
    """Check the table with the texts in a page, which has no processes.

    The worker of the page is ended if that takes too long.
    """
    with TemporaryDirectory() as place:
        beside = []
        for name, text in files.items():
            write_whole(Path(place, name), text)
            beside.append(RulesFile(Path(place, name), name, called=name))
        try:
            ruleset = open_ruleset(known_rulesets()[game], beside)
        except RulesetError as error:
            diagnostics: Iterable[Diagnostic] = error.diagnostics
        else:
            units = ruleset.units_of("variant")
            names = tuple(unit.id for unit in units if unit.span.file in files)
            diagnostics = prepare(ruleset, TableChoice(with_=names)).diagnostics
    found = [report(each).model_dump() for each in in_reading_order(diagnostics)]
    faults = _faults(found, files[YOURS])
    return CheckedText(sound=not faults, faults=faults)


def _faults(found: Any, text: str) -> tuple[TextFault, ...]:  # noqa: ANN401  # JSON
    lines = text.removesuffix("\n").split("\n")
    return tuple(
        TextFault(
            code=each["code"],
            says=each["message"],
            places=tuple(
                FaultPlace(
                    file="" if here else place["file"].rpartition("/")[2],
                    line=place["line"],
                    column=place["column"],
                    note=place["text"] or place["lead"],
                    lines=tuple(_marked(place, lines)) if here else (),
                )
                for place in each["places"]
                for here in [place["file"] == YOURS]
            ),
            details=tuple(each["details"]),
            ways_out=tuple(each["fixes"]),
        )
        for each in found
        if each["severity"] == "error"
    )


def _marked(place: Mapping[str, Any], lines: list[str]) -> Iterator[MarkedLine]:
    """Yield the lines around an error, with its words marked."""
    first, last = place["line"], max(place["line"], place["end_line"])
    for number in range(max(1, first - AROUND), min(len(lines), last + AROUND) + 1):
        line = lines[number - 1]
        start = place["column"] - 1 if number == first else 0
        end = place["end_column"] - 1 if number == last else len(line)
        if not first <= number <= last:
            start = end = 0
        elif not line[start:end]:  # no word here: mark the next or last one
            start = min(start, max(0, len(line) - 1))
            end = start + 1
        parts = (line[:start], False), (line[start:end], True), (line[end:], False)
        yield MarkedLine(number, tuple(each for each in parts if each[0]))
