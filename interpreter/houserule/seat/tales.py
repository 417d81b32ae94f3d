"""The tale of a game for one viewer, also where choices were taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from houserule.engine.play.game import ReferenceGame
from houserule.narrate.narrator import begin_together
from houserule.record.reading import read_record
from houserule.record.records import replay, seat_names
from houserule.resources import Phrases
from houserule.source import Source

if TYPE_CHECKING:
    from houserule.ir import Program
    from houserule.narrate.narrator import Narrator
    from houserule.record.lines import Undone
    from houserule.record.reading import ParsedRecord
    from houserule.record.records import Difference
    from houserule.seat.rules import TableRules


TaleKey: TypeAlias = tuple[int | None, str]
"""Who is told, a seat or everybody, and in which language."""


def undo_note(who: str, count: int, language: str) -> str:
    """Return the line of a tale about so many choices that somebody took back."""
    phrases = Phrases("seat", language)
    return phrases.say("undone_one" if count == 1 else "undone", who=who, count=count)


class Tale:
    """The tale for one viewer in one language, kept up to date as the game goes on.

    Args:
        narrator: a new one.
        language: of the tale.

    Attributes:
        lines: the tale so far.
    """

    def __init__(self, narrator: Narrator, language: str) -> None:
        self.language = language
        self.lines: list[str] = []
        self.narrator = narrator
        self._told: dict[int, tuple[int, Narrator]] = {}  # by choices that stood

    def hear(self, game: ReferenceGame, choices: int) -> None:
        """Tell what happened until so many choices stand."""
        self.lines += self.narrator.news(game)
        self._told[choices] = len(self.lines), self.narrator.fork()

    def take_back(self, game: ReferenceGame, choices: int) -> None:
        """Cut the tale back to so many choices, and go on with the game as it was."""
        length, narrator = self._told[choices]
        self._cut(length)
        self.narrator = narrator.fork()
        self.narrator.go_on(game)

    def _cut(self, length: int) -> None:
        del self.lines[length:]

    def note(self, line: str, choices: int) -> None:
        """Add a line that is not about the game itself."""
        self.lines.append(line)
        self._told[choices] = len(self.lines), self.narrator.fork()


class SpokenTale(Tale):
    """A tale whose lines are passed on at once, so that none can be cut any more.

    Args:
        narrator, language: as of `Tale`.
        tell: is given each line.
    """

    def __init__(
        self, narrator: Narrator, language: str, tell: Callable[[str], object]
    ) -> None:
        super().__init__(narrator, language)
        self._tell = tell

    def hear(self, game: ReferenceGame, choices: int) -> None:
        """Tell what happened until so many choices stand, line by line."""
        for line in self.narrator.news(game):
            self._tell(line)
        super().hear(game, choices)

    def _cut(self, length: int) -> None:
        """Leave what was told."""

    def note(self, line: str, choices: int) -> None:
        """Tell a line that is not about the game itself."""
        self._tell(line)
        super().note(line, choices)


def retell(
    record: ParsedRecord,
    program: Program,
    tales: Sequence[Tale],
    each: Callable[[ReferenceGame, int], object] = lambda game, stand: None,
) -> tuple[ReferenceGame | None, Difference | None]:
    """Play a record again and tell it, what was taken back included; as `replay`.

    `each` is given the game at the start, after every choice, and after choices were
    taken back, with the number of those that stand.
    """
    stand = -1
    names = dict(zip(seat_names(program), record.head.players, strict=False))

    def heard(game: ReferenceGame) -> None:
        nonlocal stand
        stand += 1
        if not stand:
            begin_together([tale.narrator for tale in tales], game)
        for tale in tales:
            tale.hear(game, stand)
        each(game, stand)
        game.forget_events()

    def undone(game: ReferenceGame, part: Undone) -> None:
        nonlocal stand
        count, stand = stand - part.undo, part.undo
        for tale in tales:
            tale.take_back(game, stand)
            note = undo_note(names.get(part.by, part.by), count, tale.language)
            tale.note(note, stand)
        each(game, stand)

    return replay(record, program, each=heard, undone=undone, listen=True)


class Tales:
    """The tales of a game under way, for each viewer and language that wants one."""

    def __init__(self, rules: TableRules, names: Sequence[str]) -> None:
        self._rules, self._names = rules, names
        self._tales: dict[tuple[int | None, str], Tale] = {}

    def begun(self, viewer: int | None, language: str) -> bool:
        """Say whether there is a tale for a viewer in a language."""
        return (viewer, language) in self._tales

    def lines(self, viewer: int | None, language: str) -> tuple[str, ...]:
        """Return a tale that was begun."""
        return tuple(self._tales[viewer, language].lines)

    def begin(self, wanted: Iterable[TaleKey], seed: int, number: int) -> ReferenceGame:
        """Begin tales with a game, which is returned at its first decision.

        Raises:
            RuleFault: the rules did what no rules may do.
        """
        tales = self.new(wanted)

        def attend(game: ReferenceGame) -> None:
            for tale in tales.values():
                tale.narrator.go_on(game)

        program = self._rules.program
        game = ReferenceGame.start(program, seed, number, listen=True, attend=attend)
        for tale in tales.values():
            tale.hear(game, 0)
        self.take(tales)
        return game

    def begin_late(self, wanted: TaleKey, game: ReferenceGame, text: str) -> None:
        """Begin a tale in the midst of a game.

        `text` is the record of what was done so far, which is played once more.
        """
        tales = self.new([wanted])
        record, _ = read_record(Source("the record", text))
        assert record is not None, "what was recorded can be read"
        retell(record, self._rules.program, list(tales.values()))
        for tale in tales.values():
            tale.narrator.go_on(game)
        self.take(tales)

    def take(self, tales: Mapping[TaleKey, Tale]) -> None:
        """Take over tales that were told elsewhere."""
        self._tales |= tales

    def new(self, wanted: Iterable[TaleKey]) -> dict[TaleKey, Tale]:
        """Return new tales for viewers, each in a language."""
        return {
            (viewer, language): Tale(
                self._rules.narrator(
                    language, self._names, boards=False, viewer=viewer
                ),
                language,
            )
            for viewer, language in wanted
        }

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
