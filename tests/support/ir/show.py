"""The core as text that people can read: for tests, questions and golden files.

It is no language: nothing reads it back. Slots print as `name.slot`, constants of a
kind by their label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tests.support.ir.show_expressions import Labels, show_expr
from tests.support.ir.show_statements import show_block

from houserule import ir


def show_program(program: ir.Program) -> str:
    """Return a whole program as text, its parts in their order."""
    lines = [f"program {program.game}: {program.seats} seats", ""]
    for part in (_kinds, _kept, _values, _effects, _actions, _flow, _reactions):
        found = list(part(program))
        lines += [*found, ""] if found else []
    lines += _end(program)
    return "\n".join(lines).rstrip() + "\n"


def _params(params: Sequence[ir.Param]) -> str:
    if not params:
        return ""
    return f"({', '.join(f'{each.name}: {each.type}' for each in params)})"


# ---- declarations


def _kinds(program: ir.Program) -> Iterator[str]:
    for name, kind in program.kinds.items():
        yield f"{kind.sort} {name} = {', '.join(program.labels[name])}"
        component = program.components.get(name)
        if component is None:
            continue
        for field, (type_, _) in component.fields.items():
            yield f"  field {field}: {type_}"
        if component.faces:
            faces = ", ".join(map(str, component.faces))
            yield f"  faces {faces}{_seen(program, component.seen)}"
    for name, value in program.options.items():
        yield f"option {name} = {value}"


def _kept(program: ir.Program) -> Iterator[str]:
    labels = program.labels
    for state in program.states.values():
        life = f" each {state.life}" if state.life else ""
        first = show_expr(state.first, labels)
        computed = " (computed)" if state.computed else ""
        yield (
            f"state {state.name}{_params(state.keys)}: {state.type}{life} "
            f"starts {first}{computed}{_seen(program, state.seen)}"
        )
    for zone in program.zones.values():
        most = "" if zone.at_most is None else f" at most {zone.at_most}"
        starts = f" starts {show_expr(zone.starts, labels)}" if zone.starts else ""
        showing = f" showing {', '.join(zone.showing)}" if zone.showing else ""
        yield (
            f"zone {zone.name}{_params(zone.keys)}: {zone.kind} of {zone.member}"
            f"{most}{showing}{starts}{_seen(program, zone.seen)}"
        )
    for tokens in program.tokens.values():
        slots = ", ".join(name + _params(keys) for name, keys in tokens.slots.items())
        yield f"tokens {tokens.name}{_params(tokens.keys)}: {tokens.amount} in {slots}"


def _seen(program: ir.Program, seen: ir.Expr | None) -> str:
    return "" if seen is None else f" seen by {show_expr(seen, program.labels)}"


def _values(program: ir.Program) -> Iterator[str]:
    labels = program.labels
    for value in program.values.values():
        definition = show_expr(value.definition, labels)
        head = f"value {value.name}{_params(value.params)}: {value.type}"
        yield f"{head} = {definition}  [frame {value.frame}]"
        for layer in value.layers:
            yield f"  then {layer.op} {layer.name}"
            for address, amount in layer.adjusts:
                yield f"    {address}: {show_expr(amount, labels)}"
        yield from _lifts(value.lifts, labels, "  ")


def _lifts(
    lifts: Sequence[tuple[str, ir.Expr]], labels: Labels, indent: str
) -> Iterator[str]:
    for address, test in lifts:
        yield f"{indent}or {address}: {show_expr(test, labels)}"


# ---- procedures


def _effects(program: ir.Program) -> Iterator[str]:
    for effect in program.effects.values():
        yield f"effect {effect.name}{_params(effect.params)}"
        yield from _conditions(effect.needs, program.labels)
        for body in effect.does:
            yield from _body(body, program.labels, f"  does {body.address}")
        for name in effect.instead:
            yield f"  instead {name}"


def _conditions(conditions: Sequence[ir.Condition], labels: Labels) -> Iterator[str]:
    for each in conditions:
        yield f"  needs {each.address}: {show_expr(each.test, labels)}"
        yield from _lifts(each.lifts, labels, "    ")


def _body(body: ir.Body, labels: Labels, head: str) -> Iterator[str]:
    hooks = "".join(f" before {name}" for name in body.before)
    hooks += "".join(f" after {name}" for name in body.after)
    yield f"{head}{hooks}  [frame {body.frame}]"
    yield from show_block(body.block, labels, "    ")


def _actions(program: ir.Program) -> Iterator[str]:
    labels = program.labels
    for action in program.actions.values():
        by = f" by {show_expr(action.by, labels)}" if action.by else ""
        factors = ", ".join(show_expr(bind, labels) for bind in action.params)
        head = f"action {action.name}({factors}){by} at {action.at}"
        yield f"{head}  [frame {action.frame}]"
        for cost in action.costs:
            binds = ", ".join(show_expr(bind, labels) for bind in cost.binds)
            yield from _body(cost.body, labels, f"  cost {cost.address}({binds})")
            for payment in cost.payments:
                yield f"    pays {_payment(payment, labels)}"
        yield from _conditions(action.conditions, labels)
        for advice in action.advice:
            kind = "usual" if advice.usual else "unwise"
            yield f"  {kind} {advice.address}: {show_expr(advice.test, labels)}"
        for limit in action.limits:
            count = show_expr(limit.count, labels)
            yield f"  limit {limit.address}: {count} each {limit.phase}"
        for ask in action.asks:
            yield f"  asks {ask.address}: {show_expr(ask.who, labels)}"
        for body in action.does:
            yield from _body(body, labels, f"  does {body.address}")


def _payment(payment: ir.Payment, labels: Labels) -> str:
    match payment:
        case ir.PayThings(what, kind):
            return f"{kind} {show_expr(what, labels)}"
        case ir.PayTop(count, zone, keys):
            return f"{show_expr(count, labels)} off {_cell(zone, keys, labels)}"
        case ir.PayTokens(count, slot, keys):
            return f"{show_expr(count, labels)} from {_cell(slot, keys, labels)}"
        case ir.PayCell(amount, state, keys):
            return f"{show_expr(amount, labels)} of {_cell(state, keys, labels)}"


def _cell(name: str, keys: Sequence[ir.Expr], labels: Labels) -> str:
    inside = ", ".join(show_expr(key, labels) for key in keys)
    return f"{name}({inside})" if keys else name


# ---- flow


def _flow(program: ir.Program) -> Iterator[str]:
    for name in program.root.items:
        yield from _part(program, name, "")
    yield from _order(program.root, "")


def _part(program: ir.Program, name: str, indent: str) -> Iterator[str]:
    if name in program.phases:
        yield from _phase(program, program.phases[name], indent)
    else:
        yield from _step(program, program.steps[name], indent)


def _phase(program: ir.Program, phase: ir.PhaseDef, indent: str) -> Iterator[str]:
    labels = program.labels
    head = f"{indent}phase {phase.name}"
    if phase.source is not None:
        head += f" for {phase.variable} in {show_expr(phase.source, labels)}"
    head += " together" if phase.together else ""
    if phase.guard is not None:
        head += f" if {show_expr(phase.guard, labels)}"
    if phase.until is not None and phase.times is not None:
        until, times = show_expr(phase.until, labels), show_expr(phase.times, labels)
        head += f" until {until}, at most {times} times"
    yield head + _at(phase.actions, phase.before_hooks, phase.after_hooks)
    for name in phase.items:
        yield from _part(program, name, indent + "  ")
    yield from _order(phase, indent + "  ")


def _step(program: ir.Program, step: ir.StepDef, indent: str) -> Iterator[str]:
    labels = program.labels
    guard = f" if {show_expr(step.guard, labels)}" if step.guard else ""
    if step.body is None:
        yield f"{indent}step {step.name}: {step.mode}{_at(step.actions, (), ())}"
        return
    hooks = _at((), step.body.before, step.body.after)
    yield f"{indent}step {step.name}{guard}{hooks}  [frame {step.body.frame}]"
    yield from show_block(step.body.block, labels, indent + "  ")


def _at(actions: Sequence[str], before: Sequence[str], after: Sequence[str]) -> str:
    parts = [("actions", actions), ("before", before), ("after", after)]
    return "".join(f" {word} {', '.join(names)}" for word, names in parts if names)


def _order(phase: ir.PhaseDef, indent: str) -> Iterator[str]:
    for name, earlier in phase.before.items():
        if earlier:
            yield f"{indent}{name} after {', '.join(earlier)}"
    for first, second in phase.released:
        yield f"{indent}released {first} then {second}"


def _reactions(program: ir.Program) -> Iterator[str]:
    labels = program.labels
    for each in program.reactions.values():
        first = len(each.params) + 1
        slots = enumerate(zip(("old", "new"), each.change, strict=False), first)
        changes = "".join(f" {word}.{slot}" for slot, (word, _) in slots)
        yield (
            f"{each.moment} {each.event}{_params(each.params)}{changes} "
            f"as {each.name}  [frame {each.frame}]"
        )
        yield from _conditions(each.needs, labels)
        for ask in each.asks:
            yield f"  asks {ask.address}: {show_expr(ask.who, labels)}"
        if each.uses_up is not None:
            yield f"  uses up {show_expr(each.uses_up, labels)}"
        for body in each.does:
            yield from _body(body, labels, f"  does {body.address}")


def _end(program: ir.Program) -> list[str]:
    labels: Mapping[str, tuple[str, ...]] = program.labels
    always = [
        f"always {each.address}: {show_expr(each.test, labels)}"
        for each in program.always
    ]
    warns = [
        f"warn {each.address}: {show_expr(each.test, labels)}" for each in program.warns
    ]
    asserts = [
        f"assert {each.address}: {show_expr(each.test, labels)}"
        for each in program.asserts
    ]
    return [*always, *warns, *asserts, f"winners {show_expr(program.winners, labels)}"]
