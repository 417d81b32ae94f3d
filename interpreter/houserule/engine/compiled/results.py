"""How games of a batch ended, as the module lays it down: the record `result`."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple

from houserule.engine.compiled.flow.endings import leads_are_known
from houserule.ir import Program


class PlayedGame(NamedTuple):
    """How one game ended, as the module lays it down.

    Attributes:
        outcome: 0 open, 1 won, 2 stalled, 3 drawn.
        stalled: the number of the stalled phase.
        winners: a bit mask of seats.
        rounds: how often the main loop began.
        state: the number of the last state.
        lead_changes: how often the lead changed; None if no seat leads.
        drawn_by: a bit mask of the reasons of a draw.
        scores: the first winning key of each seat; empty without winning keys.
    """

    outcome: int
    stalled: int
    winners: int
    decisions: int
    rounds: int
    state: int
    lead_changes: int | None
    drawn_by: int
    scores: tuple[int, ...]


def read_results(raw: bytes | bytearray, program: Program) -> Iterator[PlayedGame]:
    """Yield how each game ended, from the rows of a batch."""
    leads, scored = leads_are_known(program), bool(program.winning_keys)
    layout, end = Struct(f"<IIQIIQi4xQ{'i4x' * program.seats}"), 8
    end += program.seats if scored else 0
    for row in layout.iter_unpack(raw):
        lead_changes = row[6] if leads else None
        yield PlayedGame._make((*row[:6], lead_changes, row[7], row[8:end]))
