"""What a house rule does is measured in steps, and ends as soon as nobody looks."""

from __future__ import annotations

import re
from pathlib import Path
from time import perf_counter

import pytest

from houserule.base.resources import shipped_rulesets
from houserule.compiler.prepare import TableChoice
from houserule.language.manifest.load import open_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.ui.configurator.effect import effect_of

ENDINGS = Path(__file__).parents[1] / "cases" / "endings"


@pytest.fixture(scope="module")
def nim() -> LoadedRuleset:
    return open_ruleset(shipped_rulesets()["nim"])


def test_an_effect_grows(nim: LoadedRuleset) -> None:
    found = [*effect_of(nim, TableChoice(), "higher_heaps", "en", games=(40, 160))]
    assert [each.games for each in found] == [40, 160]
    assert [each.last for each in found] == [False, True]
    rounds = [each.bars[0] for each in found]
    assert rounds[0].high - rounds[0].low > rounds[1].high - rounds[1].low
    assert found[-1].sentence.startswith("Longer by ")
    assert "160 games" in found[-1].basis


def test_what_is_on_is_compared_with_the_table_without_it(nim: LoadedRuleset) -> None:
    off = TableChoice()
    on = TableChoice(with_=("higher_heaps",))
    one, other = (
        [*effect_of(nim, each, "higher_heaps", "de", games=(40,))] for each in (off, on)
    )
    assert one == other


@pytest.mark.parametrize(
    ("language", "mark"), [("en", "."), ("de", ","), ("fr", ","), ("it", ",")]
)
def test_numbers_are_written_as_in_the_language(
    nim: LoadedRuleset, language: str, mark: str
) -> None:
    (found,) = effect_of(nim, TableChoice(), "higher_heaps", language, games=(40,))
    said = f"{found.sentence[:-1]} {' '.join(bar.text for bar in found.bars)}"
    assert set(re.findall(r"\d([.,])\d", said)) == {mark}


def test_an_option_is_compared_with_its_normal_value(nim: LoadedRuleset) -> None:
    choice = TableChoice(settings={"first_heap": 8})
    (found,) = effect_of(nim, choice, "first_heap", "en", games=(40,))
    assert found.sentence.startswith("Longer by ")


def test_what_has_to_come_along_is_told(nim: LoadedRuleset) -> None:
    choice = TableChoice(with_=("ring",))
    (found,) = effect_of(nim, choice, "fibonacci", "en", games=(40,))
    assert not found.failed
    assert "switch off Heaps in a ring" in found.basis


@pytest.mark.parametrize(
    ("language", "title", "says"),
    [
        ("en", "Drawn games", "and 45 ± 5 fewer of 100 games are drawn."),
        (
            "de",
            "Unentschiedene Partien",
            "und 45 ± 5 von 100 Partien weniger gehen unentschieden aus.",
        ),
        ("fr", "Parties nulles", "et 45 ± 5 parties nulles de moins sur 100."),
        ("it", "Partite patte", "e 45 ± 5 partite patte in meno su 100."),
    ],
)
def test_how_many_games_are_drawn_is_told(language: str, title: str, says: str) -> None:
    lanterns = open_ruleset(ENDINGS / "lanterns")
    choice = TableChoice()
    (found,) = effect_of(lanterns, choice, "frank", language, games=(400,))
    assert found.sentence.endswith(says)
    assert title in {bar.title for bar in found.bars}


@pytest.mark.parametrize("key", ["first_heap", "no_such_rule"])
def test_what_cannot_be_measured_says_so(nim: LoadedRuleset, key: str) -> None:
    (found,) = effect_of(nim, TableChoice(), key, "en")
    assert found.failed
    assert found.sentence == "What this does cannot be measured at this table."


def test_an_effect_ends_as_soon_as_nobody_looks(nim: LoadedRuleset) -> None:
    asked: list[float] = []

    def stop() -> bool:
        asked.append(perf_counter())
        return len(asked) > 6

    found = [*effect_of(nim, TableChoice(), "misere", "en", games=(10**6,), stop=stop)]
    assert found == []
    assert perf_counter() - asked[6] < 0.2


def test_who_left_is_told_nothing(nim: LoadedRuleset) -> None:
    assert [*effect_of(nim, TableChoice(), "misere", "en", stop=lambda: True)] == []
