"""Boards drawn by the author of a game: a picture with named places.

Only shapes, paths, texts and groups are kept, with a fixed list of attributes: no
script, no style sheet, no link, nothing from elsewhere. The result is written from
these parts, so that nothing of the file itself reaches a browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape
from math import cos, isfinite, radians, sin, tan
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree as Xml

from houserule.base.frozen import frozen
from houserule.language.manifest.ruleset import LoadedRuleset

FOLDER = "looks"
LARGEST = 200_000  # bytes
MOST = 5_000  # elements
DEEPEST = 40  # groups within groups
FARTHEST = 1e6  # larger numbers are cut
SVG = "http://www.w3.org/2000/svg"
SHAPES = frozenset(
    {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text"}
)
GROUPS = frozenset({"svg", "g", "tspan"})
IGNORED = frozenset({"title", "desc", "metadata", "defs"})
DRAWN = frozenset(
    re.findall(
        r"\S+",
        """
    d x y x1 y1 x2 y2 cx cy r rx ry dx dy width height points transform fill stroke
    stroke-width stroke-linecap stroke-linejoin stroke-dasharray opacity fill-opacity
    stroke-opacity fill-rule font-size font-weight font-style font-family text-anchor
    dominant-baseline
    """,
    )
)
PLAIN = re.compile(r"[\w\s#%.,()+'\"-]*", re.ASCII)
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*(?:[eE][-+]?\d[^a-zA-Z]*)*)")
STEPS: Mapping[str, int] = {
    "M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0
}  # fmt: skip
"""How many numbers each command of a path takes."""
Matrix: TypeAlias = tuple[float, float, float, float, float, float]
Box: TypeAlias = tuple[float, float, float, float]
Point: TypeAlias = tuple[float, float]
WHOLE = 100


class DrawingError(ValueError):
    """A drawing cannot be used; the text is for its author."""


@frozen
class Drawing:
    """A board as a picture.

    Attributes:
        digest: a short hash of it.
        tall: its height, if its width is 1.
        boxes: by the name of a place, where its element is: left, top, width and
            height, in hundredths of the picture.
        dropped: the elements that are not drawn, by name.
    """

    picture: str
    digest: str
    tall: float
    boxes: Mapping[str, tuple[int, int, int, int]]
    dropped: tuple[str, ...]


def drawings(ruleset: LoadedRuleset) -> Mapping[int, Drawing]:
    """Return the drawings of a game by the number of their board, without broken ones.

    Get it with `ruleset.derived(drawings)`.
    """
    found: dict[int, Drawing] = {}
    for number, board in enumerate(ruleset.manifest.boards):
        if board.look.shape == "drawing":
            try:
                found[number] = read_drawing(ruleset.folder, board.look.file or "")
            except DrawingError:
                continue  # `check` reports it; the board is drawn as squares
    return found


def read_drawing(folder: Path, file: str) -> Drawing:
    """Read a drawing from the folder `looks` of a game.

    Raises:
        DrawingError: it is missing, too large, or no such picture.
    """
    if not re.fullmatch(r"[\w-]+\.svg", file, re.ASCII):
        raise DrawingError(
            f"`file` is the name of an SVG in the folder `{FOLDER}`, such as `map.svg`."
        )
    try:
        with (folder / FOLDER / file).open("rb") as opened:
            raw = opened.read(LARGEST + 1)
    except OSError:
        raise DrawingError(f"There is no file `{FOLDER}/{file}`.") from None
    return cleaned(raw)


def cleaned(raw: bytes) -> Drawing:
    """Return the safe parts of an SVG; errors as for `read_drawing`."""
    if len(raw) > LARGEST:
        raise DrawingError(f"A drawing has at most {LARGEST // 1000} kB.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DrawingError("A drawing is a text in UTF-8.") from None
    if "<!ENTITY" in text or re.search(r"<!DOCTYPE[^>]*\[", text):
        raise DrawingError("A drawing declares no entities.")
    try:
        root = Xml.fromstring(text)
    except Xml.ParseError as error:
        raise DrawingError(f"It is not an SVG: {error}.") from None
    numbers = _numbers(root.get("viewBox"))
    if root.tag != f"{{{SVG}}}svg" or len(numbers) != 4 or min(numbers[2:]) < 1:
        raise DrawingError("A drawing is an `svg` with a `viewBox`.")
    left, top, width, height = numbers
    if sum(1 for _ in root.iter()) > MOST:
        raise DrawingError(f"A drawing has at most {MOST} elements.")
    dropped: dict[str, None] = {}
    boxes: dict[str, Box] = {}

    def written(element: Xml.Element, at: Matrix, deep: int) -> tuple[str, list[Point]]:
        """Return a part as text, and points that its box includes."""
        space, _, name = str(element.tag).removeprefix("{").partition("}")
        known = name in SHAPES or name in GROUPS
        if space != SVG or not known or deep > DEEPEST:
            if space == SVG and name not in IGNORED:
                dropped[name] = None
            return "", []
        given = dict(element.attrib)
        for part in given.pop("style", "").split(";"):  # as drawing programs write it
            key, _, value = part.partition(":")
            given[key.strip()] = value.strip()
        kept = {
            key: value
            for key, value in given.items()
            if key in DRAWN and PLAIN.fullmatch(value) and "url(" not in value.lower()
        }
        here = _times(at, _matrix(kept.get("transform", "")))
        points = [_moved(here, point) for point in _points(name, kept)]
        words = name in ("text", "tspan")
        inside = escape(element.text or "", quote=False) if words else ""
        for child in element:
            said, more = written(child, here, deep + 1)
            inside += said
            inside += escape(child.tail or "", quote=False) if words else ""
            points += more
        place = element.get("id")
        finite = all(map(isfinite, (each for point in points for each in point)))
        if place and points and deep and finite:
            xs, ys = zip(*points, strict=True)
            boxes.setdefault(place, (min(xs), min(ys), max(xs), max(ys)))
        if not deep:
            return inside, points
        tag = "g" if name == "svg" else name
        pairs = "".join(f' {key}="{escape(value)}"' for key, value in kept.items())
        return f"<{tag}{pairs}>{inside}</{tag}>", points

    inside, _ = written(root, (1, 0, 0, 1, 0, 0), 0)
    box = f"{left:g} {top:g} {width:g} {height:g}"
    size = f'width="1000" height="{1000 * height / width:.0f}"'

    def hundredths(place: Box) -> tuple[int, int, int, int]:
        x, y = (place[0] - left) / width, (place[1] - top) / height
        w, h = (place[2] - place[0]) / width, (place[3] - place[1]) / height
        found = (round(min(max(each, 0.0), 1.0) * WHOLE) for each in (x, y, w, h))
        a, b, c, d = found
        return a, b, max(1, min(c, WHOLE - a)), max(1, min(d, WHOLE - b))

    picture = f'<svg xmlns="{SVG}" viewBox="{box}" {size}>{inside}</svg>'
    return Drawing(
        picture,
        sha256(picture.encode()).hexdigest()[:12],
        height / width,
        {name: hundredths(each) for name, each in boxes.items()},
        tuple(dropped),
    )


# ---- where an element is


def _numbers(text: str | None) -> list[float]:
    found = map(float, NUMBER.findall(text or ""))
    return [min(max(each, -FARTHEST), FARTHEST) for each in found]


def _points(name: str, given: Mapping[str, str]) -> Iterator[Point]:
    """Yield corners of the box of a shape, in its own units."""

    def of(key: str) -> float:
        return next(iter(_numbers(given.get(key))), 0.0)

    match name:
        case "rect":
            yield of("x"), of("y")
            yield of("x") + of("width"), of("y")
            yield of("x"), of("y") + of("height")
            yield of("x") + of("width"), of("y") + of("height")
        case "circle" | "ellipse":
            across, up = (of("rx") or of("r")), (of("ry") or of("r"))
            for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                yield of("cx") + x * across, of("cy") + y * up
        case "line":
            yield of("x1"), of("y1")
            yield of("x2"), of("y2")
        case "polyline" | "polygon":
            numbers = _numbers(given.get("points"))
            yield from zip(numbers[::2], numbers[1::2], strict=False)
        case "text":
            yield of("x"), of("y")
        case "path":
            yield from _along(given.get("d", ""))
        case _:
            pass


def _along(path: str) -> Iterator[Point]:
    """Yield the ends and control points of a path: its box has all of them."""
    x = y = start_x = start_y = 0.0
    for command, text in COMMAND.findall(path):
        kind, numbers = command.upper(), _numbers(text)
        size = STEPS.get(kind, 0)
        from_x, from_y = (x, y) if command.islower() else (0.0, 0.0)
        if kind == "Z":
            x, y = start_x, start_y
        for at in range(0, len(numbers) - size + 1, size or len(numbers) + 1):
            step = numbers[at : at + size]
            if command.islower():
                from_x, from_y = x, y
            if kind == "H":
                x = from_x + step[0]
            elif kind == "V":
                y = from_y + step[0]
            elif size:
                some = step[5:] if kind == "A" else step
                for a, b in zip(some[::2], some[1::2], strict=True):
                    x, y = from_x + a, from_y + b
                    yield x, y
                if kind == "M" and at == 0:
                    start_x, start_y = x, y
            yield x, y


def _matrix(text: str) -> Matrix:
    """Return the matrix of a `transform`."""
    found: Matrix = (1, 0, 0, 1, 0, 0)
    for name, inside in re.findall(r"(\w+)\s*\(([^)]*)\)", text):
        n = [*_numbers(inside), *[0.0] * 6]
        many = len(_numbers(inside))
        step: Matrix = (1, 0, 0, 1, 0, 0)
        match name:
            case "translate":
                step = (1, 0, 0, 1, n[0], n[1])
            case "scale":
                step = (n[0], 0, 0, n[1] if many > 1 else n[0], 0, 0)
            case "rotate":
                turn, x, y = radians(n[0]), n[1], n[2]
                a, b = cos(turn), sin(turn)
                step = (a, b, -b, a, x - a * x + b * y, y - b * x - a * y)
            case "skewX":
                step = (1, 0, tan(radians(n[0])), 1, 0, 0)
            case "skewY":
                step = (1, tan(radians(n[0])), 0, 1, 0, 0)
            case "matrix":
                step = (n[0], n[1], n[2], n[3], n[4], n[5])
            case _:
                pass
        found = _times(found, step)
    return found


def _times(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )


def _moved(at: Matrix, point: Point) -> Point:
    a, b, c, d, e, f = at
    x, y = point
    return a * x + c * y + e, b * x + d * y + f
