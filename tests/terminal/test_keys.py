"""What keys and clicks do, on a sitting that is pretended."""

from __future__ import annotations

import pytest
from tests.support.terminal_rows import plain_text
from tests.terminal.pretended import PretendedKeyboard, PretendedSitting, moment

from houserule.ui.terminal.face import Face


def face_of(sitting: PretendedSitting) -> Face:
    return Face(PretendedKeyboard(sitting), "en")


def one_person() -> tuple[PretendedSitting, Face]:
    sitting = PretendedSitting(moment("companies"), people=(0,))
    return sitting, face_of(sitting)


def screen(face: Face) -> str:
    return plain_text(face.draw(80, 30))


def press(face: Face, *keys: str) -> None:
    for key in keys:
        face.draw(80, 30)
        face.press(key)
    while face.thinking:
        face.advance()


def test_a_number_chooses_a_line_and_a_complete_one_is_a_choice() -> None:
    sitting, face = one_person()
    press(face, "1")
    assert "Which?" in screen(face)
    assert not sitting.chosen
    press(face, "2")
    assert sitting.chosen == [(0, ("found", "that"))]


def test_arrows_and_enter_choose_the_marked_line() -> None:
    sitting, face = one_person()
    press(face, "down", "down", "up", "enter")
    assert "so far: place" in screen(face)
    press(face, "enter")
    assert sitting.chosen == [(0, ("place", "it"))]


def test_escape_takes_a_step_of_the_choice_back() -> None:
    sitting, face = one_person()
    press(face, "1", "escape")
    assert "What do you do?" in screen(face)
    press(face, "escape")
    assert not sitting.chosen


def test_two_figures_choose_a_line_beyond_the_ninth() -> None:
    sitting = PretendedSitting(moment("board"), people=(0,), secret=False)
    face = face_of(sitting)
    press(face, "1")
    assert not sitting.chosen, "1 may be the beginning of 12"
    press(face, "2")
    step = sitting.shown.choice
    assert step is not None
    assert sitting.chosen == [(0, ("put", step.options[11].key))]


def test_a_number_that_no_line_has_does_nothing() -> None:
    sitting, face = one_person()
    assert sitting.shown.choice is not None
    options = [each for each in sitting.shown.choice.options if each.number != 2]
    choice = sitting.shown.choice.model_copy(update={"options": tuple(options)})
    sitting.shown = sitting.shown.model_copy(update={"choice": choice})
    face = face_of(sitting)
    press(face, "2")
    assert "What do you do?" in screen(face)
    press(face, "4")
    assert "so far: draw" in screen(face)


def test_a_closed_line_says_why_not_and_is_not_chosen() -> None:
    sitting, face = one_person()
    press(face, "3")
    text = screen(face)
    assert "You cannot slide now." in text
    assert "Beta pays: 9" in text
    assert "House rule: Harder sliding" in text
    assert "Without it you could do this." in text
    press(face, "escape")
    assert "What do you do?" in screen(face)
    assert not sitting.chosen


def test_a_question_mark_asks_about_the_marked_line() -> None:
    _, face = one_person()
    press(face, "down", "?")
    assert "You cannot place now." in screen(face)


def test_searching_narrows_and_enter_chooses() -> None:
    sitting, face = one_person()
    press(face, "/", *"draw")
    text = screen(face)
    assert "Search: draw" in text
    assert "Found a company" not in text
    press(face, "enter")
    assert "so far: draw" in screen(face)
    assert not sitting.chosen


def test_tab_completes_what_is_searched() -> None:
    _, face = one_person()
    press(face, "/", *"a Exch", "tab")
    assert "Search: a Exchange " in screen(face)
    press(face, "escape")
    assert "Found a company" in screen(face)


@pytest.mark.parametrize(
    ("key", "words"),
    [("l", "turn 0"), ("p", "Companies in play"), ("f1", "start your turn again")],
)
def test_a_page_opens_and_any_key_closes_it(key: str, words: str) -> None:
    _, face = one_person()
    press(face, key)
    assert words in screen(face)
    assert "Esc close" in screen(face)
    press(face, "x")
    assert "What do you do?" in screen(face)


def test_a_page_longer_than_the_window_is_scrolled() -> None:
    _, face = one_person()
    face.press("f1")
    seen = []
    for key in ("", "down", "pagedown", "end", "up", "home"):
        if key:
            face.press(key)
        seen.append(plain_text(face.draw(60, 12)).split("\n")[1:10])
    first, lower, page, last, upper, again = seen
    assert lower[:-1] == first[1:]
    assert page[0] == lower[8]
    assert upper[1:] == last[:-1]
    assert again == first != last


def test_a_hint_is_said_above_the_keys() -> None:
    _, face = one_person()
    press(face, "h")
    assert "A bot would say: Draw a card" in screen(face)


def test_page_down_moves_the_position() -> None:
    _, face = one_person()
    assert "lines above" not in screen(face)
    press(face, "pagedown")
    assert "lines above" in screen(face)


def test_undo_takes_back_and_beyond_it_everybody_is_asked() -> None:
    sitting = PretendedSitting(moment("companies"), people=(0, 1), secret=False)
    face = face_of(sitting)
    press(face, "u")
    assert "There is nothing to take back." in screen(face)
    press(face, "6")
    press(face, "u")
    assert "Taken back" in screen(face)
    assert sitting.turn == 0
    press(face, "6", "6")
    press(face, "u")
    assert "Does everybody agree" in screen(face)
    press(face, "n")
    assert sitting.turn > 0
    press(face, "u", "y")
    assert sitting.turn == 0


def test_the_keyboard_changes_hands_through_a_clear_screen() -> None:
    sitting = PretendedSitting(moment("companies"))
    face = face_of(sitting)
    assert "ann, press Enter when no one else can see the screen." in screen(face)
    assert "Your hand" not in screen(face)
    press(face, "6")
    assert not sitting.chosen, "nobody looks yet"
    press(face, "enter", "6")
    assert sitting.chosen == [(0, ("done",))]
    assert "then bob goes on" in screen(face)
    assert "Your hand" in screen(face), "ann sees what came of it"
    press(face, "enter")
    assert "bob, press Enter" in screen(face)
    assert "Your hand" not in screen(face)
    press(face, "enter")
    assert "bob decides" in screen(face)


def test_a_game_without_secrets_needs_no_hand_over() -> None:
    sitting = PretendedSitting(moment("companies"), secret=False)
    face = face_of(sitting)
    press(face, "6")
    assert "bob decides" in screen(face)
    press(face, "6")
    assert [seat for seat, _ in sitting.chosen] == [0, 1]


def test_bots_decide_between_and_what_they_did_is_news() -> None:
    sitting, face = one_person()
    press(face, "6")
    assert sitting.turn == 4, "bob, cleo and dora are bots"
    assert "turn 2" in screen(face)


def test_an_ended_game_says_why_and_is_played_again() -> None:
    sitting = PretendedSitting(moment("companies"), people=(0,), ends_after=4)
    face = face_of(sitting)
    press(face, "6")
    text = screen(face)
    assert "All is done." in text
    assert "bob wins." in text
    assert "shares" in text
    press(face, "r")
    assert "What do you do?" in screen(face)
    press(face, "q")
    assert face.leaving


def test_a_click_chooses_a_line_or_a_thing_of_the_position() -> None:
    sitting = PretendedSitting(moment("board"), people=(0,), secret=False)
    face = face_of(sitting)
    wanted = {"piece": ("board 1", "c11")}
    rows = face.draw(80, 30)
    metas = [each.style.meta for row in rows for each in row if each.style]
    assert wanted in metas
    face.click(wanted)
    assert sitting.chosen == [(0, ("put", "c11"))]
