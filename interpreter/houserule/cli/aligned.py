"""Tables of words in aligned columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

GAP = "  "


def aligned(
    rows: Sequence[Sequence[str]], left: Collection[int] = (0,), indent: str = ""
) -> list[str]:
    """Return a line for each row, with its cells in columns.

    Columns whose numbers are `left` begin together, the others end together. A row may
    be shorter than others.
    """
    columns = zip_longest(*rows, fillvalue="")
    widths = [max(map(len, column)) for column in columns]

    def line(row: Sequence[str]) -> str:
        cells = (
            cell.ljust(widths[at]) if at in left else cell.rjust(widths[at])
            for at, cell in enumerate(row)
        )
        return (indent + GAP.join(cells)).rstrip()

    return [line(row) for row in rows]
