"""Options give nothing away: in every world that a seat cannot tell apart from the true
one it is asked the same, may do the same, and is refused the same.

The static check E601 promises that; here it is looked at in play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from tests.support.rulesets import ruleset_from_texts
from tests.support.shipped import ShippedTable, program_at, tables, telling

from houserule.compiler.prepare import TableChoice, prepare
from houserule.compiler.tables.sample import Choice
from houserule.engine.bots.imagined import imagine
from houserule.engine.bots.random_choice import random_option
from houserule.engine.reference.choices import Choice as Chosen
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play import turns
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.ir import Program

WORDS = ("nothing", "everything")
DECISIONS = 20
LISTED = 60
DRAWN = 6


def few(game: str) -> list[Choice]:
    """Return the base with its most players, and everything on."""
    found = {each.why.split()[0]: each for each in telling(game)}
    return [found[word] for word in WORDS if word in found]


def hides(program: Program) -> bool:
    """Say whether anything is hidden from anybody."""
    things = (program.zones, program.states, program.components)
    return any(each.seen is not None for kind in things for each in kind.values())


def looked_at(game: ReferenceGame, seed: int) -> Iterator[ReferenceGame]:
    """Yield a random game at some of its decisions, later ones more rarely."""
    luck = Random(seed)
    due = 0
    for number in range(DECISIONS * 20):
        decision = game.decision
        if decision is None:
            return
        if number == due:
            yield game
            due += 1 + number // 6
        stream = Stream.seeded(luck.randrange(1 << 30), 0, "player")
        game.choose(random_option(decision.options, stream))


def shape(decision: Decision) -> tuple[object, ...]:
    """Return who is asked what, and among how many options."""
    steps = sorted(decision.open_steps)
    count = decision.options.count()
    return decision.seat, decision.kind, decision.site, steps, count


def options_of(decision: Decision, luck: Stream) -> Sequence[Chosen]:
    """Return all options, or some of many."""
    if decision.options.count() <= LISTED:
        return list(decision.options)
    return [random_option(decision.options, luck) for _ in range(DRAWN)]


def leaks(program: Program, seed: int) -> list[str]:
    """Return how the options of a random game differ in worlds that look the same."""
    found = []
    start = ReferenceGame.start(program, seed)
    for number, game in enumerate(looked_at(start, seed)):
        here = game.decision
        assert here is not None
        luck = Stream.seeded(number, seed, "worlds")
        there = turns.advance(imagine(game, here.seat, luck).game.machine)
        if there is None or shape(here) != shape(there):
            found.append(f"{here.site}: another decision")
            continue
        pairs = ((here, there), (there, here))
        found += [
            f"{here.site}: {option}"
            for one, other in pairs
            for option in options_of(one, luck)
            if other.options.refusals(option)
        ]
    return found


@pytest.mark.parametrize("table", tables(few))
def test_options_are_the_same_in_all_worlds(table: ShippedTable) -> None:
    program = program_at(table)
    if hides(program):
        assert not leaks(program, 3)


@pytest.mark.slow
@pytest.mark.parametrize("table", tables(telling))
def test_options_are_the_same_in_all_worlds_at_more_tables(
    table: ShippedTable,
) -> None:
    program = program_at(table)
    if hides(program):
        assert not [each for seed in range(6) for each in leaks(program, seed)]


LEAKY = """
game t
players 2..2
dice Cup for each owner: Player, nr: 1..2 showing 1..6 seen only by owner
state turns: 0..40 starts as 0
winners: players
phase round for n in 1..20
  step shaking: roll Cup
  phase turn for me in players
    step acting: at most once
  order shaking then turn
action a during acting
  needs high: (sum of d.face for d in Cup where d.owner is WHO) at least 7
  does it: turns gains 1
"""


@pytest.mark.parametrize(("who", "leaky"), [("me", False), ("not me", True)])
def test_a_leak_would_be_found(
    who: str, *, leaky: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the static check: what only others see decides, and the test tells."""
    monkeypatch.setattr(
        "houserule.compiler.lower.analysis.visibility", lambda *_: iter(())
    )
    ruleset = ruleset_from_texts({"game.rules": LEAKY.strip().replace("WHO", who)})
    program = prepare(ruleset, TableChoice()).program
    assert program is not None
    assert bool(leaks(program, 1)) is leaky
