"""What a name can stand for: the things of a game, and the parts of its flow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from houserule.ir import Param
from houserule.ir.types import Data, Kind, Type
from houserule.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class TypeThing:
    """A type: an enumeration, a named range, components, dice, `Player`."""

    name: str
    span: Span
    said = "a type"


@dataclass(frozen=True, slots=True)
class MemberThing:
    """A member of an enumeration, or a die."""

    name: str
    value: int
    kind: Kind
    span: Span
    said = "a name"


@dataclass(frozen=True, slots=True)
class OptionThing:
    """An option, with the value that the table chose."""

    name: str
    value: Data
    type: Type
    span: Span
    said = "an option"


@dataclass(frozen=True, slots=True)
class StateThing:
    """A state and its keys; `life` is the phase of `each`, or ''."""

    name: str
    keys: tuple[Param, ...]
    type: Type
    life: str
    span: Span
    said = "a state"


@dataclass(frozen=True, slots=True)
class ZoneThing:
    """A zone and its keys."""

    name: str
    keys: tuple[Param, ...]
    form: Literal["set", "pile", "slot"]
    member: Kind
    span: Span
    at_most: int | None = None
    said = "a zone"


@dataclass(frozen=True, slots=True)
class SlotThing:
    """A place where tokens of a family may lie."""

    name: str
    keys: tuple[Param, ...]
    family: str
    span: Span
    amount: int = 0
    said = "a place of tokens"


@dataclass(frozen=True, slots=True)
class ValueThing:
    """A declared value."""

    name: str
    keys: tuple[Param, ...]
    type: Type
    span: Span
    said = "a value"


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A name that the language itself declares."""

    name: str
    span: Span = NOWHERE
    said = "a built-in name"


Thing: TypeAlias = (
    TypeThing
    | MemberThing
    | OptionThing
    | StateThing
    | ZoneThing
    | SlotThing
    | ValueThing
    | BuiltIn
)

BUILT_IN_FUNCTIONS = (
    "size",
    "min",
    "max",
    "abs",
    "first_of",
    "seat",
    "clockwise",
    "reversed",
    "snaking",
    "can",
    "nth",
)
BUILT_IN_NAMES = ("players", "everyone", "doing", "me")


@dataclass(frozen=True, slots=True)
class FlowThing:
    """A phase, a step, an action, an effect, a reaction and the like."""

    name: str
    what: Literal[
        "phase",
        "step",
        "action",
        "effect",
        "reaction",
        "adjustment",
        "invariant",
        "warning",
    ]
    span: Span

    @property
    def said(self) -> str:
        """What it is, in words."""
        return f"{'an' if self.what[0] in 'aei' else 'a'} {self.what}"
