"""What counts as a round when a game is told: a pass of an outermost loop."""

from __future__ import annotations

from houserule.ir.nodes import PhaseDef, Program


def is_round(program: Program, name: str) -> bool:
    """Say whether each item of a phase is a round.

    It is an outermost phase with `until`, or with a `for` in which nobody acts.
    """
    phase: PhaseDef | None = program.phases.get(name)
    if phase is None or phase.parent:
        return False
    counted = phase.source is not None and not phase.acts and not phase.together
    return phase.until is not None or counted
