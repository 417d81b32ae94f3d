"""What invariants make certain holds in all that is dealt anew, and nothing else does.

In small games with hidden cards all worlds are worked out in which the invariants hold.
Exactly these are dealt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest
from tests.support.engines import first_of
from tests.support.rules_cases import program_of
from tests.support.shipped import program_at

from houserule.engine.bots.imagined import imagine
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state import determinize
from houserule.engine.state.determinize import redeal
from houserule.engine.state.hidden_constraints import HiddenConstraints, certain
from houserule.engine.state.store import Store
from houserule.engine.state.view import Visibility, hidden_places

RULES = """\
game t
players 3..3
type Suit = red | blue | green
component Card for each suit: Suit, nr: 1..2
zone deck: pile of Card starts as Card
zone hand(p: Player): set of Card seen only by p
state void(p: Player, s: Suit): yes or no starts as no
state given(c: Card): Player or none starts as none
state reds(p: Player): 0..2 starts as 0
value clean(p: Player, s: Suit): yes or no = no c in hand(p) has c.suit is s
always so{invariant}
winners: players
phase turn for me in players
  step acting: must act once, if possible
action fold during acting
  does it: void(me, red) becomes void(me, red)
"""
BARS = [
    "(p: Player): no c in hand(p) has void(p, c.suit)",
    "(p: Player): every c in hand(p) where void(p, c.suit) has c.nr at least 3",
    ": every p in players has every s in Suit where void(p, s) has "
    "(no c in hand(p) has c.suit is s)",
    "(s: Suit, p: Player): clean(p, s) or not void(p, s)",
    "(p: Player, c: Card): c is not in hand(p) or not void(p, c.suit)",
    ": not (some p in players has some c in hand(p) has void(p, c.suit))",
    "(c: Card): every p in players where given(c) is p has c is in hand(p)",
    ": every c in Card has every p in players but given(c) has "
    "given(c) is none or c is not in hand(p)",
    "(p: Player): (no c in hand(p) has void(p, c.suit)) and "
    "every c in Card where c is in hand(p) has given(c) is none or given(c) is p",
]
ASKED = [
    "(p: Player): size(those c in hand(p) where c.suit is red) is reds(p)",
    "(p: Player): reds(p) is 0 or some c in hand(p) has c.suit is red",
]
World = tuple[tuple[tuple[int, ...], ...], ...]


def world_of(store: Store) -> World:
    return (tuple(store.zones["deck"]), tuple(store.zones["hand"]))


def position(invariant: str, luck: Random) -> ReferenceGame:
    """Return a game with cards dealt at random, and memories that tell of some."""
    game = ReferenceGame.start(program_of(RULES.format(invariant=invariant)), 1)
    store, cards = game.machine.store, luck.sample(range(6), 6)
    hands = [tuple(sorted(part)) for part in (cards[2:3], cards[3:4], cards[4:6])]
    store.zones["deck"][0] = tuple(cards[:2])
    store.zones["hand"][:] = hands
    for seat, hand in enumerate(hands):
        suits = [card // 2 for card in hand]
        for suit in range(3):
            told = suit not in suits and luck.random() < 0.5
            store.cells["void"][3 * seat + suit] = told
        store.cells["reds"][seat] = suits.count(0)
        for card in hand:
            store.cells["given"][card] = seat if luck.random() < 0.4 else None
    if luck.random() < 0.3:
        store.known["Card"][cards[luck.randrange(6)]] = 1
    store.locate()
    store.touch()
    return game


def positions(invariant: str, many: int) -> Iterator[ReferenceGame]:
    for seed in range(many):
        yield position(invariant, Random(f"{invariant} {seed}"))


def consistent(game: ReferenceGame) -> set[World]:
    """Return all worlds that look the same to seat 0, with the invariants kept."""
    program, evaluator = game.program, game.engine.evaluator
    visibility = Visibility(program, evaluator, game.machine.store, 0)
    lying = hidden_places(visibility, "Card")
    found = set()
    for things in permutations(lying.values()):
        world = game.machine.store.clone()
        zones = {
            zone: [list(each) for each in world.zones[zone]] for zone in world.zones
        }
        for place, thing in zip(lying, things, strict=True):
            zones[place.zone][place.index][place.nth] = thing
        world.zones["deck"][:] = [tuple(each) for each in zones["deck"]]
        world.zones["hand"][:] = [tuple(sorted(each)) for each in zones["hand"]]
        world.locate()
        world.touch()
        if all(evaluator.closed(each.test, world) for each in program.always):
            found.add(world_of(world))
    return found


def dealt(game: ReferenceGame, times: int) -> Counter[World]:
    stream = Stream.seeded(1, 0, "dealing")
    program, evaluator = game.program, game.engine.evaluator
    return Counter(
        world_of(redeal(program, evaluator, game.machine.store, 0, stream).store)
        for _ in range(times)
    )


@pytest.mark.parametrize("invariant", BARS)
def test_what_is_dealt_is_what_is_consistent(invariant: str) -> None:
    looked_at = 0
    for game in positions(invariant, 20):
        wanted = consistent(game)
        if not 3 < len(wanted) < 40 or looked_at == 2:
            continue
        looked_at += 1
        assert certain(game.program).bars
        assert not certain(game.program).asks
        assert dealt(game, 30 * len(wanted)).keys() == wanted
    assert looked_at == 2


@pytest.mark.parametrize("invariant", ASKED)
def test_an_invariant_that_is_no_bar_is_asked_of_what_is_dealt(invariant: str) -> None:
    kept = times = 0
    for game in positions(invariant, 4):
        known = certain(game.program)
        assert known.asks
        assert not known.bars
        wanted, found = consistent(game), dealt(game, 400)
        assert found.keys() >= wanted
        kept += sum(found[each] for each in wanted)
        times += 400
    assert kept / times > 0.95


def spread_of(game: ReferenceGame) -> float:
    """Return how much oftener the likeliest world is dealt than the least likely."""
    found = dealt(game, 60 * len(consistent(game)))
    return max(found.values()) / min(found.values())


def test_worlds_are_nearly_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a deal favours is worn off: else a world comes over four times as often."""
    game = position(BARS[-1], Random(f"{BARS[-1]} 3"))
    assert len(consistent(game)) == 14
    assert spread_of(game) < 2
    monkeypatch.setattr(determinize, "EXCHANGES", 0)
    assert spread_of(game) > 3


@pytest.mark.parametrize("broken", ["bars", "asks"])
def test_worlds_that_are_not_consistent_are_seen(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invariant = BARS[0] if broken == "bars" else ASKED[0]
    games = list(positions(invariant, 4))
    nothing = HiddenConstraints((), asks=False)
    monkeypatch.setattr(determinize, "certain", lambda _: nothing)
    assert any(dealt(each, 300).keys() - consistent(each) for each in games)


def test_where_an_invariant_does_not_hold_nothing_is_certain() -> None:
    (game,) = positions(BARS[0], 1)
    store = game.machine.store
    store.known["Card"][:] = [0] * 6
    hand = store.zones["hand"][2]
    store.cells["void"][6 + hand[0] // 2] = True
    assert len(dealt(game, 900)) == 60


# ---- shipped rules


MEMORIES = {"hearts": "void", "cribbage": "no_less"}


def broken_worlds(name: str, games: int) -> tuple[int, int]:
    """Return how many worlds are imagined that know something, and break invariants.

    Games are random; at each decision its seat imagines one.
    """
    program, known, broken = program_at(first_of(name)), 0, 0
    for seed in range(games):
        game, luck = ReferenceGame.start(program, seed), Random(seed)
        for number in range(60):
            if game.decision is None:
                break
            stream = Stream.seeded(number, seed, "world")
            world = imagine(game, game.decision.seat, stream).game
            known += any(world.machine.store.cells[MEMORIES[name]])
            broken += not all(world.evaluate(each.test) for each in program.always)
            options = game.decision.options
            game.choose(options[luck.randrange(options.count())])
    return known, broken


@pytest.mark.parametrize("name", MEMORIES)
def test_nobody_is_dealt_what_he_is_known_not_to_have(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever did not follow suit has none of it; whoever said go had no low card."""
    known, broken = broken_worlds(name, 2)
    assert known > 20
    assert not broken
    nothing = HiddenConstraints((), asks=False)
    monkeypatch.setattr(determinize, "certain", lambda _: nothing)
    assert broken_worlds(name, 2)[1] > 5
