"""The clauses that ended a game, as front ends show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import Condition
from houserule.play.narration.visibility import ViewerVisibility
from houserule.play.narration.wording import Wording
from houserule.play.seat.reasons.clause_reasons import ClauseReasons
from houserule.play.seat.reasons.endings import Ending
from houserule.play.seat.seat_model import MoveReason

if TYPE_CHECKING:
    from houserule.play.seat.rules import TableRules


def clauses_of_end(
    rules: TableRules, game: ReferenceGame, words: Wording
) -> tuple[MoveReason, ...]:
    """Return the clauses that ended a game.

    For a draw, these are its reasons; otherwise the phase that ended or reached its
    bound, and the clause that decides who wins. A clause that ended the game directly
    is not recorded. Anything hidden from some seat is omitted.

    Raises:
        ValueError: the game is not over.
    """
    outcome = game.outcome
    if outcome is None:
        raise ValueError("the game is not over")
    ending, reasons = Ending(game, words), ClauseReasons(rules, words)
    if outcome.kind == "drawn":
        held = [each for each in game.program.draws if each.address in outcome.drawn_by]
        return tuple(_drawn(each, game, ending, reasons) for each in held)
    if outcome.kind == "stalled":
        phase = game.program.phases[outcome.stalled_in]
        return (reasons.reason(phase.name, True, ending.stalled(phase)),)
    last, winners = ending.last(), reasons.captioned("winners")
    found = [] if last is None else [reasons.reason(last.name, True, ending.won())]
    return (*found, winners) if winners.says or winners.printed else tuple(found)


def _drawn(
    reason: Condition, game: ReferenceGame, ending: Ending, reasons: ClauseReasons
) -> MoveReason:
    """Return a reason for a draw, with its readings."""
    if not ViewerVisibility(game, None).expression(reason):
        return reasons.captioned(reason.address, hidden=True)
    return reasons.condition(reason, True, ending.scope, {})
