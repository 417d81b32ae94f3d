"""Kinds and types: declare types, resolve written types.

Kinds are the closed sets of named things: seats, enumerations, dice, components and
actions. Types are resolved on demand, so their order does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from houserule.base.diagnostics.wording import TYPES_ELSEWHERE, did_you_mean
from houserule.base.source import NOWHERE, Span
from houserule.compiler.lower.messages import E010, E012, E014, E019, E028
from houserule.compiler.lower.symbols.symbol_table import (
    BuiltIn,
    MemberSymbol,
    Question,
    Symbol,
    SymbolTable,
    TypeSymbol,
)
from houserule.compiler.lower.types import (
    ACTIONS,
    BROKEN,
    SEATS,
    is_broken,
    optional,
    places,
)
from houserule.ir.declarations import seat_ids
from houserule.ir.types import Flag, Kind, Set, Type, Whole, core, members
from houserule.language.manifest.messages import E020
from houserule.language.syntax import tree
from houserule.language.syntax.vocabulary import (
    BUILT_IN_FUNCTIONS,
    BUILT_IN_NAMES,
    YIELDING,
)


def declare_kinds(symbols: SymbolTable) -> None:
    """Declare every type except products, and members with names of their own."""
    rules = symbols.rules
    things = rules.types, rules.values, rules.states, rules.zones, rules.options
    own = YIELDING.intersection(chain.from_iterable(things))
    for name in _BUILT_IN:
        if name not in own:
            symbols.declared[name] = _BUILT_IN[name]
    for name in (SEATS, ACTIONS):
        symbols.declared[name] = TypeSymbol(name, NOWHERE)
    seats = symbols.rules.table.players
    symbols.add_kind(Kind(SEATS, seats, "seat"), seat_ids(seats))
    for name, enum in rules.types.items():
        declare(symbols, TypeSymbol(name, enum.name.span), enum.name)
        if enum.type is None:
            _declare_members(symbols, name, enum.members, "enum")
    for name, dice in rules.dice.items():
        declare(symbols, TypeSymbol(name, dice.name.span), dice.name)
        if not dice.each:
            _declare_members(symbols, name, dice.members, "die")
    for name, component in rules.components.items():
        declare(symbols, TypeSymbol(name, component.name.span), component.name)
        if not component.each:
            rows = rules.rows.get(name, ())
            labels = tuple(row.id for row in rows)
            symbols.add_kind(Kind(name, len(labels), "component"), labels)
    for name in rules.types:
        named(symbols, name, NOWHERE)


def declare_actions(symbols: SymbolTable) -> None:
    actions = tuple(sorted(symbols.rules.actions))
    symbols.add_kind(Kind(ACTIONS, len(actions), "action"), actions)


def declare(symbols: SymbolTable, symbol: Symbol, word: tree.Word) -> None:
    """Declare a symbol; report names that are taken or reserved."""
    symbols.check_keyword(word, of_type=isinstance(symbol, TypeSymbol))
    other = symbols.declared.setdefault(symbol.name, symbol)
    symbols.check_free(symbol, other, word.span)


_BUILT_IN = {name: BuiltIn(name) for name in (*BUILT_IN_FUNCTIONS, *BUILT_IN_NAMES)}


def _declare_members(
    symbols: SymbolTable, name: str, words: Sequence[tree.Word], sort: str
) -> None:
    symbols.add_kind(Kind(name, len(words), sort), tuple(w.text for w in words))
    kind = symbols.kinds[name]
    for number, word in enumerate(words):
        symbol = MemberSymbol(word.text, number, kind, word.span)
        declare(symbols, symbol, word)


# ---- types as written


def type_of(symbols: SymbolTable, written: tree.Type) -> Type:
    """Resolve a written type; report an error and return `BROKEN` if it is invalid.

    `position` alone is not a type: only values have it, and declare it themselves.
    """
    match written:
        case tree.RangeType(low, high):
            least, most = bound(symbols, low), bound(symbols, high)
            if least is None or most is None:
                return BROKEN
            if least > most:
                message = f"No number lies between {least} and {most}."
                symbols.report(E020, message, written.span, "this range is empty")
                return BROKEN
            return Whole(least, most)
        case tree.NamedType("position"):
            symbols.report(
                E014,
                "`position` can only be the type of a value.",
                written.span,
                details=("Its definition says which zones it can mean.",),
            )
            return BROKEN
        case tree.NamedType(name):
            return named(symbols, name, written.span)
        case tree.FlagType():
            return Flag()
        case tree.SetType(member):
            return _set(symbols, member, written.span, part=False)
        case tree.PartType(member):
            return _set(symbols, member, written.span, part=True)
        case tree.MaybeType(inner):
            return optional(type_of(symbols, inner))


def named(symbols: SymbolTable, name: str, span: Span) -> Type:
    """Return the type of a name, resolved on demand."""
    if name in symbols.kinds:
        return symbols.kinds[name]
    if name in symbols.types:
        return symbols.types[name]
    declared = symbols.rules.types.get(name)
    if declared is None or declared.type is None:
        symbol = symbols.declared.get(name)
        if symbol is not None and name not in type_names(symbols):
            message = f"`{name}` is {symbol.noun}, not a type."
            symbols.report(E012, message, span, "a type is expected here")
        elif symbol is None:
            known = (*symbols.kinds, *type_names(symbols), "position")
            message = f"There is no type called `{name}`."
            hint = did_you_mean(name, known, also=TYPES_ELSEWHERE)
            symbols.report(E010, message, span, hint)
        return BROKEN
    if name in symbols.resolving:
        symbols.report(
            E019,
            f"The type `{name}` is made of itself.",
            declared.name.span,
            details=(" -> ".join((*symbols.resolving, name)),),
        )
        return BROKEN
    symbols.resolving.append(name)
    symbols.types[name] = type_of(symbols, declared.type)
    symbols.resolving.pop()
    return symbols.types[name]


def type_names(symbols: SymbolTable) -> list[str]:
    rules = symbols.rules
    return [*symbols.kinds, *rules.types, *rules.components, *rules.dice]


def _set(symbols: SymbolTable, name: str, span: Span, *, part: bool) -> Type:
    member = named(symbols, name, span)
    if isinstance(member, Whole | Kind):
        fits = may_be_listed(symbols, member, f"`{name}`", span)
        return Set(member if fits else BROKEN, part)
    symbols.report(
        E014,
        f"A set cannot have members of type `{name}`.",
        span,
        "numbers or named things are expected",
    )
    return Set(BROKEN, part)


def bound(symbols: SymbolTable, written: int | tree.Word) -> int | None:
    """Return the bound of a range: a number, an option's, or a value's before play."""
    if isinstance(written, int):
        return written
    name = written.text
    chosen = symbols.rules.table.options.get(name)
    if isinstance(chosen, int) and not isinstance(chosen, bool):
        return chosen
    if name in symbols.rules.options:
        message = f"The option `{name}` is not a number."
        symbols.report(E014, message, written.span, "a number is expected here")
    elif name in symbols.rules.values:
        # The constant number of a declared value at this table.
        if name in symbols.resolving:
            message = f"The range of `{name}` is made of itself."
            details = (" -> ".join((*symbols.resolving, name)),)
            symbols.report(E019, message, written.span, details=details)
            return None
        symbols.resolving.append(name)
        type_ = type_of(symbols, symbols.rules.values[name].type)
        symbols.resolving.pop()
        if not isinstance(type_, Whole):
            if type_ != BROKEN:
                message = f"The value `{name}` is not a number."
                symbols.report(E014, message, written.span, "a number is expected here")
            return None
        question = Question(tree.Name(name, span=written.span), type_)
        answer = symbols.answer(f"value {name}", question)
        if answer is None or answer.results is None:
            why = "" if answer is None else answer.why
            message = f"The value `{name}` cannot be a bound. {why}"
            symbols.report(E028, message, written.span, "a bound is known before play")
            return None
        (found,) = answer.results
        assert isinstance(found, int), "a value is of its type"
        return found
    elif name in symbols.declared:
        message = (
            f"`{name}` is {symbols.declared[name].noun}; a bound is known before play."
        )
        symbols.report(E028, message, written.span, "a number or an option is expected")
    else:
        hint = did_you_mean(name, symbols.rules.options, also={"subset": "part"})
        hint = hint or "a number or an option is expected"
        message = f"There is no option called `{name}`."
        symbols.report(E010, message, written.span, hint)
    return None


def may_be_listed(symbols: SymbolTable, type_: Type, name: str, span: Span) -> bool:
    """Return whether the members of a type can be enumerated; if not, report E050."""
    what = f"{name} has {{many}} members: too many to go through."
    return symbols.is_within("members", places(type_), what, span)


def listed(
    symbols: SymbolTable, type_: Whole | Kind, name: str, span: Span
) -> tuple[int, ...] | None:
    """Return all members of a type; report E050 and return None if there are too many.

    Those of a range are created once, and all of them together count against the limit
    of cells.
    """
    if not may_be_listed(symbols, type_, name, span):
        return None
    every = members(type_)
    known = symbols.listed
    if every not in known.made:
        many = known.many + len(every)
        what = f"With {name}, {{many}} members of ranges would be listed."
        if not symbols.is_within("cells", many, what, span):
            return None
        known.made[every], known.many = tuple(every), many
    return known.made[every]


def can_key(type_: Type) -> bool:
    """Return whether values of a type can be keys; small sets of things can too."""
    if is_broken(type_):
        return True
    if core(type_) is not type_:
        return False
    if isinstance(type_, Set):
        return isinstance(type_.member, Kind) and type_.member.size <= 16
    return isinstance(type_, Whole | Flag | Kind)
