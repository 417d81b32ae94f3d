"""Flow: which phase runs, which steps are open, what `done` closes.

The rules of closing are those of `docs/language/semantics.md`, section "Flow". A stack
of activations, the game itself at the bottom, is the position in the flow. With the
procedures in progress, it is enough to continue the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal

from houserule import ir
from houserule.base.frozen import slotted
from houserule.engine.reference.choices import Choice
from houserule.ir.types import Data

Stage = Literal["enter", "begin", "open", "leave", "left"]


@slotted
class Activation:
    """One phase under way.

    Attributes:
        items: what its `for` runs over, or None.
        index: the item under way.
        passes: how often `until` was asked.
        over: children that have run or were closed, in this item.
        counts: how often a step's actions were taken, in this item.
        chosen: of a `together` phase, the choices so far, in order of seats.
        resolved: how many of them have taken effect; -1 while some are missing.
    """

    phase: str
    stage: Stage = "enter"
    items: tuple[Data, ...] | None = None
    index: int = 0
    passes: int = 0
    over: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)
    chosen: list[tuple[int, Choice]] = field(default_factory=list)
    resolved: int = -1

    @property
    def item(self) -> Data:
        """The item under way, None for a phase without `for`."""
        if self.items is None or self.index >= len(self.items):
            return None
        return self.items[self.index]

    def begin_item(self) -> None:
        """Start an item, or the same one again: nothing is over, nothing counted."""
        self.stage = "begin"
        self.over.clear()
        self.counts.clear()
        self.chosen.clear()
        self.resolved = -1

    def copy(self) -> Activation:
        """Return a copy that shares nothing that changes."""
        return Activation(
            self.phase,
            self.stage,
            self.items,
            self.index,
            self.passes,
            set(self.over),
            dict(self.counts),
            list(self.chosen),
            self.resolved,
        )


class FlowPlan:
    """The flow as it is known before play: children, step modes, lives, limits.

    Attributes:
        open_steps: the steps of actions; what else a phase has is automatic.
        main_loop: the phases whose items are rounds.
        claimed: the phases in which all seats may claim, and only the first one acts.
    """

    def __init__(self, program: ir.Program) -> None:
        self.phases = {**program.phases, "": program.root}
        self.steps = program.steps
        self.main_loop = program.main_loop
        self.claimed = program.claimed
        self.open_steps = frozenset(
            name for name, step in program.steps.items() if step.mode is not None
        )
        self.lives: dict[str, tuple[ir.StateDef, ...]] = {}
        for state in program.states.values():
            if state.life:
                self.lives[state.life] = (*self.lives.get(state.life, ()), state)
        self.limited: dict[str, tuple[str, ...]] = {}
        for action in program.actions.values():
            for limit in action.limits:
                here = self.limited.get(limit.phase, ())
                self.limited[limit.phase] = (*here, limit.address)

    def waiting(self, act: Activation) -> Iterator[str]:
        """Yield the children that are not over, in order."""
        for name in self.phases[act.phase].items:
            if name not in act.over:
                yield name

    def behind(self, act: Activation, name: str) -> list[str]:
        """Return the children that must be over before this one and are not."""
        before = self.phases[act.phase].before.get(name, ())
        return [each for each in before if each not in act.over]

    def ready(self, act: Activation) -> str | None:
        """Return the first automatic step or phase that waits for nothing."""
        for name in self.waiting(act):
            if name not in self.open_steps and not self.behind(act, name):
                return name
        return None

    def unblocked(self, act: Activation) -> list[str]:
        """Return the open steps behind no automatic step and no phase."""
        return [
            name
            for name in self.waiting(act)
            if name in self.open_steps
            and self.open_steps.issuperset(self.behind(act, name))
        ]

    def closed_by_done(self, act: Activation) -> list[str]:
        """Return the open steps that hold up something which waits for nothing else.

        Empty if there is none: then `done` ends the phase.
        """
        closed: list[str] = []
        for name in self.waiting(act):
            if name in self.open_steps:
                continue
            before = self.behind(act, name)
            if self.open_steps.issuperset(before):
                closed += [each for each in before if each not in closed]
        return closed

    def after_taking(self, act: Activation, step: str) -> None:
        """Close the items before a step with a taken action, then the step if used."""
        act.over.update(self.phases[act.phase].before.get(step, ()))
        act.counts[step] = act.counts.get(step, 0) + 1
        if self.steps[step].mode in {"at most once", "exactly once"}:
            act.over.add(step)

    def reopen(self, act: Activation, step: str) -> None:
        """Clear the over mark and the count of a step: `again step`."""
        act.over.discard(step)
        act.counts.pop(step, None)


def depth_of(stack: list[Activation], phase: str) -> int | None:
    """Return how deep a phase under way lies, from 0 for the game, or None."""
    for depth in range(len(stack) - 1, -1, -1):
        if stack[depth].phase == phase:
            return depth
    return None
