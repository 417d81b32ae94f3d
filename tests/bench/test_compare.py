"""Comparing: results first, then ratios within each round."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tools.bench import compare, greedy, imagined, inside, presets, where
from tools.bench.compare import Plan, agree, measure, ratio_words
from tools.bench.contestants import PLAIN_C, PLAIN_PYTHON, Contestant, Summary
from tools.bench.pages import aligned, markdown, rewrite
from tools.bench.tables import SEATS, table_of, tables
from tools.bench.yardsticks.c_program import compiler

PAGE = Path(__file__).parents[2] / "docs" / "internals" / "speed.md"


@dataclass
class Puppet(Contestant):
    """Comes to a given outcome, and takes given times, one for each round."""

    name: str
    outcome: str = "won:0"
    times: list[float] = field(default_factory=list)

    def results(self, games: int) -> list[Summary]:
        return [(self.outcome, 3, 1, (number,)) for number in range(games)]

    def seconds(self, games: int, repeats: int) -> float:
        return self.times.pop(0) * repeats


class Fixed(Plan):
    """A plan that asks nobody how fast he is."""

    def games_for(self, slowest: Contestant) -> int:
        return 4

    def repeats_for(self, contestant: Contestant, games: int) -> int:
        return 5


def test_a_ratio_is_that_of_one_round() -> None:
    # The machine is ten times as slow in the second round; the ratios do not see it.
    everybody = [
        Puppet("reference", times=[8.0, 80.0, 10.0]),
        Puppet(PLAIN_PYTHON, times=[2.0, 20.0, 2.0]),
    ]
    slow, by_hand = measure("nim", table_of("nim"), everybody, Fixed(3, 1.0))
    assert (slow.least, slow.median, slow.most) == (4.0, 4.0, 5.0)
    assert (by_hand.base, by_hand.median, by_hand.rate) == (PLAIN_PYTHON, 1.0, 2.0)
    assert slow.rate == 0.4


def test_who_plays_another_game_is_not_measured() -> None:
    everybody = [Puppet("reference"), Puppet("other", outcome="won:1")]
    with pytest.raises(SystemExit, match="nim, game 0: other comes to"):
        agree("nim", everybody, 2)


def test_a_plan_fills_its_time() -> None:
    plan = Plan(rounds=3, seconds=1.0)
    assert plan.games_for(Puppet("slow", times=[0.5])) == 4
    assert plan.games_for(Puppet("slower", times=[50.0])) == 2
    assert plan.repeats_for(Puppet("quick", times=[0.125]), 4) == 4


@pytest.mark.parametrize(
    ("ratio", "words"),
    [(1.0, "1.00"), (19.26, "19.3"), (1234.0, "1,234"), (0.0025, "1/400")],
)
def test_a_ratio_is_said_as(ratio: float, words: str) -> None:
    assert ratio_words(ratio) == words


@pytest.mark.slow
def test_everybody_who_can_play_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SEATS, "x_pasch", (3, 6))
    rows = compare.measure_all(["x_pasch", "nim"], Plan(1, 0.001))
    by_hand = {PLAIN_PYTHON} | ({PLAIN_C} if compiler() else set())
    for players in SEATS["x_pasch"]:
        here = {row.name: row for row in rows if row.players == players}
        assert set(here) >= {"reference"} | by_hand
        assert here["reference"].median > here[PLAIN_PYTHON].median == 1.0
    assert all(row.name not in by_hand for row in rows if row.game == "nim")
    text = compare.page_text(rows, Plan(1, 0.001))
    assert "| x_pasch | 3 | reference |" in text
    assert "| nim |" in text


def test_the_command_speaks_json(capsys: pytest.CaptureFixture[str]) -> None:
    compare.main(["nim", "--rounds", "1", "--seconds", "0.001", "--json"])
    (row, *_) = json.loads(capsys.readouterr().out)
    assert (row["game"], row["name"], row["median"]) == ("nim", "reference", 1.0)


def test_a_ruleset_that_there_is_not_is_told_of() -> None:
    with pytest.raises(SystemExit, match="nowhere: There is no game"):
        tables(["nowhere"])


def test_samples_are_put_together_by_what_is_done() -> None:
    told = """
        7f01 walk.slide (/tmp/perf-1.map)
        7f02 walk.slide/2 (/tmp/perf-1.map)
        7f03 look_round (/tmp/perf-1.map)
        7f04 look (/tmp/perf-1.map)
        7f05 run_reaction (/tmp/perf-1.map)
        7f06 _PyEval_EvalFrameDefault (/usr/bin/python3)
        7f07 wasmtime_builtin_memory_copy (/usr/lib/libwasmtime.so)
    """
    assert inside.counted(told) == {
        "counting options": 2,
        "telling of the game": 1,
        "looking for reactions": 2,
        "copying memory": 1,
    }


# ---- pages


def test_a_page_is_renewed_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    for tool in ("compare", "imagined", "where"):
        rewrite(page, tool, f"of {tool}, the first")
        rewrite(page, tool, f"of {tool}, the second")
    text = page.read_text(encoding="utf-8")
    assert ", the first\n" not in text
    assert text.count("the second\n<!--") == 3
    assert text.startswith("# Speed\n")


def test_a_page_without_marks_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Nothing here\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no place"):
        rewrite(page, "compare", "text")
    assert page.read_text(encoding="utf-8") == "# Nothing here\n"


def test_tables_are_drawn() -> None:
    head, rows = ["game", "rate"], [["nim", "250"], ["x", "7"]]
    assert aligned(head, rows) == "game  rate\nnim    250\nx        7"
    assert markdown(head, rows).split("\n")[1:3] == ["| --- | ---: |", "| nim | 250 |"]


# ---- where the time goes


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="has no such timer")
def test_samples_say_what_the_time_is_for() -> None:
    samples = where.sample(table_of("nim"), 0.3)
    found = where.shares(samples)
    assert sum(share for _, share, _ in found) == pytest.approx(1.0)
    assert all(0 <= inside <= share for _, share, inside in found)
    names = {name for name, _, _ in found}
    assert names <= {*where.PURPOSES.values(), where.OTHER}
    assert "following the flow" in names


def test_purposes_name_functions_that_there_are() -> None:
    package = PAGE.parents[2] / "interpreter" / "houserule"
    for module, function in where.PURPOSES:
        source = (package / module).read_text(encoding="utf-8")
        assert f"def {function}(" in source


def test_greedy_games_are_measured_in_turns() -> None:
    # The first seconds say how many games fill the time, the next how often.
    slow = Puppet("reference", times=[4.0, 8.0, 40.0, 16.0])
    quick = Puppet("compiled", times=[0.5, 0.1, 0.1, 0.1])
    row = greedy.measure("nim", 2, (slow, quick), Plan(3, 4.0))
    assert row.reference == pytest.approx(2 / 16)
    assert row.times == pytest.approx((160.0, 80.0, 400.0))


def test_greedy_games_of_both_engines_are_alike(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    greedy.main(
        ["nim", "--rounds", "1", "--seconds", "0.01", "--write", str(page), "--json"]
    )
    (row,) = json.loads(capsys.readouterr().out)
    assert row["game"] == "nim"
    assert row["times"][0] > 1
    assert "| nim | 2 |" in page.read_text(encoding="utf-8")


def test_a_preset_is_compared_by_the_choice_too() -> None:
    # Both play three choices a game, in puppets; the first seconds make the plan.
    many = Puppet("compiled", times=[2.0, 8.0, 12.0, 6.0, 8.0])
    base = Puppet("compiled", times=[1.0, 3.0, 2.0, 4.0])
    row = presets.measure("nim:more", 2, (many, base), Plan(3, 4.0))
    assert set(row.choices) == {3}
    for times in (row.choice, row.game):
        assert times == pytest.approx((3.0, 2.0, 4.0))


@pytest.mark.slow
def test_a_preset_is_measured(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SEATS, "x_pasch", (3,))
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    words = ["x_pasch:official_deluxe", "--rounds", "1", "--seconds", "0.01"]
    presets.main([*words, "--write", str(page), "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [row["players"] for row in rows] == [*SEATS["x_pasch"]]
    assert all(row["choices"][0] > row["choices"][1] for row in rows)
    assert "| x_pasch, official_deluxe | 3 |" in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_condition_by_hand_plays_the_games_that_after_plays() -> None:
    # `contestants` sees that they do; a rule that is said otherwise is found out.
    everybody = imagined.contestants()
    with pytest.raises(SystemExit, match="backgammon, game"):
        agree("backgammon", [everybody["after"], everybody["without"]], 50)


def test_what_after_costs_is_told_of_a_choice_and_of_the_condition() -> None:
    # A game has three choices; each is asked once how fast it is, then measured.
    everybody = {
        "after": Puppet("compiled", times=[72.0, 84.0]),
        "by hand": Puppet("compiled", times=[48.0, 48.0]),
        "without": Puppet("compiled", times=[36.0, 36.0]),
    }
    whole, alone = imagined.measure(everybody, Fixed(2, 1.0))
    assert (whole.least, whole.most) == pytest.approx((1.5, 1.75))
    assert (alone.least, alone.median, alone.most) == pytest.approx((3.0, 3.0, 3.0))
