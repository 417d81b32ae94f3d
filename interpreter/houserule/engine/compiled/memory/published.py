"""The layout of the state block, published: where each part of a state lies.

A program in any language can read a block by this. All numbers are little-endian; for
32-bit numbers `NONE_VALUE` is `none`; a set has a separate word for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from houserule.base.plain import Plain
from houserule.engine.compiled.functions import NONE_VALUE
from houserule.engine.compiled.memory.layout import (
    FIELDS,
    NUMBER,
    START,
    STREAM,
    WORD_BYTES,
    Cells,
    Memory,
    ProcedureFrame,
)
from houserule.engine.compiled.memory.shapes import bounds, in_words, universe
from houserule.ir import types

WORDS = frozenset(
    (
        *("winners", "drawn_by", "ends", "agains", "reopened", "count", "offered"),
        *("offered_more", "answer"),
    )
)
Form: TypeAlias = Literal[
    "number", "word", "flag", "position", "set", "order", "stream", "bytes"
]


class Holds(Plain):
    """The type of an entry.

    A `number` has 32 bits with a sign, a `word` 64 without; a `flag` is a number, 1 for
    yes. A `position` is twice the number of a zone, plus 1 for its bottom. A `set` has
    bit n on if `low` + n is a member; if it may be `none`, a last word is 1 if it is
    present; all words of `none` are 0. An `order` is the number of things in a pile,
    then the things from the bottom, a number each, then zeros. A `stream` of chance is
    three words: its state, its increment, and 1 if it was drawn from. `bytes` hold what
    is at work.
    """

    form: Form
    low: int | None = None
    """The least number or member, if that is known."""
    high: int | None = None
    """The greatest one."""
    none: bool = False
    """Whether an entry may be none."""


class Key(Plain):
    """What tells entries apart."""

    name: str
    type: str
    low: int
    """The least value; of a set, its least member."""
    size: int
    """How many values there are."""
    of_sets: bool
    """Whether values are sets; then the place of one has bit n on for `low` + n."""
    members: list[str]
    """The names of the values, where they have names."""


Group: TypeAlias = Literal[
    "header",
    "streams",
    "cells",
    "lying",
    "orders",
    "where",
    "known",
    "faces",
    "tokens",
    "limits",
    "phases",
    "frames",
    "work",
]


class Run(Plain):
    """A run of equal entries."""

    group: Group
    """`lying`: what lies in each zone. `where`: the zone of each thing, -1 for none.
    `known`: the seats that were shown each thing, bit by bit. `limits`: how often an
    action was taken. `frames`: where a procedure goes on, then its variables. `work`:
    loops under way, and reactions that wait."""
    name: str
    """What it belongs to, as in the rules."""
    at: int
    """The address of the first entry."""
    count: int
    width: int
    """The bytes of an entry."""
    holds: Holds
    keys: list[Key] = []
    """What tells the entries apart; the last key changes from one entry to the next."""


class Zones(Plain):
    """A family of zones, which are numbered one after another."""

    name: str
    first: int
    """The number of the first one."""
    count: int
    kind: Literal["set", "pile", "slot"]
    things: str
    """The kind of thing that lies there."""


class StateLayout(Plain):
    """Where everything of one game lies: the layout of the state block."""

    game: str
    players: int
    rules: str
    """The fingerprint of the composed rules."""
    start: int
    """The address of the block."""
    size: int
    """The bytes of the block."""
    none: int
    """What stands for none, where an entry may be none."""
    things: dict[str, list[str]]
    """The names of things, by kind: a thing is its place there."""
    zones: list[Zones]
    runs: list[Run]


def layout_of(
    memory: Memory, block: int, frames: Mapping[str, ProcedureFrame]
) -> StateLayout:
    """Return the published layout of a state block of a number of bytes."""
    program = memory.program
    number, bytes_ = Holds(form="number"), Holds(form="bytes")
    runs = list(runs_of(memory))
    for name, at in memory.header.items():
        word = name in WORDS
        cells = Cells(at, 1, WORD_BYTES if word else NUMBER)
        runs.append(_run("header", name, cells, Holds(form="word") if word else number))
    for address, at in memory.taken.items():
        runs.append(_run("limits", address, Cells(at, 1, NUMBER), number))
    for name, plan in memory.phases.items():
        for place, field in enumerate(FIELDS):
            cells = Cells(plan.at + NUMBER * place, 1, NUMBER)
            runs.append(_run("phases", f"{name}.{field}", cells, number))
        over = Cells(plan.over, 1, WORD_BYTES)
        runs.append(_run("phases", f"{name}.over", over, Holds(form="word")))
        if plan.room:
            items = Cells(plan.items, plan.room, NUMBER)
            runs.append(_run("phases", f"{name}.items", items, number))
        if plan.room and plan.chosen_width:
            chosen = Cells(plan.chosen, plan.room, plan.chosen_width)
            runs.append(_run("phases", f"{name}.chosen", chosen, bytes_))
    stack = Cells(memory.stack, len(memory.phases) + 1, NUMBER)
    runs.append(_run("phases", "stack", stack, number))
    # Where procedures go on, and what their slots hold.
    for name, frame in frames.items():
        cells = Cells(frame.at, 1, frame.end - frame.at)
        runs.append(_run("frames", name, cells, bytes_))
    runs.sort(key=lambda run: run.at)
    # The room of loops and of reactions that wait: all that has no name.
    gaps, at = list[Run](), START
    for begin, end in (
        *((run.at, run.at + run.count * run.width) for run in runs),
        (START + block, START + block),
    ):
        if begin - at >= WORD_BYTES:
            gaps.append(_run("work", "", Cells(at, 1, begin - at), bytes_))
        at = end
    return StateLayout(
        game=program.game,
        players=program.seats,
        rules=program.fingerprint,
        start=START,
        size=block,
        none=NONE_VALUE,
        things={kind: list(program.labels[kind]) for kind in memory.where},
        zones=list(zones_of(memory)),
        runs=[*runs, *gaps],
    )


def runs_of(memory: Memory) -> Iterator[Run]:
    """Yield the places of the state of a game: the parts of a `Store`."""
    for number, tag in enumerate(memory.tags):
        at = memory.streams + STREAM * number
        yield _run("streams", tag, Cells(at, 1, STREAM), Holds(form="stream"))
    for name, cells in memory.cells.items():
        holds = held(memory.program.states[name].type)
        yield _run("cells", name, cells, holds, _keys(memory, name))
    for name, zone in memory.zones.items():
        space = zone.members
        members = Holds(form="set", low=space.low, high=space.low + space.places - 1)
        yield _run("lying", name, zone.masks, members, _keys(memory, name))
        if zone.order is not None:
            order = Holds(form="order", low=members.low, high=members.high)
            yield _run("orders", name, zone.order, order, _keys(memory, name))
    program = memory.program
    last = sum(zone.masks.count for zone in memory.zones.values()) - 1
    for kind, cells in memory.where.items():
        yield _run("where", kind, cells, Holds(form="number", low=-1, high=last))
    for kind, cells in memory.known.items():
        seats = Holds(form="number", low=0, high=(1 << program.seats) - 1)
        yield _run("known", kind, cells, seats)
    for kind, cells in memory.faces.items():
        faces = memory.layout.faces[kind]
        shown = Holds(form="number", low=min(faces), high=max(faces))
        yield _run("faces", kind, cells, shown)
    for tokens in program.tokens.values():
        amount = Holds(form="number", low=0, high=tokens.amount)
        for slot in tokens.slots:
            keys = _keys(memory, slot)
            yield _run("tokens", slot, memory.tokens[slot], amount, keys)


def _run(
    group: Group, name: str, cells: Cells, holds: Holds, keys: list[Key] | None = None
) -> Run:
    return Run(
        group=group,
        name=name,
        at=cells.at,
        count=cells.count,
        width=cells.width,
        holds=holds,
        keys=keys or [],
    )


def held(type_: types.Type) -> Holds:
    """Return what an entry of a type holds."""
    inner = type_.inner if isinstance(type_, types.Maybe) else type_
    none = isinstance(type_, types.Maybe)
    if in_words(type_):
        space = universe(inner)
        high = space.low + space.places - 1
        return Holds(form="set", low=space.low, high=high, none=none)
    if isinstance(inner, types.Flag):
        return Holds(form="flag", low=0, high=1, none=none)
    if isinstance(inner, types.Position):
        return Holds(form="position", none=none)
    ends = bounds(inner)
    if ends is None:
        return Holds(form="number", none=none)
    return Holds(form="number", low=ends[0], high=ends[1], none=none)


def _keys(memory: Memory, family: str) -> list[Key]:
    found: list[Key] = []
    for axis in memory.layout.families[family].axes:
        of = axis.type.member if isinstance(axis.type, types.Set) else axis.type
        labels = memory.program.labels
        found.append(
            Key(
                name=axis.name,
                type=str(axis.type),
                low=axis.low,
                size=axis.size,
                of_sets=axis.of_sets,
                members=list(labels[of.name]) if isinstance(of, types.Kind) else [],
            )
        )
    return found


def zones_of(memory: Memory) -> Iterator[Zones]:
    """Yield the numbers of all zones."""
    for name, zone in memory.zones.items():
        plan = memory.program.zones[name]
        yield Zones(
            name=name,
            first=zone.place,
            count=zone.masks.count,
            kind=plan.kind,
            things=plan.member.name,
        )
