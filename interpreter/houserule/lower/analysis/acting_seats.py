"""Acting seats: what says `me` must not be set off where no seat acts (E017)."""

from __future__ import annotations

from collections.abc import Iterator

from houserule import ir
from houserule.diagnostics.diagnostic import Diagnostic, fault
from houserule.ir.walk import slots_read
from houserule.lower.analysis.access import Access


def acting_seats(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E017 for every automatic step that may set off such a reaction."""
    reactions = [
        each
        for each in program.reactions.values()
        if each.moment == "when" and 0 in slots_read(each)
    ]
    for name, body in access.step_bodies.items():
        if _has_actor(program, program.steps[name].phase):
            continue
        written = access.places_written(body)
        for reaction in reactions:
            if written & access.value_reads(reaction.event):
                yield fault(
                    "E017",
                    f"{reaction.name} speaks of `me`, but {name}, which may set it "
                    "off, has nobody who acts.",
                    reaction.span,
                    fixes=("name the player: one of the keys, or `old` and `new`",),
                )


def _has_actor(program: ir.Program, phase: str) -> bool:
    while phase:
        here = program.phases[phase]
        if here.acts:
            return True
        phase = here.parent
    return False
