"""Access: the places that parts of a program read and write; inferred, never declared.

A *place* is a family of cells, zones, tokens or dice, such as ("state", "score"). Reads
go through the values that are called, writes through effects and the hooks on them.
"""

from __future__ import annotations

from functools import cached_property
from itertools import starmap

from houserule import ir
from houserule.ir.facts import NOTHING, Moving, NodeFacts, OwnReads, Place, Write, Zones


class Access:
    """Reads and writes of one program, worked out on demand and remembered.

    Facts of a node that hold in any program are in `facts`, shared by programs.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.facts = NodeFacts()
        self._values: dict[str, frozenset[Place]] = {}
        self._written: dict[str, frozenset[Place]] = {}
        self._imagined: dict[str, tuple[ir.CoreNode, ...]] = {}
        self._imagining: dict[str, bool] = {}

    # ---- reads

    def reads(self, *roots: ir.CoreNode) -> frozenset[Place]:
        """Return every place read beneath the roots, through values."""
        return self.reached_from(*map(self.facts.reads, roots))

    def reached_from(self, *known: OwnReads) -> frozenset[Place]:
        """Return every place that is read, where something reads these itself."""
        found: set[Place] = set()
        for own in known:
            found |= own.places
            for name in own.values:
                found |= self.value_reads(name)
            for node in own.asking:
                match node:
                    case ir.Can(step=step):
                        for name in self.program.steps[step].actions:
                            found |= self.judging(self.program.actions[name])
                    case ir.PositionAfter(action=action):
                        found |= self.imagined_reads(action)
                    case ir.Alike(kind=kind, place=True):
                        zones = self.program.zones.values()
                        found |= {("zone", z.name) for z in zones if z.member == kind}
                    case _:
                        pass
        return frozenset(found)

    def value_reads(self, name: str) -> frozenset[Place]:
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
            for effect in self.facts.does(body).effects:
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
            for effect in self.facts.does(body).effects:
                waiting += self._around_effect(effect)
        return tuple(found.values())

    def writes(self, *bodies: ir.Body) -> tuple[Write, ...]:
        """Return every write of bodies and of all that runs inside them."""
        found: list[Write] = []
        for body in self.all_bodies(*bodies):
            own = self.facts.does(body)
            found += own.writes
            for move in own.moves:
                found += (Write(at, False, False, move[0]) for at in self._moved(*move))
        return tuple(found)

    def places_written(self, *bodies: ir.Body) -> frozenset[Place]:
        """Return the places that bodies write."""
        return NOTHING.union(*map(self._places, self.all_bodies(*bodies)))

    def _places(self, body: ir.Body) -> frozenset[Place]:
        found = self._written.get(body.address)
        if found is None:
            own = self.facts.does(body)
            found = own.places.union(*starmap(self._moved, own.moves))
            self._written[body.address] = found
        return found

    def _moved(self, node: Moving, sources: Zones) -> list[Place]:
        """Return the zones from and to which a statement may move things."""
        if sources is None:
            kind = getattr(node.to.type, "member", None)
            sources = frozenset(self._zones_of.get(kind, ()))
        zones = sources.union(self.target_zones(node.to))
        return [(sort, zone) for zone in sorted(zones) for sort in ("zone", "order")]

    @cached_property
    def _zones_of(self) -> dict[object, list[str]]:
        """The zones that may hold the things of a kind."""
        found: dict[object, list[str]] = {}
        for zone in self.program.zones.values():
            found.setdefault(zone.member, []).append(zone.name)
        return found

    def target_zones(self, to: ir.Expr) -> frozenset[str]:
        """Return the zones that a position may point to."""
        found: set[str] = set()
        waiting: list[ir.CoreNode] = [to]
        seen: set[str] = set()
        while waiting:
            own = self.facts.reads(waiting.pop())
            found |= own.ends
            waiting += [self.program.values[n].definition for n in own.values - seen]
            seen |= own.values
        return frozenset(found)

    # ---- what is done where an action is imagined

    def imagined(self, action: str) -> tuple[ir.CoreNode, ...]:
        """Return all that runs, and all that is asked, where an action is taken.

        Costs, effects, hooks, and reactions to possible changes, each once; legality is
        not included.
        """
        if action not in self._imagined:
            self._imagined[action] = ()  # a circle is reported elsewhere
            self._imagined[action] = self._all_imagined(action)
        return self._imagined[action]

    def imagines(self, *roots: ir.CoreNode) -> bool:
        """Return whether the roots, or values there, look ahead at an action."""
        own = [self.facts.reads(root) for root in roots]
        return any(
            each.imagined or any(map(self._value_imagines, each.values)) for each in own
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
            for node in self.facts.reads(root).imagined:
                if node.action not in actions:
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
        """Return whether reactions to changes may follow an action."""
        return any(
            isinstance(each, ir.ReactionDef) and each.moment == "when"
            for each in self.imagined(action)
        )

    def imagined_reads(self, action: str) -> frozenset[Place]:
        """Return the places on which it hangs what an action leads to.

        Writes are included: adding 1 to a cell reads it.
        """
        roots = self.imagined(action)
        return self.reads(*roots) | self.places_written(*self.imagined_bodies(action))

    def _all_imagined(self, action: str) -> tuple[ir.CoreNode, ...]:
        program = self.program
        bodies = self.action_bodies(program.actions[action])
        fired: dict[str, ir.ReactionDef] = {}
        while True:
            running = self.all_bodies(*bodies)
            written = NOTHING.union(*map(self._places, running))
            new = {
                name: each
                for name, each in program.reactions.items()
                if each.moment == "when"
                and name not in fired
                and not written.isdisjoint(self.value_reads(each.event))
            }
            if not new:
                break
            fired |= new
            bodies += tuple(body for each in new.values() for body in each.does)
        # The hooks and effects that these bodies belong to, and the watched values.
        found: list[ir.CoreNode] = [*running]
        hooks = {n: None for each in running for n in (*each.before, *each.after)}
        deeds = (self.facts.does(each) for each in running)
        for effect in {name: None for own in deeds for name in own.effects}:
            found.append(program.effects[effect])
            hooks |= dict.fromkeys(program.effects[effect].instead)
        found += (program.reactions[name] for name in hooks)
        for each in fired.values():
            found += (program.values[each.event], each)
        return tuple(found)

    # ---- where bodies stand

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
