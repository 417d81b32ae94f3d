"""Whole games of every shipped ruleset through the face: keys in, screens out."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.support.sampling import spread
from tests.terminal.playing import (
    GAMES,
    SIZES,
    FaceScreen,
    Player,
    assert_whole,
    sitting_of,
)

from houserule.ui.terminal.keyboard import SharedKeyboard, Stage
from houserule.ui.terminal.line_mode import LineMode

FEW = 20


@pytest.mark.parametrize("game", spread(GAMES, 5))  # in each size and language
def test_a_game_is_played_by_keys(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    language = "de" if GAMES.index(game) % 2 else "en"
    size = SIZES[GAMES.index(game) % len(SIZES)]
    sitting = sitting_of(game, file, language)
    player, screen = Player(language), FaceScreen(sitting, size, language)
    for _ in range(FEW):
        player.goes_on(screen)
    assert len(sitting.made) > 2
    sitting.close()
    assert_whole(file)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_keys(
    game: str, size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    sitting = sitting_of(game, file, language)
    player, screen = Player(language), FaceScreen(sitting, size, language)
    while screen.face.keyboard.stage is not Stage.END:
        player.goes_on(screen)
    ended = screen.face.keyboard.moment.ended
    assert ended is not None
    assert ended.result.split()[0] in screen.shown()
    sitting.close()
    assert_whole(file)


@pytest.mark.parametrize("game", spread(GAMES, 4))
def test_a_game_is_played_by_lines(game: str) -> None:
    sitting = sitting_of(game)
    keyboard = SharedKeyboard(sitting, "en")
    random, said, left = Random(3), [""], FEW

    def ask(prompt: str) -> str | None:
        nonlocal left
        left -= 1
        step = keyboard.step
        if left < 0 or keyboard.stage is Stage.END:
            return None
        if keyboard.stage is not Stage.CHOICE or step is None:
            return ""
        return str(random.choice(step.options[:30]).number)

    LineMode(keyboard, "en", said.append, ask, lambda: None).play()
    assert len(sitting.made) > 2
    assert not set("".join(said)) & set("●▲■◆│─▸»«✗")


def test_paths_on_the_ground_are_said_in_words_and_empty_places_are_not() -> None:
    keyboard, said = SharedKeyboard(sitting_of("trails"), "en"), list[str]()
    typed = iter(("", None))  # the first player is there, and leaves
    ask = lambda _: next(typed)  # noqa: E731
    LineMode(keyboard, "en", said.append, ask, lambda: None).play()
    rows = [line for line in said if line.startswith("Row ")]
    assert rows == ["Row 4: d: north+east+south+west."]


def test_between_two_seats_nothing_of_the_game_is_on_the_screen() -> None:
    sitting = sitting_of("liars_dice")
    player, screen = Player("en"), FaceScreen(sitting, (80, 24), "en")
    seats = set()
    while len(sitting.made) < 12:
        keyboard, shown = screen.face.keyboard, screen.shown()
        if keyboard.stage is Stage.HAND_OVER:
            assert keyboard.coming is not None
            seats.add(keyboard.coming)
            who = sitting.seated.names[keyboard.coming]
            assert [line.strip() for line in shown.split("\n") if line.strip()] == [
                player.words.say("hand_over", who=who),
                player.words.say("hand_over_why"),
            ]
        screen.press(*player.keys(shown))
    assert seats == {0, 1}
