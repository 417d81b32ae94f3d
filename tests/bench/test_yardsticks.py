"""The programs written by hand play the games of the engine: each one, to its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from tools.bench.tables import table_of
from tools.bench.yardsticks import pachisi, x_pasch
from tools.bench.yardsticks.c_program import CProgram, compiler
from tools.bench.yardsticks.luck import Luck
from tools.bench.yardsticks.result import Result

from houserule.engine.state.store import Store
from houserule.ir import Program
from houserule.study.simulate import play as simulate_play
from houserule.study.simulate.play import play_game
from houserule.study.simulate.results import Finished

VECTORS = Path(__file__).parents[1] / "vectors" / "random.json"
BY_HAND: dict[str, ModuleType] = {"pachisi": pachisi, "x_pasch": x_pasch}
# Games of the engine at each table. They are those in which something rare makes a
# difference (a group beats a blockade, a game stalls, a triplet meets a single company,
# players share a victory). If these alone do not show everything, the first games are
# there as well.
GAMES = {
    ("pachisi", 2): (36, 17689),
    ("pachisi", 3): (1, 5079),
    ("pachisi", 4): (247, 472),
    ("x_pasch", 3): (0, 42),
    ("x_pasch", 4): (0, 37),
    ("x_pasch", 5): (0, 72),
    ("x_pasch", 6): (0, 14, 35),
}
SEED = 20
HAPPENS = {
    "pachisi": {"pass.end", "decline.end", "walk.go", "walk.win", "cast.again"},
    "x_pasch": {
        "reroll.again",
        "found.bonus",
        "place.put",
        "spread.put",
        "slide.move",
        "draw.take",
        "exchange.take",
    },
}

Play = Callable[[Program, int, int], tuple[Finished, Store]]


@cache
def program(game: str, players: int) -> Program:
    return table_of(game, players).program


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    """Play a game as the simulation does, and keep how it stands at the end."""
    kept: list[Store] = []

    def keep(store: Store) -> int:
        kept.append(store)
        return 0

    def play(rules: Program, seed: int, number: int) -> tuple[Finished, Store]:
        return play_game(rules, seed, number, ("random",)), kept.pop()

    with monkeypatch.context() as patch:
        patch.setattr(simulate_play, "state_number", keep)
        yield play


def position_of(name: str, store: Store) -> tuple[int, ...]:
    """Return what lies on the engine's table, in the order of the yardsticks."""
    if name == "pachisi":
        return tuple(place for place in store.cells["place"] if isinstance(place, int))
    found = [*store.zones["deck"][0], *store.zones["table"][0]]
    markers, companies = store.tokens["markers"], len(x_pasch.COMPANIES)
    for seat in range(store.layout.program.seats):
        found += [*store.zones["hand"][seat], store.tokens["supply"][seat]]
        found += markers[seat * companies : (seat + 1) * companies]
    return tuple(found)


def as_result(name: str, finished: Finished, store: Store) -> Result:
    return Result(
        finished.outcome,
        finished.winners,
        finished.decisions,
        finished.rounds,
        finished.scores,
        position_of(name, store),
    )


def compare_with_engine(
    engine: Play, name: str, players: int, games: Iterable[int]
) -> set[str]:
    """Compare some games; return the clauses that ran."""
    ran: set[str] = set()
    for number in games:
        finished, game = engine(program(name, players), SEED, number)
        by_hand = BY_HAND[name].play(SEED, number, players)
        assert by_hand == as_result(name, finished, game), number
        ran |= {clause for clause, count in finished.ran.items() if count}
    return ran


@pytest.mark.parametrize("name", BY_HAND)
def test_python_by_hand_plays_as_the_engine(engine: Play, name: str) -> None:
    ran = set[str]()
    for (game, players), games in GAMES.items():
        if game == name:
            ran |= compare_with_engine(engine, name, players, games)
    assert ran >= HAPPENS[name], "the games are too few to show that they are alike"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_python_by_hand_plays_as_the_engine_for_long(
    engine: Play, name: str, players: int
) -> None:
    compare_with_engine(engine, name, players, range(100, 140))


@pytest.mark.slow
@pytest.mark.skipif(compiler() is None, reason="gcc is not on the path")
@pytest.mark.parametrize("name", BY_HAND)
def test_c_by_hand_plays_as_python(name: str, tmp_path: Path) -> None:
    by_hand = CProgram.compile(name, tmp_path)
    for game, players in GAMES:
        if game == name:
            found = by_hand.play(SEED, 3, 30, players)
            wanted = [BY_HAND[name].play(SEED, n, players) for n in range(3, 33)]
            assert found == wanted


@pytest.mark.skipif(compiler() is None, reason="gcc is not on the path")
@pytest.mark.parametrize("name", BY_HAND)
def test_c_by_hand_counts_what_it_plays(name: str, tmp_path: Path) -> None:
    by_hand = CProgram.compile(name, tmp_path)
    played = by_hand.play(SEED, 3, 20, 3)
    totals = by_hand.measure(SEED, 3, 20, 3, 2)
    assert totals.games == 40
    assert totals.decisions == 2 * sum(each.decisions for each in played)
    assert totals.rounds == 2 * sum(each.rounds for each in played)
    assert totals.scores == 2 * sum(sum(each.scores) for each in played)
    assert totals.seconds > 0


def test_the_yardsticks_draw_the_numbers_of_the_specification() -> None:
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))["streams"]
    assert vectors
    for vector in vectors:
        stream = (int(vector["seed"]), int(vector["game"]), vector["tag"])
        luck = Luck(*stream)
        words = [f"{luck.word():08x}" for _ in vector["words"]]
        assert words == vector["words"]
        luck = Luck(*stream)
        order = list(range(10))
        luck.shuffle(order)
        assert order == vector["shuffle"]


@pytest.mark.parametrize(
    ("amount", "members", "wanted"),
    [
        (2, 2, [[2, 0], [1, 1], [0, 2]]),
        (1, 3, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        (3, 1, [[3]]),
    ],
)
def test_shares_are_in_order(
    amount: int, members: int, wanted: list[list[int]]
) -> None:
    found = [x_pasch.share(amount, members, n) for n in range(len(wanted))]
    assert found == wanted
