"""Games from folders of your own: they have a name, and are read when they change."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.serving import open_table, served

from houserule.base.resources import (
    GAMES,
    installed,
    known_rulesets,
    shipped_rulesets,
)
from houserule.ui.cli.main import run
from houserule.ui.web.games import rules_of
from houserule.ui.web.menu.pages import shipped_home


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the folder of a game that the environment names."""
    made = tmp_path / "games" / "sow"
    shutil.copytree(shipped_rulesets()["pig"], made)
    for path in made.rglob("*"):
        if path.suffix in (".rules", ".yaml"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("pig", "sow"), encoding="utf-8")
    missing = tmp_path / "no"
    monkeypatch.setenv(GAMES, os.pathsep.join([str(made.parent), str(missing)]))
    installed.cache_clear()
    yield made
    installed.cache_clear()


def test_every_verb_knows_the_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert known_rulesets()["sow"] == folder
    assert run(["simulate", "sow", "--games", "2"]) == 0
    assert run(["list"]) == 0
    said = capsys.readouterr()
    assert "sow" in said.out
    assert f"{GAMES} names the folder" in said.err


def test_the_first_page_and_a_table_have_it(folder: Path) -> None:
    assert "/new/sow" in shipped_home("en")
    before = rules_of("sow")
    assert rules_of("sow") is before
    rules = folder / "game.rules"
    text = rules.read_text("utf-8").replace("normally 100", "normally 50")
    rules.write_text(text, encoding="utf-8")
    os.utime(rules, ns=(1, rules.stat().st_mtime_ns + 1_000_000))
    after = rules_of("sow")
    assert (before.chosen.options, after.chosen.options) == (
        {"target": 100},
        {"target": 50},
    )


def test_the_first_page_shows_what_is_wrong(folder: Path) -> None:
    rules = folder / "game.rules"
    text = rules.read_text("utf-8").replace("players 2..6", "players many")
    rules.write_text(text, encoding="utf-8")
    page = shipped_home("en")
    assert "/new/sow" not in page
    assert "/new/pig" in page
    assert "sow/game.rules" in page


def changed(folder: Path, old: str, new: str) -> None:
    """Change the rules, at a later time than before."""
    rules = folder / "game.rules"
    text = rules.read_text("utf-8")
    assert old in text
    time = rules.stat().st_mtime_ns
    rules.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(rules, ns=(1, time + 1_000_000))


def test_errors_of_types_are_shown_until_they_are_fixed(
    folder: Path, tmp_path: Path
) -> None:
    header = next(
        line
        for line in (folder / "game.rules").read_text("utf-8").splitlines()
        if line.startswith("winners")
    )
    wrong = header, f"state odd: 0..1 starts as yes\n{header}"
    assert "/new/sow" in shipped_home("en")
    with served(tmp_path) as tables:
        host = tables.guest()
        base = host.post("/tables", data={"choice": "sow"}).url.path
        assert "E014" not in host.get(base).text
        changed(folder, *wrong)
        page = shipped_home("en")
        assert "/new/sow" not in page
        assert "E014" in page
        assert "state odd: 0..1 starts as yes" in page
        assert "sow/game.rules" in page
        assert str(folder.parent) not in page
        assert "E014" in host.get(base).text
        changed(folder, *reversed(wrong))
        assert "/new/sow" in shipped_home("en")
        assert "E014" not in host.get(base).text


def test_warnings_are_shown_beside_a_game_that_can_be_played(folder: Path) -> None:
    changed(folder, "winners ", "state spare: 0..1 starts as 0\nwinners ")
    page = shipped_home("en")
    assert "/new/sow" in page
    assert "Nothing uses the state spare." in page


def test_a_table_keeps_its_rules_whatever_becomes_of_the_files(
    folder: Path, tmp_path: Path
) -> None:
    with served(tmp_path) as tables:
        table = open_table(tables, "sow", ["Ann", "Bob"])
        assert table.post(table.asked, "choose", table.a_move()).status_code == 200
        seats = list(table.seats)

    def page(seat: int, below: str = "") -> str:
        answer = again.guest().get(f"{seats[seat]}{below}")
        assert answer.status_code == 200, answer.text
        return answer.text

    changed(folder, '"Points to win": 20..200', '"Points to win": 30..200')
    changed(folder, "normally 100", "normally 50")
    for becomes in ("changed", "broken", "deleted"):
        if becomes == "broken":
            changed(folder, "players 2..6", "players many")
        elif becomes == "deleted":
            shutil.rmtree(folder)
        installed.cache_clear()
        with served(tmp_path) as again:
            assert "100 points" in page(0, "/rules")
            assert "50 points" not in page(0, "/rules")
            assert "Throw the die" in page(0) + page(1)
