"""Procedures: bodies as flat lists of instructions, so that a stopped game is data.

A call frame is a procedure, a place in it (`pc`) and the values of its slots. Nothing
else is needed to go on, so a game can be copied and saved in the middle of an effect.
An instruction that needs a decision leaves `pc` unchanged; `answer` goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

from houserule.base.frozen import slotted
from houserule.base.source import NOWHERE, Span
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.options.product import Product
from houserule.engine.state.faults import F03, RuleFault
from houserule.ir.types import Data

# A machine runs instructions, and an instruction runs on a machine: only the types of
# the two are in a circle, here and in the modules of instructions.
if TYPE_CHECKING:
    from houserule.engine.reference.play.machine import Machine


@slotted
class CallFrame:
    """A procedure under way: `pc` is the next instruction, slot 0 of `env` is me."""

    proc: str
    pc: int
    env: list[Data]


Run: TypeAlias = "Callable[[Machine, CallFrame], None]"


@slotted
class DecisionPoint:
    """How an instruction asks a seat.

    `decision` returns what is to be decided; None if nothing is: then the instruction
    runs. `answer` goes on with a legal choice. `product` are the things to choose from.
    """

    decision: Callable[[Machine, CallFrame], Decision | None]
    answer: Callable[[Machine, CallFrame, Choice], None]
    product: Product | None = None


@slotted
class Instruction:
    """One step of a procedure. It sets `pc` only to jump; else the next one follows.

    `mark` is the address of the clause that begins here, else ''.
    """

    run: Run
    span: Span
    asking: DecisionPoint | None = None
    mark: str = ""


@slotted
class CodeLabel:
    """A place in a procedure, known when the procedure is complete."""

    at: int = -1


@slotted
class Procedure:
    """A named list of instructions and the slots its frame needs."""

    name: str
    frame: int
    code: list[Instruction] = field(default_factory=list)

    def add(
        self, run: Run, span: Span, asking: DecisionPoint | None = None, mark: str = ""
    ) -> None:
        """Append an instruction."""
        self.code.append(Instruction(run, span, asking, mark))

    def jump(self, to: CodeLabel) -> None:
        """Append a jump to a label."""

        def run(m: Machine, f: CallFrame) -> None:
            f.pc = to.at

        self.add(run, NOWHERE)

    def here(self, label: CodeLabel) -> None:
        """Place a label at the next instruction."""
        label.at = len(self.code)

    def slot(self) -> int:
        """Return a further slot of the frame, for a loop."""
        self.frame += 1
        return self.frame - 1

    def enter(self, me: int | None, values: Sequence[Data] = ()) -> CallFrame:
        """Return a frame at the first instruction, `values` in slots 1…."""
        env: list[Data] = [None] * self.frame
        env[0] = me
        env[1 : 1 + len(values)] = values
        return CallFrame(self.name, 0, env)


def whole(value: Data, span: Span) -> int:
    """Return a present number.

    Raises:
        RuleFault: F03, the value is `none`.
    """
    if not isinstance(value, int):
        raise RuleFault(F03, "A number is expected here, and there is none.", span)
    return value
