"""Effects: what they need as payments, and what they do."""

from __future__ import annotations

from functools import partial

from houserule import ir
from houserule.lower.declarations.values import lifts_of
from houserule.lower.expressions import expect
from houserule.lower.expressions.scopes import (
    IN_EFFECT,
    again,
    in_declaration,
    with_own_frame,
)
from houserule.lower.statements import statements
from houserule.lower.symbols.scope import Scope
from houserule.lower.symbols.symbol_table import World
from houserule.syntax import tree
from houserule.syntax.tree.constructs import kind_of


def define_effects(world: World) -> dict[str, ir.EffectDef]:
    """Return every effect with its needs and what it does."""
    return {
        name: world.recall("effect", name, (effect,), partial(_effect, world, effect))
        for name, effect in world.rules.effects.items()
    }


def _effect(world: World, effect: tree.Effect) -> ir.EffectDef:
    name = effect.name.text
    scope = in_declaration(world, f"effect {name}", IN_EFFECT, anywhere=True)
    scope.phases = None
    scope.bind_all(world.effects[name])
    needs: list[ir.Condition] = []
    does: list[ir.Body] = []
    for clause in effect.clauses:
        match clause:
            case tree.Needs():
                needs.append(condition(scope, clause, name))
            case tree.Does():
                inner = with_own_frame(again(scope))
                made = body(inner, clause.body, f"{name}.{clause.name.text}", clause)
                does.append(sized(made, inner))
            case _:
                refuse(world, clause, "an effect", "`needs` and `does`")
    return ir.EffectDef(
        name,
        world.effects[name],
        tuple(needs),
        tuple(does),
        world.hooks.get((name, "instead"), ()),
        span=effect.span,
    )


def condition(scope: Scope, clause: tree.ConditionClause, owner: str) -> ir.Condition:
    """Return a clause that is a condition; its names end with it.

    A `needs` comes with what lifts it.
    """
    address = f"{owner}.{clause.name.text}"
    kept, scope.root = scope.open(), clause.condition
    test = expect.condition(scope, clause.condition)
    scope.close(kept)
    return ir.Condition(address, test, lifts_of(scope, address), span=clause.span)


def body(scope: Scope, written: tree.Block, address: str, clause: tree.Node) -> ir.Body:
    """Return a named run of statements; `sized` says later how many slots it has."""
    hooks = scope.world.hooks
    scope.address, scope.sites, scope.root = address, 0, written
    return ir.Body(
        address,
        statements.block(scope, written),
        0,
        hooks.get((address, "before"), ()),
        hooks.get((address, "after"), ()),
        span=clause.span,
    )


def sized(made: ir.Body, scope: Scope) -> ir.Body:
    """Return the body with the slots that its procedure has in the end."""
    return ir.Body(
        made.address,
        made.block,
        scope.frame.size,
        made.before,
        made.after,
        span=made.span,
    )


def refuse(world: World, clause: tree.Clause, owner: str, wanted: str) -> None:
    """Report a clause of a kind that its owner cannot have."""
    message = f"`{kind_of(clause)}` cannot stand in {owner}; it has {wanted}."
    world.report("E018", message, clause.span)
