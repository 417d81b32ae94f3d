"""The page of a game that is over, at one of its choices."""

from __future__ import annotations

from urllib.parse import urlencode

from houserule.frozen import frozen


@frozen
class ShownFilm:
    """Which part of a game is shown, for whom, and the addresses of others.

    Attributes:
        address: of the page, without a query.
        at, last: after how many choices of how many.
        number: which game of its table it is.
        sight: as whom it is looked at: `own`, `everybody` or `open`.
        sights: as whom it may be.
        back: the address that one comes from.
    """

    address: str
    at: int
    last: int
    number: int
    sight: str
    sights: tuple[str, ...]
    back: str

    def to(self, at: int, sight: str = "") -> str:
        """Return the address of a time, and of another sight."""
        query = {"game": self.number, "as": sight or self.sight, "at": at}
        return f"{self.address}?{urlencode(query)}"

    @property
    def steps(self) -> tuple[tuple[str, int | None], ...]:
        """Where links lead on to: the beginning, one back, one on, the end."""
        back, on = self.at > 0, self.at < self.last
        return (
            ("first", 0 if back else None),
            ("previous", self.at - 1 if back else None),
            ("following", self.at + 1 if on else None),
            ("final", self.last if on else None),
        )
