"""The laws of the core's statements."""

from __future__ import annotations

from typing import assert_never

from tests.support.ir.verify_expressions import Verifier, flows

from houserule import ir
from houserule.ir.types import (
    Flag,
    Kind,
    Position,
    Set,
    Whole,
)

_FLAG = Flag()


def verify_block(here: Verifier, block: ir.Block) -> None:
    """Verify statements in order; a `let` holds for those behind it."""
    for statement in block:
        _statement(here, statement)


def _statement(here: Verifier, s: ir.Statement) -> None:
    match s:
        case ir.MoveThings() | ir.MoveTop() | ir.MoveTokens():
            _move(here, s)
        case ir.SetCell() | ir.AddCell() | ir.SetFace() | ir.AddFace():
            _change(here, s)
        case ir.RollDice(dice, kind):
            here.wanted(dice, Set(kind))
            if not here.program.components[kind.name].faces:
                here.problem(f"{kind} has no faces to roll")
        case ir.ShufflePile(zone, keys):
            here.keys(zone, keys, here.program.zones)
        case ir.ShowThings(what, kind, to):
            here.wanted(what, Set(kind))
            here.wanted(to, Set(here.program.kinds["Player"]))
        case ir.LetSlot(slot, _, value):
            here.take(slot, here.expr(value))
        case ir.RequestAgain(target):
            if target not in {**here.program.phases, **here.program.steps}:
                here.problem(f"`{target}` cannot begin again")
        case ir.RequestEnd(target):
            if target and target not in here.program.phases:
                here.problem(f"`{target}` cannot end")
        case ir.CallEffect(name, args):
            effect = here.program.effects.get(name)
            here.args(name, effect.params if effect else (), args)
        case _:
            kept = dict(here.slots)
            _nested(here, s)
            here.slots = kept


def _move(here: Verifier, s: ir.MoveThings | ir.MoveTop | ir.MoveTokens) -> None:
    match s:
        case ir.MoveThings(what, to):
            place = here.expr(to)
            found = here.expr(what)
            if not isinstance(place, Position):
                here.problem(f"things move to {place}")
            elif not flows(found, place.member) and not flows(found, Set(place.member)):
                here.problem(f"{found} moves to a place of {place.member}")
        case ir.MoveTop(count, up_to, zone, keys, to):
            _count(here, count, up_to)
            here.keys(zone, keys, here.program.zones)
            here.wanted(to, Position(here.program.zones[zone].member))
        case ir.MoveTokens(count, up_to, source, source_keys, target, target_keys):
            _count(here, count, up_to)
            here.slot_keys(source, source_keys)
            here.slot_keys(target, target_keys)
            families = here.program.tokens.values()
            if not any({source, target} <= set(each.slots) for each in families):
                here.problem(f"{source} and {target} are of different families")


def _count(here: Verifier, count: ir.Expr | None, up_to: bool) -> None:
    if count is not None:
        here.number(count)
    elif up_to:
        here.problem("`up to` has no number")


def _change(
    here: Verifier, s: ir.SetCell | ir.AddCell | ir.SetFace | ir.AddFace
) -> None:
    match s:
        case ir.SetCell(state, keys, value):
            here.keys(state, keys, here.program.states)
            here.wanted(value, here.program.states[state].type)
        case ir.AddCell(state, keys, amount):
            here.keys(state, keys, here.program.states)
            here.number(amount)
            if not isinstance(here.program.states[state].type, Whole):
                here.problem(f"`{state}` is no number to add to")
        case ir.SetFace(die, kind, value) | ir.AddFace(die, kind, value):
            here.wanted(die, kind)
            here.number(value)


def _nested(
    here: Verifier,
    s: ir.ChooseOption | ir.DrawOne | ir.ShareOut | ir.ForEach | ir.When,
) -> None:
    match s:
        case ir.When(rows, otherwise):
            for condition, body in rows:
                here.wanted(condition, _FLAG)
                verify_block(here, body)
            verify_block(here, otherwise)
        case ir.ChooseOption(_, bind, where, by, body, otherwise):
            if by is not None:
                here.wanted(by, here.program.kinds["Player"])
            verify_block(here, otherwise)
            here.binds((bind,), where)
            verify_block(here, body)
        case ir.DrawOne(bind, where, body):
            here.binds((bind,), where)
            verify_block(here, body)
        case ir.ShareOut(amount, bind, where, slot, body):
            here.number(amount)
            here.binds((bind,), where)
            here.take(slot, Whole(1, 2**31 - 1))
            if not isinstance(bind.type, Kind | Whole) or len(bind.slots) != 1:
                here.problem("what is shared goes to single members")
            verify_block(here, body)
        case ir.ForEach(binds, where, _, keys, body):
            here.binds(binds, where)
            for key in keys:
                if not isinstance(here.expr(key), Whole | Flag):
                    here.problem("a key is neither a number nor yes or no")
            verify_block(here, body)
        case _:
            assert_never(s)
