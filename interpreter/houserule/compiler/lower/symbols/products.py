"""Products: components and dice `for each` combination of others.

`where` keeps only the combinations for which it holds. So the condition must be
constant: `lower.constants` evaluates it, and everything is declared again.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from math import prod

from houserule import ir
from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.base.diagnostics.wording import did_you_mean, listed
from houserule.base.inflection import Inflected, fill, slots_of
from houserule.compiler.lower.expressions import expect
from houserule.compiler.lower.messages import E014, E016, E019, E027, E028
from houserule.compiler.lower.symbols.kinds import type_of
from houserule.compiler.lower.symbols.signatures import NewScope, type_meant
from houserule.compiler.lower.symbols.symbol_table import Question, Rows, SymbolTable
from houserule.compiler.lower.types import BROKEN, FLAG, is_broken
from houserule.ir.types import Data, Flag, Kind, Type, Whole, members
from houserule.language.manifest.messages import E011
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk
from houserule.language.syntax.vocabulary import is_name

Product = tree.Component | tree.DiceDecl
Columns = list[tuple[tree.Word, Type, range]]
"""Each field with its type and all its values."""


MAY_USE = (
    "Which combinations there are may depend on numbers, members, options, fields of "
    "components, and values made of these."
)


def declare_products(symbols: SymbolTable) -> None:
    """Declare `for each` components and dice, after their factors.

    A member's name joins the labels of its factors with hyphens, `p1-3`, or follows
    the pattern after `called`. Each round declares the products whose factors are
    declared. If none is ready, the rest depend on themselves; they become empty, so
    that references to them resolve.
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
        needs = {name: _needs(symbols, made) for name, (made, _) in waiting.items()}
        ready = [name for name in waiting if not needs[name] & {*waiting}]
        for name in ready:
            _declare_product(symbols, *waiting.pop(name), needs[name])
        if not ready:
            break
    for name, (made, sort) in waiting.items():
        message = f"`{name}` is a product that needs itself."
        symbols.report(E019, message, made.name.span, f"among {', '.join(waiting)}")
        symbols.add_kind(Kind(name, 0, sort), ())


def _needs(symbols: SymbolTable, made: Product) -> set[str]:
    """Return the names that a product depends on, including those in its condition."""
    found = {
        param.type.name
        for param in made.each
        if isinstance(param, tree.Typed) and isinstance(param.type, tree.NamedType)
    }
    waiting: list[tree.Node] = [] if made.where is None else [made.where]
    for root in waiting:  # it grows during the loop
        for node in walk(root):
            if isinstance(node, tree.NamedType | tree.Name | tree.Apply):
                value = symbols.rules.values.get(node.name)
                if value is not None and node.name not in found:
                    waiting.append(value)
                found.add(node.name)
    return found


def _declare_product(
    symbols: SymbolTable, made: Product, sort: str, needs: set[str]
) -> None:
    """Declare a product; its type is `BROKEN` until its members are known."""
    name, params = made.name.text, made.each
    columns: Columns = []
    for param in params:
        if isinstance(param, tree.Binder):
            message = "`for each` takes `name: Type`."
            type_, fixes = type_meant(symbols, param)
            symbols.report(E027, message, param.span, fixes=fixes)
        else:
            type_ = type_of(symbols, param.type)
        for word in param.names:
            values = range(0)
            if isinstance(type_, Whole | Kind | Flag) and not is_broken(type_):
                values = members(type_)
            elif type_ is not BROKEN:
                message = "`for each` runs over named things and numbers, not over "
                symbols.report(E014, f"{message}{type_}.", word.span)
            columns.append((word, type_, values))
    words = [w for param in params for w in param.names]
    seen: set[str] = set()
    for word in words:
        if word.text in seen or (word.text == "face" and name in symbols.rules.dice):
            message = f"`{name}` has a field `{word.text}` already."
            symbols.report(E011, message, word.span)
        seen.add(word.text)
    asked = prod(len(values) for *_, values in columns)
    span = params[0].span.to(params[-1].span)
    before = sum(kind.size for kind in symbols.kinds.values())
    what = f"`{name}` would have {{many}} members."
    fits = symbols.is_within("members", asked, what, span)
    what = f"With `{name}`, there would be {{many}} components and dice in all."
    if not (fits and symbols.is_within("members", before + asked, what, span)):
        columns = [(word, type_, range(0)) for word, type_, _ in columns]
    every = tuple(
        product(
            *(
                [(bool(n) if isinstance(type_, Flag) else n) for n in values]
                for _, type_, values in columns
            )
        )
    )
    rows: Rows | None = every
    types = [type_ for _, type_, _ in columns]
    of = (*types, *(symbols.kinds.get(each, FLAG) for each in needs))
    binders = any(isinstance(param, tree.Binder) for param in params)
    if binders or (symbols.asked and any(map(is_broken, of))):
        rows = None
    elif made.where is not None:
        # The combinations for which the condition holds; None until it is known.
        question = Question(
            made.where,
            FLAG,
            tuple(ir.Param(word.text, t, span=word.span) for word, t, _ in columns),
            every,
        )
        answer = symbols.answer(f"product {name}", question)
        if answer is None:
            rows = None
        elif answer.results is None:
            symbols.unclear[name] = E028, answer.why, answer.span
            rows = every
        else:
            pairs = zip(every, answer.results, strict=True)
            found = tuple(row for row, holds in pairs if holds)
            if every and not found:
                message = f"There is no `{name}` at all: this holds for none of the "
                message += f"{len(every)} combinations."
                symbols.unclear[name] = E029, message, made.where.span
            rows = found
    symbols.fields[name] = {word.text: type_ for word, type_, _ in columns}
    symbols.rows[name] = {
        word.text: tuple(row[place] for row in rows or ())
        for place, (word, *_) in enumerate(columns)
    }
    if rows is None:
        symbols.kinds[name], symbols.labels[name], symbols.ids[name] = BROKEN, (), {}
        return
    labels = _labels(symbols, made, columns, rows)
    symbols.add_kind(Kind(name, len(labels), sort), labels)


E046 = MessageCode("E046", "invalid member name")
"""The pattern after `called` gives two members of a product the same name, or gives one
a name that cannot be written.

**Why.** Rules, examples and records name members. So each name is unique, begins with a
letter, and has only letters, digits and `_`.

**For example**

```rules
component Cell for each row: 1..5, column: 1..5 called "at_{row}"   # `at_1` five times
```

**Fix.** Use every part in the pattern, and separate parts with `_`. `{column:a}` turns
a number from 1 to 26 into a letter.
"""


def _labels(
    symbols: SymbolTable, made: Product, columns: Columns, rows: Rows
) -> tuple[str, ...]:
    """Return the name of every member: its parts joined, or put into the pattern."""
    types = [type_ for _, type_, _ in columns]
    parts = [[*map(partial(label_of, symbols), types, row)] for row in rows]
    joined = tuple(map("-".join, parts))
    if made.called is None:
        return joined
    pattern, span = made.called.text, made.called.span
    names = [word.text for word, *_ in columns]
    try:
        slots = slots_of(pattern)
    except ValueError:
        message = "This pattern has a brace without the other one."
        symbols.report(E046, message, span)
        return joined
    for slot in slots:
        if slot.name not in names or slot.asked not in ("", "a"):
            message = f"`{made.name.text}` has no part `{slot.name}`."
            if slot.name in names:
                message = (
                    f"`{slot.asked}` is not a form of a part; only `a` is, a letter."
                )
            symbols.report(E016, message, span, did_you_mean(slot.name, names))
            return joined
    called = [
        fill(pattern, dict(zip(names, map(_with_letter, row), strict=True)))
        for row in parts
    ]
    used = {slot.name for slot in slots}
    for label in called:
        if not is_name(label) or called.count(label) > 1:
            unused = [f"`{{{name}}}`" for name in names if name not in used]
            if not is_name(label):
                message = (
                    f"`{label}` cannot be the name of a member of `{made.name.text}`: "
                    "a name begins with a letter, has only letters, digits and `_`, "
                    "and is not reserved."
                )
            else:
                way = f"use also {listed(unused)}" if unused else "separate its parts"
                message = (
                    f"Several members of `{made.name.text}` would be called `{label}`. "
                    f"In the pattern, {way}."
                )
            symbols.report(E046, message, span)
            return joined
    return tuple(called)


def _with_letter(label: str) -> Inflected:
    """Return a part of a name, with the letter for a number as its form `a`."""
    number = int(label) if label.isdecimal() else 0
    forms = {"a": chr(ord("a") + number - 1)} if 1 <= number <= 26 else {}
    return Inflected(label, forms)


E029 = MessageCode("E029", "empty product")
"""No combination of a product meets its condition.

**Why.** A component without members cannot be anywhere, and a family of dice without
dice cannot be rolled. So the condition is a mistake, or says the opposite of what you
mean.

**For example**

```rules
component Space for each column: 1..5, height: 1..3 where height more than 3      # `at most`
```

**Fix.** Check the ends of the ranges, and the options in the condition: at this table
it is never true.
"""  # noqa: E501


def check_conditions(symbols: SymbolTable, new_scope: NewScope) -> None:
    """Report errors in the conditions of products: wrong types, or not constant."""
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


def label_of(symbols: SymbolTable, type_: Type, value: Data) -> str:
    match type_:
        case Kind(name) if isinstance(value, int):
            return symbols.labels[name][value]
        case Flag():
            return "yes" if value else "no"
        case _:
            return str(value)
