"""Tables compared game by game: on the same random numbers, with honest intervals."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.simulate.jobs import counted, job, play_here, rotated
from tests.support.small_games import prepared

from houserule.compiler.prepare import TableChoice
from houserule.study.simulate.comparison import (
    Comparison,
    MeasureDifference,
    Plan,
    compare,
    narrow_enough,
)
from houserule.study.simulate.schedule.batch import Job, Played
from houserule.study.simulate.statistics.measures import Counted, measures

SHORT, LONG = (TableChoice(settings={"goal": each}) for each in (6, 18))


def plan_of(
    *choices: TableChoice, pairs: dict[int, tuple[int, int]] | None = None
) -> Plan:
    tables = tuple(prepared("market", each)[0] for each in choices)
    return Plan(tuple(str(at) for at in range(len(tables))), tables, pairs or {})


THREE = plan_of(TableChoice(), SHORT, LONG)


def compared(wanted: Job, plan: Plan) -> Comparison:
    found = counted(wanted, play_here(wanted), plan.pairs)
    return compare(wanted, plan, found, "games")


def by_name(differences: list[MeasureDifference]) -> dict[str, MeasureDifference]:
    return {each.measure: each for each in differences}


def test_the_same_table_differs_in_nothing() -> None:
    same = replace(job("market", 15), programs=job("market", 1).programs * 2)
    result = compared(same, plan_of(TableChoice(), TableChoice()))
    for each in result.changes[0].differences:
        assert each.difference == 0, each
        assert not each.seen
    assert result.base.digest == result.changes[0].digest
    assert by_name(result.changes[0].differences)["rounds"].verdict == (
        "no difference seen: the same in every game"
    )


def test_a_lower_goal_makes_games_shorter_and_a_higher_one_longer() -> None:
    result = compared(job("market", 40, tables=3), THREE)
    short, long = (by_name(each.differences)["rounds"] for each in result.changes)
    assert short.verdict.startswith("shorter by")
    assert long.verdict.startswith("longer by")
    assert short.low <= short.difference <= short.high < 0 < long.low


def test_a_difference_is_the_mean_of_the_games_differences() -> None:
    wanted = job("market", 20, tables=2)
    base, changed = play_here(wanted).rows
    by_game = [b.rounds - a.rounds for a, b in zip(base, changed, strict=True)]
    found = by_name(
        compared(wanted, plan_of(TableChoice(), SHORT)).changes[0].differences
    )
    assert found["rounds"].difference == pytest.approx(sum(by_game) / 20, abs=1e-4)
    wins = sum(each.winners == (0,) for each in changed) / 20
    assert found["p1 wins"].changed == pytest.approx(wins, abs=1e-4)


def test_pairs_on_the_same_luck_tell_more_than_games_on_their_own() -> None:
    """The two first rounds are the same: lengths go together, the difference is known
    better than that of games with luck of their own."""
    wanted = job("market", 60, tables=3)
    rows = play_here(wanted).rows
    one, other = [each.rounds for each in rows[0]], [each.rounds for each in rows[2]]
    paired = [b - a for a, b in zip(one, other, strict=True)]

    def variance(values: list[int]) -> float:
        middle = sum(values) / len(values)
        return sum((each - middle) ** 2 for each in values)

    assert variance(paired) < variance(one) + variance(other)


def test_intervals_of_several_changes_are_wider_for_they_hold_at_once() -> None:
    three, two = job("market", 30, tables=3), job("market", 30, tables=2)
    several, alone = (
        compared(three, THREE),
        compared(two, plan_of(TableChoice(), SHORT)),
    )
    assert (several.together, alone.together) == (2, 1)
    wide, narrow = (
        by_name(each.changes[0].differences)["rounds"] for each in (several, alone)
    )
    assert wide.difference == narrow.difference
    assert wide.high - wide.low == pytest.approx(
        (narrow.high - narrow.low) * 2.2414 / 1.96, rel=1e-2
    )


def test_balance_is_how_far_the_wins_of_seats_lie_apart() -> None:
    wanted = job("market", 30, tables=2)
    result = compared(wanted, plan_of(TableChoice(), SHORT))
    found = by_name(result.changes[0].differences)
    for side in ("base", "changed"):
        wins = [getattr(found[f"{seat} wins"], side) for seat in ("p1", "p2")]
        apart = max(wins) - min(wins)
        assert getattr(found["wins apart"], side) == pytest.approx(apart, abs=2e-4)


def test_an_interaction_is_what_goes_beyond_the_sum() -> None:
    wanted = job("market", 25, tables=3)
    wanted = replace(wanted, programs=(*wanted.programs, wanted.programs[2]))
    plan = plan_of(TableChoice(), SHORT, LONG, LONG, pairs={3: (1, 2)})
    result = compared(wanted, plan)
    assert [each.name for each in result.changes] == ["1", "2"]
    (found,) = result.interactions
    assert found.changes == ["1", "2"]
    # Both together are as the second alone: the first one's effect is missing.
    alone = by_name(result.changes[0].differences)["rounds"].difference
    beyond = {each.measure: each for each in found.differences}["rounds"]
    assert beyond.difference == pytest.approx(-alone, abs=1e-4)
    assert beyond.verdict.startswith("beyond the sum of both, longer by")


def test_games_in_which_rules_fail_are_left_out_of_all_tables() -> None:
    wanted = job("market", 8, tables=2)
    played = play_here(wanted)
    failed = played.rows[1][2]._replace(outcome="fault:F01", message="why")
    rows = (played.rows[0], [*played.rows[1][:2], failed, *played.rows[1][3:]])
    plan = plan_of(TableChoice(), SHORT)
    found = counted(wanted, Played(rows, played.ran))
    result = compare(wanted, plan, found, "games")
    assert (result.changes[0].pairs, result.faults, result.messages) == (7, 1, ["why"])
    kept = [each.rounds for each in rows[0] if each.number != 2]
    base = by_name(result.changes[0].differences)["rounds"].base
    assert base == pytest.approx(sum(kept) / 7, abs=1e-4)


def test_without_games_nothing_is_claimed() -> None:
    wanted = job("market", 8, tables=2)
    plan = plan_of(TableChoice(), SHORT)
    result = compare(wanted, plan, Counted(wanted, {}), "time")
    assert result.changes[0].differences == []


def test_wins_are_counted_for_the_bot_that_sat_there() -> None:
    wanted = rotated(job("market", 4, bots=("greedy", "random")))
    (rows,) = play_here(wanted).rows
    every = {each.name: each for each in measures(wanted, ("p1", "p2"))}
    for game in rows:
        greedy_sat = game.number % 2
        won = game.winners == (greedy_sat,)
        assert every["greedy wins"].of(game) == won
    assert "random wins" not in {
        each.name for each in measures(job("market", 4), ("p1", "p2"))
    }


def test_narrow_enough_asks_every_change() -> None:
    wanted = job("market", 30, tables=3)
    found = counted(wanted, play_here(wanted))
    result = compared(job("market", 30, tables=3), THREE)
    widths = [
        rounds.high - rounds.low
        for each in result.changes
        for rounds in [by_name(each.differences)["rounds"]]
    ]
    assert narrow_enough(found, THREE, max(widths) + 0.001)
    assert not narrow_enough(found, THREE, max(widths) - 0.001)
