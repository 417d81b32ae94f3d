"""Pictures of boards as text: each sign is the value of a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from houserule.base.inflection import SHORT, inflected
from houserule.ir import Param
from houserule.ir.types import Data, Flag, Kind, Maybe, Set, Type
from houserule.language.manifest.ruleset_models import Board, BoardLayer
from houserule.language.manifest.yaml.document import Data as YamlData
from houserule.language.manifest.yaml.document import KeyPath
from houserule.play.positions.messages import E072

if TYPE_CHECKING:
    from houserule.play.positions.words import ScenarioWords

EMPTY = (".", "·", "-", "_")


def picture(
    words: ScenarioWords,
    name: str,
    params: Sequence[Param],
    text: str,
    signs: Mapping[str, YamlData],
    path: KeyPath,
) -> dict[str, YamlData]:
    """Return the value of each place in a picture of a state's or zone's board.

    Rows are as the board is drawn. Signs are separated by spaces, or are single
    letters. `signs` says what they mean; without it, a sign is a name, or the short
    form of one in the game's texts.

    Raises:
        Misread: the game draws no such board, or the picture has another size.
    """
    from houserule.play.narration.boards.grid import line_of
    from houserule.play.narration.boards.reading import ends_of

    drawn = _drawn(words, params)
    if drawn is None:
        message = f"No board of this game shows `{name}` by its places alone."
        raise words.misread(E072, message, path)
    board, layer = drawn
    rows = [line.strip() for line in text.strip("\n").split("\n")]
    parted = any(len(line.split()) > 1 for line in rows)
    cells = [line.split() if parted else list(line) for line in rows]
    at = _places(words, board, layer)
    sides = [{place[side] for place in at} for side in (0, 1)]
    down, across = (
        line_of(ends_of(ends, words.program), sorted(found))
        for ends, found in zip((board.rows, board.columns), sides, strict=True)
    )
    if (wide := {len(line) for line in cells}) != {len(across)}:
        sizes = " or ".join(map(str, sorted(wide)))
        message = f"A row of this board has {len(across)} places, not {sizes}."
        raise words.misread(E072, message, path)
    if len(cells) != len(down):
        message = f"This board has {len(down)} rows, not {len(cells)}."
        raise words.misread(E072, message, path)
    known = {**_short(words, name), **signs}
    blank = _blank(words, name)
    empty = {*EMPTY, *([board.empty] if board.empty else [])}.difference(signs)
    labels = words.labels[layer.each]
    found: dict[str, YamlData] = {}
    for row, line in zip(down, cells, strict=True):
        for column, sign in zip(across, line, strict=True):
            if (row, column) in at:
                meant = blank if sign in empty else known.get(sign, sign)
                found[labels[at[row, column]]] = meant
            elif sign not in empty:
                message = f"The board has no place at `{sign}` in the row of {row}."
                raise words.misread(E072, message, path)
    return found


def _drawn(
    words: ScenarioWords, params: Sequence[Param]
) -> tuple[Board, BoardLayer] | None:
    """Return the board with the places of a family, and its layer."""
    boards = words.ruleset.manifest.boards if words.ruleset else ()
    kinds = [param.type for param in params]
    return next(
        (
            (board, layer)
            for board in boards
            for layer in board.draw
            if [words.program.kinds.get(layer.each)] == kinds
        ),
        None,
    )


def _places(
    words: ScenarioWords, board: Board, layer: BoardLayer
) -> dict[tuple[int, int], int]:
    """Return the component at each row and column."""
    from houserule.engine.reference.play.game import ReferenceGame
    from houserule.engine.reference.play.setup import fresh
    from houserule.play.narration.boards.reading import BoardReading

    reading = BoardReading(ReferenceGame(fresh(words.program, 0)))
    kind = words.program.kinds[layer.each]
    row, column = (reading.reader(kind, each) for each in (layer.row, layer.column))
    found: dict[tuple[int, int], int] = {}
    for thing in range(kind.size):
        at = row.of(thing), column.of(thing)
        if isinstance(at[0], int) and isinstance(at[1], int):
            found[at[0], at[1]] = thing
    return found


def _type(words: ScenarioWords, name: str) -> Type | None:
    program = words.program
    if name in program.states:
        return program.states[name].type
    return program.zones[name].member if name in program.zones else None


def _blank(words: ScenarioWords, name: str) -> YamlData:
    """Return the value of an empty place."""
    match _type(words, name):
        case Flag():
            return "no"
        case Set():
            return []
        case _:
            return [] if name in words.program.zones else None


def _short(words: ScenarioWords, name: str) -> dict[str, YamlData]:
    """Return names by their short forms in the game's texts."""
    type_ = _type(words, name)
    inner = type_.inner if isinstance(type_, Maybe) else type_
    if not isinstance(inner, Kind):
        return {}
    labels = words.labels[inner.name]
    return {
        sign: labels[value]
        for sign, value in _signs(words, inner)
        if sign not in labels and isinstance(value, int)
    }


def _signs(words: ScenarioWords, kind: Kind) -> Iterator[tuple[str, Data]]:
    from houserule.play.narration.wording import Wording

    assert words.ruleset is not None, "it has the board"
    for language, texts in words.ruleset.texts.items():
        wording = Wording(words.program, texts, language)
        for value in range(kind.size):
            yield inflected(wording.value(value, kind)).form(SHORT), value
