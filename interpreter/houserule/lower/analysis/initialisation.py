"""Lives: which first values are computed, and who reads such a state too early."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from houserule import ir
from houserule.lower.analysis.cycles import by_owner
from houserule.lower.symbols.symbol_table import Uses, World
from houserule.lower.symbols.symbols import StateThing
from houserule.source import Span


@dataclass(slots=True)
class StateReads:
    """What each value and effect reads in the end, through all that it calls."""

    values: dict[str, Uses]
    effects: dict[str, Uses]
    states: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    changing: dict[str, bool] = field(default_factory=dict)

    def of_value(self, name: str) -> frozenset[str]:
        """Return the states that a value reads."""
        return self._deep("value", name, self.values)

    def of_effect(self, name: str) -> frozenset[str]:
        """Return the states that an effect reads."""
        return self._deep("effect", name, self.effects)

    def _deep(self, sort: str, name: str, where: dict[str, Uses]) -> frozenset[str]:
        key = (sort, name)
        if key not in self.states:
            self.states[key] = frozenset()  # a circle was reported before
            uses = where.get(name)
            found = (
                frozenset()
                if uses is None
                else frozenset(state for state, _ in self.places(uses))
            )
            self.states[key] = found
        return self.states[key]

    def places(self, uses: Uses) -> Iterator[tuple[str, Span]]:
        """Yield each state that is read, and the place that leads to it."""
        yield from uses.states.items()
        for value, span in uses.values.items():
            for state in sorted(self.of_value(value)):
                yield state, span
        for effect, span in uses.effects.items():
            for state in sorted(self.of_effect(effect)):
                yield state, span

    def changes(self, uses: Uses) -> bool:
        """Say whether something is read that changes in the game."""
        if uses.changing or uses.states:
            return True
        return any(self._value_changes(value) for value in uses.values)

    def _value_changes(self, name: str) -> bool:
        if name not in self.changing:
            self.changing[name] = False
            uses = self.values.get(name)
            self.changing[name] = uses is not None and self.changes(uses)
        return self.changing[name]


def settle_first_values(
    world: World, states: dict[str, ir.StateDef]
) -> dict[str, ir.StateDef]:
    """Mark computed first values, reporting E019 and E211; return the states."""
    reading = StateReads(by_owner(world, "value"), by_owner(world, "effect"))
    firsts = by_owner(world, "state")
    computed = {
        name
        for name, state in states.items()
        if reading.changes(firsts[name])
        or (state.life and not isinstance(state.first, ir.Const))
    }
    for name in sorted(computed):
        _check_first(world, name, firsts[name], computed, reading)
    for uses in world.uses:
        if uses.phases is not None:
            _check_outside(world, uses, computed, reading)
    return {
        name: replace(state, computed=name in computed)
        for name, state in states.items()
    }


def _life(world: World, state: str) -> str:
    thing = world.things.get(state)
    return thing.life if isinstance(thing, StateThing) else ""


def _check_first(
    world: World, name: str, uses: Uses, computed: set[str], reading: StateReads
) -> None:
    """Report a first value that reads another one which is computed with it."""
    for state, span in reading.places(uses):
        if state in computed and _life(world, state) == _life(world, name):
            message = f"The first value of `{name}` reads `{state}`, and both are "
            message += "worked out at the same moment."
            world.report("E019", message, span)


def _check_outside(
    world: World, uses: Uses, computed: set[str], reading: StateReads
) -> None:
    """Report a read of a state whose life has not begun and whose start is computed."""
    assert uses.phases is not None
    for state, span in reading.places(uses):
        life = _life(world, state)
        if state not in computed or not life or life in uses.phases:
            continue
        world.report(
            "E211",
            f"`{state}` has no value here: it begins with each `{life}`.",
            span,
            f"this is read outside `{life}`",
            details=("Only a state whose first value is constant can be read there.",),
        )
