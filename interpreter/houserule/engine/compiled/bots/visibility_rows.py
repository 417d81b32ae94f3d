"""Sight: who sees what, as rows of numbers that a module reads.

For each family of zones, cells or dice there is a row: the seats that see it, bit by
bit. A row that never changes is a constant; others are computed each time.
"""

from __future__ import annotations

from collections.abc import Mapping

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import sets
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.flow.first_values import each_key
from houserule.engine.compiled.functions import NONE, Function, Unsupported, i32
from houserule.engine.compiled.memory.shapes import Universe, universe_of
from houserule.engine.compiled.optimize.memoisation import depends_on_moment
from houserule.engine.compiled.optimize.versions import Versions
from houserule.engine.reference.evaluate.values import Reach
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.layout import CellFamily


class VisibilityRows:
    """Writes who sees what.

    Attributes:
        seen: the rows that were asked for, by the names of families.
        looking: what works out the rows that change; to be added when all are written.
    """

    def __init__(
        self,
        context: CompilationContext,
        reaches: Mapping[str, Reach],
        versions: Versions,
        translator: Translator,
        title: str,
    ) -> None:
        self._context, self._program = context, context.program
        self._reaches, self._versions = reaches, versions
        self._translator = translator
        self._everybody = (1 << context.program.seats) - 1
        self.looking = Function(title)
        self.seen: dict[str, int | None] = {}

    def row(self, name: str, seen: ir.Expr | None, family: CellFamily) -> int | None:
        """Return the address of who sees each of a family; None if all see all."""
        self.seen[name] = None
        if seen is None:
            return None
        masks = None if self.reads_state(seen) else self._fixed(seen, family)
        if masks is None:
            self.seen[name] = self._computed(name, seen, family)
        elif any(mask != self._everybody for mask in masks):
            self.seen[name] = self._context.data.numbers(masks)
        return self.seen[name]

    def _fixed(self, seen: ir.Expr, family: CellFamily) -> list[int] | None:
        """Return who sees each of a family, if that never changes and never fails."""
        evaluator, empty = self._context.evaluator, self._context.empty
        try:
            found = [
                evaluator.closed(seen, empty, family.keys(index))
                for index in range(family.count)
            ]
        except RuleFault:
            return None
        return [
            sum(1 << seat for seat in seats) if isinstance(seats, tuple) else 0
            for seats in found
        ]

    def reads_state(self, node: ir.Expr) -> bool:
        """Return whether an expression reads the state, itself or by values it calls.

        Raises:
            Unsupported: it depends on the current action or phase.
        """
        if depends_on_moment(self._reaches, node):
            raise Unsupported(
                "visibility or an invariant that depends on the current action"
            )
        return bool(self._versions.read_beneath(node))

    def _computed(self, name: str, seen: ir.Expr, family: CellFamily) -> int:
        """Write the code for who sees each of a family; return its address."""
        row = self._context.data.room(4 * max(family.count, 1))
        f = Function(self._context.name("seen", name))
        f.locals.append(("$me", "i32"))
        f.set("$me", NONE)
        e, at = self._translator.acting(f), f.local("i32", "at")
        f.set(at, i32(0))
        with each_key(e, family.axes):
            _, words = sets.present(e, seen)
            if universe_of(seen.type) != Universe(0, self._program.seats):
                raise Unsupported("visibility for anyone but seats")
            mask = f"(i32.wrap_i64 {words[0]})"
            f.add(f"(i32.store offset={row} (local.get {at}) {mask})")
            f.set(at, f"(i32.add (local.get {at}) (i32.const 4))")
        self._context.add(f)
        self.looking.add(f"(call {f.name})")
        return row
