"""Many games: the same result for any number of processes, and honest counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from tests.simulate.jobs import counted, job, play_all, play_here, rotated
from tests.support.rulesets import ruleset_from_texts
from tests.support.sampling import spread as every_nth
from tests.support.shipped import NAMES, ShippedTable, prepared_at, program_at, sampled
from tests.support.small_games import prepared

from houserule.compiler.prepare import TableChoice, prepare
from houserule.engine.bots.bot import seat_bots
from houserule.engine.reference.play.game import ReferenceGame
from houserule.ir import GamePosition
from houserule.ir.types import Data
from houserule.play.records.hashes import Digest
from houserule.study.simulate.engines import COMPILED
from houserule.study.simulate.play import LeadCounter, play_game, play_games, seated
from houserule.study.simulate.schedule.batch import Job, Limits
from houserule.study.simulate.schedule.workers import local_workers
from houserule.study.simulate.statistics.summary import (
    Simulation,
    share,
    spread,
    summarise,
)


def simulation(
    name: str, games: int, *, jobs: int = 1, seed: int = 3, goal: int | None = None
) -> Simulation:
    choice = TableChoice(settings={} if goal is None else {"goal": goal})
    table, program = prepared(name, choice)
    wanted = Job((program,), seed, games, ("random",))
    with local_workers(wanted, jobs) as workers:
        played, ended = play_all(wanted, workers)
    (tally,) = counted(wanted, played).tallies
    return summarise(wanted, table, tally, seconds=0, ended=ended)


def test_the_number_of_processes_changes_nothing() -> None:
    results = [simulation("market", 13, jobs=n).model_dump() for n in (1, 2, 3)]
    assert all(one == other for one, other in pairwise(results))


def test_the_digest_is_that_of_the_games() -> None:
    _, program = prepared("market")
    digest = Digest()
    for number in range(5):
        digest.add(play_game(program, 3, number, ["random"]).line)
    assert simulation("market", 5).digest == str(digest)
    assert simulation("market", 5, seed=4).digest != str(digest)


PARTNERS = """
game partners "Partners"
players 4..4
state score(p: Player): 0..99 starts as 0
value team(p: Player): 0..1 = seat(p) mod 2
value points(t: 0..1): 0..999 = sum of score(p) for p in players where team(p) is t
winners: those p in players with most points(team(p))
phase round for k in 1..2
  phase turn for me in players
    step playing: must act once, if possible
action throw during playing
  does it: random n in 1..3: score(me) gains n
"""


def test_partners_win_together() -> None:
    """A game that two of four win counts for both; one that all win is a tie."""
    found = prepare(ruleset_from_texts({"game.rules": PARTNERS}), TableChoice())
    assert found.table is not None
    assert found.program is not None
    wanted = Job((found.program,) * 2, 3, 60, ("random",))
    pairs = counted(wanted, play_here(wanted))
    tally = pairs.tallies[0]
    result = summarise(wanted, found.table, tally, seconds=0, ended="games")
    assert 0 < result.ties < 20
    assert result.together == 60 - result.ties
    assert result.wins == result.shared
    assert result.wins[0] == result.wins[2] == 60 - result.ties - result.wins[1]
    assert result.wins[1] == result.wins[3] > 0
    assert pairs.changes[1].wins(0, 4) == result.wins
    measured = {each.measure.name: each.before for each in pairs.changes[1].measured}
    assert measured["p1 wins"] == result.wins[0]
    assert measured["tied"] == result.ties
    assert measured["won together"] == result.together


def test_every_game_is_counted_once() -> None:
    result = simulation("market", 40)
    alone = sum(result.wins) - sum(result.shared)
    assert alone + result.together + result.ties + result.nobody + result.stalled == 40
    assert result.length.mean * 40 == pytest.approx(result.decisions)
    assert result.rounds.min >= 1
    assert result.faults == 0
    assert result.never == []
    assert result.shares[0] == share(result.wins[0], 40)
    assert result.lead_changes is not None
    assert 0 < result.lead_changes.mean < result.rounds.mean


def test_stalls_are_counted_by_phase() -> None:
    result = simulation("ferry", 30)
    assert sum(result.stalls.values()) == result.stalled


def test_faults_of_the_rules_are_told_with_their_place() -> None:
    result = simulation("overflow", 3)
    assert result.faults == 3
    assert len(result.messages) == 1
    assert "F01" in result.messages[0]
    assert "game.rules:12" in result.messages[0]
    assert result.lead_changes is None


def test_clauses_are_counted_over_all_games() -> None:
    result = simulation("market", 6, jobs=2)
    _, program = prepared("market")
    each = [play_game(program, 3, number, ["random"]).ran for number in range(6)]
    assert result.clauses
    for address, times in result.clauses.items():
        assert times == sum(ran.get(address, 0) for ran in each), address


def test_clauses_that_never_run_are_named() -> None:
    result = simulation("market", 1, goal=6, seed=1)
    assert result.never
    assert result.never == [each for each, ran in result.clauses.items() if not ran]


def test_progress_is_told_for_every_game() -> None:
    wanted = job("market", 9)
    done: list[int] = []
    with local_workers(wanted, 2) as workers:
        play_all(wanted, workers, Limits(), done.append)
    assert sum(done) == 9


def test_a_spread_is_of_the_sample() -> None:
    found = spread(Counter([2, 4, 4, 4, 5, 5, 7, 9]))
    assert (found.mean, found.sd) == (5.0, 2.1381)
    assert (found.min, found.max) == (2, 9)
    assert (found.p25, found.median, found.p75) == (4, 4.5, 5.5)
    assert found.high == pytest.approx(5 + 1.96 * 2.1381 / 8**0.5, abs=1e-4)
    assert spread({}).mean == 0
    assert spread({7: 1}).sd == 0


def test_bots_move_one_seat_on_in_each_game() -> None:
    line_up = ["a", "b"]
    assert seated(line_up, 3) == ("a", "b", "a")
    assert seated(line_up, 3, 1) == ("a", "a", "b")
    assert seated(line_up, 3, 2) == ("b", "a", "a")
    assert seated(line_up, 3, 3) == seated(line_up, 3)


def test_rotation_seats_the_bots_and_keeps_the_dice() -> None:
    wanted = rotated(job("market", 2, bots=("greedy", "random")))
    program = wanted.programs[0]
    games = play_games(program, 3, range(2), wanted.bots, rotate=True)
    assert games[0] == play_game(program, 3, 0, ("greedy", "random"))
    assert games[1] == play_game(program, 3, 1, ("random", "greedy"))
    assert games[1] != play_game(program, 3, 1, ("greedy", "random"))


def test_an_unknown_engine_is_none() -> None:
    with pytest.raises(KeyError):
        play_games(prepared("market")[1], 1, range(1), ["random"], "steam")


def test_a_lead_changes_when_another_one_leads_alone() -> None:
    counter = LeadCounter(prepared("market")[1])
    looks = [(0, 0), (1, 3), (3, 3), (3, 4), (6, 4), (), (6, 7)]
    seen = []
    for standings in looks:
        counter.note(standings)
        seen.append(counter.changes)
    assert seen == [0, 0, 0, 0, 1, 1, 2]


@pytest.mark.parametrize("game", every_nth(NAMES, 6))
def test_rounds_are_those_that_a_narration_counts(game: str) -> None:
    """Both engines count every round, also one in which no seat could decide."""
    program = program_at(ShippedTable.of(game, sampled(game)[0]))
    (compiled,) = play_games(program, 5, range(1), ["random"], COMPILED)
    begun, bots = 0, seat_bots(("random",), program.seats, 5, 0)
    whole = ReferenceGame.start(program, 5, listen=True)
    while True:
        begun += sum(
            each.kind == "item" and each.address in program.main_loop
            for each in whole.events
        )
        whole.forget_events()
        if whole.decision is None:
            break
        whole.choose(bots[whole.decision.seat].choose(whole))
    assert compiled.rounds == begun > 0


@pytest.mark.parametrize("at", ["deciding", "turn", ""])
def test_a_game_that_begins_in_a_round_has_played_it(at: str) -> None:
    scores: dict[tuple[Data, ...], Data] = {(0,): 80, (1,): 70}
    seat = 0 if at else None
    position = GamePosition(cells={"score": scores}, at=at, seat=seat)
    program = prepared_at("pig", TableChoice()).program
    assert program is not None
    program = replace(program, start=position)
    bots = seat_bots(("random",), program.seats, 3, 0)
    game = ReferenceGame.start(program, 3, listen=True)
    while game.decision is not None:
        game.choose(bots[game.decision.seat].choose(game))
    begun = sum((each.kind, each.address) == ("item", "round") for each in game.events)
    played = play_game(program, 3, 0, ("random",))
    assert played.rounds == begun == 4
