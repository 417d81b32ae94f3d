"""Definitions in a circle: values and effects that wait for themselves."""

from __future__ import annotations

from collections.abc import Mapping

from houserule.diagnostics.diagnostic import Label
from houserule.lower.symbols.symbol_table import Uses, World
from houserule.source import Span

Calls = Mapping[str, Mapping[str, Span]]


def check_circles(world: World) -> bool:
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
    """Report each circle once, at its first call by name."""
    done: set[str] = set()
    fine = True
    for start in sorted(calls):
        circle = [] if start in done else _circle(calls, start)
        if circle:
            done.update(circle)
            fine = False
            _one(world, sort, calls, circle, does)
    return fine


def _one(world: World, sort: str, calls: Calls, circle: list[str], does: str) -> None:
    steps = list(zip(circle, [*circle[1:], circle[0]], strict=True))
    first, *rest = [
        Label(calls[caller][called], f"`{caller}` uses `{called}`")
        for caller, called in steps
    ]
    path = " -> ".join([*circle, circle[0]])
    message = f"The {sort} `{circle[0]}` {does}: {path}."
    world.report("E019", message, first.span, first.text, others=rest)


def _circle(calls: Calls, start: str) -> list[str]:
    """Return the shortest way from a name back to itself, or nothing."""
    before: dict[str, str] = {}
    waiting = [start]
    for name in waiting:
        for called in calls.get(name, {}):
            if called == start:
                return _way(before, start, name)
            if called not in before and called in calls:
                before[called] = name
                waiting.append(called)
    return []


def _way(before: Mapping[str, str], start: str, last: str) -> list[str]:
    found = [last]
    while found[-1] != start:
        found.append(before[found[-1]])
    return found[::-1]
