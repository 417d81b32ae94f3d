"""The command in a pseudo-terminal: keys go in, killed at any time, it goes on."""

from __future__ import annotations

import time
from itertools import product
from pathlib import Path

import pytest
from tests.terminal.playing import (
    GAMES,
    NAMES,
    SIZES,
    Player,
    Terminal,
    assert_whole,
    sitting_of,
)

MOST = 20_000  # keys of a game


def decided(file: Path) -> bytes:
    """Return the whole lines of a file: what is surely in it."""
    return file.read_bytes().rpartition(b"\n")[0]


def played(file: Path, size: tuple[int, int], language: str) -> str:
    """Play on in a file, killed now and then, until it ends; return the last screen.

    The longer a game the rarer it is killed, since then it is read anew.
    """
    player, shown = Player(language), ""
    arguments = [str(file), "--lang", language]
    terminal = Terminal(arguments, size)
    for presses in range(MOST):
        shown = player.goes_on(terminal)
        assert "Traceback" not in shown
        if player.sees(shown, "keys_rematch"):
            break
        if player.random.random() < 2 / (presses + 10):
            time.sleep(player.random.random() / 5)
            before = decided(file)
            terminal.kill()
            assert decided(file).startswith(before)
            terminal = Terminal(arguments, size)
    assert terminal.leave() == 0
    return shown


SHORT = ("nim", (80, 24), "de")


@pytest.mark.parametrize(
    ("game", "size", "language"),
    [
        pytest.param(*each, marks=() if each == SHORT else pytest.mark.slow)
        for each in product(GAMES, SIZES, ("en", "de"))
    ],
    ids=str,
)
def test_a_whole_game_is_played_in_a_terminal(
    game: str, size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    file = tmp_path / "evening.jsonl"
    sitting_of(game, file, language).close()
    shown = played(file, size, language)
    assert Player(language).sees(shown, "keys_rematch")
    assert_whole(file)


def test_the_first_screens_of_an_evening(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    seats = ",".join(NAMES[:2])
    arguments = ["pig", "--seats", seats, "--seed", "4", "--record", str(file)]
    terminal, player = Terminal(arguments, (80, 24)), Player("en")
    assert player.sees(terminal.shown(), "keys_choose")
    terminal.press("?")
    assert player.sees(terminal.shown(), "keys_close")
    terminal.press("escape")
    assert player.sees(terminal.shown(), "keys_choose")
    terminal.press("1")
    terminal.shown()
    assert decided(file).count(b"\n") == 1
    assert terminal.leave() == 0
    assert str(file) in terminal.text().replace("\n", "")
