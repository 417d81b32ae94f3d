"""Bots choose alike whatever is true of what their seat does not see.

At decisions of random games a bot is asked often: in the game as it is, and in games
that look the same to its seat, in which hidden things, chance to come and what others
have chosen unseen are other ones. Its choices are counted; how far the two rows are
apart is measured by chi-squared, summed over decisions. A bot that knows what is hidden
chooses one thing in the game as it is, and many in the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from math import sqrt
from random import Random

import pytest
from tests.support.bots import KINDS, SOME_SEARCH
from tests.support.engines import first_of
from tests.support.rules_cases import CASES, program_of
from tests.support.shipped import NAMES, ShippedTable, program_at, tables, telling

from houserule.engine.bots import imagined
from houserule.engine.bots.bot import GREEDY, effort_of, kind_of
from houserule.engine.bots.greedy import key_value, played_at_once
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.codec import StateBlock, read_store, write_store
from houserule.engine.compiled.memory.layout import START, STREAM
from houserule.engine.compiled.module import Module, emit
from houserule.engine.reference.play import turns
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.random_numbers import Stream
from houserule.engine.state.determinize import Redealt, redeal
from houserule.engine.state.hidden_slots import hidden_slots
from houserule.engine.state.store import Store
from houserule.ir import Program
from houserule.ir.walk import option_binds

OPTIONS = range(2, 9)  # of decisions that are looked at
EVERY = {
    "offering",
    "carding",
    "topping",
    "dicing",
    "telling",
    "tossing",
    "wanted",
    "choosing",
}
DRAWN = {
    "what others have chosen": ("(call $draw_pending)\n", "", {"choosing"}),
}
"""What is drawn in the compiled bot, and the steps at which that is guessed.

`test_views` sees what else is drawn."""
NOTHING = -(1 << 31)


@dataclass(frozen=True)
class Position:
    """A decision, and the game before others chose at once with its seat.

    `rest` are the numbers of the options that they chose.
    """

    before: ReferenceGame
    rest: tuple[int, ...]
    choices: tuple[int, ...]  # that led to `before`, by number
    seat: int
    step: str
    seed: int

    def reached(self, luck: Random | None) -> ReferenceGame:
        """Return the game at the decision: as it is, or another that looks the same."""
        game = self.before.clone()
        if luck is not None:
            machine = game.machine
            machine.store = self.dealt(machine.store, luck)
            game = ReferenceGame(machine, turns.advance(machine), checked=False)
        for number in self.rest:
            assert game.decision is not None
            options = game.decision.options
            game.choose(options[luck.randrange(options.count()) if luck else number])
        return game

    def dealt(self, store: Store, luck: Random) -> Store:
        """Return a state that looks the same to the seat."""
        engine = self.before.engine
        stream = Stream.seeded(luck.getrandbits(32), 0, "redealt")
        return redeal(engine.program, engine.evaluator, store, self.seat, stream).store


def positions(
    program: Program,
    games: int,
    most: int,
    part: float = 0.2,
    *,
    face_down: bool = False,
) -> Iterator[Position]:
    """Yield some decisions of each of some random games, about such a part of all.

    Amid an effect that holds hidden things it is left out what a seat decides, but for
    a game in which others are asked about what they do not see of it (`face_down`).
    """
    for seed in range(games):
        game, luck, found = ReferenceGame.start(program, seed), Random(seed), 0
        numbers: list[int] = []
        before, behind, asked = game.clone(), 0, -1
        while game.decision is not None and found < most and len(numbers) < 400:
            decision = game.decision
            many, step = decision.options.count(), "".join(decision.open_steps[:1])
            at_once, held = played_at_once(game, decision), holds_hidden(game)
            offered = held and face_down and before.decision != decision
            earlier = asked  # who has no choice was passed over, and is not asked
            asked = len(game.machine.stack[-1].chosen) if at_once else -1
            if not offered and not asked > earlier >= 0:
                before, behind = game.clone(), len(numbers)
            seldom = part if not at_once else 4 * part
            if many in OPTIONS and held <= offered and luck.random() < seldom:
                found += 1
                made = tuple(numbers)
                rest, first = made[behind:], made[:behind]
                step = "wanted" if offered else step
                yield Position(before, rest, first, decision.seat, step, seed)
            numbers.append(luck.randrange(many))
            game.choose(decision.options[numbers[-1]])


def holds_hidden(game: ReferenceGame) -> bool:
    """Say whether an effect under way may hold things that a seat does not see."""
    hidden = hidden_slots(game.program)
    return any(frame.proc in hidden for frame in game.machine.frames)


# ---- what a bot chooses


Asking = Callable[[Position, Random | None, int], Hashable]


def of_reference(kind: str) -> Asking:
    def asked(position: Position, luck: Random | None, seed: int) -> Hashable:
        bot = kind_of(kind)(position.seat, Stream.seeded(seed, 0, "bot"))
        return bot.choose(position.reached(luck))

    return asked


def of_compiled(kind: str, module: Module) -> Asking:
    machine, effort = CompiledMachine(module), effort_of(kind)
    assert effort or kind in ("random", GREEDY), "say how the compiled engine seats it"
    blocks: dict[Position, StateBlock] = {}

    def before(position: Position) -> StateBlock:
        machine.call("reset", position.seed, 0)
        if position not in blocks:
            machine.call("advance")
            for number in position.choices:
                _choose(machine, number)
            blocks[position] = machine.block()
        return blocks[position]

    def asked(position: Position, luck: Random | None, seed: int) -> Hashable:
        block = StateBlock(bytearray(before(position).content))
        if luck is not None:
            store = read_store(block, module.memory)
            write_store(block, module.memory, position.dealt(store, luck))
            block.put(module.memory.header["listing"], -1)  # options are listed again
        _write(machine, START, block.content)
        for number in position.rest:
            many = machine.call("options")
            _choose(machine, luck.randrange(many) if luck else number)
        stream = Stream.seeded(seed, 0, "bot")
        words = stream.state.to_bytes(8, "little") + stream.inc.to_bytes(8, "little")
        _write(machine, module.bots + STREAM * position.seat, bytearray(words))
        picked = _picked(machine)
        machine.seat_searches([effort] * module.program.seats)
        machine.decide(1 << position.seat if kind == GREEDY else 0)
        return _chosen(machine, picked)

    return asked


def _write(machine: CompiledMachine, at: int, content: bytearray) -> None:
    machine._instance.write(at, content)


def _choose(machine: CompiledMachine, number: int) -> None:
    machine.call("choose", number)
    machine.call("advance")


def _picked(machine: CompiledMachine) -> int:
    """Return where the next choice of a phase that all play at once stands; 0: none."""
    memory = machine.module.memory
    phase = machine.module.phases[machine.header("site")]
    if machine.header("decision") != 1 or not memory.phases[phase].chosen_width:
        return 0
    plan = memory.phases[phase]
    return plan.chosen + plan.chosen_width * machine.number(
        memory.field(phase, "picked")
    )


def _chosen(machine: CompiledMachine, picked: int) -> Hashable:
    """Return what was chosen, before anything comes of it."""
    module = machine.module
    if machine.header("decision") != 1:
        return machine.header("answer")
    actions = sorted(module.program.actions)
    if picked:
        which = machine.number(picked)
        name = actions[which] if which >= 0 else ""
    else:
        labels = module.program.labels.get("Action", tuple(actions))
        doing = machine.header("doing")
        name = labels[doing] if doing != NOTHING else ""
    if not name:
        return "done"
    slots = module.frames[f"action {name}"].slots
    binds = option_binds(module.program.actions[name])
    values = [machine.number(slots[slot]) for bind in binds for slot in bind.slots]
    return (name, *values)


# ---- how far apart


def apart(asked: Asking, some: Iterable[Position], times: int) -> float:
    """Return by how many standard deviations choices are apart, of all positions.

    Each question has luck of its own.
    """
    total, freedom, seeds = 0.0, 0, count()
    for position in some:
        as_it_is = Counter(asked(position, None, next(seeds)) for _ in range(times))
        others = Counter(
            asked(position, Random(seed), seed) for seed in islice(seeds, times)
        )
        every = as_it_is.keys() | others.keys()
        freedom += len(every) - 1
        total += sum(
            (as_it_is[each] - others[each]) ** 2 / (as_it_is[each] + others[each])
            for each in every
        )
    return (total - freedom) / sqrt(2 * max(freedom, 1))


FAR = 5.0


def guesses() -> Program:
    return program_of((CASES / "bots" / "guesses.rules").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_everything_that_can_be_hidden(engine: str, kind: str) -> None:
    program = guesses()
    compiled = engine == "compiled"
    asked = of_compiled(kind, emit(program)) if compiled else of_reference(kind)
    some = list(positions(program, 1, 60, 0.7, face_down=True))
    assert {position.step for position in some} == EVERY
    assert apart(asked, some, 16 if compiled else 5) < FAR


@pytest.mark.parametrize("kind", [GREEDY, SOME_SEARCH])
def test_what_bots_strive_for_may_read_what_is_hidden(kind: str) -> None:
    program = program_at(first_of("cribbage"))
    some = [each for each in positions(program, 2, 6, 0.4) if each.step == "laying"]

    def worths(position: Position) -> set[int]:
        games = [position.reached(Random(seed)) for seed in range(8)]
        ranking, other = program.bot_ranking, 1 - position.seat
        return {key_value(game, ranking, 0, other) for game in games}

    assert any(len(worths(position)) > 1 for position in some)
    assert apart(of_compiled(kind, emit(program)), some, 16) < FAR


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", tables(telling))
def test_what_is_hidden_never_matters(table: ShippedTable, kind: str) -> None:
    program = program_at(table)
    asked = of_compiled(kind, emit(program))
    assert apart(asked, positions(program, 6, 8), 100) < FAR


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_hidden_does_not_matter_on_the_reference_engine(
    name: str, kind: str
) -> None:
    program = program_at(first_of(name))
    assert apart(of_reference(kind), positions(program, 2, 3), 24) < FAR


# ---- bots that know too much are seen


@pytest.mark.parametrize("drawing", sorted(DRAWN))
def test_a_compiled_bot_that_knows_too_much_is_seen(drawing: str) -> None:
    program, (right, instead, steps) = guesses(), DRAWN[drawing]
    module = emit(program)
    assert right in module.text
    wrong = replace(module, text=module.text.replace(right, instead))
    some = [
        each
        for each in positions(program, 2, 60, 0.7, face_down=True)
        if each.step in steps
    ]
    assert len(some) > 1
    assert apart(of_compiled("greedy", module), some, 16) < FAR
    assert apart(of_compiled("greedy", wrong), some, 16) > 2 * FAR


def test_a_bot_that_knows_too_much_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    program = guesses()
    some = list(positions(program, 1, 60, 0.7))

    def as_it_is(
        _: Program, evaluator: object, store: Store, *rest: object, held: object
    ) -> Redealt:
        return Redealt(store.clone(), {})

    monkeypatch.setattr(imagined, "redeal", as_it_is)
    assert apart(of_reference("greedy"), some[::2], 8) > FAR
