"""States, zones and tokens: first values, contents, visibility."""

from __future__ import annotations

from collections.abc import Sequence

from houserule import ir
from houserule.base.diagnostics.wording import did_you_mean
from houserule.compiler.lower.declarations.draws import first_and_among
from houserule.compiler.lower.expressions import expect
from houserule.compiler.lower.expressions.scopes import in_declaration, in_phase
from houserule.compiler.lower.messages import E014, E016
from houserule.compiler.lower.symbols.symbol_table import (
    SlotSymbol,
    StateSymbol,
    SymbolTable,
    ZoneSymbol,
)
from houserule.compiler.lower.types import in_words, is_broken, member_of
from houserule.ir.types import Data, Set, Type
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import names_bound


def define_states(symbols: SymbolTable) -> dict[str, ir.StateDef]:
    found = {}
    for name, state in symbols.rules.states.items():
        signature = symbols.declared[name]
        if isinstance(signature, StateSymbol):
            found[name] = _state(symbols, state, signature)
    return found


def _state(
    symbols: SymbolTable, state: tree.State, signature: StateSymbol
) -> ir.StateDef:
    owner = f"state {signature.name}"
    if signature.life:
        scope = in_phase(symbols, signature.life, state.starts, owner)
    else:
        scope = in_declaration(symbols, owner, root=state.starts)
    scope.bind_all(signature.keys)
    first, among = first_and_among(scope, signature, state.starts)
    return ir.StateDef(
        signature.name,
        signature.keys,
        signature.type,
        signature.life,
        first,
        False,
        seen_by(symbols, state.seen, signature.keys),
        among,
        span=state.span,
    )


def seen_by(
    symbols: SymbolTable,
    written: tree.Expr | None,
    keys: Sequence[ir.Param],
    fields: dict[str, ir.Expr] | None = None,
) -> ir.Expr | None:
    """Return the set of seats that see something; None for all seats."""
    if written is None or written == tree.Name("everyone"):
        return None
    scope = in_declaration(symbols, "", root=written)
    scope.bind_all(keys)
    if fields is not None:
        scope.frame.take()  # slot 1 is the die
        scope.names |= fields
    node = expect.things(scope, written, symbols.seats, or_none=True)
    if not is_broken(node.type) and member_of(node.type) != symbols.seats:
        message = f"Players see things, and this is {in_words(node.type)}."
        symbols.report(E014, message, written.span)
    return node


def define_zones(symbols: SymbolTable) -> dict[str, ir.ZoneDef]:
    """Return every zone; a pile without a visibility is hidden from all seats."""
    found = {}
    for name, zone in symbols.rules.zones.items():
        signature = symbols.declared[name]
        if isinstance(signature, ZoneSymbol):
            found[name] = _zone(symbols, zone, signature)
    return found


def _zone(symbols: SymbolTable, zone: tree.Zone, signature: ZoneSymbol) -> ir.ZoneDef:
    name, starts = signature.name, None
    if zone.starts is not None:
        scope = in_declaration(symbols, "", root=zone.starts)
        scope.bind_all(signature.keys)
        starts = expect.value(scope, zone.starts, Set(signature.member), name)
    showing: tuple[str, ...] = ()
    if not is_broken(signature.member):
        showing = tuple(word.text for word in zone.showing)
        fields = symbols.fields.get(signature.member.name, {})
        for word in zone.showing:
            if word.text not in fields:
                message = f"A {signature.member} has no field `{word.text}`."
                hint = did_you_mean(word.text, fields)
                symbols.report(E016, message, word.span, hint)
    secret = zone.kind == "pile" and zone.seen is None
    hidden = ir.Const((), Set(symbols.seats), span=zone.span) if secret else None
    return ir.ZoneDef(
        name,
        signature.keys,
        zone.kind,
        signature.member,
        signature.at_most,
        showing,
        starts,
        hidden or seen_by(symbols, zone.seen, signature.keys),
        span=zone.span,
    )


def define_tokens(symbols: SymbolTable) -> dict[str, ir.TokensDef]:
    """Return every family of tokens with its places."""
    found = {}
    for name, tokens in symbols.rules.tokens.items():
        slots: dict[str, tuple[ir.Param, ...]] = {}
        owners: dict[str, tuple[int, ...]] = {}
        amount = 0
        names = [word.text for param in tokens.params for word in param.names]
        for slot in tokens.slots:
            signature = symbols.declared[slot.name.text]
            if not isinstance(signature, SlotSymbol):
                continue
            amount = signature.amount
            slots[slot.name.text] = signature.keys
            written = [key.name.text if key.type is None else "" for key in slot.keys]
            owners[slot.name.text] = tuple(
                written.index(each) for each in names if each in written
            )
        keys: tuple[ir.Param, ...] = ()  # of the family, as a place has all of them
        for place, at in reversed(owners.items()):
            if len(at) == len(names):
                keys = tuple(slots[place][n] for n in at)
        found[name] = ir.TokensDef(name, keys, amount, slots, owners, span=tokens.span)
    return found


def define_components(symbols: SymbolTable) -> dict[str, ir.ComponentDef]:
    """Return all kinds with fields or faces: components, enumerations, dice."""
    found = {}
    for name, enum in symbols.rules.types.items():
        if enum.type is None and enum.fields:
            kind, labels = symbols.kinds[name], symbols.labels[name]
            columns = _columns(symbols, name)
            found[name] = ir.ComponentDef(kind, labels, columns, span=enum.span)
    for name, component in symbols.rules.components.items():
        found[name] = ir.ComponentDef(
            symbols.kinds[name],
            symbols.labels[name],
            _columns(symbols, name),
            each=tuple(word.text for word in names_bound(component)),
            keyed=symbols.keyed.get(name, {}),
            span=component.span,
        )
    for name, dice in symbols.rules.dice.items():
        kind = symbols.kinds[name]
        die = ir.Local(1, "die", kind)
        fields: dict[str, ir.Expr] = {
            field: ir.ReadField(die, kind, field, type_)
            for field, type_ in symbols.fields.get(name, {}).items()
        }
        seen = seen_by(symbols, dice.seen, (), fields)
        found[name] = ir.ComponentDef(
            kind,
            symbols.labels[name],
            _columns(symbols, name),
            symbols.faces[name],
            seen,
            each=tuple(word.text for word in names_bound(dice)),
            span=dice.span,
        )
    return found


def _columns(
    symbols: SymbolTable, name: str
) -> dict[str, tuple[Type, tuple[Data, ...]]]:
    fields = symbols.fields.get(name, {})
    rows = symbols.rows.get(name, {})
    return {field: (type_, rows[field]) for field, type_ in fields.items()}
