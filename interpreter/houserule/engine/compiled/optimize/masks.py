"""Masks: conditions on one variable as sets, tested on all its values at once.

A loop over a set visits each member and runs the tests on it. Many tests say no more
than that the member is in another set. Such a test becomes a *mask*: a few words that
have a bit for each member that passes. They are joined with the domain by `and` before
the loop, which then visits only those that pass. If no test remains, queries need no
loop at all: a count is a number of bits, `some` asks whether any bit is left.

For example, `those c in hand(me) where c.suit is suit_led or not can_follow(me)` is
the hand, joined with a row of the array "suit to cards of this suit", to which all
cards are added if `can_follow(me)` does not hold. Each of the two conditions is
evaluated once, whatever the size of the hand.

There are six kinds of masks.

- A *relation*: the test reads no state through its variable. Its largest parts that do
  not read the variable are its parameters (`suit_led` above). The reference engine
  evaluates the test for all values of these and of the variable, and an array has a
  mask for each row of parameters. So `linked(x, y)` and `abs(x.row - y.row) is 1`
  have a mask of all `y` for each `x`.
- The same, if the variable is read only as the last key of one state, as in `man(x) is
  none`. The array has the values of the state that pass, and the mask is the union of
  their inverse sets (`memory.inverse`).
- *Membership*: `x is in S`, if S does not read x, is S itself.
- A declared condition is the mask of its definition, with the arguments put in.
- A part that does not read the variable is all members, or none.
- `and`, `or` and `not` of masks.

When are results the same? A test that becomes a mask is evaluated before the tests of
the members, and for members that earlier tests exclude. So it must not be able to fail
(`Totality`), and neither may a test that it overtakes. It must not rely on a test of
the same loop either: in `led is not none and c.suit is led`, the second is evaluated
for each state, also if nothing is led.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields
from itertools import product
from math import prod
from typing import TypeAlias, cast

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.operands import (
    LoopSource,
    Operands,
    Words,
    scaled,
)
from houserule.engine.compiled.functions import Code, i32, i64
from houserule.engine.compiled.memory.inverse import Inverse
from houserule.engine.compiled.memory.shapes import WORD, Universe, is_set, universe
from houserule.engine.compiled.optimize.constants import ConstantArrays
from houserule.engine.compiled.optimize.memoisation import index_of, rows_of
from houserule.engine.compiled.optimize.totality import Totality, fits
from houserule.engine.reference.evaluate.context import GameContext
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.reference.evaluate.values import IN_PLAY, Reach
from houserule.engine.state.domains import values_of
from houserule.engine.state.faults import RuleFault
from houserule.ir import types
from houserule.ir.memo import NodeMemo
from houserule.ir.walk import (
    beneath,
    bound_slots,
    rebuilt,
    slots_needed,
    slots_read,
)

ENTRIES_AT_MOST = 1 << 16  # rows of parameters times members, of one relation
COST_AT_MOST = 20_000_000  # nodes that the entries of one relation may take
WORDS_AT_MOST = 8  # of a mask
UNION_AT_MOST = 16  # inverse sets that are joined
CELLS_AT_MOST = 2  # of a relation

Plan: TypeAlias = Callable[[], Words]
"""Writes a mask and returns its words. Bits outside the domain mean nothing."""


@frozen
class MaskArray:
    """The array of a relation, with an entry for each row of parameters.

    The entry is a mask. If the variable is read through a cell, it is a set of the
    values of this cell, or with `single` where the inverse set of the only value is.
    Without parameters there is no array: `places` has the values of the cells that
    pass, by the numbers of their inverse sets.
    """

    at: int
    given: tuple[ir.Expr, ...]
    params: tuple[ir.Param, ...]
    cells: tuple[ir.ReadCell, ...] = ()
    places: tuple[tuple[int, ...], ...] = ()
    single: bool = False


class Masks:
    """Writes masks, and narrows the domains of loops by them."""

    def __init__(
        self,
        context: CompilationContext,
        reaches: Mapping[str, Reach],
        costs: Costs,
        constants: ConstantArrays,
    ) -> None:
        self._context, self._reaches, self._costs = context, reaches, costs
        self._totality = Totality(context, constants)
        # By a test and its variable. The test is kept, so that its id is not reused.
        self._relations: dict[tuple[int, int], tuple[ir.Expr, MaskArray | None]] = {}
        self._arrays: dict[tuple[int, ...], int] = {}
        self._written_out = NodeMemo(self._definition)
        # Reads that may be `none` in the tests at hand.
        self._optional: set[Hashable] = set()

    def narrowed(
        self,
        e: Operands,
        bind: ir.Bind,
        slot: int,
        tests: Sequence[ir.Expr | None],
        source: LoopSource,
    ) -> tuple[list[int], LoopSource]:
        """Return the numbers of the tests that remain, and the domain for them.

        A test that is not an expression is None.
        """
        remaining, words = list[int](), source.words
        if bind.how != "member" or not 0 < len(words) <= WORDS_AT_MOST:
            return [*range(len(tests))], source
        forms = [each for each in tests if each is not None]
        for form in forms:
            written = (self._written_out(each) for each in beneath(form))
            forms += [each for each in written if each is not None]
        optional = {
            _untyped(each)
            for each in beneath(*forms)
            if isinstance(getattr(each, "type", None), types.Maybe)
        }
        overtaken = True  # tests that remain cannot fail
        for number, test in enumerate(tests):
            plan, self._optional = None, optional
            if test is not None and overtaken:
                plan = self._plan(e, test, slot, source.space)
            if plan is not None:
                words = bits.kept(e, bits.both("and", words, plan()))
            else:
                remaining.append(number)
                overtaken &= test is not None and self._totality.is_total(e, test)
        return remaining, LoopSource(words, source.space)

    def _plan(
        self, e: Operands, test: ir.Expr, slot: int, space: Universe
    ) -> Plan | None:
        """Return what writes the mask of a test; None if it has none."""
        if not isinstance(test.type, types.Flag):
            return None
        if slot not in slots_read(test):
            if not self._is_free(e, test):
                return None

            def fixed() -> Words:
                holds = e.f.keep(e.truth(test))
                all_or_none = f"(i64.sub (i64.const 0) (i64.extend_i32_u {holds}))"
                return (e.f.keep(all_or_none, "i64"),) * space.words

            return fixed
        if found := self._row(e, test, slot, space):
            return found
        match test:
            case ir.Unary("not", operand):
                inner = self._plan(e, operand, slot, space)
                return inner and (
                    lambda: bits.both("xor", inner(), (i64(-1),) * space.words)
                )
            case ir.Connective(op, left, right):
                one = self._plan(e, left, slot, space)
                other = one and self._plan(e, right, slot, space)
                if one is None or other is None:
                    return None
                return lambda: bits.both(op, bits.kept(e, one()), bits.kept(e, other()))
            case ir.In(ir.Local(slot=at), right) if at == slot and is_set(right.type):
                own = universe(right.type) == space and slot not in slots_read(right)
                if own and self._is_free(e, right):
                    return lambda: bits.kept(e, e.words(right))
            case ir.CallValue():
                written = self._written_out(test)
                return self._plan(e, written, slot, space) if written else None
            case _:
                pass
        return None

    def _is_free(self, e: Operands, node: ir.Expr) -> bool:
        """Return whether an expression may be evaluated although no test has passed.

        It cannot fail, and does not rely on a test of this loop that excludes `none`.
        """
        return self._totality.is_total(e, node) and not any(
            _untyped(each) in self._optional
            for each in beneath(node)
            if not isinstance(getattr(each, "type", None), types.Maybe)
        )

    def _definition(self, test: ir.CoreNode) -> ir.Expr | None:
        """Return the definition of a declared condition, with arguments put in."""
        if not isinstance(test, ir.CallValue) or not isinstance(test.type, types.Flag):
            return None
        value = self._context.program.values[test.value]
        # No binder may catch a variable of an argument.
        plain = not (
            value.adjusted
            or value.widened
            or any(map(bound_slots, beneath(value.definition)))
        )
        simple = all(
            isinstance(arg, ir.Local | ir.Const) and fits(arg.type, param.type)
            for arg, param in zip(test.args, value.params, strict=True)
        )
        if not plain or not simple:
            return None
        given = dict(enumerate(test.args, 1))

        def put_in(node: ir.CoreNode) -> ir.CoreNode:
            if isinstance(node, ir.Local):
                return given.get(node.slot, node)
            return rebuilt(node, put_in)

        return cast("ir.Expr", put_in(value.definition))

    # ---- relations

    def _row(
        self, e: Operands, test: ir.Expr, slot: int, space: Universe
    ) -> Plan | None:
        """Return what writes the mask of a relation; None if the test is none."""
        key = id(test), slot
        if key not in self._relations:
            self._relations[key] = test, self._laid_down(test, slot, space)
        relation = self._relations[key][1]
        if relation is None:
            return None
        others = [key for cell in relation.cells for key in cell.keys[:-1]]
        if not all(self._is_free(e, each) for each in (*relation.given, *others)):
            return None

        def row() -> Words:
            codes = [e.f.keep(e.scalar(each)) for each in relation.given]
            index = index_of(codes, relation.params)
            if not relation.cells:
                return bits.loaded(e, relation.at, space.words, index)
            sets = [self._sets(e, cell) for cell in relation.cells]
            if not relation.given:
                return _union(e, relation.places, sets)
            return _joined(e, relation, index, sets[0])

        return row

    def _sets(self, e: Operands, cell: ir.ReadCell) -> Sets:
        """Return the inverse sets of a state at the keys before the last."""
        memory = self._context.memory
        inverse = memory.inverse.of(cell.state)
        assert inverse is not None
        if cell.state not in memory.inverse.at:
            memory.inverse.at[cell.state] = memory.allocator.take(inverse.size)
        first = i32(0)
        if len(cell.keys) > 1:
            low = ir.Const(inverse.keys.low, cell.keys[-1].type)
            number = e.index(cell.state, (*cell.keys[:-1], low), cell.span)
            row = f"(i32.div_u {number} {i32(inverse.keys.places)})"
            first = e.f.keep(scaled(row, inverse.row))
        return Sets(inverse, memory.inverse.at[cell.state], first)

    def _laid_down(self, test: ir.Expr, slot: int, space: Universe) -> MaskArray | None:
        """Find what a test depends on, and lay down its results for all of that."""
        base = slots_needed(test)
        inside = {each for node in beneath(test) for each in bound_slots(node)}
        given, cells = list[ir.Expr](), list[ir.ReadCell]()
        members = False

        def apart(node: ir.CoreNode) -> ir.CoreNode:
            """Replace what does not read the variable by a parameter."""
            nonlocal members
            if isinstance(node, ir.Local) and node.slot == slot:
                members = True
                return ir.Local(base, node.name, node.type)
            read = slots_read(node)
            if isinstance(node, ir.ReadCell) and self._inverts(node, slot, space):
                # Where `none` is excluded, the same cell has a narrower type.
                places = [(each.state, each.keys) for each in cells]
                if (place := (node.state, node.keys)) not in places:
                    cells.append(node)
                    places.append(place)
                number = places.index(place)
                if isinstance(node.type, types.Maybe):
                    cells[number] = node
                return ir.Local(base + number, node.state, node.type)
            if isinstance(node, ir.Bind) or read & {slot, *inside}:
                return rebuilt(node, apart)
            if not read and self._is_fixed(node):
                return node
            expr = cast("ir.Expr", node)
            if expr not in given:
                given.append(expr)
            number = base + CELLS_AT_MOST + given.index(expr)
            return ir.Local(number, "given", expr.type)

        alone = cast("ir.Expr", apart(test))
        # The variable is a member, or what one or two states have for it.
        if members == bool(cells) or len(cells) > CELLS_AT_MOST:
            return None
        params = tuple(ir.Param("given", each.type) for each in given)
        rows = rows_of(params)
        if rows is None or any(is_set(each.type) for each in given):
            return None
        # If a cell's type is narrower than the state's, an earlier test excludes the
        # other values.
        domains: list[list[tuple[int, types.Data]]] = [
            [(inverse.place(value), value) for value in values_of(cell.type)]
            for cell in cells
            if (inverse := self._context.memory.inverse.of(cell.state))
        ] or [[(place, space.low + place) for place in range(space.places)]]
        entries = rows * prod(map(len, domains))
        if (
            not self._is_fixed(alone)
            or entries > ENTRIES_AT_MOST
            or entries * self._costs.bound(alone) > COST_AT_MOST
        ):
            return None
        holds = self._context.evaluator.truth(alone)
        nothing = GameContext(self._context.empty)
        before: list[types.Data] = [None] * base
        unused: list[types.Data] = [None] * (CELLS_AT_MOST - len(domains))
        found: list[list[tuple[int, ...]]] = []
        try:
            for args in product(*(list(values_of(each.type)) for each in params)):
                found.append([])
                nothing.begin_work()
                for each in product(*domains):
                    values = [value for _, value in each]
                    if holds(nothing, [*before, *values, *unused, *args]):
                        found[-1].append(tuple(place for place, _ in each))
        except RuleFault:
            return None
        if not cells:
            wide = Universe(0, space.places)
            words = [w for row in found for w in wide.bits(tuple(x for (x,) in row))]
            return MaskArray(self._array(words), tuple(given), params)
        return self._of_cells(cells, given, params, found)

    def _of_cells(
        self,
        cells: Sequence[ir.ReadCell],
        given: Sequence[ir.Expr],
        params: tuple[ir.Param, ...],
        found: Sequence[Sequence[tuple[int, ...]]],
    ) -> MaskArray | None:
        """Return a relation of cells, if few of their inverse sets are joined."""
        inverse = self._context.memory.inverse.of(cells[0].state)
        assert inverse is not None
        most, places = max(map(len, found)), tuple(found[0])
        if most > UNION_AT_MOST:
            return None
        if not given:
            return MaskArray(0, (), (), tuple(cells), places)
        if len(cells) > 1:
            return None
        if most < 2:
            # The set after those of all values is always empty.
            offsets = [inverse.width * [*row, (inverse.values,)][0][0] for row in found]
            at = self._context.data.numbers(offsets)
            return MaskArray(at, tuple(given), params, tuple(cells), single=True)
        if inverse.values > WORD:
            return None
        at = self._array([sum(1 << place for (place,) in row) for row in found])
        return MaskArray(at, tuple(given), params, tuple(cells))

    def _array(self, words: list[int]) -> int:
        """Return the address of an array; tests that mean the same share one."""
        key = tuple(words)
        if key not in self._arrays:
            self._arrays[key] = self._context.data.words(words)
        return self._arrays[key]

    def _inverts(self, cell: ir.ReadCell, slot: int, space: Universe) -> bool:
        """Return whether a state has a set of the variable for each value."""
        inverse = self._context.memory.inverse.of(cell.state)
        if inverse is None:
            return False
        *others, last = cell.keys
        return (
            isinstance(last, ir.Local)
            and last.slot == slot
            and inverse.keys == space
            and not isinstance(last.type, types.Maybe)
            and slot not in slots_read(*others)
        )

    def _is_fixed(self, node: ir.CoreNode) -> bool:
        """Return whether an expression depends on fields and variables alone."""
        return not any(
            isinstance(each, IN_PLAY)
            or (isinstance(each, ir.Local) and each.slot == 0)
            or (
                isinstance(each, ir.CallValue)
                and self._reaches[each.value] is not Reach.FOREVER
            )
            for each in beneath(node)
        )


def _untyped(node: object) -> Hashable:
    """Return what a node reads, whether or not it is known to be there."""
    if isinstance(node, tuple):
        return tuple(map(_untyped, node))
    if not isinstance(node, ir.CoreNode):
        return node
    names = (each.name for each in fields(node) if each.name not in {"type", "span"})
    return type(node), *(_untyped(getattr(node, name)) for name in names)


# ---- the keys of states that have certain values now


@frozen
class Sets:
    """Inverse sets at hand: their address, and how far behind it their row begins."""

    inverse: Inverse
    at: int
    row: Code

    def load(self, e: Operands, place: int, further: Code = "") -> Words:
        """Return the set of a value, given by its number or how far that lies."""
        where, at = self.row, self.at + self.inverse.width * place
        if further:
            where = f"(i32.add {where} {further})" if where != i32(0) else further
        where = e.f.keep(where)
        return tuple(
            e.f.keep(f"(i64.load offset={at + 8 * number} {where})", "i64")
            for number in range(self.inverse.keys.words)
        )


def _union(
    e: Operands, places: Sequence[tuple[int, ...]], sets: Sequence[Sets]
) -> Words:
    """Return the keys at which the states have one of some rows of values."""
    union: Words = (i64(0),) * sets[0].inverse.keys.words
    for row in places:
        both, *more = (s.load(e, place) for s, place in zip(sets, row, strict=True))
        for each in more:
            both = bits.both("and", both, each)
        union = bits.both("or", union, both) if union[0] != i64(0) else both
        union = bits.kept(e, union)
    return union


def _joined(e: Operands, relation: MaskArray, index: Code, sets: Sets) -> Words:
    """Return the keys at which a state has a value that is in a row of a relation."""
    f = e.f
    if relation.single:
        place = f"(i32.load offset={relation.at} {scaled(index, 4)})"
        return sets.load(e, 0, place)
    names = [f.local("i64", "having") for _ in range(sets.inverse.keys.words)]
    for name in names:
        f.set(name, i64(0))
    value = f.local("i32", "value")
    with bits.each_member(e, bits.loaded(e, relation.at, 1, index), 0, value):
        more = sets.load(e, 0, scaled(f"(local.get {value})", sets.inverse.width))
        for name, word in zip(names, more, strict=True):
            f.set(name, f"(i64.or (local.get {name}) {word})")
    return tuple(f"(local.get {name})" for name in names)
