"""Declarations of the core: components, state, zones, tokens, values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from houserule.ir.expressions import CoreNode, Expr
from houserule.ir.types import Data, Kind, Type

__all__ = [
    "ComponentDef",
    "LayerDef",
    "Param",
    "StateDef",
    "TokensDef",
    "ValueDef",
    "Visibility",
    "ZoneDef",
]

Visibility: TypeAlias = Literal["everyone", "nobody"]


@dataclass(frozen=True, slots=True)
class Param(CoreNode):
    """A parameter of a value or an effect: its slot is its place plus one."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class ComponentDef(CoreNode):
    """A kind with its rows: `labels` are the ids people write, `fields` the columns.

    `faces` is non-empty for dice. `seen` (of dice) is a set of seats, with the die in
    slot 1; None means everyone.
    """

    kind: Kind
    labels: tuple[str, ...]
    fields: Mapping[str, tuple[Type, tuple[Data, ...]]]
    faces: tuple[int, ...] = ()
    seen: Expr | None = None


@dataclass(frozen=True, slots=True)
class StateDef(CoreNode):
    """A family of cells. `life` is the phase whose entry restarts it, or ''.

    `first` is evaluated with the keys in slots 1…; `computed` tells that it is not a
    constant. Keys of set type are indexed by the bit pattern of the member ids.
    `seen` is a set of seats with the keys in slots 1…; None means everyone.
    """

    name: str
    keys: tuple[Param, ...]
    type: Type
    life: str
    first: Expr
    computed: bool
    seen: Expr | None = None


@dataclass(frozen=True, slots=True)
class ZoneDef(CoreNode):
    """A family of zones. `seen` None means everyone; 'nobody' is an empty set.

    `showing` lists the fields that all see even where the thing is hidden.
    `at_most` None means no limit. `starts` is a set, put there before play, by id.
    """

    name: str
    keys: tuple[Param, ...]
    kind: Literal["set", "pile", "slot"]
    member: Kind
    at_most: int | None
    showing: tuple[str, ...]
    starts: Expr | None
    seen: Expr | None


@dataclass(frozen=True, slots=True)
class TokensDef(CoreNode):
    """A conserved family: `amount` tokens for each key, all in the first slot at first.

    `slots` maps a slot's name to its key parameters; the family's keys come first or
    wherever `family_keys` says: for each slot, the places of the family's keys.
    """

    name: str
    keys: tuple[Param, ...]
    amount: int
    slots: Mapping[str, tuple[Param, ...]]
    family_keys: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class LayerDef(CoreNode):
    """One layer: its operation, then what contributes, by id (address, expression).

    An adjustment's expression has the value's keys in slots 1….
    """

    name: str
    op: Literal["times", "plus", "at least", "at most"]
    adjusts: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class ValueDef(CoreNode):
    """A pure definition; leaving its declared range is a fault."""

    name: str
    params: tuple[Param, ...]
    type: Type
    definition: Expr
    layers: tuple[LayerDef, ...]
    lifts: tuple[tuple[str, Expr], ...]  # yes also when one of these holds
    frame: int  # slots, `me` and parameters included

    @property
    def adjusted(self) -> bool:
        """Whether anything contributes to a layer: without house rules mostly not."""
        return any(layer.adjusts for layer in self.layers)
