"""Records of games: read, write, replay and analyse them."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from houserule.api.game import ChoiceMade, Game
from houserule.api.state import Tell, open_ruleset
from houserule.base.diagnostics.render import RecordError
from houserule.base.frozen import frozen
from houserule.base.source import Source
from houserule.play.records.appending import write_record
from houserule.play.records.own_rules import ruleset_of
from houserule.play.records.people import RecordedPeople
from houserule.play.records.reading import ParsedRecord, record_text
from houserule.play.records.reading import read_record as parse_record
from houserule.play.records.records import (
    Difference,
    difference_fault,
    recorded_rules,
    replay,
    seat_names,
)
from houserule.play.seat.log import SpokenTale, retell
from houserule.play.seat.rules import TableRules
from houserule.study.analysis.analyse import MOST, Analysing, Wanted
from houserule.study.analysis.analysis_model import Analysis


@frozen
class Replay:
    """The result of replaying a record.

    Attributes:
        difference: where the game first differs from its record, and how; None if every
            recorded byte matches.
        finished: whether the record reaches the end of its game.
        same_rules: whether the rules are those that the record was made under.
        game: the game at its end; None if it differs.

    Example:
        >>> record = houserule.load("pig").table().start().play().record()
        >>> replay = record.replay()
        >>> replay.same, replay.same_rules, replay.game.outcome.kind
        (True, True, 'won')
    """

    difference: Difference | None
    finished: bool
    same_rules: bool
    game: Game | None = field(repr=False)

    @property
    def same(self) -> bool:
        """Whether the game is played as it was recorded, to its end."""
        return self.difference is None and self.finished


@frozen
class Record:
    """A recorded game: its table, its seed, every choice and the end.

    Example:
        >>> game = houserule.load("pig").table(players=3).start(seed=5).play("greedy")
        >>> record = game.record()
        >>> record.game, record.seed, record.players
        ('pig', 5, ('greedy', 'greedy', 'greedy'))
        >>> record.choices[0]
        ChoiceMade(seat='p1', at='turn', do='throw')
    """

    parsed: ParsedRecord = field(repr=False)

    @property
    def game(self) -> str:
        """The name of the game that was played."""
        return self.parsed.head.game

    @property
    def seed(self) -> int:
        """The seed of the random numbers."""
        return self.parsed.head.seed

    @property
    def number(self) -> int:
        """The number of the game among those of its seed."""
        return self.parsed.head.number

    @property
    def players(self) -> tuple[str, ...]:
        """The players, by seat; empty if the record does not name them."""
        return tuple(self.parsed.head.players)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that were on, by name."""
        return tuple(sorted(self.parsed.table.variants))

    @property
    def choices(self) -> tuple[ChoiceMade, ...]:
        """The choices that were made."""
        return tuple(
            ChoiceMade(each.seat, each.at, each.do) for each in self.parsed.taken
        )

    @property
    def text(self) -> str:
        """The content of the record's file: JSON, one line per choice."""
        return self.parsed.source.text

    def write(self, path: str | Path) -> None:
        """Write the record into a file.

        Args:
            path: the file; its content is replaced.

        Raises:
            RecordError: E083, a game in the file is being played.
            OSError: it cannot be written; its content is as before.

        Example:
            >>> record = houserule.load("pig").table().start().play().record()
            >>> record.write("evening.jsonl")
            >>> houserule.read_record("evening.jsonl").seed
            1
        """
        write_record(Path(path), self.text)

    def replay(
        self,
        game: str | Path | None = None,
        *,
        tell: Tell | None = None,
        language: str = "en",
        boards: bool = True,
    ) -> Replay:
        """Play the game again and verify every choice, every state, and the end.

        Args:
            game: the ruleset by name or folder; None for the one that the record
                brings, or for the shipped one of its name, if its rules are those of
                the record.
            tell: called with each line of the log, such as `print`.
            language: of the log.
            boards: whether the log shows boards.

        Raises:
            RulesetError: the ruleset is missing or unreadable.
            RecordError: the ruleset is of another game, has no such table, or, where
                none was named, has other rules by now.

        Example:
            >>> record = houserule.load("pig").table().start(seed=2).play().record()
            >>> record.replay().difference is None
            True
        """
        rules = self._rules(game)
        if tell is None:
            ended, difference = replay(self.parsed, rules.program)
        else:
            tale = SpokenTale(
                rules.narrator(language, self.players, boards=boards),
                language,
                tell,
            )
            ended, difference = retell(self.parsed, rules.program, [tale])
        same_rules = self.parsed.rules == rules.program.fingerprint
        finished = self.parsed.end is not None
        if difference is not None or ended is None:
            return Replay(difference, finished, same_rules, None)
        again = Game(rules, ended, self.seed, self.number, choices=self.choices)
        return Replay(None, finished, same_rules, again)

    def analyse(
        self,
        bots: str = "fair",
        *,
        seat: int | str | None = None,
        blind: bool = False,
        seed: int = 1,
        most: int = MOST,
        language: str = "en",
        game: str | Path | None = None,
    ) -> Analysis:
        """Return the turning points of the game: the object of `analyse --json`.

        A search judges each choice by what its seat knew. The same seed gives the same
        result. An interruption keeps what was found.

        Args:
            bots: the search: "easy", "fair", "strong" or "search:5000".
            seat: analyse only this seat's choices; None for all.
            blind: whether only what that seat can know counts, also of a game that is
                not over.
            seed: of the searches' random numbers.
            most: the maximum number of turning points.
            language: of the words.
            game: the ruleset, as of `replay`.

        Raises:
            RulesetError, RecordError: as of `replay`; or the game differs.
            ValueError: unknown seat or search, or an unfinished game.
            RuleFault: a runtime error in the rules.

        Example:
            >>> game = houserule.load("nim").table().start(seed=3).play("random")
            >>> found = game.record().analyse("easy")
            >>> found.total == len(found.choices), found.ended
            (True, 'record')
        """
        rules = self._rules(game)
        names = seat_names(rules.program)
        number = None if seat is None else _seat(seat, names)
        if blind and seat is None:
            raise ValueError("name the seat whose knowledge is to count")
        called = RecordedPeople.at_end(self.parsed, names).names.values()
        wanted = Wanted(bots, number, blind, language, (*called,), seed)
        begun = _begun(self.parsed, rules, wanted)
        return begun.summed(most, begun.go_through())

    def _rules(self, game: str | Path | None) -> TableRules:
        """Return the rules of a ruleset, or of the shipped one, for this record."""
        ruleset = ruleset_of(self.parsed) if game is None else open_ruleset(game)
        assumed = game is None and self.parsed.own is None
        program, faults = recorded_rules(self.parsed, ruleset, assumed=assumed)
        if program is None:
            source = self.parsed.source
            raise RecordError(faults, {**ruleset.sources, source.name: source})
        return TableRules(ruleset, self.parsed.table, program)


def _begun(record: ParsedRecord, rules: TableRules, wanted: Wanted) -> Analysing:
    """Return the analysis of a record.

    Raises:
        RecordError: the game differs from it.
        NotFinishedError: the game is not over, and all of it is wanted.
    """
    analysing = Analysing.begin(record, rules, wanted)
    if isinstance(analysing, Analysing):
        return analysing
    source = record.source
    found = [difference_fault(record, analysing)]
    raise RecordError(found, {source.name: source})


def _seat(said: int | str, names: tuple[str, ...]) -> int:
    """Return a seat, given by name or by number from 0.

    Raises:
        ValueError: unknown seat.
    """
    if said in names:
        return names.index(str(said))
    if isinstance(said, int) and 0 <= said < len(names):
        return said
    raise ValueError(f"There is no seat `{said}`. Seats: {', '.join(names)}.")


def read_record(path: str | Path) -> Record:
    """Read a record from a file.

    Args:
        path: the file, as `houserule run --record` or `Record.write` wrote it.

    Raises:
        RecordError: a line is malformed.
        OSError: the file cannot be read.

    Example:
        >>> houserule.load("pig").table().start(seed=4).record().write("begun.jsonl")
        >>> houserule.read_record("begun.jsonl").choices
        ()
    """
    return record_of(record_text(Path(path)))


def record_of(source: Source) -> Record:
    """Parse a record.

    Raises:
        RecordError: a line is malformed.
    """
    parsed, faults = parse_record(source)
    if parsed is None:
        raise RecordError(faults, {source.name: source})
    return Record(parsed)
