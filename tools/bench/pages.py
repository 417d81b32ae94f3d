"""Tables as text and as Markdown, and their place on a page."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

Cells = Sequence[str]


def aligned(head: Cells, rows: Sequence[Cells]) -> str:
    """Return a table for a terminal: the first column aligned left, others right."""
    lines = [head, *rows]
    widths = [max(len(line[n]) for line in lines) for n in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if n else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def markdown(head: Cells, rows: Sequence[Cells]) -> str:
    """Return a table for a page."""
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rows))


def rewrite(page: Path, tool: str, text: str) -> None:
    """Replace the text between a tool's markers on a page.

    Raises:
        ValueError: the page has no such markers.
    """
    begin = f"<!-- written by tools/bench/{tool}.py: begin -->\n"
    end = f"<!-- written by tools/bench/{tool}.py: end -->\n"
    before, found, rest = page.read_text(encoding="utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{page.name} has no place for what {tool}.py writes")
    page.write_text(f"{before}{begin}{text}\n{end}{after}", encoding="utf-8")


def tell(
    tool: str, head: Cells, rows: Sequence[Cells], found: object, chosen: Namespace
) -> None:
    """Print a table or JSON, and write the table to the page if one is named.

    `chosen` are the arguments of the command: `write`, a page or None, and `json`.
    """
    if chosen.write:
        rewrite(chosen.write, tool, markdown(head, rows))
    print(json.dumps(found, indent=1) if chosen.json else aligned(head, rows))
