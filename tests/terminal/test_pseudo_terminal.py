"""The command in a pseudo-terminal: keys go in, killed at any time, it goes on."""

from __future__ import annotations

import re
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


def test_a_click_chooses_a_line_or_a_thing_and_the_wheel_scrolls(
    tmp_path: Path,
) -> None:
    file, player = tmp_path / "evening.jsonl", Player("en")
    sitting_of("hex_board", file).close()
    terminal = Terminal([str(file)], (50, 20))
    terminal.shown()
    terminal.click(*terminal.place("1-4"))
    assert "▲" in terminal.shown().split("\n")[0]
    assert decided(file).endswith(b'{"put": {"x": "1-4"}}}')
    _, row = terminal.place("●")
    below = terminal.text().split("\n")[row]
    fourth = [at for at, sign in enumerate(below) if sign == "·"][3]
    terminal.click(fourth, row + 1)  # columns count from 1: just before the sign
    terminal.shown()
    assert decided(file).endswith(b'{"put": {"x": "2-4"}}}')
    above = player.words.say("more_above", count=1).partition("1")[0]
    assert above not in terminal.text()
    terminal.wheel(3, 3, down=True)
    assert above in terminal.shown()
    terminal.wheel(3, 3, down=False)
    assert above not in terminal.shown()
    assert terminal.leave() == 0


def test_the_screen_follows_the_size_of_the_window(tmp_path: Path) -> None:
    file, player = tmp_path / "evening.jsonl", Player("de")
    sitting_of("pasha", file, "de").close()
    terminal = Terminal([str(file)], (80, 24))
    terminal.shown()
    terminal.press("enter")
    assert player.words.say("the players") not in terminal.shown().split("\n")[1]
    for width, height in ((200, 60), (50, 20), (20, 8), (80, 24)):
        terminal.resize(width, height)
        shown = terminal.shown()
        small = player.words.say("too_small").split()[0] in shown
        assert small == (width == 20)
        assert small or player.sees(shown, "keys_choose")
        wide = player.words.say("the players") in shown.split("\n")[1]
        assert wide == (width == 200)
    terminal.press("enter")
    terminal.shown()
    assert decided(file).count(b"\n") == 1
    assert terminal.leave() == 0


def test_a_record_that_no_longer_fits_is_gone_on_with_anyway(tmp_path: Path) -> None:
    file, player = tmp_path / "evening.jsonl", Player("en")
    with sitting_of("nim", file) as sitting:
        for seat in (0, 1, 0):
            sitting.choose(seat, sitting.hint(seat))
    lines = file.read_text("utf-8").split("\n")
    lines[2] = re.sub(r'"n": \d', '"n": 9', lines[2])
    file.write_text("\n".join(lines), "utf-8")
    refused = Terminal([str(file)], (80, 24))
    assert "E081" in refused.shown()
    assert refused.ended() == 1
    terminal = Terminal([str(file), "--anyway"], (80, 24))
    shown = terminal.shown()
    assert "▲" in shown.split("\n")[0], "one choice still fits, and bob is next"
    assert player.sees(shown, "keys_choose")
    terminal.press("enter")
    terminal.shown()
    assert terminal.leave() == 0
    assert file.read_text("utf-8").startswith("\n".join(lines)), "nothing is lost"
    terminal = Terminal([str(file)], (80, 24))
    assert player.sees(terminal.shown(), "keys_choose"), "now it fits"
    assert terminal.leave() == 0
