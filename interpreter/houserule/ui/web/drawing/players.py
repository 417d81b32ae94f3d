"""Player cards: whose turn it is, scores and facts, counts of hidden things."""

from __future__ import annotations

from houserule.base.frozen import frozen
from houserule.base.resources import Phrases
from houserule.play.seat.faces import points_of
from houserule.play.seat.layout import PLAYERS
from houserule.play.seat.seat_model import Moment, SeatName, SeatScore, SeenFact
from houserule.ui.web.drawing.areas import player_rows
from houserule.ui.web.drawing.pointing import PointedAt, Pointing
from houserule.ui.web.drawing.seat_page import SeatPage


@frozen
class ShownPlayer:
    """One seat as a card.

    Attributes:
        acting, viewer, absent: whether it must decide, is the viewer, is away.
        points: the total; empty if it is hidden.
        counted: what the points are, if they have one part; else empty.
        parts: the parts of the points, except those shown as facts.
        pointed: the effect of a click.
    """

    seat: SeatName
    acting: bool
    viewer: bool
    absent: bool
    points: str
    counted: str
    parts: tuple[SeenFact, ...]
    facts: tuple[SeenFact, ...]
    pointed: PointedAt | None


def shown_players(view: SeatPage, pointing: Pointing) -> list[ShownPlayer]:
    """Return the seats as cards, in order."""
    moment = view.moment
    scores = {each.seat: each for each in moment.scores}
    rows = {row.head.seat: (chart, row) for chart, row in player_rows(moment.position)}
    shown = []
    for each in moment.position.seats:
        facts: list[SeenFact] = []
        pointed = None
        if each.seat in rows:
            chart, row = rows[each.seat]
            named = zip(chart.columns, row.cells, strict=True)
            facts += (
                SeenFact(name=name, value=cell)
                for name, cell in named
                if cell.text or cell.seat is not None
            )
            pointed = pointing.thing(PLAYERS, (row.key,))
        points = counted = ""
        parts: tuple[SeenFact, ...] = ()
        if each.seat in scores and scores[each.seat].points:
            score = scores[each.seat]
            # No fact repeats the points or one of their parts.
            points, (_, every) = score.points, points_of(score)
            if not every:
                only = {(part.name, points) for part in score.parts}
                facts = [e for e in facts if (e.name, e.value.text) not in only]
            known = {(fact.name, fact.value.text) for fact in facts}
            parts = tuple(e for e in every if (e.name, e.value.text) not in known)
            if len(score.parts) == 1:
                counted = score.parts[0].name
        shown.append(
            ShownPlayer(
                seat=each,
                acting=each.seat in moment.acting,
                viewer=each.seat == moment.position.viewer,
                absent=each.seat in view.absent,
                points=points,
                counted=counted,
                parts=parts,
                facts=tuple(facts),
                pointed=pointed,
            )
        )
    return shown


@frozen
class SeatResult:
    """A line of the results of a game.

    Attributes:
        place: the place; 0 if the rules rank nobody.
        score: its points with their parts; None if the rules count none.
    """

    place: int
    seat: SeatName
    won: bool
    score: SeatScore | None


def results(moment: Moment) -> list[SeatResult]:
    """Return the results of a finished game, the best first; [] for any other game."""
    ended = moment.ended
    if ended is None:
        return []
    scores = {each.seat: each for each in moment.scores}
    lines = [
        SeatResult(
            ended.places[each.seat] if ended.places else 0,
            each,
            each.seat in ended.winners,
            scores.get(each.seat),
        )
        for each in moment.position.seats
    ]
    return sorted(lines, key=lambda each: (each.place, not each.won))


def headline(moment: Moment, language: str) -> str:
    """Return the heading of a page: who won, else the turn and the question."""
    ended, words = moment.ended, Phrases("web", language)
    if ended is None:
        return moment.heading
    names = [e.name for e in moment.position.seats if e.seat in ended.winners]
    if ended.winners == (moment.position.viewer,):
        return words.say("head_own")
    if names:
        return words.say("head_won", who=", ".join(names), count=len(names))
    none = {"won": "won_by_none", "drawn": "head_drawn", "stalled": "stalled"}
    return words.say(none[ended.kind])
