"""Text drawings of grids, with seat colours and a legend."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from houserule.language.manifest.ruleset_models import Board, BoardLayer, in_language
from houserule.play.narration.boards.grid import Grid, Piece, under_pieces
from houserule.play.narration.wording import Wording

Paint: TypeAlias = Callable[[str, int], str]  # a text and its seat


def unpainted(text: str, seat: int) -> str:
    """Return the text unchanged: the paint of everything but terminals."""
    return text


def drawn(board: Board, grid: Grid, words: Wording, paint: Paint = unpainted) -> str:
    """Return a board as lines of text: the grid, the pieces beside it, the legend.

    All columns have the width of the widest single piece; columns with fuller cells are
    wider.
    """
    empty = board.empty or ""
    plain = _texts(grid, unpainted)
    painted = plain if paint is unpainted else _texts(grid, paint)
    single = [
        len(text)
        for texts, row in zip(plain, grid.cells, strict=True)
        for text, cell in zip(texts, row, strict=True)
        if len(cell) == 1
    ]
    least = max([len(empty), *map(len, grid.column_heads), *single])
    widths = [max([least, *map(len, column)]) for column in zip(*plain, strict=True)]
    edge = max(map(len, grid.row_heads), default=0)
    lines = []
    if grid.column_heads:
        heads = zip(grid.column_heads, widths, strict=True)
        lines.append(_line(edge, "", (head.center(width) for head, width in heads)))
    for place, row in enumerate(plain):
        # Colours take no width.
        cells = [
            (text or empty).center(width).replace(text, colours, 1)
            for text, colours, width in zip(row, painted[place], widths, strict=True)
        ]
        head = grid.row_heads[place] if grid.row_heads else ""
        lines.append(_line(edge, head, cells))
    if grid.beside:
        things = ", ".join(_painted(each, paint) for each in grid.beside)
        lines.append(words.say("beside", things=things))
    entries = legend(board, grid, words, paint)
    lines += [", ".join(entries)] if entries else []
    return "\n".join(lines)


def _line(edge: int, head: str, cells: Iterable[str]) -> str:
    row = " ".join(cells)
    return (f"{head.rjust(edge)} {row}" if edge else row).rstrip()


def _texts(grid: Grid, paint: Paint) -> list[list[str]]:
    """Return the text of each cell: what lies there, after lines on its ground."""
    return [
        [
            under_pieces(cell, ground)
            + "/".join([_painted(each, paint) for each in cell])
            if cell
            else ""
            for cell, ground in zip(*rows, strict=True)
        ]
        for rows in zip(grid.cells, grid.grounds, strict=True)
    ]


def _painted(piece: Piece, paint: Paint) -> str:
    return piece.text if piece.seat is None else paint(piece.text, piece.seat)


def legend(
    board: Board, grid: Grid, words: Wording, paint: Paint = unpainted
) -> list[str]:
    """Return the legend: the seats of the letters, and the meaning of the marks."""
    return [
        words.say("stands_for", mark=mark, what=means)
        for mark, means, _ in meanings(board, grid, words, paint)
    ]


def meanings(
    board: Board, grid: Grid, words: Wording, paint: Paint = unpainted
) -> list[tuple[str, str, BoardLayer | int]]:
    """Return each sign of a board, its meaning, and its layer, or a letter's seat."""
    grounds = (ground for row in grid.grounds for ground in row if ground is not None)
    drawn = {piece.text for piece in (*grid.pieces(), *grounds)}
    found: list[tuple[str, str, BoardLayer | int]] = [
        (layer.mark, in_language(layer.means, words.language), layer)
        for layer in board.draw
        if layer.mark is not None and layer.means is not None
        if layer.unseen is None or layer.mark in drawn
    ]
    if any(piece.lettered for piece in grid.pieces()):
        found += [
            (paint(words.seat_mark(seat), seat), words.seat(seat), seat)
            for seat in range(words.seats.size)
        ]
    return found
