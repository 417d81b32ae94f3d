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
    flow,
    reactions,
    state,
    values,
)
from houserule.lower.expressions.scopes import in_declaration
from houserule.lower.memo import Memo
from houserule.lower.symbols import components, kinds, signatures
from houserule.lower.symbols.scope import Scope
from houserule.lower.symbols.symbol_table import SymbolTable


def check_rules(
    rules: Rules, memo: Memo | None = None
) -> tuple[ir.Program | None, list[Diagnostic]]:
    """Return the program of composed rules, and everything there is to say of them.

    The program is None exactly if a diagnostic is an error. All faults are reported,
    not only the first. With a `memo`, which belongs to one ruleset, what other tables
    have in common with this one is not lowered again.
    """
    symbols = SymbolTable(rules)
    declare(symbols)
    if memo is not None:
        symbols.memo = memo
        symbols = memo.watched(symbols)
    program = _define(symbols)
    found = in_reading_order(symbols.diagnostics)
    if not has_errors(found):
        found = in_reading_order([*found, *analyse(program)])
    return (None if has_errors(found) else program), found


def declare(symbols: SymbolTable) -> None:
    """Declare everything that has a name, with what can be seen from outside."""

    def table_scope() -> Scope:
        return in_declaration(symbols)

    kinds.declare_kinds(symbols)
    signatures.declare_options(symbols)
    signatures.declare_flow(symbols)
    components.declare_fields(symbols)
    signatures.declare_states(symbols)
    signatures.declare_zones(symbols)
    signatures.declare_tokens(symbols)
    signatures.declare_values(symbols)
    signatures.declare_effects(symbols)
    components.declare_faces(symbols, table_scope())
    signatures.settle_numbers(symbols, table_scope)
    signatures.check_defaults(symbols, table_scope)
    components.check_reading(symbols)
    components.read_rows(symbols)
    reactions.declare_hooks(symbols)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The lowered declarations, before they are put together."""

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


def _define(symbols: SymbolTable) -> ir.Program:
    """Elaborate every declaration, then check what concerns several of them."""
    sources = flow.declare_variables(symbols)
    known_values = values.define_values(symbols)
    states = state.define_states(symbols)
    zones = state.define_zones(symbols)
    known_components = state.define_components(symbols)
    known_effects = actions.define_effects(symbols)
    fine = check_cycles(symbols)
    known_actions = actions.define_actions(symbols, known_effects)
    phases = flow.define_phases(symbols, sources)
    steps = flow.define_steps(symbols)
    flow.check_actors(symbols)
    known_reactions = reactions.define_reactions(symbols, known_actions)
    check_simultaneous(symbols, known_actions, known_effects)
    always, asserts = values.invariants(symbols), values.assertions(symbols)
    warns = values.warnings(symbols)
    winners = values.winners(symbols)
    parts = _Parts(
        known_components,
        settle_first_values(symbols, states) if fine else states,
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
    return _assembled(symbols, parts, winners)


def _assembled(
    symbols: SymbolTable, parts: _Parts, winners: values.Winning
) -> ir.Program:
    rules = symbols.rules
    return ir.Program(
        game=rules.game,
        title=rules.title,
        seats=rules.table.players,
        variants=tuple(sorted(rules.table.variants)),
        options=signatures.chosen_options(symbols),
        kinds=dict(symbols.kinds),
        labels=dict(symbols.labels),
        components=parts.components,
        states=parts.states,
        zones=parts.zones,
        tokens=state.define_tokens(symbols),
        values=parts.values,
        effects=parts.effects,
        actions=parts.actions,
        steps=parts.steps,
        phases=parts.phases,
        root=flow.define_root(symbols),
        reactions=parts.reactions,
        always=parts.always,
        warns=parts.warns,
        asserts=parts.asserts,
        winners=winners.who,
        winning_keys=winners.keys,
        winning_direction=winners.direction,
        winners_slot=winners.slot,
        clauses=clauses.explain(symbols),
        read_by=dict(symbols.read_by),
        fingerprint=rules.fingerprint,
    )
