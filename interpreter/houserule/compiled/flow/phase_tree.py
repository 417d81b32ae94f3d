"""The phases of a game: their numbers, what stands in what, which children are over.

The children of a phase are phases and steps, by number; a word of the phase's record
says bit by bit which of them are over.
"""

from __future__ import annotations

from houserule import ir
from houserule.compiled.context import CompilationContext
from houserule.compiled.writer.functions import Code, Unsupported, i64

CHILDREN_AT_MOST = 64


class PhaseTree:
    """What is known of the phases of a program; the game itself has the name ''."""

    def __init__(self, context: CompilationContext) -> None:
        self._context, self._memory = context, context.memory
        self._steps = context.program.steps
        self.phases = {"": context.program.root, **context.program.phases}
        self.numbers = {
            name: number for number, name in enumerate(self._memory.phase_names)
        }
        most = max(len(phase.items) for phase in self.phases.values())
        if most > CHILDREN_AT_MOST:
            raise Unsupported("a phase with more than 64 steps")
        self._titles: dict[tuple[str, str], str] = {}

    def title(self, kind: str, phase: ir.PhaseDef) -> str:
        """Return the name of a function of a phase."""
        key = (kind, phase.name)
        if key not in self._titles:
            self._titles[key] = self._context.name(kind, phase.name or "game")
        return self._titles[key]

    def path(self, phase: ir.PhaseDef) -> list[ir.PhaseDef]:
        """Return the phases from the game itself down to a phase."""
        path = [phase]
        while path[-1].name:
            path.append(self.phases[path[-1].parent])
        return path[::-1]

    # ---- the children of a phase, bit by bit

    def over(self, phase: ir.PhaseDef) -> Code:
        """Return which children of a phase are over."""
        return f"(i64.load (i32.const {self._memory.phases[phase.name].over}))"

    def closing(self, phase: ir.PhaseDef, mask: int) -> str:
        """Return the statement that makes children of a phase be over."""
        at = self._memory.phases[phase.name].over
        return f"(i64.store (i32.const {at}) (i64.or {self.over(phase)} {i64(mask)}))"

    def before(self, phase: ir.PhaseDef, name: str) -> int:
        """Return the children that come before one."""
        return sum(1 << phase.items.index(each) for each in phase.before.get(name, ()))

    def is_open(self, name: str) -> bool:
        """Say whether a child is a step at which actions are taken."""
        step = self._steps.get(name)
        return step is not None and step.mode is not None

    def open_steps(self, phase: ir.PhaseDef) -> int:
        """Return the steps of a phase at which actions are taken."""
        return sum(1 << n for n, each in enumerate(phase.items) if self.is_open(each))
