"""Payments of costs, including the effects that a cost's body calls.

Payments use the frame of the action, so effects are inlined: their parameters become
the arguments of the call.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from typing import TypeVar, cast

from houserule import ir
from houserule.base.diagnostics.diagnostic import Label
from houserule.base.frozen import slotted
from houserule.base.limits import limit
from houserule.base.source import Span
from houserule.compiler.lower.messages import E018
from houserule.compiler.lower.symbols.scope import Frame
from houserule.compiler.lower.symbols.symbol_table import SymbolTable
from houserule.compiler.lower.types import member_of
from houserule.ir.types import Kind, Position, Set, Whole, core
from houserule.ir.walk import bound_slots, rebuilt, with_slots

NODE = TypeVar("NODE", bound=ir.CoreNode)
TOO_MANY = (
    "With all effects that it calls, an action has {many} payments or conditions."
)


@slotted
class Bill:
    """The payments of some statements, and the needs of the effects that they call."""

    payments: list[ir.Payment] = field(default_factory=list)
    needs: list[ir.Condition] = field(default_factory=list)


LOOP = (
    "A loop in a cost is over things that are known before play, such as `for g in "
    "Good`, without `where`. To pay for others, move a whole set."
)


@slotted
class CostReader:
    """Bodies read as payments; `effects` are lowered already."""

    symbols: SymbolTable
    effects: Mapping[str, ir.EffectDef]
    running: list[str] = field(default_factory=list)
    calls: int = 0  # of effects, in the cost at hand

    def bill(self, block: ir.Block, frame: Frame, paid_at: Span | None = None) -> Bill:
        """Return the payments of a block; report E018 for other statements.

        `paid_at` is the call in the cost that led here, if it is not the cost itself.
        """
        if not self.running:
            self.calls = 0
        bill = Bill()
        for statement in block:
            payment: ir.Payment | None = None
            match statement:
                case ir.MoveThings(what) if not isinstance(what, ir.AnyOf):
                    found = core(what.type)
                    kind = member_of(found) if isinstance(found, Set) else found
                    assert isinstance(kind, Kind)
                    payment = ir.PayThings(what, kind, span=statement.span)
                case ir.MoveTop(None, _, zone, keys, to):
                    assert isinstance(to.type, Position)
                    member = to.type.member
                    all_there = ir.Contents(
                        zone, keys, Set(member), span=statement.span
                    )
                    payment = ir.PayThings(all_there, member, span=statement.span)
                case ir.MoveTop(count, False, zone, keys) if count is not None:
                    payment = ir.PayTop(count, zone, keys, span=statement.span)
                case ir.MoveTokens(count, False, slot, keys):
                    if count is None:
                        most = Whole(0, 2**31 - 1)
                        count = ir.TokenCount(slot, keys, most, span=statement.span)
                    payment = ir.PayTokens(count, slot, keys, span=statement.span)
                case ir.AddCell(state, keys, amount, -1):
                    payment = ir.PayCell(amount, state, keys, span=statement.span)
                case ir.CallEffect(name, args):
                    effect = self.effects.get(name)
                    if effect is None or name in self.running:
                        continue
                    self.calls += 1
                    allowed, span = limit("inlined"), statement.span
                    if self.calls > allowed:
                        if self.calls == allowed + 1:
                            self.symbols.is_within(
                                "inlined", self.calls, TOO_MANY, span
                            )
                        continue
                    self.running.append(name)
                    bill.needs += [inlined(each, args, frame) for each in effect.needs]
                    for body in effect.does:
                        inner = self.bill(
                            body.block, Frame(body.frame), paid_at or span
                        )
                        bill.payments += [
                            inlined(each, args, frame) for each in inner.payments
                        ]
                        bill.needs += [
                            inlined(each, args, frame) for each in inner.needs
                        ]
                    self.running.pop()
                    continue
                case ir.ForEach(binds, None, _, (), body, None) if all(
                    isinstance(each.source, ir.Const) and each.how == "member"
                    for each in binds
                ):
                    # Each time round is payments of its own, with its members in place.
                    once = self.bill(body, frame, paid_at)
                    slots = [(slot, each) for each in binds for slot in each.slots]
                    sets = [
                        cast("tuple[int, ...]", cast("ir.Const", each.source).value)
                        for _, each in slots
                    ]
                    many = math.prod(map(len, sets))
                    many *= len(once.payments) + len(once.needs)
                    if not self.symbols.is_within(
                        "inlined", many, TOO_MANY, statement.span
                    ):
                        continue
                    for time in product(*sets):
                        known = {
                            slot: ir.Const(member, each.type, span=each.source.span)
                            for (slot, each), member in zip(slots, time, strict=True)
                        }
                        bill.payments += [
                            with_locals(each, known, frame) for each in once.payments
                        ]
                        bill.needs += [
                            with_locals(each, known, frame) for each in once.needs
                        ]
                    continue
                case _:
                    pass
            if payment is None:
                self.symbols.report(
                    E018,
                    f"A cost cannot {_in_words(statement)}.",
                    paid_at or statement.span,
                    "this does more than pay" if paid_at else "this is not a payment",
                    others=(Label(statement.span, "this is done then"),)
                    if paid_at
                    else (),
                    details=(
                        "A cost moves named things, moves a number of tokens or "
                        "cards, or lowers a counter with `loses`. Anything else "
                        "belongs in `does`.",
                        *([LOOP] if isinstance(statement, ir.ForEach) else []),
                    ),
                )
            else:
                bill.payments.append(payment)
        return bill


def _in_words(statement: ir.Statement) -> str:
    match statement:
        case ir.MoveThings():
            return "move a number from a set; its own parameters name them"
        case ir.MoveTop() | ir.MoveTokens():
            return "move `up to` a number: it must be clear what is paid"
        case ir.SetCell() | ir.AddCell() | ir.SetFace() | ir.AddFace():
            return "change a state but by `loses`"
        case _ if isinstance(statement, ir.ChanceStatement):
            return "draw by chance"
        case ir.ChooseOption() | ir.ShareOut():
            return "leave a choice; its own parameters are the choice"
        case ir.When():
            return "depend on an `if`"
        case ir.ForEach():
            return "repeat something"
        case ir.RequestAgain() | ir.RequestEnd():
            return "begin or end a part of play"
        case _:
            return "do this"


# ---- inlining


def inlined(node: NODE, args: Sequence[ir.Expr], frame: Frame) -> NODE:
    """Return the node with an effect's parameters, the slots 1…, as arguments."""
    return with_locals(node, dict(enumerate(args, 1)), frame)


def with_locals(node: NODE, known: Mapping[int, ir.Expr], frame: Frame) -> NODE:
    """Return the node with values for slots; its own slots become new ones."""
    return cast("NODE", _Inlining(dict(known), frame).carried(node))


@slotted
class _Inlining:
    """The arguments, or slots of the action, that the slots of an effect become."""

    known: dict[int, ir.Expr | int]
    frame: Frame

    def carried(self, node: ir.CoreNode) -> ir.CoreNode:
        """Return a copy; children come in source order, so binders before uses."""
        if isinstance(node, ir.Local):
            meant = self.known.get(node.slot, node.slot)
            if node.slot == 0:  # `me` is the same in every frame
                return node
            if isinstance(meant, int):
                return replace(node, slot=meant)
            return replace(meant, span=node.span)
        for slot in bound_slots(node):
            if slot not in self.known:
                self.known[slot] = self.frame.take()
        made = rebuilt(node, self.carried)
        return with_slots(made, lambda slot: cast("int", self.known[slot]))
