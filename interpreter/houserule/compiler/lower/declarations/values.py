"""Values with layers and contributions; invariants; winners and draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

from houserule import ir
from houserule.base.algebra.graph import reachable
from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.base.diagnostics.wording import did_you_mean
from houserule.base.frozen import frozen
from houserule.compiler.lower.expressions import comparisons, expect, queries
from houserule.compiler.lower.expressions.name_resolution import every_member
from houserule.compiler.lower.expressions.scopes import IN_VALUE, in_declaration
from houserule.compiler.lower.messages import E010, E013, E014, E022
from houserule.compiler.lower.symbols import kinds
from houserule.compiler.lower.symbols.kinds import type_of
from houserule.compiler.lower.symbols.scope import Scope
from houserule.compiler.lower.symbols.symbol_table import SymbolTable, ValueSymbol
from houserule.compiler.lower.types import BROKEN, FLAG, in_words, is_broken
from houserule.ir.types import Flag, Kind, Position, Set, Whole
from houserule.ir.walk import rebuilt, slots_read, values_called
from houserule.language.manifest.messages import E025
from houserule.language.syntax import tree

Adjusts: TypeAlias = dict[tuple[str, str], list[tree.Adjust]]
"""What contributes to the layers of values, by value and layer."""


def define_values(symbols: SymbolTable) -> dict[str, ir.ValueDef]:
    """Return every value with its definition, its layers and its lifts."""
    adjusts = adjusts_by_layer(symbols)
    every = (define_value(symbols, name, adjusts) for name in symbols.rules.values)
    return {value.name: value for value in every if value is not None}


def define_value(
    symbols: SymbolTable, name: str, adjusts: Adjusts
) -> ir.ValueDef | None:
    """Return a value; None if its name means something else."""
    value, signature = symbols.rules.values.get(name), symbols.declared.get(name)
    if value is None or not isinstance(signature, ValueSymbol):
        return None
    owner = f"value {signature.name}"
    scope = in_declaration(symbols, owner, IN_VALUE, value.definition, anywhere=True)
    scope.bind_all(signature.keys)
    type_ = signature.type
    if isinstance(type_, Position):
        definition = expect.position(scope, value.definition, type_.member)
    else:
        definition = expect.value(scope, value.definition, type_, signature.name)
    layers: list[ir.LayerDef] = []
    for layer in value.layers:
        contributions: list[tuple[str, ir.Expr]] = []
        for adjust in adjusts.get((name, layer.name.text), ()):
            names = adjust.params
            if names and len(names) != len(signature.keys):
                message = f"`{signature.name}` takes {len(signature.keys)}, and here "
                message += f"there are {len(names)}."
                symbols.report(E013, message, adjust.target.span)
                continue
            # The adjustment has its own names for the value's keys.
            kept, root = (scope.names, scope.present), scope.root
            scope.names, scope.root = {}, adjust.amount
            for slot, key in enumerate(signature.keys, 1):
                word = names[slot - 1] if names else tree.Word(key.name)
                scope.check_fresh(word)
                scope.names[word.text] = ir.Local(slot, word.text, key.type)
            amount = expect.number(scope, adjust.amount)
            scope.close(kept)
            scope.root = root
            contributions.append((adjust.name.text, amount))
        layers.append(
            ir.LayerDef(
                layer.name.text, layer.op, tuple(contributions), span=layer.span
            )
        )
    if layers and not isinstance(type_, Whole) and not is_broken(type_):
        message = f"Only numbers have layers, and this is {in_words(type_)}."
        symbols.report(E014, message, value.layers[0].span)
    lifts = lifts_of(scope, signature.name)
    written = symbols.rules.outer_needs.get(signature.name, ())
    needs = tuple(condition(scope, each, signature.name) for each in written)
    if type_ != FLAG and not is_broken(type_):
        lifted = symbols.rules.lifts.get(signature.name, ())
        for span in [*(each.span for each in lifted), *(each.span for each in written)]:
            message = "Only a value that is yes or no has exceptions and conditions: "
            message += f"`{signature.name}` is {in_words(type_)}."
            symbols.report(E022, message, span)
    return ir.ValueDef(
        signature.name,
        signature.keys,
        type_,
        definition,
        tuple(layers),
        lifts,
        scope.frame.size,
        needs,
        (value.deep and kinds.bound(symbols, value.deep)) or 0,
        span=value.span,
    )


def lifts_of(scope: Scope, address: str) -> tuple[tuple[str, ir.Expr], ...]:
    """Return the lifts of a condition or a value, over the same scope."""
    found = []
    for lifted in scope.symbols.rules.lifts.get(address, ()):
        kept, root = scope.open(), scope.root
        scope.root = lifted.condition
        found.append((lifted.address, expect.condition(scope, lifted.condition)))
        scope.close(kept)
        scope.root = root
    return tuple(found)


def condition(scope: Scope, clause: tree.ConditionClause, owner: str) -> ir.Condition:
    """Return a clause that is a condition; its names end with it.

    A `needs` includes its lifts.
    """
    address = f"{owner}.{clause.name.text}"
    kept, scope.root = scope.open(), clause.condition
    test = expect.condition(scope, clause.condition)
    scope.close(kept)
    return ir.Condition(address, test, lifts_of(scope, address), span=clause.span)


def adjusts_by_layer(symbols: SymbolTable) -> Adjusts:
    """Return the contributions by value and layer; report those without a target."""
    found: Adjusts = {}
    for name in sorted(symbols.rules.adjusts):
        adjust = symbols.rules.adjusts[name]
        value_name, _, layer = adjust.target.text.rpartition(".")
        value = symbols.rules.values.get(value_name)
        if value is None:
            hint = did_you_mean(value_name, symbols.rules.values)
            message = f"There is no value called `{value_name}`."
            symbols.report(E010, message, adjust.target.span, hint)
            continue
        known = [each.name.text for each in value.layers]
        if layer not in known:
            hint = did_you_mean(layer, known)
            message = f"`{value_name}` has no layer `{layer}`."
            symbols.report(E010, message, adjust.target.span, hint)
            continue
        found.setdefault((value_name, layer), []).append(adjust)
    return found


# ---- values that ask themselves: a copy for each level, so that no engine recurses


def unrolled(values: Mapping[str, ir.ValueDef]) -> dict[str, ir.ValueDef]:
    """Return the values with copies of those that use themselves.

    A call of a value that asks itself is one level deeper, if it is in a value that
    this one uses. On the last level it is F12. Copies are named `value#level`. If
    several such values use each other, the least of their depths counts.
    """
    if not any(value.deep for value in values.values()):
        return dict(values)
    calls = {name: values_called(value) for name, value in values.items()}
    within = {name: reachable(calls[name], calls) for name in values}
    found = dict(values)
    for name, value in values.items():
        # Counts of a history are called already, but have no values yet.
        circle = frozenset(e for e in within[name] if name in within.get(e, ()))
        if not circle:
            continue
        depths = [values[each].deep for each in circle if values[each].deep]
        first = 1 if value.deep else 0
        for level in range(first, min(depths) + 1):
            copy = _on_level(value, level, min(depths), circle, values)
            found[copy.name] = copy
    return found


def _on_level(
    value: ir.ValueDef,
    level: int,
    last: int,
    circle: frozenset[str],
    values: Mapping[str, ir.ValueDef],
) -> ir.ValueDef:
    def named(name: str, on: int) -> str:
        own = on == (1 if values[name].deep else 0)
        return name if own else f"{name}{ir.KEPT}{on}"

    def deeper(node: ir.CoreNode) -> ir.CoreNode:
        node = rebuilt(node, deeper)
        if not isinstance(node, ir.CallValue) or node.value not in circle:
            return node
        on = level + 1 if values[node.value].deep else level
        if on > last:
            return ir.TooDeep(node.type, span=node.span)
        name = named(node.value, on)
        return ir.CallValue(name, node.args, node.type, span=node.span)

    copy = cast("ir.ValueDef", deeper(value))
    name = named(value.name, level)
    return (
        copy
        if name == value.name
        else ir.ValueDef(
            name,
            copy.params,
            copy.type,
            copy.definition,
            copy.layers,
            copy.lifts,
            copy.frame,
            copy.needs,
            copy.deep,
            span=copy.span,
        )
    )


# ---- invariants


def invariants(symbols: SymbolTable) -> tuple[ir.Condition, ...]:
    """Return the `always` clauses, each for all members of its parameters."""
    found = []
    for name, always in symbols.rules.always.items():
        scope = in_declaration(symbols, "", root=always.condition)
        binds = tuple(
            bind
            for param in always.params
            for bind in (
                queries.bind_all(scope, param)
                if isinstance(param, tree.Binder)
                else (all_of(scope, param),)
            )
        )
        test = expect.condition(scope, always.condition)
        if binds:
            test = ir.Quantifier(
                "every", binds, None, test, FLAG, span=always.condition.span
            )
        found.append(ir.Condition(name, test, span=always.span))
    return tuple(found)


def all_of(scope: Scope, param: tree.Typed) -> ir.Bind:
    """Return a typed parameter as a binder over everything of its type."""
    type_ = type_of(scope.symbols, param.type)
    if not isinstance(type_, Whole | Kind):
        if not is_broken(type_):
            message = f"`{param.names[0].text}` cannot run over {in_words(type_)}."
            label = "write `x in S`"
            if isinstance(type_, Flag):
                label = "declare a type with two names, such as `big | small`"
            scope.symbols.report(E014, message, param.span, label)
        source: ir.Expr = ir.Const((), Set(BROKEN), span=param.span)
        type_ = BROKEN
    else:
        source = every_member(scope, type_, param.type.span)
    slots = tuple(scope.bind(word, type_) for word in param.names)
    names = tuple(word.text for word in param.names)
    return ir.Bind(slots, names, "member", type_, source, 1, None, span=param.span)


def warnings(symbols: SymbolTable) -> tuple[ir.Condition, ...]:
    """Return the warnings, each yes or no or a set; others are reported as E022."""
    found = []
    for name, warn in symbols.rules.warns.items():
        scope = in_declaration(symbols, "", root=warn.condition)
        test = expect.any_value(scope, warn.condition)
        if not isinstance(test.type, Flag | Set) and not is_broken(test.type):
            message = "A warning is yes or no, or a set of what it warns of."
            label = f"this is {in_words(test.type)}"
            symbols.report(E022, message, warn.condition.span, label)
        found.append(ir.Condition(name, test, span=warn.name.span))
    return tuple(found)


def assertions(symbols: SymbolTable) -> tuple[ir.Condition, ...]:
    """Return the assertions about the composed rules."""
    found = []
    for address, each in symbols.rules.asserts.items():
        scope = in_declaration(symbols, "", root=each.condition)
        test = expect.condition(scope, each.condition)
        found.append(ir.Condition(address, test, span=each.span))
    return tuple(found)


# ---- winners, draws, goals of bots


@frozen
class Winning:
    """The winners, and the keys by which seats (in `slot`) are compared, if by any."""

    who: ir.Expr
    keys: tuple[ir.Expr, ...] = ()
    direction: tree.Direction = "most"
    slot: int = 0


def winners(symbols: SymbolTable) -> Winning:
    """Return the winners; report E025 if no rule gives them."""
    declared = symbols.rules.winners
    if declared is None:
        message = "The game does not say who wins."
        fixes = ("winners: those p in players with most score(p)",)
        symbols.report(E025, message, symbols.somewhere, fixes=fixes)
        return Winning(ir.Const((), Set(symbols.seats)))
    scope = in_declaration(symbols, root=declared.who)
    who = expect.value(scope, declared.who, Set(symbols.seats), "winners")
    if isinstance(who, ir.Pick) and who.keys:
        return Winning(who, who.keys, who.direction, who.bind.slots[0])
    return Winning(who)


def draws(symbols: SymbolTable) -> tuple[ir.Condition, ...]:
    found = []
    for name, drawn in symbols.rules.draws.items():
        scope = in_declaration(symbols, "", root=drawn.condition)
        scope.deciding = comparisons.deciding(drawn.condition)
        test = expect.condition(scope, drawn.condition)
        found.append(
            ir.Condition(name, test, lifts_of(scope, name), span=drawn.name.span)
        )
    return tuple(found)


E504 = MessageCode("E504", "no number to compare")
"""`bots strive for` gives a number for some players only, or for none.

**Why.** A bot compares all players after each option that it tries: how far it is ahead
of the best other one. Use `winners` to state who wins.

**For example**

```rules
bots strive for: those p in players where coins(p) at least 50
```

**Fix.** Name a number for each player:
`bots strive for: those p in players with most gold(p)`.
"""


def striving(symbols: SymbolTable) -> ir.Ranking | None:
    """Return the goal of bots; report E504 if it is not a comparison."""
    declared = symbols.rules.striving
    if declared is None:
        return None
    scope = in_declaration(symbols, root=declared.who)
    everyone = every_member(scope, symbols.seats, declared.who.span)
    who = expect.value(scope, declared.who, Set(symbols.seats), "bots strive for")
    match who:
        case ir.Pick(bind=bind, where=None, keys=(_, *_) as keys) if (
            bind.source == everyone
        ):
            slot = bind.slots[0]
            common = slot not in slots_read(*keys)
            return ir.Ranking(keys, who.direction, slot, common, span=declared.span)
        case _:
            pass
    if not is_broken(who.type):
        message = "Bots compare all players here, by what each has most or least of."
        fixes = ("bots strive for: those p in players with most progress(p)",)
        symbols.report(E504, message, declared.who.span, fixes=fixes)
    return None
