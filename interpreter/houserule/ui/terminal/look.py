"""Appearance: seats' signs and colours, named styles, lines of segments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from io import StringIO
from typing import TypeAlias

from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from houserule.base.source import visible
from houserule.play.seat.faces import sign
from houserule.play.seat.seat_model import Phrase, SeatName
from houserule.ui.palette import BLUE, COLOURS, NAMED

Line: TypeAlias = list[Segment]
"""One row of the screen."""

SHORT = 24  # a text up to this width is not broken
KEPT = "\N{BRAILLE PATTERN BLANK}"  # a non-breaking space, until it is drawn

STYLES: Mapping[str, str] = {
    "title": "bold",
    "quiet": "dim",
    "new": "underline",
    "chosen": "reverse",
    "closed": "dim italic",
    "advice": "italic",
    "key": "bold",
}


def colour(name: SeatName) -> str:
    """Return the colour of a seat as `#rrggbb`: the game's, else by its number."""
    own = NAMED.get(name.colour or "")
    return own or COLOURS[name.seat % len(COLOURS)]


class Look:
    """Turns phrases into styled text for the seats of one game.

    Args:
        seats: the coloured seats; other signs have no colour.
    """

    def __init__(self, seats: tuple[SeatName, ...]) -> None:
        self._seats = {each.seat: each for each in seats}

    def sign(self, seat: int) -> Text:
        """Return the seat's sign in its colour."""
        known = self._seats.get(seat)
        return Text(sign(seat), style=colour(known) if known else "")

    def bar(self, seat: int | None) -> Style:
        """Return the bar style of a seat; without a seat, it is plain and reversed."""
        known = self._seats.get(seat) if seat is not None else None
        if known is None:
            return Style(reverse=True, bold=True)
        # All but one are light enough for black text. On that one, black has a contrast
        # below 4.5 : 1, so its text is white.
        ink = "#ffffff" if colour(known) == BLUE else "#000000"
        return Style.parse(f"bold {ink} on {colour(known)}")

    def phrase(self, phrase: Phrase) -> Text:
        """Return a phrase with its seat's sign before it, marked if it is new."""
        text = Text(phrase.text)
        if phrase.new:  # as a span, because the style of a whole text fills its cell
            text.stylize(style("new"))
        if phrase.seat is None:
            return text
        before = self.sign(phrase.seat)
        return Text.assemble(before, " ", text) if phrase.text else before


@cache
def style(name: str) -> Style:
    return Style.parse(STYLES[name])


# ---- lines


@cache
def _console() -> Console:
    return Console(file=StringIO(), width=80, legacy_windows=False, color_system=None)


def lines(shown: RenderableType, width: int) -> list[Line]:
    """Return the rows of a drawing, wrapped to a width, not padded."""
    console = _console()
    options = console.options.update(width=max(width, 1), no_wrap=False)
    drawn = console.render_lines(shown, options, pad=False)
    return [
        [
            Segment(visible(each.text.replace(KEPT, " ")), each.style)
            for each in line
            if not each.control
        ]
        for line in drawn
    ]


def together(text: Text) -> Text:
    """Return a short text with non-breaking spaces; others unchanged."""
    if text.cell_len <= SHORT:
        text.plain = text.plain.replace(" ", KEPT)
    return text


def wrapped(text: Text, width: int) -> list[Text]:
    return list(text.wrap(_console(), width))


def padded(line: Line, width: int, ground: Style | None = None) -> Line:
    """Return a row, cut or padded to a width."""
    return Segment.adjust_line_length(line, width, style=ground)
