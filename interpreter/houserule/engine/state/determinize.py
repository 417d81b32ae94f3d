"""Determinisation: a state drawn at random among those that look the same to a seat.

Hidden things are dealt, hidden dice thrown and hidden cells drawn again; the rest stays
as it is. Bots think about such samples. So a sample depends only on what the seat sees
and on the random numbers, not on the true state, and all possible states should be
equally likely.

*Things.* For each kind, the hidden things of all zones are dealt to the hidden places.
A thing fits a place if it shows there what the place shows now (`showing`) and no
invariant bars it. That is a bipartite matching, sampled greedily: places with the
fewest candidates choose first, at random. If sets of candidates are nested, as they are
without barred things, each place then has the same number of free candidates whatever
was chosen before, so all deals are equally likely. If a place has no free candidate,
`_make_room` finds an augmenting path. There is none only if an invariant does not hold
now: then all things are dealt again, and nothing is barred.
Barred things break the nesting and bias the greedy deal, so a random walk of exchanges
follows. Each draws two places and swaps their things if both fit. These steps are
symmetric, so their stationary distribution is uniform.

*Dice and cells.* Faces and values are drawn independently. Invariants that relate cells
are met by rejection: draw again, up to `TRIES` times, then fall back to first values.
An invariant that constrains hidden things or dice in a way that `ir.certain` does not
analyse makes the deal part of each try.

*Fog.* If what is in a cell decides who sees it, a value from the type would often be
one that the seat sees. So the first values of all states of that type, without the
values that the seat sees now, are dealt to the hidden cells. Each cell gets one with
which it stays hidden. A try that lets the seat see other cells than now fails, as if an
invariant did not hold. If the contents of a zone decide who sees them, as with members
of a secret team, so does a try in which the seat would see into other zones.

*Order.* Sets list their things by number, so the order of places could reveal the true
things. Places are ordered by what a seat sees of them, then by the effects under way
that hold what lies there (`held`), and things by number, before the first draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol, TypeAlias

from houserule import ir
from houserule.base.frozen import frozen
from houserule.engine.state.domains import size_of
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.hidden_constraints import certain
from houserule.engine.state.store import Store
from houserule.engine.state.view import (
    Evaluates,
    HiddenPlace,
    Shown,
    Visibility,
    hidden_places,
)
from houserule.ir.access import Access
from houserule.ir.hidden_reads import self_revealing
from houserule.ir.types import (
    Data,
    Flag,
    Maybe,
    Position,
    Set,
    Type,
    core,
    least,
    members,
)
from houserule.ir.walk import stream_tags

TRIES = 20
EXCHANGES = 4  # a hidden thing, of a kind of which some are barred from somewhere
NONE_AMONG_AT_MOST = 1 << 31  # among more values, none is never drawn


Held: TypeAlias = Mapping[str, Mapping[int, int]]
"""By kind and thing: a bit for each variable of an effect under way that holds it."""

NOTHING_HELD: Held = MappingProxyType({})

Dealt: TypeAlias = Mapping[str, Mapping[int, int]]
"""By kind and hidden thing: the thing that lies in its place now."""

Barred: TypeAlias = Mapping[tuple[str, int], AbstractSet[int]]
"""By zone and number of a place: hidden things that cannot lie there."""

NONE: AbstractSet[int] = frozenset()


class RandomSource(Protocol):
    """What numbers are drawn from, such as `engine.random_numbers.Stream`."""

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each alike."""


@frozen
class Redealt:
    """A sampled state, and by kind and hidden thing what lies in its place now."""

    store: Store
    dealt: Dealt


def redeal(
    program: ir.Program,
    evaluator: Evaluates,
    store: Store,
    seat: int,
    source: RandomSource,
    *,
    held: Held = NOTHING_HELD,
) -> Redealt:
    """Return a state that looks the same to a seat, with all it does not see redrawn.

    The same draws give the same state, whichever of the states that look the same is
    the true one: `held` says by kind what effects under way do with things.

    Hidden things are dealt among hidden places so that what shows of each still shows
    and none lies where invariants bar it (`ir.certain`). Every such deal is alike
    wherever the places that fewer things fit lie within those that more fit; where
    things are barred, nearly alike. Hidden dice are thrown, hidden cells drawn from
    their types so that the invariants hold (after some tries in vain they get their
    first values). If an invariant mentions hidden things or dice beyond these
    constraints, all of this is one of several tries; after the last, things and dice
    stay as they are. All chance to come is fresh. Cells that decide who sees
    them are dealt first values (see above).
    """
    visibility = Visibility(program, evaluator, store, seat)
    barred = _barred(visibility, evaluator)
    world, dealt = _dealt(visibility, source, held, barred)
    hidden = [
        (state, index)
        for state, plan in program.states.items()
        if plan.seen is not None
        for index in range(len(store.cells[state]))
        if not visibility.cell(state, index)
    ]
    asks, dealing = certain(program).asks, dealt_states(program)
    zones = revealing_zones(program)
    for number in range(TRIES if hidden or asks else 0):
        if asks and number:
            world, dealt = _dealt(visibility, source, held, barred)
        for state, index in hidden:
            type_ = program.states[state].type
            value = least(type_) if state in dealing else _drawn(type_, source)
            world.cells[state][index] = value
        world.touch()
        there = Visibility(program, evaluator, world, seat)
        with suppress(RuleFault):
            for state, same_type in dealing.items():
                _deal_values(there, state, same_type, {*hidden}, source)
            if (
                all(
                    there.cell(state, index) is ((state, index) not in hidden)
                    for state in dealing
                    for index in range(len(world.cells[state]))
                )
                and all(
                    there.zone(zone, index) is visibility.zone(zone, index)
                    for zone in zones
                    for index in range(len(world.zones[zone]))
                )
                and all(evaluator.closed(each.whole, world) for each in program.always)
            ):
                break
    else:
        for state, index in hidden:
            world.cells[state][index] = world.layout.first[state][index]
        world.touch()
    refresh(program, world, source)
    return Redealt(world, dealt)


def refresh(program: ir.Program, store: Store, source: RandomSource) -> None:
    """Draw new random streams for all chance to come."""
    for tag in sorted(stream_tags(program)):
        store.streams[tag] = source.below(1 << 32) << 32 | source.below(1 << 32)


# ---- things and dice


@lru_cache(maxsize=32)
def revealing_zones(program: ir.Program) -> Sequence[str]:
    """Return the zones whose contents decide who sees them."""
    itself = self_revealing(program, Access(program))
    return [name for name in program.zones if name in itself]


def _dealt(
    visibility: Visibility, source: RandomSource, held: Held, barred: Barred
) -> tuple[Store, Dealt]:
    """Return a state with hidden things dealt, hidden dice thrown.

    Also return, by kind and thing, the thing in its place now.
    """
    world = visibility.store.clone()
    dealt = {
        kind: _deal(world, kind, visibility, source, held.get(kind, {}), barred)
        for kind in world.layout.components
    }
    world.locate()
    for kind, faces in world.layout.faces.items():
        for die in range(len(world.faces[kind])):
            if not visibility.face(kind, die):
                world.faces[kind][die] = faces[source.below(len(faces))]
    world.touch()
    return world, dealt


def _deal(
    world: Store,
    kind: str,
    visibility: Visibility,
    source: RandomSource,
    held: Mapping[int, int],
    barred: Barred,
) -> dict[int, int]:
    """Deal the hidden things of a kind; return by thing what has its place now."""
    lying = hidden_places(visibility, kind)
    if not lying:
        return {}

    # In a set places are ordered by thing. Here they are in an order that says nothing
    # of what lies there: by their visible fields (as the first thing of the kind that
    # has them), then by their use in running effects.
    program, shown = visibility.program, visibility.shown
    zones = {name: number for number, name in enumerate(program.zones)}
    looks: dict[tuple[str, Shown], int] = {}
    for zone in {place.zone for place in lying}:
        for thing in range(program.zones[zone].member.size):
            looks.setdefault((zone, shown(zone, thing)), thing)

    def look(place: HiddenPlace) -> tuple[int, ...]:
        nth = place.nth if program.zones[place.zone].kind == "pile" else 0
        seen = looks[place.zone, place.shown], place.known
        return zones[place.zone], place.index, nth, *seen, held.get(lying[place], 0)

    lying = {place: lying[place] for place in sorted(lying, key=look)}
    fitting = _fitting(visibility, lying, barred)
    dealt = _matched(fitting, source)
    if dealt is None:  # an invariant does not hold: nothing is certain
        barred = {}
        fitting = _fitting(visibility, lying, barred)
        dealt = _matched(fitting, source)
    assert dealt is not None, "what lies there now is one deal that fits"
    now = {place: thing for thing, place in dealt.items()}
    if any(barred.get(_spot(place)) for place in lying):
        # A walk of exchanges favours no deal and removes the bias of the one before.
        places = list(lying)
        for _ in range(EXCHANGES * len(places)):
            one, other = (places[source.below(len(places))] for _ in range(2))
            if now[other] in fitting[one] and now[one] in fitting[other]:
                now[one], now[other] = now[other], now[one]
    zone_things: dict[tuple[str, int], list[int]] = {}
    for place, thing in now.items():
        where = _spot(place)
        if where not in zone_things:
            zone_things[where] = list(world.zones[place.zone][place.index])
        zone_things[where][place.nth] = thing
        world.known[kind][thing] = place.known
    for (zone, index), things in zone_things.items():
        is_pile = program.zones[zone].kind == "pile"
        world.zones[zone][index] = tuple(things if is_pile else sorted(things))
    return {lying[place]: thing for place, thing in now.items()}


def _matched(
    fitting: dict[HiddenPlace, list[int]], source: RandomSource
) -> dict[int, HiddenPlace] | None:
    """Deal to each place a thing that fits it; None if no deal fits all."""
    dealt: dict[int, HiddenPlace] = {}
    # Places with the fewest candidates first: where candidates are nested, the choice
    # at each place is then free, and every deal is as likely as any other.
    for place in sorted(fitting, key=lambda each: len(fitting[each])):
        free = [thing for thing in fitting[place] if thing not in dealt]
        if free:
            dealt[free[source.below(len(free))]] = place
        elif not _make_room(place, fitting, dealt, set()):
            return None
    return dealt


def _fitting(
    visibility: Visibility, lying: Mapping[HiddenPlace, int], barred: Barred
) -> dict[HiddenPlace, list[int]]:
    """Return for each place the things that may lie there, by number."""
    shown, alike = visibility.shown, dict[tuple[str, int, Shown], list[int]]()
    found: dict[HiddenPlace, list[int]] = {}
    things = sorted(lying.values())
    for place in lying:
        look = (*_spot(place), place.shown)
        if look not in alike:
            bars = barred.get(_spot(place), NONE)
            alike[look] = [
                thing
                for thing in things
                if thing not in bars and shown(place.zone, thing) == place.shown
            ]
        found[place] = alike[look]
    return found


def _barred(visibility: Visibility, evaluator: Evaluates) -> Barred:
    """Return by place the hidden things that cannot lie there, as invariants have it.

    If the rules fault here, there are no constraints.
    """
    program, store = visibility.program, visibility.store
    hidden: dict[str, dict[HiddenPlace, int]] = {}
    found: dict[tuple[str, int], set[int]] = {}
    for bar in certain(program).bars:
        kind = store.layout.members[bar.zone]
        if kind not in hidden:
            hidden[kind] = hidden_places(visibility, kind)
        spots = {_spot(place) for place in hidden[kind] if place.zone == bar.zone}
        for spot in spots:
            keys = store.layout.families[bar.zone].keys(spot[1])
            try:
                found.setdefault(spot, set()).update(
                    thing
                    for thing in hidden[kind].values()
                    if not evaluator.closed(bar.fits, store, (*keys, thing))
                )
            except RuleFault:
                return {}
    return found


def _spot(place: HiddenPlace) -> tuple[str, int]:
    return place.zone, place.index


def _make_room(
    place: HiddenPlace,
    fitting: dict[HiddenPlace, list[int]],
    dealt: dict[int, HiddenPlace],
    tried: set[int],
) -> bool:
    """Deal to a place what fits there, also what another place holds already.

    That place then gets something else (an augmenting path, as in bipartite matching:
    `tried` are the things on the path so far). False if no path leads to a free
    thing: then no deal fits.
    """
    for thing in fitting[place]:
        if thing not in tried:
            tried.add(thing)
            other = dealt.get(thing)
            if other is None or _make_room(other, fitting, dealt, tried):
                dealt[thing] = place
                return True
    return False


# ---- cells


@lru_cache(maxsize=32)
def dealt_states(program: ir.Program) -> Mapping[str, tuple[str, ...]]:
    """Return the states whose cells decide who sees them, each with all of its type.

    Sets are drawn from their types instead.
    """
    lasting = {
        name: state.type
        for name, state in program.states.items()
        if not state.life and state.among is None and not ir.is_kept(name)
    }
    states = self_revealing(program, Access(program))
    return {
        state: tuple(name for name, type_ in lasting.items() if type_ == lasting[state])
        for state in lasting
        if state in states and not isinstance(core(lasting[state]), Set)
    }


def _deal_values(
    there: Visibility,
    name: str,
    same_type: Sequence[str],
    hidden: AbstractSet[tuple[str, int]],
    source: RandomSource,
) -> None:
    """Deal first values, without those that the seat sees, to the hidden cells."""
    world, families = there.store, there.store.layout.families
    pool: list[Data] = [
        there.evaluator.closed(
            there.program.states[each].first, world, families[each].keys(index)
        )
        for each in same_type
        for index in range(families[each].count)
    ]
    for each in same_type:
        for index, value in enumerate(world.cells[each]):
            if (each, index) not in hidden and value in pool:
                pool[pool.index(value)] = pool[-1]
                pool.pop()
    cells = world.cells[name]
    for index in range(len(cells)):
        untried = len(pool) if (name, index) in hidden else 0
        while untried:
            at = source.below(untried)
            cells[index] = pool[at]
            world.touch()
            if not there.cell(name, index):
                pool[at] = pool[-1]
                pool.pop()
                break
            untried -= 1
            pool[at], pool[untried] = pool[untried], pool[at]
            cells[index] = least(there.program.states[name].type)
    world.touch()


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
