"""The file of a running game: every event is stored before it is shown.

It is a file on disk (`Appender`), or any other store of lines, such as a database.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from houserule.engine.reference.choices import Choice
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.records.records import Recorder


class LineKeeper(Protocol):
    """Stores the lines of one record; no one else writes them meanwhile."""

    @property
    def path(self) -> Path | None:
        """The file of the lines, if there is one."""

    def append(self, line: str) -> None:
        """Store a line, or several at once, and return when they are safe.

        Raises:
            OSError: they cannot be stored; nothing has changed.
        """

    def close(self) -> None:
        """Release the record for other programs."""

    def discard(self) -> None:
        """Close a record that was just created, and delete it."""


class GameFile:
    """The record of one game, in memory and in a keeper, if there is one.

    If a line cannot be written (`OSError`), it is in neither.
    """

    def __init__(self, recorder: Recorder, keeper: LineKeeper | None) -> None:
        self._recorder, self._keeper = recorder, keeper
        self._gathering = False

    @property
    def path(self) -> Path | None:
        return self._keeper.path if self._keeper else None

    @property
    def text(self) -> str:
        """The record so far."""
        return self._recorder.text

    def close(self) -> None:
        """Release the file for other programs."""
        if self._keeper is not None:
            self._keeper.close()

    @contextmanager
    def written(self, first: int | None = None) -> Iterator[Recorder]:
        """Write all lines that are recorded in the block, in one go."""
        recorder = self._recorder
        start = len(recorder.lines) if first is None else first
        stand = recorder.choices
        try:
            yield recorder
            lines = recorder.lines[start:]
            if self._keeper is not None and lines and not self._gathering:
                self._keeper.append("\n".join(lines))
        except BaseException:
            del recorder.lines[start:]
            recorder.choices = stand
            raise

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Write all lines of a block at its end, in one go, even if the block fails.

        If they cannot be written (`OSError`), none of them is stored.
        """
        start, stand = len(self._recorder.lines), self._recorder.choices
        self._gathering = True
        try:
            yield
        finally:
            self._gathering = False
            try:
                with self.written(first=start):
                    pass
            except BaseException:
                self._recorder.choices = stand
                raise

    def begin(self) -> None:
        """Write the first line; if that fails, there is no file."""
        try:
            with self.written(first=0):
                pass
        except BaseException:
            if self._keeper is not None:
                self._keeper.discard()
            raise

    def note(self, decision: Decision, choice: Choice, game: ReferenceGame) -> None:
        """Write a choice that was made, and the end if it was the last."""
        with self.written() as recorder:
            recorder.note(decision, choice, game)
            if game.outcome is not None:
                recorder.finish(game)

    def end(self, game: ReferenceGame, *, known: bool) -> None:
        """Write the end of a finished game, if it is not `known`."""
        if game.outcome is None or known:
            return
        with self.written() as recorder:
            recorder.finish(game)
