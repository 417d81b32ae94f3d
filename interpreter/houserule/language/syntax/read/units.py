"""Parse units item by item, with error recovery, so that a run reports several errors.

The text is split at its outermost lines; each of them is parsed with its block. If the
grammar stops, the error is reported, the line is replaced or removed, and the rest of
the item is parsed again. Such an item is not part of the result; it is parsed only to
find more errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias, cast

from houserule.base.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.language.syntax import tree as t
from houserule.language.syntax.errors import explain
from houserule.language.syntax.errors.fixes import Probe
from houserule.language.syntax.errors.repair import Repair
from houserule.language.syntax.errors.search import ParseTable, Stack
from houserule.language.syntax.read.build import members, nodes, word
from houserule.language.syntax.read.cst import CstNode, ParseError
from houserule.language.syntax.read.scan import LogicalLine, Scan, given_up, most_faults
from houserule.language.syntax.vocabulary import HEADERS, ITEMS, NAMING, reserved

# ---- headers


@frozen
class Header:
    """The first line of a unit: `variant x for y "Caption" [citation]`."""

    kind: Literal["game", "variant", "bridge", "preset"]
    names: tuple[t.Word, ...]
    game: t.Word
    caption: t.Text | None
    notes: t.Notes
    span: Span


def header(cst: CstNode) -> Header:
    kind = cast('Literal["game", "variant", "bridge", "preset"]', cst.rule)
    *names, said, margins = cst.parts
    return Header(
        kind,
        tuple(members(*(names[:-1] or names))),
        word(cst.leaves()[-1]),
        next(members(said), None),
        tuple(members(margins)),
        cst.span,
    )


MOST_FAULTS = 20  # per item
MOST_TRIED = 400_000  # letters parsed per text while trying fixes
Start: TypeAlias = Literal["header", "item"]


# ---- a whole text


@frozen
class Chunk:
    """One header or one item for the grammar.

    Attributes:
        text: its lines, ending with a line break.
        file: the name of the text.
        first: its first line in the text.
        starts: the start of each word of the whole text, as line and column.
    """

    text: str
    start: Start
    file: str
    first: int
    starts: Sequence[tuple[int, int]]
    ends: Sequence[tuple[int, int]]


Parse: TypeAlias = Callable[[Chunk], CstNode | ParseError]
Before: TypeAlias = Callable[[Chunk, int], tuple[ParseTable, Stack] | None]
Units: TypeAlias = tuple[t.Unit, ...]


def read_units(
    found: Scan, parse: Parse, before: Before
) -> tuple[Units, tuple[Diagnostic, ...]]:
    """Return the units of a text and all its errors, in reading order.

    Args:
        before: returns the parser's tables, and its stack in front of a line.
    """
    reader = _UnitReader(found, parse, before)
    # Each outermost line with the lines in its block.
    groups: list[list[LogicalLine]] = []
    for line in found.lines:
        if line.level == 0:
            groups.append([])
        groups[-1].append(line)
    for lines in groups:
        if len(reader.faults) >= most_faults():
            place = Span.at(found.source.name, lines[0].first)
            reader.faults.append(given_up(place))
            break
        reader.read(lines)
    reader.close()
    # A reserved word as a name is reported once, at the declaration, not at every use.
    faults = reader.faults
    declared = {
        line.tokens[1].text: line.tokens[1]
        for line in found.lines
        if line.word in NAMING and len(line.tokens) > 1
        if line.tokens[1].text in reserved()
    }
    for line in found.lines if declared and faults else ():
        names = {each.text for each in line.tokens[2:]} & declared.keys()
        rows = range(line.first, line.last + 1)
        here = [each for each in faults if each.span and each.span.line in rows]
        if names and here:
            faults = [each for each in faults if each not in here]
            faults += [explain.keyword_as_name(declared[name], found) for name in names]
    faults = in_reading_order([*found.faults, *faults])
    return tuple(reader.units), tuple(faults)


class _UnitReader:
    """Reads the outermost lines of a text, one after the other."""

    def __init__(self, found: Scan, parse: Parse, before: Before) -> None:
        self.units: list[t.Unit] = []
        self.faults: list[Diagnostic] = []
        self._scan = found
        self._parse = parse
        self._before = before
        tokens = [token for line in found.lines for token in line.tokens]
        self._starts = [(token.line, token.column) for token in tokens]
        self._ends = [(token.line, token.end) for token in tokens]
        self._header: Header | None = None
        self._items: list[t.Item] = []
        self._began = False
        self._letters = MOST_TRIED

    def read(self, lines: list[LogicalLine]) -> None:
        """Read one header or one item."""
        head = lines[0]
        if head.word in HEADERS:
            self._end_unit()
            cst = self._shape(lines, "header")
            self._header = None if cst is None else header(cst)
        else:
            lost = not self._began and not head.broken
            if lost:
                self.faults.append(explain.no_header(head, self._scan))
            if not lost or head.word in ITEMS:
                cst = self._shape(lines, "item")
                if cst is not None and self._header is not None:
                    self._items.extend(nodes(cst))
        self._began = True

    def close(self) -> None:
        """Finish the last unit."""
        self._end_unit()
        if not self._scan.lines:
            self.faults.append(explain.nothing_here(self._scan.source.name))

    def _end_unit(self) -> None:
        head = self._header
        if head is not None:
            last = self._items[-1].span if self._items else head.span
            self.units.append(
                t.Unit(
                    head.kind,
                    head.names,
                    head.game,
                    head.caption,
                    tuple(self._items),
                    head.notes,
                    span=head.span.to(last),
                )
            )
        self._header, self._items = None, []

    def _shape(self, lines: list[LogicalLine], start: Start) -> CstNode | None:
        """Return the result of the grammar, or None after recording its errors."""
        repair = Repair(self._scan.source, lines)
        broken = [line for line in lines if line.broken]
        for line in broken:
            if line not in repair.lines:  # it goes on from a line above
                continue
            self._explain_strays(line, repair, start)
            repair.take_out(line)
        whole = not broken
        for _ in range(MOST_FAULTS):
            if repair.empty:
                return None
            found = self._parse(self._chunk(repair.text(), repair.first, start))
            if isinstance(found, CstNode):
                return found if whole else None
            whole = False
            blamed = repair.blamed(found)
            if not repair.replaced(blamed):
                probes = partial(self._probe, repair, start)
                self.faults.append(
                    explain.explain(found, repair, blamed, self._scan, probes)
                )
            if found.kind == "nested":
                return None
            repair.take_out(blamed)
        return None

    def _explain_strays(self, line: LogicalLine, repair: Repair, start: Start) -> None:
        """Let the errors of a line's unknown characters suggest a fix."""
        lines = range(line.first, line.last + 1)
        faults = self._scan.faults
        here = [each for each in faults if each.span and each.span.line in lines]
        if {each.code for each in here} != {"E004"}:
            return
        error = self._parse(self._chunk(repair.text(), repair.first, start))
        if isinstance(error, ParseError):
            probes = partial(self._probe, repair, start)
            found = explain.stray(error, repair, line, self._scan, probes)
            if found is not None:
                faults[:] = [*(each for each in faults if each not in here), found]

    def _probe(self, repair: Repair, start: Start, top: int, bottom: int) -> Probe:
        """Return a probe that replaces the lines from `top` to `bottom`."""
        rows = repair.text().split("\n")
        before, after = rows[: top - repair.first], rows[bottom - repair.first + 1 :]

        def stops(text: str) -> ParseError | None:
            whole = "\n".join((*before, text, *after))
            if self._letters < len(whole):
                return ParseError("", "back", 1, 1)
            self._letters -= len(whole)
            found = self._parse(self._chunk(whole, repair.first, start))
            if isinstance(found, CstNode):
                return None
            line, last = found.line - top + 1, text.count("\n") + 1
            behind = line > last and found.kind not in ("end", "back", "deeper")
            if behind and "DEEPER" not in found.accepts:
                return None
            return replace(found, line=line)

        chunk = self._chunk(repair.text(), repair.first, start)
        return Probe(stops, partial(self._before, chunk, top))

    def _chunk(self, text: str, first: int, start: Start) -> Chunk:
        name = self._scan.source.name
        return Chunk(text, start, name, first, self._starts, self._ends)
