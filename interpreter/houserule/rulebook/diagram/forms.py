"""The output forms of a diagram: text, pictures, data for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from pydantic import Field

from houserule.base.plain import Plain
from houserule.base.source import visible
from houserule.rulebook.diagram.diagram_model import (
    Diagram,
    DiagramAction,
    DiagramEdge,
    DiagramPhase,
    DiagramStep,
    Hands,
)
from houserule.rulebook.diagram.mermaid import as_markdown, as_mermaid
from houserule.rulebook.diagram.svg import as_svg
from houserule.rulebook.diagram.text import as_text


class UnitReport(Plain):
    """A variant of the table, or an active bridge."""

    id: str
    kind: Literal["variant", "bridge"]
    title: str


class Drawn(Plain):
    """A drawn item, and the units that added or changed it."""

    name: str
    """The address."""
    caption: str
    added: list[str]
    """The unit that adds it; empty for the base game."""
    changed: list[str]
    """The units that edit it or a clause of it."""
    cites: list[str]
    """Its sources."""


class ActionReport(Drawn):
    """An action."""


class StepReport(Drawn):
    """A step and its actions."""

    kind: Literal["step"]
    title: str
    """Its name for players."""
    mode: Literal[
        "automatic",
        "any number",
        "at most once",
        "exactly once",
        "the first who claims",
    ]
    conditions: list[str]
    actions: list[ActionReport]


class EdgeReport(Plain):
    """One of two items comes before the other, or did."""

    before: str
    after: str
    by: list[str]
    """The units that declare it; empty for the base game."""


class PhaseReport(Drawn):
    """A phase, and its contents; the game itself has no name."""

    kind: Literal["phase"]
    title: str
    """Its name for players; empty for the game, which has a title."""
    conditions: list[str]
    """In words: what it repeats over, until when, and whether it runs."""
    actions: list[ActionReport]
    """Actions available anywhere in it."""
    items: list[PhaseReport | StepReport]
    """The items in a possible order."""
    order: list[EdgeReport]
    """The direct edges; the rest follows."""
    released: list[EdgeReport]
    """All edges that no longer apply."""


class RemovedReport(Plain):
    """Something of the base game that this table does not have."""

    name: str
    kind: Literal["phase", "step", "action"]
    title: str
    by: list[str]


class DiagramReport(Plain):
    """The flow of the game at one table."""

    game: str
    title: str
    players: int = Field(ge=1)
    units: list[UnitReport]
    root: PhaseReport
    removed: list[RemovedReport]


def report(diagram: Diagram) -> DiagramReport:
    return DiagramReport.model_validate(
        {
            "game": diagram.game,
            "title": diagram.title,
            "players": diagram.players,
            "units": [
                {"id": unit.id, "kind": unit.kind, "title": unit.title}
                for unit in diagram.units
            ],
            "root": _phase(diagram.root),
            "removed": [
                {
                    "name": each.name,
                    "kind": each.kind,
                    "title": each.title,
                    "by": list(each.by),
                }
                for each in diagram.removed
            ],
        }
    )


def _phase(phase: DiagramPhase) -> dict[str, object]:
    return {
        "kind": "phase",
        "title": phase.title,
        **_drawn(phase),
        "conditions": list(phase.conditions),
        "actions": [_drawn(action) for action in phase.actions],
        "items": [
            _phase(item)
            if isinstance(item, DiagramPhase)
            else {
                "kind": "step",
                "title": item.title,
                **_drawn(item),
                "mode": item.mode,
                "conditions": list(item.conditions),
                "actions": [_drawn(action) for action in item.actions],
            }
            for item in phase.items
        ],
        "order": _edges(phase.order),
        "released": _edges(phase.released),
    }


def _drawn(part: DiagramPhase | DiagramStep | DiagramAction) -> dict[str, object]:
    hands: Hands = part.hands
    return {
        "name": part.name,
        "caption": part.caption,
        "added": list(hands.added),
        "changed": list(hands.changed),
        "cites": list(part.cites),
    }


def _edges(edges: Iterable[DiagramEdge]) -> list[dict[str, object]]:
    return [{"before": e.before, "after": e.after, "by": list(e.by)} for e in edges]


FORMS: Mapping[str, Callable[[Diagram, int], str]] = {
    "text": lambda diagram, width: visible(as_text(diagram, width)),
    "svg": lambda diagram, _: visible(as_svg(diagram)),
    "mermaid": lambda diagram, _: visible(as_mermaid(diagram)),
    "markdown": lambda diagram, _: visible(as_markdown(diagram)),
    "json": lambda diagram, _: report(diagram).model_dump_json(indent=2),
}
"""By name: functions of a diagram and, for text, the number of columns."""
