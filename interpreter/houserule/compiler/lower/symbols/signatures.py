"""Signatures of all declarations: name, keys and type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import prod

from houserule import ir
from houserule.base.diagnostics.wording import did_you_mean
from houserule.base.limits import limit
from houserule.compiler.lower.expressions import expect, numbers
from houserule.compiler.lower.messages import E014, E027, E028
from houserule.compiler.lower.symbols.components import Misfit, data_of
from houserule.compiler.lower.symbols.kinds import (
    can_key,
    declare,
    named,
    type_names,
    type_of,
)
from houserule.compiler.lower.symbols.scope import Scope
from houserule.compiler.lower.symbols.symbol_table import (
    FlowSymbol,
    OptionSymbol,
    SlotSymbol,
    StateSymbol,
    SymbolTable,
    ValueSymbol,
    ZoneSymbol,
)
from houserule.compiler.lower.types import (
    BROKEN,
    capacity,
    in_words,
    is_broken,
    member_of,
    places,
)
from houserule.ir.types import Data, Kind, Position, Type, Whole
from houserule.language.manifest.messages import E011
from houserule.language.syntax import tree

NewScope = Callable[[], Scope]


def declare_options(symbols: SymbolTable) -> None:
    """Declare the options with the values that the table chose."""
    for name, option in symbols.rules.options.items():
        type_, span = type_of(symbols, option.type), option.name.span
        value = data_of(symbols, symbols.rules.table.options.get(name), type_)
        if isinstance(value, Misfit):
            message = f"The option `{name}` {value.why}."
            symbols.report(E014, message, span)
            type_, value = BROKEN, None
        elif isinstance(value, int) and not isinstance(value, bool):
            type_ = numbers.number(value).type if not isinstance(type_, Kind) else type_
        symbol = OptionSymbol(name, value, type_, span)
        declare(symbols, symbol, option.name)


def params_of(
    symbols: SymbolTable, params: tree.Params, *, keys: bool = False
) -> tuple[ir.Param, ...]:
    """Return typed parameters; with `keys` only types that can key a cell."""
    if not params:
        return ()
    found: list[tuple[tree.Word, Type]] = []
    for param in params:
        if isinstance(param, tree.Binder):
            message = "A parameter here is written `name: Type`."
            type_, fixes = type_meant(symbols, param)
            symbols.report(E027, message, param.span, fixes=fixes)
            found += [(word, type_) for word in param.names]
            continue
        type_ = type_of(symbols, param.type)
        if keys and not can_key(type_):
            symbols.report(
                E027,
                f"This cannot be a key: {in_words(type_)}.",
                param.type.span,
                details=("A key is a number, a named thing or a small set of them.",),
            )
            type_ = BROKEN
        found += [(word, type_) for word in param.names]
    seen: set[str] = set()
    for word, _ in found:
        if word.text in seen:
            message = f"Two parameters are called `{word.text}`."
            symbols.report(E011, message, word.span)
        seen.add(word.text)
    return tuple(ir.Param(word.text, type_, span=word.span) for word, type_ in found)


def type_meant(
    symbols: SymbolTable, binder: tree.Binder
) -> tuple[Type, tuple[str, ...]]:
    """Return the type of `p in players`, and how that is written with a type."""
    match binder.how, binder.source:
        case "in", tree.Name(name="players"):
            type_: Type = symbols.seats
        case "in", tree.Name(name=name) if name in type_names(symbols):
            type_ = named(symbols, name, binder.source.span)
        case "in", tree.RangeSet(tree.Int(low), tree.Int(high)) if low <= high:
            type_ = Whole(low, high)
        case _:
            return BROKEN, ()
    return type_, (f"{', '.join(word.text for word in binder.names)}: {type_}",)


# ---- state


def declare_states(symbols: SymbolTable) -> None:
    """Declare the states, with the phases whose entry restarts them."""
    for name, state in symbols.rules.states.items():
        keys = params_of(symbols, state.params, keys=True)
        type_ = type_of(symbols, state.type)
        life = "" if state.each is None else state.each.text
        if state.each is not None and life not in symbols.rules.phases:
            wanted, phases = "a state lasts as long as a phase", symbols.rules.phases
            symbols.not_a(state.each, wanted, "no phase", phases)
            life = ""
        span = state.name.span
        symbol = StateSymbol(name, keys, type_, life, span)
        declare(symbols, symbol, state.name)


def declare_zones(symbols: SymbolTable) -> None:
    for name, zone in symbols.rules.zones.items():
        keys = params_of(symbols, zone.params, keys=True)
        member = named(symbols, zone.member.text, zone.member.span)
        fits = isinstance(member, Kind) and member.sort in {"component", "die"}
        if not fits and not is_broken(member):
            message = f"Components and dice lie in a zone, not {in_words(member)}."
            symbols.report(E014, message, zone.member.span)
        kind = member if isinstance(member, Kind) and fits else BROKEN
        span = zone.name.span
        symbol = ZoneSymbol(name, keys, zone.kind, kind, span)
        declare(symbols, symbol, zone.name)


def declare_tokens(symbols: SymbolTable) -> None:
    """Declare every place where tokens may lie."""
    for name, tokens in symbols.rules.tokens.items():
        family = params_of(symbols, tokens.params, keys=True)
        other = symbols.declared.get(name)
        if other is not None:
            symbols.report(
                E011,
                f"`{name}` is declared twice.",
                tokens.name.span,
                others=symbols.declared_at(other),
            )
        symbols.check_keyword(tokens.name)
        for slot in tokens.slots:
            keys = tuple(_slot_key(symbols, key, family) for key in slot.keys)
            names = {key.name.text for key in slot.keys if key.type is None}
            for param in family:
                if param.name not in names:
                    message = (
                        "This place does not say whose tokens lie there: "
                        f"`{param.name}`."
                    )
                    typed = any(key.name.text == param.name for key in slot.keys)
                    way = (
                        "write `{}` without a type" if typed else "add `{}` to its keys"
                    )
                    symbols.report(E027, message, slot.span, way.format(param.name))
            word = slot.name
            symbol = SlotSymbol(word.text, keys, name, word.span)
            declare(symbols, symbol, slot.name)


def settle_numbers(symbols: SymbolTable, new_scope: NewScope) -> None:
    """Settle the capacities of zones and the numbers of tokens."""
    for name, zone in symbols.rules.zones.items():
        symbol = symbols.declared[name]
        if zone.at_most is not None and isinstance(symbol, ZoneSymbol):
            most = known_number(new_scope(), zone.at_most, "How much a zone holds")
            symbols.declared[name] = replace(symbol, at_most=most)
    for tokens in symbols.rules.tokens.values():
        amount = known_number(new_scope(), tokens.amount, "The number of tokens")
        for slot in tokens.slots:
            place = symbols.declared[slot.name.text]
            if isinstance(place, SlotSymbol):
                filled = replace(place, amount=max(0, amount or 0))
                symbols.declared[place.name] = filled


def check_sizes(symbols: SymbolTable) -> None:
    """Report E050 for the declaration at which a game's cells exceed the limit.

    A state has a cell for each of its keys, and one more for each 64 members that a set
    in it may have. Tokens have a cell for each place, a zone for each thing it holds.
    """
    total, most = sum(kind.size for kind in symbols.kinds.values()), limit("cells")
    for symbol in symbols.declared.values():
        match symbol:
            case StateSymbol(name, keys, type_):
                each = 1 + capacity(member_of(type_)) // 64
            case SlotSymbol(name, keys):
                each = 1
            case ZoneSymbol(name, keys, member=member):
                each = 1 + member.size
            case _:
                continue
        cells = each * prod(places(key.type) for key in keys)
        if total + cells <= most:
            total += cells
            continue
        what = f"`{name}` would have {{many}} cells."
        if not symbols.is_within("cells", cells, what, symbol.span):
            continue
        what = f"With `{name}`, this game would have {{many}} cells."
        symbols.is_within("cells", total + cells, what, symbol.span)
        return


def known_number(scope: Scope, written: tree.Expr, what: str) -> int | None:
    """Return a number that is known at set-up, else report E028."""
    node = expect.number(scope, written)
    value = numbers.constant(node)
    if value is None and not is_broken(node.type):
        message = f"{what} must be known when the table is set."
        scope.symbols.report(E028, message, written.span, "use numbers and options")
    return value


def _slot_key(
    symbols: SymbolTable, key: tree.SlotKey, family: tuple[ir.Param, ...]
) -> ir.Param:
    own = {param.name: param for param in family}
    if key.type is not None:
        type_ = named(symbols, key.type.text, key.type.span)
        if not can_key(type_):
            message = f"This cannot be a key: {in_words(type_)}."
            symbols.report(E027, message, key.type.span)
        return ir.Param(key.name.text, type_, span=key.span)
    if key.name.text in own:
        return own[key.name.text]
    message = f"`{key.name.text}` is not a key of the family; a further key has a type."
    hint = did_you_mean(key.name.text, own)
    symbols.report(E027, message, key.name.span, hint or "write `name: Type`")
    return ir.Param(key.name.text, BROKEN, span=key.span)


# ---- values and effects


def declare_values(symbols: SymbolTable) -> None:
    """Declare the values; `position` gets the kind of things that may lie there."""
    for name, value in symbols.rules.values.items():
        params = params_of(symbols, value.params)
        if value.type == tree.NamedType("position"):
            type_: Type = Position(_lying(symbols, value, [name]))
        else:
            type_ = type_of(symbols, value.type)
        symbol = ValueSymbol(name, params, type_, value.name.span)
        declare(symbols, symbol, value.name)


def _lying(symbols: SymbolTable, value: tree.Value, seen: list[str]) -> Kind:
    """Return the kind of things whose place a value of type `position` is."""
    for written in _places(value.definition):
        zone = symbols.declared.get(written)
        if isinstance(zone, ZoneSymbol):
            return zone.member
        other = symbols.rules.values.get(written)
        if other is not None and written not in seen:
            return _lying(symbols, other, [*seen, written])
    return BROKEN


def _places(expr: tree.Expr) -> Iterator[str]:
    match expr:
        case tree.Name(name) | tree.Apply(name):
            yield name
        case tree.PileEnd(_, pile):
            yield from _places(pile)
        case tree.Rows(rows):
            for row in rows:
                yield from _places(row.value)
        case _:
            pass


def declare_effects(symbols: SymbolTable) -> None:
    for name, effect in symbols.rules.effects.items():
        symbols.effects[name] = params_of(symbols, effect.params)


# ---- the flow's names


def declare_flow(symbols: SymbolTable) -> None:
    """Declare the names of the flow; report duplicates."""
    rules = symbols.rules
    for name, placed in rules.phases.items():
        _flow(symbols, name, "phase", placed.node.name)
    for name, step in rules.steps.items():
        _flow(symbols, name, "step", step.node.name)
    for name, action in rules.actions.items():
        _flow(symbols, name, "action", action.name)
    for name, effect in rules.effects.items():
        _flow(symbols, name, "effect", effect.name)
    for name, reaction in rules.reactions.items():
        _flow(symbols, name, "reaction", reaction.name, free=True)
    for name, adjust in rules.adjusts.items():
        _flow(symbols, name, "adjustment", adjust.name, free=True)
    for name, always in rules.always.items():
        _flow(symbols, name, "invariant", always.name, free=True)
    for name, warn in rules.warns.items():
        _flow(symbols, name, "warning", warn.name, free=True)
    for name, drawn in rules.draws.items():
        _flow(symbols, name, "way to draw", drawn.name, free=True)


def _flow(
    symbols: SymbolTable, name: str, what: str, word: tree.Word, *, free: bool = False
) -> None:
    symbol = FlowSymbol(name, what, word.span)
    if not free:
        symbols.check_keyword(word)
    other = symbols.flow.setdefault(name, symbol)
    symbols.check_free(symbol, other, symbol.span)


def chosen_options(symbols: SymbolTable) -> dict[str, Data]:
    declared = symbols.declared
    return {
        name: symbol.value
        for name in symbols.rules.options
        if isinstance(symbol := declared[name], OptionSymbol)
    }


def check_defaults(symbols: SymbolTable, new_scope: NewScope) -> None:
    """Report an option whose `normally` is not one of its values."""
    for name, option in symbols.rules.options.items():
        type_ = type_of(symbols, option.type)
        expect.value(new_scope(), option.normally, type_, name)
