"""Where an expression is looked at: the running game, local values, and who looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from functools import lru_cache
from typing import TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.reference.evaluate.context import Frame, GameContext
from houserule.engine.reference.play.engine import Engine
from houserule.ir.access import Access
from houserule.ir.hidden_reads import Given, HiddenReads, StaticViewer
from houserule.ir.types import Data, Kind, Maybe, Type
from houserule.ir.walk import slots_needed

Bound: TypeAlias = Mapping[int, "Data"]


@lru_cache(maxsize=32)
def hidden_reads(program: ir.Program) -> HiddenReads:
    """Return what finds hidden reads in a program's expressions."""
    return HiddenReads(program, Access(program))


@frozen
class ViewerFrame:
    """The running game with local values, as one seat looks at it.

    `bound` are the local values by slot, the acting seat in slot 0. `viewer` is the
    seat that looks, or None: nothing is hidden from whom that is. `doing` is the number
    of the action that is considered. `given` is, by slot, what a value there was taken
    from.
    """

    engine: Engine
    context: GameContext
    bound: Bound
    viewer: int | None
    doing: int | None = None
    given: Given = field(default_factory=dict)

    def value(self, node: ir.Expr) -> Data:
        """Return what an expression is here.

        Raises:
            RuleFault: it has no value: it may stand behind a condition that fails.
        """
        with self._doing():
            return self.engine.evaluator.expr(node)(self.context, self._frame(node))

    def members(self, bind: ir.Bind) -> list[Data]:
        """Return everything that the variable of a binder runs over."""
        with self._doing():
            things = self.engine.evaluator.items(bind)
            return list(things(self.context, self._frame(bind)))

    def with_slots(self, more: Bound, *taken_from: ir.Expr) -> ViewerFrame:
        """Return the same place with further local values, and what they are of."""
        given = {**self.given, **dict.fromkeys(more, taken_from)}
        return replace(self, bound={**self.bound, **more}, given=given)

    def inside(self, args: tuple[Data, ...]) -> ViewerFrame:
        """Return the place inside of a declared value that is called with these."""
        bound = {0: None, **dict(enumerate(args, 1))}
        return replace(self, bound=bound, given={})

    def hides(self, node: ir.CoreNode) -> bool:
        """Say whether an expression reads what the viewer may not see.

        What a seat happens to have been shown counts as hidden all the same.
        """
        reads = hidden_reads(self.engine.program)
        if self.viewer is None or not reads.any:
            return False
        acts = self.bound.get(0) == self.viewer
        return bool(
            reads.found(node, StaticViewer(self._is_viewer, acts, given=self.given))
        )

    def _is_viewer(self, expr: ir.Expr) -> bool:
        match expr:
            case ir.Local(slot=slot, type=type_) if _of_seats(type_):
                return self.bound.get(slot) == self.viewer
            case ir.Const(value=value, type=type_) if _of_seats(type_):
                return value == self.viewer
            case _:
                return False

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


def _of_seats(type_: Type) -> bool:
    inner = type_.inner if isinstance(type_, Maybe) else type_
    return isinstance(inner, Kind) and inner.sort == "seat"
