"""Error recovery: remove or replace lines of an item, to parse it again.

A line that opens a block is replaced by the shortest valid line of its kind, so that
its contents are still parsed. Any other line is removed; if its block is then empty, a
filler replaces it.
"""

from __future__ import annotations

from houserule.base.diagnostics.wording import nearest
from houserule.base.frozen import slotted
from houserule.base.source import Source
from houserule.language.syntax.read.cst import ParseError
from houserule.language.syntax.read.scan import LogicalLine
from houserule.language.syntax.vocabulary import (
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


@slotted
class _Entry:
    """One line of the item, with its replacement, if any."""

    line: LogicalLine
    instead: str | None = None
    gone: bool = False


class Repair:
    """The lines of one item, some of them removed or replaced."""

    def __init__(self, source: Source, lines: list[LogicalLine]) -> None:
        self.first = lines[0].first
        self._source = source
        self._last = lines[-1].last
        self._entries = [_Entry(line) for line in lines]

    @property
    def empty(self) -> bool:
        """Return whether no lines are left."""
        return self._entries[0].gone

    def text(self) -> str:
        """Return the text for the grammar; every line keeps its number."""
        rows = [""] * (self._last - self.first + 1)
        for entry in self._entries:
            if entry.gone:
                continue
            line, lead = entry.line, " " * entry.line.indent
            top = line.first - self.first
            if entry.instead is not None:
                rows[top] = lead + entry.instead
                continue
            for number in range(line.first, line.last + 1):
                rows[number - self.first] = self._source.line(number)
            rows[top] = lead + rows[top].lstrip(" \t")
        return "\n".join(rows) + "\n"

    @property
    def lines(self) -> list[LogicalLine]:
        """The lines that are still parsed as written."""
        return [
            each.line for each in self._entries if not each.gone and not each.instead
        ]

    def parent(self, line: LogicalLine) -> LogicalLine | None:
        """Return the line whose block contains this one."""
        number = self._parent(self._index(line))
        return None if number is None else self._entries[number].line

    def above(self, line: LogicalLine) -> LogicalLine | None:
        """Return the nearest line above that is still parsed."""
        index = self._index(line)
        kept = [each.line for each in self._entries[:index] if not each.gone]
        return kept[-1] if kept else None

    def replaced(self, line: LogicalLine) -> bool:
        """Return whether this line was replaced: its error is already reported."""
        return self._entries[self._index(line)].instead is not None

    def blamed(self, error: ParseError) -> LogicalLine:
        kept = [entry.line for entry in self._entries if not entry.gone]
        # The grammar finds deeper lines at the preceding line break: the next line is
        # wrong.
        if error.kind == "deeper":
            later = [line for line in kept if line.first > error.line]
            return later[0] if later else kept[-1]
        found = [line for line in kept if line.first <= error.line] or kept[:1]
        # If the line above lacks its block, the grammar stops at the first word of this
        # line: then the error is in the line above.
        line = found[-1]
        is_first = line.tokens[0].line == error.line and error.column <= line.indent + 1
        opens = error.kind not in ("end", "back") and is_first
        if opens and "DEEPER" in error.accepts and len(found) > 1:
            return found[-2]
        return found[-1]

    def take_out(self, line: LogicalLine) -> None:
        """Replace a wrong line if it opens a block, else remove it."""
        index = self._index(line)
        entry = self._entries[index]
        beneath = self._beneath(index)
        word = _kind(line, self._parent(index) is None)
        if beneath and entry.instead is None and word in _STAND_INS:
            entry.instead = _STAND_INS[word]
            return
        self._drop(index, word)

    def _drop(self, index: int, word: str) -> None:
        line = self._entries[index].line
        for each in (index, *self._beneath(index)):
            self._entries[each].gone = True
        if word in ("if", "must", "may"):
            level = self._entries[index].line.level
            for number in range(index + 1, len(self._entries)):
                entry = self._entries[number]
                if entry.gone:
                    continue
                if entry.line.level != level or entry.line.word != "else":
                    break
                for each in (number, *self._beneath(number)):
                    self._entries[each].gone = True
        parent = self._parent(index)
        if parent is None:
            return
        outer = self._entries[parent].line
        kind = _kind(outer, self._parent(parent) is None)
        if kind in ("phase", "component"):  # these may be empty
            return
        if kind not in _FILLERS:  # no valid line can be alone in it
            self._drop(parent, kind)
        elif not self._beneath(parent):
            self._entries[index].gone = False
            self._entries[index].instead = _FILLERS[kind]
            self._entries[index].line = line

    def _index(self, line: LogicalLine) -> int:
        return next(
            index for index, entry in enumerate(self._entries) if entry.line is line
        )

    def _beneath(self, index: int) -> list[int]:
        """Return the entries deeper than this one that are still parsed."""
        level, found = self._entries[index].line.level, []
        for number in range(index + 1, len(self._entries)):
            if self._entries[number].line.level <= level:
                break
            if not self._entries[number].gone:
                found.append(number)
        return found

    def _parent(self, index: int) -> int | None:
        level = self._entries[index].line.level
        for number in range(index - 1, -1, -1):
            if self._entries[number].line.level < level:
                return number
        return None


def _kind(line: LogicalLine, outermost: bool) -> str:
    """Return the word that begins a line, or the likely intended one."""
    known = ITEMS if outermost else (*ITEMS, *STATEMENTS, "else")
    if line.word in known or line.tokens[0].kind != "word":
        return line.word
    return nearest(line.word, known) or line.word
