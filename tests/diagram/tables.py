"""Tables of shipped games and of a small one, with their drawings and programs."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from houserule.compiler.compose.compose import compose
from houserule.compiler.prepare import TableChoice, prepare
from houserule.ir import Program
from houserule.language.manifest.load import load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.rulebook.diagram.build import draw
from houserule.rulebook.diagram.diagram_model import (
    Diagram,
    DiagramAction,
    DiagramPhase,
    DiagramStep,
)

ROOT = Path(__file__).parents[2]
FAIR = ROOT / "tests" / "cases" / "play" / "fair"


class Case(NamedTuple):
    """A game and a table of it."""

    game: str
    preset: str | None = None
    with_: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.game, self.preset or "", *self.with_)).strip()


CASES = (
    Case("fair"),
    Case("fair", "evening"),
    Case("fair", None, ("rain", "crowd")),
    Case("fair", None, ("any_way", "rain")),
    Case("x_pasch"),
    Case("x_pasch", "official"),
    Case("x_pasch", "goldsmith"),
    Case("pachisi", "german"),
    Case("pachisi", "french"),
    Case("pasha", "german"),
    Case("pasha", "italian"),
    Case("takeover"),
    Case("takeover", None, ("open_draft",)),
    Case("hex_board"),
    Case("pig"),
)


@cache
def ruleset_of(game: str) -> LoadedRuleset:
    folder = FAIR if game == "fair" else ROOT / "rulesets" / game
    found, faults = load_ruleset(folder)
    assert found is not None, faults
    return found


@cache
def drawing(
    case: Case, language: str = "en", phase: str | None = None
) -> tuple[Diagram, Program]:
    ruleset = ruleset_of(case.game)
    prepared = prepare(ruleset, TableChoice(preset=case.preset, with_=case.with_))
    assert prepared.table is not None
    assert prepared.program is not None, prepared.diagnostics
    rules, _ = compose(ruleset, prepared.table)
    assert rules is not None
    program = prepared.program
    return draw(ruleset, rules, program, language, phase), program


def steps_of(diagram: Diagram) -> list[DiagramStep]:
    return [
        item
        for phase in diagram.phases()
        for item in phase.items
        if isinstance(item, DiagramStep)
    ]


def actions_of(diagram: Diagram) -> list[DiagramAction]:
    holders: list[DiagramPhase | DiagramStep] = [*diagram.phases(), *steps_of(diagram)]
    return [action for holder in holders for action in holder.actions]
