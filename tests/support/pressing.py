"""Games that press a bounded thing toward a limit, with options at their ends.

All seats are greedy bots with one aim: the most or the least of one state, or the
fullest zone of one family. Random bots seldom come near a limit; these go there if a
choice leads there. One module serves all aims of a table: a cell that no rule reads
says which aim a game has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from houserule import ir
from houserule.base.diagnostics.diagnostic import has_errors
from houserule.compiler.items.items import placed_items
from houserule.compiler.prepare import TableChoice
from houserule.compiler.tables.sample import Choice, ends_of, option_values
from houserule.engine.compiled.machine import CompiledMachine, Faulted
from houserule.engine.compiled.memory.codec import read_store, write_store
from houserule.engine.compiled.module import emit
from houserule.engine.reference.play.warnings import before_play
from houserule.engine.reference.random_numbers import Stream
from houserule.ir import types

from .shipped import ShippedTable, prepared_at, ruleset_of, telling

AIM = "aim_of_the_game"
DECISIONS_AT_MOST = 2_000
STYLES = ((0.0, 0.0), (1.0, 0.0), (0.5, 0.0), (0.0, 0.6))
"""How often the last option is taken unasked, and how often the first or last, by game.

Bots try few of many options; those at the ends are of different actions."""
STALLED = 2  # of the header's `outcome`
WIDE = types.Whole(-(10**9), 10**9)


@dataclass(frozen=True)
class Objective:
    """What all seats of a game strive for, in words, and by which keys."""

    words: str
    keys: tuple[ir.Expr, ...] = field(compare=False)


def tables_at_ends(game: str) -> list[ShippedTable]:
    """Return tables for every pair of variants, with all options low, then high."""
    found = {}
    options = option_values(placed_items(ruleset_of(game)))
    for choice in telling(game):
        for end in (0, 1):
            settings = {**choice.settings, **ends_of(options, choice.variants, end)}
            table = ShippedTable.of(game, replace(choice, settings=settings))
            found[table] = table
    return list(found)


def playable(table: ShippedTable) -> ir.Program | None:
    """Return the program of a table; None if its rules say that it cannot be played."""
    choice: Choice = table.choice
    asked = TableChoice(
        with_=tuple(sorted(choice.variants)),
        settings=choice.settings,
        players=choice.players,
    )
    program = prepared_at(table.game, asked).program
    if program is None or has_errors(list(before_play(program))):
        return None
    return program


# ---- aims


def aims_of(program: ir.Program) -> list[Objective]:
    """Return an aim for each limit of a state, and one for each limited zone."""
    slot = program.winners_slot + 1
    found = [
        Objective(f"{way} {name}", _keys(state.keys, _cell(state, slot), slot, sign))
        for name, state in program.states.items()
        if _number(state.type) is not None
        and not ir.is_kept(name)
        and not any(isinstance(key.type, types.Set) for key in state.keys)
        for way, sign in (("most", 1), ("least", -1))
    ]
    found += [
        Objective(f"full {name}", _keys(zone.keys, _size(zone, slot), slot, 1))
        for name, zone in program.zones.items()
        if zone.at_most is not None and zone.kind != "slot"
    ]
    return found


def _number(type_: types.Type) -> types.Whole | None:
    inner = type_.inner if isinstance(type_, types.Maybe) else type_
    return inner if isinstance(inner, types.Whole) else None


def _locals(keys: tuple[ir.Param, ...], slot: int) -> tuple[ir.Local, ...]:
    return tuple(
        ir.Local(slot + place, key.name, key.type) for place, key in enumerate(keys)
    )


def _cell(state: ir.StateDef, slot: int) -> ir.Expr:
    cell = ir.ReadCell(state.name, _locals(state.keys, slot), state.type)
    if not isinstance(state.type, types.Maybe):
        return cell
    inner = _number(state.type)
    assert inner is not None
    return ir.OrElse(cell, ir.Const(inner.low, inner), inner)


def _size(zone: ir.ZoneDef, slot: int) -> ir.Expr:
    most = types.Whole(0, zone.member.size)
    return ir.ZoneSize(zone.name, _locals(zone.keys, slot), most)


def _keys(
    params: tuple[ir.Param, ...], of: ir.Expr, slot: int, sign: int
) -> tuple[ir.Expr, ...]:
    """Return the utmost of a family's cells, then their sum."""
    value = of if sign > 0 else ir.Unary("-", of, WIDE)
    if not params:
        return value, ir.Const(0, WIDE)
    binds = tuple(
        ir.Bind(
            (slot + place,),
            (key.name,),
            "member",
            key.type,
            ir.Const(tuple(types.members(key.type)), types.Set(key.type)),  # type: ignore[arg-type]
            1,
            1,
        )
        for place, key in enumerate(params)
    )
    return (
        ir.Aggregate("highest", binds, None, value, 0, WIDE),
        ir.Aggregate("sum", binds, None, value, 0, WIDE),
    )


def with_aims(program: ir.Program, aims: list[Objective]) -> ir.Program:
    """Return a program in which a cell is the aim of all bots, and nobody wins."""
    numbers = types.Whole(0, max(1, len(aims) - 1))
    cell = ir.StateDef(AIM, (), numbers, "", ir.Const(0, numbers), computed=False)
    asked = ir.ReadCell(AIM, (), numbers)
    keys = tuple(
        ir.Cases(
            tuple(
                (
                    ir.CompareValues(
                        "==", asked, ir.Const(number, numbers), types.Flag()
                    ),
                    aim.keys[place],
                )
                for number, aim in enumerate(aims)
            ),
            ir.Const(0, WIDE),
            WIDE,
        )
        for place in range(2)
    )
    return replace(
        program,
        states={**program.states, AIM: cell},
        winners=ir.Const((), program.winners.type),
        striving=ir.Ranking(keys, "most", program.winners_slot),
        fingerprint=f"{program.fingerprint}, pressed",
    )


# ---- games


def pressed(program: ir.Program, games: int) -> Iterator[str]:
    """Press each bounded thing in some games; yield what went wrong, with its aim.

    A table at which all of these games stall is wrong too: nobody can ever win there.
    """
    aims = aims_of(program)
    if not aims:
        return
    program = with_aims(program, aims)
    module = emit(program)
    # Where what is hidden hangs on what is under way, bots cannot imagine games.
    greedy = 0 if module.no_greedy else (1 << program.seats) - 1
    machine = CompiledMachine(module)
    ends = set[int]()
    try:
        for number, aim in enumerate(aims):
            for seed in range(games):
                problem = _game(machine, program, number, greedy, seed)
                ends.add(machine.header("outcome"))
                if problem:
                    yield f"{aim.words}, seed {seed}: {problem}"
                    break
        if ends == {STALLED}:
            yield "every game stalls"
    finally:
        machine.close()


def _game(
    machine: CompiledMachine, program: ir.Program, aim: int, greedy: int, seed: int
) -> str:
    """Play one game; return what went wrong, or nothing."""
    random = Random(seed)
    last, at_ends = STYLES[seed % len(STYLES)]
    try:
        block = machine.reset(seed, 0)
        memory = machine.module.memory
        store = read_store(block, memory)
        store.cells[AIM][0] = aim
        write_store(block, memory, store)
        machine.enter(block)
        for seat in range(program.seats):
            machine.seed_bot(seat, Stream.seeded(seed, aim, f"bot/{seat}"))
        machine.call("advance")
        for _ in range(DECISIONS_AT_MOST):
            if machine.header("outcome"):
                break
            if random.random() < at_ends:
                machine.call("choose", random.choice((0, machine.call("options") - 1)))
            elif random.random() < last:
                machine.call("choose", machine.call("options") - 1)
            else:
                machine.decide(greedy)
            machine.call("advance")
    except Faulted as found:
        fault = found.fault
        if fault is None:
            raise
        return f"{fault.span}: {fault.code} {fault.message}"
    return ""
