"""The greedy bot inside the module: `greedy.wat`, and what depends on the program.

Determinization is written by `imagined`; this module has its memory and the value of a
position.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from houserule.base.resources import own_text
from houserule.engine.bots.greedy import MOST_AHEAD, MOST_COPIES, MOST_TRIED
from houserule.engine.compiled.bots.imagined import ImaginedGames
from houserule.engine.compiled.bots.search import room_for_tree, write_search
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.expressions.expressions import Translator
from houserule.engine.compiled.flow.endings import write_key
from houserule.engine.compiled.functions import Function, Unsupported, i32
from houserule.engine.compiled.memory.layout import ProcedureFrame
from houserule.engine.compiled.optimize.versions import Versions
from houserule.engine.compiled.options.offers import OfferWriter
from houserule.engine.reference.evaluate.values import Reach

STATE = (
    *("stage", "thinker", "tried", "wanted", "made", "option", "world"),
    *("pending", "uncertain"),
)
ABSENT = """\
(func $decide_greedily (unreachable))
(func $recover (export "recover") (unreachable))
(func $decide_by_search (unreachable))
(func $begin_search (export "begin_search") (unreachable))
(func $search_on (export "search_on") (param $n i32) (result i32) (unreachable))
(func $take_best (export "take_best") (unreachable))
(func $edge_of (export "edge_of") (param $low i64) (param $high i64) (result i32)
  (unreachable))
(func $begin_aim (export "begin_aim") (param $n i64) (param $whole i32) (unreachable))
(func $pass_through (export "pass_through") (param $n i32) (result i32) (unreachable))
(func $passes (export "passes") (result i32) (unreachable))
(func $counted (export "counted") (result i32) (unreachable))
(func $gained_by (export "gained_by") (param $seat i32) (result i64) (unreachable))
"""
PARTS = ("greedy.wat", "search.wat")


def write_greedy(
    context: CompilationContext,
    reaches: Mapping[str, Reach],
    versions: Versions,
    translator: Translator,
    offers: OfferWriter,
    frames: Mapping[str, ProcedureFrame],
) -> tuple[dict[str, int], str]:
    """Write the program's part; return addresses, and why the bot cannot play.

    If a program is unsupported, nothing is written; random bots can still play it.
    """
    names = {name: context.data.room(8) for name in STATE}
    header, program = context.memory.header, context.program
    before, ranking, width = (
        len(context.functions),
        program.bot_ranking,
        8 * program.seats,
    )
    try:
        imagined = ImaginedGames(context, reaches, versions, translator, frames)
        names |= imagined.write()
        keys = context.data.room(width * max(len(ranking.keys), 1))

        # Add the value of a seat's position to a row: whether it won, how far it leads.
        # At `keys`
        # the keys of all seats are laid down, one key after the other.
        f = Function("$stand", (("$seat", "i32"), ("$to", "i32")))
        # A game that is drawn adds nothing: all stand alike, and nobody has won.
        with f.when(
            f"(i32.eq (i32.load (i32.const {header['outcome']})) (i32.const 3))"
        ):
            f.add("(return)")
        rooms = [i32(keys + width * number) for number in range(len(ranking.keys))]
        looking = Function("$look_standing")
        for number, (key, room) in enumerate(zip(ranking.keys, rooms, strict=True)):
            title = f"$key.{number}" if number or program.striving else "$scores"
            if title != "$scores":
                write_key(context, translator, title, key, ranking.slot)
            looking.add(f"(call {title} {room})")
        context.add(looking)
        f.add("(call $look_standing)")
        # Here nothing fails any more: a game that failed adds nothing but that it did.
        with f.when(
            f"(i32.eq (i32.load (i32.const {header['outcome']})) (i32.const 1))"
        ):
            seat = "(i64.extend_i32_u (local.get $seat))"
            winners = f"(i64.load (i32.const {header['winners']}))"
            bit = f"(i64.and (i64.shr_u {winners} {seat}) (i64.const 1))"
            won = f"(select (i64.const 1) (i64.const -1) (i64.ne {bit} (i64.const 0)))"
            f.add(f"(call $add_to (local.get $to) {won})")
        for number, room in enumerate(rooms):
            to = f"(i32.add (local.get $to) {i32(8 + 8 * number)})"
            f.add(f"(call $add_to {to} (call $lead {room} (local.get $seat)))")
        context.add(f)

        names |= write_search(context, imagined, offers, keys)
    except Unsupported as error:
        del context.functions[before:]
        return names, str(error)
    sum_width, choice_width = 8 * (1 + len(ranking.keys)), 8 + offers.most_frame_bytes()
    return {
        **names,
        "world_luck": context.data.room(24 * (MOST_COPIES // 2)),
        "picks": context.data.room(8 * MOST_TRIED),
        "choices": context.data.room(choice_width * MOST_TRIED),
        "choice_width": choice_width,
        "sums": context.data.room(sum_width * MOST_TRIED),
        "sum_width": sum_width,
        "most_tried": MOST_TRIED,
        "most_copies": MOST_COPIES,
        "most_ahead": MOST_AHEAD,
        "direction": 1 if ranking.direction == "most" else -1,
        "against": int(program.seats > 1 and not ranking.common),
    }, ""


def room_for_worlds(context: CompilationContext, block: int) -> dict[str, int]:
    """Return the addresses of the copies of the real game and of imagined games."""
    return {
        "real": context.data.room(block),
        "worlds": context.data.room(block * (MOST_COPIES // 2)),
        **room_for_tree(context, block),
    }


@cache
def greedy_text() -> str:
    """Return the parts that are written by hand."""
    return "".join(own_text(Path(__file__).with_name(name)) for name in PARTS)
