"""Inverse sets: for each value of a state, the set of the keys that have it.

The rules of a board game ask over and over where certain pieces are: `those x in Point
where man(x) is me`. A state maps keys to values, so the answer would take a visit to
each place. An inverse set is the answer: a bit for each key that has the value now. If
a state has several keys, these are the values of the last one, and there are sets for
each combination of the others.

Inverse sets are in the state block, as the cells are, so that a copy of a game has
them. `$put` writes a cell, and moves one bit from the set of the old value to that of
the new one. Where first values are written at once, `$invert` computes all sets of a
state from its cells, and `$restart` copies those of constant first values. Only states
whose sets are asked for have them. States that some seats do not see have none, since
bots redeal those cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.functions import (
    NONE,
    Code,
    Function,
    i32,
    speakable,
)
from houserule.engine.compiled.memory.shapes import (
    Universe,
    bounds,
    in_words,
    scalar,
)
from houserule.engine.state.domains import size_of
from houserule.engine.state.layout import Layout
from houserule.ir import types

VALUES_AT_MOST = 256
BYTES_AT_MOST = 1 << 14  # of all sets of a state, since bots copy them with the block


@frozen
class Inverse:
    """The inverse sets of one state.

    Attributes:
        name: of the state; `number` is its number among all states.
        keys: what the sets are of: the values of the last key.
        rows: how many combinations of the other keys there are.
        low: the lowest value, `none` apart.
        optional: whether the value may be `none`; its set is the first.
        values: how many values there are. One more set is always empty.
    """

    name: str
    number: int
    keys: Universe
    rows: int
    low: int
    optional: bool
    values: int

    @property
    def width(self) -> int:
        """The bytes of a set."""
        return 8 * self.keys.words

    @property
    def row(self) -> int:
        """The bytes of the sets of a combination of other keys."""
        return self.width * (self.values + 1)

    @property
    def put(self) -> str:
        """The function that writes a cell, given its number and the value."""
        return f"$put.{speakable(self.name)}~{self.number}"

    @property
    def invert(self) -> str:
        """The function that computes all sets."""
        return f"$invert.{speakable(self.name)}~{self.number}"

    @property
    def restart(self) -> str:
        """The function that lays down all sets of constant first values."""
        return f"$restart.{speakable(self.name)}~{self.number}"

    @property
    def size(self) -> int:
        """The bytes of all sets."""
        return self.rows * self.row

    def content(self, values: Sequence[types.Data]) -> bytes:
        """Return all sets of a state whose cells have some values."""
        bits = 0
        for number, value in enumerate(values):
            row, key = divmod(number, self.keys.places)
            at = row * self.row + self.place(value) * self.width
            bits |= 1 << 8 * at + key
        return bits.to_bytes(self.size, "little")

    def place(self, value: types.Data) -> int:
        """Return the number of a value's set in a row."""
        if value is None:
            return 0
        return scalar(value) - self.low + self.optional

    def place_of(self, value: Code) -> Code:
        """Return the number of the set of a value that is a local."""
        first = self.low - self.optional
        place = f"(i32.sub {value} {i32(first)})" if first else value
        if not self.optional:
            return place
        return f"(select (i32.const 0) {place} (i32.eq {value} {NONE}))"


class InverseSets:
    """The inverse sets of a program: which states can have them, and which do.

    Attributes:
        at: the addresses of the sets, by state; only states that are asked for.
    """

    def __init__(self, program: ir.Program, layout: Layout) -> None:
        self.at: dict[str, int] = {}
        self._layout = layout
        self._possible = {
            state.name: found
            for number, state in enumerate(program.states.values())
            if (found := _possible(number, state, layout))
        }

    def of(self, state: str) -> Inverse | None:
        """Return the form of a state's inverse sets; None if it cannot have any."""
        return self._possible.get(state)

    def written(self) -> Iterator[tuple[Inverse, int]]:
        """Yield the inverse sets that exist, with their addresses."""
        for name, at in self.at.items():
            yield self._possible[name], at

    def functions(
        self, cells: Mapping[str, int], lay_down: Callable[[bytes], int]
    ) -> Iterator[Function]:
        """Return what writes cells and sets.

        `cells` are the addresses of the cells; `lay_down` returns that of some bytes.
        """
        for name, inverse in self._possible.items():
            at = self.at.get(name)
            f = Function(inverse.put, (("$index", "i32"), ("$value", "i32")))
            cell = f"offset={cells[name]} (i32.shl (local.get $index) (i32.const 2))"
            if at is not None:
                old = f.keep(f"(i32.load {cell})")
                to, bit = _place(f, inverse, at)
                for value, op in ((old, "xor"), ("(local.get $value)", "or")):
                    where = f"(i32.mul {inverse.place_of(value)} {i32(inverse.width)})"
                    where = f.keep(f"(i32.add {to} {where})")
                    new = f"(i64.{op} (i64.load {where}) {bit})"
                    f.add(f"(i64.store {where} {new})")
            f.add(f"(i32.store {cell} (local.get $value))")
            yield f
            f = Function(inverse.invert)
            if at is not None:
                f.locals += [("$index", "i32"), ("$value", "i32")]
                f.add(f"(memory.fill {i32(at)} (i32.const 0) {i32(inverse.size)})")
                with f.loop("$again"):
                    f.set("$value", f"(i32.load {cell})")
                    to, bit = _place(f, inverse, at)
                    place = inverse.place_of("(local.get $value)")
                    where = f"(i32.mul {place} {i32(inverse.width)})"
                    where = f.keep(f"(i32.add {to} {where})")
                    new = f"(i64.or (i64.load {where}) {bit})"
                    f.add(f"(i64.store {where} {new})")
                    f.set("$index", "(i32.add (local.get $index) (i32.const 1))")
                    many = i32(inverse.rows * inverse.keys.places)
                    f.add(f"(br_if $again (i32.lt_u (local.get $index) {many}))")
            yield f
            f = Function(inverse.restart)
            if at is not None:
                first = i32(lay_down(inverse.content(self._layout.first[name])))
                f.add(f"(memory.copy {i32(at)} {first} {i32(inverse.size)})")
            yield f


def _possible(number: int, state: ir.StateDef, layout: Layout) -> Inverse | None:
    axes = layout.families[state.name].axes
    if not axes or any(axis.of_sets for axis in axes) or state.seen is not None:
        return None
    values, limits = size_of(state.type), bounds(state.type)
    if in_words(state.type) or values is None or limits is None:
        return None
    keys = Universe(axes[-1].low, axes[-1].places)
    optional = isinstance(state.type, types.Maybe)
    rows = layout.families[state.name].count // max(keys.places, 1)
    found = Inverse(state.name, number, keys, rows, limits[0], optional, values)
    small = values <= VALUES_AT_MOST and found.row * rows <= BYTES_AT_MOST
    return found if small and keys.places else None


def _place(f: Function, inverse: Inverse, at: int) -> tuple[Code, Code]:
    """Return the address of the word with the bit of `$index`, and that bit."""
    row, key = i32(at), "(local.get $index)"
    if inverse.rows > 1:
        places = i32(inverse.keys.places)
        number = f"(i32.div_u {key} {places})"
        row = f"(i32.add {row} (i32.mul {number} {i32(inverse.row)}))"
        key = f.keep(f"(i32.rem_u {key} {places})")
    if inverse.keys.words > 1:
        word = f"(i32.shl (i32.shr_u {key} (i32.const 6)) (i32.const 3))"
        row = f"(i32.add {row} {word})"
    bit = f"(i64.shl (i64.const 1) (i64.extend_i32_u (i32.and {key} (i32.const 63))))"
    return f.keep(row), f.keep(bit, "i64")
