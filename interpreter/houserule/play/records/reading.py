"""Reading a record: its entries, the choices that stood, and their lines.

An incomplete last line, as from a program that was killed, is dropped; all other damage
is E080.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from pathlib import Path

from pydantic import ValidationError

from houserule.base.diagnostics.characters import misleading
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    MessageCode,
    fault,
    too_large,
)
from houserule.base.files import read_source
from houserule.base.frozen import frozen, slotted
from houserule.base.limits import limit
from houserule.base.source import Source, Span
from houserule.compiler.rules import ChosenTable
from houserule.language.manifest.yaml.validate import wanted
from houserule.play.records.lines import (
    ActedFor,
    Head,
    LaterLine,
    OwnRules,
    RecordEnd,
    RulesChanged,
    SatDown,
    Taken,
    UndoAnswered,
    Undone,
    read_later,
)

OWN_RULES = "name the ruleset it was made with:  --game FOLDER"


@frozen
class NumberedLine:
    """A line after the head, with its number in the file."""

    line: int
    part: LaterLine


W080 = MessageCode("W080", "truncated record")
"""The last line of a record is incomplete. It is ignored.

**Why.** A program writes a decision before it shows the result. If it is ended while it
writes, for example by a power cut, a part of a line remains. No one ever saw anything
of that decision, so nothing is lost.

**For example**

```text
{"n": 20, "seat": "p2", "at": "tu
```

**Fix.** None is needed. If you continue the game, the incomplete line is removed and
the decision is made again.
"""


@frozen
class ParsedRecord:
    """A parsed record.

    Attributes:
        entries: everything under the current rules, in order, including undone choices
            and their undo lines. From earlier rules, it has only choices that stood
            when they changed, and lines about people.
        stood: the choices that stood, each with its line.
        end: the end of the game; None if it was not finished.
        rules: the fingerprint of the rules at the end of the record.
        own: the sources of these rules, if they are in the record.
        torn: the number of an incomplete last line, which is dropped; 0 if none.
    """

    source: Source
    head: Head
    entries: tuple[NumberedLine, ...]
    stood: tuple[NumberedLine, ...]
    end: RecordEnd | None
    rules: str
    own: OwnRules | None
    torn: int = 0

    @property
    def taken(self) -> tuple[Taken, ...]:
        """The choices that stood."""
        parts = (entry.part for entry in self.stood)
        return tuple(part for part in parts if isinstance(part, Taken))

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines except an incomplete one."""
        whole = self.source.lines[: self.torn - 1 if self.torn else None]
        return whole if whole[-1] else whole[:-1]

    @property
    def smooth(self) -> ParsedRecord:
        """The same game without its undone choices."""
        return replace(
            self, entries=tuple(without_taken_back(self.entries, self.stood))
        )

    def until(self, count: int) -> ParsedRecord:
        """Return the record of the first `count` choices that stood."""
        stood = self.stood[:count]
        return replace(self, entries=stood, stood=stood, end=None)

    @property
    def table(self) -> ChosenTable:
        table = self.head.table
        return ChosenTable(
            self.head.game,
            table.players,
            frozenset(table.variants),
            dict(table.options),  # type: ignore[arg-type]  # plain values
        )

    @property
    def note(self) -> Diagnostic | None:
        """The warning about an incomplete last line: W080."""
        if not self.torn:
            return None
        text = self.source.line(self.torn)
        return fault(
            W080,
            "The last line was cut short, so it is skipped.",
            Span.at(self.source.name, self.torn, 1, max(1, len(text))),
        )


def without_taken_back(
    entries: Iterable[NumberedLine], stood: Iterable[NumberedLine]
) -> Iterator[NumberedLine]:
    """Yield the lines with choices that stood, and those about people."""
    lines = {entry.line for entry in stood}
    for entry in entries:
        if entry.line in lines or isinstance(entry.part, ActedFor | SatDown):
            yield entry


def record_text(path: Path) -> Source:
    """Return the text of a record file; errors as for `read_source`."""
    return read_source(path, ceiling="record_bytes")


E080 = MessageCode("E080", "invalid record")
"""A file is not a record, or a line of it is damaged, or has a key twice.

**Why.** A record is text: a header, one line for each choice, and a last line for the
result. Each line has a fixed form.

**For example**

```text
{"n": 1, "seat": "p1"}      # and what was done?
```

**Fix.** Get the file from its source again. Do not edit records by hand.
"""


def read_record(source: Source) -> tuple[ParsedRecord | None, list[Diagnostic]]:
    """Read the text of a record; an invalid line is E080.

    Too many lines are E050.
    """
    *lines, last = source.lines
    if last:
        lines.append(last)
    if len(lines) > limit("record"):
        message = f"This record has {len(lines):,} lines."
        span = Span.at(source.name, limit("record") + 1)
        return None, [too_large("record", message, span)]
    torn = 0
    read: list[tuple[int, Head | LaterLine]] = []
    for number, line in enumerate(lines, 1):
        try:
            if number == 1:
                read.append((number, Head.model_validate_json(line)))
            else:
                read.append((number, read_later(line)))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            cut_short = first["type"] == "json_invalid"
            if last and number == len(lines) > 1 and cut_short:
                torn = number
                break
            if cut_short:
                said = "This line is not JSON, so it is not a line of a record."
                odd = next(misleading(source, range(number, number + 1)), None)
                found = _wrong(source, number, said)
                return None, [
                    found if odd is None else replace(found, labels=odd.labels)
                ]
            where = ".".join(str(step) for step in first["loc"])
            match first["type"]:
                case "missing":
                    reason = f"`{where}` is missing"
                case "extra_forbidden":
                    reason = f"there is no `{where}` in one"
                case "value_error":
                    reason = f"`{where}`: {wanted(first)}"
                case _:
                    subject = f"`{where}`" if where else "it"
                    reason = f"{subject} must be {wanted(first)}"
            message = f"This line is not a line of a record: {reason}."
            return None, [_wrong(source, number, message)]
        if twice := _twice(line):
            message = f"`{twice}` occurs twice in one object of this line."
            return None, [_wrong(source, number, message)]
    if not read:
        return None, [fault(E080, "The file is empty.", Span.at(source.name))]
    head = read[0][1]
    assert isinstance(head, Head), "the first line was read as one"
    stood = _Standing(head.rules, head.own)
    for number, part in read[1:]:
        assert not isinstance(part, Head), "only the first line is read as one"
        wrong = stood.add(NumberedLine(number, part))
        if wrong:
            return None, [_wrong(source, number, wrong)]
    return replace(stood.record(source, head), torn=torn), []


def _twice(text: str) -> str:
    """Return a key that one object of a line has twice, or ''.

    JSON readers differ in which of the values they take.
    """
    found: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        counted = Counter(key for key, _ in pairs)
        found.extend(key for key, times in counted.items() if times > 1)

    json.loads(text, object_pairs_hook=note, parse_int=str)
    return found[0] if found else ""


@slotted
class _Standing:
    """Follows the lines of a record, and which choices stand."""

    rules: str
    own: OwnRules | None
    entries: list[NumberedLine] = field(default_factory=list)
    standing: list[NumberedLine] = field(default_factory=list)
    end: RecordEnd | None = None

    def add(self, entry: NumberedLine) -> str:
        """Add a line; return its error, or ''."""
        part = entry.part
        match part:
            case Taken():
                if self.end is not None:
                    return "The game is over before this line."
                self.standing.append(entry)
            case Undone(undo=number):
                if number >= len(self.standing):
                    return f"The game has only {len(self.standing)} choices here."
                self.end = None
                del self.standing[number:]
            case RulesChanged(stand=number):
                if number > len(self.standing):
                    return f"The game has only {len(self.standing)} choices here."
                self.end = self.end if number == len(self.standing) else None
                del self.standing[number:]
                self.rules, self.own = part.rules, part.own
                self.entries = list(without_taken_back(self.entries, self.standing))
            case RecordEnd():
                if self.end is not None:
                    return "The game is over before this line."
                self.end = part
            case ActedFor() | SatDown() | UndoAnswered():
                if self.end is not None:
                    return "The game is over before this line."
        self.entries.append(entry)
        return ""

    def record(self, source: Source, head: Head) -> ParsedRecord:
        return ParsedRecord(
            source,
            head,
            tuple(self.entries),
            tuple(self.standing),
            self.end,
            self.rules,
            self.own,
        )


def _wrong(source: Source, number: int, message: str) -> Diagnostic:
    length = max(1, min(len(source.line(number)), 60))
    return fault(E080, message, Span.at(source.name, number, 1, length))


def place_in_head(source: Source, key: str) -> Span:
    """Return the position of a key in the first line, or its beginning."""
    word = f'"{key}":'
    at = source.line(1).rfind(word)  # after a name with the same text
    return Span.at(source.name, 1, max(at, 0) + 1, len(word) - 1)
