"""Each house rule of a built-in game has a line that says what bots measured."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tools.bench.house_rules import measure, stale

from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import TableChoice
from houserule.language.manifest.load import open_ruleset
from houserule.ui.configurator.builder import menu_of
from houserule.ui.configurator.measured import MEASURED, measured_line
from houserule.ui.web.menu.pages import menu_answer


@pytest.mark.parametrize("game", sorted(shipped_rulesets()))
def test_what_is_measured_is_about_the_house_rules_there_are(game: str) -> None:
    assert [*stale(game)] == []


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped_rulesets()["pig"], tmp_path / "pig"))


def line(folder: Path, language: str = "en") -> str:
    return measured_line(open_ruleset(folder), "no_early_hold", language)


def test_the_most_telling_differences_are_in_the_line(pig: Path) -> None:
    changes = {
        "score": [80.2, 91.0],
        "draws": [0.126, 0.0],
        "choices": [90.0, 12.0],
        "rounds": [18.45, 11.9],
        "p1 wins": [0.5, 0.619],
    }
    found = {"no_early_hold": {"players": 2, "games": 9, "changes": changes}}
    (pig / MEASURED).write_text(json.dumps(found))
    assert line(pig) == (
        "between bots: 11.9 rounds instead of 18.4; "
        "the first player wins 62 % instead of 50 %; 0 % drawn instead of 13 %"
    )
    assert line(pig, "de").startswith("unter Bots: 11,9 Runden statt 18,4; der erste")


def test_a_line_says_if_nothing_differs(pig: Path) -> None:
    found = {"no_early_hold": {"players": 2, "games": 9, "changes": {}}}
    (pig / MEASURED).write_text(json.dumps(found))
    assert line(pig) == "between bots: no clear difference"


@pytest.mark.parametrize("text", ["", "[]", '{"no_early_hold": null}', '{"x": 1}'])
def test_without_a_measurement_there_is_no_line(pig: Path, text: str) -> None:
    (pig / MEASURED).write_text(text)
    assert line(pig) == ""
    (pig / MEASURED).unlink()
    assert line(pig) == ""


def test_the_line_is_beside_the_switch() -> None:
    chess = open_ruleset(shipped_rulesets()["chess"])
    groups = menu_of(chess, TableChoice(), "en").groups
    told = {each.key: each.measured for group in groups for each in group.entries}
    assert told["king_of_the_hill"].startswith("Between bots: ")
    page = menu_answer("chess", "", "en", part=True)
    assert page is not None
    assert told["king_of_the_hill"] in page


def test_only_clear_differences_are_kept() -> None:
    nim = open_ruleset(shipped_rulesets()["nim"])
    found = measure(nim, "higher_heaps", 40)
    assert found is not None
    before, after = found.changes["rounds"]
    assert after > before
    lots = measure(nim, "drawn_start", 40)
    assert lots is not None
    assert "rounds" not in lots.changes
