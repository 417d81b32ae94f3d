"""Twins: two games that look the same to a seat, though what is hidden differs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from houserule import ir
from houserule.engine.bots.imagined import imagine
from houserule.engine.bots.random_choice import random_option
from houserule.engine.reference.choices import Act, Choice, Picked
from houserule.engine.reference.play import turns
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.faults import RuleFault
from houserule.engine.state.store import Store
from houserule.engine.state.view import HiddenPlace, Visibility, hidden_places, view
from houserule.ir import Program
from houserule.ir.types import Data, Kind, Set
from houserule.ir.walk import asking_statements, option_binds

Look = tuple[int, int, int, str, int]
Renamed = Mapping[str, Mapping[int, int]]


@dataclass(frozen=True)
class Twins:
    """A game and one that looks the same to a seat.

    Attributes:
        viewer: the seat that cannot tell them apart.
        true: the game as it is.
        other: the game in which hidden things, cells, dice and choices are others; luck
            to come is that of the true one, but for dice that the seat does not see.
        renamed: which thing of the other game lies where a thing of the true one does.
    """

    viewer: int
    true: ReferenceGame
    other: ReferenceGame
    renamed: Renamed

    @property
    def differ(self) -> bool:
        """Whether anything that is hidden is another one at all."""
        return contents(self.true) != contents(self.other)


def contents(game: ReferenceGame) -> tuple[object, ...]:
    """Return what a game holds, its luck to come left out."""
    store = game.machine.store
    chosen = [act.chosen for act in game.machine.stack]
    return store.cells, store.zones, store.faces, chosen


def seen_by(game: ReferenceGame, viewer: int) -> object:
    """Return everything that a seat may see, as data."""
    engine = game.engine
    return view(engine.program, engine.evaluator, game.machine.store, viewer)


def twins_of(game: ReferenceGame, viewer: int, luck: Stream) -> Twins | None:
    """Return a game and its twin, both without events so far.

    None if the twin asks another seat, or something happens before. All seats see who
    is asked, so the seat could then tell the twin from the true game.
    """
    true = game.clone()
    true.machine.events = []
    try:
        machine = imagine(game, viewer, luck).game.machine
        machine.seed, machine.game_number = true.machine.seed, true.machine.game_number
        machine.store.streams = to_come(game, machine.store, viewer)
        machine.store.touch()
        machine.events = []
        decision = turns.advance(machine)
    except RuleFault:
        return None
    other = ReferenceGame(machine, decision, checked=False)
    if machine.events or asks(true) != asks(other):
        return None
    assert seen_by(true, viewer) == seen_by(other, viewer)
    return Twins(viewer, true, other, renamed(game, machine.store, viewer, luck))


def reseeded(twins: Twins) -> Twins:
    """Return twins of which the other has another seed, and so other luck to come.

    They look the same only until something is drawn.
    """
    other = twins.other.clone()
    other.machine.events = []
    other.machine.seed, other.machine.game_number = 987_654, 7
    other.machine.store.streams = {}
    return Twins(twins.viewer, twins.true, other, twins.renamed)


def seeds_in(program: Program, seed: int, most: int) -> Iterator[Twins]:
    """Yield a random game at some decisions, with the same game of another seed."""
    for game in looked_at(program, seed, most):
        assert game.decision is not None
        game.machine.events = []
        yield reseeded(Twins(game.decision.seat, game.clone(), game, {}))


def asks(game: ReferenceGame) -> object:
    """Return who is asked what."""
    decision = game.decision
    return decision and (decision.seat, decision.kind, decision.site)


def to_come(game: ReferenceGame, store: Store, viewer: int) -> dict[str, int]:
    """Return the luck to come in the twin that has a store."""
    here = game.machine.store
    seen = Visibility(game.program, game.engine.evaluator, here, viewer)
    unseen = {
        game.program.components[kind].labels[die]
        for kind, faces in here.faces.items()
        for die in range(len(faces))
        if not seen.face(kind, die)
    }
    other = {tag: store.streams[tag] for tag in store.streams if dice(tag) in unseen}
    return {**here.streams, **other}


def dice(tag: str) -> str:
    """Return the die of a stream of random numbers, if it has one."""
    return tag.rpartition("/")[2]


def renamed(game: ReferenceGame, store: Store, viewer: int, luck: Stream) -> Renamed:
    """Return, by kind, the thing of a redealt store in the place of each thing.

    Things in one set that look the same may be any of each other, unless an effect
    under way holds some of them.
    """
    engine, here = game.engine, game.machine.store
    found: dict[str, dict[int, int]] = {}
    for kind in engine.program.components:
        seen = Visibility(engine.program, engine.evaluator, here, viewer)
        there = Visibility(engine.program, engine.evaluator, store, viewer)
        places = sorted(hidden_places(seen, kind).items(), key=_by_look(engine.program))
        others = list(hidden_places(there, kind).items())
        if not game.machine.frames:
            luck.shuffle(others)
        others.sort(key=_by_look(engine.program))
        found[kind] = {
            thing: other for (_, thing), (_, other) in zip(places, others, strict=True)
        }
    return found


def _by_look(program: Program) -> Callable[[tuple[HiddenPlace, int]], Look]:
    """Return the key that sorts places by what a seat sees of them."""
    zones = list(program.zones)

    def key(lying: tuple[HiddenPlace, int]) -> Look:
        place, _ = lying
        nth = place.nth if program.zones[place.zone].kind == "pile" else 0
        where = (zones.index(place.zone), place.index, nth)
        return *where, str(place.shown), place.known

    return key


def as_renamed(choice: Choice, program: Program, site: str, names: Renamed) -> Choice:
    """Return the choice of the twin that is the same with its things renamed."""
    match choice:
        case Act(action, args):
            binds = option_binds(program.actions[action])
            types = [bind.type for bind in binds for _ in bind.slots]
            new = zip(args, types, strict=True)
            return Act(action, tuple(_renamed(a, t, names) for a, t in new))
        case Picked(values) if values is not None:
            asking = asking_statements(program)[site]
            binds = (asking.bind,) if isinstance(asking, ir.ChooseOption) else ()
            types = [bind.type for bind in binds for _ in bind.slots]
            if len(types) != len(values):
                return choice
            new = zip(values, types, strict=True)
            return Picked(tuple(_renamed(v, t, names) for v, t in new))
        case _:
            return choice


def _renamed(value: Data, type_: ir.types.Type, names: Renamed) -> Data:
    inner = type_.inner if isinstance(type_, ir.types.Maybe) else type_
    of = inner.member if isinstance(inner, Set) else inner
    if not isinstance(of, Kind) or value is None:
        return value
    instead = names.get(of.name, {})
    if isinstance(value, tuple):
        return tuple(sorted(instead.get(each, each) for each in value))
    return instead.get(value, value)


def looked_at(program: Program, seed: int, most: int) -> Iterator[ReferenceGame]:
    """Yield a random game at some of its decisions, early ones and late ones.

    From one to the next it is ever further, for many games begin with little hidden.
    """
    game, luck = ReferenceGame.start(program, seed), Random(seed)
    due, ahead = luck.randrange(4), 6
    for number in range(400):
        if game.decision is None or not most:
            return
        if number == due:
            yield game
            most -= 1
            due += 1 + luck.randrange(ahead)
            ahead *= 4
        game.choose(drawn(game, luck))


def near_end(program: Program, seed: int, before: int) -> ReferenceGame:
    """Return a random game so many decisions before its end."""
    game, luck = ReferenceGame.start(program, seed), Random(seed)
    last: deque[ReferenceGame] = deque(maxlen=before)
    while game.decision is not None:
        last.append(game.clone())
        game.choose(drawn(game, luck))
    return last[0]


def drawn(game: ReferenceGame, luck: Random) -> Choice:
    """Return a random option."""
    assert game.decision is not None
    stream = Stream.seeded(luck.randrange(1 << 30), 0, "player")
    return random_option(game.decision.options, stream)


def twins_in(
    program: Program, seed: int, most: int, seats: int | None = None
) -> Iterator[Twins]:
    """Yield twins at some decisions of a random game, for all seats or for so many.

    The seat that is asked comes first.
    """
    yield from twins_at(program, seed, looked_at(program, seed, most), seats)


def twins_at(
    program: Program, seed: int, games: Iterable[ReferenceGame], seats: int | None
) -> Iterator[Twins]:
    """Yield the twins of games under way, for all seats or for so many."""
    for number, game in enumerate(games):
        assert game.decision is not None
        others = [seat for seat in range(program.seats) if seat != game.decision.seat]
        Random(number).shuffle(others)
        for viewer in [game.decision.seat, *others][:seats]:
            luck = Stream.seeded(number, seed, f"twin/{viewer}")
            found = twins_of(game, viewer, luck)
            if found is not None and found.differ:
                yield found
