"""What is kept of rulesets and their tables on disk is what would be made anew."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.support.equality import same
from tests.support.sampling import spread
from tests.support.shipped import NAMES, ruleset_of

from houserule.base.cache import cache_dir
from houserule.base.resources import shipped_rulesets
from houserule.base.source import Span
from houserule.compiler.prepare import Prepared, TableChoice, prepare
from houserule.language.manifest.load import load_ruleset, open_ruleset


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULE_CACHE", str(tmp_path / "kept"))


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped_rulesets()["pig"], tmp_path / "pig"))


def known(*_: object, **__: object) -> Prepared:
    """Stand for work that is not to be done again."""
    raise AssertionError("this is done again")


def objects(value: object) -> Iterator[int]:
    """Yield the identity of every record but places, as often as it is met."""
    if is_dataclass(value) and not isinstance(value, Span):
        yield id(value)
        for each in fields(value):
            yield from objects(getattr(value, each.name))
    elif isinstance(value, dict):
        for each in value.values():
            yield from objects(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from objects(each)


def shared(value: object) -> list[int]:
    """Return for every record when it was met first."""
    first: dict[int, int] = {}
    return [first.setdefault(each, len(first)) for each in objects(value)]


@pytest.mark.parametrize("game", spread(NAMES, 5))
def test_a_table_that_is_kept_is_the_one_that_was_prepared(game: str) -> None:
    ruleset = ruleset_of(game)
    presets = [unit.id for unit in ruleset.units_of("preset")]
    for preset in (None, *presets):
        choice = TableChoice(preset=preset)
        made = prepare(ruleset, choice, for_play=True)
        with patch("houserule.compiler.prepare._prepared", known):
            kept = prepare(ruleset, choice, for_play=True)
        assert kept.program is not made.program
        assert same((kept.table, kept.program), (made.table, made.program))
        assert shared(kept.program) == shared(made.program)


def test_an_edit_makes_another_table(pig: Path) -> None:
    def bank() -> object:
        prepared = prepare(open_ruleset(pig), TableChoice(), for_play=True)
        assert prepared.program is not None
        return prepared.program.fingerprint, prepared.program.clauses

    before = bank()
    rules = pig / "game.rules"
    rules.write_text(rules.read_text("utf-8").replace("100", "90"), "utf-8")
    assert bank() != before


def test_a_table_that_cannot_be_played_says_so_again(pig: Path) -> None:
    ruleset = open_ruleset(pig)
    for _ in range(2):
        prepared = prepare(ruleset, TableChoice(players=99), for_play=True)
        assert prepared.diagnostics
    folder = cache_dir()
    assert folder is not None
    assert not (folder / "programs").exists()


def test_a_folder_without_fault_is_checked_once(pig: Path) -> None:
    assert load_ruleset(pig)[1] == []
    with patch("houserule.language.manifest.citations.check_citations", known):
        assert load_ruleset(pig)[1] == []


@pytest.mark.parametrize(
    ("file", "more", "code"),
    [
        ("text/de.yaml", "  nobody: Niemand\n", "E036"),
        ("rulings.yaml", "nothing: {}\n", "E031"),
        ("sources/other.yaml", "headings: []\n", "W035"),
        ("game.rules", "\nvalue x: 0..1 = 0 [ruling nobody]\n", "E044"),
    ],
)
def test_a_fault_is_found_in_a_folder_that_had_none(
    pig: Path, file: str, more: str, code: str
) -> None:
    assert load_ruleset(pig)[1] == []
    path = pig / file
    path.parent.mkdir(exist_ok=True)
    before = path.read_text("utf-8") if path.exists() else ""
    path.write_text(before + more, "utf-8")
    for _ in range(2):
        assert code in {each.code for each in load_ruleset(pig)[1]}
