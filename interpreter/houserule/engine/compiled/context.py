"""The context of one compilation: facts of the program, and the output so far.

A context knows the program, where everything lies in memory, the constants, the names
of functions, the faults by number, and the functions written so far. It does not refer
to the writers: `module` makes these, and gives each the ones that it uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from houserule import ir
from houserule.base.diagnostics.diagnostic import MessageCode
from houserule.base.frozen import frozen
from houserule.base.source import Span
from houserule.engine.compiled.functions import Function, speakable
from houserule.engine.compiled.memory.layout import Allocator, Memory
from houserule.engine.compiled.memory.shapes import ALL, in_words, kept_words, scalar
from houserule.engine.reference.play.engine import engine_of
from houserule.engine.state.store import Store

DATA_AT = 1 << 20  # constants, scratch and counts; the state block lies below


@frozen
class ModuleFault:
    """A fault of the module, identified by its number."""

    code: str
    message: str
    span: Span


class Data:
    """Memory behind the state block: constants, and room to work in."""

    def __init__(self) -> None:
        self._allocator = Allocator(DATA_AT)
        self.parts: list[tuple[int, bytes]] = []

    @property
    def end(self) -> int:
        """The first address that nothing was laid at."""
        return self._allocator.at

    def numbers(self, values: Sequence[int]) -> int:
        """Return the address of an array of 32-bit numbers."""
        return self.raw(
            b"".join((v & 0xFFFF_FFFF).to_bytes(4, "little") for v in values)
        )

    def words(self, values: Sequence[int]) -> int:
        """Return the address of an array of 64-bit words."""
        return self.raw(b"".join((v & ALL).to_bytes(8, "little") for v in values))

    def raw(self, content: bytes) -> int:
        """Return the address of some bytes."""
        at = self.room(len(content))
        self.parts.append((at, content))
        return at

    def room(self, size: int) -> int:
        """Return the address of room that is all 0 at first."""
        return self._allocator.take(size)


class CompilationContext:
    """The facts of one compilation.

    Attributes:
        engine: its reference engine, for results known at compile time.
        empty: an empty store, for results that do not depend on the state.
        memory: the layout of the state of a game.
        functions: the written functions, in the order of the text.
        faults: possible faults, by number less one.
        sites: the numbers of decision sites, by address.
    """

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.engine = engine_of(program)
        self.access = self.engine.access
        self.layout, self.evaluator = self.engine.layout, self.engine.evaluator
        self.empty = Store.fresh(self.layout)
        self.memory = Memory(program, self.layout)
        self.data = Data()
        self.functions: list[Function] = []
        self.faults: list[ModuleFault] = []
        self.sites: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self._columns: dict[tuple[str, str], int] = {}
        self._alike: dict[str, int] = {}

    def add(self, function: Function) -> None:
        """Put a function behind those that were written before."""
        self.functions.append(function)

    # ---- names and numbers

    def name(self, kind: str, name: str) -> str:
        """Return a name for a function that says where it comes from; each is new."""
        made = f"${kind}.{speakable(name)}"
        number = self._names.get(made, 0)
        self._names[made] = number + 1
        return f"{made}~{number}" if number else made

    def fault(self, code: MessageCode, message: str, span: Span) -> int:
        self.faults.append(ModuleFault(code.name, message, span))
        return len(self.faults)

    def site(self, address: str) -> int:
        """Return the number of a place where something is decided."""
        return self.sites.setdefault(address, len(self.sites))

    # ---- addresses

    def stream(self, tag: str) -> int:
        """Return the address of a stream of random numbers."""
        return self.memory.stream(tag)

    def column(self, kind: str, field: str) -> int:
        """Return the address of a field of a component: its values, thing by thing.

        For a field with a key, the values of each thing key by key.
        """
        key = (kind, field)
        if key not in self._columns:
            component = self.program.components[kind]
            if field in component.keyed:
                keyed = component.keyed[field]
                type_, column = keyed.type, tuple(v for row in keyed.rows for v in row)
            else:
                type_, column = component.fields[field]
            if in_words(type_):
                words = [w for value in column for w in kept_words(type_, value)]
                self._columns[key] = self.data.words(words)
            else:
                self._columns[key] = self.data.numbers([scalar(v) for v in column])
        return self._columns[key]

    def products(self, kind: str, ends: Sequence[tuple[int, int]]) -> int:
        """Return the address of the members of a product, by their parts' numbers."""
        key = (kind, "")
        if key not in self._columns:
            parts = self.program.components[kind].parts(len(ends))
            known = {tuple(map(scalar, row)): n for n, row in enumerate(parts)}
            ranges = (range(low, high + 1) for low, high in ends)
            numbers = [scalar(known.get(each)) for each in product(*ranges)]
            self._columns[key] = self.data.numbers(numbers)
        return self._columns[key]

    def alike_rows(self, kind: str) -> int:
        """Return the address of the classes of a component's rows, thing by thing."""
        if kind not in self._alike:
            rows = self.program.components[kind].alike
            self._alike[kind] = self.data.numbers(rows)
        return self._alike[kind]

    def set_zones(self) -> int:
        """Return the address of what zones are: 1 for nowhere, then 1 for each set."""
        if "" not in self._alike:
            kinds = [
                int(zone.kind == "set")
                for zone in self.program.zones.values()
                for _ in range(self.layout.families[zone.name].count)
            ]
            self._alike[""] = self.data.numbers([1, *kinds])
        return self._alike[""]


def can_function(step: str) -> str:
    """Return the function that says whether something at a step could be done."""
    return f"$can.{step}"
