"""Resolve names, applications and fields in expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from houserule import ir
from houserule.base.diagnostics.diagnostic import Label, MessageCode
from houserule.base.diagnostics.wording import VALUES_ELSEWHERE, did_you_mean, sentence
from houserule.base.source import Span
from houserule.compiler.lower.expressions import builtins, expect
from houserule.compiler.lower.messages import E010, E012, E013, E016
from houserule.compiler.lower.symbols.kinds import listed
from houserule.compiler.lower.symbols.scope import Scope, broken
from houserule.compiler.lower.symbols.symbol_table import (
    BuiltIn,
    MemberSymbol,
    OptionSymbol,
    SlotSymbol,
    StateSymbol,
    TypeSymbol,
    ValueSymbol,
    ZoneSymbol,
)
from houserule.compiler.lower.types import (
    BROKEN,
    in_words,
    is_broken,
    may_be_none,
    member_of,
    optional,
    places,
)
from houserule.ir.types import Kind, Position, Set, Type, Whole, core
from houserule.language.syntax import tree
from houserule.language.syntax.vocabulary import BEFORE_OF, BUILT_IN_FUNCTIONS, is_name
from houserule.language.syntax.write.expressions import print_expr

Keyed = StateSymbol | ZoneSymbol | SlotSymbol | ValueSymbol


def name(scope: Scope, expr: tree.Name, wanted: Type | None) -> ir.Expr:
    """Resolve a bare name."""
    variable = scope.names.get(expr.name)
    if variable is not None:
        # A variable, with the place of this name.
        if isinstance(variable, ir.Local):
            scope.uses.changing |= variable.slot == 0
            slot, name, type_ = variable.slot, variable.name, variable.type
            here: ir.Expr = ir.Local(slot, name, type_, span=expr.span)
        else:
            scope.uses.changing = True
            here = replace(variable, span=expr.span)
        return scope.narrowed(expr, here)
    if wanted is not None and expr.name != "doing":
        actions = member_of(wanted) if isinstance(core(wanted), Set) else core(wanted)
        if isinstance(actions, Kind) and actions.sort == "action":
            # The action of that name, which is compared with `doing`.
            number = scope.symbols.ids[actions.name].get(expr.name)
            if number is not None:
                return ir.Const(number, actions, span=expr.span)
            if expr.name not in scope.symbols.declared:
                hint = did_you_mean(expr.name, scope.symbols.ids[actions.name])
                message = f"There is no action called `{expr.name}`."
                scope.symbols.report(E010, message, expr.span, hint)
                return broken(expr)
    symbol = scope.symbols.declared.get(expr.name)
    match symbol:
        case None:
            return unknown(scope, expr.name, expr.span, wanted)
        case BuiltIn(taken=True):  # that is reported where it is declared
            return broken(expr)
        case MemberSymbol(_, value, kind):
            return ir.Const(value, kind, span=expr.span)
        case OptionSymbol(_, chosen, type_):
            return ir.Const(chosen, type_, span=expr.span)
        case TypeSymbol():
            # The set of all members of a type.
            type_ = scope.symbols.types.get(expr.name) or scope.symbols.kinds[expr.name]
            if type_ == scope.symbols.seats:
                message = f"The seats as a set are called `players`, not `{expr.name}`."
                scope.symbols.report(E012, message, expr.span, fixes=("players",))
                return broken(expr)
            if isinstance(type_, Whole | Kind):
                return every_member(scope, type_, expr.span)
            if not is_broken(type_):
                message = (
                    f"`{expr.name}` is {in_words(type_)}: that has no list of members."
                )
                scope.symbols.report(E012, message, expr.span)
            return broken(expr)
        case BuiltIn():
            return builtins.name(scope, expr)
        case _:
            return _applied(scope, symbol, (), expr, wanted)


def every_member(scope: Scope, type_: Whole | Kind, span: Span) -> ir.Expr:
    """Return the set of all members; of a type with too many, an empty one."""
    every = listed(scope.symbols, type_, f"`{type_}`", span)
    return ir.Const(every or (), Set(type_), span=span)


def apply(scope: Scope, expr: tree.Apply, wanted: Type | None) -> ir.Expr:
    """Resolve a name with arguments."""
    if expr.name in scope.names:
        return _no_arguments(scope, expr, "a variable")
    symbol = scope.symbols.declared.get(expr.name)
    match symbol:
        case None:
            return _unknown_call(scope, expr)
        case BuiltIn(taken=True):  # that is reported where it is declared
            return broken(expr)
        case StateSymbol() | ZoneSymbol() | SlotSymbol() | ValueSymbol():
            return _applied(scope, symbol, expr.args, expr, wanted)
        case BuiltIn() if expr.name in BUILT_IN_FUNCTIONS:
            return builtins.apply(scope, expr)
        case TypeSymbol() if expr.name in scope.symbols.rules.components:
            # `Square(4, 1)`: the member of a product with these parts.
            symbols, name = scope.symbols, expr.name
            words = [
                each for p in symbols.rules.components[name].each for each in p.names
            ]
            if not words:
                message = f"`{name}` is not a product, so its members have no parts."
                fix = f"{name}.{next(iter(symbols.ids[name]), 'row')}"
                symbols.report(E012, message, expr.span, fixes=(fix,))
                return broken(expr)
            fields = symbols.fields[name]
            if not fields.keys() >= {each.text for each in words}:
                return broken(expr)  # it is made of itself, which was reported
            params = [ir.Param(each.text, fields[each.text]) for each in words]
            kind = symbols.kinds[name]
            fits = right_number(scope, name, params, expr.args, expr.span)
            if not fits or is_broken(kind):
                return broken(expr)
            parts: list[ir.Expr] = []  # none or outside its range: no member
            for arg, param in zip(expr.args, params, strict=True):
                node, of = scope.read(arg, param.type), optional(param.type)
                whole = isinstance(param.type, Whole)
                if not whole or not isinstance(core(node.type), Whole):
                    node = expect.given(scope, node, arg, of, param.name)
                parts.append(node)
            if any(is_broken(part.type) for part in parts):
                return broken(expr)
            columns = (symbols.rows[name][each.name] for each in params)
            rows = [*zip(*columns, strict=True)]
            if all(isinstance(part, ir.Const) for part in parts):
                row = tuple(each.value for each in parts if isinstance(each, ir.Const))
                if row in rows:
                    return ir.Const(rows.index(row), kind, span=expr.span)
                symbols.report(E107, f"No `{kind}` has these parts.", expr.span)
                return broken(expr)
            sure = len(rows) == prod(places(param.type) for param in params)
            for part, param in zip(parts, params, strict=True):
                if isinstance(part.type, Whole) and isinstance(param.type, Whole):
                    sure = sure and param.type.low <= part.type.low
                    sure = sure and part.type.high <= param.type.high
                else:
                    sure = sure and part.type == param.type
            type_: Type = kind if sure else optional(kind)
            return ir.MemberAt(kind, tuple(parts), type_, span=expr.span)
        case _:
            return _no_arguments(scope, expr, symbol.noun)


def _unknown_call(scope: Scope, expr: tree.Apply) -> ir.Expr:
    """Report an unknown name with arguments; it may be a field, or need `of`."""
    inside = [print_expr(arg) for arg in expr.args]
    message = f"There is nothing called `{expr.name}`."
    fixes: tuple[str, ...] = ()
    place = first_word(expr.name, expr.span)
    if form := _call_elsewhere(expr):
        fixes = (form,)
    elif len(inside) == 1 and expr.name in _FOLDS_OF_ONE:
        fixes = (f"({expr.name} of {inside[0]})",)
    elif len(inside) == 1 and expr.name.casefold() in _SIZES_ELSEWHERE:
        fixes = (f"size({inside[0]})",)
    elif expr.name == "range" and inside and inside[0].isdigit():
        low, high = ("1", inside[0]) if len(inside) == 1 else inside[:2]
        fixes = (f"{low}..{high}",)
    elif len(inside) == 1:
        told = len(scope.symbols.diagnostics)
        node = scope.read(expr.args[0])
        del scope.symbols.diagnostics[told:]
        kind = core(node.type)
        member = kind.member if isinstance(kind, Set) else None
        if isinstance(kind, Kind) and expr.name in _fields_of(scope, kind):
            fixes = (f"{inside[0]}.{expr.name}",)
        faces = isinstance(member, Kind) and scope.symbols.faces.get(member.name)
        if expr.name == "sum" and faces:
            fixes = (f"(total of {inside[0]})",)
    if not fixes:
        return unknown(scope, expr.name, place, called=True)
    scope.symbols.report(E010, message, expr.span, fixes=fixes)
    return broken(expr)


def _call_elsewhere(expr: tree.Expr) -> str:
    """Return what a call of a spreadsheet or another language is here, or ''."""
    if not isinstance(expr, tree.Apply):
        return ""
    form = _CALLS_ELSEWHERE.get((expr.name.casefold(), len(expr.args)), "")
    return form.format(
        *(_call_elsewhere(each) or print_expr(each) for each in expr.args)
    )


_CALLS_ELSEWHERE = {  # of spreadsheets and other languages, by name and arguments
    ("not", 1): "not ({0})",
    ("and", 2): "({0} and {1})",
    ("and", 3): "({0} and {1} and {2})",
    ("or", 2): "({0} or {1})",
    ("or", 3): "({0} or {1} or {2})",
    ("mod", 2): "({0} mod {1})",
    ("iferror", 2): "({0} else {1})",
    ("ifna", 2): "({0} else {1})",
    ("coalesce", 2): "({0} else {1})",
    ("even", 1): "({0} mod 2 is 0)",
    ("iseven", 1): "({0} mod 2 is 0)",
    ("odd", 1): "({0} mod 2 is 1)",
    ("isodd", 1): "({0} mod 2 is 1)",
    ("isblank", 1): "({0} is none)",
}
_SIZES_ELSEWHERE = ("size", "count", "length", "len", "number")
_FOLDS_OF_ONE = ("total", "top", "bottom")
_FACES_ELSEWHERE = ("value", "number", "pips", "result", "roll", "eyes", "faces")


def _fields_of(scope: Scope, kind: Kind) -> list[str]:
    """Return the fields of a kind, with the face of dice."""
    faces = scope.symbols.faces.get(kind.name)
    known = (
        scope.symbols.fields.get(kind.name, {}),
        scope.symbols.keyed.get(kind.name, {}),
    )
    return [*known[0], *known[1], *(["face"] if faces else [])]


def _call_meant(scope: Scope, expr: tree.Dot, type_: Type) -> str:
    """Return what is written with brackets or `of` in place of a field, or ''.

    `p.coins` for `coins(p)`, `hand(p).size` for `size(hand(p))`, `deck.top` for `top of
    deck`, `spot.rank` for `(the only x in spot).rank`.
    """
    subject, word = print_expr(expr.subject), expr.field
    symbol = scope.symbols.declared.get(word)
    kind = core(type_)
    if isinstance(kind, Set):
        if word in ("top", "bottom"):
            return f"{word} of {subject}"
        if word == "total":
            return f"(total of {subject})"
        if word in _SIZES_ELSEWHERE:
            return f"size({subject})"
        if isinstance(kind.member, Kind) and word in _fields_of(scope, kind.member):
            return f"(the only x in {subject}).{word}"
    has_faces = isinstance(kind, Kind) and bool(scope.symbols.faces.get(kind.name))
    if has_faces and word in _FACES_ELSEWHERE:
        return f"{subject}.face"
    if isinstance(symbol, Keyed) and [core(key.type) for key in symbol.keys] == [kind]:
        return f"{word}({subject})"
    return ""


def _no_arguments(scope: Scope, expr: tree.Apply, noun: str) -> ir.Expr:
    message = f"`{expr.name}` is {noun}: it takes no arguments."
    scope.symbols.report(E012, message, expr.span)
    return broken(expr)


def first_word(word: str, span: Span) -> Span:
    """Return the place of the first word of a longer expression."""
    return Span.at(span.file, span.line, span.column, len(word))


def unknown(
    scope: Scope,
    name: str,
    span: Span,
    wanted: Type | None = None,
    *,
    called: bool = False,
) -> ir.Expr:
    """Report an unknown name, and what similar one of a `wanted` type may be meant."""
    flow = scope.symbols.flow.get(name)
    of = None if wanted is None else core(wanted)
    known = [*scope.names]
    for each, symbol in scope.symbols.declared.items():
        if called:
            made = scope.symbols.rules.components
            fits = isinstance(symbol, Keyed | BuiltIn) or each in made
            known += [each] if fits else []
        elif isinstance(symbol, MemberSymbol) and isinstance(of, Kind | Whole):
            known += [each] if symbol.kind == of else []
        elif not (isinstance(symbol, TypeSymbol) and isinstance(of, Kind | Whole)):
            known.append(each)
    if flow is not None:
        scope.symbols.report(
            E012,
            f"`{name}` is {flow.noun}; which is not a value.",
            span,
            did_you_mean(name, known, cutoff=0.2) or "a value is expected here",
            others=scope.symbols.declared_at(flow),
        )
    else:
        phases = [
            of for of, each in scope.symbols.variables.items() if each.name == name
        ]
        near = did_you_mean(name, known, also=VALUES_ELSEWHERE)
        rows = [
            f"{kind}.{name}"
            for kind, ids in scope.symbols.ids.items()
            if name in ids and kind in scope.symbols.rules.components
        ]
        if len(rows) == 1:
            near = f"did you mean `{rows[0]}`?"
        elif len(name) == 1 and "me" in scope.names:
            near = "did you mean `me`?" if name == "p" else ""
        details = [
            f"`{name}` belongs to the phase `{phase}`: only its steps and the actions "
            "there know it. Let this take it as a parameter."
            for phase in phases
        ]
        if name in BEFORE_OF:
            details.append(f"Or is the `of` missing? Such as `{BEFORE_OF[name]}`.")
        message = f"There is nothing called `{name}`{' here' if phases else ''}."
        label = "" if phases else near
        scope.symbols.report(E010, message, span, label, details=details)
    return ir.Const(None, BROKEN, span=span)


# ---- things with keys


def _applied(
    scope: Scope,
    symbol: Keyed,
    args: Sequence[tree.Expr],
    expr: tree.Name | tree.Apply,
    wanted: Type | None,
) -> ir.Expr:
    if not right_number(scope, symbol.name, symbol.keys, args, expr.span):
        return broken(expr)
    if isinstance(symbol, ValueSymbol):
        scope.uses.values.setdefault(symbol.name, expr.span)
        nodes, absent = keys_of(scope, symbol, args, lifts=True)
        type_ = optional(symbol.type) if absent else symbol.type
        return scope.narrowed(
            expr, ir.CallValue(symbol.name, nodes, type_, span=expr.span)
        )
    lifts = isinstance(symbol, StateSymbol | SlotSymbol)
    keys, absent = keys_of(scope, symbol, args, lifts=lifts)
    match symbol:
        case StateSymbol(state, _, type_):
            scope.uses.states.setdefault(state, expr.span)
            type_ = optional(type_) if absent else type_
            cell = ir.ReadCell(state, keys, type_, span=expr.span)
            return scope.narrowed(expr, cell)
        case SlotSymbol(slot, amount=amount):
            scope.uses.changing = True
            count: Type = Whole(0, amount)
            count = optional(count) if absent else count
            return ir.TokenCount(slot, keys, count, span=expr.span)
        case ZoneSymbol(zone, member=member):
            if isinstance(wanted, Position):
                top = Position(member)
                return ir.PositionOf(zone, keys, "top", top, span=expr.span)
            scope.uses.changing = True
            return ir.Contents(zone, keys, Set(member), span=expr.span)


def keys_of(
    scope: Scope, symbol: Keyed, args: Sequence[tree.Expr], *, lifts: bool
) -> tuple[tuple[ir.Expr, ...], bool]:
    """Return the keys or arguments, and whether a required value may be missing.

    That is an error unless the result is then none: if it `lifts`.
    """
    nodes, absent = [], False
    for arg, key in zip(args, symbol.keys, strict=True):
        node = scope.read(arg, key.type)
        lifted = lifts and may_be_none(node.type) and not may_be_none(key.type)
        absent = absent or lifted
        wanted = optional(key.type) if lifted else key.type
        nodes.append(expect.given(scope, node, arg, wanted, key.name))
    return tuple(nodes), absent


def right_number(
    scope: Scope,
    name: str,
    params: Sequence[ir.Param],
    args: Sequence[tree.Expr],
    span: Span,
) -> bool:
    """Return whether arguments and parameters match in number; report E013 if not."""
    if len(params) == len(args):
        return True
    wanted = ", ".join(f"{param.name}: {param.type}" for param in params)
    asks = f"`{name}({wanted})`" if params else f"`{name}`, without arguments,"
    # A call with the variables of this place.
    fitting = [
        [word for word, node in scope.names.items() if node.type == param.type]
        for param in params
    ]
    clear = not args and all(len(words) == 1 for words in fitting)
    words = [word for (word,) in fitting] if clear else []
    fixes = [f"{name}({', '.join(words)})"] if clear else []
    if len(params) == 1 and not args:  # the innermost variable first
        fixes = [f"{name}({word})" for word in reversed(fitting[0])]
    if len(params) == 1 and isinstance(params[0].type, Kind):
        # `owner(1, 2)` for `owner(Cell(1, 2))`
        kind = params[0].type.name
        made = scope.symbols.rules.components.get(kind)
        each = [word for p in made.each for word in p.names] if made else []
        if each and len(each) == len(args):
            inside = ", ".join(print_expr(arg) for arg in args)
            fixes = [f"{name}({kind}({inside}))"]
    scope.symbols.report(
        E013,
        f"{asks} takes {len(params)}, and here there are {len(args)}."
        if params
        else f"`{name}` takes no arguments, and here there are {len(args)}.",
        span,
        f"{len(args)} given",
        fixes=fixes,
    )
    return False


# ---- fields


def dot(scope: Scope, expr: tree.Dot, at: tree.DotAt | None = None) -> ir.Expr:
    """Return a field, the face of a die, or a row of a table; none for none.

    Args:
        at: the expression with the key, for a field with a key.
    """
    named = expr.subject.name if isinstance(expr.subject, tree.Name) else ""
    of_type = isinstance(scope.symbols.declared.get(named), TypeSymbol)
    kind_named = scope.symbols.kinds.get(named) if of_type else None
    if kind_named is not None and named not in scope.names:
        # One row of a table as a constant: `Company.eight_plain`.
        if kind_named.sort == "component":
            number = scope.symbols.ids[kind_named.name].get(expr.field)
            if number is not None:
                if at is not None:
                    right_number(scope, print_expr(expr), (), (at.key,), at.span)
                    return broken(at)
                return ir.Const(number, kind_named, span=expr.span)
            # The row does not exist, or its id cannot be written.
            ids = scope.symbols.labels[kind_named.name]
            speakable = [each for each in ids if is_name(each)]
            near = did_you_mean(expr.field, speakable)
            message = f"`{kind_named}` has no row `{expr.field}`."
            details: tuple[str, ...] = ()
            if not speakable and ids:
                message = (
                    f"No row of `{kind_named}` can be named: their ids are not names."
                )
                details = (
                    f"Such as `{ids[0]}`; name one by its parts: `{kind_named}(…)`.",
                )
            elif expr.field in scope.symbols.fields.get(kind_named.name, {}):
                message = (
                    f"`{expr.field}` is a field, which one {kind_named} has; "
                    f"`{kind_named}` is all."
                )
            scope.symbols.report(
                E107, message, _behind_dot(expr), near, details=details
            )
            return broken(expr)
        own = scope.symbols.declared.get(expr.field)
        if isinstance(own, MemberSymbol) and own.kind == kind_named:
            message = (
                f"`{expr.field}` is a name of its own, and is written without "
                f"`{kind_named}`."
            )
            scope.symbols.report(E107, message, expr.span, fixes=(expr.field,))
        else:
            message = (
                f"Only rows of components are named like this, and no {kind_named} "
                "is one."
            )
            scope.symbols.report(E107, message, expr.span)
        return broken(expr)
    subject = scope.read(expr.subject)
    kind = core(subject.type)
    if is_broken(subject.type):
        return broken(expr)
    if not isinstance(kind, Kind):
        message = f"This is {in_words(subject.type)}, and that has no fields."
        meant = _call_meant(scope, expr, subject.type)
        span = expr.span if meant else expr.subject.span
        scope.symbols.report(E016, message, span, fixes=(meant,) if meant else ())
        return broken(expr)
    keyed = scope.symbols.keyed.get(kind.name, {}).get(expr.field)
    if keyed is not None:
        keys, given = (keyed.key,), () if at is None else (at.key,)
        span = expr.span if at is None else at.span
        if not right_number(scope, print_expr(expr), keys, given, span) or at is None:
            return broken(expr)
        of = keyed.key.type
        key = expect.given(scope, scope.read(at.key, of), at.key, of, keyed.key.name)
        if is_broken(keyed.type) or is_broken(key.type):
            return broken(at)
        type_ = optional(keyed.type) if may_be_none(subject.type) else keyed.type
        entry = ir.ReadEntry(subject, kind, expr.field, key, type_, span=span)
        return scope.narrowed(at, entry)
    faces = scope.symbols.faces.get(kind.name)
    field: Type | None
    if expr.field == "face" and faces:
        field = Whole(min(faces), max(faces))
    else:
        fields = scope.symbols.fields.get(kind.name, {})
        if expr.field not in fields:
            known = _fields_of(scope, kind)
            meant = _call_meant(scope, expr, subject.type)
            declared = scope.symbols.declared.get(kind.name)
            place: tuple[Label, ...] = ()
            if declared is not None and declared.span.line:
                place = (Label(declared.span, f"`{kind.name}` is declared here"),)
            scope.symbols.report(
                E016,
                sentence(f"{in_words(kind)} has no field `{expr.field}`."),
                expr.span if meant else _behind_dot(expr),
                "" if meant else did_you_mean(expr.field, known),
                fixes=(meant,) if meant else (),
                others=place,
                details=(f"Its fields are {', '.join(known)}.",) if known else (),
            )
        field = fields.get(expr.field)
    if field is None:
        return broken(expr)
    if at is not None:
        right_number(scope, print_expr(expr), (), (at.key,), at.span)
        return broken(at)
    type_ = optional(field) if may_be_none(subject.type) else field
    if expr.field == "face":
        scope.uses.changing = True
        node: ir.Expr = ir.ReadFace(subject, kind, type_, span=expr.span)
    else:
        node = ir.ReadField(subject, kind, expr.field, type_, span=expr.span)
    return scope.narrowed(expr, node)


E107 = MessageCode("E107", "unknown row")
"""The name after a component and a dot is not a row of that component.

**Why.** `Card.queen_of_spades` is one particular card, identified by its id in its
table. To read the field of a card, use a variable: `c.suit`.

**For example**

```rules
value dear(c: Card): yes or no = c is Card.queen_of_spade      # did you mean `queen_of_spades`?
```

**Fix.** Write the id as in the table. You cannot write ids that are not names, such as
`2-3` of a product: name the member by its parts, `Cell(2, 3)`. Dice and members of
enumerations have names of their own, without a component. If only a variant adds a row,
and that variant may be off, you get [E104](E104.md) instead.
"""  # noqa: E501


def _behind_dot(expr: tree.Dot) -> Span:
    if expr.span.line != expr.span.end_line:
        return expr.span
    return replace(expr.span, column=expr.span.end_column - len(expr.field))
