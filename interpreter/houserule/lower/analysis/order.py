"""The order of what stands in a phase, as a relation of pairs."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.graph import closure
from houserule.lower.symbols.symbol_table import World


def before_relation(
    world: World, phase: str, items: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return for each child those that must be over first, by name.

    The relation is the transitive closure of all declared pairs without the released
    ones; it is not closed again. Where an order was released and turned round, a child
    does not wait for itself.
    """
    here = set(items)
    before: dict[str, set[str]] = {name: set() for name in items}
    for pair in world.rules.pairs:
        if pair.before in here and pair.after in here:
            before[pair.after].add(pair.before)
    closed = {name: set(earlier) for name, earlier in closure(before).items()}
    for pair in world.rules.released:
        if pair.after in closed:
            closed[pair.after].discard(pair.before)
    return {name: tuple(sorted(closed[name] - {name})) for name in items}


def released_pairs(world: World, phase: str) -> tuple[tuple[str, str], ...]:
    """Return the released pairs among the children of a phase, by name."""
    here = world.children(phase)
    pairs = {
        (pair.before, pair.after)
        for pair in world.rules.released
        if pair.before in here and pair.after in here
    }
    return tuple(sorted(pairs))
