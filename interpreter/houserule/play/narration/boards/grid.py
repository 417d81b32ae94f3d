"""Boards as grids of cells, computed from the state and the manifest.

This module knows no particular game. A layer names a kind of components and the source
of their row and column: a field, a state or a value. A cell prints a component's own
mark, a fixed mark, or what the layer shows of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from houserule.base.frozen import frozen
from houserule.base.inflection import SHORT, inflected
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir.types import Data, Kind, Maybe, Set, Type, core, is_seat
from houserule.language.manifest.ruleset_models import (
    COLOURS,
    Board,
    BoardHeads,
    BoardLayer,
    GroundLook,
    LayerLook,
    NumberLook,
    PieceLook,
    TileLook,
    in_language,
)
from houserule.play.narration.boards.reading import (
    AMOUNT,
    BoardReading,
    Reader,
    Ways,
    ends_of,
    kind_of,
    lined,
    ways_of,
)
from houserule.play.narration.visibility import ViewerVisibility
from houserule.play.narration.wording import Wording

Place = tuple[int, int]
PlacedPiece = tuple[Data, Data, "Piece"]  # row, column
FixedLayers = dict[int, Sequence[PlacedPiece]]  # by number
GROUND = GroundLook.model_validate({"as": "ground"})
PIECE = PieceLook.model_validate({"as": "piece"})


@frozen
class Piece:
    """A printed piece: a text, and its seat, if any.

    Attributes:
        text, seat: what a text drawing prints, in the colour of the seat.
        lettered: whether the text begins with the letter of that seat.
        thing: the component's name in the rules.
        look: how a picture draws it; None for a text.
        name: what a picture writes on it.
        of: the seat in whose colour a picture draws it.
        colour: another colour of it, by its name in looks.
        tile: the kind and the item that a picture draws.
        ways: the ends of lines on the ground.
        places: by seat, the number that a player's action uses for its place.
    """

    text: str
    seat: int | None = None
    lettered: bool = False
    thing: str = ""
    look: LayerLook | None = None
    name: str = ""
    of: int | None = None
    colour: str = ""
    tile: tuple[str, int] | None = None
    ways: Ways = ()
    places: tuple[Data, ...] = ()


@frozen
class Grid:
    """The cells of a board, row by row, with its edges.

    Each cell holds the pieces of its topmost layer. `beside` are seats' pieces that are
    in no cell. `things` are the names of all components in each cell, from the lowest
    layer up. `places` are the numbers of its place, by seat. `grounds` are the topmost
    grounds.
    """

    rows: Sequence[int]
    columns: Sequence[int]
    cells: list[list[list[Piece]]]
    row_heads: list[str]
    column_heads: list[str]
    beside: list[Piece] = field(default_factory=list)
    things: list[list[list[str]]] = field(default_factory=list)
    places: list[list[list[tuple[Data, ...]]]] = field(default_factory=list)
    grounds: list[list[Piece | None]] = field(default_factory=list)

    def pieces(self) -> Iterator[Piece]:
        """Yield every piece, those beside the board last."""
        for row in self.cells:
            for cell in row:
                yield from cell
        yield from self.beside


def grid_of(
    board: Board,
    game: ReferenceGame,
    words: Wording,
    knowledge: ViewerVisibility | None = None,
    fixed: FixedLayers | None = None,
) -> Grid:
    """Return the cells of a board in the current state.

    With a viewer's `knowledge`, hidden components are not drawn. `fixed` are the pieces
    of layers that never change; new ones are added.

    Raises:
        UnknownOnBoard: a layer uses a name that is not in the rules.
    """
    reading = BoardReading(game, knowledge)
    lean = {"right": 0.5, "left": -0.5}[board.look.slant]
    lean = lean if board.look.shape == "hexes" else 0.0
    layers: list[Sequence[PlacedPiece]] = []
    known = {} if fixed is None else fixed
    for number, drawn in enumerate(board.draw):
        pieces = known.get(number)
        if pieces is None:
            pieces = tuple(_pieces_of(drawn, reading, words, lean))
            if _is_fixed(drawn, reading):
                known[number] = pieces
        layers.append(pieces)
    # Pieces without a place are beside the board.
    placed = [
        (row, column)
        for layer in layers
        for row, column, _ in layer
        if isinstance(row, int) and isinstance(column, int)
    ]
    rows = line_of(ends_of(board.rows, reading.program), [row for row, _ in placed])
    columns = line_of(
        ends_of(board.columns, reading.program), [column for _, column in placed]
    )
    row_heads = _heads(board.row_heads, rows, reading, words)
    column_heads = _heads(board.column_heads, columns, reading, words)
    cells: list[list[list[Piece]]] = [[[] for _ in columns] for _ in rows]
    grid = Grid(rows, columns, cells, row_heads, column_heads)
    grid.things.extend([[] for _ in columns] for _ in rows)
    grid.places.extend([[] for _ in columns] for _ in rows)
    grid.grounds.extend([None for _ in columns] for _ in rows)
    place = {
        (row, column): (i, j)
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    }
    for layer in layers:
        fresh: set[Place] = set()  # cells that show this layer, on top of those below
        for row, column, piece in layer:
            at = None
            if isinstance(row, int) and isinstance(column, int):
                at = place.get((row, column))
            if at is not None:
                grid.things[at[0]][at[1]].append(piece.thing)
                if piece.places:
                    grid.places[at[0]][at[1]].append(piece.places)
                if isinstance(piece.look, GroundLook):
                    grid.grounds[at[0]][at[1]] = piece
            if not piece.text:
                continue
            if at is None:
                if piece.lettered:
                    grid.beside.append(piece)
                continue
            i, j = at
            if at not in fresh:
                grid.cells[i][j] = []
                fresh.add(at)
            grid.cells[i][j].append(piece)
    return grid


class OpenGrids:
    """A cache of a game's boards, shared by all viewers with the same view.

    If the rules hide nothing, that is everyone; otherwise each viewer has a separate
    grid. Call `forget` after each change of the game.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[int, Wording], Grid] = {}
        self._fixed: dict[tuple[int, Wording], FixedLayers] = {}

    def forget(self) -> None:
        """Clear the cache."""
        self._kept.clear()

    def of(
        self,
        number: int,
        board: Board,
        game: ReferenceGame,
        words: Wording,
        knowledge: ViewerVisibility,
    ) -> Grid:
        """Return the cells of a board, by its number; do not change them."""
        fixed = self._fixed.setdefault((number, words), {})
        if not knowledge.open:
            return grid_of(board, game, words, knowledge, fixed)
        found = self._kept.get((number, words))
        if found is None:
            found = grid_of(board, game, words, knowledge, fixed)
            self._kept[number, words] = found
        return found


def under_pieces(cell: Sequence[Piece], ground: Piece | None) -> str:
    """Return the lines on the ground that a text writes before what lies on them."""
    alone = not cell or isinstance(cell[0].look, GroundLook)
    return "" if alone or ground is None else lined(ground.ways)[:2]


def line_of(ends: Sequence[int] | None, drawn: Sequence[int]) -> Sequence[int]:
    """Return the numbers of rows or columns, in drawing order."""
    if ends is None:
        return range(min(drawn), max(drawn) + 1) if drawn else range(0)
    first, last = ends
    step = 1 if first <= last else -1
    return range(first, last + step, step)


def _heads(
    heads: BoardHeads | str | None,
    line: Sequence[int],
    reading: BoardReading,
    words: Wording,
) -> list[str]:
    if heads is None:
        return []
    if isinstance(heads, str):
        return [str(number) for number in line]
    kind = kind_of(reading.program, heads.each)
    named: dict[Data, str] = {}
    at = reading.reader(kind, heads.at)
    for thing in range(kind.size):
        name = words.seat(thing) if is_seat(kind) else words.thing(kind.name, thing)
        named.setdefault(at.of(thing), name)
    return [named.get(number, "") for number in line]


def _is_fixed(layer: BoardLayer, reading: BoardReading) -> bool:
    """Return whether the pieces of a layer never change."""
    names = {layer.row, layer.column, layer.when, layer.order, layer.place}
    names |= {*layer.shows, layer.unseen}
    if isinstance(layer.look, GroundLook):
        names |= {layer.look.ways, layer.look.colour} - COLOURS
    kind = kind_of(reading.program, layer.each)
    return all(name is None or reading.is_fixed(kind, name) for name in names)


def _pieces_of(
    layer: BoardLayer, reading: BoardReading, words: Wording, lean: float
) -> Iterator[PlacedPiece]:
    """Yield the pieces of a layer, each with its row and column."""
    kind = kind_of(reading.program, layer.each)
    if not kind.size:
        return
    row, column = (reading.reader(kind, name) for name in (layer.row, layer.column))
    when = None if layer.when is None else reading.reader(kind, layer.when)
    unseen = None if layer.unseen is None else reading.reader(kind, layer.unseen)
    shows = [reading.reader(kind, name) for name in layer.shows]
    things: Sequence[int] = range(kind.size)
    if layer.order is not None:  # the highest number first
        order = reading.reader(kind, layer.order)
        numbers = {n: found for n in things if isinstance(found := order.of(n), int)}
        things = sorted(things, key=lambda n: numbers.get(n, 0), reverse=True)
    for thing in things:
        if when is not None and not when.of(thing):
            continue
        if unseen is not None and unseen.sees(thing):
            continue
        if row.sees(thing) and column.sees(thing):
            piece = _piece(layer, shows, kind, thing, words)
            if layer.place is not None:
                places = reading.for_each_seat(kind, layer.place, thing)
                piece = replace(piece, places=places)
            if isinstance(layer.look, GroundLook) and layer.look.ways is not None:
                reader = reading.reader(kind, layer.look.ways)
                value = reader.of(thing)
                ways = ways_of(reading.program, reader.type, value, lean)
                named = _shown(value, reader.type, words)
                said = ": ".join(filter(None, (piece.name, named)))
                line = lined(ways) or piece.text
                piece = replace(piece, text=line, ways=ways, name=said)
            if isinstance(layer.look, GroundLook) and layer.look.colour is not None:
                # A colour of this name, or of the name's value for the thing.
                colour = layer.look.colour
                if colour in COLOURS:
                    piece = replace(piece, colour=colour)
                else:
                    reader = reading.reader(kind, colour)
                    value, type_ = reader.of(thing), reader.type
                    inner = core(type_)
                    if isinstance(value, int) and is_seat(type_):
                        piece = replace(piece, of=value)
                    elif isinstance(value, int) and isinstance(inner, Kind):
                        named = reading.program.labels[inner.name][value]
                        piece = replace(piece, colour=named)
            yield row.says(thing), column.says(thing), piece


def _piece(
    layer: BoardLayer, shows: Sequence[Reader], kind: Kind, thing: int, words: Wording
) -> Piece:
    name, look = words.program.labels[kind.name][thing], layer.look
    player = look.player if isinstance(look, PieceLook | NumberLook) else None
    of = None if player is None else player - 1
    if layer.mark is not None:
        if look is None and layer.means is None and not layer.mark.isalnum():
            look = GROUND
        means = in_language(layer.means or "", words.language)
        said = means if isinstance(look, GroundLook) else ""
        return Piece(layer.mark, thing=name, look=look, name=said, of=of)
    if not shows:
        owner = words.owner(kind.name, thing)
        mark = words.mark(kind.name, thing)
        if owner is None:
            tile = (kind.name, thing) if isinstance(look, TileLook) else None
            said = "" if tile else mark
            return Piece(mark, thing=name, look=look, name=said, of=of, tile=tile)
        rest = mark.removeprefix(words.seat_mark(owner))
        return Piece(mark, owner, True, name, look or PIECE, rest, owner)
    found = [(each.of(thing), each.type) for each in shows]
    seats = [value for value, type_ in found if is_seat(type_)]
    seat = seats[0] if seats else words.owner(kind.name, thing)
    seat = seat if isinstance(seat, int) else None
    # A player's piece is the letter of the player, as a thing made for each player is.
    lettered = isinstance(look, PieceLook) and bool(seats) and seat is not None
    shown = [
        words.seat_mark(value)
        if lettered and is_seat(type_) and isinstance(value, int)
        else _shown(value, type_, words)
        for value, type_ in found
    ]
    text = " ".join(word for word in shown if word)
    tile = None
    if isinstance(look, TileLook):
        (value, type_), *_ = found
        inner = core(type_)
        if isinstance(inner, Kind) and isinstance(value, int):
            tile = inner.name, value
        shown, found = shown[1:], found[1:]
    both = zip(shown, found, strict=True)
    named = " ".join(word for word, (_, type_) in both if word and not is_seat(type_))
    of = seat if of is None else of
    return Piece(text, seat, lettered, name, look, named, of, "", tile)


def _shown(value: Data, type_: Type, words: Wording) -> str:
    match value, type_:
        case None, _:
            return ""
        case int(), kind if kind == AMOUNT:
            return str(value) if value else ""
        case _, Maybe(inner):
            return _shown(value, inner, words)
        case tuple(), Set(member):
            return "+".join(_shown(each, member, words) for each in value)
        case _:
            return inflected(words.value(value, type_)).form(SHORT)
