"""A comparison as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houserule.cli.aligned import aligned
from houserule.diagnostics.wording import counted
from houserule.simulate.statistics.measures import with_margin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from houserule.simulate.comparison import (
        ChangedTable,
        Comparison,
        Interaction,
        MeasureDifference,
    )

MANY = 30


def lines_of(result: Comparison) -> Iterator[str]:
    """Yield the lines of a comparison."""
    bots = ", ".join(dict.fromkeys(result.bots))
    yield (
        f"{result.game}, {counted(result.players, 'player')} ({bots}), "
        f"seed {result.seed}: {counted(result.games, 'game')} at each table, "
        "on the same luck"
    )
    if result.ended == "width":
        yield "The interval is as narrow as was asked for."
    yield f"base: {_described(result.base.name, result.base.table.variants)}"
    for change in result.changes:
        yield ""
        yield from _change(change)
    if result.interactions:
        yield ""
        yield "what two do together beyond the sum of both:"
        for each in result.interactions:
            yield from _interaction(each)
    yield ""
    yield _confidence(result)
    if result.faults:
        yield f"faults of the rules: {result.faults}"


def _described(name: str, variants: list[str]) -> str:
    on = ", ".join(variants)
    return name if not on or on == name else f"{name} ({on})"


def _change(change: ChangedTable) -> Iterator[str]:
    yield f"with {change.name}:".replace("with without", "without")
    rows = [
        ["", "base", "changed", "difference", ""],
        *(_row(each) for each in change.differences if _telling(each)),
    ]
    yield from aligned(rows, left={0, 4}, indent="  ")


def _telling(each: MeasureDifference) -> bool:
    """Say whether there is anything to tell: what never came about is left out."""
    return bool(each.base or each.changed)


def _row(each: MeasureDifference) -> list[str]:
    scale = 100 if each.kind == "share" else 1
    margin = scale * (each.high - each.low) / 2
    return [
        each.measure,
        _number(scale * each.base, scale),
        _number(scale * each.changed, scale),
        with_margin(scale * each.difference, margin, "+"),
        each.verdict,
    ]


def _number(value: float, scale: int) -> str:
    return f"{value:.1f} %" if scale == 100 else f"{value:.2f}"


def _interaction(found: Interaction) -> Iterator[str]:
    seen = [each for each in found.differences if each.seen]
    rows = [[each.measure, each.verdict] for each in seen]
    yield f"  {' and '.join(found.changes)}:" + ("" if seen else " nothing seen")
    yield from aligned(rows, left={0, 1}, indent="    ")


def _confidence(result: Comparison) -> str:
    line = "95 % intervals, each measure for itself"
    if result.together > 1:
        line += f"; of each measure, those of all {result.together} changes at once"
    if result.games < MANY:
        line += f"; with fewer than {MANY} games they are rough"
    return line
