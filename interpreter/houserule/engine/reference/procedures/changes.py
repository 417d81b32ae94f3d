"""Statements that change the state: for each its instruction, and how it is lowered.

A class defines how a statement of the core becomes an instruction (`lowered`) and how
the instruction runs (`run`). A new statement of this kind is a class here and a case in
`lowered_change`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self, TypeAlias, assert_never

from houserule import ir
from houserule.base.frozen import slotted
from houserule.base.source import Span
from houserule.engine.reference.evaluate.context import Code, Number, as_set
from houserule.engine.reference.evaluate.expressions import Evaluator
from houserule.engine.reference.procedures.instructions import (
    CallFrame,
    Instruction,
    whole,
)
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


def lowered_change(s: Change, c: Evaluator) -> Instruction:
    """Return the instruction of a statement that changes the state."""
    match s:
        case ir.MoveThings():
            return MoveThingsOp.lowered(s, c)
        case ir.MoveTop():
            return MoveTopOp.lowered(s, c)
        case ir.MoveTokens():
            return MoveTokensOp.lowered(s, c)
        case ir.SetCell():
            return SetCellOp.lowered(s, c)
        case ir.AddCell():
            return AddCellOp.lowered(s, c)
        case ir.SetFace() | ir.AddFace():
            return SetFaceOp.lowered(s, c)
        case ir.RollDice():
            return RollDiceOp.lowered(s, c)
        case ir.ShufflePile():
            return ShufflePileOp.lowered(s, c)
        case ir.ShowThings():
            return ShowThingsOp.lowered(s, c)
        case ir.LetSlot(slot, _, value):
            return LetSlotOp(slot, c.expr(value), s.span)
        case ir.RequestAgain(target):
            return RequestOp("again", target, s.span)
        case ir.RequestEnd(target):
            return RequestOp("end", target, s.span)
        case _:
            assert_never(s)


@slotted
class MoveThingsOp:
    """`move x to place`."""

    what: Code
    to: Code
    kind: str
    span: Span

    @classmethod
    def lowered(cls, s: ir.MoveThings, c: Evaluator) -> Self:
        """Return the instruction of a statement."""
        assert isinstance(s.to.type, Position), "by its type, `to` is a position"
        kind = s.to.type.member.name
        return cls(c.expr(s.what), c.expr(s.to), kind, s.span)

    def run(self, m: Machine, f: CallFrame) -> None:
        """Move each thing, by id."""
        things = as_set(self.what(m, f.env))
        position = m.position(self.to(m, f.env), self.span)
        for thing in things:
            m.move(self.kind, thing, position)


@slotted
class MoveTopOp:
    """`move n from pile to place`, `move all from zone to place`."""

    count: Code | None
    up_to: bool
    kind: str
    family: str
    index: Number
    to: Code
    span: Span

    @classmethod
    def lowered(cls, s: ir.MoveTop, c: Evaluator) -> Self:
        """Return the instruction of a statement."""
        return cls(
            None if s.count is None else c.expr(s.count),
            s.up_to,
            c.program.zones[s.zone].member.name,
            s.zone,
            c.index(s.zone, s.keys, s.span),
            c.expr(s.to),
            s.span,
        )

    def run(self, m: Machine, f: CallFrame) -> None:
        """Move from the top one by one, or all at once in their order."""
        lying = m.store.zones[self.family][self.index(m, f.env)]
        position = m.position(self.to(m, f.env), self.span)
        if self.count is None:
            ordered = lying if position[2] == TOP else lying[::-1]
        else:
            count = whole(self.count(m, f.env), self.span)
            if count > len(lying) and not self.up_to:
                raise RuleFault(
                    F02,
                    f"{count} are to be moved, but only {len(lying)} lie there.",
                    self.span,
                )
            ordered = lying[::-1][: max(count, 0)]
        for thing in ordered:
            m.move(self.kind, thing, position)


@slotted
class MoveTokensOp:
    """`move n|up to n|all from slot to slot`."""

    count: Code | None
    up_to: bool
    source: str
    source_index: Number
    to: str
    to_index: Number
    span: Span

    @classmethod
    def lowered(cls, s: ir.MoveTokens, c: Evaluator) -> Self:
        """Return the instruction of a statement."""
        return cls(
            None if s.count is None else c.expr(s.count),
            s.up_to,
            s.source,
            c.index(s.source, s.source_keys, s.span),
            s.to,
            c.index(s.to, s.to_keys, s.span),
            s.span,
        )

    def run(self, m: Machine, f: CallFrame) -> None:
        """Move tokens; they are never made or lost."""
        here = self.source_index(m, f.env)
        there = self.to_index(m, f.env)
        lying = m.store.tokens[self.source][here]
        count = lying
        if self.count is not None:
            count = whole(self.count(m, f.env), self.span)
        if self.up_to:
            count = min(count, lying)
        if not 0 <= count <= lying:
            raise RuleFault(
                F02,
                f"{count} are to be moved, but {lying} lie there.",
                self.span,
            )
        if count:
            m.move_tokens(self.source, here, self.to, there, count)


@slotted
class SetCellOp:
    """`becomes`."""

    state: str
    index: Number
    value: Code
    anew: bool
    span: Span

    @classmethod
    def lowered(cls, s: ir.SetCell, c: Evaluator) -> Self:
        """Return the instruction of a statement."""
        index = c.index(s.state, s.keys, s.span)
        return cls(s.state, index, c.expr(s.value), s.anew, s.span)

    def run(self, m: Machine, f: CallFrame) -> None:
        """Write the value; out of range is a fault."""
        value = self.value(m, f.env)
        index = self.index(m, f.env)
        m.write(self.state, index, value, self.span, anew=self.anew)


@slotted
class AddCellOp:
    """`gains`, `loses`."""

    state: str
    index: Number
    amount: Code
    sign: int
    span: Span

    @classmethod
    def lowered(cls, s: ir.AddCell, c: Evaluator) -> Self:
        """Return the instruction of a statement."""
        index = c.index(s.state, s.keys, s.span)
        return cls(s.state, index, c.expr(s.amount), s.sign, s.span)

    def run(self, m: Machine, f: CallFrame) -> None:
        """Add; out of range is a fault."""
        amount = whole(self.amount(m, f.env), self.span)
        index = self.index(m, f.env)
        now = whole(m.store.cells[self.state][index], self.span)
        m.write(self.state, index, now + self.sign * amount, self.span)


@slotted
class SetFaceOp:
    """`d.face becomes n`; with a sign, `gains` and `loses`."""

    die: Code
    kind: str
    faces: tuple[int, ...]
    value: Code
    sign: Literal[-1, 0, 1]
    span: Span

    @classmethod
    def lowered(cls, s: ir.SetFace | ir.AddFace, c: Evaluator) -> Self:
        """Return the instruction of a statement."""
        faces = c.program.components[s.kind.name].faces
        die, kind = c.expr(s.die), s.kind.name
        if isinstance(s, ir.SetFace):
            return cls(die, kind, faces, c.expr(s.value), 0, s.span)
        return cls(die, kind, faces, c.expr(s.amount), s.sign, s.span)

    def run(self, m: Machine, f: CallFrame) -> None:
        """Turn the die; a face it does not have is a fault."""
        die = whole(self.die(m, f.env), self.span)
        face = whole(self.value(m, f.env), self.span)
        if self.sign:
            face = m.store.faces[self.kind][die] + self.sign * face
        if face not in self.faces:
            raise RuleFault(F09, f"The die has no face {face}.", self.span)
        m.turn_die(self.kind, die, face)


@slotted
class RollDiceOp:
    """`roll S`."""

    dice: Code
    kind: str
    faces: tuple[int, ...]
    names: tuple[str, ...]
    stream: str
    span: Span

    @classmethod
    def lowered(cls, s: ir.RollDice, c: Evaluator) -> Self:
        """Return the instruction of a statement."""
        kind, dice = s.kind.name, c.program.components[s.kind.name]
        return cls(c.expr(s.dice), kind, dice.faces, dice.labels, s.stream, s.span)

    def run(self, m: Machine, f: CallFrame) -> None:
        """Roll each die by id, from its own stream."""
        dice = as_set(self.dice(m, f.env))
        shown = []
        for die in dice:
            face = m.throw(f"{self.stream}/{self.names[die]}", self.faces)
            m.turn_die(self.kind, die, face, rolled=True)
            shown.append(face)
        frame = tuple(f.env)
        m.emit("roll", self.stream, self.kind, dice, tuple(shown), frame)


@slotted
class ShufflePileOp:
    """`shuffle pile`."""

    family: str
    index: Number
    stream: str
    span: Span

    @classmethod
    def lowered(cls, s: ir.ShufflePile, c: Evaluator) -> Self:
        """Return the instruction of a statement."""
        return cls(s.zone, c.index(s.zone, s.keys, s.span), s.stream, s.span)

    def run(self, m: Machine, f: CallFrame) -> None:
        """Put the pile into a random order."""
        m.shuffle(self.family, self.index(m, f.env), self.stream)


@slotted
class LetSlotOp:
    """`let n = e`."""

    slot: int
    value: Code
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Remember the value."""
        f.env[self.slot] = self.value(m, f.env)


@slotted
class RequestOp:
    """`again x`, `end x`."""

    kind: Literal["again", "end"]
    target: str
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Note the wish; it is honoured when the whole action is complete."""
        m.requests.append((self.kind, self.target))


@slotted
class ShowThingsOp:
    """`show x to p`."""

    what: Code
    kind: str
    to: Code
    span: Span

    @classmethod
    def lowered(cls, s: ir.ShowThings, c: Evaluator) -> Self:
        """Return the instruction of a statement."""
        return cls(c.expr(s.what), s.kind.name, c.expr(s.to), s.span)

    def run(self, m: Machine, f: CallFrame) -> None:
        """Let the seats know the things until they move or are rolled."""
        seats = as_set(self.to(m, f.env))
        m.show(self.kind, as_set(self.what(m, f.env)), seats)
