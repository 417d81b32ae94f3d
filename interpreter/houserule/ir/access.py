"""Access: the places that parts of a program read and write; inferred, never declared.

A *place* is a family of cells, zones, tokens or dice, such as ("state", "score"). Reads
go through the values that are called, writes through effects and the hooks on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from typing import TypeAlias

from houserule import ir
from houserule.frozen import frozen
from houserule.ir.walk import beneath

Place: TypeAlias = tuple[str, str]
NOTHING: frozenset[Place] = frozenset()


@frozen
class Write:
    """One way in which a place is written.

    `adds`: it adds to or takes from what is there, whatever that is; `lowers`: it only
    takes away.
    """

    place: Place
    adds: bool
    lowers: bool
    statement: ir.Statement = field(compare=False)


@frozen
class _OwnFacts:
    """The effects that one body itself calls, in order, and what it itself writes."""

    effects: tuple[str, ...]
    writes: tuple[Write, ...]


def own_reads(*roots: ir.CoreNode) -> frozenset[Place]:
    """Return the places read beneath the roots themselves, values not followed."""
    found: set[Place] = set()
    for node in beneath(*roots):
        match node:
            case ir.ReadCell(state=name) | ir.PayCell(state=name):
                found.add(("state", name))
            case ir.ReadFace(kind=kind):
                found.add(("face", kind.name))
            case ir.Contents(zone=name) | ir.ZoneSize(zone=name) | ir.PayTop(zone=name):
                found.add(("zone", name))
            case ir.PileTop(zone=name):
                found |= {("zone", name), ("order", name)}
            case ir.TokenCount(slot=name) | ir.PayTokens(slot=name):
                found.add(("tokens", name))
            case _:
                pass
    return frozenset(found)


def target_zones(to: ir.Expr, program: ir.Program) -> frozenset[str]:
    """Return the zones that a position may point to."""
    found: set[str] = set()
    waiting: list[ir.CoreNode] = [to]
    seen: set[str] = set()
    while waiting:
        for node in beneath(waiting.pop()):
            if isinstance(node, ir.PositionOf):
                found.add(node.zone)
            elif isinstance(node, ir.CallValue) and node.value not in seen:
                seen.add(node.value)
                waiting.append(program.values[node.value].definition)
    return frozenset(found)


class Access:
    """Reads and writes of one program, worked out on demand and remembered."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._values: dict[str, frozenset[Place]] = {}
        self._bodies: dict[str, _OwnFacts] = {}
        self._imagined: dict[str, tuple[ir.CoreNode, ...]] = {}
        self._imagining: dict[str, bool] = {}

    # ---- reads

    def reads(self, *roots: ir.CoreNode) -> frozenset[Place]:
        """Return every place read beneath the roots, through values."""
        found = set(own_reads(*roots))
        for node in beneath(*roots):
            if isinstance(node, ir.CallValue):
                found |= self.value_reads(node.value)
            elif isinstance(node, ir.Can):
                actions = self.program.steps[node.step].actions
                for name in actions:
                    found |= self.judging(self.program.actions[name])
            elif isinstance(node, ir.PositionAfter):
                found |= self.imagined_reads(node.action)
            elif isinstance(node, ir.Alike) and node.place:
                zones = self.program.zones.values()
                found |= {("zone", z.name) for z in zones if z.member == node.kind}
        return frozenset(found)

    def value_reads(self, name: str) -> frozenset[Place]:
        """Return every place that a declared value reads."""
        if name not in self._values:
            self._values[name] = NOTHING
            self._values[name] = self.reads(self.program.values[name])
        return self._values[name]

    def judging(self, action: ir.ActionDef) -> frozenset[Place]:
        """Return what is read to know whether an action is legal."""
        costs = [n for cost in action.costs for n in (*cost.binds, *cost.payments)]
        return self.reads(*action.params, *costs, *action.conditions, *action.limits)

    def body_reads(self, *bodies: ir.Body) -> frozenset[Place]:
        """Return what bodies read while they run, through effects."""
        found = set(self.reads(*(s for body in bodies for s in body.block)))
        for effect in self.effects_called(*bodies):
            for body in self.program.effects[effect].does:
                found |= self.reads(*body.block)
        return frozenset(found)

    # ---- writes

    def effects_called(self, *bodies: ir.Body) -> frozenset[str]:
        """Return every effect that bodies call, directly or through others."""
        found: set[str] = set()
        waiting = list(bodies)
        while waiting:
            body = waiting.pop()
            for effect in self._own(body).effects:
                if effect not in found:
                    found.add(effect)
                    waiting += self._around_effect(effect)
            waiting += self._hooks(body)
        return frozenset(found)

    def _around_effect(self, name: str) -> list[ir.Body]:
        effect = self.program.effects[name]
        bodies = list(effect.does)
        for replacement in effect.instead:
            bodies += self.program.reactions[replacement].does
        return bodies

    def _hooks(self, body: ir.Body) -> list[ir.Body]:
        return [
            does
            for name in (*body.before, *body.after)
            for does in self.program.reactions[name].does
        ]

    def all_bodies(self, *bodies: ir.Body) -> tuple[ir.Body, ...]:
        """Return bodies with all that runs inside: effects, hooks, replacements."""
        found: dict[str, ir.Body] = {}
        waiting = list(bodies)
        while waiting:
            body = waiting.pop()
            if body.address in found:
                continue
            found[body.address] = body
            waiting += self._hooks(body)
            for effect in self._own(body).effects:
                waiting += self._around_effect(effect)
        return tuple(found.values())

    def _own(self, body: ir.Body) -> _OwnFacts:
        """Return what a body does by itself; gone over once."""
        if body.address not in self._bodies:
            nodes = list(beneath(*body.block))
            calls = [each.effect for each in nodes if isinstance(each, ir.CallEffect)]
            writes = [write for each in nodes for write in self.writes_of(each)]
            self._bodies[body.address] = _OwnFacts(tuple(calls), tuple(writes))
        return self._bodies[body.address]

    def writes(self, *bodies: ir.Body) -> tuple[Write, ...]:
        """Return every write of bodies and of all that runs inside them."""
        return tuple(
            write
            for body in self.all_bodies(*bodies)
            for write in self._own(body).writes
        )

    def places_written(self, *bodies: ir.Body) -> frozenset[Place]:
        """Return the places that bodies write."""
        return frozenset(write.place for write in self.writes(*bodies))

    def writes_of(self, node: ir.CoreNode) -> tuple[Write, ...]:
        """Return what one statement writes by itself."""
        match node:
            case ir.SetCell(state=name):
                return (Write(("state", name), False, False, node),)
            case ir.AddCell(state=name, sign=sign):
                return (Write(("state", name), True, sign < 0, node),)
            case ir.SetFace(kind=kind) | ir.AddFace(kind=kind):
                return (Write(("face", kind.name), False, False, node),)
            case ir.RollDice(kind=kind):
                return (Write(("face", kind.name), False, False, node),)
            case ir.ShufflePile(zone=name):
                return (Write(("order", name), False, False, node),)
            case ir.MoveTokens(source=source, to=to, up_to=up_to, count=count):
                sure = not up_to and count is not None
                return (
                    Write(("tokens", source), sure, True, node),
                    Write(("tokens", to), sure, False, node),
                )
            case ir.MoveTop(zone=name, to=to):
                return (*self._zone_write(name, node), *self._arrivals(to, node))
            case ir.MoveThings(to=to):
                return (*self._departures(node), *self._arrivals(to, node))
            case _:
                return ()

    def _zone_write(self, zone: str, statement: ir.Statement) -> tuple[Write, ...]:
        return (
            Write(("zone", zone), False, False, statement),
            Write(("order", zone), False, False, statement),
        )

    def _arrivals(self, to: ir.Expr, statement: ir.Statement) -> tuple[Write, ...]:
        zones = sorted(target_zones(to, self.program))
        return tuple(w for zone in zones for w in self._zone_write(zone, statement))

    def _departures(self, statement: ir.MoveThings) -> tuple[Write, ...]:
        """Return the zones a thing may leave: all that may hold its kind."""
        kind = getattr(statement.to.type, "member", None)
        zones = [
            zone.name for zone in self.program.zones.values() if zone.member == kind
        ]
        return tuple(w for zone in zones for w in self._zone_write(zone, statement))

    # ---- what is done where an action is imagined

    def imagined(self, action: str) -> tuple[ir.CoreNode, ...]:
        """Return all that runs, and all that is asked, where an action is taken.

        That is its costs and what it does, hooks, effects, and reactions to changes
        that it may make, each once; not whether it is legal.
        """
        if action not in self._imagined:
            self._imagined[action] = ()  # a circle is reported elsewhere
            self._imagined[action] = self._all_imagined(action)
        return self._imagined[action]

    def imagines(self, *roots: ir.CoreNode) -> bool:
        """Say whether an action is imagined beneath the roots, or in values there."""
        return any(
            isinstance(node, ir.PositionAfter)
            or (isinstance(node, ir.CallValue) and self._value_imagines(node.value))
            for node in beneath(*roots)
        )

    def _value_imagines(self, name: str) -> bool:
        if name not in self._imagining:
            self._imagining[name] = False
            self._imagining[name] = self.imagines(self.program.values[name])
        return self._imagining[name]

    def with_imagined(self, *roots: ir.CoreNode) -> tuple[ir.CoreNode, ...]:
        """Return roots with all that is imagined beneath them, each action once."""
        found, actions = list(roots), set[str]()
        for root in found:  # it grows meanwhile
            for node in beneath(root):
                if isinstance(node, ir.PositionAfter) and node.action not in actions:
                    actions.add(node.action)
                    found += self.imagined(node.action)
        return tuple(found)

    def imagined_bodies(self, action: str) -> tuple[ir.Body, ...]:
        """Return the bodies among what is done where an action is imagined."""
        bodies = self.action_bodies(self.program.actions[action])
        reactions = [
            each
            for each in self.imagined(action)
            if isinstance(each, ir.ReactionDef) and each.moment == "when"
        ]
        return self.all_bodies(*bodies, *(b for each in reactions for b in each.does))

    def is_stirring(self, action: str) -> bool:
        """Say whether reactions to changes may follow to an action."""
        return any(
            isinstance(each, ir.ReactionDef) and each.moment == "when"
            for each in self.imagined(action)
        )

    def imagined_reads(self, action: str) -> frozenset[Place]:
        """Return the places on which it hangs what an action leads to.

        What is written is among them: a cell that gains 1 is what it was and 1.
        """
        roots = self.imagined(action)
        return self.reads(*roots) | self.places_written(*self.imagined_bodies(action))

    def _all_imagined(self, action: str) -> tuple[ir.CoreNode, ...]:
        program = self.program
        bodies = self.action_bodies(program.actions[action])
        fired: dict[str, ir.ReactionDef] = {}
        while True:
            running = self.all_bodies(*bodies)
            written = frozenset(w.place for each in running for w in self._writes(each))
            new = {
                name: each
                for name, each in program.reactions.items()
                if each.moment == "when"
                and name not in fired
                and not written.isdisjoint(self.value_reads(each.event))
            }
            if not new:
                return (*running, *self._around(running), *self._watched(fired))
            fired |= new
            bodies += tuple(body for each in new.values() for body in each.does)

    def _writes(self, body: ir.Body) -> tuple[Write, ...]:
        return self._own(body).writes

    def _around(self, bodies: tuple[ir.Body, ...]) -> Iterator[ir.CoreNode]:
        """Yield the hooks and effects that these bodies belong to."""
        program = self.program
        hooks = {n: None for each in bodies for n in (*each.before, *each.after)}
        for effect in {n: None for each in bodies for n in self._own(each).effects}:
            yield program.effects[effect]
            hooks |= dict.fromkeys(program.effects[effect].instead)
        yield from (program.reactions[name] for name in hooks)

    def _watched(self, fired: dict[str, ir.ReactionDef]) -> Iterator[ir.CoreNode]:
        for each in fired.values():
            yield self.program.values[each.event]
            yield each

    # ---- where bodies stand

    @cached_property
    def step_bodies(self) -> dict[str, ir.Body]:
        """The bodies of automatic steps, by name."""
        return {
            name: step.body
            for name, step in self.program.steps.items()
            if step.body is not None
        }

    def action_bodies(self, action: ir.ActionDef) -> tuple[ir.Body, ...]:
        """Return the bodies of an action: payments, then what it does."""
        return (*(cost.body for cost in action.costs), *action.does)

    def child_bodies(self, name: str) -> tuple[ir.Body, ...]:
        """Return every body that may run while a step or phase is under way."""
        program = self.program
        if name in program.steps:
            step = program.steps[name]
            own = () if step.body is None else (step.body,)
            actions = [program.actions[each] for each in step.actions]
            return (*own, *(b for each in actions for b in self.action_bodies(each)))
        phase = program.phases[name]
        actions = [program.actions[each] for each in phase.actions]
        hooks = (*phase.before_hooks, *phase.after_hooks)
        return (
            *(body for item in phase.items for body in self.child_bodies(item)),
            *(body for each in actions for body in self.action_bodies(each)),
            *(body for hook in hooks for body in program.reactions[hook].does),
        )
