"""Layout: where everything lies in the module's memory.

The state block holds all of one game and nothing else, so that copying the block
copies the game. It is followed by counters over many games and by arrays of constants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.compiled.memory.inverse import InverseSets
from houserule.engine.compiled.memory.shapes import (
    Universe,
    in_words,
    universe,
    words_of,
)
from houserule.engine.state.layout import Layout
from houserule.ir import types
from houserule.ir.walk import option_binds, stream_tags

# The first bytes, which host and module both know.
FAULT_AT = 8  # the number of the fault that ended the last call, 0: none
GAME_AT = 12  # how many games of the batch under way have ended
STOP_AT = 16  # a host writes 1 here, from any thread, to stop the running call
BOTS_AT = 20  # the seats that greedy bots play, bit by bit
START = 64  # here the state block begins
NUMBER, WORD_BYTES = 4, 8  # the bytes of a number, and of a word of a set
STREAM = 3 * WORD_BYTES  # the bytes of a stream of chance


@frozen
class Cells:
    """A run of equal cells: where it begins, how many, how many bytes each takes."""

    at: int
    count: int
    width: int
    words: int = 0  # of sets, or none; 0: a number of 32 bits

    @property
    def end(self) -> int:
        """The first byte behind it."""
        return self.at + self.count * self.width


@frozen
class ZonePlan:
    """A family of zones: masks of their things, and the order of a pile.

    `order` holds for each pile the number of things, then the things from the bottom.
    """

    place: int  # of the family's first zone among all zones
    masks: Cells
    order: Cells | None
    room: int  # how many things fit a pile's order
    most: int | None
    members: Universe
    kind: str


@frozen
class PhasePlan:
    """One phase under way: fields of 32 bits, then the items, then what was chosen."""

    number: int
    at: int
    over: int
    items: int
    room: int
    chosen: int  # of a phase played together: for each seat the action and its values
    chosen_width: int


FIELDS = ("stage", "index", "passes", "listed", "count", "item", "resolved", "picked")
OVER = NUMBER * len(FIELDS)  # behind them: the children that are over, bit by bit

# Records that the texts written by hand go through, which name a field `{zone.order}`:
# its offset, in bytes. A field at 0 is the first and needs no name there.
RECORDS: Mapping[str, Mapping[str, int]] = {
    "stream": {"state": 0, "increment": 8, "drawn": 16},
    "phase": {**{name: NUMBER * n for n, name in enumerate(FIELDS)}, "over": OVER},
    # of a phase: the addresses of its items and choices, and the bytes of a choice
    "arrays": {"items": 0, "chosen": 4, "width": 8},
    # addresses of the masks and the order (0: none), the capacity (-1: unlimited), and
    # the number of words
    "zone": {"masks": 0, "order": 4, "room": 8, "words": 12},
    # the arguments of a batch
    "order": {
        **{"seed": 0, "first": 8, "games": 16},
        **{"most": 20, "greedy": 24, "rotating": 28},
    },
    # how a game of a batch ended; behind it a score of 8 bytes for each seat
    "result": {
        **{"outcome": 0, "stalled": 4, "winners": 8, "decisions": 16},
        **{"rounds": 20, "state": 24, "lead_changes": 32, "drawn_by": 40},
        "scores": 48,
    },
    # a hidden thing that a greedy bot redeals; and a place, with what lies there
    "hidden": {
        **{"thing": 0, "zone": 4, "number": 8, "shown": 12, "classes": 16},
        **{"fitting": 20, "dealt": 24, "owner": 28, "tried": 32, "barred": 36},
        **{"lies": 40, "ordered": 44, "held": 48, "width": 56},
    },
    # the stream of an imagined game; notes about that game
    "luck": {"failed": 16, "at_once": 20},
    # a choice in the tree of a search; and one of those that are compared
    "edge": {
        **{"key": 0, "search": 8, "tried": 12, "met": 16, "proof": 20},
        **{"to_win": 16, "to_lose": 18, "total": 24, "width": 32},
    },
    "arm": {"key": 0, "edge": 8, "credit": 12, "low": 16, "high": 24, "width": 32},
    # one that a pass took: who chose, and at which node out of which numbers of options
    "visit": {
        **{"edge": 0, "seat": 4, "key": 8, "low": 16, "high": 24, "said": 32},
        **{"depth": 40, "width": 48},
    },
}


class Allocator:
    """Gives out addresses one after another."""

    def __init__(self, at: int) -> None:
        self.at = at

    def take(self, size: int, align: int = WORD_BYTES) -> int:
        """Return the address of a number of bytes."""
        self.at = -(-self.at // align) * align
        at = self.at
        self.at += size
        return at

    def cells(self, count: int, words: int = 0) -> Cells:
        """Return memory for numbers, or for sets of a number of words."""
        width = WORD_BYTES * words if words else NUMBER
        return Cells(self.take(count * width), count, width, words)


@dataclass
class ProcedureFrame:
    """The place of a procedure's values: where it is to go on, then its slots."""

    at: int
    slots: dict[int, int] = field(default_factory=dict)
    end: int = 0  # the first byte behind them


class Memory:
    """The plan of one program's memory."""

    def __init__(self, program: ir.Program, layout: Layout) -> None:
        # In the order of the block: header and streams, what lies on the table, the
        # phases under way. Frames, loops and reactions are laid behind them while the
        # functions that use them are written.
        self.program, self.layout = program, layout
        self.allocator = Allocator(START)
        take = self.allocator
        self.header = {name: take.take(8) for name in HEADER}
        self.tags = stream_tags(program)
        self.streams = take.take(STREAM * len(self.tags))
        self.inverse = InverseSets(program, layout)
        self.cells = {
            state.name: take.cells(
                layout.families[state.name].count,
                words_of(state.type) if in_words(state.type) else 0,
            )
            for state in program.states.values()
        }
        found: dict[str, ZonePlan] = {}
        for zone in self.program.zones.values():
            count = self.layout.families[zone.name].count
            members = universe(types.Set(zone.member))
            masks = self.allocator.cells(count, members.words)
            order, room = None, 0
            if zone.kind == "pile":
                room = min(zone.member.size, zone.at_most or zone.member.size)
                width = NUMBER * (room + 1)
                order = Cells(self.allocator.take(count * width), count, width)
            most = 1 if zone.kind == "slot" else zone.at_most
            place = self.layout.place(zone.name, 0)
            found[zone.name] = ZonePlan(
                place, masks, order, room, most, members, zone.kind
            )
        self.zones = found
        sizes = layout.components
        self.where = {kind: take.cells(size) for kind, size in sizes.items()}
        self.known = {kind: take.cells(size) for kind, size in sizes.items()}
        self.faces = {kind: take.cells(sizes[kind]) for kind in layout.faces}
        self.tokens = {
            slot: take.cells(layout.families[slot].count)
            for tokens in program.tokens.values()
            for slot in tokens.slots
        }
        limits = [
            limit.address for act in program.actions.values() for limit in act.limits
        ]
        self.taken = {address: take.take(NUMBER, NUMBER) for address in limits}
        self.phase_names = ("", *program.phases)
        self.phases: dict[str, PhasePlan] = {}
        for number, name in enumerate(self.phase_names):
            phase = program.phases.get(name, program.root)
            at, over = take.take(NUMBER * len(FIELDS)), take.take(WORD_BYTES)
            room = width = 0
            if phase.source is not None:
                room = max(universe(phase.source.type).places, program.seats)
            items = take.take(NUMBER * room)
            if phase.together:
                words = [
                    sum(len(x.slots) * words_of(x.type) for x in option_binds(action))
                    for step in phase.items
                    for action in map(
                        program.actions.__getitem__, program.steps[step].actions
                    )
                ]
                width = WORD_BYTES * (2 + max(words, default=0))
            chosen = take.take(width * room)
            self.phases[name] = PhasePlan(number, at, over, items, room, chosen, width)
        self.stack = take.take(NUMBER * (len(self.phases) + 1))

    def stream(self, tag: str) -> int:
        """Return the address of a stream of random numbers."""
        return self.streams + STREAM * self.tags.index(tag)

    def field(self, phase: str, name: str) -> int:
        return self.phases[phase].at + NUMBER * FIELDS.index(name)


HEADER = (
    "depth",  # how many phases are under way, the game itself among them
    "doing",  # the number of the action under way, or none
    "task_proc",  # the procedure that runs, -1: none
    "outcome",  # 0: open, 1: won, 2: stalled, 3: drawn
    "stalled",  # the number of the phase in which the game stalled
    "winners",  # seats, bit by bit
    "drawn_by",  # the reasons of a draw, bit by bit
    "end_game",  # whether the game is to end
    "ends",  # phases that are to end, bit by bit
    "agains",  # phases that are to begin again
    "reopened",  # steps that are to open again
    "wished",  # whether anything of these four is requested
    "dirty",  # something was written since watched values were looked at
    "replaced",  # whether the last reaction or replacement took place
    "fired",  # how many reactions fired since all was quiet: a limit ends circles
    "waiting",  # firings that wait
    "first_waiting",  # the first of them that has not fired yet
    "running",  # the reaction that runs, plus one
    "decision",  # 0: none, 1: act, 2: choose, 3: share, 4: ask
    "site",  # where it is decided: a phase, or a number of `Module.sites`
    "seat",  # who decides
    "done",  # `done` is legal
    "count",  # how many options there are
    "offered",  # actions on offer, bit by bit: up to 128 of them
    "offered_more",
    "listing",  # which counting of options this is
    "offering",  # whether options are being counted for a decision that stands
    "answer",  # the number that was chosen, where no action is
    "begun",  # whether a choice was made that is not among the decisions yet
    "decisions",
    "rounds",
    "led",  # how many rounds had begun when leads were looked at
    "leader",  # the last seat that led alone, -1: none yet
    "lead_changes",
)
