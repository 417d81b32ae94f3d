"""The first house rule of the playground, for each game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tools.try_it import OWN, RECIPES, ROOT, write_own_game

from houserule.ui.site import playground
from houserule.ui.site.parts import usual_games

LONGEST = 12  # lines: a visitor reads it at a glance


@pytest.mark.parametrize("game", usual_games())
def test_it_is_short_and_valid_and_changes_the_game(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playground, "GAMES", 60)
    text = playground.starting_text(game)
    assert text.startswith(f"variant our_rule for {game} ")
    assert "[" not in text
    assert len(text.splitlines()) <= LONGEST
    assert json.loads(playground.check(game, text)) == []
    (found,) = json.loads(playground.effect(game, text, "en"))
    assert found["bars"][0]["title"] == "Rounds"
    assert found["bars"][0]["seen"]


def test_a_game_without_measured_rules_has_one_that_counts(tmp_path: Path) -> None:
    write_own_game((ROOT / RECIPES).read_text(encoding="utf-8"), tmp_path)
    game = str(tmp_path / OWN)
    text = playground.starting_text(game)
    assert "our_rule_count" in text
    assert "[" not in text
    assert json.loads(playground.check(game, text)) == []
