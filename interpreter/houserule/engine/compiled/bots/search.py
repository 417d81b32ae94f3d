"""The search bot inside the module: `search.wat`, and what depends on the program.

A seat's view is hashed into a number, which distinguishes the same views as
`sight_number` of `reference.numbers`, but mixes more words at a time.
"""

from __future__ import annotations

from houserule.engine.bots.imagined import hides
from houserule.engine.bots.objective import (
    EXPLORATION,
    WHOLE,
    exploration_of,
    is_solved,
    only_ends_tell,
    unfinished_of,
)
from houserule.engine.bots.search import AHEAD, AHEAD_UNVALUED, ALONE, SERVES
from houserule.engine.bots.tree import (
    CREDIT,
    CREDIT_EXPLORATION,
    DEEPEST,
    EDGES,
    FAR,
    FLAT,
    PARTS,
    SHORT,
    TURNS,
)
from houserule.engine.compiled.bots.imagined import ImaginedGames
from houserule.engine.compiled.context import CompilationContext
from houserule.engine.compiled.functions import Code, Function, i32, i64
from houserule.engine.compiled.memory.layout import RECORDS
from houserule.engine.compiled.options.offers import OfferWriter
from houserule.engine.reference.numbers import NUMBER_START, UNSEEN

STATE = (
    *("sought", "edges_made", "root_count", "root_node", "root_key"),
    *("way_length", "depth_in_tree", "beyond", "based", "valued"),
    *("asked_before", "broken", "decided", "certain", "known_length", "served"),
    *("table", "last_slot"),
    *("node_key", "node_low", "node_high", "credits_here"),
    *("short", "longest", "stopped"),
    *("aim_option", "aim_whole", "aim_passes", "passes_made", "counted"),
)
SLOTS = EDGES * 2  # of the largest table of edges: half of them are taken at most
FIRST, WIDENING = SLOTS >> 6, 2
"""How many slots the first table has; bits by which each next has more."""


def write_search(
    context: CompilationContext, imagined: ImaginedGames, offers: OfferWriter, keys: int
) -> dict[str, int]:
    """Write the program's part; return the addresses that the common part wants.

    At `keys` it stands how each seat stands, once `$look_standing` was called.
    """
    _sight(context, imagined)
    data, program = context.data, context.program
    ranking, seats = program.bot_ranking.keys, program.seats
    # Constants that depend on whether only the end of a game counts.
    #
    # Then an edge has its proof numbers where others have how often it was met.
    ends = only_ends_tell(context.program)
    return {
        **{name: data.room(8) for name in STATE},
        "way": data.room(RECORDS["visit"]["width"] * DEEPEST),
        "arms": data.room(RECORDS["arm"]["width"] * max(FLAT, PARTS)),
        "said": data.room(max(offers.most_frame_bytes(), 8)),
        "said_bytes": max(offers.most_frame_bytes(), 8),
        "said_words": max(offers.most_frame_bytes() // 8, 1),
        "got": data.room(8 * seats),
        "all_gained": data.room(8 * seats),
        "keys": keys,
        "first_leads": data.room(8 * seats * max(len(ranking), 1)),
        "gained": data.room(8 * seats * max(len(ranking), 1)),
        "spread": data.room(8 * max(len(ranking), 1)),
        "ranking_keys": len(ranking),
        "leads_end": 8 * seats * len(ranking),
        "seat_bytes": 8 * seats,
        # The same in all programs.
        "visit_width": RECORDS["visit"]["width"],
        "arm_width": RECORDS["arm"]["width"],
        "whole": WHOLE,
        "half": WHOLE // 2,
        "serves": SERVES,
        "alone": ALONE,
        "flat": FLAT,
        "parts": PARTS,
        "parts_less_one": PARTS - 1,
        "deepest": DEEPEST,
        "edges_at_most": EDGES,
        "nearest": SLOTS - 1,
        "last_of_all": SLOTS - 1,
        "first_slots": FIRST - 1,
        "widening": WIDENING,
        "widened": (1 << WIDENING) - 1,
        "ahead_unvalued": AHEAD_UNVALUED,
        "short_game": SHORT,
        "turns": TURNS,
        "far": FAR,
        "credit_half": CREDIT,
        "whole_exploration": round(EXPLORATION * WHOLE),
        "credit_percent": round(CREDIT_EXPLORATION * 100),
        "unseen": UNSEEN,
        "exploration": round(exploration_of(program) * WHOLE),
        "unfinished_percent": round(unfinished_of(program) * 100),
        "ahead": AHEAD if ranking else AHEAD_UNVALUED,
        **{
            "only_ends_tell": int(ends),
            "met_once": 0x10001 if ends else 1,
            "counts_met": int(not ends),
        },
        "common": int(program.bot_ranking.common),
        "is_solved": int(is_solved(program)),
        "all_open": int(not hides(program)),
        "spread_bytes": 8 * max(len(ranking), 1),
    }


def room_for_tree(context: CompilationContext, block: int) -> dict[str, int]:
    """Return where the edges of the tree are kept, and positions to turn back to."""
    slots, table = 0, FIRST
    while table <= SLOTS:
        slots, table = slots + table, table << WIDENING
    kept = SHORT + TURNS + 1  # a pass may turn back from where one before turned back
    ends = only_ends_tell(context.program)
    return {
        "kept_positions": kept,
        "positions": context.data.room(block * kept if ends else 0),
        "tree": context.data.room(RECORDS["edge"]["width"] * slots),
    }


def _sight(context: CompilationContext, imagined: ImaginedGames) -> None:
    """Write `$sight`: the hash of the view of the thinking seat."""
    memory, program = context.memory, context.program
    f = Function("$sight", (), ("i64",))
    f.locals.append(("$h", "i64"))
    f.set("$h", i64(NUMBER_START))
    f.add("(call $look_who_sees)")
    for name, cells in memory.cells.items():
        each = max(cells.words, 1)
        width = "words" if cells.words else "numbers"
        seen = imagined.seen.get(name)
        _mix(f, width, seen, cells.at, cells.count, each)
    for name, zone in memory.zones.items():
        seen, count = imagined.seen.get(name), zone.masks.count
        known = memory.known[program.zones[name].member.name].at
        row = i32(0) if seen is None else i32(seen)
        order = int(zone.order is not None)
        things = memory.known[program.zones[name].member.name].count
        args = f"{i32(zone.place)} {i32(count)} {row} {i32(known)} {i32(things)}"
        f.set("$h", f"(call $mix_zones (local.get $h) {args} {i32(order)})")
    for cells in memory.tokens.values():
        _mix(f, "numbers", None, cells.at, cells.count, 1)
    for kind, cells in memory.faces.items():
        seen = imagined.seen.get(kind)
        if seen is None:
            _mix(f, "numbers", None, cells.at, cells.count, 1)
            continue
        known = memory.known[kind].at
        args = f"{i32(cells.at)} {i32(cells.count)} {i32(seen)} {i32(known)}"
        f.set("$h", f"(call $mix_faces (local.get $h) {args})")
    f.add("(local.get $h)")
    context.add(f)


def _mix(
    f: Function, width: str, seen: int | None, at: int, count: int, each: int
) -> None:
    """Mix a row of cells of a number of words each."""
    if not count:
        return
    args: Code = f"(local.get $h) {i32(at)}"
    if seen is None:
        f.set("$h", f"(call $mix_{width} {args} {i32(count * each)})")
    elif width == "numbers" and each == 1:
        f.set("$h", f"(call $mix_seen_cells {args} {i32(count)} {i32(seen)})")
    else:
        more = f"{i32(count)} {i32(each)} {i32(seen)}"
        f.set("$h", f"(call $mix_seen_{width} {args} {more})")
