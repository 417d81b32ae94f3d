"""Counts of positions are checked against a plain list of positions, in whole games.

Both engines play by the same core, which keeps positions in a ring of states. So their
agreement proves nothing about a count: here positions are kept in a list, and a count
is how often the present position is in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest
from tests.support.shipped import NAMES, ShippedTable, program_at, sampled

from houserule import ir
from houserule.engine.reference.choices import Act, Choice, Event
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.machine import Machine
from houserule.ir.types import Whole, members
from houserule.ir.walk import bodies

FIRST = 12  # choices at random, so that positions differ before men go to and fro
GAMES = 6  # at most: two, and more until a position comes again


def histories(program: ir.Program) -> list[ir.ValueDef]:
    """Return the counts; a level of a value that asks itself has such a name too."""
    return [
        each
        for each in program.values.values()
        if ir.is_kept(each.name) and ir.declared_as(each.name) == each.name
    ]


def counting() -> list[object]:
    """Return the sampled tables of every game that counts positions."""
    found: list[object] = []
    for name in NAMES:
        every = dict.fromkeys(ShippedTable.of(name, each) for each in sampled(name))
        first, *others = every
        if histories(program_at(first)):
            slow = [pytest.param(each, marks=pytest.mark.slow) for each in others]
            found += [first, *slow]
    assert len(found) > 1, "no game counts positions any more"
    return found


@dataclass
class PlainHistory(list[Event]):
    """Keeps what began since the last end of a history; hears all events of a game."""

    machine: Machine
    value: ir.ValueDef
    begun: list[tuple[object, object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.phase, self.since, self.same, self.last = ir.kept_parts(self.value.name)
        program = self.machine.engine.program
        every = {body.address for body in bodies(program)}
        self.ends = {a for a in every if a.split(".")[0] in self.since}

    def position(self) -> object:
        store = self.machine.store
        return [
            [*(store.cells.get(name) or store.zones.get(name) or store.tokens[name])]
            for name in self.same
        ]

    def append(self, event: Event) -> None:
        if event.kind == "clause" and event.address in self.ends:
            self.begun.clear()
        if event.kind == "item" and event.address == self.phase:
            self.begun.append((event.data[0], self.position()))
            del self.begun[: -self.last]

    def now(self) -> list[tuple[int, object]]:
        """Return the right count and that of the rules for each member."""
        whose: list[tuple[int, ...]] = [()]
        for param in self.value.params:
            assert isinstance(param.type, Whole | ir.types.Kind)
            whose = [(each,) for each in members(param.type)]
        position, found = self.position(), list[tuple[int, object]]()
        for keys in whose:
            args = tuple(
                ir.Const(k, p.type)
                for k, p in zip(keys, self.value.params, strict=True)
            )
            call = ir.CallValue(self.value.name, args, self.value.type)
            said = self.machine.engine.pure(call)(self.machine, None, ())
            right = sum(
                (not keys or keys[0] == item) and then == position
                for item, then in self.begun
            )
            found.append((right, said))
        return found


def to_and_fro(game: ReferenceGame, last: dict[int, Act], random: Random) -> Choice:
    """Take the last move of a seat back if that is legal, else choose at random."""
    decision = game.decision
    assert decision is not None
    before = last.get(decision.seat)
    if before is not None and random.random() < 0.9:
        back = Act(before.action, (*before.args[1::-1], *before.args[2:]))
        if back in decision.options:
            return back
    return decision.options[random.randrange(len(decision.options))]


@pytest.mark.parametrize("table", counting(), ids=str)
def test_every_count_is_that_of_a_plain_list(table: ShippedTable) -> None:
    program, most = program_at(table), 0
    never = "superko" in str(table)  # it forbids just that
    for seed in range(GAMES):
        if seed >= 2 and (most >= 2 or never):
            break
        random, last, plain = Random(seed), dict[int, Act](), list[PlainHistory]()

        def attend(game: ReferenceGame, plain: list[PlainHistory] = plain) -> None:
            (value,) = histories(game.program)
            plain.append(PlainHistory(game.machine, value))
            game.machine.events = plain[0]

        game, choices = ReferenceGame.start(program, seed, attend=attend), 0
        while True:
            for right, said in plain[0].now():
                assert said == right, (seed, choices)
                most = max(most, right)
            if game.decision is None:
                break
            if choices < FIRST:
                last.clear()
            choice = to_and_fro(game, last, random)
            if isinstance(choice, Act):
                last[game.decision.seat] = choice
            game.choose(choice)
            choices += 1
    assert most >= 2 or never, "no position came again"
