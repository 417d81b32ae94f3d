"""Draw the flow charts of the pages as SVG, for the site.

The pages have charts in Mermaid, which code hosts draw. The site has a picture instead:
it needs no script from another server, and fits a phone. Such a chart has nodes,
`a["<b>title</b><br>text"]`, and arrows, `a --> b`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from statistics import mean

WIDTH, GAP, BETWEEN = 460, 12, 26  # of the chart; between boxes, between rows
WIDEST, LINE, PAD, LETTER = 220, 17, 9, 7.2  # a box, a line of text, a letter
NODE = re.compile(r'(\w+)(?:\["(.*)"\])?')


def chart_svg(mermaid: str) -> str:
    """Return the picture of a chart, with its arrows downwards."""
    labels: dict[str, str] = {}
    arrows: list[tuple[str, ...]] = []
    for line in mermaid.strip().splitlines()[1:]:
        ends = [NODE.fullmatch(each.strip()) for each in line.split("-->")]
        found = [(each[1], each[2]) for each in ends if each]
        labels |= {name: label for name, label in found if label}
        arrows += pairwise(name for name, _ in found)
    level = levels(list(labels), arrows)
    rows: list[list[str]] = [[] for _ in range(max(level.values()) + 1)]
    for name, at in level.items():
        rows[at].append(name)
    links = []  # of neighbouring rows
    for one, other in arrows:
        path = [one]
        for at in range(level[one] + 1, level[other]):
            path.append(f"{other} passes")  # between the boxes of this row
            if path[-1] not in rows[at]:
                rows[at].append(path[-1])
        links += [(level[one] + i, *p) for i, p in enumerate(pairwise([*path, other]))]
    for at, row in enumerate(rows[1:]):  # below the middle of those that lead here
        above = {
            name: [rows[at].index(one) for i, one, to in links if (i, to) == (at, name)]
            for name in row
        }
        row.sort(key=lambda name: mean(above[name] or [0]))  # used at once
    wide = min(WIDEST, (WIDTH + GAP) // max(map(len, rows)) - GAP)
    place: dict[tuple[int, str], tuple[float, float, float]] = {}  # middle, top, foot
    drawn: list[str] = []
    top = 1
    for at, row in enumerate(rows):
        texts = {name: lines_of(labels.get(name, ""), wide) for name in row}
        tall = max(map(len, texts.values())) * LINE + 2 * PAD
        middle = (WIDTH - (len(row) - 1) * (wide + GAP)) / 2
        for name, lines in texts.items():
            place[at, name] = middle, top, top + tall
            if lines:
                drawn.append(
                    f'<rect x="{middle - wide / 2:g}" y="{top}" width="{wide}" '
                    f'height="{tall}" rx="6" fill="var(--color-background-secondary)"/>'
                )
                y = top + (tall - len(lines) * LINE) / 2 + 13
                drawn += [
                    f'<text x="{middle:g}" y="{y + i * LINE:g}" fill="currentColor" '
                    f'stroke="none" font-weight="{weight}">{escape(text)}</text>'
                    for i, (text, weight) in enumerate(lines)
                ]
            middle += wide + GAP
        top += tall + BETWEEN
    for at, one, other in links:
        x, begun, foot = place[at, one]
        to, end, _ = place[at + 1, other]
        line = f"M{x:g} {foot if one in labels else begun:g}V{foot:g}L{to:g}"
        if other in labels:
            drawn.append(f'<path d="{line} {end - 2:g}" marker-end="url(#tip)"/>')
        else:
            drawn.append(f'<path d="{line} {end:g}"/>')
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {top - BETWEEN + 1}" '
        f'style="width:100%;max-width:{WIDTH * 1.3:g}px" stroke="currentColor" '
        'fill="none" font-size="13" text-anchor="middle">'
        '<marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="currentColor" '
        f'stroke="none"/></marker>{"".join(drawn)}</svg>'
    )


def levels(names: list[str], arrows: Sequence[tuple[str, ...]]) -> dict[str, int]:
    """Return the row of each node: just above the nodes to which its arrows lead."""
    first = dict.fromkeys(names, 0)
    for _ in names:
        for one, other in arrows:
            first[other] = max(first[other], first[one] + 1)
    found: dict[str, int] = {}
    for name in sorted(names, key=lambda each: -first[each]):
        below = [found[other] for one, other in arrows if one == name]
        found[name] = min(below) - 1 if below else first[name]
    return {name: found[name] for name in names}


def lines_of(label: str, wide: int) -> list[tuple[str, str]]:
    """Return the lines of a box, each with its weight; the first ones are the title."""
    found: list[tuple[str, str]] = []
    for number, part in enumerate(filter(None, label.split("<br>"))):
        weight = "normal" if number else "bold"
        text = re.sub("</?b>", "", part)
        wrapped = textwrap.wrap(text, int((wide - PAD) / LETTER))
        found += [(each, weight) for each in wrapped]
    return found
