"""Records: a text of JSON lines, and the recorder that writes it as a game is played.

A record has a head, one line a choice, and an end.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, RootModel

from houserule.record.hashes import state_hash
from houserule.record.names import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.compose.rules import ChosenTable
    from houserule.engine.choices import Choice
    from houserule.engine.options.options import Decision
    from houserule.engine.play.game import ReferenceGame
    from houserule.ir import Program
    from houserule.manifest.ruleset import Plain


Hash = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class LineModel(BaseModel):
    """A line of a record."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True
    )


class RecordTable(LineModel):
    """The table, as it was composed: nothing is left to be chosen."""

    players: Annotated[int, Field(ge=1)]
    variants: list[str]
    options: dict[str, JsonValue]


class Head(LineModel):
    """The first line: what was played, at which table, with which luck."""

    format: Literal["houserule record"] = "houserule record"
    version: Literal[1] = 1
    game: str
    table: RecordTable
    rules: str
    """The fingerprint of the composed rules."""
    seed: int
    number: Annotated[int, Field(ge=0)] = 0
    """The number of the game among those of this seed."""
    players: list[str] = []
    """Who played, by seat: names of people or of bots."""


class Taken(LineModel):
    """One choice, in the words of a scenario's `do`."""

    n: Annotated[int, Field(ge=1)]
    seat: str
    at: str
    """Where in the rules the decision stood."""
    do: JsonValue
    state: Hash | None = None
    """The hash of the state after it; now and then, and after the last."""


class RecordEnd(LineModel):
    """The last line of a game that was played to its end."""

    end: Literal["won", "stalled"]
    winners: list[str] = []
    stalled_in: str = ""
    choices: Annotated[int, Field(ge=0)]
    state: Hash


class RecordLine(RootModel[Head | Taken | RecordEnd]):
    """Any line of a record."""


HASH_EVERY = 20


def seat_names(program: Program) -> tuple[str, ...]:
    """Return the names that the rules give the seats."""
    kind = next(each for each in program.kinds.values() if each.sort == "seat")
    return program.labels[kind.name]


def plain_options(table: ChosenTable) -> dict[str, JsonValue]:
    """Return the options of a table as plain data, by name."""
    return {name: _plain(table.options[name]) for name in sorted(table.options)}


def _plain(value: Plain) -> JsonValue:
    return [_plain(each) for each in value] if isinstance(value, list) else value


class Recorder:
    """Collects the lines of one record.

    Call `note` after each choice with the decision it answered, `finish` at the end.
    """

    def __init__(
        self,
        program: Program,
        table: ChosenTable,
        seed: int,
        number: int = 0,
        players: Sequence[str] = (),
    ) -> None:
        self._program, self._seats = program, seat_names(program)
        head = Head(
            game=program.game,
            table=RecordTable(
                players=table.players,
                variants=sorted(table.variants),
                options=plain_options(table),
            ),
            rules=program.fingerprint,
            seed=seed,
            number=number,
            players=list(players),
        )
        self.lines = [_line(head)]
        self.choices = 0

    def note(self, decision: Decision, choice: Choice, game: ReferenceGame) -> None:
        """Note a choice that was just made in a game."""
        self.choices += 1
        hashed = self.choices % HASH_EVERY == 0
        taken = Taken(
            n=self.choices,
            seat=self._seats[decision.seat],
            at=decision.site,
            do=words_of(choice, decision.site, self._program),
            state=state_hash(game) if hashed else None,
        )
        self.lines.append(_line(taken, without=set() if hashed else {"state"}))

    def finish(self, game: ReferenceGame) -> None:
        """Note the end of a game that is over."""
        outcome = game.outcome
        assert outcome is not None, "only a game that is over has an end"
        end = RecordEnd(
            end=outcome.kind,
            winners=[self._seats[seat] for seat in outcome.winners],
            stalled_in=outcome.stalled_in,
            choices=self.choices,
            state=state_hash(game),
        )
        self.lines.append(_line(end))

    @property
    def text(self) -> str:
        """The record so far."""
        return "\n".join(self.lines) + "\n"


def _line(part: LineModel, without: set[str] | None = None) -> str:
    return json.dumps(part.model_dump(exclude=without), ensure_ascii=False)
