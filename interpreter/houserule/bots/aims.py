"""What a search can be asked besides its choice, and what its passes come to."""

from __future__ import annotations

from dataclasses import dataclass

WHOLE = 1 << 16
"""What a seat got of an imagined game is a number from 0 to this."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What the passes of a search are to tell, where it is not to find an option.

    Attributes:
        option: the number, among all options, of the one that every pass begins with;
            none where any may be.
        whole: whether games are played to their end, and who wins is all that counts.
    """

    option: int | None = None
    whole: bool = False


ANY = Aim()


@dataclass(slots=True)
class Passes:
    """The passes of a search, and what came of them.

    Attributes:
        made: how many there were.
        counted: those in which there was a game to play.
        gained: what each seat got of these, of `WHOLE` each.
    """

    made: int
    counted: int
    gained: list[int]

    def copy(self) -> Passes:
        """Return how it stands now."""
        return Passes(self.made, self.counted, list(self.gained))

    def values(self, before: Passes | None = None) -> list[float] | None:
        """Return what each seat got of a pass on average, from 0 to 1.

        Those of `before` are left out. None where there is no pass to tell of.
        """
        counted = self.counted - (before.counted if before else 0)
        old = before.gained if before else [0] * len(self.gained)
        if not counted:
            return None
        pairs = zip(self.gained, old, strict=True)
        return [(now - then) / (counted * WHOLE) for now, then in pairs]
