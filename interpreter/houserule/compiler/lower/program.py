"""Lower composed rules to a core program, declaration by declaration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from houserule import ir
from houserule.base.diagnostics.diagnostic import (
    Diagnostic,
    Label,
    MessageCode,
    Severity,
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
    without_circles,
)
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
from houserule.compiler.lower.expressions.scopes import in_declaration
from houserule.compiler.lower.histories import with_histories
from houserule.compiler.lower.statements.effect_needs import guarded
from houserule.compiler.lower.symbols import components, kinds, products, signatures
from houserule.compiler.lower.symbols.scope import Scope
from houserule.compiler.lower.symbols.symbol_table import Answer, SymbolTable
from houserule.compiler.merge.messages import titled
from houserule.compiler.rules import Rechosen, Rules
from houserule.language.syntax import tree
from houserule.language.syntax.tree.constructs import clause_address, main_part
from houserule.language.syntax.tree.visitor import every_name_bound, walk
from houserule.language.syntax.vocabulary import new_variable
from houserule.language.syntax.write.expressions import how_many


def explained(rules: Rules, found: list[Diagnostic]) -> list[Diagnostic]:
    """Return errors; those that result from an arity change become E216."""
    if not rules.rechosen:
        return found
    speaking = [
        (change, address, clause)
        for change in rules.rechosen
        for address, clause in _speaking_of(rules, change)
    ]
    told: list[Diagnostic] = []
    for each in found:
        if each.severity is Severity.ERROR and each.labels:
            place = each.labels[0].span
            for change, address, clause in speaking:
                if any(place in node.span for node in walk(clause)):
                    action = rules.actions.get(change.owner, clause)
                    bound = {word.text for word in every_name_bound(action)}
                    name = new_variable({*bound, *rules.clauses})
                    each = left_behind(change, address, clause, each, name)
                    break
        told.append(each)
    return told


def _speaking_of(rules: Rules, change: Rechosen) -> Iterator[tuple[str, tree.Clause]]:
    """Yield the clauses that name a parameter, in its action and in hooks on it."""
    action = rules.actions.get(change.owner)
    owners: list[tree.Action | tree.Reaction] = [action] if action else []
    owners += (
        each
        for each in rules.reactions.values()
        if each.event.parts[0] == change.owner and each.moment != "when"
    )
    for owner in owners:
        for clause in owner.clauses:
            if any(
                isinstance(each, tree.Name) and each.name == change.name
                for each in walk(clause)
            ):
                yield clause_address(owner.name.text, clause), clause


E216 = MessageCode("E216", "one or several chosen")
"""A variant lets several be chosen instead of one, or one instead of several, and a
clause still expects the old number.

**Why.** A clause that compares `d.face` is about one die. Only people can decide what
it means for two.

**For example**

```rules
action reroll(d in tray) during deciding
  needs low: d.face at most 2
  does again: roll d
change reroll.d from tray to 1..2 of tray      # in a variant; `roll d` is right for both
```

**Fix.** Change the clause, too:
`change reroll.low from d.face at most 2 to every x in d has x.face at most 2`, or
repeat the effect with `for x in d: …`. For one thing, the set is `{d}`.
"""  # noqa: E501


def left_behind(
    change: Rechosen, address: str, clause: tree.Clause, found: Diagnostic, each: str
) -> Diagnostic:
    """Return E216: a clause expects another arity of a parameter.

    Args:
        each: a free name for a variable.
    """
    name, what, who = change.name, how_many(change.after), titled(change.origin)
    if change.after.how == "in":
        taken, now = "several", f"one of {what}"
        way = f"Where a set is wanted, {{{name}}} is the set of it."
        fixes: tuple[str, ...] = (f"change {address} from ... to ...",)
    else:
        taken, now = "one thing", what
        way = "Say what holds of each of them, or of all together:"
        if isinstance(main_part(clause), tree.Block):
            fixes = (f"change {address}\n  from ...\n  to for {each} in {name}: ...",)
        else:
            fixes = (f"change {address} from ... to every {each} in {name} has ...",)
    message = f"{address} takes {name} for {taken}, but {who} makes it {now}."
    first, *others = found.labels
    return replace(
        found,
        code=E216.name,
        title=E216.title,
        message=message,
        labels=(first, Label(change.span, lead="changed here:"), *others),
        details=(found.message, way),
        fixes=fixes,
    )


# ---- rules to program


def check_rules(rules: Rules) -> tuple[ir.Program | None, list[Diagnostic]]:
    """Return the program of composed rules, and all diagnostics.

    The program is None exactly if a diagnostic is an error. All errors are reported,
    not only the first.
    """
    known: dict[str, Answer] = {}
    while True:
        symbols = SymbolTable(rules, answers=known)
        declare(symbols)
        if not symbols.asked:
            program = once_of_alike(symbols, _define(symbols))
        if not symbols.asked:
            break
        known |= answers(symbols)
    found = in_reading_order(explained(rules, symbols.diagnostics))
    if not has_errors(found):
        imagining = any(each.imagining for each in symbols.uses)
        more = analyse(program, imagining=imagining)
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
    # The program with its first values settled; report its errors.
    program = guarded(program)
    flow.check_actors(symbols)
    check_simultaneous(symbols, program.actions, program.effects)
    known = without_circles(reliance_of(symbols), program.values)
    if not check_cycles(symbols, known):
        return program
    program = replace(program, values=values.unrolled(program.values))
    if not check_levels(symbols, program.values):
        return program
    states = settle_first_values(symbols, known, program.states)
    settled = replace(program, states=states)
    if has_errors(symbols.diagnostics):
        return settled
    return with_draws(symbols, with_histories(symbols, settled))
