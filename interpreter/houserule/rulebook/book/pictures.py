"""Pictures of cards, dice and boards as SVG, from the looks of the tables.

They use no style sheet, so that they are the same on a screen, on paper, and alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from unicodedata import category

from houserule.base.frozen import frozen
from houserule.play.seat.drawings import Drawing
from houserule.play.seat.faces.shapes import ICONS, PAWN, PIPS, SEATS, SEEDS, SPOTS
from houserule.play.seat.seat_model import (
    BoardPiece,
    ComponentLook,
    SeatName,
    SeenBoard,
)

PAGE = "currentColor"  # the colour of text on the page itself, light or dark
INK, QUIET, PAPER, EDGE = "#2b2822", "#6b6252", "#fffef9", "#b9b2a4"
GROUND, DARK, RULE = "#fdf8ec", "#d9c7a3", "#9a8f7b"
FIELD, TRAIL = "#cfe0b8", "#9c6b30"  # the ground of a card with lines, and the lines
DYES: Mapping[str, tuple[str, str]] = {
    "red": ("#c22f2a", "#fff"),
    "green": ("#1e8a4c", "#fff"),
    "blue": ("#2367b8", "#fff"),
    "yellow": ("#f2cf3d", INK),
    "orange": ("#e07b22", INK),
    "purple": ("#75379a", "#fff"),
    "pink": ("#d65a97", "#fff"),
    "black": ("#2b2926", "#fff"),
    "grey": ("#8a857b", "#fff"),
    "white": ("#fdfbf5", INK),
    "": ("#f8f1df", INK),
}
"""A colour by its name in looks, and its ink."""
SEAT_DYES = (
    *("#e69f00", "#56b4e9", "#2fb48a", "#e3d43f"),
    *("#4f8fd6", "#e8743b", "#d98ab8", "#8f8b84"),
)
FONT = 'font-family="system-ui, sans-serif"'
CARD, HIGH = 60.0, 84.0  # the size of a card
DIE = 34.0
CELL, FINE = 34.0, 22.0  # the size of a place on a board
MANY = 12  # columns with small places
MAP = 400.0  # the width of an author's drawing
LETTER = 0.6  # the width of a letter, in its size


@frozen
class Figure:
    """A drawing and its size; `inside` is SVG without its frame."""

    inside: str
    width: float
    height: float

    def svg(self, title: str) -> str:
        """Return it as a document with a title, which is its text alternative."""
        width, height = round(self.width + 2), round(self.height + 2)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="-1 -1 {width} {height}" role="img">'
            f"<title>{escape(title, quote=False)}</title>{self.inside}</svg>"
        )

    def scaled(self, high: float) -> Figure:
        """Return the same picture in another height."""
        scale = round(high / self.height, 3)
        return Figure(moved(self, 0, 0, scale), self.width * scale, high)


def row(pictures: Sequence[Figure], gap: float = 12.0) -> Figure:
    """Return pictures side by side, in the middle of their height."""
    high = max((each.height for each in pictures), default=0.0)
    inside, x = "", 0.0
    for each in pictures:
        inside += moved(each, x, (high - each.height) / 2)
        x += each.width + gap
    return Figure(inside, max(0.0, x - gap), high)


def moved(picture: Figure, x: float, y: float, scale: float = 1.0) -> str:
    size = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:g} {y:g}){size}">{picture.inside}</g>'


def text(
    words: str,
    x: float,
    y: float,
    size: float = 12.0,
    *,
    anchor: str = "middle",
    ink: str = INK,
    bold: bool = False,
    halo: bool = False,
) -> str:
    """Return a line of text; `y` is its base line. A halo keeps it readable on all."""
    weight = ' font-weight="700"' if bold else ""
    if halo:
        around = text(words, x, y, size, anchor=anchor, ink=PAPER, bold=bold)
        around = around.replace("<text ", f'<text stroke="{PAPER}" stroke-width="3" ')
        return around + text(words, x, y, size, anchor=anchor, ink=ink, bold=bold)
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{ink}" {FONT} '
        f'font-size="{size:g}"{weight}>{escape(words, quote=False)}</text>'
    )


def icon(
    name: str, x: float, y: float, size: float, ink: str = INK, *, over: bool = False
) -> str:
    """Return an icon around a point; `over` is upside down."""
    turned = " rotate(180)" if over else ""
    return (
        f'<path fill="{ink}" d="{ICONS[name]}" transform="translate({x:g} {y:g}) '
        f'scale({size / 24:.4g}){turned} translate(-12 -12)"/>'
    )


def _box(x: float, y: float, width: float, height: float, **looks: str | float) -> str:
    given = "".join(f' {k.replace("_", "-")}="{v}"' for k, v in looks.items())
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{given}/>'


# ---- cards and dice


def component(look: ComponentLook, face: int | None = None) -> Figure:
    """Return a card, or a die with its face."""
    match look.kind:
        case "die":
            return die(face, look.colour, numbers=look.numbers)
        case "playing card":
            ink = "#b3261e" if look.colour == "red" else INK
            size = 14.0 if len(look.corner) < 2 else 12.0
            corner = text(look.corner, 9, 16, size, ink=ink, bold=True)
            corner += icon(look.icon, 9, 25, 10, ink) if look.icon else ""
            turned = (
                f'<g transform="rotate(180 {CARD / 2:g} {HIGH / 2:g})">{corner}</g>'
            )
            inside = _paper() + corner + turned
            if not look.icon:
                pass
            elif look.pips == 1:
                inside += icon(look.icon, CARD / 2, HIGH / 2, 28, ink)
            elif look.pips:
                for i, j in PIPS[look.pips]:
                    at = CARD * i / 100, HIGH * j / 100
                    inside += icon(look.icon, *at, 12, ink, over=j > 50)
            else:
                inside += text(look.corner, CARD / 2, 53, 30, ink=ink, bold=True)
                inside += icon(look.icon, CARD / 2, 24, 11, ink)
            return Figure(inside, CARD, HIGH)
        case _:
            inside = _paper()
            for part, x, y in parts_of(look):
                match part:
                    case "corner":
                        size = 24.0 if len(look.corner) < 3 else 14.0
                        inside += text(look.corner, x, y + size * 0.36, size, bold=True)
                    case "icon":
                        inside += icon(look.icon, x, y, 30)
                    case "pair":
                        two = row([die(look.pair)] * 2, 4)
                        inside += moved(two, x - two.width / 4, y - two.height / 4, 0.5)
                    case "ways":
                        inside += _box(x - 18, y - 18, 36, 36, rx=3, fill=FIELD)
                        inside += lines(look.ways, x, y, 36)
                    case "squares":
                        for n, square in enumerate(look.squares):
                            body, ink = DYES.get(square.colour, DYES[""])
                            left = x + 15 * (n - (len(look.squares) - 1) / 2) - 6.5
                            high, line = y - 6.5, EDGE
                            inside += _box(
                                left, high, 13, 13, rx=3, fill=body, stroke=line
                            )
                            sign, middle = square.text[:1].upper(), left + 6.5
                            inside += text(sign, middle, y + 3.2, 9, ink=ink, bold=True)
                    case _:
                        inside += (
                            f'<circle cx="{x:g}" cy="{y:g}" r="12" fill="#f5d36b" '
                            'stroke="#a87d12" stroke-width="1.500"/>'
                        )
                        inside += text(look.coin, x, y + 4.7, 13, bold=True)
            return Figure(inside, CARD, HIGH)


def die(face: int | None, colour: str = "", *, numbers: bool = False) -> Figure:
    body, ink = DYES.get(colour, DYES[""])
    inside = _box(0, 0, DIE, DIE, rx=7, fill=body, stroke=RULE)
    if face is not None and face in SPOTS and not numbers:
        for spot in SPOTS[face]:
            x, y = (DIE * (0.25 + 0.25 * n) for n in ((spot - 1) % 3, (spot - 1) // 3))
            inside += f'<circle cx="{x:g}" cy="{y:g}" r="3.1" fill="{ink}"/>'
    elif face is not None:
        inside += text(str(face), DIE / 2, DIE * 0.68, 17, ink=ink, bold=True)
    return Figure(inside, DIE, DIE)


def back() -> Figure:
    """Return a card face down."""
    inside = _box(0, 0, CARD, HIGH, rx=6, fill=PAPER, stroke=RULE)
    inside += _box(4, 4, CARD - 8, HIGH - 8, rx=4, fill="#8c4a3a")
    return Figure(inside, CARD, HIGH)


def fan(number: int) -> Figure:
    """Return a number of cards face down, each partly over the one before it."""
    step = 9.0
    inside = "".join(moved(back(), step * n, 0) for n in range(number))
    return Figure(inside, CARD + step * max(0, number - 1), HIGH)


def _paper() -> str:
    return _box(0, 0, CARD, HIGH, rx=6, fill=PAPER, stroke=EDGE)


def parts_of(look: ComponentLook) -> list[tuple[str, float, float]]:
    """Return the parts of a card that its drawing shows, with their places."""
    shown = ("squares", "corner", "ways", "icon", "pair", "coin")
    parts = [name for name in shown if getattr(look, name)]
    high = {"squares": 18.0, "corner": 24.0, "icon": 32.0, "pair": 20.0, "coin": 28.0}
    high["ways"] = 38.0
    free = HIGH - 8 - sum(high[name] for name in parts)
    gap = free / (len(parts) + 1)
    found, y = [], 4 + gap
    for name in parts:
        found.append((name, CARD / 2, round(y + high[name] / 2, 1)))
        y += high[name] + gap
    return found


def lines(ways: Sequence[tuple[int, int]], x: float, y: float, size: float) -> str:
    """Return lines from the middle of a place of that size, and the middle."""
    unit = size / 100
    path = "".join(f"M{x:g} {y:g}l{i * unit:g} {j * unit:g}" for i, j in ways)
    return (
        f'<path d="{path}" stroke="{TRAIL}" stroke-width="{size * 0.16:g}"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{size * (0.08 if ways[1:] else 0.2):g}" '
        f'fill="{TRAIL}"/>'
    )


# ---- boards


class _Board:
    """A board, place by place."""

    def __init__(
        self, board: SeenBoard, seats: Sequence[SeatName], drawing: Drawing | None
    ) -> None:
        self._board, self._drawing = board, drawing
        self._seats = {each.seat: each for each in seats}
        self._rows, self._columns = board.drawn_rows(), len(board.cells[0])
        self._size = FINE if self._columns > MANY else CELL

    def picture(self) -> Figure:
        return self._placed() if self._drawing is None else self._drawn(self._drawing)

    def _drawn(self, drawing: Drawing) -> Figure:
        """Return the author's drawing, with the name and content of each place."""
        board, scale = self._board, MAP / 1000
        high = 1000 * drawing.tall
        inside = f'<g transform="scale({scale:g})">{drawing.picture}</g>'
        for spot in board.spots:
            x = scale * 10 * (spot.left + spot.width / 2)
            y = scale * high * (spot.top + spot.height / 2) / 100
            cell = board.cells[spot.row][spot.column]
            shown = [part for each in cell if (part := self._lying(each, 0, 0))]
            # Side by side, many closer together, and all within the drawing.
            step = self._size * (1 if len(shown) < 3 else 0.6)
            half = (max(1, len(shown)) - 1) / 2 * step
            middle = min(max(x, half + self._size / 2), MAP - half - self._size / 2)
            for n, part in enumerate(shown):
                at = middle - half + n * step
                inside += f'<g transform="translate({at:g} {y:g})">{part}</g>'
            if "<text" not in drawing.picture:
                below = scale * high * (spot.top + spot.height) / 100
                y = max(below, y + self._size * 0.4 + 10) if shown else y + 4
                y = min(y, scale * high - 3)
                inside += text(spot.name, x, y, 11, bold=True, halo=True)
        return Figure(inside, MAP, round(scale * high, 1))

    def _placed(self) -> Figure:
        board, size = self._board, self._size
        left = max((len(each) for each in board.row_heads), default=0) * 7.0
        left += 6 if left else 0
        top = 18.0 if any(board.column_heads) else 0.0
        over = [each.text for each in board.over]
        top += 16 if any(over) else 0
        slanted = board.shape == "hexes"
        high, shift = (0.866, 0.5) if slanted else (1.0, 0.0)
        parts = [*self._under()]
        for n, at in enumerate(self._rows):
            lead = n if board.slant == "right" else len(self._rows) - 1 - n
            for j, cell in enumerate(board.cells[at]):
                x, y = size * (j + lead * shift), size * high * n
                parts += self._place(cell, at, j, x, y)
        width = size * (self._columns + (len(self._rows) - 1) * shift)
        height = size * high * len(self._rows) + (size * 0.289 if slanted else 0)
        said = (
            [
                text(
                    head,
                    left - 6,
                    top + size * (high * n + 0.62),
                    11,
                    anchor="end",
                    ink=PAGE,
                )
                for n, head in enumerate(board.row_heads[at] for at in self._rows)
            ]
            if board.row_heads
            else []
        )
        for j, head in enumerate(board.column_heads):
            said.append(text(head, left + size * (j + 0.5), top - 5, 11, ink=PAGE))
        for j, words in enumerate(over):
            said.append(text(words, left + size * (j + 0.5), 11, 9, ink=PAGE))
        wide = max((7.0 * len(each) for each in board.column_heads), default=0)
        width += max(0.0, (wide - size) / 2)
        inside = f'{"".join(said)}<g transform="translate({left:g} {top:g})">'
        inside += (
            "".join(parts) + "</g>" + "".join(self._sides(left, top, width, height))
        )
        if board.beside:
            # The board with the pieces beside it, in a row below.
            height = top + height
            x = self._size / 2
            for phrase in self._board.beside:
                inside += self._stone(
                    phrase.seat, phrase.text, x, height + 8 + self._size / 2
                )
                x += self._size
            return Figure(inside, max((left + width), x), height + 8 + self._size)
        return Figure(inside, left + width, top + height)

    def _under(self) -> Iterator[str]:
        """Yield lines between places, and the long triangles of points."""
        board, size, rows = self._board, self._size, self._rows
        if board.shape == "graph":
            for i, j, i2, j2 in board.lines:
                ends = (size * (n + 0.5) for n in (j, i, j2, i2))
                x1, y1, x2, y2 = ends
                yield (
                    f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{RULE}" '
                    'stroke-width="2"/>'
                )
        if board.shape != "points":
            return
        wide, high = size * self._columns, size * len(rows)
        yield _box(0, 0, wide, high, fill="#efe2c6", stroke="#6b4a2b", stroke_width=2)
        for column in board.gaps():
            yield _box(size * column, 0, size, high, fill="#cdb48a")
        for column, base, top in board.triangles():
            fill = ("#d39a80", "#a9b48c")[(column + (base > top)) % 2]
            x = size * column
            yield (
                f'<path fill="{fill}" d="M{x:g} {size * base:g}h{size:g}'
                f'L{x + size / 2:g} {size * top:g}z"/>'
            )

    def _place(
        self, cell: Sequence[BoardPiece], i: int, j: int, x: float, y: float
    ) -> Iterator[str]:
        """Yield a place with its ground and what lies there."""
        board, size = self._board, self._size
        ground = board.grounds[i][j] if board.grounds else None
        known = bool(cell) or bool(board.empty.strip()) or ground is not None
        if board.shape == "hexes" and known:
            wide, up, low, end = size, size * 0.289, size * 0.866, size * 1.155
            yield (
                f'<path fill="{GROUND}" stroke="{RULE}" d="M{x + wide / 2:g} {y:g} '
                f"{x + wide:g} {y + up:g}V{y + low:g}L{x + wide / 2:g} {y + end:g} "
                f'{x:g} {y + low:g}V{y + up:g}z"/>'
            )
            y += size * 0.0775
        elif board.shape == "squares" and known:
            fill = DARK if board.chequered and (i + j) % 2 else GROUND
            yield _box(x, y, size, size, fill=fill, stroke=RULE)
            if ground is not None and ground.seat is not None:
                dye = self._dye(ground.seat)[0]
                yield _box(x, y, size, size, fill=dye, fill_opacity=0.4)
            if ground is not None and ground.ways and ground.colour:
                fill = DYES[ground.colour][0]
                yield _box(x, y, size, size, fill=fill, fill_opacity=0.3)
            if ground is not None and ground.icon and not ground.ways:
                at = x + size / 2, y + size / 2
                yield icon(ground.icon, *at, size * 0.7, QUIET)
        if ground is not None and ground.ways:
            yield lines(ground.ways, x + size / 2, y + size / 2, size)
            if ground.icon:
                yield icon(ground.icon, x + size * 0.8, y + size * 0.2, size * 0.34)
        drawn = [each for each in cell if each.look is not None]
        here = drawn or [each for each in cell if each.seat is not None] or cell[:1]
        for n, said in enumerate(here[:4]):
            beside = (n - (min(len(here), 4) - 1) / 2) * size * 0.2
            yield self._lying(said, x + size / 2 + beside, y + size / 2)

    def _lying(self, said: BoardPiece, x: float, y: float) -> str:
        look, size = said.look, self._size
        if look is None:
            return self._stone(said.seat, said.text, x, y)
        match look.kind:
            case "piece":  # in the colour of its seat, with the seat's sign on it
                body, ink = self._dye(look.seat)
                line = f'fill="{body}" stroke="{INK}"'
                if look.shape == "pawn":
                    scale = size * 0.0225
                    found = (
                        f'<path {line} stroke-width="1.500" d="{PAWN}" transform='
                        f'"translate({x - 20 * scale:g} {y - 20 * scale:g}) '
                        f'scale({scale:g})"/>'
                    )
                elif look.shape == "cube":
                    half = size * 0.3
                    found = (
                        f'<rect {line} x="{x - half:g}" y="{y - half:g}" rx="3" '
                        f'width="{2 * half:g}" height="{2 * half:g}"/>'
                    )
                else:
                    found = f'<circle {line} cx="{x:g}" cy="{y:g}" r="{size * 0.4:g}"/>'
                if look.seat is not None and self._seats[look.seat].colour not in DYES:
                    up = size * 0.14 if look.text else 0
                    found += seat_sign(look.seat, x, y - up, size * 0.36, ink)
                    y += size * 0.18 if look.text else 0
                if look.text:
                    found += text(look.text, x, y + size * 0.12, size * 0.3, ink=ink)
                return found
            case "seeds":
                count, radius = int(look.text or 0), size * 0.45
                found = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="#8a5f38"/>'
                for dx, dy in SEEDS[:count]:
                    at = x + size * (dx - 50) / 140, y + size * (dy - 50) / 140
                    found += (
                        f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="3" fill="#f6e7c4"/>'
                    )
                return found
            case "number":
                return text(look.text, x, y + 3, size * 0.28, ink=QUIET)
            case "tile" if look.tile is not None:
                tile = look.tile  # as high as it is wide
                middle = CARD * (0.32 if tile.icon else 0.5)
                large = 30.0 if len(tile.corner) < 3 else 15.0
                inside = _box(0, 0, CARD, CARD, rx=6, fill=PAPER, stroke=EDGE)
                inside += text(tile.corner, middle, CARD * 0.66, large, bold=True)
                if tile.icon:
                    inside += icon(tile.icon, CARD * 0.7, CARD / 2, CARD * 0.36)
                place, scale = (x - size * 0.47, y - size * 0.47), size * 0.94 / CARD
                return moved(Figure(inside, CARD, CARD), *place, round(scale, 3))
            case _:
                return ""

    def _stone(self, seat: int | None, words: str, x: float, y: float) -> str:
        """Return a text on a board, on a stone if it belongs to a seat."""
        size = self._size
        if seat is None:
            alone = len(words) == 1
            if alone and not words.isalnum() and category(words) != "So":
                return ""  # only a sign of the ground
            drawn = size * (0.8 if alone and category(words) == "So" else 0.4)
            drawn = min(drawn, size * 0.94 / (LETTER * max(1, len(words))))
            return text(words, x, y + drawn * 0.36, drawn)
        body, ink = self._dye(seat)
        found = (
            f'<circle cx="{x:g}" cy="{y:g}" r="{size * 0.4:g}" fill="{body}" '
            f'stroke="{INK}"/>'
        )
        return found + seat_sign(seat, x, y, size * 0.4, ink)

    def _sides(
        self, left: float, top: float, width: float, height: float
    ) -> Iterator[str]:
        """Yield the sides that belong to seats, as lines of their colour."""
        for edge in self._board.edges:
            dye = self._dye(edge.seat)[0]
            lean = width - self._size * self._columns
            right = self._board.slant == "right"
            first, last = (0.0, lean) if right else (lean, 0.0)
            wide = self._size * self._columns
            ends = {
                "top": (first, 0, first + wide, 0),
                "bottom": (last, height, last + wide, height),
                "left": (first, 0, last, height),
                "right": (first + wide, 0, last + wide, height),
            }[edge.side]
            x1, y1, x2, y2 = ends
            yield (
                f'<path d="M{left + x1:g} {top + y1:g}L{left + x2:g} {top + y2:g}" '
                f'stroke="{dye}" stroke-width="4" stroke-linecap="round"/>'
            )

    def _dye(self, seat: int | None) -> tuple[str, str]:
        return dye_of(None if seat is None else self._seats[seat])


def dye_of(seat: SeatName | None) -> tuple[str, str]:
    """Return the colour of a seat, and its ink."""
    if seat is None:
        return DYES["grey"]
    return DYES.get(seat.colour or "?", (SEAT_DYES[seat.seat % len(SEAT_DYES)], INK))


def seat_sign(seat: int, x: float, y: float, size: float, ink: str = INK) -> str:
    """Return the sign of a seat around a point."""
    return (
        f'<path fill="{ink}" d="{SEATS[seat % len(SEATS)]}" transform="translate('
        f'{x - size / 2:g} {y - size / 2:g}) scale({size / 16:.4g})"/>'
    )


def board_picture(
    board: SeenBoard, seats: Sequence[SeatName], drawing: Drawing | None = None
) -> Figure:
    """Return a board with what lies on it, and the meaning of its signs below."""
    drawn = _Board(board, seats, drawing).picture()
    inside, wide, x, y = drawn.inside, drawn.width, 0.0, drawn.height
    entries = [*_legend(board, seats)]
    for number, (sign, means) in enumerate(entries):
        width = 34 + 12 * LETTER * len(means)
        x = x if number and x + width < max(wide, drawn.width) else 0.0
        y += 0.0 if x else 20.0
        inside += moved(Figure(sign, 16, 16), x, y - 12)
        inside += text(means, x + 20, y, 12, anchor="start", ink=PAGE)
        x += width
        wide = max(wide, x)
    return Figure(inside, wide, y + (4 if entries else 0))


def _legend(board: SeenBoard, seats: Sequence[SeatName]) -> Iterator[tuple[str, str]]:
    """Yield the signs of places, then of seats that own something, with meanings."""
    grounds = [each for line in board.grounds for each in line if each is not None]
    for entry in board.legend:
        look = entry.look
        if entry.seat is not None or (look is not None and look.kind == "piece"):
            continue
        of = next((each for each in grounds if each.text == entry.means), None)
        if look is not None and look.icon:
            yield icon(look.icon, 8, 8, 14, PAGE), entry.means
        elif look is None:
            yield text(entry.mark, 8, 12, 12, ink=PAGE, bold=True), entry.means
        elif of is not None and of.seat is not None:
            fill = SEAT_DYES[of.seat % len(SEAT_DYES)]
            tint = _box(1, 1, 14, 14, fill=fill, fill_opacity=0.4, stroke=RULE)
            yield tint, entry.means
    lying = [each for line in board.cells for cell in line for each in cell]
    own = {each.seat for each in (*lying, *board.beside)}
    own |= {each.seat for each in board.edges}
    own |= {each.look.seat for each in lying if each.look is not None}
    if own <= {None} or {each.name for each in seats} <= {*board.row_heads}:
        return
    for seat in seats:
        body, ink = dye_of(seat)
        sign = f'<circle cx="8" cy="8" r="7.500" fill="{body}" stroke="{INK}"/>'
        named = seat.colour in DYES
        yield sign + ("" if named else seat_sign(seat.seat, 8, 8, 8, ink)), seat.name


def labelled(picture: Figure, labels: Sequence[tuple[float, str]]) -> Figure:
    """Return a picture with a line from each height to a label at its right."""
    inside, left = picture.inside, picture.width + 22
    for y, words in labels:
        inside += (
            f'<path d="M{picture.width - 12:g} {y:g}H{left - 4:g}" stroke="{RULE}"/>'
            + text(words, left, y + 4, 12, anchor="start", ink=PAGE)
        )
    width = left + max((14 * LETTER * len(words) for _, words in labels), default=0)
    return Figure(inside, width, picture.height)
