"""Common code of all front ends: seat signs, marks, reasons, scores."""

from __future__ import annotations

from houserule.base.resources import Phrases
from houserule.play.seat.seat_model import (
    GameEnded,
    MoveReason,
    PieceMark,
    SeatScore,
    SeenFact,
)

SIGNS = "●▲■◆✚★⬟⬢"
BOARD = "board "


def sign(seat: int) -> str:
    """Return the sign of a seat; if there are more seats than signs, signs repeat."""
    return SIGNS[seat % len(SIGNS)]


def marks(mark: PieceMark, area: str, piece: str) -> bool:
    """Return whether a mark means a component of an area.

    A mark names the zone of the component; the areas of a zone may have a seat after
    the name. A board shows components of any zone.
    """
    return mark.piece == piece and marks_within(mark, area)


def marks_within(mark: PieceMark, area: str) -> bool:
    """Return whether a mark may mean any component of an area."""
    return mark.area == area.partition("(")[0] or area.startswith(BOARD)


def reason_lines(reason: MoveReason, language: str) -> list[str]:
    """Return the lines that explain a reason, one sentence each."""
    words = Phrases("seat", language)
    said = [reason.says] if reason.says else []
    if reason.hidden:
        said.append(words.say("hidden_decides"))
    for reading in reason.readings:
        phrase = "why_hidden" if reading.hidden else "reading"
        said.append(words.say(phrase, what=reading.what, value=reading.value))
    said += reason.printed
    if reason.changed_by:
        rules = ", ".join(reason.changed_by)
        said.append(words.say("why_changed", rules=rules))
    if reason.without is not None:
        same = "why_without_not" if reason.holds else "why_without_same"
        could = "why_without_legal_too" if reason.holds else "why_without_legal"
        said.append(words.say(could if reason.without else same))
    return said


def end_lines(ended: GameEnded, language: str) -> list[str]:
    """Return the lines about the end of a game, other than the cause and the winner."""
    told = f"{ended.why} {ended.result}"
    said = (each.model_copy(update={"readings": ()}) for each in ended.clauses)
    lines = (line for each in said for line in reason_lines(each, language))
    return [line for line in dict.fromkeys(lines) if line.rstrip(".") not in told]


def points_of(score: SeatScore) -> tuple[str, tuple[SeenFact, ...]]:
    """Return a seat's score and its parts; a single part is named with the score."""
    match score.parts:
        case [part] if part.value.text == score.points:
            return f"{part.name}: {score.points}", ()
        case parts:
            return score.points, parts
