"""Reading item by item, and on after a fault, so that one run reports several.

The text is cut at its outermost lines; each of them, with what stands deeper beneath
it, is given to the grammar. Where the grammar cannot go on, the fault is reported, the
line is replaced or taken out, and the rest of the item is tried again. Such an item is
no part of the result: it is read on only to find more faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from houserule.diagnostics.diagnostic import Diagnostic, in_reading_order
from houserule.syntax.errors import explain
from houserule.syntax.errors.repair import Repair
from houserule.syntax.read.cst import CstNode, ParseError
from houserule.syntax.read.scan import LogicalLine, Scan
from houserule.syntax.read.units import Header, header, items
from houserule.syntax.tree import Item, Unit
from houserule.syntax.vocabulary import HEADERS, ITEMS

MOST_FAULTS = 20  # in one item


@dataclass(frozen=True, slots=True)
class Chunk:
    """One header or one item, to be read by the grammar.

    Attributes:
        text: its lines, ending with a line break.
        start: what it is.
        file: the name of the text.
        first: the line of the text that it begins with.
        starts: where each word of the whole text begins, as line and column.
        ends: where each of them ends.
    """

    text: str
    start: Literal["header", "item"]
    file: str
    first: int
    starts: Sequence[tuple[int, int]]
    ends: Sequence[tuple[int, int]]


Parse: TypeAlias = Callable[[Chunk], CstNode | ParseError]
Units: TypeAlias = tuple[Unit, ...]


def read_units(found: Scan, parse: Parse) -> tuple[Units, tuple[Diagnostic, ...]]:
    """Return the units of a text and all its faults, in reading order."""
    reader = _UnitReader(found, parse)
    for lines in _outermost(found.lines):
        reader.read(lines)
    reader.close()
    faults = in_reading_order([*found.faults, *reader.faults])
    return tuple(reader.units), tuple(faults)


def _outermost(lines: Iterable[LogicalLine]) -> list[list[LogicalLine]]:
    """Return each outermost line with the lines beneath it."""
    groups: list[list[LogicalLine]] = []
    for line in lines:
        if line.level == 0:
            groups.append([])
        groups[-1].append(line)
    return groups


class _UnitReader:
    """Reads the outermost lines of a text, one after the other."""

    def __init__(self, found: Scan, parse: Parse) -> None:
        self.units: list[Unit] = []
        self.faults: list[Diagnostic] = []
        self._scan = found
        self._parse = parse
        tokens = [token for line in found.lines for token in line.tokens]
        self._starts = [(token.line, token.column) for token in tokens]
        self._ends = [(token.line, token.end) for token in tokens]
        self._header: Header | None = None
        self._items: list[Item] = []
        self._began = False

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
                self._read_item(lines)
        self._began = True

    def _read_item(self, lines: list[LogicalLine]) -> None:
        cst = self._shape(lines, "item")
        if cst is not None and self._header is not None:
            self._items.extend(items(cst))

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
                Unit(
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

    def _shape(
        self, lines: list[LogicalLine], start: Literal["header", "item"]
    ) -> CstNode | None:
        """Return what the grammar finds, or None after telling every fault."""
        repair = Repair(self._scan.source, lines)
        broken = [line for line in lines if line.broken]
        for line in broken:
            repair.take_out(line)
        whole = not broken
        for _ in range(MOST_FAULTS):
            if repair.empty:
                return None
            found = self._parse(self._chunk(repair, start))
            if isinstance(found, CstNode):
                return found if whole else None
            whole = False
            blamed = repair.blamed(found)
            if not repair.replaced(blamed):
                self.faults.append(explain.explain(found, repair, blamed, self._scan))
            if found.kind == "nested":
                return None
            repair.take_out(blamed)
        return None

    def _chunk(self, repair: Repair, start: Literal["header", "item"]) -> Chunk:
        source = self._scan.source
        text, first = repair.text(), repair.first
        return Chunk(text, start, source.name, first, self._starts, self._ends)
