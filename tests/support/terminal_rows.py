"""Rows of the terminal, measured and without styles."""

from __future__ import annotations

from rich.segment import Segment

from houserule.ui.terminal.look import Line


def width_of(line: Line) -> int:
    """Return the width of a row in columns; wide characters take two."""
    return Segment.get_line_length(line)


def plain_text(rows: list[Line]) -> str:
    """Return rows as text without styles."""
    return "\n".join("".join(each.text for each in line).rstrip() for line in rows)
