"""Statements that change the state: for each what it does.

A statement is compiled to a function of the machine and the call frame. A new statement
of this kind is a case in `change`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, assert_never

from houserule import ir
from houserule.engine.reference.evaluate.context import as_set
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.reference.procedures.instructions import CallFrame, Run, whole
from houserule.engine.state.faults import F02, F09, RuleFault
from houserule.engine.state.layout import TOP
from houserule.ir.types import Position

if TYPE_CHECKING:  # see `instructions`
    from houserule.engine.reference.play.machine import Machine

Change: TypeAlias = (
    ir.MoveThings
    | ir.MoveTop
    | ir.MoveTokens
    | ir.SetCell
    | ir.AddCell
    | ir.SetFace
    | ir.AddFace
    | ir.RollDice
    | ir.ShufflePile
    | ir.ShowThings
    | ir.LetSlot
    | ir.RequestAgain
    | ir.RequestEnd
)


def change(s: Change, c: Evaluator) -> Run:
    """Return what a statement that changes the state does."""
    span = s.span
    match s:
        case ir.MoveThings():
            what, to = c.expr(s.what), c.expr(s.to)
            assert isinstance(s.to.type, Position), "by its type, `to` is a position"
            kind = s.to.type.member.name

            def run(m: Machine, f: CallFrame) -> None:
                things = as_set(what(m, f.env))
                position = m.position(to(m, f.env), span)
                for thing in things:
                    m.move(kind, thing, position)

        case ir.MoveTop(zone=family, up_to=up_to):
            many = None if s.count is None else c.expr(s.count)
            kind = c.program.zones[family].member.name
            index, to = c.index(family, s.keys, span), c.expr(s.to)

            def run(m: Machine, f: CallFrame) -> None:
                lying = m.store.zones[family][index(m, f.env)]
                position = m.position(to(m, f.env), span)
                if many is None:
                    ordered = lying if position[2] == TOP else lying[::-1]
                else:
                    count = whole(many(m, f.env), span)
                    if count > len(lying) and not up_to:
                        said = f"{count} are to be moved, but only {len(lying)} lie"
                        raise RuleFault(F02, f"{said} there.", span)
                    ordered = lying[::-1][: max(count, 0)]
                for thing in ordered:
                    m.move(kind, thing, position)

        case ir.MoveTokens(source=source, to=slot, up_to=up_to):
            many = None if s.count is None else c.expr(s.count)
            source_index = c.index(source, s.source_keys, span)
            to_index = c.index(slot, s.to_keys, span)

            def run(m: Machine, f: CallFrame) -> None:
                here, there = source_index(m, f.env), to_index(m, f.env)
                lying = count = m.store.tokens[source][here]
                if many is not None:
                    count = whole(many(m, f.env), span)
                if up_to:
                    count = min(count, lying)
                if not 0 <= count <= lying:
                    said = f"{count} are to be moved, but {lying} lie there."
                    raise RuleFault(F02, said, span)
                if count:
                    m.move_tokens(source, here, slot, there, count)

        case ir.SetCell(state=state, anew=anew):
            index, value = c.index(state, s.keys, span), c.expr(s.value)

            def run(m: Machine, f: CallFrame) -> None:
                new = value(m, f.env)
                m.write(state, index(m, f.env), new, span, anew=anew)

        case ir.AddCell(state=state):
            sign: int = s.sign
            index, value = c.index(state, s.keys, span), c.expr(s.amount)

            def run(m: Machine, f: CallFrame) -> None:
                amount = whole(value(m, f.env), span)
                at = index(m, f.env)
                now = whole(m.store.cells[state][at], span)
                m.write(state, at, now + sign * amount, span)

        case ir.SetFace() | ir.AddFace():
            kind = s.kind.name
            faces, which = c.program.components[kind].faces, c.expr(s.die)
            sign = 0 if isinstance(s, ir.SetFace) else s.sign
            value = c.expr(s.value if isinstance(s, ir.SetFace) else s.amount)

            def run(m: Machine, f: CallFrame) -> None:
                die = whole(which(m, f.env), span)
                face = whole(value(m, f.env), span)
                if sign:
                    face = m.store.faces[kind][die] + sign * face
                if face not in faces:
                    raise RuleFault(F09, f"The die has no face {face}.", span)
                m.store.set_face(kind, die, face)

        case ir.RollDice(stream=stream):
            what, kind = c.expr(s.dice), s.kind.name
            faces = c.program.components[kind].faces
            names = c.program.components[kind].labels

            def run(m: Machine, f: CallFrame) -> None:
                dice, shown = as_set(what(m, f.env)), []
                for die in dice:
                    face = m.throw(f"{stream}/{names[die]}", faces)
                    m.store.roll(kind, die, face)
                    shown.append(face)
                m.emit("roll", stream, kind, dice, tuple(shown), tuple(f.env))

        case ir.ShufflePile(zone=family, stream=stream):
            index = c.index(family, s.keys, span)

            def run(m: Machine, f: CallFrame) -> None:
                m.shuffle(family, index(m, f.env), stream)

        case ir.ShowThings():
            what, to, kind = c.expr(s.what), c.expr(s.to), s.kind.name

            def run(m: Machine, f: CallFrame) -> None:
                seats = as_set(to(m, f.env))
                m.show(kind, as_set(what(m, f.env)), seats)

        case ir.LetSlot(slot=number):
            value = c.expr(s.value)

            def run(m: Machine, f: CallFrame) -> None:
                f.env[number] = value(m, f.env)

        case ir.RequestAgain(target):

            def run(m: Machine, f: CallFrame) -> None:
                m.requests.append(("again", target))

        case ir.RequestEnd(target):

            def run(m: Machine, f: CallFrame) -> None:
                m.requests.append(("end", target))

        case _:
            assert_never(s)
    return run
