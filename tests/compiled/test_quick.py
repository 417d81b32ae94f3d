"""The quick greedy bot chooses what the reference bot chooses, from the same stream."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence

import pytest
from tests.support.engines import first_of
from tests.support.rules_cases import program_of as rules_of
from tests.support.sampling import spread
from tests.support.shipped import (
    NAMES,
    ShippedTable,
    program_at,
    telling,
)
from tests.support.small_games import program as small_game

from houserule.engine.bots.bot import seat_bots
from houserule.engine.bots.effort import Effort
from houserule.engine.bots.greedy import GreedyBot
from houserule.engine.bots.search import SearchBot
from houserule.engine.compiled import available
from houserule.engine.compiled.bots import compiled_bots as quick
from houserule.engine.compiled.bots.compiled_bots import (
    CompiledBot,
    CompiledThinker,
    quick_bot,
    quick_bots,
)
from houserule.engine.compiled.bots.route import Track
from houserule.engine.compiled.machine import CompiledMachine
from houserule.engine.compiled.memory.codec import StateBlock
from houserule.engine.compiled.memory.entering import write_game
from houserule.engine.compiled.memory.layout import NUMBER, WORD_BYTES
from houserule.engine.compiled.module import Module
from houserule.engine.reference.choices import Choice
from houserule.engine.reference.options.options import Decision
from houserule.engine.reference.play.game import ReferenceGame
from houserule.engine.reference.play.machine import Forced, Machine
from houserule.engine.reference.random_numbers import Stream
from houserule.ir import Program

from .thinking import SEATINGS

Counts = Counter[tuple[str, bool]]


class Counted(CompiledThinker):
    """A thinker that does not wait, and counts by kind which decisions it answered."""

    def __init__(
        self, program: Program, machine: CompiledMachine | None = None
    ) -> None:
        super().__init__(program, patience=0)
        self.answered = Counts()
        if machine is not None and not machine.module.no_greedy:
            self._machine, self._known = machine, True

    def choose(
        self,
        game: ReferenceGame,
        decision: Decision,
        stream: Stream,
        effort: Effort | None = None,
        track: Track | None = None,
    ) -> Choice | None:
        before = stream.state
        found = super().choose(game, decision, stream, effort, track)
        self.answered[decision.kind, found is not None] += 1
        assert found is not None or stream.state == before
        return found


def choose_alike(
    program: Program,
    names: Sequence[str],
    seed: int,
    most: int,
    machine: CompiledMachine | None = None,
) -> Counts:
    """Play a game by bots; where they imagine games both engines must choose alike.

    Returns how many decisions of each kind were answered by the compiled engine.
    """
    thinker, track = Counted(program, machine), Track()
    game = ReferenceGame.start(program, seed)
    bots = seat_bots(names, program.seats, seed, 0)
    twins = {
        seat: (
            stream,
            quick_bot(names[seat % len(names)], seat, stream, thinker, track),
        )
        for seat, bot in enumerate(bots)
        if isinstance(bot, GreedyBot | SearchBot)
        for stream in [Stream.seeded(seed, 0, f"bot/{seat}")]
    }
    for _ in range(most):
        if game.decision is None:
            break
        seat = game.decision.seat
        choice = bots[seat].choose(game)
        if seat in twins:
            stream, twin = twins[seat]
            assert twin.choose(game) == choice
            assert stream.state == bots[seat]._stream.state  # type: ignore[attr-defined]
        track.keep(game, choice)
        game.choose(choice)
    return thinker.answered


def seated(case: tuple[str, tuple[str, ...]]) -> str:
    return f"{case[0]}: {', '.join(case[1])}"


@pytest.mark.parametrize(
    ("name", "names"),
    spread([(name, names) for name in NAMES for names in SEATINGS], 8, name=seated),
)
def test_the_same_choices_in_any_seating(name: str, names: tuple[str, ...]) -> None:
    answered = choose_alike(program_at(first_of(name)), names, 2, 20)
    assert answered or len(names) > program_at(first_of(name)).seats
    assert not answered["act", False]


FOLLOWED = [
    ("takeover", 0, "choose", ("greedy",)),
    ("takeover", 0, "choose", ("random", "search:20")),
    ("guild_street", 2, "choose", ("random", "greedy", "search:40")),
    ("pachisi", 2, "ask", ("random", "greedy")),
]
"""Games in which something is decided within effects, their tables, what, and by whom:
what the others decide is begun by a random bot, which stands for a person."""


@pytest.mark.parametrize(("name", "table", "kind", "names"), FOLLOWED)
def test_effects_that_ask_are_followed(
    name: str, table: int, kind: str, names: tuple[str, ...]
) -> None:
    """A choice within an effect is answered, whoever decided what led to it."""
    program = program_at(ShippedTable.of(name, telling(name)[table]))
    answered = choose_alike(program, names, 1, 60)
    assert answered[kind, True] > 2
    assert not [each for each, there in answered if not there]


def never(*_: object) -> Choice:
    raise AssertionError("it is thought out on the reference engine")


def test_a_seating_follows_all_that_sit_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that imagine nothing begin effects in which others think."""
    program, asked = program_at(first_of("takeover")), 0
    available.module_of(program)
    monkeypatch.setattr(GreedyBot, "choose", never)
    game = ReferenceGame.start(program, 1)
    bots = quick_bots(["random", "greedy"], program, 1, 0)
    while game.decision is not None:
        decision = game.decision
        asked += decision.kind == "choose" and decision.seat == 1
        game.choose(bots[decision.seat].choose(game))
    assert asked > 3


def test_a_way_that_is_wrong_is_not_gone() -> None:
    """Where a choice was missed the reference engine thinks, and chooses the same."""
    program, track = program_at(first_of("takeover")), Track()
    thinker, game = Counted(program), ReferenceGame.start(program, 1)
    bots, luck = quick_bots(["random"], program, 1, 0), Stream.seeded(1, 0, "bot")
    while game.decision is not None and game.decision.site != "offer.deal.2":
        choice = bots[game.decision.seat].choose(game)
        if game.decision.kind == "act":
            track.keep(game, choice)
        game.choose(choice)
    assert game.decision is not None
    assert track.way(game) is not None
    assert thinker.choose(game, game.decision, luck, Effort(40), track) is None


def test_other_games_may_come_between() -> None:
    """One thinker serves games in turns, copies and games that were saved."""
    program = program_at(first_of("takeover"))
    thinker = Counted(program)
    start = ReferenceGame.start(program, 4)
    games = [start, start.clone(), ReferenceGame.start(program, 5)]
    streams = [Stream.seeded(4, 0, "bot") for _ in games]
    track = Track()
    slow = [Stream.seeded(4, 0, "bot") for _ in games]
    for turn in range(90):
        which = turn % 3
        if turn % 7 == 6:
            games[which] = ReferenceGame.restore(program, games[which].save())
        game = games[which]
        if game.decision is None:
            continue
        seat = game.decision.seat
        stream = streams[which]
        bot = CompiledBot(GreedyBot(seat, stream), stream, thinker, track=track)
        choice = bot.choose(game)
        assert choice == GreedyBot(seat, slow[which]).choose(game)
        assert streams[which].state == slow[which].state
        track.keep(game, choice)
        game.choose(choice)
    assert thinker.answered["choose", False], "another game came between"
    assert thinker.answered["act", True] > 10


def test_forced_luck_is_left_to_the_reference_engine() -> None:
    program = program_at(first_of("pachisi"))
    game = ReferenceGame.start(program, 1)
    game.machine.forced = Forced(draws=[1, 2, 3])
    thinker = Counted(program)
    assert game.decision is not None
    assert thinker.choose(game, game.decision, Stream.seeded(1, 0, "bot")) is None


def test_a_small_game_is_over_before_anything_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(_: Program) -> None:
        raise AssertionError("it was compiled")

    monkeypatch.setattr(available, "_modules", OrderedDict())
    monkeypatch.setattr(available, "_wanted", OrderedDict())
    monkeypatch.setattr(quick, "machine_for_greedy", never)
    program = small_game("market")
    game, bots = ReferenceGame.start(program, 1), quick_bots(["greedy"], program, 1, 0)
    for _ in range(quick.PATIENCE):
        assert game.decision is not None
        game.choose(bots[game.decision.seat].choose(game))


def test_all_games_of_a_program_wait_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(available, "_modules", OrderedDict())
    monkeypatch.setattr(available, "_wanted", OrderedDict())
    program, found = small_game("market"), []
    for _ in range(quick.PATIENCE + 1):
        thinker, game = CompiledThinker(program), ReferenceGame.start(program, 1)
        assert game.decision is not None
        found.append(thinker.choose(game, game.decision, Stream.seeded(1, 0, "bot")))
    assert [each is not None for each in found] == [*[False] * quick.PATIENCE, True]


def test_a_module_that_another_game_has_is_not_waited_for() -> None:
    program = small_game("market")
    available.module_of(program)
    thinker, game = CompiledThinker(program), ReferenceGame.start(program, 1)
    assert game.decision is not None
    assert thinker.choose(game, game.decision, Stream.seeded(1, 0, "bot")) is not None


def test_nobody_waits_while_another_game_has_its_module_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(available, "_modules", OrderedDict())
    program = small_game("market")
    thinker, game = Counted(program), ReferenceGame.start(program, 1)
    assert game.decision is not None
    with available._compiling:
        assert thinker.choose(game, game.decision, Stream.seeded(1, 0, "bot")) is None
    assert thinker.choose(game, game.decision, Stream.seeded(1, 0, "bot")) is not None


def test_modules_that_were_wanted_last_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: OrderedDict[Program, Module] = OrderedDict()
    monkeypatch.setattr(available, "_modules", kept)
    monkeypatch.setattr(available, "KEPT", 2)
    first, second, third = (small_game(each) for each in ("market", "faulty", "ferry"))
    for program in (first, second, first, third):
        available.module_of(program)
    assert [*kept] == [first, third]


def test_without_a_runtime_the_reference_engine_thinks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "houserule.engine.compiled.available.no_runtime", lambda: "none here"
    )
    program = small_game("market")
    thinker, game = Counted(program), ReferenceGame.start(program, 1)
    assert game.decision is not None
    seat = game.decision.seat
    stream = Stream.seeded(1, 0, "bot")
    bot = CompiledBot(GreedyBot(seat, stream), stream, thinker)
    assert bot.choose(game) in game.decision.options
    assert not thinker.answered["act", True]


LIMITED = """\
game t
players 2..2
state score(p: Player): 0..99 starts as 0
winners: those p in players with most score(p)
phase round for r in 1..6
  phase turn for me in players
    step acting: any number
action go(n in 1..2) during acting
  limit once: at most once each turn
  does it: score(me) gains n
action wait during acting
  limit once: at most once each turn
  does it: score(me) gains 1
"""
FIELDS = {
    "stage": "pig",
    "index": "pig",
    "count": "takeover",
    "item": "pig",
    "picked": "guild_street",
    "over": "takeover",
    "limits": "",
}
"""What is written of phases and limits, and a game that goes otherwise without it; an
empty name is that of `LIMITED`."""


@pytest.mark.parametrize("field", FIELDS)
def test_what_is_not_entered_is_seen(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(block: StateBlock, module: Module, machine: Machine) -> None:
        before = StateBlock(bytearray(block.content))
        write_game(block, module, machine)
        memory = module.memory
        if field == "limits":
            kept = [(at, NUMBER) for at in memory.taken.values()]
        elif field == "over":
            kept = [(plan.over, WORD_BYTES) for plan in memory.phases.values()]
        else:
            kept = [(memory.field(name, field), NUMBER) for name in memory.phases]
        for at, size in kept:
            block.put_bits(at, size, before.bits(at, size))

    monkeypatch.setattr(quick, "write_game", without)
    game = FIELDS[field]
    program = program_at(first_of(game)) if game else rules_of(LIMITED)
    try:
        answered = choose_alike(program, ("greedy",), 1, 60)
    except AssertionError:
        return
    assert answered["act", False], "all the same"
