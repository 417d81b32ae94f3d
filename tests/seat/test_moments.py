"""Moments: what a face shows to each viewer of a sitting."""

from __future__ import annotations

import pytest
from tests.seat.sittings import chest, shipped, small

from houserule.engine.reference.choices import Act, Answered, Done
from houserule.play.seat.moments import table_sentence
from houserule.play.seat.session import Sitting


def test_a_moment_asks_who_decides_and_nobody_else() -> None:
    sitting = Sitting.begin(chest(), ["ann", "bob"], 7)
    mine, other = sitting.moment(0), sitting.moment(1)
    assert mine.acting == other.acting == (0,)
    assert mine.choice is not None
    assert {each.key for each in mine.choice.options} >= {"walk", "throw"}
    assert other.choice is None
    assert sitting.moment(None).choice is None


@pytest.mark.parametrize(
    ("viewer", "language", "heading"),
    [
        (0, "en", "Round 2: your turn"),
        (1, "en", "Round 2: ann's turn"),
        (1, "de", "Round 2: ann ist am Zug"),
        (None, "fr", "Round 2 : c’est à ann de jouer"),
    ],
)
def test_the_heading_says_whose_turn_it_is(
    viewer: int | None, language: str, heading: str
) -> None:
    sitting = Sitting.begin(chest(), ["ann", "bob"], 7)
    sitting.choose(0, Done())
    sitting.choose(1, Done())
    assert sitting.moment(viewer, language).heading == heading


def test_the_heading_says_who_is_asked_out_of_turn() -> None:
    sitting = Sitting.begin(chest(), ["ann", "bob"], 7)
    sitting.choose(0, Act("question", (1,)))
    assert sitting.moment(1).heading == "Round 1: you decide"
    assert sitting.moment(0).heading == "Round 1: bob decides"
    sitting.choose(1, Answered(True))
    assert sitting.moment(0).heading == "Round 1: your turn"


def test_the_heading_says_that_all_choose_at_once() -> None:
    sitting = Sitting.begin(small("market"), ["ann", "bob"], 2)
    assert sitting.moment(0).heading == "Round 1: all choose in secret, now you"


def test_the_seats_of_bots_are_marked() -> None:
    sitting = Sitting.begin(shipped("pig", 3), ["ann", "greedy", "bob"], 2)
    for viewer in (0, None):
        seats = sitting.moment(viewer).position.seats
        assert [each.bot for each in seats] == [False, True, False]


def test_what_can_be_taken_back_is_said_in_words() -> None:
    sitting = Sitting.begin(shipped("nim"), ["ann", "bob"], 2)
    assert sitting.moment(0).undo == ""
    assert sitting.decision is not None
    choice = sitting.moment(0).choice
    assert choice is not None
    sitting.choose(0, sitting.hint(0))
    assert sitting.moment(0).undo.startswith("Take back: ")
    assert sitting.moment(0, "de").undo.startswith("Zurücknehmen: ")
    assert sitting.moment(1).undo == ""


def test_news_lasts_until_the_viewer_decides() -> None:
    sitting = Sitting.begin(chest(), ["ann", "bob"], 7)
    first = sitting.moment(0)
    assert sitting.moment(0) == first
    sitting.choose(0, Act("throw"))
    thrown = sitting.moment(0)
    assert thrown.log
    assert sitting.moment(0).log == thrown.log
    sitting.choose(0, Done())
    sitting.choose(1, Act("walk"))
    later = sitting.moment(0).log
    assert later
    assert sitting.log(0)[-len(later) :] == later
    assert not set(thrown.log) & set(later)
    sitting.undo(1)
    assert sitting.moment(1).log[-1] == "bob takes back a decision."
    assert sitting.moment(0).log[-1] == "bob takes back a decision."


def test_the_end_is_said_with_scores() -> None:
    sitting = Sitting.begin(shipped("pig"), ["ann", "random"], 2)
    while sitting.decision is not None:
        assert sitting.moment(0).ended is None
        sitting.choose(0, sitting.decision.options[0])
    moment = sitting.moment(0)
    assert moment.ended is not None
    assert moment.ended.kind == "won"
    assert moment.choice is None
    assert moment.heading == "The game is over."
    assert len(moment.scores) == 2


def test_the_table_is_a_sentence() -> None:
    assert table_sentence(shipped("pig", 3), "en") == "Pig for 3"
