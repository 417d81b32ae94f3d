"""Lower the statements of effects, steps and payments."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from houserule import ir
from houserule.base.diagnostics.wording import MODES_ELSEWHERE, did_you_mean
from houserule.compiler.lower.expressions import expect, queries
from houserule.compiler.lower.expressions.builtins import pile_of
from houserule.compiler.lower.expressions.name_resolution import (
    first_word,
    right_number,
)
from houserule.compiler.lower.expressions.numbers import range_of
from houserule.compiler.lower.messages import E010, E012, E014, E026
from houserule.compiler.lower.statements import moves
from houserule.compiler.lower.symbols.scope import Scope
from houserule.compiler.lower.types import (
    FLAG,
    in_words,
    is_broken,
    may_be_none,
    member_of,
)
from houserule.ir.types import Kind, Whole, core
from houserule.language.syntax import tree


def block(scope: Scope, written: tree.Block) -> ir.Block:
    """Return the statements of a block; its `let` names end with it."""
    kept = scope.open()
    found: list[ir.Statement] = []
    for each in written.statements:
        if isinstance(each, tree.LetIfAny):
            found += _let_if_any(scope, each)
        elif (node := statement(scope, each)) is not None:
            found.append(node)
        if not isinstance(each, tree.Let | tree.Again | tree.End | tree.Show):
            scope.forget_state()
    scope.close(kept)
    return tuple(found)


def statement(scope: Scope, written: tree.Statement) -> ir.Statement | None:
    """Return a statement; None if an error leaves nothing to run."""
    match written:
        case tree.Move():
            return moves.move(scope, written)
        case tree.MoveCount():
            return moves.move_count(scope, written)
        case tree.Becomes() | tree.Gains():
            return moves.assign(scope, written)
        case tree.Call():
            symbols = scope.symbols
            params = symbols.effects.get(written.name)
            if params is None:
                name = written.name
                other = symbols.flow.get(name) or symbols.declared.get(name)
                if other is not None:
                    symbols.report(
                        E012,
                        f"`{name}` is {other.noun}; which does nothing by itself.",
                        written.span,
                        "an effect is expected here",
                        others=symbols.declared_at(other),
                        details=_SHARED if name in symbols.rules.actions else (),
                    )
                elif name in scope.names:
                    message = f"`{name}` is a variable; which does nothing by itself."
                    symbols.report(
                        E012, message, written.span, "an effect is expected here"
                    )
                else:
                    hint = did_you_mean(name, symbols.effects, also=MODES_ELSEWHERE)
                    place = first_word(name, written.span)
                    symbols.report(
                        E010, f"There is no effect called `{name}`.", place, hint
                    )
                return None
            scope.uses.effects.setdefault(written.name, written.span)
            if not right_number(
                scope, written.name, params, written.args, written.span
            ):
                return None
            pairs = zip(written.args, params, strict=True)
            args = tuple(
                expect.value(scope, arg, param.type, param.name) for arg, param in pairs
            )
            return ir.CallEffect(written.name, args, span=written.span)
        case tree.If():
            rows: list[tuple[ir.Expr, ir.Block]] = []
            present = scope.present
            first = tree.ElseIf(written.condition, written.body, span=written.span)
            for each in (first, *written.others):
                test = expect.condition(scope, each.condition)
                before = scope.present
                scope.learn(each.condition)
                rows.append((test, block(scope, each.body)))
                scope.present = before
                scope.learn(each.condition, holds=False)
            otherwise = _maybe_block(scope, written.otherwise)
            scope.present = present
            return ir.When(tuple(rows), otherwise, span=written.span)
        case tree.For():
            kept = scope.open()
            binds = tuple(
                bind
                for binder in written.binders
                for bind in queries.bind_all(
                    scope, binder, seats=len(written.binders) == 1
                )
            )
            where = queries.restriction(scope, written.where)
            direction, keys = queries.best_keys(scope, written.order)
            scope.forget_state()
            body = block(scope, written.body)
            scope.close(kept)
            return ir.ForEach(binds, where, direction, keys, body, span=written.span)
        case tree.Choose():
            by = None if written.by is None else expect.seat(scope, written.by)
            kept = scope.open()
            bind = queries.bind(scope, written.binder)
            where = queries.restriction(scope, written.where)
            site = scope.site()
            body = block(scope, written.body)
            scope.close(kept)
            otherwise = _maybe_block(scope, written.otherwise)
            return ir.ChooseOption(
                written.must, bind, where, by, body, otherwise, site, span=written.span
            )
        case tree.Random():
            kept = scope.open()
            bind = queries.single(scope, written.binder)
            where = queries.restriction(scope, written.where)
            body = block(scope, written.body)
            scope.close(kept)
            return ir.DrawOne(bind, where, body, scope.address, span=written.span)
        case tree.Share():
            amount = expect.number(scope, written.amount)
            if written.binder.how != "in":
                message = "What is shared goes to members, not to parts."
                scope.symbols.report(
                    E014, message, written.binder.span, "write `x in S`"
                )
            kept = scope.open()
            bind = queries.single(scope, written.binder)
            where = queries.restriction(scope, written.where)
            site = scope.site()
            scope.forget_state()
            slot = scope.bind(written.count, Whole(1, max(1, range_of(amount).high)))
            body = block(scope, written.body)
            scope.close(kept)
            return ir.ShareOut(amount, bind, where, slot, body, site, span=written.span)
        case tree.Repeat():
            until = written.until
            one = tree.Int(1, span=until.times.span)
            times = expect.some_set(
                scope, tree.RangeSet(one, until.times, span=one.span)
            )
            kept, slot = scope.open(), scope.frame.take()
            number = member_of(times.type)
            bind = ir.Bind((slot,), ("time",), "member", number, times, 1, None)
            scope.forget_state()
            test = expect.condition(scope, until.condition)
            scope.learn(until.condition, holds=False)
            body = block(scope, written.body)
            scope.close(kept)
            return ir.ForEach(
                (bind,), None, "most", (), body, test, until.stops, span=written.span
            )
        case tree.Let(name, value):
            node = expect.any_value(scope, value)
            slot = scope.bind(name, node.type)
            return ir.LetSlot(slot, name.text, node, span=written.span)
        case tree.LetIfAny():  # these are two in the core, so the block has them
            return None
        case tree.Again() | tree.End():
            name, span, here = written.name.text, written.span, scope.phases
            symbols = scope.symbols
            step = symbols.rules.steps.get(name)
            again = isinstance(written, tree.Again)
            if name == "game" and not again:
                return ir.RequestEnd("", span=span)
            if name not in symbols.rules.phases and not (again and step):
                wanted = "a phase or a step" if again else "a phase, or `game`,"
                known = (*symbols.rules.phases, *symbols.rules.steps, "game")
                wanted, what = f"{wanted} is expected here", "no phase or step"
                action = symbols.rules.actions.get(name) if again else None
                fixes = () if action is None else (f"again {action.at.text}",)
                symbols.not_a(written.name, wanted, what, known, E026, fixes=fixes)
                return None
            parent = symbols.parent(name) if step is None else step.phase
            if here is None or name in here:
                pass
            elif again and parent and parent not in here:
                message = f"`{name}` cannot start again from here: it stands in "
                message += f"`{parent}`, and that is not in progress here."
                symbols.report(E026, message, written.name.span)
                return None
            elif not again:
                around = ", ".join(f"`{each}`" for each in here)
                message = f"`{name}` cannot end here: it is not in progress here."
                details = (f"In progress here: {around}.",) if around else ()
                symbols.report(E026, message, written.name.span, details=details)
                return None
            made = ir.RequestAgain if again else ir.RequestEnd
            return made(name, span=span)
        case tree.Roll(dice):
            node = queries.dice_set(scope, dice)
            kind = member_of(node.type)
            if is_broken(node.type) or not isinstance(kind, Kind):
                return None
            return ir.RollDice(node, kind, scope.address, span=written.span)
        case tree.Shuffle(pile):
            found = pile_of(scope, pile)
            if found is None:
                return None
            zone, node = found
            return ir.ShufflePile(
                zone.name, node.keys, scope.address, span=written.span
            )
        case tree.Show(what, to):
            node = scope.read(what, None)
            if not isinstance(core(node.type), Whole):
                node = expect.as_things(scope, node, what)
            seats = expect.things(scope, to, scope.symbols.seats, or_none=True)
            kind = member_of(node.type)
            if is_broken(node.type) or is_broken(seats.type):
                return None
            if not isinstance(kind, Kind) or kind.sort not in {"component", "die"}:
                message = (
                    f"Cards and dice can be shown, and this is {in_words(node.type)}."
                )
                scope.symbols.report(E014, message, what.span)
                return None
            if member_of(seats.type) != scope.symbols.seats:
                message = (
                    f"Things are shown to players, and this is {in_words(seats.type)}."
                )
                scope.symbols.report(E014, message, to.span)
                return None
            return ir.ShowThings(node, kind, seats, span=written.span)
        case _:
            assert_never(written)


_SHARED = ("Move what the action does to an effect, and call that in both places.",)


def _maybe_block(scope: Scope, written: tree.Block | None) -> ir.Block:
    return () if written is None else block(scope, written)


def _let_if_any(scope: Scope, written: tree.LetIfAny) -> ir.Block:
    """Return a statement that names a thing and tests that it is not none.

    If another variant ensures that, there is no test.
    """
    node = expect.any_value(scope, written.value)
    kept = scope.open()
    slot = scope.bind(written.name, node.type)
    it = ir.Local(slot, written.name.text, node.type, span=written.name.span)
    scope.names[written.name.text] = replace(it, type=core(node.type))
    body = block(scope, written.body)
    scope.close(kept)
    other = _maybe_block(scope, written.otherwise)
    named = ir.LetSlot(slot, written.name.text, node, span=written.span)
    if not may_be_none(node.type):
        return named, *body
    here = ir.Unary("not", ir.IsNone(it, FLAG, span=it.span), FLAG, span=it.span)
    return named, ir.When(((here, body),), other, span=written.span)
