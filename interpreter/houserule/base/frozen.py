"""Data classes with slots: `frozen` ones, and `slotted` ones that change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

MADE = TypeVar("MADE")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[MADE]) -> type[MADE]:
    """Make a class a `dataclass(frozen=True, slots=True)`."""
    return dataclass(frozen=True, slots=True)(cls)


@dataclass_transform(field_specifiers=(field,))
def slotted(cls: type[MADE]) -> type[MADE]:
    """Make a class a `dataclass(slots=True)`."""
    return dataclass(slots=True)(cls)
