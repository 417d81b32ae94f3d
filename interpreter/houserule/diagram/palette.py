"""Colours for house rules, readable on light and on dark ground."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Colours:
    """One colour on light ground, on dark ground, and on either."""

    light: str
    dark: str
    both: str


PALETTE = (
    Colours("#b3401a", "#ff9b70", "#d9623a"),
    Colours("#1f5fa8", "#7db8ff", "#3f86d6"),
    Colours("#2d7a36", "#7fd38a", "#46a352"),
    Colours("#8a3fa0", "#d99bee", "#b065c8"),
    Colours("#8a6400", "#e6bf55", "#b98d1e"),
    Colours("#00757a", "#66cfd4", "#1f9ea4"),
    Colours("#a82458", "#ff8fb8", "#d4507f"),
    Colours("#5a5f00", "#c8cf5a", "#8f961f"),
)
CHANGED_BORDER = "stroke-width:3px"


def colours_of(number: int) -> Colours:
    """Return the colours of a house rule by its number, from 1; they go round."""
    return PALETTE[(number - 1) % len(PALETTE)]
