"""The log of a game for one viewer, including undone choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.base.source import Source
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Program
from houserule.play.narration.narrator import Narrator, begin_together
from houserule.play.records.lines import (
    ActedFor,
    PeopleLine,
    Taken,
    UndoAnswered,
    Undone,
)
from houserule.play.records.people import RecordedPeople
from houserule.play.records.reading import ParsedRecord, read_record
from houserule.play.records.records import Difference, replay, seat_names
from houserule.play.seat.rules import TableRules

BACK = 32
"""A log can be cut back by up to this many choices; beyond that it is rebuilt."""
TaleKey: TypeAlias = tuple[int | None, str]
"""The viewer, a seat or everyone, and the language."""


class GameLog:
    """The log for one viewer in one language, updated as the game goes on."""

    def __init__(self, narrator: Narrator, language: str) -> None:
        self.language = language
        self.lines: list[str] = []
        self.narrator = narrator
        self._told: dict[int, tuple[int, Narrator]] = {}  # by standing choices
        self._lasting: list[int] = []  # lines that stay after an undo
        self._called: tuple[str, ...] | None = None

    def hear(
        self, game: ReferenceGame, choices: int, aside: Aside | None = None
    ) -> None:
        """Log the events until `choices` choices are made, after an aside."""
        if aside:
            self.lines.append(aside.text(self.language))
        self.lines += self.narrator.news(game)
        self._told[choices] = len(self.lines), self.narrator.fork()

    def take_back(self, game: ReferenceGame, choices: int) -> None:
        """Cut the log back to `choices` choices, and continue from that game."""
        length, narrator = self._told[choices]
        self._cut(length)
        self.narrator = narrator.fork()
        if self._called is not None:
            self.narrator.call(self._called)
        self.narrator.go_on(game)

    def reaches(self, choices: int) -> bool:
        """Return whether the log can be cut back to `choices` choices."""
        return choices in self._told

    def forget(self, choices: int) -> None:
        """Forget the states before `choices` choices: no undo goes further back."""
        while (first := next(iter(self._told), choices)) < choices:
            del self._told[first]

    def call(self, players: Iterable[str]) -> None:
        """Rename players from here on; earlier lines keep the old names.

        Args:
            players: by seat; for a bot, its kind.
        """
        self._called = tuple(players)
        self.narrator.call(self._called)

    def _cut(self, length: int) -> None:
        """Remove the lines about the game; keep those about people."""
        kept = [self.lines[at] for at in self._lasting if at >= length]
        first = len(self._lasting) - len(kept)
        self._lasting[first:] = range(length, length + len(kept))
        self.lines[length:] = kept

    def note(self, aside: Aside, choices: int, *, lasting: bool = False) -> None:
        """Add a line that is not about the game itself.

        A `lasting` line stays when choices before it are undone.
        """
        if lasting:
            self._lasting.append(len(self.lines))
        self.lines.append(aside.text(self.language))
        self._told[choices] = len(self.lines), self.narrator.fork()


class SpokenTale(GameLog):
    """A log that passes each line on at once, so no line can be removed later.

    Args:
        narrator, language: as for `GameLog`.
    """

    def __init__(
        self, narrator: Narrator, language: str, tell: Callable[[str], object]
    ) -> None:
        super().__init__(narrator, language)
        self._tell = tell

    def hear(
        self, game: ReferenceGame, choices: int, aside: Aside | None = None
    ) -> None:
        """Log the events until `choices` choices are made, after an aside."""
        if aside:
            self._tell(aside.text(self.language))
        for line in self.narrator.news(game):
            self._tell(line)
        super().hear(game, choices)

    def _cut(self, length: int) -> None:
        """Remove nothing: all lines have been passed on."""

    def note(self, aside: Aside, choices: int, *, lasting: bool = False) -> None:
        """Pass on a line that is not about the game itself."""
        self._tell(aside.text(self.language))
        super().note(aside, choices, lasting=lasting)


def retell(
    record: ParsedRecord,
    program: Program,
    tales: Sequence[GameLog],
    each: Callable[[ReferenceGame, int], object] = lambda game, stand: None,
) -> tuple[ReferenceGame | None, Difference | None]:
    """Replay a record and log all of it; the result is that of `replay`.

    `each` is called at the start, after every choice and after every undo, with the
    game and the number of choices that stand.
    """
    stand = -1
    people = RecordedPeople(record.head, seat_names(program))
    for tale in tales:
        tale.call(people.names.values())
    parts = (entry.part for entry in record.entries)
    taken = (part for part in parts if isinstance(part, Taken))

    def heard(game: ReferenceGame) -> None:
        nonlocal stand
        stand += 1
        if not stand:
            begin_together([tale.narrator for tale in tales], game)
        said = decided_for(people, next(taken).seat) if stand else None
        for tale in tales:
            tale.hear(game, stand, said)
        each(game, stand)
        game.forget_events()

    def beside(game: ReferenceGame, part: Undone | PeopleLine) -> None:
        nonlocal stand
        if not isinstance(part, Undone):
            said = about_people(people, part)
            people.add(part)
            for tale in tales:
                tale.note(said, stand, lasting=True)
                tale.call(people.names.values())
            return
        said = taken_back(people.names.get(part.by, part.by), stand - part.undo)
        stand = part.undo
        for tale in tales:
            tale.take_back(game, stand)
            tale.note(said, stand)
        each(game, stand)

    return replay(record, program, each=heard, beside=beside, listen=True)


class Tales:
    """The logs of a running game, for each viewer and language that needs one."""

    def __init__(self, rules: TableRules, names: Sequence[str]) -> None:
        self._rules, self._names = rules, names
        self._tales: dict[tuple[int | None, str], GameLog] = {}

    def begun(self, viewer: int | None, language: str) -> bool:
        return (viewer, language) in self._tales

    def lines(self, viewer: int | None, language: str) -> tuple[str, ...]:
        """Return an existing log."""
        return tuple(self._tales[viewer, language].lines)

    def begin(self, wanted: Iterable[TaleKey], seed: int, number: int) -> ReferenceGame:
        """Start logs with a new game, and return the game at its first decision.

        Raises:
            RuleFault: a rule failed.
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
        """Start a log in the middle of a game.

        `text` is the record so far, which is replayed.
        """
        tales = self.new([wanted])
        record, _ = read_record(Source("the record", text))
        assert record is not None, "what was recorded can be read"
        retell(record, self._rules.program, list(tales.values()))
        for tale in tales.values():
            tale.narrator.go_on(game)
        self.take(tales)

    def take(self, tales: Mapping[TaleKey, GameLog]) -> None:
        """Take over logs that were built elsewhere."""
        self._tales |= tales

    def new(self, wanted: Iterable[TaleKey]) -> dict[TaleKey, GameLog]:
        """Return new logs for viewers and languages."""
        return {
            (viewer, language): GameLog(
                self._rules.narrator(
                    language, self._names, boards=False, viewer=viewer
                ),
                language,
            )
            for viewer, language in wanted
        }

    def hear(self, game: ReferenceGame, stand: int, aside: Aside | None = None) -> None:
        """Log the events until `stand` choices are made, after an aside."""
        for tale in self._tales.values():
            tale.hear(game, stand, aside)
            tale.forget(stand - BACK)

    def take_back(self, game: ReferenceGame, stand: int) -> None:
        """Cut all logs back to `stand` choices; drop those that cannot be cut."""
        for wanted, tale in [*self._tales.items()]:
            if tale.reaches(stand):
                tale.take_back(game, stand)
            else:
                del self._tales[wanted]

    def call(self, players: Iterable[str]) -> None:
        """Rename players from here on, in all logs."""
        self._names = tuple(players)
        for tale in self._tales.values():
            tale.call(self._names)

    def note(self, aside: Aside, stand: int, *, lasting: bool = False) -> None:
        """Add a line that is not about the game to all logs."""
        for tale in self._tales.values():
            tale.note(aside, stand, lasting=lasting)


# ---- lines about people and undone choices


@frozen
class Aside:
    """A line of a log in any language."""

    phrase: str
    parts: Mapping[str, str | int]

    def text(self, language: str) -> str:
        return Phrases("seat", language).say(self.phrase, **self.parts)


def taken_back(who: str, count: int) -> Aside:
    """Return the line about a player who undid `count` choices."""
    phrase = "undone_one" if count == 1 else "undone"
    return Aside(phrase, {"who": who, "count": count})


def decided_for(people: RecordedPeople, seat: str) -> Aside | None:
    """Return the line before a choice that somebody makes for another player's seat."""
    by = people.deputies.get(seat)
    return (by and Aside("decided_for", {"by": by, "who": people.names[seat]})) or None


def about_people(people: RecordedPeople, part: PeopleLine) -> Aside:
    """Return the line for a change of `people`, who are as they were before it."""
    if isinstance(part, ActedFor):
        who = people.names[part.acting]
        return Aside("acting" if part.by else "acts_again", {"by": part.by, "who": who})
    if isinstance(part, UndoAnswered):
        who = people.names[part.answered]
        phrase = (
            "agreed_for" if part.agreed else "refused_for" if part.by else "refused"
        )
        return Aside(phrase, {"by": part.by, "who": who})
    who = people.names[part.sits]
    return Aside(
        "sat_down" if part.name else "stood_up", {"name": part.name, "who": who}
    )
