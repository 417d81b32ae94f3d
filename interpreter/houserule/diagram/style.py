"""Style: colours for house rules, and the looks of an SVG, on light and dark ground."""

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


# ---- SVG

LIGHT = {"ground": "#ffffff", "ink": "#1f2328", "quiet": "#59636e", "line": "#8c959f"}
DARK = {"ground": "#0d1117", "ink": "#e6edf3", "quiet": "#9198a1", "line": "#6e7681"}
STEP = {"light": "#f6f8fa", "dark": "#161b22"}


def style_of(units: int) -> str:
    """Return the style of a drawing with so many house rules."""
    rules = [
        ".words{font:12px system-ui,sans-serif;white-space:pre}",
        ".name{font-weight:600}",
        ".small{font-size:10px}",
        ".phase{fill:none;stroke-width:1.5}",
        ".step{stroke-width:1}",
        ".group{fill:none;stroke-dasharray:2 4}",
        ".changed{stroke-width:2.5}",
        ".edge{fill:none;stroke-width:1.5}",
        ".released{fill:none;stroke-width:1.5;stroke-dasharray:5 4}",
        *_looks(LIGHT, STEP["light"], [colours_of(n + 1).light for n in range(units)]),
    ]
    dark = _looks(DARK, STEP["dark"], [colours_of(n + 1).dark for n in range(units)])
    media = f"@media (prefers-color-scheme:dark){{{''.join(dark)}}}"
    return f"<style>{''.join(rules)}{media}</style>"


def _looks(ground: dict[str, str], step: str, units: list[str]) -> list[str]:
    line, ink, quiet = ground["line"], ground["ink"], ground["quiet"]
    rules = [
        f".ground{{fill:{ground['ground']}}}",
        f".words{{fill:{ink}}}",
        f".quiet{{fill:{quiet}}}",
        f".phase,.step,.group,.edge,.released{{stroke:{line}}}",
        f".step{{fill:{step}}}",
        f".tip{{fill:{line}}}",
    ]
    for number, colour in enumerate(units, 1):
        unit = f"unit{number}"
        rules.append(f".words.{unit},.tip.{unit}{{fill:{colour}}}")
        strokes = ",".join(
            f".{kind}.{unit}" for kind in ("phase", "step", "edge", "released")
        )
        rules.append(f"{strokes}{{stroke:{colour}}}")
    return rules
