"""An item while faults are looked for in it: lines are taken out or stood in for.

A line that opens a block is replaced by the shortest right line of its kind, so that
what stands beneath is still read. Any other line goes; if nothing is left in its
block, a filler takes its place.
"""

from __future__ import annotations

from dataclasses import dataclass

from houserule.diagnostics.suggest import nearest
from houserule.source import Source
from houserule.syntax.read.cst import ParseError
from houserule.syntax.read.scan import Line
from houserule.syntax.vocabulary import (
    HOLD_CLAUSES,
    HOLD_STATEMENTS,
    ITEMS,
    STATEMENTS,
)

_STAND_INS = {
    **dict.fromkeys(HOLD_CLAUSES, "effect x"),
    **dict.fromkeys(HOLD_STATEMENTS, "if yes:"),
    "does": "does x:",
    "cost": "does x:",
    "step": "step x:",
    "phase": "phase x",
    "with": "with x:",
    "component": "component X",
    "extend": "component X",
}
_FILLERS = {
    **dict.fromkeys(HOLD_CLAUSES, "does x: end x"),
    **dict.fromkeys(HOLD_STATEMENTS, "end x"),
    "with": "does x: end x",
}


@dataclass(slots=True)
class _Place:
    """One line of the item, with the text that stands in for it, if any."""

    line: Line
    instead: str | None = None
    gone: bool = False


class Draft:
    """The lines of one item, some of them mended."""

    def __init__(self, source: Source, lines: list[Line]) -> None:
        self.first = lines[0].first
        self._source = source
        self._last = lines[-1].last
        self._places = [_Place(line) for line in lines]

    @property
    def empty(self) -> bool:
        """Say whether nothing is left to read."""
        return self._places[0].gone

    def text(self) -> str:
        """Return the text as the grammar shall see it; every line keeps its number."""
        rows = [""] * (self._last - self.first + 1)
        for place in self._places:
            if place.gone:
                continue
            line, lead = place.line, " " * place.line.indent
            top = line.first - self.first
            if place.instead is not None:
                rows[top] = lead + place.instead
                continue
            for number in range(line.first, line.last + 1):
                rows[number - self.first] = self._source.line(number)
            rows[top] = lead + rows[top].lstrip(" \t")
        return "\n".join(rows) + "\n"

    def parent(self, line: Line) -> Line | None:
        """Return the line that this one stands beneath."""
        place = self._parent(self._index(line))
        return None if place is None else self._places[place].line

    def above(self, line: Line) -> Line | None:
        """Return the nearest line above that is still read."""
        index = self._index(line)
        kept = [each.line for each in self._places[:index] if not each.gone]
        return kept[-1] if kept else None

    def mended(self, line: Line) -> bool:
        """Say whether a fault was told for this line before."""
        return self._places[self._index(line)].instead is not None

    def blamed(self, error: ParseError) -> Line:
        """Return the line in which the fault lies."""
        kept = [place.line for place in self._places if not place.gone]
        if error.kind == "deeper":
            later = [line for line in kept if line.first > error.line]
            return later[0] if later else kept[-1]
        found = [line for line in kept if line.first <= error.line] or kept[:1]
        opens = error.kind not in ("end", "back") and _is_first(error, found[-1])
        if opens and "DEEPER" in error.accepts and len(found) > 1:
            return found[-2]
        return found[-1]

    def take_out(self, line: Line) -> None:
        """Mend the place of a line that cannot stand."""
        index = self._index(line)
        place = self._places[index]
        beneath = self._beneath(index)
        word = _kind(line, self._parent(index) is None)
        if beneath and place.instead is None and word in _STAND_INS:
            place.instead = _STAND_INS[word]
            return
        self._drop(index, word)

    def _drop(self, index: int, word: str) -> None:
        line = self._places[index].line
        for each in (index, *self._beneath(index)):
            self._places[each].gone = True
        if word in ("if", "must", "may"):
            self._drop_else(index)
        parent = self._parent(index)
        if parent is None:
            return
        outer = self._places[parent].line
        kind = _kind(outer, self._parent(parent) is None)
        if kind in ("phase", "component"):
            return
        if kind not in _FILLERS:
            self._drop(parent, kind)
        elif not self._beneath(parent):
            self._places[index].gone = False
            self._places[index].instead = _FILLERS[kind]
            self._places[index].line = line

    def _drop_else(self, index: int) -> None:
        level = self._places[index].line.level
        for number in range(index + 1, len(self._places)):
            place = self._places[number]
            if place.gone:
                continue
            if place.line.level != level or place.line.word != "else":
                break
            for each in (number, *self._beneath(number)):
                self._places[each].gone = True

    def _index(self, line: Line) -> int:
        return next(
            index for index, place in enumerate(self._places) if place.line is line
        )

    def _beneath(self, index: int) -> list[int]:
        """Return the places deeper than this one that are still read."""
        level, found = self._places[index].line.level, []
        for number in range(index + 1, len(self._places)):
            if self._places[number].line.level <= level:
                break
            if not self._places[number].gone:
                found.append(number)
        return found

    def _parent(self, index: int) -> int | None:
        level = self._places[index].line.level
        for number in range(index - 1, -1, -1):
            if self._places[number].line.level < level:
                return number
        return None


def _is_first(error: ParseError, line: Line) -> bool:
    first = line.tokens[0]
    return first.line == error.line and error.column <= line.indent + 1


def _kind(line: Line, outermost: bool) -> str:
    """Return the word that opens a line, or the one that was likely meant."""
    known = ITEMS if outermost else (*ITEMS, *STATEMENTS, "else")
    if line.word in known or line.tokens[0].kind != "word":
        return line.word
    return nearest(line.word, known) or line.word
