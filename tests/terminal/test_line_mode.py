"""Line mode: what is said and what typed lines do, on a sitting that is pretended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.terminal.pretended import PretendedKeyboard, PretendedSitting, moment

from houserule.ui.terminal.line_mode import LineMode

HOUSERULE = [sys.executable, "-m", "houserule"]
CLEARED = "(cleared)"


def played(sitting: PretendedSitting, *typed: str, language: str = "en") -> list[str]:
    """Return all that is said, prompts included, while lines are typed."""
    said: list[str] = []
    waiting = list(typed)

    def ask(prompt: str) -> str | None:
        said.append(prompt)
        return waiting.pop(0) if waiting else None

    keyboard = PretendedKeyboard(sitting)
    clear = lambda: said.append(CLEARED)  # noqa: E731 - said where it happens
    LineMode(keyboard, language, said.append, ask, clear).play()
    assert not waiting, f"{waiting} was not read"
    return said


def one_person() -> PretendedSitting:
    return PretendedSitting(moment("companies"), people=(0,))


def test_the_position_is_said_in_sentences_without_drawing() -> None:
    said = played(one_person())
    assert "8: income 9, bonus 2, ann 3, bob 1, controlled by ann." in said
    assert "Deck: 21." in said
    assert any(line.startswith("Your hand (3): 11 (income 11") for line in said)
    assert not set("".join(said)) & set("●▲■◆│─▸»«✗")


def test_a_board_is_said_row_by_row_without_its_empty_cells() -> None:
    said = played(PretendedSitting(moment("board"), people=(0,), secret=False))
    assert "Row 2: c: o (bob), d: x (安娜)." in said


def test_numbers_choose_step_by_step() -> None:
    sitting = one_person()
    said = played(sitting, "1", "2")
    assert "1. Found a company (2 ways)" in said
    assert "Which? (so far: found)" in said
    assert sitting.chosen == [(0, ("found", "that"))]


def test_words_choose_and_say_what_they_chose() -> None:
    sitting = one_person()
    said = played(sitting, "i have done")
    assert "I have done enough with these dice, and end my turn" in said
    assert sitting.chosen == [(0, ("done",))]


def test_words_that_fit_several_answers_list_these_alone() -> None:
    sitting = one_person()
    said = played(sitting, "a card", "2", "1")
    assert "2. Exchange a card (more than 99 ways)" in said
    assert sitting.chosen == [(0, ("exchange", "it"))]


@pytest.mark.parametrize("asked", ["why 3", "? 3", "?3", "why slide", "3", "slide"])
def test_why_is_answered_in_sentences(asked: str) -> None:
    sitting = one_person()
    said = played(sitting, asked)
    assert "You cannot slide now." in said
    assert any("Beta pays: 9" in line for line in said)
    assert not sitting.chosen


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("99", "The last number is 6."),
        ("0", "The last number is 6."),
        ("flooble", "No match for that."),
        ("why", "Why what? Write why and a number, or why and words."),
        ("hint", "A bot would say: Draw a card"),
        ("hint all", "Slide a marker: 40 %"),
        ("log", "turn 0"),
    ],
)
def test_a_line_has_its_answer(typed: str, answer: str) -> None:
    sitting = one_person()
    assert answer in played(sitting, typed)
    assert not sitting.chosen


def test_commands_are_words_of_the_language_and_english_ones_too() -> None:
    for words in (("warum 6", "ende"), ("why 6", "quit")):
        said = played(one_person(), *words, language="de")
        assert any("Hausregel: Harder sliding" in line for line in said)


def test_the_keyboard_changes_hands_and_what_was_seen_is_cleared() -> None:
    sitting = PretendedSitting(moment("companies"))
    said = played(sitting, "", "6", "", "", "quit")
    assert said[0] == "turn 0" or said[0].startswith("ann, press Enter")
    cleared = said.index(CLEARED)
    assert said[cleared - 1] == "Press Enter to clear the screen; then bob goes on."
    assert said[cleared + 1] == "bob, press Enter when no one else can see the screen."
    assert "bob decides" in said[cleared:]


def test_taking_back_beyond_a_throw_needs_everybodys_word() -> None:
    sitting = PretendedSitting(moment("companies"), people=(0, 1), secret=False)
    assert played(sitting, "undo")[-2] == "There is nothing to take back."
    played(sitting, "6", "6", "undo", "no")
    assert sitting.turn > 0
    sitting = PretendedSitting(moment("companies"), people=(0, 1), secret=False)
    assert "Taken back." in played(sitting, "6", "6", "undo", "yes")
    assert sitting.turn == 0


def test_an_ended_game_says_why_and_its_scores_by_part() -> None:
    sitting = PretendedSitting(moment("companies"), people=(0,), ends_after=4)
    said = played(sitting, "6", "again", "quit")
    assert "All is done." in said
    assert "bob: 15 Euros (cash 10, shares 5)" in said


def test_every_number_can_be_typed_if_more_options_than_are_listed(
    tmp_path: Path,
) -> None:
    """Of a board of fifteen by fifteen cells, two hundred are listed at once."""
    done = subprocess.run(
        [
            *HOUSERULE,
            *["play", "hex_board", "--set", "side=15", "--seats", "ann,bob", "--plain"],
        ],
        input="225\nposition\n226\nquit\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert "ann places a stone on cell 15-15" in done.stdout, done.stderr
    assert "The last number is 224." in done.stdout
