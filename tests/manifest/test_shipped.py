"""Every shipped ruleset loads without a fault, and speaks its languages fully."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from houserule.base.resources import find_ruleset, shipped_rulesets
from houserule.language.manifest.declared_names import addressed
from houserule.language.manifest.load import load_manifest, load_ruleset
from houserule.language.manifest.ruleset import LoadedRuleset
from houserule.language.syntax import tree
from houserule.language.syntax.tree.visitor import walk

SHIPPED = tuple(shipped_rulesets().values())


def name(path: Path) -> str:
    return path.name


def test_something_is_shipped() -> None:
    assert SHIPPED


@pytest.mark.parametrize("folder", SHIPPED, ids=name)
def test_it_loads(folder: Path) -> None:
    ruleset, diagnostics = load_ruleset(folder)
    assert not diagnostics
    assert ruleset is not None
    assert ruleset.id == folder.name == ruleset.base.id
    assert len(ruleset.fingerprint) == 64
    assert load_ruleset(folder)[0] == ruleset


@pytest.mark.parametrize("folder", SHIPPED, ids=name)
def test_every_caption_is_translated(folder: Path) -> None:
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    for language in ruleset.manifest.languages[1:]:
        assert untranslated(ruleset, language) == []


@pytest.mark.parametrize("folder", SHIPPED, ids=name)
def test_rulings_speak_every_language(folder: Path) -> None:
    ruleset, _ = load_ruleset(folder)
    assert ruleset is not None
    for ruling in ruleset.rulings.values():
        assert set(ruling.says) >= set(ruleset.manifest.languages), ruling.id


def test_a_ruleset_is_found_by_path_and_by_name(tmp_path: Path) -> None:
    folder = SHIPPED[0]
    assert find_ruleset(folder.name) == folder
    assert find_ruleset(folder) == folder
    assert find_ruleset(str(folder / "ruleset.yaml")) == folder
    assert find_ruleset("no_such_game") is None
    assert find_ruleset(tmp_path) is None


def test_a_manifest_can_be_read_alone() -> None:
    manifest, faults = load_manifest(SHIPPED[0])
    assert not faults
    assert manifest is not None
    assert manifest.id == SHIPPED[0].name


def untranslated(ruleset: LoadedRuleset, language: str) -> list[str]:
    """Return the keys of the captions and notes for which a language has no words.

    Options may have theirs among the titles, phases and steps in the flow, actions
    among the actions.
    """
    texts = ruleset.texts.get(language, {})
    lacking = (
        keys[0]
        for unit in ruleset.units
        for keys in _caption_keys(unit)
        if not any(key in texts for key in keys)
    )
    return sorted(set(lacking))


def _caption_keys(unit: tree.Unit) -> Iterator[tuple[str, ...]]:
    """Yield, for each caption of a unit, the keys that its translation may have."""
    if unit.caption is not None:
        yield (f"titles/{unit.id}",)
    for address, node in addressed(unit):
        if getattr(node, "caption", None) is not None:
            sections = ("titles", "flow", "actions")
            yield address, *(f"{section}/{address}" for section in sections)
    for node in walk(unit):
        match node:
            case (
                tree.Change(target=target, caption=tree.Text())
                | tree.Recaption(target=target)
            ):
                yield (f"changed/{unit.id}/{target.text}",)
            case (
                tree.Remark(caption=tree.Text(text=text))
                | tree.Assert(caption=tree.Text(text=text))
            ):
                yield (f"notes/{text}",)
            case _:
                pass
