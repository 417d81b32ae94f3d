"""The module of one program: its text, and the addresses that a host needs.

How a program becomes WebAssembly. The emitter makes text in one go, from the core, with
no intermediate form. A `CompilationContext` holds the facts: the program, the layout of
memory, constants, numbers of faults and sites, and the functions written so far. The
writers are objects that share it. `emit` constructs them from the inside out, each with
the writers that it uses, and then lets them write.

- *Analyses* answer questions about nodes of the core: bounds on work (`Costs`),
  constant results (`ConstantArrays`), reads and writes of the state (`Versions`).
- `Translator` and `Expressions` turn an expression into an operand: text in folded form
  that later code embeds. `functions` explains when an operand needs a local.
- Every other writer writes whole functions: `$walk.…` counts the options of an action
  or finds one by number, `$action.…`, `$effect.…`, `$step.…` and `$reaction.…` are
  procedures, `$phase.…` and `$next.…` are the flow. A method writes several functions,
  one after another, as they stand in the text; `each_case` writes a switch in place.

The rest of the module is the same for all programs and is written by hand:
`runtime.wat`, and `greedy.wat` and `search.wat` for the bots. It calls the generated
functions by name and finds data by names in braces, which are replaced by numbers here.

Why the module looks as it does. A game must be cheap to copy, because bots copy it for
each pass. So the state of a game is one block of bytes at a fixed address. Running
effects are in it too: procedures have static frames there instead of the stack of
WebAssembly, and stop at a decision by storing the place to continue (`ResumableCode`).
Memos are outside the block, each with the version of the state that it belongs to.
Memory has a fixed size and never grows, so addresses are constants of the text. The
order of evaluation is that of the reference engine, so that the same fault arises at
the same place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from houserule import ir
from houserule.base.limits import AS_QUICK, limit
from houserule.base.resources import own_text
from houserule.base.source import NOWHERE
from houserule.engine.compiled.bots.greedy import (
    ABSENT,
    greedy_text,
    room_for_worlds,
    write_greedy,
)
from houserule.engine.compiled.clauses.procedures import CompiledProcedures
from houserule.engine.compiled.clauses.reactions import ReactionWriter
from houserule.engine.compiled.clauses.writing import write_procedures
from houserule.engine.compiled.context import DATA_AT, CompilationContext, ModuleFault
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.expressions.loops import Loops
from houserule.engine.compiled.expressions.positions import Positions
from houserule.engine.compiled.expressions.queries import Queries
from houserule.engine.compiled.expressions.values import DeclaredValues
from houserule.engine.compiled.flow.endings import hash_function, write_endings
from houserule.engine.compiled.flow.writing import write_flow
from houserule.engine.compiled.functions import NONE_VALUE, Unsupported
from houserule.engine.compiled.memory.codec import initial_block
from houserule.engine.compiled.memory.layout import (
    BOTS_AT,
    FAULT_AT,
    GAME_AT,
    RECORDS,
    START,
    STOP_AT,
    STREAM,
    Memory,
    ProcedureFrame,
)
from houserule.engine.compiled.optimize.constants import ConstantArrays
from houserule.engine.compiled.optimize.masks import Masks
from houserule.engine.compiled.optimize.memoisation import MemoisedQueries, Memos
from houserule.engine.compiled.optimize.numbering import Numbering
from houserule.engine.compiled.optimize.versions import Versions
from houserule.engine.compiled.options.offers import OfferWriter
from houserule.engine.compiled.options.products import Walks
from houserule.engine.reference.evaluate.costs import Costs
from houserule.engine.reference.evaluate.values import Reach
from houserule.engine.reference.evaluate.values import reaches as reaches_of
from houserule.engine.reference.random_numbers import hash_tag
from houserule.engine.state.faults import F10, RuleFault

PAGE = 1 << 16
RESULTS_AT_MOST = 1024  # games of one batch
PAGES_AT_MOST = 512  # 32 MiB
TEXT_AT_MOST = 1 << 24
SEATS_AT_MOST = 30
NAME = re.compile(r"\{([\w.]+)\}")  # in the texts written by hand: an address or a size
OWN = ";; ==== this table's rules\n"
ARRAYS = ";; ==== tables of constants\n"


@dataclass(frozen=True)
class Module:
    """A compiled program.

    Attributes:
        text: the module as WebAssembly text.
        memory: the layout of its memory.
        faults: possible faults, by number less one.
        phases: the names of the phases, by number.
        sites: the decision sites, by number.
        counters: the address of the run counter of each clause.
        results: the address of the results of a batch, a row for each game.
        width: the bytes of such a row.
        block: the bytes of the state block, from `START`.
        frames: the frame of each procedure.
        pages: how many pages of 64 KiB its memory has; it never grows.
        bots: the address of the streams of the bots, 24 bytes each.
        worlds: the address of the games that a greedy bot imagines, a block each.
        shadows: the address of the last known results of each watched value.
        stage: the address of the greedy bot's stage; 0 while it does not imagine.
        efforts: the address of the effort of each seat's search bot in game 0, 4 bytes
        each: decisions if positive, milliseconds if negative, 0 for another bot.
        efforts_now: the same in the game under way.
        search_number: the address of the number of the running search; then of one that
            is to end; then its effort.
        looked_at: the address of the number of decisions that the search examined.
        no_greedy: why greedy bots cannot play here; empty if they can.
        exports: what a host may call in addition to `EXPORTS` of `machine`.
    """

    text: str
    program: ir.Program
    memory: Memory
    faults: tuple[ModuleFault, ...]
    phases: tuple[str, ...]
    sites: tuple[str, ...]
    counters: dict[str, int]
    results: int
    width: int
    block: int
    frames: dict[str, ProcedureFrame]
    pages: int
    bots: int
    worlds: int
    shadows: dict[str, int]
    stage: int
    efforts: int
    efforts_now: int
    search_number: int
    looked_at: int
    no_greedy: str
    exports: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parts:
    """The writers that an extension of a module may use."""

    context: CompilationContext
    reaches: Mapping[str, Reach]
    versions: Versions
    translator: Translator
    procedures: CompiledProcedures


class Extension(Protocol):
    """An extension of a module: more functions, and memory after the rest.

    Attributes:
        exports: the functions that a host calls.
        text: functions that are written by hand; names in braces are addresses.
    """

    exports: tuple[str, ...]
    text: str

    def write(self, parts: Parts) -> None:
        """Write its functions.

        Raises:
            Unsupported: they cannot be written for this program.
        """

    def addresses(self, block: int) -> dict[str, int]:
        """Lay out its memory, for state blocks of that size; return addresses."""


def emit(program: ir.Program, extension: Extension | None = None) -> Module:
    """Compile a program.

    Raises:
        Unsupported: it says something that cannot be compiled, is too large, or fails
            before the first move.
    """
    if program.seats > SEATS_AT_MOST:
        raise Unsupported(f"{program.seats} seats")
    try:
        module = _compile(CompilationContext(program), extension)
    except RecursionError:
        raise Unsupported("values that call each other too deeply") from None
    if len(module.text) > TEXT_AT_MOST:
        raise Unsupported(f"a text of {len(module.text)} characters")
    return module


def _compile(context: CompilationContext, extension: Extension | None) -> Module:
    """Write all functions of a program, in the order of their text."""
    program, memory, data = context.program, context.memory, context.data

    # Analyses, optimisations and expressions.
    reaches, costs = reaches_of(program), Costs(program)
    versions, memos = Versions(program, context.access), Memos(data)
    constants = ConstantArrays(context, reaches, costs)
    numbering = Numbering(context)
    masks = Masks(context, reaches, costs, constants)
    loops = Loops(context, numbering, masks)
    memoised = MemoisedQueries(context, reaches, versions, memos)
    values = DeclaredValues(
        context, reaches, costs, constants, versions, memos, memoised
    )
    positions = Positions(context, versions)
    queries = Queries(loops, costs)
    translator = Translator(context, memoised, values, queries, positions)
    walks = Walks(context, translator, loops, numbering)

    # Procedures, options, the flow and bots.
    procedures = CompiledProcedures(context)
    reactions = ReactionWriter(context, reaches, versions, translator, procedures)
    write_procedures(context, loops, walks, costs, procedures)
    reactions.write()
    offers = OfferWriter(context, reaches, costs, versions, memos, walks, procedures)
    offers.write()
    addresses = write_flow(context, translator, procedures, offers)
    write_endings(context, translator)
    context.add(hash_function(memory))
    greedy, no_greedy = write_greedy(
        context, reaches, versions, translator, offers, procedures.frames
    )
    if extension is not None:
        parts = Parts(context, reaches, versions, translator, procedures)
        extension.write(parts)
    stamps = list(reactions.stamps.values())
    rooms = positions.finish(procedures.frames, reactions.region, stamps)
    addresses_of = {name: cells.at for name, cells in memory.cells.items()}
    for each in memory.inverse.functions(addresses_of, data.raw):
        context.add(each)
    context.add(memos.forgetting())
    context.add(versions.renewing())

    # The numbers that replace names in braces in the texts that are written by hand.
    bot_streams = [hash_tag(f"bot/{seat}") for seat in range(program.seats)]
    lost = context.fault(F10, "It is not in progress here.", NOWHERE)
    addresses |= greedy | memory.header
    for record, offsets in RECORDS.items():
        addresses |= {f"{record}.{name}": at for name, at in offsets.items()}
    addresses |= {
        "fault": FAULT_AT,
        "games_ended": GAME_AT,
        "stop": STOP_AT,
        "greedy_seats": BOTS_AT,
        "start": START,
        "none": NONE_VALUE,
        "stream_width": STREAM,
        "stack": memory.stack,
        "streams": len(memory.tags),
        "stream_at": memory.streams,
        "tag_table": data.words([hash_tag(tag) for tag in memory.tags] or [0]),
        "bot_at": data.room(STREAM * program.seats),
        "bot_table": data.words(bot_streams),
        "order": data.room(32),  # the arguments of a batch: see `$batch`
        "efforts": data.room(4 * program.seats),
        "efforts_now": data.room(4 * program.seats),  # those of `efforts`, turned
        "search_number": data.room(16),
        "searching": data.room(8),
        "looked_at": data.room(8),
        "seats": program.seats,
        "not_under_way": lost,
        "work_at_most": limit("work") * AS_QUICK,
        "steps_at_most": limit("steps"),
    }

    # Results and the first state come last: only now the size of a block is known.
    width = RECORDS["result"]["scores"] + 8 * program.seats
    results = data.room(width * RESULTS_AT_MOST)
    block = memory.allocator.at - START
    if memory.allocator.at > DATA_AT:
        raise Unsupported("a state of more than a megabyte")
    initial = data.room(block)
    addresses |= {
        "results": results,
        "result_width": width,
        "initial": initial,
        "block": block,
        **room_for_worlds(context, block),
    }
    if extension is not None:
        addresses |= extension.addresses(block)
    pages = -(-data.end // PAGE) + 1
    if pages > PAGES_AT_MOST:
        raise Unsupported(f"tables of {pages} pages")
    try:
        data.parts.append((initial, initial_block(memory, reactions.shadows, block)))
    except RuleFault as fault:
        raise Unsupported(f"rules that fail before the first move: {fault}") from None

    # The text. Counters are put in at the end: only now all of them are known.
    by_hand = own_text(Path(__file__).with_name("runtime.wat"))
    by_hand += ABSENT if no_greedy else greedy_text()
    by_hand += extension.text if extension else ""
    runtime = NAME.sub(lambda name: str(addresses[name[1]]), by_hand)
    functions = versions.put_in("".join(f.text() for f in context.functions))
    constant_data = ""
    for at, content in data.parts:
        escaped = "".join(f"\\{byte:02x}" for byte in content)
        constant_data += f'(data (i32.const {at}) "{escaped}")\n'
    text = (
        f'(module\n(memory (export "memory") {pages} {pages})\n'
        "(global $hit (mut i32) (i32.const 0))\n"
        "(global $advised (mut i32) (i32.const 0))\n"
        "(global $asking (mut i32) (i32.const 0))\n"
        "(global $listing (mut i32) (i32.const 0))\n"
        "(global $counting (mut i32) (i32.const 1))\n"
        "(global $tallying (mut i32) (i32.const 0))\n"
        "(global $eye (mut i32) (i32.const 0))\n"
        "(global $imagined (mut i32) (i32.const 0))\n"
        "(global $quiet (mut i32) (i32.const 0))\n"
        "(global $left (mut i32) (i32.const 0))\n"
        "(global $steps (mut i32) (i32.const 0))\n"
        f"{versions.declared()}{rooms}{runtime}\n"
        f"{OWN}{functions}{ARRAYS}{constant_data})\n"
    )
    return Module(
        text=text,
        program=program,
        memory=memory,
        faults=tuple(context.faults),
        phases=memory.phase_names,
        sites=tuple(context.sites),
        counters=procedures.counters,
        results=results,
        width=width,
        block=block,
        frames=procedures.frames,
        pages=pages,
        bots=addresses["bot_at"],
        worlds=addresses["worlds"],
        shadows=reactions.shadows,
        stage=addresses["stage"],
        efforts=addresses["efforts"],
        efforts_now=addresses["efforts_now"],
        search_number=addresses["search_number"],
        looked_at=addresses["looked_at"],
        no_greedy=no_greedy,
        exports=extension.exports if extension else (),
    )
