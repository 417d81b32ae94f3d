"""Control flow: the instructions of branches, loops, decisions, calls and reactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from houserule.base.frozen import slotted
from houserule.base.limits import limit
from houserule.base.source import Span
from houserule.engine.reference.choices import (
    Answered,
    Choice,
    Picked,
    Shared,
)
from houserule.engine.reference.evaluate.context import Classes, Code
from houserule.engine.reference.evaluate.work import STATEMENT, spend, too_many
from houserule.engine.reference.options.options import (
    AskOptions,
    Decision,
    PickOptions,
    ShareOptions,
)
from houserule.engine.reference.options.product import Product
from houserule.engine.reference.procedures.instructions import (
    CallFrame,
    CodeLabel,
    whole,
)
from houserule.engine.state.faults import BEYOND, F06, F12, RuleFault
from houserule.ir.types import Data

if TYPE_CHECKING:  # see `instructions`
    from houserule.engine.reference.play.machine import Machine


def deciding_seat(m: Machine, f: CallFrame, by: Code | None, span: Span) -> int:
    """Return who decides: the seat named after `by`, else the acting one.

    Raises:
        RuleFault: F06, no seat acts here.
    """
    seat = f.env[0] if by is None else by(m, f.env)
    if seat is None:
        raise RuleFault(F06, "Somebody must decide here, but nobody acts.", span)
    return whole(seat, span)


@slotted
class Branch:
    """Go on where the condition holds, else at the label."""

    condition: Code
    otherwise: CodeLabel
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Test the condition."""
        if not self.condition(m, f.env):
            f.pc = self.otherwise.at


@slotted
class BeginLoop:
    """Fix the bindings of a loop, sorted by keys, ties by id."""

    product: Product
    keys: tuple[Code, ...]
    most: bool
    items: int
    next: int
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Fill the hidden slots: all items, and the next one's number."""
        frame, sign, most = list(f.env), -1 if self.most else 1, limit("options")
        found: list[tuple[list[int], tuple[Data, ...]]] = []
        for _ in self.product.walk(m, frame):
            found.append(
                (
                    [sign * whole(key(m, frame), self.span) for key in self.keys],
                    self.product.values(frame),
                )
            )
            if len(found) > most:
                raise too_many(self.span, "")
        found.sort(key=lambda each: each[0])  # stable: ties stay in order
        f.env[self.items] = cast("Data", tuple(values for _, values in found))
        f.env[self.next] = 0


@slotted
class NextItem:
    """Bind the next item of a loop to its slots, or leave the loop.

    If it ends `until` something, having no item left is F12, unless it `stops`.
    """

    slots: tuple[int, ...]
    items: int
    next: int
    out: CodeLabel
    span: Span
    until: Code | None = None
    stops: bool = False

    def run(self, m: Machine, f: CallFrame) -> None:
        """Take the next item."""
        items = cast("tuple[tuple[Data, ...], ...]", f.env[self.items])
        number = whole(f.env[self.next], self.span)
        over = self.until is not None and bool(self.until(m, f.env))
        if number >= len(items) and not (over or self.until is None or self.stops):
            raise RuleFault(F12, BEYOND, self.span)
        if over or number >= len(items):
            f.env[self.items] = None
            f.env[self.next] = None
            f.pc = self.out.at
            return
        spend(m, STATEMENT * (self.out.at - f.pc), self.span)
        for slot, value in zip(self.slots, items[number], strict=True):
            f.env[slot] = value
        f.env[self.next] = number + 1


@slotted
class DrawOneOp:
    """`random x in S where C`."""

    product: Product
    stream: str
    out: CodeLabel
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Draw one binding, each alike; over nothing go on behind."""
        count = self.product.count(m, list(f.env))
        if not count:
            f.pc = self.out.at
            return
        frame = list(f.env)
        self.product.seek(m, frame, m.draw(self.stream, count))
        f.env[:] = frame


@slotted
class ChooseOp:
    """`must choose`, `may choose`; `otherwise` is where to go with nothing chosen."""

    must: bool
    product: Product
    by: Code | None
    otherwise: CodeLabel
    site: str
    span: Span

    def decision(self, m: Machine, f: CallFrame) -> Decision | None:
        """Ask unless there is nothing to choose, or one thing that must be taken."""
        count = self.product.count(m, list(f.env))
        if count == 0 or (self.must and count == 1):
            return None
        seat = deciding_seat(m, f, self.by, self.span)
        options = PickOptions(m, self.product, f.env, not self.must, self.site)
        return Decision(seat, "choose", self.site, options)

    def run(self, m: Machine, f: CallFrame) -> None:
        """Take the single member, or go on behind."""
        frame = list(f.env)
        if self.product.count(m, frame):
            self.product.seek(m, frame, 0)
            f.env[:] = frame
        else:
            f.pc = self.otherwise.at

    def answer(self, m: Machine, f: CallFrame, choice: Choice) -> None:
        """Bind what was chosen."""
        assert isinstance(choice, Picked)
        if choice.values is None:
            f.pc = self.otherwise.at
            return
        for level, value in zip(self.product.levels, choice.values, strict=True):
            f.env[level.slot] = value


@slotted
class ShareOutOp:
    """`share n over c in S as k`: one decision; then a loop over who gets something."""

    amount: Code
    product: Product
    items: int
    next: int
    site: str
    span: Span
    classes: Classes | None = None  # of alike members, if some may be

    def _over(self, m: Machine, f: CallFrame) -> tuple[int, ...]:
        frame = list(f.env)
        slot = self.product.levels[0].slot
        return tuple(whole(frame[slot], self.span) for _ in self.product.walk(m, frame))

    def decision(self, m: Machine, f: CallFrame) -> Decision | None:
        """Ask unless there is one way or none."""
        amount = whole(self.amount(m, f.env), self.span)
        over = self._over(m, f)
        if amount <= 0 or len(over) < 2:
            return None
        seat = deciding_seat(m, f, None, self.span)
        options = ShareOptions(amount, over, self.site, self._classes(m, f, over))
        return Decision(seat, "share", self.site, options)

    def _classes(
        self, m: Machine, f: CallFrame, over: tuple[int, ...]
    ) -> tuple[int, ...] | None:
        """Return the class of each member; None where none are alike."""
        if self.classes is None:
            return None
        found = self.classes(m, list(f.env))
        number = {who: at for at, some in enumerate(found) for who in some}
        return tuple(number[who] for who in over)

    def run(self, m: Machine, f: CallFrame) -> None:
        """Give everything to the only member; without members nothing is given."""
        amount = whole(self.amount(m, f.env), self.span)
        over = self._over(m, f) if amount > 0 else ()
        self._begin(f, tuple((who, amount) for who in over))

    def answer(self, m: Machine, f: CallFrame, choice: Choice) -> None:
        """Give as was decided."""
        assert isinstance(choice, Shared)
        self._begin(f, choice.amounts)

    def _begin(self, f: CallFrame, amounts: tuple[tuple[int, int], ...]) -> None:
        f.env[self.items] = cast("Data", amounts)
        f.env[self.next] = 0


@slotted
class Ask:
    """`asks`: go on with yes, at the label with no; without a seat to ask, with yes."""

    who: Code
    no: CodeLabel
    site: str
    span: Span

    def decision(self, m: Machine, f: CallFrame) -> Decision | None:
        """Ask the seat."""
        seat = self.who(m, f.env)
        if seat is None:
            return None
        return Decision(whole(seat, self.span), "ask", self.site, AskOptions(self.site))

    def run(self, m: Machine, f: CallFrame) -> None:
        """Go on: no seat is asked."""

    def answer(self, m: Machine, f: CallFrame, choice: Choice) -> None:
        """Go on, or leave."""
        assert isinstance(choice, Answered)
        if not choice.yes:
            f.pc = self.no.at


# `decision` says what is to be decided, and leaves `pc` where it is; None where nothing
# is: then `run` does the step. `answer` takes a legal choice and goes on.
Asking: TypeAlias = ChooseOp | ShareOutOp | Ask


@slotted
class CallEffectOp:
    """Run an effect's procedure with its arguments."""

    proc: str
    args: tuple[Code, ...]
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Push the effect's frame."""
        values = [arg(m, f.env) for arg in self.args]
        spend(m, 1, self.span)
        m.call(self.proc, f.env[0], values)


@slotted
class CallHook:
    """Run a hook or a replacement where its needs hold; parameters are copied."""

    proc: str
    params: int
    needs: tuple[Code, ...]
    frame: int
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Test the needs over the hook's own frame, then push it."""
        m.replaced = False
        env: list[Data] = [None] * self.frame
        env[: self.params + 1] = f.env[: self.params + 1]
        if all(need(m, env) for need in self.needs):
            m.call(self.proc, f.env[0], env[1 : self.params + 1])


@slotted
class Replaced:
    """At the end of a reaction: say whether it took place."""

    reaction: str
    yes: bool
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Leave the flag for `UnlessReplaced`, and note the end for narration."""
        m.replaced = self.yes
        m.emit("reacted", self.reaction)


@slotted
class UnlessReplaced:
    """After a replacement: leave the original where it took place."""

    out: CodeLabel
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Skip the original if it was replaced."""
        if m.replaced:
            f.pc = self.out.at


@slotted
class Settle:
    """The end of an outermost unit: reactions to what changed, first in first out."""

    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Queue what changed and call the next reaction; repeat until none is left."""
        if m.settle():
            f.pc -= 1


@slotted
class NoteWatched:
    """The end of a step to which no reaction follows: first values were drawn."""

    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Reset the shadows of watched values to their current values."""
        m.remember_watched()


@slotted
class CountTaking:
    """Count the taking of an action against its limits."""

    addresses: tuple[str, ...]
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Add one to each."""
        for address in self.addresses:
            m.taken[address] = m.taken.get(address, 0) + 1


@slotted
class Mark:
    """Note that a clause ran, for statistics and narration."""

    address: str
    span: Span

    def run(self, m: Machine, f: CallFrame) -> None:
        """Count it."""
        m.mark(self.address)
