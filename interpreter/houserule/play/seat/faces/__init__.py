"""What all faces do alike: signs of seats, what a mark means, reasons, scores."""

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
    """Return the sign of a seat; with more seats than signs they go round."""
    return SIGNS[seat % len(SIGNS)]


def marks(mark: PieceMark, area: str, piece: str) -> bool:
    """Say whether a mark means a thing of an area.

    A mark names the zone in which a thing lies, whose areas may have their seats behind
    the name; on a board things stand whatever zone they are in.
    """
    return mark.piece == piece and marks_within(mark, area)


def marks_within(mark: PieceMark, area: str) -> bool:
    """Say whether a mark may mean a thing of an area, whichever."""
    return mark.area == area.partition("(")[0] or area.startswith(BOARD)


def reason_lines(reason: MoveReason, language: str) -> list[str]:
    """Return what there is to say of a reason, a sentence a line."""
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
    """Return what there is to say of what ended a game, besides why and who won."""
    told = f"{ended.why} {ended.result}"
    said = (each.model_copy(update={"readings": ()}) for each in ended.clauses)
    lines = (line for each in said for line in reason_lines(each, language))
    return [line for line in dict.fromkeys(lines) if line.rstrip(".") not in told]


def points_of(score: SeatScore) -> tuple[str, tuple[SeenFact, ...]]:
    """Return what a seat has, and its parts; a single part says what is counted."""
    match score.parts:
        case [part] if part.value.text == score.points:
            return f"{part.name}: {score.points}", ()
        case parts:
            return score.points, parts
