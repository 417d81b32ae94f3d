"""The clauses by which a game has ended, as they are shown to people."""

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
    """Return the clauses by which a game that is over has ended.

    Of a game that is drawn those are its reasons; of another one the phase that came to
    its end, or to its bound, and what says who wins. A clause that asked for the end
    itself is not known any more. What some seat may not know stays untold.

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
    """Return a reason for which a game is drawn, with what it reads."""
    if not ViewerVisibility(game, None).expression(reason):
        return reasons.captioned(reason.address, hidden=True)
    return reasons.condition(reason, True, ending.scope, {})
