"""Rules beside a game in what is kept: default tables, records, sittings, files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import houserule
from houserule.base.files import read_source
from houserule.base.source import parts_of
from houserule.language.syntax.write.format import format_text
from houserule.ui.cli.main import run as command

PLAY = Path(__file__).parents[1] / "cases" / "play"
RULE = PLAY / "ours" / "rules" / "dear_amber.rules"


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """A folder with the market, a rule of one's own, and the default table."""
    for name in ("market", "ours"):
        shutil.copytree(PLAY / name, tmp_path / name)
    return tmp_path / "ours"


def run(*words: str) -> int:
    return command([*words])


def test_the_default_table_is_that_of_the_folder_or_of_one_above(
    ours: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = ours / "home" / "deep" / "er"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert run("simulate", "--games", "3", "--jobs", "1") == 0
    said = capsys.readouterr()
    assert "market, dear_amber, 2 players" in said.out
    assert "../../houserule.yaml" in said.err
    assert run("simulate", "../../../../market", "--games", "3", "--jobs", "1") == 0
    assert "dear_amber" in capsys.readouterr().out
    assert run("test") == run("check") == 0
    assert "2 passed" in capsys.readouterr().out
    assert run("run", "nim", "--quiet") == 0
    assert "houserule.yaml" not in capsys.readouterr().err


def test_a_broken_default_table_is_told(
    ours: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ours / "home")
    Path("houserule.yaml").write_text("game: markt\n", "utf-8")
    assert run("run") == 1
    said = capsys.readouterr().err
    assert "E039" in said
    assert "houserule.yaml:1" in said


@pytest.mark.parametrize("name", ["plain", "with: a colon", "back\\slash", "\udcff"])
def test_a_record_brings_the_rules_that_were_beside(ours: Path, name: str) -> None:
    market, rules = str(ours.parent / "market"), ours / "rules"
    (rules / "dear_amber.rules").rename(rules / f"{name}.rules")
    file = ours / "evening.jsonl"
    words = ["--rules", str(rules), "--with", "dear_amber", "--quiet"]
    assert run("run", market, *words, "--record", str(file)) == 0
    shutil.rmtree(rules)
    assert run("replay", str(file)) == 0
    assert run("why", str(file), "--at", "3", "done") == 0


def test_a_sitting_goes_on_with_the_rules_that_were_beside(ours: Path) -> None:
    market = houserule.load(ours.parent / "market", rules=[ours / "rules"])
    file = ours / "evening.jsonl"
    table = market.table(with_="dear_amber")
    with table.sit("ann,bob", file, seed=4) as sitting:
        before = sitting.text
    shutil.rmtree(ours / "rules")
    shutil.rmtree(ours.parent / "market")
    with houserule.resume(file) as sitting:
        assert sitting.rules.chosen.variants == {"dear_amber"}
        assert sitting.text == before


def test_rules_of_a_table_file_are_loaded(ours: Path) -> None:
    market = houserule.load(ours.parent / "market")
    assert [each.id for each in market.variants] == ["dear_cards"]
    assert market.table(file=ours / "table.yaml").variants == ("dear_amber",)
    assert market.check_table(file=ours / "table.yaml").ok
    with_rules = houserule.load(ours.parent / "market", rules=[RULE])
    assert with_rules.check().ok
    assert with_rules.test("amber").passed == 2


def test_formatting_leaves_an_appendix_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "x.rules"
    text = RULE.read_text("utf-8")
    file.write_text(text.replace("variant dear_amber for", "variant  dear_amber  for"))
    source = read_source(file)
    formatted, faults = format_text(source)
    assert not faults
    assert formatted == RULE.read_text("utf-8")
    assert parts_of(source)[1] is not None


def test_places_in_an_appendix_are_those_of_the_file(
    ours: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ours / "rules" / "dear_amber.rules"
    assert run("check", str(file), "--short") == 1
    assert "dear_amber.rules:2:24: error E039" in capsys.readouterr().err
    monkeypatch.chdir(ours.parent)
    text = file.read_text("utf-8")
    file.write_text(text.replace("score(p1): 3", "scor(p1): 3"), "utf-8")
    assert run("check", str(file), "--short") == 1
    line = 1 + text[: text.index("score(p1): 3")].count("\n")
    assert f"dear_amber.rules:{line}:14: error E071" in capsys.readouterr().err
