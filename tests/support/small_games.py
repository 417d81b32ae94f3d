"""The small games of `tests/cases/play`, loaded and prepared for tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from houserule.compiler.prepare import TableChoice, prepare
from houserule.compiler.rules import ChosenTable
from houserule.ir import Program
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset

PLAY = Path(__file__).parents[1] / "cases" / "play"


@cache
def ruleset(name: str) -> LoadedRuleset:
    found, _ = load_ruleset(PLAY / name)
    assert found is not None
    return found


def prepared(
    name: str, choice: TableChoice | None = None
) -> tuple[ChosenTable, Program]:
    result = prepare(ruleset(name), choice or TableChoice())
    assert result.table is not None
    assert result.program is not None
    return result.table, result.program


@cache
def program(name: str, players: int | None = None) -> Program:
    return prepared(name, TableChoice(players=players))[1]
