"""A small game in which everything can happen that a choice may not be undone over."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.support.small_games import ruleset as small_ruleset

from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import TableChoice, prepare
from houserule.language.manifest.load import open_ruleset
from houserule.play.seat.rules import TableRules

CHEST = Path(__file__).parents[1] / "cases" / "sitting" / "chest"


@cache
def rules_of(folder: Path, players: int | None = None) -> TableRules:
    ruleset = open_ruleset(folder)
    found = prepare(ruleset, TableChoice(players=players), for_play=True)
    assert found.table is not None
    assert found.program is not None, found.diagnostics
    return TableRules(ruleset, found.table, found.program)


def chest(players: int = 2) -> TableRules:
    return rules_of(CHEST, players)


def shipped(name: str, players: int | None = None) -> TableRules:
    return rules_of(shipped_rulesets()[name], players)


def small(name: str) -> TableRules:
    return rules_of(small_ruleset(name).folder)
