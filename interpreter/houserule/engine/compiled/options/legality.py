"""Legality: what makes a taking of an action legal, as tests of its walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import combinations
from typing import assert_never

from houserule import ir
from houserule.engine.compiled.expressions import bits, sets
from houserule.engine.compiled.expressions.expressions import Expressions
from houserule.engine.compiled.functions import Code, i32, load
from houserule.engine.compiled.memory.shapes import Universe
from houserule.engine.compiled.options.segments import FactorTest, Make
from houserule.engine.reference.options.legality import asked_in_turn
from houserule.ir import types
from houserule.ir.access import Access
from houserule.ir.walk import option_binds, slots_read


def taking_tests(
    action: ir.ActionDef, access: Access, advice: Sequence[bool] = ()
) -> list[FactorTest]:
    """Return what is tested of each taking, in order; advice comes last.

    `advice` has False if it must not be unwise, and True if it must be usual.
    """
    plain, late = asked_in_turn(action, access)
    slots = frozenset(slot for bind in option_binds(action) for slot in bind.slots)
    found = [
        FactorTest(_below(limit), slots_read(limit.count)) for limit in action.limits
    ]
    found += [_condition(each) for each in plain]
    paying = [cost.payments for cost in action.costs]
    for some in paying:
        match some:
            case [] | [ir.PayThings(what=ir.Local())]:
                pass  # a single bound thing is in its zone
            case _:
                found.append(FactorTest(_payable(some), slots_read(*some)))
    # Each cost that can be paid alone may still be one too many: what two costs take
    # from one stock, or of the same things, is asked once more for all together.
    every = tuple(each for some in paying for each in some)
    sources = [set(map(_source, some)) for some in paying]
    if any(not one.isdisjoint(other) for one, other in combinations(sources, 2)):
        found.append(FactorTest(_payable(every), slots_read(*every)))
    found += [replace(_condition(each), reads=slots, of=None) for each in late]
    # Advice is asked of complete legal options: it comes at the end
    # whatever it reads, and can fail only on a legal option.
    wholes = {
        usual: tuple(each.whole for each in action.advice if each.usual is usual)
        for usual in advice
    }
    found += [
        FactorTest(partial(advised, action, usual), slots, of, _advising(of, usual))
        for usual, of in wholes.items()
    ]
    return found


def _advising(of: Sequence[ir.Expr], usual: bool) -> ir.Expr | None:
    """Return the condition that advice is, if it has any."""
    if not of:
        return None
    some = reduce(partial(ir.Connective, "or", type=types.Flag()), of)
    return some if usual else ir.Unary("not", some, types.Flag())


def _below(limit: ir.LimitDef) -> Make:
    def make(e: Expressions) -> Code:
        taken = load(e.context.memory.taken[limit.address])
        return f"(i32.lt_s {taken} {e.number(limit.count)})"

    return make


def _condition(condition: ir.Condition) -> FactorTest:
    lifts = tuple(lift for _, lift in condition.lifts)
    of = (condition.test, *lifts)
    made = partial(holds, condition=condition)
    return FactorTest(made, slots_read(*of), of, condition.whole)


def holds(e: Expressions, condition: ir.Condition) -> Code:
    """Return whether a condition holds, its lifts included."""
    if not condition.lifts:
        return e.truth(condition.test)
    result, out = e.f.local("i32"), e.f.label("holds")
    e.f.set(result, i32(1))
    with e.f.block(f"(block {out}"):
        for each in (condition.test, *(lift for _, lift in condition.lifts)):
            e.f.add(f"(br_if {out} {e.truth(each)})")
        e.f.set(result, i32(0))
    return f"(local.get {result})"


def advised(action: ir.ActionDef, usual: bool, e: Expressions) -> Code:
    """Return whether a taking is usual, or else whether it is not unwise."""
    result, out = e.f.local("i32"), e.f.label("advised")
    e.f.set(result, i32(int(usual)))
    with e.f.block(f"(block {out}"):
        for each in action.advice:
            if each.usual is usual:
                e.f.add(f"(br_if {out} {holds(e, each)})")
        e.f.set(result, i32(int(not usual)))
    return f"(local.get {result})"


# ---- payments


def _source(payment: ir.Payment) -> tuple[str, str]:
    match payment:
        case ir.PayThings(kind=kind):
            return "things", kind.name
        case ir.PayTop(zone=family):
            return "pile", family
        case ir.PayTokens(slot=family):
            return "tokens", family
        case ir.PayCell(state=family):
            return "cell", family
        case _:
            assert_never(payment)


def _payable(payments: Sequence[ir.Payment]) -> Make:
    def make(e: Expressions) -> Code:
        result, out = e.f.local("i32", "payable"), e.f.label("payable")
        e.f.set(result, i32(0))
        with e.f.block(f"(block {out}"):
            things = [each for each in payments if isinstance(each, ir.PayThings)]
            taken = [
                (
                    each.kind,
                    bits.kept(
                        e, sets.as_words(e, each.what, Universe(0, each.kind.size))
                    ),
                )
                for each in things
            ]
            for (kind, some), (other, more) in combinations(taken, 2):
                if kind == other:
                    shared = bits.both("and", some, more)
                    e.f.add(f"(br_if {out} (i32.eqz {bits.empty(shared)}))")
            # The sum of all payments from one stock must be there.
            stocks = [
                _stock(e, each)
                for each in payments
                if not isinstance(each, ir.PayThings)
            ]
            for number, (family, index, there, amount) in enumerate(stocks):
                total = amount
                for place, (same_family, at, _, also) in enumerate(stocks):
                    if same_family == family and place != number:
                        same = f"(i32.eq {index} {at})"
                        added = f"(select {also} (i32.const 0) {same})"
                        total = f"(i32.add {total} {added})"
                e.f.add(f"(br_if {out} (i32.gt_s {total} {there}))")
            e.f.set(result, i32(1))
        return f"(local.get {result})"

    return make


def _stock(
    e: Expressions, payment: ir.PayTop | ir.PayTokens | ir.PayCell
) -> tuple[str, Code, Code, Code]:
    """Return the family, the number in it, the amount there, and the amount taken."""
    memory = e.context.memory
    match payment:
        case ir.PayTop(wanted, family, keys):
            index = e.f.keep(e.index(family, keys, payment.span))
            zone = memory.zones[family]
            there = bits.count(bits.loaded(e, zone.masks.at, zone.masks.words, index))
        case ir.PayTokens(wanted, family, keys):
            index = e.f.keep(e.index(family, keys, payment.span))
            there = _cell_at(memory.tokens[family].at, index)
        case ir.PayCell(wanted, family, keys):
            index = e.f.keep(e.index(family, keys, payment.span))
            type_ = e.context.program.states[family].type
            least = type_.low if isinstance(type_, types.Whole) else 0
            there = f"(i32.sub {_cell_at(memory.cells[family].at, index)} {i32(least)})"
        case _:
            assert_never(payment)
    return family, index, e.f.keep(there), e.f.keep(e.number(wanted))


def _cell_at(at: int, index: Code) -> Code:
    return f"(i32.load offset={at} (i32.shl {index} (i32.const 2)))"
