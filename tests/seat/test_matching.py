"""Free text: a label finds its own choice, slips are forgiven, fillers mean nothing."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tests.seat.test_position import PEOPLE, played, rules_of
from tests.support.clicking import chooser

from houserule.compiler.prepare import TableChoice
from houserule.play.seat.choosing import Chooser
from houserule.play.seat.choosing.keys import SIMPLE
from houserule.play.seat.choosing.matching import plain_words, slips

PHRASES = YAML(typ="safe").load(Path(__file__).with_name("phrases.yaml"))
SAID = [
    pytest.param(moment, language, text, found, id=f"{moment}: {text}")
    for moment, by_language in PHRASES.items()
    for language, texts in by_language.items()
    if language != "at"
    for text, found in texts.items()
]
COMPLETED = [
    ("x_pasch_triplet", "en", "fo", {"Found"}),
    ("x_pasch_triplet", "en", "found 1", {"13", "1er", "16"}),
    ("x_pasch_triplet", "en", "slide from x pasch to ", {"5", "6"}),
    ("x_pasch_triplet", "en", "slide 9 to 6 ", {"Red", "Green", "Blue"}),
    ("x_pasch_triplet", "de", "grü", {"gründen"}),
    ("guild_street", "en", "send an agent to the ", {"Forge", "Bell", "Oven"}),
    ("guild_street", "de", "einen mann sch", {"schicken"}),
    ("nim", "en", "take 2 from ", {"heap"}),
    ("nim", "de", "2 st", {"Stäbchen"}),
    ("pasha", "it", "rilancia ", {"Dado"}),
    ("pachisi", "fr", "av", {"Avancer"}),
    ("pig", "de", "xyz", set()),
]


@lru_cache(maxsize=32)
def chooser_at(moment: str, language: str) -> Chooser:
    at = PHRASES[moment]["at"]
    rules = rules_of(at["game"], TableChoice(at.get("preset"), players=at["players"]))
    *_, game = played(rules, at["seed"], at["at"])
    people = PEOPLE[: rules.program.seats]
    return chooser(rules, game, rules.wording(language, people))


@pytest.mark.parametrize(("moment", "language", "text", "meant"), SAID)
def test_what_people_write_is_understood(
    moment: str, language: str, text: str, meant: str | list[str]
) -> None:
    found = chooser_at(moment, language).narrow(text)
    keys = [option.key for option in found.options]
    keys += [f"✗ {option.key}" for option in found.closed]
    assert keys == ([meant] if isinstance(meant, str) else meant)


def test_a_text_goes_on_from_a_path_and_what_was_said_counts_no_more() -> None:
    found = chooser_at("nim", "en").narrow("3", ("take", "h=3"))
    assert [(option.key, option.complete) for option in found.options] == [
        ("n=3", True)
    ]


def test_advice_is_given_once_on_the_way_and_with_what_is_found() -> None:
    clicker = chooser_at("pasha", "en")
    (paid,) = (o for o in clicker.step().options if o.key == "buy_throw")
    assert paid.advice == ("You still have a throw that costs nothing.",)
    dice = clicker.step(("buy_throw",)).options
    assert not [option.label for option in dice if option.advice]
    free, found = clicker.narrow("reroll 1 3").options
    assert (free.advice, found.advice) == ((), paid.advice)


@pytest.mark.parametrize("moment", PHRASES)
def test_the_identifier_of_an_action_means_it(moment: str) -> None:
    """In every language, also if its label has other words."""
    for language in PHRASES[moment]:
        if language == "at":
            continue
        clicker = chooser_at(moment, language)
        for option in clicker.step().options:
            if option.key not in SIMPLE:
                found = clicker.narrow(option.key).options
                assert option.key in {each.key.split()[0] for each in found}


def test_words_that_mean_nothing_find_nothing() -> None:
    assert chooser_at("nim", "en").narrow("quux").options == ()


@pytest.mark.parametrize(("moment", "language", "text", "words"), COMPLETED)
def test_completions_end_a_word_or_begin_the_next(
    moment: str, language: str, text: str, words: set[str]
) -> None:
    found = chooser_at(moment, language).completions(text)
    assert words <= set(found) if words else not found


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
    assert (slips(plain, against) is not None) is means
