"""What would hold without some house rules: the table is composed without them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from houserule.engine.choices import Choice
from houserule.engine.play.game import ReferenceGame
from houserule.ir import Program
from houserule.prepare import Programs, TableChoice
from houserule.record.names import choice_of, words_of
from houserule.seat.reasons.carried import carried_over
from houserule.state.faults import RuleFault

if TYPE_CHECKING:
    from houserule.seat.rules import TableRules


def legal_without(
    units: Iterable[str], rules: TableRules, game: ReferenceGame, choice: Choice
) -> bool | None:
    """Say whether a choice would be legal without some house rules.

    What needs them goes with them. None where that is no table, or where the position
    is not one of that table.
    """
    gone = {name for unit in units for name in unit.split("+")}
    if not gone or game.decision is None:
        return None
    program = _program_without(rules, gone)
    other = carried_over(game, program) if program is not None else None
    if other is None or other.decision is None:
        return None
    site = game.decision.site
    if (other.decision.seat, other.decision.kind) != (
        game.decision.seat,
        game.decision.kind,
    ):
        return None
    try:
        same = choice_of(words_of(choice, site, game.program), site, other.program)
        return not other.refusals(same)
    except (ValueError, RuleFault):
        return None


def _program_without(rules: TableRules, gone: set[str]) -> Program | None:
    """Return the program of the table without some variants; None if there is none."""
    from houserule.compose.tables.feature_model import features_of

    chosen, features = rules.chosen, features_of(rules.ruleset)
    kept = set(chosen.variants) - gone
    for each in features.relations:
        if each.kind in {"requires", "implies"} and not each.wanted <= kept:
            kept -= each.user & kept if each.user <= kept else set()
    choice = TableChoice(
        with_=tuple(sorted(kept)),
        without=tuple(sorted(set(chosen.variants) - kept)),
        players=chosen.players,
    )
    programs = rules.ruleset.derived(Programs)
    program = programs.prepare(choice).program
    if program is None:
        return None
    settings = {
        name: value for name, value in chosen.options.items() if name in program.options
    }
    return programs.prepare(replace(choice, settings=settings)).program
