"""The tale of a game for one viewer, also where choices were taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from houserule.record.reading import read_record
from houserule.record.records import replay, seat_names
from houserule.resources import Phrases
from houserule.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from houserule.engine.play.game import ReferenceGame
    from houserule.ir import Program
    from houserule.narrate.narrator import Narrator
    from houserule.record.lines import Undone
    from houserule.record.reading import ParsedRecord
    from houserule.record.records import Difference
    from houserule.seat.rules import TableRules


def undo_note(who: str, count: int, language: str) -> str:
    """Return the line of a tale about so many choices that somebody took back."""
    phrases = Phrases("seat", language)
    return phrases.say("undone_one" if count == 1 else "undone", who=who, count=count)


@dataclass(slots=True)
class Tale:
    """The tale for one viewer in one language, kept up to date as the game goes on.

    Attributes:
        make: makes a new narrator.
        language: of the tale.
        lines: the tale so far.
    """

    make: Callable[[], Narrator]
    language: str
    lines: list[str] = field(default_factory=list)
    _narrator: Narrator | None = None
    _lengths: dict[int, int] = field(default_factory=dict)

    def hear(self, game: ReferenceGame, choices: int) -> None:
        """Tell what happened until so many choices stand."""
        if self._narrator is None:
            self._narrator = self.make()
        self.lines += self._narrator.news(game)
        self._lengths[choices] = len(self.lines)

    def follow(self, game: ReferenceGame) -> None:
        """Go on with a copy of the game, of which everything is told already."""
        self._narrator = self.make()
        for _ in self._narrator.news(game):
            pass

    def take_back(self, game: ReferenceGame, choices: int) -> None:
        """Cut the tale back to so many choices, and go on with the game as it was."""
        del self.lines[self._lengths[choices] :]
        self.follow(game)

    def note(self, line: str, choices: int) -> None:
        """Add a line that is not about the game itself."""
        self.lines.append(line)
        self._lengths[choices] = len(self.lines)


@dataclass(slots=True)
class SpokenTale:
    """A tale whose lines are passed on at once, so that none can be cut any more.

    Attributes:
        make: makes a new narrator.
        language: of the tale.
        tell: is given each line.
    """

    make: Callable[[], Narrator]
    language: str
    tell: Callable[[str], object]
    _narrator: Narrator | None = None

    def hear(self, game: ReferenceGame, choices: int) -> None:
        """Tell what happened until so many choices stand."""
        if self._narrator is None:
            self._narrator = self.make()
        for line in self._narrator.news(game):
            self.tell(line)

    def take_back(self, game: ReferenceGame, choices: int) -> None:
        """Go on with the game as it was."""
        self._narrator = self.make()
        for _ in self._narrator.news(game):
            pass  # told before

    def note(self, line: str, choices: int) -> None:
        """Tell a line that is not about the game itself."""
        self.tell(line)


def retell(
    record: ParsedRecord, program: Program, tales: Sequence[Tale | SpokenTale]
) -> tuple[ReferenceGame | None, Difference | None]:
    """Play a record again and tell it, what was taken back included; as `replay`."""
    stand = -1
    names = dict(zip(seat_names(program), record.head.players, strict=False))

    def heard(game: ReferenceGame) -> None:
        nonlocal stand
        stand += 1
        for tale in tales:
            tale.hear(game, stand)

    def undone(game: ReferenceGame, part: Undone) -> None:
        nonlocal stand
        count, stand = stand - part.undo, part.undo
        for tale in tales:
            tale.take_back(game, stand)
            note = undo_note(names.get(part.by, part.by), count, tale.language)
            tale.note(note, stand)

    return replay(record, program, each=heard, undone=undone, listen=True)


class Tales:
    """The tales of a game under way, for each viewer and language that wants one."""

    def __init__(self, rules: TableRules, names: Sequence[str]) -> None:
        self._rules, self._names = rules, names
        self._tales: dict[tuple[int | None, str], Tale] = {}

    def lines(self, viewer: int | None, language: str) -> tuple[str, ...]:
        """Return a tale that was begun."""
        return tuple(self._tales[viewer, language].lines)

    def begin(
        self, wanted: Iterable[tuple[int | None, str]], game: ReferenceGame, text: str
    ) -> None:
        """Begin the tales that are wanted and not there yet.

        `text` is the record of what was done so far, which is played once more for
        them; it is empty if nothing was.
        """
        tales = {
            key: Tale(self._narrator(*key), key[1])
            for key in wanted
            if key not in self._tales
        }
        if tales and text:
            record, _ = read_record(Source("the record", text))
            assert record is not None, "what was recorded can be read"
            retell(record, self._rules.program, list(tales.values()))
        for tale in tales.values():
            if text:
                tale.follow(game)
            else:
                tale.hear(game, 0)
        self._tales |= tales

    def _narrator(self, viewer: int | None, language: str) -> Callable[[], Narrator]:
        rules, names = self._rules, self._names
        return lambda: rules.narrator(language, names, boards=False, viewer=viewer)

    def hear(self, game: ReferenceGame, stand: int) -> None:
        """Tell what happened until so many choices stand."""
        for tale in self._tales.values():
            tale.hear(game, stand)

    def take_back(self, game: ReferenceGame, stand: int) -> None:
        """Cut all tales back to so many choices."""
        for tale in self._tales.values():
            tale.take_back(game, stand)

    def note_undo(self, who: str, count: int, stand: int) -> None:
        """Tell that somebody took choices back."""
        for tale in self._tales.values():
            tale.note(undo_note(who, count, tale.language), stand)
