"""Replays of finished games, choice by choice.

A film keeps a fixed number of copies of its game, and plays on from the nearest earlier
one, so every moment is available quickly.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TypeAlias

from houserule.base.frozen import frozen
from houserule.base.source import Source
from houserule.engine.reference.play.game import ReferenceGame
from houserule.play.narration.visibility import Viewer
from houserule.play.records.choice_words import choice_of
from houserule.play.records.lines import PeopleLine, Undone
from houserule.play.records.people import RecordedPeople
from houserule.play.records.records import replay, seat_names
from houserule.play.seat.log import GameLog, retell
from houserule.play.seat.moments import looked_at
from houserule.play.seat.position import look
from houserule.play.seat.resuming import ReadGame, read_game
from houserule.play.seat.seat_model import Moment
from houserule.play.seat.seated import Seated

COPIES = 40  # copies per game, in addition to the first
FILMS = 12  # films in the cache, each with its copies of a game
Told: TypeAlias = tuple[tuple[str, ...], tuple[int, ...]]
"""A whole log, and its length after each choice."""


@frozen
class FilmFrame:
    """A game at one moment.

    Attributes:
        at: the number of choices so far.
        moment: the view; its `log` has the results of the last choice.
    """

    at: int
    moment: Moment
    log: tuple[str, ...]


class Film:
    """A finished game; used by one thread at a time.

    It omits undone choices.

    Attributes:
        length: the number of its choices.
    """

    def __init__(self, game: ReadGame) -> None:
        self._rules = game.rules
        self._seated: list[Seated] = []  # after each choice
        self._record = game.record.smooth
        self._taken = self._record.taken
        self._copies: dict[int, ReferenceGame] = {}
        self._tales: dict[tuple[Viewer, str], Told] = {}
        # The game is kept at evenly spaced choices.
        every, program = max(1, -(-len(self._taken) // COPIES)), self._rules.program
        people = RecordedPeople(self._record.head, seat_names(program))

        def each(game: ReferenceGame) -> None:
            stand = len(self._seated)
            self._seated.append(Seated.in_record(self._record.head, people))
            if stand % every == 0:
                self._copies[stand] = game.clone()

        def beside(_: ReferenceGame, part: Undone | PeopleLine) -> None:
            assert not isinstance(part, Undone), "what was taken back is left out"
            people.add(part)

        replay(self._record, program, each=each, beside=beside)
        self.length = len(self._seated) - 1

    def game(self, at: int) -> ReferenceGame:
        """Return the game after `at` choices."""
        nearest = max(each for each in self._copies if each <= at)
        game = self._copies[nearest].clone()
        for taken in self._taken[nearest:at]:
            game.carry_out(choice_of(taken.do, taken.at, game.program))
        return game

    def frame(self, at: int, viewer: Viewer, language: str) -> FilmFrame:
        """Return a viewer's view of the game after `at` choices.

        A number beyond the end is the end. The last choice's changes are marked as new.
        """
        at = max(0, min(at, self.length))
        rules, seated = self._rules, self._seated[at]
        words = rules.wording(language, seated.names)
        last = look(rules, self.game(at - 1), words, viewer) if at else None
        moment, _ = looked_at(rules, self.game(at), words, viewer, seated.bots, last)
        if (viewer, language) not in self._tales:
            narrator = self._rules.narrator(
                language, self._seated[0].names, boards=False, viewer=viewer
            )
            tale = GameLog(narrator, language)
            ends: list[int] = []
            retell(
                self._record,
                self._rules.program,
                [tale],
                lambda game, stand: ends.append(len(tale.lines)),
            )
            self._tales[viewer, language] = tuple(tale.lines), tuple(ends)
        lines, lengths = self._tales[viewer, language]
        log = lines[: lengths[at]]
        news = log[lengths[at - 1] if at else 0 :]
        return FilmFrame(at, moment.model_copy(update={"log": news}), log)


class Films:
    """The most recently viewed films; safe to use from several threads."""

    def __init__(self) -> None:
        self._films: OrderedDict[str, Film] = OrderedDict()
        self._lock = Lock()

    def frame(
        self, record: Source, at: int, viewer: Viewer, language: str
    ) -> tuple[int, FilmFrame]:
        """Return the length of a game, and a viewer's view at one moment.

        Args:
            at: the number of choices so far.

        Raises:
            RecordError, RulesetError: the current rules cannot play it.
        """
        with self._lock:
            film = self._films.pop(record.text, None) or Film(read_game(record))
            self._films[record.text] = film
            if len(self._films) > FILMS:
                self._films.popitem(last=False)
            return film.length, film.frame(at, viewer, language)
