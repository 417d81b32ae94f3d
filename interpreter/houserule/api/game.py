"""A single game: choose, read, copy, save, record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from houserule.api.state import GameState, Tell, open_ruleset
from houserule.base.diagnostics.render import RecordError
from houserule.base.frozen import frozen
from houserule.base.limits import limit
from houserule.base.source import Source
from houserule.engine.bots.bot import bot_names
from houserule.engine.compiled.bots.compiled_bots import quick_bots
from houserule.engine.reference.choices import Choice, Outcome, Refusal
from houserule.engine.reference.options.options import Decision, Options
from houserule.engine.reference.play.game import ReferenceGame, endless
from houserule.engine.reference.play.machine import Forced
from houserule.engine.state.domains import Json
from houserule.play.records.appending import write_record
from houserule.play.records.choice_words import (
    SaidChoice,
    choice_meant,
    choice_of,
    words_of,
)
from houserule.play.records.own_rules import own_rules, ruleset_of
from houserule.play.records.people import RecordedPeople
from houserule.play.records.reading import ParsedRecord, record_text
from houserule.play.records.reading import read_record as parse_record
from houserule.play.records.records import (
    Difference,
    Recorder,
    difference_fault,
    recorded_rules,
    replay,
    seat_names,
)
from houserule.play.seat.log import SpokenTale, retell
from houserule.play.seat.rules import TableRules
from houserule.study.analysis.analyse import MOST, Analysing, Wanted
from houserule.study.analysis.analysis_model import Analysis

if TYPE_CHECKING:
    from houserule.play.narration.narrator import Narrator
    from houserule.play.seat.rules import TableRules
    from houserule.play.seat.seat_model import GameEnded


@frozen
class ChoiceMade:
    """A choice that was made.

    Attributes:
        seat: who made it, by the seat's name.
        at: the phase of an action, or the clause that asked; `a.b.2` is the second
            choice in the clause `a.b`.
        do: the choice in the words of a scenario's `do`.

    Example:
        >>> game = houserule.load("hex_board").table().start()
        >>> game.choose({"put": {"x": "2-5"}})
        >>> game.choices[0]
        ChoiceMade(seat='p1', at='turn', do={'put': {'x': '2-5'}})
    """

    seat: str
    at: str
    do: Json


class Game(GameState):
    """A game under way on the reference engine: at a decision, or over.

    `Table.start` makes one. Arguments and results are names of seats, things and
    places. Instead of a name you can pass a number, from 0 in order of declaration.
    Every method that continues the game may raise `RuleFault`; do not use the game
    after that.

    Attributes:
        seed: of the random numbers.
        number: the number of the game among those of this seed.

    Example:
        >>> game = houserule.load("pig").table().start(seed=7)
        >>> while game.decision:
        ...     game.choose(0)
        >>> game.outcome.kind
        'won'
    """

    def __init__(
        self,
        rules: TableRules,
        reference: ReferenceGame,
        seed: int,
        number: int = 0,
        *,
        choices: Sequence[ChoiceMade] = (),
        laid_down: bool = False,
        narrator: tuple[Narrator, Tell] | None = None,
    ) -> None:
        self.seed, self.number = seed, number
        super().__init__(rules, reference)
        self._choices = list(choices)
        self._laid_down = laid_down
        self._narrator = narrator
        self._players: tuple[str, ...] = ()
        self._tell()

    @property
    def decision(self) -> Decision | None:
        """The current decision: seat, kind, place, options; None after the end."""
        return self._reference.decision

    @property
    def options(self) -> Options:
        """The options of the decision: a lazy sequence.

        Raises:
            ValueError: the game is over.
        """
        return self._asked().options

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended: kind, winners, phase of a stall; None before that."""
        return self._reference.outcome

    def ended(self, language: str = "en") -> GameEnded | None:
        """Return an explanation of the result; None before the end.

        It has the reason, the winners, and the clauses that ended the game: what they
        read, their citations, and the house rules that changed them.

        Args:
            language: of the words, if the ruleset is translated into it.

        Example:
            >>> game = houserule.load("pig").table().start(seed=7).play()
            >>> game.ended().why
            'The game is over: Random 2 has 101 points.'
        """
        from houserule.play.seat.scores import ended

        words = self._rules.wording(language, self._players)
        return ended(self._rules, self._reference, words)

    @property
    def choices(self) -> tuple[ChoiceMade, ...]:
        """The choices that were made so far."""
        return tuple(self._choices)

    def _asked(self) -> Decision:
        if self._reference.decision is None:
            raise ValueError("the game is over: there is nothing to choose")
        return self._reference.decision

    def _tell(self) -> None:
        if self._narrator is not None:
            narrator, tell = self._narrator
            for line in narrator.news(self._reference):
                tell(line)

    # ---- deciding

    def choose(self, choice: SaidChoice) -> None:
        """Make a choice and play on to the next decision.

        Args:
            choice: one of the options; its number, from 0; or its words, as in a
                scenario's `do`: `"hold"`, `{"put": {"x": "2-5"}}`, `{"answer": True}`.

        Raises:
            Refused: the choice is not legal; nothing has changed.
            RuleFault: a runtime error in the rules.
            IndexError: no option has this number.
            ValueError: the game is over, or the choice is not understood.

        Example:
            >>> game = houserule.load("pig").table().start(seed=3)
            >>> game.choose("throw")
            >>> game.state("pot")
            6
        """
        decision = self._asked()
        chosen = self._meant(choice, decision)
        words = words_of(chosen, decision.site, self._rules.program)
        self._reference.choose(chosen)
        made = ChoiceMade(self.seats[decision.seat], decision.site, words)
        self._choices.append(made)
        self._tell()

    def _meant(self, choice: SaidChoice, decision: Decision) -> Choice:
        return choice_meant(choice, decision, self._rules.program)

    def refusals(self, choice: SaidChoice) -> tuple[Refusal, ...]:
        """Return the clauses that forbid a choice; empty if it is legal.

        Args:
            choice: as `choose` takes it.

        Raises:
            ValueError: the game is over, or the choice is not understood.

        Example:
            >>> game = houserule.load("pig").table().start()
            >>> game.refusals("hold")
            (Refusal(address='hold.something'),)
        """
        return self._reference.refusals(self._meant(choice, self._asked()))

    def words(self, choice: Choice) -> Json:
        """Return an option in words: plain data in the names of the rules.

        Args:
            choice: one of the options of the decision.

        Raises:
            ValueError: the game is over.

        Example:
            >>> game = houserule.load("hex_board").table().start()
            >>> game.words(game.options[24])
            {'put': {'x': '5-5'}}
        """
        return words_of(choice, self._asked().site, self._rules.program)

    def play(self, bots: str | Sequence[str] = "random") -> Game:
        """Let bots play to the end; return the game itself.

        Args:
            bots: by seat, "random", "greedy", "fair"…; a shorter list repeats.

        Raises:
            RuleFault: a runtime error in the rules.
            ValueError: unknown bot.

        Example:
            >>> game = houserule.load("pig").table().start(seed=5)
            >>> game.play("greedy,random").outcome
            Outcome(kind='won', winners=(0,), stalled_in='', drawn_by=())
        """
        for _ in self.turns(bots):
            pass
        return self

    def turns(self, bots: str | Sequence[str] = "random") -> Iterator[Game]:
        """Let bots play, and yield the game at each decision before it is made.

        Args:
            bots: by seat, "random", "greedy", "fair"…; a shorter list repeats.

        Raises:
            RuleFault: a runtime error in the rules.
            ValueError: unknown bot.

        Example:
            >>> game = houserule.load("pig").table().start(seed=5)
            >>> max(each.state("pot") for each in game.turns("greedy"))
            25
        """
        names, seats = bot_names(bots), len(self.seats)
        self._players = tuple(names[seat % len(names)] for seat in range(seats))
        players = quick_bots(names, self._reference.program, self.seed, self.number)
        for _ in range(limit("decisions")):
            if self.decision is None:
                return
            yield self
            self.choose(players[self.decision.seat].choose(self._reference))
        if self.decision is not None:
            raise endless(self._reference)

    # ---- copies and records

    def copy(self) -> Game:
        """Return an independent copy at the same decision; it is not narrated.

        Example:
            >>> game = houserule.load("pig").table().start(seed=3)
            >>> ahead = game.copy()
            >>> ahead.choose("throw")
            >>> game.state("pot"), ahead.state("pot")
            (0, 6)
        """
        return Game(
            self._rules,
            self._reference.clone(),
            self.seed,
            self.number,
            choices=self._choices,
            laid_down=self._laid_down,
        )

    def save(self) -> dict[str, object]:
        """Return everything needed to go on, as plain data for JSON.

        `Table.restore` goes on from it.

        Example:
            >>> game = houserule.load("pig").table().start()
            >>> sorted(game.save())
            ['choices', 'game', 'laid_down']
        """
        return {
            "game": self._reference.save(),
            "choices": [[each.seat, each.at, each.do] for each in self._choices],
            "laid_down": self._laid_down,
        }

    def record(self, players: Sequence[str] = ()) -> Record:
        """Return the record of the game so far, by replaying it.

        Args:
            players: who played, by seat; if none are named, the bots of `play`.

        Raises:
            ValueError: chance results were fixed, so the seed cannot reproduce the
                game.

        Example:
            >>> game = houserule.load("pig").table().start(seed=5).play()
            >>> game.record().replay().same
            True
        """
        if self._laid_down:
            raise ValueError("chance was laid down: no seed brings this game back")
        program = self._rules.program
        names = tuple(players) or self._players
        recorder = Recorder(
            program,
            self._rules.chosen,
            self.seed,
            self.number,
            names,
            own=own_rules(self._rules.ruleset, None),
        )
        again = ReferenceGame.start(program, self.seed, self.number)
        for made in self._choices:
            decision = again.decision
            assert decision is not None, "the same choices lead to the same decisions"
            choice = choice_of(made.do, decision.site, program)
            again.choose(choice)
            recorder.note(decision, choice, again)
        if again.outcome is not None:
            recorder.finish(again)
        # A game makes a record and a record makes a game: the only import cycle of the
        # API.

        return record_of(Source("the record", recorder.text))


def start(
    rules: TableRules,
    seed: int,
    number: int,
    forced: Forced,
    tell: Tell | None,
    language: str,
    *,
    boards: bool,
) -> Game:
    """Start a game by rules; see `Table.start` for the arguments.

    Raises:
        RuleFault: a runtime error in the rules.
        ValueError: a fixed chance result is impossible.
    """
    laid_down = forced != Forced()
    reference = ReferenceGame.start(
        rules.program,
        seed,
        number,
        listen=tell is not None,
        forced=forced if laid_down else None,
    )
    narrator = tell and (rules.narrator(language, boards=boards), tell)
    return Game(
        rules, reference, seed, number, laid_down=laid_down, narrator=narrator or None
    )


def restore(rules: TableRules, saved: Mapping[str, object]) -> Game:
    """Return the game that `Game.save` saved.

    Raises:
        ValueError: not a saved game, or saved under other rules.
        RuleFault: the saved state is not one that the rules allow.
    """
    data, made, laid = (saved.get(key) for key in ("game", "choices", "laid_down"))
    if not (isinstance(data, dict) and isinstance(made, list)):
        raise ValueError("this is not a saved game")
    reference = ReferenceGame.restore(rules.program, data)
    machine = reference.machine
    choices = [ChoiceMade(str(seat), str(at), do) for seat, at, do in made]
    return Game(
        rules,
        reference,
        machine.seed,
        machine.game_number,
        choices=choices,
        laid_down=bool(laid),
    )


# ---- records


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
            path: the file; a record in it is replaced.

        Raises:
            RecordError: E083, a game in the file is being played.
            OSError: it cannot be written, or is no record; its content is as before.

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
                rules.narrator(language, self.players, boards=boards), language, tell
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
        number = None
        if seat is not None:
            if seat in names:
                number = names.index(str(seat))
            elif isinstance(seat, int) and 0 <= seat < len(names):
                number = seat
            else:
                known = ", ".join(names)
                raise ValueError(f"There is no seat `{seat}`. Seats: {known}.")
        if blind and seat is None:
            raise ValueError("name the seat whose knowledge is to count")
        called = RecordedPeople.at_end(self.parsed, names).names.values()
        wanted = Wanted(bots, number, blind, language, (*called,), seed)
        begun = Analysing.begin(self.parsed, rules, wanted)
        if not isinstance(begun, Analysing):
            source = self.parsed.source
            found = [difference_fault(self.parsed, begun)]
            raise RecordError(found, {source.name: source})
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
