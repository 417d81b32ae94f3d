"""Phases and steps: acting seats, order, end and restart."""

from __future__ import annotations

from collections.abc import Sequence

from houserule import ir
from houserule.base.algebra.graph import closure
from houserule.compiler.lower.declarations.actions import body, sized
from houserule.compiler.lower.expressions import comparisons, expect
from houserule.compiler.lower.expressions.scopes import in_phase, seat_acts
from houserule.compiler.lower.messages import E014, W502
from houserule.compiler.lower.symbols.scope import Scope
from houserule.compiler.lower.symbols.symbol_table import SymbolTable
from houserule.compiler.lower.types import in_words, is_broken, member_of
from houserule.ir.types import Kind, Whole
from houserule.language.manifest.messages import E025
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk


def declare_variables(symbols: SymbolTable) -> dict[str, ir.Expr | None]:
    """Read the sources that phases iterate over, outermost first; return them.

    A phase without `for` has None. Declares variables other than `me`.
    """
    sources: dict[str, ir.Expr | None] = {}
    for name in sorted(symbols.rules.phases, key=lambda n: len(symbols.around(n))):
        placed = symbols.rules.phases[name]
        whom = placed.node.for_whom
        sources[name] = None
        if whom is not None:
            scope = in_phase(symbols, placed.phase, whom.source)
            node = scope.read(whom.source)
            if not isinstance(node, ir.Seats):
                node = expect.as_set(scope, node, whom.source)
            sources[name] = node
            member = member_of(node.type)
            if whom.name.text != "me":
                scope.check_fresh(whom.name)
                assert isinstance(member, Whole | Kind)
                symbols.variables[name] = ir.PhaseVar(
                    name, whom.name.text, member, span=whom.name.span
                )
            elif member != symbols.seats and not is_broken(node.type):
                message = f"`me` is a player, and this is {in_words(node.type)}."
                hint = "players are expected here"
                symbols.report(E014, message, whom.source.span, hint)
    return sources


# ---- phases


def define_phases(
    symbols: SymbolTable, sources: dict[str, ir.Expr | None]
) -> dict[str, ir.PhaseDef]:
    acts_at = _actions_by_place(symbols)
    found: dict[str, ir.PhaseDef] = {}
    for name, placed in symbols.rules.phases.items():
        node = placed.node
        items = tuple(sorted(symbols.children(name)))
        span = node.name.span
        if node.for_whom is not None and node.until is not None:
            message = f"`{name}` has both `for` and `until`; a phase has one of them."
            details = ("Put the one inside the other: a phase may contain a phase.",)
            symbols.report(E025, message, span, details=details)
        acts = node.for_whom is not None and node.for_whom.name.text == "me"
        if node.together and not acts:
            message = f"`{name}` is played together, so it must say by whom."
            symbols.report(E025, message, span, "write `for me in … together`")
        if not items:
            message = f"The phase `{name}` is empty."
            symbols.report(E025, message, span, "it needs a step or a phase")
        guard, until, times = _conditions(symbols, name, node)
        variable = "" if node.for_whom is None else node.for_whom.name.text
        found[name] = ir.PhaseDef(
            name,
            placed.phase,
            sources[name],
            variable,
            variable == "me",
            node.together,
            guard,
            until,
            times,
            items,
            before_relation(symbols, items),
            released_pairs(symbols, items),
            acts_at.get(name, ()),
            symbols.hooks.get((name, "before"), ()),
            symbols.hooks.get((name, "after"), ()),
            node.until is not None and node.until.stops,
            span=node.span,
        )
    return found


def define_root(symbols: SymbolTable) -> ir.PhaseDef:
    """Return the game itself as the phase around all others."""
    if not symbols.rules.phases:
        message = (
            f"The game `{symbols.rules.game}` has no phase: nothing happens in it."
        )
        symbols.report(E025, message, symbols.somewhere, fixes=("phase round until …",))
    items = tuple(sorted(symbols.children("")))
    return ir.PhaseDef(
        "",
        "",
        None,
        "",
        False,
        False,
        None,
        None,
        None,
        items,
        before_relation(symbols, items),
        released_pairs(symbols, items),
        (),
    )


def _conditions(
    symbols: SymbolTable, name: str, node: tree.Phase
) -> tuple[ir.Expr | None, ir.Expr | None, ir.Expr | None]:
    """Return `if`, `until` and its bound, all read inside an item of the phase."""
    guard = until = times = None
    if node.guard is not None:
        guard = _condition(in_phase(symbols, name, node.guard), node.guard)
    if node.until is not None:
        condition = node.until.condition
        scope = in_phase(symbols, name, condition)
        scope.deciding = comparisons.deciding(condition)
        until = _condition(scope, condition)
        scope = in_phase(symbols, symbols.parent(name), node.until.times)
        times = expect.number(scope, node.until.times)
        named = any(
            isinstance(each, tree.Name | tree.Apply) for each in walk(node.until.times)
        )
        if not named and isinstance(times.type, Whole) and times.type.high < 1:
            message = (
                f"This never holds: {name} is played at most {times.type.high} times."
            )
            symbols.report(W502, message, node.until.times.span)
    return guard, until, times


def _condition(scope: Scope, written: tree.Expr) -> ir.Expr:
    scope.may_ask_can = True
    return expect.condition(scope, written)


def _actions_by_place(symbols: SymbolTable) -> dict[str, tuple[str, ...]]:
    """Return the names of the actions at each step or phase, by alphabet."""
    found: dict[str, tuple[str, ...]] = {}
    for name, action in sorted(symbols.rules.actions.items()):
        found[action.at.text] = (*found.get(action.at.text, ()), name)
    return found


# ---- steps


def define_steps(symbols: SymbolTable) -> dict[str, ir.StepDef]:
    acts_at = _actions_by_place(symbols)
    return {
        name: _step(symbols, name, acts_at.get(name, ()))
        for name in symbols.rules.steps
    }


def _step(symbols: SymbolTable, name: str, actions: tuple[str, ...]) -> ir.StepDef:
    placed = symbols.rules.steps[name]
    node = placed.node
    guard = None
    if node.guard is not None:
        guard = _condition(in_phase(symbols, placed.phase, node.guard), node.guard)
    made = None
    if node.body is not None:
        scope = in_phase(symbols, placed.phase)
        scope.may_ask_can = True
        if node.guard is not None:
            scope.learn(node.guard)
        made = sized(body(scope, node.body, name, node), scope)
    if not placed.phase:
        message = f"The step `{name}` is in no phase."
        symbols.report(E025, message, node.name.span, "steps go in phases")
    return ir.StepDef(
        name, placed.phase, node.mode, guard, made, actions,
        span=node.span,
    )  # fmt: skip


def check_actors(symbols: SymbolTable) -> None:
    """Report open steps without an action or an acting seat."""
    acts_at = _actions_by_place(symbols)
    for name, placed in symbols.rules.steps.items():
        phase = symbols.rules.phases.get(placed.phase)  # a missing action is reported
        together = phase is not None and phase.node.together
        if placed.node.mode is None or name in acts_at or together:
            continue
        around = symbols.around(placed.phase)
        if not seat_acts(symbols, around):
            message = f"Nobody acts at the step `{name}`."
            wanted = "A phase around it must have `for me in …`."
            symbols.nobody_acts(around, message, placed.node.name.span, wanted=wanted)


# ---- order


def before_relation(
    symbols: SymbolTable, items: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return, for each child, those that must end first, by name.

    The relation is the transitive closure of all declared pairs without the released
    ones; it is not closed again. If an order was released and reversed, a child does
    not wait for itself.
    """
    here = set(items)
    before: dict[str, set[str]] = {name: set() for name in items}
    for pair in symbols.rules.pairs:
        if pair.before in here and pair.after in here:
            before[pair.after].add(pair.before)
    closed = {name: set(earlier) for name, earlier in closure(before).items()}
    for pair in symbols.rules.released:
        if pair.after in closed:
            closed[pair.after].discard(pair.before)
    return {name: tuple(sorted(closed[name] - {name})) for name in items}


def released_pairs(
    symbols: SymbolTable, items: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the released pairs among the children of a phase, by name."""
    here = {*items}
    pairs = {
        (pair.before, pair.after)
        for pair in symbols.rules.released
        if pair.before in here and pair.after in here
    }
    return tuple(sorted(pairs))
