"""The colours of seats, on pages and in the terminal."""

from __future__ import annotations

from collections.abc import Mapping

# Eight colours for the common kinds of colour blindness (Okabe and Ito 2008). Their
# black would vanish on a dark background, so it is replaced by grey.
ORANGE, SKY, GREEN, YELLOW = "#e69f00", "#56b4e9", "#009e73", "#f0e442"
BLUE, VERMILION, PURPLE, GREY = "#0072b2", "#d55e00", "#cc79a7", "#999999"
COLOURS = (ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE, GREY)
NAMED: Mapping[str, str] = {
    "red": VERMILION,
    "green": GREEN,
    "blue": SKY,
    "yellow": YELLOW,
    "orange": ORANGE,
    "purple": PURPLE,
    "violet": PURPLE,
    "pink": PURPLE,
    "black": GREY,
    "grey": GREY,
    "white": "#e8e8e8",
}
"""The colours of seats in games that name colours, nearest in the same palette."""
