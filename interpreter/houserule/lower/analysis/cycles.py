"""Definitions in a circle: values and effects that wait for themselves."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from houserule.diagnostics.diagnostic import Label
from houserule.graph import shortest_path
from houserule.lower.symbols.symbol_table import Uses, World
from houserule.source import Span

Calls = Mapping[str, Mapping[str, Span]]


def check_cycles(world: World) -> bool:
    """Report values and effects that are defined by themselves; say if none is."""
    values = by_owner(world, "value")
    effects = by_owner(world, "effect")
    value_calls = {name: uses.values for name, uses in values.items()}
    effect_calls = {name: uses.effects for name, uses in effects.items()}
    fine = _report(world, "value", value_calls, "follows from itself")
    return _report(world, "effect", effect_calls, "calls itself") and fine


def by_owner(world: World, sort: str) -> dict[str, Uses]:
    """Return what each value, effect or state relies on, by its name."""
    found = {}
    for uses in world.uses:
        owner, _, name = uses.owner.partition(" ")
        if owner == sort:
            found[name] = uses
    return found


def _report(world: World, sort: str, calls: Calls, does: str) -> bool:
    """Report a shortest cycle of every knot; say if there is none."""
    known = {name: [each for each in calls[name] if each in calls] for name in calls}
    done: set[str] = set()
    fine = True
    for start in sorted(calls):
        cycle = [] if start in done else shortest_path(known, start, start)
        if cycle:
            done.update(cycle)
            fine = False
            _report_cycle(world, sort, calls, cycle, does)
    return fine


def _report_cycle(
    world: World, sort: str, calls: Calls, cycle: list[str], does: str
) -> None:
    first, *rest = [
        Label(calls[caller][called], f"`{caller}` uses `{called}`")
        for caller, called in pairwise(cycle)
    ]
    message = f"The {sort} `{cycle[0]}` {does}: {' -> '.join(cycle)}."
    world.report("E019", message, first.span, first.text, others=rest)
