"""The points of a finished game as a curve for each seat."""

from __future__ import annotations

from houserule.base.frozen import frozen
from houserule.ui.web.records.courses import Course

WIDE, HIGH, SIGN = 300.0, 100.0, 11.0


@frozen
class SeatCurve:
    """A seat's points in the course of a game.

    Attributes:
        path: the line, as the data of an SVG path.
        y: the middle of the seat's sign at its end; signs do not overlap.
    """

    seat: int
    path: str
    y: float


@frozen
class PointCurves:
    """The curves of all seats.

    Attributes:
        low, high: the fewest and the most points.
        marks: the place of each costly choice.
    """

    curves: tuple[SeatCurve, ...]
    low: int
    high: int
    marks: tuple[float, ...]


def curves_of(course: Course | None) -> PointCurves | None:
    """Return the curves of a game; None if it counts no points."""
    if course is None or not course.points:
        return None
    every = [points for line in course.points for points in line]
    low, high = min(every), max(every)
    across, up = WIDE / max(course.at[-1], 1), HIGH / max(high - low, 1)
    ends = [HIGH - (line[-1] - low) * up for line in course.points]
    free = -SIGN
    at = dict.fromkeys(range(len(ends)), 0.0)
    for seat in sorted(at, key=lambda each: ends[each]):
        free = at[seat] = max(ends[seat], free + SIGN)
    too_low = max(0.0, free - HIGH)
    curves = tuple(
        SeatCurve(
            seat,
            "M"
            + "L".join(
                f"{n * across:.1f} {HIGH - (points - low) * up:.1f}"
                for n, points in zip(course.at, line, strict=True)
            ),
            round(at[seat] - too_low, 1),
        )
        for seat, line in enumerate(course.points)
    )
    costly = (turn.n for turn in course.turns if turn.kind == "choice")
    marks = tuple(round((n - 0.5) * across, 1) for n in costly)
    return PointCurves(curves, low, high, marks)
