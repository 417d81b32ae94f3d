"""Areas as plain sentences, for line mode: nothing is drawn, all can be read aloud."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import assert_never

from houserule.resources import Phrases
from houserule.seat.model import (
    Chart,
    Phrase,
    SeenArea,
    SeenBoard,
    SeenFact,
    SeenFacts,
    SeenPiece,
    SeenPieces,
)


class Spoken:
    """Says what stands in areas.

    Args:
        words: the general words, in the language of who listens.
        names: what each seat is called, where a sign alone would stand on a screen.
    """

    def __init__(self, words: Phrases, names: dict[int, str]) -> None:
        self._words, self._names = words, names

    def area(self, area: SeenArea) -> Iterator[str]:
        """Yield the lines of an area."""
        match area:
            case Chart():
                yield f"{area.title}:"
                for row in area.rows:
                    cells = zip(area.columns, row.cells, strict=True)
                    said = [
                        f"{column} {self._phrase(cell)}".strip()
                        for column, cell in cells
                        if cell.text
                    ]
                    yield f"{row.head.text}: {', '.join(said) or '-'}."
            case SeenBoard():
                yield from self._board(area)
            case SeenPieces():
                yield self._pieces(area)
            case SeenFacts():
                facts = ", ".join(map(self._fact, area.facts))
                yield f"{area.title}: {facts}."
            case _:
                assert_never(area)

    def _board(self, board: SeenBoard) -> Iterator[str]:
        yield f"{board.title}:"
        columns = board.column_heads or [""] * len(
            board.cells[0] if board.cells else ()
        )
        over = [
            f"{columns[nth] or nth + 1}: {self._phrase(each)}"
            for nth, each in enumerate(board.over)
            if each.text
        ]
        if over:
            yield f"{board.over_title}: {', '.join(over)}."
        for at, row in enumerate(board.cells):
            head = board.row_heads[at] if board.row_heads else str(at + 1)
            said = [
                f"{columns[nth] or nth + 1}: {' '.join(map(self._phrase, cell))}"
                for nth, cell in enumerate(row)
                if cell
            ]
            if said:
                yield f"{self._words.say('row', row=head)}: {', '.join(said)}."
        if board.beside:
            yield ", ".join(map(self._phrase, board.beside)) + "."
        if board.legend:
            yield ", ".join(board.legend) + "."

    def _pieces(self, area: SeenPieces) -> str:
        if not area.pieces:
            count = str(area.count) if area.count else self._words.say("empty")
            return f"{area.title}: {count}."
        shown = [
            self._several(piece, len(list(same)), area.seat)
            for piece, same in groupby(area.pieces)
        ]
        rest = area.count - len(area.pieces)
        if rest > 0:
            shown.append(self._words.say("more_pieces", count=rest))
        return f"{area.title} ({area.count}): {'; '.join(shown)}."

    def _several(self, piece: SeenPiece, count: int, owner: int | None) -> str:
        name = piece.name if count == 1 else f"{count} {piece.name}"
        if piece.face is not None:
            name += f": {piece.face}"
        whose = self._names.get(piece.seat, "") if piece.seat is not None else ""
        if piece.seat != owner and whose not in name:
            name += f", {whose}"
        if piece.facts:
            name += f" ({', '.join(map(self._fact, piece.facts))})"
        return name

    def _fact(self, fact: SeenFact) -> str:
        behind = ":" if fact.name.isdecimal() else ""
        return f"{fact.name}{behind} {self._phrase(fact.value)}"

    def _phrase(self, phrase: Phrase) -> str:
        name = self._names.get(phrase.seat, "") if phrase.seat is not None else ""
        if not name or name in phrase.text:
            return phrase.text
        return f"{phrase.text} ({name})" if phrase.text else name
