"""The boards of a game: those of its manifest, else grids that its rules suggest.

A component for each two numbers, such as `Cell for each row: 1..8, column: 1..8`, is a
board if a state belongs to each of its members.
"""

from __future__ import annotations

from collections.abc import Sequence

from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.manifest.ruleset_models import Board
from houserule.language.syntax.tree.statements import Typed
from houserule.language.syntax.tree.terms import MaybeType, NamedType, RangeType
from houserule.language.syntax.tree.things import Component, State

ACROSS = frozenset({"column", "columns", "col", "file", "x"})
TITLE = {
    "en": "The board",
    "de": "Das Brett",
    "fr": "Le plateau",
    "it": "Il tabellone",
}


def boards_of(ruleset: LoadedRuleset) -> Sequence[Board]:
    return ruleset.manifest.boards or ruleset.derived(_usual)


def _usual(ruleset: LoadedRuleset) -> Sequence[Board]:
    items, boards = ruleset.base.items, []
    for component in (each for each in items if isinstance(each, Component)):
        numbers = [
            (name.text, param.type)
            for param in component.each
            if isinstance(param, Typed)
            for name in param.names
        ]
        if len(numbers) != 2 or not all(isinstance(t, RangeType) for _, t in numbers):
            continue
        (row, _), (column, _) = numbers
        if row in ACROSS:
            row, column = column, row
        name = component.name.text
        at = {"each": name, "row": row, "column": column}
        layers: list[dict[str, object]] = [{**at, "mark": "·"}]
        for state in (each for each in items if isinstance(each, State)):
            types = [
                p.type for p in state.params if isinstance(p, Typed) for _ in p.names
            ]
            if [t.name for t in types if isinstance(t, NamedType)] != [name]:
                continue
            inner = (
                state.type.inner if isinstance(state.type, MaybeType) else state.type
            )
            piece = isinstance(inner, NamedType) and inner.name == "Player"
            look = {"look": {"as": "piece"}} if piece else {}
            layers.append({**at, "shows": [state.name.text], **look})
        if len(layers) > 1:
            heads = {"row_heads": "numbers", "column_heads": "numbers"}
            board = {"title": TITLE, "empty": "·", "draw": layers, **heads}
            boards.append(Board.model_validate(board))
    return boards
