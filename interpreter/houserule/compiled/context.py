"""What the parts of one compilation share: memory, names, tables, faults."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houserule import ir
from houserule.compiled.expressions.queries import Queries
from houserule.compiled.expressions.subsets import Tables
from houserule.compiled.expressions.values import COST_AT_MOST, Values
from houserule.compiled.memory.layout import Allocator, Memory
from houserule.compiled.memory.shapes import in_words, kept_words, scalar
from houserule.compiled.optimize.common_subexpressions import Repeated
from houserule.compiled.optimize.indexes import Indexes
from houserule.compiled.optimize.memoisation import Results
from houserule.compiled.optimize.memoised_queries import Shared
from houserule.compiled.optimize.numbering import Parts
from houserule.compiled.optimize.totality import Certainty, CertaintyOfQueries
from houserule.compiled.optimize.versions import Versions
from houserule.compiled.writer.functions import Function
from houserule.engine.evaluate.values import Reach
from houserule.engine.play.engine import engine_of
from houserule.state.faults import RuleFault
from houserule.state.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from houserule.source import Span

DATA_AT = 1 << 20  # tables, scratch and counts; the state block lies below
STATE_AT_MOST = DATA_AT


@dataclass(frozen=True, slots=True)
class Fault:
    """What may go wrong in the module: found again by its number."""

    code: str
    message: str
    span: Span


class Data:
    """Tables of constants, and room that holds nothing between calls."""

    def __init__(self) -> None:
        self.taker = Allocator(DATA_AT)
        self.parts: list[tuple[int, bytes]] = []

    def numbers(self, values: Sequence[int]) -> int:
        """Return the address of a table of 32-bit numbers."""
        return self.raw(
            b"".join((v & 0xFFFF_FFFF).to_bytes(4, "little") for v in values)
        )

    def words(self, values: Sequence[int]) -> int:
        """Return the address of a table of 64-bit words."""
        return self.raw(
            b"".join((v & (1 << 64) - 1).to_bytes(8, "little") for v in values)
        )

    def raw(self, content: bytes) -> int:
        """Return the address of some bytes."""
        at = self.taker.take(len(content))
        self.parts.append((at, content))
        return at


class Unit:
    """One program under compilation."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.engine = engine_of(program)
        self.layout, self.evaluator = self.engine.layout, self.engine.evaluator
        self.memory = Memory(program, self.layout)
        self.data = Data()
        self.functions: list[Function] = []
        self.faults: list[Fault] = []
        self.empty = Store.fresh(self.layout)
        self.results, self.shared = Results(self), Shared(self)
        self.values, self.queries = Values(self), Queries()
        self.parts = Parts(self)
        self.versions = Versions(self)
        self.certain, self.certain_too = Certainty(self), CertaintyOfQueries(self)
        self.indexes, self.repeated = Indexes(self), Repeated(self)
        self.subsets = Tables()
        self._columns: dict[tuple[str, str], int] = {}
        self._names: dict[str, int] = {}
        self._constants: dict[int, tuple[ir.Expr, ir.Const | None]] = {}
        self.clauses: dict[str, int] = {}
        self.sites: dict[str, int] = {}
        self.shadows: dict[str, int] = {}

    # ---- names and numbers

    def name(self, kind: str, name: str) -> str:
        """Return a name for a function that tells where it comes from."""
        made = f"${kind}.{re.sub(r'[^A-Za-z0-9_.]', '_', name)}"
        number = self._names.get(made, 0)
        self._names[made] = number + 1
        return f"{made}~{number}" if number else made

    def fault(self, code: str, message: str, span: Span) -> int:
        """Return the number of a fault."""
        self.faults.append(Fault(code, message, span))
        return len(self.faults)

    def clause(self, address: str) -> int:
        """Return the number of a clause whose runs are counted."""
        return self.clauses.setdefault(address, len(self.clauses))

    def site(self, address: str) -> int:
        """Return the number of a place where something is decided."""
        return self.sites.setdefault(address, len(self.sites))

    def can(self, step: str) -> str:
        """Return the function that says whether something at a step could be done."""
        return f"$can.{step}"

    def scratch(self, size: int) -> int:
        """Return the address of room that holds nothing between calls."""
        return self.data.taker.take(size)

    def stream(self, tag: str) -> int:
        """Return the address of a stream of random numbers."""
        return self.memory.streams + 24 * self.memory.tags.index(tag)

    # ---- what is known beforehand

    def constant(self, node: ir.Expr) -> ir.Const | None:
        """Return the constant that an expression amounts to, if it does."""
        if id(node) not in self._constants:
            self._constants[id(node)] = (node, self._constant(node))
        return self._constants[id(node)][1]

    def _constant(self, node: ir.Expr) -> ir.Const | None:
        found = self.evaluator.constant(node)
        if found is not None or not isinstance(node, ir.CallValue):
            return found
        if self.values.reaches[node.value] is not Reach.FOREVER:
            return None
        if any(self.constant(arg) is None for arg in node.args):
            return None
        if self.values.costs.of_all(node.value) > COST_AT_MOST:
            return None
        try:
            return ir.Const(self.evaluator.closed(node, self.empty), node.type)
        except RuleFault:
            return None

    def column(self, kind: str, field: str) -> int:
        """Return the address of a field of a component."""
        key = (kind, field)
        if key not in self._columns:
            type_, column = self.program.components[kind].fields[field]
            if in_words(type_):
                words = [w for value in column for w in kept_words(type_, value)]
                self._columns[key] = self.data.words(words)
            else:
                self._columns[key] = self.data.numbers([scalar(v) for v in column])
        return self._columns[key]
