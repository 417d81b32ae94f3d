"""What a printed book has no words for is told, by language and by whose rule it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import houserule
from houserule.authoring.check.check import check_path
from houserule.authoring.check.sentences import (
    add_wordless,
    identifiers,
    wordless,
)
from houserule.base.diagnostics.diagnostic import Diagnostic
from houserule.base.resources import data_root, shipped_rulesets
from houserule.language.manifest.load import load_ruleset
from houserule.rulebook.book.stamps import STAMPS, as_file
from houserule.ui.cli.main import run

PIG = data_root() / "rulesets" / "pig"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(PIG, tmp_path / "pig")


def told(folder: Path) -> list[str]:
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    found = list(wordless(ruleset))
    assert {each.code for each in found} <= {"W040"}
    return [each.message for each in found]


def without(folder: Path, language: str, start: str) -> None:
    """Take the lines out of a text file that begin so."""
    file = folder / "text" / f"{language}.yaml"
    lines = file.read_text("utf-8").split("\n")
    kept = [each for each in lines if not each.strip().startswith(start)]
    assert len(kept) < len(lines)
    file.write_text("\n".join(kept), "utf-8")


def test_a_game_with_all_its_words_is_silent(folder: Path) -> None:
    assert told(folder) == []


CHEER = """
reaction cheer after hold.bank
  does cheer: score(me) gains sum of (score(p) * score(p)) mod 3 for p in players
"""


def test_a_clause_without_a_sentence_is_named(folder: Path) -> None:
    rules = folder / "game.rules"
    rules.write_text(rules.read_text("utf-8") + CHEER, "utf-8")
    assert told(folder) == [
        "The base game has no sentence in en for `cheer` and `cheer.cheer`",
        "The base game has no sentence in de for `cheer` and `cheer.cheer`",
    ]


def test_a_clause_that_reads_well_needs_no_sentence(folder: Path) -> None:
    without(folder, "en", "throw.roll:")
    assert told(folder) == []


def test_a_noun_without_its_gender_is_named(folder: Path) -> None:
    without(folder, "de", "score:")
    (message,) = told(folder)
    assert message == "in de a book has no word for `things/score`"


def test_what_a_house_rule_brings_is_its_own(folder: Path) -> None:
    rule = folder / "variants" / "no_early_hold.rules"
    rule.write_text(rule.read_text("utf-8") + CHEER, "utf-8")
    assert any("cheer" in each and "base game" not in each for each in told(folder))


def test_errors_come_first(folder: Path) -> None:
    rules = folder / "game.rules"
    rules.write_text(
        rules.read_text("utf-8").replace("pot at least 1", "pit at least 1")
    )
    one = check_path(folder)
    before = list(one.diagnostics)
    assert before
    add_wordless(one, folder, ())
    assert one.diagnostics == before


def test_a_sentence_is_not_printed_when_its_rule_has_changed(folder: Path) -> None:
    assert run(["rulebook", str(folder), "--stamp"]) == 0
    assert "W042" not in codes(folder)
    rules, old = folder / "game.rules", "needs something"
    text = rules.read_text("utf-8")
    rules.write_text(text.replace("pot at least 1", "pot at least 10"), "utf-8")
    found = [each for each in asked_for(folder) if each.code == "W042"]
    assert [each.span.line for each in found if each.span] == [
        1 + text[: text.index(old)].count("\n")
    ]
    said = " ".join(found[0].details)
    assert "pot at least 10" in said
    assert "The sentence in de:" in said
    book = houserule.load(folder).table().rulebook("en").markdown()
    assert "Points must lie in the pot." in book  # the caption
    assert "must lie in it" not in book
    assert run(["rulebook", str(folder), "--stamp"]) == 0
    assert "W042" not in codes(folder)


def asked_for(folder: Path) -> list[Diagnostic]:
    """Return what `check --texts` reports."""
    return check_path(folder, further=add_wordless).diagnostics


def codes(folder: Path) -> set[str]:
    return {each.code for each in asked_for(folder)}


@pytest.mark.parametrize(
    "game", shipped_rulesets().values(), ids=lambda each: each.name
)
def test_every_shipped_sentence_has_the_stamp_of_its_rule(game: Path) -> None:
    """If not, compare them: houserule rulebook GAME --proof; then --stamp."""
    ruleset, _ = load_ruleset(game)
    assert ruleset is not None
    assert (game / STAMPS).read_text("utf-8") == as_file(ruleset)


OWN = """variant odd for pig "Odd"
reaction cheer after hold.bank
  needs loud "Only after many points": pot at least 9
  does cheer: score(me) gains sum of (score(p) * score(p)) mod 3 for p in players
"""
GERMAN = """---
texts:
  de:
    titles: {odd: Seltsam}
"""


@pytest.mark.parametrize("words", ["", GERMAN])
def test_a_rule_of_ones_own_is_asked_for_words_in_its_languages(
    words: str, tmp_path: Path
) -> None:
    """And nothing suggests to change a file of the game."""
    own = tmp_path / "odd.rules"
    own.write_text(OWN + words, "utf-8")
    assert check_path(own).diagnostics == []
    found = check_path(own, further=add_wordless).diagnostics
    wanted = [("W040", "`cheer.cheer`", "texts: en:")]
    if words:
        wanted += [
            ("W039", "captions: cheer.loud", "`texts` beneath"),
            ("W040", "`cheer.cheer`", "texts: de:"),
        ]
    assert len(found) == len(wanted)
    for code, says, fix in wanted:
        assert any(
            each.code == code and says in each.message and fix in " ".join(each.fixes)
            for each in found
        )
    assert not any("text/" in fix for each in found for fix in each.fixes)


PACK = """\
type Suit = clubs | hearts
component Card for each suit: Suit, rank: 1..3
zone deck: pile of Card starts as Card
"""
NAMED = """\
members:
  Card: "{rank} of {suit}"
"""


def test_names_that_are_identifiers_are_named(folder: Path) -> None:
    rules = folder / "game.rules"
    rules.write_text(f"{rules.read_text('utf-8')}\n{PACK}", "utf-8")

    def found() -> list[str]:
        ruleset, _ = load_ruleset(folder)
        assert ruleset is not None
        told = list(identifiers(ruleset))
        assert {each.code for each in told} <= {"W043"}
        return [each.message for each in told]

    assert found() == [
        f"in {language} players see 6 names such as `clubs-1`, of Card"
        for language in ("en", "de")
    ]
    for language in ("en", "de"):
        file = folder / "text" / f"{language}.yaml"
        file.write_text(f"{file.read_text('utf-8')}\n{NAMED}", "utf-8")
    assert found() == []


@pytest.mark.parametrize("game", ["takeover", "pasha", "hearts", "four_in_a_row"])
def test_shipped_games_show_no_identifiers(game: str) -> None:
    ruleset, _ = load_ruleset(shipped_rulesets()[game])
    assert ruleset is not None
    assert list(identifiers(ruleset)) == []


def test_a_missing_noun_is_asked_for_at_its_declaration(folder: Path) -> None:
    """The clause that mentions it is not asked for a sentence as well."""
    rules = folder / "game.rules"
    added = """
state rolled: 0..99 each turn starts as 0
does throw.tire: if rolled at least 20: end turn
"""
    rules.write_text(rules.read_text("utf-8") + added, "utf-8")
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    english = next(iter(wordless(ruleset)))
    assert english.message == "in en a book has no word for `things/rolled`"
    line = rules.read_text("utf-8").splitlines().index(added.splitlines()[1]) + 1
    assert [each.span.line for each in english.labels] == [line]
