"""Validation of a manifest's boards against the composed rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from houserule.base.diagnostics.diagnostic import Diagnostic, fault
from houserule.base.diagnostics.wording import nearest
from houserule.base.files import MANIFEST
from houserule.ir import Program
from houserule.ir.types import Maybe, Whole
from houserule.language.manifest.positions import E038
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import (
    COLOURS,
    Board,
    BoardHeads,
    GroundLook,
)
from houserule.language.manifest.yaml.read import read_document
from houserule.play.narration.boards.reading import (
    UnknownOnBoard,
    ends_of,
    places_of,
    readable,
    type_of,
    ways_of,
)

Path: TypeAlias = tuple[str | int, ...]
Stranger: TypeAlias = tuple[Path, str, str, list[str]]  # where, message, word, known


def board_faults(ruleset: LoadedRuleset, program: Program) -> Iterator[Diagnostic]:
    """Yield E038 for every kind or name on a board that the rules do not have.

    Also for rows and columns that no layer can fill.
    """
    if not ruleset.manifest.boards:
        return
    name = next(each for each in ruleset.sources if each.endswith(MANIFEST))
    document, _ = read_document(ruleset.sources[name])
    for number, board in enumerate(ruleset.manifest.boards):
        for path, message, word, known in _strangers(board, program):
            near = nearest(word, known)
            span = document.span("boards", number, *path)
            yield fault(E038, message, span, f"did you mean {near}?" if near else "")
        for key, line in (("rows", board.rows), ("columns", board.columns)):
            place = document.span("boards", number, key)
            try:
                ends = ends_of(line, program)
            except UnknownOnBoard as error:
                message = f"No option with a number for {key} is called {error}."
                yield fault(E038, message, place)
                continue
            if ends is None:
                continue
            low, high = sorted(ends)
            types = [
                type_of(program, program.kinds[layer.each], getattr(layer, key[:-1]))
                for layer in board.draw
                if layer.each in program.kinds
            ]
            plain = (each.inner if isinstance(each, Maybe) else each for each in types)
            ranges = [each for each in plain if isinstance(each, Whole)]
            if ranges and all(each.high < low or high < each.low for each in ranges):
                least = min(each.low for each in ranges)
                most = max(each.high for each in ranges)
                here = f"Nothing ever lies in the {key} {low} to {high}"
                message = f"{here}: things lie in {least} to {most}."
                yield fault(E038, message, place)


def _strangers(board: Board, program: Program) -> Iterator[Stranger]:
    flow = sorted([*program.phases, *program.steps])
    for place, word in enumerate(board.after):
        if word not in flow:
            message = f"The board waits for {word}, but no phase or step has this name."
            yield ("after", place), message, word, flow
    for key, heads in (
        ("row_heads", board.row_heads),
        ("column_heads", board.column_heads),
    ):
        if isinstance(heads, BoardHeads):
            yield from _unread((key,), heads.each, [(("at",), heads.at)], program)
    seats = next((k for k in program.kinds.values() if k.sort == "seat"), None)
    if board.look.seen_from not in ("one side", "own side") and seats is not None:
        asked: list[tuple[Path, str]] = [(("seen_from",), board.look.seen_from)]
        yield from _unread(("look",), seats.name, asked, program)
    for depth, layer in enumerate(board.draw):
        if layer.place is not None and layer.each in program.kinds:
            known = places_of(program, program.kinds[layer.each])
            if layer.place not in known:
                message = f"No value of {layer.each} is called {layer.place}."
                yield ("draw", depth, "place"), message, layer.place, known
        ground = layer.look if isinstance(layer.look, GroundLook) else None
        colour = ground.colour if ground else None
        words: list[tuple[Path, str | None]] = [
            (("row",), layer.row),
            (("column",), layer.column),
            (("when",), layer.when),
            (("unseen",), layer.unseen),
            (("order",), layer.order),
            (("look", "colour"), None if colour in COLOURS else colour),
            (("look", "ways"), ground.ways if ground else None),
        ]
        ways = ground.ways if ground else None
        kind = program.kinds.get(layer.each)
        if ways is not None and kind is not None and ways in readable(program, kind):
            try:
                ways_of(program, type_of(program, kind, ways), None)
            except UnknownOnBoard as error:
                yield ("draw", depth, "look", "ways"), f"{ways} {error}", ways, []
        words += [(("shows", n), word) for n, word in enumerate(layer.shows)]
        yield from _unread(
            ("draw", depth),
            layer.each,
            [(path, word) for path, word in words if word is not None],
            program,
        )


def _unread(
    at: Path, each: str, words: list[tuple[Path, str]], program: Program
) -> Iterator[Stranger]:
    if each not in program.kinds:
        message = f"The board wants every {each}, and the rules have no such kind."
        yield (*at, "each"), message, each, sorted(program.kinds)
        return
    known = readable(program, program.kinds[each])
    for path, word in words:
        if word not in known:
            message = (
                f"The board wants {word} of {each}, and the rules have no such thing."
            )
            yield (*at, *path), message, word, known
