"""Statements that move things and tokens, and those that change a state."""

from __future__ import annotations

from houserule import ir
from houserule.compiler.lower.expressions import expect
from houserule.compiler.lower.messages import E014, E018
from houserule.compiler.lower.symbols.scope import Scope
from houserule.compiler.lower.symbols.symbol_table import (
    OptionSymbol,
    SlotSymbol,
    StateSymbol,
    ZoneSymbol,
)
from houserule.compiler.lower.types import (
    BROKEN,
    FLAG,
    in_words,
    is_broken,
    may_be_none,
)
from houserule.ir.types import Kind, Position, Set, Whole, core
from houserule.language.syntax import tree
from houserule.language.syntax.write.expressions import print_expr

NEVER = ir.Const(False, FLAG)

# ---- moving things


def move(scope: Scope, written: tree.Move) -> ir.Statement | None:
    """Return `move x to place`: a thing, a set of things, or a zone's contents."""
    what = scope.read(written.what)
    kind, found = _kind_of_things(what), core(what.type)
    if is_broken(what.type):
        kind = None
    elif kind is None:
        tokens = isinstance(what, ir.TokenCount)
        scope.symbols.report(
            E014,
            f"Only cards, dice and the like can be moved; this is "
            f"{in_words(what.type)}.",
            written.what.span,
            details=("Tokens move by number: `move 1 from … to …`.",) if tokens else (),
        )
    elif may_be_none(what.type):
        expect.given(scope, what, written.what, found)
        kind = None
    to = expect.position(scope, written.to, kind)
    if kind is None or is_broken(to.type):
        return None
    if isinstance(what, ir.Contents):
        return ir.MoveTop(None, False, what.zone, what.keys, to, span=written.span)
    return ir.MoveThings(what, to, span=written.span)


def _kind_of_things(what: ir.Expr) -> Kind | None:
    """Return the kind of a thing or of a set of things; None for anything else."""
    found = core(what.type)
    kind = found.member if isinstance(found, Set) else found
    if isinstance(kind, Kind) and kind.sort in {"component", "die"}:
        return kind
    return None


def move_count(scope: Scope, written: tree.MoveCount) -> ir.Statement | None:
    """Return `move n from a to b`: off a pile, or tokens between two places."""
    count = None
    if written.count is not None:
        count = scope.read(written.count)
        if _kind_of_things(count):
            what = print_expr(written.count)
            told = len(scope.symbols.diagnostics)
            to = scope.read(written.to, Position(BROKEN))
            del scope.symbols.diagnostics[told:]
            place = print_expr(written.to)
            zones: tuple[str, ...] = ()
            if not isinstance(to.type, Position):
                zones = expect.zones_of(scope, to.type, _kind_of_things(count))
            fixes = [f"move {what} to {zone % place}" for zone in zones or ("%s",)]
            sort = in_words(count.type)
            message = (
                f"`move … from` takes a number, and `{what}` is {sort}. Things move "
                "without `from`."
            )
            scope.symbols.report(E014, message, written.span, fixes=fixes)
            return None
        count = expect.as_number(scope, count, written.count)
    source = scope.read(written.source)
    match source:
        case ir.TokenCount() if not present(scope, source, written.source):
            return None
        case ir.Contents():
            zone = scope.symbols.declared[source.zone]
            assert isinstance(zone, ZoneSymbol)
            if zone.form == "set" and count is not None:
                return _move_some(scope, written, source, count)
            to = expect.position(scope, written.to, zone.member)
            if is_broken(to.type):
                return None
            return ir.MoveTop(
                count, written.up_to, source.zone, source.keys, to, span=written.span
            )
        case ir.TokenCount():
            to = scope.read(written.to)
            if is_broken(to.type):
                return None
            here = scope.symbols.declared[source.slot]
            assert isinstance(here, SlotSymbol)
            slot = to.slot if isinstance(to, ir.TokenCount) else ""
            there = scope.symbols.declared.get(slot)
            if not isinstance(to, ir.TokenCount) or not isinstance(there, SlotSymbol):
                message = (
                    "Tokens move to a place of tokens, and this is "
                    f"{in_words(to.type)}."
                )
                scope.symbols.report(E014, message, written.to.span)
                return None
            if here.family != there.family:
                message = (
                    f"`{there.name}` is for {there.family}s, not for {here.family}s."
                )
                scope.symbols.report(E014, message, written.to.span)
                return None
            return ir.MoveTokens(
                count,
                written.up_to,
                source.slot,
                source.keys,
                to.slot,
                to.keys,
                span=written.span,
            )
        case _ if (
            count is not None
            and isinstance(source.type, Set)
            and _kind_of_things(source)
        ):
            return _move_some(scope, written, source, count)
        case _:
            if not is_broken(source.type):
                message = (
                    "`move … from` wants a zone or a place of tokens, and this is "
                    f"{in_words(source.type)}."
                )
                # The author moves points, which are not things: a state counts them.
                amount, one = written.count, print_expr(written.source)
                counted = isinstance(source, ir.ReadCell) and amount is not None
                n = print_expr(amount) if amount is not None else ""
                fix = f"{one} loses {n}; {print_expr(written.to)} gains {n}"
                offered = (fix,) if counted else ()
                scope.symbols.report(E014, message, written.span, fixes=offered)
            scope.read(written.to)
            return None


def _move_some(
    scope: Scope, written: tree.MoveCount, source: ir.Expr, count: ir.Expr
) -> ir.Statement | None:
    """Return `move n from` a set: any of its things, which must be interchangeable."""
    kind = _kind_of_things(source)
    assert kind is not None
    to = expect.position(scope, written.to, kind)
    rules = scope.symbols.rules
    declared = rules.components.get(kind.name) or rules.dice[kind.name]
    if declared.alike is None:
        scope.symbols.report(
            E014,
            f"`{print_expr(written.source)}` is a set without an order, and its "
            "things are not interchangeable, so a number does not say which move.",
            written.source.span,
            "a pile is expected here",
            details=(
                "Choose them: `must choose x in …`, `use 2 of …`. Or declare them "
                "interchangeable: `those with the same … are alike`.",
            ),
        )
        return None
    if is_broken(to.type):
        return None
    # Whether they are interchangeable is filled in with the offers of such things.
    some = ir.AnyOf(
        source, count, written.up_to, NEVER, Set(kind), span=written.source.span
    )
    return ir.MoveThings(some, to, span=written.span)


# ---- changing a state


def assign(scope: Scope, written: tree.Becomes | tree.Gains) -> ir.Statement | None:
    """Return `becomes`, `gains`, `loses` for a state or the face of a die."""
    target = scope.read(written.target)
    match target:
        case ir.ReadCell() if not present(scope, target, written.target):
            return None
        case ir.ReadCell():
            if isinstance(written, tree.Becomes):
                state = scope.symbols.declared[target.state]
                assert isinstance(state, StateSymbol)
                value = expect.value(scope, written.value, state.type, target.state)
                return ir.SetCell(target.state, target.keys, value, span=written.span)
            amount = expect.number(scope, written.value)
            if not isinstance(target.type, Whole) and not is_broken(target.type):
                verb = "gains" if written.sign == 1 else "loses"
                message = f"Only a number {verb} something, and this is "
                message += f"{in_words(target.type)}."
                hint = "use `becomes`"
                scope.symbols.report(E014, message, written.target.span, hint)
                return None
            return ir.AddCell(
                target.state, target.keys, amount, written.sign, span=written.span
            )
        case ir.ReadFace():
            if may_be_none(target.die.type):
                assert isinstance(written.target, tree.Dot)
                expect.given(scope, target.die, written.target.subject, target.kind)
                return None
            if isinstance(written, tree.Becomes):
                value = expect.value(scope, written.value, target.type, "face")
                return ir.SetFace(target.die, target.kind, value, span=written.span)
            amount = expect.number(scope, written.value)
            return ir.AddFace(
                target.die, target.kind, amount, written.sign, span=written.span
            )
        case _:
            if not is_broken(target.type):
                option = scope.symbols.declared.get(print_expr(written.target))
                match target:
                    case ir.CallValue(name):
                        why = f"`{name}` is a value: it follows from its definition."
                    case ir.TokenCount(slot):
                        why = (
                            "Tokens are never made or lost: `move n from … to "
                            f"{slot}(…)`."
                        )
                    case ir.Contents(zone) | ir.PileTop(zone):
                        why = f"Things get into a zone by `move x to {zone}`."
                    case ir.ReadField(_, _, field):
                        why = f"`{field}` is printed on the piece and never changes."
                    case _ if isinstance(option, OptionSymbol):
                        why = "An option is chosen when the table is set."
                    case ir.Local() | ir.PhaseVar():
                        why = "A variable keeps its value."
                    case _:
                        why = "This is a result, not something that is kept."
                message = f"Only a state or a face can be changed. {why}"
                scope.symbols.report(
                    E018, message, written.target.span, "a state is expected here"
                )
            scope.read(written.value)
            return None


def present(
    scope: Scope, place: ir.ReadCell | ir.TokenCount, written: tree.Expr
) -> bool:
    """Return whether all keys of a place that changes are there; else report it."""
    args = written.args if isinstance(written, tree.Apply) else ()
    declared = scope.symbols.declared[
        place.state if isinstance(place, ir.ReadCell) else place.slot
    ]
    assert isinstance(declared, StateSymbol | SlotSymbol)
    told = len(scope.symbols.diagnostics)
    for node, arg, key in zip(place.keys, args, declared.keys, strict=True):
        expect.given(scope, node, arg, key.type, key.name)
    return len(scope.symbols.diagnostics) == told
