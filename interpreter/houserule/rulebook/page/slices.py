"""A drawing on paper: whole if that can be read, else in parts, cut between boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

from houserule.rulebook.page.elements import Markup, element, joined

WIDE, HIGH = 640.0, 840.0  # pixels that a page has for a drawing
LEAST = 0.6  # the scale at which it can still be read
PART = 320.0  # pixels of a part, so that pages can be filled
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox="[^"]*"')
LINE = re.compile(r'<text[^>]* y="([\d.]+)"')
BOX = re.compile(r'<rect class="step[^>]* y="([\d.]+)" [^>]*height="([\d.]+)"')
ABOVE, BELOW, STEP = 11.0, 4.0, 1.0  # what a line needs; how cuts are sought

Span: TypeAlias = tuple[float, float]


def sliced(svg: str, style: str) -> Markup:
    """Return an SVG with another style as pictures, each of which a page can show."""
    svg = STYLE.sub("", svg)
    size = SIZE.search(svg)
    if size is None:
        return Markup(svg)
    width, height = float(size[1]), float(size[2])
    at = (float(each) for each in LINE.findall(svg))
    lines = [(each - ABOVE, each + BELOW) for each in at]
    tops = ((float(top), float(high)) for top, high in BOX.findall(svg))
    boxes = [(top, top + high) for top, high in tops]
    pictures = []
    for top, bottom in pairwise(_cuts(width, height, [*lines, *boxes], lines)):
        view = f"0 {top:.1f} {width:.1f} {bottom - top:.1f}"
        shown = f'width="{width:.1f}" height="{bottom - top:.1f}" viewBox="{view}"'
        part = f"{svg[: size.start()]}{shown}{svg[size.end() :]}"
        inside = part.replace(">", f"><style>{style}</style>", 1)
        pictures.append(element("div", Markup(inside), class_="drawn"))
    return joined(pictures)


def _cuts(
    width: float, height: float, kept: list[Span], lines: list[Span]
) -> Iterator[float]:
    """Yield where the parts of a drawing begin, and its end.

    What is `kept` is not cut, if it can be; `lines` never are.
    """
    scale = min(1.0, WIDE / width)
    yield 0.0
    if min(scale, HIGH / height) < LEAST:
        most, at = PART / scale, 0.0
        while height - at > most:
            kept_whole = _free(at + most, at + most / 2, kept)
            at = kept_whole or _free(at + most, at, lines) or at + most
            yield at
    yield height


def _free(most: float, least: float, spans: list[Span]) -> float:
    """Return the last place between two others at which nothing is cut, 0 if none."""
    at = most
    while at > least:
        if not any(top < at < bottom for top, bottom in spans):
            return at
        at -= STEP
    return 0.0
