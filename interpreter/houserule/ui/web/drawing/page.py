"""The page of a seat, whole or only the part that changes."""

from __future__ import annotations

from houserule.base.frozen import frozen
from houserule.base.source import visible
from houserule.play.seat.faces import end_lines, reason_lines
from houserule.ui.web.drawing.areas import SeatLook, shown_areas
from houserule.ui.web.drawing.players import headline, results, shown_players
from houserule.ui.web.drawing.pointing import Pointing
from houserule.ui.web.drawing.redrawing import Redrawing
from houserule.ui.web.drawing.seat_page import SeatPage, ShownFilm
from houserule.ui.web.drawing.tale import shown_tale
from houserule.ui.web.records.courses import Course
from houserule.ui.web.templating import macros, render


def table_page(view: SeatPage) -> str:
    """Return the page of a seat as a whole HTML document."""
    return _drawn("table.html", view)


def table_part(view: SeatPage) -> str:
    """Return the part that changes: its `<main id="table">`."""
    return _drawn("table_part.html", view)


def replay_page(view: SeatPage, film: ShownFilm) -> str:
    """Return a finished game after one of its choices, as a whole document."""
    return _drawn("replay.html", view, film=film)


def replay_part(view: SeatPage, film: ShownFilm) -> str:
    """Return the part of that page that changes: its `<main id="table">`."""
    return _drawn("replay_part.html", view, film=film)


def _drawn(template: str, view: SeatPage, **more: object) -> str:
    moment = view.moment
    pointing = Pointing(view.base, view.step, view.about, view.before, view.hinted)
    look = SeatLook(moment.position)
    areas = shown_areas(moment.position, look, view.step)
    acting = [look.name(seat) for seat in moment.acting]
    reasons = view.why.reasons if view.why else ()
    about = view.step.about if view.step else ()
    absent = [look.name(seat) for seat in moment.acting if seat in view.absent]
    redrawn = Redrawing(view.language, look, pointing, about)
    signs = macros("table_signs.html", view.language, look=look, redrawn=redrawn)
    page = render(
        template,
        view.language,
        "web",
        signs=signs,
        redrawn=redrawn,
        view=view,
        moment=moment,
        step=view.step,
        viewer=moment.position.viewer,
        pointing=pointing,
        folded=pointing.folded([each.area.key for each in areas if not each.supply]),
        look=look,
        areas=[each for each in areas if not each.supply],
        supplies=[each for each in areas if each.supply],
        players=shown_players(view, pointing),
        heading=headline(moment, view.language),
        results=results(moment),
        curves=curves_of(view.course),
        tale=shown_tale(view.log, len(moment.log), whole=view.whole_log),
        acting=", ".join(acting),
        waiting_for_absent=", ".join(absent),
        reasons=[(each, reason_lines(each, view.language)) for each in reasons],
        end_lines=end_lines(moment.ended, view.language) if moment.ended else (),
        **more,
    )
    return visible(page)  # bidirectional controls are made visible


# ---- the points of a finished game as a curve for each seat

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
