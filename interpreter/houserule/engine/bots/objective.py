"""The objective of a search, and the statistics of its passes."""

from __future__ import annotations

from houserule import ir
from houserule.base.frozen import frozen, slotted
from houserule.engine.bots.imagined import hides
from houserule.ir.walk import stream_tags

EXPLORATION = 0.7
"""Weight of exploration if the results of passes say little."""
WHOLE = 1 << 16
"""The result of an imagined game for a seat is a number from 0 to this."""


@frozen
class Objective:
    """The objective of a search that is not to find an option.

    Attributes:
        option: the number, among all options, of the one that every pass begins with;
            none where any may be.
        whole: whether games are played to their end, and who wins is all that counts.
    """

    option: int | None = None
    whole: bool = False


ANY = Objective()


@slotted
class Passes:
    """The passes of a search, and what came of them.

    Attributes:
        counted: passes that had a game to play.
        gained: the sum of each seat's results, of `WHOLE` each.
    """

    made: int
    counted: int
    gained: list[int]

    def copy(self) -> Passes:
        """Return the value of the position now."""
        return Passes(self.made, self.counted, list(self.gained))

    def values(self, before: Passes | None = None) -> list[float] | None:
        """Return the average result of each seat in the passes, from 0 to 1.

        Passes that `before` counts are omitted. None if no pass remains.
        """
        counted = self.counted - (before.counted if before else 0)
        old = before.gained if before else [0] * len(self.gained)
        if not counted:
            return None
        pairs = zip(self.gained, old, strict=True)
        return [(now - then) / (counted * WHOLE) for now, then in pairs]


def logarithm(number: int) -> float:
    """Return about the logarithm of a number of at least 1 to base 2.

    Between powers of two it is a straight line, so that it is the same everywhere.
    """
    whole = number.bit_length() - 1
    return whole + (number / (1 << whole) - 1.0)


def exploration_of(program: ir.Program) -> float:
    """Return how much what was seldom tried is tried: less where passes say more."""
    return 0.25 if unfinished_of(program) < 1.0 else EXPLORATION


def is_solved(program: ir.Program) -> bool:
    """Return whether a search proves the winner once it has examined everything.

    That is where two play without chance and secrets, one after the other.
    """
    at_once = any(phase.together for phase in program.phases.values())
    plain = not at_once and not hides(program) and not stream_tags(program)
    return plain and program.seats == 2


def only_ends_tell(program: ir.Program) -> bool:
    """Return whether a search can prove the winner, and has no other measure.

    Then whole games belong into its tree, and each tells about all its choices.
    """
    return is_solved(program) and not program.bot_ranking.keys


def unfinished_of(program: ir.Program) -> float:
    """Return in what part of all values, the middle one, those of open games lie.

    Without chance and secrets that is between all losses and all wins. Otherwise a win
    in an imagined game is worth no more than a large lead.
    """
    certain = not hides(program) and not stream_tags(program)
    return 0.5 if certain and program.bot_ranking.keys else 1.0
