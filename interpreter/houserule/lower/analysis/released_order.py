"""Released order: whether a step may now run before what it reads is set (E206)."""

from __future__ import annotations

from collections.abc import Iterator

from houserule import ir
from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.lower.analysis.access import Access, Place


def released_order(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E206 for every released pair whose later step reads what the first sets."""
    for phase in (*program.phases.values(), program.root):
        for first, second in phase.released:
            if first in phase.before.get(second, ()) or not _certain(program, first):
                continue
            written = _passing(program, access.child_bodies(first), access)
            lost = written & _wanted(program, second, access)
            if lost:
                yield _lost(phase, first, second, lost)


def _certain(program: ir.Program, name: str) -> bool:
    """Say whether a child surely does something: it is automatic, or has such a one."""
    if name in program.steps:
        return program.steps[name].mode is None
    return any(_certain(program, item) for item in program.phases[name].items)


def _passing(
    program: ir.Program, bodies: tuple[ir.Body, ...], access: Access
) -> frozenset[Place]:
    """Return what bodies write that does not simply last: lives, zones, faces."""
    return frozenset(
        (sort, name)
        for sort, name in access.places_written(*bodies)
        if sort in {"zone", "face"} or (sort == "state" and program.states[name].life)
    )


def _wanted(program: ir.Program, name: str, access: Access) -> frozenset[Place]:
    if name in program.steps:
        step = program.steps[name]
        found = frozenset().union(
            *(access.judging(program.actions[each]) for each in step.actions)
        )
        if step.body is not None:
            found |= access.body_reads(step.body)
        return found
    phase = program.phases[name]
    return frozenset().union(*(_wanted(program, each, access) for each in phase.items))


def _lost(
    phase: ir.PhaseDef, first: str, second: str, lost: frozenset[Place]
) -> Diagnostic:
    names = ", ".join(sorted(name for _, name in lost))
    return fault(
        "E206",
        f"{second} reads {names}, which {first} sets. With that order released, "
        f"{second} could come first.",
        phase.span,
        fixes=(
            f"keep that order:  order {first} then {second}",
            f"give {second} its own condition:  needs {second}.…: …",
        ),
    )
