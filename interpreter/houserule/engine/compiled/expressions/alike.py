"""Alike things: whether two are alike, the distinct ones of a set, and its parts.

To count the parts of a set or find one by number, its classes of alike members are
written to memory: their number, the first member of each, then all members of each.
"""

from __future__ import annotations

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import bits
from houserule.engine.compiled.expressions.operands import (
    InLocals,
    LaidClasses,
    Operands,
    Words,
)
from houserule.engine.compiled.functions import Code, Function, i32, i64
from houserule.engine.compiled.memory.shapes import Universe, universe

AT_MOST = 1 << 55  # larger numbers of parts are capped


def alike(e: Operands, node: ir.Alike) -> Code:
    """Return whether two things are alike, as far as `ir.Alike` says."""
    memory, kind = e.context.memory, node.kind.name
    one, other = e.in_order(lambda: e.number(node.left), lambda: e.number(node.right))
    places = [f"(i32.shl {e.f.keep(code)} (i32.const 2))" for code in (one, other)]
    rows = e.context.alike_rows(kind)
    found = _same(rows, places)
    if node.known:
        found = f"(i32.and {found} {_same(memory.known[kind].at, places)})"
    if node.place:
        where = memory.where[kind].at
        # An array has the zones that are sets, after a 1 for nowhere, -1.
        sets = e.context.set_zones() + 4
        inside = (
            f"(i32.load (i32.add {i32(sets)}"
            f" (i32.shl (i32.load offset={where} {places[0]}) (i32.const 2))))"
        )
        found = f"(i32.and {found} (i32.and {_same(where, places)} {inside}))"
    return found


def _same(at: int, places: list[Code]) -> Code:
    one, other = (f"(i32.load offset={at} {place})" for place in places)
    return f"(i32.eq {one} {other})"


def distinct(e: Operands, node: ir.Distinct) -> Words:
    """Return the members of a set, of alike ones the first."""
    space = universe(node.type)
    words = bits.kept(e, e.words(node.operand))
    found = [e.f.local("i64", "once") for _ in words]
    for name in found:
        e.f.set(name, i64(0))
    one, other = _pair(e, node)
    sofar = tuple(f"(local.get {name})" for name in found)
    with bits.each_member(e, words, space.low, other) as on:
        with bits.each_member(e, sofar, space.low, one):
            e.f.add(f"(br_if {on} {e.truth(node.alike)})")
        more = bits.single(e, space, f"(local.get {other})")
        for name, word in zip(found, more, strict=True):
            e.f.set(name, f"(i64.or (local.get {name}) {word})")
    return sofar


def _pair(e: Operands, node: ir.Distinct) -> tuple[str, str]:
    """Return the locals of the two things that are compared."""
    one, other = e.f.local("i32", "one"), e.f.local("i32", "other")
    e.slots[node.slots[0]], e.slots[node.slots[1]] = (
        InLocals((one,)),
        InLocals((other,)),
    )
    return one, other


# ---- classes in memory


def lay_down(e: Operands, node: ir.Distinct, words: Words) -> LaidClasses:
    """Write a loop that sorts the members of a set into classes."""
    space = universe(node.type)
    places = max(space.places, 1)
    masks = 8 + 8 * ((places + 1) // 2)  # behind the first members
    at = e.context.data.room(masks + 8 * space.words * places)
    laid = LaidClasses(at, at + masks)
    f, many, place = e.f, e.f.local("i32", "classes"), e.f.local("i32", "class")
    f.set(many, i32(0))
    one, other = _pair(e, node)
    with bits.each_member(e, words, space.low, other):
        done, again = f.label("found"), f.label("class")
        f.set(place, i32(0))
        with f.block(f"(block {done}"), f.loop(again):
            with f.when(f"(i32.ge_u {_get(place)} {_get(many)})"):
                # The first member of a new class.
                first = f"offset={laid.at + 8} {_at(_get(place), 2)}"
                f.add(f"(i32.store {first} {_get(other)})")
                mask = f.keep(_mask(space, place))
                for word in range(space.words):
                    f.add(f"(i64.store offset={laid.masks + 8 * word} {mask} {i64(0)})")
                _step(f, many)
                f.add(f"(br {done})")
            f.set(one, f"(i32.load offset={at + 8} {_at(_get(place), 2)})")
            f.add(f"(br_if {done} {e.truth(node.alike)})")
            _step(f, place)
            f.add(f"(br {again})")
        mask = f.keep(_mask(space, place))
        for number, bit in enumerate(bits.single(e, space, _get(other))):
            to = laid.masks + 8 * number
            both = f"(i64.or (i64.load offset={to} {mask}) {bit})"
            f.add(f"(i64.store offset={to} {mask} {both})")
    f.store(at, _get(many))
    return laid


def _mask(space: Universe, place: str) -> Code:
    return f"(i32.mul {_get(place)} {i32(8 * space.words)})"


# ---- parts by classes: functions, one of each for each width of sets


class AlikeParts:
    """Writes what counts the parts of classes, finds one by number, and tests one."""

    def __init__(self, context: CompilationContext) -> None:
        self._context = context
        self._written: set[str] = set()
        self._free = self._ways = 0

    def count(self, classes: LaidClasses, width: int, low: int, high: int) -> Code:
        """Return how many parts there are, in 64 bits, `AT_MOST` at most."""
        at = f"{i32(classes.at)} {i32(classes.masks)}"
        title, free = f"$alike_count.{width}", self._freeing(width)
        if self._new(title):
            params = [(name, "i32") for name in ("$at", "$masks", "$low", "$high")]
            f = Function(title, params, ("i64",))
            f.locals += [("$top", "i32"), ("$sum", "i64")]
            laid = f"(call {free} {_get('$at')} {_get('$masks')})"
            f.set("$top", f"(call $alike_ways {laid})")
            with f.block("(block $out"), f.loop("$again"):
                f.add(f"(br_if $out (i32.gt_s {_get('$low')} {_get('$high')}))")
                f.add(f"(br_if $out (i32.gt_s {_get('$low')} {_get('$top')}))")
                more = f"(i64.load offset={self._ways} {_at(_get('$low'), 3)})"
                f.set("$sum", f"(i64.add {_get('$sum')} {more})")
                _step(f, "$low")
                f.add("(br $again)")
            capped = f"(i64.gt_u {_get('$sum')} {i64(AT_MOST)})"
            f.add(f"(select {i64(AT_MOST)} {_get('$sum')} {capped})")
            self._context.add(f)
        return f"(call {title} {at} {i32(low)} {i32(high)})"

    def part(self, classes: LaidClasses, width: int, low: int, number: Code) -> Code:
        """Return the call that gives the words of the part of a number."""
        at = f"{i32(classes.at)} {i32(classes.masks)}"
        title, free = f"$alike_part.{width}", self._freeing(width)
        if self._new(title):
            self._context.add(_finds(title, width, free, self._free, self._ways))
        return f"(call {title} {at} {i32(low)} {number})"

    def is_first(self, classes: LaidClasses, words: Words) -> Code:
        at = f"{i32(classes.at)} {i32(classes.masks)}"
        width = len(words)
        title = f"$alike_first.{width}"
        if self._new(title):
            params = [(f"$set{word}", "i64") for word in range(width)]
            f = Function(title, (*params, ("$at", "i32"), ("$masks", "i32")), ("i32",))
            f.locals += [(name, "i32") for name in ("$i", "$left", "$classes")]
            f.locals += [("$mask", "i64"), ("$rest", "i64")]
            f.set("$classes", f"(i32.load {_get('$at')})")
            with f.block("(block $out"), f.loop("$again"):
                f.add(f"(br_if $out (i32.ge_u {_get('$i')} {_get('$classes')}))")
                f.set("$left", i32(0))
                for word in range(width):
                    f.set("$mask", _mask_word(word, width))
                    inside = f"(i64.and {_get('$mask')} {_get(f'$set{word}')})"
                    late = f"(i32.and {_get('$left')} (i64.ne {inside} {i64(0)}))"
                    f.add(f"(if {late} (then (return {i32(0)})))")
                    f.set("$rest", f"(i64.xor {_get('$mask')} {inside})")
                    with f.when(f"(i64.ne {_get('$rest')} {i64(0)})"):
                        # No member may come after the first one that is left out.
                        rest = _get("$rest")
                        first = f"(i64.and {rest} (i64.sub {i64(0)} {rest}))"
                        beyond = f"(i64.gt_u {inside} {first})"
                        f.add(f"(if {beyond} (then (return {i32(0)})))")
                        f.set("$left", i32(1))
                _step(f, "$i")
                f.add("(br $again)")
            f.add(i32(1))
            self._context.add(f)
        return f"(call {title} {' '.join(words)} {at})"

    def _new(self, title: str) -> bool:
        if title in self._written:
            return False
        self._written.add(title)
        return True

    def _freeing(self, width: int) -> str:
        # Reserve memory for the free members of each class and the ways for each size.
        if self._new("$alike_ways"):
            sizes = [
                each.kind.size for each in self._context.program.components.values()
            ]
            most = max(sizes, default=0) + 2
            self._free = self._context.data.room(4 * most)
            self._ways = self._context.data.room(8 * most)
            self._context.add(_ways(self._free, self._ways))
        title = f"$alike_free.{width}"
        if self._new(title):
            f = Function(title, (("$at", "i32"), ("$masks", "i32")), ("i32",))
            f.locals += [("$i", "i32"), ("$mask", "i32")]
            f.set("$mask", _get("$masks"))
            with f.block("(block $out"), f.loop("$again"):
                f.add(f"(br_if $out (i32.ge_u {_get('$i')} (i32.load {_get('$at')})))")
                words = tuple(
                    f"(i64.load offset={8 * word} {_get('$mask')})"
                    for word in range(width)
                )
                where = _at(_get("$i"), 2)
                f.add(f"(i32.store offset={self._free} {where} {bits.count(words)})")
                _step(f, "$mask", 8 * width)
                _step(f, "$i")
                f.add("(br $again)")
            f.add(_get("$i"))
            self._context.add(f)
        return title


def _get(name: str) -> Code:
    return f"(local.get {name})"


def _step(f: Function, name: str, by: int = 1) -> None:
    f.set(name, f"(i32.add {_get(name)} {i32(by)})")


def _at(index: Code, shift: int) -> Code:
    return f"(i32.shl {index} {i32(shift)})"


def _ways(free: int, ways: int) -> Function:
    """Return what lays down how many parts of each size the classes have.

    It returns the greatest size. Each class adds up the ways for n, n - 1, … members,
    as many terms as the class has members, plus one.
    """
    f = Function("$alike_ways", (("$classes", "i32"),), ("i32",))
    names = ("$i", "$top", "$many", "$size", "$less")
    f.locals += [*((name, "i32") for name in names), ("$sum", "i64")]
    f.add(f"(i64.store {i32(ways)} {i64(1)})")
    with f.block("(block $out"), f.loop("$again"):
        f.add(f"(br_if $out (i32.ge_u {_get('$i')} {_get('$classes')}))")
        f.set("$many", f"(i32.load offset={free} {_at(_get('$i'), 2)})")
        _step(f, "$i")
        f.set("$less", i32(0))
        with f.block("(block $made"), f.loop("$more"):
            f.add(f"(br_if $made (i32.ge_u {_get('$less')} {_get('$many')}))")
            _step(f, "$less")
            place = f"(i32.add {_get('$top')} {_get('$less')})"
            f.add(f"(i64.store offset={ways} {_at(place, 3)} {i64(0)})")
            f.add("(br $more)")
        f.set("$top", f"(i32.add {_get('$top')} {_get('$many')})")
        f.set("$size", _get("$top"))
        with f.block("(block $done"), f.loop("$smaller"):
            f.add(f"(br_if $done (i32.eqz {_get('$size')}))")
            # The sum of the ways for `$size`, `$size` - 1, … `$size` - `$many`.
            f.set("$sum", i64(0))
            f.set("$less", i32(0))
            with f.block("(block $summed"), f.loop("$next"):
                f.add(f"(br_if $summed (i32.gt_u {_get('$less')} {_get('$many')}))")
                f.add(f"(br_if $summed (i32.gt_u {_get('$less')} {_get('$size')}))")
                place = f"(i32.sub {_get('$size')} {_get('$less')})"
                more = f"(i64.load offset={ways} {_at(place, 3)})"
                f.set("$sum", f"(i64.add {_get('$sum')} {more})")
                _step(f, "$less")
                f.add("(br $next)")
            capped = f"(i64.gt_u {_get('$sum')} {i64(AT_MOST)})"
            found = f"(select {i64(AT_MOST)} {_get('$sum')} {capped})"
            f.add(f"(i64.store offset={ways} {_at(_get('$size'), 3)} {found})")
            _step(f, "$size", -1)
            f.add("(br $smaller)")
        f.add("(br $again)")
    f.add(_get("$top"))
    return f


def _finds(title: str, width: int, free: str, free_at: int, ways: int) -> Function:
    """Return the function that finds a part by its number, with a minimal size.

    It visits the members in order. Parts with a member come before parts without it;
    the latter have no more of its class.
    """
    params = [(name, "i32") for name in ("$at", "$masks", "$size")]
    f = Function(title, (*params, ("$number", "i64")), ["i64"] * width)
    f.locals += [(name, "i32") for name in ("$classes", "$top", "$i")]
    f.locals += [("$here", "i64"), ("$rest", "i64"), ("$bit", "i64")]
    f.locals += [(f"$found{word}", "i64") for word in range(width)]
    f.set("$classes", f"(call {free} {_get('$at')} {_get('$masks')})")
    f.add(f"(drop (call $alike_ways {_get('$classes')}))")
    with f.block("(block $sized"), f.loop("$longer"):
        f.set("$here", f"(i64.load offset={ways} {_at(_get('$size'), 3)})")
        f.add(f"(br_if $sized (i64.lt_u {_get('$number')} {_get('$here')}))")
        f.set("$number", f"(i64.sub {_get('$number')} {_get('$here')})")
        _step(f, "$size")
        f.add("(br $longer)")
    with f.block("(block $out"):
        for word in range(width):
            # The union of one word of all classes.
            f.set("$rest", i64(0))
            f.set("$i", i32(0))
            with f.block(f"(block $all{word}"), f.loop(f"$join{word}"):
                f.add(f"(br_if $all{word} (i32.ge_u {_get('$i')} {_get('$classes')}))")
                f.set("$rest", f"(i64.or {_get('$rest')} {_mask_word(word, width)})")
                _step(f, "$i")
                f.add(f"(br $join{word})")
            # Take or leave the members of this word, the lowest first.
            again = f"(br $each{word})"
            with f.block(f"(block $end{word}"), f.loop(f"$each{word}"):
                f.add(f"(br_if $out (i32.eqz {_get('$size')}))")
                f.add(f"(br_if $end{word} (i64.eqz {_get('$rest')}))")
                lowest = f"(i64.sub (i64.const 0) {_get('$rest')})"
                f.set("$bit", f"(i64.and {_get('$rest')} {lowest})")
                f.set("$rest", f"(i64.xor {_get('$rest')} {_get('$bit')})")
                # Find the class that has `$bit` in a word.
                f.set("$i", i32(0))
                with f.block(f"(block $its{word}"), f.loop(f"$seek{word}"):
                    met = f"(i64.and {_mask_word(word, width)} {_get('$bit')})"
                    f.add(f"(br_if $its{word} (i64.ne {met} {i64(0)}))")
                    _step(f, "$i")
                    f.add(f"(br $seek{word})")
                where = _at(_get("$i"), 2)
                left = f"(i32.load offset={free_at} {where})"
                f.add(f"(br_if $each{word} (i32.eqz {left}))")
                less = f"(i32.sub {left} (i32.const 1))"
                f.add(f"(i32.store offset={free_at} {where} {less})")
                f.set("$top", f"(call $alike_ways {_get('$classes')})")
                size = f"(i32.sub {_get('$size')} (i32.const 1))"
                with_it = f"(i64.load offset={ways} {_at(size, 3)})"
                fits = f"(i32.le_s {size} {_get('$top')})"
                f.set("$here", f"(select {with_it} (i64.const 0) {fits})")
                with f.when(f"(i64.lt_u {_get('$number')} {_get('$here')})"):
                    found = f"$found{word}"
                    f.set(found, f"(i64.or {_get(found)} {_get('$bit')})")
                    f.set("$size", size)
                    f.add(again)
                f.set("$number", f"(i64.sub {_get('$number')} {_get('$here')})")
                f.add(f"(i32.store offset={free_at} {where} (i32.const 0))")
                f.add(again)
    for word in range(width):
        f.add(_get(f"$found{word}"))
    return f


def _mask_word(word: int, width: int) -> Code:
    place = f"(i32.add {_get('$masks')} (i32.mul {_get('$i')} {i32(8 * width)}))"
    return f"(i64.load offset={8 * word} {place})"
