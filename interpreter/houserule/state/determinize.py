"""Determinisation: a state drawn at random among those that look the same to a seat.

What the seat does not see is dealt, thrown or drawn again; all else stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from houserule import ir
from houserule.ir.types import (
    Data,
    Flag,
    Maybe,
    Position,
    Set,
    Type,
    least,
    members,
)
from houserule.ir.walk import stream_tags
from houserule.state.domains import size_of
from houserule.state.faults import RuleFault
from houserule.state.view import Evaluates, HiddenPlace, Visibility, hidden_places

if TYPE_CHECKING:
    from houserule.state.store import Store

TRIES = 20
NONE_AMONG_AT_MOST = 1 << 31  # among more values, none is never drawn


Held: TypeAlias = Mapping[str, Mapping[int, str]]
"""By kind and thing: a text that tells apart in what variables of effects it stands."""


class RandomSource(Protocol):
    """What numbers are drawn from, such as `engine.random_numbers.Stream`."""

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each alike."""


@dataclass(frozen=True, slots=True)
class Redealt:
    """A state drawn anew, and what was dealt to the place of each hidden thing.

    `dealt` has by kind the hidden things of the first state, and for each the thing
    that lies in its place now.
    """

    store: Store
    dealt: Mapping[str, Mapping[int, int]]


def determinise(
    program: ir.Program,
    evaluator: Evaluates,
    store: Store,
    seat: int,
    source: RandomSource,
) -> Store:
    """Return a state that looks the same to a seat: that of `redeal`."""
    return redeal(program, evaluator, store, seat, source).store


def redeal(
    program: ir.Program,
    evaluator: Evaluates,
    store: Store,
    seat: int,
    source: RandomSource,
    *,
    held: Held | None = None,
) -> Redealt:
    """Return a state that looks the same to a seat, with all it does not see redrawn.

    With `held` the same draws give the same state, whichever of the states that look
    the same is the true one: `held` says by kind what effects under way do with things.


    Hidden things are dealt among hidden places so that what shows of each still shows;
    every such deal is alike wherever the places that show more lie within those that
    show less. Hidden dice are thrown, hidden cells drawn from their types so that the
    invariants hold (after some tries in vain they get their first values). All chance
    to come is fresh.
    """
    visibility = Visibility(program, evaluator, store, seat)
    world = store.clone()
    dealt = {
        kind: _deal(visibility, world, kind, source, held)
        for kind in store.layout.components
    }
    world.locate()
    for kind, faces in store.layout.faces.items():
        for die in range(len(store.faces[kind])):
            if not visibility.face(kind, die):
                world.faces[kind][die] = faces[source.below(len(faces))]
    world.touch()
    _draw_cells(visibility, world, evaluator, source)
    for tag in sorted(stream_tags(program)):
        world.streams[tag] = source.below(1 << 32) << 32 | source.below(1 << 32)
    return Redealt(world, dealt)


# ---- things


def _deal(
    visibility: Visibility,
    world: Store,
    kind: str,
    source: RandomSource,
    held: Held | None,
) -> dict[int, int]:
    """Deal the hidden things of a kind; return by thing what has its place now."""
    lying = hidden_places(visibility, kind)
    if not lying:
        return {}
    things = list(lying.values())
    if held is not None:
        lying = _by_look(visibility.program, lying, held.get(kind, {}))
        things.sort()
    fitting = {
        place: [t for t in things if visibility.shown(place.zone, t) == place.shown]
        for place in lying
    }
    dealt: dict[int, HiddenPlace] = {}
    # Places with the fewest candidates first: where candidates are nested, the choice
    # at each place is then free, and every deal is as likely as any other.
    for place in sorted(lying, key=lambda each: len(fitting[each])):
        free = [thing for thing in fitting[place] if thing not in dealt]
        if free:
            dealt[free[source.below(len(free))]] = place
        else:
            _make_room(place, fitting, dealt, set())
    _place_dealt(world, kind, dealt)
    return {lying[place]: thing for thing, place in dealt.items()}


def _by_look(
    program: ir.Program, lying: Mapping[HiddenPlace, int], held: Mapping[int, str]
) -> dict[HiddenPlace, int]:
    """Return hidden places in an order that says nothing of what lies there.

    In a set they stand in the order of the things; here, of what shows of them, then of
    what effects under way do with them.
    """
    zones = {name: number for number, name in enumerate(program.zones)}

    def look(place: HiddenPlace) -> tuple[int, int, int, str, int, str]:
        nth = place.nth if program.zones[place.zone].kind == "pile" else 0
        where = (zones[place.zone], place.index, nth)
        return *where, repr(place.shown), place.known, held.get(lying[place], "")

    return {place: lying[place] for place in sorted(lying, key=look)}


def _make_room(
    place: HiddenPlace,
    fitting: dict[HiddenPlace, list[int]],
    dealt: dict[int, HiddenPlace],
    tried: set[int],
) -> bool:
    """Deal to a place what fits there, also what another place holds already.

    That place then gets something else (an augmenting path, as in bipartite matching:
    `tried` are the things on the path so far). False where no path leads to a free
    thing, which cannot be: what lies there now is one deal that fits.
    """
    for thing in fitting[place]:
        if thing not in tried:
            tried.add(thing)
            other = dealt.get(thing)
            if other is None or _make_room(other, fitting, dealt, tried):
                dealt[thing] = place
                return True
    return False


def _place_dealt(world: Store, kind: str, dealt: dict[int, HiddenPlace]) -> None:
    lying: dict[tuple[str, int], list[int]] = {}
    for thing, place in dealt.items():
        where = (place.zone, place.index)
        if where not in lying:
            lying[where] = list(world.zones[place.zone][place.index])
        lying[where][place.nth] = thing
        world.known[kind][thing] = place.known
    for (zone, index), things in lying.items():
        is_pile = world.layout.program.zones[zone].kind == "pile"
        world.zones[zone][index] = tuple(things if is_pile else sorted(things))


# ---- cells


def _draw_cells(
    visibility: Visibility, world: Store, evaluator: Evaluates, source: RandomSource
) -> None:
    hidden = [
        (state, index)
        for state, plan in visibility.program.states.items()
        if plan.seen is not None
        for index in range(len(world.cells[state]))
        if not visibility.cell(state, index)
    ]
    if not hidden:
        return
    for _ in range(TRIES):
        for state, index in hidden:
            type_ = visibility.program.states[state].type
            world.cells[state][index] = _drawn(type_, source)
        world.touch()
        if _invariants_hold(visibility.program, world, evaluator):
            return
    for state, index in hidden:
        world.cells[state][index] = world.layout.first[state][index]
    world.touch()


def _invariants_hold(program: ir.Program, world: Store, evaluator: Evaluates) -> bool:
    try:
        return all(
            any(
                evaluator.closed(test, world)
                for test in (each.test, *(lift for _, lift in each.lifts))
            )
            for each in program.always
        )
    except RuleFault:
        return False


def _drawn(type_: Type, source: RandomSource) -> Data:
    match type_:
        case Maybe(inner):
            many = (size_of(inner) or 0) + 1
            none = many <= NONE_AMONG_AT_MOST and source.below(many) == 0
            return None if none else _drawn(inner, source)
        case Set(member, part):
            chosen = tuple(each for each in members(member) if source.below(2))
            return chosen if chosen or not part else _drawn(type_, source)
        case Position():
            return least(type_)
        case Flag():
            return bool(source.below(2))
        case _:
            every = members(type_)
            return every[source.below(len(every))]
