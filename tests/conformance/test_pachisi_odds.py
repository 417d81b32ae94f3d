"""Pachisi counted out: every throw of the sticks, every square of the cross.

The throws are laid down one by one and read through the ruleset's own values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise, product
from random import Random
from typing import cast

import pytest
from tests.support.shipped import ruleset_of

from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.reference.choices import Act, Outcome
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import GamePosition, Program
from houserule.ir.types import Data
from houserule.language.manifest.ruleset import Plain

Throw = tuple[int, ...]

GERMAN, FRENCH = "german_edition", "french_edition"
STICKS = ((1, 2, 5, 6), (1, 3, 4, 6), (1, 2, 3, 4), (0, 1, 2, 3))
THROWS = 4**3


@cache
def table(
    edition: str = GERMAN, sticks: Throw = STICKS[0], players: int = 2, **more: int
) -> Program:
    settings: dict[str, Plain] = {"stick_faces": [*sticks], **more}
    choice = TableChoice(with_=(edition,), settings=settings, players=players)
    prepared = prepare(ruleset_of("pachisi"), choice)
    assert prepared.program is not None, prepared.diagnostics
    return prepared.program


def standing(
    program: Program, throw: Throw = (), places: Mapping[str, int] | None = None
) -> ReferenceGame:
    """Return a game before a throw; pawns are named `p1-1`, the first of seat 1."""
    labels = program.labels["Pawn"]
    cells: dict[str, dict[tuple[Data, ...], Data]] = {"first": {(): 0}}
    cells["place"] = {(labels.index(k),): n for k, n in (places or {}).items()}
    faces = {"Stick": dict(enumerate(throw))} if throw else {}
    position = GamePosition(cells, faces=faces, at="throwing", seat=0)
    return ReferenceGame.start(program, position=position)


def thrown(program: Program, sticks: Throw) -> Iterator[tuple[Throw, ReferenceGame]]:
    """Yield every throw of three sticks, and a game in which it lies there."""
    for throw in product(sticks, repeat=3):
        yield throw, standing(program, throw)


@pytest.mark.parametrize("sticks", STICKS)
def test_triples_and_pairs(sticks: Throw) -> None:
    found: Counter[str] = Counter()
    for throw, game in thrown(table(GERMAN, sticks), sticks):
        kind = {1: "triple", 2: "pair", 3: "different"}[len(set(throw))]
        assert game.value("triple") == (kind == "triple")
        assert game.value("two_alike") == (kind != "different")
        found[kind] += 1
    assert found == {"triple": 4, "pair": 36, "different": 24}
    assert found.total() == THROWS


@pytest.mark.parametrize("sticks", STICKS)
def test_french_doubles(sticks: Throw) -> None:
    """Two sticks agree in 40 of 64 throws, each number as often as any other."""
    found: Counter[int] = Counter()
    for throw, game in thrown(table(FRENCH, sticks), sticks):
        if game.value("two_alike"):
            shared_number = cast("int", game.value("shared_number"))
            assert throw.count(shared_number) >= 2
            found[shared_number] += 1
    assert found == dict.fromkeys(sticks, 10)


@pytest.mark.parametrize(
    ("sticks", "missing", "mean_of_64"),
    [
        (STICKS[0], set[int](), 672),
        (STICKS[1], {4, 17}, 672),
        (STICKS[2], set[int](), 480),
        (STICKS[3], set[int](), 288),
    ],
)
def test_totals(sticks: Throw, missing: set[int], mean_of_64: int) -> None:
    """The mean of a throw is 10.5 with the first two sets of sticks."""
    program = table(GERMAN, sticks)
    totals = [cast("int", g.value("thrown")) for _, g in thrown(program, sticks)]
    reach = range(3 * min(sticks), 3 * max(sticks) + 1)
    assert set(reach) - set(totals) == missing
    assert sum(totals) == mean_of_64
    game = standing(program)
    assert {n for n in range(28) if game.value("reachable", n)} == set(totals)


@pytest.mark.parametrize(
    ("edition", "sticks", "lost"),
    [
        (GERMAN, STICKS[0], {1, 2}),
        (GERMAN, STICKS[1], {1, 2, 4}),
        (GERMAN, STICKS[2], {1, 2}),
        (GERMAN, STICKS[3], set[int]()),
        (FRENCH, STICKS[0], {1, 2}),
        (FRENCH, STICKS[1], {1, 2, 4}),
    ],
)
def test_dead_ends(edition: str, sticks: Throw, lost: set[int]) -> None:
    """So many steps from home no throws add up to the rest of the way."""
    game = standing(table(edition, sticks))
    goal = cast("int", game.value("goal"))
    finishing = cast("tuple[int, ...]", game.value("finishing"))
    assert {goal - n for n in range(goal + 1)} - {goal - n for n in finishing} == lost


def test_rolled_sticks_agree() -> None:
    """Rolled 4000 times, triples and pairs come as often as counted, within 3 sd."""
    program = table(GERMAN)
    found: Counter[int] = Counter()
    for seed in range(40):
        game = ReferenceGame.start(program, seed)
        for _ in range(100):
            game.choose(Act("cast", ()))
            sticks = {game.face("Stick", die) for die in range(3)}
            found[len(sticks)] += 1
            assert game.decision is not None
            game.choose(Act("decline", ()))
    shares = {1: 4 / 64, 2: 36 / 64, 3: 24 / 64}
    for kind, share in shares.items():
        sd = (4000 * share * (1 - share)) ** 0.5
        assert abs(found[kind] - 4000 * share) < 3 * sd


# ---- the board


def drawn(game: ReferenceGame, *names: str) -> list[tuple[int, ...]]:
    """Return what some values say of each square, in order."""
    count = game.program.kinds["Square"].size
    return [
        tuple(cast("int", game.value(name, square)) for name in names)
        for square in range(count)
    ]


def test_ninety_six_squares_and_twelve_forts() -> None:
    game = standing(table(GERMAN))
    squares = drawn(game, "row", "column")
    assert len(set(squares)) == 96
    assert all(8 <= min(square) <= 10 or 8 <= max(square) <= 10 for square in squares)
    towers = [square for (square,) in drawn(game, "tower")]
    assert sum(towers) == 12
    ends = {(18, 9), (9, 18), (0, 9), (9, 0)}
    beside = {(15, 8), (15, 10), (8, 15), (10, 15), (3, 8), (3, 10), (8, 3), (10, 3)}
    marked = {s for s, tower in zip(squares, towers, strict=True) if tower}
    assert marked == ends | beside


def way(program: Program, pawn: str) -> list[tuple[int, int]]:
    """Return the squares a pawn passes, as rows and columns, from centre to home."""
    number = program.labels["Pawn"].index(pawn)
    goal = cast("int", standing(program).value("goal"))
    found = []
    for place in range(1, goal):
        game = standing(program, places={pawn: place})
        row, column = game.value("pawn_row", number), game.value("pawn_column", number)
        found.append((cast("int", row), cast("int", column)))
    return found


def test_the_way_of_the_first_seat() -> None:
    """Eighty-four steps: out, sixty-eight round the cross against the clock, and in."""
    lane = [(row, 9) for row in range(11, 19)]
    loop = [(18, 9), *((row, 10) for row in range(18, 10, -1))]
    loop += [(10, column) for column in range(11, 19)]
    loop += [(9, 18), *((8, column) for column in range(18, 10, -1))]
    loop += [(row, 10) for row in range(7, -1, -1)]
    loop += [(0, 9), *((row, 8) for row in range(8))]
    loop += [(8, column) for column in range(7, -1, -1)]
    loop += [(9, 0), *((10, column) for column in range(8))]
    loop += [(row, 8) for row in range(11, 19)]
    assert len(set(loop)) == len(loop) == 68
    assert way(table(GERMAN), "p1-1") == [*lane[:-1], *loop, *reversed(lane)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("arm", [4, 8, 12])
def test_every_way_is_the_same_turned(players: int, arm: int) -> None:
    program = table(GERMAN, players=players, arm_length=arm)
    first = way(program, "p1-1")
    assert len(first) == 10 * arm + 3
    assert len(set(first)) == 8 * arm + 4 + arm - 1
    for (row, column), (next_row, next_column) in pairwise(first):
        assert max(abs(row - next_row), abs(column - next_column)) == 1
    last = 2 * arm + 2
    turns = {2: [0, 2], 3: [0, 3, 2], 4: [0, 3, 2, 1]}[players]
    for seat, turned in enumerate(turns, 1):
        wanted = first
        for _ in range(turned):
            wanted = [(last - column, row) for row, column in wanted]
        assert way(program, f"p{seat}-1") == wanted


# ---- games that stall


@pytest.mark.parametrize("edition", [GERMAN, FRENCH])
def test_a_game_that_nobody_can_win_stalls(edition: str) -> None:
    """Each side has a pawn one step from home, and no throw of one."""
    names = [f"p{seat}-{nr}" for seat in (1, 2) for nr in (1, 2, 3, 4)]
    home = dict.fromkeys(names, 84)
    game = standing(table(edition), places={**home, "p1-4": 83, "p2-4": 83})
    luck = Random(1)
    for _ in range(99):
        decision = game.decision
        if decision is None:
            break
        game.choose(decision.options[luck.randrange(decision.options.count())])
    assert game.outcome == Outcome("stalled", (), "round")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_in_which_nobody_throws_stalls_at_its_bound(players: int) -> None:
    game = standing(table(players=players, most_rounds=50))
    for _ in range(50 * players):
        assert game.outcome is None
        game.choose(Act("pass", ()))
    assert game.outcome == Outcome("stalled", (), "round")
