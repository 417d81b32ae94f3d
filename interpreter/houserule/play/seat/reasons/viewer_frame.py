"""Where expressions are evaluated: the running game, local values, the viewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.reference.evaluate.context import Frame, GameContext
from houserule.engine.reference.play.engine import Engine
from houserule.ir.hidden_reads import Given, StaticViewer
from houserule.ir.types import Data, is_seat
from houserule.ir.walk import slots_needed
from houserule.play.narration.visibility import hidden_reads

Bound: TypeAlias = Mapping[int, "Data"]


@frozen
class ViewerFrame:
    """The running game with local values, as one seat sees it.

    `bound` are the local values by slot, the acting seat in slot 0. `viewer` is the
    seat; for None, nothing is hidden. `doing` is the number of the action under
    consideration. `given` maps a slot to the expressions that its value was taken from.
    """

    engine: Engine
    context: GameContext
    bound: Bound
    viewer: int | None
    doing: int | None = None
    given: Given = field(default_factory=dict)

    def value(self, node: ir.Expr) -> Data:
        """Return the value of an expression in this frame.

        Raises:
            RuleFault: it has no value, for example after a condition that fails.
        """
        with self._doing():
            return self.engine.evaluator.expr(node)(self.context, self._frame(node))

    def members(self, bind: ir.Bind) -> list[Data]:
        """Return the range of a binder's variable."""
        with self._doing():
            things = self.engine.evaluator.items(bind)
            return list(things(self.context, self._frame(bind)))

    def with_slots(self, more: Bound, *taken_from: ir.Expr) -> ViewerFrame:
        """Return this frame with more local values and their expressions."""
        given = {**self.given, **dict.fromkeys(more, taken_from)}
        return replace(self, bound={**self.bound, **more}, given=given)

    def inside(self, args: tuple[Data, ...]) -> ViewerFrame:
        """Return the frame inside a declared value called with these arguments."""
        bound = {0: None, **dict(enumerate(args, 1))}
        return replace(self, bound=bound, given={})

    def hides(self, node: ir.CoreNode) -> bool:
        """Return whether an expression reads something hidden from the viewer.

        Information that a seat was shown only once counts as hidden too.
        """
        reads = hidden_reads(self.engine.program)
        if self.viewer is None or not reads.any:
            return False

        def is_viewer(expr: ir.Expr) -> bool:
            match expr:
                case ir.Local(slot=slot, type=type_) if is_seat(type_):
                    return self.bound.get(slot) == self.viewer
                case ir.Const(value=value, type=type_) if is_seat(type_):
                    return value == self.viewer
                case _:
                    return False

        acts = self.bound.get(0) == self.viewer
        return bool(reads.found(node, StaticViewer(is_viewer, acts, given=self.given)))

    def _frame(self, node: ir.CoreNode) -> Frame:
        size = max(slots_needed(node), *(slot + 1 for slot in self.bound), 1)
        return [self.bound.get(slot) for slot in range(size)]

    @contextmanager
    def _doing(self) -> Iterator[None]:
        self.context.begin_work()
        before, self.context.doing = self.context.doing, self.doing
        try:
            yield
        finally:
            self.context.doing = before
