"""The tool that plays many tables: what it plays, counts and finds."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest
from tests.support.shipped import ROOT, ruleset_of
from tools import play_tables
from tools.play_tables import Played, main, report_of, seatings

import houserule
from houserule.compiler.choices.feature_model import features_of
from houserule.ui.cli.main import run


def ruleset(name: str) -> houserule.Ruleset:
    return houserule.load(ROOT / name)


def report(
    capsys: pytest.CaptureFixture[str], *words: str, status: int = 0
) -> dict[str, object]:
    """Return what the tool says as data."""
    assert main([*words, "--json"]) == status
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Return a copy of Pig whose invariant fails as soon as somebody leads well."""
    folder = Path(shutil.copytree(ROOT / "pig", tmp_path / "pig"))
    rules = folder / "game.rules"
    text = rules.read_text("utf-8")
    more = 'always few "Nobody gets far": no p in players has score(p) at least 40'
    rules.write_text(f"{text}\n{more}  [ruling {a_ruling('pig')}]\n", "utf-8")
    return folder


def a_ruling(name: str) -> str:
    return next(iter(ruleset_of(name).rulings))


def test_every_game_is_played_once_and_the_tables_take_turns() -> None:
    tables = seatings(ruleset("nim"), 90, seed=1)
    numbers = [number for each in tables for number in each.numbers]
    assert sorted(numbers) == list(range(90))
    assert max(len(each.numbers) for each in tables) <= 2
    kinds = {play_tables.kind_of(each.sampled.why) for each in tables}
    assert kinds >= {"only", "all but", "preset", "pairs", "options", "random"}


def test_tables_allow_their_players() -> None:
    features = features_of(ruleset_of("liars_dice"))
    for each in seatings(ruleset("liars_dice"), 100, seed=2):
        arguments = each.sampled.arguments
        variants = frozenset(arguments["with_"])
        assert arguments["players"] in features.players_of(variants)


def test_the_report_depends_on_the_seed_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = report(capsys, "pig", "--games", "20")
    assert one == report(capsys, "pig", "--games", "20", "--jobs", "2")
    assert one != report(capsys, "pig", "--games", "20", "--seed", "2")
    assert (one["games"], one["failed"]) == (20, [])


def test_people_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nim", "--games", "30"]) == 0
    told = capsys.readouterr().out
    assert "30 games" in told
    assert "failed: 0" in told
    assert all(unit.id in told for unit in ruleset_of("nim").units_of("variant"))


def test_a_fault_is_told_with_the_command_that_plays_it_again(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(broken), "--games", "3"]) == 1
    told = capsys.readouterr().out
    assert "F05" in told
    assert "game.rules:" in told
    again = next(line for line in told.splitlines() if line.startswith("    houserule"))
    assert run(shlex.split(again)[1:]) == 1
    assert "F05" in capsys.readouterr().err


def test_stalls_are_counted_with_and_without_each_variant() -> None:
    games = [
        Played(0, "a", "only", ("x",), "stalled:round", 9),
        Played(1, "a", "only", ("x",), "won:0", 5),
        Played(2, "b", "only", ("y",), "won:1", 4),
        Played(3, "b", "only", ("y",), "", 3, "F01"),
    ]
    found = report_of("g", ["x", "y"], 1, games)
    assert [each.share for each in found.variants["x"]] == [0.5, 0.0]
    assert [each.share for each in found.variants["y"]] == [0.0, 0.5]
    assert [table for table, _ in found.stalling] == ["a"]
    assert found.longest.number == 0
    assert [each.number for each in found.failed] == [3]
    assert (found.all.games, found.all.stalled) == (3, 1)


def test_what_vanishes_is_noticed() -> None:
    game = houserule.load("x_pasch").table().start()
    before = game.lying()
    game.reference.machine.store.remove("Company", 0)
    with pytest.raises(play_tables.Broken, match="lies nowhere any more"):
        play_tables.hold_things(game, before)


def test_there_must_be_such_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["nobody_knows_it"])
    assert ended.value.code == 2
    assert "nobody_knows_it" in capsys.readouterr().err
