"""Games, records and many games through the face: what a program may rely on."""

from __future__ import annotations

import json
import pickle
import random
import shutil
from pathlib import Path

import pytest

import houserule
from houserule.play.records.appending import Appender
from houserule.ui.cli.main import run

PLAY = Path(__file__).parents[1] / "cases" / "play"
MARKET = str(PLAY / "market")


@pytest.fixture
def street() -> houserule.Table:
    return houserule.load("guild_street").table()


# ---- chance laid down


def test_dice_show_what_was_laid_down_and_then_what_the_seed_says() -> None:
    table = houserule.load("pig").table()
    game, plain = table.start(seed=3, faces=[5]), table.start(seed=3)
    game.choose("throw")
    plain.choose("throw")
    assert (game.face("Die"), plain.face("Die")) == (5, 6)
    game.choose("throw")  # the die of the seed that the first throw left unused
    assert game.face("Die") == 6


def test_a_pile_is_shuffled_as_was_laid_down() -> None:
    table = houserule.load("takeover").table()
    tiles = list(table.program.labels["Tile"])
    order = random.Random(4).sample(tiles, len(tiles))
    one, other = (table.start(seed=seed, shuffles=[order]) for seed in (1, 2))
    lying = {one.zone("corporation", cell) for cell in table.program.labels["Cell"]}
    assert lying == {other.zone("corporation", c) for c in table.program.labels["Cell"]}
    seeds = [table.start(seed=seed) for seed in (1, 2)]
    assert seeds[0].view(0)["zones"] != seeds[1].view(0)["zones"]


@pytest.mark.parametrize("order", [[], ["nowhere"], ["suns-0", "suns-0"]])
def test_a_shuffle_must_be_an_order_of_what_lies_there(order: list[str]) -> None:
    with pytest.raises(ValueError, match="no order of what lies in"):
        houserule.load("takeover").table().start(shuffles=[order])


def test_chance_that_is_left_goes_into_copies_and_saved_games() -> None:
    table = houserule.load("pig").table()
    game = table.start(faces=[2, 3, 4])
    game.choose("throw")
    saved = json.loads(json.dumps(game.save()))
    for again in (game.copy(), table.restore(saved), game):
        again.choose("throw")
        again.choose("throw")
        assert again.state("pot") == 9


def test_what_no_seed_brings_back_is_not_recorded() -> None:
    table = houserule.load("pig").table()
    game = table.start(faces=[2])
    for each in (game, game.copy(), table.restore(game.save())):
        with pytest.raises(ValueError, match="chance was laid down"):
            each.record()


# ---- choices, names and numbers


def test_a_choice_may_be_an_option_a_number_or_words() -> None:
    table = houserule.load("hex_board").table()
    games = [table.start() for _ in range(4)]
    games[0].choose(games[0].options[7])
    games[1].choose(7)
    games[2].choose({"put": {"x": "2-3"}})
    games[3].choose({"put": "2-3"})
    assert len({game.reference.cell("stone", 7) for game in games}) == 1
    assert [game.choices[0].do for game in games] == [{"put": {"x": "2-3"}}] * 4
    with pytest.raises(ValueError, match="`put` has the parameters x"):
        games[0].choose({"put": {"y": "2-3"}})


def test_a_refused_choice_changes_nothing() -> None:
    game = houserule.load("hex_board").table().start()
    game.choose(7)
    before = game.save()
    with pytest.raises(houserule.Refused) as refused:
        game.choose({"put": {"x": "2-3"}})
    assert [each.address for each in refused.value.refusals] == ["put.free"]
    assert game.refusals({"put": {"x": "2-3"}}) == refused.value.refusals
    assert game.save() == before


@pytest.mark.parametrize("words", ["fly", {"put": {"x": "9-9"}}, {"put": {}}])
def test_words_that_mean_nothing_are_no_choice(words: str | dict[str, object]) -> None:
    game = houserule.load("hex_board").table().start()
    with pytest.raises(ValueError, match=r"."):
        game.choose(words)  # type: ignore[arg-type]  # some are no plain data at all
    assert game.choices == ()


def test_a_game_that_is_over_asks_for_nothing() -> None:
    game = houserule.load("pig").table().start(seed=2).play()
    assert game.decision is None
    for ask in (lambda: game.options, lambda: game.choose(0)):
        with pytest.raises(ValueError, match="the game is over"):
            ask()


def test_numbers_stand_for_names() -> None:
    game = houserule.load("hex_board").table().start()
    game.choose(7)
    assert game.state("stone", 7) == game.state("stone", "2-3") == "p1"
    assert game.value("across", 7, 1) == game.value("across", "2-3", "p2")


@pytest.mark.parametrize("keys", [(), ("2-3", "2-3"), ("9-9",), (25,), (-1,)])
def test_keys_that_are_none_are_told(keys: tuple[str | int, ...]) -> None:
    game = houserule.load("hex_board").table().start()
    with pytest.raises(ValueError, match=r"."):
        game.state("stone", *keys)


def test_a_seat_sees_its_own_hand_only(street: houserule.Table) -> None:
    game = street.start(seed=1)
    zones = game.view("p1")["zones"]
    assert isinstance(zones, dict)
    hands = zones["hand"]
    assert isinstance(hands, dict)
    own, other = (json.dumps(hands[seat]) for seat in ("p1", "p2"))
    assert all(name in own for name in game.zone("hand", "p1"))
    assert not any(name in other for name in game.zone("hand", "p2"))
    with pytest.raises(ValueError, match="no seat"):
        game.view(9)


# ---- records


def test_a_record_is_that_of_the_command(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    words = ["run", MARKET, "--seed", "3", "--number", "2", "--quiet"]
    assert run([*words, "--bots", "greedy,random", "--record", str(file)]) == 0
    game = houserule.load(MARKET).table().start(3, 2).play("greedy,random")
    assert game.record().text == file.read_text("utf-8")
    assert houserule.read_record(str(file)).choices == game.choices


def test_a_game_that_was_saved_is_recorded_from_its_start() -> None:
    table = houserule.load("pig").table()
    game = table.start(seed=9)
    for _ in range(25):
        game.choose(0)
    again = table.restore(json.loads(json.dumps(game.save())))
    assert again.record(["Ada", "Ben"]).text == game.record(["Ada", "Ben"]).text
    assert again.record().replay().difference is None


def test_a_record_that_was_changed_differs(tmp_path: Path) -> None:
    record = houserule.load("pig").table().start(seed=2).play().record()
    changed = tmp_path / "changed.jsonl"
    changed.write_text(record.text.replace('"do": "hold"', '"do": "throw"'), "utf-8")
    replay = houserule.read_record(changed).replay()
    assert (replay.same, replay.game) == (False, None)
    assert replay.difference is not None
    assert replay.difference.choice > 1


def test_the_tale_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", MARKET, "--seed", "4"]) == 0
    told = capsys.readouterr().out
    lines = list[str]()
    houserule.load(MARKET).table().start(4, tell=lines.append).play()
    # A game that somebody starts has seats; only the command says who plays.
    named = "\n".join(lines).replace("p1", "Random 1").replace("p2", "Random 2")
    assert told.startswith(named)
    again = list[str]()
    record = houserule.load(MARKET).table().start(4).play().record()
    record.replay(MARKET, tell=again.append)
    assert "\n".join(again) == named


# ---- many games


def test_a_simulation_is_that_of_the_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["--games", "30", "--seed", "5", "--bots", "greedy,random", "--json"]
    assert run(["simulate", "pig", "--set", "target=60", *words]) == 0
    said = json.loads(capsys.readouterr().out)
    table, rows = (
        houserule.load("pig").table(settings={"target": 60}),
        tmp_path / "rows",
    )
    found = table.simulate(30, seed=5, bots="greedy,random", csv=str(rows))
    assert {**found.model_dump(), "seconds": 0} == {**said, "seconds": 0}
    assert len(rows.read_text("utf-8").splitlines()) == 31
    reference = table.simulate(30, seed=5, bots="greedy,random", engine="reference")
    assert (reference.digest, reference.engine) == (found.digest, "reference")


def test_a_comparison_is_that_of_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--games", "20", "--json", "--jobs", "1"]
    assert (
        run(["compare", "nim", "--each", "misere,fibonacci,ring", "--pairs", *words])
        == 0
    )
    said = json.loads(capsys.readouterr().out)
    table = houserule.load("nim").table()
    found = table.compare_each("misere, fibonacci, ring", 20, pairs=True).model_dump()
    assert found["changes"] == said["changes"]
    assert found["interactions"] == said["interactions"]
    assert found["left_out"] == said["left_out"]
    assert [each["name"] for each in found["left_out"]] == ["fibonacci + ring"]


def test_tables_are_called_after_what_differs() -> None:
    table = houserule.load("pig").table(with_="no_early_hold")
    others = [
        table.change(without="no_early_hold", settings={"target": 50}),
        table.change(settings={"least_hold": 20}),
    ]
    found = table.compare(others, games=10)
    names = [change.name for change in found.changes]
    assert names == ["without no_early_hold, target=50", "least_hold=20"]


def test_only_tables_with_the_same_seats_are_compared() -> None:
    table = houserule.load("pig").table()
    for other in (table.change(players=3), houserule.load("nim").table()):
        with pytest.raises(ValueError, match="other seats"):
            table.compare(other, games=10)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bots": "gredy"},
        {"engine": "steam"},
        {"jobs": -1},
        {"time_limit": 0},
        {"plot": "picture.txt"},
        {"csv": "no/such/folder/rows.csv"},
    ],
    ids=str,
)
def test_arguments_out_of_their_domain_are_refused(
    wrong: houserule.Playing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = houserule.load("pig").table()
    with pytest.raises((ValueError, OSError, RuntimeError)):
        table.simulate(10, **wrong)
    with pytest.raises(ValueError, match="more than 0"):
        table.simulate(0)


def test_both_engines_play_the_same_games() -> None:
    table = houserule.load("nim").table()
    numbers = [0, 1, 2, 7]
    one = table.games(numbers, seed=3, bots="greedy,random")
    other = table.games(numbers, seed=3, bots="greedy,random", engine="compiled")
    assert [game.number for game in one] == numbers
    assert [game.line for game in one] == [game.line for game in other]


# ---- paths and faults


def test_paths_are_strings_or_paths(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text("game: pig\nplayers: 4\nset:\n  target: 70\n", "utf-8")
    for path in (file, str(file)):
        table = houserule.load("pig").table(file=path, players=3)
        assert (table.players, table.options["target"]) == (3, 70)
    folder = houserule.load("pig").folder
    assert houserule.load(folder).id == houserule.load(str(folder)).id == "pig"


def test_a_ruleset_with_errors_is_told_of_and_checked(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("id: odd\ntitle: {en: Odd}\n", "utf-8")
    with pytest.raises(houserule.RulesetError) as error:
        houserule.load(tmp_path)
    report = houserule.check(tmp_path)
    assert not report.ok
    assert error.value.diagnostics == report.diagnostics
    assert str(report) == str(error.value)
    assert report.errors[0].code in str(error.value)


def test_errors_come_out_of_other_processes_as_they_are() -> None:
    with pytest.raises(houserule.TableError) as refused:
        houserule.load("pig").table(players=9)
    with pytest.raises(houserule.NoNameError) as unknown:
        houserule.load("pig").table().explain("throw.shrt")
    for error in (refused.value, unknown.value):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.diagnostics == refused.value.diagnostics


def test_worked_examples_pass_fail_or_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(houserule.load("pig").folder, tmp_path / "pig"))
    assert run(["test", str(folder), "--json"]) == 0
    report, said = houserule.load(folder).test(), json.loads(capsys.readouterr().out)
    assert report.ok
    assert report.passed == said["passed"]
    (folder / "scenarios" / "odd.yaml").write_text("scenarios: 3\n", "utf-8")
    rules = folder / "game.rules"
    text = rules.read_text("utf-8")
    rules.write_text(text.replace("score(me) gains pot", "score(me) gains 1"), "utf-8")
    found = houserule.load(folder).test()
    assert 0 < found.passed < report.passed
    assert any("odd.yaml" in each for each in found.failures)
    assert len(found.failures) == 1 + report.passed - found.passed


def test_a_record_that_is_played_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "g.jsonl"
    record = houserule.load("pig").table().start().play().record()
    record.write(file)
    before = file.read_text()
    with Appender(file):
        assert run(["run", "pig", "--seed", "2", "--record", str(file)]) == 2
        assert "E083" in capsys.readouterr().err
        with pytest.raises(houserule.RecordError, match="is playing the game"):
            record.write(file)
        assert file.read_text() == before
    assert run(["run", "pig", "--seed", "2", "--record", str(file)]) == 0
    assert file.read_text() != before


def test_only_records_are_replaced_and_no_game_that_is_not_over(tmp_path: Path) -> None:
    file = tmp_path / "g.jsonl"
    record = houserule.load("pig").table().start().play().record()
    for text in ("game g\n", record.text[: record.text.rindex("{")]):
        file.write_text(text)
        assert run(["run", "pig", "--quiet", "--record", str(file)]) == 2
        assert file.read_text() == text
    record.write(file)
    file.write_text("game g\n")
    with pytest.raises(FileExistsError):
        record.write(file)
    assert file.read_text() == "game g\n"
