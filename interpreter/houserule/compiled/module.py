"""The whole module of one program: its text, and what a host must know of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from houserule import ir
from houserule.compiled.bots.greedy import (
    ABSENT,
    greedy_text,
    room_for_worlds,
    write_greedy,
)
from houserule.compiled.clauses.procedures import Procedures
from houserule.compiled.clauses.reactions import Reactions
from houserule.compiled.context import STATE_AT_MOST, Fault, Unit
from houserule.compiled.flow.endings import FIXED, write_endings
from houserule.compiled.flow.flow import Flow
from houserule.compiled.memory.codec import initial_block
from houserule.compiled.memory.hashing import write_hash
from houserule.compiled.memory.layout import START, Frame, Memory
from houserule.compiled.options.offering import Offering
from houserule.compiled.writer.functions import Unsupported
from houserule.engine.random_numbers import hash_tag
from houserule.source import NOWHERE
from houserule.state.faults import RuleFault

PAGE = 1 << 16
RESULTS_AT_MOST = 1024  # games of one batch
PAGES_AT_MOST = 512  # 32 MiB
TEXT_AT_MOST = 1 << 24
SEATS_AT_MOST = 30
OWN = ";; ==== this table's rules\n"
TABLES = ";; ==== tables of constants\n"


@dataclass(frozen=True)
class Module:
    """A compiled program.

    Attributes:
        text: the module as WebAssembly text.
        memory: where everything lies.
        faults: what may go wrong, by number less one.
        phases: the names of the phases, by number.
        sites: the places where something is decided, by number.
        counters: where the runs of each clause are counted.
        results: where a batch lays down what came of its games, a row each.
        width: the bytes of such a row.
        block: the bytes of the state block, from `START`.
        frames: where each procedure keeps its values.
        pages: how many pages of 64 KiB its memory has; it never grows.
        bots: where the streams of the bots are, 24 bytes each.
        worlds: where a greedy bot keeps the games that it imagines, a block each.
        stage: where the greedy bot says that it imagines: 0 where it does not.
        no_greedy: why greedy bots cannot play here; empty where they can.
    """

    text: str
    program: ir.Program
    memory: Memory
    faults: tuple[Fault, ...]
    phases: tuple[str, ...]
    sites: tuple[str, ...]
    counters: dict[str, int]
    results: int
    width: int
    block: int
    frames: dict[str, Frame]
    pages: int
    bots: int
    worlds: int
    stage: int
    no_greedy: str


def emit(program: ir.Program) -> Module:
    """Compile a program.

    Raises:
        Unsupported: it says something that cannot be compiled, is too large, or fails
            before the first move.
    """
    if program.seats > SEATS_AT_MOST:
        raise Unsupported(f"{program.seats} seats")
    try:
        unit = Unit(program)
        procedures = Procedures(unit)
        names, no_greedy = _write(unit, procedures)
        names |= _room(unit, program.seats)
    except RecursionError:
        raise Unsupported("values that call one another too deep") from None
    module = Module(
        _text(unit, names, ABSENT if no_greedy else greedy_text()),
        program,
        unit.memory,
        tuple(unit.faults),
        unit.memory.phase_names,
        tuple(unit.sites),
        procedures.counters,
        names["results"],
        names["result_width"],
        names["block"],
        procedures.frames,
        _pages(unit),
        names["bot_at"],
        names["worlds"],
        names["stage"],
        no_greedy,
    )
    if len(module.text) > TEXT_AT_MOST:
        raise Unsupported(f"a text of {len(module.text)} characters")
    return module


def _write(unit: Unit, procedures: Procedures) -> tuple[dict[str, int], str]:
    """Write all functions; return the addresses that the common part wants.

    Also why greedy bots cannot play, if so.
    """
    reactions = Reactions(unit, procedures)
    unit.shadows = reactions.shadows
    procedures.write()
    reactions.write()
    offering = Offering(unit, procedures)
    offering.write()
    names = Flow(unit, procedures, offering).write()
    write_endings(unit)
    write_hash(unit)
    greedy, no_greedy = write_greedy(unit, offering)
    unit.results.write_forgetting()
    unit.versions.write_renewing()
    return names | greedy | _addresses(unit), no_greedy


def _room(unit: Unit, seats: int) -> dict[str, int]:
    """Lay out results and the first state of a game; return where they are."""
    width = FIXED + 8 * seats
    results = unit.scratch(width * RESULTS_AT_MOST)
    block = unit.memory.taker.at - START
    if unit.memory.taker.at > STATE_AT_MOST:
        raise Unsupported("a state of more than a megabyte")
    initial = unit.scratch(block)
    worlds = room_for_worlds(unit, block)
    if _pages(unit) > PAGES_AT_MOST:
        raise Unsupported(f"tables of {_pages(unit)} pages")
    try:
        unit.data.parts.append((initial, initial_block(unit, block)))
    except RuleFault as fault:
        raise Unsupported(f"rules that fail before the first move: {fault}") from None
    return {
        "results": results,
        "result_width": width,
        "initial": initial,
        "block": block,
        **worlds,
    }


def _addresses(unit: Unit) -> dict[str, int]:
    program, memory = unit.program, unit.memory
    bots = [hash_tag(f"bot/{seat}") for seat in range(program.seats)]
    lost = unit.fault("F10", "It is not under way here.", NOWHERE)
    return {
        **memory.header,
        "stack": memory.stack,
        "streams": len(memory.tags),
        "stream_at": memory.streams,
        "tag_table": unit.data.words([hash_tag(tag) for tag in memory.tags] or [0]),
        "bot_at": unit.scratch(24 * program.seats),
        "bot_table": unit.data.words(bots),
        "order": unit.scratch(32),
        "seats": program.seats,
        "not_under_way": lost,
    }


def _pages(unit: Unit) -> int:
    return -(-unit.data.taker.at // PAGE) + 1


def _text(unit: Unit, names: dict[str, int], greedy: str) -> str:
    pages = _pages(unit)
    runtime = _runtime() + greedy
    for name, value in names.items():
        runtime = runtime.replace("{" + name + "}", str(value))
    data = "".join(
        f'(data (i32.const {at}) "{_escaped(content)}")\n'
        for at, content in unit.data.parts
    )
    functions = unit.versions.put_in("".join(f.text() for f in unit.functions))
    return (
        f'(module\n(memory (export "memory") {pages} {pages})\n'
        "(global $hit (mut i32) (i32.const 0))\n"
        "(global $advised (mut i32) (i32.const 0))\n"
        "(global $asking (mut i32) (i32.const 0))\n"
        "(global $listing (mut i32) (i32.const 0))\n"
        "(global $counting (mut i32) (i32.const 1))\n"
        "(global $eye (mut i32) (i32.const 0))\n"
        f"{unit.versions.declared()}{runtime}\n{OWN}{functions}{TABLES}{data})\n"
    )


@cache
def _runtime() -> str:
    return files("houserule.compiled").joinpath("runtime.wat").read_text("utf-8")


def _escaped(content: bytes) -> str:
    return "".join(f"\\{byte:02x}" for byte in content)
