"""The clock of a table: how long a decision may take, and what happens then.

It is off until the host sets it. It runs for people only, and not in finished games.
"""

from __future__ import annotations

import time
from typing import Literal

from houserule.base.frozen import frozen

LENGTHS = {
    **{"15 s": 15, "30 s": 30, "1 min": 60, "2 min": 120, "5 min": 300},
    **{"15 min": 900, "1 h": 3_600, "1 d": 86_400, "3 d": 259_200},
}
"""The lengths that a host may choose, in seconds."""
LEAST = 5.0  # seconds for a decision of a seat whose time for the game is used up


@frozen
class Clock:
    """The setting of a clock.

    Attributes:
        per: what the time is for: each decision, or all decisions of a seat.
        then: who decides when it has run out: a bot, or the seat passes if it can.
    """

    per: Literal["decision", "seat"]
    seconds: int
    then: Literal["bot", "pass"]

    @classmethod
    def read(cls, text: str) -> Clock | None:
        """Return the clock that a text means; None for no clock, or a wrong text."""
        match text.split(" "):
            case [("decision" | "seat") as per, seconds, ("bot" | "pass") as then] if (
                seconds in map(str, LENGTHS.values())
            ):
                return cls(per, int(seconds), then)
            case _:
                return None

    def __str__(self) -> str:
        return f"{self.per} {self.seconds} {self.then}"


class RunningClock:
    """The times of a game at one table.

    Attributes:
        late: the seat whose time ran out last, until it decides itself; None if none.
    """

    def __init__(self) -> None:
        self.late: int | None = None
        self._used: dict[int, float] = {}
        self._asked: tuple[int, int] | None = None
        self._since = time.monotonic()

    def ask(self, seat: int | None, decisions: int) -> None:
        """Note who must decide, after a number of decisions; None is nobody."""
        asked = None if seat is None else (seat, decisions)
        if asked == self._asked:
            return
        now = time.monotonic()
        if self._asked is not None:
            before = self._asked[0]
            self._used[before] = self._used.get(before, 0.0) + now - self._since
        self._asked, self._since = asked, now

    def due(self, clock: Clock) -> float | None:
        """Return when the time runs out, in seconds of the monotonic clock."""
        if self._asked is None:
            return None
        left = float(clock.seconds)
        if clock.per == "seat":
            left = max(LEAST, left - self._used.get(self._asked[0], 0.0))
        return self._since + left
