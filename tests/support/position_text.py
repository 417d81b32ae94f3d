"""A position as plain text, for tests that people read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from houserule.seat.model import (
    Chart,
    Phrase,
    SeenArea,
    SeenBoard,
    SeenFact,
    SeenFacts,
    SeenPiece,
    SeenPieces,
    SeenPosition,
)


def as_text(position: SeenPosition) -> str:
    """Return every area with its title and key; what is new bears a star."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(position))


def _lines(position: SeenPosition) -> Iterator[str]:
    yield ", ".join(each.name for each in position.seats)
    for area in position.areas:
        yield f"{area.title} [{area.key}]"
        yield from (f"  {line}" for line in _area(area))


def _area(area: SeenArea) -> Iterator[str]:
    match area:
        case Chart(columns=columns, rows=rows):
            cells = [(_said(row.head), *map(_said, row.cells)) for row in rows]
            yield from _aligned([("", *columns), *cells])
        case SeenPieces(pieces=pieces, count=count, pile=pile):
            yield f"{'pile of ' if pile else ''}{count}"
            yield from map(_piece, pieces)
        case SeenBoard():
            yield from _board(area)
        case SeenFacts(facts=facts):
            yield from map(_fact, facts)
        case _:
            assert_never(area)


def _board(board: SeenBoard) -> Iterator[str]:
    heads = board.row_heads or ("",) * len(board.cells)
    rows = [
        (head, *("/".join(map(_said, cell)) or board.empty for cell in row))
        for head, row in zip(heads, board.cells, strict=True)
    ]
    above = [("", *board.column_heads)] if board.column_heads else []
    yield from _aligned([*above, *rows])
    yield from (f"beside: {_said(each)}" for each in board.beside)
    yield from board.legend


def _aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  ".join(cell.ljust(width) for cell, width in cells)


def _piece(piece: SeenPiece) -> str:
    face = "" if piece.face is None else f" [{piece.face}]"
    hidden = " (hidden)" if piece.hidden else ""
    facts = "; ".join(map(_fact, piece.facts))
    star = "*" if piece.new else ""
    return f"{piece.name}{star}{face}{hidden}" + (f" – {facts}" if facts else "")


def _fact(fact: SeenFact) -> str:
    return f"{fact.name}: {_said(fact.value)}"


def _said(phrase: Phrase) -> str:
    return f"{phrase.text}*" if phrase.new else phrase.text
