"""What is told of the strength of bots was measured so, and a quick sample of it."""

from __future__ import annotations

import pytest
from tools.bench import solved, strength, thinking
from tools.bench.tables import table_of

from houserule.engine.bots.bot import LEVELS
from houserule.study.simulate.statistics.intervals import Estimate


def test_with_any_number_of_seats_a_half_means_as_strong() -> None:
    even = strength.per_seat(Estimate(1 / 3, 0.0, 1.0), 3)
    assert even.value == pytest.approx(1 / 2)
    assert (even.low, even.high) == (0.0, 1.0)
    assert strength.per_seat(Estimate(0.6, 0.5, 0.7), 2).value == pytest.approx(0.6)
    better = strength.per_seat(Estimate(0.5, 0.4, 0.6), 4)
    assert better.value == pytest.approx(3 / 4)


def test_a_game_for_one_is_a_duel_of_two() -> None:
    assert strength.duel("yacht", ("greedy", "random"), 2).players == 2


@pytest.mark.slow
def test_a_longer_search_wins() -> None:
    found = strength.duel("liars_dice", ("search:3000", "search:30"), 60)
    assert found.games == 60 >= found.counted
    assert found.share[1] > 0.55
    head, rows = strength.lines([found])
    assert head == ["game", "players", "search:3000 against search:30"]
    assert rows[0][:2] == ["liars_dice", "2"]


def test_levels_stand_one_above_the_other() -> None:
    efforts = [LEVELS[name].decisions for name in ("easy", "fair", "strong")]
    assert efforts == sorted(set(efforts))
    easy = strength.duel("liars_dice", ("easy", "random"), 20)
    assert easy.share[1] > 0.5
    fair = strength.duel("liars_dice", ("fair", "greedy"), 20)
    assert fair.share[1] > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("game", strength.CONTESTS)
@pytest.mark.parametrize("pair", [("search:1000", "search:100"), ("fair", "greedy")])
def test_each_rung_is_higher(game: str, pair: strength.Pair) -> None:
    found = strength.duel(game, pair, strength.CONTESTS[game])
    assert found.share[1] > 0.5
    assert pair[1] != "greedy" or found.share[0] > 0.7


def test_an_unknown_bot_or_game_is_said() -> None:
    with pytest.raises(SystemExit, match="no bot `deep`"):
        strength.main(["nim", "--duel", "deep", "random"])
    with pytest.raises(SystemExit, match="nothing is known of chess"):
        solved.main(["chess"])


def test_nim_is_played_as_it_is_solved() -> None:
    (row,) = solved.nim((1_000,), 200)
    assert (row.asked, row.right) == (196, 196)


def test_the_solver_knows_nim() -> None:
    board = solved.Board("nim")
    solver = solved.Solver(board)
    begin = board.begin(0)
    assert solver.winner(begin) == 0, "3, 4 and 5 are won for who begins"
    left = [solver.winner(each) for each in board.next(begin)]
    assert left.count(0) == 1, "by one move"


def test_a_win_in_two_is_not_missed() -> None:
    (row,) = solved.wins_in_two("kalah")((5_000,), 1)
    assert (row.asked, row.right) == (1, 1)


def test_what_is_forced_is_so_by_all_answers() -> None:
    board = solved.Board("kalah")
    ((seat, position),) = solved.forced_wins(board, 1, 1)
    assert board.forced(position, seat, 2)
    assert not board.forced(position, seat, 1)
    assert not board.forced(position, 1 - seat, 2)


def test_both_rates_are_measured() -> None:
    row = thinking.measure("pig", table_of("pig"), 1, 0.02)
    assert row.random > 0 < row.search
    assert row.ratio[1] <= row.ratio[0] <= row.ratio[2]
