"""An observation is what a seat sees: no more, no less, and within its bounds."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from tests.support.engines import first_of, last_of
from tests.support.rules_cases import CASES, program_of
from tests.support.shipped import NAMES, program_at

from houserule import ir
from houserule.engine.bots.imagined import imagine
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.domains import values_of
from houserule.engine.state.store import Store
from houserule.engine.state.view import view
from houserule.environments.effect_variables import variables
from houserule.environments.encoding import HIDDEN, NONE, Encoding, encoding_of

GUESSES, SIGHT = (
    (CASES / name).read_text(encoding="utf-8")
    for name in ("bots/guesses.rules", "environments/sight.rules")
)


def decisions(program: ir.Program, seed: int, most: int) -> Iterator[ReferenceGame]:
    """Yield a random game at each of its decisions, and at its end."""
    game, luck = ReferenceGame.start(program, seed), Random(seed)
    for _ in range(most):
        yield game
        if game.decision is None:
            return
        many = game.decision.options.count()
        game.choose(game.decision.options[luck.randrange(many)])


def look_alike_alike(program: ir.Program, seed: int, most: int) -> None:
    """Hold that games which look the same to a seat have one observation."""
    encoding = encoding_of(program)
    for number, game in enumerate(decisions(program, seed, most)):
        for seat in range(program.seats):
            row = encoding.observe(game, seat)
            assert len(row) == encoding.size
            for found, entry in zip(row, encoding.entries, strict=True):
                assert entry.low <= found <= entry.high, entry
            if game.decision is not None and game.decision.seat == seat:
                stream = Stream.seeded(number, seed, "imagined")
                again = encoding.observe(imagine(game, seat, stream).game, seat)
                assert told(encoding, again) == told(encoding, row)


def told(encoding: Encoding, row: list[int]) -> dict[str, int]:
    return dict(zip(encoding.names, row, strict=True))


@pytest.mark.parametrize("rules", [GUESSES, SIGHT], ids=["guesses", "sight"])
def test_everything_that_can_be_hidden_is(rules: str) -> None:
    look_alike_alike(program_of(rules), 5, 200)


# ---- what a seat sees is in it


def changed(store: Store, luck: Random) -> Store:
    """Return a store in which one thing is another."""
    layout, other = store.layout, store.clone()
    program = layout.program
    what = luck.choice(["cell", "place", "known", "face", "tokens"])
    if what == "cell" and other.cells:
        name = luck.choice([each for each in other.cells if not ir.is_kept(each)])
        some = list(zip(range(40), values_of(program.states[name].type), strict=False))
        index = luck.randrange(len(other.cells[name]))
        other.cells[name][index] = luck.choice(some)[1]
    elif what == "place" and program.zones:
        zone = luck.choice(list(program.zones))
        kind = layout.members[zone]
        thing = luck.randrange(layout.components[kind])
        index = luck.randrange(len(other.zones[zone]))
        plan = program.zones[zone]
        most = 1 if plan.kind == "slot" else plan.at_most
        if most is None or len(other.zones[zone][index]) < most:
            known = other.known[kind][thing]
            other.place(kind, thing, zone, index, luck.randrange(2))
            other.known[kind][thing] = known
    elif what == "known" and other.known:
        kind = luck.choice(list(other.known))
        thing = luck.randrange(len(other.known[kind]))
        other.known[kind][thing] ^= 1 << luck.randrange(program.seats)
    elif what == "face" and other.faces:
        kind = luck.choice(list(other.faces))
        die = luck.randrange(len(other.faces[kind]))
        other.faces[kind][die] = luck.choice(layout.faces[kind])
    elif what == "tokens" and other.tokens:
        slot = luck.choice(list(other.tokens))
        other.tokens[slot][luck.randrange(len(other.tokens[slot]))] += 1
    other.touch()
    return other


def seen_is_told(program: ir.Program, seed: int, most: int, changes: int) -> int:
    """Hold that what looks different is told different; return how much did."""
    encoding, luck, found = encoding_of(program), Random(seed), 0
    for game in decisions(program, seed, most):
        machine, evaluator = game.machine, game.engine.evaluator
        store, seat = machine.store, luck.randrange(program.seats)
        seen, row = view(program, evaluator, store, seat), encoding.observe(game, seat)
        for _ in range(changes):
            machine.store = changed(store, luck)
            differs = view(program, evaluator, machine.store, seat) != seen
            # A variable may tell more: a card that was chosen, and is seen now.
            assert (encoding.observe(game, seat) != row) >= differs
            found += differs
            if not machine.frames:
                assert (encoding.observe(game, seat) != row) == differs
        machine.store = store
    return found


@pytest.mark.parametrize("rules", [GUESSES, SIGHT], ids=["guesses", "sight"])
def test_of_hidden_things_no_more_is_told_than_shows(rules: str) -> None:
    assert seen_is_told(program_of(rules), 4, 100, 10) > 50


def test_of_a_hand_its_owner_sees_where_each_card_lies_and_others_how_many() -> None:
    program = program_of(GUESSES)
    game, encoding = ReferenceGame.start(program, 2), encoding_of(program)
    mine, theirs = (told(encoding, encoding.observe(game, seat)) for seat in range(2))
    assert [each["hand(p1) hidden"] for each in (mine, theirs)] == [0, 2]
    hands = [
        [each[f"Card {nr}"] for nr in range(1, 9)].count(1) for each in (mine, theirs)
    ]
    assert hands == [2, 0]  # zone 1 is the hand of the first player
    assert {mine[f"deck[{place}]"] for place in range(8)} == {HIDDEN, NONE}


# ---- entries


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_has_a_name_of_its_own(name: str) -> None:
    encoding = encoding_of(program_at(last_of(name)))
    assert len({*encoding.names}) == encoding.size == len(encoding.entries)
    for entry in encoding.entries:
        assert entry.low in (NONE, HIDDEN, 0)
        assert not entry.says or entry.high < len(entry.says)


PEEKING = """\
game peeking "Peeking"
players 2..2
component Card for each nr: 1..4
state secret(p: Player): 0..3 starts as 0 seen only by p
state points(p: Player): 0..9 starts as 0
zone hand(p: Player): set of Card seen only by p
zone home: set of Card starts as Card
winners "Most": those p in players with most points(p)
phase round for n in 1..3
  step dealing:
    for p in players: random k in 0..3: secret(p) becomes k
    for p in players:
      for d in home where d.nr is 1: move d to hand(p)
  phase turn for me in players
    step asking: must act once, if possible
  order dealing then turn
action name(c in Card, k in 0..3) during asking
  does tell:
    let doubled = min(3, secret(me) + 1)
    let plain = k + 1
    random d in hand(me): points(me) becomes points(me)
    must choose m in 0..3: points(me) becomes min(9, m + doubled + plain)
"""


def test_what_was_worked_out_of_hidden_things_is_left_out() -> None:
    program = program_of(PEEKING)
    found = {each.name: each for each in variables(program)}
    assert set(found) == {"me", "c", "k", "plain"}
    assert found["plain"].sites is not None
    assert found["k"].sites is None


def test_a_card_that_is_offered_face_down_is_hidden_from_who_is_asked() -> None:
    program = program_of(GUESSES)
    encoding, asked = encoding_of(program), 0
    place = encoding.names.index("action offer: c")
    for game in decisions(program, 5, 200):
        if game.decision is not None and game.decision.kind == "ask":
            rows = [encoding.observe(game, seat) for seat in range(2)]
            assert rows[game.decision.seat][place] == HIDDEN
            (card,) = [v for v in game.machine.frames[0].env[1:2]]
            assert rows[1 - game.decision.seat][place] == card
            asked += 1
        else:
            assert encoding.observe(game, 0)[place] == NONE
    assert asked


OFFERING = """\
game offering "Offering"
players 2..2
component Card for each nr: 1..4
state points(p: Player): 0..9 starts as 0
zone deck: pile of Card starts as Card
zone hand(p: Player): set of Card seen only by p
winners "Most": those p in players with most points(p)
phase round for n in 1..3
  step dealing:
    for p in players: move hand(p) to deck
    shuffle deck
    for p in players: move 2 from deck to hand(p)
  phase turn for me in players
    step giving: must act once, if possible
  order dealing then turn
action offer(few part of hand(me)) during giving
  asks wanted: (the only q in players where q is not me)
  does it: points(me) becomes points(me)
"""


def test_cards_that_are_offered_face_down_are_counted_for_who_is_asked() -> None:
    program = program_of(OFFERING)
    encoding = encoding_of(program)
    at = [
        encoding.names.index(f"action offer: few{what}")
        for what in (" has 1", " has 2", " has 3", " has 4", ", hidden")
    ]
    for game in decisions(program, 1, 30):
        if game.decision is not None and game.decision.kind == "ask":
            other = game.decision.seat
            hand = game.contents("hand", other)
            given = game.machine.frames[0].env[1]
            assert isinstance(given, tuple)
            row = encoding.observe(game, other)
            known = [0 if card in hand else HIDDEN for card in range(4)]
            assert [row[each] for each in at] == [*known, len(given)]
            row = encoding.observe(game, 1 - other)
            assert [row[each] for each in at if row[each] == 1] == [1] * len(given)
            assert row[at[-1]] == 0


def test_an_encoding_is_of_one_program() -> None:
    pig, nim = (program_at(first_of(name)) for name in ("pig", "nim"))
    game = ReferenceGame.start(nim, 0)
    with pytest.raises(ValueError, match="not of the program"):
        encoding_of(pig).observe(game, 0)
    with pytest.raises(ValueError, match="no seat 2"):
        encoding_of(nim).observe(game, 2)
