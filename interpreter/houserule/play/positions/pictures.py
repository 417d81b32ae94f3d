"""Pictures of boards as text: each sign is the value of a place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from houserule.base.inflection import SHORT, inflected
from houserule.base.source import Source, Span
from houserule.ir import Param
from houserule.ir.types import Flag, Kind, Maybe, Set, Type
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
) -> tuple[dict[str, YamlData], dict[str, Span]]:
    """Return the value of each place in a picture of a board, and where its sign is.

    Rows are as the board is drawn. Signs are separated by spaces, or are single
    letters. `signs` says what they mean; without it, a sign is a name, or the short
    form of one in the game's texts.

    Raises:
        Misread: the game draws no such board, or the picture has another size.
    """
    from houserule.engine.reference.play.game import ReferenceGame
    from houserule.engine.reference.play.setup import fresh
    from houserule.play.narration.boards.grid import line_of
    from houserule.play.narration.boards.reading import BoardReading, ends_of
    from houserule.play.narration.boards.usual import boards_of
    from houserule.play.narration.wording import Wording

    boards = boards_of(words.ruleset) if words.ruleset else ()
    kinds = [param.type for param in params]
    drawn = next(
        (
            (board, layer)
            for board in boards
            for layer in board.draw
            if [words.program.kinds.get(layer.each)] == kinds
        ),
        None,
    )
    if drawn is None:
        message = f"No board of this game shows `{name}` by its places alone."
        raise words.misread(E072, message, path)
    board, layer = drawn
    rows = [line.strip() for line in text.strip("\n").split("\n")]
    parted = any(len(line.split()) > 1 for line in rows)
    cells = [line.split() if parted else list(line) for line in rows]
    places = _places(words.document.span(*path), words.document.source, text, parted)
    reading = BoardReading(ReferenceGame(fresh(words.program, 0)))
    kind = words.program.kinds[layer.each]
    of_row, of_column = (reading.reader(kind, n) for n in (layer.row, layer.column))
    at: dict[tuple[int, int], int] = {}  # the component at each row and column
    for thing in range(kind.size):
        place = of_row.of(thing), of_column.of(thing)
        if isinstance(place[0], int) and isinstance(place[1], int):
            at[place[0], place[1]] = thing
    sides = [{place[side] for place in at} for side in (0, 1)]
    down, across = (
        line_of(ends_of(ends, words.program), sorted(side))
        for ends, side in zip((board.rows, board.columns), sides, strict=True)
    )
    for number, (line, there) in enumerate(zip(cells, places, strict=True), 1):
        if len(line) != len(across):
            message = f"A row of this board has {len(across)} places"
            message += f", but row {number} here has {len(line)}."
            raise words.misread(E072, message, path).at(there[0].to(there[-1]))
    if len(cells) != len(down):
        message = f"This board has {len(down)} rows, not {len(cells)}."
        raise words.misread(E072, message, path)
    type_: Type | None = None
    if name in words.program.states:
        type_ = words.program.states[name].type
    elif name in words.program.zones:
        type_ = words.program.zones[name].member
    blank: YamlData = None  # the value of an empty place
    if isinstance(type_, Flag):
        blank = "no"
    elif isinstance(type_, Set) or name in words.program.zones:
        blank = []
    # Names by their short forms in the game's texts.
    known: dict[str, YamlData] = {}
    inner = type_.inner if isinstance(type_, Maybe) else type_
    if isinstance(inner, Kind) and words.ruleset is not None:
        names = words.labels[inner.name]
        for language, texts in (words.ruleset.texts or {"en": {}}).items():
            wording = Wording(words.program, texts, language)
            if inner == wording.seats:  # drawn as their letters
                wording = wording.calling(names)
                known |= {wording.seat_mark(n): name for n, name in enumerate(names)}
            for value in range(inner.size):
                short = inflected(wording.value(value, inner)).form(SHORT)
                if short not in names:
                    known[short] = names[value]
    known |= signs
    empty = {*EMPTY, *([board.empty] if board.empty else [])}.difference(signs)
    labels = words.labels[layer.each]
    found: dict[str, YamlData] = {}
    spans: dict[str, Span] = {}
    for row, line, there in zip(down, cells, places, strict=True):
        for column, sign, span in zip(across, line, there, strict=True):
            if (row, column) in at:
                meant = blank if sign in empty else known.get(sign, sign)
                label = labels[at[row, column]]
                found[label], spans[label] = meant, span
            elif sign not in empty:
                message = f"The board has no place at `{sign}` in the row of {row}."
                raise words.misread(E072, message, path).at(span)
    return found, spans


def _places(whole: Span, source: Source, text: str, parted: bool) -> list[list[Span]]:
    """Return the place of each sign of a picture, or that of all where it has none."""
    sign = re.compile(r"\S+" if parted else r"\S")
    blank = len(text) - len(text.lstrip("\n"))
    lines = []
    for number, row in enumerate(text.strip("\n").split("\n"), whole.line + 1 + blank):
        line = source.line(number) if number <= len(source.lines) else ""
        same = line.split() == row.split()  # a block text, not one in quotation marks
        lines.append(
            [
                Span.at(source.name, number, found.start() + 1, len(found[0]))
                if same
                else whole
                for found in sign.finditer(line if same else row)
            ]
        )
    return lines
