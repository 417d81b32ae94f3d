"""Words that a declared language lacks are told, one message a unit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from houserule.authoring.check.check import untranslated
from houserule.base.resources import data_root, shipped_rulesets
from houserule.language.manifest.folder import rules_beside
from houserule.language.manifest.load import load_ruleset

PIG = data_root() / "rulesets" / "pig"
OWN = """variant own for pig "Our own"
needs hold.big "Only with five": pot at least 5
"""
WORDS = "---\ntexts: {de: {titles: {own: Unsere}}}\n"


def lacking(folder: Path, own: Path | None = None) -> list[str]:
    ruleset, _ = load_ruleset(folder, rules_beside([own] if own else []))
    assert ruleset is not None
    found = list(untranslated(ruleset))
    assert {each.code for each in found} <= {"W039"}
    return [each.message for each in found]


@pytest.mark.parametrize(
    "folder", shipped_rulesets().values(), ids=lambda each: each.name
)
def test_shipped_games_have_all_words_in_all_their_languages(folder: Path) -> None:
    assert lacking(folder) == []


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        (["hold.win: "], ["captions: hold.win"]),
        (["no_early_hold: "], ["titles: no_early_hold"]),
        (["least_hold: "], ["titles: least_hold"]),
        (["throw: Würfeln"], ["actions: throw", "captions: throw"]),
        (["pot: {"], ["readings: pot"]),
        (["also:", "throw: werfen", "hold: stopp"], []),  # need not be said
        (["hold.enough: ", "hold.bank: "], ["captions: hold.enough", "hold.bank"]),
    ],
)
def test_what_is_missing_is_named(
    gone: list[str], told: list[str], tmp_path: Path
) -> None:
    folder = shutil.copytree(PIG, tmp_path / "pig")
    file = folder / "text" / "de.yaml"
    lines = file.read_text("utf-8").split("\n")
    kept = [each for each in lines if not each.strip().startswith(tuple(gone))]
    assert len(kept) < len(lines)
    file.write_text("\n".join(kept), "utf-8")
    said = " ".join(lacking(folder))
    assert bool(said) == bool(told)
    assert all(each in said for each in told)


@pytest.mark.parametrize(
    ("where", "words", "told"),
    [
        ("pig/variants", "", "titles: own; captions: hold.big"),
        ("pig/variants", WORDS, "captions: hold.big"),
        ("beside", "", ""),  # a group may play its own rules in one language
        ("beside", WORDS, ""),
    ],
)
def test_rules_beside_the_game_may_lack_words(
    where: str, words: str, told: str, tmp_path: Path
) -> None:
    folder = shutil.copytree(PIG, tmp_path / "pig")
    file = tmp_path / where / "own.rules"
    file.parent.mkdir(exist_ok=True)
    file.write_text(OWN + words, "utf-8")
    found = lacking(folder, file if where == "beside" else None)
    wanted = f'"Our own" has no words in de for {told}.'
    assert found == ([wanted] if told else [])


def test_a_copy_does_without_a_language_in_the_way_that_the_message_says(
    tmp_path: Path,
) -> None:
    folder = shutil.copytree(PIG, tmp_path / "pig")
    (folder / "variants" / "own.rules").write_text(OWN, "utf-8")
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    (told,) = untranslated(ruleset)
    _, without = told.fixes
    assert "`languages` in ruleset.yaml" in without
    assert "delete text/de.yaml" in without
    manifest = folder / "ruleset.yaml"
    text = manifest.read_text("utf-8")
    manifest.write_text(text.replace("languages: [en, de]", "languages: [en]"), "utf-8")
    (folder / "text" / "de.yaml").unlink()
    ruleset, faults = load_ruleset(folder)
    assert ruleset is not None
    assert [each.code for each in faults] == []
    assert list(untranslated(ruleset)) == []
