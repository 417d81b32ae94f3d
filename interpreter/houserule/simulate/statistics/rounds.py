"""Rounds and lead changes, counted while a game is played.

A *round* is one pass of the game's main loop in which a seat decided. The main loop
is every outermost phase with `until`, or if there is none, every outermost phase with
`for`. Without either there are no rounds.

A *lead change* is counted by the first winning key, looked at when the first decision
of each round is due, and once more when the game is over. Where one seat alone stands
best it leads; a change is counted when that is another seat than the last one that led
alone. Looks at which several seats stand best change nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.engine.play.game import ReferenceGame
    from houserule.ir import Program


class RoundCounter:
    """Counts the rounds of a game."""

    def __init__(self, program: Program) -> None:
        self.begun = 0
        outermost = [phase for phase in program.phases.values() if not phase.parent]
        loops = [phase for phase in outermost if phase.until is not None]
        loops = loops or [phase for phase in outermost if phase.source is not None]
        self._loops = {phase.name for phase in loops}
        self._last: tuple[str, int, int] | None = None

    def look(self, game: ReferenceGame) -> bool:
        """Note where a game stands at a decision; say whether a round has begun."""
        before = self.begun
        for act in game.machine.stack[1:2]:
            here = (act.phase, act.passes, act.index)
            if act.phase in self._loops and self._last != here:
                self._last = here
                self.begun += 1
        return self.begun > before


class LeadCounter:
    """Counts how often the lead changed; knows nothing if no winning key says who."""

    def __init__(self, program: Program) -> None:
        self._least = program.winning_direction == "least"
        self._leader: int | None = None
        self.changes = 0

    def look(self, standings: Sequence[int]) -> None:
        """Note the first winning key of each seat, at a new round or at the end."""
        if not standings:
            return
        best = min(standings) if self._least else max(standings)
        leading = [seat for seat, key in enumerate(standings) if key == best]
        if len(leading) > 1:
            return
        if self._leader not in (None, leading[0]):
            self.changes += 1
        self._leader = leading[0]
