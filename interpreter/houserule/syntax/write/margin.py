"""Where a margin stands: at a fixed column beside its line, if there is room."""

from __future__ import annotations

import re

COLUMN = 79  # where margins begin
EDGE = 132  # how far a margin at that column may reach
WIDTH = 124  # how far any other may reach
INDENT = 2  # spaces for each level


def beside(code: str, notes: str) -> list[str]:
    """Return a line with its margin.

    The margin begins at its column if code and margin leave room for that, else two
    spaces behind the code, else it stands on a line of its own.
    """
    if not notes:
        return [code]
    if len(code) + 2 < COLUMN and COLUMN - 1 + len(notes) <= EDGE:
        return [f"{code:<{COLUMN - 1}}{notes}"]
    if len(code) + 2 + len(notes) <= WIDTH:
        return [f"{code}  {notes}"]
    return [code, *below(code, notes)]


def below(code: str, notes: str) -> list[str]:
    """Return a margin on lines of its own, beneath this line, as far right as it can.

    One that is wider than the page is broken between its notes.
    """
    least = len(code) - len(code.lstrip(" ")) + INDENT
    rows = [""]
    for piece in _PIECE.findall(notes):
        if rows[-1] and least + len(rows[-1]) + len(piece.rstrip()) > WIDTH:
            rows.append(" ")
        rows[-1] += piece
    rows = [row.rstrip() for row in rows]
    column = max(least, min(COLUMN - 1, WIDTH - max(map(len, rows))))
    return [" " * column + row for row in rows]


# A note with the comma or bracket behind it; commas in quotation marks do not count.
_PIECE = re.compile(r'(?:"[^"]*"|[^",\]])+[],]* *')
