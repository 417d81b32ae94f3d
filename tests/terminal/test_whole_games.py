"""Whole games of every shipped ruleset through the face: keys in, screens out."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from houserule.manifest.load import open_ruleset
from houserule.prepare import TableChoice, playable, prepare
from houserule.record.reading import read_record
from houserule.record.records import recorded_rules, replay
from houserule.resources import shipped_rulesets
from houserule.seat.rules import TableRules
from houserule.seat.sitting import Sitting
from houserule.source import read_source
from houserule.terminal.face import Face
from houserule.terminal.hosting import SittingHost
from houserule.terminal.keyboard import SharedKeyboard, Stage
from houserule.terminal.line_mode import LineMode
from houserule.terminal.look import plain_text, width_of

SIZES = ((80, 24), (200, 60), (50, 20))
GAMES = sorted(shipped_rulesets())
NAMES = ("ann", "bob", "cleo", "dora")
FEW = 25


def sitting_of(game: str, file: Path | None = None, language: str = "en") -> Sitting:
    """Return a game with people in every seat, as few as the rules allow."""
    ruleset = open_ruleset(shipped_rulesets()[game])
    choice = TableChoice()
    chosen, program = playable(prepare(ruleset, choice), ruleset, choice)
    rules = TableRules(ruleset, chosen, program)
    return Sitting.begin(rules, NAMES[: program.seats], 5, file, (language,))


class Presser:
    """Presses keys as somebody would who looks at the screen and picks a line."""

    def __init__(self, sitting: Sitting, size: tuple[int, int], language: str) -> None:
        self.face = Face(SharedKeyboard(SittingHost(sitting, language)), language)
        self.size, self.random = size, Random(7)
        self.shown = ""

    def look(self) -> None:
        width, height = self.size
        rows = self.face.draw(width, height)
        assert len(rows) == height
        assert {width_of(row) for row in rows} == {width}
        self.shown = plain_text(rows)

    def press(self, key: str) -> None:
        self.look()
        self.face.press(key)

    def one(self) -> None:
        """Do what the screen waits for; now and then look around first."""
        keyboard = self.face.keyboard
        if keyboard.stage is not Stage.CHOICE:
            self.press("enter")
            return
        step = keyboard.step
        assert step is not None
        if self.random.random() < 0.1:
            for key in self.random.choice((("?", "escape"), ("l", "x"), ("p", "x"))):
                self.press(key)
        for _ in range(self.random.randrange(min(len(step.options), 40))):
            self.face.press("down")
        self.press("enter")


def assert_whole(file: Path) -> None:
    """Hold that a record plays again to the same states."""
    record, faults = read_record(read_source(file))
    assert record is not None, faults
    ruleset = open_ruleset(shipped_rulesets()[record.head.game])
    program, faults = recorded_rules(record, ruleset)
    assert program is not None, faults
    _, difference = replay(record, program)
    assert difference is None


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_by_keys(game: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    language = "de" if GAMES.index(game) % 2 else "en"
    size = SIZES[GAMES.index(game) % len(SIZES)]
    sitting = sitting_of(game, file, language)
    presser = Presser(sitting, size, language)
    for _ in range(FEW):
        presser.one()
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
    presser = Presser(sitting, size, language)
    while presser.face.keyboard.stage is not Stage.END:
        presser.one()
    presser.look()
    ended = presser.face.keyboard.moment.ended
    assert ended is not None
    assert ended.result.split()[0] in presser.shown
    sitting.close()
    assert_whole(file)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_by_lines(game: str) -> None:
    sitting = sitting_of(game)
    keyboard = SharedKeyboard(SittingHost(sitting, "en"))
    random, said, left = Random(3), [""], FEW

    def ask(prompt: str) -> str | None:
        nonlocal left
        left -= 1
        step = keyboard.step
        if left < 0 or keyboard.stage is Stage.END:
            return None
        if keyboard.stage is not Stage.CHOICE or step is None:
            return ""
        return str(random.randint(1, min(30, len(step.options))))

    LineMode(keyboard, "en", said.append, ask, lambda: None).play()
    assert len(sitting.made) > 2
    assert not set("".join(said)) & set("●▲■◆│─▸»«✗")


def test_a_hand_is_never_shown_to_the_next_seat() -> None:
    sitting = sitting_of("liars_dice")
    presser = Presser(sitting, (80, 24), "en")
    clear = seen = 0
    while len(sitting.made) < 12:
        keyboard = presser.face.keyboard
        presser.look()
        if keyboard.stage is Stage.HAND_OVER:
            clear += 1
            assert len(presser.shown.split("\n\n")) > 1
            assert "press Enter when only you look" in presser.shown
            assert not any(face in presser.shown for face in "⚀⚁⚂⚃⚄⚅")
        elif keyboard.viewer is not None:
            seen += 1
            assert keyboard.moment.position.viewer == keyboard.viewer
        presser.one()
    assert clear > 2
    assert seen > 2
