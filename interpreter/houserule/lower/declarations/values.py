"""Values, their layers and what contributes to them; invariants; the winners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from houserule import ir
from houserule.diagnostics.wording import did_you_mean
from houserule.ir.types import (
    Flag,
    Kind,
    Position,
    Set,
    Whole,
)
from houserule.lower.expressions import expect, queries
from houserule.lower.expressions.names import every_member
from houserule.lower.expressions.scopes import IN_VALUE, in_declaration
from houserule.lower.symbols.kinds import type_of
from houserule.lower.symbols.scope import Scope
from houserule.lower.symbols.symbol_table import ValueThing, World
from houserule.lower.types import FLAG, in_words, is_broken
from houserule.syntax import tree


def define_values(world: World) -> dict[str, ir.ValueDef]:
    """Return every value with its definition, its layers and its lifts."""
    adjusts = _adjusts_by_layer(world)
    found = {}
    for name, value in world.rules.values.items():
        signature = world.things[name]
        if isinstance(signature, ValueThing):
            own = [adjusts.get((name, layer.name.text), ()) for layer in value.layers]
            make = partial(_define, world, value, signature, own)
            found[name] = world.recall("value", name, (value, signature, own), make)
    return found


def _define(
    world: World,
    value: tree.Value,
    signature: ValueThing,
    adjusts: Sequence[Sequence[tree.Adjust]],
) -> ir.ValueDef:
    owner = f"value {signature.name}"
    scope = in_declaration(world, owner, IN_VALUE, value.definition, anywhere=True)
    scope.bind_all(signature.keys)
    type_ = signature.type
    if isinstance(type_, Position):
        definition = expect.position(scope, value.definition, type_.member)
    else:
        definition = expect.value(scope, value.definition, type_, signature.name)
    layers = tuple(
        _layer(scope, signature, layer, contributions)
        for layer, contributions in zip(value.layers, adjusts, strict=True)
    )
    if layers and not isinstance(type_, Whole) and not is_broken(type_):
        message = f"Only numbers have layers, and this is {in_words(type_)}."
        world.report("E014", message, value.layers[0].span)
    lifts = lifts_of(scope, signature.name)
    if lifts and type_ != FLAG and not is_broken(type_):
        first = world.rules.lifts[signature.name][0]
        message = f"Only a value that is yes or no can be lifted: `{signature.name}` "
        message += f"is {in_words(type_)}."
        world.report("E022", message, first.span)
    return ir.ValueDef(
        signature.name,
        signature.keys,
        type_,
        definition,
        layers,
        lifts,
        scope.frame.size,
        span=value.span,
    )


def lifts_of(scope: Scope, address: str) -> tuple[tuple[str, ir.Expr], ...]:
    """Return what lifts a condition or a value, over the same scope."""
    found = []
    for lifted in scope.world.rules.lifts.get(address, ()):
        kept, root = scope.open(), scope.root
        scope.root = lifted.condition
        found.append((lifted.address, expect.condition(scope, lifted.condition)))
        scope.close(kept)
        scope.root = root
    return tuple(found)


def _adjusts_by_layer(world: World) -> dict[tuple[str, str], list[tree.Adjust]]:
    """Return the contributions by value and layer, reporting those that miss."""
    found: dict[tuple[str, str], list[tree.Adjust]] = {}
    for name in sorted(world.rules.adjusts):
        adjust = world.rules.adjusts[name]
        value_name, _, layer = adjust.target.text.rpartition(".")
        value = world.rules.values.get(value_name)
        if value is None:
            hint = did_you_mean(value_name, world.rules.values)
            message = f"There is no value called `{value_name}`."
            world.report("E010", message, adjust.target.span, hint)
            continue
        known = [each.name.text for each in value.layers]
        if layer not in known:
            hint = did_you_mean(layer, known)
            message = f"`{value_name}` has no layer `{layer}`."
            world.report("E010", message, adjust.target.span, hint)
            continue
        found.setdefault((value_name, layer), []).append(adjust)
    return found


def _layer(
    scope: Scope,
    signature: ValueThing,
    layer: tree.ValueLayer,
    adjusts: Sequence[tree.Adjust],
) -> ir.LayerDef:
    contributions = []
    for adjust in adjusts:
        names = adjust.params
        if names and len(names) != len(signature.keys):
            message = f"`{signature.name}` takes {len(signature.keys)}, and here "
            message += f"there are {len(names)}."
            scope.world.report("E013", message, adjust.target.span)
            continue
        amount = _contribution(scope, signature, adjust)
        contributions.append((adjust.name.text, amount))
    return ir.LayerDef(layer.name.text, layer.op, tuple(contributions), span=layer.span)


def _contribution(scope: Scope, signature: ValueThing, adjust: tree.Adjust) -> ir.Expr:
    """Return what an adjustment gives, its own names standing for the value's keys."""
    kept, root = (scope.names, scope.present), scope.root
    scope.names, scope.root = {}, adjust.amount
    for slot, key in enumerate(signature.keys, 1):
        word = adjust.params[slot - 1] if adjust.params else tree.Word(key.name)
        scope.check_fresh(word)
        scope.names[word.text] = ir.Local(slot, word.text, key.type)
    amount = expect.number(scope, adjust.amount)
    scope.close(kept)
    scope.root = root
    return amount


# ---- invariants


def invariants(world: World) -> tuple[ir.Condition, ...]:
    """Return the `always` clauses, each for all members of its parameters."""
    found = []
    for name, always in world.rules.always.items():
        scope = in_declaration(world, "", root=always.condition)
        binds = tuple(_every(scope, param) for param in always.params)
        test = expect.condition(scope, always.condition)
        if binds:
            test = ir.Quantifier(
                "every", binds, None, test, FLAG, span=always.condition.span
            )
        found.append(ir.Condition(name, test, span=always.span))
    return tuple(found)


def _every(scope: Scope, param: tree.Param) -> ir.Bind:
    return (
        queries.bind(scope, param)
        if isinstance(param, tree.Binder)
        else all_of(scope, param)
    )


def all_of(scope: Scope, param: tree.Typed) -> ir.Bind:
    """Return a typed parameter as a binder over everything of its type."""
    type_ = type_of(scope.world, param.type)
    if not isinstance(type_, Whole | Kind):
        if not is_broken(type_):
            message = f"`{param.names[0].text}` cannot run over {in_words(type_)}."
            scope.world.report("E014", message, param.span, "write `x in S`")
        source: ir.Expr = ir.Const((), Set(Whole(0, 0)), span=param.span)
        type_ = Whole(0, 0)
    else:
        source = every_member(type_, param.type.span)
    slots = tuple(scope.bind(word, type_) for word in param.names)
    names = tuple(word.text for word in param.names)
    return ir.Bind(slots, names, "member", type_, source, 1, None, span=param.span)


def warnings(world: World) -> tuple[ir.Condition, ...]:
    """Return the warnings, each yes or no or a set; others are reported as E022."""
    found = []
    for name, warn in world.rules.warns.items():
        scope = in_declaration(world, "", root=warn.condition)
        test = expect.any_value(scope, warn.condition)
        if not isinstance(test.type, Flag | Set) and not is_broken(test.type):
            message = "A warning is yes or no, or a set of what it warns of."
            label = f"this is {in_words(test.type)}"
            world.report("E022", message, warn.condition.span, label)
        found.append(ir.Condition(name, test, span=warn.name.span))
    return tuple(found)


def assertions(world: World) -> tuple[ir.Condition, ...]:
    """Return what is asserted of the composed rules."""
    found = []
    for address, each in world.rules.asserts.items():
        scope = in_declaration(world, "", root=each.condition)
        test = expect.condition(scope, each.condition)
        found.append(ir.Condition(address, test, span=each.span))
    return tuple(found)


# ---- winners


@dataclass(frozen=True, slots=True)
class Winning:
    """Who wins, and the keys by which seats (in `slot`) are compared, if by any."""

    who: ir.Expr
    keys: tuple[ir.Expr, ...] = ()
    direction: tree.Direction = "most"
    slot: int = 0


def winners(world: World) -> Winning:
    """Return who wins, reporting E025 where nothing says so."""
    declared = world.rules.winners
    if declared is None:
        message = "The game does not say who wins."
        fixes = ("winners: those p in players with most score(p)",)
        world.report("E025", message, world.somewhere, fixes=fixes)
        return Winning(ir.Const((), Set(world.seats)))
    scope = in_declaration(world, root=declared.who)
    who = expect.value(scope, declared.who, Set(world.seats), "winners")
    if isinstance(who, ir.Pick) and who.keys:
        return Winning(who, who.keys, who.direction, who.bind.slots[0])
    return Winning(who)
