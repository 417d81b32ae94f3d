"""Products: components and dice `for each` combination of others.

With `where` there are only the combinations for which it holds, and that is worked out
before anything else is: what is said there must be known before play.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from math import prod

from houserule.diagnostics.diagnostic import MessageCode
from houserule.ir.types import Flag, Kind, Type, Whole, members
from houserule.lower.expressions import expect
from houserule.lower.messages import E014, E019, E027, E028
from houserule.lower.symbols.kinds import type_of
from houserule.lower.symbols.known import Known, NotKnownError, as_data
from houserule.lower.symbols.signatures import NewScope
from houserule.lower.symbols.symbol_table import SymbolTable
from houserule.lower.types import BROKEN, is_broken
from houserule.manifest.messages import E011
from houserule.syntax import tree
from houserule.syntax.tree.visitor import walk

Product = tree.Component | tree.DiceDecl
Columns = list[tuple[str, Type, range]]  # of each field: its type, and all its values


MAY_USE = (
    "Which combinations there are may depend on numbers, members, options, fields of "
    "components, and values made of these."
)


def declare_products(symbols: SymbolTable) -> None:
    """Declare `for each` components and dice, whatever they are products of first.

    A member is called by the labels of what it is made of, with hyphens between:
    `p1-3`. In each round those are declared that wait for no other; what is left when
    none is ready waits for itself, and is empty so that what speaks of it can be read.
    """
    rules = symbols.rules
    waiting: dict[str, tuple[Product, str]] = {}
    for name, component in rules.components.items():
        if component.each:
            waiting[name] = component, "component"
    for name, dice in rules.dice.items():
        if dice.each:
            waiting[name] = dice, "die"
    while waiting:
        ready = [
            name
            for name, (made, _) in waiting.items()
            if not _needs(symbols, made) & {*waiting}
        ]
        for name in ready:
            _declare_product(symbols, *waiting.pop(name))
        if not ready:
            break
    for name, (made, sort) in waiting.items():
        message = f"`{name}` is a product that needs itself."
        symbols.report(E019, message, made.name.span, f"among {', '.join(waiting)}")
        symbols.add_kind(Kind(name, 0, sort), ())


def _needs(symbols: SymbolTable, made: Product) -> set[str]:
    """Return the names that a product is made of, through values in its condition."""
    found = {
        param.type.name
        for param in made.each
        if isinstance(param, tree.Typed) and isinstance(param.type, tree.NamedType)
    }
    waiting: list[tree.Node] = [] if made.where is None else [made.where]
    for root in waiting:  # it grows meanwhile
        for node in walk(root):
            if isinstance(node, tree.NamedType | tree.Name | tree.Apply):
                value = symbols.rules.values.get(node.name)
                if value is not None and node.name not in found:
                    waiting.append(value)
                found.add(node.name)
    return found


def _declare_product(symbols: SymbolTable, made: Product, sort: str) -> None:
    name, params = made.name.text, made.each
    columns = _columns(symbols, params)
    _check_columns(symbols, name, params)
    asked = prod(len(values) for _, _, values in columns)
    if not _has_room(symbols, name, asked, params):
        columns = [(field, type_, range(0)) for field, type_, _ in columns]
    combined = list(product(*(values for _, _, values in columns)))
    if made.where is not None:
        combined = _left(symbols, made, made.where, columns, combined)
    types = [type_ for _, type_, _ in columns]
    labels = tuple(
        "-".join(map(partial(label_of, symbols), types, values)) for values in combined
    )
    symbols.add_kind(Kind(name, len(labels), sort), labels)
    symbols.fields[name] = {field: type_ for field, type_, _ in columns}
    symbols.rows[name] = {
        field: tuple(as_data(type_, values[place]) for values in combined)
        for place, (field, type_, _) in enumerate(columns)
    }


E029 = MessageCode("E029", "nothing is left")
"""No combination of a product fulfils its condition.

**Why.** A component without members cannot lie anywhere, and a family of dice without
dice cannot be rolled. So the condition is a slip, or says the opposite of what is
meant.

**For example**

```rules
component Space for each column: 1..5, height: 1..3 where height more than 3      # `at most`
```

**Way out.** Look at the ends of the ranges, and at the options that stand in the
condition: at this table it never holds.
"""  # noqa: E501


def _left(
    symbols: SymbolTable,
    made: Product,
    where: tree.Expr,
    columns: Columns,
    combined: list[tuple[int, ...]],
) -> list[tuple[int, ...]]:
    """Return the combinations for which the condition holds; report if none is left."""
    known, found = Known(symbols), []
    try:
        for values in combined:
            names = {
                field: (as_data(type_, value), type_)
                for (field, type_, _), value in zip(columns, values, strict=True)
            }
            if known.holds(where, names):
                found.append(values)
    except NotKnownError as fault:
        symbols.unclear[made.name.text] = E028, str(fault), fault.span
        return combined
    if combined and not found:
        message = f"There is no `{made.name.text}` at all: this holds for none of the "
        message += f"{len(combined)} combinations."
        symbols.unclear[made.name.text] = E029, message, where.span
    return found


def check_conditions(symbols: SymbolTable, new_scope: NewScope) -> None:
    """Report what is wrong in the conditions of products: types, or read in play."""
    rules = symbols.rules
    products: list[Product] = [*rules.components.values(), *rules.dice.values()]
    for made in products:
        name = made.name.text
        if made.where is None:
            continue
        scope, before = new_scope(), len(symbols.diagnostics)
        for param in made.each:
            for word in param.names:
                scope.bind(word, symbols.fields[name].get(word.text, BROKEN))
        expect.condition(scope, made.where)
        if name in symbols.unclear and len(symbols.diagnostics) == before:
            code, message, span = symbols.unclear[name]
            details = (MAY_USE,) if code is E028 else ()
            symbols.report(code, message, span, details=details)


def _columns(symbols: SymbolTable, params: tree.Params) -> Columns:
    columns: Columns = []
    for param in params:
        if isinstance(param, tree.Binder):
            message = "`for each` takes `name: Type`."
            symbols.report(E027, message, param.span)
            continue
        type_ = type_of(symbols, param.type)
        for word in param.names:
            columns.append((word.text, type_, _members(symbols, type_, word)))
    return columns


def _has_room(symbols: SymbolTable, name: str, asked: int, params: tree.Params) -> bool:
    """Say whether a product may have so many members besides those of others."""
    span = params[0].span.to(params[-1].span)
    what = f"`{name}` would have {{many}} members."
    if not symbols.is_within("members", asked, what, span):
        return False
    before = sum(kind.size for kind in symbols.kinds.values())
    what = f"With `{name}`, there would be {{many}} components and dice in all."
    return symbols.is_within("members", before + asked, what, span)


def _check_columns(symbols: SymbolTable, name: str, params: tree.Params) -> None:
    words = [w for param in params for w in param.names]
    seen: set[str] = set()
    for word in words:
        if word.text in seen or (word.text == "face" and name in symbols.rules.dice):
            message = f"`{name}` has a field `{word.text}` already."
            symbols.report(E011, message, word.span)
        seen.add(word.text)


def _members(symbols: SymbolTable, type_: Type, word: tree.Word) -> range:
    if isinstance(type_, Whole | Kind | Flag) and not is_broken(type_):
        return members(type_)
    if type_ is not BROKEN:
        message = f"`for each` runs over named things and numbers, not over {type_}."
        symbols.report(E014, message, word.span)
    return range(0)


def label_of(symbols: SymbolTable, type_: Type, value: int) -> str:
    """Return what people call a member of a type."""
    match type_:
        case Kind(name):
            return symbols.labels[name][value]
        case Flag():
            return "yes" if value else "no"
        case _:
            return str(value)
