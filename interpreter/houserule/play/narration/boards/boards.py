"""The boards of a game: when to draw them, and whether they have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from houserule.engine.reference.choices import Event
from houserule.engine.reference.play.game import ReferenceGame
from houserule.language.manifest.ruleset_models import Board, in_language
from houserule.play.narration.boards.drawing import Paint, drawn, unpainted
from houserule.play.narration.boards.grid import FixedLayers, grid_of
from houserule.play.narration.outline import EndedParts, Outline
from houserule.play.narration.visibility import ViewerVisibility
from houserule.play.narration.wording import Wording


class Boards:
    """The boards of one game, drawn at the moments given in their manifest.

    By default, a board is drawn after each round and at the end. A board that looks the
    same as last time is not drawn again.
    """

    def __init__(
        self, boards: Sequence[Board], words: Wording, paint: Paint = unpainted
    ) -> None:
        self._boards, self._words, self._paint = tuple(boards), words, paint
        outline = Outline(words.program)
        self._moments = [
            EndedParts(outline, frozenset(board.after) or outline.rounds())
            for board in self._boards
        ]
        self._last: dict[int, str] = {}
        self._fixed: dict[int, FixedLayers] = {}

    def fork(self) -> Boards:
        """Return a copy that has drawn the same boards."""
        twin = copy(self)
        twin._moments = [each.fork() for each in self._moments]
        twin._last = self._last.copy()
        return twin

    def call(self, words: Wording) -> None:
        """Use new player names from here on."""
        self._words = words
        self._fixed = {}

    def due(self, event: Event) -> list[int]:
        """Return the numbers of the boards that are due at an event.

        Draw them from the state before the event.
        """
        return [
            number
            for number, board in enumerate(self._boards)
            if self._moments[number].over(event)
            or (event.kind == "end" and not board.after)
        ]

    def drawn(
        self,
        numbers: Sequence[int],
        game: ReferenceGame,
        knowledge: ViewerVisibility | None = None,
    ) -> Iterator[str]:
        """Yield the lines of the boards that have changed since they were last drawn.

        With a viewer's `knowledge`, they show only what the viewer may know.
        """
        news = []
        for number in numbers:
            board = self._boards[number]
            fixed = self._fixed.setdefault(number, {})
            grid = grid_of(board, game, self._words, knowledge, fixed)
            text = drawn(board, grid, self._words, self._paint)
            if text != self._last.get(number):
                self._last[number] = text
                news.append(number)
        for number in news:
            yield ""
            yield in_language(self._boards[number].title, self._words.language)
            yield from self._last[number].split("\n")
        if news:
            yield ""
