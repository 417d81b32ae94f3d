"""A possible world: what a seat does not see is dealt anew, the rest stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from houserule import ir
from houserule.ir.types import (
    Data,
    Flag,
    Maybe,
    Position,
    Set,
    Type,
    members,
)
from houserule.ir.walk import beneath
from houserule.state.domains import least, size_of
from houserule.state.faults import RuleFault
from houserule.state.visibility import Evaluates, Shown, Sight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from houserule.state.store import Store

TRIES = 20
TOLD_AT_MOST = 1 << 31  # among more values none is never drawn


class Luck(Protocol):
    """A stream of random numbers."""

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each alike."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a hidden thing: where, what shows of it, and who was shown it."""

    zone: str
    index: int
    nth: int
    shown: Shown
    known: int


def determinise(
    program: ir.Program, evaluator: Evaluates, store: Store, seat: int, luck: Luck
) -> Store:
    """Return a state that looks the same to a seat, with all it does not see redrawn.

    Hidden things are dealt among hidden places so that what shows of each still shows;
    every such deal is alike wherever the places that show more lie within those that
    show less. Hidden dice are thrown, hidden cells drawn from their types so that the
    invariants hold (after some tries in vain they get their first values). All chance
    to come is fresh.
    """
    sight = Sight(program, evaluator, store, seat)
    world = store.clone()
    for kind in program.components:
        _deal(sight, world, kind, luck)
    world.locate()
    for kind, faces in store.layout.faces.items():
        for die in range(len(store.faces[kind])):
            if not sight.face(kind, die):
                world.faces[kind][die] = faces[luck.below(len(faces))]
    world.touch()
    _draw_cells(sight, world, evaluator, luck)
    for tag in chance_tags(program):
        world.streams[tag] = luck.below(1 << 32) << 32 | luck.below(1 << 32)
    return world


# ---- things


def hidden_places(sight: Sight, kind: str) -> dict[Place, int]:
    """Return each place of a hidden thing of a kind, with the thing."""
    store, found = sight.store, {}
    for zone, member in store.layout.members.items():
        if member != kind:
            continue
        for index, things in enumerate(store.zones[zone]):
            for nth, thing in enumerate(things):
                if not sight.thing(kind, thing):
                    mask = store.known[kind][thing]
                    place = Place(zone, index, nth, sight.shown(zone, thing), mask)
                    found[place] = thing
    return found


def _deal(sight: Sight, world: Store, kind: str, luck: Luck) -> None:
    held = hidden_places(sight, kind)
    if not held:
        return
    fitting = {
        place: [t for t in held.values() if sight.shown(place.zone, t) == place.shown]
        for place in held
    }
    dealt: dict[int, Place] = {}
    for place in sorted(held, key=lambda each: len(fitting[each])):
        free = [thing for thing in fitting[place] if thing not in dealt]
        if free:
            dealt[free[luck.below(len(free))]] = place
        else:
            _make_room(place, fitting, dealt, set())
    _lay(world, kind, dealt)


def _make_room(
    place: Place,
    fitting: dict[Place, list[int]],
    dealt: dict[int, Place],
    tried: set[int],
) -> bool:
    """Deal to a place what fits there; the place that held it gets something else."""
    for thing in fitting[place]:
        if thing not in tried:
            tried.add(thing)
            other = dealt.get(thing)
            if other is None or _make_room(other, fitting, dealt, tried):
                dealt[thing] = place
                return True
    return False


def _lay(world: Store, kind: str, dealt: dict[int, Place]) -> None:
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


def _draw_cells(sight: Sight, world: Store, evaluator: Evaluates, luck: Luck) -> None:
    hidden = [
        (state, index)
        for state, plan in sight.program.states.items()
        if plan.seen is not None
        for index in range(len(world.cells[state]))
        if not sight.cell(state, index)
    ]
    if not hidden:
        return
    for _ in range(TRIES):
        for state, index in hidden:
            type_ = sight.program.states[state].type
            world.cells[state][index] = _drawn(type_, luck)
        world.touch()
        if _invariants_hold(sight.program, world, evaluator):
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


def _drawn(type_: Type, luck: Luck) -> Data:
    match type_:
        case Maybe(inner):
            many = (size_of(inner) or 0) + 1
            none = many <= TOLD_AT_MOST and luck.below(many) == 0
            return None if none else _drawn(inner, luck)
        case Set(member, part):
            chosen = tuple(each for each in members(member) if luck.below(2))
            return chosen if chosen or not part else _drawn(type_, luck)
        case Position():
            return least(type_)
        case Flag():
            return bool(luck.below(2))
        case _:
            every = members(type_)
            return every[luck.below(len(every))]


# ---- chance


def chance_tags(program: ir.Program) -> Sequence[str]:
    """Return the tag of every stream of chance that the rules may draw from."""
    return sorted(set(_tags(program)))


def _tags(program: ir.Program) -> Iterator[str]:
    groups = (program.effects, program.actions, program.steps, program.reactions)
    for group in groups:
        for node in beneath(*group.values()):
            match node:
                case ir.RollDice(kind=kind, stream=stream):
                    for label in program.components[kind.name].labels:
                        yield f"{stream}/{label}"
                case ir.ShufflePile(stream=stream) | ir.DrawOne(stream=stream):
                    yield stream
                case _:
                    pass
