"""A game written down while it is played."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from houserule.record.hashes import state_hash
from houserule.record.model import (
    Head,
    LineModel,
    RecordEnd,
    RecordTable,
    Taken,
)
from houserule.record.names import words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from houserule.compose.rules import ChosenTable
    from houserule.engine.choices import Choice
    from houserule.engine.options.options import Decision
    from houserule.engine.play.game import ReferenceGame
    from houserule.ir import Program
    from houserule.manifest.ruleset import Plain

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
