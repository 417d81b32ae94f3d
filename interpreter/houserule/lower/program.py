"""Programs: composed rules become the core, declaration by declaration."""

from __future__ import annotations

from dataclasses import dataclass

from houserule import ir
from houserule.compose.rules import Rules
from houserule.diagnostics.diagnostic import Diagnostic, has_errors, in_reading_order
from houserule.lower.analysis import analyse
from houserule.lower.analysis.acting_seats import check_simultaneous
from houserule.lower.analysis.dependencies import check_cycles, settle_first_values
from houserule.lower.declarations import (
    actions,
    clauses,
    components,
    flow,
    reactions,
    state,
    values,
)
from houserule.lower.expressions.scopes import in_declaration
from houserule.lower.memo import Memo
from houserule.lower.symbols import kinds, signatures
from houserule.lower.symbols.scope import Scope
from houserule.lower.symbols.symbol_table import World


def check_rules(
    rules: Rules, memo: Memo | None = None
) -> tuple[ir.Program | None, list[Diagnostic]]:
    """Return the program of composed rules, and everything there is to say of them.

    The program is None exactly if a diagnostic is an error. All faults are reported,
    not only the first. With a `memo`, which belongs to one ruleset, what other tables
    have in common with this one is not lowered again.
    """
    world = World(rules)
    declare(world)
    if memo is not None:
        world.memo = memo
        world = memo.watched(world)
    program = _define(world)
    found = in_reading_order(world.diagnostics)
    if not has_errors(found):
        found = in_reading_order([*found, *analyse(program)])
    return (None if has_errors(found) else program), found


def declare(world: World) -> None:
    """Declare everything that has a name, with what can be seen from outside."""

    def table_scope() -> Scope:
        return in_declaration(world)

    kinds.declare_kinds(world)
    signatures.declare_options(world)
    signatures.declare_flow(world)
    components.declare_fields(world)
    signatures.declare_states(world)
    signatures.declare_zones(world)
    signatures.declare_tokens(world)
    signatures.declare_values(world)
    signatures.declare_effects(world)
    components.declare_faces(world, table_scope())
    signatures.settle_numbers(world, table_scope)
    signatures.check_defaults(world, table_scope)
    components.check_reading(world)
    components.read_rows(world)
    reactions.declare_hooks(world)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What was elaborated, before it is put together."""

    components: dict[str, ir.ComponentDef]
    states: dict[str, ir.StateDef]
    zones: dict[str, ir.ZoneDef]
    values: dict[str, ir.ValueDef]
    effects: dict[str, ir.EffectDef]
    actions: dict[str, ir.ActionDef]
    steps: dict[str, ir.StepDef]
    phases: dict[str, ir.PhaseDef]
    reactions: dict[str, ir.ReactionDef]
    always: tuple[ir.Condition, ...]
    warns: tuple[ir.Condition, ...]
    asserts: tuple[ir.Condition, ...]


def _define(world: World) -> ir.Program:
    """Elaborate every declaration, then check what concerns several of them."""
    sources = flow.declare_variables(world)
    known_values = values.define_values(world)
    states = state.define_states(world)
    zones = state.define_zones(world)
    known_components = state.define_components(world)
    known_effects = actions.define_effects(world)
    fine = check_cycles(world)
    known_actions = actions.define_actions(world, known_effects)
    phases = flow.define_phases(world, sources)
    steps = flow.define_steps(world)
    flow.check_actors(world)
    known_reactions = reactions.define_reactions(world, known_actions)
    check_simultaneous(world, known_actions, known_effects)
    always, asserts = values.invariants(world), values.assertions(world)
    warns = values.warnings(world)
    winners = values.winners(world)
    parts = _Parts(
        known_components,
        settle_first_values(world, states) if fine else states,
        zones,
        known_values,
        known_effects,
        known_actions,
        steps,
        phases,
        known_reactions,
        always,
        warns,
        asserts,
    )
    return _assembled(world, parts, winners)


def _assembled(world: World, parts: _Parts, winners: values.Winning) -> ir.Program:
    rules = world.rules
    return ir.Program(
        game=rules.game,
        title=rules.title,
        seats=rules.table.players,
        variants=tuple(sorted(rules.table.variants)),
        options=signatures.chosen_options(world),
        kinds=dict(world.kinds),
        labels=dict(world.labels),
        components=parts.components,
        states=parts.states,
        zones=parts.zones,
        tokens=state.define_tokens(world),
        values=parts.values,
        effects=parts.effects,
        actions=parts.actions,
        steps=parts.steps,
        phases=parts.phases,
        root=flow.define_root(world),
        reactions=parts.reactions,
        always=parts.always,
        warns=parts.warns,
        asserts=parts.asserts,
        winners=winners.who,
        winning_keys=winners.keys,
        winning_direction=winners.direction,
        winners_slot=winners.slot,
        clauses=clauses.explain(world),
        read_by=dict(world.read_by),
        fingerprint=rules.fingerprint,
    )
