"""A record is held against the rules it was made by, and against no others unasked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import houserule
from houserule.base.resources import shipped_rulesets
from houserule.language.manifest.load import open_ruleset
from houserule.play.records.records import verify
from houserule.ui.cli.main import run as command

PIG = shipped_rulesets()["pig"]


def run(*words: str) -> int:
    return command([*words])


def own_pig(folder: Path) -> Path:
    """Copy Pig and change a rule; a house rule is added."""
    own = folder / "my-pig"
    shutil.copytree(PIG, own)
    game = own / "game.rules"
    text = game.read_text(encoding="utf-8")
    assert "normally 100" in text
    game.write_text(text.replace("normally 100", "normally 50"), encoding="utf-8")
    rule = "variant lazy for pig\nstate lazy_pot: 0..9 starts as 0\n"
    (own / "variants" / "lazy.rules").write_text(rule, encoding="utf-8")
    return own


def record_at(path: Path, game: Path, *with_: str) -> Path:
    houserule.load(game).table(with_=with_).start(seed=3).play().record().write(path)
    return path


def with_head(path: Path, change: Callable[[dict[str, object]], object]) -> Path:
    """Write a shipped record with another head."""
    return changed_head(record_at(path, PIG), change)


def without_rules(path: Path) -> Path:
    """Let a record of one's own rules not bring them, as old ones did not."""
    return changed_head(path, lambda head: head.pop("own"))


def changed_head(path: Path, change: Callable[[dict[str, object]], object]) -> Path:
    first, rest = path.read_text(encoding="utf-8").split("\n", 1)
    head = json.loads(first)
    change(head)
    path.write_text(f"{json.dumps(head)}\n{rest}", encoding="utf-8")
    return path


def test_a_record_of_ones_own_rules_is_not_held_against_the_shipped_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = own_pig(tmp_path)
    record = str(without_rules(record_at(tmp_path / "one.jsonl", own)))
    assert run("replay", record) == 1
    said = capsys.readouterr().err
    assert "E082" in said
    assert "--game FOLDER" in said
    assert run("replay", record, "--game", str(own)) == 0
    with pytest.raises(houserule.RecordError):
        houserule.read_record(record).replay()
    assert houserule.read_record(record).replay(own).same


def test_a_record_brings_rules_of_ones_own(tmp_path: Path) -> None:
    own = own_pig(tmp_path)
    record = record_at(tmp_path / "one.jsonl", own, "lazy")
    shutil.rmtree(own)
    assert run("replay", str(record)) == 0
    assert houserule.read_record(str(record)).replay().same


def test_a_record_in_the_folder_of_its_rules_needs_none(tmp_path: Path) -> None:
    own = own_pig(tmp_path)
    record = own / "playthroughs" / "one.jsonl"
    record.parent.mkdir()
    assert run("run", str(own), "--quiet", "--record", str(record)) == 0
    assert '"own"' not in record.read_text("utf-8")
    assert run("replay", str(record)) == 0


def test_a_house_rule_of_ones_own_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = own_pig(tmp_path)
    record = str(without_rules(record_at(tmp_path / "one.jsonl", own, "lazy")))
    assert run("replay", record) == 1
    said = capsys.readouterr().err
    assert "There is no variant called lazy." in said
    assert "--game FOLDER" in said
    assert run("replay", record, "--game", str(own)) == 0


def test_shipped_rules_are_taken_all_the_same_where_they_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = with_head(tmp_path / "r.jsonl", lambda head: head.update(rules="0" * 16))
    assert run("replay", str(record)) == 1
    assert run("replay", str(record), "--game", "pig") == 0
    assert "the rules have changed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "code", "named"),
    [
        ({"variants": ["zzz"]}, "E307", "zzz"),
        ({"options": {"target": 100, "tarts": 3}}, "E307", "tarts"),
        ({"options": {"target": 7}}, "E304", "target = 7"),
        ({"players": 17}, "E308", "17"),
    ],
)
def test_a_table_that_the_game_does_not_have_is_an_error(
    change: dict[str, object],
    code: str,
    named: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def edit(head: dict[str, object]) -> None:
        table = head["table"]
        assert isinstance(table, dict)
        table.update(change)

    record = with_head(tmp_path / "r.jsonl", edit)
    for game in ([], ["--game", "pig"]):
        assert run("replay", str(record), *game) == 1
        said = capsys.readouterr().err
        assert code in said
        assert named in said
        assert "r.jsonl:1" in said
    golden = verify(record, open_ruleset(PIG))
    assert code in golden
    assert named in golden


def test_a_game_in_a_record_is_a_name_and_no_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = own_pig(tmp_path)
    record = with_head(tmp_path / "r.jsonl", lambda head: head.update(game=str(own)))
    assert run("replay", str(record)) == 1
    assert "--game FOLDER" in capsys.readouterr().err


def test_a_record_of_another_game_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = record_at(tmp_path / "r.jsonl", PIG)
    assert run("replay", str(record), "--game", "nim") == 1
    said = capsys.readouterr().err
    assert "E039" in said
    assert "of pig, and the game here is nim" in said
