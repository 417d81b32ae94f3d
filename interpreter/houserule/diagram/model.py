"""What there is to draw: phases with their steps and actions, order, and who did it.

`added` names the units (variants, bridges) that brought something in, none for what the
base game has; `changed` those that edit it. A unit is named by its id.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from houserule.diagram.order import Arrangement


@dataclass(frozen=True, slots=True)
class DiagramUnit:
    """A variant or a bridge of the table."""

    id: str
    kind: str  # "variant" or "bridge"
    title: str


@dataclass(frozen=True, slots=True)
class Hands:
    """Who had a hand in something."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiagramAction:
    """An action as it may be taken; `by` says who takes it, if not the seat in turn."""

    name: str
    caption: str
    by: str
    hands: Hands
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiagramStep:
    """A step. `mode` is how often it may be used, "automatic" if it runs by itself."""

    name: str
    caption: str
    mode: str
    conditions: tuple[str, ...]
    actions: tuple[DiagramAction, ...]
    hands: Hands
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """`before` comes before `after`, or did before some units released it."""

    before: str
    after: str
    by: tuple[str, ...]  # empty: the base game says so


@dataclass(frozen=True, slots=True)
class DiagramPhase:
    """A phase and all that stands in it.

    Attributes:
        conditions: in words, over what it runs, until when, whether at all.
        actions: those that may be taken anywhere in it.
        order: what directly comes before what.
        released: all that came before, and need not any more.
        drawn: those released edges that the others follow from.
    """

    name: str
    caption: str
    conditions: tuple[str, ...]
    actions: tuple[DiagramAction, ...]
    items: tuple[Item, ...]
    arrangement: Arrangement | None  # None: nothing stands in it
    order: tuple[Edge, ...]
    released: tuple[Edge, ...]
    drawn: tuple[Edge, ...]
    hands: Hands
    cites: tuple[str, ...]

    def item(self, name: str) -> Item:
        """Return the step or phase of that name that stands directly in this one."""
        return next(item for item in self.items if item.name == name)

    def edge(self, before: str, after: str) -> Edge:
        """Return the direct edge between two items."""
        wanted = (before, after)
        return next(e for e in self.order if (e.before, e.after) == wanted)


Item: TypeAlias = DiagramStep | DiagramPhase


@dataclass(frozen=True, slots=True)
class Removed:
    """Something that the base game has, and this table has not."""

    name: str
    kind: str  # "phase", "step" or "action"
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Diagram:
    """The flow of one table; `root` is the game itself, or the phase asked for."""

    game: str
    title: str
    players: int
    language: str
    units: tuple[DiagramUnit, ...]
    root: DiagramPhase
    removed: tuple[Removed, ...]

    def title_of(self, unit: str) -> str:
        """Return what people call a unit."""
        return next((u.title for u in self.units if u.id == unit), unit)

    def phases(self) -> list[DiagramPhase]:
        """Return every phase that is drawn, outer ones first, the root among them."""
        return list(_phases(self.root))

    def all_hands(self) -> Iterator[Hands]:
        """Yield who had a hand in each phase, step and action."""
        for phase in self.phases():
            yield phase.hands
            yield from (action.hands for action in phase.actions)
            for item in phase.items:
                if isinstance(item, DiagramStep):
                    yield item.hands
                    yield from (action.hands for action in item.actions)


def _phases(phase: DiagramPhase) -> Iterator[DiagramPhase]:
    yield phase
    for item in phase.items:
        if isinstance(item, DiagramPhase):
            yield from _phases(item)
