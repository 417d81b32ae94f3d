"""Free text: a label finds its own choice, slips are forgiven, fillers mean nothing."""

from __future__ import annotations

from random import Random

import pytest
from tests.seat.test_choosing import LANGUAGES
from tests.support.clicking import chooser, clicked_game, rules_at
from tests.support.shipped import ShippedTable, presets

from houserule.engine.choices import Act
from houserule.engine.play.game import ReferenceGame
from houserule.seat.choosing import Chooser
from houserule.seat.choosing.matching import meant, plain_words


@pytest.mark.parametrize(("table", "language"), LANGUAGES, ids=str)
def test_the_label_of_a_choice_finds_it(table: ShippedTable, language: str) -> None:
    draw, rules, tried = Random(4), rules_at(table), 0
    words = rules.wording(language)
    for number, game in enumerate(clicked_game(rules, language, 4, 22)):
        if number % 7 or game.decision is None:
            continue
        clicker, options = chooser(rules, game, words), game.decision.options
        choice = options[draw.randrange(min(options.count(), 500))]
        found = clicker.narrow(clicker.label(choice)).options
        assert choice in [clicker.choice((each.key,)) for each in found]
        tried += 1
    assert tried


def beginning(game: str, language: str = "en") -> Chooser:
    rules = rules_at(presets(game)[0])
    start = ReferenceGame.start(rules.program, 1)
    return chooser(rules, start, rules.wording(language))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("take 2 sticks from the heap 3", Act("take", (3, 2))),
        ("TAKE: 2, heap 3!", Act("take", (3, 2))),
        ("taek sticsk 2 heap 3", Act("take", (3, 2))),
    ],
)
def test_words_may_be_few_or_in_the_way(text: str, meaning: Act) -> None:
    clicker = beginning("nim")
    best = clicker.narrow(text).options[0]
    assert clicker.choice((best.key,)) == meaning


def test_a_text_goes_on_from_a_path() -> None:
    clicker = beginning("nim")
    (best, *_) = clicker.narrow("2", ("take", "h=3")).options
    assert (best.key, best.complete) == ("n=2", True)


def test_words_that_mean_nothing_find_nothing() -> None:
    assert beginning("nim").narrow("quux").options == ()


def test_completions_end_a_word_or_begin_the_next() -> None:
    clicker = beginning("pig")
    assert "Throw" in clicker.completions("thr")
    assert clicker.completions("xyz") == ()
    assert {"1", "2", "3"} <= set(beginning("nim").completions("take "))


@pytest.mark.parametrize(
    ("word", "other", "means"),
    [
        ("fou", "found", True),
        ("fuond", "found", True),
        ("1", "12", False),
        ("red", "rid", False),
        ("gründen", "grunden", True),
    ],
)
def test_a_word_means_what_it_begins_or_nearly_is(
    word: str, other: str, means: bool
) -> None:
    ((plain,), (against,)) = plain_words(word), plain_words(other)
    assert meant(plain, against) is means
