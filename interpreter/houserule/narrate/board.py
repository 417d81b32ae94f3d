"""A board drawn from the state: a grid of cells, by what the manifest says of it.

Nothing here knows a game. A layer names a kind of things and what tells the row and the
column of each: a field, a state or a value. What lies in a cell is printed by its own
name, by a mark, or by what the layer shows of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.diagnostics.suggest import nearest
from houserule.engine.game import Game
from houserule.ir.nodes import Param, Program
from houserule.ir.types import Data, Kind, Maybe, Set, Type
from houserule.manifest.kept import read_document
from houserule.manifest.model import Board, BoardLayer
from houserule.manifest.ruleset import Ruleset

MANIFEST = "ruleset.yaml"
AMOUNT = Kind("amount", 0)  # how many lie in a zone; none is not printed


class UnknownOnBoard(ValueError):
    """A board names a kind, or something of a thing, that the composed rules lack."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is printed in a cell: a text, and the seat it belongs to, if any."""

    text: str
    seat: int | None


Grid = list[list[list[Piece]]]


def grid_of(board: Board, game: Game) -> Grid:
    """Return the cells of a board, row by row; each holds its topmost layer's pieces.

    Raises:
        UnknownOnBoard: a layer names what the rules do not have.
    """
    rows, columns = _line(board.rows), _line(board.columns)
    place = {
        (row, column): (i, j)
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    }
    grid: Grid = [[[] for _ in columns] for _ in rows]
    for layer in board.draw:
        fresh: set[tuple[int, int]] = set()
        for where, piece in _pieces(layer, game):
            if where not in place or not piece.text:
                continue
            i, j = place[where]
            if (i, j) not in fresh:
                grid[i][j] = []
                fresh.add((i, j))
            grid[i][j].append(piece)
    return grid


def _line(ends: Sequence[int]) -> list[int]:
    first, last = ends
    step = 1 if first <= last else -1
    return list(range(first, last + step, step))


def _pieces(layer: BoardLayer, game: Game) -> Iterator[tuple[tuple[int, int], Piece]]:
    kind = game.program.kinds.get(layer.each)
    if kind is None:
        raise UnknownOnBoard(layer.each)
    for thing in range(kind.size):
        if layer.when is not None and not read(game, kind, thing, layer.when)[0]:
            continue
        row, _ = read(game, kind, thing, layer.row)
        column, _ = read(game, kind, thing, layer.column)
        if isinstance(row, int) and isinstance(column, int):
            yield (row, column), _piece(layer, game, kind, thing)


def _piece(layer: BoardLayer, game: Game, kind: Kind, thing: int) -> Piece:
    if layer.mark is not None:
        return Piece(layer.mark, None)
    if not layer.shows:
        text = game.program.labels[kind.name][thing]
        return Piece(text, _owner(game, kind, thing))
    found = [read(game, kind, thing, name) for name in layer.shows]
    seats = [
        value for value, type_ in found if _is_seat(type_) and isinstance(value, int)
    ]
    words = [_shown(game, value, type_) for value, type_ in found]
    seat = seats[0] if seats else _owner(game, kind, thing)
    return Piece(" ".join(word for word in words if word), seat)


def _owner(game: Game, kind: Kind, thing: int) -> int | None:
    if kind.sort == "seat":
        return thing
    component = game.program.components.get(kind.name)
    for type_, column in (component.fields if component else {}).values():
        value = column[thing]
        if _is_seat(type_) and isinstance(value, int):
            return value
    return None


def _is_seat(type_: Type) -> bool:
    inner = type_.inner if isinstance(type_, Maybe) else type_
    return isinstance(inner, Kind) and inner.sort == "seat"


def read(game: Game, kind: Kind, thing: int, name: str) -> tuple[Data, Type]:
    """Return what a name tells of one thing, with its type.

    A field of the component; else a state, value, zone or place of tokens whose only
    key is the thing. Of a zone it is the number of things there.

    Raises:
        UnknownOnBoard: there is none of these by that name.
    """
    program = game.program
    component = program.components.get(kind.name)
    if component is not None and name in component.fields:
        type_, column = component.fields[name]
        return column[thing], type_
    if name in program.states and len(program.states[name].keys) == 1:
        return game.cell(name, thing), program.states[name].type
    if name in program.values and len(program.values[name].params) == 1:
        return game.value(name, thing), program.values[name].type
    count = _count(game, thing, name)
    if count is None:
        raise UnknownOnBoard(f"{name}({kind.name})")
    return count, AMOUNT


def _count(game: Game, thing: int, name: str) -> int | None:
    program = game.program
    if name in program.zones and len(program.zones[name].keys) == 1:
        return len(game.contents(name, thing))
    slots = {slot for tokens in program.tokens.values() for slot in tokens.slots}
    return game.tokens(name, thing) if name in slots else None


def _shown(game: Game, value: Data, type_: Type) -> str:
    match value, type_:
        case None, _:
            return ""
        case 0, kind if kind == AMOUNT:
            return ""
        case _, Maybe(inner):
            return _shown(game, value, inner)
        case int(), Kind(name=name) if name in game.program.labels:
            return game.program.labels[name][value]
        case tuple(), Set(member):
            return "+".join(_shown(game, each, member) for each in value)
        case _:
            return str(value)


def drawn(board: Board, game: Game) -> str:
    """Return a board as lines of text, its columns as wide as they have to be."""
    texts = [
        ["/".join(piece.text for piece in cell) or board.empty or "" for cell in row]
        for row in grid_of(board, game)
    ]
    widths = [max(len(row[j]) for row in texts) for j in range(len(texts[0]))]
    lines = [
        " ".join(text.center(width) for text, width in zip(row, widths, strict=True))
        for row in texts
    ]
    return "\n".join(line.rstrip() for line in lines)


def board_faults(ruleset: Ruleset, program: Program) -> Iterator[Diagnostic]:
    """Yield E038 for every kind or name on a board that the rules do not have."""
    if not ruleset.manifest.boards:
        return
    name = next(each for each in ruleset.sources if each.endswith(MANIFEST))
    document, _ = read_document(ruleset.sources[name])
    for number, board in enumerate(ruleset.manifest.boards):
        for depth, layer in enumerate(board.draw):
            for path, word, known in _strangers(layer, program):
                near = nearest(word, known)
                yield fault(
                    "E038",
                    f"The board wants {word} of {layer.each}, and the rules have no "
                    "such thing.",
                    document.span("boards", number, "draw", depth, *path),
                    f"did you mean {near}?" if near else "",
                )


def _strangers(
    layer: BoardLayer, program: Program
) -> Iterator[tuple[tuple[str | int, ...], str, list[str]]]:
    if layer.each not in program.kinds:
        yield ("each",), layer.each, sorted(program.kinds)
        return
    known = _readable(program, program.kinds[layer.each])
    words: list[tuple[tuple[str | int, ...], str | None]] = [
        (("row",), layer.row),
        (("column",), layer.column),
        (("when",), layer.when),
    ]
    words += [(("shows", n), word) for n, word in enumerate(layer.shows)]
    for path, word in words:
        if word is not None and word not in known:
            yield path, word, known


def _readable(program: Program, kind: Kind) -> list[str]:
    """Return every name that `read` knows for a kind."""
    component = program.components.get(kind.name)
    keyed: list[tuple[str, tuple[Param, ...]]] = [
        *((name, each.keys) for name, each in program.states.items()),
        *((name, each.params) for name, each in program.values.items()),
        *((name, each.keys) for name, each in program.zones.items()),
    ]
    for tokens in program.tokens.values():
        keyed += tokens.slots.items()
    names = {name for name, keys in keyed if [k.type for k in keys] == [kind]}
    return sorted(names | set(component.fields if component else ()))


class Boards:
    """The boards of a game, drawn when a round has passed and at the end."""

    def __init__(self, boards: Sequence[Board], language: str) -> None:
        self._boards, self._language = tuple(boards), language

    def all(self, game: Game) -> Iterator[str]:
        """Yield every board with its title, line by line."""
        for board in self._boards:
            yield ""
            yield _in_language(board.title, self._language)
            yield from drawn(board, game).split("\n")
            yield ""


def _in_language(title: str | dict[str, str], language: str) -> str:
    if isinstance(title, str):
        return title
    return title.get(language, next(iter(title.values())))
