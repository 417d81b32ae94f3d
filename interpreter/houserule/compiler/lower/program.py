"""Lower composed rules to a core program, declaration by declaration."""

from __future__ import annotations

from dataclasses import replace

from houserule import ir
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    has_errors,
    in_reading_order,
)
from houserule.compiler.lower.alike import once_of_alike
from houserule.compiler.lower.analysis import analyse
from houserule.compiler.lower.analysis.acting_seats import check_simultaneous
from houserule.compiler.lower.analysis.dependencies import (
    check_cycles,
    check_levels,
    reliance_of,
    settle_first_values,
)
from houserule.compiler.lower.arity_changes import explained
from houserule.compiler.lower.constants import answers
from houserule.compiler.lower.declarations import (
    actions,
    clauses,
    flow,
    reactions,
    state,
    values,
)
from houserule.compiler.lower.declarations.draws import with_draws
from houserule.compiler.lower.declarations.histories import with_histories
from houserule.compiler.lower.expressions.scopes import in_declaration
from houserule.compiler.lower.memo import Memo
from houserule.compiler.lower.statements.effect_needs import guarded
from houserule.compiler.lower.symbols import components, kinds, products, signatures
from houserule.compiler.lower.symbols.scope import Scope
from houserule.compiler.lower.symbols.symbol_table import Answer, SymbolTable
from houserule.compiler.rules import Rules


def check_rules(
    rules: Rules, memo: Memo | None = None
) -> tuple[ir.Program | None, list[Diagnostic]]:
    """Return the program of composed rules, and all diagnostics.

    The program is None exactly if a diagnostic is an error. All errors are reported,
    not only the first. With a `memo`, which belongs to one ruleset, the parts in common
    with other tables are not lowered again.
    """
    known: dict[str, Answer] = {}
    while True:
        symbols = SymbolTable(rules, answers=known, memo=memo)
        declare(symbols)
        if not symbols.asked:
            symbols = symbols if memo is None else memo.watched(symbols)
            program = once_of_alike(symbols, _define(symbols))
        if not symbols.asked:
            break
        known |= answers(symbols)
    found = in_reading_order(explained(rules, symbols.diagnostics))
    if not has_errors(found):
        imagining = any(each.imagining for each in symbols.uses)
        more = analyse(program, memo, imagining=imagining)
        found = in_reading_order([*found, *more])
    return (None if has_errors(found) else program), found


def declare(symbols: SymbolTable) -> None:
    """Declare everything that has a name, with its signature."""

    def table_scope() -> Scope:
        return in_declaration(symbols)

    kinds.declare_kinds(symbols)
    products.declare_products(symbols)
    kinds.declare_actions(symbols)
    signatures.declare_options(symbols)
    signatures.declare_flow(symbols)
    components.declare_fields(symbols)
    signatures.declare_states(symbols)
    signatures.declare_zones(symbols)
    signatures.declare_tokens(symbols)
    signatures.declare_values(symbols)
    signatures.declare_effects(symbols)
    products.check_conditions(symbols, table_scope)
    components.declare_faces(symbols, table_scope())
    signatures.settle_numbers(symbols, table_scope)
    signatures.check_sizes(symbols)
    signatures.check_defaults(symbols, table_scope)
    components.check_reading(symbols)
    components.read_rows(symbols)
    reactions.declare_hooks(symbols)


def _define(symbols: SymbolTable) -> ir.Program:
    """Lower every declaration, then run the checks across declarations."""
    rules = symbols.rules
    sources = flow.declare_variables(symbols)
    known_values, states = values.define_values(symbols), state.define_states(symbols)
    effects = actions.define_effects(symbols)
    known_actions = actions.define_actions(symbols, effects)
    known_reactions = reactions.define_reactions(symbols, known_actions)
    winners = values.winners(symbols)
    program = ir.Program(
        game=rules.game,
        title=rules.title,
        seats=rules.table.players,
        variants=tuple(sorted(rules.table.variants)),
        options=signatures.chosen_options(symbols),
        kinds=dict(symbols.kinds),
        labels=dict(symbols.labels),
        components=state.define_components(symbols),
        states=states,
        zones=state.define_zones(symbols),
        tokens=state.define_tokens(symbols),
        values=known_values,
        effects=effects,
        actions=known_actions,
        steps=flow.define_steps(symbols),
        phases=flow.define_phases(symbols, sources),
        root=flow.define_root(symbols),
        reactions=known_reactions,
        always=values.invariants(symbols),
        warns=values.warnings(symbols),
        asserts=values.assertions(symbols),
        draws=values.draws(symbols),
        striving=values.striving(symbols),
        winners=winners.who,
        winning_keys=winners.keys,
        winning_direction=winners.direction,
        winners_slot=winners.slot,
        clauses=clauses.explain(symbols),
        read_by=dict(symbols.read_by),
        fingerprint=rules.fingerprint,
    )
    return _checked(symbols, guarded(program))


def _checked(symbols: SymbolTable, program: ir.Program) -> ir.Program:
    """Return the program with its first values settled; report its errors."""
    flow.check_actors(symbols)
    check_simultaneous(symbols, program.actions, program.effects)
    known = reliance_of(symbols)
    if not check_cycles(symbols, known):
        return program
    if not check_levels(symbols, known, program.values):
        return program
    states = settle_first_values(symbols, known, program.states)
    settled = replace(program, states=states)
    if has_errors(symbols.diagnostics):
        return settled
    return with_draws(symbols, with_histories(symbols, settled))
