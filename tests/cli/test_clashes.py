"""House rules that clash: players are told at the table, authors in their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from houserule.ui.cli.main import run

FILES = {
    "ruleset.yaml": (
        'id: t\nversion: "1.0"\ntitle: T\nsummary: A game.\nlanguages: [en]\n'
        "rules: [game.rules, variants/up.rules, variants/down.rules]\n"
    ),
    "game.rules": (
        "game t\nplayers 2..2\nstate n: 0..9 starts as 0\nwinners: players\n"
        "phase turn for me in players\n  step go: must act once, if possible\n"
        "action a during go\n  does it: n becomes amount\n"
        'value amount "How much": 0..9 = 1\n'
    ),
    "variants/up.rules": ('variant up for t "Upwards"\nchange amount from 1 to 3\n'),
    "variants/down.rules": (
        'variant down for t "Downwards"\nchange amount from 1 to 2\n'
    ),
}
SAID = '"Downwards" and "Upwards" disagree about amount, and nobody has ruled on it'


@pytest.fixture
def game(tmp_path: Path) -> str:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return str(tmp_path)


@pytest.mark.parametrize("verb", ["run", "simulate", "show"])
def test_players_are_told_at_the_table(
    verb: str, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([verb, game, "--with", "up,down"]) == 1
    err = " ".join(capsys.readouterr().err.split())
    assert "E306" in err
    assert SAID in err
    assert "bridge down, up for t" in err
    assert "E201" not in err
    assert ".rules" not in err


def test_compare_tells_players_too(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", game, "--base", "up", "--with", "down"]) == 1
    assert "E306" in capsys.readouterr().err
    wanted = ["compare", game, "--each", "up,down", "--pairs", "--games", "4"]
    assert run(wanted) == 0
    assert f"up + down is left out: {SAID} yet." in capsys.readouterr().err


def test_authors_are_told_in_their_files(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", game, "--with", "up,down", "--short"]) == 1
    err = capsys.readouterr().err
    assert "E201" in err
    assert "variants/up.rules:2" in err or "variants/down.rules:2" in err
    assert "E306" not in err


@pytest.mark.parametrize("variant", ["up", "down"])
def test_one_of_them_can_be_played(variant: str, game: str) -> None:
    assert run(["run", game, "--with", variant, "--quiet"]) == 0
