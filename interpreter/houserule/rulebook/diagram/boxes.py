"""Boxes of known size: layout and style of a diagram's parts.

A box draws itself at its place. A series is stacked, free parts are arranged side by
side in rows, a tangle in layers. Sizes are in pixels; the width of a text is estimated
generously. House rules have colours for light and dark backgrounds.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import TypeAlias

from houserule.base.frozen import frozen, slotted

LETTER, WIDTHS = 7.0, {"name": 7.8, "small": 5.9}  # of one letter, by style
LINE, PAD, GAP = 17.0, 10.0, 22.0
ARROW = 34.0  # the height of an arrow between two parts
ARCH = 12.0  # room above boxes for arcs between them
WIDEST_ROW = 1040.0

Point: TypeAlias = tuple[float, float]


@frozen
class TextLine:
    """A line of text in a box, with the class that sets its style."""

    text: str
    look: str = "text"

    @property
    def width(self) -> float:
        return len(self.text) * WIDTHS.get(self.look, LETTER)


@slotted
class Box:
    """A rectangle with a size, and later a place.

    Attributes:
        paint: draws it, once it has its place.
        inside: inner boxes with their relative places.
    """

    width: float
    height: float
    paint: Callable[[Box], Iterable[str]]
    inside: list[tuple[Point, Box]] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0

    @property
    def top(self) -> Point:
        """The middle of the upper edge."""
        return self.x + self.width / 2, self.y

    @property
    def bottom(self) -> Point:
        """The middle of the lower edge."""
        return self.x + self.width / 2, self.y + self.height

    def place(self, x: float, y: float) -> None:
        """Set the places of this box and all inner boxes."""
        self.x, self.y = x, y
        for (right, down), box in self.inside:
            box.place(x + right, y + down)

    def drawn(self) -> list[str]:
        """Return the SVG of this box, followed by its inner boxes."""
        return [
            *self.paint(self),
            *(line for _, box in self.inside for line in box.drawn()),
        ]


def wrapped(text: str, look: str, columns: int, deeper: str = "") -> list[TextLine]:
    """Return a text as lines of at most `columns` letters."""
    lines = textwrap.wrap(text, columns, subsequent_indent=deeper)
    return [TextLine(line, look) for line in lines]


def nothing(_box: Box) -> Iterable[str]:
    """Draw nothing: the box only contains others."""
    return ()


def stacked(boxes: Sequence[Box], gap: float, least: float = 0.0) -> Box:
    """Return boxes stacked and centred, at least `least` wide."""
    width = max(least, *(box.width for box in boxes))
    whole, down = Box(width, 0.0, nothing), 0.0
    for box in boxes:
        whole.inside.append((((width - box.width) / 2, down), box))
        down += box.height + gap
    whole.height = down - gap
    return whole


def in_rows(boxes: Sequence[Box]) -> Box:
    """Return boxes side by side, in rows of similar width."""
    rows = _filled(boxes, WIDEST_ROW)
    whole = sum(box.width + GAP for box in boxes)
    level = _filled(boxes, max(whole / len(rows), WIDEST_ROW / 2))
    best = level if len(level) == len(rows) else rows
    shown = []
    for some in best:
        row, right = Box(0.0, max(box.height for box in some), nothing), 0.0
        for box in some:
            row.inside.append(((right, 0.0), box))
            right += box.width + GAP
        row.width = right - GAP
        shown.append(row)
    return stacked(shown, GAP + ARCH)


def _filled(boxes: Sequence[Box], widest: float) -> list[list[Box]]:
    rows: list[list[Box]] = [[]]
    for box in boxes:
        wide = sum(each.width + GAP for each in rows[-1]) + box.width
        if rows[-1] and wide > widest:
            rows.append([])
        rows[-1].append(box)
    return rows


def framed(
    lines: Sequence[TextLine],
    content: Box | None,
    paint: Callable[[Box], Iterable[str]],
    below: Sequence[TextLine] = (),
) -> Box:
    """Return a box with header lines, an inner box, and footer lines."""
    texts = (*lines, *below)
    width = max((line.width for line in texts), default=0.0)
    down = PAD + len(lines) * LINE
    box = Box(0.0, 0.0, paint)
    if content is not None:
        width = max(width, content.width)
        down += PAD if lines else 0.0
        box.inside.append(((PAD + (width - content.width) / 2, down), content))
        down += content.height
    down += (PAD if content is not None and below else 0.0) + len(below) * LINE
    box.width, box.height = width + 2 * PAD, down + PAD
    return box


# ---- colours


@frozen
class Colours:
    """A colour for light backgrounds, for dark ones, and for both."""

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
    """Return the colours of a house rule by its number, from 1; they repeat."""
    return PALETTE[(number - 1) % len(PALETTE)]


# ---- SVG

LIGHT = {"ground": "#ffffff", "ink": "#1f2328", "quiet": "#59636e", "line": "#8c959f"}
DARK = {"ground": "#0d1117", "ink": "#e6edf3", "quiet": "#9198a1", "line": "#6e7681"}
STEP = {"light": "#f6f8fa", "dark": "#161b22"}


def style_of(units: int) -> str:
    """Return the style of a drawing with `units` house rules, also on dark ground."""
    some = PALETTE[:units]
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
        *_looks(LIGHT, STEP["light"], [each.light for each in some]),
    ]
    looks = _looks(DARK, STEP["dark"], [each.dark for each in some])
    dark = f"@media (prefers-color-scheme:dark){{{''.join(looks)}}}"
    return f"<style>{''.join(rules)}{dark}</style>"


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
