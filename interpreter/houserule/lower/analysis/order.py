"""The order of what stands in a phase, as a relation of pairs."""

from __future__ import annotations

from collections.abc import Sequence

from houserule.compose.rules import Pair
from houserule.diagnostics.suggest import did_you_mean
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
    closed = _closure(before)
    for pair in world.rules.released:
        if pair.after in closed:
            closed[pair.after].discard(pair.before)
    return {name: tuple(sorted(closed[name] - {name})) for name in items}


def _closure(before: dict[str, set[str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name in before:
        seen: set[str] = set()
        waiting = list(before[name])
        while waiting:
            earlier = waiting.pop()
            if earlier not in seen:
                seen.add(earlier)
                waiting += before[earlier]
        found[name] = seen
    return found


def released_pairs(world: World, phase: str) -> tuple[tuple[str, str], ...]:
    """Return the released pairs among the children of a phase, by name."""
    here = world.children(phase)
    pairs = {
        (pair.before, pair.after)
        for pair in world.rules.released
        if pair.before in here and pair.after in here
    }
    return tuple(sorted(pairs))


def check_order(world: World) -> None:
    """Report pairs whose two names are not children of one phase."""
    for pair in (*world.rules.pairs, *world.rules.released):
        if _exists(world, pair, pair.before) and _exists(world, pair, pair.after):
            _check_pair(world, pair)


def _exists(world: World, pair: Pair, name: str) -> bool:
    if name in world.rules.steps or name in world.rules.phases:
        return True
    other = world.flow.get(name) or world.things.get(name)
    if other is not None:
        message = f"`{name}` is {other.said}; an order is one of steps and phases."
        world.report("E026", message, pair.span, others=world.declared_at(other))
    else:
        known = (*world.rules.steps, *world.rules.phases)
        message = f"There is no step or phase called `{name}`."
        world.report("E010", message, pair.span, did_you_mean(name, known))
    return False


def _check_pair(world: World, pair: Pair) -> None:
    first, second = _parent(world, pair.before), _parent(world, pair.after)
    if first == second:
        return
    world.report(
        "E026",
        f"`{pair.before}` and `{pair.after}` do not stand in one phase.",
        pair.span,
        details=(
            f"`{pair.before}` stands in {_said(first)}, "
            f"`{pair.after}` in {_said(second)}.",
        ),
    )


def _parent(world: World, name: str) -> str:
    step = world.rules.steps.get(name)
    return step.phase if step is not None else world.parent(name)


def _said(phase: str) -> str:
    return f"`{phase}`" if phase else "the game itself"
