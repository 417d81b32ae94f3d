"""Of options that differ only by alike things one is offered: held to a plain search.

The search lists the options of the same rules without their line, exchanges two things
in the whole state, and joins options that become each other where the state stays.
"""

from __future__ import annotations

import random
from copy import copy
from itertools import combinations
from typing import TypeAlias

import pytest
from tests.support.rules_cases import program_of

from houserule import ir
from houserule.engine.reference.choices import Act, Choice, Shared
from houserule.engine.reference.options.options import ShareOptions
from houserule.engine.reference.options.steps import Exactly
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.state.layout import CellFamily
from houserule.engine.state.store import Store
from houserule.ir.types import Data, kind_of

Group: TypeAlias = tuple[Choice, frozenset[Choice]]
LINES = (
    "  those with the same role are alike\n",
    "  those with the same face are alike\n",
)
COURT = """\
game court
players 2..2
type Role = guard | priest | king
component Card for each role: Role, nr: 1..3
  those with the same role are alike
dice Die: d1, d2, d3 showing 1..2
  those with the same face are alike
zone deck: pile of Card starts as Card
zone hand(p: Player): set of Card seen only by p
zone out: set of Card
zone under(c: Card): set of Die
state marks(c: Card, p: Player): 0..2 starts as 0
state pet: Card or none starts as none
state group: set of Card starts as {}
tokens chip: 5 in box, on(c: Card)
winners: players
value strength(c: Card): 0..9 =
  1 when c.role is guard
  4 otherwise
phase setup
  step deal:
    shuffle deck
    for p in players: move 4 from deck to hand(p)
    roll Die
phase round for nr in 1..5
  phase turn for me in players
    step act: must act once, if possible
order setup then round
action one(c in hand(me)) during act
  does it: move c to out; draw(me)
action mark(c in hand(me), p in players) during act
  needs few: marks(c, p) at most 1
  does it: marks(c, p) gains 1
action keep(c in hand(me)) during act
  does it: pet becomes c; move up to 1 from box to on(c)
action show_one(c in hand(me)) during act
  does it: show {c} to {other_player(me)}
action two(c, d in hand(me)) during act
  needs other: c is not d
  does it: move c to out; move d to out; draw(me); draw(me)
action pair(c, d in pairs of hand(me)) during act
  needs strong: strength(c) + strength(d) at least 5
  does it: move {c, d} to out; draw(me)
action group_up(s any part of hand(me), c in hand(me)) during act
  does it: group becomes s but c
action swap(s 1..2 of hand(me), t part of out) during act
  needs even: size(s) is size(t)
  does it: move s to out; move t to hand(me)
action throw(s 1..2 of Die) during act
  does it: roll s
action tuck(d in Die, c in hand(me)) during act
  does it: move d to under(c)
effect draw(p: Player)
  does draw: move up to 1 from deck to hand(p)
"""


def without_lines(rules: str) -> str:
    for line in LINES:
        assert line in rules
        rules = rules.replace(line, "")
    return rules


def at_same_state(game: ReferenceGame, program: ir.Program) -> ReferenceGame:
    """Return the same moment under the rules without the line."""
    saved = {**game.save(), "fingerprint": program.fingerprint}
    return ReferenceGame.restore(program, saved)


# ---- the exchange of two things in all there is


def exchanged_value(value: Data, type_: object, kind: str, a: int, b: int) -> Data:
    found = kind_of(type_)  # type: ignore[arg-type]  # of a state, or a variable
    if found is None or found.name != kind:
        return value
    swap = {a: b, b: a}
    if isinstance(value, tuple):
        return tuple(sorted(swap.get(each, each) for each in value))
    return value if value is None else swap.get(value, value)


def exchanged_keys(
    family: CellFamily, params: tuple[ir.Param, ...], kind: str, a: int, b: int
) -> list[int]:
    """Return for each place of a family the place that it becomes."""
    return [
        family.index(
            [
                exchanged_value(key, param.type, kind, a, b)
                for key, param in zip(family.keys(place), params, strict=True)
            ]
        )
        for place in range(family.count)
    ]


def exchanged_store(
    program: ir.Program, store: Store, kind: str, a: int, b: int
) -> object:
    """Return all that a state says, with two things in each other's place."""
    layout, said = store.layout, {}
    for name, state in program.states.items():
        places = exchanged_keys(layout.families[name], state.keys, kind, a, b)
        cells: list[Data] = [None] * len(places)
        for place, to in enumerate(places):
            value = store.cells[name][place]
            cells[to] = exchanged_value(value, state.type, kind, a, b)
        said[name] = cells
    for name, zone in program.zones.items():
        places = exchanged_keys(layout.families[name], zone.keys, kind, a, b)
        lying: list[Data] = [None] * len(places)
        for place, to in enumerate(places):
            value = store.zones[name][place]
            if zone.member.name == kind:
                value = tuple({a: b, b: a}.get(each, each) for each in value)
            lying[to] = value if zone.kind == "pile" else tuple(sorted(value))
        said[name] = lying
    for tokens in program.tokens.values():
        for name, params in tokens.slots.items():
            places = exchanged_keys(layout.families[name], params, kind, a, b)
            heaps: list[Data] = [0] * len(places)
            for place, to in enumerate(places):
                heaps[to] = store.tokens[name][place]
            said[name] = heaps
    swap = {a: b, b: a}
    for what, family in (("known", store.known), ("faces", store.faces)):
        if kind in family:
            row = family[kind]
            said[what] = [row[swap.get(n, n)] for n in range(len(row))]
    return said


def may_be_exchanged(
    program: ir.Program, store: Store, kind: str, a: int, b: int
) -> bool:
    fields = program.components[kind].fields
    same = all(
        column[a] == column[b] for name, (_, column) in fields.items() if name != "nr"
    )
    now = exchanged_store(program, store, kind, a, a)
    return same and exchanged_store(program, store, kind, a, b) == now


def exchanged_option(
    program: ir.Program, choice: Choice, kind: str, a: int, b: int
) -> Choice:
    assert isinstance(choice, Act)
    action = program.actions[choice.action]
    types = [bind.type for bind in action.params for _ in bind.slots]
    args = [
        exchanged_value(value, type_, kind, a, b)
        for value, type_ in zip(choice.args, types, strict=True)
    ]
    if choice.action == "pair":
        args.sort(key=lambda each: each or 0)  # two cards, in whatever order
    return Act(choice.action, tuple(args))


def exchanges(program: ir.Program, store: Store) -> list[tuple[str, int, int]]:
    """Return every two things that may be exchanged."""
    return [
        (kind, a, b)
        for kind, component in program.components.items()
        for a, b in combinations(range(component.kind.size), 2)
        if may_be_exchanged(program, store, kind, a, b)
    ]


def groups(program: ir.Program, store: Store, options: list[Choice]) -> list[Group]:
    """Return options joined with those that they are exchanged for."""
    swaps, found, seen = exchanges(program, store), list[Group](), set[Choice]()
    for option in options:
        if option in seen:
            continue
        group, waiting = set[Choice](), [option]
        while waiting:
            each = waiting.pop()
            if each not in group:
                group.add(each)
                waiting += [exchanged_option(program, each, *swap) for swap in swaps]
        seen |= group
        found.append((option, frozenset(group)))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_offered_options(seed: int) -> None:
    program, plain = program_of(COURT), program_of(without_lines(COURT))
    game, luck, fewer = ReferenceGame.start(program, seed), random.Random(seed), 0
    while game.decision is not None:
        options = game.decision.options
        physical = at_same_state(game, plain).decision
        assert physical is not None
        every = list(physical.options)
        joined = groups(plain, game.machine.store, every)
        wanted = [first for first, _ in joined]
        assert options.count() == len(wanted)
        assert [copy(options)[n] for n in range(len(wanted))] == wanted
        assert list(options) == wanted
        assert [options.number(each) for each in wanted] == list(range(len(wanted)))
        fewer += len(every) - len(wanted)
        # Each of the others is taken for one that is offered, and none is refused.
        for choice in luck.sample(every, min(12, len(every))):
            assert not options.refusals(choice)
            taken = options.offered(choice)
            assert [taken] == [first for first, group in joined if choice in group]
        game.choose(luck.choice(wanted))
    assert fewer


def test_another_one_is_taken_for_the_one_that_is_offered() -> None:
    program = program_of(COURT)
    game = ReferenceGame.start(program, 1)
    assert game.decision is not None
    hand = game.contents("hand", 0)
    first, other = next(
        (a, b)
        for a, b in combinations(hand, 2)
        if program.components["Card"].alike[a] == program.components["Card"].alike[b]
    )
    assert Act("one", (other,)) not in list(game.decision.options)
    game.choose(Act("one", (other,)))
    assert game.contents("out") == (first,)
    assert other in game.contents("hand", 0)


HOUSES = """\
game t
players 2..2
type Role = guard | priest
component Card for each role: Role, nr: 1..3
  those with the same role are alike
zone hand(p: Player): set of Card
zone out: set of Card
state best: Card or none starts as none
tokens chip: 9 in box, on(c: Card)
winners: players
phase setup
  step deal: for p in {first_of(players)}: move Card to hand(p)
phase turn for me in players
  step act: must act once, if possible
order setup then turn
"""


CHOOSE = "must choose c in hand(me): move c to out\n"
PLAY = (
    "effect play(p: Player)\n  does it: must choose c in hand(p) by p: move c to out\n"
)
PLAY_OTHER = """\
effect play_other(p: Player, x: Card)
  does it: must choose c in hand(p) where c is not x by p: move {c, x} to out
"""
SHARE = "share 3 over c in hand(me) as n: move up to n from box to on(c)\n"
HELD = "    let a = first_of(hand(me)), if any:"


@pytest.mark.parametrize(
    ("body", "effect", "count"),
    [
        (f"    {CHOOSE}", "", 2),
        ("    must choose s 2 of hand(me): move s to out\n", "", 3),
        (f"    for n in 1..2: {CHOOSE}", "", 2),
        # What is held in a variable is told apart, and what a state holds.
        (f"{HELD} {CHOOSE}", "", 3),
        (f"    best becomes first_of(hand(me))\n    {CHOOSE}", "", 3),
        # A loop still iterates over them.
        (f"    for a in hand(me): {CHOOSE}", "", 6),
        ("    play(me)\n", PLAY, 2),
        # The caller holds one, and the effect does not see which; or it does.
        (f"{HELD} play(me)\n", PLAY, 6),
        (f"{HELD} play_other(me, a)\n", PLAY_OTHER, 2),
        # Of shares no alike thing gets more than one before it.
        (f"    {SHARE}", "", 10),
        (f"{HELD} {SHARE}", "", 17),
        (f"    for a in hand(me): {SHARE}", "", 56),
    ],
)
def test_choices_inside(body: str, effect: str, count: int) -> None:
    rules = f"{HOUSES}action go during act\n  does it:\n{body}{effect}"
    game = ReferenceGame.start(program_of(rules), 1)
    game.choose(Act("go"))
    assert game.decision is not None
    assert game.decision.kind == ("share" if "share" in body else "choose")
    options, unlisted = game.decision.options, copy(game.decision.options)
    assert options.count() == count == len([*options])
    assert [copy(unlisted)[number] for number in range(count)] == [*options]


def test_another_share_is_taken_for_the_one_that_is_offered() -> None:
    program = program_of(f"{HOUSES}action go during act\n  does it:\n    {SHARE}")
    game = ReferenceGame.start(program, 1)
    game.choose(Act("go"))
    assert game.decision is not None
    options = game.decision.options
    first, other = Shared(((0, 2), (1, 1))), Shared(((1, 1), (2, 2)))
    assert first in [*options]
    assert other not in [*options]
    assert not options.refusals(other)
    assert options.offered(other) == first
    assert isinstance(options, ShareOptions)
    steps = options.steps()
    assert [way.value for way in steps.ways({0: Exactly(1)}, 1, 9)] == [1, 0]
    assert steps.first({1: Exactly(1)}) == (2, 1, 0, 0, 0, 0)
    assert steps.first({1: Exactly(2)}) is None
    game.choose(other)
    assert [game.tokens("on", each) for each in range(3)] == [2, 1, 0]


@pytest.mark.parametrize(("seen", "count"), [("", 2), (" seen by nobody", 6)])
def test_what_is_hidden_joins_and_tells_nothing_apart(seen: str, count: int) -> None:
    """Where the marks of cards are hidden, the options hang on none of them."""
    rules = (
        f"{HOUSES}state marked(c: Card): yes or no starts as no{seen}\n"
        "action mark(c in hand(me)) during act\n"
        "  does it: marked(c) becomes yes\n"
    )
    game = ReferenceGame.start(program_of(rules), 1)
    assert game.decision is not None
    assert game.decision.options.count() == count


def test_dice_that_others_do_not_see_are_offered_each() -> None:
    rules = """\
game t
players 2..2
dice Die for each owner: Player, nr: 1..2 showing 1..2 seen only by owner
  those with the same owner and face are alike
winners: players
phase turn for me in players
  step rolling: roll Die
  step act: must act once, if possible
  order rolling then act
action turn_one(d in Die) during act
  does it: roll d
"""
    for seed in range(4):
        game = ReferenceGame.start(program_of(rules), seed)
        assert game.decision is not None
        assert game.decision.options.count() == 4
