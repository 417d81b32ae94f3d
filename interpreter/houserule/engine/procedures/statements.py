"""Statements that change the state: one instruction class each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from houserule.engine.procedures.instructions import Running
from houserule.ir.types import Data
from houserule.source import Span
from houserule.state.faults import RuleFault
from houserule.state.layout import TOP

if TYPE_CHECKING:
    from houserule.engine.evaluate.context import Context
    from houserule.engine.play.machine import Machine

Eval = Callable[["Context", list[Data]], Data]
Keys = Callable[["Context", list[Data]], int]


def whole(value: Data, span: Span) -> int:
    """Return a present number.

    Raises:
        RuleFault: F03, the value is none.
    """
    if not isinstance(value, int):
        raise RuleFault("F03", "A number is wanted here, and there is none.", span)
    return value


def members(value: Data) -> tuple[int, ...]:
    """Return a set's members, one thing as a set of one, none as the empty set."""
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (int(value),)


@dataclass(slots=True)
class MoveThingsOp:
    """`move x to place`."""

    what: Eval
    to: Eval
    kind: str
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Move each thing, by id."""
        things = members(self.what(m.context, f.env))
        position = m.position(self.to(m.context, f.env), self.span)
        for thing in things:
            m.move(self.kind, thing, position)


@dataclass(slots=True)
class MoveTopOp:
    """`move n from pile to place`, `move all from zone to place`."""

    count: Eval | None
    up_to: bool
    kind: str
    family: str
    index: Keys
    to: Eval
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Move from the top one by one, or all at once in their order."""
        lying = m.store.zones[self.family][self.index(m.context, f.env)]
        position = m.position(self.to(m.context, f.env), self.span)
        if self.count is None:
            ordered = lying if position[2] == TOP else lying[::-1]
        else:
            count = whole(self.count(m.context, f.env), self.span)
            if count > len(lying) and not self.up_to:
                raise RuleFault(
                    "F02",
                    f"{count} are to be moved, but only {len(lying)} lie there.",
                    self.span,
                )
            ordered = lying[::-1][: max(count, 0)]
        for thing in ordered:
            m.move(self.kind, thing, position)


@dataclass(slots=True)
class MoveTokensOp:
    """`move n|up to n|all from slot to slot`."""

    count: Eval | None
    up_to: bool
    source: str
    source_index: Keys
    to: str
    to_index: Keys
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Move tokens; they are never made or lost."""
        here = self.source_index(m.context, f.env)
        there = self.to_index(m.context, f.env)
        lying = m.store.tokens[self.source][here]
        count = lying
        if self.count is not None:
            count = whole(self.count(m.context, f.env), self.span)
        if self.up_to:
            count = min(count, lying)
        if not 0 <= count <= lying:
            raise RuleFault(
                "F02",
                f"{count} are to be moved, but {lying} lie there.",
                self.span,
            )
        if count:
            m.move_tokens(self.source, here, self.to, there, count)


@dataclass(slots=True)
class SetCellOp:
    """`becomes`."""

    state: str
    index: Keys
    value: Eval
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Write the value; out of range is a fault."""
        value = self.value(m.context, f.env)
        m.write(self.state, self.index(m.context, f.env), value, self.span)


@dataclass(slots=True)
class AddCellOp:
    """`gains`, `loses`."""

    state: str
    index: Keys
    amount: Eval
    sign: int
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Add; out of range is a fault."""
        amount = whole(self.amount(m.context, f.env), self.span)
        index = self.index(m.context, f.env)
        now = whole(m.store.cells[self.state][index], self.span)
        m.write(self.state, index, now + self.sign * amount, self.span)


@dataclass(slots=True)
class SetFaceOp:
    """`d.face becomes n`; with a sign, `gains` and `loses`."""

    die: Eval
    kind: str
    faces: tuple[int, ...]
    value: Eval
    sign: Literal[-1, 0, 1]
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Turn the die; a face it does not have is a fault."""
        die = whole(self.die(m.context, f.env), self.span)
        face = whole(self.value(m.context, f.env), self.span)
        if self.sign:
            face = m.store.faces[self.kind][die] + self.sign * face
        if face not in self.faces:
            raise RuleFault("F09", f"The die has no face {face}.", self.span)
        m.turn_die(self.kind, die, face)


@dataclass(slots=True)
class RollDiceOp:
    """`roll S`."""

    dice: Eval
    kind: str
    faces: tuple[int, ...]
    names: tuple[str, ...]
    stream: str
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Roll each die by id, from its own stream."""
        dice = members(self.dice(m.context, f.env))
        shown = []
        for die in dice:
            face = m.throw(f"{self.stream}/{self.names[die]}", self.faces)
            m.turn_die(self.kind, die, face, rolled=True)
            shown.append(face)
        m.tell("roll", self.stream, self.kind, dice, tuple(shown))


@dataclass(slots=True)
class ShufflePileOp:
    """`shuffle pile`."""

    family: str
    index: Keys
    stream: str
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Put the pile into a random order."""
        m.shuffle(self.family, self.index(m.context, f.env), self.stream)


@dataclass(slots=True)
class LetSlotOp:
    """`let n = e`."""

    slot: int
    value: Eval
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Remember the value."""
        f.env[self.slot] = self.value(m.context, f.env)


@dataclass(slots=True)
class Request:
    """`again x`, `end x`."""

    kind: Literal["again", "end"]
    target: str
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Note the wish; it is honoured when the whole action is complete."""
        m.requests.append((self.kind, self.target))


@dataclass(slots=True)
class ShowThingsOp:
    """`show x to p`."""

    what: Eval
    kind: str
    to: Eval
    span: Span

    def run(self, m: Machine, f: Running) -> None:
        """Let the seats know the things until they move or are rolled."""
        seats = members(self.to(m.context, f.env))
        m.show(self.kind, members(self.what(m.context, f.env)), seats)
