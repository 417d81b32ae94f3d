"""Whether what several units add at one place can run in either order (E203, E207)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from houserule import ir
from houserule.diagnostics.diagnostic import Diagnostic, Label, fault
from houserule.lower.analysis.access import Access, Place
from houserule.lower.analysis.guards import exclusive


@dataclass(frozen=True, slots=True)
class Participant:
    """Something that runs at a place: its address, bodies, conditions and origin."""

    address: str
    bodies: tuple[ir.Body, ...]
    needs: tuple[ir.Condition, ...]
    origin: str
    node: ir.CoreNode


def interference(program: ir.Program, access: Access) -> Iterator[Diagnostic]:
    """Yield E203 and E207 for every pair that does not commute."""
    for place, participants in _meeting_places(program):
        for one, other in combinations(participants, 2):
            if one.origin == other.origin:
                continue
            shared = clash(one, other, access)
            if shared and not exclusive(one.needs, other.needs, program):
                yield _clash(place, one, other, shared)
    for effect in program.effects.values():
        replacements = sorted(
            (program.reactions[name] for name in effect.instead),
            key=lambda each: each.span,
        )
        for first, second in combinations(replacements, 2):
            if not exclusive(first.needs, second.needs, program):
                yield _two_replacements(effect, first, second)


def clash(one: Participant, other: Participant, access: Access) -> frozenset[Place]:
    """Return the places on which two participants do not commute."""
    found: set[Place] = set()
    first, second = access.writes(*one.bodies), access.writes(*other.bodies)
    reads = {
        one.address: _reads(one, access),
        other.address: _reads(other, access),
    }
    for write in first:
        for against in second:
            if write.place == against.place and not (write.adds and against.adds):
                found.add(write.place)
        if write.place in reads[other.address]:
            found.add(write.place)
    found |= {
        against.place for against in second if against.place in reads[one.address]
    }
    return frozenset(found)


def _reads(participant: Participant, access: Access) -> frozenset[Place]:
    tests = [need.test for need in participant.needs]
    lifts = [expr for need in participant.needs for _, expr in need.lifts]
    return access.reads(*tests, *lifts) | access.body_reads(
        *access.all_bodies(*participant.bodies)
    )


def _meeting_places(program: ir.Program) -> Iterator[tuple[str, Sequence[Participant]]]:
    """Yield every place where the bodies of several units meet, and those bodies."""
    bodies = [
        *(body for effect in program.effects.values() for body in effect.does),
        *(body for action in program.actions.values() for body in action.does),
        *(cost.body for action in program.actions.values() for cost in action.costs),
        *(step.body for step in program.steps.values() if step.body is not None),
        *(body for reaction in program.reactions.values() for body in reaction.does),
    ]
    for body in bodies:
        yield f"before {body.address}", _hooks(program, body.before)
        yield f"after {body.address}", _hooks(program, body.after)
    for phase in program.phases.values():
        yield f"before {phase.name}", _hooks(program, phase.before_hooks)
        yield f"after {phase.name}", _hooks(program, phase.after_hooks)
    owners = {name: each.does for name, each in program.effects.items()}
    owners |= {name: each.does for name, each in program.actions.items()}
    for name, does in owners.items():
        added = [body for body in does if _origin(program, body.address)]
        yield (
            f"in {name}",
            [
                Participant(b.address, (b,), (), _origin(program, b.address), b)
                for b in added
            ],
        )
    yield from _watchers(program)


def _hooks(program: ir.Program, names: Sequence[str]) -> list[Participant]:
    return [_participant(program, program.reactions[name]) for name in names]


def _participant(program: ir.Program, reaction: ir.ReactionDef) -> Participant:
    origin = _origin(program, reaction.name)
    return Participant(reaction.name, reaction.does, reaction.needs, origin, reaction)


def _watchers(program: ir.Program) -> Iterator[tuple[str, Sequence[Participant]]]:
    by_value: dict[str, list[Participant]] = {}
    for reaction in program.reactions.values():
        if reaction.moment == "when":
            participant = _participant(program, reaction)
            by_value.setdefault(reaction.event, []).append(participant)
    for value, participants in by_value.items():
        yield f"when {value} changes", participants


def _origin(program: ir.Program, address: str) -> str:
    clause = program.clauses.get(address)
    return clause.origin if clause else ""


def _clash(
    place: str, one: Participant, other: Participant, shared: frozenset[Place]
) -> Diagnostic:
    names = ", ".join(sorted(name for _, name in shared))
    return fault(
        "E203",
        f"{one.address} and {other.address} both run {place}, and it matters which "
        f"comes first: they meet on {names}.",
        one.node.span,
        others=(Label(other.node.span),),
        details=("Neither file is later: order never decides in this language.",),
        fixes=(
            f"hook one on the other:  after {other.address}.… as …",
            "let their needs exclude each other",
            "forbid the pair:  excludes …",
        ),
    )


def _two_replacements(
    effect: ir.EffectDef, one: ir.ReactionDef, other: ir.ReactionDef
) -> Diagnostic:
    return fault(
        "E207",
        f"{one.name} and {other.name} may both want to happen instead of "
        f"{effect.name}.",
        one.span,
        others=(Label(other.span),),
        details=(
            "Only one replacement can take place; their needs must exclude each other.",
        ),
        fixes=(f"needs {other.name}.…: a condition that fails where {one.name} holds",),
    )
