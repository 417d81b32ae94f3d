"""The file of a game under way: what happens is in it before anything is shown.

It is a file on disk (`Appender`), or whatever else keeps lines, such as a database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from houserule.engine.reference.choices import Choice
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.records.lines import OwnRules, PeopleLine
from houserule.play.records.records import Recorder


class LineKeeper(Protocol):
    """Keeps the lines of one record; nobody else writes them meanwhile."""

    @property
    def path(self) -> Path | None:
        """The file that they are in, if that is where they are."""

    def append(self, line: str) -> None:
        """Keep a line, or several at once, and return when they are safe.

        Raises:
            OSError: that cannot be done; then nothing has changed.
        """

    def close(self) -> None:
        """Let others go on with the record."""

    def discard(self) -> None:
        """Close a record that was begun just now, which is gone then."""


class GameFile:
    """The record of one game, kept in memory and, if there is a keeper, by it.

    What cannot be written (`OSError`) is in neither.
    """

    def __init__(self, recorder: Recorder, keeper: LineKeeper | None) -> None:
        self._recorder, self._keeper = recorder, keeper
        self._gathering = False

    @property
    def path(self) -> Path | None:
        """Where the file is, if there is one."""
        return self._keeper.path if self._keeper else None

    @property
    def text(self) -> str:
        """The record so far."""
        return self._recorder.text

    def close(self) -> None:
        """Let other programs go on with the file."""
        if self._keeper is not None:
            self._keeper.close()

    @contextmanager
    def _written(self, first: int | None = None) -> Iterator[Recorder]:
        """Write the lines that are recorded in the block, all at once."""
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
        """Write at its end, all at once, what comes in a block, even if it fails.

        If it cannot be written (`OSError`), nothing of it is there.
        """
        start, stand = len(self._recorder.lines), self._recorder.choices
        self._gathering = True
        try:
            yield
        finally:
            self._gathering = False
            try:
                with self._written(first=start):
                    pass
            except BaseException:
                self._recorder.choices = stand
                raise

    def begin(self) -> None:
        """Write the first line; if that fails there is no file."""
        try:
            with self._written(first=0):
                pass
        except BaseException:
            if self._keeper is not None:
                self._keeper.discard()
            raise

    def note(self, decision: Decision, choice: Choice, game: ReferenceGame) -> None:
        """Write a choice that was made, and the end if it was the last."""
        with self._written() as recorder:
            recorder.note(decision, choice, game)
            if game.outcome is not None:
                recorder.finish(game)

    def undo(self, stand: int, by: int, agreed: Sequence[int]) -> None:
        """Write that a seat took choices back, and how many still stand."""
        with self._written() as recorder:
            recorder.undo(stand, by, agreed)

    def change_rules(self, stand: int, own: OwnRules | None) -> None:
        """Write that other rules hold from now on."""
        with self._written() as recorder:
            recorder.change_rules(stand, own)

    def people(self, line: PeopleLine) -> None:
        """Write something about those who play."""
        with self._written() as recorder:
            recorder.people(line)

    def end(self, game: ReferenceGame, *, known: bool) -> None:
        """Write the end of a game that is over, if it is not `known`."""
        if game.outcome is None or known:
            return
        with self._written() as recorder:
            recorder.finish(game)
