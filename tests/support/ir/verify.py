"""The laws of the core, checked: shapes, types, slots, names.

A program that the check hands out keeps them. A problem found here is our fault, never
an author's; so this runs in tests, and wherever a pass over the core was changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.support.ir.verify_expressions import Verifier, flows
from tests.support.ir.verify_statements import verify_block

from houserule import ir
from houserule.ir.types import Flag, Set, Type

_FLAG = Flag()


def verify(program: ir.Program) -> list[str]:
    """Return what breaks the laws, each with the address where; empty if nothing."""
    checker = _Programs(program)
    checker.declarations()
    checker.procedures()
    checker.flow()
    return checker.problems


@dataclass(slots=True)
class _Programs:
    """Walks over the parts of a program."""

    program: ir.Program
    problems: list[str] = field(default_factory=list)

    def _at(
        self, where: str, params: Sequence[ir.Param] = (), frame: int | None = None
    ) -> Verifier:
        """Return a verifier of one frame, with parameters in slots 1…."""
        seats = self.program.kinds["Player"]
        slots: dict[int, Type] = {0: seats}
        slots.update({slot: param.type for slot, param in enumerate(params, 1)})
        return Verifier(self.program, where, slots, frame, self.problems)

    # ---- declarations

    def declarations(self) -> None:
        """Verify kinds, components, states, zones, tokens, values."""
        program = self.program
        for name, kind in program.kinds.items():
            if kind.name != name or kind.size != len(program.labels.get(name, ())):
                self.problems.append(f"{name}: its labels are not its members")
        for component in program.components.values():
            self._component(component)
        for state in program.states.values():
            here = self._at(f"{state.name}.starts", state.keys)
            here.wanted(state.first, state.type)
            self._seen(state.name, state.keys, state.seen)
            if state.life and state.life not in program.phases:
                self.problems.append(f"{state.name}: no phase {state.life}")
        for zone in program.zones.values():
            if zone.starts is not None:
                here = self._at(f"{zone.name}.starts", zone.keys)
                here.wanted(zone.starts, Set(zone.member))
            self._seen(zone.name, zone.keys, zone.seen)
        for tokens in program.tokens.values():
            self._tokens(tokens)
        for value in program.values.values():
            self._value(value)

    def _component(self, component: ir.ComponentDef) -> None:
        name, size = component.kind.name, component.kind.size
        for field_name, (type_, column) in component.fields.items():
            here = self._at(f"{name}.{field_name}")
            if len(column) != size:
                self.problems.append(f"{name}.{field_name}: {len(column)} rows")
            for value in column:
                here.data(value, type_)
        self._seen(name, (ir.Param("die", component.kind),), component.seen)

    def _seen(self, name: str, keys: Sequence[ir.Param], seen: ir.Expr | None) -> None:
        if seen is not None:
            seats = Set(self.program.kinds["Player"])
            self._at(f"{name}.seen", keys).wanted(seen, seats)

    def _tokens(self, tokens: ir.TokensDef) -> None:
        for slot, places in tokens.family_keys.items():
            params = tokens.slots[slot]
            own = [params[place].type for place in places]
            if own != [key.type for key in tokens.keys]:
                self.problems.append(f"{slot}: its keys are not those of its family")

    def _value(self, value: ir.ValueDef) -> None:
        here = self._at(value.name, value.params, value.frame)
        here.wanted(value.definition, value.type)
        for layer in value.layers:
            for _, amount in layer.adjusts:
                here.number(amount)
        for _, lift in value.lifts:
            here.wanted(lift, _FLAG)

    # ---- procedures

    def procedures(self) -> None:
        """Verify effects, actions, reactions."""
        for effect in self.program.effects.values():
            here = self._at(effect.name, effect.params)
            self._conditions(here, effect.needs)
            for body in effect.does:
                inner = self._at(body.address, effect.params, body.frame)
                self._body(inner, body)
            self._known("reaction", effect.instead, self.program.reactions)
        for action in self.program.actions.values():
            self._action(action)
        for reaction in self.program.reactions.values():
            self._reaction(reaction)

    def _body(self, here: Verifier, body: ir.Body) -> None:
        here.where = body.address
        kept = dict(here.slots)
        verify_block(here, body.block)
        here.slots = kept
        hooks = (*body.before, *body.after)
        self._known("reaction", hooks, self.program.reactions)

    def _conditions(self, here: Verifier, found: Sequence[ir.Condition]) -> None:
        for each in found:
            here.where = each.address
            here.wanted(each.test, _FLAG)
            for _, lift in each.lifts:
                here.wanted(lift, _FLAG)

    def _action(self, action: ir.ActionDef) -> None:
        here = self._at(action.name, (), action.frame)
        for bind in action.params:
            here.bind(bind)
        for cost in action.costs:
            for bind in cost.binds:
                here.bind(bind)
        for cost in action.costs:
            here.where = cost.address
            self._payments(here, cost.payments)
            self._body(here, cost.body)
        self._conditions(here, (*action.conditions, *action.advice))
        for limit in action.limits:
            here.number(limit.count)
            self._known("phase", (limit.phase,), self.program.phases)
        self._asks(here, action.asks)
        for body in action.does:
            self._body(here, body)
        places = {**self.program.steps, **self.program.phases}
        self._known("place", (action.at,), places)

    def _payments(self, here: Verifier, payments: Sequence[ir.Payment]) -> None:
        for payment in payments:
            match payment:
                case ir.PayThings(what, kind):
                    found = here.expr(what)
                    if not flows(found, Set(kind)) and not flows(found, kind):
                        here.problem(f"pays {found}, not {kind}")
                case ir.PayTop(count, zone, keys):
                    here.number(count)
                    here.keys(zone, keys, self.program.zones)
                case ir.PayTokens(count, slot, keys):
                    here.number(count)
                    here.slot_keys(slot, keys)
                case ir.PayCell(amount, state, keys):
                    here.number(amount)
                    here.keys(state, keys, self.program.states)

    def _asks(self, here: Verifier, asks: Sequence[ir.AskDef]) -> None:
        for ask in asks:
            here.where = ask.address
            here.seat_or_none(ask.who)

    def _reaction(self, reaction: ir.ReactionDef) -> None:
        known = (*reaction.params, *reaction.change)
        here = self._at(reaction.name, known, reaction.frame)
        self._conditions(here, reaction.needs)
        self._asks(here, reaction.asks)
        for body in reaction.does:
            self._body(here, body)
        if reaction.uses_up is not None:
            here.number(reaction.uses_up)

    # ---- flow

    def flow(self) -> None:
        """Verify steps, phases, invariants, winners."""
        program = self.program
        for step in program.steps.values():
            if step.guard is not None:
                self._at(f"{step.name}.if").wanted(step.guard, _FLAG)
            if step.body is not None:
                here = self._at(step.name, (), step.body.frame)
                self._body(here, step.body)
            if (step.body is None) == (step.mode is None):
                self.problems.append(f"{step.name}: neither open nor automatic")
            self._known("action", step.actions, program.actions)
        for phase in (*program.phases.values(), program.root):
            self._phase(phase)
        for each in (*program.always, *program.asserts):
            self._at(each.address).wanted(each.test, _FLAG)
        for warning in program.warns:
            if not isinstance(warning.test.type, Flag | Set):
                self.problems.append(f"{warning.address}: neither a flag nor a set")
            self._at(warning.address).expr(warning.test)
        self._winners()

    def _phase(self, phase: ir.PhaseDef) -> None:
        program = self.program
        here = self._at(phase.name)
        if phase.source is not None:
            here.elements(phase.source, seats=True)
        for test in (phase.guard, phase.until):
            if test is not None:
                here.wanted(test, _FLAG)
        if phase.times is not None:
            here.number(phase.times)
        self._known("child", phase.items, {**program.phases, **program.steps})
        if set(phase.before) != set(phase.items):
            self.problems.append(f"{phase.name}: its order is not of its children")
        for earlier in phase.before.values():
            self._known("child", earlier, dict.fromkeys(phase.items))
        hooks = (*phase.before_hooks, *phase.after_hooks)
        self._known("reaction", hooks, program.reactions)

    def _winners(self) -> None:
        here = self._at("winners")
        here.wanted(self.program.winners, Set(self.program.kinds["Player"]))
        if self.program.winning_keys:
            here.slots[self.program.winners_slot] = self.program.kinds["Player"]
            for key in self.program.winning_keys:
                here.expr(key)

    def _known(
        self, what: str, names: Sequence[str], known: Mapping[str, object]
    ) -> None:
        for name in names:
            if name not in known:
                self.problems.append(f"there is no {what} `{name}`")
