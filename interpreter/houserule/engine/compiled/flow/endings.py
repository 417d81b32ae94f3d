"""Endings: invariants, draws, winners, scores, who leads, the number of a state."""

from __future__ import annotations

from houserule import ir
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions import bits, sets
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.expressions.operands import InLocals
from houserule.engine.compiled.functions import (
    NONE,
    Code,
    Function,
    Unsupported,
    i32,
    i64,
    load,
)
from houserule.engine.compiled.memory.layout import RECORDS, Memory
from houserule.engine.compiled.memory.shapes import Universe, in_words
from houserule.engine.compiled.options.legality import holds
from houserule.engine.reference.numbers import NUMBER_START
from houserule.engine.reference.random_numbers import hash_tag
from houserule.engine.state.faults import F05
from houserule.ir import types

DRAWS_AT_MOST = 64  # ways to draw, a bit each


def write_endings(context: CompilationContext, translator: Translator) -> None:
    """Write what holds at every decision, draws, winners, scores and who leads."""
    program, header = context.program, context.memory.header

    # The invariants.
    f = Function("$check")
    f.locals.append(("$me", "i32"))
    f.set("$me", NONE)
    e = translator.acting(f)
    for condition in program.always:
        with f.when(f"(i32.eqz {holds(e, condition)})"):
            message = f"The invariant {condition.address} does not hold."
            e.fault(F05, message, condition.span)
    context.add(f)

    f = Function("$winners", (), ("i64",))
    f.locals.append(("$me", "i32"))
    f.set("$me", NONE)
    e = translator.acting(f)
    f.add(e.words_in(program.winners, Universe(0, program.seats))[0])
    context.add(f)

    # What ends an action or an automatic step; 1 if play moves elsewhere. A game that
    # is drawn is over; else what was requested is carried out.
    if len(program.draws) > DRAWS_AT_MOST:
        raise Unsupported(f"{len(program.draws)} ways to draw")
    f = Function("$complete", (), ("i32",))
    if program.draws:
        f.locals += [("$me", "i32"), ("$held", "i64")]
        f.set("$me", NONE)
        e = translator.acting(f)
        for number, condition in enumerate(program.draws):
            with f.when(holds(e, condition)):
                f.set("$held", f"(i64.or (local.get $held) {i64(1 << number)})")
        with f.when("(i64.ne (local.get $held) (i64.const 0))"):
            f.add("(call $forget_wishes)")
            f.store(header["outcome"], i32(3))
            f.store(header["drawn_by"], "(local.get $held)", "i64")
            f.add("(return (i32.const 1))")
    with f.when(f"(i32.eqz {load(header['wished'])})"):
        f.add("(return (i32.const 0))")
    f.add("(call $honour)")
    f.add("(i32.const 1)")
    context.add(f)

    # `$scores` lays down the first winning key, by which it is seen who leads.
    keys = program.winning_keys
    key = keys[0] if keys else None
    write_key(context, translator, "$scores", key, program.winners_slot)

    # Whenever a round begins and once more at the end, count a change if another seat
    # leads alone than the last that did.
    f = Function("$look_leads")
    if leads_are_known(program):
        room = context.data.room(8 * program.seats)
        best, leader = f.local("i32", "best"), f.local("i32", "leader")
        f.add(f"(call $scores {i32(room)})")
        f.set(best, load(room))
        f.set(leader, i32(0))
        for seat in range(1, program.seats):
            # A seat that is ahead becomes the leader; if level, no seat leads.
            mine, better = load(room + 8 * seat), "gt_s"
            if program.winning_direction == "least":
                better = "lt_s"
            with f.when(f"(i32.eq {mine} (local.get {best}))"):
                f.set(leader, i32(-1))
            with f.when(f"(i32.{better} {mine} (local.get {best}))"):
                f.set(best, mine)
                f.set(leader, i32(seat))
        last = load(header["leader"])
        with f.when(f"(i32.lt_s (local.get {leader}) (i32.const 0))"):
            f.add("(return)")
        with f.when(f"(i32.eq (local.get {leader}) {last})"):
            f.add("(return)")
        with f.when(f"(i32.ge_s {last} (i32.const 0))"):
            at = header["lead_changes"]
            f.store(at, f"(i32.add {load(at)} (i32.const 1))")
        f.store(header["leader"], f"(local.get {leader})")
    context.add(f)


def write_key(
    context: CompilationContext,
    translator: Translator,
    title: str,
    key: ir.Expr | None,
    slot: int,
) -> None:
    """Write what lays down a key of the seat in a slot, for each; 0 for no value."""
    program = context.program
    f = Function(title, (("$at", "i32"),))
    f.locals += [("$me", "i32"), ("$seat", "i32")]
    if key is not None:
        f.set("$me", NONE)
        slots = {0: InLocals(("$me",)), slot: InLocals(("$seat",))}
        with f.block("(block $out"), f.loop("$again"):
            f.add(f"(br_if $out (i32.ge_s (local.get $seat) {i32(program.seats)}))")
            e = translator.into(f, dict(slots))
            if in_words(key.type):
                value = bits.count(sets.present(e, key)[1])
            else:
                value = f.keep(e.scalar(key))
                if isinstance(key.type, types.Maybe):
                    value = f"(select (i32.const 0) {value} (i32.eq {value} {NONE}))"
            where = (
                "(i32.add (local.get $at) (i32.shl (local.get $seat) (i32.const 3)))"
            )
            f.add(f"(i32.store {where} {value})")
            f.set("$seat", "(i32.add (local.get $seat) (i32.const 1))")
            f.add("(br $again)")
    context.add(f)


def leads_are_known(program: ir.Program) -> bool:
    """Return whether a leader is known during play: the rules have winning keys."""
    return bool(program.winning_keys)


# ---- the number of a state: the same from the block and from a store


def hash_function(memory: Memory) -> Function:
    """Return `$hash`: it visits the state in the order of `reference.numbers`."""
    f = Function("$hash", (), ("i64",))
    f.locals += [("$h", "i64"), ("$i", "i32"), ("$k", "i32"), ("$n", "i32")]
    f.set("$h", i64(NUMBER_START))
    for cells in memory.cells.values():
        _row(f, cells.at, cells.count, cells.words)
    for zone in memory.zones.values():
        if zone.order is None:
            _row(f, zone.masks.at, zone.masks.count, zone.masks.words)
        else:
            for index in range(zone.order.count):
                # Mix how many things lie in a pile, then each.
                at = zone.order.at + index * zone.order.width
                f.set("$n", load(at))
                f.set("$i", i32(0))
                label = f.label("pile")
                with f.loop(label):
                    where = "(i32.shl (local.get $i) (i32.const 2))"
                    _mix(f, f"(i64.load32_s offset={at} {where})")
                    f.set("$i", "(i32.add (local.get $i) (i32.const 1))")
                    f.add(f"(br_if {label} (i32.le_u (local.get $i) (local.get $n)))")
    for part in (memory.tokens, memory.faces, memory.known):
        for cells in part.values():
            _row(f, cells.at, cells.count, 0)
    for tag in sorted(memory.tags):
        at = memory.stream(tag)
        drawn = load(at + RECORDS["stream"]["drawn"], "i64")
        with f.when(f"(i64.ne {drawn} (i64.const 0))"):
            _mix(f, i64(hash_tag(tag)))
            _mix(f, load(at, "i64"))
    f.add("(local.get $h)")
    return f


def _mix(f: Function, code: Code) -> None:
    f.set("$h", f"(call $mixed (local.get $h) {code})")


def _row(f: Function, at: int, count: int, words: int) -> None:
    """Mix a row of numbers, or of words."""
    if not count:
        return
    total = count * words if words else count
    f.set("$i", i32(0))
    label = f.label("row")
    with f.loop(label):
        where = f"(i32.shl (local.get $i) {i32(3 if words else 2)})"
        if words:
            _mix(f, f"(i64.load offset={at} {where})")
        else:
            _mix(f, f"(i64.load32_s offset={at} {where})")
        f.set("$i", "(i32.add (local.get $i) (i32.const 1))")
        f.add(f"(br_if {label} (i32.lt_u (local.get $i) {i32(total)}))")
