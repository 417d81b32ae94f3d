"""Sets as expressions: constructors, operations and tests.

A set that may be `none` has a condition (is it present?) and words, which are empty if
it is not. In memory, the condition is one more word.
"""

from __future__ import annotations

from functools import partial
from typing import assert_never

from houserule import ir
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.alike import distinct
from houserule.engine.compiled.expressions.bits import (
    count,
    each_member,
    empty,
    equal,
    has,
    joined,
    kept,
    shifted,
    single,
    span_of,
)
from houserule.engine.compiled.expressions.operands import InLocals, Operands, Words
from houserule.engine.compiled.functions import NONE, Code, Unsupported, i32, i64
from houserule.engine.compiled.memory.shapes import (
    WORD,
    Universe,
    bounds,
    in_words,
    is_set,
    universe,
    universe_of,
    words_of,
)
from houserule.engine.state.faults import BEYOND, DIFFER, F02, F12, F13
from houserule.ir import types
from houserule.ir.walk import none_for_none

# ---- what they are made of


def words(e: Operands, node: ir.Expr) -> Words:
    """Return the words of a set that is not a constant."""
    space = universe(node.type)
    match node:
        case ir.Local():
            return _local(e, node, space.words)
        case ir.ReadCell():
            return _cell(e, node)[: space.words]
        case ir.Contents(zone, keys):
            masks = e.context.memory.zones[zone].masks
            index = e.index(zone, keys, node.span)
            return bits.loaded(e, masks.at, masks.words, index)
        case ir.ReadField():
            return _field(e, node, e.number(node.subject))[: space.words]
        case ir.CallValue():
            return e.called(node)[1]
        case ir.Cases() | ir.OrElse():
            return _chosen(e, node, space)[1]
        case ir.MakeSet() | ir.MakeRange() | ir.CombineSets() | ir.ReachedCells():
            return built(e, node)
        case ir.Pick():
            return e.best_set(node)
        case ir.Distinct():
            return distinct(e, node)
        case ir.AnyOf():
            return _any_of(e, node)
        case ir.TooDeep():
            e.fault(F12, BEYOND, node.span)
            return tuple(i64(0) for _ in range(space.words))
        case _:
            raise Unsupported(f"{type(node).__name__} as a set")


def _any_of(e: Operands, node: ir.AnyOf) -> Words:
    """Return the first members of a set, if all are alike."""
    f, space = e.f, universe(node.type)
    members = kept(e, e.words(node.operand))
    many, size = f.keep(e.number(node.count)), f.keep(count(members))
    if not node.up_to:
        with f.when(f"(i32.gt_s {many} {size})"):
            e.fault(F02, "Too few lie there.", node.span)
    some = f"(i32.and (i32.gt_s {many} (i32.const 0)) (i32.lt_s {many} {size}))"
    with f.when(some), f.when(f"(i32.eqz {e.truth(node.same)})"):
        e.fault(F13, DIFFER, node.span)
    found = [f.local("i64", "some") for _ in members]
    left, thing = f.local("i32", "left"), f.local("i32", "thing")
    for name in found:
        f.set(name, i64(0))
    f.set(left, many)
    with each_member(e, members, space.low, thing) as on:
        f.add(f"(br_if {on} (i32.le_s (local.get {left}) (i32.const 0)))")
        f.set(left, f"(i32.sub (local.get {left}) (i32.const 1))")
        more = single(e, space, f"(local.get {thing})")
        for name, word in zip(found, more, strict=True):
            f.set(name, f"(i64.or (local.get {name}) {word})")
    return tuple(f"(local.get {name})" for name in found)


def _local(e: Operands, node: ir.Local, words: int) -> Words:
    slot = e.slots.get(node.slot)
    if slot is None:
        raise Unsupported(f"slot {node.slot}, {node.name}, is not bound here")
    if isinstance(slot, InLocals):
        return tuple(f"(local.get {name})" for name in slot.names[:words])
    return bits.loaded(e, slot.at, words, i32(0))


def _cell(e: Operands, node: ir.ReadCell) -> Words:
    cells = e.context.memory.cells[node.state]
    index = e.index(node.state, node.keys, node.span)
    return bits.loaded(e, cells.at, cells.words, index)


def _field(e: Operands, node: ir.ReadField, subject: Code) -> Words:
    type_, _ = e.context.program.components[node.kind.name].fields[node.field]
    at = e.context.column(node.kind.name, node.field)
    return bits.loaded(e, at, words_of(type_), subject)


def present(e: Operands, node: ir.Expr) -> tuple[Code, Words]:
    """Return whether a set is present, and its words, zeros if it is not."""
    if is_set(node.type):
        return i32(1), kept(e, e.words(node))
    space = universe_of(node.type)
    match node:
        case ir.Const(value):
            members = value if isinstance(value, tuple) else ()
            return i32(int(value is not None)), tuple(map(i64, space.bits(members)))
        case ir.Local():
            return bits.taken_apart(node.type, _local(e, node, words_of(node.type)))
        case ir.ReadCell():
            if found := none_for_none(node):
                return present(e, found)
            return bits.taken_apart(node.type, _cell(e, node))
        case ir.ReadField():
            which = e.f.keep(e.scalar(node.subject))
            there = e.f.keep(f"(i32.ne {which} {NONE})")
            kept_at = _field(e, node, f"(select {which} (i32.const 0) {there})")
            words = kept(e, [f"(select {w} (i64.const 0) {there})" for w in kept_at])
            if len(words) > space.words:
                return bits.taken_apart(node.type, words)
            return there, words
        case ir.CallValue():
            return e.called(node)
        case ir.Cases() | ir.OrElse():
            return _chosen(e, node, space)
        case ir.Pick():
            return e.best_part(node)
        case _:
            raise Unsupported(f"{type(node).__name__} as a set that may be none")


def _chosen(
    e: Operands, node: ir.Cases | ir.OrElse, space: Universe
) -> tuple[Code, Words]:
    """Return the result of a row, or the code of `none`."""
    names = [e.f.local("i64", "s") for _ in range(space.words)]
    there = e.f.local("i32", "there")

    def take(each: ir.Expr) -> None:
        is_there, words = present(e, each)
        own = universe_of(each.type)
        e.f.set(there, is_there)
        fitting = bits.converted(e, words, own, space, each.span)
        for name, word in zip(names, fitting, strict=True):
            e.f.set(name, word)

    if isinstance(node, ir.OrElse):
        take(node.value)
        with e.f.when(f"(i32.eqz (local.get {there}))"):
            take(node.otherwise)
    else:
        e.first_row(node, take)
    return f"(local.get {there})", tuple(f"(local.get {name})" for name in names)


# ---- what is asked of them


def same(e: Operands, node: ir.CompareValues) -> Code:
    """Return whether two sets are the same, or are not; none is like no set."""
    first, second = universe_of(node.left.type), universe_of(node.right.type)
    space = joined(first, second)
    here, left = present(e, node.left)
    there, right = present(e, node.right)
    left = kept(e, bits.converted(e, left, first, space, node.span))
    right = kept(e, bits.converted(e, right, second, space, node.span))
    found = f"(i32.and {equal(left, right)} (i32.and {here} {there}))"
    return found if node.op == "==" else f"(i32.eqz {found})"


def membership(e: Operands, node: ir.In) -> Code:
    """Return whether a value is in a set; none never is."""
    limits = node.right
    if isinstance(limits, ir.MakeRange):
        value, low, high = e.in_order(
            lambda: e.scalar(node.left),
            lambda: e.number(limits.low),
            lambda: e.number(limits.high),
        )
        value = e.f.keep(value)
        found = f"(i32.and (i32.le_s {low} {value}) (i32.le_s {value} {high}))"
        if isinstance(node.left.type, types.Maybe):
            found = f"(i32.and {found} (i32.ne {value} {NONE}))"
        return found
    value = e.f.keep(e.scalar(node.left))
    _, words = present(e, node.right)
    space = universe_of(node.right.type)
    found = has(e, words, space, value)
    if isinstance(node.left.type, types.Maybe):
        found = f"(i32.and {found} (i32.ne {value} {NONE}))"
    return found


def measured(e: Operands, node: ir.Size | ir.FirstOf | ir.DiceTest) -> Code:
    """Return the size of a set, its first member, or what its dice show."""
    match node:
        case ir.Size(operand):
            return count(kept(e, e.words(operand)))
        case ir.FirstOf(operand):
            space, words = universe(operand.type), kept(e, e.words(operand))
            found = NONE
            for number, word in reversed(list(enumerate(words))):
                place = f"(i32.wrap_i64 (i64.ctz {word}))"
                value = f"(i32.add {place} {i32(WORD * number + space.low)})"
                found = f"(select {found} {value} (i64.eqz {word}))"
            return found
        case ir.DiceTest():
            # Compare the readings of dice; a reading that is `none` equals no other.
            space, words = universe(node.dice.type), kept(e, e.words(node.dice))
            die = e.f.local("i32", "die")
            e.slots[node.slot] = InLocals((die,))
            if node.what == "equal":
                f = e.f
                result, first, seen = f.local("i32"), f.local("i32"), f.local("i32")
                f.set(result, i32(1))
                f.set(seen, i32(0))
                with each_member(e, words, space.low, die):
                    shown = f.keep(e.scalar(node.read))
                    with f.when(f"(i32.eqz (local.get {seen}))"):
                        f.set(first, shown)
                    differs = f"(i32.ne {shown} (local.get {first}))"
                    with f.when(f"(i32.or {differs} (i32.eq {shown} {NONE}))"):
                        f.set(result, i32(0))
                    f.set(seen, f"(i32.add (local.get {seen}) (i32.const 1))")
                few = f"(i32.lt_u (local.get {seen}) (i32.const 2))"
                return f"(i32.or {few} (local.get {result}))"
            f, limits = e.f, bounds(node.read.type)
            if limits is None or limits[1] - limits[0] >= WORD:
                raise Unsupported("dice with too many different readings")
            result, seen = f.local("i32"), f.local("i64")
            f.set(result, i32(1))
            f.set(seen, i64(0))
            with each_member(e, words, space.low, die):
                shown = f.keep(e.scalar(node.read))
                place = f"(i64.extend_i32_u (i32.sub {shown} {i32(limits[0])}))"
                bit = f.keep(f"(i64.shl (i64.const 1) {place})", "i64")
                met = f"(i64.ne (i64.and (local.get {seen}) {bit}) (i64.const 0))"
                with f.when(f"(i32.ne {shown} {NONE})"):
                    with f.when(met):
                        f.set(result, i32(0))
                    f.set(seen, f"(i64.or (local.get {seen}) {bit})")
            return f"(local.get {result})"
        case _:
            assert_never(node)


# ---- put together


def built(
    e: Operands, node: ir.MakeSet | ir.MakeRange | ir.CombineSets | ir.ReachedCells
) -> Words:
    """Return a set that is put together."""
    space = universe(node.type)
    match node:
        case ir.MakeSet(items):
            names = [e.f.local("i64", "s") for _ in range(space.words)]
            makers = [partial(e.scalar, item) for item in items]
            values = [e.f.keep(code) for code in e.in_order(*makers)]
            for name in names:
                e.f.set(name, i64(0))
            for item, value in zip(items, values, strict=True):
                if isinstance(item.type, types.Maybe):
                    with e.f.when(f"(i32.ne {value} {NONE})"):
                        _put(e, names, space, value)
                else:
                    _put(e, names, space, value)
            return tuple(f"(local.get {name})" for name in names)
        case ir.MakeRange(low, high):
            first, last = e.in_order(lambda: e.number(low), lambda: e.number(high))
            return span_of(e, space, e.f.keep(first), e.f.keep(last))
        case ir.CombineSets():
            left, right = kept(e, e.words_in(node.left, space)), node.right
            if node.op == "plus":
                words = as_words(e, right, space)
            elif node.op == "beyond":
                first = i32(space.low)
                words = span_of(e, space, first, e.f.keep(e.scalar(right)))
            elif in_words(right.type):
                # Cut the set to this universe.
                own = universe_of(right.type)
                wide = joined(space, own)
                own_words = present(e, right)[1]
                words = bits.converted(e, own_words, own, wide, right.span)
                if wide != space:
                    words = shifted(kept(e, words), wide.low - space.low, space)
            else:
                value = e.f.keep(e.scalar(right))
                place = f"(i32.sub {value} {i32(space.low)})"
                inside = f"(i32.lt_u {place} {i32(space.places)})"
                words = tuple(
                    f"(select {word} (i64.const 0) {inside})"
                    for word in single(e, space, value)
                )
            code = _COMBINED[node.op]
            pairs = zip(left, kept(e, words), strict=True)
            return kept(e, [code.format(one=one, other=other) for one, other in pairs])
        case ir.ReachedCells():
            return _reached(e, node, space)
        case _:
            assert_never(node)


def _put(e: Operands, names: list[str], space: Universe, value: Code) -> None:
    for name, word in zip(names, single(e, space, value), strict=True):
        e.f.set(name, f"(i64.or (local.get {name}) {word})")


_COMBINED = {
    "but": "(i64.and {one} (i64.xor {other} (i64.const -1)))",
    "beyond": "(i64.and {one} (i64.xor {other} (i64.const -1)))",
    "plus": "(i64.or {one} {other})",
    "within": "(i64.and {one} {other})",
}


def _reached(e: Operands, node: ir.ReachedCells, space: Universe) -> Words:
    """Take members that wait one by one, the order does not matter for the result."""
    f, words = e.f, range(space.words)
    waiting, seen, found = (
        [f.local("i64", hint) for _ in words] for hint in ("wait", "seen", "found")
    )
    member = f.local("i32", "member")
    start = as_words(e, node.start, space)
    for one, two, three, word in zip(waiting, seen, found, start, strict=True):
        f.set(one, word)
        f.set(two, word)
        f.set(three, i64(0))
    e.slots[node.slot] = InLocals((member,))
    again, out, on = f.label("reach"), f.label("reached"), f.label("further")
    with f.block(f"(block {out}"), f.loop(again):
        f.add(f"(br_if {out} {empty(tuple(f'(local.get {w})' for w in waiting))})")
        # Take the first member out of what waits.
        taken = f.label("taken")
        with f.block(f"(block {taken}"):
            for number, name in enumerate(waiting):
                with f.when(f"(i64.ne (local.get {name}) (i64.const 0))"):
                    place = f"(i32.wrap_i64 (i64.ctz (local.get {name})))"
                    f.set(member, f"(i32.add {place} {i32(WORD * number + space.low)})")
                    less = f"(i64.sub (local.get {name}) (i64.const 1))"
                    f.set(name, f"(i64.and (local.get {name}) {less})")
                    f.add(f"(br {taken})")
        with f.block(f"(block {on}"):
            if node.where is not None:
                f.add(f"(br_if {on} (i32.eqz {e.truth(node.where)}))")
            _put(e, found, space, f"(local.get {member})")
            further = kept(e, as_words(e, node.by, space))
            for one, two, word in zip(waiting, seen, further, strict=True):
                new = f"(i64.and {word} (i64.xor (local.get {two}) (i64.const -1)))"
                f.set(one, f"(i64.or (local.get {one}) {new})")
                f.set(two, f"(i64.or (local.get {two}) {word})")
        f.add(f"(br {again})")
    return tuple(f"(local.get {name})" for name in found)


def as_words(e: Operands, node: ir.Expr, space: Universe) -> Words:
    """Return a set, a thing as a set of one, none as the empty set."""
    if in_words(node.type):
        own = universe_of(node.type)
        return bits.converted(e, present(e, node)[1], own, space, node.span)
    value = e.f.keep(e.scalar(node))
    limits = bounds(node.type)
    if limits is None or limits[0] < space.low or limits[1] >= space.low + space.places:
        with e.f.when(f"(i32.ne {value} {NONE})"):
            e.inside(value, space.low, space.low + space.places - 1, "it", node.span)
    words = single(e, space, value)
    if not isinstance(node.type, types.Maybe):
        return words
    there = f"(i32.ne {value} {NONE})"
    return kept(e, [f"(select {word} (i64.const 0) {there})" for word in words])
